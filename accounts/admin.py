"""Players, reports and the audit log on the desk."""

from __future__ import annotations

from typing import Any, ClassVar

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.contrib import admin
from django.contrib.admin.exceptions import NotRegistered
from django.contrib.auth.models import Group
from django.db.models import QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import gettext_lazy as _

from accounts.models import AuditEntry, Player, Reason, Report
from accounts.selectors import addresses_of
from accounts.services import audit, moderators, reports, suspension
from accounts.services.errors import Refused
from notifications.desk import Act, ConfirmForm, DeskAdmin, Link

# Their own tables would let an administrator write past the services, and show secrets.
for table in (EmailAddress, Authenticator, Group, UserSession):
    try:
        admin.site.unregister(table)
    except NotRegistered:
        continue


def _is_somebody_else(by: Player, player: Player) -> bool:
    here = player.leaving_at is None and player.erased_at is None
    return here and by != player and (by.is_superuser or not player.is_superuser)


def _may_rule(by: Player, player: Player) -> bool:
    """Whether nobody rules on an opponent of theirs, either."""
    return _is_somebody_else(by, player) and not suspension.are_parties(by, player)


class SuspendedFilter(admin.SimpleListFilter):
    """Who may play, and who may not."""

    title = _("suspended")
    parameter_name = "suspended"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        """The choices."""
        return [("yes", _("Yes")), ("no", _("No"))]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Player]) -> QuerySet[Player]:
        """The players of the chosen kind."""
        chosen = {"yes": queryset.exclude(suspended_at=None), "no": queryset.filter(suspended_at=None)}
        return chosen.get(self.value() or "", queryset)


@admin.register(Player)
class PlayerAdmin(DeskAdmin):
    """Who plays here. The password and what guards the account are never shown."""

    list_display = ("id", "name", "email", "is_active", "is_staff", "suspended_at", "date_joined")
    list_display_links = ("id", "name")
    list_filter = ("is_active", "is_staff", SuspendedFilter, "language")
    search_fields = ("display_name", "email", "=id")
    ordering = ("-pk",)
    fields = (
        *("name", "email", "addresses", "language", "time_zone", "date_joined", "last_login", "is_active", "is_staff"),
        *("is_superuser", "rights", "suspended_at", "suspension", "leaving_at", "erased_at"),
    )
    readonly_fields = ("name", "addresses", "rights")
    refusals = (Refused,)
    acts: ClassVar[tuple[Act, ...]] = (
        Act(
            "suspend",
            _("Suspend"),
            "accounts.suspend_players",
            lambda by, player, given: suspension.suspend(player_id=player.pk, by=by, reason=given["reason"]),
            hint=_("The player may read, but not play: running games pause, open challenges are withdrawn. They read why."),
            possible=lambda by, player: _may_rule(by, player) and not (player.is_suspended and suspension.is_told(player)),
        ),
        Act(
            "restore",
            _("Restore"),
            "accounts.suspend_players",
            lambda by, player, given: suspension.restore(player_id=player.pk, by=by, reason=given["reason"]),
            hint=_("The player may play again: paused games go on with the time that was left."),
            possible=lambda by, player: _may_rule(by, player) and player.is_suspended,
        ),
        Act(
            "erase",
            _("Erase"),
            "accounts.erase_players",
            lambda by, player, given: moderators.ask_erasure_of(player_id=player.pk, by=by, reason=given["reason"]),
            hint=_("For good: running games are resigned, the name is gone everywhere. Only when the player asked for it."),
            possible=_is_somebody_else,
        ),
        Act(
            "appoint",
            _("Make a moderator"),
            "accounts.change_player",
            lambda by, player, given: moderators.appoint(player_id=player.pk, by=by, reason=given["reason"]),
            possible=lambda by, player: by.is_superuser and _is_somebody_else(by, player) and not player.is_staff,
        ),
        Act(
            "dismiss",
            _("Dismiss as moderator"),
            "accounts.change_player",
            lambda by, player, given: moderators.dismiss(player_id=player.pk, by=by, reason=given["reason"]),
            possible=lambda by, player: by.is_superuser and player.is_staff and not player.is_superuser,
        ),
    )

    def links_of(self, one: Any) -> list[Link]:
        """Their games, reports about them, and what was done with them."""
        return [
            (_("Games"), f"{reverse('admin:games_game_changelist')}?seat__player={one.pk}"),
            (_("Reports"), f"{reverse('admin:accounts_report_changelist')}?reported={one.pk}"),
            (_("Rulings"), f"{reverse('admin:accounts_auditentry_changelist')}?subject__exact=player&subject_id={one.pk}"),
        ]

    @admin.display(description=_("name"), ordering="name_key")
    def name(self, player: Player) -> str:
        """As others see it."""
        return player.name

    @admin.display(description=_("addresses"))
    def addresses(self, player: Player) -> str:
        """All that belong to the account."""
        return ", ".join(sorted(addresses_of(player)))

    @admin.display(description=_("groups"))
    def rights(self, player: Player) -> str:
        """The groups whose rights they have."""
        return ", ".join(player.groups.values_list("name", flat=True))


