"""Committed randomness: a seed that is tied down first, shown last, and makes fall all that fell."""

from __future__ import annotations

import re
import sys
from dataclasses import replace
from datetime import timedelta
from io import BytesIO, StringIO
from pathlib import Path
from uuid import uuid4
from zipfile import ZipFile

import pytest
from django.apps import apps
from django.contrib import admin
from django.core.management import call_command
from django.db import IntegrityError, transaction
from django.test import Client
from django.utils import timezone

from accounts.models import Player
from accounts.services.export import export_of
from config.logs import MaskedReporter
from games import selectors
from games.models import Freeze, Game, LogEntry, Secret
from games.rules import record as records
from games.rules import registry
from games.rules.replay import differences
from games.rules.ruleset import AnyRuleset
from games.services import adjudicate, check, moves, proposals, reflection
from games.services.log import opened
from games.services.moves import abort_game, resign
from tests.factories import GameFactory, LogEntryFactory, ModeratorFactory, PlayerFactory, play, players_of
from tests.games.postbag import sent, text

pytestmark = pytest.mark.django_db

BASE = Path(__file__).resolve().parents[2]


@pytest.fixture
def table(toy: AnyRuleset) -> Game:
    """A game of three, in which each holds cards that the others do not know."""
    game: Game = GameFactory.create(players=PlayerFactory.create_batch(3), ruleset="toy", begins="lot", options={"rounds": 1})
    return game


def kinds(game: Game) -> list[str]:
    return [one.kind for one in game.entries.all()]


def last(game: Game, kind: str) -> str:
    return str(game.entries.filter(kind=kind).last().text)  # type: ignore[union-attr]


def offer(game: Game) -> None:
    """The first seat offers the least of its cards."""
    game.refresh_from_db()
    assert game.position is not None
    play(game, f"offer {min(game.position['hands'][0])}")


def finish(game: Game) -> None:
    while game.ended_at is None:
        play(game, "pass")
        game.refresh_from_db()


def page(game: Game, viewer: Player | None = None, address: str = "luck/") -> str:
    client = Client()
    if viewer is not None:
        client.force_login(viewer)
    return str(client.get(f"/games/{game.pk}/{address}").content.decode())


def record(game: Game) -> str:
    written = selectors.record_of(game.pk, None)
    assert written is not None
    return written


# -- committing and revealing -----------------------------------------------------------------------------------------------


def test_a_game_commits_to_its_seed_before_anything_falls(table: Game) -> None:
    assert kinds(table)[:5] == ["join", "join", "join", "commit", "chance"]
    [entry] = table.entries.filter(kind="commit")
    assert (entry.via, entry.seat) == ("house", None)
    assert re.fullmatch("[0-9a-f]{64}", entry.text)
    assert entry.text != Secret.objects.get(game=table).seed


def test_a_game_without_chance_has_no_seed(alice: Player, bob: Player) -> None:
    game = GameFactory.create(players=[alice, bob])
    assert "commit" not in kinds(game)
    assert not Secret.objects.exists()
    assert page(game, address="").count("luck") == 0
    assert Client().get(f"/games/{game.pk}/luck/").status_code == 404


def test_the_end_reveals_the_seed_and_the_table_forgets_it(table: Game) -> None:
    seed = Secret.objects.get().seed
    finish(table)
    assert kinds(table)[-1] == "reveal"
    assert last(table, "reveal") == seed
    assert not Secret.objects.exists()
    assert list(check.differences()) == [(table.pk, [])]


