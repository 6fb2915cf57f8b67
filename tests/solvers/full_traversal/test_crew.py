"""Full traversals that several threads share: the bits of one thread, whatever interrupts them."""

from __future__ import annotations

import copy
import pickle
import queue
import subprocess
import sys
import threading
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import equilibrist as eq
from equilibrist.errors import ConfigError
from equilibrist.evaluation import evaluate_behaviour
from equilibrist.game_loading import compile_game
from equilibrist.kernels.sequence_form.shared import Team
from equilibrist.solvers import CFR
from equilibrist.solvers.full_traversal import crew as crews
from equilibrist.solvers.full_traversal import pace as paces
from equilibrist.solvers.full_traversal.base import FullTraversals
from equilibrist.solvers.full_traversal.best_response_solvers import RESPONDING
from equilibrist.solvers.full_traversal.crew import Crew, shares_of, useful_threads
from equilibrist.solvers.full_traversal.pace import Pace
from equilibrist.solvers.variants.local_rules import LOCAL_FAMILIES
from equilibrist.solvers.variants.registry import VARIANTS
from equilibrist.tree.compile import GameTree
from tests.refusals import refuses
from tests.slow_cases import slow
from tests.solve_options import grouped
from tests.solvers.run.forked import needs_fork, survives_a_fork

RANDOM = (
    "random_tree(seed=1,players=1,depth=6,zero_sum=false)",
    "random_tree(seed=2,depth=6,branching=4)",
    "random_tree(seed=5,players=4,depth=8,zero_sum=false)",
    "random_tree(seed=6,depth=4,branching=11,stop=0,signals=3,forced=0.3)",
    "random_tree(seed=8,players=3,depth=9,forced=0.6,zero_sum=false,stop=0)",
)
GAMES = ("kuhn", "kuhn(players=3)", "leduc", "liars_dice(sides=4)", *RANDOM)
LARGE = "liars_dice(sides=5)"
"""Many groups at each depth."""
HORIZON = 40
RULES = [*VARIANTS, *(name for name, make in LOCAL_FAMILIES.items() if make().parallel)]


@cache
def tree_of(name: str) -> GameTree:
    return compile_game(name)


@pytest.fixture
def always_shared(monkeypatch: pytest.MonkeyPatch) -> None:
    """Games of any size are shared, and steps of any size, by all threads at any time."""
    share(monkeypatch)
    monkeypatch.setattr(crews, "_LEAST_STEP", 0)


