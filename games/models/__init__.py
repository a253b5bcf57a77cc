"""The tables of games: a challenge, its one game, the seats, and the append-only log."""

from games.models.analysis import Analysis
from games.models.challenge import Acceptance, Challenge
from games.models.finding import Finding
from games.models.freeze import Freeze
from games.models.game import Game
from games.models.invitation import Invitation
from games.models.log import LogEntry
from games.models.message import Message, Note
from games.models.proposal import Proposal
from games.models.pulse import Pulse
from games.models.right import Right
from games.models.seat import Seat
from games.models.secret import Secret
from games.models.submission import Submission
from games.models.thought import Thought

__all__ = [
    "Acceptance",
    "Analysis",
    "Challenge",
    "Finding",
    "Freeze",
    "Game",
    "Invitation",
    "LogEntry",
    "Message",
    "Note",
    "Proposal",
    "Pulse",
    "Right",
    "Seat",
    "Secret",
    "Submission",
    "Thought",
]
