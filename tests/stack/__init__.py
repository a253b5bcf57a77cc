"""Real servers for tests: PostgreSQL, Valkey, the whole stack."""
