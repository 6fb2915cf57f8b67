"""The game that is left when a line before the flop is over and the flop has come.

Both ranges stand at its beginning as strategies that stay fixed: each seat plays on with a hand as
often as its weight in the range says, and is out otherwise. So the engine of whole hands solves it.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from equilibrist.poker.betting.actions import Kind
from equilibrist.poker.hands.betting_tree import ACTION_KINDS, DECISION, FOLDED, BettingTree
from equilibrist.poker.hands.rules import HoldemRules
from equilibrist.poker.preflop.exact.boards import BoardTable, board_table
from equilibrist.poker.preflop.exact.game import ExactGame
from equilibrist.typing import Int32Array

BEGINNING: Final = 4
"""The nodes before the deal: two decisions to play on, each with a node where the seat is out."""
OUT, IN = 0, 1
"""The actions of these decisions."""


@dataclass(frozen=True)
class FlopGame:
    """What is left of a hand on one flop.

    Args:
        whole: The hand.
        deal: The node of its tree at which the flop is dealt.
        cards: The flop, ascending.
    """

    whole: ExactGame
    deal: int
    cards: tuple[int, ...]

    @property
    def rules(self) -> HoldemRules:
        """The rules of the hand."""
        return self.whole.rules

    @property
    def dealt(self) -> tuple[int, ...]:
        """Board cards before each street with betting."""
        return self.whole.dealt

    @property
    def to_come(self) -> int:
        """Board cards that are dealt after the last street with betting."""
        return self.whole.to_come

    @property
    def flops(self) -> None:
        """No flop is left out: there is one."""
        return

    @property
    def big_blind(self) -> int:
        """The big blind in units of the rules; payoffs are counted in it."""
        return self.whole.big_blind

    @property
    def pot(self) -> float:
        """The pot on the flop, in big blinds."""
        return float(self.whole.tree.stake[self.deal].sum()) / self.big_blind

    def boards(self) -> BoardTable:
        """List the boards that may come, up to suits.

        Returns:
            The boards: the empty one, the flop, and those after it.
        """
        return board_table(self.dealt, self.rules.lowest_rank, only=self.cards)

    def own(self, node: int) -> int:
        """The number in `tree` of a node of the hand's tree."""
        return node - self.deal + BEGINNING

    @cached_property
    def tree(self) -> BettingTree:
        """The decisions to play on, then the betting from the deal on."""
        tree, begin, end = self.whole.tree, self.deal, _end(self.whole.tree, self.deal)
        shift = BEGINNING - begin
        fold, call = (ACTION_KINDS.index(kind) for kind in (Kind.FOLD, Kind.CALL))

        def joined(name: str, head: list[int], kept: NDArray[Any]) -> Any:
            array = np.concatenate([np.array(head), kept]).astype(getattr(tree, name).dtype)
            array.flags.writeable = False
            return array

        def moved(links: Int32Array) -> Int32Array:
            return np.where(links >= 0, links + shift, -1).astype(np.int32)

        part = slice(begin, end)
        parent, sibling = moved(tree.parent[part]), moved(tree.next_sibling[part])
        parent[0], sibling[0] = 2, -1
        stake = np.concatenate([tree.stake[[begin] * BEGINNING], tree.stake[part]])
        stake.flags.writeable = False
        return BettingTree(
            kind=joined("kind", [DECISION, FOLDED, DECISION, FOLDED], tree.kind[part]),
            player=joined("player", [0, -1, 1, -1], tree.player[part]),
            street=joined("street", [0] * BEGINNING, tree.street[part]),
            parent=joined("parent", [-1, 0, 0, 2], parent),
            first_child=joined("first_child", [1, -1, 3, -1], moved(tree.first_child[part])),
            next_sibling=joined("next_sibling", [-1, 2, -1, 4], sibling),
            num_children=joined("num_children", [2, 0, 2, 0], tree.num_children[part]),
            stake=stake,
            live=joined("live", [3, 2, 3, 1], tree.live[part]),
            action=joined("action", [-1, fold, call, fold], tree.action[part]),
            amount=joined("amount", [0] * BEGINNING, tree.amount[part]),
            scale=tree.scale,
        )


def _end(tree: BettingTree, node: int) -> int:
    """The node after all those below a node."""
    while node >= 0:
        if tree.next_sibling[node] >= 0:
            return int(tree.next_sibling[node])
        node = int(tree.parent[node])
    return tree.num_nodes
