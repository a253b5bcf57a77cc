"""A challenge that waits: how it is locked, how a seat of it is taken, how it closes, which letters that owes.

Everything here runs inside the caller's transaction. Lock order: the challenge, then players by their ids.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime

from django.db import transaction

from accounts.models import Player
from accounts.selectors import are_apart
from games import selectors
from games.letters import challenges as letters
from games.models import Acceptance, Challenge, Game, Invitation, Seat
from games.rules import registry
from games.rules.phrase import phrase
from games.selectors.rooms import fits
from games.services import seating
from games.services.errors import BadTerms, ChallengeClosed, Gone, NotAllowed
from games.services.seating import Computer, Holder
from notifications import outbox
from notifications.nudges import nudge

CANNOT_PLAY = phrase("Your account is suspended or being closed: you may look at games, but not start one.")
APART = phrase("You cannot play with this player.")


def locked(challenge_id: int) -> Challenge:
    """The challenge, locked. Raises Gone."""
    challenge = Challenge.objects.select_for_update(no_key=True).filter(pk=challenge_id).first()
    if challenge is None:
        raise Gone
    return challenge


def locked_players(ids: Iterable[int]) -> dict[int, Player]:
    """The players as they are now. Nobody suspends them until the transaction ends."""
    rows = Player.objects.select_for_update(no_key=True).filter(pk__in=ids).order_by("pk")
    return {player.pk: player for player in rows}


def is_asked(challenge: Challenge, player: Player, link: str = "") -> bool:
    """Whether the challenge is to this player, to the players of a game of his, or to anyone; `link` is what somebody brings who
    was told where to come."""
    if challenge.opponent_id is not None:
        return challenge.opponent_id == player.pk
    if challenge.rematch_of_id is not None:
        return Seat.objects.filter(game=challenge.rematch_of_id, player=player).exists()
    if challenge.seats > 2:
        return challenge.listed or fits(challenge.pk, link)
    return not Invitation.objects.filter(challenge=challenge).exists()


def asked_by_name(challenge: Challenge) -> set[int]:
    """The ids of the players who are asked by name and have not declined: the opponent, or the others of the game before."""
    if challenge.opponent_id is not None:
        return {challenge.opponent_id}
    if challenge.rematch_of_id is None:
        return set()
    again = Seat.objects.filter(game=challenge.rematch_of_id).exclude(player=challenge.challenger_id).exclude(player=None)
    return {*again.values_list("player_id", flat=True)} - {*challenge.declined_by.values_list("pk", flat=True)}


def seated_players(challenge: Challenge) -> set[int]:
    """The ids of the players who have a seat."""
    return {one.player_id for one in challenge.acceptances.all() if one.player_id is not None}


def take_seat(challenge: Challenge, player: Player, now: datetime, *, asked: bool) -> None:
    """Gives the player a seat of a locked challenge; the last one starts the game. Again by the same player: nothing new.

    Raises Gone for one who is not `asked`, NotAllowed, ChallengeClosed.
    """
    taken = list(challenge.acceptances.all())
    seated = seated_players(challenge)
    if player.pk == challenge.challenger_id:
        raise NotAllowed(phrase("This is your own challenge: somebody else has to accept it."))
    if player.pk in seated:
        return
    if not asked:
        raise Gone
    present = locked_players({*seated, player.pk})
    stands = challenge.state == Challenge.State.OPEN and now < challenge.stands_until
    if not stands or not selectors.may_play(present[challenge.challenger_id]):
        raise ChallengeClosed
    if not selectors.may_play(present[player.pk]):
        raise NotAllowed(CANNOT_PLAY)
    if any(are_apart(player, present[other]) for other in seated):
        raise NotAllowed(APART)
    taken.append(Acceptance.objects.create(challenge=challenge, player=player, place=free_place(challenge, taken), at=now))
    if challenge.asks_a_table:
        challenge.declined_by.remove(player)
    if len(taken) == challenge.seats or _all_came(challenge, len(taken)):
        begin(challenge, holders(taken, present), now, by=player)
    elif len(taken) == _fewest(challenge):
        owe(letters.ENOUGH, challenge, player_id=challenge.challenger_id)


def free_place(challenge: Challenge, taken: Iterable[Acceptance]) -> int:
    """The first place that nobody has. Raises ValueError when there is none."""
    return min(set(range(challenge.seats)) - {one.place for one in taken})


def holders(taken: Iterable[Acceptance], present: Mapping[int, Player]) -> list[Holder]:
    """Who takes part, in the order of their places; `present` are the players, locked."""
    by_place = sorted(taken, key=lambda one: one.place)
    return [Computer(one.engine) if one.engine is not None else present[one.player_id or 0] for one in by_place]


def require_new(challenger: Player, address: str, *, key: str = "") -> None:
    """Raises BadTerms when an open challenge of the player, but for that of this form key, invites the address already."""
    open_ones = Challenge.objects.open().filter(challenger=challenger, invitation__address=address, invitation__declined_at=None)
    if open_ones.exclude(key=key).exists():
        raise BadTerms(phrase("You have invited this address already. That invitation is still open."))


def invite(challenge: Challenge, address: str, *, language: str) -> None:
    """Owes an invitation to the challenge, in the language of whoever invites. Raises IntegrityError for one that has it."""
    invitation = Invitation.objects.create(challenge=challenge, address=address, language=language)
    owe(letters.INVITATION, challenge, invitation=invitation)


def begin(challenge: Challenge, seated: Sequence[Holder], now: datetime, *, by: Player | None) -> Game:
    """Starts the game of a locked challenge with those who have a seat, in the order of their places; `by` pressed the button,
    None: somebody who is no player."""
    game = seating.start(challenge, seated, now)
    _tell_beginning(challenge, game, by=by)
    return game


def _tell_beginning(challenge: Challenge, game: Game, *, by: Player | None) -> None:
    """To those who waited: not to who let it begin, nor to whose turn it is, which has a letter."""
    waited = game.seat_set.exclude(player=by).exclude(player=None).values_list("number", "player_id")
    for seat, player_id in [one for one in waited if one[0] != game.to_move]:
        owe(letters.ACCEPTED, challenge, player_id=player_id, game=game.pk, seat=seat)


def close(challenge: Challenge, state: Challenge.State, now: datetime) -> bool:
    """Closes a locked challenge; False when it is closed in this way already. Raises ChallengeClosed."""
    if challenge.state == state:
        return False
    if challenge.state != Challenge.State.OPEN:
        raise ChallengeClosed
    challenge.state, challenge.closed_at = state, now
    challenge.save(update_fields=["state", "closed_at"])
    return True


def decline(challenge: Challenge, now: datetime, *, by: Player | None) -> None:
    """Closes a locked challenge because somebody said no; the challenger is told (F40). `by` None: the invited address.

    Raises ChallengeClosed.
    """
    if now >= challenge.stands_until and challenge.state == Challenge.State.OPEN:
        raise ChallengeClosed
    if close(challenge, Challenge.State.DECLINED, now):
        owe(letters.DECLINED, challenge, player_id=challenge.challenger_id, by=by.pk if by else None)


def decline_seat(challenge: Challenge, now: datetime, *, by: Player) -> None:
    """Somebody does not come to the rematch of a larger table, whose challenge is locked; the others may. It is declined when too
    few are left. Again: nothing new. Raises ChallengeClosed."""
    if challenge.state != Challenge.State.OPEN or now >= challenge.stands_until:
        raise ChallengeClosed
    challenge.declined_by.add(by)
    if challenge.acceptances.count() + _awaited(challenge) < _fewest(challenge):
        decline(challenge, now, by=by)
    else:
        begin_if_all_came(challenge, now, by=by)


def begin_if_all_came(challenge: Challenge, now: datetime, *, by: Player | None) -> None:
    """After a no: a locked rematch of a larger table begins when all who are left have accepted, and they are enough."""
    taken = list(challenge.acceptances.all())
    if not _all_came(challenge, len(taken)):
        return
    present = locked_players(seated_players(challenge))
    if selectors.may_play(present[challenge.challenger_id]):
        begin(challenge, holders(taken, present), now, by=by)


def _all_came(challenge: Challenge, taken: int) -> bool:
    """Whether so many seats are enough for the rematch of a larger table, and nobody else is waited for."""
    return challenge.asks_a_table and taken >= _fewest(challenge) and not _awaited(challenge)


def _fewest(challenge: Challenge) -> int:
    return registry.get(challenge.ruleset).facts.seats[0]


def _awaited(challenge: Challenge) -> int:
    """How many have yet to answer the rematch of a larger table: its players, and whoever was invited besides. Nobody knows which
    invitation somebody came by, so a player of the game before who was invited as well may be waited for in vain: then the
    owner begins."""
    named, seated = asked_by_name(challenge), seated_players(challenge) - {challenge.challenger_id}
    invited = challenge.invitations.filter(declined_at=None).count()
    return len(named - seated) + max(0, invited - len(seated - named))


def owe(
    kind: str, challenge: Challenge, *, player_id: int | None = None, invitation: Invitation | None = None, **about: int | None
) -> None:
    """Owes a letter about the challenge to a player or to an invited address."""
    told: dict[str, int | None] = {"challenge": challenge.pk, **about}
    if invitation is not None:
        told["invitation"] = invitation.pk
    key = f"challenge:{challenge.pk}:{kind}:{f'invited:{invitation.pk}' if invitation is not None else player_id}"
    outbox.post(
        key=key,
        kind=kind,
        source=letters.SOURCE,
        about=told,
        recipient_id=player_id,
        address=invitation.address if invitation is not None else "",
    )
    transaction.on_commit(lambda: nudge("notifications.deliver", key), robust=True)
