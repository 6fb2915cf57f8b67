"""Re-solving one seat by algorithms that solve games: its gadget games, one for each root."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from equilibrist.search.gadgets import GadgetGame
from equilibrist.search.seat_task import SeatPlay, SeatTask
from equilibrist.solving.running import solve
from equilibrist.strategy import Strategy
from equilibrist.tree.compile import build_tree
from equilibrist.typing import FloatArray


@dataclass(frozen=True)
class GadgetRuns:
    """How gadget games are solved.

    Attributes:
        algorithm: The algorithm, as `solve` takes it.
        iterations: Its iterations for each game.
        sampling: What an iteration samples, as `solve` takes it; None for full traversals.
        seed: The seed of samplers, the same for each game.
    """

    algorithm: Any
    iterations: int
    sampling: Any = None
    seed: int = 0


@dataclass(frozen=True, eq=False)
class SolvedGadgets:
    """A seat's play from its gadget games.

    Attributes:
        play: The play.
        gaps: float64[G], NashConv of each gadget game, in its own payoffs: no best response of o's
            wins more beyond its value. NaN where nothing was solved.
        bound: By how much the seat's loss may have risen at most, in payoff units, if the method is
            safe.
    """

    play: SeatPlay
    gaps: FloatArray
    bound: float


def solve_by_gadgets(task: SeatTask, runs: GadgetRuns) -> SolvedGadgets:
    """Solve the gadget games of all roots.

    Args:
        task: What is asked of the seat.
        runs: How they are solved.

    Returns:
        The play in them, carried over to the game.
    """
    trunk = task.trunk
    rows, own = trunk.subgames.seats[trunk.player], trunk.subgames.search.own[trunk.player]
    probabilities = trunk.probabilities.copy()
    gaps = np.full(len(trunk.subgames), np.nan)
    scales = np.zeros(len(trunk.subgames))
    for root in np.flatnonzero(task.solved).tolist():
        game = GadgetGame(task, root)
        tree = build_tree(game)
        result = solve(
            tree,
            runs.algorithm,
            iterations=runs.iterations,
            sampling=runs.sampling,
            seed=runs.seed,
            progress=False,
        )
        assert result.evaluation is not None  # there is a tree
        _carry_over(game, result.strategy, probabilities)
        gaps[root], scales[root] = result.evaluation.nash_conv, game.scale
    play = SeatPlay.of(task, probabilities[own.start + rows.own - 1])
    return SolvedGadgets(play, gaps, _bound(task, play, gaps, scales))


def _carry_over(game: GadgetGame, strategy: Strategy, probabilities: FloatArray) -> None:
    """Write the seat's play in a gadget game over that of the whole game."""
    small, whole = strategy.tree, game.task.trunk.subgames.search.tree
    for infoset in np.flatnonzero(small.infoset_player == game.seat).tolist():
        place = whole.index(small.infoset_keys[infoset])
        probabilities[whole.actions_of(place)] = strategy.probabilities[small.actions_of(infoset)]


def _bound(task: SeatTask, play: SeatPlay, gaps: FloatArray, scales: FloatArray) -> float:
    """By how much o's best response may have risen at most.

    A gap e of a gadget game is worth e times what its deals were divided by. With raw margins every
    hand may win e. With caps, what the play gains against the trunk's range is paid for, too.
    """
    trunk, method = task.trunk, task.method
    root = trunk.subgames.hands[1 - trunk.player].root
    solved = np.flatnonzero(task.solved)
    rises = gaps[solved] * scales[solved]
    if method.goal == "margin" and method.scale == "raw":
        rises = rises * np.bincount(root[task.counted], minlength=len(gaps))[solved]
    if method.capped:
        lead = trunk.payoffs(trunk.best) - trunk.payoffs(trunk.against(play.plan))
        gain = np.zeros(len(gaps))
        np.add.at(gain, root[task.counted], (trunk.reach * lead)[task.counted])
        rises = np.maximum(gain[solved] + rises, 0.0) / method.mass
    return float(rises.sum())
