"""Views: thin pages, each calling a selector or one service."""
