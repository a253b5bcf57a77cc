"""What the pictures show: a few people, their games at every stage, and the pages that they see."""

from __future__ import annotations

import re
from functools import cache
from time import sleep
from typing import Any, Final
from uuid import uuid4

from django.test import Client
from django.urls import reverse

from accounts.models import Player
from accounts.services import suspension
from games.models import Challenge, Right
from games.rules import registry
from games.services import challenge, moves, proposals
from notifications import leaving
from notifications.mailbox import kept
from notifications.topics import Pace, Topic
from tests.accounts.visitors import code, logged_in, proves_it_is_me, somebody, with_app
from tests.factories import (
    BlockFactory,
    ChallengeFactory,
    GameFactory,
    MessageFactory,
    NoteFactory,
    PreferenceFactory,
    ReportFactory,
    right,
)
from tests.screenshots.computers import against_computers
from tests.screenshots.page import Page
from tests.screenshots.tables import at_tables

WHOLE: Final = "2 6 1 6-5 2 1 3 6-4 6 6-5 6-3 5 5 2 5 6-1 6-6-4 3 6-5"
"""A bundled game, turn by turn."""
SPROUTS: Final = (
    "1(9)2 4(10)9#1 8(11)10#2 7(12)11#1 5(13)5 5(14)6 6(15)12#2 2(16)14[8]#2 3(17)3 3(18)15 6(19)7[17,18] 1(20)1 7(21)18 "
    "4(22)19 4(23)20 22(24)23 2(25)16#2 24(26)25 8(27)8 17(28)21 13(29)26"
)
"""A whole game of eight spots."""
MATCH: Final = "1(9)2 1(10)1[3,4] 3(11)10 5(12)6 2(13)2 3(14)4"
"""The beginning of one by e-mail."""
GUESTS: Final = "Anna Boris Carla Dmitri Elif Fatma Georg Hatice Igor Jana Kemal Ludmila Mehmet Nora Oskar Petra Quirin"
HERE: Final[dict[str, Any]] = {"SERVER_NAME": "localhost"}


def made() -> list[Page]:
    """Fills the database; the pages in the order in which a newcomer would meet them."""
    alice, bob, zoe, mallory, moderator = (
        somebody(name, **facts)
        for name, facts in (
            ("Alice", {}),
            ("Bob", {}),
            ("Zoë", {}),
            ("Mallory", {}),
            ("Moderator", {"is_staff": True, "is_superuser": True}),
        )
    )
    people = {"alice": alice, "bob": bob, "zoe": zoe}
    return [
        *_by_everybody(bob, zoe),
        *_accounts_of_strangers(),
        *_invitations(zoe),
        *_games(**people, mallory=mallory, moderator=moderator),
        *_other_games(alice, bob),
        *_sprouts(alice, bob),
        *at_tables(alice, [bob, zoe, *map(_without_letters, GUESTS.split())], _of),
        *against_computers(alice, bob, _of, HERE),
        *_from_letters(**people),
        *_lists_and_challenges(**people),
        *_account(alice, mallory),
        *_second_factor(),
        *_desk(moderator, alice, bob),
        *_clear_pages(alice),
    ]


def _by_everybody(bob: Player, zoe: Player) -> list[Page]:
    for challenger in (bob, zoe):
        ChallengeFactory.create(challenger=challenger)
    return [
        Page("home", "/"),
        Page("home-step", "/?step=12"),
        Page("rules-all", "/rules/"),
        *(Page(f"rules-{name}" if name != "mangala" else "rules", f"/rules/{name}/") for name in registry.names()),
        Page("challenges", "/challenges/"),
        Page("watch", "/games/"),
        Page("watch-finished", "/games/finished/"),
        Page("offline", "/offline/en/"),
        Page("mailbox", "/mailbox/"),
        Page("mailbox-samples", "/mailbox/samples/"),
        Page("mailbox-sample", "/mailbox/sample_en_games_turn/"),
    ]


