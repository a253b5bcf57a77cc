"""Takes pictures of every page, in both themes, three languages, 360 and 1280 px wide, into `.screenshots/`.

`python -m tests.screenshots [PART_OF_A_NAME ...]`; each picture is named after its page, language, theme and width.
"""

from __future__ import annotations

import sys
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from playwright.sync_api import Browser, sync_playwright

from tests.screenshots.page import Page, fill, visit
from tests.stack import chromium, whole
from tests.stack.whole import Stack

FOLDER: Final = whole.BASE / ".screenshots"
LANGUAGES: Final = ("en", "ru", "tr")
THEMES: Final = ("light", "dark")
WIDTHS: Final = (360, 1280)


def main() -> None:
    """Starts the stack on data of its own, fills it, and takes everything."""
    with TemporaryDirectory() as folder, whole.running(Path(folder)) as stack:
        pages = [page for page in fill(stack) if not sys.argv[1:] or any(part in page.name for part in sys.argv[1:])]
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=chromium.program())
            for language, theme, width in product(LANGUAGES, THEMES, WIDTHS):
                _take(browser, stack, pages, language, theme, width)
            browser.close()


def _take(browser: Browser, stack: Stack, pages: list[Page], language: str, theme: str, width: int) -> None:
    context = browser.new_context(
        viewport={"width": width, "height": 800},
        color_scheme="dark" if theme == "dark" else "light",
        reduced_motion="reduce",
        service_workers="block",
    )
    tab = context.new_page()
    for page in pages:
        if wrong := visit(tab, stack, page, language):
            print(wrong)
        wide = tab.evaluate("document.documentElement.scrollWidth")
        if wide > width:
            print(f"{page.name} ({language}) is {wide} px wide in a window of {width}")
        tab.screenshot(path=FOLDER / f"{page.name}-{language}-{theme}-{width}.png", full_page=True)
    context.close()
    print(f"{len(pages)} pages: {language}, {theme}, {width} px")


if __name__ == "__main__":
    main()
