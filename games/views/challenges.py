"""Pages of challenges: the open ones, a new one, one alone, and the buttons on it."""

from __future__ import annotations

from typing import Final
from urllib.parse import urlencode

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.cache import get_conditional_response, patch_vary_headers
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from accounts.limits import limited
from games import selectors
from games.forms import AddressForm, ChallengeForm, LevelForm, say_why
from games.letters import links
from games.rules import registry
from games.rules.position import MoveRefused
from games.services import challenge as challenges
from games.services import room
from games.services.errors import BadTerms, KeyReused, NotAllowed, Refused
from games.speech import say
from games.views.buttons import button, player_of, the_player
from games.views.swapping import is_swapped

EVERY: Final = 5
"""After how many seconds the page of a challenge that waits asks again what became of it."""
LONGEST_LINK: Final = 64


@never_cache
@require_safe
def index(request: HttpRequest) -> HttpResponse:
    """The challenges that anyone may accept."""
    return render(request, "games/challenges.html", {"challenges": selectors.open_challenges(player_of(request))})


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def new(request: HttpRequest) -> HttpResponse:
    """The form of a challenge; `?game=` chooses the ruleset, `?opponent=` fills in a name.

    A browser that shows the form already is handed it alone, for another game, with what was filled in there.
    """
    name = request.GET.get("game", selectors.FLAGSHIP)
    if name not in registry.names():
        raise Http404
    form = ChallengeForm(
        request.POST or None, ruleset=name, challenger=the_player(request), initial=ChallengeForm.kept(request.GET)
    )
    status = 200
    if request.method == "POST" and form.is_valid():
        made, status = _open(request, form)
        if made is not None:
            begun = selectors.challenge(made, the_player(request)) if form.cleaned_data.get("computer") else None
            return redirect("games:game", begun.game) if begun is not None else redirect("games:challenge", made)
    context = {
        "form": form,
        "rulesets": selectors.offered(),
        "chosen": name,
        "title": selectors.title_of(name),
        "opponent": form["opponent"].value() or "",
    }
    shown = is_swapped(request)
    template = "games/challenge_form.html" if shown else "games/challenge_new.html"
    response = render(request, template, context, status=400 if form.errors and status == 200 else status)
    if shown:
        response["HX-Replace-Url"] = f"{request.path}?{urlencode({'game': name})}"
    patch_vary_headers(response, ["HX-Request"])
    return response


def _open(request: HttpRequest, form: ChallengeForm) -> tuple[int | None, int]:
    """The id of the challenge, or None and the status that fits; then the form says why."""
    given = form.cleaned_data
    if limited(request, "challenge") or (given["address"] and limited(request, "invitation")):
        form.add_error(None, _("You have sent many challenges. Please wait a little, then send this one again."))
        return None, 429
    try:
        if given.get("computer"):
            begun = challenges.play_computers(
                challenger=the_player(request), terms=form.terms(), level=given["computer"], key=given["key"]
            )
            messages.success(request, _("The game begins."))
            return begun.pk, 200
        made = challenges.open_challenge(
            challenger=the_player(request),
            terms=form.terms(),
            opponent=given["opponent"],
            address=given["address"],
            key=given["key"],
        )
    except (BadTerms, KeyReused, NotAllowed) as bad:
        say_why(form, bad)
        return None, bad.status
    told = _("Your invitation is on its way.") if given["address"] else _("Your challenge is open.")
    messages.success(request, told)
    return made.pk, 200


@never_cache
@require_safe
def show(request: HttpRequest, pk: int) -> HttpResponse:
    """The terms of one challenge, who has joined, and what the viewer may do with it; `?link=` opens a room that is not listed.
    A visitor who may see none has to say who he is first: a letter led him here."""
    if player_of(request) is None and selectors.challenge(pk, None, _link(request)) is None:
        return redirect_to_login(request.get_full_path())
    return _page(request, pk)


