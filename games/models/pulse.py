"""The pulse of each process: when a web server, worker, beat or sweep was last alive; and how far sweeps have come."""

from __future__ import annotations

from django.db import models


class Pulse(models.Model):
    """`name` is web, worker, beat or sweep, `at` the last sign of life; or the name of a mark, and up to when it is passed."""

    name = models.CharField(max_length=16, primary_key=True)
    at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.name}: {self.at:%Y-%m-%d %H:%M:%S}"
