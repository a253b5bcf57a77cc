"""The page of a game, and what its buttons do."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from games import selectors
from games.forms import ActionForm, AnswerForm, MoveForm, ProposalForm, new_key
from games.rules.phrase import phrase
from games.rules.position import MoveRefused
from games.services import challenge, moves, proposals
from games.services.errors import Gone, KeyReused, Refused, StalePosition
from games.speech import say
from games.views.refusals import player_of, tells_refusals, the_player

VIA = "web"
ANSWERS = {"agree": proposals.agree, "refuse": proposals.refuse, "withdraw": proposals.withdraw}


@never_cache
@require_safe
def show(request: HttpRequest, pk: int) -> HttpResponse:
    """The game; `?move=` chooses a move, which is shown with its effects and has to be confirmed."""
    return _page(request, pk, chosen=request.GET.get("move", "").strip()[:200])


def _page(
    request: HttpRequest, pk: int, *, chosen: str = "", typed: str = "", error: str = "", status: int = 200
) -> HttpResponse:
    page = selectors.game_page(pk, player_of(request))
    if page is None:
        raise Http404
    choice = next((one for one in page.choices if one.move == chosen), None)
    if chosen and choice is None and not error:
        typed, error = chosen, say(phrase("“%(move)s” is not possible here.", move=chosen[:20]))
    context: dict[str, Any] = {"page": page, "choice": choice, "typed": typed, "error": error, "key": new_key()}
    return render(request, "games/game.html", context, status=status)


@login_required
@require_POST
@tells_refusals
def move(request: HttpRequest, pk: int) -> HttpResponse:
    """Plays what was chosen or typed; what cannot be played comes back with the reason beside the present position."""
    seat = _seat(request, pk)
    form = MoveForm(request.POST)
    if not form.is_valid():
        error = " ".join(str(one) for errors in form.errors.values() for one in errors)
        return _page(request, pk, typed=request.POST.get("move", "")[:200], error=error, status=400)
    given = form.cleaned_data
    try:
        answer = moves.play_move(
            game=pk, seat=seat, text=given["move"], position_number=given["position"], via=VIA, key=given["key"]
        )
    except MoveRefused as refused:
        return _page(request, pk, typed=given["move"], error=say(refused.said), status=400)
    except (StalePosition, KeyReused) as refused:
        return _page(request, pk, error=say(refused.said), status=409)
    messages.success(request, _("You played %(moves)s.") % {"moves": "-".join(answer.moved)})
    return redirect("games:game", pk)


@login_required
@require_POST
@tells_refusals
def resign(request: HttpRequest, pk: int) -> HttpResponse:
    """Gives the game up; asks once more unless the button says that it was asked."""
    seat = _seat(request, pk)
    if "sure" not in request.POST:
        return render(request, "games/resign.html", {"pk": pk, "key": new_key()})
    moves.resign(game=pk, seat=seat, via=VIA, key=_key(request))
    messages.success(request, _("You resigned."))
    return redirect("games:game", pk)


@login_required
@require_POST
@tells_refusals
def abort(request: HttpRequest, pk: int) -> HttpResponse:
    """Calls the game off before everybody has completed a turn."""
    moves.abort_game(game=pk, seat=_seat(request, pk), via=VIA, key=_key(request))
    messages.success(request, _("The game is called off."))
    return redirect("games:game", pk)


@login_required
@require_POST
@tells_refusals
def propose(request: HttpRequest, pk: int) -> HttpResponse:
    """Proposes an agreement."""
    form = ProposalForm(request.POST)
    if not form.is_valid():
        raise Refused
    proposals.propose(game=pk, seat=_seat(request, pk), kind=form.cleaned_data["kind"], via=VIA, key=form.cleaned_data["key"])
    messages.success(request, _("Your proposal is made."))
    return redirect("games:game", pk)


@login_required
@require_POST
@tells_refusals
def answer(request: HttpRequest, pk: int) -> HttpResponse:
    """Agrees to a proposal, refuses it, or takes one's own back."""
    form = AnswerForm(request.POST)
    if not form.is_valid():
        raise Refused
    given = form.cleaned_data
    ANSWERS[given["answer"]](game=pk, seat=_seat(request, pk), number=given["number"], via=VIA, key=given["key"])
    return redirect("games:game", pk)


@login_required
@require_POST
@tells_refusals
def rematch(request: HttpRequest, pk: int) -> HttpResponse:
    """Offers the same game with seats exchanged, or accepts the offer of the other."""
    offered = selectors.challenge(challenge.offer_rematch(game_id=pk, player=the_player(request)).pk, the_player(request))
    if offered is not None and offered.game is not None:
        return redirect("games:game", offered.game)
    messages.success(request, _("The rematch is offered."))
    return redirect("games:challenge", offered.pk if offered else pk)


@require_safe
def record(request: HttpRequest, pk: int) -> HttpResponse:
    """The game as a record, to keep."""
    text = selectors.record_of(pk, player_of(request))
    if text is None:
        raise Http404
    response = HttpResponse(text, content_type="text/plain; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="game-{pk}.game"'
    return response


def _seat(request: HttpRequest, pk: int) -> int:
    seat = selectors.seat_of(pk, the_player(request))
    if seat is None:
        raise Gone
    return seat


def _key(request: HttpRequest) -> str:
    form = ActionForm(request.POST)
    if not form.is_valid():
        raise Refused
    return str(form.cleaned_data["key"])
