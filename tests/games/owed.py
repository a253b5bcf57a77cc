"""The letters that a log owes, found from its entries alone."""

from __future__ import annotations

from games.letters.rulings import OPENINGS
from games.rules.entry import Entry
from games.rules.standing import must_answer
from games.services.projection import AnyStanding


class Expected:
    """The letters that a log owes, as keys, and those of them that should still go out."""

    def __init__(self, game: int, seats: dict[int, int]) -> None:
        self.game, self.seats = game, seats
        self.owed: set[str] = set()
        self.turn: set[str] = set()
        self.rulings: dict[str, set[str]] = {kind: set() for kind in OPENINGS}
        self.pauses: dict[int, set[str]] = {}
        self.resumed: set[str] = set()
        self.end: set[str] = set()
        self.is_over = self.is_paused = False
        self.offers: dict[int, dict[int, str]] = {}
        self.answers: dict[str, tuple[int, int]] = {}
        self.acted: dict[int | None, int] = {}
        self.waiting: set[str] = set()

    @property
    def wanted(self) -> set[str]:
        if self.is_over:
            return self.end
        told = self.rulings["extended"] | self.rulings["taken_back"] | self.waiting
        if self.is_paused:
            return told.union(*self.pauses.values())
        return told | self.resumed | self.turn

    def hear(self, entry: Entry, before: AnyStanding, after: AnyStanding, decider: int | None) -> None:
        """One more entry. Of what an end reveals no letter tells."""
        if entry.kind == "reveal":
            return
        self.is_over, self.is_paused = after.outcome is not None, bool(after.paused)
        if entry.kind in ("move", "clock") and not entry.text.startswith("gift"):
            self.turn = set()
        if after.turn_number != before.turn_number:
            self.rulings["extended"] = set()
        if entry.text in ("pause", "resume"):
            self.resumed = set()
        for seat, player in self.seats.items():
            acted = entry.kind in ("move", "timeout") and entry.seat == seat
            if acted or (after.turn_number != before.turn_number and decider == seat):
                self.resumed = {key for key in self.resumed if not key.endswith(f":{player}")}
        self._talk(entry, before, after, decider)
        kind = self._ruling(entry)
        released = bool(before.paused and not after.paused and not self.is_over and kind is None)
        if kind or released:
            told = self._to_all(kind or "resumed", entry.number)
            self.rulings[kind or "resumed"] |= told
            if kind == "paused":
                self.pauses[entry.seat or 0] = told
            elif kind in ("resumed", None):
                self.resumed = told
        if entry.kind == "correct":
            self.pauses = {}
        elif entry.kind in ("clock", "resign") and kind != "paused":
            self.pauses.pop(entry.seat if entry.seat is not None else -1, None)
        if self.is_over:
            self.end = self._to_all("adjudicated" if kind else "over", entry.number)
        elif after.turn_number != before.turn_number:
            self.turn = set()
            if decider in self.seats and after.number >= len(self.seats) and not released and entry.kind != "correct":
                self.turn = {f"turn:{self.game}:{after.turn_number}:{self.seats[decider]}"}
                self.owed |= self.turn

    def _talk(self, entry: Entry, before: AnyStanding, after: AnyStanding, decider: int | None) -> None:
        """Offers to all who must answer; answers to who offered, unless another letter tells them."""
        self.acted[entry.seat] = entry.number
        if entry.kind == "propose":
            to = must_answer(after, after.proposals[-1])
            self.offers[entry.number] = {seat: self._to("proposal", entry.number, seat) for seat in to}
        elif entry.kind in ("agree", "refuse"):
            asked = next(one for one in before.proposals if str(one.number) == entry.text)
            waits = asked.number in {one.number for one in after.proposals}
            told = after.turn_number != before.turn_number and decider == asked.seat
            if not (waits or told or self.is_over):
                self.answers[self._to("answer", entry.number, asked.seat)] = (entry.number, asked.seat)
        offers = [(must_answer(after, one), self.offers.get(one.number, {})) for one in after.proposals]
        self.waiting = {key for asked, keys in offers for seat, key in keys.items() if seat in asked}
        for key, (number, seat) in self.answers.items():
            if self.acted.get(seat, 0) <= number and not (decider == seat and after.turn_number > number):
                self.waiting.add(key)

    def _to(self, kind: str, number: int, seat: int) -> str:
        key = f"{kind}:{self.game}:{number}:{self.seats[seat]}"
        self.owed.add(key)
        return key

    def _ruling(self, entry: Entry) -> str | None:
        words = {"gift": "extended", "pause": "paused", "resume": "resumed"}
        if entry.kind == "clock":
            return words[entry.text.split()[0]]
        return {"adjudicate": "adjudicated", "correct": "taken_back"}.get(entry.kind)

    def _to_all(self, kind: str, number: int) -> set[str]:
        keys = {f"{kind}:{self.game}:{number}:{player}" for player in self.seats.values()}
        self.owed |= keys
        return keys
