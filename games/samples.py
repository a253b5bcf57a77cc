"""Samples of letters about games and challenges: two players, and what has to happen for each letter."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any, Final, TypeAlias
from uuid import uuid4

from django.db import transaction
from django.utils import timezone

from accounts.models import Player
from accounts.samples import JUDGE, READER, somebody
from accounts.services import suspension
from accounts.services.settings import change_letters
from games.letters import challenges as challenge_letters
from games.letters import daily as daily_letters
from games.letters import proposals as proposal_letters
from games.letters import rulings as ruling_letters
from games.letters import table as table_letters
from games.letters import warnings as warning_letters
from games.models import Challenge, Game, Invitation, LogEntry
from games.models.challenge import REMINDED, STANDS
from games.rules import entry as kinds
from games.rules import registry
from games.services import adjudicate, challenge, expiry, messages, moves, proposals, pulse, reflection, waiting, warning
from games.services.log import opened
from games.services.terms import Terms
from notifications import outbox
from notifications.preferences import Wishes
from notifications.topics import PACES, Pace

WEB: Final = LogEntry.Via.WEB
BOB: Final = "bob@samples.example.org"
CHARLIE: Final = "charlie@samples.example.org"
STRANGER: Final = "dan@samples.example.org"
TERMS: Final = Terms("mangala", timedelta(days=3), {}, begins=Challenge.Begins.CHALLENGER)
TABLE: Final = Terms("rainbow", timedelta(days=2), {}, seats=5)
FEW: Final = 6
"""So many plies of Rainbow, and there is something to tell."""
PLIES: Final = "4 6 2 5 4 3 1 4 3"
"""After them it is Alice's turn."""
REASON: Final = "The server of the club was away over the weekend."
SUSPENSION: Final = "Insults in messages, after two warnings."
AMENDS: Final = "An apology was accepted."


@dataclass(frozen=True, slots=True)
class Scene:
    """Alice, who reads the letter in most samples, and Bob, who plays with her."""

    alice: Player
    bob: Player

    def offer(self, **asked: Any) -> Challenge:
        """A challenge by Bob to Alice, unless another one is asked."""
        return challenge.open_challenge(
            **{"challenger": self.bob, "opponent": self.alice, "terms": TERMS, "key": _key(), **asked}
        )

    def begin(self, plies: str = "", *, ago: timedelta = timedelta(0)) -> int:
        """A game that Alice began after Bob had accepted, all so long ago."""
        at = timezone.now() - ago
        offered = self.offer(challenger=self.alice, opponent=self.bob)
        with transaction.atomic():
            waiting.take_seat(offered, self.bob, at, asked=True)
        for ply in plies.split():
            with opened(offered.game.pk, at) as log:
                log.append(kinds.MOVE, seat=log.to_move, text=ply, via=WEB)
        return int(offered.game.pk)


Bringing: TypeAlias = Callable[[Scene], str]
"""Lets it happen; the address of the letter's reader."""


class GameSamples:
    """Those of one source, each a kind of letter and what brings it about."""

    def __init__(self, told: Mapping[str, tuple[str, Bringing]]) -> None:
        self.samples: Mapping[str, str] = {name: kind for name, (kind, _bring) in told.items()}
        self._told = told

    def bring_about(self, name: str, language: str) -> str:
        """Lets it happen between two players who speak the language."""
        scene = Scene(somebody("Alice", READER, language), somebody("Bob", BOB, language))
        return self._told[name][1](scene)


def _key() -> str:
    return uuid4().hex


def _turn(scene: Scene) -> str:
    game = scene.begin(PLIES)
    messages.say(game=game, seat=1, text="I hope you did not see this coming!\nFrom tomorrow I am away until Friday.", key=_key())
    return scene.alice.email


def _first_turn(scene: Scene) -> str:
    scene.begin()
    return scene.alice.email


