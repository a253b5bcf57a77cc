"""Commands of letters."""