def _accounts_of_strangers() -> list[Page]:
    dora = somebody("Dora")
    asks = Client(**HERE)
    asks.post(reverse("account_request_login_code"), {"email": dora.email})
    asks.post(reverse("account_reset_password"), {"email": dora.email})
    reset = _path_in_letter(dora.email, r"/accounts/password/reset/key/\S+")
    opened = Client(**HERE).get(reset, follow=True)
    joins = Client(**HERE)
    given = {"email": "eve@example.org", "display_name": "Eve", "password1": "correct horse battery"}
    joins.post(reverse("account_signup"), {**given, "password2": given["password1"]})
    confirm = _path_in_letter("eve@example.org", r"/accounts/confirm-email/\S+")
    return [
        Page("sign-up", "/accounts/signup/"),
        Page("sign-up-refused", "/accounts/signup/", sent=("/accounts/signup/", {"email": "no", "display_name": "Alice"})),
        Page("sign-up-letter", "/accounts/confirm-email/"),
        Page("sign-up-confirm", confirm),
        Page("log-in", "/accounts/login/"),
        Page("log-in-refused", "/accounts/login/", sent=("/accounts/login/", {"login": "eva@example.org", "password": "wrong"})),
        Page("log-in-code", "/accounts/login/code/"),
        Page("log-in-code-sent", "/accounts/login/code/confirm/", _session(asks)),
        Page("password-forgotten", "/accounts/password/reset/"),
        Page("password-letter", "/accounts/password/reset/done/"),
        Page("password-new", opened.request["PATH_INFO"], opened.client.cookies["sessionid"].value),
        Page("password-link-spent", "/accounts/password/reset/key/1-abc-def/"),
        Page("password-is-new", "/accounts/password/reset/key/done/"),
        Page("inactive", "/accounts/inactive/"),
    ]


def _games(alice: Player, bob: Player, zoe: Player, mallory: Player, moderator: Player) -> list[Page]:
    hers = _of(alice)
    asks = GameFactory.create(players=[alice, bob], plies="2 6 1 6-5 2 1")
    for seat, text in ((0, "Good luck!"), (1, "And to you. I shall be away on Sunday."), (0, "No hurry.")):
        MessageFactory.create(game=asks, seat=seat, text=text)
    NoteFactory.create(game=asks, player=alice)
    waits = GameFactory.create(players=[alice, zoe], plies="4-6 3")
    proposals.propose(game=waits.pk, seat=1, kind="draw", via="web", key=uuid4().hex)
    GameFactory.create(players=[zoe, bob], plies="3 5 1 2")
    GameFactory.create(players=[bob, alice], plies="1 1 2")
    first = GameFactory.create(players=[alice, zoe], plies="6")
    over = GameFactory.create(players=[bob, alice], plies=WHOLE)
    resigned = GameFactory.create(players=[alice, bob], plies="4-6 3 1")
    moves.resign(game=resigned.pk, seat=1, via="web", key=uuid4().hex)
    challenge.offer_rematch(game_id=resigned.pk, player=bob)
    regrets = GameFactory.create(players=[bob, alice], plies="2 6")
    proposals.propose(game=regrets.pk, seat=0, kind="takeback", via="web", key=uuid4().hex)
    paused = GameFactory.create(players=[alice, mallory], plies="1 1 2 5")
    suspension.suspend(player_id=mallory.pk, by=moderator, reason="Several accounts.")
    game = f"/games/{asks.pk}/"
    stale = {"key": uuid4().hex, "position": "1", "move": "2"}
    return [
        Page("game-my-turn", game, hers),
        Page("game-preview", f"{game}?move=4", hers),
        Page("game-preview-unknown", f"{game}?move=9", hers),
        Page(
            "game-refused",
            game,
            hers,
            400,
            (f"{game}move/", {"key": uuid4().hex, "position": str(asks.position_number), "move": "1"}),
        ),
        Page("game-stale", game, hers, 409, (f"{game}move/", stale)),
        Page("game-resign", game, hers, sent=(f"{game}resign/", {})),
        Page("game-call-off", f"/games/{first.pk}/", hers, sent=(f"/games/{first.pk}/abort/", {})),
        Page("game-proposal", f"/games/{waits.pk}/", hers),
        Page("game-takeback", f"/games/{regrets.pk}/", hers),
        Page("game-rematch", f"/games/{resigned.pk}/", hers),
        Page("game-waiting", game, _of(bob)),
        Page("game-watched", game),
        Page("game-step", f"{game}4/"),
        Page("game-step-first", f"{game}2/", hers),
        Page("game-paused", f"/games/{paused.pk}/", hers),
        Page("game-over", f"/games/{over.pk}/", hers),
        Page("game-over-step", f"/games/{over.pk}/20/", hers),
        Page("game-report", f"{game}report/", hers),
    ]


