"""What a method hands over: profiles, and how much of all equilibria it claims to find."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from equilibrist.errors import UnsupportedError
from equilibrist.evaluation.plans import ReducedPlans, shown
from equilibrist.strategy import Strategy
from equilibrist.tree.compile import GameTree
from equilibrist.typing import FloatArray, Int64Array

T = TypeVar("T")


@dataclass(frozen=True)
class Candidates:
    """Profiles that another program calls equilibria, not yet verified.

    Attributes:
        method: How they were found, in full.
        claim: What the method says about equilibria that it did not find.
        profiles: The profiles, as strategies of the game.
        interrupted: Whether Ctrl-C ended the search, after at least one profile was found.
    """

    method: str
    claim: str
    profiles: tuple[Strategy, ...]
    interrupted: bool = False


def behaviour_of(tree: GameTree, plans: ReducedPlans, weights: FloatArray) -> FloatArray:
    """The behaviour of a player who draws a plan: its realisation, infoset by infoset.

    Args:
        tree: The compiled game, of perfect recall.
        plans: The player's reduced plans.
        weights: float64[K], the probability of each; negative ones are rounding errors.

    Returns:
        float64[actions of the player]; uniform where no drawn plan gets.
    """
    reach = np.maximum(weights, 0.0) @ plans.plays
    behaviour = np.empty_like(reach)
    infosets = np.flatnonzero(tree.infoset_player == plans.player)
    for infoset in infosets.tolist():
        low, high = (int(tree.action_offset[infoset + k]) - plans.own.start for k in (0, 1))
        total = reach[low:high].sum()
        behaviour[low:high] = reach[low:high] / total if total > 0.0 else 1.0 / (high - low)
    return behaviour


def distinct(arrays: list[FloatArray]) -> Int64Array:
    """The numbers of the arrays that differ from all before them by more than 1e-9."""
    kept: list[int] = []
    for k, array in enumerate(arrays):
        if all(np.abs(array - arrays[j]).max(initial=0.0) > 1e-9 for j in kept):
            kept.append(k)
    return np.array(kept, dtype=np.int64)


def need_two(tree: GameTree, method: str) -> None:
    """UnsupportedError unless the game has two players."""
    if tree.num_players != 2:
        raise UnsupportedError(
            f"{method} is for two players; {tree.name} has {tree.num_players}",
            option="num_players",
            given=tree.num_players,
            expected=2,
            remedy="use --method gambit-enumpoly, for any number of players",
        )


def need_at_most(tree: GameTree, method: str, what: str, count: int, most: int, way: str) -> None:
    """UnsupportedError, with the size, for a game that is too large for a method."""
    if count > most:
        raise UnsupportedError(
            f"{tree.name} has {shown(count)} {what}; {method} takes up to {most:,}",
            option=what,
            given=count if count < 2**63 else shown(count),
            expected=most,
            remedy=way,
        )


def until_interrupted(items: Iterable[T]) -> tuple[list[T], bool]:
    """Collect items up to Ctrl-C; returns them, and whether that ended it.

    Raises:
        KeyboardInterrupt: Ctrl-C, before anything came.
    """
    kept: list[T] = []
    try:
        for item in items:
            kept.append(item)  # noqa: PERF402 - what came before an interrupt stays
    except KeyboardInterrupt:
        if not kept:
            raise
        return kept, True
    return kept, False
