"""The rules of a game for players: its guide, with boards drawn where the guide marks them.

A guide is Markdown without HTML. `![words](board:{…}4-6)` is a board (see `selectors.board_in_guide`); a fenced block is
the same board as text, which unfolds.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final
from urllib.parse import unquote

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.html import format_html
from django.utils.safestring import mark_safe
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe
from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token

from games import selectors
from games.rules import registry
from games.rules.ruleset import AnyRuleset
from games.views.keeping import kept_by_visitors

MARKED: Final = "board:"


class GuideRenderer(RendererHTML):
    """Draws boards, and folds text boards away."""

    def image(self, tokens: Sequence[Token], idx: int, options: Any, env: Any) -> str:
        """A board with its words under it; of any other picture the words alone: guides bring no files."""
        token = tokens[idx]
        source, words = unquote(str(token.attrGet("src"))), token.content
        if not source.startswith(MARKED) or "ruleset" not in env:
            return format_html("{}", words)
        env["boards"] = env.get("boards", 0) + 1
        svg = selectors.board_in_guide(env["ruleset"], source.removeprefix(MARKED), f"b{env['boards']}")
        drawn = mark_safe(svg)  # noqa: S308 - a picture of our own
        return format_html('<span class="drawn">{} <span class="caption">{}</span></span>', drawn, words)

    def fence(self, tokens: Sequence[Token], idx: int, options: Any, env: Any) -> str:
        """Text of fixed width; one that is wider than the window is scrolled by keys too."""
        text = tokens[idx].content
        return format_html('<details><summary>{}</summary><pre tabindex="0">{}</pre></details>', _("As text"), text)


MARKDOWN = MarkdownIt("commonmark", {"html": False}, renderer_cls=GuideRenderer).enable("table")


@require_safe
@kept_by_visitors
def index(request: HttpRequest) -> HttpResponse:
    """All games, each with the first words of its guide."""
    told = [(one, _first_words(registry.get(one.name))) for one in selectors.offered()]
    return render(request, "games/rules_index.html", {"rulesets": told})


@require_safe
@kept_by_visitors
def rules(request: HttpRequest, name: str) -> HttpResponse:
    """The guide of a ruleset in the reader's language."""
    if name not in registry.names():
        raise Http404
    ruleset = registry.get(name)
    guide = mark_safe(_rendered(ruleset))  # noqa: S308 - our own text, rendered without HTML
    return render(request, "games/rules.html", {"title": selectors.title_of(name), "guide": guide, "name": name})


def _first_words(ruleset: AnyRuleset) -> str:
    """The paragraph after the title."""
    _title, *paragraphs = selectors.guide(ruleset).split("\n\n")
    return mark_safe(str(MARKDOWN.render(paragraphs[0]))) if paragraphs else ""  # noqa: S308 - as above


def _rendered(ruleset: AnyRuleset) -> str:
    return str(MARKDOWN.render(selectors.guide(ruleset), {"ruleset": ruleset}))
