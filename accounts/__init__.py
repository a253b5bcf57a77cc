"""Accounts: players, their names, languages and ways to log in."""
