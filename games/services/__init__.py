"""Services: the verbs that change games, each owning its transaction."""
