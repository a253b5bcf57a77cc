"""Template tags that remember what always comes out the same: addresses, and parts of pages made of the same values."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from django import template
from django.conf import settings
from django.template.base import Parser, Token
from django.template.defaulttags import URLNode, url
from django.template.loader import render_to_string
from django.urls import NoReverseMatch, get_script_prefix, reverse
from django.utils.html import conditional_escape
from django.utils.safestring import SafeString
from django.utils.timezone import get_current_timezone_name
from django.utils.translation import get_language

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


@register.simple_tag
def remembered(template_name: str, **values: Any) -> SafeString:
    """A template that sees these values and nothing else, no request either. What it made of them is kept by the values, the
    language and the time zone, so they have to be immutable, and it must not look at the clock.

    What one reader may see cannot come to another: who hands over the same values gets the same.
    """
    # A string that is safe is equal to one that is not.
    told = tuple([(name, value, type(value)) for name, value in values.items()])
    return _rendered(template_name, told, get_language() or "", get_current_timezone_name())


@lru_cache(maxsize=2048)
def _rendered(template_name: str, told: tuple[tuple[str, Any, type], ...], language: str, zone: str) -> SafeString:
    return render_to_string(template_name, {name: value for name, value, _type in told})
