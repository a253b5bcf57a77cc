"""Commands of games."""
