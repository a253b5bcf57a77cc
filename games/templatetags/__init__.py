"""Template tags of games."""
