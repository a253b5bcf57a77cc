"""How Rainbow is written: moves in letters and words of three languages, and what chance brings."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from games.rules.catalogue.rainbow import play
from games.rules.catalogue.rainbow.colours import A_DROP
from games.rules.catalogue.rainbow.play import COLOURS, RainbowPosition
from games.rules.phrase import phrase
from games.rules.position import IllegalMove, InvalidNotation

NAME: Final = "rainbow"
VERSION: Final = 1
COMPLETE: Final = "rainbow_complete"
SEND, POUR, OFFER, ACCEPT, REFUSE, PASS = "send", "pour", "offer", "accept", "refuse", "pass"
COLOURED: Final = (POUR, OFFER)

_LETTERS: Final = "КОЖЗГСФ"
_COLOUR_WORDS: Final = (
    ("red", "красн", "kırmızı"),
    ("orange", "оранж", "turuncu"),
    ("yellow", "жёлт", "желт", "sarı"),
    ("green", "зелён", "зелен", "yeşil"),
    ("light blue", "lightblue", "light-blue", "cyan", "голуб", "açık mavi"),
    ("blue", "син", "mavi"),
    ("violet", "purple", "фиолет", "mor"),
)
_VERBS: Final = {
    SEND: ("send", "отправить", "послать", "gönder"),
    POUR: ("pour", "слить", "вылить", "dök"),
    OFFER: ("offer", "предложить", "teklif", "sun"),
    ACCEPT: ("accept", "take", "yes", "принять", "взять", "да", "al", "kabul", "evet"),
    REFUSE: ("refuse", "no", "отказаться", "отказ", "нет", "reddet", "hayır"),
    PASS: ("pass", "пас", "пропустить", "передать", "pas"),
}
_BY_WORD: Final = {word: verb for verb, words in _VERBS.items() for word in words}
_LOT: Final = re.compile(r"seat ([1-9][0-9]?)", re.ASCII)


def letter(text: str) -> str:
    """The colour that a letter or word names, "" for none; Russian letters are К О Ж З Г С Ф."""
    if len(text) == 1:
        return text.upper() if text.upper() in COLOURS else dict(zip(_LETTERS, COLOURS, strict=True)).get(text.upper(), "")
    for colour, words in zip(COLOURS, _COLOUR_WORDS, strict=True):
        if any(text.casefold().startswith(word) if word.isalpha() and not word.isascii() else text == word for word in words):
            return colour
    return ""


def read(position: RainbowPosition, text: str) -> str:
    """The one spelling of what a text means for the seat to move, or of an outcome where chance decides.

    Raises InvalidNotation or IllegalMove.
    """
    written, wanted = " ".join(text.split()), _outcome(text)
    if not wanted:
        word, _, rest = written.casefold().partition(" ")
        verb, colour = _BY_WORD.get(word, ""), letter(rest)
        if not verb or (rest and not colour) or (not rest and verb in COLOURED) or (rest and verb in (ACCEPT, REFUSE, PASS)):
            said = phrase("“%(move)s” is no move: write send, offer G, pour G, accept, refuse or pass.", move=written[:20])
            raise InvalidNotation(said)
        _expect_turn(position)
        return _answer(verb) if position.offer else _act(position, verb, colour)
    if wanted not in [outcome for outcome, _weight in outcomes(position)]:
        raise IllegalMove(phrase("“%(move)s” is not possible here.", move=wanted))
    return wanted


def _outcome(text: str) -> str:
    """A text that only chance brings: a colour, or the seat that begins."""
    stripped = text.strip()
    return stripped if _LOT.fullmatch(stripped) or (len(stripped) == 1 and stripped in COLOURS) else ""


def outcomes(position: RainbowPosition) -> tuple[tuple[str, int], ...]:
    """What chance may bring here with its weights: a drop of the rain, or the seat that begins."""
    if position.winner is not None or not (position.mover is None or position.drawing):
        return ()
    if position.mover is None and position.dealing is None:
        return tuple((f"seat {seat + 1}", 1) for seat in position.living)
    return tuple((colour, position.rain.count(colour)) for colour in COLOURS if colour in position.rain)


def after_outcome(position: RainbowPosition, outcome: str) -> RainbowPosition:
    """The position after what chance brought."""
    lot = _LOT.fullmatch(outcome)
    return play.begun(position, int(lot[1]) - 1) if lot else play.fallen(position, outcome)


def _expect_turn(position: RainbowPosition) -> None:
    if position.winner is not None:
        raise IllegalMove(phrase("The game is over."))
    if position.mover is None or position.drawing:
        raise IllegalMove(phrase("A drop must fall first."))


def _answer(verb: str) -> str:
    if verb not in (ACCEPT, REFUSE):
        raise IllegalMove(phrase("A drop is offered to you: accept it or refuse it."))
    return verb


def _act(position: RainbowPosition, verb: str, colour: str) -> str:
    if verb in (ACCEPT, REFUSE):
        raise IllegalMove(phrase("No drop is offered to you."))
    if verb == SEND:
        return _send(position, colour)
    hand = position.hands[position.mover or 0]
    if verb == POUR:
        if hand.count(colour) < play.ENOUGH_TO_POUR:
            raise IllegalMove(phrase("To pour you need at least four drops of one colour."))
        return f"{POUR} {colour}"
    if play.may_send(position):
        raise IllegalMove(phrase("While you can send a drop to your rainbow you may neither offer nor pass."))
    if verb == PASS:
        return PASS
    if colour not in hand:
        raise IllegalMove(phrase("You cannot offer %(drop)s: you hold none.", drop=A_DROP[colour]))
    return f"{OFFER} {colour}"


def _send(position: RainbowPosition, colour: str) -> str:
    wanted = play.wanted(position, position.mover or 0)
    drop, held = A_DROP[wanted], position.hands[position.mover or 0].count(wanted)
    if colour and colour != wanted:
        raise IllegalMove(phrase("Your rainbow takes only %(drop)s now.", drop=drop))
    if not held:
        raise IllegalMove(phrase("Your rainbow takes only %(drop)s now, and you hold none.", drop=drop))
    if held > 1:
        raise IllegalMove(phrase("You can send %(drop)s only while it is your only one of that colour.", drop=drop))
    return SEND


def moves(position: RainbowPosition) -> Iterator[str]:
    """The moves of the seat to move: an answer; or sending, pouring, and else offering each colour and passing."""
    if position.offer:
        yield from (ACCEPT, REFUSE)
        return
    sends = play.may_send(position)
    if sends:
        yield SEND
    yield from (f"{POUR} {colour}" for colour in play.pourable(position))
    if not sends:
        hand = position.hands[position.mover or 0]
        yield from (f"{OFFER} {colour}" for colour in COLOURS if colour in hand)
        yield PASS


def after(position: RainbowPosition, move: str) -> RainbowPosition:
    """The position after a move in its one spelling; who made it is silent no longer."""
    verb, _, colour = move.partition(" ")
    heard = play.heard(position, position.receiver if position.offer else position.mover or 0)
    match verb:
        case "send":
            return play.sent(heard)
        case "pour":
            return play.poured(heard, colour)
        case "offer":
            return play.offered(heard, colour)
        case "accept":
            return play.accepted(heard)
        case "refuse":
            return play.refused(heard)
        case _:
            return play.passed(heard)
