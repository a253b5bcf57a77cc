"""The contract suite over every registered ruleset and the toy, and what it notices in rulesets that break it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random

import pytest
from hypothesis import Phase, settings

from games.rules import registry
from games.rules.entry import Json
from games.rules.phrase import Say, phrase
from games.rules.position import Event, Moment
from games.rules.ruleset import AnyRuleset, Marks
from tests.nim import RULESET as NIM
from tests.rules.contract import Contract
from tests.toy import TOY, Toy, ToyPosition, ToyView


def contract_of(ruleset: AnyRuleset) -> type[Contract]:
    """The suite as the test class of one ruleset."""
    return type(f"Test{ruleset.facts.name.title()}", (Contract,), {"ruleset": ruleset, "__module__": __name__})


for _ruleset in (*map(registry.get, registry.names()), TOY, NIM):
    globals()[f"Test{_ruleset.facts.name.title()}"] = contract_of(_ruleset)


class ListsTooMuch(Toy):
    def legal_moves(self, position: ToyPosition) -> Iterator[str]:
        yield from super().legal_moves(position)
        if self.has_move(position):
            yield "wait"

    def has_move(self, position: ToyPosition) -> bool:
        return next(super().legal_moves(position), None) is not None


class Stumbles(Toy):
    def canonical(self, position: ToyPosition, text: str) -> str:
        return super().canonical(position, text if text.split().pop() else "")


class Forgets(Toy):
    def dump(self, position: ToyPosition) -> Json:
        return {**super().dump(position), "made": 0}


class Peeks(Toy):
    def view(self, position: ToyPosition, seat: int | None, *, moment: Moment = Moment.NOW) -> ToyView:
        return ToyView(seat, position)


class Rolls(Toy):
    luck = Random(1)

    def time_out(self, position: ToyPosition) -> ToyPosition:
        return super().time_out(position)._replace(mover=self.luck.choice(position.living))


class Weightless(Toy):
    def chance(self, position: ToyPosition) -> Sequence[tuple[str, int]]:
        return [(card, 0) for card, _ in super().chance(position)][:-1] + list(super().chance(position))[-1:]


class Mumbles(Toy):
    def events(self, position: ToyPosition, text: str) -> tuple[Event, ...]:
        return tuple(Event(event.kind, phrase("%(who)s plays.", whom="he")) for event in super().events(position, text))


class Untitled(Toy):
    def picture(self, view: ToyView, marks: Marks, say: Say) -> str:
        return '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1" role="img"/>'


class Stays(Toy):
    def leave(self, position: ToyPosition, seat: int) -> ToyPosition:
        return position._replace(turn=position.turn + 1)


class Wavers(Toy):
    luck = Random(1)

    def play(self, position: ToyPosition, text: str) -> ToyPosition:
        return super().play(position, text)._replace(mover=self.luck.choice(position.living))


@pytest.fixture
def _found_is_enough() -> Iterator[None]:
    """Nobody reads how small an example is on which a broken ruleset is caught."""
    usual = settings.get_current_profile_name()
    settings.register_profile("found is enough", settings.get_profile(usual), phases=[Phase.generate])
    settings.load_profile("found is enough")
    yield
    settings.load_profile(usual)


@pytest.mark.usefixtures("_found_is_enough")
@pytest.mark.parametrize(
    ("broken", "name"),
    [
        (ListsTooMuch, "test_what_is_listed_is_accepted_and_stands_in_its_one_spelling"),
        (Stumbles, "test_what_is_no_move_is_refused_in_words"),
        (Forgets, "test_a_position_survives_its_json"),
        (Peeks, "test_N25_a_game_with_hidden_things_hides_them"),
        (Rolls, "test_replay_is_deterministic_at_every_entry"),
        (Weightless, "test_chance_has_whole_weights_for_outcomes_that_can_be_played"),
        (Mumbles, "test_what_a_move_does_is_told_step_by_step"),
        (Untitled, "test_every_view_is_told_and_drawn_for_everybody"),
        (Wavers, "test_F40_when_an_end_is_taken_back_the_game_goes_on_from_the_same_position"),
        (Stays, "test_when_one_after_the_other_leaves_the_game_ends"),
    ],
)
def test_the_suite_notices_a_ruleset_that_breaks_it(broken: type[Toy], name: str) -> None:
    case = contract_of(broken())()
    with pytest.raises((AssertionError, ValueError, IndexError, ExceptionGroup)):
        getattr(case, name)()
