"""Pages of invitations: what the link of the letter opens, and the way back to it after signing up or logging in.

The token is the authority: its page needs neither login nor cookie, and a GET of it changes nothing and sets none (L1, L3).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import translation
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.debug import sensitive_variables
from django.views.decorators.http import require_http_methods

from games import selectors
from games.selectors import InvitationPage
from games.services import invitation as invitations
from games.services.errors import Gone, Refused
from games.speech import say
from games.views.bare import bare, limited
from games.views.buttons import player_of, the_player
from games.views.guesses import count_guess, guessed_too_often

if TYPE_CHECKING:
    from games.models import Challenge

REMEMBERED: Final = "invitation"
"""Where the session keeps the id of an invitation that its visitor wants to accept."""
WAYS: Final = {"sign up": "account_signup", "log in": "account_login"}


@csrf_exempt
@never_cache
@sensitive_variables("token")
@require_http_methods(["GET", "HEAD", "POST"])
def answer(request: HttpRequest, token: str) -> HttpResponse:
    """Tells who invites to what; a button accepts, declines, or refuses for good.

    1. Whoever asked for too many links that open nothing is sent away, whatever he asks for now.
    2. An unknown token and one of an expired invitation look the same (S2).
    3. A button acts; pressed again it gives the same answer (L4). What is spent or forbidden is said on the page (L12).
    """
    # The switch at the foot of other pages would need a cookie.
    asked = request.GET.get("language", "")
    with translation.override(asked if asked in dict(settings.LANGUAGES) else translation.get_language()):
        return _answered(request, token)


@sensitive_variables("token")
def _answered(request: HttpRequest, token: str) -> HttpResponse:
    if guessed_too_often(request):
        return limited(request)
    found = selectors.invitation_with(token, player_of(request))
    if found is None:
        return bare(request, "games/invitation_unknown.html", status=404) if count_guess(request) else limited(request)
    if request.method != "POST":
        return _page(request, found)
    try:
        return _act(request, found)
    except Gone:
        return bare(request, "games/invitation_unknown.html", status=404)
    except Refused as refused:
        now = selectors.invitation(found.pk, player_of(request))
        return _page(request, now or found, error=say(refused.said), status=refused.status)


def _act(request: HttpRequest, found: InvitationPage) -> HttpResponse:
    act, player = request.POST.get("act", ""), player_of(request)
    match act:
        case "accept" if player is not None:
            return _to(invitations.accept_invitation(invitation_id=found.pk, player=player))
        case "sign up" | "log in" if player is None:
            return _remember(request, found, act)
        case "decline" | "refuse" if found.own:
            return _page(request, found, error=found.hindrance, status=403)
        case "decline":
            invitations.decline_invitation(invitation_id=found.pk)
        case "refuse":
            invitations.refuse_invitation(invitation_id=found.pk)
        case _:
            return _page(request, found, error=_("Please press one of the buttons."), status=400)
    after = selectors.invitation(found.pk, player)
    return _page(request, after or found)


def _remember(request: HttpRequest, found: InvitationPage, way: str) -> HttpResponse:
    """Keeps the invitation until the visitor has an account here.

    The link proves no address, for it may have been forwarded; and what another site sends must not begin a session, which
    would end the visitor's own.
    """
    if "accept" not in found.may or request.headers.get("Sec-Fetch-Site", "same-origin") != "same-origin":
        return _page(request, found)
    request.session[REMEMBERED] = found.pk
    query = {"next": reverse("games:invitations")}
    if way == "sign up":
        query["email"] = selectors.address_of(found.pk)
    return redirect(f"{reverse(WAYS[way])}?{urlencode(query)}")


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def remembered(request: HttpRequest) -> HttpResponse:
    """The invitation that this browser's visitor wanted to accept before he had an account or had logged in: one button."""
    player = the_player(request)
    found = selectors.invitation(request.session.get(REMEMBERED, 0), player)
    if found is None:
        raise Http404
    if request.method != "POST":
        return render(request, "games/invitation_remembered.html", {"invitation": found})
    if request.POST.get("act") == "later":
        request.session.pop(REMEMBERED, None)
        messages.success(request, _("The link in the letter leads to the invitation while it stands."))
        return redirect("games:mine")
    try:
        accepted = invitations.accept_invitation(invitation_id=found.pk, player=player)
    except Refused as refused:
        again = selectors.invitation(found.pk, player) or found
        context = {"invitation": again, "error": say(refused.said)}
        return render(request, "games/invitation_remembered.html", context, status=refused.status)
    request.session.pop(REMEMBERED, None)
    waiting = _("You have a seat. The game begins when all seats are taken, or when the challenger says so.")
    told = _("The game begins.") if accepted.closed_at else waiting
    messages.success(request, told)
    return _to(accepted)


def _to(accepted: Challenge) -> HttpResponse:
    """To the game that began, or to the room where it will."""
    return redirect("games:game", accepted.game.pk) if accepted.closed_at else redirect("games:challenge", accepted.pk)


def _page(request: HttpRequest, found: InvitationPage, *, error: str = "", status: int = 200) -> HttpResponse:
    return bare(request, "games/invitation.html", status=status, invitation=found, error=error)
