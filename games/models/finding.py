"""Findings: what the daily check counted last."""

from __future__ import annotations

from django.db import models


class Finding(models.Model):
    """`name` is what was counted, `count` how many there were at `at`; none is well."""

    name = models.CharField(max_length=16, primary_key=True)
    at = models.DateTimeField()
    count = models.PositiveIntegerField()

    def __str__(self) -> str:
        return f"{self.name}: {self.count}"
