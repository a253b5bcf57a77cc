"""Analysis and the trying board: after the game, for whoever may see it, and never while it goes on."""

from __future__ import annotations

import re
from contextlib import suppress
from datetime import timedelta
from itertools import pairwise
from typing import Any
from unittest.mock import patch
from uuid import uuid4

import pytest
from django.core.cache import cache
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import override

from accounts.models import Player
from games import selectors
from games.engines.finding import Finding, shares_of
from games.models import Analysis, Game
from games.rules import registry
from games.selectors import trying
from games.selectors.graph import graph
from games.selectors.worth import Worth, in_words, line_in_words
from games.services import adjudicate, analysis, moves
from games.services.errors import Gone
from tests.factories import GameFactory, GuestGameFactory, analysed, let_rule, played_out
from tests.games.visits import of, page, press

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _nobody_came_yet() -> None:
    cache.clear()


@pytest.fixture
def over(alice: Player, bob: Player) -> Game:
    """A short game that Bob has given up."""
    game = GameFactory.create(players=[alice, bob], plies="3 3 1")
    moves.resign(game=game.pk, seat=1, via="web", key=uuid4().hex)
    game.refresh_from_db()
    return game


def find(*values: int, exact: bool = False) -> Any:
    """Findings of these values for the two in turn, one after the other, instead of a search."""
    found = [Finding(one, shares_of(one, at % 2), ("6",), 3, 1, exact=exact) for at, one in enumerate(values)]
    return patch.object(analysis, "analyse", side_effect=found)


def test_whoever_plays_asks_and_everybody_reads(over: Game, alice: Player) -> None:
    client = of(alice)
    assert "Nobody has asked" in page(client, "analysis", over.pk)
    said = press(client, "analyse", over)
    assert "The computer is looking at the game: 0 of 4 positions." in said
    assert 'data-every="2"' in said
    analysed(over)
    shown = page(Client(), "analysis", over.pk)
    assert "Move by move" in shown
    assert "<svg" in shown
    assert shown.count("?at=") == 3
    assert "data-every" not in shown


def test_nothing_is_said_of_moves_where_none_was_made(alice: Player, bob: Player) -> None:
    game = GameFactory.create(players=[alice, bob])
    moves.resign(game=game.pk, seat=1, via="web", key=uuid4().hex)
    analysis.ask(game=game.pk)
    analysed(game)
    shown = page(Client(), "analysis", game.pk)
    assert "No move was made." in shown
    assert "Move by move" not in shown


def test_what_was_missed_is_told_in_words(over: Game) -> None:
    analysis.ask(game=over.pk)
    with find(400, 400, 0, 0):
        analysed(over)
    shown = page(Client(), "analysis", over.pk)
    assert "A mistake. It cost" in shown
    assert "Better: 6" in shown
    assert shown.count("1 mistake,") == 1
    assert shown.count("1 inaccuracy.") == 1


def test_the_page_follows_the_work(over: Game, alice: Player) -> None:
    client, url = of(alice), reverse("games:analysis", args=[over.pk])
    press(client, "analyse", over)
    etag = client.get(url)["ETag"]
    assert client.get(url, headers={"If-None-Match": etag}).status_code == 304
    analysed(over)
    news = client.get(url, headers={"If-None-Match": etag, "HX-Request": "true"}).content.decode()
    assert "The analysis is done." in news
    assert "<body" not in news


def test_it_is_worked_out_bit_by_bit_and_what_was_left_is_found_again(over: Game) -> None:
    analysis.ask(game=over.pk)
    seconds = iter([1.0, 1.0, 0.0])
    with find(0, 0, 0, 0), patch.object(analysis, "nudge_all") as asked:
        assert not analysis.work(game=over.pk, now=timezone.now, left=lambda: next(seconds))
        assert asked.call_args.args == ("games.analyse", [over.pk])
        assert len(Analysis.objects.get().findings) == 1
        assert analysis.ask_again(timezone.now()) == 0
        assert analysis.ask_again(timezone.now() + timedelta(minutes=1)) == 1
        analysed(over)
    assert Analysis.objects.get().done_at is not None
    assert analysis.ask_again(timezone.now() + timedelta(minutes=9)) == 0


def test_a_game_that_is_long_to_read_is_analysed_all_the_same(over: Game) -> None:
    analysis.ask(game=over.pk)
    for turn in range(4):
        assert analysis.work(game=over.pk, now=timezone.now, left=lambda: 0.0) == (turn == 3)
    assert Analysis.objects.get().done_at is not None