def _turn_taken_back(scene: Scene) -> str:
    game = scene.begin("4 6 2")
    proposals.agree(game=game, seat=0, number=_propose(game, 1, kinds.TAKEBACK), via=WEB, key=_key())
    return scene.bob.email


def _over(scene: Scene) -> str:
    game = scene.begin(PLIES)
    moves.resign(game=game, seat=1, via=WEB, key=_key())
    return scene.alice.email


def _warning(scene: Scene) -> str:
    now, played = timezone.now(), TERMS.reflection * 5 / 6
    pulse.beat(warning.MARK, now - played)
    scene.begin(PLIES, ago=played)
    warning.warn(since=now - played, now=now)
    return scene.alice.email


def _proposal(scene: Scene) -> str:
    _propose(scene.begin(PLIES), 1, "draw")
    return scene.alice.email


def _takeback(scene: Scene) -> str:
    _propose(scene.begin(PLIES), 1, kinds.TAKEBACK)
    return scene.alice.email


def _removed(scene: Scene) -> str:
    made = scene.offer(opponent=None, terms=replace(TABLE, seats=3))
    charlie = somebody("Charlie", CHARLIE, scene.alice.language)
    for player in (scene.alice, charlie):
        challenge.accept_challenge(challenge_id=made.pk, player=player)
    game = Game.objects.get(challenge=made)
    while game.entries.filter(kind=kinds.TIMEOUT).count() < 9:
        with opened(game.pk) as log:
            log.append(kinds.TIMEOUT, seat=log.to_move, via=LogEntry.Via.DEADLINE)
    seats = dict(game.seat_set.values_list("player", "number"))
    number = _propose(game.pk, seats[scene.bob.pk], f"{kinds.REMOVE} {seats[scene.alice.pk]}")
    proposals.agree(game=game.pk, seat=seats[charlie.pk], number=number, via=WEB, key=_key())
    return scene.alice.email


def _rainbow_turn(scene: Scene) -> str:
    return _at_a_table(scene, asked=False)


def _rainbow_answer(scene: Scene) -> str:
    return _at_a_table(scene, asked=True)


def _at_a_table(scene: Scene, *, asked: bool) -> str:
    """A game of Rainbow for three, in which Alice is to move, or to take or refuse a drop; another where luck ends it before."""
    guests = (scene.alice, somebody("Charlie", CHARLIE, scene.alice.language))
    while not _comes_to_alice(scene, guests, asked=asked):
        continue
    return scene.alice.email


def _comes_to_alice(scene: Scene, guests: Sequence[Player], *, asked: bool) -> bool:
    made = scene.offer(opponent=None, terms=replace(TABLE, seats=3))
    for player in guests:
        challenge.accept_challenge(challenge_id=made.pk, player=player)
    game = Game.objects.get(challenge=made)
    hers, ruleset = game.seat_set.get(player=scene.alice).number, registry.get(TABLE.ruleset)
    while True:
        game.refresh_from_db()
        possible = list(ruleset.legal_moves(ruleset.load(game.position)))
        if game.plies > FEW and game.to_move == hers and ("accept" in possible) == asked:
            return True
        if not possible:
            return False
        text = next((one for one in possible if one.startswith("offer")), possible[-1])
        with opened(game.pk) as log:
            log.append(kinds.MOVE, seat=log.to_move, text=text, via=WEB)


def _refusal(scene: Scene) -> str:
    game = scene.begin(PLIES)
    proposals.refuse(game=game, seat=1, number=_propose(game, 0, "draw"), via=WEB, key=_key())
    return scene.alice.email


def _propose(game: int, seat: int, kind: str) -> int:
    """The number of the proposal's entry."""
    return proposals.propose(game=game, seat=seat, kind=kind, via=WEB, key=_key()).head


def _invitation(scene: Scene) -> str:
    scene.offer(opponent=None, address=STRANGER)
    return STRANGER


