"""A game of two players with a public tree and private hands, as the engine takes it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from equilibrist.poker.betting.public_tree import PublicTree
from equilibrist.poker.engine.board_layout import Dealt, Strengths
from equilibrist.typing import FloatArray, Int32Array

Locks = Mapping[int, Callable[[tuple[int, ...]], FloatArray]]
"""Per node at which probabilities are fixed: from the cards that were dealt to float64[A, n] of the
hands of the player who acts, NaN where free."""

Aims = Mapping[int, Callable[[tuple[int, ...]], FloatArray]]
"""Per node at which frequencies are: from the cards that were dealt to float64[A], how often the
range as a whole takes the actions, NaN where free."""


@dataclass(frozen=True)
class VectorGame:
    """A public tree, and which hands meet at its ends."""

    tree: PublicTree
    streets: int
    """Streets with a board of their own; the last one has the showdowns."""
    cards: tuple[Int32Array, Int32Array]
    """int32[n, 2] of either player: the cards of his hands, below 63. Nobody else holds them."""
    weights: tuple[FloatArray, FloatArray]
    """float64[n] of either player: how often he has each hand."""
    dealt: tuple[Dealt, ...]
    """Boards, the first one first, street by street, those after one board side by side."""
    strengths: Strengths
    """The strengths of both players' hands by the cards dealt on a last board."""
    constant_sum: float | None = None
    """What the payoffs of both players sum to at every end, if that is the same everywhere."""
    locks: Locks = field(default_factory=dict)
    aims: Aims = field(default_factory=dict)
