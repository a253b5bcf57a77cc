"""Named reads: what pages and letters show of games, as plain data."""

from games.selectors.analysis import AnalysisPage, Ply, analysis_page
from games.selectors.boards import board_in_guide, miniature
from games.selectors.challenges import (
    ChallengeLine,
    challenge,
    challenge_told,
    may_play,
    open_challenges,
    player_named,
)
from games.selectors.choices import Choice, Preview
from games.selectors.guests import GuestGame, digest_of, guest_games, guest_seat
from games.selectors.invitations import (
    InvitationPage,
    address_of,
    invitation,
    invitation_with,
    owner_of,
)
from games.selectors.line import Line, Stop, line_of
from games.selectors.lists import GameLine, MyGames, finished_games, my_games, next_waiting, seat_of
from games.selectors.log import Turn, proposal_title
from games.selectors.luck import DrawLine, LuckPage, SourceLine, luck_page
from games.selectors.messages import Said, Words, messages_by, messages_to, notes_of, said_in_game, words_of
from games.selectors.players import PlayedGame, PlayerPage, SeenGame, Totals, player_page, seen_game
from games.selectors.records import challenges_by, file_name, games_of, record_of, records_of
from games.selectors.rematches import Rematch, rematch_of
from games.selectors.rights import Held, RightPage, right_page, right_with
from games.selectors.rulesets import FLAGSHIP, Offered, offered
from games.selectors.showcase import FIRST_SHOWN, Showcase, Shown, record_shown, showcases
from games.selectors.standstill import play_together, untold
from games.selectors.steps import Step, Stepping, Way
from games.selectors.table import GamePage, Proposed, Seated, board_of, game_page
from games.selectors.trying import Trial, trial
from games.selectors.version import version, version_of
from games.selectors.watching import WatchedGame, public_games
from games.selectors.words import (
    Person,
    computer,
    duration,
    ending,
    guide,
    name_at,
    options_in_words,
    person,
    seat_names,
    seat_title,
    title_of,
    why_it_ended,
)

__all__ = [
    "FIRST_SHOWN",
    "FLAGSHIP",
    "AnalysisPage",
    "ChallengeLine",
    "Choice",
    "DrawLine",
    "GameLine",
    "GamePage",
    "GuestGame",
    "Held",
    "InvitationPage",
    "Line",
    "LuckPage",
    "MyGames",
    "Offered",
    "Person",
    "PlayedGame",
    "PlayerPage",
    "Ply",
    "Preview",
    "Proposed",
    "Rematch",
    "RightPage",
    "Said",
    "Seated",
    "SeenGame",
    "Showcase",
    "Shown",
    "SourceLine",
    "Step",
    "Stepping",
    "Stop",
    "Totals",
    "Trial",
    "Turn",
    "WatchedGame",
    "Way",
    "Words",
    "address_of",
    "analysis_page",
    "board_in_guide",
    "board_of",
    "challenge",
    "challenge_told",
    "challenges_by",
    "computer",
    "digest_of",
    "duration",
    "ending",
    "file_name",
    "finished_games",
    "game_page",
    "games_of",
    "guest_games",
    "guest_seat",
    "guide",
    "invitation",
    "invitation_with",
    "line_of",
    "luck_page",
    "may_play",
    "messages_by",
    "messages_to",
    "miniature",
    "my_games",
    "name_at",
    "next_waiting",
    "notes_of",
    "offered",
    "open_challenges",
    "options_in_words",
    "owner_of",
    "person",
    "play_together",
    "player_named",
    "player_page",
    "proposal_title",
    "public_games",
    "record_of",
    "record_shown",
    "records_of",
    "rematch_of",
    "right_page",
    "right_with",
    "said_in_game",
    "seat_names",
    "seat_of",
    "seat_title",
    "seen_game",
    "showcases",
    "title_of",
    "trial",
    "untold",
    "version",
    "version_of",
    "why_it_ended",
    "words_of",
]
