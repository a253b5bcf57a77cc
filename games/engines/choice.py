"""The two questions that an opponent and an analysis ask: which move, and what is a position worth?"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import islice
from random import Random
from typing import Any, TypeVar

from games.engines.alphabeta import Search
from games.engines.budget import Budget
from games.engines.finding import Finding, shares_of
from games.engines.ismcts import InformationSets
from games.engines.levels import level as level_of
from games.engines.ranking import Ranking
from games.engines.tables import Tables
from games.rules import registry
from games.rules.evaluation import Evaluation, Guessing, Skill, Solving, Sowing
from games.rules.position import CHANCE
from games.rules.ruleset import Ruleset

P = TypeVar("P")
V = TypeVar("V")


def choose(
    ruleset: Ruleset[P, V],
    view: V,
    *,
    level: int,
    budget: Budget | None,
    seed: int,
    tables: Tables | None = None,
) -> str:
    """The ply, in its one spelling, that an opponent of this level plays for the seat whose view this is and that decides.

    Without a budget it is the level's own. The same seed and number of nodes give the same ply, and so does everything that
    the view does not show. Raises ValueError where nobody decides, or for an unknown level.
    """
    evaluation, random = registry.evaluation_of(ruleset), Random(seed)
    skill = _skill(evaluation, level)
    position = ruleset.imagine(view, random)
    _decider(ruleset, position)
    moves = list(islice(evaluation.promising(position), 2))
    if len(moves) == 1:
        return moves[0]
    budget = budget or Budget(_nodes(evaluation, skill))
    if isinstance(evaluation, Solving) and random.randrange(1_000) < skill.insight:
        solved = evaluation.solve(position, _share(budget), budget.expired)
        if solved is not None and solved.best:
            return solved.best[0]
        budget = Budget(budget.nodes - _share(budget), budget.expired)
    if _is_guessed(ruleset):
        moves = _favourite_first(evaluation, position, skill, random)
        ranking = _played_out(ruleset, evaluation, lambda luck: ruleset.imagine(view, luck), moves, position, budget, random)
        return ranking.best.move
    if tables is not None and isinstance(evaluation, Sowing) and random.randrange(1_000) >= skill.insight:
        tables = None
    slips = random.randrange(1_000) < skill.slips
    depth, margin = 1 if slips else skill.depth, 2 * skill.blur + 1
    ranking = _reckoned(ruleset, evaluation, position, budget, tables, depth=depth, margin=margin)
    return _judged(ranking, skill.blur, random)


def analyse(ruleset: Ruleset[P, Any], position: P, *, budget: Budget, seed: int = 0, tables: Tables | None = None) -> Finding:
    """What the whole position is worth to the seat that decides. Raises ValueError where nobody decides."""
    evaluation = registry.evaluation_of(ruleset)
    seat = _decider(ruleset, position)
    if isinstance(evaluation, Solving):
        solved = evaluation.solve(position, _share(budget), budget.expired)
        if solved is not None:
            return Finding(solved.value, shares_of(solved.value, seat), solved.best, len(solved.best), 0, exact=True)
        budget = Budget(budget.nodes - _share(budget), budget.expired)
    if _is_guessed(ruleset):
        moves = list(evaluation.promising(position))
        ranking = _played_out(ruleset, evaluation, lambda _luck: position, moves, position, budget, Random(seed))
    else:
        ranking = _reckoned(ruleset, evaluation, position, budget, tables)
        if ranking.best.value == evaluation.unknown and not ranking.exact:
            ranking = replace(ranking, shares=())
    best = ranking.best
    return Finding(best.value, ranking.shares, best.line, ranking.depth, ranking.nodes, ranking.exact)


def nodes_of(ruleset: Ruleset[Any, Any], level: int) -> int:
    """How many positions an opponent of this level looks at in this game. Raises ValueError for an unknown level."""
    evaluation = registry.evaluation_of(ruleset)
    return _nodes(evaluation, _skill(evaluation, level))


def _skill(evaluation: Evaluation[Any], level: int) -> Skill:
    return evaluation.skills[level_of(level).number - 1]


def _nodes(evaluation: Evaluation[Any], skill: Skill) -> int:
    if isinstance(evaluation, Sowing):
        # Only who plays such a game waits until numba is there.
        from games.engines import sowing

        return skill.nodes * sowing.QUICKER
    return skill.nodes


def _is_guessed(ruleset: Ruleset[P, Any]) -> bool:
    """Whether a game is too uncertain, or has too many seats, to be reckoned move by move."""
    return ruleset.facts.hidden or ruleset.facts.chance or ruleset.facts.seats[1] > 2


def _share(budget: Budget) -> int:
    """The part of a budget that goes into the truth; what search gets is of use only where it does not come out."""
    return budget.nodes * 3 // 4


def _decider(ruleset: Ruleset[P, Any], position: P) -> int:
    seat = ruleset.to_move(position)
    if seat is None or seat == CHANCE:
        raise ValueError("nobody decides in this position")
    return seat


def _reckoned(
    ruleset: Ruleset[P, Any],
    evaluation: Evaluation[P],
    position: P,
    budget: Budget,
    tables: Tables | None,
    *,
    depth: int = 0,
    margin: int = 0,
) -> Ranking:
    """The moves in a game of two who see everything, by whatever reckons it best."""
    if isinstance(evaluation, Sowing):
        from games.engines import sowing

        return sowing.rank(evaluation, position, _decider(ruleset, position), budget, tables, depth=depth, margin=margin)
    return Search(ruleset, evaluation, budget).rank(position, _decider(ruleset, position), depth=depth, margin=margin)


def _played_out(
    ruleset: Ruleset[P, Any],
    evaluation: Evaluation[P],
    world: Callable[[Random], P],
    moves: Sequence[str],
    position: P,
    budget: Budget,
    random: Random,
) -> Ranking:
    search = InformationSets(ruleset, evaluation, world, budget, random)
    return search.rank(position, moves, _decider(ruleset, position))


def _favourite_first(evaluation: Evaluation[P], position: P, skill: Skill, random: Random) -> list[str]:
    """The moves of a game that is guessed at, the one first that an opponent of this skill likes most at a glance."""
    moves = list(evaluation.promising(position))
    if isinstance(evaluation, Guessing):
        favourite = evaluation.reply(position, random, skill.blur)
        moves.sort(key=lambda move: move != favourite)
    return moves


def _judged(ranking: Ranking, blur: int, random: Random) -> str:
    """The move that seems best when the judgement is off by up to `blur`; any of those that seem equally good."""
    seen = [(one.value + random.uniform(-blur, blur), random.random(), one.move) for one in ranking.moves]
    return max(seen)[2]
