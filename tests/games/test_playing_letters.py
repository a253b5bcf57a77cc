"""Letters that one can play from: the board, a link for each move, the record of what is over; in any program and language."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from email.message import EmailMessage
from html import unescape
from html.parser import HTMLParser
from io import BytesIO

import pytest
import time_machine
from django.test import Client
from django.utils import timezone
from PIL import Image

from accounts.models import Player
from games import selectors
from games.models import Game, LogEntry, Right
from games.rules import registry
from games.rules.ruleset import AnyRuleset
from games.services import moves
from tests.factories import GameFactory, MessageFactory, PlayerFactory, play
from tests.games.postbag import sent, text
from tests.toy import Toy, ToyPosition

pytestmark = pytest.mark.django_db

LINK = re.compile(r"http://localhost:8000(/rights/([0-9a-f]{32})/(?:\?at=(\d+)&move=(\S+))?)")


def links(letter: EmailMessage) -> dict[str, str]:
    """The paths in the plain part by the moves that they offer."""
    return {found[4]: found[1] for found in LINK.finditer(text(letter))}


def links_in_html(letter: EmailMessage) -> dict[str, str]:
    """The words of the links of the HTML by their paths, for what a right allows."""
    found = re.findall(r'<a [^>]*href="([^"]+)"[^>]*>(.*?)</a>', text(letter, "html"), re.DOTALL)
    words = {unescape(address): " ".join(re.sub(r"<[^>]+>", " ", unescape(shown)).split()) for address, shown in found}
    return {match[1]: shown for address, shown in words.items() if (match := LINK.fullmatch(address))}


def press(path: str) -> None:
    """A person opens a link of a letter and presses its button, without a session."""
    client = Client(enforce_csrf_checks=True)
    page = client.get(path).content.decode()
    assert "Set-Cookie" not in page
    hidden = dict(re.findall(r'<input type="hidden" name="(key|position|move)" value="([^"]*)">', page))
    assert client.post(path.partition("?")[0], hidden, follow=True).status_code == 200


def pictures(letter: EmailMessage) -> dict[str, Image.Image]:
    """The pictures that a letter brings, by content id."""
    images = [part for part in letter.walk() if part.get_content_type() == "image/png"]
    return {str(part["Content-ID"]).strip("<>"): Image.open(BytesIO(part.get_content())) for part in images}


# -- the moves -----------------------------------------------------------------------------------------------------------


def test_each_legal_move_has_one_link_with_its_effect_in_both_parts(alice: Player, bob: Player) -> None:
    game = GameFactory.create(players=[alice, bob])
    [letter] = sent()
    assert list(links(letter)) == ["1", "2", "3", "4", "5", "6"]
    plain, html = " ".join(text(letter).split()), links_in_html(letter)
    effect = "4: last stone in your store, you move again"
    assert f" {effect} http://localhost:8000{links(letter)['4']}" in plain
    assert html[links(letter)["4"]] == effect
    assert list(html) == list(links(letter).values())
    assert all(f"at={game.position_number}" in path for path in html)


def test_L1_a_game_is_played_from_letters_alone_and_looking_changes_nothing(alice: Player, bob: Player) -> None:
    game = GameFactory.create(players=[alice, bob])
    [letter] = sent()
    for path in links(letter).values():
        Client().get(path)
        Client().head(path)
    assert not LogEntry.objects.filter(game=game, kind="move").exists()
    press(links(letter)["4"])
    press(links(letter)["4"].partition("?")[0] + f"?at={Game.objects.get().position_number}&move=6")
    [answer] = sent()
    assert answer["To"] == bob.email
    assert "Alice played 4-6." in text(answer)
    press(links(answer)["2"])
    assert list(LogEntry.objects.filter(game=game, kind="move").values_list("text", "via")) == [
        *(("4", "link"), ("6", "link")),
        ("2", "link"),
    ]


def test_the_links_of_a_letter_are_one_right_for_its_reader_and_this_turn(alice: Player, bob: Player) -> None:
    game = GameFactory.create(players=[alice, bob], plies="1")
    [letter] = sent()
    [right] = Right.objects.all()
    assert (right.game, right.seat, right.player, right.turn_number) == (game, 1, bob, game.turn_number)
    [token] = {found[2] for found in LINK.finditer(text(letter) + unescape(text(letter, "html")))}
    assert Right.objects.with_token(token).get() == right


class Generous(Toy):
    """The toy with as many offers as one likes; a ruleset of its own, for what may be chosen in a position is remembered by its
    ruleset: under the toy's name it would be found by whoever is dealt the same cards."""

    facts = replace(Toy.facts, name="generous")

    def __init__(self, offers: int) -> None:
        self.offers = offers

    def legal_moves(self, position: ToyPosition) -> Iterator[str]:
        yield from ("pass", *(f"offer {worth}" for worth in range(1, self.offers + 1)))


