"""Rules: pure functions over immutable positions."""