@admin.register(Report)
class ReportAdmin(DeskAdmin):
    """What players ask to look at, open ones first. Nobody reads what is reported about themselves."""

    list_display = ("id", "state", "about", "reported_player", "reporter", "game_page", "at")
    list_filter = ("state", "about")
    list_select_related = ("reported", "reporter", "closed_by")
    search_fields = ("reported__display_name", "reported__email", "=game")
    ordering = ("-state", "at")
    fields = ("state", "about", "reported_player", "reporter", "game_page", "text", "at", "closed_by", "closed_at")
    readonly_fields = ("reported_player", "game_page")
    linked = ("reported",)
    refusals = (Refused,)
    acts: ClassVar[tuple[Act, ...]] = (
        Act(
            "close",
            _("Close the report"),
            "accounts.close_reports",
            lambda by, report, given: reports.close_report(report_id=report.pk, by=by, reason=given["reason"]),
            hint=_("Say what came of it: the audit log keeps it."),
            possible=lambda by, report: report.state == Report.State.OPEN and by.pk != report.reporter_id,
        ),
    )

    def get_queryset(self, request: HttpRequest) -> QuerySet[Report]:
        """Those about others."""
        return super().get_queryset(request).exclude(reported=request.user).select_related(*self.list_select_related)

    @admin.display(description=_("player"), ordering="reported")
    def reported_player(self, report: Report) -> str:
        """Who is reported."""
        return format_html(
            '<a href="{}">{}</a>', reverse("admin:accounts_player_change", args=[report.reported_id]), report.reported
        )

    @admin.display(description=_("game"), ordering="game")
    def game_page(self, report: Report) -> str:
        """In which game."""
        if report.game is None:
            return ""
        return format_html('<a href="{}">{}</a>', reverse("admin:games_game_change", args=[report.game]), report.game)


@admin.register(Reason)
class ReasonAdmin(DeskAdmin):
    """Why it was ruled so. The words can be taken away, the row cannot."""

    list_display = ("id", "text", "at")
    search_fields = ("text",)
    ordering = ("-pk",)
    acts: ClassVar[tuple[Act, ...]] = (
        Act(
            "empty",
            _("Empty the reason"),
            "accounts.empty_reasons",
            lambda by, reason, _given: audit.empty_reason(reason_id=reason.pk, by=by),
            form=ConfirmForm,
            hint=_("The words are gone for good from logs, letters to come and records. What was ruled stays."),
            possible=lambda _by, reason: bool(reason.text),
        ),
    )


@admin.register(AuditEntry)
class AuditEntryAdmin(DeskAdmin):
    """Who did what. The database itself refuses every change."""

    list_display = ("at", "actor", "act", "subject", "subject_id", "detail", "reason")
    list_filter = ("act", "subject")
    list_select_related = ("actor", "reason")
    search_fields = ("=subject_id", "actor__display_name", "reason__text")
    date_hierarchy = "at"
    linked = ("subject_id",)
