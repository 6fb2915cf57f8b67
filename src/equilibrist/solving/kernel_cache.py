"""Kernels ready before they are needed: all of them (`warm_cache`), or those of one run."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Sequence
from functools import cache
from threading import Lock, Thread
from typing import TYPE_CHECKING, Any, Final

from equilibrist._jit.first_run import ALL_FUNCTIONS
from equilibrist._jit.inventory import is_complete, note_complete, present_files
from equilibrist._jit.numba_internals import when_compiled
from equilibrist._jit.places import writable_kernels_dir

if TYPE_CHECKING:
    from equilibrist.progress import Callbacks
    from equilibrist.tree.compile import GameTree

_CHILD: Final = """
import json, sys
groups, sys.path[:] = json.loads(sys.argv[1])
from equilibrist._jit.numba_internals import when_compiled
from equilibrist.solving import kernel_cache
when_compiled(lambda: print(end=".", flush=True))
for group in groups:
    getattr(kernel_cache, group)()
"""


def warm_cache(on_compiled: Callable[[int, int], None] | None = None) -> bool:
    """Compile every kernel for all kinds of arrays, so that no later run has to.

    A second process helps where there are two processors. Kernels that are bound to rules modules
    are compiled when such a game is first solved. Where the cache cannot be written, all is
    compiled in the memory of this process, for this process.

    Args:
        on_compiled: Called as it goes on, with the number of functions that are compiled, and about
            that of all, for a cache that has none of them.

    Returns:
        Whether anything was compiled: False if the cache held all of it.
    """
    keeps = writable_kernels_dir() is not None
    if keeps and is_complete():
        return False
    before = present_files() if keeps else None
    count = _Count(on_compiled)
    stop = when_compiled(count.add)
    others = (
        compile_histories,
        compile_spots,
        compile_rare_spots,
        compile_equities,
        compile_bunching,
    )
    try:
        if keeps and _processors() > 1:
            _side_by_side(compile_games, [*others], count.add)
        else:
            for group in (compile_games, *others):
                group()
    finally:
        stop()
    if not keeps:
        return True
    note_complete()
    return present_files() != before


class _Count:
    """The functions that two processes have compiled."""

    def __init__(self, tell: Callable[[int, int], None] | None) -> None:
        self._tell = tell
        self._functions = 0
        self._lock = Lock()

    def add(self) -> None:
        """Count a function, compiled in either process."""
        if self._tell is not None:
            with self._lock:
                self._functions += 1
                self._tell(self._functions, max(self._functions, ALL_FUNCTIONS))


def _side_by_side(
    here: Callable[[], None], there: Sequence[Callable[[], None]], compiled: Callable[[], None]
) -> None:
    """Run one function in this process and the others, of this module, in a second one.

    `compiled` is called for every function that the second process compiles.
    """
    import subprocess

    # Not multiprocessing, which would run the caller's script once more.
    order = json.dumps([[group.__name__ for group in there], sys.path])
    child = subprocess.Popen(
        [sys.executable, "-c", _CHILD, order],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )

    def listen() -> None:
        while child.stdout is not None and child.stdout.read(1):  # a byte for each function
            compiled()

    listener = Thread(target=listen, daemon=True)
    listener.start()
    try:
        here()
        failed = child.wait() != 0
    finally:
        child.kill()
        child.wait()
        listener.join()
        if child.stdout is not None:
            child.stdout.close()
    if failed:
        for group in there:
            group()  # which says what is wrong


def _processors() -> int:
    """Count the processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def compile_games(kinds: Sequence[str] | None = None, shared: bool = True) -> None:
    """Call every kernel of trees and sequence forms once per kind of arrays.

    Args:
        kinds: The kinds, of `KINDS`; all if None.
        shared: Whether to call those of several threads that share an iteration, too.
    """
    import numpy as np

    from equilibrist._jit import mark_warm
    from equilibrist.equilibria import CorrelationDevice
    from equilibrist.equilibria.concepts import CONCEPTS
    from equilibrist.equilibria.history import PlayHistory
    from equilibrist.equilibria.quantal import quantal_gap
    from equilibrist.evaluation import best_response, evaluate, evaluate_behaviour
    from equilibrist.solvers.full_traversal.abstract_cfr_br import AbstractCFRBR
    from equilibrist.solvers.full_traversal.base import FullTraversals
    from equilibrist.solvers.full_traversal.best_response_solvers import RESPONDING
    from equilibrist.solvers.full_traversal.cfr import CFR
    from equilibrist.solvers.full_traversal.crew import Crew
    from equilibrist.solvers.full_traversal.efr import DeviationRegrets
    from equilibrist.solvers.full_traversal.mixed_play import MixedCFR
    from equilibrist.solvers.full_traversal.mixing import Trembles
    from equilibrist.solvers.pruning.partial import PartialCFR
    from equilibrist.solvers.variants.local_rules import LOCAL_FAMILIES
    from equilibrist.strategy import Strategy

    for kind in KINDS if kinds is None else kinds:
        tree = small_game(kind)
        solver = CFR(tree, "dcfr").run(2)
        strategy = solver.average_strategy()
        evaluate(strategy)
        best_response(strategy, 0)
        strategy.mix(Strategy.uniform(tree), 0.5)
        quantal_gap(strategy, 1.0)
        local = [family() for family in LOCAL_FAMILIES.values()]
        for rule in (*local, DeviationRegrets(), *RESPONDING.values()):
            FullTraversals(tree, rule).run(2)
            mark_warm(rule.compiled, rule.compiled_for + kind)
        responding = AbstractCFRBR(tree, tree, np.arange(int(tree.action_offset[-1]))).run(2)
        mark_warm(responding.compiled, kind)
        mixed = MixedCFR(tree, "dcfr", Trembles(0.01)).run(2)
        mark_warm(mixed.variant.compiled, mixed.variant.compiled_for + kind)
        for concept in CONCEPTS:
            watched = CFR(tree, "dcfr", alternating=False)
            watched.watch(history := PlayHistory(tree, concept))
            watched.run(2)
            history.gap()
            CorrelationDevice.of([strategy]).gaps(concept)
            mark_warm(watched.compiled, watched.compiled_for + kind)
        for pruned in ("dcfr", "hedge"):
            partial = PartialCFR(tree, pruned).run(2)
            mark_warm(partial.compiled, partial.variant.compiled_for + kind)
        crew = Crew(tree.sequence_form, 1)
        parallel = (solver.variant, *(rule for rule in local if rule.parallel))
        for parallel_rule in parallel if shared else ():
            several = FullTraversals(tree, parallel_rule)
            several.use_crew(crew)
            evaluate_behaviour(tree, several.run(2).average_behaviour(), crew)
            mark_warm(several.compiled, several.compiled_for + kind)
        for kernel in (
            solver.compiled,
            "equilibrist.kernels.sequence_form.response.evaluate",
        ):
            mark_warm(kernel, kind)


