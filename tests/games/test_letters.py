"""Letters of games: to whom, when, and what they say."""

from __future__ import annotations

import re
from datetime import timedelta
from email import message_from_bytes, policy
from email.message import EmailMessage
from html.parser import HTMLParser

import pytest
import time_machine
from django.core import mail
from django.utils import timezone
from hypothesis import example, given
from hypothesis import strategies as st
from pytest_django import DjangoAssertNumQueries

from accounts.models import Player
from games.letters.table import LINES, GameLetters
from games.models import Game
from games.rules.ruleset import AnyRuleset
from games.services import moves, proposals, reflection
from games.services.log import opened
from notifications import delivery
from notifications.models import Letter
from notifications.sources import Waiting
from tests.factories import GameFactory, LetterFactory, PlayerFactory, play

pytestmark = pytest.mark.django_db


def sent() -> list[EmailMessage]:
    """The letters that went out just now."""
    mail.outbox.clear()
    delivery.deliver_waiting()
    return [message_from_bytes(one.message().as_bytes(), policy=policy.default) for one in mail.outbox]


def text(message: EmailMessage, kind: str = "plain") -> str:
    body = message.get_body((kind,))
    assert body is not None
    return str(body.get_content())


def wanted(kind: str, recipient: Player, **about: int) -> bool:
    return GameLetters().still_wanted(Waiting("key", kind, about, recipient, timezone.now()))


# -- to whom, and when ---------------------------------------------------------------------------------------------------


def test_N17_after_a_stalled_queue_only_the_letter_of_the_present_turn_goes_out(alice: Player, bob: Player) -> None:
    GameFactory.create(players=[alice, bob], plies="1 1 2 2 3")
    [letter] = sent()
    assert letter["To"] == bob.email
    assert sorted(Letter.objects.values_list("state", flat=True)) == ["dropped"] * 5 + ["sent"]


def test_N22_an_extra_ply_makes_no_letter_and_voids_the_one_for_its_turn(alice: Player, bob: Player) -> None:
    GameFactory.create(players=[alice, bob], plies="4")
    assert sent() == []


def test_a_letter_is_for_who_sits_there_now(alice: Player, bob: Player, charlie: Player) -> None:
    game = GameFactory.create(players=[alice, bob])
    about = {"game": game.pk, "position_number": game.turn_number, "seat": 0}
    assert wanted("turn", alice, **about)
    assert not wanted("turn", charlie, **about)
    assert not wanted("turn", bob, **{**about, "seat": 1})
    assert not wanted("turn", alice, **{**about, "game": 0})


def test_somebody_else_leaving_the_table_does_not_void_a_turn(toy: AnyRuleset) -> None:
    players = PlayerFactory.create_batch(4)
    game = GameFactory.create(players=players, ruleset="toy")
    moves.resign(game=game.pk, seat=2, via="web", key="r")
    [letter] = [one for one in sent() if one["To"] == players[0].email]
    assert f"{players[2]}: resigned." in text(letter)


def test_D1_both_are_told_of_a_game_that_was_called_off(alice: Player, bob: Player) -> None:
    game = GameFactory.create(players=[alice, bob])
    assert game.deadline is not None
    assert reflection.run_out(game_id=game.pk, now=game.deadline)
    told = sent()
    assert {letter["To"] for letter in told} == {alice.email, bob.email}
    assert all("No result (called off)." in text(letter) for letter in told)
    assert all("Alice: time ran out." in text(letter) for letter in told if letter["To"] == bob.email)


def test_D2_both_are_told_the_end_once(alice: Player, bob: Player) -> None:
    game = GameFactory.create(players=[alice, bob], plies="1 1")
    sent()
    moves.resign(game=game.pk, seat=0, via="web", key="r")
    told = sent()
    assert {letter["To"] for letter in told} == {alice.email, bob.email}
    assert all("Bob won (resignation)." in text(letter) for letter in told)
    assert sent() == []


def test_an_end_is_told_while_it_stands(alice: Player, bob: Player) -> None:
    game = GameFactory.create(players=[alice, bob], plies="1 1")
    assert not wanted("over", alice, game=game.pk, number=game.head)
    moves.resign(game=game.pk, seat=0, via="web", key="r")
    game.refresh_from_db()
    assert wanted("over", alice, game=game.pk, number=game.head)
    with time_machine.travel(timezone.now() + timedelta(hours=1)):
        assert not wanted("over", alice, game=game.pk, number=game.head - 1)


# -- what they say -------------------------------------------------------------------------------------------------------


