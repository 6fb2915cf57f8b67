"""The engine's memory besides regrets and strategy sums, counted without building it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np

from equilibrist.kernels import ENDS, FREQUENCY_FIELDS, LOCK_STATE, TILE, filled_up
from equilibrist.kernels.poker.postflop_arrays import SUMS
from equilibrist.poker.betting.street_tree import ACTION, CHANCE, FOLD, SHOWDOWN, StreetBetting
from equilibrist.poker.postflop.engine.schedule import LEAST_PARTS, PART_SHARE
from equilibrist.poker.postflop.spot.resolved_locks import LockedNode
from equilibrist.typing import Int64Array

_FLOAT: Final = 4
_PLACE: Final = 34
"""Bytes of a place of the program; its other arrays are counted by their entries."""
_BOARD: Final = 121
"""Bytes of a board in `postflop_arrays.Boards`."""
_HAND: Final = 6
_RUN: Final = 2
_IMAGE: Final = 16
_LEVEL: Final = 6


class LineCounts(NamedTuple):
    """Counts over all lines of play, by street; S is the number of streets."""

    kinds: Int64Array
    """int64[S, 4]: nodes, by kind."""
    begins: Int64Array
    """int64[S]: lines that begin a street, without those in which a player is all-in."""
    rows: Int64Array
    """int64[2, S]: actions of each player."""
    folds: Int64Array
    """int64[2, S]: folds of each player."""
    most_actions: int
    """The largest number of actions at a decision."""


class BoardSizes(NamedTuple):
    """Counts of solved boards and the hands on them, by street."""

    boards: Int64Array
    """int64[S]: solved boards."""
    images: Int64Array
    """int64[S]: boards that can follow a solved board, suit images included."""
    live: Int64Array
    """int64[2, S]: each player's hands, summed over boards."""
    filled: Int64Array
    """int64[2, S]: the same, padded to a multiple of TILE on each board."""
    wide: tuple[int, int]
    """The largest number of hands of each player on a board, padded."""
    pairs: int
    """Weights of pairs of hands, 0 without folded ranges."""


class Overhead(NamedTuple):
    """Upper bounds, within some percent, on the bytes besides regrets and strategy sums."""

    tables: int
    """Bytes of the arrays of the betting, the boards and the hands."""
    locks: int
    """Bytes of node locks."""
    thread: int
    """Bytes of a thread's working memory."""
    part: int
    """Bytes of the sums of one part of the boards; several threads need several."""
    parts: int
    """The number of parts; at most so many threads can work in parallel."""

    def total(self, threads: int) -> int:
        """All bytes for a number of threads."""
        threads = min(threads, self.parts)
        parts = self.parts if threads > 1 else 1
        return self.tables + self.locks + threads * self.thread + parts * self.part


def count_lines(bettings: Sequence[StreetBetting], uses: Sequence[int], streets: int) -> LineCounts:
    """Count the lines of street bettings, given how often each is used."""
    first = bettings[0].street
    kinds, begins = np.zeros((streets, 4), np.int64), np.zeros(streets, np.int64)
    rows, folds, most = *np.zeros((2, 2, streets), np.int64), 1
    for times, betting in zip(uses, bettings, strict=True):
        street, nodes = betting.street - first, betting.nodes
        kinds[street] += times * np.bincount(nodes.kind, minlength=4)
        begins[street] += times
        acting = nodes.kind == ACTION
        most = max(most, int(nodes.num_children[acting].max(initial=1)))
        for player in (0, 1):
            theirs = acting & (nodes.player == player)
            rows[player, street] += times * int(nodes.num_children[theirs].sum())
            folded = (nodes.kind == FOLD) & (nodes.player == player)
            folds[player, street] += times * np.count_nonzero(folded)
    return LineCounts(kinds, begins, rows, folds, most)


