"""Takes pictures of every page, in both themes, three languages, 360 and 1280 px wide, into `.screenshots/`.

`python -m tests.screenshots [PART_OF_A_NAME ...]`; each picture is named after its page, language, theme and width.
"""

from __future__ import annotations

import os
import sys
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Final

from playwright.sync_api import Browser, sync_playwright

from tests.stack import chromium, whole
from tests.stack.whole import Stack

if TYPE_CHECKING:
    from tests.screenshots.scene import Page

FOLDER: Final = whole.BASE / ".screenshots"
LANGUAGES: Final = ("en", "ru", "tr")
THEMES: Final = ("light", "dark")
WIDTHS: Final = (360, 1280)


def main() -> None:
    """Starts the stack on data of its own, fills it, and visits everything."""
    with TemporaryDirectory() as folder:
        os.environ["DATA_DIR"] = folder
        with whole.running(Path(folder)) as stack:
            os.environ["DJANGO_SETTINGS_MODULE"] = "config.settings"
            import django

            django.setup()
            from tests.screenshots import scene

            pages = [page for page in scene.made() if not sys.argv[1:] or any(part in page.name for part in sys.argv[1:])]
            with sync_playwright() as playwright:
                # Only the pages are read in the browser's loop; the database was filled before it began.
                browser = playwright.chromium.launch(executable_path=chromium.program())
                for language, theme, width in product(LANGUAGES, THEMES, WIDTHS):
                    _visit(browser, stack, pages, language, theme, width)
                browser.close()


def _visit(browser: Browser, stack: Stack, pages: list[Page], language: str, theme: str, width: int) -> None:
    context = browser.new_context(
        viewport={"width": width, "height": 800}, color_scheme="dark" if theme == "dark" else "light", reduced_motion="reduce"
    )
    tab = context.new_page()
    for page in pages:
        context.clear_cookies()
        cookies = {"django_language": language, **({"sessionid": page.session} if page.session else {})}
        context.add_cookies([{"name": name, "value": value, "url": stack.url} for name, value in cookies.items()])
        tab.goto(f"{stack.url}{page.path}")
        wide = tab.evaluate("document.documentElement.scrollWidth")
        if wide > width:
            print(f"{page.name} ({language}) is {wide} px wide in a window of {width}")
        tab.screenshot(path=FOLDER / f"{page.name}-{language}-{theme}-{width}.png", full_page=True)
    context.close()
    print(f"{len(pages)} pages: {language}, {theme}, {width} px")


if __name__ == "__main__":
    main()
