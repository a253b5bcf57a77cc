"""Challenges: terms that wait for players; the last acceptance starts the one game."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import IntegrityError, transaction
from django.utils import timezone

from accounts.models import Player
from games import timing
from games.models import Acceptance, Challenge, Game, LogEntry, Seat
from games.rules import entry as kinds
from games.rules import registry
from games.rules.entry import OptionValue
from games.rules.phrase import phrase
from games.rules.position import BadOptions
from games.rules.ruleset import complete
from games.services.chance import lot
from games.services.errors import BadTerms, ChallengeClosed, Gone, NotAllowed
from games.services.log import OpenLog


@dataclass(frozen=True, slots=True)
class Terms:
    """What a challenge offers; `begins` is one of Challenge.Begins."""

    ruleset: str
    reflection: timedelta
    options: Mapping[str, OptionValue]
    seats: int = 2
    begins: str = Challenge.Begins.LOT
    public: bool = True


def open_challenge(*, challenger: Player, terms: Terms, opponent: Player | None = None, key: str) -> Challenge:
    """Offers a game to anyone, or to one player. The same form key gives the same challenge. Raises BadTerms."""
    options = _checked(terms)
    if opponent is not None:
        if terms.seats != 2:
            raise BadTerms(phrase("A challenge to one player is a game of two."))
        if opponent == challenger:
            raise BadTerms(phrase("You cannot challenge yourself."))
        if not opponent.is_active:
            raise BadTerms(phrase("This player cannot be challenged."))
    return _open(challenger=challenger, terms=terms, options=options, opponent=opponent, key=key)


def _checked(terms: Terms) -> dict[str, OptionValue]:
    try:
        ruleset = registry.get(terms.ruleset)
        options = complete(ruleset.facts, terms.options)
        ruleset.start(options, terms.seats)
    except registry.UnknownRuleset:
        raise BadTerms(phrase("There is no such game.")) from None
    except BadOptions as bad:
        raise BadTerms(bad.said) from bad
    if not ruleset.facts.seats[0] <= terms.seats <= ruleset.facts.seats[1]:
        raise BadTerms(phrase("This game is not played by so many."))
    if not timing.SHORTEST <= terms.reflection <= timing.LONGEST:
        raise BadTerms(phrase("The reflection time is from 2 minutes to 30 days a turn."))
    if terms.begins not in Challenge.Begins.values:
        raise BadTerms(phrase("Say who begins."))
    return options


def _open(
    *,
    challenger: Player,
    terms: Terms,
    options: Mapping[str, OptionValue],
    opponent: Player | None,
    key: str,
    rematch_of: Game | None = None,
) -> Challenge:
    now = timezone.now()
    with transaction.atomic():
        earlier = Challenge.objects.filter(challenger=challenger, key=key).first()
        if earlier is not None:
            return earlier
        challenge = Challenge.objects.create(
            challenger=challenger,
            opponent=opponent,
            ruleset=terms.ruleset,
            ruleset_version=registry.get(terms.ruleset).facts.version,
            options=dict(options),
            seats=terms.seats,
            reflection=int(terms.reflection.total_seconds()),
            begins=terms.begins,
            public=terms.public,
            key=key,
            rematch_of=rematch_of,
            created_at=now,
        )
        Acceptance.objects.create(challenge=challenge, player=challenger, place=0, at=now)
        return challenge


def accept_challenge(*, challenge_id: int, player: Player) -> Challenge:
    """Takes a seat; the last one starts the game (`challenge.game`). Again by the same player: the same challenge.

    Raises Gone, NotAllowed, ChallengeClosed.
    """
    now = timezone.now()
    try:
        with transaction.atomic():
            challenge = _locked(challenge_id)
            players = [one.player for one in challenge.acceptances.select_related("player")]
            if player in players and player != challenge.challenger:
                return challenge
            if player == challenge.challenger:
                raise NotAllowed(phrase("This is your own challenge: somebody else has to accept it."))
            if challenge.opponent_id not in (None, player.pk):
                raise Gone
            _still_open(challenge)
            Acceptance.objects.create(challenge=challenge, player=player, place=len(players), at=now)
            players.append(player)
            if len(players) == challenge.seats:
                _start(challenge, players, now)
            return challenge
    except IntegrityError as taken:
        raise ChallengeClosed from taken


def decline_challenge(*, challenge_id: int, player: Player) -> Challenge:
    """The named opponent says no. Raises Gone, ChallengeClosed."""
    return _close(challenge_id, player, Challenge.State.DECLINED)


def withdraw_challenge(*, challenge_id: int, player: Player) -> Challenge:
    """The challenger takes it back. Raises Gone, ChallengeClosed."""
    return _close(challenge_id, player, Challenge.State.WITHDRAWN)


def _close(challenge_id: int, player: Player, state: Challenge.State) -> Challenge:
    with transaction.atomic():
        challenge = _locked(challenge_id)
        whose = challenge.opponent_id if state == Challenge.State.DECLINED else challenge.challenger_id
        if whose != player.pk:
            raise Gone
        if challenge.state == state:
            return challenge
        _still_open(challenge)
        challenge.state, challenge.closed_at = state, timezone.now()
        challenge.save(update_fields=["state", "closed_at"])
        return challenge


def offer_rematch(*, game_id: int, player: Player) -> Challenge:
    """The same terms again with seats exchanged (for more than two: turned by one). When another player of the game has
    offered it already, accepts that. Raises Gone, NotAllowed."""
    game = Game.objects.filter(pk=game_id).select_related("challenge").first()
    if game is None or game.challenge is None:
        raise Gone
    players = [seat.player for seat in game.seat_set.select_related("player")]
    if player not in players:
        raise Gone
    if game.ended_at is None:
        raise NotAllowed(phrase("A rematch is possible when the game is over."))
    offered = game.rematches.filter(state__in=(Challenge.State.OPEN, Challenge.State.STARTED)).first()
    if offered is not None:
        if offered.challenger == player:
            return offered
        return accept_challenge(challenge_id=offered.pk, player=player)
    terms = Terms(
        ruleset=game.ruleset,
        options=game.options,
        seats=game.seats,
        reflection=timedelta(seconds=game.reflection),
        begins=Challenge.Begins.LOT,
        public=game.public,
    )
    opponent = next(one for one in players if one != player) if game.seats == 2 else None
    key = f"rematch:{game.pk}:{game.rematches.count()}"
    try:
        return _open(challenger=player, terms=terms, options=game.options, opponent=opponent, key=key, rematch_of=game)
    except IntegrityError:
        return offer_rematch(game_id=game_id, player=player)


def _locked(challenge_id: int) -> Challenge:
    challenge = Challenge.objects.select_for_update().filter(pk=challenge_id).first()
    if challenge is None:
        raise Gone
    return challenge


def _still_open(challenge: Challenge) -> None:
    if challenge.state != Challenge.State.OPEN:
        raise ChallengeClosed


def _start(challenge: Challenge, players: list[Player], now: datetime) -> None:
    game = Game.objects.create(
        challenge=challenge,
        ruleset=challenge.ruleset,
        ruleset_version=challenge.ruleset_version,
        options=challenge.options,
        seats=challenge.seats,
        reflection=challenge.reflection,
        public=challenge.public,
        created_at=now,
    )
    seated = _seated(challenge, players)
    Seat.objects.bulk_create(Seat(game=game, number=number, player=player) for number, player in enumerate(seated))
    log = OpenLog(game, now)
    via = LogEntry.Via.HOUSE if challenge.begins == Challenge.Begins.LOT else LogEntry.Via.WEB
    for number, player in enumerate(seated):
        log.append(kinds.JOIN, seat=number, text=str(player.pk), via=via)
    log.write()
    challenge.state, challenge.closed_at = Challenge.State.STARTED, now
    challenge.save(update_fields=["state", "closed_at"])


def _seated(challenge: Challenge, players: list[Player]) -> list[Player]:
    """The players by seat: exchanged in a rematch, by lot, or with challenger or (first) opponent in front."""
    if challenge.rematch_of is not None:
        before = [seat.player for seat in challenge.rematch_of.seat_set.select_related("player")]
        turned = [*before[1:], before[0]]
        if set(turned) == set(players):
            return turned
    if challenge.begins == Challenge.Begins.LOT:
        return lot(players)
    if challenge.begins == Challenge.Begins.OPPONENT:
        return [*players[1:], players[0]]
    return players
