"""The betting of a public tree as a flat program that the kernels run on every board.

A player's reach changes only where they act. So every place has a row of reach, a slot, shared with
the parent unless the player's action leads here. The slots of a street are ordered by what ends
there for the other player: showdowns with a fold as the alternative (one lane gives both), other
showdowns, folds, and the rest. An all-in before the last street passes through the following
streets as a line of its own, and is a showdown on the last.

Showdowns are evaluated ENDS lanes at a time. Folds pad the last block, as showdowns that are always
lost; the remaining folds are evaluated separately. Values are written TILE rows at a time: the
remaining folds, then blocks of showdowns from the last one, each before its pairs. Excess rows are
overwritten by the next ones.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

import numpy as np

from equilibrist.kernels import ENDS, TILE, filled_up
from equilibrist.kernels.poker.postflop_arrays import Program
from equilibrist.poker.betting.public_tree import PublicTree
from equilibrist.poker.betting.street_tree import ACTION, CHANCE, FOLD, SHOWDOWN
from equilibrist.typing import FloatArray, Int32Array

_WIN: Final = 0
_TIE: Final = 1
_LOSS: Final = 2
"""Columns of payoffs."""
_PAIR, _SHOWDOWN, _FOLD, _OTHER = range(4)
"""The kind of terminal node in a slot, in the order of slots."""


class BettingProgram(NamedTuple):
    """The program that the kernels run, and the sizes of the arrays it works on."""

    program: Program
    node: Int32Array
    """int32[M]: the tree node of each place of the program."""
    rows: Int32Array
    """int32[2, S]: each player's actions on a board of a street."""
    decisions: Int32Array
    """int32[2, S]: each player's decisions on a board of a street."""
    reach_rows: tuple[int, int]
    """Each player's rows of reach."""
    value_rows: tuple[int, int]
    """Each player's rows of values."""
    most_actions: int
    """The largest number of actions at a decision."""
    ties: Any = None
    """float[L]: what a tie brings above losing, see `kernels.poker.showdowns`; None where it is
    worth half of a win."""


@dataclass
class _Places:
    """The nodes of the tree by street, each street followed by its all-in lines."""

    node: list[int] = field(default_factory=list)
    kind: list[int] = field(default_factory=list)
    first: list[int] = field(default_factory=list)  # the first child's place; -1
    nodes: list[int] = field(default_factory=lambda: [0])
    entry: list[int] = field(default_factory=lambda: [0])
    entries: list[int] = field(default_factory=lambda: [0, 1])
    exit: list[int] = field(default_factory=list)
    exits: list[int] = field(default_factory=lambda: [0])


@dataclass
class _Rows:
    """One player's slots, and the other's rows of values and lanes."""

    slot: list[int]
    value: list[int]
    shape: dict[str, list[int]]
    slots: int = 0
    values: int = 0
    reach_rows: int = 0
    value_rows: int = 0


@dataclass
class _Lanes:
    """Constants of the lanes, see `kernels.poker.postflop_arrays.Program`."""

    lose: list[float] = field(default_factory=list)
    gain: list[float] = field(default_factory=list)
    fold: list[float] = field(default_factory=list)
    pay: list[float] = field(default_factory=list)


@dataclass
class _Payoffs:
    """What terminal nodes bring: by chips as in the tree, or to each player what is given."""

    of_tree: FloatArray
    given: tuple[FloatArray, FloatArray] | None
    ties: list[float] = field(default_factory=list)  # of the lanes, where payoffs are given

    def add_showdown(self, lanes: _Lanes, node: int, player: int) -> None:
        """Add the lane of a showdown."""
        if self.given is None:
            win, _, loss = self.of_tree[node].tolist()
            gain = (win - loss) / 2
        else:
            win, tie, loss = self.given[player][node].tolist()
            gain = win - tie
            self.ties.append(tie - loss)
        lanes.lose.append(loss)
        lanes.gain.append(gain)

    def add_spare(self, lanes: _Lanes, values: Sequence[float]) -> None:
        """Add lanes that always lose, with what that brings."""
        lanes.lose += values
        lanes.gain += [0.0] * len(values)
        if self.given is not None:
            self.ties += [0.0] * len(values)

    def of_fold(self, node: int, player: int, *, own: bool) -> float:
        """What a fold brings to a player, who folded himself or not."""
        payoffs = self.of_tree if self.given is None else self.given[player]
        return float(payoffs[node, _LOSS if own else _WIN])


