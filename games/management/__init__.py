"""Management of games."""
