"""The public page of a player, and the names that lead to it."""

from __future__ import annotations

import re
from datetime import UTC, datetime

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from accounts.models import Player
from games import selectors
from games.rules.ruleset import AnyRuleset
from games.selectors import players
from games.services import moves, proposals
from tests.factories import BlockFactory, ChallengeFactory, GameFactory, PlayerFactory
from tests.games.visits import of, page

pytestmark = pytest.mark.django_db


def the_page(player: Player, viewer: Player | None = None, number: str = "1") -> selectors.PlayerPage:
    found = selectors.player_page(player.pk, viewer, page=number)
    assert found is not None
    return found


def test_the_page_tells_name_games_and_results(alice: Player, bob: Player) -> None:
    Player.objects.filter(pk=alice.pk).update(date_joined=datetime(2026, 3, 8, tzinfo=UTC))
    running = GameFactory.create(players=[alice, bob])
    won = GameFactory.create(players=[alice, bob])
    moves.resign(game=won.pk, seat=1, via="web", key="r")
    shown = page(Client(), "player", alice.pk)
    assert "<h1><bdi>Alice</bdi></h1>" in shown
    assert "Plays here since 8 March 2026." in shown
    assert reverse("games:game", args=[running.pk]) in shown
    assert reverse("games:game", args=[won.pk]) in shown
    assert "<strong>won</strong>" in shown
    assert "won: 1 · drawn: 0 · lost: 0 · no result: 0" in shown
    assert "<strong>lost</strong>" in page(Client(), "player", bob.pk)


def test_each_game_shows_its_small_board_from_this_players_side(alice: Player, bob: Player, toy: AnyRuleset) -> None:
    GameFactory.create(players=[bob, alice], plies="2 6 1")
    moves.resign(game=GameFactory.create(players=[alice, bob], plies="1").pk, seat=1, via="web", key="r")
    shown = page(Client(), "player", alice.pk)
    assert shown.count("<svg ") == 2
    [running] = the_page(alice).running
    assert "North 3, South 0" in running.board
    GameFactory.create(players=[alice, bob], ruleset="toy")
    assert page(Client(), "player", alice.pk).count("<svg") == 2, "what is hidden is not drawn"


def test_results_are_told_from_this_players_side_and_summed_up_by_game(alice: Player, bob: Player, toy: AnyRuleset) -> None:
    for loser in (0, 1, 1):
        moves.resign(game=GameFactory.create(players=[alice, bob]).pk, seat=loser, via="web", key="r")
    drawn = GameFactory.create(players=[alice, bob], plies="1 1")
    proposals.propose(game=drawn.pk, seat=0, kind="draw", via="web", key="p")
    proposals.propose(game=drawn.pk, seat=1, kind="draw", via="web", key="q")
    moves.abort_game(game=GameFactory.create(players=[alice, bob]).pk, seat=0, key="a")
    moves.resign(game=GameFactory.create(players=[alice, bob], ruleset="toy").pk, seat=0, via="web", key="r")
    mangala, other = sorted(the_page(alice).totals, key=lambda one: -one.won)
    assert (mangala.title, mangala.won, mangala.drawn, mangala.lost, mangala.without_result) == ("Mangala", 2, 1, 1, 1)
    assert (other.won, other.lost) == (0, 1)
    assert [one.result for one in the_page(alice).finished] == ["lost", "no result", "drawn", "won", "won", "lost"]
    mangala = next(one for one in the_page(bob).totals if one.title == "Mangala")
    assert (mangala.won, mangala.drawn, mangala.lost, mangala.without_result) == (1, 1, 2, 1)


def test_private_games_are_for_those_who_play_them(alice: Player, bob: Player, charlie: Player) -> None:
    running = GameFactory.create(players=[alice, bob], public=False)
    ended = GameFactory.create(players=[alice, bob], public=False)
    moves.resign(game=ended.pk, seat=1, via="web", key="r")
    for viewer in (None, charlie):
        seen = the_page(alice, viewer)
        assert (seen.running, seen.finished, seen.totals) == ((), (), ())
    for viewer in (alice, bob):
        seen = the_page(alice, viewer)
        assert [one.pk for one in seen.running] == [running.pk]
        assert [one.pk for one in seen.finished] == [ended.pk]
        assert seen.totals[0].won == 1


def test_language_time_zone_and_address_stay_private(alice: Player, bob: Player) -> None:
    Player.objects.filter(pk=alice.pk).update(language="tr", time_zone="Asia/Tokyo")
    for browser in (Client(), of(bob)):
        shown = page(browser, "player", alice.pk)
        assert "Tokyo" not in shown
        assert alice.email not in shown
        assert 'lang="tr"' not in shown.split("<footer>", maxsplit=1)[0]