_SHAPE: Final = (
    "slots", "showdowns", "pairs", "folds", "showdown_value", "pair_value", "fold_value", "lane",
    "fold_lane",
)  # fmt: skip


def betting_program(
    tree: PublicTree,
    streets: int,
    dtype: Any,
    *,
    compact: bool = False,
    payoffs: tuple[FloatArray, FloatArray] | None = None,
) -> BettingProgram:
    """Build the program for the first `streets` streets of a tree.

    `compact` stores the value of a decision over that of its first action; `payoffs` are those of
    a `VectorGame`.
    """
    places = _places(tree, streets)
    node = np.array(places.node, np.int32)
    acts = np.array(places.kind) == ACTION
    player = tree.player[node].astype(np.int8)
    count = np.where(acts, tree.num_children[node], 0).astype(np.int32)
    row, decision = np.zeros(len(node), np.int32), np.zeros(len(node), np.int32)
    rows, decisions = np.zeros((2, streets), np.int32), np.zeros((2, streets), np.int32)
    for street in range(streets):
        here = np.arange(places.nodes[street], places.nodes[street + 1])
        for who in (0, 1):
            own = here[acts[here] & (player[here] == who)]
            row[own] = np.cumsum(count[own]) - count[own]
            decision[own] = np.arange(len(own))
            rows[who, street], decisions[who, street] = count[own].sum(), len(own)
    lanes, brought = _Lanes(), _Payoffs(tree.payoffs, payoffs)
    of = [
        _rows(places, player.tolist(), count.tolist(), streets, who, lanes, brought, compact)
        for who in (0, 1)
    ]
    # _rows(p) numbers p's reach and the other's values: all fields but slots go by whose values
    # they are.
    shape = {
        name: np.array(
            [of[0].shape[name], of[1].shape[name]][:: 1 if name == "slots" else -1], np.int32
        )
        for name in _SHAPE
    }
    program = Program(
        kind=np.array(places.kind, np.int8),
        player=player,
        first=np.array(places.first, np.int32),
        count=count,
        row=row,
        decision=decision,
        slot=np.array([of[0].slot, of[1].slot], np.int32),
        value=np.array([of[1].value, of[0].value], np.int32),
        nodes=np.array(places.nodes, np.int32),
        entry=np.array(places.entry, np.int32),
        entries=np.array(places.entries, np.int32),
        exit=np.array(places.exit or [0], np.int32),
        exits=np.array(places.exits, np.int32),
        **shape,
        **{name: np.array(numbers or [0.0], dtype) for name, numbers in vars(lanes).items()},
    )
    return BettingProgram(
        program,
        node,
        rows,
        decisions,
        (of[0].reach_rows, of[1].reach_rows),
        (of[1].value_rows, of[0].value_rows),
        int(count.max(initial=1)),
        None if payoffs is None else np.array(brought.ties or [0.0], dtype),
    )


def _places(tree: PublicTree, streets: int) -> _Places:
    """Lay out the nodes; an all-in before the last street continues through the later ones."""
    places = _Places()
    offset = int(tree.street[0])
    all_in: list[int] = []  # nodes whose showdown is on a later street
    for street in range(streets):
        begin, end = tree.streets[offset + street : offset + street + 2].tolist()
        start, last = len(places.node), street == streets - 1
        behind = start + end - begin
        again = list(range(behind, behind + len(all_in)))
        kinds = tree.kind[begin:end].tolist()
        if street:
            roots = np.flatnonzero(tree.action[begin:end] < 0) + start
            places.entry += [*roots.tolist(), *again]
            places.entries.append(len(places.entry))
        ended = [] if last else [k for k, kind in enumerate(kinds) if kind == SHOWDOWN]
        dealt = [start + k for k, kind in enumerate(kinds) if kind == CHANCE]
        if not last:
            places.exit += [*dealt, *(start + k for k in ended), *again]
        places.exits.append(len(places.exit))
        for k in ended:
            kinds[k] = CHANCE
        below = tree.first_child[begin:end] - begin + start
        acts = tree.kind[begin:end] == ACTION
        places.first += [*np.where(acts, below, -1).tolist(), *[-1] * len(again)]
        places.node += [*range(begin, end), *all_in]
        places.kind += [*kinds, *[SHOWDOWN if last else CHANCE] * len(again)]
        places.nodes.append(len(places.node))
        all_in = [*(begin + k for k in ended), *all_in]
    return places