def _invitation_expired(scene: Scene) -> str:
    made = scene.offer(opponent=None, address=STRANGER)
    Invitation.objects.all().mint(made.invitations.get().pk)
    _expire(made)
    return STRANGER


def _challenge(scene: Scene) -> str:
    scene.offer()
    return scene.alice.email


def _rematch(scene: Scene) -> str:
    game = scene.begin("4 6 2")
    moves.resign(game=game, seat=1, via=WEB, key=_key())
    challenge.offer_rematch(game_id=game, player=scene.bob)
    return scene.alice.email


def _accepted(scene: Scene) -> str:
    """Bob begins whom Alice had challenged."""
    made = scene.offer(challenger=scene.alice, opponent=scene.bob, terms=replace(TERMS, begins=Challenge.Begins.OPPONENT))
    challenge.accept_challenge(challenge_id=made.pk, player=scene.bob)
    return scene.alice.email


def _declined(scene: Scene) -> str:
    made = scene.offer(challenger=scene.alice, opponent=scene.bob)
    challenge.decline_challenge(challenge_id=made.pk, player=scene.bob)
    return scene.alice.email


def _expiring(scene: Scene) -> str:
    made = scene.offer()
    Challenge.objects.filter(pk=made.pk).update(created_at=timezone.now() - STANDS + REMINDED)
    pulse.beat(expiry.MARK, timezone.now() - REMINDED)
    expiry.remind(timezone.now())
    return scene.alice.email


def _enough(scene: Scene) -> str:
    made = scene.offer(challenger=scene.alice, opponent=None, terms=TABLE)
    challenge.accept_challenge(challenge_id=made.pk, player=scene.bob)
    return scene.alice.email


def _withdrawn(scene: Scene) -> str:
    made = scene.offer(opponent=None, terms=TABLE)
    challenge.accept_challenge(challenge_id=made.pk, player=scene.alice)
    challenge.withdraw_challenge(challenge_id=made.pk, player=scene.bob)
    return scene.alice.email


def _expired(scene: Scene) -> str:
    _expire(scene.offer(challenger=scene.alice, opponent=scene.bob))
    return scene.alice.email


def _expired_for_the_other(scene: Scene) -> str:
    _expire(scene.offer())
    return scene.alice.email


def _expire(made: Challenge) -> None:
    Challenge.objects.filter(pk=made.pk).update(created_at=timezone.now() - STANDS)
    expiry.expire(timezone.now())


def _extended(scene: Scene) -> str:
    game = scene.begin(PLIES)
    adjudicate.extend_deadline(game=game, seconds=172_800, head=_head(game), **_ruling(scene))
    return scene.alice.email


def _adjudicated(scene: Scene) -> str:
    game = scene.begin(PLIES)
    adjudicate.adjudicate(game=game, verdict="win:0", head=_head(game), **_ruling(scene))
    return scene.alice.email


def _taken_back(scene: Scene) -> str:
    game = scene.begin(PLIES, ago=TERMS.reflection * 2)
    reflection.run_out(game_id=game, now=timezone.now())
    adjudicate.take_back(game=game, number=_head(game), **_ruling(scene))
    return scene.alice.email


def _paused(scene: Scene) -> str:
    scene.begin(PLIES)
    suspension.suspend(player_id=scene.bob.pk, by=_judge(scene), reason=SUSPENSION)
    return scene.alice.email


def _paused_myself(scene: Scene) -> str:
    scene.begin(PLIES)
    suspension.suspend(player_id=scene.alice.pk, by=_judge(scene), reason=SUSPENSION)
    return scene.alice.email


def _resumed(scene: Scene) -> str:
    scene.begin(PLIES)
    judge = _judge(scene)
    suspension.suspend(player_id=scene.bob.pk, by=judge, reason=SUSPENSION)
    suspension.restore(player_id=scene.bob.pk, by=judge, reason=AMENDS)
    return scene.alice.email