@pytest.mark.parametrize("end", ["resigned", "aborted", "adjudicated", "annulled", "agreed"])
def test_every_end_reveals_the_seed(table: Game, end: str) -> None:
    if end == "resigned":
        for seat in (0, 1):
            resign(game=table.pk, seat=seat, via="web", key=uuid4().hex)
    elif end == "aborted":
        table = GameFactory.create(players=PlayerFactory.create_batch(2), ruleset="rainbow")
        abort_game(game=table.pk, seat=0, key=uuid4().hex)
    elif end == "agreed":
        proposals.propose(game=table.pk, seat=0, kind="stop", via="web", key="a")
        table.refresh_from_db()
        for seat in (1, 2):
            proposals.agree(game=table.pk, seat=seat, number=table.head, via="web", key=str(seat))
    else:
        verdict = "win:1" if end == "adjudicated" else "annul"
        adjudicate.adjudicate(
            game=table.pk, by=ModeratorFactory.create(), verdict=verdict, reason="So.", head=table.head, key=uuid4().hex
        )
    table.refresh_from_db()
    assert table.ended_at is not None
    assert kinds(table)[-1] == "reveal"
    assert (table.pk, []) in check.differences()


def test_one_letter_tells_the_end_of_a_game_whose_seed_is_revealed(table: Game) -> None:
    sent()
    adjudicate.adjudicate(game=table.pk, by=ModeratorFactory.create(), verdict="draw", reason="So.", head=table.head, key="a")
    letters = sent()
    assert len({one["To"] for one in letters}) == len(letters) == 3
    assert all("over by a ruling" in text(one) for one in letters)


def test_the_letter_of_an_end_by_the_rules_tells_it_and_brings_the_record(table: Game) -> None:
    finish(table)
    over = [one for one in sent() if "The game is over." in text(one)]
    assert len({one["To"] for one in over}) == len(over) == 3
    assert all(last(table, "reveal") in str(next(one.iter_attachments()).get_content()) for one in over)


def test_who_gives_up_at_a_larger_table_reveals_nothing(table: Game) -> None:
    resign(game=table.pk, seat=0, via="web", key=uuid4().hex)
    assert "reveal" not in kinds(table)
    assert Secret.objects.count() == 1


def test_the_lot_of_the_seats_follows_from_the_seed(table: Game) -> None:
    assert list(check.differences()) == [(table.pk, [])]
    finish(table)
    assert "The seats are as the lot of the seed has them." in page(table)


def test_two_games_never_share_a_seed(table: Game) -> None:
    GameFactory.create(players=PlayerFactory.create_batch(2), ruleset="toy")
    one, other = Secret.objects.all()
    assert one.seed != other.seed
    with pytest.raises(IntegrityError), transaction.atomic():
        Secret.objects.filter(pk=one.pk).update(seed=other.seed)


# -- nothing falls twice ----------------------------------------------------------------------------------------------------


def test_an_end_that_is_taken_back_brings_a_new_seed(table: Game) -> None:
    moderator = ModeratorFactory.create()
    adjudicate.adjudicate(game=table.pk, by=moderator, verdict="win:1", reason="So.", head=table.head, key="a")
    table.refresh_from_db()
    adjudicate.take_back(game=table.pk, by=moderator, number=table.head, reason="Not so.", key="b")
    assert kinds(table)[-3:] == ["reveal", "correct", "commit"]
    commitments = set(table.entries.filter(kind="commit").values_list("text", flat=True))
    assert len(commitments) == 2
    offer(table)
    play(table, "refuse")
    table.refresh_from_db()
    finish(table)
    assert list(check.differences()) == [(table.pk, [])]
    said = page(table)
    assert said.count("The fingerprint is this one") == 2
    assert all(one in said for one in commitments)


def test_R26_after_a_backup_nobody_can_know_what_falls_next(table: Game) -> None:
    offer(table)
    Freeze.objects.create(at=timezone.now(), mark=timezone.now(), known=timezone.now() - timedelta(days=1))
    play(table, "refuse")
    assert kinds(table)[-3:] == ["move", "commit", "chance"]
    table.refresh_from_db()
    finish(table)
    assert len(last(table, "reveal").split()) == 2
    assert list(check.differences()) == [(table.pk, [])]
    assert differences(registry.get("toy"), *records.read(record(table), registry.get)) == []