def _page(request: HttpRequest, pk: int, *, error: str = "", form: AddressForm | None = None, status: int = 200) -> HttpResponse:
    """A browser that shows the challenge already is handed what changes of it alone, or nothing if it knows that."""
    link = _link(request)
    found = selectors.challenge(pk, player_of(request), link)
    if found is None:
        raise Http404
    etag = f'W/"{found.version}.{get_language()}"'
    if status == 200 and (known := get_conditional_response(request, etag=etag)) is not None:
        return known
    context = {
        "challenge": found,
        "error": error,
        "link": link,
        "shared": f"{links.challenge(pk)}?link={found.link}" if found.link else "",
        "form": form or AddressForm(),
        "levels": LevelForm(),
        "etag": etag,
        "every": EVERY,
    }
    template = "games/challenge_shown.html" if is_swapped(request) else "games/challenge.html"
    response = render(request, template, context, status=status)
    if status == 200:
        response["ETag"] = etag
    patch_vary_headers(response, ["HX-Request"])
    return response


def _link(request: HttpRequest) -> str:
    given = request.POST if request.method == "POST" else request.GET
    return given.get("link", "")[:LONGEST_LINK]


def _refuse(request: HttpRequest, pk: int, refused: Refused | MoveRefused) -> HttpResponse:
    return _page(request, pk, error=say(refused.said), status=getattr(refused, "status", 400))


_button = button(page="games:challenge", refuse=_refuse)


@_button
def accept(request: HttpRequest, pk: int) -> HttpResponse:
    """Takes a seat; leads to the game when that was the last one."""
    challenges.accept_challenge(challenge_id=pk, player=the_player(request), link=_link(request))
    accepted = selectors.challenge(pk, the_player(request))
    if accepted is not None and accepted.game is not None:
        messages.success(request, _("The game begins."))
        return redirect("games:game", accepted.game)
    messages.success(request, _("You have a seat. The game begins when all seats are taken, or when the challenger says so."))
    return redirect("games:challenge", pk)


@_button
def begin(request: HttpRequest, pk: int) -> HttpResponse:
    """Begins with those who have joined."""
    started = room.begin_early(challenge_id=pk, player=the_player(request))
    messages.success(request, _("The game begins."))
    return redirect("games:game", started.game.pk)


@_button
def invite(request: HttpRequest, pk: int) -> HttpResponse:
    """Invites one more address to a larger table."""
    form = AddressForm(request.POST)
    if not form.is_valid():
        return _page(request, pk, form=form, status=400)
    if limited(request, "invitation"):
        form.add_error(None, _("You have sent many challenges. Please wait a little, then send this one again."))
        return _page(request, pk, form=form, status=429)
    room.invite(challenge_id=pk, player=the_player(request), address=form.cleaned_data["address"])
    messages.success(request, _("Your invitation is on its way."))
    return redirect("games:challenge", pk)


@_button
def add_computer(request: HttpRequest, pk: int) -> HttpResponse:
    """Gives a seat to a computer."""
    form = LevelForm(request.POST)
    if not form.is_valid():
        raise Refused
    added = room.add_computer(challenge_id=pk, player=the_player(request), level=form.cleaned_data["level"])
    if added.state == "started":
        messages.success(request, _("The game begins."))
        return redirect("games:game", added.game.pk)
    messages.success(request, _("A computer has a seat."))
    return redirect("games:challenge", pk)


@_button
def send_computer_away(request: HttpRequest, pk: int) -> HttpResponse:
    """Takes the seat of a computer."""
    if room.send_computer_away(challenge_id=pk, player=the_player(request)):
        messages.success(request, _("The computer has left its seat."))
    return redirect("games:challenge", pk)


@_button
def decline(request: HttpRequest, pk: int) -> HttpResponse:
    """Says no."""
    challenges.decline_challenge(challenge_id=pk, player=the_player(request))
    messages.success(request, _("You declined the challenge."))
    return redirect("games:mine")


@_button
def withdraw(request: HttpRequest, pk: int) -> HttpResponse:
    """Takes one's challenge back, or one's acceptance of another's."""
    withdrawn = challenges.withdraw_challenge(challenge_id=pk, player=the_player(request))
    own = withdrawn.challenger_id == the_player(request).pk
    messages.success(request, _("Your challenge is withdrawn.") if own else _("You gave your seat back."))
    return redirect("games:mine")
