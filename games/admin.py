"""Games on the desk: their logs to read, and rulings as forms."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import timedelta
from typing import TYPE_CHECKING, Any, ClassVar

from django import forms
from django.contrib import admin
from django.contrib.admin.options import InlineModelAdmin
from django.db.models import Q, QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import gettext_lazy as _

from games.forms import new_key
from games.models import Challenge, Freeze, Game, Invitation, LogEntry, Message, Seat
from games.rules import entry as kinds
from games.rules import registry
from games.rules.ruleset import AnyRuleset
from games.selectors import board_of, duration, name_at, options_in_words, seat_title, title_of, why_it_ended
from games.selectors.desk import HIDING, hides, told_to_watchers
from games.services import adjudicate, freeze
from games.services.errors import Refused
from games.speech import say
from notifications.desk import Act, ConfirmForm, DeskAdmin, Link, ReadOnly, ReasonForm

if TYPE_CHECKING:
    from accounts.models import Player

    AnyInline = admin.TabularInline[Any, Any]
else:
    AnyInline = admin.TabularInline


class RulingForm(ReasonForm):
    """The reason, with what tells where the log stood: `head` is the number of the last entry that was seen."""

    head = forms.IntegerField(widget=forms.HiddenInput)
    key = forms.CharField(max_length=64, widget=forms.HiddenInput)


class ExtendForm(RulingForm):
    """Whole hours more."""

    hours = forms.IntegerField(label=_("Hours"), min_value=1, max_value=30 * 24)
    field_order = ("hours", "reason")


class AdjudicateForm(RulingForm):
    """Who wins, by seat; a draw; or nobody."""

    verdict = forms.ChoiceField(label=_("Verdict"), widget=forms.RadioSelect)
    field_order = ("verdict", "reason")

    def __init__(self, *args: Any, one: Game, **given: Any) -> None:
        super().__init__(*args, one=one, **given)
        ruleset = _ruleset_of(one)
        wins = [
            (
                f"win:{seat.number}",
                _("%(who)s wins (%(seat)s)") % {"who": name_at(seat), "seat": seat_title(ruleset, seat.number)},
            )
            for seat in one.seat_set.select_related("player")
            if ruleset is not None
        ]
        verdict = self.fields["verdict"]
        if isinstance(verdict, forms.ChoiceField):
            verdict.choices = [*wins, ("draw", _("A draw")), ("annul", _("Annulled: it counts for nobody"))]
            if ruleset is not None and ruleset.facts.hidden:
                verdict.help_text = _(
                    "The end opens what is hidden. Who has seen it cannot be made to forget it by taking the end back."
                )


def _begin(game: Game) -> Mapping[str, Any]:
    return {"head": game.head, "key": new_key()}


def _ruleset_of(game: Game) -> AnyRuleset | None:
    """None when its package is installed no more: such a game can only be read."""
    try:
        return registry.get(game.ruleset)
    except registry.UnknownRuleset:
        return None


def _may_rule(by: Player, game: Game) -> bool:
    """Whether there are rules, and the moderator has no seat here: nobody rules on a game he plays in (S14)."""
    return _ruleset_of(game) is not None and not Seat.objects.filter(game=game, player=by).exists()


def _seated(game: Game, seat: Seat) -> str:
    """Whoever holds the seat, by name and seat."""
    ruleset = _ruleset_of(game)
    return f"{name_at(seat)} ({seat_title(ruleset, seat.number)})" if ruleset is not None else name_at(seat)


def _without_rules(name: str) -> str:
    return _("%(ruleset)s (its rules are not installed)") % {"ruleset": name}


def _title(ruleset: str) -> str:
    return title_of(ruleset) if ruleset in registry.names() else _without_rules(ruleset)


def _extend(by: Player, game: Game, given: Mapping[str, Any]) -> None:
    seconds = int(timedelta(hours=given["hours"]).total_seconds())
    told = {name: given[name] for name in ("reason", "head", "key")}
    adjudicate.extend_deadline(game=game.pk, by=by, seconds=seconds, **told)


def _adjudicate(by: Player, game: Game, given: Mapping[str, Any]) -> None:
    told = {name: given[name] for name in ("verdict", "reason", "head", "key")}
    adjudicate.adjudicate(game=game.pk, by=by, **told)


def _take_back(by: Player, game: Game, given: Mapping[str, Any]) -> None:
    adjudicate.take_back(game=game.pk, by=by, number=given["head"], reason=given["reason"], key=given["key"])


class SeatInline(ReadOnly, AnyInline):
    """Who plays."""

    model = Seat
    fields = ("number", "player", "engine", "points", "score")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Seat]:
        """With the players."""
        return super().get_queryset(request).select_related("player", "game")


class LogInline(ReadOnly, AnyInline):
    """What happened."""

    model = LogEntry
    fields = ("number", "who", "kind", "said", "at", "via", "reason")
    readonly_fields = ("who", "said")
    hidden: Mapping[int, str] | None = None

    def get_formset(self, request: HttpRequest, obj: Game | None = None, **given: Any) -> Any:
        """Of a running game with hidden things a moderator reads what a spectator does (N25)."""
        self.hidden = told_to_watchers(obj) if obj is not None and hides(obj) else None
        return super().get_formset(request, obj, **given)

    def get_queryset(self, request: HttpRequest) -> QuerySet[LogEntry]:
        """With the reasons and the players."""
        return super().get_queryset(request).select_related("reason", "game").prefetch_related("game__seat_set__player")

    @admin.display(description=_("player"))
    def who(self, entry: LogEntry) -> str:
        """Whose entry it is; nobody's where the house or a moderator wrote it."""
        return next((_seated(entry.game, seat) for seat in entry.game.seat_set.all() if seat.number == entry.seat), "")

    @admin.display(description=_("text"))
    def said(self, entry: LogEntry) -> str:
        """What the entry says, as far as the reader may know. Who joined is told beside it."""
        if self.hidden is not None and entry.kind in HIDING:
            return self.hidden.get(entry.number, "")
        return "" if entry.kind == kinds.JOIN else entry.text


