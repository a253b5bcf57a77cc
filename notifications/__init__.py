"""Notifications: the outbox, its delivery, and addresses."""
