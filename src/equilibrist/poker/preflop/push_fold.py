"""Solve a push-or-fold game: two players exactly, more by CFR on sampled deals."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from numbers import Real

from equilibrist.parsing.arguments import whole_number
from equilibrist.parsing.threads import thread_count
from equilibrist.poker.preflop.allin_table import AllInTable
from equilibrist.poker.preflop.heads_up import Equilibrium, equilibrium, heads_up
from equilibrist.poker.preflop.push_fold_game import MOST_SEATS, PushFold
from equilibrist.poker.preflop.push_fold_solution import Chart, PushFoldSolution


def push_fold(
    stack: float | Sequence[float],
    *,
    seats: int | None = None,
    blinds: tuple[float, float] = (0.5, 1.0),
    ante: float = 0.0,
    big_blind_ante: float = 0.0,
    payouts: Sequence[float] | None = None,
    others: Sequence[float] = (),
    threads: int | None = None,
    on_boards: Callable[[int, int], None] | None = None,
) -> PushFoldSolution:
    """Solve push or fold before the flop.

    Two players are solved exactly: by a linear programme over the 169 classes where what one gains
    the other loses, else by CFR with exact values.

    Args:
        stack: The stack of every seat before blinds and antes, or a stack for each seat in the
            order of posting: small blind, big blind, under the gun ... button.
        seats: The number of players, two by default, or as many as there are stacks.
        blinds: The small and the big blind; stacks and antes are in the same unit.
        ante: What every seat posts besides.
        big_blind_ante: What the big blind posts as an ante for all.
        payouts: The payouts of a tournament from the first place down; values are then shares of
            the prize pool by the independent chip model.
        others: With payouts, the stacks of players who are not in the hand.
        threads: Threads that work, by default one per processor; the result is the same.
        on_boards: While the all-in table is counted, called with the boards done and their number.

    Returns:
        The solution.

    Raises:
        ConfigError: An argument is invalid.
    """
    count = thread_count(threads)
    if isinstance(stack, Real):
        number = 2 if seats is None else whole_number("seats", seats, 2, MOST_SEATS)
        stacks: tuple[float, ...] = (float(stack),) * number
    else:
        stacks = tuple(stack)
        if seats is not None:
            whole_number("seats", seats, len(stacks), len(stacks))
    game = PushFold(
        stacks,
        tuple(blinds),  # type: ignore[arg-type] # it is checked there
        ante,
        big_blind_ante,
        None if payouts is None else tuple(payouts),
        tuple(others),
    )
    return _of_two(game, equilibrium(heads_up(game, AllInTable.load(count, on_boards))))


def _of_two(game: PushFold, found: Equilibrium) -> PushFoldSolution:
    small, big = game.names
    reached = float(found.push @ AllInTable.load().pairs.sum(axis=1)) / 1_624_350
    charts = (
        Chart(small, (), found.push, found.push_gains, 1.0, game.unit),
        Chart(big, (small,), found.call, found.call_gains, reached, game.unit),
    )
    return PushFoldSolution(
        game=game,
        values=found.values,
        gains=found.gains,
        interval=None,
        standard_errors=None,
        charts=charts,
        method="CFR" if found.iterations else "linear programme",
        iterations=found.iterations,
        deals=0,
        seed=0,
    )
