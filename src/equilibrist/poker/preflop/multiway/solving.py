"""Solve a hand of two to six seats with betting before the flop alone, on sampled deals."""

from __future__ import annotations

import os
from typing import Final

from equilibrist.errors import ConfigError
from equilibrist.parsing.arguments import instance, whole_number
from equilibrist.parsing.threads import thread_count
from equilibrist.poker.hands.hand import Hand
from equilibrist.poker.hands.stored import read_stored_hand, stored_hand
from equilibrist.poker.preflop.multiway.hand_tree import check_hand, hand_tree
from equilibrist.poker.preflop.multiway.solution import MultiwaySolution
from equilibrist.poker.preflop.sampled_run import (
    MOST_DEALS,
    SAVE_EVERY,
    SampledCheckpoint,
    SampledRun,
    read_limits,
)
from equilibrist.progress import Callbacks, OnProgress, as_callbacks, shows_progress, timed
from equilibrist.solvers.run.stopping import Stop

DEALS: Final = 1_000_000
"""The deals that CFR plays unless a limit is given."""
COMMAND: Final = "multiway"
"""What checkpoints call these runs."""


@shows_progress
def solve_multiway(
    hand: Hand | None = None,
    *,
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
) -> MultiwaySolution:
    """Solve a hand of several seats whose betting ends before the flop.

    CFR plays sampled deals; as many new ones measure what it found. After the betting the
    board is dealt, or hands are compared without one. Ctrl-C ends CFR after the current iteration;
    the result is then measured on a tenth of its deals.

    Args:
        hand: The hand, with `last_street="preflop"`, or `board=""` for no board; with `resume` it
            may be left out.
        stop: When the run ends: its `deals` and `seconds`. They can be given directly, in its
            place.
        deals: Deals to play, a million by default, with `seconds` as many as there is time for;
            those before a resume count.
        seconds: Play and measure for about so many seconds from the call on: half of them is for
            playing.
        seed: The seed of the deals, 0 by default.
        threads: Threads that share them, by default one per processor; the result is the same.
        checkpoint: A file that takes the state of the run every `checkpoint_every` seconds, and
            when it stops.
        checkpoint_every: Seconds between two checkpoints.
        resume: The checkpoint to resume; it is written again unless `checkpoint` names another
            file.
        callbacks: Functions called as the run progresses.
        progress: Whether a line shows the progress; by default in notebooks and interactive
            sessions.

    Returns:
        The solution.

    Raises:
        ConfigError: An argument is invalid.
        UnsupportedError: The hand has betting after the flop, another deck, or too many seats.
        MemoryBudgetError: The betting has too many nodes.
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
    if hand is not None:
        instance("hand", hand, Hand, "a Hand")
    if saved is not None:
        same = saved.problem(COMMAND, read_stored_hand)
        saved.check_same(None if hand in (None, same) else stored_hand(hand), COMMAND, seed)
        hand, seed = same, saved.seed
        saved.refuse_past("deals", saved.deals, deals)
    if hand is None:
        raise ConfigError("no hand", option="hand", remedy="give a Hand, or `resume`")
    check_hand(hand)
    if deals is None:
        deals = MOST_DEALS if seconds is not None else max(DEALS, saved.deals if saved else 0)
    run = SampledRun(deals, seconds, seed or 0, count, listeners, saved=saved)
    run.saved_to(checkpoint, {COMMAND: stored_hand(hand)}, checkpoint_every)
    seats = hand.rules.seats
    done = run.play(hand_tree(hand).sampled(seats, run.seed, count))
    evaluation = done.evaluation
    return MultiwaySolution(
        hand=hand,
        values=tuple(evaluation.values.tolist()),
        standard_errors=tuple(evaluation.errors.tolist()),
        gains=tuple(evaluation.gains.tolist()),
        intervals=tuple((float(low), float(high)) for low, high in evaluation.intervals),
        interval=evaluation.interval,
        iterations=done.iterations,
        deals=done.deals,
        measured_deals=done.measured_deals,
        seed=run.seed,
        seconds=done.seconds,
        stopped_by=done.stopped_by,
        strategy=done.strategy,
        action_values=evaluation.action_values,
        reached=evaluation.reached,
    )
