"""Boards as letters carry them: pixels with words in them, on a ground of their own, small."""

from __future__ import annotations

from io import BytesIO

import pytest
from django.utils import translation
from PIL import Image

from accounts.models import Player
from games import selectors
from games.drawing import palette, raster
from games.drawing.canvas import Canvas
from games.letters import pictures
from tests.factories import GameFactory

PAPER = tuple(bytes.fromhex(palette.PAPER[1:]))
WRITTEN = "South Юг Güney Север Kuzey 0123456789½ ABCç ĞğİıŞş Ёё Щщ №"
"""What boards say, in the languages that we speak."""


def opened(png: bytes) -> Image.Image:
    return Image.open(BytesIO(png)).convert("RGB")


def drawn(words: str, fonts: tuple[str, ...]) -> bytes:
    canvas = Canvas(name="x", width=200, height=40, title="words")
    canvas.words(100, 30, words, size=30)
    return raster.png(canvas.svg(), fonts=fonts)


def is_blank(png: bytes) -> bool:
    return opened(png).getcolors(1) is not None


def test_words_are_in_the_picture_when_it_has_a_font() -> None:
    assert is_blank(drawn("South", ()))
    assert not is_blank(drawn("South", pictures.fonts()))


def test_every_letter_of_our_languages_is_in_the_font() -> None:
    unknown = drawn("\ue123", pictures.fonts())
    missing = {letter for letter in set(WRITTEN) - {" "} if drawn(letter, pictures.fonts()) in (unknown, drawn(" ", ()))}
    assert not missing


@pytest.mark.django_db
@pytest.mark.parametrize("language", ["en", "ru", "tr"])
def test_a_board_lies_on_paper_of_its_own_and_is_small(alice: Player, bob: Player, language: str) -> None:
    game = GameFactory.create(players=[alice, bob], plies="4-6 1 2 2 3")
    with translation.override(language):
        page = selectors.game_page(game.pk, bob)
        assert page is not None
        board = pictures.board(page)
    picture = opened(board.png)
    assert picture.size == (656, 308)
    assert {picture.getpixel(corner) for corner in ((0, 0), (655, 0), (0, 307), (655, 307), (330, 3))} == {PAPER}
    assert len(board.png) < 30_000
    assert board.alt == page.description
    assert board.content_id == f"board-{game.pk}-{game.position_number}-1@localhost"


@pytest.mark.django_db
def test_few_colours_look_like_all_of_them(alice: Player, bob: Player) -> None:
    game = GameFactory.create(players=[alice, bob], plies="4-6 1")
    page = selectors.game_page(game.pk, bob)
    assert page is not None
    all_colours = opened(raster.png(page.svg, fonts=pictures.fonts())).tobytes()
    few = opened(pictures.board(page).png).tobytes()
    assert max(abs(one - other) for one, other in zip(all_colours, few, strict=True)) < 16