def compile_histories() -> None:
    """Call every kernel that visits histories once: those of samplers, and of imperfect recall."""
    from equilibrist._jit import mark_warm
    from equilibrist.evaluation import local_best_response
    from equilibrist.solvers.full_traversal.fsicfr import FSICFR
    from equilibrist.solvers.full_traversal.history_cfr import HISTORY_KERNEL, HistoryCFR
    from equilibrist.solvers.pruning.methods import BestResponse, Interval
    from equilibrist.solvers.pruning.pruned_cfr import PrunedCFR
    from equilibrist.solvers.sampling.averaging import SEPARATE_AVERAGES
    from equilibrist.solvers.sampling.mccfr import MCCFR
    from equilibrist.solvers.sampling.samplers import SAMPLERS
    from equilibrist.strategy import Strategy

    tree = small_game(KINDS[0])
    uniform = Strategy.uniform(tree)
    local_best_response(uniform, 0, uniform)
    HistoryCFR(tree, "dcfr").run(2)
    mark_warm(HISTORY_KERNEL, "")
    for way in (Interval(), BestResponse()):
        skipping = PrunedCFR(tree, "cfr", way).run(2)
        mark_warm(skipping.compiled, "")
    for name, sampler in SAMPLERS.items():
        for averaging in (*sampler.averagings, *SEPARATE_AVERAGES):
            MCCFR(tree, sampler=name, averaging=averaging).run(2).average_strategy()
    for name in (
        "external(prune=1)",
        "external(baseline=learned)",
        "external(baseline=learned,prune=1)",
        "outcome(baseline=learned)",
        "chance(prune=1)",
        "public-chance(prune=1)",
    ):
        MCCFR(tree, sampler=name).run(2)
    FSICFR("kuhn").run(2)


