"""Solutions of bet menus in a game with more bets, by translation of what the menu lacks.

A seat that knows a menu alone follows lines of the menu's tree beside the hand that is played. Its
own actions are those of its line: all-in is all-in, another bet the same share of the pot, as near
as there is one. A bet of the other seat that the line lacks is taken for one of its bets by a
mapping, once, and the line goes on from there: so there are several lines with weights, and what
the seat does is a mixture of *plans*, the weight of a line times how often the seat's own strategy
plays along it. To mix strategies by the weights alone would forget the latter.

A line can get out of step with the hand, and then

- a bet where the line offers the other seat none is taken for its check or call; the seat answers
  with what it does then, where a check is a call and a bet a raise, or calls if the line has left
  the street;
- after an all-in that was none the line is over: the seat checks and calls to the end;
- a raise that the hand does not allow is a call.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Final, NamedTuple

import numpy as np
from scipy.sparse import csr_array

from equilibrist.abstraction.actions.mappings import BetMapping, UserMapping, between, get_mapping
from equilibrist.errors import ConfigError, MismatchError
from equilibrist.options.defaults import TRANSLATION
from equilibrist.parsing.arguments import instance
from equilibrist.poker.betting.actions import Kind
from equilibrist.poker.hands.betting_tree import ACTION_KINDS, DEAL, DECISION, BettingTree
from equilibrist.poker.preflop.exact.betting_layout import street_of
from equilibrist.poker.preflop.exact.game import ExactGame
from equilibrist.poker.preflop.exact.number_layout import NumberLayout, matched
from equilibrist.poker.preflop.exact.strategy import ExactStrategy
from equilibrist.typing import FloatArray, Int64Array

_FOLD, _CHECK, _CALL, _ALL_IN = (
    ACTION_KINDS.index(kind) for kind in (Kind.FOLD, Kind.CHECK, Kind.CALL, Kind.ALL_IN)
)
_PASSIVE: Final = (_CHECK, _CALL)

Lines = dict[int, float]
"""Nodes of the menu's tree with their weights."""


class _Bets(NamedTuple):
    """The bets and raises at a decision, as shares of the pot after a call."""

    children: tuple[int, ...]
    shares: tuple[float, ...]
    all_in: int | None
    """The child of the all-in, also one of `children`."""


class _Options(NamedTuple):
    """The actions at a decision."""

    fold: int | None
    passive: int
    """Check or call."""
    bets: _Bets


class _BetTree:
    """A betting tree, with its actions by kind and size."""

    def __init__(self, game: ExactGame) -> None:
        self.tree: BettingTree = game.tree
        self._options: dict[int, _Options] = {}
        tree = self.tree
        self.kind, self.player = tree.kind.tolist(), tree.player.tolist()
        self.first_child = tree.first_child.tolist()
        self._children: dict[int, list[int]] = {}

    def children(self, node: int) -> list[int]:
        """The children of a decision, in the order of the tree."""
        if node not in self._children:
            self._children[node] = self.tree.children(node)
        return self._children[node]

    def options(self, node: int) -> _Options:
        """The actions at a decision."""
        if node not in self._options:
            self._options[node] = self._read(node)
        return self._options[node]

    def _read(self, node: int) -> _Options:
        tree, player = self.tree, self.player[node]
        own, other = (int(tree.stake[node][seat]) for seat in (player, 1 - player))
        pot, fold, passive, all_in = 2 * other, None, -1, None
        children, shares = list[int](), list[float]()
        for child in self.children(node):
            kind = int(tree.action[child])
            if kind == _FOLD:
                fold = child
            elif kind in _PASSIVE:
                passive = child
            else:
                total = self._put_in(child, player, own)
                children.append(child)
                shares.append(float(Fraction(total - other, pot)))
                all_in = child if kind == _ALL_IN else all_in
        return _Options(fold, passive, _Bets(tuple(children), tuple(shares), all_in))

    def _put_in(self, child: int, player: int, before: int) -> int:
        """What a player has put in during the hand after a bet that leads to a node."""
        tree = self.tree
        stake = int(tree.stake[child][player])
        if stake > before:
            return stake
        raise AssertionError("a bet puts chips in")

    def nearest(self, node: int, share: float, *, is_all_in: bool) -> int:
        """The child of the bet that is nearest to a size; -1 where there is no bet."""
        bets = self.options(node).bets
        if not bets.children:
            return -1
        if is_all_in and bets.all_in is not None:
            return bets.all_in
        return min(
            zip(bets.shares, bets.children, strict=True), key=lambda bet: (abs(bet[0] - share), bet)
        )[1]

    def share_of(self, node: int, child: int) -> float:
        """The size of a bet as a share of the pot."""
        bets = self.options(node).bets
        return bets.shares[bets.children.index(child)]


