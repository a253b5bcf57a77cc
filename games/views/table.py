"""The page of a game, and what its buttons do."""

from __future__ import annotations

import json
from collections.abc import Collection
from typing import Any, Final

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.cache import patch_vary_headers
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import condition, require_safe

from accounts.limits import limited
from games import selectors
from games.forms import LONGEST_MOVE, ActionForm, AnswerForm, MoveForm, ProposalForm, new_key
from games.rules.position import AmbiguousMove, MoveRefused
from games.selectors import GamePage
from games.services import challenge, moves, proposals
from games.services.errors import Gone, Refused, StalePosition
from games.speech import say
from games.views import seeing
from games.views.buttons import button, player_of, the_player
from games.views.guests import guest_seat, prolong
from games.views.swapping import is_swapped
from games.views.writing import TooManyChallenges, message_in, unsent

VIA = "web"
EVERY: Final = 10
EVERY_LIVE: Final = 2
EVERY_THINKING: Final = 1
EVERY_OVER: Final = 60
"""After how many seconds a page asks again how its game stands; in a live game more often, most often while a computer thinks,
after the end, which may be taken back, seldom."""

ANSWERS = {"agree": proposals.agree, "refuse": proposals.refuse, "withdraw": proposals.withdraw}


def _unchanged(request: HttpRequest, pk: int, number: int | None = None) -> str | None:
    """The ETag of the page as it stands now; nothing is read for somebody who has not seen it yet."""
    if "If-None-Match" not in request.headers:
        return None
    version = selectors.version_of(pk, player_of(request), guest=guest_seat(request, pk))
    return _etag(version) if version is not None else None


def _etag(version: str) -> str:
    return f'W/"{version}.{get_language()}"'


@never_cache
@require_safe
@condition(etag_func=_unchanged)
def show(request: HttpRequest, pk: int) -> HttpResponse:
    """The game; `?move=` looks ahead at plies of the viewer's turn, which he plays on the same page, see also `pieces_in`.

    `&position=` is the number of the position that they were chosen at: at another one there is nothing to look ahead at.
    """
    chosen = request.GET.get("move", "").strip()[:LONGEST_MOVE]
    return _page(request, pk, chosen=chosen, pieces=pieces_in(request), meant_for=number_in(request.GET.get("position", "")))


@never_cache
@require_safe
@condition(etag_func=_unchanged)
def step(request: HttpRequest, pk: int, number: int) -> HttpResponse:
    """The game as it stood after the log entry of this number: to look at, not to play."""
    return _page(request, pk, at=number)


