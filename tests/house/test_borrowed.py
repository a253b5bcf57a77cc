"""What allauth's pages say: in every language, and in our words for the same things."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from django.utils.translation import gettext, ngettext, override
from polib import POEntry

from config import messages

HOME = messages.allauth_home() / "templates"
OURS = messages.BASE / "templates"
SHOWN = [
    path
    for app in messages.BORROWED
    for path in sorted((HOME / app).rglob("*.html"))
    if not any(part in path.name for part in messages.UNUSED) and not (OURS / path.relative_to(HOME)).exists()
]
# The form that changes an address while its code is on the way: our settings offer none.
NEVER_SHOWN = {"base_confirm_code.html": {"Change"}}


def said_untranslated(text: str) -> set[str]:
    """What stands in a template as it is; a word in small letters is the name of a style."""
    text = re.sub(
        r"{%-?\s*(blocktrans(?:late)?)\b.*?{%\s*end\1\s*%}|{#.*?#}|{% comment %}.*?{% endcomment %}", "", text, flags=re.DOTALL
    )
    text = re.sub(r"<script.*?</script>|{%.*?%}|{{.*?}}|<!doctype[^>]*>|<[^<>]*>|&\w+;", "\n", text, flags=re.DOTALL)
    lines = {line.strip() for line in text.splitlines()}
    return {line for line in lines if re.search(r"[^\W\d_]{2}", line) and not re.fullmatch(r"[a-z,]+", line)}


@pytest.mark.parametrize("path", SHOWN, ids=lambda path: path.name)
def test_every_sentence_of_a_borrowed_page_can_be_translated(path: Path) -> None:
    assert said_untranslated(path.read_text(encoding="utf-8")) <= NEVER_SHOWN.get(path.name, set())


def said(entry: POEntry) -> str:
    """What is said of one."""
    return ngettext(entry.msgid, entry.msgid_plural, 1) if entry.msgid_plural else gettext(entry.msgid)


@pytest.mark.parametrize("language", messages.LANGUAGES)
def test_every_sentence_that_allauth_can_show_is_translated(language: str) -> None:
    with override(language):
        same = {entry.msgid for entry in messages.borrowed() if said(entry) == entry.msgid}
    assert same <= {"MFA", "Phone", "WebAuthn", "Username"}, "said in English to readers of another language"


def test_what_allauth_cannot_say_in_each_language_is_ours_to_say(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "Sign In" not in {entry.msgid for entry in messages.extracted()}
    monkeypatch.setattr(messages, "spoken_by_allauth", lambda language: set())
    assert "Sign In" in {entry.msgid for entry in messages.extracted()}


def test_the_site_has_one_word_for_each_thing() -> None:
    with override("en"):
        assert [gettext(said) for said in ("Sign In", "Sign Up", "Sign Out")] == ["Log in", "Sign up", "Log out"]
        untouched = {
            entry.msgid for entry in messages.borrowed() if re.search(r"sign(ed)?.(in|out)", gettext(entry.msgid), re.IGNORECASE)
        }
    assert untouched == set()
