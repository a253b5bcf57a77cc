"""Opponents and analysis: the choice of a move in any ruleset. Pure, but for the luck of a seed that is handed in."""
