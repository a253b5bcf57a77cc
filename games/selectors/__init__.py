"""Named reads: what pages and letters show of games, as plain data."""

from games.selectors.challenges import (
    ChallengeLine,
    challenge,
    challenge_told,
    may_play,
    open_challenges,
    player_named,
)
from games.selectors.choices import Choice, Preview
from games.selectors.invitations import (
    InvitationPage,
    address_of,
    invitation,
    invitation_with,
    owner_of,
)
from games.selectors.lists import GameLine, MyGames, my_games, next_waiting, seat_of
from games.selectors.log import Turn
from games.selectors.players import PlayedGame, PlayerPage, SeenGame, Totals, player_page, seen_game
from games.selectors.records import challenges_by, games_of, record_of, records_of
from games.selectors.standstill import play_together, untold
from games.selectors.steps import Step, Stepping, Way
from games.selectors.table import GamePage, Proposed, Seated, game_page
from games.selectors.version import version, version_of
from games.selectors.words import Person, duration, ending, guide, person, seat_names, seat_title

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
    "Step",
    "Stepping",
    "Totals",
    "Turn",
    "Way",
    "address_of",
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
    "next_waiting",
    "open_challenges",
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
    "version",
    "version_of",
]