def count_overhead(
    lines: LineCounts,
    sizes: BoardSizes,
    locked: Sequence[LockedNode],
    decisions: int,
    *,
    responds: bool = False,
) -> Overhead:
    """Count the overhead of an engine that stores float32 or 16-bit numbers.

    `responds`: strategies are logit responses, whose terminal nodes are in float64.
    """
    streets, widest = len(sizes.boards), max(sizes.wide)
    last = np.arange(streets) == streets - 1
    ended = lines.kinds[:, SHOWDOWN]
    again = np.cumsum(ended) - ended  # all-in lines that continue to the next street
    entries = lines.begins + again
    exits = np.where(last, 0, lines.kinds[:, CHANCE] + ended + again)
    shown = int(ended.sum())
    folds = int(lines.kinds[:, FOLD].sum())
    places = int(lines.kinds.sum() + again.sum())
    slots, lanes = _slots_and_lanes(lines, entries, shown)
    program = _PLACE * places + 4 * int(entries.sum() + exits.sum()) + _FLOAT * lanes + 99 * streets
    boards = (
        _BOARD * int(sizes.boards.sum())
        + _HAND * int(sizes.filled.sum())
        + _RUN * int(((sum(sizes.wide) + 2) * sizes.boards - sizes.live.sum(axis=0)).sum())
        + int((_IMAGE + 2 * sum(sizes.wide)) * (sizes.images - sizes.boards)[1:].sum())
        + _LEVEL * int(sizes.live[:, -1].sum())
    )
    value = shown + folds + int(exits.sum()) + TILE
    reach = [slots[p] * sizes.wide[p] for p in (0, 1)]
    values = [value * sizes.wide[p] for p in (0, 1)]
    rows = max(reach[0] + values[1], reach[1] + values[0])
    if any(node.has_frequency_locks for node in locked):
        rows = sum(reach) + max(values)
    ends = (3 * widest + 1) * ENDS + SUMS
    if responds:
        ends = 2 * ends + ENDS * widest
        program += (_FLOAT + 8) * places + 8 * TILE * streets  # pots, and where reach begins
    actions = lines.most_actions
    part = int(exits[0]) * widest
    part_numbers, after = max(part, 1), int(sizes.boards[1]) if streets > 1 else 1
    state = int((lines.rows * sizes.filled).sum())
    return Overhead(
        tables=2 * program + boards + _FLOAT * (sum(sizes.wide) + sizes.pairs),
        locks=_lock_bytes(locked, sizes, decisions),
        thread=_FLOAT * (rows + 2 * TILE + 3 * actions * widest + ends + actions + 1)
        + _FLOAT * sum(sizes.wide)
        + 8 * filled_up(max(actions, 2 * int(entries.max())), 8),
        part=_FLOAT * part,
        parts=max(min(after, max(LEAST_PARTS, 2 * state // (PART_SHARE * part_numbers))), 1),
    )


def terminal_lanes(lines: LineCounts) -> Int64Array:
    """int64[S]: the terminal nodes of both players on a board of each street, as they are valued.

    An own fold after which there could be a showdown is valued together with that; on the last
    street there are those of all streets, as players may be all-in before.
    """
    folds = lines.folds.sum(axis=0)
    lanes = 2 * folds
    shown = int(lines.kinds[:, SHOWDOWN].sum())
    lanes[-1] = 2 * max(shown, int(folds[-1]) // 2) + int(folds[-1])
    return np.asarray(lanes)


def _slots_and_lanes(lines: LineCounts, entries: Int64Array, shown: int) -> tuple[list[int], int]:
    """Reach rows of each player and lanes of terminal nodes, see `engine.betting_layout`."""
    slots, lanes = [], 0
    for player in (0, 1):
        begin = most = 0
        for street, lines_in in enumerate(entries.tolist()):
            total = lines_in + int(lines.rows[player, street])
            if street < len(entries) - 1:
                showdowns, folds = 0, int(lines.folds[:, street].sum())
            else:
                showdowns, folds = shown, int(lines.folds[player, street])
            filled = filled_up(showdowns, ENDS)
            left = filled_up(max(folds - (filled - showdowns), 0), ENDS)
            lanes += 3 * filled + left
            most = max(most, begin + max(total, filled + left))
            begin += total
        slots.append(most)
    return slots, lanes


def _lock_bytes(locked: Sequence[LockedNode], sizes: BoardSizes, decisions: int) -> int:
    """Bytes of the lock index and of the locked rows on all boards of their street."""
    fixed = 0
    for node in locked:
        street, places = len(node.line) - 1, len(node.actions)
        width, boards = int(sizes.filled[node.player, street]), int(sizes.boards[street])
        if all(None not in layer.runout for layer in node.layers):
            boards = min(boards, len(node.layers))
            width = min(width, boards * sizes.wide[node.player])
        fixed += places * width + boards * (FREQUENCY_FIELDS * places + LOCK_STATE)
        fixed += 8 * boards * node.has_frequency_locks  # int64[4]: where the frequencies are
    return (8 * decisions if locked else 0) + _FLOAT * fixed
