"""Challenges: terms that wait for players; the last acceptance starts the one game."""

from __future__ import annotations

from datetime import datetime
from typing import Any
from uuid import uuid4

from django.db import IntegrityError, transaction
from django.db.models import Q
from django.utils import timezone

from accounts.models import Player
from accounts.selectors import addresses_of, are_apart
from games import selectors
from games.letters import challenges as letters
from games.models import Acceptance, Challenge, Game
from games.rules import registry
from games.rules.phrase import phrase
from games.services import seating, waiting
from games.services.errors import BadTerms, ChallengeClosed, Gone, KeyReused, NotAllowed
from games.services.seating import Computer
from games.services.terms import Terms, checked, terms_of

CANNOT_BE_CHALLENGED = phrase("This player cannot be challenged.")


def open_challenge(*, challenger: Player, terms: Terms, opponent: Player | None = None, address: str = "", key: str) -> Challenge:
    """Offers a game to anyone, to one player, or to whoever reads an e-mail address. The same form key and contents again:
    the same challenge. Whether the address is a player's, or takes invitations, makes no difference here.

    Raises BadTerms, NotAllowed, KeyReused.
    """
    terms, address = checked(terms), address.strip().lower()
    if (opponent is not None or address) and terms.seats != 2:
        raise BadTerms(phrase("A challenge to one player is a game of two."))
    if opponent == challenger or address in [own.lower() for own in addresses_of(challenger)]:
        raise BadTerms(phrase("You cannot challenge yourself."))
    try:
        return _open(challenger, terms, key, opponent=opponent, address=address)
    except IntegrityError:
        made = Challenge.objects.get(challenger=challenger, key=key)
    # Addresses that were invited to a larger table came later.
    invited = made.invitations.values_list("address", flat=True).first() if made.seats == 2 else None
    if (terms_of(made), made.opponent_id, invited or "") != (terms, opponent and opponent.pk, address):
        raise KeyReused
    return made


def play_computers(*, challenger: Player, terms: Terms, level: int, key: str) -> Challenge:
    """A game of the player against computers of a level, which begins at once (`challenge.game`). The same form key and contents
    again: the same game. Raises BadTerms, NotAllowed, KeyReused."""
    terms = checked(terms)
    try:
        with transaction.atomic(durable=True):
            player = waiting.locked_players([challenger.pk])[challenger.pk]
            if not selectors.may_play(player):
                raise NotAllowed(waiting.CANNOT_PLAY)
            now = timezone.now()
            made = _made(challenger, terms, key, now)
            taken = [Acceptance(challenge=made, engine=level, place=place, at=now) for place in range(1, terms.seats)]
            Acceptance.objects.bulk_create(taken)
            waiting.begin(made, [player, *[Computer(level)] * len(taken)], now, by=player)
            return made
    except IntegrityError:
        made = Challenge.objects.get(challenger=challenger, key=key)
    if terms_of(made) != terms or set(made.acceptances.values_list("engine", flat=True)) != {None, level}:
        raise KeyReused
    return made


def _open(
    challenger: Player,
    terms: Terms,
    key: str,
    *,
    opponent: Player | None = None,
    address: str = "",
    rematch_of: Game | None = None,
) -> Challenge:
    """Raises IntegrityError when the key was used before, or the rematch is offered already."""
    now = timezone.now()
    with transaction.atomic(durable=True):
        # The lock also makes two invitations to one address wait for each other.
        present = waiting.locked_players({challenger.pk, *([opponent.pk] if opponent else [])})
        if not selectors.may_play(present[challenger.pk]):
            raise NotAllowed(waiting.CANNOT_PLAY)
        if opponent is not None and (not selectors.may_play(present[opponent.pk]) or are_apart(challenger, opponent)):
            raise BadTerms(CANNOT_BE_CHALLENGED)
        if address:
            waiting.require_new(challenger, address, key=key)
        challenge = _made(challenger, terms, key, now, opponent=opponent, rematch_of=rematch_of)
        if address:
            waiting.invite(challenge, address, language=present[challenger.pk].language)
        for asked in waiting.asked_by_name(challenge):
            waiting.owe(letters.CHALLENGE, challenge, player_id=asked)
        return challenge


def _made(challenger: Player, terms: Terms, key: str, now: datetime, **told: Any) -> Challenge:
    """The rows of a challenge with the challenger's own seat."""
    challenge = Challenge.objects.create(
        challenger=challenger,
        ruleset=terms.ruleset,
        ruleset_version=registry.get(terms.ruleset).facts.version,
        options=dict(terms.options),
        seats=terms.seats,
        reflection=int(terms.reflection.total_seconds()),
        begins=terms.begins,
        public=terms.public,
        listed=terms.listed,
        key=key,
        created_at=now,
        **told,
    )
    Acceptance.objects.create(challenge=challenge, player=challenger, place=0, at=now)
    return challenge


