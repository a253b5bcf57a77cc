"""Terms: what a challenge offers, and whether a game could follow from it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import timedelta

from games import timing
from games.models import Challenge, Game
from games.rules import registry
from games.rules.entry import OptionValue
from games.rules.phrase import phrase
from games.rules.position import BadOptions
from games.rules.ruleset import complete
from games.services.errors import BadTerms


@dataclass(frozen=True, slots=True)
class Terms:
    """What a challenge offers; `begins` is one of Challenge.Begins. Not `listed`: for who has the link of its room."""

    ruleset: str
    reflection: timedelta
    options: Mapping[str, OptionValue]
    seats: int = 2
    begins: str = Challenge.Begins.LOT
    public: bool = True
    listed: bool = True


def checked(terms: Terms) -> Terms:
    """The terms with every option given. Raises BadTerms."""
    try:
        ruleset = registry.get(terms.ruleset)
        options = complete(ruleset.facts, terms.options)
        ruleset.start(options, terms.seats)
    except registry.UnknownRuleset:
        raise BadTerms(phrase("There is no such game.")) from None
    except BadOptions as bad:
        raise BadTerms(bad.said) from bad
    for option in ruleset.facts.options:
        if options[option.name] not in [value for value, _title in option.offered]:
            raise BadTerms(phrase("%(option)s: this choice is not offered.", option=option.title))
    if not ruleset.facts.seats[0] <= terms.seats <= ruleset.facts.seats[1]:
        raise BadTerms(phrase("This game is not played by so many."))
    if not timing.SHORTEST <= terms.reflection <= timing.LONGEST:
        raise BadTerms(phrase("The reflection time is from 2 minutes to 30 days a turn."))
    if terms.begins not in Challenge.Begins.values:
        raise BadTerms(phrase("Say who begins."))
    if not terms.listed and terms.seats == 2:
        raise BadTerms(phrase("A game of two by invitation needs the name or the address of the other."))
    return replace(terms, options=options)


def terms_again(game_id: int, seat: int) -> Terms:
    """The terms of a game for who held a seat in it, with seats exchanged; where more may play the lot decides anew. Raises
    BadTerms where such a game is not offered any more."""
    terms = checked(terms_of(Game.objects.get(pk=game_id)))
    if registry.get(terms.ruleset).facts.seats[1] > 2:
        return terms
    return replace(terms, begins=Challenge.Begins.CHALLENGER if seat else Challenge.Begins.OPPONENT)


def terms_of(made: Challenge | Game, begins: str = Challenge.Begins.LOT) -> Terms:
    """The terms of a challenge; of a game, with what is to be said about who begins."""
    return Terms(
        ruleset=made.ruleset,
        options=made.options,
        seats=made.seats,
        reflection=timedelta(seconds=made.reflection),
        begins=made.begins if isinstance(made, Challenge) else begins,
        public=made.public,
        listed=made.listed if isinstance(made, Challenge) else True,
    )
