"""Solving the rest of a hand on one flop."""

from __future__ import annotations

import time
from collections.abc import Callable
from math import comb
from typing import Final

import numpy as np

from equilibrist.errors import MemoryBudgetError
from equilibrist.formatting.amounts import bytes_text
from equilibrist.kernels.exact_holdem.arrays import BEST, VALUE
from equilibrist.parsing.threads import thread_count
from equilibrist.poker.cards.cards import NUM_CARDS
from equilibrist.poker.cards.combos import FIRST_CARD, SECOND_CARD
from equilibrist.poker.hands.betting_tree import DECISION
from equilibrist.poker.preflop.exact.betting_layout import street_of
from equilibrist.poker.preflop.exact.boards import free_hands
from equilibrist.poker.preflop.exact.engine import Engine
from equilibrist.poker.preflop.exact.flops.game import IN, OUT, FlopGame
from equilibrist.poker.preflop.exact.flops.solution import FlopSolution
from equilibrist.poker.preflop.exact.rows import rows_of_hands
from equilibrist.poker.preflop.exact.solver import exact_variant
from equilibrist.tree.walk.budget import default_memory
from equilibrist.typing import FloatArray

TARGET: Final = 0.005
TARGET_TEXT: Final = f"{100 * TARGET:g}%"
"""The gain of a best response at which solving ends, as a share of the pot on the flop."""
SECONDS: Final = 8.0
"""Seconds of iterating after which it ends, unless the gain is still poor."""
POOR: Final = 0.05
"""A share of the pot above which a gain is poor: then solving goes on."""
PATIENCE: Final = 10.0
"""The multiple of the seconds after which it ends in any case."""
_ALGORITHM: Final = "dcfr(gamma=4)"
"""The best after few iterations of those that were tried."""
_LEAST_WEIGHT: Final = 1e-6
"""The weight of hands outside a range, relative to the largest: too small to change what is found,
but these hands get strategies, which a player needs who has left the lines of the solution."""
_NUMBER_BYTES: Final = 4
_ROW_BYTES: Final = 13
_PAIR_BYTES: Final = 2
_STEPS: Final = (10, 20, 40)
"""Iterations after which the first measurements are made, then after every `_STEP` more."""
_STEP: Final = 40


def flop_bytes(game: FlopGame) -> int:
    """The memory that a flop takes, counted without allocating it.

    Args:
        game: What is left of the hand.

    Returns:
        Bytes; boards that the suits make alike count one by one.
    """
    rules, tree = game.rules, game.tree
    street, deck = street_of(tree), NUM_CARDS - 4 * rules.lowest_rank
    total, boards, known = 0, 1, 0
    for s in range(1, len(game.dealt)):
        if s > 1:
            boards *= comb(deck - known, game.dealt[s])
        known += game.dealt[s]
        rows = comb(deck - known, 2)
        slots = int(tree.num_children[(street == s) & (tree.kind == DECISION)].sum())
        total += boards * rows * (2 * _NUMBER_BYTES * slots + _ROW_BYTES)
        if sum(rules.board[s + 1 :]):
            total += _PAIR_BYTES * boards * rows * rows
    return total


def check_flop_fits(game: FlopGame, memory: int | None = None) -> None:
    """Raise MemoryBudgetError for a flop that takes too much memory to be solved.

    Args:
        game: What is left of the hand.
        memory: The most bytes; by default half of the machine's memory.
    """
    limit, needed = default_memory() if memory is None else memory, flop_bytes(game)
    if needed > limit:
        raise MemoryBudgetError(
            f"solving a flop takes {bytes_text(needed)}, which exceeds the limit of "
            f"{bytes_text(limit)}",
            needed,
            needed,
            remedy="Solve the hand with fewer sizes, a raise cap, or an earlier last street.",
            option="memory",
            given=limit,
        )


def solve_flop(
    game: FlopGame,
    ranges: FloatArray,
    *,
    target: float = TARGET,
    seconds: float = SECONDS,
    threads: int | None = None,
    memory: int | None = None,
    on_measure: Callable[[int, float], None] | None = None,
) -> FlopSolution:
    """Solve the rest of a hand on one flop, by the algorithm of whole hands.

    Args:
        game: What is left of the hand.
        ranges: float64[2, R]: how often each seat brings a hand of each class there.
        target: Ends the run: what a best response gains, on average over both seats, as a share of
            the pot on the flop.
        seconds: Ends the run, too, if the gain is at most 5 % of the pot, and after ten times as
            many seconds in any case; one iteration is made at least.
        threads: Threads to work with, by default one for each processor.
        memory: The most bytes, by default half of the machine's memory.
        on_measure: Called with the iteration and the gain as a share of the pot.

    Returns:
        The solution.

    Raises:
        MemoryBudgetError: The flop takes more memory; nothing has been allocated then.
    """
    check_flop_fits(game, memory)
    begun = time.perf_counter()
    engine = Engine(game, thread_count(threads), stored=True)
    weights = _positive(ranges)
    variant, iteration = exact_variant(_ALGORITHM), 0
    deals, steps = _pairs(game, engine, weights), list(_STEPS)
    started = checked = time.perf_counter()
    while True:
        goal = steps.pop(0) if steps else iteration + _STEP
        begin = iteration
        while iteration < goal and (begin == iteration or time.perf_counter() - checked < seconds):
            iteration += 1
            row = variant.table(iteration, 1)
            for player in (0, 1):
                for each in (0, 1):
                    engine.put(engine.regrets, each, _chances(weights[each]))
                engine.run(row, (player,))
        for each in (0, 1):
            engine.put(engine.totals, each, _chances(weights[each]))
        values, best = (
            np.sum(engine.many * weights * engine.below(mode)[:, 0], axis=1) / deals
            for mode in (VALUE, BEST)
        )
        gain = float((best - values).sum()) / 2.0
        checked = time.perf_counter()
        if on_measure is not None:
            on_measure(iteration, gain / game.pot)
        enough = PATIENCE * seconds if gain > POOR * game.pot else seconds
        if gain <= target * game.pot or checked - started >= enough:
            break
    engine.keep_averages()
    return FlopSolution(
        game=game,
        ranges=np.asarray(ranges, np.float64),
        values=(float(values[0]), float(values[1])),
        gain=gain,
        iterations=iteration,
        seconds=time.perf_counter() - begun,
        engine=engine,
    )


def _pairs(game: FlopGame, engine: Engine, weights: FloatArray) -> float:
    """How many pairs of hands come to the flop, by the weights of either range."""
    rows = rows_of_hands(engine.table, engine.rows, 0)
    free = free_hands(game.cards, game.rules.lowest_rank)
    own, other = np.where(free, weights[:, rows], 0.0)
    total = float(own.sum() * other.sum() + own @ other)
    for cards in (FIRST_CARD, SECOND_CARD):
        for others in (FIRST_CARD, SECOND_CARD):
            with_card = np.bincount(others, other, NUM_CARDS)
            total -= float(own @ with_card[cards])
    return total


def _positive(ranges: FloatArray) -> FloatArray:
    """The ranges with their largest weights at 1, and no weight of 0."""
    most = ranges.max(axis=1, keepdims=True)
    scaled = np.divide(ranges, most, out=np.ones_like(ranges, np.float64), where=most > 0.0)
    found: FloatArray = np.maximum(scaled, _LEAST_WEIGHT)
    return found


def _chances(weights: FloatArray) -> FloatArray:
    """float64[2, R]: of being out, and of playing on."""
    found = np.empty((2, len(weights)))
    found[OUT], found[IN] = 1.0 - weights, weights
    return found
