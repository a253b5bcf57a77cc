"""Letters about an account: codes, links, and notices of what was changed.

allauth says what they are about, our templates what they say. They are written at once, because a code or a link cannot be
had again, and posted: the page takes as long whether an address is known or not (S6), and no letter is lost with the mail
server away.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import contextmanager
from datetime import timedelta
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit
from uuid import uuid4

from allauth.account.models import EmailAddress
from django.conf import settings
from django.db import transaction
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.text import wrap

from accounts.models import Player
from notifications import outbox
from notifications.nudges import nudge
from notifications.sources import Rendered, Waiting

if TYPE_CHECKING:
    from collections.abc import Iterator

SOURCE: Final = "accounts"
CODE: Final = "code"
LINK: Final = "link"
NOTICE: Final = "notice"
KINDS: Final = {
    "account/email/login_code": CODE,
    "account/email/email_confirmation": LINK,
    "account/email/email_confirmation_signup": LINK,
    "account/email/password_reset_key": LINK,
}
"""The kinds of letters by their templates; every other one is a notice."""
WIDTH: Final = 72
"""Of the lines of plain text."""
WANTED: Final = {
    CODE: timedelta(seconds=settings.ACCOUNT_LOGIN_BY_CODE_TIMEOUT),
    LINK: timedelta(seconds=settings.PASSWORD_RESET_TIMEOUT),
    NOTICE: timedelta(days=7),
}
"""For so long a letter of each kind is worth sending: no code or link goes out that has run out."""


class AccountLetters:
    """Letters that were written when they were posted."""

    kinds = tuple(WANTED)

    def still_wanted(self, letter: Waiting) -> bool:
        """Whether what it says still holds."""
        return timezone.now() - letter.created_at < WANTED[letter.kind]

    def render(self, letter: Waiting) -> Rendered:
        """Never asked: the outbox keeps the letter as it was written."""
        raise LookupError(f"{letter.key} was posted unwritten")


def send(template: str, address: str, context: Mapping[str, Any]) -> None:
    """Owes the letter of a template to an address, in its owner's language, or else in that of the page."""
    kind, key = KINDS.get(template, NOTICE), f"{SOURCE}:{uuid4().hex}"
    with _speaking_to(_owner(address)), transaction.atomic():
        rendered = written(template, address, context)
        outbox.post_written(key=key, kind=kind, source=SOURCE, rendered=rendered, address=address)
        transaction.on_commit(lambda: nudge("notifications.deliver", key), robust=True)


def tell_ruling(template: str, player: Player, reason: str, **addresses: str) -> None:
    """Owes a player the letter about what somebody who rules did with the account, and why. `addresses` are links in it."""
    send(f"accounts/letters/{template}", player.email, {"player": player, "reason": reason, **addresses})


def written(template: str, address: str, context: Mapping[str, Any]) -> Rendered:
    """The letter in the language that is spoken now. Links lead to SITE_URL, whatever host the page was asked from."""
    site = {"name": "Perepiska", "domain": urlsplit(settings.SITE_URL).netloc}
    links = {name: _on_this_site(value) for name, value in context.items() if name.endswith("_url")}
    reset = settings.SITE_URL + reverse("account_reset_password")
    told = {"reset_url": reset, **context, **links, "email": address, "current_site": site}
    subject = " ".join(render_to_string(f"{template}_subject.txt", told).split())
    text = render_to_string(f"{template}_message.txt", told).strip() + "\n"
    page = {"title": subject, "text": text, "language": translation.get_language()}
    return Rendered(subject=subject, text=wrap(text, WIDTH), html=render_to_string("account/email/letter.html", page))


def _on_this_site(url: str) -> str:
    return f"{settings.SITE_URL}{urlsplit(url).path}"


def _owner(address: str) -> Player | None:
    """Whose address it is; of several who gave it, the one who confirmed it."""
    given = EmailAddress.objects.filter(email=address.lower()).order_by("-verified").select_related("user").first()
    # Whoever was made on the command line has an address that was never asked to be confirmed.
    return given.user if given else Player.objects.filter(email__iexact=address).first()


@contextmanager
def _speaking_to(player: Player | None) -> Iterator[None]:
    if player is None:
        yield
        return
    with translation.override(player.language), timezone.override(player.zone):
        yield
