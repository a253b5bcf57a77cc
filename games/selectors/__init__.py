"""Named reads: what pages and letters show of games, as plain data."""

from games.selectors.lists import (
    ChallengeLine,
    GameLine,
    MyGames,
    challenge,
    my_games,
    open_challenges,
    player_named,
    seat_of,
)
from games.selectors.table import Choice, GamePage, Preview, Proposed, Turn, game_page, record_of
from games.selectors.words import duration, ending, guide, seat_names, seat_title

__all__ = [
    "ChallengeLine",
    "Choice",
    "GameLine",
    "GamePage",
    "MyGames",
    "Preview",
    "Proposed",
    "Turn",
    "challenge",
    "duration",
    "ending",
    "game_page",
    "guide",
    "my_games",
    "open_challenges",
    "player_named",
    "record_of",
    "seat_names",
    "seat_of",
    "seat_title",
]
