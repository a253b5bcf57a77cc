"""Challenges: as pages, lists and letters show them, and who may play with whom."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Any, Final

from django.db.models import Exists, OuterRef, Prefetch, Q, QuerySet, Subquery
from django.utils import timezone

from accounts.models import Player
from accounts.names import name_key
from games.models import Acceptance, Challenge, Invitation, Seat
from games.models.challenge import apart_from
from games.rules import registry
from games.selectors.rooms import fits, link_of
from games.selectors.words import Person, computer_of_many, duration, options_in_words, person, person_at, title_of
from notifications.prepared import prepared

TOLD: Final = 16
"""So many digits tell versions of a page apart."""


@dataclass(frozen=True, slots=True)
class ChallengeLine:
    """A challenge in a list or on its page; `may` is what the viewer may do now: accept, decline, withdraw, leave, begin, invite.

    `by` leads to the challenger's page, `mine` says that the viewer made it; `address` is that of an invitation of two, `invited`
    are those to a larger table with whether they declined, `link` is what opens its room: only the challenger sees them.
    `declined` are those who do not come to the rematch of a larger table.
    `joined` are those who have a seat, the challenger first, `computers` of them are computers; with `fewest` of them the game
    may begin. `version` is another text whenever its page would be another for the same reader.
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
    fewest: int = 2
    listed: bool = True
    joined: tuple[Person, ...] = ()
    invited: tuple[tuple[str, bool], ...] = ()
    declined: tuple[Person, ...] = ()
    link: str = ""
    computers: int = 0

    @property
    def version(self) -> str:
        """Of all that is told here."""
        told = repr((replace(self, may=frozenset()), sorted(self.may)))
        return sha256(told.encode()).hexdigest()[:TOLD]


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
    waits = Challenge.objects.open().alive().filter(concerned).exclude(declined_by=player)
    return waits.order_by().values_list("pk").distinct()


def answered_since(player: Player, since: datetime) -> list[ChallengeLine]:
    """The player's own challenges that somebody accepted or declined, or that expired, since then."""
    told = (Challenge.State.STARTED, Challenge.State.DECLINED, Challenge.State.EXPIRED)
    return _lines(Challenge.objects.filter(challenger=player, state__in=told, closed_at__gt=since).order_by("closed_at"), player)


def challenge(pk: int, viewer: Player | None, link: str = "") -> ChallengeLine | None:
    """One challenge; one to a named player, or to the players of a game, is only for them, an invitation for the challenger
    and who accepted it, a room that is not listed for those and who brings its link."""
    asked = Q(pk__in=_offered(viewer))
    if viewer is not None:
        asked |= Q(opponent=viewer) | Q(challenger=viewer) | Q(rematch_of__seat__player=viewer) | Q(acceptances__player=viewer)
    if link and fits(pk, link):
        asked |= Q(seats__gt=2) | ~Q(state=Challenge.State.OPEN)
    found = next(iter(_lines(Challenge.objects.filter(asked, pk=pk).distinct(), viewer, link)), None)
    if found is None or found.seats == 2:
        return found
    declined = list(Player.objects.filter(pk__in=_declined(pk)).order_by("pk")) if found.rematch_of else []
    may = found.may - {"decline"} if viewer in declined else found.may
    return replace(found, invited=_invited(pk) if found.mine else (), declined=tuple(map(person, declined)), may=may)


def _declined(pk: int) -> QuerySet[Any, Any]:
    return Challenge.declined_by.through.objects.filter(challenge=pk).values("player")


def _invited(pk: int) -> tuple[tuple[str, bool], ...]:
    rows = Invitation.objects.filter(challenge=pk).order_by("pk").values_list("address", "declined_at")
    return tuple([(address, declined is not None) for address, declined in rows])


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


def _lines(challenges: QuerySet[Challenge], viewer: Player | None, link: str = "") -> list[ChallengeLine]:
    taken = Prefetch("acceptances", Acceptance.objects.select_related("player"))
    again = Exists(Seat.objects.filter(game=OuterRef("rematch_of"), player=viewer))
    invited = Subquery(Invitation.objects.filter(challenge=OuterRef("pk")).order_by("pk").values("address")[:1])
    whole = challenges.select_related("challenger", "opponent", "game").prefetch_related(taken)
    now = timezone.now()
    return [
        _line(one, viewer, now, link) for one in whole.annotate(asked_again=again, apart=apart_from(viewer), invited_to=invited)
    ]


def _line(one: Any, viewer: Player | None, now: datetime, link: str) -> ChallengeLine:
    facts = registry.get(one.ruleset).facts
    seated = [
        Person(computer_of_many(acceptance.engine), None)
        if one.seats > 2 and acceptance.engine is not None
        else person_at(acceptance)
        for acceptance in one.acceptances.all()
    ]
    return ChallengeLine(
        pk=one.pk,
        ruleset=one.ruleset,
        title=title_of(one.ruleset),
        options=options_in_words(facts, one.options),
        challenger=one.challenger.name,
        by=person(one.challenger),
        mine=viewer == one.challenger,
        opponent=one.opponent.name if one.opponent else "",
        address=(one.invited_to or "") if viewer == one.challenger and one.seats == 2 else "",
        seats=one.seats,
        taken=tuple(one.name for one in seated),
        reflection=duration(timedelta(seconds=one.reflection)),
        begins=one.get_begins_display(),
        public=one.public,
        state=one.state,
        state_title=one.get_state_display(),
        game=one.game.pk if hasattr(one, "game") else None,
        rematch_of=one.rematch_of_id,
        created_at=one.created_at,
        stands_until=one.stands_until,
        may=_may(one, viewer, [acceptance.player for acceptance in one.acceptances.all()], now, link),
        fewest=facts.seats[0],
        listed=one.listed,
        joined=tuple(seated),
        computers=sum(acceptance.engine is not None for acceptance in one.acceptances.all()),
        link=link_of(one.pk) if viewer == one.challenger and one.seats > 2 and not one.listed else "",
    )


def _may(one: Any, viewer: Player | None, taken: list[Player | None], now: datetime, link: str) -> frozenset[str]:
    if viewer is None or one.state != Challenge.State.OPEN or now >= one.stands_until:
        return frozenset()
    if viewer == one.challenger:
        enough = {"begin"} if len(taken) >= registry.get(one.ruleset).facts.seats[0] else set()
        return frozenset({"withdraw", "invite", *enough} if one.seats > 2 else {"withdraw"})
    if viewer in taken:
        return frozenset({"leave"})
    able = {"accept"} if may_play(viewer) and may_play(one.challenger) and not one.apart else set()
    if viewer == one.opponent or one.asked_again:
        return frozenset({"decline", *able})
    if one.seats > 2:
        to_anyone = one.rematch_of_id is None and (one.listed or fits(one.pk, link))
    else:
        to_anyone = one.opponent is None and one.rematch_of_id is None and one.invited_to is None
    return frozenset(able) if to_anyone else frozenset()
