"""Template tags that remember what always comes out the same: addresses, and parts of pages made of the same values."""

from __future__ import annotations

import secrets
from functools import lru_cache
from itertools import count
from typing import Any, Final

from django import template
from django.conf import settings
from django.template.base import FilterExpression, Parser, Token, token_kwargs
from django.template.defaulttags import URLNode, url
from django.template.loader_tags import BlockNode
from django.urls import NoReverseMatch, get_script_prefix, reverse
from django.utils.html import conditional_escape
from django.utils.safestring import SafeString, mark_safe
from django.utils.timezone import get_current_timezone_name
from django.utils.translation import get_language

from config.shelf import Shelf

register = template.Library()


class RememberedURL(URLNode):
    """Django's `{% url %}`, which else works a good part of a page's time."""

    def render(self, context: template.Context) -> str:
        """The address, escaped where it has to be; a name that leads nowhere is left to Django."""
        if self.kwargs or getattr(getattr(context, "request", None), "current_app", None):
            return super().render(context)
        name, args = self.view_name.resolve(context), tuple([arg.resolve(context) for arg in self.args])
        try:
            address = _address(name, args, get_script_prefix(), settings.ROOT_URLCONF)
        except (NoReverseMatch, TypeError):
            return super().render(context)
        if self.asvar:
            context[self.asvar] = address
            return ""
        return conditional_escape(address) if context.autoescape else address


@register.tag("url")
def remembered_url(parser: Parser, token: Token) -> RememberedURL:
    """`{% url %}` as ever."""
    node = url(parser, token)
    return RememberedURL(node.view_name, node.args, node.kwargs, node.asvar)


@lru_cache(maxsize=4096)
def _address(name: str, args: tuple[Any, ...], prefix: str, urlconf: str) -> str:
    """`reverse` looks at the prefix itself."""
    return reverse(name, urlconf, args)


LARGEST: Final = 6_000_000
KEPT: Final = Shelf(LARGEST)
"""Parts of pages, with what they were made of beside them: some 20 MB."""

_PLACE: Final = secrets.token_hex(8)
"""Marks the places in a kept part that are open, each followed by the name of what comes there: nobody can write it."""
_NAME: Final = 4
_numbers: Final = count()
_open_places: Final[dict[str, template.NodeList]] = {}
"""As many as templates have, by name."""


class _Kept(template.Context):
    """What a part sees that will be kept: nothing of the page around it."""

    def get(self, key: int | str | template.Node, otherwise: Any = None) -> Any:
        """As ever. A form without its token would be refused only when it is sent."""
        if key == "csrf_token":
            raise template.TemplateSyntaxError("a token must not be kept: it belongs between {% anew %} and {% endanew %}")
        return super().get(key, otherwise)


class Remembered(template.Node):
    """A part of a page that is made once for the same values."""

    child_nodelists = ()  # `{% extends %}` looks for blocks in every node of every page; there are none here

    def __init__(self, values: dict[str, FilterExpression], nodelist: template.NodeList) -> None:
        self.values, self.nodelist = values, nodelist

    def render(self, context: template.Context) -> SafeString:
        """The part, its open places filled by the page around it, or left to the page around all parts."""
        values = [value.resolve(context) for value in self.values.values()]
        # A string that is safe is equal to one that is not.
        key = self, tuple(values), tuple(map(type, values)), get_language(), get_current_timezone_name()
        text = KEPT.find(key)
        if text is None:
            alone = _Kept(dict(zip(self.values, values, strict=True)))
            alone.template = context.template
            text = self.nodelist.render(alone)
            KEPT.keep(key, text)
        said, *rest = text.split(_PLACE)
        if rest and not isinstance(context, _Kept):
            text = said + "".join([_open_places[one[:_NAME]].render(context) + one[_NAME:] for one in rest])
        return mark_safe(text)  # noqa: S308 - templates made it


@register.tag
def remembered(parser: Parser, token: Token) -> Remembered:
    """`{% remembered name=value … %}…{% endremembered %}`: what stands between sees these values and nothing else, no request
    either. What comes of it is kept by the values, the language and the time zone, so they have to be immutable, and it must
    not look at the clock. What stands in it between `{% anew %}` and `{% endanew %}` is made each time, and sees what the page
    sees, but no value of the part.

    What one reader may see cannot come to another: who hands over the same values gets the same.
    """
    bits = token.split_contents()[1:]
    values = token_kwargs(bits, parser)
    if bits:
        raise template.TemplateSyntaxError(f"remembered takes values by name, not {bits[0]!r}")
    nodelist = parser.parse(["endremembered"])
    parser.delete_first_token()
    if nodelist.get_nodes_by_type(BlockNode):
        raise template.TemplateSyntaxError("a remembered part knows no page that could fill its blocks")
    return Remembered(values, nodelist)


class Anew(template.Node):
    """A place that stays open in a part that is kept; elsewhere it is like any other."""

    def __init__(self, nodelist: template.NodeList) -> None:
        self.nodelist, self.name = nodelist, f"{next(_numbers):0{_NAME}x}"
        _open_places[self.name] = nodelist

    def render(self, context: template.Context) -> SafeString:
        """Kept is only the mark of the place."""
        return mark_safe(_PLACE + self.name) if isinstance(context, _Kept) else self.nodelist.render(context)  # noqa: S308


@register.tag
def anew(parser: Parser, token: Token) -> Anew:
    """`{% anew %}…{% endanew %}`: what stands between is never kept (`remembered`)."""
    nodelist = parser.parse(["endanew"])
    parser.delete_first_token()
    return Anew(nodelist)
