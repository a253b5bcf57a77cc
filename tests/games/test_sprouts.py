"""Sprouts at the table: a move step by step, unclear moves as pictures, what the log keeps of a line, and the end."""

from __future__ import annotations

import re
from io import StringIO
from pathlib import Path
from urllib.parse import unquote

import pytest
from django.core.management import call_command
from django.test import Client

from accounts.models import Player
from games.models import Game, LogEntry
from games.rules import registry
from games.rules.catalogue.sprouts import laying
from games.services.check import differences as differences_of_all
from tests.factories import GameFactory, right
from tests.games.postbag import sent, text
from tests.games.visits import of, page, press
from tests.rules.references import REFERENCE

pytestmark = pytest.mark.django_db

SPROUTS = registry.get("sprouts")


def a_game(*players: Player, n: int = 3, misere: bool = False, plies: str = "") -> Game:
    return GameFactory.create(ruleset="sprouts", options={"n": n, "misere": misere}, players=list(players), plies=plies)


def offered(shown: str) -> list[str]:
    listed = shown.partition('<div class="groups"')[2].partition("</div>")[0]
    return [unquote(move) for move in re.findall(r'\?move=([^"]+)"', listed)]


def test_a_line_is_put_together_step_by_step(alice: Player, bob: Player) -> None:
    client, game = of(alice), a_game(alice, bob, n=8)
    assert offered(page(client, "game", game.pk)) == [str(spot) for spot in range(1, 9)]
    assert offered(page(client, "game", game.pk, move="3")) == [f"3-{spot}" for spot in range(1, 9)]
    assert "Play 3(9)5?" in page(client, "game", game.pk, move="3-5")


def test_a_few_ways_to_part_spots_are_shown_as_pictures(alice: Player, bob: Player) -> None:
    client, game = of(alice), a_game(alice, bob, n=8, plies="1(9)2 1(10)1[3,4] 3(11)10 5(12)6 2(13)2 3(14)4")
    assert page(client, "game", game.pk, move="7-7").count('<span class="drawn"') == 4
    assert '<span class="drawn"' not in page(client, "game", game.pk, move="7")


def ticked(shown: str) -> dict[str, bool]:
    boxes = re.findall(r'name="side" value="(\d+)"( checked)? data-place="([\d ]+)"', shown)
    return {places: bool(checked) for _, checked, places in boxes}


def test_what_a_loop_parts_is_ticked_and_seen_before_it_is_played(alice: Player, bob: Player) -> None:
    client, game = of(alice), a_game(alice, bob, n=9)
    shown = page(client, "game", game.pk, move="3-3")
    assert "Play 3(10)3?" in shown
    assert "Which spots does the line part from the others?" in shown
    assert ticked(shown) == {str(spot): False for spot in range(1, 10) if spot != 3}
    shown = page(client, "game", game.pk, move="3(10)3", sides="1", side=["7", "9"])
    assert "Play 3(10)3[7,9]?" in shown
    assert "parts spots 7, 9 from the others" in shown
    assert [place for place, on in ticked(shown).items() if on] == ["7", "9"]
    assert "Play 3(10)3?" in page(client, "game", game.pk, move="3(10)3[7,9]", sides="1")


def test_ticks_stay_where_they_were_made_when_most_spots_are_ticked(alice: Player, bob: Player) -> None:
    game = a_game(alice, bob, n=5)
    shown = page(of(alice), "game", game.pk, move="1(6)1", sides="1", side=["2", "3", "4"])
    assert "Play 1(6)1[5]?" in shown
    assert ticked(shown) == {"2": True, "3": True, "4": True, "5": False}


def test_whole_boundaries_change_sides_at_once_and_those_that_must_lie_somewhere_are_named(alice: Player, bob: Player) -> None:
    client, game = of(alice), a_game(alice, bob, n=5, plies="1(6)2 3(7)4")
    shown = page(client, "game", game.pk, move="2(8)2", sides="1", side=["3"])
    assert "Which spots does the line part from 1, 6?" in shown
    assert ticked(shown) == {"3 4 7": True, "5": False}
    assert "Play 2(8)2[1,5,6]?" in shown


@pytest.mark.parametrize("side", ["1", "99", "x", "3" * 500, ""])
def test_what_cannot_change_sides_is_refused_in_words(alice: Player, bob: Player, side: str) -> None:
    game = a_game(alice, bob, n=5, plies="1(6)2 3(7)4")
    shown = page(of(alice), "game", game.pk, move="2(8)2", sides="1", side=[side])
    assert "The line cannot part spot" in shown


def test_of_a_line_that_parts_nothing_no_sides_are_asked_for(alice: Player, bob: Player) -> None:
    shown = page(of(alice), "game", a_game(alice, bob).pk, move="1(4)2", sides="1")
    assert "Play 1(4)2?" in shown
    assert not ticked(shown)