def _rows(
    places: _Places,
    player: list[int],
    count: list[int],
    streets: int,
    who: int,
    lanes: _Lanes,
    brought: _Payoffs,
    compact: bool,
) -> _Rows:
    """Number the reach rows of player `who` and the value rows of the other."""
    size = len(places.node)
    rows = _Rows([0] * size, [0] * size, {name: [] for name in _SHAPE})
    entry = set(places.entry)
    for street in range(streets):
        here = range(places.nodes[street], places.nodes[street + 1])
        raw, total = _raw_slots(here, entry, places, player, count, who)
        shown, folded = {}, {}
        for at in here:
            if places.kind[at] == SHOWDOWN:
                shown[raw[at]] = at
            elif places.kind[at] == FOLD:
                folded[raw[at]] = at
        kinds = [_what_ends(s in shown, s in folded) for s in range(total)]
        order = sorted(range(total), key=kinds.__getitem__)
        pairs, folds = kinds.count(_PAIR), kinds.count(_FOLD)
        shown_lanes = pairs + kinds.count(_SHOWDOWN)
        filled = min(folds, filled_up(shown_lanes, ENDS) - shown_lanes)
        showdowns, folds = shown_lanes + filled, folds - filled
        fold_value = rows.values + showdowns
        pair_value = fold_value + folds
        rows.reach_rows = max(
            rows.reach_rows,
            rows.slots + total,
            rows.slots + filled_up(showdowns, ENDS),
            rows.slots + showdowns + filled_up(folds, ENDS),
        )
        rows.value_rows = max(
            rows.value_rows,
            rows.values + filled_up(showdowns, TILE),
            fold_value + filled_up(folds, TILE),
            pair_value + filled_up(pairs, TILE),
        )
        numbers = (
            rows.slots, showdowns, pairs, folds, rows.values, pair_value, fold_value,
            len(lanes.lose), len(lanes.pay),
        )  # fmt: skip
        for name, number in zip(_SHAPE, numbers, strict=True):
            rows.shape[name].append(number)
        for lane, s in enumerate(order):
            if s in shown:
                brought.add_showdown(lanes, places.node[shown[s]], 1 - who)
                rows.value[shown[s]] = rows.values + lane
            if s in folded:
                at = folded[s]
                own = player[at] != who
                pay = brought.of_fold(places.node[at], 1 - who, own=own)
                if s in shown:
                    lanes.fold.append(pay)
                elif lane < showdowns:
                    brought.add_spare(lanes, [pay])
                else:
                    lanes.pay.append(pay)
                rows.value[at] = (pair_value if s in shown else rows.values) + lane
        spare = [0.0] * (filled_up(showdowns, ENDS) - showdowns)
        brought.add_spare(lanes, spare)
        lanes.fold += [*spare, *[0.0] * (showdowns - pairs)]
        lanes.pay += [0.0] * (filled_up(folds, ENDS) - folds)
        rows.values = pair_value + pairs
        new = {s: rows.slots + lane for lane, s in enumerate(order)}
        # Children first: with `compact` a decision takes over the row of its first action.
        for at in reversed(here):
            rows.slot[at] = new[raw[at]]
            if compact and places.kind[at] == ACTION:
                rows.value[at] = rows.value[places.first[at]]
            elif places.kind[at] in (ACTION, CHANCE):
                rows.value[at] = rows.values
                rows.values += 1
        rows.slots += total
    rows.value_rows = max(rows.value_rows, rows.values)
    return rows


def _what_ends(showdown: bool, fold: bool) -> int:
    if showdown:
        return _PAIR if fold else _SHOWDOWN
    return _FOLD if fold else _OTHER


def _raw_slots(
    here: range, entry: set[int], places: _Places, player: list[int], count: list[int], who: int
) -> tuple[dict[int, int], int]:
    """A player's slots in the order of the places, and their number."""
    raw: dict[int, int] = {}
    total = 0
    for at in here:
        if at in entry:
            raw[at] = total
            total += 1
        for child in range(places.first[at], places.first[at] + count[at]):
            raw[child] = total if player[at] == who else raw[at]
            total += player[at] == who
    return raw, total
