"""What a player knows that the other knows: the part of a subgame that one hand is solved with.

Two root histories are neighbours if a player cannot tell them apart. The knowledge of order k of a
hand, I^k, are the histories less than k steps away from those of the hand: I^1 is what the player
knows, I^2 what the player knows that the other may think possible, and so on; where it grows no
more it is common knowledge.

Brian Hu Zhang and Tuomas Sandholm, "Subgame solving without common knowledge", NeurIPS 2021: a hand
of p's is solved in I^(2 order) with the play of p fixed outside of I^(2 order - 1). Of what is
found only the hand's own play is used here. With order 1 that is all that is free, and one such
solve is safe: o's hands that it leaves out never meet the play that changes. Several at the same
time are not, since each takes the others' play for that of the trunk; one on top of the other they
are. From order 2 on other hands are free, too, and the hand counts on play of theirs that nobody
uses: nothing is proven, not even of one hand. Obscuro frees p's play in all of I^(2 order), drops
what lies outside, and plays its hand alone.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from equilibrist.search.seat_rows import SeatRows
from equilibrist.search.subgames import Subgames
from equilibrist.typing import BoolArray


def knowledge_set(subgames: Subgames, player: int, hand: int, order: int) -> BoolArray:
    """Which root histories are within a hand's knowledge of some order.

    Args:
        subgames: The subgames.
        player: Whose hand.
        hand: Its number.
        order: The order, from 1; with a large one it is common knowledge.

    Returns:
        bool[R].
    """
    known: BoolArray = subgames.hands[player].of_start == hand
    knows, unchanged = 1 - player, 0
    for _ in range(order - 1):
        grown = _closed(subgames, knows, known)
        unchanged = unchanged + 1 if (grown == known).all() else 0
        known, knows = grown, 1 - knows
        if unchanged == 2:  # for both players: common knowledge
            break
    return known


def _closed(subgames: Subgames, player: int, known: BoolArray) -> BoolArray:
    """Some root histories and those that a player cannot tell from them."""
    hands = subgames.hands[player]
    held = np.zeros(len(hands), dtype=np.bool_)
    held[hands.of_start[known]] = True
    closed: BoolArray = held[hands.of_start]
    return closed


@dataclass(frozen=True, eq=False)
class Scope:
    """The part of a subgame that one hand of p's is solved with.

    Attributes:
        player: p.
        hand: The hand whose play is replaced.
        free: bool[H], the hands of p's that may change their play.
        met: bool[H], the hands of o's that are counted.
        starts: bool[R], the root histories.
    """

    player: int
    hand: int
    free: BoolArray
    met: BoolArray
    starts: BoolArray

    @classmethod
    def of(
        cls, subgames: Subgames, player: int, hand: int, order: int, *, frozen: bool = True
    ) -> Scope:
        """The scope of a hand.

        Args:
            subgames: The subgames.
            player: p.
            hand: The number of its hand.
            order: 1 for what the hand itself knows, 2 for what it knows that o knows that it may
                know, and so on.
            frozen: Whether p's play is free within order 2 * order - 1 alone.
        """
        starts = knowledge_set(subgames, player, hand, 2 * order)
        free = np.zeros(len(subgames.hands[player]), dtype=np.bool_)
        known = knowledge_set(subgames, player, hand, 2 * order - 1) if frozen else starts
        free[subgames.hands[player].of_start[known]] = True
        met = np.zeros(len(subgames.hands[1 - player]), dtype=np.bool_)
        met[subgames.hands[1 - player].of_start[starts]] = True
        return cls(player, hand, free, met, starts)

    def inside(self, subgames: Subgames) -> BoolArray:
        """bool[I]: the infosets of free hands of p's and of hands of o's that are counted.

        Args:
            subgames: The subgames.
        """
        infoset_player = subgames.search.tree.infoset_player
        inside = np.zeros(len(subgames.inside), dtype=np.bool_)
        for player, held in ((self.player, self.free), (1 - self.player, self.met)):
            hand = subgames.hands[player].of_infoset
            own = np.zeros(len(hand), dtype=np.bool_)
            own[hand >= 0] = held[hand[hand >= 0]]
            inside[infoset_player == player] = own
        return inside

    def rows(self, subgames: Subgames) -> SeatRows:
        """What p may choose in it, and o answer.

        Args:
            subgames: The subgames.

        Returns:
            The rows.
        """
        leaves = subgames.leaves.kept(self.starts[subgames.leaves.start])
        inside = self.inside(subgames)
        return SeatRows.of(subgames.search, subgames.hands, leaves, inside, self.player)
