"""Games with public moves and private hands: a public tree, hands with cards, a deck."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from equilibrist.typing import BoolArray, FloatArray

ACTION: Final = 0
"""A player acts."""
CHANCE: Final = 1
"""A card is dealt to the table."""
SHOWDOWN: Final = 2
"""Hands are compared, after the cards that are still to come."""
FOLD: Final = 3
"""`player` has folded."""
_RIVER: Final = 2

Integers: TypeAlias = NDArray[np.integer[Any]]
Place: TypeAlias = tuple[int, tuple[int, ...]]
"""A node, and the cards that were dealt since the root in their order."""


class Nodes(Protocol):
    """N public nodes, `equilibrist.poker.betting.public_tree.PublicTree` among others.

    The children of a node stand side by side; CHANCE has one child, whatever the card. `street`
    counts up to 2. `payoffs` are float64[N, 3]: what a win, a tie and a loss bring at an end. Who
    folded has lost.
    """

    @property
    def kind(self) -> Integers: ...  # noqa: D102
    @property
    def player(self) -> Integers: ...  # noqa: D102
    @property
    def street(self) -> Integers: ...  # noqa: D102
    @property
    def parent(self) -> Integers: ...  # noqa: D102
    @property
    def first_child(self) -> Integers: ...  # noqa: D102
    @property
    def num_children(self) -> Integers: ...  # noqa: D102
    @property
    def payoffs(self) -> FloatArray: ...  # noqa: D102


@dataclass(frozen=True, eq=False)
class PublicGame:
    """A public tree, and two players with private hands.

    Attributes:
        nodes: The tree.
        hands: Per player integers [H, k], the cards of each hand; H may differ, k may not.
        weights: Per player float64[H], how likely each hand is before the other's is known.
        deck: The cards that may be dealt: all that were not on the table at the root. Cards of
            hands that are not in it only tell hands apart.
        strengths: From the cards dealt since the root, when none is to come, to integers [H] of
            both players; the larger wins. Hands that hold a dealt card may have any.
    """

    nodes: Nodes
    hands: tuple[Integers, Integers]
    weights: tuple[FloatArray, FloatArray]
    deck: tuple[int, ...]
    strengths: Callable[[tuple[int, ...]], tuple[Integers, Integers]]
    folded: tuple[tuple[Integers, FloatArray], ...] = ()
    """For each player who has folded the cards of the hands, [F, k], and float64[F], their
    weights. Nobody learns which of them it was."""
    _showdowns: dict[tuple[int, ...], FloatArray] = field(default_factory=dict, repr=False)
    _pairs: dict[tuple[int, ...], FloatArray] = field(default_factory=dict, repr=False)

    def holds(self, player: int, card: int) -> BoolArray:
        """bool[H]: the hands of a player that hold a card."""
        return self._holds[player][card]

    @cached_property
    def _holds(self) -> tuple[dict[int, BoolArray], dict[int, BoolArray]]:
        first, second = (
            {card: np.asarray((hands == card).any(axis=1)) for card in self.deck}
            for hands in self.hands
        )
        return first, second

    def meet(self, player: int, dealt: tuple[int, ...] = ()) -> FloatArray:
        """float64[H, other's H]: 1 where two hands share no card, else 0.

        With players who folded, the weight of the hands that they may hold beside the two and the
        cards `dealt` since the root, in place of 1.
        """
        weights = self._meet if not self.folded else self._meet_behind(dealt)
        return weights if player == 0 else weights.T

    @cached_property
    def _meet(self) -> FloatArray:
        own, other = self.hands
        shared = (own[:, None, :, None] == other[None, :, None, :]).any(axis=(2, 3))
        return np.where(shared, 0.0, 1.0)

    def _meet_behind(self, dealt: tuple[int, ...]) -> FloatArray:
        if dealt not in self._pairs:
            self._pairs[dealt] = np.array(
                [
                    [
                        free and self._folded_weight(0, {*dealt, *own.tolist(), *other.tolist()})
                        for free, other in zip(row, self.hands[1], strict=True)
                    ]
                    for row, own in zip(self._meet, self.hands[0], strict=True)
                ]
            )
        return self._pairs[dealt]

    def _folded_weight(self, player: int, taken: set[int]) -> float:
        """The weight of all hands that folded players from this one on hold beside these cards."""
        if player == len(self.folded):
            return 1.0
        hands, weights = self.folded[player]
        return sum(
            float(weight) * self._folded_weight(player + 1, {*taken, *cards})
            for cards, weight in zip(hands.tolist(), weights, strict=True)
            if weight and taken.isdisjoint(cards)
        )

    def below(self, place: Place) -> list[Place]:
        """What may follow a place: its children, or the next street after every card."""
        node, dealt = place
        first = int(self.nodes.first_child[node])
        if self.nodes.kind[node] == CHANCE:
            return [(first, (*dealt, card)) for card in self.deals(dealt)]
        return [(first + k, dealt) for k in range(int(self.nodes.num_children[node]))]

    def deals(self, dealt: tuple[int, ...]) -> list[int]:
        """The cards that may come next."""
        return [card for card in self.deck if card not in dealt]

    def deal_probability(self, dealt: tuple[int, ...]) -> float:
        """How likely each card is that neither lies on the table nor is held by a player."""
        held = np.isin(self.hands[0][0], self.deck).sum()
        return 1.0 / float(len(self.deck) - len(dealt) - (2 + len(self.folded)) * held)

    def showdown(self, player: int, dealt: tuple[int, ...]) -> FloatArray:
        """float64[3, H, other's H]: probability of two hands and a win, tie, loss of `player`."""
        if dealt not in self._showdowns:
            self._showdowns[dealt] = self._showdown(dealt)
        chances = self._showdowns[dealt]
        return chances if player == 0 else np.asarray(chances[::-1].transpose(0, 2, 1))

    def _showdown(self, dealt: tuple[int, ...]) -> FloatArray:
        if len(dealt) == _RIVER - self.nodes.street[0]:
            own, other = self.strengths(dealt)
            apart = own[:, None].astype(np.int64) - other
            return np.asarray(self.meet(0, dealt) * np.array([apart > 0, apart == 0, apart < 0]))
        total = np.zeros((3, len(self.hands[0]), len(self.hands[1])))
        for card in self.deals(dealt):
            free = np.outer(~self.holds(0, card), ~self.holds(1, card))
            total += free * self._showdown((*dealt, card))
        return self.deal_probability(dealt) * total
