"""Hands on their way from a board to the next and values on their way back, hand by hand."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import pytest

from equilibrist._jit import kernel
from equilibrist.kernels import TILE
from equilibrist.kernels.poker.street_transitions import enter, hand_up
from equilibrist.poker.cards.cards import card_names
from equilibrist.poker.postflop.engine.engine import Engine
from equilibrist.poker.postflop.engine.holdem_game import holdem_game
from equilibrist.poker.postflop.spot.spot import Spot

BOARD = "Td9d6hQc"
DECK = [card for card in range(52) if card_names([card]) not in {"Td", "9d", "6h", "Qc"}]
FAR = 1e30
"""Filler of entries that must not be read: a sum with it would show."""


class Room(NamedTuple):
    """What `hand_up` works in."""

    value: Any
    out: Any
    at: Any


class Parts(NamedTuple):
    """Which part of `out` a board adds to."""

    part: Any


@kernel
def run_enter(program, boards, deals, reach, wide, board, street, player, at):
    enter(program, boards, deals, reach, wide, board, street, player, at)


@kernel
def run_hand_up(program, boards, deals, room, plan, wide, board, street, player):
    hand_up(program, boards, deals, room, plan, wide, board, street, player)


def some_hands(count: int, seed: int) -> str:
    """A range of so many hands."""
    pairs = [(a, b) for i, a in enumerate(DECK) for b in DECK[:i]]
    chosen = np.random.default_rng(seed).choice(len(pairs), count, replace=False)
    return ",".join(card_names(pairs[k]) for k in chosen)


def with_card(card: str) -> str:
    """All hands with a card, and one that it leaves."""
    others = [card_names([each]) for each in DECK if card_names([each]) != card]
    return ",".join([*(card + other for other in others), others[0] + others[1]])


RANGES = [
    *((some_hands(n, n), some_hands(3 * n, n + 1)) for n in (1, 2, 5, 15, 16, 17, 31, 48, 100)),
    (with_card("As"), with_card("2c")),
    (with_card("Kh"), some_hands(16, 3)),
]


def padded(rows: int, wide: int, rng: np.random.Generator) -> tuple[Any, Any]:
    """An array for rows with as much before and behind as the engine leaves, and its middle."""
    room = np.full(rows * wide + 2 * TILE, FAR, np.float32)
    middle = room[TILE : TILE + rows * wide]
    middle[:] = rng.random(rows * wide, np.float32)
    return room, middle


@pytest.mark.slow  # two kernels of its own; solutions of several streets would be wrong as well
@pytest.mark.parametrize("ranges", RANGES, ids=lambda pair: f"{pair[0].count(',') + 1}")
def test_every_hand_keeps_its_reach_and_hands_up_its_value(ranges: tuple[str, str]) -> None:
    spot = Spot(board=BOARD, oop=ranges[0], ip=ranges[1], pot=10, stack=30, bets="a")
    engine = Engine(holdem_game(spot))
    program, boards, table = (
        engine.layout.betting.program,
        engine.layout.table.boards,
        engine.layout.table,
    )
    rng = np.random.default_rng(7)
    entries = program.entry[slice(*program.entries[1:3])]
    exits = program.exit[slice(*program.exits[0:2])]
    assert len(entries) == len(exits) > 2
    at = np.zeros(2 * len(entries), np.uintp)
    parts = Parts(np.full(len(table.dealt), -1, np.int32))
    for board in range(1, len(table.dealt)):
        for player in (0, 1):
            wide = table.wide[player]
            before, after = table.held(0)[player], table.held(board)[player]
            kept = np.flatnonzero(np.isin(before, after))
            assert np.array_equal(before[kept], after)
            _, reach = padded(engine.layout.betting.reach_rows[player], wide, rng)
            slot = program.slot[player]
            rows = reach.reshape(-1, wide)
            rows[:, len(before) :] = FAR
            wanted = table.deals.chance[board] * rows[slot[exits]][:, kept]
            run_enter(program, boards, table.deals, reach, np.uintp(wide), board, 1, player, at)
            width = int(boards.width[player, board])
            assert np.array_equal(rows[slot[entries]][:, : len(kept)], wanted)
            assert not rows[slot[entries]][:, len(kept) : width].any()

            _, value = padded(engine.layout.betting.value_rows[player], wide, rng)
            rows, place = value.reshape(-1, wide), program.value[player]
            rows[place[entries], len(kept) :] = FAR
            wanted = rows[place[exits]].copy()
            wanted[:, kept] += rows[place[entries]][:, : len(kept)]
            room = Room((value, value), value, at)
            run_hand_up(program, boards, table.deals, room, parts, np.uintp(wide), board, 1, player)
            assert np.array_equal(rows[place[exits]][:, : len(before)], wanted[:, : len(before)])
