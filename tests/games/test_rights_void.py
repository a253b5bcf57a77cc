"""How rights end: with the address, the password, the account, the seat, the game, and with time."""

from __future__ import annotations

from datetime import timedelta
from uuid import uuid4

import pytest
import time_machine
from django.core.cache import cache
from django.urls import reverse
from django.utils import timezone

from accounts.models import Player
from accounts.services import erasure, suspension
from games import tasks
from games.models import Game, LogEntry, Right
from games.services import moves, proposals
from games.services.errors import Gone
from notifications.models import Letter
from tests.accounts.visitors import logged_in, proves_it_is_me, somebody
from tests.factories import PASSWORD, EmailAddressFactory, GameFactory, LetterFactory, ModeratorFactory, play, right
from tests.games.holding import form, look, plies, press

pytestmark = pytest.mark.django_db

NEW = "another long horse"


@pytest.fixture(autouse=True)
def _no_guesses_yet() -> None:
    cache.clear()


@pytest.fixture
def ann(db: None) -> Player:
    """Somebody who may log in and change what she is asked for."""
    return somebody("Ann")


@pytest.fixture
def game(ann: Player, bob: Player) -> Game:
    return GameFactory.create(players=[ann, bob])


def opens_nothing(token: str, game: Game) -> None:
    """A friendly page, and no act."""
    assert "This link opens nothing." in look(token, status=404)
    assert "This link opens nothing." in press(token, form(game, "1"), status=404)
    assert plies(game) == []


def test_S13_a_changed_password_kills_the_links(game: Game, ann: Player) -> None:
    token = right(game)
    client = logged_in(ann)
    client.post(reverse("account_change_password"), {"oldpassword": PASSWORD, "password1": NEW, "password2": NEW})
    opens_nothing(token, game)
    assert "It is your turn." in look(right(game)), "a letter that goes out now has good ones"


def test_S13_a_changed_address_kills_the_links_and_letters_that_wait_are_written_anew(game: Game, ann: Player) -> None:
    token = right(game)
    waits = {"mime": b"with a link", "recipient": ann}
    LetterFactory.create(state=Letter.State.WAITING, **waits)
    theirs = LetterFactory.create(state=Letter.State.WAITING, mime=b"with a link", recipient=game.seat_set.get(number=1).player)
    EmailAddressFactory.create(user=ann, email="new@example.org", primary=False)
    client = logged_in(ann)
    proves_it_is_me(client)
    client.post(reverse("account_email"), {"action_primary": "", "email": "new@example.org"})
    ann.refresh_from_db()
    assert ann.email == "new@example.org"
    opens_nothing(token, game)
    assert not Letter.objects.filter(recipient=ann, due_at__isnull=False).exclude(mime=b"").exists()
    theirs.refresh_from_db()
    assert bytes(theirs.mime) == b"with a link"


def test_S13_the_links_of_others_stay_good(game: Game, ann: Player) -> None:
    play(game, "1")
    token = right(game)
    client = logged_in(ann)
    client.post(reverse("account_change_password"), {"oldpassword": PASSWORD, "password1": NEW, "password2": NEW})
    assert "It is your turn." in look(token)


def test_L12_a_link_of_somebody_who_is_suspended_does_nothing_even_when_they_may_play_again(game: Game, ann: Player) -> None:
    token, moderator = right(game), ModeratorFactory.create()
    suspension.suspend(player_id=ann.pk, by=moderator, reason="Because.")
    opens_nothing(token, game)
    suspension.restore(player_id=ann.pk, by=moderator, reason="Because.")
    opens_nothing(token, game)
    assert "It is your turn." in look(right(game))


def test_a_link_waits_while_the_opponent_is_suspended(game: Game, ann: Player, bob: Player) -> None:
    token, moderator = right(game), ModeratorFactory.create()
    suspension.suspend(player_id=bob.pk, by=moderator, reason="Because.")
    assert "It goes on when Bob may play again." in look(token)
    assert "This game is paused." in press(token, form(game, "1"), status=409)
    suspension.restore(player_id=bob.pk, by=moderator, reason="Because.")
    game.refresh_from_db()
    assert "You played 1." in press(token, form(game, "1"))


def test_L12_S11_a_link_of_a_deleted_account_does_nothing_and_is_forgotten(game: Game, ann: Player) -> None:
    token = right(game)
    erasure.ask_erasure(player=ann)
    opens_nothing(token, game)
    erasure.erase(player_id=ann.pk)
    opens_nothing(token, game)
    assert not Right.objects.exists()


def test_L12_C10_a_link_of_a_seat_that_changed_hands_does_nothing(game: Game, charlie: Player) -> None:
    token = right(game)
    game.seat_set.filter(number=0).update(player=charlie)
    opens_nothing(token, game)


def test_L12_after_the_end_the_link_shows_how_it_ended_and_does_nothing(game: Game) -> None:
    token, sent = right(game), form(game, "1")
    moves.resign(game=game.pk, seat=1, via="web", key=uuid4().hex)
    shown = look(token)
    assert "The turn of this letter is over" in shown
    assert "Ann won (" in shown
    assert "<button" not in shown
    press(token, sent, status=409)
    assert plies(game) == []


def test_after_a_taken_back_turn_the_old_link_stays_dead(game: Game) -> None:
    token, sent = right(game), form(game, "1")
    press(token, sent)
    proposals.propose(game=game.pk, seat=0, kind="takeback", via="web", key=uuid4().hex)
    number = LogEntry.objects.get(kind="propose").number
    proposals.agree(game=game.pk, seat=1, number=number, via="web", key=uuid4().hex)
    game.refresh_from_db()
    assert game.to_move == 0
    shown = look(token)
    assert "This was taken back." in shown
    assert "<button" not in shown
    for again in (sent, {**sent, "key": uuid4().hex}):
        assert "This move was played and taken back since." in press(token, again, status=409)
    for text in ("1", "2"):
        press(token, form(game, text), status=409)
    assert len(plies(game)) == 1
    assert "It is your turn." in look(right(game))


def test_a_right_that_died_between_the_look_and_the_press_plays_nothing(game: Game) -> None:
    right(game)
    held = Right.objects.get()
    Right.objects.update(void_at=timezone.now())
    with pytest.raises(Gone):
        moves.play_move(
            game=game.pk, seat=0, text="1", position_number=game.position_number, via="link", key=uuid4().hex, right=held.pk
        )
    assert plies(game) == []


def test_spent_rights_are_forgotten_in_time_and_tell_until_then_what_was_played(game: Game) -> None:
    token = right(game)
    play(game, "1")
    waiting = right(game)
    now = timezone.now()
    with time_machine.travel(now + timedelta(days=119)):
        tasks.expire()
        assert "already played" in look(token)
    with time_machine.travel(now + timedelta(days=121)):
        tasks.expire()
        assert "This link opens nothing." in look(token, status=404)
        assert "It is your turn." in look(waiting), "a turn that lasts so long, by a pause, keeps its links"
    Right.objects.update(void_at=now)
    with time_machine.travel(now + timedelta(days=121)):
        tasks.expire()
    assert not Right.objects.exists()