def test_it_tells_what_was_played_shows_the_board_and_links_to_the_game(alice: Player, bob: Player) -> None:
    game = GameFactory.create(players=[alice, bob], plies="4-6")
    [letter] = sent()
    for kind in ("plain", "html"):
        said = " ".join(text(letter, kind).split())
        for words in (
            "Bob, it is your turn.",
            "Alice played 4-6.",
            "South moves again.",
            "Your pits 1 to 6 hold 5, 5, 5, 4, 4 and 4.",
            f"http://localhost:8000/games/{game.pk}/",
        ):
            assert words in said
    assert "S  2  |                         |  N  0" in text(letter).splitlines()


@pytest.mark.parametrize(
    ("zone", "there"),
    [("Europe/Istanbul", "4 December 2026, 01:30 (+03)"), ("No/Where", "3 December 2026, 22:30 (UTC)")],
)
def test_the_deadline_is_in_the_readers_zone_and_utc(alice: Player, bob: Player, zone: str, there: str) -> None:
    bob.time_zone = zone
    bob.save()
    with time_machine.travel("2026-12-01T22:30:00Z", tick=False):
        GameFactory.create(players=[alice, bob], plies="1", reflection=timedelta(days=2))
        [letter] = sent()
    for kind in ("plain", "html"):
        said = re.sub(r"</?(strong|span|br)[^>]*>", "", text(letter, kind))
        utc = "" if "UTC" in there else "\n2026-12-03 22:30 UTC"
        assert f"Your time ends: {there}{utc}" in said
        assert "That is in 2 days." in said


def test_it_tells_of_no_more_than_happened_since_the_readers_last_turn(alice: Player, bob: Player) -> None:
    game = GameFactory.create(players=[alice, bob], plies="1 1 2 2")
    proposals.propose(game=game.pk, seat=1, kind="draw", via="web", key="p")
    [said] = [text(letter) for letter in sent() if "Alice, it is your turn." in text(letter)]
    assert "Bob played 2." in said
    assert "Bob: proposed a draw." in said
    assert "Bob played 1." not in said
    assert "Alice played" not in said


def test_a_log_that_is_full_does_not_fill_the_letter(alice: Player, bob: Player) -> None:
    game = GameFactory.create(players=[alice, bob], plies="1 1")
    # No seat may propose so often in one turn; at a table of twenty as much may happen.
    with opened(game.pk) as log:
        for _ in range(30):
            log.append("propose", seat=1, text="draw", via="web")
            log.append("withdraw", seat=1, text=str(log.standing.number), via="web")
    [letter] = sent()
    assert text(letter).count("Bob: ") == LINES
    assert "21 earlier lines are on the page of the game." in text(letter)
    assert len(letter.as_bytes()) < 100_000


def test_all_letters_of_a_game_are_one_thread(alice: Player, bob: Player) -> None:
    game = GameFactory.create(players=[alice, bob])
    [first] = sent()
    play(game, "1")
    play(game, "1")
    [second] = sent()
    assert first["Subject"] == second["Subject"] == f"Mangala no. {game.pk} against Bob"
    assert first["References"] == second["References"] == second["In-Reply-To"]
    assert first["List-Id"] == second["List-Id"] == f"<game-{game.pk}.localhost>"
    assert first["Message-ID"] != second["Message-ID"]
    assert second["Auto-Submitted"] == "auto-generated"


def test_each_reads_in_his_language(alice: Player, bob: Player) -> None:
    for player, language in ((alice, "ru"), (bob, "tr")):
        player.language = language
        player.save()
    game = GameFactory.create(players=[alice, bob])
    [russian] = sent()
    play(game, "1")
    [turkish] = sent()
    assert "ваш ход" in text(russian)
    assert '<html lang="ru">' in text(russian, "html")
    assert "sıra sizde" in text(turkish)


def test_the_html_asks_for_nothing_from_elsewhere(alice: Player, bob: Player) -> None:
    game = GameFactory.create(players=[alice, bob], plies="4-6")
    [letter] = sent()
    html = text(letter, "html")
    assert not {"link", "script", "iframe", "form"} & set(tags(html))
    assert not re.search(r"@import|@font-face|url\(", html)
    assert re.findall(r'src="([^"]+)"', html) == [f"cid:board-{game.pk}-{game.position_number}-1@localhost"]
    assert html.count("http") == html.count('href="http://localhost:8000/')


