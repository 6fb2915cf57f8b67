"""Running what is compared: the entries one after the other, or all runs side by side."""

from __future__ import annotations

import math
import threading
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from equilibrist.errors import ConfigError, EquilibristError, MemoryBudgetError
from equilibrist.formatting.amounts import counted
from equilibrist.progress import Callbacks, OnProgress, Progress, timed
from equilibrist.results import ImplicitResult, Result
from equilibrist.results.comparison import ComparedRun, FailedRun
from equilibrist.solvers.run.interrupt import noted_interrupts
from equilibrist.solving.algorithm import Algorithm
from equilibrist.solving.comparison_runs.contenders import Contender
from equilibrist.solving.comparison_runs.turns import Turns
from equilibrist.solving.config import SolveConfig
from equilibrist.solving.modifiers.warm_start import StrategySource
from equilibrist.solving.option_fit import EXACT
from equilibrist.solving.running import run
from equilibrist.tree.compile import GameTree
from equilibrist.tree.walk.budget import default_memory

_WATCHED = 0.1
"""Seconds between two looks whether Ctrl-C was pressed."""
_PER_SEQUENCE = 64
_PER_HISTORY = 16
"""Bytes of the state and the working memory of a run, for a sequence and for a history."""


@dataclass(frozen=True)
class Planned:
    """An entry of a comparison.

    Attributes:
        name: Its name as it was given.
        algorithm: The algorithm.
        configs: How it runs, one for each seed and repeat.
    """

    name: str
    algorithm: Algorithm | Contender | str
    configs: tuple[SolveConfig, ...]


def run_in_order(
    tree: GameTree, entries: Sequence[Planned], warm: StrategySource | None, callbacks: Callbacks
) -> tuple[list[ComparedRun], list[FailedRun]]:
    """Run one after the other.

    Args:
        tree: The game.
        entries: What runs.
        warm: Where those begin whose configuration says so.
        callbacks: What is told.

    Returns:
        The entries that ended, and those that failed.

    Raises:
        EquilibristError: The first error, if all fail.
    """
    ended: list[ComparedRun] = []
    failed: list[FailedRun] = []
    for entry in entries:
        results: list[Result] = []
        runs_text = f", {len(entry.configs)} runs" if len(entry.configs) > 1 else ""
        callbacks.stage(f"running {entry.name}{runs_text}")
        for k, config in enumerate(entry.configs):
            own = Callbacks(_named(callbacks.on_progress, entry.name, k))  # stages are not reported
            try:
                results.append(_run(tree, entry, config, own, warm))
            except EquilibristError as error:
                failed.append(FailedRun(entry.name, error))
                break
            if results[-1].stopped_by == "interrupted":
                break
        if results:
            ended.append(ComparedRun(entry.name, results[0], tuple(results[1:])))
            if results[-1].stopped_by == "interrupted":
                break
    if not ended:
        raise failed[0].error
    return ended, failed


def run_side_by_side(
    tree: GameTree, entries: Sequence[Planned], warm: StrategySource | None, callbacks: Callbacks
) -> tuple[list[ComparedRun], list[FailedRun]]:
    """Run all at the same time in slices of about 50 ms, always the one with the fewest seconds.

    What does not iterate runs when all others have ended. Arguments and results are those of
    `run_in_order`; runs that had not begun when Ctrl-C was pressed are left out.

    Raises:
        ConfigError: So many runs at once do not fit into memory.
        EquilibristError: The first error, if all fail.
    """
    lanes = [(entry, k) for entry in entries for k in range(len(entry.configs))]
    _check_memory(tree, len(lanes), entries[0].configs[0].memory)
    callbacks.stage(f"running {counted(len(lanes), 'run')} side by side")
    turns = Turns([math.inf if entry.algorithm in EXACT else 0.0 for entry, _ in lanes])
    results: dict[int, Result] = {}
    errors: dict[int, BaseException] = {}

    def run_lane(lane: int) -> None:
        entry, k = lanes[lane]
        tell = _named(callbacks.on_progress, entry.name, k)
        try:
            with turns.part_of(lane):
                if not turns.ends:
                    own = _in_turn(tell, turns, lane)
                    results[lane] = _run(tree, entry, entry.configs[k], own, warm)
        except EquilibristError as error:
            errors[lane] = error
        except BaseException as error:
            errors[lane] = error
            turns.end()

    threads = [
        threading.Thread(target=run_lane, args=(lane,), daemon=True) for lane in range(len(lanes))
    ]
    for thread in threads:
        thread.start()
    with noted_interrupts() as interrupt:
        turns.begin()
        try:
            while not turns.over(_WATCHED):
                if interrupt.requested:
                    turns.end()
        finally:
            turns.end()
    for error in errors.values():
        if not isinstance(error, EquilibristError):
            raise error
    return _gathered(entries, lanes, results, errors)


