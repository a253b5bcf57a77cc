"""Sprouts: spots and lines."""