@pytest.mark.parametrize("state", [{"is_active": False}, {"leaving_at": datetime(2026, 1, 1, tzinfo=UTC)}])
def test_somebody_who_left_has_no_page_and_no_link(alice: Player, bob: Player, state: dict[str, object]) -> None:
    game = GameFactory.create(players=[alice, bob])
    address = f'href="{reverse("games:player", args=[alice.pk])}"'
    assert address in page(Client(), "game", game.pk)
    Player.objects.filter(pk=alice.pk).update(**state)
    page(Client(), "player", alice.pk, status=404)
    assert address not in page(Client(), "game", game.pk)


def test_nobody_has_the_page_of_nobody() -> None:
    page(Client(), "player", 10**9, status=404)


def test_another_player_may_challenge_block_and_report(alice: Player, bob: Player) -> None:
    shown = page(of(bob), "player", alice.pk)
    challenge = f"{reverse('games:challenge_new')}?opponent=Alice"
    assert challenge in shown
    assert f'action="{reverse("games:block", args=[alice.pk])}"' in shown
    assert reverse("games:report_player", args=[alice.pk]) in shown
    assert 'value="Alice"' in of(bob).get(challenge).content.decode()


@pytest.mark.parametrize("own", [True, False])
def test_visitors_and_oneself_see_no_buttons(alice: Player, own: bool) -> None:
    shown = page(of(alice) if own else Client(), "player", alice.pk)
    assert "/block/" not in shown
    assert "/report/" not in shown
    assert "?opponent=" not in shown


def test_who_blocks_sees_that_and_no_challenge(alice: Player, bob: Player) -> None:
    BlockFactory.create(player=bob, other=alice)
    shown = page(of(bob), "player", alice.pk)
    assert "You block this player" in shown
    assert "?opponent=" not in shown
    assert "?opponent=" in page(of(alice), "player", bob.pk), "the other is not told"


def test_finished_games_turn_pages(alice: Player, bob: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(players, "FINISHED_SHOWN", 2)
    games = [GameFactory.create(players=[alice, bob]).pk for _ in range(5)]
    for game in games:
        moves.resign(game=game, seat=0, via="web", key="r")
    games.reverse()
    assert [one.pk for one in the_page(alice).finished] == games[:2]
    assert [one.pk for one in the_page(alice, number="3").finished] == games[4:]
    assert [one.pk for one in the_page(alice, number="99").finished] == games[4:]
    for nonsense in ("", "x", "-1", "1" * 400):
        assert page(Client(), "player", alice.pk, page=nonsense)
    shown = page(Client(), "player", alice.pk, page="2")
    assert "?page=1#finished" in shown
    assert "?page=3#finished" in shown
    assert the_page(alice, number="2").totals[0].lost == 5, "totals count all pages"


def test_of_many_running_games_the_latest_are_shown(alice: Player, bob: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(players, "RUNNING_SHOWN", 2)
    games = [GameFactory.create(players=[alice, bob]).pk for _ in range(3)]
    assert [one.pk for one in the_page(alice).running] == games[:0:-1]
    assert "Older games are running, too." in page(Client(), "player", alice.pk)


def test_the_page_costs_the_same_whatever_it_shows(alice: Player, bob: Player, charlie: Player) -> None:
    costs = []
    for many in (1, 6):
        for _ in range(many):
            GameFactory.create(players=[alice, PlayerFactory.create()])
            moves.resign(game=GameFactory.create(players=[bob, alice]).pk, seat=0, via="web", key="r")
        for browser in (of(charlie), Client()):
            with CaptureQueriesContext(connection) as captured:
                page(browser, "player", alice.pk)
            costs.append(len(captured))
    assert costs[:2] == costs[2:]
    assert max(costs) <= 11, costs


def test_names_on_pages_and_lists_lead_to_the_players(alice: Player, bob: Player, charlie: Player) -> None:
    GameFactory.create(players=[alice, bob])
    ChallengeFactory.create(challenger=charlie)
    to_alice = ChallengeFactory.create(challenger=charlie, opponent=alice)

    def leads_to(player: Player, shown: str) -> bool:
        name = f'<a href="{reverse("games:player", args=[player.pk])}"><bdi>{player.name}</bdi></a>'
        return bool(re.search(re.escape(name), shown))

    assert leads_to(bob, page(of(alice), "mine"))
    assert leads_to(bob, page(of(charlie), "player", alice.pk))
    assert leads_to(charlie, page(of(alice), "challenges"))
    assert leads_to(charlie, page(of(alice), "challenge", to_alice.pk))


def test_S5_a_name_is_text_wherever_it_stands(alice: Player) -> None:
    sly = PlayerFactory.create(display_name="<i>Sly</i> & co")
    GameFactory.create(players=[alice, sly])
    for shown in (page(Client(), "player", sly.pk), page(Client(), "player", alice.pk), page(of(alice), "mine")):
        assert "<i>Sly" not in shown
        assert "&lt;i&gt;Sly&lt;/i&gt; &amp; co" in shown
    assert "?opponent=%3Ci%3ESly%3C/i%3E%20%26%20co" in page(of(alice), "player", sly.pk)