@pytest.fixture
def generous(request: pytest.FixtureRequest) -> Iterator[Generous]:
    """With the offers that the test asks for, registered while it runs."""
    ruleset = Generous(request.param)
    registry.register(ruleset)
    yield ruleset
    registry.unregister(ruleset.facts.name)


@pytest.mark.parametrize(("generous", "many"), [(11, False), (12, True)], indirect=["generous"])
def test_with_more_than_a_dozen_moves_it_links_to_the_board_under_the_same_right(generous: Generous, many: bool) -> None:
    game = GameFactory.create(players=PlayerFactory.create_batch(2), ruleset=generous.facts.name)
    [letter] = sent()
    [token] = {found[2] for found in LINK.finditer(text(letter))}
    expected = [f"/rights/{token}/"] if many else [f"/rights/{token}/?at={game.position_number}&move=pass"]
    assert list(links_in_html(letter))[:1] == expected
    assert len(links_in_html(letter)) == len(LINK.findall(text(letter))) == (1 if many else 12)
    assert Right.objects.count() == 1
    assert Client().get(f"/rights/{token}/").status_code == 200


def test_what_a_move_does_is_not_told_where_things_are_hidden(toy: AnyRuleset) -> None:
    GameFactory.create(players=PlayerFactory.create_batch(2), ruleset="toy")
    [letter] = sent()
    assert set(links_in_html(letter).values()) <= {"pass", *(f"offer {worth}" for worth in range(1, 7))}


# -- the board, in words, in characters and as a picture -----------------------------------------------------------------


def test_the_board_is_a_picture_with_its_description_and_a_diagram_in_the_plain_part(alice: Player, bob: Player) -> None:
    game = GameFactory.create(players=[alice, bob], plies="4-6")
    [letter] = sent()
    page = selectors.game_page(game.pk, bob)
    assert page is not None
    assert page.diagram in text(letter)
    [(name, picture)] = pictures(letter).items()
    assert picture.size == (656, 308)
    [(source, alt)] = re.findall(r'<img [^>]*src="cid:([^"]+)" alt="([^"]+)"', text(letter, "html"))
    assert (source, unescape(alt)) == (name, page.description)
    assert page.diagram not in text(letter, "html")


def test_each_sees_the_board_from_his_own_side_in_his_own_language(alice: Player, bob: Player) -> None:
    for player, language in ((alice, "ru"), (bob, "tr")):
        Player.objects.filter(pk=player.pk).update(language=language)
    game = GameFactory.create(players=[alice, bob])
    [russian] = sent()
    play(game, "1")
    [turkish] = sent()
    for letter, language, told, choose in (
        (russian, "ru", "ближняя сторона — Юг", "Выберите ход"),
        (turkish, "tr", "Kuzey", "Hamlenizi seçin"),
    ):
        assert f'<html lang="{language}">' in text(letter, "html")
        for kind in ("plain", "html"):
            assert told in text(letter, kind), text(letter)
            assert choose in text(letter, kind)
    assert set(pictures(russian)) != set(pictures(turkish))


# -- any program -----------------------------------------------------------------------------------------------------------


def long_letter(alice: Player, bob: Player, language: str) -> EmailMessage:
    """That of a turn after much was played and said."""
    Player.objects.filter(pk=bob.pk).update(language=language, time_zone="America/New_York")
    game = GameFactory.create(players=[alice, bob], plies="4-6 1 2 2 3", reflection=timedelta(days=14))
    play(game, "3-1")
    for text_said in ("длинное слово " * 60, "x" * 900):
        MessageFactory.create(game=game, seat=0, text=text_said)
    [letter] = [one for one in sent() if one["To"] == bob.email]
    return letter


