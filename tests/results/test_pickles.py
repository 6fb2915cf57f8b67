"""Results as pickles, for processes and caches: the same figures; running solvers refuse."""

from __future__ import annotations

import copy
import pickle
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import equilibrist as eq
from equilibrist import load_result, poker
from equilibrist.errors import MismatchError, UnsupportedError
from equilibrist.solvers import MCCFR, ImplicitMCCFR
from tests.refusals import refuses
from tests.rules.own_rules import OWN, write_rules

RULES = "rules:liars_dice(sides=2)"
RESULTS: dict[str, Callable[[], Any]] = {
    "a game": lambda: eq.solve("kuhn", iterations=20),
    "an exact solution": lambda: eq.solve("kuhn", "lp"),
    "regret matching": lambda: eq.solve("rps", "regret-matching", iterations=5),
    "sampling": lambda: eq.solve("kuhn", sampling="external", iterations=20),
    "rules on a tree": lambda: eq.solve(RULES, iterations=5),
    "rules without a tree": lambda: eq.solve(RULES, iterations=5, explicit_tree=False),
}

RIVER = poker.Spot(
    board="Ts3h2h5c9s",
    oop=poker.Range("AA,QQ"),
    ip=poker.Range("KK,JJ"),
    pot=100,
    stack=100,
)


@pytest.mark.by_default(1)
@pytest.mark.parametrize("name", RESULTS)
def test_results_are_the_same_in_another_process(name: str, tmp_path: Path) -> None:
    result = RESULTS[name]()
    file = tmp_path / "pickle"
    file.write_bytes(pickle.dumps(result))
    again = pickle.loads(file.read_bytes())
    assert again.to_dict() == result.to_dict()
    assert again.strategy.probabilities.tobytes() == result.strategy.probabilities.tobytes()
    assert type(again.details) is type(result.details)
    code = "import pickle, sys; print(pickle.load(open(sys.argv[1], 'rb')).iterations)"
    ran = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", code, file], capture_output=True, text=True
    )
    assert ran.stdout.strip() == str(result.iterations), ran.stderr


def test_comparisons_keep_their_failures() -> None:
    comparison = eq.compare("liar_die(memory=1,sides=3)", ["cfr", "fsicfr"], iterations=3)
    (failed,) = comparison.failed
    again = pickle.loads(pickle.dumps(comparison))
    assert again.to_dict() == comparison.to_dict()
    assert again.failed[0].error.args == failed.error.args


def test_rules_that_have_changed_are_noticed(tmp_path: Path) -> None:
    path = write_rules(tmp_path)
    pickled = pickle.dumps(eq.load_game(f"rules:{path}"))
    assert pickle.loads(pickled).name == f"rules:{path}"
    path.write_text(OWN + "\nCHANGED = 1\n", "utf-8")
    with refuses(MismatchError, option="game", given=f"rules:{path}"):
        pickle.loads(pickled)


@pytest.fixture(scope="module")
def solution() -> poker.PostflopResult:
    spot = poker.Spot(
        board="Ts3h2h5c",
        oop=poker.Range("AA,QQ"),
        ip=poker.Range("KK,JJ"),
        pot=100,
        stack=100,
    )
    return poker.solve(spot, iterations=20)


def test_solutions_of_spots_are_the_same(solution: poker.PostflopResult) -> None:
    again = pickle.loads(pickle.dumps(solution))
    twice = pickle.loads(pickle.dumps(again))
    for other in (again, twice):
        assert other.mean_gain == solution.mean_gain
        assert other.trace == solution.trace
        assert other.solution_file is None
        for line in ("", "X", "X-X|7c"):
            mine, theirs = solution.strategy[line], other.strategy[line]
            assert mine.keys() == theirs.keys()
            assert all(np.array_equal(mine[a], theirs[a], equal_nan=True) for a in mine)
            assert other.at(line).totals == solution.at(line).totals


def test_files_with_fewer_streets_stay_so(solution: poker.PostflopResult, tmp_path: Path) -> None:
    saved = load_result(solution.save(tmp_path / "s.spot", "first-street"))
    again = pickle.loads(pickle.dumps(saved))
    assert again.keep == "first-street"
    assert again.solution_file == tmp_path / "s.spot"
    (tmp_path / "s.spot").unlink()
    assert again.ev == saved.ev


def test_copies_of_a_solution_are_itself(solution: poker.PostflopResult) -> None:
    assert copy.copy(solution) is solution
    assert copy.deepcopy([solution])[0] is solution


@pytest.mark.parametrize(
    ("make", "name"),
    [
        (lambda: MCCFR("kuhn", sampler="external", threads=2), "MCCFR"),
        (lambda: ImplicitMCCFR(RULES), "ImplicitMCCFR"),
        (lambda: poker.SpotSolver(RIVER), "SpotSolver"),
    ],
)
def test_running_solvers_refuse_and_their_states_do_not(make: Callable[[], Any], name: str) -> None:
    solver = make().run(2)
    for use in (pickle.dumps, copy.copy):
        with refuses(UnsupportedError, option="solver", given=name):
            use(solver)
    state = pickle.loads(pickle.dumps(solver.state))
    assert make().restore(state).iteration == 2
    if hasattr(solver, "close"):
        solver.close()


def test_strategies_of_spots_refer_to_their_result(solution: poker.PostflopResult) -> None:
    with refuses(UnsupportedError, option="strategy", remedy="pickle the result"):
        pickle.dumps(solution.strategy)


@pytest.mark.slow
def test_solvers_without_threads_are_pickled_as_before() -> None:
    solver = MCCFR("kuhn", sampler="external", seed=3).run(10)
    again = pickle.loads(pickle.dumps(solver)).run(10)
    assert again.average_strategy().to_dict() == solver.run(10).average_strategy().to_dict()
