"""Translations: complete in Russian and Turkish, and a missing or fuzzy one is found."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import polib
import pytest

from config import messages


def test_every_text_is_translated() -> None:
    assert messages.faults() == []


@pytest.fixture
def locale(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    shutil.copytree(messages.LOCALE, tmp_path / "locale")
    monkeypatch.setattr(messages, "LOCALE", tmp_path / "locale")
    return tmp_path / "locale"


@pytest.mark.parametrize("language", messages.LANGUAGES)
def test_a_missing_or_fuzzy_text_and_a_missing_plural_form_are_found(locale: Path, language: str) -> None:
    file = polib.pofile(str(locale / language / "LC_MESSAGES" / "django.po"))
    entries = {entry.msgid: entry for entry in file}
    entries["My games"].msgstr = ""
    entries["Resign"].flags.append("fuzzy")
    entries["%(count)s day"].msgstr_plural = {**entries["%(count)s day"].msgstr_plural, 1: ""}
    file.append(polib.POEntry(msgid="Old", msgstr="Old"))
    file.save()
    assert messages.faults() == [
        f"{language}: fuzzy: Resign",
        f"{language}: no longer used: Old",
        f"{language}: missing: %(count)s day",
        f"{language}: missing: My games",
        f"{language}: missing: Resign",
    ]


@pytest.mark.parametrize("language", messages.LANGUAGES)
def test_parameters_are_the_same_in_every_language(language: str) -> None:
    for entry in messages.catalogue(language):
        named = set(re.findall(r"%\((\w+)\)", entry.msgid + (entry.msgid_plural or "")))
        for text in [entry.msgstr] if not entry.msgid_plural else entry.msgstr_plural.values():
            found = set(re.findall(r"%\((\w+)\)", text))
            assert found <= named | {"count"}, entry.msgid
            assert named - {"count"} <= found, entry.msgid


def test_extracting_again_changes_nothing_and_compiling_writes_what_django_reads(locale: Path) -> None:
    before = {path: path.read_text() for path in locale.rglob("*.po")}
    messages.extract()
    assert {path: path.read_text() for path in locale.rglob("*.po")} == before
    messages.compile_all()
    assert len(list(locale.rglob("*.mo"))) == len(list(locale.rglob("*.po")))
