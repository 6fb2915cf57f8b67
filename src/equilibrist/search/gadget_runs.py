"""Re-solving one seat by algorithms that solve games: its gadget games, one for each root."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from equilibrist.search.gadgets import GadgetGame
from equilibrist.search.seat_task import SeatPlay, SeatTask
from equilibrist.solvers.sampling.samplers import Sampler
from equilibrist.solving.algorithm import Algorithm
from equilibrist.solving.option_groups import Sampling
from equilibrist.solving.running import solve
from equilibrist.tree.compile import build_tree


@dataclass(frozen=True)
class GadgetRuns:
    """How gadget games are solved.

    Attributes:
        algorithm: The algorithm, as `solve` takes it.
        iterations: Its iterations for each game.
        sampling: What an iteration samples, as `solve` takes it; None for full traversals.
        seed: The seed of samplers, the same for each game.
    """

    algorithm: str | Algorithm
    iterations: int
    sampling: str | Sampler | Sampling | None = None
    seed: int = 0

    @property
    def name(self) -> str:
        """What the algorithm is called."""
        return self.algorithm if isinstance(self.algorithm, str) else self.algorithm.name


@dataclass(frozen=True, eq=False)
class SolvedSeat:
    """A seat's play below the roots.

    Attributes:
        task: What was asked, with the roots that were solved.
        play: The play.
        gaps: NashConv of the gadget game of each root, in its own payoffs: no best response of o's
            wins more beyond its value. Empty with linear programmes.
        bound: By how much the seat's loss may have risen at most, in payoff units, if the method is
            safe.
        interrupted: Whether Ctrl-C left roots unsolved.
    """

    task: SeatTask
    play: SeatPlay
    gaps: Mapping[int, float] = field(default_factory=dict)
    bound: float = 0.0
    interrupted: bool = False


def solve_by_gadgets(task: SeatTask, runs: GadgetRuns) -> SolvedSeat:
    """Solve the gadget games of all roots.

    Args:
        task: What is asked of the seat.
        runs: How they are solved.

    Returns:
        The play in them, carried over to the game; after Ctrl-C of the roots so far.
    """
    trunk = task.trunk
    rows, own = task.rows, trunk.subgames.search.own[trunk.player]
    probabilities = trunk.probabilities.copy()
    gaps: dict[int, float] = {}
    scales: dict[int, float] = {}
    interrupted = False
    for root in np.flatnonzero(task.solved).tolist():
        game = GadgetGame(task, root)
        result = solve(
            build_tree(game),
            runs.algorithm,
            iterations=runs.iterations,
            sampling=runs.sampling,
            seed=runs.seed,
            progress=False,
        )
        assert result.evaluation is not None  # there is a tree
        game.carry_over(result.strategy, probabilities)
        gaps[root], scales[root] = result.evaluation.nash_conv, game.scale
        interrupted = result.stopped_by == "interrupted"
        if interrupted:
            break
    task = task.at_roots(gaps)
    play = SeatPlay.of(task, probabilities[own.start + rows.own - 1])
    return SolvedSeat(task, play, gaps, _bound(task, play, gaps, scales), interrupted)


def _bound(
    task: SeatTask, play: SeatPlay, gaps: Mapping[int, float], scales: Mapping[int, float]
) -> float:
    """By how much o's best response may have risen at most.

    A gap e of a gadget game is worth e times what its deals were divided by, and more of hands that
    are dealt less often than by their weights. With raw margins every hand may win e. With caps,
    what the play gains against the trunk's range is paid for, too.
    """
    trunk, method = task.trunk, task.method
    root = trunk.subgames.hands[1 - trunk.player].root
    rises = np.zeros(len(trunk.subgames))
    for number, gap in gaps.items():
        rises[number] = gap * scales[number]
    if method.goal == "margin" and method.scale == "raw":
        rises *= np.bincount(root[task.counted], minlength=len(rises))
    least = np.ones(len(rises))
    np.minimum.at(least, root[task.counted], task.deals[task.counted])
    rises /= least
    if method.capped:
        lead = trunk.payoffs(trunk.best) - trunk.payoffs(trunk.against(play.plan))
        np.add.at(rises, root[task.counted], (trunk.reach * lead)[task.counted])
        rises = np.maximum(rises, 0.0) / method.mass
    return float(rises.sum())