def number_in(text: str) -> int | None:
    """The number that a query names; None for anything else."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else None


def pieces_in(request: HttpRequest) -> tuple[str, ...] | None:
    """What a query wants on one side of its move: `&sides=1&side=3&side=7`; None where it does not ask for sides."""
    return tuple(request.GET.getlist("side")) if "sides" in request.GET else None


def _page(
    request: HttpRequest,
    pk: int,
    *,
    chosen: str = "",
    pieces: Collection[str] | None = None,
    meant_for: int | None = None,
    at: int | None = None,
    typed: str = "",
    wrong: str = "",
    error: str = "",
    status: int = 200,
) -> HttpResponse:
    """`wrong` is told beside the field with what was `typed`, `error` above everything. A browser that shows the game already is
    handed the table alone."""
    viewer = player_of(request)
    guest = guest_seat(request, pk)
    page = selectors.game_page(pk, viewer, chosen=chosen, pieces=pieces, meant_for=meant_for, at=at, guest=guest)
    if page is None:
        raise Http404
    if chosen and meant_for not in (None, page.position_number):
        error = say(StalePosition.reason)
    words = selectors.words_of(pk, viewer)
    rematch = selectors.rematch_of(pk, viewer) if viewer is not None and page.seat is not None and page.over else None
    etag = _etag(selectors.version(page, words, rematch))
    waits = viewer is not None and page.seat is not None and not page.my_turn
    context: dict[str, Any] = {
        "page": page,
        "typed": typed or (chosen if page.refused else ""),
        "wrong": wrong or page.refused,
        "error": error,
        "new_key": new_key,
        "words": words,
        "rematch": rematch,
        "unsent": unsent(request),
        "etag": etag,
        "every": _every(page),
        "next_game": selectors.next_waiting(viewer, besides=pk) if viewer is not None and waits else None,
        "ways": json.dumps([[way.start, way.touched] for way in page.ways]),
    }
    template = "games/fragment.html" if is_swapped(request) else "games/game.html"
    response = render(request, template, context, status=status)
    if status == 200:
        response["ETag"] = etag
        seeing.note(request, page)
    patch_vary_headers(response, ["HX-Request"])
    return response


def _every(page: GamePage) -> int:
    if page.over:
        return EVERY_OVER
    return EVERY_THINKING if page.thinking else EVERY_LIVE if page.live else EVERY


def refuse(request: HttpRequest, pk: int, refused: Refused | MoveRefused) -> HttpResponse:
    """The present position with the reason; a move that was sent stands in the field again."""
    typed = request.POST.get("move", "")[:LONGEST_MOVE]
    if isinstance(refused, MoveRefused):
        chosen = typed if isinstance(refused, AmbiguousMove) else ""
        return _page(request, pk, chosen=chosen, typed=typed, wrong=say(refused.said), status=400)
    return _page(request, pk, typed=typed, error=say(refused.said), status=refused.status)


_button = button(page="games:game", refuse=refuse, guest=guest_seat)


@_button
def move(request: HttpRequest, pk: int) -> HttpResponse:
    """Plays what was chosen or typed."""
    seat = _seat(request, pk)
    form = MoveForm(request.POST)
    if not form.is_valid():
        wrong = " ".join(str(one) for errors in form.errors.values() for one in errors)
        return _page(request, pk, typed=request.POST.get("move", "")[:LONGEST_MOVE], wrong=wrong, status=400)
    given = form.cleaned_data
    played = moves.play_move(
        game=pk,
        seat=seat,
        text=given["move"],
        position_number=given["position"],
        via=VIA,
        key=given["key"],
        message=message_in(request),
    )
    messages.success(request, _("You played %(moves)s.") % {"moves": ", ".join(played.moved)})
    return redirect("games:game", pk)


@_button
def resign(request: HttpRequest, pk: int) -> HttpResponse:
    """Gives the game up; asks once more unless the button says that it was asked."""
    seat = _seat(request, pk)
    if "sure" not in request.POST:
        told = _("It counts as a loss and cannot be taken back.")
        return _ask(request, pk, _("Resign this game?"), told, _("Yes, resign"))
    moves.resign(game=pk, seat=seat, via=VIA, key=_key(request))
    messages.success(request, _("You resigned."))
    return redirect("games:game", pk)


@_button
def abort(request: HttpRequest, pk: int) -> HttpResponse:
    """Calls the game off before everybody has completed a turn; asks once more like `resign`."""
    seat = _seat(request, pk)
    if "sure" not in request.POST:
        told = _("It ends without a result for everybody and cannot be taken back.")
        return _ask(request, pk, _("Call this game off?"), told, _("Yes, call it off"))
    moves.abort_game(game=pk, seat=seat, via=VIA, key=_key(request))
    messages.success(request, _("The game is called off."))
    return redirect("games:game", pk)


def _ask(request: HttpRequest, pk: int, question: str, consequence: str, yes: str) -> HttpResponse:
    told = {"question": question, "consequence": consequence, "yes": yes}
    return render(request, "games/sure.html", {"pk": pk, "new_key": new_key, **told})


@_button
def propose(request: HttpRequest, pk: int) -> HttpResponse:
    """Proposes an agreement."""
    seat, form = _seat(request, pk), ProposalForm(request.POST)
    if not form.is_valid():
        raise Refused
    proposals.propose(game=pk, seat=seat, kind=form.cleaned_data["kind"], via=VIA, key=form.cleaned_data["key"])
    messages.success(request, _("Your proposal is made."))
    return redirect("games:game", pk)


@_button
def answer(request: HttpRequest, pk: int) -> HttpResponse:
    """Agrees to a proposal, refuses it, or takes one's own back."""
    seat, form = _seat(request, pk), AnswerForm(request.POST)
    if not form.is_valid():
        raise Refused
    given = form.cleaned_data
    ANSWERS[given["answer"]](game=pk, seat=seat, number=given["number"], via=VIA, key=given["key"])
    messages.success(request, _("Your answer is noted."))
    return redirect("games:game", pk)


@button(page="games:game", refuse=refuse)
def rematch(request: HttpRequest, pk: int) -> HttpResponse:
    """Offers the same game with seats exchanged, or accepts the offer of the other. Only an offer is counted."""
    if selectors.rematch_of(pk, the_player(request)) is None and limited(request, "challenge"):
        raise TooManyChallenges
    made = challenge.offer_rematch(game_id=pk, player=the_player(request))
    offered = selectors.challenge(made.pk, the_player(request))
    if offered is not None and offered.game is not None:
        messages.success(request, _("The game begins."))
        return redirect("games:game", offered.game)
    messages.success(request, _("The rematch is offered."))
    return redirect("games:challenge", made.pk)


@never_cache
@require_safe
def record(request: HttpRequest, pk: int) -> HttpResponse:
    """The game as a record, to keep."""
    text = selectors.record_of(pk, player_of(request), guest=guest_seat(request, pk))
    if text is None:
        raise Http404
    response = HttpResponse(text, content_type="text/plain; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{selectors.file_name(pk)}"'
    return response


def _seat(request: HttpRequest, pk: int) -> int:
    viewer = player_of(request)
    seat = selectors.seat_of(pk, viewer) if viewer is not None else guest_seat(request, pk)
    if seat is None:
        raise Gone
    if viewer is None:
        prolong(request)
    return seat


def _key(request: HttpRequest) -> str:
    form = ActionForm(request.POST)
    if not form.is_valid():
        raise Refused
    return str(form.cleaned_data["key"])