class _Entries(NamedTuple):
    """What a seat does at its decisions of a street: entries of a matrix by columns."""

    slot: list[int]
    node: list[int]
    """The node of the menu's tree whose plan counts."""
    weight: list[float]
    is_own: list[bool]
    """Whether the node is where an own action of the line leads."""


class MenuTranslation:
    """How a seat that knows a menu plays in a game with more bets.

    Args:
        menu: The game with the menu.
        full: The game with more bets: of the same cards, blinds and stacks.
        mapping: What bets are taken for that the menu lacks: `pseudo-harmonic`, `nearest`, `half`,
            or another one of `abstraction.actions`, by size as a share of the pot. An all-in is
            taken for an all-in.

    Raises:
        MismatchError: The games differ by more than the bets that are offered.
        ConfigError: The mapping is a function of a user, which goes by the facts of infosets.
        UnknownNameError: There is no such mapping.
    """

    def __init__(
        self, menu: ExactGame, full: ExactGame, mapping: str | BetMapping = TRANSLATION
    ) -> None:
        """Follow all lines; the class says what may be raised."""
        for name, game in (("menu", menu), ("full", full)):
            instance(name, game, ExactGame, "an ExactGame")
        if (menu.rules, menu.flops, menu.seed) != (full.rules, full.flops, full.seed):
            raise MismatchError(
                "the games differ by more than the bets that are offered",
                option="menu",
                given=menu.name,
                expected=full.name,
                remedy="give hands that differ in bets, raises and raise_cap alone",
            )
        resolved = get_mapping(mapping)
        if isinstance(resolved, UserMapping):
            raise ConfigError(
                "menus of hands are translated by size",
                option="mapping",
                given=resolved.name,
                expected="a name",
                remedy="give pseudo-harmonic, nearest, half, down or up",
            )
        self.menu, self.full, self.mapping = menu, full, resolved
        self._small, self._large = _BetTree(menu), _BetTree(full)

    def lift(
        self, strategy: ExactStrategy, layout: NumberLayout | None = None, bits: int = 32
    ) -> ExactStrategy:
        """Play a strategy of the menu in the full game.

        Where own play does not lead, a seat does what its lines say by their weights alone, and
        everything alike where it has no line.

        Args:
            strategy: A strategy of the menu's game.
            layout: That of the full game; None to make it.
            bits: 16 or 32 for each number.

        Returns:
            A strategy of the full game.

        Raises:
            MismatchError: It is a strategy of another game.
        """
        if instance("strategy", strategy, ExactStrategy, "an ExactStrategy").game != self.menu:
            raise MismatchError(
                "this is no strategy of the menu",
                option="strategy",
                given=strategy.game.name,
                expected=self.menu.name,
                remedy="give a strategy of the game that is translated",
            )
        there = NumberLayout(self.full) if layout is None else layout
        lifted = ExactStrategy.empty(self.full, there, bits)
        for seat in (0, 1):
            matrices = [
                self._matrix(there, seat, street, entries)
                for street, entries in enumerate(self._entries(there, seat))
            ]
            for board, plan in _plans(strategy, seat):
                street = int(there.table.street[board])
                matrix, first = matrices[street], there.first_slots(street, seat)
                if not len(first):
                    continue
                weights = matrix @ np.concatenate([plan.reach, plan.reach])
                drawn = matrix @ np.concatenate([plan.strategy, np.ones_like(plan.strategy)])
                comes = np.add.reduceat(weights, first, axis=0) > 0.0
                counts = np.diff(first, append=len(weights))
                np.copyto(weights, drawn, where=~np.repeat(comes, counts, axis=0))
                lifted.put(seat, board, weights)
        return lifted

    def _matrix(self, layout: NumberLayout, seat: int, street: int, entries: _Entries) -> csr_array:
        """By slots, and nodes of the menu twice: for own actions, and answers that no line has."""
        nodes = self._small.tree.num_nodes
        shape = (int(layout.betting.slots[seat, street]), 2 * nodes)
        is_late = ~np.array(entries.is_own, np.bool_)
        column = np.array(entries.node, np.int64) + nodes * is_late
        place = (np.array(entries.slot, np.int64), column)
        return csr_array((np.array(entries.weight), place), shape=shape)

    def _entries(self, layout: NumberLayout, seat: int) -> list[_Entries]:
        """By street."""
        large, small = self._large, self._small
        by_street = [_Entries([], [], [], []) for _ in range(len(self.full.dealt))]
        stack: list[tuple[int, Lines]] = [(0, {0: 1.0})]
        while stack:
            node, lines = stack.pop()
            if large.kind[node] == DEAL:
                stack.append((large.first_child[node], self._dealt(lines)))
                continue
            if large.kind[node] != DECISION:
                continue
            children = large.children(node)
            if large.player[node] != seat:
                stack += [(child, self._taken(node, child, lines)) for child in children]
                continue
            place = layout.decisions[node]
            entries = by_street[place.street]
            slots = {child: place.slot + k for k, child in enumerate(children)}
            following: dict[int, Lines] = {child: {} for child in children}
            for line, weight in lines.items():
                is_own = small.kind[line] == DECISION and small.player[line] == seat
                for there, child in self._answers(node, line) if is_own else self._late(node, line):
                    entries.slot.append(slots[child])
                    entries.node.append(there)
                    entries.weight.append(weight)
                    entries.is_own.append(is_own)
                    after = following[child]
                    after[there] = after.get(there, 0.0) + weight
            stack += following.items()
        return by_street

    def _dealt(self, lines: Lines) -> Lines:
        """The lines after cards are dealt; those that are over stay where they are."""
        small = self._small
        return {
            small.first_child[line] if small.kind[line] == DEAL else line: weight
            for line, weight in lines.items()
        }

    def _answers(self, node: int, line: int) -> Iterator[tuple[int, int]]:
        """The children of a line's decision, and which child of the hand's decision each is."""
        here, there = self._large.options(node), self._small.options(line)
        passive = here.passive
        if there.fold is not None:
            yield there.fold, passive if here.fold is None else here.fold
        yield there.passive, passive
        for child, share in zip(there.bets.children, there.bets.shares, strict=True):
            played = self._large.nearest(node, share, is_all_in=child == there.bets.all_in)
            yield child, passive if played < 0 else played

    def _late(self, node: int, line: int) -> Iterator[tuple[int, int]]:
        """The answer of a line that has none: check or call."""
        yield line, self._large.options(node).passive

    def _taken(self, node: int, child: int, lines: Lines) -> Lines:
        """The lines after an action of the other seat."""
        small, player = self._small, self._large.player[node]
        after: Lines = {}
        for line, weight in lines.items():
            if small.kind[line] != DECISION or small.player[line] != player:
                shares = {line: 1.0}  # over, or a street ahead
            else:
                shares = self._counterparts(node, child, line)
            for there, share in shares.items():
                after[there] = after.get(there, 0.0) + weight * share
        return after

    def _counterparts(self, node: int, child: int, line: int) -> dict[int, float]:
        """The children of a line's decision that an action is taken for."""
        here, there = self._large.options(node), self._small.options(line)
        if child == here.fold:
            assert there.fold is not None
            return {there.fold: 1.0}
        bets = there.bets
        if child == here.passive or not bets.children:
            return {there.passive: 1.0}
        if child == here.bets.all_in and bets.all_in is not None:
            return {bets.all_in: 1.0}
        shares = between(self._large.share_of(node, child), bets.shares, self.mapping.share)
        return {bets.children[k]: share for k, share in shares.items()}