def compile_spots() -> None:
    """Call every kernel of spots once per kind of spot and storage."""
    from equilibrist.poker.postflop.solving.spot_runs import solve
    from equilibrist.poker.postflop.spot.fields import Storage
    from equilibrist.poker.postflop.spot.spot import Spot
    from equilibrist.poker.three_players.solving import solve_three
    from equilibrist.poker.three_players.spot import ThreeSpot

    keys: dict[str, Any] = {"board": "Ts3h2h5c", "oop": "AsAh", "ip": "KsKh", "pot": 2, "stack": 2}
    turn = Spot(**keys, bets="a")
    solve(turn.replace(board="Ts3h2h5c9s"), iterations=1).at()
    solve(turn, iterations=1).at()
    three = keys | {"board": "Ts3h2h5c9s", "middle": "QsQh"}
    solve_three(ThreeSpot(**three, bets="a"), iterations=1)
    storages: tuple[Storage, ...] = ("float32", "int16", "float64")
    for storage in storages:
        solve(turn.replace(locks=["X: X 1"]), iterations=1, storage=storage).at()


def compile_rare_spots() -> None:
    """Call the kernels of three players on flops and turns, prizes, trembles, logit responses."""
    from equilibrist.poker.postflop.solving.spot_runs import solve
    from equilibrist.poker.postflop.spot.spot import Spot
    from equilibrist.poker.three_players.solving import solve_three
    from equilibrist.poker.three_players.spot import ThreeSpot

    keys: dict[str, Any] = {"board": "Ts3h2h5c", "oop": "AsAh", "ip": "KsKh", "pot": 2, "stack": 2}
    three = ThreeSpot(**keys, middle="QsQh", bets="a")
    solve_three(three, iterations=1, threads=1).at("X-X-X|9s")
    flop = ThreeSpot(**keys | {"board": "Ts3h2h"}, middle="QsQh", bets="a")
    solve_three(flop, iterations=1, threads=1).at("X-X-X|9s")
    turn = Spot(**keys, bets="a")
    solve(turn.replace(payouts=[3, 2]), iterations=1).at()
    solve(turn, iterations=1, tremble=0.01)
    solve(turn, iterations=1, quantal=0.5)


def compile_equities() -> None:
    """Call every kernel that compares hands once."""
    import numpy as np

    from equilibrist.poker.cards.evaluator import hand_strengths
    from equilibrist.poker.equities.equity import equity
    from equilibrist.poker.equities.multiway import multiway_equity

    equity("AsAh", "KsKh", samples=100)
    multiway_equity(["AsAh", "KsKh", "QsQh"], samples=100)
    multiway_equity(["AsAh", "KsKh", "QsQh"], "2c3c4d5d7h")
    for cards in (5, 6, 7):
        hand_strengths(np.arange(cards)[None])


