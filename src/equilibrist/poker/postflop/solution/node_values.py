"""The values of all hands at one node of a solved spot, on one board, and their form in JSON."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np

from equilibrist.formatting.brief import brief_repr
from equilibrist.typing import FloatArray

DIGITS: Final = 6
"""Decimals in JSON documents and exported tables, but for weights."""


class NodeValues(NamedTuple):
    """The values of both players over the 1,326 combos, in the order of `poker.FIRST_CARD`.

    Player 0 is out of position, player 1 in position. Hands blocked by the board have weight 0.

    Attributes:
        weight: float64[2, 1326], the weight in the range times the player's own reach.
        matchups: float64[2, 1326], the unblocked opponent reach: the total weight of the opponent's
            hands that share no card with the hand (card removal).
        ev: float64[2, 1326], final chips minus chips behind at the node; NaN for hands not held or
            with no matchups. The means of both players add up to the pot less rake.
        equity: float64[2, 1326], the share of the pot, 0 to 1, without further betting; NaN as in
            `ev`.
        strategy: float64[A, 1326], the probabilities of the actions in the order of `node_actions`;
            NaN for hands not held. A is 0 if no player acts.
        action_ev: float64[A, 1326], the `ev` of the player to act if they take the action and both
            follow their average strategies afterwards; NaN as in `ev`. Its mean over `strategy` is
            `ev`.
    """

    weight: FloatArray
    matchups: FloatArray
    ev: FloatArray
    equity: FloatArray
    strategy: FloatArray
    action_ev: FloatArray

    def __repr__(self) -> str:
        return brief_repr(self)


Evaluate: TypeAlias = Callable[[int, tuple[int, ...]], NodeValues]
"""The figures at a node of the public tree, after the cards that were dealt since the root. Where
players are all-in before the river, cards may have been dealt after the node's street."""
NodesOfBoard: TypeAlias = Callable[[Sequence[int]], Sequence[NodeValues]]
"""The figures at some nodes of a street, in their order."""
OnBoard: TypeAlias = Callable[[tuple[int, ...]], NodesOfBoard]
"""The figures at any nodes of a street, after the cards that were dealt since the root: for those
who want many nodes of a board."""
Resolved: TypeAlias = Callable[[int, tuple[int, ...]], float | None]
"""The mean gain to which a node was re-solved, in chips; None if it was not."""


def json_number(value: float | None) -> float | None:
    """A number for JSON: rounded, None for NaN."""
    return None if value is None or value != value else round(value, DIGITS) + 0.0  # no -0.0


def json_numbers(values: FloatArray) -> list[Any]:
    """An array for JSON, as nested lists."""
    rounded = np.round(values, DIGITS) + 0.0
    if not np.isnan(rounded).any():
        return rounded.tolist()  # type: ignore[no-any-return]
    known = rounded.astype(object)
    known[np.isnan(rounded)] = None
    return known.tolist()  # type: ignore[no-any-return]


def weight_digits(weight: float) -> float:
    """A weight for JSON: six significant digits of it."""
    return float(f"{weight:.6g}")