def test_sides_of_a_game_without_sides_are_passed_over(alice: Player, bob: Player) -> None:
    game = GameFactory.create(players=[alice, bob])
    assert "Play 4?" in page(of(alice), "game", game.pk, move="4", sides="1", side=["2"])


def test_a_spot_that_is_pressed_is_the_next_step(alice: Player, bob: Player) -> None:
    game = a_game(alice, bob, n=8)
    shown = page(of(alice), "game", game.pk, move="3")
    assert '<g data-place="5">' in shown
    assert re.search(r'\?move=3-5" data-place="5"', shown)


def test_the_largest_game_opens_at_once(alice: Player, bob: Player) -> None:
    game = a_game(alice, bob, n=33)
    assert len(page(of(alice), "game", game.pk).encode()) < 60_000
    press(of(alice), "move", game, move="1(34)1[2-17]")
    game.refresh_from_db()
    assert game.to_move == 1
    assert "alone" in page(of(bob), "game", game.pk)


def test_the_log_keeps_the_line_and_the_page_shows_the_move(alice: Player, bob: Player) -> None:
    game = a_game(alice, bob)
    press(of(alice), "move", game, move="2(4)1")
    kept = LogEntry.objects.get(game=game, kind="move").text
    assert re.fullmatch(r"1\(4\)2/[0-9,/]*\*[0-9,]+\*[0-9,/]*", kept)
    shown = page(of(bob), "game", game.pk)
    assert "1(4)2" in shown
    assert kept not in shown


