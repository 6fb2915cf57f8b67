"""The public tree of a spot: the betting that both players see, with cards left open.

After a deal the betting is the same for every card. So the tree stores the betting nodes once;
users repeat those of a street for each board (`equilibrist.poker.cards.isomorphism`).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import Final, NamedTuple

import numpy as np

from equilibrist.errors import MemoryBudgetError
from equilibrist.formatting.brief import brief_repr
from equilibrist.parsing.arguments import instance, several, whole_number
from equilibrist.poker.betting.actions import Action, StreetLine
from equilibrist.poker.betting.chips import WHOLE, ChipScale
from equilibrist.poker.betting.rules import BettingRules
from equilibrist.poker.betting.street_tree import (
    ACTION,
    ACTION_KINDS,
    CHANCE,
    FOLD,
    SHOWDOWN,
    StreetBetting,
    smaller_betting,
    street_bettings,
    uses,
)
from equilibrist.typing import FloatArray, Int8Array, Int32Array, Int64Array

MOST_NODES: Final = 10_000_000
"""The default limit on nodes of `public_tree`; each takes 72 bytes."""


class PublicTree(NamedTuple):
    """N nodes, street by street; on a street the nodes of one line precede those of the next.

    Parents precede children, and siblings are next to each other. All arrays are
    read-only. Amounts are in the unit of the rules: chips, unless the rules have decimal amounts.
    """

    kind: Int8Array
    """int8[N]: ACTION, CHANCE (one child: the next street), SHOWDOWN or FOLD."""
    player: Int8Array
    """int8[N]: the player who acts, or who folded; -1 elsewhere."""
    street: Int8Array
    """int8[N]: 0 flop, 1 turn, 2 river. After a showdown before the river cards are still dealt."""
    parent: Int32Array
    """int32[N]: -1 for the root."""
    first_child: Int32Array
    """int32[N]: its siblings follow it; -1 for terminal nodes."""
    num_children: Int32Array
    """int32[N]: 1 for chance nodes, 0 for terminal nodes."""
    action: Int8Array
    """int8[N]: the action that leads here, an index into ACTION_KINDS; -1 at roots of streets."""
    amount: Int64Array
    """int64[N]: the amount of that action, a total on the street; 0 for fold, check and call."""
    paid: Int64Array
    """int64[N, 2]: what each player has put in since the root."""
    pot: Int64Array
    """int64[N]: the pot without the uncalled bet: what is won at terminal nodes."""
    payoffs: FloatArray
    """float64[N, 3]: the payoffs of a win, a tie and a loss at terminal nodes, after rake, minus
    what was paid since the root; 0 elsewhere. Both players' sum to the first pot less rake."""
    streets: Int64Array
    """int64[4]: the nodes of street s are streets[s] to streets[s + 1]."""
    scale: ChipScale = WHOLE
    """How many units are in a chip."""

    def __repr__(self) -> str:
        return brief_repr(self)


@dataclass(frozen=True, eq=False)
class WalkedBetting:
    """An enumerated betting: its streets, from which sizes are computed, and its public tree."""

    rules: BettingRules
    streets: list[StreetBetting]

    @classmethod
    def of(cls, rules: BettingRules) -> WalkedBetting:
        """Enumerate the betting; raises MemoryBudgetError if it is too large."""
        return cls(rules, street_bettings(rules))

    @property
    def num_nodes(self) -> int:
        """The nodes of the public tree, counted without building it."""
        times = uses(self.streets)
        return sum(
            copies * len(street.nodes.kind)
            for copies, street in zip(times, self.streets, strict=True)
        )

    @cached_property
    def tree(self) -> PublicTree:
        """The public tree, built on first use; raises MemoryBudgetError."""
        return _tree_of(self, MOST_NODES)


def public_tree(rules: BettingRules, most_nodes: int = MOST_NODES) -> PublicTree:
    """Build the public tree of betting rules.

    Args:
        rules: The rules.
        most_nodes: The most nodes that are built.

    Returns:
        The tree.

    Raises:
        ConfigError: `rules` are no BettingRules.
        MemoryBudgetError: The tree has more nodes.
    """
    remedy = "spot.rules() gives those of a spot"
    instance("rules", rules, BettingRules, "BettingRules", remedy=remedy)
    return _tree_of(WalkedBetting.of(rules), most_nodes)


def _tree_of(betting: WalkedBetting, most_nodes: int) -> PublicTree:
    rules, bettings = betting.rules, betting.streets
    lines = uses(bettings)
    total = sum(
        times * len(betting.nodes.kind) for times, betting in zip(lines, bettings, strict=True)
    )
    if total > most_nodes:
        raise MemoryBudgetError(
            f"the betting has {total:,} nodes, not counting cards, above the limit of "
            f"{most_nodes:,}",
            total,
            total,
            remedy=smaller_betting(rules),
            option="most_nodes",
            given=most_nodes,
        )
    return _built(rules, bettings)