def test_a_position_that_cannot_be_analysed_keeps_no_other_from_it(over: Game, caplog: pytest.LogCaptureFixture) -> None:
    analysis.ask(game=over.pk)
    with patch.object(analysis, "analyse", side_effect=MemoryError):
        analysed(over)
    assert "could not be analysed" in caplog.text
    assert "Move by move" in page(Client(), "analysis", over.pk)


def test_a_position_that_kills_the_worker_is_given_up_and_that_is_told(over: Game, caplog: pytest.LogCaptureFixture) -> None:
    analysis.ask(game=over.pk)
    deadly, met = 2, []

    def die(_ruleset: object, position: Any, **_told: object) -> Finding:
        met.append(position)
        if position == met[0] or len(set(met)) != deadly:
            return Finding(0, (500, 500), ("6",), 1, 1, exact=False)
        raise SystemExit  # as a worker that the kernel ends

    with patch.object(analysis, "analyse", side_effect=die):
        for _turn in range(9):
            with suppress(SystemExit):
                analysis.work(game=over.pk, now=timezone.now, left=lambda: 1.0)
    row = Analysis.objects.get()
    assert row.done_at is not None
    assert list(row.findings.values()).count(False) == 1
    assert "were given up" in caplog.text
    shown = page(Client(), "analysis", over.pk)
    assert "1 position could not be looked at" in shown
    assert page(Client(), "trying", over.pk)


def test_an_analysis_that_only_kills_has_an_end(alice: Player, bob: Player) -> None:
    game = played_out(GameFactory.create(players=[alice, bob]), plies=12)
    analysis.ask(game=game.pk)
    with patch.object(selectors, "line_of", side_effect=SystemExit):
        for _turn in range(3):
            with suppress(SystemExit):
                analysis.work(game=game.pk, now=timezone.now, left=lambda: 1.0)
    with patch.object(analysis, "analyse", side_effect=SystemExit):
        for _turn in range(20):
            with suppress(SystemExit):
                analysis.work(game=game.pk, now=timezone.now, left=lambda: 1.0)
    assert Analysis.objects.get().done_at is not None
    assert "positions could not be looked at" in page(Client(), "analysis", game.pk)


def test_one_worker_at_a_time_has_an_analysis_in_hand(over: Game) -> None:
    analysis.ask(game=over.pk)

    def another_comes(*_asked: object, **_told: object) -> Finding:
        assert not analysis.work(game=over.pk, now=timezone.now, left=lambda: 1.0)
        return Finding(0, (500, 500), ("6",), 1, 1, exact=False)

    with patch.object(analysis, "analyse", side_effect=another_comes) as asked:
        assert analysis.work(game=over.pk, now=timezone.now, left=lambda: 1.0)
    assert asked.call_count == 4
    assert not [one for one in Analysis.objects.get().findings.values() if one is False]


def test_there_is_none_while_the_game_goes_on(alice: Player, bob: Player) -> None:
    game, client = GameFactory.create(players=[alice, bob], plies="3"), of(alice)
    for name in ("analysis", "trying"):
        page(client, name, game.pk, status=404)
    press(client, "analyse", game, status=404)
    assert selectors.trial(game.pk) is None
    assert selectors.analysis_page(game.pk) is None
    with pytest.raises(analysis.StillPlayed):
        analysis.ask(game=game.pk)
    with pytest.raises(Gone):
        analysis.ask(game=10**9)


def test_an_end_that_is_taken_back_takes_the_analysis_along(over: Game, alice: Player, bob: Player, charlie: Player) -> None:
    game = GameFactory.create(players=[alice, bob], plies="3 3 1")
    let_rule(charlie)
    head = Game.objects.get(pk=game.pk).head
    adjudicate.adjudicate(game=game.pk, by=charlie, reason="x", verdict="draw", head=head, key="a")
    analysis.ask(game=game.pk)
    adjudicate.take_back(game=game.pk, by=charlie, reason="x", number=head + 1, key="b")
    page(of(alice), "analysis", game.pk, status=404)
    page(of(alice), "trying", game.pk, status=404)
    analysed(game)
    assert analysis.ask_again(timezone.now() + timedelta(hours=1)) == 0
    moves.resign(game=game.pk, seat=0, via="web", key="c")
    assert "Nobody has asked" in page(of(alice), "analysis", game.pk)


