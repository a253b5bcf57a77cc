"""Names that lead to the pages of players."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from django import template
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import ngettext

from games.selectors import Person, Seated

register = template.Library()


@register.filter
def linked(one: Person | Seated) -> SafeString:
    """The name, isolated from the direction of the text around it; a link if the player has a page."""
    if one.profile is None:
        return format_html("<bdi>{}</bdi>", one.name)
    return format_html('<a href="{}"><bdi>{}</bdi></a>', reverse("games:player", args=[one.profile]), one.name)


@register.filter
def all_linked(people: Iterable[Person]) -> SafeString:
    """Several names, with commas between."""
    return format_html_join(", ", "{}", ((linked(one),) for one in people))


@register.filter
def against(people: Collection[Person]) -> SafeString:
    """Whom somebody plays against."""
    told = ngettext("against %(who)s", "against %(who)s", len(people))
    return mark_safe(told % {"who": all_linked(people)})  # noqa: S308 - a translation around escaped names