def _built(rules: BettingRules, bettings: list[StreetBetting]) -> PublicTree:
    """Assemble the tree street by street from shifted copies of the pieces."""
    blocks, start = [0], 0
    chance_nodes = np.array([-1], np.int64)  # the parents of the street's pieces
    parts: list[PublicTree] = []
    starts = [0] * (rules.first_street + 1)
    while blocks:
        pieces = [bettings[block].nodes for block in blocks]
        sizes = np.array([len(piece.kind) for piece in pieces])
        roots = start + np.cumsum(sizes) - sizes
        shift = np.repeat(roots, sizes)
        joined = [np.concatenate(arrays) for arrays in zip(*pieces, strict=True)]
        kind, player, parent, first_child, num_children, action, amount, paid = joined
        parent = np.where(parent >= 0, parent + shift, -1)
        parent[roots - start] = chance_nodes
        first_child = np.where(first_child >= 0, first_child + shift, -1)
        if parts:
            parts[-1].first_child[parts[-1].kind == CHANCE] = roots
        pot = rules.root().pot + 2 * paid.min(axis=1)
        payoffs = _payoffs(rules, kind, pot, paid)
        street = np.full(len(kind), bettings[blocks[0]].street, np.int8)
        parts.append(
            PublicTree(
                kind=kind,
                player=player,
                street=street,
                parent=parent.astype(np.int32),
                first_child=first_child.astype(np.int32),
                num_children=num_children,
                action=action,
                amount=amount,
                paid=paid,
                pot=pot,
                payoffs=payoffs,
                streets=np.empty(0, np.int64),
            )
        )
        chance_nodes = start + np.flatnonzero(kind == CHANCE)
        blocks = list(chain.from_iterable(bettings[block].next for block in blocks))
        start += len(kind)
        starts.append(start)
    starts += [start] * (4 - len(starts))
    columns = zip(*(part[:-2] for part in parts), strict=True)
    arrays = [np.concatenate(column) for column in columns]
    arrays.append(np.array(starts, np.int64))
    for array in arrays:
        array.flags.writeable = False
    return PublicTree._make([*arrays, rules.scale])


def _payoffs(rules: BettingRules, kind: Int8Array, pot: Int64Array, paid: Int64Array) -> FloatArray:
    """float64[n, 3]; uncalled bets are returned and not included."""
    payoffs = np.zeros((len(kind), 3))
    ends = np.flatnonzero((kind == SHOWDOWN) | (kind == FOLD))
    pots, which = np.unique(pot[ends], return_inverse=True)
    raked_pot = np.array([final - rules.rake(final) for final in pots.tolist()])[which]
    payoffs[ends] = np.stack([raked_pot, raked_pot / 2, np.zeros(len(ends))], axis=1)
    payoffs[ends] -= paid[ends].min(axis=1, keepdims=True)
    return payoffs


def node_actions(tree: PublicTree, node: int) -> tuple[Action, ...]:
    """The actions at a node.

    Args:
        tree: The tree.
        node: The number of a node.

    Returns:
        The actions in the order of the node's children; empty if no player acts.
    """
    whole_number("node", node, 0, len(_checked(tree).kind) - 1)
    if tree.kind[node] != ACTION:
        return ()
    first = int(tree.first_child[node])
    return tuple(_led(tree, child) for child in range(first, first + int(tree.num_children[node])))


def node_line(tree: PublicTree, node: int) -> tuple[StreetLine, ...]:
    """The actions that lead to a node.

    Args:
        tree: The tree.
        node: The number of a node.

    Returns:
        The actions by street, as in `BettingState.line`.
    """
    whole_number("node", node, 0, len(_checked(tree).kind) - 1)
    streets: list[list[Action]] = [[]]
    while tree.parent[node] >= 0:
        if tree.action[node] < 0:
            streets.append([])
        else:
            streets[-1].append(_led(tree, node))
        node = int(tree.parent[node])
    return tuple(tuple(reversed(street)) for street in reversed(streets))


def find_node(tree: PublicTree, line: tuple[StreetLine, ...]) -> int:
    """The node at the end of a line, the inverse of `node_line`.

    Args:
        tree: The tree.
        line: The actions by street.

    Returns:
        The number of the node.

    Raises:
        KeyError: No node is there.
        ConfigError: An argument is of another type.
    """
    _checked(tree)
    several("line", line, "the actions by street, as BettingState.line gives them")
    node = 0
    for number, street in enumerate(line):
        if number:
            if tree.kind[node] != CHANCE:
                raise KeyError(line)
            node = int(tree.first_child[node])
        for action in several("line", street, "the actions by street"):
            instance("line", action, Action, "the actions by street")
            options = node_actions(tree, node)
            if action not in options:
                raise KeyError(line)
            node = int(tree.first_child[node]) + options.index(action)
    return node


def _checked(tree: object) -> PublicTree:
    return instance("tree", tree, PublicTree, "a PublicTree", remedy="public_tree(rules) makes one")


def _led(tree: PublicTree, node: int) -> Action:
    amount = tree.scale.chips(int(tree.amount[node]))
    return Action(ACTION_KINDS[tree.action[node]], amount)
