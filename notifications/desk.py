"""What the tables of the administrators' desk have in common: they are read, and changed by acts, which are forms."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, ClassVar

from django import forms
from django.contrib import admin, messages
from django.contrib.admin.options import BaseModelAdmin
from django.contrib.admin.utils import unquote
from django.core.exceptions import PermissionDenied
from django.db.models import Model
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

if TYPE_CHECKING:
    AnyAdmin = BaseModelAdmin[Any]
    AnyModelAdmin = admin.ModelAdmin[Any]
else:
    AnyAdmin, AnyModelAdmin = BaseModelAdmin, admin.ModelAdmin

Link = tuple[str | Promise, str]
"""A title and an address."""

LONGEST_REASON = 1000
LAST_YEAR = 9998
"""Django reckons with the year after the one asked for."""
STRANGE = re.compile(r"\0|^[-+]?\d{19}")
"""Values that databases choke on: a zero byte, a number that is too large for them."""
FILTER_ENDINGS = ("", "__exact", "__isnull")
"""What the filters of the desk put after the name of their field."""


def _asked_by(list_filter: Any) -> str:
    """The name of what a filter asks for."""
    if isinstance(list_filter, type):
        return str(list_filter.parameter_name) if issubclass(list_filter, admin.SimpleListFilter) else ""
    return str(list_filter if isinstance(list_filter, str) else list_filter[0])


class ConfirmForm(forms.Form):
    """Nothing to say: the button is the confirmation. `one` is what the act is about."""

    def __init__(self, *args: Any, one: Any, **given: Any) -> None:
        super().__init__(*args, **given)
        self.one = one


class ReasonForm(ConfirmForm):
    """Why: an act without a reason is none."""

    reason = forms.CharField(label=_("Reason"), max_length=LONGEST_REASON, widget=forms.Textarea(attrs={"rows": 4}))


@dataclass(frozen=True)
class Act:
    """A form of its own that calls a service. `name` is its part of the address; `do` gets who acts, the object and what the
    form holds; `possible` says whether it makes sense for the object and this person now; `begin` fills the form."""

    name: str
    title: str | Promise
    permission: str
    do: Callable[[Any, Any, Mapping[str, Any]], object]
    form: type[ConfirmForm] = ReasonForm
    hint: str | Promise = ""
    possible: Callable[[Any, Any], bool] = lambda _by, _one: True
    begin: Callable[[Any], Mapping[str, Any]] = lambda _one: {}

    def is_open(self, by: Any, one: Any) -> bool:
        """Whether the button is shown."""
        return bool(by.has_perm(self.permission)) and self.possible(by, one)


class ReadOnly(AnyAdmin):
    """Nobody adds, changes or deletes rows here, superusers neither: services do."""

    def has_add_permission(self, request: HttpRequest, *_about: Any) -> bool:
        """Never."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Never."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Never."""
        return False


class DeskAdmin(ReadOnly, AnyModelAdmin):
    """A table that is read, with `acts` as buttons on the page of a row."""

    actions = None
    list_per_page = 50
    show_full_result_count = False
    change_form_template = "admin/read.html"
    acts: ClassVar[tuple[Act, ...]] = ()
    refusals: ClassVar[tuple[type[Exception], ...]] = ()
    """What services raise instead of acting."""
    linked: ClassVar[tuple[str, ...]] = ()
    """Lookups that links elsewhere on the desk use, besides those of the filters."""

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest) -> bool:
        """Only what the desk itself offers: Django would let anybody ask how a column begins, shown or not."""
        if lookup in [f"{self.date_hierarchy}__{part}" for part in ("year", "month", "day")]:
            return value.isascii() and value.isdecimal() and int(value[:5]) <= LAST_YEAR
        filtered = {f"{name}{ending}" for name in map(_asked_by, self.get_list_filter(request)) for ending in FILTER_ENDINGS}
        return lookup in filtered | {*self.linked} and not STRANGE.search(value)

    def told(self, refusal: Exception) -> str:
        """Why a service refused, in the language of the page."""
        return str(getattr(refusal, "said", refusal))

    def links_of(self, one: Any) -> list[Link]:
        """Where else to look from the page of a row: titles and addresses."""
        return []

    def get_urls(self) -> list[URLPattern]:
        """The pages of the acts before those of Django."""
        return [
            path(f"<path:object_id>/{act.name}/", self.admin_site.admin_view(self._page_of(act)), name=self._name_of(act))
            for act in self.acts
        ] + super().get_urls()

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """The row, with a button for each act that is possible."""
        one = self.get_object(request, unquote(object_id))
        buttons = [
            (act.title, reverse(f"admin:{self._name_of(act)}", args=[one.pk]))
            for act in self.acts
            if one is not None and act.is_open(request.user, one)
        ]
        links = self.links_of(one) if one is not None else []
        return super().change_view(request, object_id, form_url, {**(extra_context or {}), "acts": buttons, "links": links})

    def _name_of(self, act: Act) -> str:
        return f"{self.opts.app_label}_{self.opts.model_name}_{act.name}"

    def _page_of(self, act: Act) -> Callable[..., HttpResponse]:
        def page(request: HttpRequest, object_id: str) -> HttpResponse:
            one = self.get_object(request, unquote(object_id))
            if not self.has_view_permission(request, one):
                raise PermissionDenied
            if one is None:
                raise Http404
            if not request.user.has_perm(act.permission):
                raise PermissionDenied
            sent = {"data": request.POST} if request.method == "POST" else {"initial": dict(act.begin(one))}
            form = act.form(one=one, **sent)
            status = HTTPStatus.OK
            if form.is_bound and form.is_valid():
                was_open = act.is_open(request.user, one)
                try:
                    act.do(request.user, one, form.cleaned_data)
                except self.refusals as refusal:
                    form.add_error(None, self.told(refusal))
                    status = HTTPStatus(getattr(refusal, "status", HTTPStatus.CONFLICT))
                else:
                    if was_open:
                        messages.success(request, _("Done: %(act)s.") % {"act": act.title})
                    else:
                        messages.info(request, _("There was nothing left to do: %(act)s.") % {"act": act.title})
                    there = self.get_object(request, unquote(object_id))
                    return redirect(self._page_name(), one.pk) if there else redirect(self._page_name("changelist"))
            elif form.is_bound:
                status = HTTPStatus.BAD_REQUEST
            return self._render(request, act, one, form, status)

        return page

    def _page_name(self, page: str = "change") -> str:
        return f"admin:{self.opts.app_label}_{self.opts.model_name}_{page}"

    def _render(self, request: HttpRequest, act: Act, one: Model, form: forms.Form, status: HTTPStatus) -> HttpResponse:
        context = {
            **self.admin_site.each_context(request),
            "opts": self.opts,
            "title": act.title,
            "hint": act.hint,
            "one": one,
            "form": form,
            "possible": act.is_open(request.user, one),
            "back": reverse(self._page_name(), args=[one.pk]),
        }
        return TemplateResponse(request, "admin/act.html", context, status=status)
