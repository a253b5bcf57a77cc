"""Export: what a player takes along, and what of others is not in it (S12)."""

from __future__ import annotations

import json
from io import BytesIO
from typing import Any
from zipfile import ZipFile

import pytest
from allauth.mfa.models import Authenticator
from django.test import Client
from django.urls import reverse

from accounts.models import Player
from accounts.services import suspension
from accounts.services.export import export_of
from games.rules import record as records
from games.rules import registry
from games.rules.replay import differences
from games.rules.ruleset import AnyRuleset
from games.services import adjudicate, moves
from tests.accounts.visitors import logged_in, somebody, with_app
from tests.factories import BlockFactory, ChallengeFactory, GameFactory, ModeratorFactory, PlayerFactory, ReportFactory, play
from tests.games.visits import of

pytestmark = pytest.mark.django_db

FILES = {"player.json", "games.json", "challenges.json", "messages.json", "notes.json"}
"""What everybody has, without the records."""


@pytest.fixture
def zenobia(db: None) -> Player:
    return somebody("Zenobia", time_zone="Asia/Tokyo")


def unpacked(packed: bytes) -> dict[str, str]:
    """The files of the zip by name."""
    with ZipFile(BytesIO(packed)) as archive:
        return {name: archive.read(name).decode() for name in archive.namelist()}


def data(packed: bytes, name: str) -> Any:
    return json.loads(unpacked(packed)[name])


def test_I_download_everything_by_one_button(zenobia: Player) -> None:
    browser = of(zenobia)
    assert browser.get(reverse("accounts:export"))["Content-Type"].startswith("text/html"), "looking downloads nothing"
    answer = browser.post(reverse("accounts:export"))
    assert answer["Content-Type"] == "application/zip"
    assert answer["Content-Disposition"] == 'attachment; filename="perepiska.zip"'
    assert set(unpacked(answer.content)) == FILES


def test_only_I_myself_may_have_it(zenobia: Player) -> None:
    answer = Client().post(reverse("accounts:export"))
    assert answer.status_code == 302
    assert answer["Location"].startswith(reverse("account_login"))


def test_too_many_downloads_are_refused_politely(zenobia: Player) -> None:
    browser = of(zenobia)
    answers = [browser.post(reverse("accounts:export")) for _ in range(7)]
    assert [one.status_code for one in answers] == [200] * 6 + [429]
    assert "Please wait a little." in answers[-1].content.decode()


def test_the_account_is_in_it_whole(zenobia: Player, bob: Player) -> None:
    logged_in(zenobia)
    with_app(zenobia)
    BlockFactory.create(player=zenobia, other=bob)
    ReportFactory.create(reporter=zenobia, reported=bob, text="It was late, and somebody shouted.")
    suspension.suspend(player_id=zenobia.pk, by=PlayerFactory.create(is_staff=True), reason="Shouting back.")
    account = data(export_of(Player.objects.get(pk=zenobia.pk)), "player.json")
    assert (account["name"], account["email"]) == ("Zenobia", "zenobia@example.org")
    assert (account["language"], account["time_zone"]) == ("en", "Asia/Tokyo")
    assert account["addresses"] == [{"email": "zenobia@example.org", "verified": True, "primary": True}]
    assert {one["type"] for one in account["second_factors"]} == {"totp", "recovery_codes"}
    assert len(account["sessions"]) == len(account["blocks"]) == 1
    assert account["reports"][0]["text"] == "It was late, and somebody shouted."
    assert account["suspended"]["reason"] == "Shouting back."


def test_S12_nothing_of_opponents_but_the_moves_no_tokens_no_hashes(zenobia: Player) -> None:
    bob = PlayerFactory.create(display_name="Robert the Opponent", email="secret@example.net", time_zone="America/Lima")
    game = GameFactory.create(players=[zenobia, bob], plies="4-6 3 1 2")
    moves.resign(game=game.pk, seat=1, via="web", key="the key of a form")
    ChallengeFactory.create(challenger=zenobia, opponent=bob)
    BlockFactory.create(player=zenobia, other=bob)
    ReportFactory.create(reporter=zenobia, reported=bob, text="Something happened.")
    browser = logged_in(zenobia)
    with_app(zenobia)
    zenobia.refresh_from_db()
    everything = "\n".join(unpacked(export_of(zenobia)).values())
    for secret in ("Robert", "Opponent", "secret@", "Lima", "the key of a form", zenobia.password):
        assert secret not in everything
    assert str(browser.session.session_key) not in everything
    for authenticator in Authenticator.objects.filter(user=zenobia):
        assert str(authenticator.data.get("secret") or authenticator.data["seed"]) not in everything
    assert "4-6" in unpacked(export_of(zenobia))[f"games/{game.pk}.game"]


def test_each_game_is_a_record_that_replays_and_names_nobody_else(zenobia: Player, bob: Player) -> None:
    first = GameFactory.create(players=[zenobia, bob], plies="4-6 3 1")
    moves.resign(game=first.pk, seat=0, via="web", key="r")
    second = GameFactory.create(players=[bob, zenobia], public=False)
    files = unpacked(export_of(zenobia))
    (record,) = records.read(files[f"games/{first.pk}.game"], registry.get)
    assert differences(registry.get("mangala"), record) == []
    assert (record.tags["South"], record.tags["North"]) == ("Zenobia", "?")
    (record,) = records.read(files[f"games/{second.pk}.game"], registry.get)
    assert (record.tags["South"], record.tags["North"]) == ("?", "Zenobia")
    played = {one["game"]: one for one in json.loads(files["games.json"])}
    assert (played[first.pk]["seat"], played[first.pk]["points"], played[first.pk]["termination"]) == (0, 0, "resignation")
    assert (played[second.pk]["ended"], played[second.pk]["public"]) == (None, False)


def test_S12_reasons_of_rulings_which_may_name_others_stay_here(zenobia: Player, bob: Player) -> None:
    game = GameFactory.create(players=[zenobia, bob])
    why = "Bob (bob@example.org) used a program."
    adjudicate.adjudicate(game=game.pk, by=ModeratorFactory.create(), verdict="win:0", reason=why, head=game.head, key="a")
    packed = unpacked(export_of(zenobia))
    assert "<adjudicate win 1>" in packed[f"games/{game.pk}.game"]
    assert "program" not in str(packed)


def test_others_games_are_not_in_it(zenobia: Player, bob: Player, charlie: Player) -> None:
    GameFactory.create(players=[bob, charlie])
    ChallengeFactory.create(challenger=bob, opponent=zenobia)
    files = unpacked(export_of(zenobia))
    assert set(files) == FILES
    assert json.loads(files["games.json"]) == json.loads(files["challenges.json"]) == []


def test_N25_a_hidden_game_is_left_out_until_it_is_over(zenobia: Player, bob: Player, toy: AnyRuleset) -> None:
    game = GameFactory.create(players=[zenobia, bob], ruleset="toy")
    play(game, "pass")
    assert data(export_of(zenobia), "games.json") == []
    assert f"games/{game.pk}.game" not in unpacked(export_of(zenobia))
    moves.resign(game=game.pk, seat=0, via="web", key="r")
    assert f"games/{game.pk}.game" in unpacked(export_of(zenobia))
    assert len(data(export_of(zenobia), "games.json")) == 1