def test_F34_what_fell_cannot_be_taken_back_and_thrown_again(open_toy: AnyRuleset) -> None:
    game = GameFactory.create(players=PlayerFactory.create_batch(2), ruleset="open_toy")
    offer(game)
    play(game, "refuse")
    shown = selectors.game_page(game.pk, game.seat_set.get(number=1).player)
    assert shown is not None
    assert "takeback" not in dict(shown.may_propose)


def test_the_same_press_twice_draws_once(table: Game) -> None:
    offer(table)
    table.refresh_from_db()
    for key in ("a", "a", "b"):
        moves.play_move(game=table.pk, seat=1, text="refuse", position_number=table.position_number, via="web", key=key)
    assert kinds(table).count("chance") == 7


def test_a_time_out_that_draws_draws_by_the_seed(table: Game) -> None:
    offer(table)
    table.refresh_from_db()
    assert table.deadline is not None
    assert reflection.run_out(game_id=table.pk, now=table.deadline + timedelta(seconds=1))
    assert kinds(table)[-2:] == ["timeout", "chance"]
    assert list(check.differences()) == [(table.pk, [])]


def test_a_game_from_before_there_were_seeds_commits_to_one_before_anything_more_falls(table: Game) -> None:
    Secret.objects.all().delete()
    with opened(table.pk) as log:
        log.course.standing = replace(log.standing, committed=0, draws=0)
        log.append("resign", seat=2, via="web")
    assert kinds(table)[-2:] == ["resign", "commit"]


# -- the secret -------------------------------------------------------------------------------------------------------------


def test_no_page_letter_record_or_export_holds_the_seed_of_a_game_that_goes_on(table: Game) -> None:
    seed = Secret.objects.get().seed
    said = [text(one, kind) for one in sent() for kind in ("plain", "html")]
    for player in players_of(table):
        said += [page(table, player, address) for address in ("", "luck/", "record/", f"{table.position_number}/")]
        with ZipFile(BytesIO(export_of(player))) as exported:
            said += [exported.read(name).decode() for name in exported.namelist()]
        said += [Client().get(f"/players/{player.pk}/").content.decode()]
    said += [page(table), page(table, None, "")]
    assert not [one for one in said if seed in one or seed.upper() in one]
    assert any(last(table, "commit") in one for one in said)


def test_the_desk_shows_no_table_of_secrets() -> None:
    assert Secret not in admin.site._registry
    assert "seed" not in {field.name for model in admin.site._registry for field in model._meta.get_fields()}


def test_one_module_alone_reads_the_table_of_secrets() -> None:
    readers = {
        str(file.relative_to(BASE))
        for app in ("games", "accounts", "notifications", "config")
        for file in (BASE / app).rglob("*.py")
        if re.search(r"\bSecret\b", file.read_text(encoding="utf-8")) and "migrations" not in file.parts
    }
    assert readers == {"games/models/__init__.py", "games/models/secret.py", "games/services/chance.py"}
    assert [model for model in apps.get_models() if model is not Secret and hasattr(model, "seed")] == []


def test_no_error_report_tells_a_seed(table: Game) -> None:
    """The draw breaks in the middle, with the seed in local variables."""
    seed = Secret.objects.get().seed
    try:
        with opened(table.pk) as log:
            log.luck.draw(1, [])
    except ValueError:
        kind, value, trace = sys.exc_info()
        report = MaskedReporter(None, kind, value, trace)
        told = report.get_traceback_html() + report.get_traceback_text()
        assert "nothing to draw from" in told
        assert repr(bytes.fromhex(seed))[2:20] not in told
        assert seed not in told
    assert seed not in repr(Secret.objects.get())
    assert seed not in str(Secret.objects.get())


# -- checking ---------------------------------------------------------------------------------------------------------------


def test_the_page_of_a_game_and_its_first_letter_show_the_fingerprint(table: Game) -> None:
    fingerprint = last(table, "commit")
    assert fingerprint in page(table, address="")
    letters = sent()
    assert len(letters) >= 2
    assert all(fingerprint in text(one, kind) for one in letters for kind in ("plain", "html"))