def _other_games(alice: Player, bob: Player) -> list[Page]:
    hers = _of(alice)
    joins, joins_many, over = (
        GameFactory.create(ruleset="bridgit", options={"n": n}, players=[alice, bob], plies=plies)
        for n, plies in ((5, "f4 e5 d6 g7"), (12, "n14 m13 l12 k15"), (3, "d2 f4 e3 d6 c3 b4 c5 d4"))
    )
    swaps = GameFactory.create(ruleset="bridgit", options={"n": 4}, players=[bob, alice], plies="d4")
    oware = GameFactory.create(ruleset="oware", players=[alice, bob], plies="6 3 5 1 4 6 1 2")
    proposals.propose(game=oware.pk, seat=1, kind="divide", via="web", key=uuid4().hex)
    return [
        Page("bridgit", f"/games/{joins.pk}/", hers),
        Page("bridgit-preview", f"/games/{joins.pk}/?move=f6", hers),
        Page("bridgit-large", f"/games/{joins_many.pk}/", hers),
        Page("bridgit-large-preview", f"/games/{joins_many.pk}/?move=n16", hers),
        Page("bridgit-swap", f"/games/{swaps.pk}/?move=swap", hers),
        Page("bridgit-over", f"/games/{over.pk}/", hers),
        Page("oware", f"/games/{oware.pk}/", hers),
        Page("challenge-new-bridgit", "/challenges/new/?game=bridgit", hers),
    ]


def _sprouts(alice: Player, bob: Player) -> list[Page]:
    hers = _of(alice)
    begins, large, middle, goes_on, over = (
        GameFactory.create(ruleset="sprouts", options={"n": n}, players=[alice, bob], plies=plies)
        for n, plies in (
            (8, ""),
            (33, "1(34)1[2-17] 3(35)5"),
            (8, MATCH),
            (8, " ".join(SPROUTS.split()[:14])),
            (8, SPROUTS),
        )
    )
    here = f"/games/{middle.pk}/?move="
    hers_by_letter = right(middle)
    chosen = f"/rights/{hers_by_letter}/?at={middle.position_number}&move="
    return [
        Page("sprouts", f"/games/{begins.pk}/", hers),
        Page("sprouts-sides", f"/games/{begins.pk}/?move=3(9)3&sides=1&side=4&side=7", hers),
        Page("sprouts-large", f"/games/{large.pk}/", hers),
        Page("sprouts-middle", f"/games/{goes_on.pk}/", hers),
        Page("sprouts-from", f"{here}7", hers),
        Page("sprouts-parts", f"{here}7-7", hers),
        Page("sprouts-ambiguous", f"{here}5(15)6", hers),
        Page("sprouts-preview", f"{here}7(15)7[9,13]", hers),
        Page("sprouts-over", f"/games/{over.pk}/", hers),
        Page("sprouts-right", f"/rights/{hers_by_letter}/"),
        Page("sprouts-right-parts", f"{chosen}7-7"),
        Page("challenge-new-sprouts", "/challenges/new/?game=sprouts", hers),
    ]


