"""Messages: extracts the texts of pages and rules, compiles translations, and finds what is missing in them.

`python -m config.messages extract | compile | check`. Compiling needs no gettext on the machine; the other two do.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import polib

BASE: Final = Path(__file__).resolve().parent.parent
LOCALE: Final = BASE / "config" / "locale"
LANGUAGES: Final = ("ru", "tr")
APPS: Final = ("accounts", "config", "games", "notifications", "templates")
KEYWORDS: Final = (
    "phrase", "phrases:1,2", "gettext_noop", "gettext_lazy", "ngettext_lazy:1,2", "pgettext:1c,2", "npgettext:1c,2,3",
    "pgettext_lazy:1c,2", "_",
)  # fmt: skip


def extracted() -> polib.POFile:
    """All messages of the source, without translations."""
    with TemporaryDirectory() as folder:
        files = [path for app in APPS for path in sorted((BASE / app).rglob("*")) if path.suffix in (".py", ".html", ".txt")]
        sources = []
        for number, path in enumerate(files):
            text = path.read_text(encoding="utf-8")
            if path.suffix != ".py":
                text = _templatized(text, path)
            copy = Path(folder) / f"{number}.py"
            copy.write_text(text, encoding="utf-8")
            sources.append(copy.name)
        keywords = [f"--keyword={keyword}" for keyword in KEYWORDS]
        command = ["xgettext", "--language=Python", "--from-code=UTF-8", "--no-location", "--sort-output", *keywords, "-o", "-"]
        found = subprocess.run([*command, *sources], cwd=folder, capture_output=True, text=True, check=True)  # noqa: S603
        return polib.pofile(found.stdout)


def _templatized(text: str, path: Path) -> str:
    from django.utils.translation.template import templatize

    return templatize(text, origin=str(path))


def catalogue(language: str) -> polib.POFile:
    """The translations of a language."""
    return polib.pofile(str(LOCALE / language / "LC_MESSAGES" / "django.po"))


def extract() -> None:
    """Brings the catalogues up to date; new texts come without translation, old ones go."""
    source = extracted()
    for language in LANGUAGES:
        file = catalogue(language)
        file.merge(source)
        for entry in file.obsolete_entries():
            file.remove(entry)
        file.sort(key=lambda entry: entry.msgid)
        file.save()


def compile_all() -> None:
    """Writes the .mo files that Django reads."""
    for language in LANGUAGES:
        path = LOCALE / language / "LC_MESSAGES" / "django.mo"
        path.write_bytes(catalogue(language).to_binary())


def faults() -> list[str]:
    """What a reader of Russian or Turkish would miss: English sentences."""
    source = {(entry.msgctxt, entry.msgid): entry for entry in extracted()}
    found = []
    for language in LANGUAGES:
        have = {(entry.msgctxt, entry.msgid): entry for entry in catalogue(language) if not entry.obsolete}
        for key, entry in have.items():
            if entry.fuzzy:
                found.append(f"{language}: fuzzy: {entry.msgid}")
            if key not in source:
                found.append(f"{language}: no longer used: {entry.msgid}")
        for key, entry in source.items():
            if (
                key not in have
                or not have[key].translated()
                or (entry.msgid_plural and not all(have[key].msgstr_plural.values()))
            ):
                found.append(f"{language}: missing: {entry.msgid}")
    return found


def main(arguments: list[str]) -> int:
    """Exit status 1 when `check` finds anything."""
    match arguments:
        case ["extract"]:
            extract()
        case ["compile"]:
            compile_all()
        case ["check"]:
            found = faults()
            print("\n".join(found) or "every text is translated")
            return bool(found)
        case _:
            print(__doc__)
            return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