def compile_bunching() -> None:
    """Call every kernel of equities and of spots behind folded ranges once."""
    from equilibrist.poker.equities.equity import equity
    from equilibrist.poker.postflop.solving.spot_runs import solve
    from equilibrist.poker.postflop.spot.fields import STORAGES
    from equilibrist.poker.postflop.spot.spot import Spot

    for samples in (None, 100):
        equity("AsAh", "KsKh", "2c3c4d", folded=["QsQh"], samples=samples)
    keys: dict[str, Any] = {"board": "Ts3h2h5c", "oop": "AsAh", "ip": "KsKh", "pot": 2, "stack": 2}
    folded = ["QsQh", "JsJh", "9s9h"]
    few, many = (Spot(**keys, bets="a", folded=folded[:players]) for players in (1, 3))
    solve(many, iterations=1).at()
    for storage in STORAGES:
        solve(few, iterations=1, storage=storage).at()


def load_kernels(
    callbacks: Callbacks,
    last: str,
    tree: GameTree,
    solver_of: Callable[[GameTree], Any] | None = None,
    compiled_for: str = "",
) -> None:
    """Have the kernels ready before the clock starts, so that `seconds` counts solving only.

    `last` names one of those that are needed: if it is not on disk, they are compiled now.
    `compiled_for` is what it must be compiled for besides the types of arrays. A small game will
    do, if its arrays are of the same types; `solver_of` is the solver of it.
    """
    from equilibrist._jit import cache_is_warm, mark_warm
    from equilibrist._jit.first_run import compiling_text
    from equilibrist.evaluation import evaluate, evaluate_behaviour
    from equilibrist.solvers.full_traversal.crew import TOGETHER, Crew
    from equilibrist.solving.modifiers.watched_play import played_gap
    from equilibrist.strategy import Strategy

    kind = array_kind(tree)
    if not cache_is_warm(last, compiled_for + kind):
        callbacks.stage(compiling_text(last))
    else:
        callbacks.clock.enter("loading")
    small = small_game(kind)
    if solver_of is None:
        evaluate(Strategy.uniform(small))
    else:
        trial = solver_of(small)
        if compiled_for.startswith(TOGETHER):  # which such a game does without
            trial.use_crew(Crew(small.sequence_form, 1))
        evaluate_behaviour(small, trial.run(1).average_behaviour(), trial.crew)
        if trial.watcher is not None:
            played_gap(trial)
    mark_warm(last, compiled_for + kind)


def load_history_kernel(
    callbacks: Callbacks,
    tree: GameTree,
    solver_of: Callable[[GameTree], Any],
    kernel: str,
    kind: str = "",
) -> None:
    """Have a kernel ready that visits histories, and those that measure in `tree`.

    `kind` is the `array_kind` of the sequence form that it reads besides, if it reads one.
    """
    from equilibrist._jit import cache_is_warm, mark_warm
    from equilibrist._jit.first_run import compiling_text

    load_kernels(callbacks, "equilibrist.kernels.sequence_form.response.evaluate", tree)
    if not cache_is_warm(kernel, kind):
        callbacks.stage(compiling_text(kernel))
    solver_of(small_game(kind or "two-32")).run(1)
    mark_warm(kernel, kind)


def array_kind(tree: GameTree) -> str:
    """Name what kernels are compiled for: `two` or `many` players, and bits of a payoff cell."""
    a = tree.sequence_form.arrays
    return f"{'two' if a.outer_index.ndim == 1 else 'many'}-{8 * a.cell.itemsize}"


@cache
def small_game(kind: str) -> GameTree:
    """A game of that kind on which to try what a larger one will need."""
    from equilibrist.game_loading import compile_game
    from equilibrist.games import load_game

    players, bits = kind.split("-")
    tree = compile_game(load_game("kuhn" if players == "two" else "kuhn(players=3)"))
    if bits == "64":  # no small game needs them: this one is given them in place of its own
        tree.__dict__["sequence_form"] = tree.sequence_form.widened()
    return tree


KINDS = ("two-32", "two-64", "many-32", "many-64")
"""Every `array_kind`."""