def _from_letters(alice: Player, bob: Player, zoe: Player) -> list[Page]:
    """What links in letters lead to, for whoever is not logged in and for the opponent to whom one was passed on."""
    game = GameFactory.create(players=[alice, bob], plies="4-6 3-1")
    asks = GameFactory.create(players=[zoe, alice], plies="1 1 2")
    asked = proposals.propose(game=asks.pk, seat=0, kind="draw", via="web", key=uuid4().hex).head
    mine = right(game, seat=0)
    spent = Right.objects.mint(game=game.pk, seat=1, player=bob.pk, turn_number=game.turn_number - 1, purpose=Right.Purpose.MOVE)
    answer = right(asks, seat=1, proposal=asked)
    leave = leaving.link(f"{Topic.TURNS}:{alice.pk}").partition("/letters/")[2]
    chosen = f"/rights/{mine}/?at={game.position_number}&move=1"
    return [
        Page("right", f"/rights/{mine}/"),
        Page("right-move", chosen),
        Page("right-stale", f"/rights/{mine}/?at=1&move=1"),
        Page("right-passed-on", f"/rights/{mine}/", _of(bob), 403),
        Page("right-spent", f"/rights/{spent}/"),
        Page("right-unknown", f"/rights/{'0' * 32}/", status=404),
        Page("right-answer", f"/rights/{answer}/"),
        Page("letters-left", f"/letters/{leave}"),
    ]


def _lists_and_challenges(alice: Player, bob: Player, zoe: Player) -> list[Page]:
    hers, newcomer = _of(alice), _of(somebody("Newcomer"))
    open_one = ChallengeFactory.create(challenger=zoe)
    to_her = ChallengeFactory.create(challenger=bob, opponent=alice)
    mine, begun = (ChallengeFactory.create(challenger=alice, begins=Challenge.Begins.OPPONENT) for _ in range(2))
    challenge.accept_challenge(challenge_id=begun.pk, player=bob)
    nobody = {"opponent": "Nobody Here", "reflection": "1"}
    return [
        Page("home-player", "/", hers),
        Page("mine", "/my/", hers),
        Page("mine-empty", "/my/", newcomer),
        Page("finished", "/my/finished/", hers),
        Page("challenge-new", "/challenges/new/", hers),
        Page("challenge-refused", "/challenges/new/", hers, 400, ("/challenges/new/", nobody)),
        Page("challenge", f"/challenges/{open_one.pk}/", hers),
        Page("challenge-to-me", f"/challenges/{to_her.pk}/", hers),
        Page("challenge-mine", f"/challenges/{mine.pk}/", hers),
        Page("challenge-begun", f"/challenges/{begun.pk}/", hers),
        Page("player", f"/players/{bob.pk}/", hers),
        Page("player-myself", f"/players/{alice.pk}/", hers),
        Page("report", f"/players/{bob.pk}/report/", hers),
    ]


def _account(alice: Player, mallory: Player) -> list[Page]:
    hers = _of(alice)
    BlockFactory.create(player=alice, other=somebody("Trent"))
    return [
        Page("settings", "/accounts/settings/", hers),
        Page("letters", "/accounts/letters/", hers),
        Page("addresses", "/accounts/email/", hers),
        Page("password", "/accounts/password/change/", hers),
        Page("second-factor", "/accounts/2fa/", hers),
        Page("second-factor-app", "/accounts/2fa/totp/activate/", hers),
        Page("second-factor-keys", "/accounts/2fa/webauthn/", hers),
        Page("second-factor-key-new", "/accounts/2fa/webauthn/add/", hers),
        Page("sessions", "/accounts/sessions/", hers),
        Page("blocks", "/accounts/blocks/", hers),
        Page("export", "/accounts/export/", hers),
        Page("delete", "/accounts/delete/", hers),
        Page("prove", "/accounts/reauthenticate/", hers),
        Page("prove-code", "/accounts/reauthenticate/code/", hers),
        Page("log-out", "/accounts/logout/", hers),
        Page("suspended", "/my/", _of(mallory)),
    ]


