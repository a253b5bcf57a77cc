"""Challenges: as pages, lists and letters show them, and who may play with whom."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Exists, OuterRef, Prefetch, Q, QuerySet
from django.utils import timezone

from accounts.models import Player
from accounts.names import name_key
from games.models import Acceptance, Challenge, Seat
from games.models.challenge import apart_from
from games.rules import registry
from games.selectors.words import Person, duration, options_in_words, person, title_of
from notifications.prepared import prepared


@dataclass(frozen=True, slots=True)
class ChallengeLine:
    """A challenge in a list or on its page; `may` is what the viewer may do now: accept, decline, withdraw, leave.

    `by` leads to the challenger's page, `mine` says that the viewer made it; `address` is that of an invitation, which only
    the challenger sees.
    """

    pk: int
    ruleset: str
    title: str
    options: tuple[tuple[str, str], ...]
    challenger: str
    by: Person
    mine: bool
    opponent: str
    address: str
    seats: int
    taken: tuple[str, ...]
    reflection: str
    begins: str
    public: bool
    state: str
    state_title: str
    game: int | None
    rematch_of: int | None
    created_at: datetime
    stands_until: datetime
    may: frozenset[str] = frozenset()


def open_challenges(viewer: Player | None = None, *, most: int = 100) -> list[ChallengeLine]:
    """The challenges that the viewer may see and anyone accept, the newest first."""
    return _lines(_offered(viewer).open().order_by("-created_at")[:most], viewer)


def challenges_of(player: Player) -> list[ChallengeLine]:
    """The open challenges that the player made, takes part in, or is asked to accept by name, the newest first."""
    concerned = [pk for (pk,) in _concerned(player.pk)]
    return _lines(Challenge.objects.filter(pk__in=concerned).order_by("-created_at"), player) if concerned else []


@prepared
def _concerned(player: int) -> QuerySet[Challenge, Any]:
    """For most, most of the time, nothing waits; then this is all that is asked."""
    concerned = Q(opponent=player) | Q(challenger=player) | Q(acceptances__player=player) | Q(rematch_of__seat__player=player)
    return Challenge.objects.open().alive().filter(concerned).order_by().values_list("pk").distinct()


def answered_since(player: Player, since: datetime) -> list[ChallengeLine]:
    """The player's own challenges that somebody accepted or declined, or that expired, since then."""
    told = (Challenge.State.STARTED, Challenge.State.DECLINED, Challenge.State.EXPIRED)
    return _lines(Challenge.objects.filter(challenger=player, state__in=told, closed_at__gt=since).order_by("closed_at"), player)


def challenge(pk: int, viewer: Player | None) -> ChallengeLine | None:
    """One challenge; one to a named player, or to the players of a game, is only for them, an invitation for the challenger
    and who accepted it."""
    asked = Q(pk__in=_offered(viewer))
    if viewer is not None:
        asked |= Q(opponent=viewer) | Q(challenger=viewer) | Q(rematch_of__seat__player=viewer) | Q(acceptances__player=viewer)
    return next(iter(_lines(Challenge.objects.filter(asked, pk=pk).distinct(), viewer)), None)


def challenge_told(pk: int, viewer: Player | None) -> ChallengeLine | None:
    """One challenge for somebody who is known to be concerned: the reader of a letter, the holder of an invitation."""
    return next(iter(_lines(Challenge.objects.filter(pk=pk), viewer)), None)


def may_play(player: Player) -> bool:
    """Whether the player may start games: neither suspended nor gone nor about to go."""
    return player.is_active and not (player.suspended_at or player.leaving_at or player.erased_at)


def player_named(name: str) -> Player | None:
    """The player whose display name looks like this, in whatever case it is written."""
    return Player.objects.filter(name_key=name_key(name)).first()


def _offered(viewer: Player | None) -> Any:
    offered = Challenge.objects.to_anyone().alive()
    return offered if viewer is None else offered.not_apart_from(viewer)


def _lines(challenges: QuerySet[Challenge], viewer: Player | None) -> list[ChallengeLine]:
    taken = Prefetch("acceptances", Acceptance.objects.select_related("player"))
    again = Exists(Seat.objects.filter(game=OuterRef("rematch_of"), player=viewer))
    whole = challenges.select_related("challenger", "opponent", "game", "invitation").prefetch_related(taken)
    now = timezone.now()
    return [_line(one, viewer, now) for one in whole.annotate(asked_again=again, apart=apart_from(viewer))]


def _line(one: Any, viewer: Player | None, now: datetime) -> ChallengeLine:
    facts = registry.get(one.ruleset).facts
    players = [acceptance.player for acceptance in one.acceptances.all()]
    return ChallengeLine(
        pk=one.pk,
        ruleset=one.ruleset,
        title=title_of(one.ruleset),
        options=options_in_words(facts, one.options),
        challenger=one.challenger.name,
        by=person(one.challenger),
        mine=viewer == one.challenger,
        opponent=one.opponent.name if one.opponent else "",
        address=one.invitation.address if viewer == one.challenger and hasattr(one, "invitation") else "",
        seats=one.seats,
        taken=tuple(player.name for player in players),
        reflection=duration(timedelta(seconds=one.reflection)),
        begins=one.get_begins_display(),
        public=one.public,
        state=one.state,
        state_title=one.get_state_display(),
        game=one.game.pk if hasattr(one, "game") else None,
        rematch_of=one.rematch_of_id,
        created_at=one.created_at,
        stands_until=one.stands_until,
        may=_may(one, viewer, players, now),
    )


def _may(one: Any, viewer: Player | None, taken: list[Player], now: datetime) -> frozenset[str]:
    if viewer is None or one.state != Challenge.State.OPEN or now >= one.stands_until:
        return frozenset()
    if viewer == one.challenger:
        return frozenset({"withdraw"})
    if viewer in taken:
        return frozenset({"leave"})
    able = {"accept"} if may_play(viewer) and may_play(one.challenger) and not one.apart else set()
    if viewer == one.opponent or one.asked_again:
        return frozenset({"decline", *able})
    to_anyone = one.opponent is None and one.rematch_of_id is None and not hasattr(one, "invitation")
    return frozenset(able) if to_anyone else frozenset()
