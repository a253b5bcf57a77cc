"""The front page, my games, and the games that anybody may watch."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.views.decorators.cache import cache_control, never_cache
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_safe
from django.views.decorators.vary import vary_on_headers

from games import selectors
from games.views.buttons import player_of, the_player
from games.views.invitations import REMEMBERED


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """What this is, with a bundled game that `?step=` shows at another moment, and the open challenges."""
    steps = selectors.record_shown()
    asked = request.GET.get("step", "")
    number = min(int(asked), len(steps) - 1) if asked.isdecimal() and len(asked) < 5 else selectors.FIRST_SHOWN
    return render(
        request,
        "games/home.html",
        {
            "challenges": selectors.open_challenges(player_of(request), most=6),
            "rulesets": selectors.rulesets(),
            "shown": steps[number],
            "last_step": len(steps) - 1,
        },
    )


@require_safe
@gzip_page
@cache_control(private=True, max_age=3600)
@vary_on_headers("Accept-Language", "Cookie")
def showcase(_request: HttpRequest) -> JsonResponse:
    """Every moment of the front page's game, for the script that steps through it: picture and words, nothing personal."""
    return JsonResponse(
        {
            "steps": [
                {"svg": one.svg, "words": render_to_string("games/step.html", {"shown": one})} for one in selectors.record_shown()
            ]
        }
    )


@never_cache
@login_required
@require_safe
def mine(request: HttpRequest) -> HttpResponse:
    """The player's games, those that wait for them first."""
    games, invited = selectors.my_games(the_player(request)), REMEMBERED in request.session
    context = {"games": games, "invited": invited, "rulesets": selectors.rulesets() if games.empty else []}
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
