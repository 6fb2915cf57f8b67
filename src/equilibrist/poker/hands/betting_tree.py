"""The betting of a whole hand as a tree of arrays, with cards left open.

After a deal the betting is the same for all cards, so that the tree has each betting node once.
Streets that begin with the same chips have the same continuation, which is enumerated once.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from equilibrist.errors import MemoryBudgetError
from equilibrist.formatting.brief import brief_repr
from equilibrist.parsing.arguments import instance, whole_number
from equilibrist.poker.betting.actions import Action, Kind, StreetLine, line_text
from equilibrist.poker.betting.bet_sizes import EveryBet, refuse_many_amounts
from equilibrist.poker.betting.chips import WHOLE, ChipScale
from equilibrist.poker.hands.betting import called, deal, folded, legal, raised, start
from equilibrist.poker.hands.menu import HandMenu, offered
from equilibrist.poker.hands.rules import HoldemRules
from equilibrist.poker.hands.state import DEAL, DECISION, FOLDED, SHOWDOWN, HandState
from equilibrist.typing import Int8Array, Int32Array, UInt16Array

ACTION_KINDS: Final = tuple(Kind)
"""The kinds of actions, indexed by their numbers in `BettingTree.action`."""
MOST_NODES: Final = 20_000_000
"""The default limit on nodes of `betting_tree`."""
_MOST_STATES: Final = 400_000
"""The most distinct states that are enumerated; each takes some 20 microseconds."""
_MOST_ACTIONS: Final = 100
"""The most actions of a line on one street."""
_FIXED_BYTES: Final = 26


class BettingTree(NamedTuple):
    """N nodes in preorder: a node's first child follows it, then that child's descendants.

    Children are in the order of the menu. All arrays are read-only. Amounts are in units of
    `scale`.
    """

    kind: Int8Array
    """int8[N]: DECISION (0), FOLDED (1: one seat is left), SHOWDOWN (2: all betting is done, the
    rest of the board is dealt without decisions) or DEAL (3: the next street's cards are dealt;
    one child)."""
    player: Int8Array
    """int8[N]: the seat to act; -1 elsewhere."""
    street: Int8Array
    """int8[N]: 0 before the flop, to 3 on the river; of a deal the street that is over."""
    parent: Int32Array
    """int32[N]: -1 for the root."""
    first_child: Int32Array
    """int32[N]: the next node; -1 for terminal nodes."""
    next_sibling: Int32Array
    """int32[N]: the next child of the same parent; -1 for the last one."""
    num_children: Int32Array
    """int32[N]: the number of actions; 1 for deals, 0 for terminal nodes."""
    stake: Int32Array
    """int32[N, seats]: what each seat has put in during the hand, antes included. Uncalled bets
    have been returned where a street or the hand is over."""
    live: UInt16Array
    """uint16[N]: bits of the seats that have not folded."""
    action: Int8Array
    """int8[N]: the action that leads here, an index into ACTION_KINDS; -1 where none does."""
    amount: Int32Array
    """int32[N]: the amount of that action, a total on the street; 0 for fold, check and call."""
    scale: ChipScale = WHOLE
    """How many units are in a chip."""

    def __repr__(self) -> str:
        return brief_repr(self)

    @property
    def num_nodes(self) -> int:
        """How many nodes."""
        return len(self.kind)

    def children(self, node: int) -> list[int]:
        """The children of a node.

        Args:
            node: The number of a node.

        Returns:
            Their numbers, in the order of the menu.
        """
        numbers = [int(self.first_child[self._checked(node)])]
        while numbers[-1] >= 0:
            numbers.append(int(self.next_sibling[numbers[-1]]))
        return numbers[:-1]

    def moves(self, node: int) -> tuple[Action, ...]:
        """The actions at a decision.

        Args:
            node: The number of a decision.

        Returns:
            The actions in the order of the menu, with amounts in chips.
        """
        return tuple(filter(None, map(self._action, self.children(node))))

    def label(self, node: int) -> str:
        """The action that leads to a node.

        Args:
            node: The number of a node.

        Returns:
            The action as lines write it, `F`, `X`, `C`, `B75`, `R2.5`; empty after a deal.
        """
        action = self._action(self._checked(node))
        return action.code if action else ""

    def line(self, node: int) -> str:
        """The line that leads to a node.

        Args:
            node: The number of a node.

        Returns:
            The line, such as `R2.5-C|X-B3`.
        """
        streets, node = list[StreetLine]([()]), self._checked(node)
        while node:
            if self.action[node] < 0:
                streets.insert(0, ())
            else:
                action = self._action(node)
                assert action is not None
                streets[0] = (action, *streets[0])
            node = int(self.parent[node])
        return line_text(streets)

    def _checked(self, node: object) -> int:
        return whole_number("node", node, 0, self.num_nodes - 1)

    def _action(self, node: int) -> Action | None:
        kind, chips = int(self.action[node]), self.scale.chips(int(self.amount[node]))
        return None if kind < 0 else Action(ACTION_KINDS[kind], chips)


class TreeSize(NamedTuple):
    """The size of a betting tree, counted without building it."""

    nodes: int
    """All nodes."""
    decisions: tuple[int, ...]
    """The decisions of each street."""
    actions: tuple[int, ...]
    """The actions at these decisions, of each street."""
    deals: tuple[int, ...]
    """The lines that lead from each street to the next."""
    num_bytes: int
    """What the arrays of the tree take."""


def count_nodes(
    rules: HoldemRules,
    menu: HandMenu | None,
    most_states: int = _MOST_STATES,
    root: HandState | None = None,
) -> TreeSize:
    """Count a betting tree without building it.

    Args:
        rules: The rules.
        menu: The sizes that are offered; None for every legal amount.
        most_states: The most distinct states that are enumerated.
        root: Where it begins, by default before any action.

    Returns:
        Its size.

    Raises:
        MemoryBudgetError: The betting has too many distinct states to enumerate.
    """
    _check_rules(rules)
    if menu is not None:
        instance("menu", menu, HandMenu, "a HandMenu, or None")
    streets, most = len(rules.board), whole_number("most_states", most_states, 0)
    begin = start(rules) if root is None else root
    counts = _Counter(rules, menu, most).counts(begin.without_line())
    return TreeSize(
        counts[0],
        counts[1 : 1 + streets],
        counts[1 + streets : 1 + 2 * streets],
        counts[1 + 2 * streets :],
        counts[0] * (_FIXED_BYTES + 4 * rules.seats),
    )


def betting_tree(
    rules: HoldemRules,
    menu: HandMenu | None,
    most_nodes: int = MOST_NODES,
    root: HandState | None = None,
) -> BettingTree:
    """Build the betting tree of a hand.

    Args:
        rules: The rules; `last_street` is the last one with betting.
        menu: The sizes that are offered; None for every legal amount.
        most_nodes: The most nodes that are built.
        root: Where it begins, by default before any action.

    Returns:
        The tree.

    Raises:
        MemoryBudgetError: The tree is larger; nothing has been allocated.
    """
    _check_rules(rules)
    if root is not None:
        instance("root", root, HandState, "a state of a hand")
    begin = (start(rules) if root is None else root).without_line()
    size = count_nodes(rules, menu, root=begin)
    if size.nodes > whole_number("most_nodes", most_nodes, 0):
        raise MemoryBudgetError(
            f"the betting has {size.nodes:,} nodes, not counting cards ({size.num_bytes:,} "
            f"bytes), above the limit of {most_nodes:,}",
            size.nodes,
            size.nodes,
            remedy=less_betting(rules, menu),
            option="most_nodes",
            given=most_nodes,
        )
    block = _Builder(rules, menu).block(begin)
    return _assembled(rules, block)


def _check_rules(rules: HoldemRules) -> None:
    instance("rules", rules, HoldemRules, "HoldemRules", remedy="Hand.rules gives those of a hand")


def less_betting(rules: HoldemRules, menu: HandMenu | None) -> str:
    """Say how there would be less betting; of caps, limits and seats only what can help.

    Args:
        rules: The rules.
        menu: The sizes that are offered; None for every legal amount.

    Returns:
        A sentence.
    """
    parts = []
    if menu is None:
        parts += ["a few bet sizes"] * (rules.limit != "limit")
    else:
        parts.append("fewer or larger sizes")
        if any(cap is None for cap in menu.caps):
            parts.append("a raise cap")
        elif any(menu.caps):
            parts.append("a lower raise cap")
    parts.append("smaller stacks")
    if rules.seats > 2:
        parts.append("fewer seats")
    *others, last = parts
    if len(others) > 1:
        return f"Give {', '.join(others)}, or {last}."
    return f"Give {' or '.join(parts)}."


def _children(
    rules: HoldemRules, menu: HandMenu | None, state: HandState
) -> list[tuple[Action, HandState]]:
    """The actions at a decision and where they lead."""
    can, branches = legal(rules, state), []
    sizes = (EveryBet(),) if menu is None else menu.sizes(rules, state)
    refuse_many_amounts(sizes, can.most - can.least + 1, str(state) or "the start")
    for action in offered(rules, menu, state):
        if action.kind is Kind.FOLD:
            following = folded(rules, state)
        elif action.kind in {Kind.CHECK, Kind.CALL}:
            following = called(rules, state)
        else:
            following = raised(rules, state, rules.scale.units(action.amount), action)
        branches.append((action, following))
    return branches


class _Counter:
    """Counts below states: nodes, then by street decisions, actions and deals."""

    def __init__(self, rules: HoldemRules, menu: HandMenu | None, most: int) -> None:
        self._rules, self._menu, self._most = rules, menu, most
        self._known: dict[HandState, tuple[int, ...]] = {}

    def counts(self, state: HandState, depth: int = 0) -> tuple[int, ...]:
        known = self._known.get(state)
        if known is not None:
            return known
        rules, streets = self._rules, len(self._rules.board)
        total = [0] * (1 + 3 * streets)
        total[0] = 1
        below = []
        if state.kind == DECISION:
            self._check_depth(depth)
            below = [after for _, after in _children(rules, self._menu, state)]
            total[1 + state.street] = 1
            total[1 + streets + state.street] = len(below)
        elif state.kind == DEAL:
            total[1 + 2 * streets + state.street] = 1
            below, depth = [deal(rules, state)], -1
        for after in below:
            for k, count in enumerate(self.counts(after, depth + 1)):
                total[k] += count
        if len(self._known) >= self._most:
            raise MemoryBudgetError(
                f"the betting has more than {self._most:,} distinct states, not counting cards",
                self._most,
                remedy=less_betting(rules, self._menu),
                option="states",
                given=self._most,
            )
        self._known[state] = counted = tuple(total)
        return counted

    def _check_depth(self, depth: int) -> None:
        if depth > _MOST_ACTIONS:
            raise MemoryBudgetError(
                f"a street has lines with more than {_MOST_ACTIONS} actions",
                depth,
                remedy=less_betting(self._rules, self._menu),
                option="actions",
                given=_MOST_ACTIONS,
            )


class _Block(NamedTuple):
    """The nodes below the beginning of a street, in preorder."""

    numbers: Int32Array
    """int32[n, 6]: kind, player, street, parent (in the block), action, amount."""
    stake: Int32Array
    live: UInt16Array


class _Builder:
    """Blocks of nodes by the state at the beginning of their street."""

    def __init__(self, rules: HoldemRules, menu: HandMenu | None) -> None:
        self._rules, self._menu = rules, menu
        self._known: dict[HandState, _Block] = {}

    def block(self, root: HandState) -> _Block:
        if root not in self._known:
            self._known[root] = self._built(root)
        return self._known[root]

    def _built(self, root: HandState) -> _Block:
        parts: list[_Block] = []
        rows: list[tuple[int, ...]] = []
        stakes: list[tuple[int, ...]] = []
        lives: list[int] = []
        size = 0

        def flush() -> None:
            if rows:
                parts.append(
                    _Block(
                        np.array(rows, np.int32),
                        np.array(stakes, np.int32),
                        np.array(lives, np.uint16),
                    )
                )
                for column in (rows, stakes, lives):
                    column.clear()

        def visit(state: HandState, parent: int, action: int, amount: int) -> None:
            nonlocal size
            node, size = size, size + 1
            rows.append((state.kind, state.player, state.street, parent, action, amount))
            stakes.append(state.stakes)
            lives.append(state.live)
            if state.kind == DECISION:
                units = self._rules.scale.units
                for taken, after in _children(self._rules, self._menu, state):
                    visit(after, node, ACTION_KINDS.index(taken.kind), units(taken.amount))
            elif state.kind == DEAL:
                below = self.block(deal(self._rules, state))
                flush()
                numbers = below.numbers.copy()
                numbers[1:, 3] += size
                numbers[0, 3] = node
                parts.append(below._replace(numbers=numbers))
                size += len(numbers)

        visit(root, -1, -1, 0)
        flush()
        numbers, stake, live = (np.concatenate(column) for column in zip(*parts, strict=True))
        return _Block(numbers, stake, live)


def _assembled(rules: HoldemRules, block: _Block) -> BettingTree:
    numbers = block.numbers
    count = len(numbers)
    parent = numbers[:, 3].copy()
    num_children = np.bincount(parent[1:], minlength=count).astype(np.int32)
    order = np.argsort(parent, kind="stable")
    next_sibling = np.full(count, -1, np.int32)
    same = parent[order[1:]] == parent[order[:-1]]
    next_sibling[order[:-1][same]] = order[1:][same]
    first_child = np.where(num_children > 0, np.arange(1, count + 1), -1).astype(np.int32)
    tree = BettingTree(
        kind=numbers[:, 0].astype(np.int8),
        player=numbers[:, 1].astype(np.int8),
        street=numbers[:, 2].astype(np.int8),
        parent=parent,
        first_child=first_child,
        next_sibling=next_sibling,
        num_children=num_children,
        stake=block.stake.copy(),
        live=block.live.copy(),
        action=numbers[:, 4].astype(np.int8),
        amount=numbers[:, 5].copy(),
        scale=rules.scale,
    )
    for array in tree[:-1]:
        array.flags.writeable = False
    return tree


__all__ = [
    "ACTION_KINDS",
    "DEAL",
    "DECISION",
    "FOLDED",
    "MOST_NODES",
    "SHOWDOWN",
    "BettingTree",
    "TreeSize",
    "betting_tree",
    "count_nodes",
]
