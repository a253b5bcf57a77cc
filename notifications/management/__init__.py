"""Management of letters."""