class _Plan(NamedTuple):
    """What a seat does on a board, by nodes of the menu's tree; of its street and those before."""

    reach: FloatArray
    """float64[N, R]: how often its own strategy leads to a node."""
    strategy: FloatArray
    """float64[N, R]: how often it takes the action that leads there; 0 where it takes none."""


def _plans(strategy: ExactStrategy, seat: int) -> Iterator[tuple[int, _Plan]]:
    """The plan on each board, in the order of the boards."""
    layout = strategy.layout
    tree, table, rows = layout.tree, layout.table, layout.rows
    street = street_of(tree)
    above: dict[int, FloatArray] = {}
    for board in range(len(table.cards)):
        s, count = int(table.street[board]), int(table.rows[board])
        parent = int(table.parent[board])
        above = {k: plan for k, plan in above.items() if int(table.end[k]) > board}
        if parent < 0:
            reach = np.ones((tree.num_nodes, count))
        else:
            first = int(rows.first[board])
            reach = above[parent][:, rows.above[first : first + count].astype(np.int64)]
        played = np.zeros_like(reach)
        span = strategy.numbers[seat][layout.span(board, seat)]
        _fill(layout, seat, np.flatnonzero(street == s), reach, played, span, board)
        if int(table.end[board]) > board + 1:
            above[board] = reach
        yield board, _Plan(reach, played)


def _fill(
    layout: NumberLayout,
    seat: int,
    nodes: Int64Array,
    reach: FloatArray,
    played: FloatArray,
    span: object,
    board: int,
) -> None:
    """Go down a street."""
    tree = layout.tree
    for node in nodes.tolist():
        parent = int(tree.parent[node])
        if parent >= 0 and tree.kind[parent] == DEAL:
            reach[node] = reach[parent]
        if tree.kind[node] != DECISION:
            continue
        children = tree.children(node)
        if tree.player[node] == seat:
            shares = matched(layout.numbers_at(np.asarray(span), board, node))
            played[children] = shares
            reach[children] = reach[node] * shares
        else:
            reach[children] = reach[node]
