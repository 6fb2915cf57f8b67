"""Solve a push-or-fold game: two players exactly, more by CFR on sampled deals."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from numbers import Real
from typing import TYPE_CHECKING, Any, Final

from equilibrist.errors import ConfigError
from equilibrist.formatting.amounts import counted
from equilibrist.parsing.arguments import several, whole_number
from equilibrist.parsing.threads import thread_count
from equilibrist.poker.decisions.decision import Decision
from equilibrist.poker.hands.hand import Hand
from equilibrist.poker.preflop.allin_counts import ALL_PAIRS
from equilibrist.poker.preflop.allin_table import AllInTable
from equilibrist.poker.preflop.push_fold.game import (
    MOST_SEATS,
    PushFold,
    push_fold_keys,
    push_fold_of,
)
from equilibrist.poker.preflop.push_fold.heads_up import Equilibrium, equilibrium, heads_up
from equilibrist.poker.preflop.push_fold.solution import PushFoldSolution, chart_of
from equilibrist.poker.preflop.sampled_run import (
    SAVE_EVERY,
    SampledCheckpoint,
    SampledRun,
    read_limits,
)
from equilibrist.poker.tournaments.prizes import amount_above_0
from equilibrist.progress import Callbacks, OnProgress, as_callbacks, shows_progress, timed
from equilibrist.solvers.run.stopping import Stop

if TYPE_CHECKING:
    from equilibrist.kernels.preflop.sampled_values import ClassTree
    from equilibrist.poker.preflop.class_tree import Branch, Ending

DEALS: Final = {3: 10_000_000, 4: 5_000_000, 5: 3_000_000, 6: 2_000_000}
"""By the number of seats: the deals that CFR plays unless a number is given."""
_PAYOUTS: Final = "numbers, such as 50, 30, 20"
COMMAND: Final = "pushfold"
"""What checkpoints call these runs."""


@shows_progress
def push_fold(
    stack: float | Sequence[float] | Hand | None = None,
    *,
    seats: int | None = None,
    blinds: tuple[float, float] = (0.5, 1.0),
    ante: float = 0.0,
    big_blind_ante: float = 0.0,
    payouts: Sequence[float] | None = None,
    others: Sequence[float] = (),
    stop: Stop | None = None,
    deals: int | None = None,
    seconds: float | None = None,
    seed: int | None = None,
    threads: int | None = None,
    checkpoint: str | os.PathLike[str] | None = None,
    checkpoint_every: float = SAVE_EVERY,
    resume: str | os.PathLike[str] | None = None,
    callbacks: Callbacks | OnProgress | None = None,
    progress: bool | None = None,  # noqa: ARG001 - read by shows_progress
) -> PushFoldSolution:
    """Solve push or fold before the flop.

    Two players are solved exactly: by a linear programme over the 169 classes where what one gains
    the other loses, else by CFR with exact values. With three to six CFR plays sampled deals; as
    many new ones measure what it found, or fewer where `seconds` ends that.

    Args:
        stack: The stack of every seat before blinds and antes, or a stack for each seat in the
            order of posting: small blind, big blind, under the gun ... button; or a hand, whose
            stacks, blinds and antes are taken. With `resume` it may be left out, and the rest of
            the game with it.
        seats: The number of players, two by default, or as many as there are stacks.
        blinds: The small and the big blind; stacks and antes are in the same unit.
        ante: What every seat posts besides.
        big_blind_ante: What the big blind posts as an ante for all.
        payouts: The payouts of a tournament from the first place down; values are then shares of
            the prize pool by the independent chip model.
        others: With payouts, the stacks of players who are not in the hand.
        stop: With three and more players, when the run ends: its `deals` and `seconds`. They can be
            given directly, in its place.
        deals: With three and more players, the deals to play; by default 10, 5, 3 and 2 million
            for three to six. Those before a resume count.
        seconds: With three and more players, play and measure for about so many from the call on,
            too: half of them is for playing.
        seed: With three and more players, the seed of the deals, 0 by default.
        threads: Threads that work, by default one per processor; the result is the same.
        checkpoint: With three and more players, a file that takes the state of the run every
            `checkpoint_every` seconds, and when it stops.
        checkpoint_every: Seconds between two checkpoints.
        resume: The checkpoint to resume; it is written again unless `checkpoint` names another
            file.
        callbacks: Functions called as the run progresses. For two players `on_stage` is told how
            far the all-in table is counted, if it must be.
        progress: Whether a line shows the progress; by default in notebooks and interactive
            sessions.

    Ctrl-C ends CFR after the current iteration; the result is measured on a tenth of its deals.

    Returns:
        The solution.

    Raises:
        ConfigError: An argument is invalid.
        UnsupportedError: The hand has a straddle, a limit, or another deck than hold'em.
        CheckpointError: The checkpoint to resume is missing, damaged or of another run, or a new
            run would overwrite one.
        OutputError: The checkpoint cannot be written.
    """
    listeners = timed(as_callbacks(callbacks))
    count = thread_count(threads)
    if seed is not None:
        whole_number("seed", seed, 0)
    limits = read_limits(stop, deals, seconds)
    deals, seconds = limits.deals, limits.seconds
    saved = None if resume is None else SampledCheckpoint(resume)
    asked_for = None
    if isinstance(stack, Hand):
        blinds = tuple(several("blinds", blinds, "a small and a big blind"))
        _refuse_beside_hand(seats, blinds, ante, big_blind_ante)
        asked_for = push_fold_game(**push_fold_keys(stack), payouts=payouts, others=others)
    elif stack is not None:
        asked_for = push_fold_game(
            stack, seats, blinds=blinds, ante=ante, big_blind_ante=big_blind_ante,
            payouts=payouts, others=others,
        )  # fmt: skip
    if saved is None:
        game = _needed(asked_for)
    else:
        saved.check_same(None if asked_for is None else asked_for.to_dict(), COMMAND, seed)
        game, seed = saved.problem(COMMAND, push_fold_of), saved.seed
        saved.refuse_past("deals", saved.deals, deals)
    if game.seats == 2:
        _refuse_for_two(deals=deals, seconds=seconds, seed=seed, checkpoint=checkpoint)
        table = AllInTable.load(count, _counting(listeners))
        return _of_two(game, table, equilibrium(heads_up(game, table)))
    wanted = max(DEALS[game.seats], saved.deals if saved else 0) if deals is None else deals
    run = SampledRun(wanted, seconds, seed or 0, count, listeners, saved=saved)
    run.saved_to(checkpoint, {COMMAND: game.to_dict()}, checkpoint_every)
    return _of_several(game, run)


def _counting(callbacks: Callbacks) -> Callable[[int, int], None]:
    """What is told the boards that are counted, and their number."""

    def tell(boards: int, number: int) -> None:
        callbacks.stage(f"counting all-in showdowns: {boards:,} of {number:,} boards")

    return tell


def _refuse_beside_hand(
    seats: int | None, blinds: tuple[float, ...], ante: float, big_blind_ante: float
) -> None:
    """Raise ConfigError for arguments that the hand has already."""
    own = {"seats": seats, "blinds": blinds, "ante": ante, "big_blind_ante": big_blind_ante}
    left_out = {"seats": None, "blinds": (0.5, 1.0), "ante": 0.0, "big_blind_ante": 0.0}
    for name, value in own.items():
        if value != left_out[name]:
            raise ConfigError(
                f"{name} is given, and the hand has its own",
                option=name,
                given=value,
                remedy="leave it out, or change the hand with `hand.replace`",
            )


def push_fold_game(
    stack: float | Sequence[float],
    seats: int | None = None,
    *,
    blinds: Sequence[float] = (0.5, 1.0),
    ante: float = 0.0,
    big_blind_ante: float = 0.0,
    payouts: Sequence[float] | None = None,
    others: Sequence[float] = (),
) -> PushFold:
    """The game of the arguments of `push_fold`; raises ConfigError, which names the argument."""
    try:
        return PushFold(
            _stacks(stack, seats),
            tuple(several("blinds", blinds, "a small and a big blind")),
            ante,
            big_blind_ante,
            None if payouts is None else tuple(several("payouts", payouts, _PAYOUTS)),
            tuple(several("others", others, "stacks of other players")),
        )
    except ConfigError as error:
        if error.option == "stacks" and isinstance(stack, Real):
            error.option = "stack"
        raise


def _needed(game: PushFold | None) -> PushFold:
    if game is None:
        raise ConfigError(
            "the stacks are missing",
            option="stack",
            expected="a stack for all seats, or one for each",
            remedy="give a stack, or a checkpoint to resume",
        )
    return game


def _refuse_for_two(**options: Any) -> None:
    """Raise ConfigError for what only sampled deals have a use of."""
    for name, value in options.items():
        if value is not None:
            raise ConfigError(
                f"{name} is for three and more players, and two are solved exactly",
                option=name,
                given=value,
                remedy="leave it out, or give more seats",
            )


def _stacks(stack: Any, seats: int | None) -> tuple[float, ...]:
    """A stack for each seat."""
    number = None if seats is None else whole_number("seats", seats, 2, MOST_SEATS)
    if isinstance(stack, Real):
        return (amount_above_0("stack", stack, "stack"),) * (number or 2)
    stacks = tuple(several("stacks", stack, "a stack for each seat"))
    if number not in (None, len(stacks)):
        raise ConfigError(
            f"{counted(len(stacks), 'stack')} cannot be those of {number} seats",
            option="seats",
            given=number,
            expected=len(stacks),
            remedy="give one for each seat, the small blind's first, or leave out the seats",
        )
    return stacks


def _of_two(game: PushFold, table: AllInTable, equilibrium: Equilibrium) -> PushFoldSolution:
    reached = float(equilibrium.push @ table.pairs.sum(axis=1)) / ALL_PAIRS
    charts: tuple[Decision, ...] = ()
    if game.next_turn(0, ()) is not None:
        charts = (chart_of(game, 0, (), equilibrium.push, equilibrium.push_gains, 1.0),)
    if charts and game.next_turn(1, (0,)) is not None:
        chart = chart_of(game, 1, (0,), equilibrium.call, equilibrium.call_gains, reached)
        charts = (*charts, chart)
    method = "CFR" if equilibrium.iterations else "linear programme"
    return PushFoldSolution(
        game=game,
        values=equilibrium.values,
        gains=equilibrium.gains,
        interval=None,
        standard_errors=None,
        charts=charts,
        method=method if len(charts) == game.seats else "best response",
        iterations=equilibrium.iterations,
        deals=0,
        seed=0,
    )


def _of_several(game: PushFold, run: SampledRun) -> PushFoldSolution:
    from equilibrist.poker.preflop.sampled_cfr import SampledGame

    tree, decisions = push_fold_tree(game)
    done = run.play(SampledGame(tree, game.seats, seed=run.seed, threads=run.threads))
    strategy, evaluation = done.strategy, done.evaluation
    charts = tuple(
        chart_of(
            game,
            seat,
            all_in,
            strategy[k, :, 1],
            evaluation.action_values[k, :, 1] - evaluation.action_values[k, :, 0],
            float(evaluation.reached[k].sum()),
        )
        for k, (seat, all_in) in enumerate(decisions)
    )
    return PushFoldSolution(
        game=game,
        values=tuple(evaluation.values.tolist()),
        gains=tuple(evaluation.gains.tolist()),
        interval=evaluation.interval,
        standard_errors=tuple(evaluation.errors.tolist()),
        charts=tuple(sorted(charts, key=lambda c: (game.order.index(c.seat), c.line.count("A")))),
        method="CFR",
        iterations=done.iterations,
        deals=done.deals,
        seed=run.seed,
        measured_deals=done.measured_deals,
        stopped_by=done.stopped_by,
    )


def push_fold_tree(game: PushFold) -> tuple[ClassTree, list[tuple[int, tuple[int, ...]]]]:
    """The tree of a push-or-fold game, and for each decision who acts and who is all-in."""
    from equilibrist.poker.preflop.class_tree import Branch, Ending, class_tree

    decisions: list[tuple[int, tuple[int, ...]]] = []

    def node(begin: int, all_in: tuple[int, ...]) -> Branch | Ending:
        turn = game.next_turn(begin, all_in)
        if turn is None:
            return Ending(game.contenders(all_in), game.values(all_in))
        seat = game.order[turn]
        decisions.append((seat, all_in))
        return Branch(seat, (node(turn + 1, all_in), node(turn + 1, (*all_in, seat))))

    return class_tree(node(0, ()), game.seats), decisions