class MessageInline(ReadOnly, AnyInline):
    """What the players wrote to each other."""

    model = Message
    fields = ("at", "author", "text")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Message]:
        """With the authors."""
        return super().get_queryset(request).select_related("author", "game")


class StateFilter(admin.SimpleListFilter):
    """Running, paused, over."""

    title = _("state")
    parameter_name = "state"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        """The choices."""
        return [("running", _("running")), ("paused", _("paused")), ("over", _("over"))]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Game]) -> QuerySet[Game]:
        """The games of the chosen state."""
        chosen = {
            "running": queryset.filter(Q(deadline__isnull=False) | Q(engine_asked_at__isnull=False), ended_at=None),
            "paused": queryset.filter(ended_at=None, deadline=None, engine_asked_at=None),
            "over": queryset.exclude(ended_at=None),
        }
        return chosen.get(self.value() or "", queryset)


class TerminationFilter(admin.AllValuesFieldListFilter):
    """The ways in which games ended, in words; a game that goes on has none, and a choice without a name is none."""

    def in_words(self, value: str) -> str:
        """What a value is called."""
        return why_it_ended(value)

    def choices(self, changelist: Any) -> Iterator[Any]:
        """The choices: all, and those that occur."""
        every, *others = super().choices(changelist)
        yield every
        yield from ({**one, "display": self.in_words(str(one["display"]))} for one in others if one["display"])


class RulesetFilter(TerminationFilter):
    """What is played, by its title."""

    def in_words(self, value: str) -> str:
        """What a value is called."""
        return _title(value)


