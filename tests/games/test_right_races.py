"""Links pressed and opened at once: by scanners in threads, by a person and a browser's page, against what ends a right."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import partial
from threading import Barrier, Thread
from uuid import uuid4

import pytest
from django.core.cache import cache
from django.db import connection
from django.test import Client

from accounts.models import Player
from games import selectors
from games.letters import links
from games.models import Game, LogEntry, Right, Submission
from games.services import moves, rights
from games.services.check import differences
from games.services.errors import Gone, StalePosition
from tests.factories import GameFactory, right
from tests.games.holding import form, path, plies

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.locking]


@pytest.fixture(autouse=True)
def _no_guesses_yet() -> None:
    cache.clear()


@pytest.fixture
def game(alice: Player, bob: Player) -> Game:
    return GameFactory.create(players=[alice, bob])


def at_once(*acts: Callable[[], object]) -> list[object]:
    """What each act, done in a thread of its own at the same moment, came to."""
    told: list[object] = [None] * len(acts)
    start = Barrier(len(acts))

    def run(place: int, act: Callable[[], object]) -> None:
        start.wait()
        try:
            told[place] = act()
        except (Gone, StalePosition) as refused:
            told[place] = type(refused).__name__
        finally:
            connection.close()

    threads = [Thread(target=run, args=numbered) for numbered in enumerate(acts)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return told


def pressing(token: str, sent: dict[str, object]) -> Callable[[], object]:
    """The status that a press of the page's button gets."""
    return lambda: Client().post(path(token), sent).status_code


def test_L1_a_scanner_that_opens_every_link_twice_in_parallel_changes_nothing(game: Game) -> None:
    token = right(game)
    whole = [links.page(token), *(links.move(token, game.position_number, str(pit)) for pit in range(1, 7))]
    asked = [address.removeprefix("http://localhost:8000") for address in whole]
    before = Game.objects.values().get()

    def scan(address: str) -> list[int]:
        client = Client()
        codes = [client.get(address).status_code, client.head(address).status_code, client.options(address).status_code]
        assert not client.cookies
        return codes

    told = at_once(*(partial(scan, address) for address in asked * 2))
    assert told == [[200, 200, 405]] * 14
    assert Game.objects.values().get() == before
    assert not Submission.objects.exists()
    assert Client().post(path(token), form(game, "4")).status_code == 302, "the person's press works"
    assert plies(game) == [("4", "link")]


def test_S2_guesses_at_once_are_limited_though_nobody_waits_for_their_turn_to_be_counted() -> None:
    told = Counter(at_once(*(partial(_guess, number) for number in range(48))))
    assert set(told) <= {404, 429}
    assert told[404] <= 30


def _guess(number: int) -> int:
    return Client().get(path(f"{number:032x}")).status_code


def test_L4_one_form_pressed_four_times_at_once_is_one_entry_and_four_successes(game: Game) -> None:
    for text, form_count in (("4", 1), ("6", 4)):
        token = right(game)
        forms = [form(game, text) for _ in range(form_count)] * (4 // form_count)
        told = at_once(*(pressing(token, sent) for sent in forms))
        assert told == [302] * 4
        game.refresh_from_db()
    assert plies(game) == [("4", "link"), ("6", "link")]
    assert not any(found for _game, found in differences())


def test_C3_L6_a_link_against_the_page_is_one_turn_whichever_comes_first(game: Game) -> None:
    for _ in range(4):
        token, seat = right(game), game.to_move
        assert seat is not None
        text = legal(game)
        number = game.position_number

        def on_the_page(seat: int = seat, number: int = number, text: str = text) -> str:
            moves.play_move(game=game.pk, seat=seat, text=text, position_number=number, via="web", key=uuid4().hex)
            return "played"

        sent = form(game, text)
        told = at_once(on_the_page, pressing(token, sent))
        assert told == ["played", 302]
        assert LogEntry.objects.filter(game=game, kind="move", number__gt=number).count() == 1
        game.refresh_from_db()
    assert not any(found for _game, found in differences())


def test_C2_other_moves_by_link_and_page_at_once_leave_one(game: Game) -> None:
    token, sent = right(game), form(game, "1")

    def on_the_page() -> int:
        moves.play_move(game=game.pk, seat=0, text="2", position_number=sent["position"], via="web", key=uuid4().hex)
        return 302

    told = at_once(on_the_page, pressing(token, sent))
    assert Counter(map(str, told)) in (Counter({"302": 1, "409": 1}), Counter({"302": 1, "StalePosition": 1}))
    assert len(plies(game)) == 1


def test_S13_a_right_is_void_before_the_press_or_after_it_never_in_between(game: Game, alice: Player) -> None:
    for _ in range(4):
        game.refresh_from_db()
        token, number = right(game, seat=0), len(plies(game))
        sent = form(game, legal(game))
        void, code = at_once(
            lambda: rights.make_void(player=alice),
            pressing(token, sent),
        )
        assert void == 1
        assert (code, len(plies(game)) - number) in ((302, 1), (404, 0))
        cache.clear()
        if code == 302:
            game = GameFactory.create(players=[alice, game.seat_set.get(number=1).player])
    assert not Right.objects.open().exists()


def legal(game: Game) -> str:
    """A move of the seat to move."""
    assert game.to_move is not None
    page = selectors.game_page(game.pk, game.seat_set.get(number=game.to_move).player)
    assert page is not None
    return page.choices[0].move
