"""The page behind the links in letters: the board, a choice, its effect, one button.

The token is the authority: its page needs neither login nor cookie, a GET of it changes nothing and sets none (L1-L3), and a
session that there is anyway is only read, to warn (L7).
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from functools import wraps
from typing import Any, Final

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.utils import timezone, translation
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.debug import sensitive_variables
from django.views.decorators.http import require_http_methods

from accounts.models import Player
from accounts.services import visits
from games import selectors
from games.forms import LONGEST_MOVE, AnswerForm, MoveForm, new_key
from games.rules.position import AmbiguousMove, MoveRefused
from games.selectors import Held
from games.services import moves, proposals
from games.services.errors import Gone, Refused, StalePosition
from games.speech import say
from games.views.bare import bare, limited
from games.views.buttons import player_of
from games.views.guesses import count_guess, guessed_too_often
from games.views.table import number_in, pieces_in
from games.views.writing import message_in, unsent

VIA: Final = "link"
ANSWERS: Final = {"agree": proposals.agree, "refuse": proposals.refuse}


def _kept_secret(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """The address is the token: nobody lists it, and no request that follows from the page names it, not even one to us, which
    a proxy may log. A form of this page needs no Referer, since it is not checked for forgery."""

    @wraps(view)
    def shown(request: HttpRequest, *args: Any, **given: Any) -> HttpResponse:
        response = view(request, *args, **given)
        response["X-Robots-Tag"] = "noindex, nofollow, noarchive"
        response["Referrer-Policy"] = "no-referrer"
        return response

    return shown


@csrf_exempt
@never_cache
@_kept_secret
@sensitive_variables("token")
@require_http_methods(["GET", "HEAD", "POST"])
def right(request: HttpRequest, token: str) -> HttpResponse:
    """Shows what the right allows: `?at=` is the number of the position that `move=` (and `side=`) is meant for, or of the
    proposal that `answer=` answers. A POST acts.

    1. Whoever asked for too many links that open nothing is sent away, whatever he asks for now.
    2. An unknown token and a void one look the same, and count as a guess (S2).
    3. An opponent who opens it while he is logged in is refused, anybody else who is logged in is warned (L7).
    4. A button acts; pressed again it gives the same answer (L4). Once the turn is over, nothing does (L5, L12).
    """
    if guessed_too_often(request):
        return limited(request)
    held = selectors.right_with(token)
    if held is None:
        return _unknown(request)
    with translation.override(held.player.language), timezone.override(held.player.zone):
        if _is_opponent(held, player_of(request)):
            return bare(request, "games/right_of_another.html", status=403, held=held)
        if request.method != "POST":
            return _looked_at(request, held)
        try:
            return _acted(request, held)
        except Gone:
            return _unknown(request)


def _unknown(request: HttpRequest) -> HttpResponse:
    if not count_guess(request):
        return limited(request)
    return bare(request, "games/right_unknown.html", status=404)


def _is_opponent(held: Held, viewer: Player | None) -> bool:
    return viewer is not None and viewer != held.player and selectors.seat_of(held.game, viewer) is not None


def _looked_at(request: HttpRequest, held: Held) -> HttpResponse:
    given = request.GET
    chosen, meant_for = given.get("move", "").strip()[:LONGEST_MOVE], number_in(given.get("at", ""))
    return _page(
        request, held, chosen=chosen, pieces=pieces_in(request), meant_for=meant_for, answer=given.get("answer", "")
    )  # fmt: skip


def _acted(request: HttpRequest, held: Held) -> HttpResponse:
    """Acts, and leads to the page as it is then, so that a reload acts no second time. Raises Gone."""
    try:
        done = _answer(request, held) if held.to_answer else _move(request, held)
    except MoveRefused as refused:
        chosen = request.POST.get("move", "")[:LONGEST_MOVE] if isinstance(refused, AmbiguousMove) else ""
        return _page(request, held, chosen=chosen, wrong=say(refused.said), status=400)
    except Refused as refused:
        if isinstance(refused, Gone):
            raise
        return _page(request, held, error=say(refused.said), status=refused.status)
    if not done:
        return _page(request, held, error=_("Please press one of the buttons."), status=400)
    visits.note(player_id=held.player.pk)
    return HttpResponseRedirect(f"{request.path}?done")


def _move(request: HttpRequest, held: Held) -> bool:
    form = MoveForm(request.POST)
    if not form.is_valid():
        return False
    given = form.cleaned_data
    moves.play_move(
        game=held.game,
        seat=held.seat,
        text=given["move"],
        position_number=given["position"],
        via=VIA,
        key=given["key"],
        message=message_in(request, held.player),
        right=held.pk,
    )
    return True


def _answer(request: HttpRequest, held: Held) -> bool:
    form = AnswerForm(request.POST)
    if not form.is_valid() or form.cleaned_data["answer"] not in ANSWERS:
        return False
    given = form.cleaned_data
    ANSWERS[given["answer"]](
        game=held.game, seat=held.seat, number=given["number"], via=VIA, key=given["key"], right=held.pk
    )  # fmt: skip
    return True


def _page(
    request: HttpRequest,
    held: Held,
    *,
    chosen: str = "",
    pieces: Collection[str] | None = None,
    meant_for: int | None = None,
    answer: str = "",
    wrong: str = "",
    error: str = "",
    status: int = 200,
) -> HttpResponse:
    right = selectors.right_page(held, chosen=chosen, pieces=pieces, meant_for=meant_for)
    page, viewer = right.page, player_of(request)
    stale = right.state == "open" and page is not None and meant_for is not None and meant_for != page.position_number
    if chosen and stale and not held.to_answer:
        error = say(StalePosition.reason)
    refused = page.refused if page is not None else ""
    context = {
        "held": held,
        "right": right,
        "page": page,
        "words": right.words,
        "done": "done" in request.GET and request.method != "POST",
        "another": viewer if viewer is not None and viewer != held.player else None,
        "answer": answer if answer in ANSWERS else "",
        "typed": request.POST.get("move", "")[:LONGEST_MOVE] or (chosen if refused else ""),
        "wrong": wrong or refused,
        "error": error,
        "new_key": new_key,
        "unsent": unsent(request),
    }
    return bare(request, "games/right.html", status=status, **context)
