"""Rainbow at the table: what pages and letters tell each of many, time that runs out, removing, two worlds, a whole game."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import timedelta
from difflib import unified_diff
from random import Random
from typing import Any
from uuid import uuid4

import pytest
import time_machine
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.models import Player
from games import selectors
from games.letters.table import GameLetters
from games.models import Game
from games.rules import registry
from games.rules.position import CHANCE
from games.rules.seed import BYTES, Seed
from games.selectors.log import read
from games.services import adjudicate, reflection
from notifications.sources import Waiting
from tests.factories import GameFactory, ModeratorFactory, PlayerFactory, RawGameFactory, play, players_of, right
from tests.games.holding import look
from tests.games.postbag import sent, text
from tests.games.scripted import scripted
from tests.games.visits import of, page, press
from tests.rules.drops import RAINBOW
from tests.rules.test_rainbow_seen import counterpart

pytestmark = pytest.mark.django_db

MOVES = 9
"""So many moves two worlds go on side by side; often they part earlier, where a hidden drop decides what is possible."""
FAR = 7_770_000
"""Numbers of games from here on occur in no page for another reason."""
NOON = "2026-12-01T12:00:00Z"


@dataclass
class Script:
    """What happens in one world: what chance brings, and what the seats do (None: time runs out)."""

    chance: list[str] = field(default_factory=list)
    moves: list[str | None] = field(default_factory=list)


@pytest.fixture
def brought(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Has chance bring what a script says, by the same seed."""

    def by(script: Script) -> None:
        outcomes = iter(script.chance)
        monkeypatch.setattr("games.services.chance.draw", lambda *_asked: next(outcomes))
        monkeypatch.setattr("games.services.chance.fresh", lambda: Seed(b"0" * BYTES))

    return by


def dealt(*hands: str, first: int = 0) -> Script:
    return Script([*"".join(hands), f"seat {first + 1}"])


def table(brought: Any, script: Script, names: str = "Alice Bob Charlie") -> tuple[Game, list[Player]]:
    brought(script)
    players = [PlayerFactory.create(display_name=name) for name in names.split()]
    game = GameFactory.create(players=players, ruleset="rainbow")
    return game, players_of(game)


HANDS = ("GGOYYCBV", "OOYYCCBV", "RRGGCBVV")
IN_WORDS = (
    "1 orange, 2 yellow, 2 green, 1 light blue, 1 blue, 1 violet",
    "2 orange, 2 yellow, 2 light blue, 1 blue, 1 violet",
    "2 red, 2 green, 1 light blue, 1 blue, 2 violet",
)


def test_N25_who_gives_and_who_gets_are_told_the_colour_and_nobody_else_is(brought: Any) -> None:
    game, (alice, bob, charlie) = table(brought, dealt(*HANDS))
    sent()
    play(game, "offer G")
    [letter] = sent()
    assert letter["To"] == bob.email
    said = text(letter)
    assert "Alice offers you a green drop." in said
    assert re.search(r"accept: Take it\nhttp://\S+move=accept\n\nrefuse: Refuse it\nhttp://\S+move=refuse", said)
    assert "You hold 8 drops: 2 orange, 2 yellow, 2 light blue, 1 blue, 1 violet." in " ".join(said.split())
    assert "You offer Bob a green drop." in page(of(alice), "game", game.pk)
    for other in (of(charlie), Client()):
        html = page(other, "game", game.pk)
        assert "Alice offers Bob a drop." in html
        assert "offer G" not in html
        assert "green drop" not in html


def test_N25_each_page_shows_the_hand_of_whoever_asks_for_it_in_turn(brought: Any) -> None:
    game, players = table(brought, dealt(*HANDS))
    play(game, "offer G")
    visitors = [(None, Client()), *enumerate(of(player) for player in players)]
    for number, (seat, client) in enumerate(2 * visitors + visitors[::-1]):
        shown = page(client, "game", game.pk)
        assert [hand in shown for hand in IN_WORDS] == [seat == owner for owner in range(3)], number
        assert ("a green drop" in shown) == (seat in (0, 1)), number


