"""The front page, my games, and the rules of a game for players."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.safestring import mark_safe
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from markdown_it import MarkdownIt

from games import selectors
from games.rules import registry
from games.speech import say
from games.views.buttons import player_of, the_player
from games.views.invitations import REMEMBERED

MARKDOWN = MarkdownIt("commonmark", {"html": False}).enable("table")


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """What this is, and the open challenges."""
    rulesets = [(name, say(registry.get(name).facts.title)) for name in registry.names()]
    return render(
        request, "games/home.html", {"challenges": selectors.open_challenges(player_of(request), most=10), "rulesets": rulesets}
    )


@never_cache
@login_required
@require_safe
def mine(request: HttpRequest) -> HttpResponse:
    """The player's games, those that wait for him first."""
    context = {"games": selectors.my_games(the_player(request)), "invited": REMEMBERED in request.session}
    return render(request, "games/mine.html", context)


@require_safe
def rules(request: HttpRequest, name: str) -> HttpResponse:
    """The guide of a ruleset in the reader's language."""
    if name not in registry.names():
        raise Http404
    ruleset = registry.get(name)
    # A board that is wider than the window is scrolled by keys too.
    html = MARKDOWN.render(selectors.guide(ruleset)).replace("<pre>", '<pre tabindex="0">')
    guide = mark_safe(html)  # noqa: S308 - our own text, rendered without HTML
    return render(request, "games/rules.html", {"title": say(ruleset.facts.title), "guide": guide, "name": name})