def test_what_is_private_stays_so(alice: Player, bob: Player, charlie: Player) -> None:
    game = GameFactory.create(players=[alice, bob], plies="3", public=False)
    moves.resign(game=game.pk, seat=1, via="web", key="r")
    for client in (of(charlie), Client()):
        for name in ("analysis", "trying"):
            page(client, name, game.pk, status=404)
    assert reverse("account_login") in str(Client().post(reverse("games:analyse", args=[game.pk]))["Location"])
    page(of(alice), "trying", game.pk)


def test_a_visitor_may_read_but_not_ask_and_a_guest_may_ask(client: Client, over: Game) -> None:
    assert "Analyse this game" not in page(client, "analysis", over.pk)
    game: Any = GuestGameFactory.create()
    session = client.session
    session["guest"] = {str(game.pk): game.key}
    session.save()
    press(client, "resign", game, sure="1")
    assert "Analyse this game" in page(client, "analysis", game.pk)
    press(client, "analyse", game)
    assert Analysis.objects.filter(game=game).exists()


def test_nobody_asks_for_very_many(over: Game, alice: Player, settings: Any) -> None:
    settings.ACCOUNT_RATE_LIMITS = {**settings.ACCOUNT_RATE_LIMITS, "analysis": "1/h/user"}
    client = of(alice)
    press(client, "analyse", over)
    assert "many analyses" in press(client, "analyse", over, status=429)


@pytest.mark.parametrize("name", ["oware", "bridgit", "sprouts", "rainbow"])
def test_every_game_can_be_analysed_and_tried(alice: Player, bob: Player, name: str) -> None:
    game = played_out(GameFactory.create(players=[alice, bob], ruleset=name), plies=2)
    analysis.ask(game=game.pk)
    analysed(game, seconds=0.05)
    shown = page(Client(), "analysis", game.pk)
    assert "Move by move" in shown
    trial = selectors.trial(game.pk)
    assert trial is not None
    while trial.groups and len(trial.tried) < 3:
        choice = next(one for group in trial.groups for one in group.choices)
        trial = selectors.trial(game.pk, at=trial.at, moves=[*trial.moves, choice.move])
        assert trial is not None
        assert not trial.refused
        if not choice.whole:
            break


def test_lines_of_many_moves_are_found_bit_by_bit(alice: Player, bob: Player, client: Client) -> None:
    game = played_out(GameFactory.create(players=[alice, bob], ruleset="sprouts"), plies=0)
    url = f"{reverse('games:trying', args=[game.pk])}?move=1(6)2&move=3(7)4"
    with patch.object(analysis, "patience", return_value=lambda: True):
        answer = client.get(url)
    assert answer.status_code == 400
    assert "takes a while. Load this page again" in answer.content.decode()
    assert "<strong>1(6)2</strong>" in answer.content.decode()
    assert "<strong>1(6)2 3(7)4</strong>" in client.get(url).content.decode()


def test_moves_are_tried_and_taken_back(over: Game, client: Client) -> None:
    shown = page(client, "trying", over.pk)
    assert "After move 3 of 3" in shown
    begun = selectors.trial(over.pk, at=2)
    assert begun is not None
    assert (begun.place, begun.who) == (0, "Alice")
    tried = client.get(f"{reverse('games:trying', args=[over.pk])}?at=2&move=3&move=4").content.decode()
    assert "<strong>3 4</strong>" in tried
    assert 'href="?' not in tried
    assert "?at=2&amp;move=3&amp;move=4&amp;move=" in tried
    assert "?at=2&amp;move=3&quot;" not in tried
    assert f'{reverse("games:trying", args=[over.pk])}?at=2&amp;move=3"' in tried
    over.refresh_from_db()
    assert over.plies == 3


def test_the_board_asks_how_a_line_goes_on(alice: Player, bob: Player) -> None:
    """As the page of the game does; and what was tried before stays when somebody chooses anew."""
    game = played_out(GameFactory.create(players=[alice, bob], ruleset="sprouts"), plies=0)
    new = selectors.trial(game.pk)
    begun = selectors.trial(game.pk, moves=["1(6)2", "3"])
    assert new is not None
    assert begun is not None
    assert new.asked
    assert (new.begun, begun.begun) == (False, True)
    assert begun.asked == "To which spot does the line from 3 go?"
    shown = page(Client(), "trying", game.pk, move=["1(6)2", "3"])
    assert begun.asked in shown
    assert re.search(r'\?at=\d+&amp;move=1%286%292"[^>]*>Choose another move', shown)