def test_what_happened_since_my_last_turn_is_told_in_words(brought: Any) -> None:
    script = dealt(*HANDS)
    script.chance += ["V"]
    game, (alice, bob, _charlie) = table(brought, script)
    play(game, "offer G")
    play(game, "refuse")
    play(game, "pass")
    html = page(of(alice), "game", game.pk)
    since = html.partition("Since your last turn</h2>")[2].partition("</section>")[0]
    assert re.findall(r"<li>(.*?)</li>", since) == [
        "You offer Bob a green drop.",
        "Bob refuses your green drop. You draw a violet drop from the rain.",
        "Bob passes.",
    ]
    theirs = page(of(bob), "game", game.pk)
    assert "Alice draws a drop from the rain." in theirs
    assert "violet drop" not in theirs


def test_a_drop_that_spilled_is_told_in_the_next_letter(brought: Any) -> None:
    script = dealt(*HANDS)
    script.chance += ["V", "V"]
    game, (_alice, bob, charlie) = table(brought, script)
    play(game, "pass")
    for move in ("offer Y", "accept", "offer R", "refuse", "offer C"):
        play(game, move)
    game.refresh_from_db()
    assert game.position is not None
    sent()
    html = page(of(charlie), "game", game.pk)
    assert "Seat" not in html.partition("The board in words")[2].partition("</p>")[0], "seats are called by names"
    assert bob.name in html


@pytest.mark.parametrize("public", [True, False])
def test_N25_a_letter_whose_turn_was_played_tells_no_colour(brought: Any, public: bool) -> None:
    game, _players = table(brought, dealt(*HANDS))
    Game.objects.filter(pk=game.pk).update(public=public)
    for move, told in (("offer G", "Alice offers Bob a drop."), ("accept", "Bob takes the drop of Alice.")):
        token = right(game)
        play(game, move)
        said = look(token)
        assert "You played" in said
        assert "links do nothing any more" in said
        assert (told in said) == public
        assert "green" not in said
        assert "offer G" not in said


def late(game: Game) -> None:
    """The time of the seat to move runs out."""
    game.refresh_from_db()
    assert game.deadline is not None
    assert reflection.run_out(game_id=game.pk, now=game.deadline + timedelta(seconds=1))
    game.refresh_from_db()


def test_D8_time_that_runs_out_passes_or_refuses_and_is_told(brought: Any) -> None:
    script = dealt(*HANDS)
    script.chance += ["V"]
    game, (alice, _bob, charlie) = table(brought, script)
    play(game, "offer G")
    late(game)
    assert (game.ended_at, game.to_move) == (None, 1), "the answer was a turn of its own"
    late(game)
    assert (game.ended_at, game.to_move) == (None, 2)
    html = page(of(alice), "game", game.pk)
    assert "Bob: time ran out" in re.sub(r"<.*?>", "", html)
    assert "Bob refuses your green drop. You draw a violet drop from the rain." in html
    assert "Bob passes." in html
    assert "Bob refuses the drop of Alice. Alice draws a drop from the rain." in page(of(charlie), "game", game.pk)


def test_who_was_silent_three_times_is_removed_by_the_others(brought: Any) -> None:
    game, (alice, bob, charlie) = table(brought, dealt(*HANDS))
    for _round in range(3):
        play(game, "pass")
        late(game)
        play(game, "pass") if "send" not in RAINBOW.legal_moves(RAINBOW.load(game.position)) else play(game, "send")
        game.refresh_from_db()
    html = page(of(alice), "game", game.pk)
    assert "Propose to go on without Bob" in html
    assert "go on without" not in page(of(bob), "game", game.pk)
    press(of(alice), "propose", game, kind="remove 1")
    assert "Alice proposes to go on without Bob." in page(of(charlie), "game", game.pk)
    number = game.entries.get(kind="propose").number
    press(of(charlie), "answer", game, number=str(number), answer="agree")
    game.refresh_from_db()
    assert game.position is not None
    assert game.position["out"] == [1]
    html = page(of(charlie), "game", game.pk)
    assert "Bob has left the game." in html
    assert "Bob is removed from the game." in html


