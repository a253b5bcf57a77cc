"""What the templates of accounts say in a word."""
