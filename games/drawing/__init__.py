"""Drawing: one SVG canvas and palette."""
