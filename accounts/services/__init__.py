"""What is done with players, each verb owning its transaction."""
