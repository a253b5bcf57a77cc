"""Messages: extracts the texts of pages and rules, compiles translations, and finds what is missing in them.

`python -m config.messages extract | compile | check`. Compiling needs no gettext on the machine; the other two do.

allauth's pages speak too, mostly in translations of their own. What these lack is extracted like a text of ours, and what
they have may be said otherwise in ours: the English catalogue holds nothing but our words for what allauth says.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterable
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import polib

BASE: Final = Path(__file__).resolve().parent.parent
LOCALE: Final = BASE / "config" / "locale"
LANGUAGES: Final = ("ru", "tr")
REWORDED: Final = "en"
APPS: Final = ("accounts", "config", "games", "notifications", "templates")
KEYWORDS: Final = (
    "phrase", "phrases:1,2", "gettext_noop", "gettext_lazy", "ngettext_lazy:1,2", "pgettext:1c,2", "npgettext:1c,2,3",
    "pgettext_lazy:1c,2", "_",
)  # fmt: skip
BORROWED: Final = ("account", "mfa", "usersessions")
UNUSED: Final = (
    "headless",
    "phone",
    "signup_by_passkey",
    "signup_form",
    "signup_closed",
    "trust",
    "_code_message",
    "_code_subject",
)
"""Parts of file names of allauth that our settings never reach. Our own templates stand for the codes that we do send."""

Key = tuple[str | None, str]


def extracted() -> polib.POFile:
    """All messages of the source, without translations: ours, and those of allauth that it cannot say in every language."""
    found = _extracted(path for app in APPS for path in _texts(BASE / app))
    ours = {_key(entry) for entry in found}
    spoken = set.intersection(*(spoken_by_allauth(language) for language in LANGUAGES))
    found.extend(entry for entry in borrowed() if _key(entry) not in ours | spoken)
    return found


def borrowed() -> polib.POFile:
    """The messages of allauth's pages, forms and letters, as far as players can come to see them."""
    home = allauth_home()
    ours = {path.relative_to(BASE / "templates") for path in _texts(BASE / "templates")}
    code = (path for app in BORROWED for path in _texts(home / app))
    pages = (path for app in BORROWED for path in _texts(home / "templates" / app))
    shown = (path for path in pages if path.relative_to(home / "templates") not in ours)
    return _extracted(path for path in (*code, *shown) if not any(part in str(path.relative_to(home)) for part in UNUSED))


def allauth_home() -> Path:
    """The folder of the installed allauth."""
    spec = find_spec("allauth")
    if spec is None or spec.origin is None:
        raise ModuleNotFoundError("allauth")
    return Path(spec.origin).parent


def spoken_by_allauth(language: str) -> set[Key]:
    """What allauth itself can say in a language."""
    file = polib.mofile(str(allauth_home() / "locale" / language / "LC_MESSAGES" / "django.mo"))
    return {_key(entry) for entry in file if entry.msgstr or entry.msgstr_plural}


def _key(entry: polib.POEntry | polib.MOEntry) -> Key:
    return (entry.msgctxt, entry.msgid)


def _texts(folder: Path) -> list[Path]:
    return [path for path in sorted(folder.rglob("*")) if path.suffix in (".py", ".html", ".txt")]


def _extracted(files: Iterable[Path]) -> polib.POFile:
    with TemporaryDirectory() as folder:
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
    source, said = extracted(), borrowed()
    for language in LANGUAGES:
        file = catalogue(language)
        reworded = {_key(entry) for entry in file} - {_key(entry) for entry in source}
        file.merge([*source, *(entry for entry in said if _key(entry) in reworded)])
        for entry in file.obsolete_entries():
            file.remove(entry)
        file.sort(key=lambda entry: entry.msgid)
        file.save()


def compile_all() -> None:
    """Writes the .mo files that Django reads."""
    for language in (REWORDED, *LANGUAGES):
        path = LOCALE / language / "LC_MESSAGES" / "django.mo"
        path.write_bytes(catalogue(language).to_binary())


def faults() -> list[str]:
    """What a reader of Russian or Turkish would miss: English sentences."""
    source = {_key(entry): entry for entry in extracted()}
    said = {_key(entry) for entry in borrowed()}
    found = []
    for language in (REWORDED, *LANGUAGES):
        have = {_key(entry): entry for entry in catalogue(language) if not entry.obsolete}
        for key, entry in have.items():
            if entry.fuzzy:
                found.append(f"{language}: fuzzy: {entry.msgid}")
            if key not in said and (language == REWORDED or key not in source):
                found.append(f"{language}: no longer used: {entry.msgid}")
        for key, entry in source.items() if language != REWORDED else ():
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
