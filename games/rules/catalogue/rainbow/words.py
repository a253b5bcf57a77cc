"""Rainbow in words, for one seat or for all: what a move or chance brought, and how a table stands."""

from __future__ import annotations

from dataclasses import dataclass

from games.rules.catalogue.rainbow import notation, play
from games.rules.catalogue.rainbow.colours import A_DROP, DROP_OF, THREE_DROPS, counted
from games.rules.catalogue.rainbow.play import COLOURS, RainbowPosition
from games.rules.phrase import Phrase, phrase
from games.rules.position import Event, numbered


@dataclass(frozen=True, slots=True)
class Ear:
    """Who is told: one `seat` (None: a spectator), or somebody who may know everything."""

    seat: int | None = None
    open: bool = False


EVERYTHING = Ear(open=True)


def place(seat: int) -> str:
    """The place of a seat on the picture."""
    return f"seat {seat + 1}"


def told(position: RainbowPosition, text: str, ear: Ear) -> tuple[Event, ...]:
    """What a move in its one spelling, or an outcome of chance, comes to, as far as the ear may know."""
    verb, _, colour = text.partition(" ")
    mover = position.mover or 0
    match verb:
        case "send":
            return _sent(position, mover, ear)
        case "pour":
            return (Event("poured", _poured(mover, colour, ear), (place(mover), "rain"), play.POURED),)
        case "offer":
            what = play.fate(position)
            places = (place(mover), "rain") if what == play.SPILLED else (place(mover), place(position.receiver))
            return (Event(what, _OFFERED[what](mover, position.receiver, colour, ear), places, 1),)
        case "accept":
            said = _accepted(mover, position.receiver, position.offer, ear)
            return (Event("accepted", said, (place(mover), place(position.receiver)), 1),)
        case "refuse":
            return (_refused(position, ear),)
        case "pass":
            return (_passed(mover, ear),)
        case "seat":
            return (_begins(int(colour) - 1, ear),)
        case _:
            return _fallen(position, text, ear)


def written(position: RainbowPosition, text: str, ear: Ear) -> str:
    """The notation of a move or an outcome as far as the ear may know it: `offer` without the colour; "" for none of it."""
    verb, _, colour = text.partition(" ")
    concerned = {position.mover}
    if verb == notation.OFFER and play.fate(position) != play.SPILLED:
        concerned.add(position.receiver)
    if verb in COLOURS:
        return text if ear.open or ear.seat == (position.mover if position.drawing else position.dealing) else ""
    return text if not colour or verb == "seat" or ear.open or ear.seat in concerned else verb


def meaning(move: str) -> Phrase | None:
    """A move as its player would say it."""
    verb, _, colour = move.partition(" ")
    match verb:
        case "send":
            return phrase("Send the drop to your rainbow")
        case "pour":
            return phrase("Pour %(drops)s into the rain", drops=THREE_DROPS[colour])
        case "offer":
            return phrase("Offer %(drop)s", drop=A_DROP[colour])
        case "accept":
            return phrase("Take it")
        case "refuse":
            return phrase("Refuse it")
        case "pass":
            return phrase("Pass")
    return None


def late(position: RainbowPosition, ear: Ear) -> tuple[Event, ...]:
    """What it comes to that time ran out."""
    return (_refused(position, ear) if position.offer else _passed(position.mover or 0, ear),)


def _sent(position: RainbowPosition, mover: int, ear: Ear) -> tuple[Event, ...]:
    drop = A_DROP[play.wanted(position, mover)]
    said = phrase("You send %(drop)s to your rainbow.", drop=drop)
    if ear.seat != mover:
        said = phrase("%(seat)s sends %(drop)s to their rainbow.", seat=numbered(mover), drop=drop)
    sent = Event("sent", said, (place(mover),), 1)
    if play.sent(position).winner is None:
        return (sent,)
    won = phrase("Your rainbow is complete: you win.")
    if ear.seat != mover:
        won = phrase("The rainbow of %(seat)s is complete, which wins.", seat=numbered(mover))
    return sent, Event("over", won, (place(mover),))


def _poured(mover: int, colour: str, ear: Ear) -> Phrase:
    if ear.seat == mover:
        return phrase("You pour %(drops)s into the rain.", drops=THREE_DROPS[colour])
    return phrase("%(seat)s pours %(drops)s into the rain.", seat=numbered(mover), drops=THREE_DROPS[colour if ear.open else ""])


def asked(giver: int, taker: int, colour: str, ear: Ear) -> Phrase:
    """An offer that waits for its answer."""
    if ear.seat == giver:
        return phrase("You offer %(taker)s %(drop)s.", taker=numbered(taker), drop=A_DROP[colour])
    if ear.seat == taker:
        return phrase("%(giver)s offers you %(drop)s.", giver=numbered(giver), drop=A_DROP[colour])
    drop = A_DROP[colour if ear.open else ""]
    return phrase("%(giver)s offers %(taker)s %(drop)s.", giver=numbered(giver), taker=numbered(taker), drop=drop)