def share(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(crews, "_LEAST_WORK", 1)
    monkeypatch.setattr(Pace, "iterations", lambda _: 1 << 30)
    monkeypatch.setattr(Pace, "note", lambda *_: None)


def solver(name: str, algorithm: str, threads: int, alternating: bool | None = None) -> CFR:
    made = CFR(tree_of(name), algorithm, alternating=alternating, horizon=HORIZON, threads=threads)
    assert made.threads == threads
    return made


def same_bits(one: FullTraversals, other: FullTraversals) -> bool:
    """Whether all that the coming iterations depend on is the same, the signs of zeros included."""
    mine, others = one.state, other.state
    arrays = ("regret", "behaviour", "strategy_sum")
    return (
        one.iteration == other.iteration
        and all(getattr(mine, n).tobytes() == getattr(others, n).tobytes() for n in arrays)
        and all(mine.kept[n].tobytes() == others.kept[n].tobytes() for n in mine.kept)
        and one._reach.tobytes() == other._reach.tobytes()
    )


SHARED = [
    *((name, 2) for name in GAMES),
    *((name, n) for name in ("leduc", RANDOM[2]) for n in (3, 5)),
]


@pytest.mark.slow  # compiles all rules; `test_a_large_game` runs one of them
@pytest.mark.usefixtures("always_shared")
@pytest.mark.parametrize("alternating", [True, False])
@pytest.mark.parametrize(("name", "threads"), SHARED)
def test_any_number_of_threads_gives_the_same_bits(
    name: str, threads: int, alternating: bool
) -> None:
    """The rules by turns: a third of them in each case, each of them in several games."""
    for algorithm in RULES[(SHARED.index((name, threads)) + alternating) % 3 :: 3]:
        one = solver(name, algorithm, 1, alternating)
        several = solver(name, algorithm, threads, alternating)
        for count in (1, 2, 20):
            assert same_bits(one.run(count), several.run(count)), algorithm
        behaviour = one.average_behaviour()
        alone = evaluate_behaviour(one.tree, behaviour)
        assert evaluate_behaviour(one.tree, behaviour, several.crew) == alone
        several.close()


@pytest.mark.by_default(2)
@pytest.mark.parametrize("steps", [0, 300, 10**9])
@pytest.mark.parametrize("threads", [2, 3, 5])
@pytest.mark.parametrize("name", [LARGE, slow("leduc(players=3)")])
def test_a_large_game(name: str, threads: int, steps: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Steps of few sequences are one thread's."""
    share(monkeypatch)
    monkeypatch.setattr(crews, "_LEAST_STEP", steps)
    one, several = solver(name, "dcfr", 1), solver(name, "dcfr", threads)
    assert same_bits(one.run(7), several.run(7))
    behaviour = one.average_behaviour()
    alone = evaluate_behaviour(one.tree, behaviour)
    assert evaluate_behaviour(one.tree, behaviour, several.crew) == alone


def test_threads_and_one_alone_take_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    """With trials that take no time the way may change with every piece."""
    monkeypatch.setattr(crews, "_LEAST_WORK", 1)
    monkeypatch.setattr(paces, "_TRIAL", 0.0)
    several, ways = solver("leduc", "dcfr", 3), []
    real = Pace.note

    def note(pace: Pace, iterations: int, seconds: float) -> None:
        ways.append(pace.together)
        real(pace, iterations, 0.001)  # both are equally fast

    monkeypatch.setattr(Pace, "note", note)
    assert same_bits(several.run(300), solver("leduc", "dcfr", 1).run(300))
    assert {True, False} == set(ways)


@pytest.mark.parametrize(("together", "threads"), [(True, 3), (False, 1)])
def test_all_threads_work_or_one_by_itself(together: bool, threads: int) -> None:
    """Which the bits do not show: they are the same."""
    crew = Crew(tree_of("leduc").sequence_form, 3)
    crew.pace.together = together
    teams: queue.Queue[Team] = queue.Queue()
    crew.run(teams.put, crew.counters())
    begun = [teams.get(timeout=60) for _ in range(threads)]
    assert sorted(team.thread for team in begun) == list(range(threads))
    assert {team.threads for team in begun} == {threads}
    assert {len(team.shares.step_group[0]) for team in begun} == {threads + 1}


def paced(pace: Pace, seconds: float, *, together: float, alone: float) -> tuple[float, float]:
    """Seconds that pass with all threads and with one, if iterations take so long."""
    spent = {True: 0.0, False: 0.0}
    while sum(spent.values()) < seconds:
        count = pace.iterations()
        way, each = pace.together, together if pace.together else alone
        assert count * each < 2.0  # planned at the speed of the pieces before
        pace.note(count, count * each)
        spent[way] += count * each
    return spent[True], spent[False]


@pytest.mark.parametrize("scale", [1e-5, 1e-3, 0.3])
def test_the_faster_way_is_found(scale: float) -> None:
    """And found again when another becomes the faster."""
    pace = Pace()
    threads, one = paced(pace, 600 * scale + 20, together=scale, alone=1.7 * scale)
    assert threads > 20 * one
    threads, one = paced(pace, 600 * scale + 20, together=5.0 * scale, alone=1.7 * scale)
    assert one > 3 * threads
    threads, one = paced(pace, 6000 * scale + 20, together=scale, alone=1.7 * scale)
    assert threads > 3 * one


@pytest.mark.parametrize("threads", [1, 2, 3, 7, 64])
@pytest.mark.parametrize("name", [*GAMES, LARGE])
def test_shares_are_of_everything_once(name: str, threads: int) -> None:
    """All groups and tiles; parents before; no tile spills into another chunk."""
    arrays = tree_of(name).sequence_form.arrays
    shares = shares_of(arrays, threads)
    players, groups = len(arrays.sequence_offset) - 1, len(arrays.group_size)
    assert shares.chunk_offset[0] == shares.chunk_tile[0] == 0
    assert shares.chunk_offset[-1] == len(shares.chunk_tile) - 1
    assert (np.diff(shares.chunk_offset) >= 0).all()
    assert (np.diff(shares.chunk_tile) > 0).all()
    assert (shares.chunk_tile[shares.chunk_offset[::threads]] == arrays.tile_offset).all()
    inner = np.setdiff1d(shares.chunk_tile, arrays.tile_offset)
    first = arrays.tile_first.astype(np.int64)
    assert (first[inner] - first[inner - 1] >= 8).all()
    step_of = np.full(groups + players, -1)
    worker = np.full(groups + players, 0)
    for player in range(players):
        low, high = arrays.group_offset[player : player + 2]
        steps = range(*shares.step_offset[player : player + 2])
        met: list[int] = []
        for step in steps:
            for thread in range(threads):
                own = range(*shares.step_group[step, thread : thread + 2])
                met += own
                for group in own:
                    step_of[group], worker[group] = step, thread
        assert met == list(range(low, high))
    rising = shares.rising_infoset
    assert sorted(rising) == list(range(len(arrays.parent_sequence)))
    assert (shares.rising_parent == arrays.parent_sequence[rising]).all()
    group_of = np.repeat(np.arange(groups), arrays.group_size)
    parent_of = np.repeat(np.arange(groups + players), np.diff(shares.rising_offset))
    for child, parent in {*zip(group_of[rising].tolist(), parent_of.tolist(), strict=True)}:
        if parent < groups:
            first_of = int(arrays.group_first_sequence[parent])
            size = int(arrays.group_size[parent]) * int(arrays.group_actions[parent])
            parents = arrays.parent_sequence[rising[(parent_of == parent)]]
            assert ((first_of <= parents) & (parents < first_of + size)).all()
            earlier = step_of[parent] < step_of[child]
            same = step_of[parent] == step_of[child] and worker[parent] == worker[child]
            assert parent < child
            assert earlier or same


def test_small_games_start_no_threads() -> None:
    before = set(threading.enumerate())
    for name in ("kuhn", "leduc", "liars_dice(sides=4)"):
        made = CFR(tree_of(name), threads=64).run(3)
        assert made.threads == 1
    assert eq.solve("leduc", iterations=5, threads=8).config["threads"] == 1
    assert set(threading.enumerate()) <= before  # of another test, which may have ended


def test_large_games_use_what_they_gain_by(monkeypatch: pytest.MonkeyPatch) -> None:
    form = tree_of(LARGE).sequence_form
    monkeypatch.setattr(crews, "_LEAST_WORK", 10_000)
    assert useful_threads(form, 1) == 1
    assert useful_threads(form, 3) == 3
    assert 3 < useful_threads(form, 1000) < 10
    monkeypatch.setenv("EQUILIBRIST_THREADS", "3")
    assert CFR(tree_of(LARGE)).threads == 3
    for rule in RESPONDING.values():  # history by history
        assert FullTraversals(tree_of(LARGE), rule, threads=2).threads == 1


@pytest.mark.parametrize("threads", [0, -1, True, 2.5, "2", 4097])
def test_numbers_that_are_none_of_threads(threads: Any) -> None:
    with refuses(ConfigError, option="threads", given=threads):
        CFR(tree_of("kuhn"), threads=threads)


@pytest.mark.usefixtures("always_shared")
@pytest.mark.parametrize("algorithm", ["dcfr", slow("apcfr+")])
def test_a_run_goes_on_with_another_number(algorithm: str, tmp_path: Path) -> None:
    straight = solver("leduc", algorithm, 1).run(40)
    file = tmp_path / "run"
    solver("leduc", algorithm, 3).run(11).checkpoint(file)
    solver("leduc", algorithm, 1).resume(file).run(9).checkpoint(file)
    ended = solver("leduc", algorithm, 2).resume(file).run(20)
    assert same_bits(ended, straight)
    restored = solver("leduc", algorithm, 5).restore(solver("leduc", algorithm, 2).run(25).state)
    assert same_bits(restored.run(15), straight)


@pytest.mark.slow
@pytest.mark.usefixtures("always_shared")
def test_solve_with_any_number(tmp_path: Path) -> None:
    results = [eq.solve("leduc", iterations=60, threads=threads) for threads in (1, 2, 5)]
    assert [result.config["threads"] for result in results] == [1, 2, 5]
    one = results[0]
    for other in results[1:]:
        assert other.evaluation == one.evaluation
        assert np.array_equal(other.strategy.probabilities, one.strategy.probabilities)
        assert [p.nash_conv for p in other.trace] == [p.nash_conv for p in one.trace]
    file = tmp_path / "run"
    eq.solve("leduc", iterations=30, threads=3, files=eq.Files(checkpoint=file))
    resumed = eq.solve("leduc", iterations=60, threads=2, files=eq.Files(resume=file))
    assert resumed.evaluation == one.evaluation
    compared = eq.compare("leduc", ["dcfr", "xfp", "cfr@external"], iterations=20, threads=2)
    used = {run.name: run.result.config["threads"] for run in compared.runs}
    assert used == {"dcfr": 2, "xfp": 1, "cfr@external": 1}


@pytest.mark.parametrize("algorithm", ["xfp", "cfr-br", "lp", "fsicfr"])
def test_algorithms_of_one_thread_say_so(algorithm: str) -> None:
    stop: dict[str, Any] = {} if algorithm == "lp" else {"iterations": 3}
    assert eq.solve("kuhn", algorithm, threads=2, **grouped(stop)).config["threads"] == 1


@pytest.mark.usefixtures("always_shared")
@pytest.mark.parametrize("late", [False, True])
def test_an_interrupted_run_counts_as_the_state_has_it(
    late: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ctrl-C in a kernel is seen when it has ended, and just before it when nothing is done yet."""
    run, straight = solver("leduc", "dcfr", 2), solver("leduc", "dcfr", 1)
    run.run(3)
    real = type(run.variant).kernel

    def kernel_of(rule: Any, kept: Any) -> Any:
        kernel = real(rule, kept)

        def interrupted(*arguments: Any, team: Any) -> None:
            first = team.thread == 0
            if late or not first:
                kernel(*arguments, team=team)
            if first:
                raise KeyboardInterrupt

        return interrupted

    with monkeypatch.context() as patch:
        patch.setattr(type(run.variant), "kernel", kernel_of)
        with pytest.raises(KeyboardInterrupt):
            run.run(4)
    assert run.iteration == (7 if late else 3)
    assert same_bits(run.run(9 - run.iteration), straight.run(9))


@pytest.mark.slow
@pytest.mark.usefixtures("always_shared")
def test_copies_start_their_own_threads() -> None:
    run = solver("leduc", "dcfr", 3).run(5)
    for other in (copy.deepcopy(run), pickle.loads(pickle.dumps(run))):
        assert other.threads == 3
        assert same_bits(other.run(6), solver("leduc", "dcfr", 1).run(11))
    assert run.iteration == 5


SOLVERS = """
from equilibrist.solvers import CFR
from equilibrist.solvers.full_traversal import crew
crew._LEAST_WORK = 1
crew.Pace.iterations, crew.Pace.note = lambda _: 1 << 30, lambda *_: None
several, alone = CFR("leduc", threads=3), CFR("leduc", threads=1)
assert several.threads == 3
bits = lambda solver: [solver.state.regret.tobytes(), solver.state.strategy_sum.tobytes()]
"""


@pytest.mark.slow
@needs_fork
def test_a_forked_process_begins_its_own_threads() -> None:
    assert survives_a_fork(SOLVERS)


INTERRUPTED = """
import os, signal, sys, threading
from equilibrist.solvers import CFR
from equilibrist.solvers.full_traversal import crew
crew._LEAST_WORK = 1
crew.Pace.iterations, crew.Pace.note = lambda _: 1 << 30, lambda *_: None
several = CFR("leduc", threads=int(sys.argv[1])).run(2)
caught = 0
for number in range(12):
    timer = threading.Timer(0.002 + 0.001 * (number % 7), os.kill, (os.getpid(), signal.SIGINT))
    try:
        timer.start()
        several.run(3000)
        timer.join()
    except KeyboardInterrupt:
        caught += 1
    timer.join()
alone = CFR("leduc", threads=1).run(several.iteration)
assert caught, several
assert alone.state.regret.tobytes() == several.state.regret.tobytes(), several
"""


@pytest.mark.slow
@pytest.mark.parametrize("threads", ["1", "2"])
def test_signals_at_any_time_lose_no_iteration(threads: str) -> None:
    command = [sys.executable, "-c", INTERRUPTED, threads]
    done = subprocess.run(command, timeout=300, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
