"""What the engine holds beside regrets and strategy sums, counted without building it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np

from equilibrist.kernels import AIMS, ENDS, LOCK_STATE, TILE, filled_up
from equilibrist.kernels.poker.postflop_arrays import SUMS
from equilibrist.poker.betting.street_tree import ACTION, CHANCE, FOLD, SHOWDOWN, StreetBetting
from equilibrist.poker.engine.schedule import LEAST_PARTS, PART_SHARE
from equilibrist.poker.spots.resolved_locks import LockedNode
from equilibrist.typing import Int64Array

_FLOAT: Final = 4
_PLACE: Final = 34
"""Bytes of a place of the program; its other arrays are counted by what they list."""
_BOARD: Final = 121
"""Bytes of a board in `postflop_arrays.Boards`."""
_HAND: Final = 6
_RUN: Final = 2
_IMAGE: Final = 16
_LEVEL: Final = 6


class Lines(NamedTuple):
    """The lines of all streets together, counted once for each way to come there."""

    kinds: Int64Array
    """int64[S, 4]: nodes by kind."""
    begins: Int64Array
    """int64[S]: lines with which streets begin, those of players who are all-in left out."""
    rows: Int64Array
    """int64[2, S]: actions of either player."""
    folds: Int64Array
    """int64[2, S]: folds of either player."""
    most_actions: int
    """The most actions of a decision."""


class Room(NamedTuple):
    """The boards that are solved, and the hands on them."""

    boards: Int64Array
    """int64[S]: boards."""
    images: Int64Array
    """int64[S]: boards that can come after one that is solved."""
    live: Int64Array
    """int64[2, S]: hands on all boards."""
    filled: Int64Array
    """int64[2, S]: the same, filled up to a multiple of TILE on each board."""
    wide: tuple[int, int]
    """The most hands of either player on a board, filled up."""


class Beside(NamedTuple):
    """Bytes beside what is learnt: at most so many, some percent above what is allocated."""

    tables: int
    """The betting, the boards and the hands."""
    locks: int
    """Probabilities that are fixed."""
    thread: int
    """What a thread works in."""
    part: int
    """Sums of a part of the boards; threads that work together have several."""
    parts: int
    """How many parts there are; more threads than parts never work together."""

    def total(self, threads: int) -> int:
        """All of it."""
        threads = min(threads, self.parts)
        parts = self.parts if threads > 1 else 1
        return self.tables + self.locks + threads * self.thread + parts * self.part


def lines_of(bettings: Sequence[StreetBetting], uses: Sequence[int], streets: int) -> Lines:
    """Count the lines of pieces, each used so many times."""
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
    return Lines(kinds, begins, rows, folds, most)


def beside(lines: Lines, room: Room, locked: Sequence[LockedNode], decisions: int) -> Beside:
    """Count what an engine in float32 or 16 bits holds beside what it learns."""
    streets, widest = len(room.boards), max(room.wide)
    last = np.arange(streets) == streets - 1
    ended = lines.kinds[:, SHOWDOWN]
    again = np.cumsum(ended) - ended  # all-in lines that go on to the next street
    entries = lines.begins + again
    exits = np.where(last, 0, lines.kinds[:, CHANCE] + ended + again)
    shown = int(ended.sum())
    folds = int(lines.kinds[:, FOLD].sum())
    places = int(lines.kinds.sum() + again.sum())
    slots, lanes = _slots_and_lanes(lines, entries, shown)
    program = _PLACE * places + 4 * int(entries.sum() + exits.sum()) + _FLOAT * lanes + 99 * streets
    boards = (
        _BOARD * int(room.boards.sum())
        + _HAND * int(room.filled.sum())
        + _RUN * int(((sum(room.wide) + 2) * room.boards - room.live.sum(axis=0)).sum())
        + int((_IMAGE + 2 * sum(room.wide)) * (room.images - room.boards)[1:].sum())
        + _LEVEL * int(room.live[:, -1].sum())
    )
    value = shown + folds + int(exits.sum()) + TILE
    reach = [slots[p] * room.wide[p] for p in (0, 1)]
    values = [value * room.wide[p] for p in (0, 1)]
    rows = max(reach[0] + values[1], reach[1] + values[0])
    if any(node.has_aims for node in locked):
        rows = sum(reach) + max(values)
    ends = (3 * widest + 1) * ENDS + SUMS
    actions = lines.most_actions
    part = int(exits[0]) * widest
    each, after = max(part, 1), int(room.boards[1]) if streets > 1 else 1
    learnt = int((lines.rows * room.filled).sum())
    return Beside(
        tables=2 * program + boards + _FLOAT * sum(room.wide),
        locks=_lock_bytes(locked, room, decisions),
        thread=_FLOAT * (rows + 2 * TILE + 3 * actions * widest + ends + actions + 1)
        + _FLOAT * sum(room.wide)
        + 8 * filled_up(max(actions, 2 * int(entries.max())), 8),
        part=_FLOAT * part,
        parts=max(min(after, max(LEAST_PARTS, 2 * learnt // (PART_SHARE * each))), 1),
    )


def _slots_and_lanes(lines: Lines, entries: Int64Array, shown: int) -> tuple[list[int], int]:
    """Rows of reach of either player, and lanes of all ends, see `poker.program`."""
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


def _lock_bytes(locked: Sequence[LockedNode], room: Room, decisions: int) -> int:
    """Where locks begin and frequencies are, and what is fixed on all boards of their street."""
    fixed = 0
    for node in locked:
        street, places = len(node.line) - 1, len(node.actions)
        width, boards = int(room.filled[node.player, street]), int(room.boards[street])
        if all(None not in layer.runout for layer in node.layers):
            boards = min(boards, len(node.layers))
            width = min(width, boards * room.wide[node.player])
        fixed += places * width + boards * (AIMS * places + LOCK_STATE)
        fixed += 8 * boards * node.has_aims  # int64[4]: where the frequencies are
    return (8 * decisions if locked else 0) + _FLOAT * fixed
