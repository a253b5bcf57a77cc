"""An invitation: a challenge to whoever reads an e-mail address."""

from __future__ import annotations

from hashlib import sha256
from secrets import token_hex
from typing import ClassVar, Final

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

TOKEN_BYTES: Final = 20


class InvitationQuerySet(models.QuerySet["Invitation"]):
    """Invitations by their token."""

    def with_token(self, token: str) -> InvitationQuerySet:
        """The one whose letter holds this token, in whatever case a mail program left it."""
        return self.filter(token_digest=_digest(token))

    def mint(self, pk: int) -> str:
        """A new token of an invitation: 160 random bits in hex, of which only the hash is kept. It replaces an earlier one."""
        token = token_hex(TOKEN_BYTES)
        self.filter(pk=pk).update(token_digest=_digest(token))
        return token


def _digest(token: str) -> str:
    return sha256(token.lower().encode()).hexdigest()


class Invitation(models.Model):
    """The address, and the hash of the token in the letter: a right to answer this challenge, never a login.

    A challenge of two is to one address, one of more may be to several; there `declined_at` says that one of them does not come.
    `token_digest` is that of the letter that was rendered last, empty before. `language` is the challenger's when he invited.
    """

    challenge = models.ForeignKey(
        "games.Challenge", on_delete=models.CASCADE, related_name="invitations", related_query_name="invitation"
    )
    address = models.EmailField(_("e-mail address"))
    token_digest = models.CharField(max_length=64, blank=True)
    language = models.CharField(_("language"), max_length=8, choices=settings.LANGUAGES)
    declined_at = models.DateTimeField(_("declined"), null=True, blank=True)

    objects = InvitationQuerySet.as_manager()

    class Meta:
        verbose_name = _("invitation")
        verbose_name_plural = _("invitations")
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(
                fields=["token_digest"], condition=~models.Q(token_digest=""), name="an_invitation_has_its_own_token"
            ),
            models.UniqueConstraint(
                fields=["challenge", "address"], condition=~models.Q(address=""), name="an_address_is_invited_once"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.challenge_id}"
