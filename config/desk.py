"""The administrators' desk: Django's admin site behind allauth's login and a second factor (S7)."""

from __future__ import annotations

from datetime import timedelta
from typing import Any, Final

from allauth.account.authentication import get_authentication_records
from allauth.account.decorators import secure_admin_login
from allauth.mfa.models import Authenticator
from django.contrib import messages
from django.contrib.admin import AdminSite
from django.contrib.auth import REDIRECT_FIELD_NAME
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.decorators import method_decorator
from django.utils.http import url_has_allowed_host_and_scheme, urlencode
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.cache import never_cache

from accounts.models import Player
from games.services import chance, freeze, notices
from notifications import holds

FRESH: Final = timedelta(hours=12)
"""A second factor that was used longer ago is asked for again."""


class Desk(AdminSite):
    """Open to staff who used a second factor in this session; nobody who is suspended or inactive is let in."""

    site_header = site_title = gettext_lazy("Perepiska: the administrators' desk")

    def has_permission(self, request: HttpRequest) -> bool:
        """Asked before every page of the desk."""
        return _may_sit_here(request) and second_factor_used(request)

    @method_decorator([never_cache, secure_admin_login])
    def login(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        """Leads to what is still missing: allauth's login, a second factor, or its use; then back to where one was going."""
        if not _may_sit_here(request):
            raise PermissionDenied
        target = _target(request)
        if second_factor_used(request):
            return HttpResponseRedirect(target)
        kinds = set(Authenticator.objects.filter(user=request.user.pk).values_list("type", flat=True))
        if not kinds - {Authenticator.Type.RECOVERY_CODES}:
            messages.warning(request, _("The administrators' desk asks for a second factor. Please set one up first."))
            return redirect("mfa_index")
        page = "mfa_reauthenticate" if Authenticator.Type.TOTP in kinds else "mfa_reauthenticate_webauthn"
        return HttpResponseRedirect(f"{reverse(page)}?{urlencode({REDIRECT_FIELD_NAME: target})}")

    def index(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> TemplateResponse:
        """The tables, below what somebody has to look at."""
        if freeze.is_frozen():
            told = _("The database was put back from a backup: letters wait, and nobody's time runs out. See Freezes.")
            messages.error(request, told)
        if holds.of_operators():
            messages.warning(request, _("Letters are held back. See Holds of letters."))
        if untold := notices.last_count():
            found = ngettext(
                "%(count)s player is to move and was not told.", "%(count)s players are to move and were not told.", untold
            )
            messages.error(request, found % {"count": untold})
        if seedless := notices.last_count(chance.SEEDLESS):
            found = ngettext(
                "%(count)s game has lost its seed and ends with the next turn: see the log of alarms.",
                "%(count)s games have lost their seeds and end with the next turn: see the log of alarms.",
                seedless,
            )
            messages.error(request, found % {"count": seedless})
        return super().index(request, extra_context)

    def password_change(  # type: ignore[override]
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """There is one page for this, which tells the owner and ends other sessions."""
        return redirect("account_change_password")


def second_factor_used(request: HttpRequest) -> bool:
    """Whether this session showed a second factor lately that the player still has."""
    since = (timezone.now() - FRESH).timestamp()
    records = get_authentication_records(request, request.user)
    shown = {record.get("id") for record in records if record["method"] == "mfa" and record["at"] >= since}
    return bool(Authenticator.objects.filter(user=request.user.pk, pk__in=shown).exists())


def _may_sit_here(request: HttpRequest) -> bool:
    user = request.user
    return isinstance(user, Player) and user.is_active and user.is_staff and not user.is_suspended


def _target(request: HttpRequest) -> str:
    asked: str = request.POST.get(REDIRECT_FIELD_NAME) or request.GET.get(REDIRECT_FIELD_NAME, "")
    safe = url_has_allowed_host_and_scheme(asked, allowed_hosts={request.get_host()}, require_https=request.is_secure())
    return asked if safe else reverse("admin:index")
