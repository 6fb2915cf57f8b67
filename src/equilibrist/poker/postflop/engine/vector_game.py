"""A two-player game with a public tree and private hands, the input of the engine."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from equilibrist.poker.betting.public_tree import PublicTree
from equilibrist.poker.postflop.engine.board_layout import Int16Array, SolvedBoard, Strengths
from equilibrist.typing import FloatArray, Int32Array

PairWeights = Callable[[tuple[int, ...], Int16Array, Int16Array], FloatArray]
"""A map from the dealt cards and both players' hands that they leave to float64[n, m], the weights
of their pairs: 0 where they share a card."""

Locks = Mapping[int, Callable[[tuple[int, ...]], FloatArray]]
"""By locked node: a map from the dealt cards to float64[A, n], the probabilities of the hands of
the player to act, NaN where free."""

TargetFrequencies = Mapping[int, Callable[[tuple[int, ...]], FloatArray]]
"""By node with locked frequencies: a map from the dealt cards to float64[A], the frequencies of the
range as a whole, NaN where free."""


@dataclass(frozen=True)
class VectorGame:
    """A public tree with private hands."""

    tree: PublicTree
    streets: int
    """The number of streets, each with its own boards; the last one has the showdowns."""
    cards: tuple[Int32Array, Int32Array]
    """int32[n, 2] for each player: the cards of the hands, numbers below 63."""
    weights: tuple[FloatArray, FloatArray]
    """float64[n] for each player: the weights of the hands."""
    dealt: tuple[SolvedBoard, ...]
    """The boards, by street, siblings next to each other."""
    strengths: Strengths
    """A map from the cards dealt on a last board to the strengths of both players' hands."""
    constant_sum: float | None = None
    """The sum of both players' payoffs at every terminal node, if it is constant."""
    pair_weights: PairWeights | None = None
    """The weights of pairs of hands, where these are not 1 for all that share no card."""
    locks: Locks = field(default_factory=dict)
    target_frequencies: TargetFrequencies = field(default_factory=dict)
    payoffs: tuple[FloatArray, FloatArray] | None = None
    """float64[N, 3] for each player: the payoffs of a win, a tie and a loss at terminal nodes, in
    place of those of the tree, where these do not go by chips; all that was paid is in them."""