def test_a_record_alone_shows_the_same_picture_without_finding_any_way(
    alice: Player, bob: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = a_game(alice, bob)
    for player, move in ((alice, "1(4)1[2]"), (bob, "2(5)4"), (alice, "3(6)3")):
        game.refresh_from_db()
        press(of(player), "move", game, move=move)
    seen = re.findall(r"<svg.*?</svg>", page(of(bob), "game", game.pk), re.DOTALL)[0]

    def nobody(*_: object) -> None:
        raise AssertionError("a way was looked for")

    monkeypatch.setattr(laying, "laid", nobody)
    position = SPROUTS.start({"n": 3}, 2)
    for entry in LogEntry.objects.filter(game=game, kind="move").order_by("number"):
        position = SPROUTS.play(position, entry.text)
    game.refresh_from_db()
    assert SPROUTS.dump(position) == game.position
    assert seen in page(of(bob), "game", game.pk)


def test_the_same_move_twice_is_one_move(alice: Player, bob: Player) -> None:
    game = a_game(alice, bob)
    for spelled in ("1(4)2", "2 ( 4 ) 1"):
        press(of(alice), "move", game, move=spelled)
    assert LogEntry.objects.filter(game=game, kind="move").count() == 1


def test_an_unclear_move_is_answered_with_a_picture_of_each_meaning(alice: Player, bob: Player) -> None:
    game = a_game(alice, bob, plies="1(4)2")
    shown = page(of(bob), "game", game.pk, move="1(5)4")
    assert "can be drawn in several ways" in shown
    meant = offered(shown)
    assert len(meant) >= 2
    assert shown.count('<span class="drawn"><svg') == len(meant)
    assert f"Play {meant[0]}?" in page(of(bob), "game", game.pk, move=meant[0])


def test_an_unclear_move_that_is_sent_is_refused_with_the_same_pictures(alice: Player, bob: Player) -> None:
    game = a_game(alice, bob, plies="1(4)2")
    shown = press(of(bob), "move", game, status=400, move="1(5)4")
    assert "can be drawn in several ways" in shown
    assert len(offered(shown)) == shown.count('<span class="drawn"><svg') >= 2


@pytest.mark.parametrize("typed", ["1(4)9", "1(5)2", "x", "1(4)1[9]", "1-9", "9", "1(4)2/1,1*2,2*3,3", "1(4)2//1,1"])
def test_what_is_typed_never_breaks_the_page(alice: Player, bob: Player, typed: str) -> None:
    page(of(alice), "game", a_game(alice, bob).pk, move=typed)


def test_a_line_that_somebody_sends_along_is_not_believed(alice: Player, bob: Player) -> None:
    game = a_game(alice, bob)
    press(of(alice), "move", game, move="1(4)2/10,10*20,20*30,30")
    assert "/10,10" not in LogEntry.objects.get(game=game, kind="move").text


def test_where_no_room_is_found_the_reason_is_told_and_nothing_is_played(
    alice: Player, bob: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = a_game(alice, bob, plies="2(4)3")

    def nowhere(*_: object) -> None:
        raise laying.NotLaid

    monkeypatch.setattr(laying, "laid", nowhere)
    assert "No room was found to draw 1(5)1." in page(of(bob), "game", game.pk, move="1(5)1")
    assert "No room was found to draw 1(5)1." in press(of(bob), "move", game, status=400, move="1(5)1")
    assert '<span class="drawn"' not in page(of(bob), "game", game.pk, move="2(5)4")
    game.refresh_from_db()
    assert game.to_move == 1


def test_a_record_of_others_for_whose_line_no_room_is_found_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def nowhere(*_: object) -> None:
        raise laying.NotLaid

    monkeypatch.setattr(laying, "laid", nowhere)
    written, out = tmp_path / "game.txt", StringIO()
    written.write_text(
        '[Ruleset "sprouts"]\n[Version "1"]\n[Options "n=3"]\n[Result "*"]\n[Final "{\\"n\\": 3}"]\n\n1. 1(4)2 *\n'
    )
    with pytest.raises(SystemExit):
        call_command("replay", str(written), stdout=out)
    assert "the rules cannot show the end: No room was found to draw 1(4)2." in out.getvalue()


def test_where_numbers_would_be_small_on_a_phone_the_picture_is_shown_larger(alice: Player, bob: Player) -> None:
    for n, wide in ((5, False), (12, True)):
        assert ("Show the whole board" in page(of(alice), "game", a_game(alice, bob, n=n).pk)) is wide


def test_who_cannot_draw_loses_and_the_projection_agrees(alice: Player, bob: Player) -> None:
    game = a_game(alice, bob, n=2)
    for player, move in ((alice, "1(3)1"), (bob, "2(4)2"), (alice, "1(5)3#1"), (bob, "2(6)4#2")):
        game.refresh_from_db()
        press(of(player), "move", game, move=move)
    game.refresh_from_db()
    assert (game.result, game.termination) == ("0-1", "no_move")
    assert list(differences_of_all()) == [(game.pk, [])]
    assert "no line can be drawn" in page(of(alice), "game", game.pk)


def test_reference_games_and_an_email_match_are_replayed_by_the_command(tmp_path: Path) -> None:
    out = StringIO()
    written = (REFERENCE / "sprouts_email_game.txt").read_text().replace("[7,8]", "[7,8]#2")
    match = tmp_path / "match.txt"
    match.write_text(written)
    call_command("replay", str(REFERENCE / "sprouts.jsonl"), str(match), stdout=out)
    assert out.getvalue() == "11 games, 0 mismatches\n"


def test_a_letter_shows_how_a_move_is_written_here(alice: Player, bob: Player) -> None:
    game = a_game(alice, bob, n=8)
    press(of(alice), "move", game, move="1(9)1[2,3]")
    letter = next(one for one in sent() if "bob@example.org" in str(one["To"]))
    for kind in ("plain", "html"):
        assert "A move is written like this: 1(10)2" in text(letter, kind)
    assert "With three lives: spots 2–8." in " ".join(text(letter).split())
    assert any(part.get_content_type() == "image/png" for part in letter.walk())


def test_a_letter_about_few_moves_links_to_each_and_to_the_page_where_one_is_chosen_step_by_step(
    alice: Player, bob: Player
) -> None:
    game = a_game(alice, bob, n=2)
    press(of(alice), "move", game, move="1(3)2")
    letter = next(one for one in sent() if "bob@example.org" in str(one["To"]))
    for kind in ("plain", "html"):
        said = text(letter, kind)
        assert said.count("move=") == 7
        assert "Choose step by step, with pictures" in said
        assert "A move is written like this: 1(4)1, 2(4)2" in said
    found = re.search(r"with pictures:\n\S+(/rights/\w+/)\n", text(letter))
    assert found is not None
    shown = Client().get(found[1]).content.decode()
    assert "From which spot does the line start?" in shown
    assert 'aria-label="from spot 3"' in shown


def test_by_the_right_of_a_letter_a_line_is_chosen_step_by_step_too(alice: Player, bob: Player) -> None:
    game = a_game(alice, bob, n=5)
    address, at = f"/rights/{right(game)}/", game.position_number

    def shown(**query: str | list[str]) -> str:
        return Client().get(address, {"at": at, **query}).content.decode()

    assert "To which spot does the line from 1 go?" in shown(move="1")
    assert "Play 1(6)1?" in shown(move="1-1")
    chosen = shown(move="1(6)1", sides="1", side=["2", "5"])
    assert "Play 1(6)1[2,5]?" in chosen
    assert ticked(chosen) == {"2": True, "3": False, "4": False, "5": True}
    assert "The line cannot part spot 9" in shown(move="1(6)1", sides="1", side=["9"])
