"""Acts of those who look after letters: told to whoever keeps the audit log, inside the transaction of the act."""

from __future__ import annotations

from typing import Protocol

from django.contrib.auth.models import AbstractBaseUser


class Auditor(Protocol):
    """Writes one entry: who did what to which letter or address; None is whoever has the command line."""

    def __call__(self, *, actor: AbstractBaseUser | None, act: str, subject: str, subject_id: int) -> None:
        """Inside the transaction of the act."""


_auditors: list[Auditor] = []


def register(auditor: Auditor) -> None:
    """Declared by the app that keeps the audit log, when it is ready."""
    if auditor not in _auditors:
        _auditors.append(auditor)


def record(*, actor: AbstractBaseUser | None, act: str, subject: str, subject_id: int) -> None:
    """One entry in every audit log."""
    for auditor in _auditors:
        auditor(actor=actor, act=act, subject=subject, subject_id=subject_id)