def test_N23_a_proposal_that_lapses_because_somebody_is_removed_is_told_to_have_lapsed(brought: Any) -> None:
    game, (alice, _bob, charlie) = table(brought, dealt(*HANDS))
    for _round in range(3):
        play(game, "pass")
        late(game)
        play(game, "pass") if "send" not in RAINBOW.legal_moves(RAINBOW.load(game.position)) else play(game, "send")
        game.refresh_from_db()
    press(of(charlie), "propose", game, kind="stop")
    press(of(alice), "propose", game, kind="remove 1")
    press(of(charlie), "answer", game, number=str(game.entries.filter(kind="propose").last().number), answer="agree")  # type: ignore[union-attr]
    html = page(of(charlie), "game", game.pk)
    assert "Bob is removed from the game." in html
    assert "The proposal by Charlie lapsed: to stop the game." in html
    assert "The proposal by Alice lapsed" not in html


def test_after_the_end_the_log_opens_and_all_hands_are_shown_step_by_step(brought: Any) -> None:
    game, (alice, bob, charlie) = table(brought, dealt(*HANDS))
    play(game, "offer G")
    play(game, "accept")
    for player in (alice, bob, charlie):
        client = of(player)
        if player is not charlie:
            press(client, "resign", game, sure="yes")
    game.refresh_from_db()
    assert game.termination == "resignation"
    html = page(of(charlie), "game", game.pk)
    assert "Alice offers Bob a green drop." in html
    assert "Alice is dealt: 1 orange, 2 yellow, 2 green, 1 light blue, 1 blue, 1 violet." in html
    offered = game.entries.get(kind="move", text="offer G")
    past = page(Client(), "step", game.pk, offered.number)
    assert "Bob: 2 orange, 2 yellow, 2 light blue, 1 blue, 1 violet; no rainbow yet." in past
    assert page(Client(), "record", game.pk)


def test_N25_a_game_that_goes_on_after_its_end_was_taken_back_is_hidden_again(brought: Any) -> None:
    game, (alice, _bob, _charlie) = table(brought, dealt(*HANDS))
    moderator = ModeratorFactory.create()
    ended = adjudicate.adjudicate(game=game.pk, by=moderator, verdict="win:1", reason="So.", head=game.head, key="a")
    seed = game.entries.get(kind="reveal").text
    assert "2 red" in page(of(alice), "game", game.pk)
    assert seed in page(of(alice), "luck", game.pk)
    adjudicate.take_back(game=game.pk, by=moderator, number=ended.head, reason="Not so.", key="b")
    for client in (of(alice), Client()):
        html = page(client, "luck", game.pk)
        assert html.count("secret until the game is over") == 2
        assert "What fell" not in html
        assert seed not in html
        assert "2 red" not in page(client, "game", game.pk)
        page(client, "record", game.pk, status=404)


def test_N25_whoever_reads_while_an_end_is_taken_back_reads_no_move_that_came_after_it(brought: Any) -> None:
    game, _players = table(brought, dealt(*HANDS))
    moderator = ModeratorFactory.create()
    ended = adjudicate.adjudicate(game=game.pk, by=moderator, verdict="draw", reason="So.", head=game.head, key="a")
    row = Game.objects.get(pk=game.pk)
    assert "offer G" not in [turn.text for turn in read(RAINBOW, row, ["A", "B", "C"]).turns]
    adjudicate.take_back(game=game.pk, by=moderator, number=ended.head, reason="Not so.", key="b")
    play(game, "offer G")
    assert [turn.text for turn in read(RAINBOW, row, ["A", "B", "C"]).turns][-1] == "offer"
    Game.objects.filter(pk=game.pk).update(head=row.head, ended_at=row.ended_at, deadline=None, to_move=None, warn_at=None)
    assert selectors.record_of(game.pk, None) is None
    assert [*selectors.records_of(moderator), *selectors.records_of(players_of(row)[2])] == []


# -- two worlds ----------------------------------------------------------------------------------------------------------


