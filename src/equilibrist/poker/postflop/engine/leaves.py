"""Leaves of a street of hold'em, and the protocol of what says what they are worth.

A leaf is a board with its next card dealt, after a line that ends the street. The chance node
before it is worth the mean of its leaves over the cards that neither hand blocks.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from equilibrist.errors import MismatchError
from equilibrist.formatting.brief import brief_repr
from equilibrist.parsing.arguments import bad_argument
from equilibrist.poker.cards.combos import NUM_COMBOS
from equilibrist.typing import FloatArray, Int32Array


class Leaves(NamedTuple):
    """A batch of L leaves."""

    boards: NDArray[np.int8]
    """int8[L, cards]: the cards of each board, the one dealt last at the end."""
    pots: FloatArray
    """float64[L]: chips in the middle."""
    stacks: FloatArray
    """float64[L]: chips that either player has behind, above 0."""
    nodes: Int32Array
    """int32[L]: the chance node of the public tree before the last card."""
    held: tuple[Int32Array, Int32Array]
    """The combos of both players that may come to any leaf; values of others are not used."""

    def __repr__(self) -> str:
        return brief_repr(self)


@runtime_checkable
class HoldemLeafValues(Protocol):
    """What says what leaves are worth to both players, for the ranges that come there."""

    @property
    def name(self) -> str:
        """What it is called, such as `check-down`, or the name of a file."""
        ...

    @property
    def identity(self) -> str:
        """What tells it from others of its name, such as the hash of a file; may be empty."""
        ...

    @property
    def num_cards(self) -> int:
        """The cards on the boards of leaves: 4 for values of turns, 5 for values of rivers."""
        ...

    def values(self, leaves: Leaves, ranges: FloatArray, /) -> FloatArray:
        """Value a batch of leaves.

        Args:
            leaves: The leaves.
            ranges: float64[L, 2, 1326]: the probabilities of the hands of both players, which add
                up to 1 for either; 0 for hands that the board blocks.

        Returns:
            float[L, 2, 1326]: the counterfactual value of each hand in pots, counted from half of
            the pot: the sum, over the opponent's hands that share no card with it, of their
            probability times (chips won in the end - pot / 2) / pot. The sum of probability times
            value of both players is 0.
        """
        ...


class StreetLeaves(NamedTuple):
    """All leaves of a street: L lines after which betting goes on, each with B next cards."""

    boards: NDArray[np.int8]
    """int8[B, cards]: the board with each next card, which stands at the end."""
    pots: FloatArray
    """float64[L]: chips in the middle."""
    stacks: FloatArray
    """float64[L]: chips that either player has behind, above 0."""
    held: tuple[Int32Array, Int32Array]
    """The combos of both players when the street begins, ascending: n of either."""
    weights: tuple[FloatArray, FloatArray]
    """float64[n] of both players: their weights when the street begins."""

    def __repr__(self) -> str:
        return brief_repr(self)


class PreparedLeaves(Protocol):
    """What values all leaves of one street, for any ranges."""

    def beyond_check_down(self, player: int, reach: list[FloatArray], /) -> FloatArray:
        """By how much leaves are worth more to a player's hands than if nobody bet any more.

        Args:
            player: The player.
            reach: float64[L, n] of both players, in the weights of the street. Hands that the next
                card blocks are not left out yet. Where none is left of the player, the weights of
                the street stand in.

        Returns:
            float64[L, B, n], in pots: the difference of counterfactual values, summed over the
            opponent's hands by reach. 0 for hands that the next card blocks.
        """
        ...


@runtime_checkable
class ValuesStreets(Protocol):
    """Leaf values that prepare for a street, whose leaves are all asked for again and again.

    What hands win if nobody bets any more is the same sum over the opponent's hands at all leaves
    of a line, which the solver of the street computes; they say what betting adds.
    """

    def on_street(self, street: StreetLeaves, /) -> PreparedLeaves:
        """Prepare for a street.

        Args:
            street: Its leaves.

        Returns:
            What values them; to rounding as `HoldemLeafValues.values` does.
        """
        ...


@runtime_checkable
class KeepsBoards(Protocol):
    """Leaf values that keep something of each board, whose memory counts."""

    def kept_bytes(self, boards: NDArray[np.int8], held: tuple[Int32Array, Int32Array], /) -> int:
        """Count what is kept once all boards have been valued.

        Args:
            boards: int8[B, cards], each once.
            held: The combos of both players.

        Returns:
            Bytes.
        """
        ...


def checked_leaf_values(values: object) -> HoldemLeafValues:
    """Leaf values, or ConfigError that says what they are."""
    if not isinstance(values, HoldemLeafValues):
        raise bad_argument("leaf_values", values, "a HoldemLeafValues, such as CheckDown()")
    return values


ArrayValues = Callable[[NDArray[Any], NDArray[Any], NDArray[Any], NDArray[Any]], NDArray[Any]]
"""Boards int8[L, cards], pots and stacks float[L], ranges float32[L, 2, 1326] in; values
float[L, 2, 1326] as those of `HoldemLeafValues` out."""


class ValuesOfArrays:
    """Leaf values from a function of plain arrays, such as a value network.

    Attributes:
        name: What it is called.
        identity: What tells it from others of its name.
        num_cards: The cards on the boards of its leaves.
    """

    def __init__(
        self, function: ArrayValues, name: str, identity: str = "", *, num_cards: int = 4
    ) -> None:
        """Take a function.

        Args:
            function: Takes boards, pots, stacks and ranges, see `ArrayValues`.
            name: What it is called.
            identity: What tells it from others of its name.
            num_cards: The cards on the boards of its leaves.
        """
        self.name, self.identity, self.num_cards = name, identity, num_cards
        self._function = function

    def values(self, leaves: Leaves, ranges: FloatArray, /) -> FloatArray:
        """Value a batch of leaves, as `HoldemLeafValues.values`.

        Args:
            leaves: The leaves.
            ranges: float64[L, 2, 1326].

        Returns:
            float64[L, 2, 1326].

        Raises:
            MismatchError: The function returned another shape, or numbers that are not finite.
        """
        returned = np.asarray(
            self._function(leaves.boards, leaves.pots, leaves.stacks, ranges.astype(np.float32))
        )
        expected = (len(leaves.pots), 2, NUM_COMBOS)
        if returned.shape != expected:
            raise MismatchError(
                f"{self.name} gave values of shape {returned.shape}, not {expected}",
                option="values",
                given=returned.shape,
                expected=expected,
            )
        if not np.isfinite(returned).all():
            raise MismatchError(
                f"{self.name} gave values that are not finite",
                option="values",
                given=int(np.count_nonzero(~np.isfinite(returned))),
                expected=0,
            )
        return returned.astype(np.float64)