@pytest.mark.parametrize("language", ["en", "ru", "tr"])
def test_a_letter_is_small_narrow_and_whole(alice: Player, bob: Player, language: str) -> None:
    letter = long_letter(alice, bob, language)
    assert len(letter.as_bytes()) < 60_000
    lines = [line for line in text(letter).splitlines() if not line.lstrip().startswith("http")]
    assert [line for line in lines if len(line) > 72] == []
    page = selectors.game_page(Game.objects.get().pk, bob)
    assert page is not None
    assert max(map(len, page.diagram.splitlines())) <= 40
    assert "\n\n\n" not in text(letter)
    parts = [part.get_content_type() for part in letter.walk()]
    assert parts == ["multipart/alternative", "text/plain", "multipart/related", "text/html", "image/png"]


class Outline(HTMLParser):
    """What a screen reader hears of a page's shape."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.seen: list[tuple[str, dict[str, str | None]]] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append((tag, dict(attrs)))

    def of(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.seen if name == tag]


def test_a_screen_reader_finds_a_title_a_language_one_heading_and_no_tables(alice: Player, bob: Player) -> None:
    GameFactory.create(players=[alice, bob])
    [letter] = sent()
    outline = Outline(text(letter, "html"))
    assert [one["lang"] for one in outline.of("html")] == ["en"]
    assert "<title>Mangala</title>" in text(letter, "html")
    assert len(outline.of("h1")) == 1
    assert {one.get("role") for one in outline.of("table")} == {"presentation"}
    assert all(one.get("alt") for one in outline.of("img"))
    assert len(outline.of("li")) == 6


def test_its_looks_are_in_its_elements_and_those_for_the_dark_in_a_sheet(alice: Player, bob: Player) -> None:
    GameFactory.create(players=[alice, bob])
    [letter] = sent()
    html = text(letter, "html")
    outline = Outline(html)
    assert {"name": "color-scheme", "content": "light dark"} in outline.of("meta")
    [sheet] = re.findall(r"<style>(.*?)</style>", html, re.DOTALL)
    assert sheet.split("{")[0].strip() == "@media (prefers-color-scheme: dark)"
    bare = {
        tag
        for tag, attributes in outline.seen
        if tag in ("body", "h1", "h2", "p", "a", "li", "img", "td") and not attributes.get("style")
    }
    assert not bare
    links = [one["style"] or "" for one in outline.of("a") if "/rights/" in (one["href"] or "")]
    assert all("display: block" in looks and "padding: 11px" in looks for looks in links), "too small for a finger"


# -- the end ---------------------------------------------------------------------------------------------------------------


def test_the_end_is_told_with_the_last_board_the_result_and_the_record(alice: Player, bob: Player) -> None:
    game = GameFactory.create(players=[alice, bob], plies="4-6 1")
    sent()
    moves.resign(game=game.pk, seat=0, via="web", key="r")
    for letter in sent():
        for kind in ("plain", "html"):
            assert "Bob won (resignation)." in text(letter, kind)
            assert f"http://localhost:8000/games/{game.pk}/" in text(letter, kind)
            assert f"The record of the game is attached as game-{game.pk}.game." in text(letter, kind)
        assert not links_in_html(letter)
        [board] = pictures(letter)
        assert f'src="cid:{board}"' in text(letter, "html")
        [record] = letter.iter_attachments()
        assert record.get_filename() == f"game-{game.pk}.game"
        assert record.get_content().strip() == (selectors.record_of(game.pk, alice) or "").strip()
        assert "resign" in record.get_content()


def test_N25_the_record_of_a_hidden_game_comes_with_its_end_and_not_before(toy: AnyRuleset) -> None:
    players = PlayerFactory.create_batch(2)
    game = GameFactory.create(players=players, ruleset="toy", options={"rounds": 1})
    [turn] = sent()
    assert not list(turn.iter_attachments())
    play(game, "pass")
    play(game, "pass")
    told = sent()
    assert {letter["To"] for letter in told} == {player.email for player in players}
    assert all(len(list(letter.iter_attachments())) == 1 for letter in told)


def test_R12_a_letter_says_how_things_stand_when_it_goes_out(alice: Player, bob: Player) -> None:
    GameFactory.create(players=[alice, bob], plies="1", reflection=timedelta(days=3))
    with time_machine.travel(timezone.now() + timedelta(days=1), tick=False):
        [letter] = sent()
    assert "That is in 2 days." in text(letter)
