"""allauth's pages about addresses, where they should say or do something else."""

from __future__ import annotations

from typing import Any

from allauth.account import app_settings
from allauth.account.models import EmailAddress
from allauth.account.views import ConfirmEmailView, EmailView
from django.contrib import messages
from django.core import signing
from django.db import IntegrityError, transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from notifications import bounces


class AddressesView(EmailView):  # type: ignore[misc]
    """The addresses of a player; `bouncing` are those that letters do not reach. Of the primary one every page tells that."""

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """With `bouncing`."""
        context: dict[str, Any] = super().get_context_data(**kwargs)
        return context | {"bouncing": bounces.bouncing([one.email for one in context["emailaddresses"]])}

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """Does what was asked wholly or not at all; nothing where nothing would change."""
        if _is_done(request):
            return redirect("account_email")
        try:
            with transaction.atomic():
                answer: HttpResponse = super().post(request, *args, **kwargs)
                return answer
        except IntegrityError:
            messages.error(request, _("This address belongs to another account."))
            return redirect("account_email")


class ConfirmAddressView(ConfirmEmailView):  # type: ignore[misc]
    """Where the link of a confirmation letter leads."""

    def post(self, *args: Any, **kwargs: Any) -> HttpResponse:
        """The button; on a page that was used in the meantime it says so."""
        try:
            answer: HttpResponse = super().post(*args, **kwargs)
            return answer
        except Http404:
            self.object = None
            page: HttpResponse = self.render_to_response(self.get_context_data())
            return page

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """With `confirmed_before`: whether the link is good, and its work done."""
        context: dict[str, Any] = super().get_context_data(**kwargs)
        return context | {"confirmed_before": not context["confirmation"] and _is_confirmed(self.kwargs["key"])}


def _is_done(request: HttpRequest) -> bool:
    facts = {"action_primary": "primary", "action_send": "verified"}
    asked = {fact: True for action, fact in facts.items() if action in request.POST}
    # What was sent is compared here: PostgreSQL refuses to be asked for a text with a null byte.
    own = EmailAddress.objects.filter(user_id=request.user.pk, **asked).values_list("email", flat=True)
    return bool(asked) and request.POST.get("email", "").lower() in own


def _is_confirmed(key: str) -> bool:
    try:
        address = signing.loads(key, salt=app_settings.SALT)
    except signing.BadSignature:
        return False
    return bool(EmailAddress.objects.filter(pk=address, verified=True).exists())


addresses = AddressesView.as_view()
confirm_address = ConfirmAddressView.as_view()
