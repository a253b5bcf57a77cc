"""Factories: every object that a test needs."""

from __future__ import annotations

import factory

from accounts.models import Player

PASSWORD = "correct horse battery"


class PlayerFactory(factory.django.DjangoModelFactory[Player]):
    """A player who may log in with PASSWORD."""

    class Meta:
        model = Player
        skip_postgeneration_save = True

    email = factory.Sequence(lambda n: f"player{n}@example.org")
    display_name = factory.Sequence(lambda n: f"Player {n}")
    password = factory.django.Password(PASSWORD)