def worlds(seed: int, seats: int, seat: int | None, length: int) -> tuple[Script, Script]:
    """Two courses of a game that differ in what the seat may not know."""
    random = Random(seed)
    here = RAINBOW.start({}, seats)
    while RAINBOW.to_move(here) == CHANCE:
        outcomes, weights = zip(*RAINBOW.chance(here), strict=True)
        here = RAINBOW.play(here, random.choices(outcomes, weights)[0])
    there = RAINBOW.imagine(RAINBOW.view(here, seat), random)
    scripts = tuple(dealt(*world.hands, first=world.mover or 0) for world in (here, there))
    while len(scripts[0].moves) < length:
        chance = RAINBOW.to_move(here) == CHANCE
        moves = [one for one, _weight in RAINBOW.chance(here)] if chance else list(RAINBOW.legal_moves(here))
        random.shuffle(moves)
        pairs = ((move, counterpart(move, here, there, seat, random)) for move in moves)
        move, other = next((pair for pair in pairs if pair[1] is not False), (None, None))
        if move is None or other is None:
            break
        for script, done in zip(scripts, (move, other), strict=True):
            (script.chance if chance else script.moves).append(done)
        here, there = RAINBOW.play(here, move), RAINBOW.play(there, other)
    return scripts[0], scripts[1]


def everything(game: Game, reader: Player, seat: int | None) -> Iterator[str]:
    """All pages of the running game for one reader, and the letter where one is due."""
    client = of(reader) if seat is not None else Client()
    yield page(client, "game", game.pk)
    for number in range(game.seats, game.head + 1):
        response = client.get(f"/games/{game.pk}/{number}/")
        yield f"{response.status_code} {response.content.decode() if response.status_code == 200 else ''}"
    yield page(client, "record", game.pk, status=404)
    yield page(client, "luck", game.pk)
    if seat is not None:
        yield line(page(client, "mine"), game)
        about = {"game": game.pk, "seat": seat}
        rendered = GameLetters().render(Waiting("key", "turn", about, reader, timezone.now()))
        yield rendered.subject + rendered.text + rendered.html + repr(rendered.pictures)
    else:
        yield line(page(client, "watch"), game)


def line(html: str, game: Game) -> str:
    """What a list says of one game."""
    return "".join(one for one in re.findall(r"<li>.*?</li>", html, re.DOTALL) if f"/games/{game.pk}/" in one)


def plain(said: str, game: Game) -> str:
    """Without what differs from one game to the next whatever happens in it."""
    said = re.sub(r'nonce="[^"]*"|name="csrfmiddlewaretoken" value="[^"]*"|[0-9a-f]{32,}', "", said)
    return said.replace(str(game.pk), "N")


@pytest.mark.parametrize(("seed", "seat"), [(1, 0), (2, 1), (3, 2), (4, None)])
def test_N25_pages_letters_and_pictures_are_the_same_in_two_worlds(brought: Any, seed: int, seat: int | None) -> None:
    players = PlayerFactory.create_batch(3)
    RawGameFactory.create(pk=FAR, ruleset="rainbow")
    attempts = (worlds(seed + 10 * attempt, 3, seat, MOVES) for attempt in range(400))
    scripts = next(pair for pair in attempts if len(pair[0].moves) == MOVES and pair[0] != pair[1])
    seen = []
    for script in scripts:
        with time_machine.travel(NOON, tick=False):
            brought(script)
            game = GameFactory.create(
                players=players,
                ruleset="rainbow",
            )
            told = [*everything(game, players[seat or 0], seat)]
            for move in script.moves:
                assert move is not None
                play(game, move)
                game.refresh_from_db()
            told += everything(game, players[seat or 0], seat)
            seen.append([plain(one, game) for one in told])
    for one, other in zip(*seen, strict=True):
        assert one == other, "\n".join(unified_diff(one.splitlines(), other.splitlines(), n=0))


# -- a whole game --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seats", [5, pytest.param(20, marks=[pytest.mark.soak, pytest.mark.timeout(1200)])])
def test_a_game_is_played_to_its_end_through_the_pages(seats: int) -> None:
    random = Random(1)
    players = PlayerFactory.create_batch(seats)
    game = GameFactory.create(players=players, ruleset="rainbow")
    clients = [of(player) for player in players_of(game)]
    while game.ended_at is None:
        assert game.to_move is not None
        form = {"key": uuid4().hex, "position": game.position_number, "move": scripted(game, random)}
        assert clients[game.to_move].post(reverse("games:move", args=[game.pk]), form).status_code == 302
        game.refresh_from_db()
        assert game.head < 3000
    assert game.termination == "rainbow_complete"
    assert "won (a rainbow is complete)" in page(Client(), "game", game.pk)
    assert registry.get("rainbow").outcome(RAINBOW.load(game.position)) is not None