def _gathered(
    entries: Sequence[Planned],
    lanes: Sequence[tuple[Planned, int]],
    results: dict[int, Result],
    errors: dict[int, BaseException],
) -> tuple[list[ComparedRun], list[FailedRun]]:
    """Gather what came out, entry by entry; raises the first error if all failed."""
    ended, failed = [], []
    for planned in entries:
        own = [lane for lane, (entry, _) in enumerate(lanes) if entry is planned]
        finished = [results[lane] for lane in own if lane in results]
        refused = [errors[lane] for lane in own if lane in errors]
        if finished:
            ended.append(ComparedRun(planned.name, finished[0], tuple(finished[1:])))
        if refused:
            assert isinstance(refused[0], EquilibristError)
            failed.append(FailedRun(planned.name, refused[0]))
    if not ended and not failed:
        raise KeyboardInterrupt
    if not ended:
        raise failed[0].error
    return ended, failed


def _run(
    tree: GameTree,
    entry: Planned,
    config: SolveConfig,
    callbacks: Callbacks,
    warm: StrategySource | None,
) -> Result:
    try:
        if isinstance(entry.algorithm, Contender):
            return entry.algorithm.run(tree, config, callbacks)
        start = None if config.warm_start is None else warm
        result, _ = run(tree, entry.algorithm, config, callbacks, start)
    except MemoryError:
        raise MemoryBudgetError(
            f"out of memory for {entry.name}",
            tree.num_nodes,
            option="algorithm",
            given=entry.name,
            remedy="Choose a smaller game, or another algorithm",
        ) from None
    assert not isinstance(result, ImplicitResult)
    return result


def _named(tell: OnProgress | None, name: str, k: int) -> OnProgress | None:
    """Wrap a listener so that it hears the name of the entry as the algorithm."""
    if tell is None:
        return None
    return lambda progress: tell(replace(progress, algorithm=name, run=k))


def _in_turn(tell: OnProgress | None, turns: Turns, lane: int) -> Callbacks:
    """Callbacks of a run that hands over its turn after each slice."""

    def on_progress(progress: Progress) -> bool:
        answer = None
        try:
            answer = None if tell is None else tell(progress)
        except BaseException:
            turns.end()
            raise
        if isinstance(answer, bool | np.bool_) and not answer:
            return False
        own.clock.pause(turns.hand_over(lane, progress.seconds))
        if turns.ends:
            raise KeyboardInterrupt
        return True

    own = timed(Callbacks(on_progress), limits=False)
    return own


def _check_memory(tree: GameTree, runs: int, memory: int | None) -> None:
    """Refuse more runs at once than fit; the loop of each would fail later."""
    bytes_per_run = _PER_SEQUENCE * tree.num_sequences + _PER_HISTORY * tree.num_nodes
    max_bytes = default_memory() if memory is None else memory
    if runs * bytes_per_run > max_bytes:
        raise ConfigError(
            f"{runs} runs side by side need about {runs * bytes_per_run / 1e6:,.0f} MB beside "
            "the game",
            option="side_by_side",
            given=runs,
            expected=f"at most {max_bytes / 1e6:,.0f} MB",
            remedy="run them one after the other, compare fewer algorithms, or take fewer seeds",
        )
