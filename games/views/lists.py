"""The front page, my games, and the games that anybody may watch."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.views.decorators.cache import cache_control, never_cache
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_safe
from django.views.decorators.vary import vary_on_headers

from games import selectors
from games.forms import ComputerForm
from games.views.buttons import player_of, the_player
from games.views.guests import games_of
from games.views.invitations import REMEMBERED


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """What this is, with a board of each game, of which `?game=` shows one at another moment, `?step=`, and the open
    challenges."""
    asked = request.GET.get("step", "")
    step = int(asked) if asked.isdecimal() and len(asked) < 5 else None
    return render(
        request,
        "games/home.html",
        {
            "challenges": selectors.open_challenges(player_of(request), most=6),
            "computer": ComputerForm(initial={"game": selectors.FLAGSHIP}),
            "guest_games": games_of(request),
            "rulesets": selectors.offered(),
            "showcases": selectors.showcases(game=request.GET.get("game", selectors.FLAGSHIP), step=step),
        },
    )


@require_safe
@gzip_page
@cache_control(private=True, max_age=3600)
@vary_on_headers("Accept-Language", "Cookie")
def showcase(_request: HttpRequest, name: str) -> JsonResponse:
    """Every moment of a game on the front page, for the script that steps through it: picture and words, nothing personal."""
    steps = selectors.record_shown(name)
    if not steps:
        raise Http404
    return JsonResponse(
        {"steps": [{"svg": one.svg, "words": render_to_string("games/step.html", {"shown": one})} for one in steps]}
    )


@never_cache
@login_required
@require_safe
def mine(request: HttpRequest) -> HttpResponse:
    """The player's games, those that wait for them first."""
    games, invited = selectors.my_games(the_player(request)), REMEMBERED in request.session
    context = {"games": games, "invited": invited, "rulesets": selectors.offered() if games.empty else []}
    return render(request, "games/mine.html", context)


@never_cache
@login_required
@require_safe
def finished(request: HttpRequest) -> HttpResponse:
    """The player's finished games, page by page."""
    lines, pages = selectors.finished_games(the_player(request), page=request.GET.get("page", "1"))
    return render(request, "games/finished.html", {"lines": lines, "pages": pages})


@require_safe
def watch(request: HttpRequest) -> HttpResponse:
    """The public games that are played now, page by page."""
    return _public(request, finished=False)


@require_safe
def watch_finished(request: HttpRequest) -> HttpResponse:
    """The public games that have ended, page by page."""
    return _public(request, finished=True)


def _public(request: HttpRequest, *, finished: bool) -> HttpResponse:
    lines, pages = selectors.public_games(finished=finished, page=request.GET.get("page", "1"))
    return render(request, "games/watch.html", {"lines": lines, "pages": pages, "finished": finished})
