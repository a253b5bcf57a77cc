"""A page to visit, and how it is visited: by pictures and by whoever looks for faults on all of them."""

from __future__ import annotations

import json
from typing import Final, NamedTuple

import playwright.sync_api

from tests.stack.whole import Stack

SEND: Final = """([address, fields]) => {
  const token = document.querySelector("[name=csrfmiddlewaretoken]")?.value;
  const form = Object.assign(document.createElement("form"), { method: "post", action: address });
  for (const [name, value] of Object.entries({ csrfmiddlewaretoken: token, ...fields }))
    form.append(Object.assign(document.createElement("input"), { type: "hidden", name, value }));
  document.body.append(form);
  form.submit();
}"""


class Page(NamedTuple):
    """What its pictures are called, its path, the session of whoever looks (empty for a visitor), and the status it answers.

    `sent`: the page is the answer to a form, of this address with these fields, that is sent from the one at `path`.
    """

    name: str
    path: str
    session: str = ""
    status: int = 200
    sent: tuple[str, dict[str, str]] | None = None


def fill(stack: Stack) -> list[Page]:
    """Fills the database of a running stack with the scene; its pages."""
    told = stack.told_by("tests.screenshots.fill")
    return [Page(*fields) for fields in json.loads(told)]


def visit(tab: playwright.sync_api.Page, stack: Stack, page: Page, language: str) -> str:
    """Opens it as its reader, in a language; says so if it answers otherwise than it should, or leads elsewhere."""
    tab.context.clear_cookies()
    cookies = {"django_language": language, **({"sessionid": page.session} if page.session else {})}
    tab.context.add_cookies([{"name": name, "value": value, "url": stack.url} for name, value in cookies.items()])
    answer = tab.goto(f"{stack.url}{page.path}")
    wanted = page.path
    if page.sent is not None:
        wanted = page.sent[0]
        with tab.expect_navigation() as navigation:
            tab.evaluate(SEND, [*page.sent])
        answer = navigation.value
    found = (answer.status if answer else None, tab.url.removeprefix(stack.url))
    return "" if found == (page.status, wanted) else f"{page.name} is {found}"
