"""Labels of situations: what each hand is worth where both players play well to the end."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from equilibrist.learned.holdem_values.situations import Situation
from equilibrist.poker.cards.cards import card_names
from equilibrist.poker.postflop.solution.node import Node
from equilibrist.poker.postflop.solution.result import PostflopResult
from equilibrist.poker.postflop.spot.spot import Spot
from equilibrist.poker.ranges.range import Range
from equilibrist.typing import BoolArray, FloatArray

MOST_ITERATIONS: Final = 5_000
"""Iterations after which a situation is labelled with what it has."""


@dataclass(frozen=True)
class Label:
    """What the hands of a situation are worth.

    Attributes:
        values: float64[2, 1326]: counterfactual values, in pots, per unit of the opponent's range:
            the mean over the opponent's whole range, normalised, of chips at the end less chips
            behind less half the pot, in pots, where hands that share a card count as 0. The mean of
            each player's values over the own range is the opposite of the other's.
        check_down: float64[2, 1326]: the same if nobody bets any more.
        gain: What best responses gain, the mean of both players, as a share of the pot.
        iterations: Iterations that it took.
    """

    values: FloatArray
    check_down: FloatArray
    gain: float
    iterations: int


def label(situation: Situation, menu: Mapping[str, Any], target: str) -> Label:
    """Solve a situation to the end of the hand.

    Args:
        situation: The situation.
        menu: Bet sizes, as keys of `Spot`.
        target: When it is solved well enough, such as "0.3%" of the pot.

    Returns:
        Its label.
    """
    from equilibrist.poker.postflop.solving.spot_runs import solve

    largest = situation.ranges.max(axis=1)
    spot = Spot(
        board=card_names(situation.cards),
        oop=Range.from_weights(situation.ranges[0] / largest[0]),
        ip=Range.from_weights(situation.ranges[1] / largest[1]),
        pot=situation.pot,
        stack=situation.stack,
        **menu,
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        solution = solve(spot, target=target, iterations=MOST_ITERATIONS, threads=1)
    if solution.stopped_by == "interrupted":
        raise KeyboardInterrupt
    weights = np.stack([spot.oop.weights, spot.ip.weights])
    return label_of(solution.at(""), weights, solution)


def label_of(node: Node, weights: FloatArray, solution: PostflopResult) -> Label:
    """What hands are worth at a node of a solution where a street begins.

    Args:
        node: The node.
        weights: float64[2, 1326]: the weights of both players' hands there.
        solution: The solution.

    Returns:
        The label, whose gain is a share of the pot of the node.
    """
    values = node.values  # NaN for hands that are not held
    opponent = weights[::-1].sum(axis=1)[:, None]
    met = values.matchups / opponent
    held = (weights > 0) & (met > 0)
    return Label(
        values=_where_held(held, met * (values.ev / node.pot - 0.5)),
        check_down=_where_held(held, met * (values.equity - 0.5)),
        gain=solution.mean_gain / node.pot,
        iterations=solution.iterations,
    )


def _where_held(possible: BoolArray, values: FloatArray) -> FloatArray:
    """The values, 0 for hands that are not held or meet nobody."""
    return np.where(possible & np.isfinite(values), values, 0.0)
