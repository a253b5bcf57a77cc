"""Factories: every object that a test needs, made by the services that make it in life."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from time import monotonic
from typing import Any
from unittest.mock import patch
from uuid import uuid4

import factory
from allauth.account.models import EmailAddress
from django.contrib.auth.models import Group
from django.utils import timezone

from accounts.models import Block, Player, Report
from accounts.services import blocks, reports
from accounts.services.moderators import MODERATORS
from accounts.services.settings import change_letters
from games.models import Challenge, Game, LogEntry, Message, Note, Pulse, Right, Seat
from games.rules import registry
from games.services import analysis, challenge, engine, guests, messages, moves
from games.services.log import Answer
from games.services.terms import Terms
from notifications.models import Bounce, Letter, Preference
from notifications.preferences import Wishes

PASSWORD = "correct horse battery"


class PlayerFactory(factory.django.DjangoModelFactory[Player]):
    """A player who may log in with PASSWORD."""

    class Meta:
        model = Player
        skip_postgeneration_save = True

    email = factory.Sequence(lambda n: f"player{n}@example.org")
    display_name = factory.Sequence(lambda n: f"Player {n}")
    password = factory.django.Password(PASSWORD)


def let_rule(player: Player) -> Player:
    """The player may enter the desk and rule from now on."""
    player.is_staff = True
    player.save(update_fields=["is_staff"])
    player.groups.add(Group.objects.get(name=MODERATORS))
    return player


class ModeratorFactory(PlayerFactory):
    """A player who may enter the desk and rule."""

    @classmethod
    def _create(cls, model_class: type[Player], *args: Any, **given: Any) -> Player:
        return let_rule(super()._create(model_class, *args, **given))


class EmailAddressFactory(factory.django.DjangoModelFactory[EmailAddress]):
    """The confirmed address of a player."""

    class Meta:
        model = EmailAddress

    user = factory.SubFactory(PlayerFactory)
    email = factory.SelfAttribute("user.email")
    verified = True
    primary = True


class BlockFactory(factory.django.DjangoModelFactory[Block]):
    """That `player` blocks `other`."""

    class Meta:
        model = Block

    @classmethod
    def _create(cls, model_class: type[Block], *args: Any, **given: Any) -> Block:
        return blocks.block(**given)


class ReportFactory(factory.django.DjangoModelFactory[Report]):
    """An open report by `reporter` of `reported`."""

    class Meta:
        model = Report

    about = Report.About.CONDUCT
    text = "He called me a cabbage."

    @classmethod
    def _create(cls, model_class: type[Report], *args: Any, **given: Any) -> Report:
        return reports.file_report(**given)


class ChallengeFactory(factory.django.DjangoModelFactory[Challenge]):
    """An open challenge; `ruleset`, `seats`, `options`, `reflection`, `begins`, `public`, `listed`, `opponent` as in Terms."""

    class Meta:
        model = Challenge

    challenger = factory.SubFactory(PlayerFactory)

    @classmethod
    def _create(cls, model_class: type[Challenge], *args: Any, **given: Any) -> Challenge:
        terms = Terms(
            ruleset=given.pop("ruleset", "mangala"),
            reflection=given.pop("reflection", timedelta(days=3)),
            options=given.pop("options", {}),
            seats=given.pop("seats", 2),
            begins=given.pop("begins", Challenge.Begins.CHALLENGER),
            public=given.pop("public", True),
            listed=given.pop("listed", True),
        )
        return challenge.open_challenge(terms=terms, key=uuid4().hex, **given)


class GameFactory(factory.django.DjangoModelFactory[Game]):
    """A running game of `players`, the first of whom begins; `plies` are played already. Terms as for a challenge."""

    class Meta:
        model = Game

    @classmethod
    def _create(cls, model_class: type[Game], *args: Any, **given: Any) -> Game:
        players: list[Player] = given.pop("players", None) or PlayerFactory.create_batch(given.get("seats", 2))
        plies: str = given.pop("plies", "")
        made = ChallengeFactory.create(challenger=players[0], seats=len(players), **given)
        for player in players[1:]:
            made = challenge.accept_challenge(challenge_id=made.pk, player=player)
        game = made.game
        for text in plies.split():
            play(game, text)
        game.refresh_from_db()
        return game


class ComputerGameFactory(factory.django.DjangoModelFactory[Game]):
    """A running game of `player` against computers of a `level`; `ruleset` and other terms as in Terms."""

    class Meta:
        model = Game

    @classmethod
    def _create(cls, model_class: type[Game], *args: Any, **given: Any) -> Game:
        player: Player = given.pop("player", None) or PlayerFactory.create()
        level, key = given.pop("level", 2), given.pop("key", uuid4().hex)
        terms = replace(guests.terms_against_computers(given.pop("ruleset", "mangala")), **given)
        return challenge.play_computers(challenger=player, terms=terms, level=level, key=key).game


class GuestGameFactory(factory.django.DjangoModelFactory[Game]):
    """A running game of a guest against a computer; the `key` to its seat is an attribute of the game."""

    class Meta:
        model = Game

    @classmethod
    def _create(cls, model_class: type[Game], *args: Any, **given: Any) -> Game:
        level = given.pop("level", 2)
        terms = replace(guests.terms_against_computers(given.pop("ruleset", "mangala")), **given)
        game, key = guests.begin(terms=terms, level=level)
        game.key = key  # type: ignore[attr-defined]
        return game


class MessageFactory(factory.django.DjangoModelFactory[Message]):
    """A message of `seat` (0) in `game`, without a move."""

    class Meta:
        model = Message

    seat = 0
    text = "Good luck!"

    @classmethod
    def _create(cls, model_class: type[Message], *args: Any, **given: Any) -> Message:
        messages.say(game=given["game"].pk, seat=given["seat"], text=given["text"], key=uuid4().hex)
        return Message.objects.latest("pk")


class NoteFactory(factory.django.DjangoModelFactory[Note]):
    """A note of `player` about `game`."""

    class Meta:
        model = Note

    text = "Beware of pit 3."

    @classmethod
    def _create(cls, model_class: type[Note], *args: Any, **given: Any) -> Note:
        messages.keep_note(game=given["game"].pk, player=given["player"], text=given["text"])
        return Note.objects.get(game=given["game"], player=given["player"])


class RawGameFactory(factory.django.DjangoModelFactory[Game]):
    """The bare row of a game that no service made."""

    class Meta:
        model = Game

    ruleset = "mangala"
    ruleset_version = 1
    seats = 2
    reflection = 86_400
    created_at = factory.LazyFunction(timezone.now)


class SeatFactory(factory.django.DjangoModelFactory[Seat]):
    """A seat that no service gave."""

    class Meta:
        model = Seat


class LogEntryFactory(factory.django.DjangoModelFactory[LogEntry]):
    """An entry that no service wrote: a move, just now."""

    class Meta:
        model = LogEntry

    kind = "move"
    at = factory.LazyFunction(timezone.now)
    via = "web"


class PulseFactory(factory.django.DjangoModelFactory[Pulse]):
    """A sign of life, of the web server just now."""

    class Meta:
        model = Pulse
        django_get_or_create = ("name",)

    name = "web"
    at = factory.LazyFunction(timezone.now)


class LetterFactory(factory.django.DjangoModelFactory[Letter]):
    """A letter that is owed."""

    class Meta:
        model = Letter

    key = factory.Sequence(lambda n: f"test:{n}")
    kind = "test"
    source = "test"
    recipient = factory.SubFactory(PlayerFactory)
    message_id = factory.Sequence(lambda n: f"<{n}@localhost>")
    created_at = factory.LazyFunction(timezone.now)
    due_at = factory.LazyFunction(timezone.now)


class BounceFactory(factory.django.DjangoModelFactory[Bounce]):
    """An address that is marked since now; `returned` when reports say so."""

    class Meta:
        model = Bounce

    address = factory.Sequence(lambda n: f"gone{n}@example.org")
    since = factory.LazyFunction(timezone.now)
    at = factory.LazyFunction(timezone.now)
    seen_at = factory.LazyFunction(timezone.now)
    reason = "550 no such user"


class PreferenceFactory(factory.django.DjangoModelFactory[Preference]):
    """What `player` wants of letters; the rest as for somebody who chose nothing."""

    class Meta:
        model = Preference

    @classmethod
    def _create(cls, model_class: type[Preference], *args: Any, **given: Any) -> Preference:
        player: Player = given.pop("player", None) or PlayerFactory.create()
        paces = {**Wishes().paces, **{topic: given.pop(topic) for topic in Wishes().paces.keys() & given.keys()}}
        change_letters(player=player, wishes=Wishes(paces=paces, **given))
        return Preference.objects.get(player=player)


def play(game: Game, text: str) -> Answer:
    """The seat to move plays a text."""
    game.refresh_from_db()
    assert game.to_move is not None
    return moves.play_move(
        game=game.pk, seat=game.to_move, text=text, position_number=game.position_number, via="web", key=uuid4().hex
    )


def think(game: Game) -> int:
    """Computers do what they have to do in the game; how many moves and answers."""
    acted = 0
    while more := engine.act(game=game.pk, now=timezone.now, expired=lambda: lambda: False):
        acted += more  # on a busy machine others have their turn in between
    return acted


def played_out(game: Game, *, plies: int) -> Game:
    """The game after some more plies, the first one legal each time; then one of its players gives up."""
    ruleset = registry.get(game.ruleset)
    for _ply in range(plies):
        game.refresh_from_db()
        play(game, next(ruleset.legal_moves(ruleset.load(game.position))))
    moves.resign(game=game.pk, seat=1, via="web", key=uuid4().hex)
    game.refresh_from_db()
    return game


def analysed(game: Game, *, seconds: float = 0.02) -> None:
    """Workers do all that there is to be done for the analysis of the game, with so much thought for each position."""
    with patch.object(analysis, "OF_ONE", seconds), patch.object(analysis, "FURTHEST", 2_000):
        while not analysis.work(game=game.pk, now=timezone.now, left=lambda: 1e9 - monotonic()):
            pass


def deserted(*players: Player) -> Game:
    """A game of the toy that is over because all but the first of its players resigned."""
    game: Game = GameFactory.create(players=players, ruleset="toy")
    for seat in range(1, len(players)):
        moves.resign(game=game.pk, seat=seat, via="web", key=uuid4().hex)
    game.refresh_from_db()
    return game


def players_of(game: Game) -> list[Player]:
    """The players of a game by seat; computers and guests are left out."""
    return [seat.player for seat in game.seat_set.order_by("number").select_related("player") if seat.player is not None]


def right(game: Game, *, seat: int | None = None, proposal: int | None = None) -> str:
    """The token of a right to move in the present turn, for the seat to move if none is said; or to answer a proposal."""
    game.refresh_from_db()
    assert game.to_move is not None
    seat = game.to_move if seat is None else seat
    player = game.seat_set.get(number=seat).player_id
    assert player is not None
    return Right.objects.mint(
        game=game.pk,
        seat=seat,
        player=player,
        turn_number=game.turn_number if proposal is None else proposal,
        purpose=Right.Purpose.MOVE if proposal is None else Right.Purpose.ANSWER,
    )