def accept_challenge(*, challenge_id: int, player: Player, link: str = "") -> Challenge:
    """Takes a seat; the last one starts the game (`challenge.game`). Again by the same player: the same challenge. `link` is
    what leads to a room that is not listed.

    Raises Gone, NotAllowed, ChallengeClosed.
    """
    try:
        with transaction.atomic(durable=True):
            challenge = waiting.locked(challenge_id)
            waiting.take_seat(challenge, player, timezone.now(), asked=waiting.is_asked(challenge, player, link))
            return challenge
    except IntegrityError as clash:
        raise ChallengeClosed from clash


def decline_challenge(*, challenge_id: int, player: Player) -> Challenge:
    """The named opponent says no; of a rematch any other player of the game, and at a larger table only for himself. Raises Gone,
    ChallengeClosed."""
    with transaction.atomic(durable=True):
        challenge = waiting.locked(challenge_id)
        to_anyone = challenge.opponent_id is None and challenge.rematch_of_id is None
        if to_anyone or player == challenge.challenger or not waiting.is_asked(challenge, player):
            raise Gone
        if challenge.asks_a_table:
            if player.pk in waiting.seated_players(challenge):
                raise Gone
            waiting.decline_seat(challenge, timezone.now(), by=player)
        else:
            waiting.decline(challenge, timezone.now(), by=player)
        return challenge


def withdraw_challenge(*, challenge_id: int, player: Player) -> Challenge:
    """The challenger takes it back; another who has accepted takes back his acceptance. Raises Gone, ChallengeClosed."""
    with transaction.atomic(durable=True):
        challenge = waiting.locked(challenge_id)
        if player == challenge.challenger:
            if waiting.close(challenge, Challenge.State.WITHDRAWN, timezone.now()):
                for other in challenge.acceptances.exclude(player=player).exclude(player=None).order_by("player"):
                    waiting.owe(letters.WITHDRAWN, challenge, player_id=other.player_id)
            return challenge
        acceptance = challenge.acceptances.filter(player=player)
        if not acceptance:
            raise Gone
        if challenge.state != Challenge.State.OPEN:
            raise ChallengeClosed
        acceptance.delete()
        return challenge


def withdraw_all(*, player: Player) -> None:
    """Ends whatever waits with the player in it, for he may not play any more: his challenges are withdrawn, his acceptances
    of others' taken back, challenges to him declined. Each is a transaction of its own; what closed in between stays."""
    waits = Challenge.objects.open()
    accepted = waits.filter(acceptances__player=player).exclude(challenger=player)
    received = waits.filter(Q(opponent=player) | Q(rematch_of__seat__player=player)).exclude(challenger=player)
    for end, challenges in (
        (withdraw_challenge, waits.filter(challenger=player)),
        (withdraw_challenge, accepted),
        (decline_challenge, received),
    ):
        for challenge_id in list(challenges.order_by("pk").values_list("pk", flat=True)):
            try:
                end(challenge_id=challenge_id, player=player)
            except (ChallengeClosed, Gone):
                continue


def offer_rematch(*, game_id: int, player: Player) -> Challenge:
    """The same terms again with seats exchanged (for more than two: turned by one). When another player of the game has
    offered it already, accepts that. Raises Gone, NotAllowed, ChallengeClosed."""
    game = Game.objects.filter(pk=game_id).first()
    if game is None:
        raise Gone
    seated = seating.turned(game)
    if player not in seated:
        raise Gone
    if game.ended_at is None:
        raise NotAllowed(phrase("A rematch is possible when the game is over."))
    if len(seated) < game.seats:
        raise NotAllowed(phrase("A rematch is for players. Against a computer you simply start another game."))
    if any(not selectors.may_play(one) or are_apart(player, one) for one in seated if one != player):
        raise NotAllowed(CANNOT_BE_CHALLENGED)
    begins = Challenge.Begins.CHALLENGER if seated[0] == player else Challenge.Begins.OPPONENT
    opponent = next(one for one in seated if one != player) if game.seats == 2 else None
    offered = game.rematches.filter(state__in=(Challenge.State.OPEN, Challenge.State.STARTED)).first()
    if offered is None:
        try:
            return _open(player, terms_of(game, begins), f"rematch:{uuid4().hex}", opponent=opponent, rematch_of=game)
        except IntegrityError:
            # Somebody else pressed at the same moment: one rematch of a game is a constraint.
            offered = game.rematches.filter(state__in=(Challenge.State.OPEN, Challenge.State.STARTED)).first()
    if offered is None:
        raise ChallengeClosed
    if offered.challenger == player:
        return offered
    return accept_challenge(challenge_id=offered.pk, player=player)