@pytest.mark.parametrize(
    ("query", "status"),
    [
        ("at=2&move=99", 400),
        ("at=2&move=3&move=3&move=xyz", 400),
        ("at=2&move=%00%F0%9F%98%80", 400),
        ("at=2&move=3-3-3-3", 400),
        ("at=2&move=", 200),
        ("at=9999", 404),
        ("at=-1", 404),
        ("at=99999999999999999999", 404),
        ("at=x", 404),
        ("at=2" + "&move=3" * 300, 400),
        ("move=" + "3" * 5000, 400),
    ],
)
def test_bad_addresses_are_told_so(over: Game, client: Client, query: str, status: int) -> None:
    assert client.get(f"{reverse('games:trying', args=[over.pk])}?{query}").status_code == status


def test_the_board_says_where_it_goes_no_further(alice: Player, bob: Player, over: Game) -> None:
    """The line of each move of Sprouts has to be found: a long address must not keep the service from everybody else."""
    drawn = played_out(GameFactory.create(players=[alice, bob], ruleset="sprouts"), plies=0)
    with patch.object(trying, "MOST_DRAWN", 2):
        trial = selectors.trial(drawn.pk, moves=["1(6)2", "3(7)4", "5(8)5"])
    assert trial is not None
    assert len(trial.tried) == 2
    assert trial.refused == "You have tried 2 moves in a row: this board goes no further."
    with patch.object(trying, "MOST", 1):
        page(Client(), "trying", over.pk, at="2", move=["3", "4"], status=400)


def test_what_an_analysis_found_is_told_at_the_board(over: Game) -> None:
    analysis.ask(game=over.pk)
    with find(400, 400, 0, 0):
        analysed(over)
    trial = selectors.trial(over.pk, at=2)
    assert trial is not None
    assert trial.worth.startswith("Alice stands better")
    assert trial.best == "6"


@pytest.mark.parametrize(
    ("value", "told"),
    [(100, "1 камень"), (300, "3 камня"), (500, "5 камней"), (1650, "16½ камня"), (2100, "21 камень"), (-150, "1½ камня")],
)
def test_amounts_are_told_as_people_count(value: int, told: str) -> None:
    one = Worth(value, 0, shares_of(value, 0), exact=False)
    with override("ru"):
        assert in_words(registry.get("mangala"), one, ["A", "B"]) == f"Лучше стоит {'AB'[value < 0]}: перевес примерно {told}."


def test_a_best_line_shows_whose_its_moves_are() -> None:
    mangala = registry.get("mangala")
    start = mangala.start({}, 2)
    assert line_in_words(mangala, start, ("4", "1", "4", "2", "1")) == "4-1 4-2 1"


def test_rainbow_is_told_in_words(alice: Player, bob: Player) -> None:
    """Whoever has never typed a move knows no `offer V`; and what follows it is one of many ways that the game may go."""
    game = played_out(GameFactory.create(players=[alice, bob], ruleset="rainbow"), plies=2)
    analysis.ask(game=game.pk)
    analysed(game, seconds=0.05)
    found = selectors.analysis_page(game.pk)
    assert found is not None
    told = {one.text for one in found.plies}
    assert told & {"Pass", "Take it", "Refuse it", "Send the drop to your rainbow"} or any("drop" in one for one in told)
    assert not any(one.startswith(("offer ", "send", "pour ", "accept", "refuse", "pass")) for one in told)
    rainbow = registry.get("rainbow")
    assert line_in_words(rainbow, None, ("offer V", "refuse", "send")) == "Offer a violet drop"


def test_numbers_at_the_ends_of_lines_do_not_cover_each_other() -> None:
    svg = graph(["A", "B", "C"], [(500, 300, 200), (1000, 0, 0), (990, 10, 0)])
    ends = [float(y) for y in re.findall(r'<text x="[\d.]+" y="([\d.]+)" font-size="22"', svg)]
    assert len(ends) == 3
    assert all(below - above >= 20 for above, below in pairwise(sorted(ends)))


def test_truth_is_called_exact(over: Game) -> None:
    analysis.ask(game=over.pk)
    with find(99_990, 99_990, 0, 0, exact=True):
        analysed(over)
    shown = page(Client(), "analysis", over.pk)
    assert "This gave a win away" in shown
    assert "Exact: Bob wins." in shown


def test_queries_do_not_grow_with_the_game(alice: Player, bob: Player, django_assert_max_num_queries: Any) -> None:
    game = played_out(GameFactory.create(players=[alice, bob], ruleset="oware"), plies=20)
    analysis.ask(game=game.pk)
    with find(*[0] * 30):
        analysed(game)
    client = Client()
    for name in ("analysis", "trying"):
        with django_assert_max_num_queries(9):
            page(client, name, game.pk)
