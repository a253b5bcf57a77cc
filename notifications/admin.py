"""The outbox on the desk: which letters went, which wait or failed and why, what is held back, and what addresses put up with."""

from __future__ import annotations

from typing import ClassVar

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from notifications import addresses, bounces, delivery, holds
from notifications.desk import Act, ConfirmForm, DeskAdmin
from notifications.models import Bounce, Hold, Letter, Refusal


@admin.register(Letter)
class LetterAdmin(DeskAdmin):
    """What a letter says and what it is about stay closed: links in it are rights."""

    list_display = ("id", "kind", "source", "to", "state", "attempts", "created_at", "due_at", "sent_at", "why")
    list_filter = ("state", "source", "kind")
    list_select_related = ("recipient",)
    search_fields = ("recipient__display_name", "recipient__email", "address", "reason")
    ordering = ("-pk",)
    fields = (*list_display, "message_id")
    readonly_fields = ("to", "why")
    refusals = (delivery.CannotTryAgain,)
    acts: ClassVar[tuple[Act, ...]] = (
        Act(
            "again",
            _("Try again"),
            "notifications.retry_letters",
            lambda by, letter, _given: delivery.try_again(letter_id=letter.pk, by=by),
            form=ConfirmForm,
            hint=_("The letter is written anew and sent as soon as possible."),
            possible=lambda _by, letter: letter.state == Letter.State.FAILED,
        ),
    )

    def get_queryset(self, request: HttpRequest) -> QuerySet[Letter]:
        """Without the MIME."""
        return super().get_queryset(request).select_related("recipient").defer("mime")

    def told(self, refusal: Exception) -> str:
        """Why a letter is not sent again."""
        return gettext(str(refusal))

    @admin.display(description=_("reason"))
    def why(self, letter: Letter) -> str:
        """The service's own words translated, those of a mail server as they are."""
        return gettext(letter.reason) if letter.reason else ""

    @admin.display(description=_("to"))
    def to(self, letter: Letter) -> str:
        """A player by name, or a bare address."""
        return str(letter.recipient) if letter.recipient else letter.address


@admin.register(Refusal)
class RefusalAdmin(DeskAdmin):
    """Addresses that want no invitations, until their owner says otherwise."""

    list_display = ("address", "at")
    search_fields = ("address",)
    ordering = ("-pk",)
    acts: ClassVar[tuple[Act, ...]] = (
        Act(
            "allow",
            _("Allow invitations again"),
            "notifications.delete_refusal",
            lambda by, refusal, _given: addresses.allow_again(refusal_id=refusal.pk, by=by),
            form=ConfirmForm,
            hint=_("Only when the owner of the address asked for it."),
        ),
    )


@admin.register(Bounce)
class BounceAdmin(DeskAdmin):
    """Addresses that letters do not reach, or reach late, and why."""

    list_display = ("address", "since", "at", "returned", "tried_at", "delays", "reason")
    list_filter = ("returned",)
    search_fields = ("address", "reason")
    ordering = ("-seen_at",)
    acts: ClassVar[tuple[Act, ...]] = (
        Act(
            "clear",
            _("Send letters again"),
            "notifications.delete_bounce",
            lambda by, bounce, _given: bounces.clear(bounce_id=bounce.pk, by=by),
            form=ConfirmForm,
            hint=_("Letters that were missed go out too, as far as they are still wanted."),
            possible=lambda _by, bounce: bounce.since is not None,
        ),
    )


@admin.register(Hold)
class HoldAdmin(DeskAdmin):
    """What is held back by `manage.py outbox hold`; nothing named means everything."""

    list_display = ("__str__", "kind", "address", "at")
    ordering = ("pk",)
    acts: ClassVar[tuple[Act, ...]] = (
        Act(
            "release",
            _("Let these letters go"),
            "notifications.delete_hold",
            lambda by, hold, _given: holds.release(kind=hold.kind, address=hold.address, by=by),
            form=ConfirmForm,
            hint=_("They go out as soon as possible, as far as they are still wanted."),
        ),
    )
