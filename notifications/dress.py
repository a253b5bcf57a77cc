"""The looks of letters: rules of a style sheet, written into the elements that they are about."""

from __future__ import annotations

from typing import Final

import css_inline

_INLINER: Final = css_inline.CSSInliner(keep_at_rules=True, load_remote_stylesheets=False, base_url=None)
"""What depends on the reader's machine (dark mode) stays a sheet of its own."""


def dressed(html: str) -> str:
    """The page with the rules of its `<style>` in its elements: many mail programs drop a sheet. A page without one stays."""
    return _INLINER.inline(html) if "<style>" in html else html