@admin.register(Game)
class GameAdmin(DeskAdmin):
    """Games, with what moderators do about them."""

    list_display = ("id", "title", "players", "result", "why", "turn", "deadline", "created_at", "ended_at")
    list_display_links = ("id", "title")
    list_filter = (StateFilter, ("ruleset", RulesetFilter), ("termination", TerminationFilter))
    search_fields = ("seat__player__display_name", "seat__player__email")
    search_help_text = _("A number, or the name or address of a player")
    ordering = ("-pk",)
    fields = (
        *("title", "ruleset_version", "terms", "time", "public", "created_at", "plies", "turn", "mover", "deadline"),
        *("result", "why", "ended_at", "board"),
    )
    readonly_fields = ("title", "terms", "time", "mover", "why", "board")
    linked = ("seat__player",)
    refusals = (Refused, registry.UnknownRuleset)
    acts: ClassVar[tuple[Act, ...]] = (
        Act(
            "extend",
            _("Extend the deadline"),
            adjudicate.MAY_RULE,
            _extend,
            form=ExtendForm,
            hint=_("The players read the reason."),
            possible=lambda by, game: game.ended_at is None and _may_rule(by, game),
            begin=_begin,
        ),
        Act(
            "adjudicate",
            _("Adjudicate"),
            adjudicate.MAY_RULE,
            _adjudicate,
            form=AdjudicateForm,
            hint=_("The game ends at once. The players read the reason. It can be taken back."),
            possible=lambda by, game: game.ended_at is None and _may_rule(by, game),
            begin=_begin,
        ),
        Act(
            "take-back",
            _("Take the end back"),
            adjudicate.MAY_RULE,
            _take_back,
            form=RulingForm,
            hint=_("The game goes on from the same position with a whole reflection time. The players read the reason."),
            possible=lambda by, game: bool(game.standing.get("reversible")) and _may_rule(by, game),
            begin=_begin,
        ),
    )

    def get_queryset(self, request: HttpRequest) -> QuerySet[Game]:
        """With the players."""
        return super().get_queryset(request).prefetch_related("seat_set__player")

    def get_search_fields(self, request: HttpRequest) -> tuple[str, ...]:
        """A number is that of the game; names with that number in them would only be in the way."""
        return ("=id",) if request.GET.get("q", "").strip().isdecimal() else self.search_fields

    def get_inlines(self, request: HttpRequest, obj: Game | None) -> list[type[InlineModelAdmin[Any, Any]]]:
        """A player of a running game with hidden things reads no log of it here (N25); of the messages of one's own game one
        reads on its page what is meant for one."""
        if obj is None:
            return []
        plays = any(seat.player_id == request.user.pk for seat in obj.seat_set.all())
        if plays:
            return [SeatInline] if hides(obj) else [SeatInline, LogInline]
        return [SeatInline, LogInline, MessageInline]

    def told(self, refusal: Exception) -> str:
        """The phrase of the service."""
        if isinstance(refusal, registry.UnknownRuleset):
            return _without_rules(refusal.name)
        return say(refusal.said) if isinstance(refusal, Refused) else str(refusal)

    def links_of(self, one: Any) -> list[Link]:
        """The game's own page, and what was ruled."""
        rulings = f"{reverse('admin:accounts_auditentry_changelist')}?subject__exact=game&subject_id={one.pk}"
        page = [(_("Page of the game"), reverse("games:game", args=[one.pk]))] if one.public and _ruleset_of(one) else []
        return [*page, (_("Rulings"), rulings)]

    @admin.display(description=_("game"), ordering="ruleset")
    def title(self, game: Game) -> str:
        """What is played."""
        return _title(game.ruleset)

    @admin.display(description=_("why it ended"), ordering="termination")
    def why(self, game: Game) -> str:
        """In words; empty while it goes on."""
        return why_it_ended(game.termination, game.ruleset if _ruleset_of(game) else None) if game.termination else ""

    @admin.display(description=_("options"))
    def terms(self, game: Game) -> str:
        """What was agreed."""
        ruleset = _ruleset_of(game)
        return ", ".join(f"{name}: {chosen}" for name, chosen in options_in_words(ruleset.facts, game.options)) if ruleset else ""

    @admin.display(description=_("reflection time"))
    def time(self, game: Game) -> str:
        """For each turn."""
        return duration(timedelta(seconds=game.reflection))

    @admin.display(description=_("to move"))
    def mover(self, game: Game) -> str:
        """Who decides."""
        return next((_seated(game, seat) for seat in game.seat_set.all() if seat.number == game.to_move), "")

    @admin.display(description=_("position"))
    def board(self, game: Game) -> str:
        """As any spectator may see it, private games too: whoever rules has to."""
        return format_html("<pre>{}</pre>", board_of(game))

    @admin.display(description=_("players"))
    def players(self, game: Game) -> str:
        """By seat."""
        return " – ".join(name_at(seat) for seat in game.seat_set.all())


@admin.register(Challenge)
class ChallengeAdmin(DeskAdmin):
    """What was offered."""

    list_display = ("id", "title", "challenger", "opponent", "state", "created_at", "closed_at")
    list_display_links = ("id", "title")
    list_filter = ("state", ("ruleset", RulesetFilter))
    list_select_related = ("challenger", "opponent")
    search_fields = ("=id", "challenger__display_name", "opponent__display_name")
    ordering = ("-pk",)
    fields = (
        *("title", "options", "seats", "reflection", "begins", "public", "challenger", "opponent", "rematch_of", "state"),
        *("created_at", "closed_at"),
    )
    readonly_fields = ("title",)

    @admin.display(description=_("game"), ordering="ruleset")
    def title(self, challenge: Challenge) -> str:
        """What is offered."""
        return _title(challenge.ruleset)


@admin.register(Invitation)
class InvitationAdmin(DeskAdmin):
    """To which addresses challenges went. What opens them is not shown."""

    list_display = ("id", "offered", "address", "language")
    list_select_related = ("challenge",)
    search_fields = ("address",)
    ordering = ("-pk",)
    fields = ("offered", "address", "language")
    readonly_fields = ("offered",)

    @admin.display(description=_("challenge"), ordering="challenge")
    def offered(self, invitation: Invitation) -> str:
        """What the owner of the address is invited to."""
        return str(invitation.challenge)


@admin.register(Freeze)
class FreezeAdmin(DeskAdmin):
    """Backups that were put back, with the button that lets the service go on."""

    list_display = ("id", "at", "mark", "known", "credit", "thawed_at", "by")
    list_select_related = ("by",)
    ordering = ("-pk",)
    fields = ("at", "mark", "known", "credit", "thawed_at", "by")
    refusals = (Refused,)
    acts: ClassVar[tuple[Act, ...]] = (
        Act(
            "thaw",
            _("Let the service go on"),
            freeze.MAY_THAW,
            lambda by, _freeze, _given: freeze.thaw(by=by),
            form=ConfirmForm,
            hint=_("Every running turn is given the time that was lost. Then letters go out, and time runs."),
            possible=lambda _by, one: one.thawed_at is None,
        ),
    )

    def told(self, refusal: Exception) -> str:
        """Why it does not go on."""
        return say(refusal.said) if isinstance(refusal, Refused) else str(refusal)
