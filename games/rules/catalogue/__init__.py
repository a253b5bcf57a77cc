"""The catalogue: one folder a game, found by the registry."""