def _outage(scene: Scene) -> str:
    with opened(scene.begin(PLIES)) as log:
        log.append(kinds.CLOCK, text=f"{kinds.OUTAGE} 7200", via=LogEntry.Via.HOUSE)
    return scene.alice.email


def _ruling(scene: Scene) -> dict[str, Any]:
    return {"by": _judge(scene), "reason": REASON, "key": _key()}


def _judge(scene: Scene) -> Player:
    return somebody("Judge", JUDGE, scene.alice.language, is_superuser=True)


def _head(game: int) -> int:
    return Game.objects.values_list("head", flat=True).get(pk=game)


def _daily(scene: Scene) -> str:
    """Two games wait, one has ended; a proposal and a challenge came, and an answer."""
    paces = {str(topic): str(Pace.DAILY if Pace.DAILY in offered else Pace.EACH) for topic, offered in PACES.items()}
    change_letters(player=scene.alice, wishes=Wishes(paces=paces))
    _proposal(scene)
    _first_turn(scene)
    _over(scene)
    _challenge(scene)
    _declined(scene)
    today = timezone.now().date().isoformat()
    outbox.post(
        key=f"sample:{_key()}",
        kind=daily_letters.DAILY,
        source=daily_letters.SOURCE,
        about={"day": today},
        recipient_id=scene.alice.pk,
    )
    return scene.alice.email


SAMPLES: Final = {
    table_letters.SOURCE: GameSamples(
        {
            "turn": (table_letters.TURN, _turn),
            "first-turn": (table_letters.TURN, _first_turn),
            "turn-taken-back": (table_letters.TURN, _turn_taken_back),
            "over": (table_letters.OVER, _over),
            "rainbow-turn": (table_letters.TURN, _rainbow_turn),
            "rainbow-answer": (table_letters.TURN, _rainbow_answer),
        }
    ),
    warning_letters.SOURCE: GameSamples({"warning": (warning_letters.WARNING, _warning)}),
    proposal_letters.SOURCE: GameSamples(
        {
            "draw": (proposal_letters.PROPOSAL, _proposal),
            "takeback": (proposal_letters.PROPOSAL, _takeback),
            "refused": (proposal_letters.ANSWER, _refusal),
            "removed": (proposal_letters.REMOVED, _removed),
        }
    ),
    challenge_letters.SOURCE: GameSamples(
        {
            "invitation": (challenge_letters.INVITATION, _invitation),
            "challenge": (challenge_letters.CHALLENGE, _challenge),
            "rematch": (challenge_letters.CHALLENGE, _rematch),
            "accepted": (challenge_letters.ACCEPTED, _accepted),
            "declined": (challenge_letters.DECLINED, _declined),
            "expiring": (challenge_letters.EXPIRING, _expiring),
            "enough": (challenge_letters.ENOUGH, _enough),
            "withdrawn": (challenge_letters.WITHDRAWN, _withdrawn),
            "expired": (challenge_letters.EXPIRED, _expired),
            "expired-for-the-other": (challenge_letters.EXPIRED, _expired_for_the_other),
            "expired-invitation": (challenge_letters.EXPIRED, _invitation_expired),
        }
    ),
    ruling_letters.SOURCE: GameSamples(
        {
            "extended": (ruling_letters.EXTENDED, _extended),
            "adjudicated": (ruling_letters.ADJUDICATED, _adjudicated),
            "taken-back": (ruling_letters.TAKEN_BACK, _taken_back),
            "paused": (ruling_letters.PAUSED, _paused),
            "paused-myself": (ruling_letters.PAUSED, _paused_myself),
            "resumed": (ruling_letters.RESUMED, _resumed),
            "outage": (ruling_letters.OUTAGE, _outage),
        }
    ),
    daily_letters.SOURCE: GameSamples({"daily": (daily_letters.DAILY, _daily)}),
}
"""By source of letters."""