def _forced(giver: int, taker: int, colour: str, ear: Ear) -> Phrase:
    if ear.seat == giver:
        return phrase("You give %(taker)s %(drop)s unasked.", taker=numbered(taker), drop=A_DROP[colour])
    if ear.seat == taker:
        return phrase("%(giver)s gives you %(drop)s unasked.", giver=numbered(giver), drop=A_DROP[colour])
    drop = A_DROP[colour if ear.open else ""]
    return phrase("%(giver)s gives %(taker)s %(drop)s unasked.", giver=numbered(giver), taker=numbered(taker), drop=drop)


def _spilled(giver: int, taker: int, colour: str, ear: Ear) -> Phrase:
    if ear.seat == giver:
        return phrase(
            "You offer %(taker)s %(drop)s; their hand is full, so it spills into the rain.",
            taker=numbered(taker),
            drop=A_DROP[colour],
        )
    drop = A_DROP[colour if ear.open else ""]
    if ear.seat == taker:
        return phrase(
            "%(giver)s offers you %(drop)s; your hand is full, so it spills into the rain.", giver=numbered(giver), drop=drop
        )
    return phrase(
        "%(giver)s offers %(taker)s %(drop)s; their hand is full, so it spills into the rain.",
        giver=numbered(giver),
        taker=numbered(taker),
        drop=drop,
    )


_OFFERED = {play.ASKED: asked, play.FORCED: _forced, play.SPILLED: _spilled}


def _accepted(giver: int, taker: int, colour: str, ear: Ear) -> Phrase:
    if ear.seat == taker:
        return phrase("You take the %(drop)s of %(giver)s.", drop=DROP_OF[colour], giver=numbered(giver))
    if ear.seat == giver:
        return phrase("%(taker)s takes your %(drop)s.", taker=numbered(taker), drop=DROP_OF[colour])
    drop = DROP_OF[colour if ear.open else ""]
    return phrase("%(taker)s takes the %(drop)s of %(giver)s.", taker=numbered(taker), drop=drop, giver=numbered(giver))


def _refused(position: RainbowPosition, ear: Ear) -> Event:
    giver, taker, colour = position.mover or 0, position.receiver, position.offer
    if ear.seat == taker:
        said = phrase("You refuse the %(drop)s of %(giver)s.", drop=DROP_OF[colour], giver=numbered(giver))
    elif ear.seat == giver:
        said = phrase("%(taker)s refuses your %(drop)s.", taker=numbered(taker), drop=DROP_OF[colour])
    else:
        drop = DROP_OF[colour if ear.open else ""]
        said = phrase("%(taker)s refuses the %(drop)s of %(giver)s.", taker=numbered(taker), drop=drop, giver=numbered(giver))
    return Event("refused", said, (place(taker), place(giver)), 1)


def _passed(mover: int, ear: Ear) -> Event:
    said = phrase("You pass.") if ear.seat == mover else phrase("%(seat)s passes.", seat=numbered(mover))
    return Event("passed", said, (place(mover),))


def _begins(seat: int, ear: Ear) -> Event:
    said = phrase("The lot falls on you: you begin.")
    if ear.seat != seat:
        said = phrase("The lot falls on %(seat)s, who begins.", seat=numbered(seat))
    return Event("lot", said, (place(seat),))


def _fallen(position: RainbowPosition, colour: str, ear: Ear) -> tuple[Event, ...]:
    dealt = position.dealing
    if dealt is not None:
        return _dealt(position, dealt, colour, ear)
    seat = position.mover or 0
    said = phrase("You draw %(drop)s from the rain.", drop=A_DROP[colour])
    if ear.seat != seat:
        said = phrase("%(seat)s draws %(drop)s from the rain.", seat=numbered(seat), drop=A_DROP[colour if ear.open else ""])
    return (Event("drawn", said, ("rain", place(seat)), 1),)


def _dealt(position: RainbowPosition, seat: int, colour: str, ear: Ear) -> tuple[Event, ...]:
    """A hand is told when it is whole, to its owner."""
    hand = play.in_order(position.hands[seat] + colour)
    if len(hand) < play.DEALT or not (ear.open or ear.seat == seat):
        return ()
    said = phrase("You are dealt: %(drops)s.", drops=counted(hand))
    if ear.seat != seat:
        said = phrase("%(seat)s is dealt: %(drops)s.", seat=numbered(seat), drops=counted(hand))
    return (Event("dealt", said, ("rain", place(seat)), len(hand)),)