def _second_factor() -> list[Page]:
    faythe = somebody("Faythe")
    with_app(faythe)
    half, whole = logged_in(faythe, **HERE), _with_code(faythe)
    return [
        Page("second-factor-asked", "/accounts/2fa/authenticate/", _session(half)),
        Page("second-factor-again", "/accounts/2fa/reauthenticate/", whole),
        Page("second-factor-off", "/accounts/2fa/totp/deactivate/", whole),
        Page("second-factor-codes", "/accounts/2fa/recovery-codes/", whole),
        Page("second-factor-codes-new", "/accounts/2fa/recovery-codes/generate/", whole),
    ]


def _invitations(zoe: Player) -> list[Page]:
    ChallengeFactory.create(challenger=zoe, address="dan@example.org")
    path = _path_in_letter("dan@example.org", r"/invitations/\S+")
    wants = Client(**HERE)
    wants.post(path, {"act": "log in"})
    wants.force_login(somebody("Dan"))
    letter = kept.newest("dan@example.org")[0].name
    return [
        Page("invitation", path),
        Page("invitation-remembered", "/invitations/", _session(wants)),
        Page("invitation-unknown", "/invitations/0123456789abcdef/", status=404),
        Page("letter", f"/mailbox/{letter}/"),
    ]


def _desk(moderator: Player, alice: Player, bob: Player) -> list[Page]:
    with_app(moderator)
    session = _with_code(moderator)
    game = GameFactory.create(players=[alice, bob], plies="1 1")
    report = ReportFactory.create(reporter=alice, reported=bob, game=game.pk)
    return [
        Page(name, f"/admin/{path}", session)
        for name, path in (
            ("desk", ""),
            ("desk-games", "games/game/"),
            ("desk-game", f"games/game/{game.pk}/change/"),
            ("desk-game-time", f"games/game/{game.pk}/extend/"),
            ("desk-game-ruling", f"games/game/{game.pk}/adjudicate/"),
            ("desk-players", "accounts/player/"),
            ("desk-player", f"accounts/player/{bob.pk}/change/"),
            ("desk-player-suspend", f"accounts/player/{bob.pk}/suspend/"),
            ("desk-reports", "accounts/report/"),
            ("desk-report", f"accounts/report/{report.pk}/change/"),
            ("desk-letters", "notifications/letter/"),
        )
    ]


def _clear_pages(alice: Player) -> list[Page]:
    hers = _of(alice)
    return [
        Page("not-found", "/nowhere/", status=404),
        Page("not-allowed", "/admin/login/?next=/admin/", hers, 403),
        Page("form-too-old", "/my/", hers, 403, ("/challenges/new/", {"csrfmiddlewaretoken": "old"})),
    ]


@cache
def _of(player: Player) -> str:
    """A session of somebody who has just logged in, and typed the password again as dangerous pages ask."""
    client = logged_in(player, **HERE)
    proves_it_is_me(client)
    return _session(client)


def _with_code(player: Player) -> str:
    """One that began with a code of their app too; a code is good once."""
    client = logged_in(player, **HERE)
    client.post(reverse("mfa_authenticate"), {"code": code()})
    proves_it_is_me(client)
    return _session(client)


def _without_letters(name: str) -> Player:
    """Hundreds of moves at large tables would keep the worker busy with letters that no picture shows."""
    player = somebody(name)
    PreferenceFactory.create(player=player, **dict.fromkeys((Topic.TURNS, Topic.ENDS, Topic.PROPOSALS), Pace.NONE))
    return player


def _session(client: Client) -> str:
    return client.cookies["sessionid"].value


def _path_in_letter(address: str, pattern: str) -> str:
    """The path in a letter that the running stack is about to send."""
    for _ in range(240):
        for letter in kept.newest(address):
            if found := re.search(pattern, letter.text):
                return found[0]
        sleep(0.25)
    raise TimeoutError(f"no letter with {pattern} came to {address}")
