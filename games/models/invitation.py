"""An invitation: a challenge to whoever reads an e-mail address."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _


class Invitation(models.Model):
    """The address, and the hash of the token in the letter: a right to answer this challenge, never a login.

    `token_digest` is that of the letter that was rendered last, empty before. `language` is the challenger's when he invited.
    """

    challenge = models.OneToOneField("games.Challenge", on_delete=models.CASCADE, related_name="invitation")
    address = models.EmailField(_("e-mail address"))
    token_digest = models.CharField(max_length=64, blank=True)
    language = models.CharField(max_length=8, choices=settings.LANGUAGES)

    class Meta:
        verbose_name = _("invitation")
        verbose_name_plural = _("invitations")
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(
                fields=["token_digest"], condition=~models.Q(token_digest=""), name="an_invitation_has_its_own_token"
            )
        ]

    def __str__(self) -> str:
        return f"{self.challenge_id}"
