"""Solve a push-or-fold game: two players exactly, more by CFR on sampled deals."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from numbers import Real
from typing import Any, Final

from equilibrist.parsing.arguments import optional_whole_number, real_number, whole_number
from equilibrist.parsing.threads import thread_count
from equilibrist.poker.preflop.allin_table import AllInTable
from equilibrist.poker.preflop.class_pairs import ALL_PAIRS
from equilibrist.poker.preflop.heads_up import Equilibrium, equilibrium, heads_up
from equilibrist.poker.preflop.push_fold_game import MOST_SEATS, PushFold
from equilibrist.poker.preflop.push_fold_solution import Chart, PushFoldSolution

DEALS: Final = {3: 10_000_000, 4: 5_000_000, 5: 3_000_000, 6: 2_000_000}
"""By the number of seats: the deals that CFR plays unless a number is given."""
_LEAST_DEALS: Final = 1_000
_MOST_DEALS: Final = 10**11
_LONGEST: Final = 1e7


def push_fold(
    stack: float | Sequence[float],
    *,
    seats: int | None = None,
    blinds: tuple[float, float] = (0.5, 1.0),
    ante: float = 0.0,
    big_blind_ante: float = 0.0,
    payouts: Sequence[float] | None = None,
    others: Sequence[float] = (),
    deals: int | None = None,
    seconds: float | None = None,
    seed: int = 0,
    threads: int | None = None,
    on_boards: Callable[[int, int], None] | None = None,
    on_deals: Callable[[int, int], None] | None = None,
) -> PushFoldSolution:
    """Solve push or fold before the flop.

    Two players are solved exactly: by a linear programme over the 169 classes where what one gains
    the other loses, else by CFR with exact values. With three to six CFR plays sampled deals; as
    many are drawn anew to measure what it found.

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
        deals: With three and more players, the deals to play; by default 10, 5, 3 and 2 million
            for three to six.
        seconds: With three and more players, stop playing after so many, too.
        seed: The seed of the deals.
        threads: Threads that work, by default one per processor; the result is the same.
        on_boards: While the all-in table is counted, called with the boards done and their number.
        on_deals: While CFR plays, called with the iteration and the deals so far.

    Returns:
        The solution.

    Raises:
        ConfigError: An argument is invalid.
    """
    count = thread_count(threads)
    whole_number("seed", seed, 0)
    optional_whole_number("deals", deals, _LEAST_DEALS, _MOST_DEALS)
    if seconds is not None:
        real_number("seconds", seconds, 0.0, _LONGEST)
    game = PushFold(
        _stacks(stack, seats),
        tuple(blinds),  # type: ignore[arg-type] # it is checked there
        ante,
        big_blind_ante,
        None if payouts is None else tuple(payouts),
        tuple(others),
    )
    if game.seats == 2:
        table = AllInTable.load(count, on_boards)
        return _of_two(game, table, equilibrium(heads_up(game, table)))
    wanted = DEALS[game.seats] if deals is None else deals
    return _of_several(game, wanted, seconds, seed, count, on_deals)


def _stacks(stack: Any, seats: int | None) -> tuple[float, ...]:
    """A stack for each seat."""
    if isinstance(stack, Real):
        number = 2 if seats is None else whole_number("seats", seats, 2, MOST_SEATS)
        return (float(stack),) * number
    stacks = tuple(stack)
    if seats is not None:
        whole_number("seats", seats, len(stacks), len(stacks))
    return stacks


def _of_two(game: PushFold, table: AllInTable, found: Equilibrium) -> PushFoldSolution:
    small, big = game.names
    reached = float(found.push @ table.pairs.sum(axis=1)) / ALL_PAIRS
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


def _of_several(
    game: PushFold,
    deals: int,
    seconds: float | None,
    seed: int,
    threads: int,
    on_deals: Callable[[int, int], None] | None,
) -> PushFoldSolution:
    from equilibrist.poker.preflop.class_tree import push_fold_tree
    from equilibrist.poker.preflop.sampled_cfr import SampledGame, evaluate, solve

    tree, decisions = push_fold_tree(game)
    sampled = SampledGame(tree, game.seats, seed=seed, threads=threads)
    strategy, iterations, played = solve(sampled, deals, seconds, on_deals)
    found = evaluate(sampled, strategy, max(played, _LEAST_DEALS))
    charts = tuple(
        Chart(
            game.names[seat],
            tuple(game.names[each] for each in all_in),
            strategy[k, :, 1],
            found.action_values[k, :, 1] - found.action_values[k, :, 0],
            float(found.reached[k].sum()),
            game.unit,
        )
        for k, (seat, all_in) in enumerate(decisions)
    )
    in_turn = {seat: turn for turn, seat in enumerate(game.names[s] for s in game.order)}
    return PushFoldSolution(
        game=game,
        values=tuple(found.values.tolist()),
        gains=tuple(found.gains.tolist()),
        interval=found.interval,
        standard_errors=tuple(found.errors.tolist()),
        charts=tuple(sorted(charts, key=lambda c: (in_turn[c.seat], len(c.against)))),
        method="CFR",
        iterations=iterations,
        deals=played,
        seed=seed,
    )
