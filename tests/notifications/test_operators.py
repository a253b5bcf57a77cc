"""What operators do with letters: list, hold, release, retry, on the command line and on the desk."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.urls import reverse

from accounts.models import AuditEntry, Player
from config import desk
from notifications import delivery, holds, topics
from notifications.models import Bounce, Hold, Letter
from notifications.topics import Manner, Topic
from tests.factories import BounceFactory, LetterFactory, ModeratorFactory, PlayerFactory
from tests.games.visits import of
from tests.notifications.conftest import Source
from tests.notifications.postoffice import PostOffice

pytestmark = pytest.mark.django_db

Outbox = Callable[..., str]


@pytest.fixture
def outbox(capsys: pytest.CaptureFixture[str]) -> Outbox:
    """What the command says."""

    def call(*words: str) -> str:
        call_command("outbox", *words)
        return capsys.readouterr().out

    return call


def state(letter: Letter) -> str:
    letter.refresh_from_db()
    return letter.state


@pytest.mark.usefixtures("source")
def test_the_list_shows_what_is_not_done_with_masked_addresses(bob: Player, outbox: Outbox) -> None:
    LetterFactory.create(key="turn:1", recipient=bob)
    said = "550 5.1.1 <dora@example.org>: no such user"
    LetterFactory.create(key="gone", recipient=None, address="dora@example.org", state="failed", due_at=None, reason=said)
    LetterFactory.create(key="old", state="sent", due_at=None)
    first, second, total = outbox("list").splitlines()
    assert first.split()[:4] == ["queued", "test", "player", str(bob.pk)]
    assert first.endswith("turn:1")
    assert "d…@example.org" in second
    assert second.endswith("gone  550 5.1.1 <…>: no such user")
    assert total == "1 failed, 1 queued, 1 sent"
    assert "dora" not in first + second
    assert "old" in outbox("list", "--state", "sent")
    assert outbox("list", "--limit", "0").strip() == total
    assert outbox("list", "--limit", str(10**30)).count("\n") == 3


def test_an_empty_outbox_says_so(outbox: Outbox) -> None:
    assert outbox("list").strip() == "no letters"


def test_everything_is_held_until_it_is_released(source: Source, office: PostOffice, outbox: Outbox) -> None:
    letter = LetterFactory.create()
    assert "They wait until" in outbox("hold")
    assert "They wait already" in outbox("hold")
    assert delivery.deliver_waiting() == 0
    assert not delivery.deliver(letter.key)
    assert (state(letter), letter.attempts) == ("queued", 0)
    assert "everything" in outbox("list")
    assert "They go out again" in outbox("release")
    assert delivery.deliver_waiting() == 1
    with pytest.raises(CommandError, match="nothing is held"):
        outbox("release")
    assert [(one.act, one.actor) for one in AuditEntry.objects.order_by("pk")] == [
        ("hold_letters", None),
        ("release_letters", None),
    ]


def test_a_kind_or_a_recipient_is_held_and_the_others_go(bob: Player, source: Source, office: PostOffice, outbox: Outbox) -> None:
    to_bob, to_his_address, other = (
        LetterFactory.create(recipient=bob),
        LetterFactory.create(recipient=None, address=bob.email),
        LetterFactory.create(),
    )
    outbox("hold", "--to", "BOB@example.org")
    assert delivery.deliver_waiting() == 1
    assert [state(one) for one in (to_bob, to_his_address, other)] == ["queued", "queued", "sent"]
    assert "to b…@example.org" in outbox("list")
    outbox("hold", "--kind", "test")
    outbox("release", "--to", bob.email)
    assert delivery.deliver_waiting() == 0
    outbox("release", "--kind", "test")
    assert delivery.deliver_waiting() == 2


def test_a_kind_to_one_recipient_is_held_alone(bob: Player, source: Source, office: PostOffice) -> None:
    to_bob, other = LetterFactory.create(recipient=bob), LetterFactory.create()
    holds.hold(kind="test", address=bob.email, by=None)
    holds.hold(kind="turn", address=other.recipient.email if other.recipient else "", by=None)
    assert delivery.deliver_waiting() == 1
    assert [state(one) for one in (to_bob, other)] == ["queued", "sent"]
    holds.forget([bob.email.upper()])
    assert delivery.deliver_waiting() == 1


def test_a_kind_that_does_not_exist_is_not_held(outbox: Outbox) -> None:
    with pytest.raises(CommandError, match="invalid choice"):
        outbox("hold", "--kind", "no-such-kind")


def test_failed_letters_are_tried_again_one_or_all(source: Source, office: PostOffice, outbox: Outbox) -> None:
    letters = [LetterFactory.create(state="failed", due_at=None, attempts=9) for _ in range(3)]
    assert "1 queued, 0 cannot" in outbox("retry", letters[0].key)
    assert [state(one) for one in letters] == ["queued", "failed", "failed"]
    assert "2 queued, 0 cannot" in outbox("retry", "--failed")
    assert delivery.deliver_waiting() == 3
    for words in (["retry", letters[0].key], ["retry", "--failed"], ["retry"], ["retry", "x", "--failed"]):
        with pytest.raises(CommandError):
            outbox(*words)


def test_what_is_no_longer_wanted_is_not_tried_again(source: Source, outbox: Outbox) -> None:
    letter = LetterFactory.create(state="failed", due_at=None)
    source.wanted = False
    assert "0 queued, 1 cannot" in outbox("retry", "--failed")
    with pytest.raises(CommandError, match="no longer wanted"):
        outbox("retry", letter.key)


def test_what_would_be_dropped_at_once_or_nobody_here_can_write_is_not_tried_again(
    bob: Player, source: Source, outbox: Outbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(topics._manners, ("test", "test"), Manner(Topic.TURNS))
    BounceFactory.create(address=bob.email)
    letter = LetterFactory.create(recipient=bob, state="failed", due_at=None)
    with pytest.raises(CommandError, match="its address bounces"):
        outbox("retry", letter.key)
    LetterFactory.create(key="tomorrow", source="tomorrow", state="failed", due_at=None)
    assert "0 queued, 2 cannot" in outbox("retry", "--failed")


# -- on the desk ---------------------------------------------------------------------------------------------------------


@pytest.fixture
def _second_factor(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(desk, "second_factor_used", lambda _request: True)


@pytest.mark.usefixtures("_second_factor")
def test_a_moderator_sees_which_addresses_bounce_and_clears_one(bob: Player) -> None:
    mark = BounceFactory.create(address=bob.email, reason="550 no such user")
    client = of(ModeratorFactory.create())
    listed: Any = client.get(reverse("admin:notifications_bounce_changelist"))
    assert "550 no such user" in listed.content.decode()
    client.post(reverse("admin:notifications_bounce_clear", args=[mark.pk]))
    assert not Bounce.objects.exists()
    assert AuditEntry.objects.get().act == "clear_address"


@pytest.mark.usefixtures("_second_factor")
def test_an_administrator_sees_what_is_held_and_lets_it_go() -> None:
    holds.hold(kind="turn", by=None)
    client = of(PlayerFactory.create(is_staff=True, is_superuser=True))
    assert "Letters are held back" in client.get(reverse("admin:index")).content.decode()
    client.post(reverse("admin:notifications_hold_release", args=[Hold.objects.get().pk]))
    assert not Hold.objects.exists()
    assert "Letters are held back" not in client.get(reverse("admin:index")).content.decode()