def test_the_page_of_luck_tells_no_draw_before_the_end_and_each_one_after_it(table: Game) -> None:
    said = page(table, table.seat_set.first().player)  # type: ignore[union-attr]
    assert "secret until the game is over" in said
    assert "What fell by this seed" not in said
    finish(table)
    said = page(table)
    assert "Checked: all that fell is what the seed makes fall." in said
    assert said.count('<th scope="row">') == 6
    assert last(table, "reveal") in said


def test_a_stranger_sees_no_luck_of_a_game_that_is_not_public(toy: AnyRuleset) -> None:
    game = GameFactory.create(players=PlayerFactory.create_batch(2), ruleset="toy", public=False)
    assert Client().get(f"/games/{game.pk}/luck/").status_code == 404


@pytest.mark.parametrize("what", ["chance", "commit", "reveal"])
def test_a_game_whose_luck_was_meddled_with_is_found_out(toy: AnyRuleset, what: str) -> None:
    game = GameFactory.create(players=PlayerFactory.create_batch(2), ruleset="toy", options={"rounds": 1})
    finish(game)
    other = {"chance": "1" if last(game, "chance") != "1" else "2"}.get(what, "0" * 64)
    written = re.sub(rf"<{what} ([^>|]+)(\|?[^>]*)>(?!.*<{what} )", rf"<{what} {other}\2>", record(game), flags=re.DOTALL)
    written = re.sub(r'\[Result "[^"]*"\]\n|\[Termination "[^"]*"\]\n', "", written)
    [read] = records.read(written, registry.get)
    found = [one for one in differences(toy, read) if "result" not in one]
    assert len(found) == 1
    assert ("the seed makes" in found[0]) if what == "chance" else ("fingerprint is another" in found[0])


def test_the_check_of_all_games_compares_the_seeds_of_those_that_go_on(table: Game) -> None:
    Secret.objects.update(seed="0" * 64)
    [(_game, found)] = check.differences()
    assert found[0].startswith("the seed is not the one of entry 4")
    Secret.objects.all().delete()
    assert list(check.differences()) == [(table.pk, ["the seeds of entries [4] are lost"])]


def test_the_check_of_all_games_finds_what_fell_otherwise(open_toy: AnyRuleset) -> None:
    game = GameFactory.create(players=PlayerFactory.create_batch(2), ruleset="open_toy", begins="lot")
    [joined, *_] = game.entries.all()
    with pytest.raises(IntegrityError), transaction.atomic():
        LogEntry.objects.filter(pk=joined.pk).update(text="1")
    LogEntryFactory.create(game=game, number=game.head + 1, kind="chance", text="1", via="house")
    [(_game, found)] = check.differences()
    assert "chance is not to fall here" in found[0]


def test_replay_checks_a_record_and_finds_an_end_without_its_seed(table: Game, tmp_path: Path) -> None:
    finish(table)
    file = tmp_path / "game.game"
    file.write_text(record(table), encoding="utf-8")
    told = StringIO()
    call_command("replay", file, stdout=told)
    assert told.getvalue() == "1 games, 0 mismatches\n"
    file.write_text(re.sub(r"<reveal [0-9a-f]+>", "", record(table)), encoding="utf-8")
    told = StringIO()
    with pytest.raises(SystemExit):
        call_command("replay", file, stdout=told)
    assert "the game is over, and its seed is not revealed" in told.getvalue()
    file.write_text(re.sub(r'\[Game "\d+"\]\n', "", record(table)), encoding="utf-8")
    with pytest.raises(SystemExit):
        call_command("replay", file, stdout=told)
    assert "the record has no number of its game" in told.getvalue()
    file.write_text(record(table).replace("|6*1", "|6*2", 1), encoding="utf-8")
    with pytest.raises(SystemExit):
        call_command("replay", file, stdout=told)
    assert "what could fall there is not 1*6" in told.getvalue()
