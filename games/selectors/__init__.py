"""Named reads: what pages and letters show of games, as plain data."""

from games.selectors.challenges import (
    ChallengeLine,
    challenge,
    challenge_told,
    may_play,
    open_challenges,
    player_named,
)
from games.selectors.invitations import (
    InvitationPage,
    address_of,
    invitation,
    invitation_with,
    owner_of,
)
from games.selectors.lists import GameLine, MyGames, my_games, seat_of
from games.selectors.log import Turn
from games.selectors.players import PlayedGame, PlayerPage, SeenGame, Totals, player_page, seen_game
from games.selectors.records import challenges_by, games_of, record_of, records_of
from games.selectors.standstill import play_together, untold
from games.selectors.table import Choice, GamePage, Preview, Proposed, Seated, board_of, game_page
from games.selectors.words import Person, duration, ending, guide, options_in_words, person, seat_names, seat_title

__all__ = [
    "ChallengeLine",
    "Choice",
    "GameLine",
    "GamePage",
    "InvitationPage",
    "MyGames",
    "Person",
    "PlayedGame",
    "PlayerPage",
    "Preview",
    "Proposed",
    "Seated",
    "SeenGame",
    "Totals",
    "Turn",
    "address_of",
    "board_of",
    "challenge",
    "challenge_told",
    "challenges_by",
    "duration",
    "ending",
    "game_page",
    "games_of",
    "guide",
    "invitation",
    "invitation_with",
    "may_play",
    "my_games",
    "open_challenges",
    "options_in_words",
    "owner_of",
    "person",
    "play_together",
    "player_named",
    "player_page",
    "record_of",
    "records_of",
    "seat_names",
    "seat_of",
    "seat_title",
    "seen_game",
    "untold",
]
