"""`manage.py thaw`: lets a service go on whose database was put back from a backup."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError

from games.services import freeze


class Command(BaseCommand):
    """Gives every running turn the time that was lost, then lets letters go and time run."""

    help = "Lets the service go on after its database was put back from a backup: letters go out, time runs."

    def handle(self, *args: Any, **given: Any) -> None:
        """Raises CommandError when the service is not frozen."""
        try:
            games = freeze.thaw(by=None)
        except freeze.NotFrozen as refused:
            raise CommandError(str(refused)) from refused
        self.stdout.write(f"{games} games were given the time that was lost. Letters go out again.")
