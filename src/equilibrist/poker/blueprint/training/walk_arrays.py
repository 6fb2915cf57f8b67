"""What terminal nodes pay, and the arrays that all walks of a betting tree take."""

from __future__ import annotations

from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from equilibrist.kernels import ENDS
from equilibrist.kernels.poker.postflop_arrays import SUMS
from equilibrist.poker.blueprint.abstract_game import AbstractGame
from equilibrist.poker.hands.state import SHOWDOWN
from equilibrist.typing import Int32Array

Float32: TypeAlias = NDArray[np.float32]
STREETS: Final = 4


def tree_arrays(game: AbstractGame) -> dict[str, Any]:
    """The fields that `Betting` and `Blocks` share, by name."""
    tree = game.tree
    return {
        "player": tree.player,
        "street": tree.street,
        "first_child": tree.first_child,
        "next_sibling": tree.next_sibling,
        "slot": game.layout.slot,
        "buckets": np.array([*game.buckets, *[0] * STREETS][:STREETS], np.int64),
    }


def end_arrays(
    game: AbstractGame, ends: list[int], ends_begin: list[int], known: list[int]
) -> dict[str, Any]:
    """The fields of terminal nodes that `Betting` and `Blocks` share, by name."""
    nodes = np.array(ends, np.int32)
    lose, gain = payoffs(game, nodes)
    return {
        "ends": nodes,
        "ends_begin": np.array(ends_begin, np.int32),
        "lose": lose,
        "gain": gain,
        "known": np.array(known, np.int32),
    }


def hand_arrays(width: int) -> dict[str, Any]:
    """The fields that `Work` and `BlockWork` share, by name, for rows of so many hands."""
    return {
        "first": np.zeros(width, np.uint8),
        "second": np.zeros(width, np.uint8),
        "combo": np.zeros(width, np.int32),
        "low": np.zeros(width, np.int32),
        "high": np.zeros(width, np.int32),
        "bucket": np.zeros((STREETS, width), np.int32),
        "lose": np.zeros(ENDS, np.float32),
        "gain": np.zeros(ENDS, np.float32),
        "sums": np.zeros(SUMS, np.float32),
    }


def payoffs(game: AbstractGame, ends: Int32Array) -> tuple[Float32, Float32]:
    """The payoffs of terminal nodes in big blinds: `lose` and `gain` as `Blocks` has them."""
    tree = game.tree
    stake = tree.stake[ends].astype(np.float64) / game.hand.rules.big_blind
    pot, live = stake.sum(axis=1), tree.live[ends]
    lose, gain = -stake, np.repeat(pot[:, None] / 2, 2, axis=1)
    alone = tree.kind[ends] != SHOWDOWN
    for player in range(2):
        wins = alone & (live == 1 << player)
        lose[wins, player] += pot[wins]
    gain[alone] = 0.0
    return lose.astype(np.float32), gain.astype(np.float32)