@pytest.mark.parametrize("plies", ["", "1 1 2 2 3 3"])
def test_the_queries_of_a_letter_do_not_grow_with_the_game(
    alice: Player, bob: Player, plies: str, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    game = GameFactory.create(players=[alice, bob], plies=plies)
    with django_assert_max_num_queries(7):
        assert letter_about(game, alice)


# -- hidden things -------------------------------------------------------------------------------------------------------


def test_N25_a_letter_of_a_hidden_game_tells_who_moved_and_not_what(toy: AnyRuleset) -> None:
    players = PlayerFactory.create_batch(4)
    game = GameFactory.create(players=players, ruleset="toy")
    sent()
    assert game.position is not None
    play(game, f"offer {game.position['hands'][0][0]}")
    play(game, "refuse")
    [letter] = sent()
    assert letter["To"] == players[1].email
    assert letter["Subject"] == f"Toy quartet no. {game.pk}"
    play(game, "pass")
    [letter] = sent()
    assert letter["To"] == players[2].email
    said = text(letter)
    assert [line for line in said.splitlines() if line.endswith(": a move.")] == [
        f"{players[0]}: a move.",
        f"{players[1]}: a move.",
        f"{players[1]}: a move.",
    ]
    assert "offer" not in said.partition("Choose your move")[0]
    assert f"Your cards: {', '.join(map(str, game.position['hands'][2]))}." in said


def test_N25_what_others_hold_makes_no_difference_to_a_letter(toy: AnyRuleset, monkeypatch: pytest.MonkeyPatch) -> None:
    players = PlayerFactory.create_batch(3)
    told = []
    for dealt in ("1122331", "1622564", "1522445"):
        cards = iter(dealt)
        monkeypatch.setattr("games.services.chance.draw", lambda *_asked, cards=cards: next(cards))
        with time_machine.travel("2026-12-01T12:00:00Z", tick=False):
            game = GameFactory.create(players=players, ruleset="toy")
            play(game, f"offer {dealt[0]}")
            play(game, "refuse")
            letter = letter_about(game, players[1])
        told.append(re.sub(rf"/games/{game.pk}/|no\. {game.pk}|board-{game.pk}-|/rights/[0-9a-f]+", "", letter[0] + letter[1]))
    assert told[0] == told[1] == told[2]


# -- hostile names -------------------------------------------------------------------------------------------------------


def letter_about(game: Game, reader: Player) -> tuple[str, str]:
    about = {"game": game.pk, "seat": game.seat_set.get(player=reader).number}
    rendered = GameLetters().render(Waiting("key", "turn", about, reader, timezone.now()))
    return rendered.text, rendered.html


class Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append(f"{tag} {[name for name, _ in attrs]}" if attrs and tag != "html" else tag)


def tags(html: str) -> list[str]:
    parser = Tags()
    parser.feed(html)
    return [one.split()[0] for one in parser.found]


names = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00"), min_size=1, max_size=40)


@given(names)
@example("a\r\nBcc: all@example.org")
@example("\n\nYour turn: http://evil.example\n")
@example("<script>alert(1)</script>")
@example("</title><img src=x onerror=alert(1)>")
@example("{{ 7|add:7 }}{% load i18n %}")
@example('"Quoted", <bob@example.org>, x')
@example("\u202elana\u2066\u2028\u2029\x85")
@example("%(who)s %s %")
@example("Ömer Ёжиков İı")
def test_S5_a_hostile_name_is_inert_and_the_letter_goes_out(name: str) -> None:
    rogue, bob = PlayerFactory.create(), PlayerFactory.create()
    game = GameFactory.create(players=[rogue, bob], plies="4-6")
    plain, html = letter_about(game, bob)
    Player.objects.filter(pk=rogue.pk).update(display_name=name)
    hostile_plain, hostile_html = letter_about(game, bob)
    assert len(hostile_plain.splitlines()) == len(plain.splitlines())
    assert tags(hostile_html) == tags(html)
    assert not set("\u202e\u2066\u2028\u2029") & set(hostile_plain + hostile_html)
    Letter.objects.all().delete()
    key = LetterFactory.create(
        source="games", kind="turn", recipient=bob, about={"game": game.pk, "position_number": game.turn_number, "seat": 1}
    ).key
    mail.outbox.clear()
    assert delivery.deliver(key)
    [letter] = [message_from_bytes(one.message().as_bytes(), policy=policy.default) for one in mail.outbox]
    assert letter["To"] == bob.email
    assert letter["Bcc"] is None
    assert letter["Subject"].strip().startswith(f"Mangala no. {game.pk} against")
