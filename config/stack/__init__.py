"""The embedded stack: everything that a person needs to play, under one parent."""
