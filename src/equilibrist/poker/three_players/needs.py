"""What a spot of three players needs to be solved: memory, and roughly the time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from equilibrist.parsing.arguments import whole_number
from equilibrist.parsing.threads import thread_count
from equilibrist.poker.postflop.solution.stopping import chips_of
from equilibrist.poker.postflop.solving.perturbed import check_perturbation, check_trembles
from equilibrist.poker.postflop.solving.variants import spot_variant
from equilibrist.poker.three_players.profile import HandsAndGames
from equilibrist.poker.three_players.solver import memory_needed
from equilibrist.poker.three_players.spot import ThreeSpot, checked_three
from equilibrist.solvers.variants.variant import Variant
from equilibrist.tree.walk.budget import default_memory

DEFAULT_TARGET: Final = "0.3%"
_NANOSECONDS: Final = ((0, 600, 1100), (5.5, 5.5, 9.5))
"""By hands of a seat, the time of a form and hand in an iteration, from the rivers of
`benchmarks/poker/three/rivers.py`: 5.0 to 6.4 with up to 309 hands, 9.5 with 1,081."""
_MEASURING: Final = 1.2
"""How much longer a run takes with a measurement every 25 iterations."""
_ITERATIONS: Final = 100.0
"""What these rivers took to 1 % of the pot, in the median."""
_SLOWER: Final = 0.55
"""The power by which iterations grow as the target falls: some 190 to 0.3 %, 350 to 0.1 %."""
_SHARED: Final = 0.77
"""The power of the threads by which a turn is faster: 1.7 times with two."""


@dataclass(frozen=True)
class ThreeNeeds:
    """What a spot of three players needs.

    Attributes:
        spot: The spot.
        hands: The hands of each seat.
        nodes: The nodes of the betting.
        decisions: The decisions of each seat, not counting the cards that are dealt.
        memory_bytes: What a run takes at most.
        limit: The bytes that it may take.
        target: The sum of gains that the run is to reach, as a text.
        iterations: How many iterations that takes, roughly.
        threads: Threads of the run; a spot on the river takes one.
        seconds: How long, roughly.
    """

    spot: ThreeSpot
    hands: tuple[int, ...]
    nodes: int
    decisions: tuple[int, ...]
    memory_bytes: int
    limit: int
    target: str
    iterations: int
    threads: int
    seconds: float

    @property
    def fits(self) -> bool:
        """Whether it fits into the limit."""
        return self.memory_bytes <= self.limit

    def to_dict(self) -> dict[str, Any]:
        """Give the figures as plain values.

        Returns:
            The document of `equilibrist postflop estimate --json`.
        """
        return {
            "board": self.spot.board,
            "pot": self.spot.pot,
            "stacks": list(self.spot.stack_of),
            "hands": list(self.hands),
            "nodes": self.nodes,
            "decisions": list(self.decisions),
            "memory_bytes": self.memory_bytes,
            "limit_bytes": self.limit,
            "fits": self.fits,
            "target": self.target,
            "iterations": self.iterations,
            "threads": self.threads,
            "seconds": self.seconds,
        }


def three_needs(
    spot: ThreeSpot,
    *,
    target: str | None = None,
    memory: int | None = None,
    threads: int | None = None,
    algorithm: Variant | str | None = None,
    tremble: float | None = None,
) -> ThreeNeeds:
    """Count what a spot of three players takes, and estimate how long.

    Args:
        spot: The spot.
        target: The sum of gains to reach, by default 0.3 % of the pot.
        memory: The most bytes, by default half of the machine's memory.
        threads: Threads that share the rivers, by default one for each processor.
        algorithm: As in `solve_three`; those that predict take more on the rivers of a flop.
        tremble: As in `solve_three`; it changes neither bytes nor the estimate of time.

    Returns:
        What it needs. The bytes are within a twentieth from a few megabytes on, the time within a
        factor of two or three.

    Raises:
        ConfigError: An argument is wrong.
        MemoryBudgetError: The betting has too many nodes to be laid out.
    """
    checked_three(spot)
    limit = default_memory() if memory is None else whole_number("memory", memory, 1)
    wanted = DEFAULT_TARGET if target is None else target
    percent = 100.0 * chips_of(wanted, spot.pot) / spot.pot
    check_perturbation(tremble, None, "float32", algorithm)
    variant = spot_variant(algorithm)
    laid_out = HandsAndGames.of(spot)
    if tremble is not None:
        check_trembles(tremble, laid_out.most_actions)
    hands = tuple(len(held) for held in laid_out.hands)
    sharing = thread_count(threads) if laid_out.later else 1
    counts = [1]
    if laid_out.later:
        counts.append(laid_out.runouts.count)
    if laid_out.rivers:
        counts.append(sum(rivers.count for rivers in laid_out.rivers))
    boards = [*zip((laid_out.games, *laid_out.later), counts, strict=True)]
    spent = sum(
        count * len(game.kind) * own * float(np.interp(own, *_NANOSECONDS))
        for games, count in boards
        for game, own in zip(games, hands, strict=True)
    )
    iterations = max(1, round(_ITERATIONS * percent**-_SLOWER))
    return ThreeNeeds(
        spot=spot,
        hands=hands,
        nodes=spot.betting.num_nodes,
        decisions=tuple(
            sum(games[seat].num_decisions for games, _ in boards) for seat in range(len(hands))
        ),
        memory_bytes=memory_needed(laid_out, sharing, predicts=variant.predicts),
        limit=limit,
        target=wanted,
        iterations=iterations,
        threads=sharing,
        seconds=_MEASURING * iterations * spent * 1e-9 / sharing**_SHARED,
    )
