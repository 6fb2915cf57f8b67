"""What the actions of a hand win by a solution of hold'em: exact values, or estimates."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from equilibrist.play.solutions.playouts import Playouts, Valued
from equilibrist.play.solutions.reading import Place, PushFoldReader, Reader
from equilibrist.poker.blueprint.policy import Blueprint
from equilibrist.poker.cards.combos import CLASS_OF_COMBO
from equilibrist.poker.preflop.exact.flops.solved import SolvedFlops
from equilibrist.poker.preflop.exact.solution import PreflopSolution
from equilibrist.poker.preflop.multiway.solution import MultiwaySolution
from equilibrist.poker.preflop.push_fold.solution import gains_of

if TYPE_CHECKING:
    from equilibrist.poker.blueprint.evaluation.node_values import NodeValuer
    from equilibrist.poker.blueprint.evaluation.sampled_values import SampledValuer

Values = Callable[[Place, int], Valued | None]
"""What each action of a combo at a place wins, in the unit of the game; None if it is unknown."""


class Valuer(NamedTuple):
    """Make what values the actions of a solution."""

    values: Values
    is_exact: bool


def valuer_of(reader: Reader, seed: int) -> Valuer:
    """Make what values the actions of a solution.

    Args:
        reader: What finds its decisions.
        seed: The seed of what is drawn.

    Returns:
        The values, and whether they are no estimates.
    """
    solution = reader.solution
    if isinstance(solution, Blueprint):
        return Valuer(_of_blueprint(solution, seed), is_exact=False)
    if isinstance(reader, PushFoldReader) and reader.game.num_players == 2:
        return Valuer(_of_pushes(reader), is_exact=True)
    if isinstance(reader, PushFoldReader) or isinstance(solution, MultiwaySolution):
        playouts = Playouts(reader, seed)
        return Valuer(lambda place, combo: playouts.values(place.betting, combo), is_exact=False)
    return Valuer(_of_decisions(reader), is_exact=True)


def _of_decisions(reader: Reader) -> Values:
    """The EVs that decisions have, and those of flops that were solved."""
    solution, unit = reader.solution, 1.0
    if isinstance(solution, PreflopSolution | SolvedFlops):
        rules = solution.hand.rules
        unit = float(rules.scale.chips(rules.big_blind))

    def values(place: Place, combo: int) -> Valued | None:
        if isinstance(solution, SolvedFlops) and place.board:
            evs = solution.action_values(place.line, place.board, combo)
        else:
            evs = reader.decision(place).values(combo)
        return None if evs is None else Valued(tuple(unit * ev for ev in evs), None)

    return values


def _of_pushes(reader: PushFoldReader) -> Values:
    """Fold and all-in of two seats: exact against the ranges of the charts."""
    game = reader.game

    def values(place: Place, combo: int) -> Valued | None:
        chart, seat = reader.decision(place), place.betting.player
        if not chart.reached:
            return None
        order, behind = game.pushes.order, game.pushes.behind
        before = order[: order.index(seat)]  # who is all-in by posting has made no choice
        all_in = [other for other in before if place.betting.is_live(other) and behind[other]]
        fold = game.fold_value(seat, all_in)
        gain = game.in_unit(float(gains_of(chart)[CLASS_OF_COMBO[combo]]))
        return Valued((fold, fold + gain), None)

    return values


def _of_blueprint(blueprint: Blueprint, seed: int) -> Values:
    """Estimates on boards that are drawn, with more than two seats on deals."""
    from equilibrist.poker.blueprint.evaluation.node_values import NodeValuer
    from equilibrist.poker.blueprint.evaluation.sampled_values import SampledValuer
    from equilibrist.poker.hands.tree_lines import node_at

    valuer: NodeValuer | SampledValuer = (
        NodeValuer(blueprint, seed=seed)
        if blueprint.hand.seats == 2
        else SampledValuer(blueprint, seed=seed)
    )
    rules = blueprint.hand.rules
    unit = float(rules.scale.chips(rules.big_blind))

    def values(place: Place, combo: int) -> Valued | None:
        valued = valuer.values(node_at(blueprint.tree, place.line), place.board, combo)
        if valued is None:
            return None
        means = tuple(unit * estimate.mean for estimate in valued)
        return Valued(means, tuple(unit * estimate.half_width for estimate in valued))

    return values
