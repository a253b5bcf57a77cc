"""Engines: search and choice of a move for any ruleset."""
