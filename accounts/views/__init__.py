"""Pages of accounts that allauth does not have."""
