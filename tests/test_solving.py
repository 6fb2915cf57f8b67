"""`solve`: results, stopping, options, files. What the engine computes is tested elsewhere."""

from __future__ import annotations

import errno
import json
import os
import signal
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from dataclasses import FrozenInstanceError, replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import equilibrist as eq
from equilibrist.errors import (
    CheckpointError,
    ConfigError,
    EquilibristError,
    GameError,
    GameSpecError,
    MemoryBudgetError,
    OutputError,
    UnknownNameError,
    UnsupportedError,
)
from equilibrist.evaluation import evaluate
from equilibrist.games import load_game
from equilibrist.solution import Solution
from equilibrist.solvers.cfr import CFR
from equilibrist.solvers.matching import run_regret_matching
from equilibrist.solvers.trace import is_scheduled
from equilibrist.solvers.variant import Variant
from equilibrist.solvers.variants import VARIANTS
from equilibrist.solving import Progress, SolveConfig, SolveResult, methods, running, solve
from equilibrist.tree.compile import GameTree, compile_game


@pytest.fixture(scope="module")
def kuhn() -> GameTree:
    return compile_game(load_game("kuhn"))


def same(one: SolveResult, other: SolveResult) -> bool:
    """Equal to the bit, but for the seconds."""
    return (
        one.strategy.probabilities.tobytes() == other.strategy.probabilities.tobytes()
        and one.evaluation == other.evaluation
        and one.iterations == other.iterations
        and one.stopped_by == other.stopped_by
        and [replace(p, seconds=0) for p in one.trace]
        == [replace(p, seconds=0) for p in other.trace]
    )


# What comes back


def test_it_is_what_the_solver_gives(kuhn: GameTree) -> None:
    result = solve("kuhn", "pcfr+", iterations=70)
    solver = CFR(kuhn, "pcfr+").run(70)
    expected = solver.average_strategy()
    assert result.strategy.probabilities.tobytes() == expected.probabilities.tobytes()
    assert result.evaluation == evaluate(expected)
    assert (result.iterations, result.stopped_by) == (70, "iterations")
    assert (result.game, result.algorithm) == ("kuhn", "pcfr+")
    assert [p.iteration for p in result.trace] == [1, 4, 9, 16, 25, 36, 49, 64, 70]


def test_every_point_of_the_trace_is_true(kuhn: GameTree) -> None:
    for point in solve(kuhn, iterations=50).trace:
        found = evaluate(CFR(kuhn).run(point.iteration).average_strategy())
        assert (point.nash_conv, point.exploitability) == (found.nash_conv, found.exploitability)
        assert point.values == found.values


def test_the_last_strategy_is_measured_as_such(kuhn: GameTree) -> None:
    result = solve(kuhn, "cfr", iterations=50, output="last")
    expected = CFR(kuhn, "cfr").run(50).current_strategy()
    assert result.strategy.probabilities.tobytes() == expected.probabilities.tobytes()
    assert result.evaluation == evaluate(expected)
    assert result.trace[-1].nash_conv == result.nash_conv
    assert "is the last one played" in result.guarantee


def test_updates_may_be_simultaneous(kuhn: GameTree) -> None:
    result = solve(kuhn, simultaneous=True, iterations=30)
    expected = CFR(kuhn, alternating=False).run(30).average_strategy()
    assert result.strategy.probabilities.tobytes() == expected.probabilities.tobytes()
    assert not same(result, solve(kuhn, iterations=30))


@pytest.mark.parametrize("name", VARIANTS)
def test_every_algorithm_solves_kuhn(kuhn: GameTree, name: str) -> None:
    result = solve(kuhn, name, iterations=300)
    assert result.exploitability is not None
    assert 0.0 <= result.exploitability < 0.02
    assert result.values[0] == pytest.approx(-1 / 18, abs=0.02)


def test_seconds_grow_along_the_trace(kuhn: GameTree) -> None:
    result = solve(kuhn, iterations=200)
    times = [0.0, *(p.seconds for p in result.trace), result.seconds]
    assert times == sorted(times)
    assert times[1] > 0.0


def test_the_document_is_what_the_manual_says() -> None:
    result = solve("kuhn", iterations=100)
    document = json.loads(json.dumps(result.to_dict(), allow_nan=False))
    assert document["game"] == "kuhn"
    assert document["algorithm"] == "dcfr"
    assert document["iterations"] == 100
    assert document["seconds"] == result.seconds > 0.0
    assert document["values"] == list(result.values)
    assert document["gains"] == list(result.gains)
    assert document["nash_conv"] == pytest.approx(sum(document["gains"]), abs=1e-15)
    assert document["exploitability"] == document["nash_conv"] / 2
    assert document["measure_name"] == "exploitability"
    sizes = [document[k] for k in ("num_players", "num_infosets", "num_sequences")]
    assert sizes == [2, 12, 26]
    assert document["num_nodes"] == result.num_nodes == result.strategy.tree.num_nodes
    assert document["strategy"] == result.strategy.to_dict()
    assert document["solution_file"] is None
    assert document["stopped_by"] == "iterations"
    assert document["versions"].keys() >= {"equilibrist", "python", "numpy", "numba"}
    assert document["config"]["iterations"] == 100
    assert document["trace"][0]["iteration"] == 1
    assert document["family"]["parameters"].keys() == {"alpha"}


def test_three_players_have_no_exploitability() -> None:
    result = solve("kuhn(players=3)", iterations=60)
    document = result.to_dict()
    assert document["exploitability"] is None
    assert document["measure_name"] == "NashConv"
    assert len(document["values"]) == 3
    assert "3 players" in result.guarantee
    assert "coarse correlated equilibrium" in result.guarantee
    assert "promises no Nash equilibrium" in result.guarantee
    assert result.family is None or result.family["name"] == "three-player Kuhn poker"


def test_general_sums_have_no_exploitability() -> None:
    result = solve("battle_of_the_sexes", iterations=60)
    assert result.exploitability is None
    assert "do not add up to a constant" in result.guarantee


def test_the_guarantee_states_true_bounds(kuhn: GameTree) -> None:
    result = solve(kuhn, iterations=60)
    worst = [-result.evaluation.best_response_values[1], -result.evaluation.best_response_values[0]]
    assert f"player 0 gets at least {worst[0]:.6g};" in result.guarantee
    assert f"player 1 gets at least {worst[1]:.6g}." in result.guarantee


APPROACH = "Theory: the average strategies approach a Nash equilibrium."


@pytest.mark.parametrize("name", [*VARIANTS, "dcfr(gamma=3)", "cfr+(gamma=2)"])
def test_convergence_is_claimed_only_where_it_is_proven(kuhn: GameTree, name: str) -> None:
    proven = {"cfr", "cfr+", "lcfr", "dcfr", "dcfr+", "pcfr+", "pdcfr+"}
    assert (APPROACH in solve(kuhn, name, iterations=4).guarantee) == (name in proven)
    last = solve(kuhn, name, iterations=4, output="last").guarantee
    assert "Theory" not in last
    assert "for which only the measurement speaks" in last


def test_a_name_proves_nothing(kuhn: GameTree) -> None:
    mine = Variant("dcfr", floor=0.0)
    assert "Theory" not in solve(kuhn, mine, iterations=4).guarantee
    general = solve("battle_of_the_sexes", mine, iterations=4).guarantee
    assert "coarse correlated" not in general
    assert "theory promises no Nash equilibrium" in general


def test_what_approaches_a_coarse_correlated_equilibrium() -> None:
    game = "kuhn(players=3)"
    in_turn = solve(game, "cfr", iterations=4).guarantee
    assert "With simultaneous updates (not as here)" in in_turn
    assert "alternating updates have no such theorem" in in_turn
    at_once = solve(game, "cfr", iterations=4, simultaneous=True).guarantee
    assert "With simultaneous updates (as here)" in at_once
    for guarantee in (in_turn, at_once):
        assert "With 3 players, theory promises no Nash equilibrium." in guarantee
        assert "NashConv, the sum of what each player alone could still gain, is " in guarantee


@pytest.mark.parametrize("game", ["biased_rps", "shapley"])
def test_regret_matching_measures_its_joint_play(game: str) -> None:
    result = solve(game, "regret-matching", iterations=50)
    gap = run_regret_matching(load_game(game), 50).cce_gap
    assert f"coarse correlated equilibrium up to {gap:.3g}," in result.guarantee
    assert (APPROACH in result.guarantee) == (game == "biased_rps")


def test_constant_sums_other_than_zero_are_counted_in() -> None:
    """Payoffs that add up to 10: what one player cannot take stays with the other."""
    tables = "matrix(payoffs=[[[10,2],[4,6]],[[0,8],[6,4]]])"
    result = solve(tables, "lp")
    assert result.exploitability == pytest.approx(0.0, abs=1e-9)
    assert f"player 0 gets at least {result.values[0]:.6g};" in result.guarantee
    assert f"player 1 gets at least {result.values[1]:.6g}." in result.guarantee
    assert sum(result.values) == pytest.approx(10.0)


class OnePlayer:
    """A decision without opponents: 3 is better than 1."""

    name = "choice"
    num_players = 1

    def initial_state(self) -> str:
        return ""

    def player(self, state: str, /) -> int:
        return 0 if state == "" else eq.TERMINAL

    def actions(self, state: str, /) -> list[str]:
        return ["1", "3"]

    def chance(self, state: str, /) -> list[float]:
        return []

    def next(self, state: str, action: int, /) -> str:
        return self.actions(state)[action]

    def payoffs(self, state: str, /) -> list[float]:
        return [float(state)]

    def infoset(self, state: str, /) -> str:
        return "choose"


def test_one_player_is_a_game_too() -> None:
    result = solve(OnePlayer(), target=1e-6)
    assert result.values[0] == pytest.approx(3.0, abs=1e-6)
    assert result.exploitability is None
    assert result.guarantee.startswith("One player")
    assert result.game == "choice"


def test_results_are_frozen_and_print(kuhn: GameTree) -> None:
    result = solve(kuhn, iterations=5)
    with pytest.raises(FrozenInstanceError):
        result.iterations = 6  # type: ignore[misc]
    assert repr(result).startswith("SolveResult('kuhn', 'dcfr', iterations=5, exploitability=")
    html = result._repr_html_()
    ET.fromstring(f"<div>{html}</div>")
    assert "kuhn" in html
    assert result.guarantee[:30] in html


def test_names_of_users_are_escaped_in_html() -> None:
    game = OnePlayer()
    game.name = "<b>&"
    ET.fromstring(f"<div>{solve(game, iterations=2)._repr_html_()}</div>")


# When it stops


def test_the_target_stops_it(kuhn: GameTree) -> None:
    result = solve(kuhn, target=1e-3)
    assert result.stopped_by == "target"
    assert result.exploitability is not None
    assert result.exploitability <= 1e-3 < result.trace[-2].measure
    assert is_scheduled(result.iterations)
    assert result.target == 1e-3
    assert result.notes == ()


def test_time_stops_it(kuhn: GameTree) -> None:
    result = solve(kuhn, time=0.05)
    assert result.stopped_by == "time"
    assert result.trace[-1].iteration == result.iterations


def test_the_default_is_said_and_kept(kuhn: GameTree) -> None:
    result = solve(kuhn)
    assert result.target == 1e-4 * 4.0  # payoffs from -2 to 2
    assert result.stopped_by == "target"
    (note,) = result.notes
    assert "No stopping option was given" in note
    assert "exploitability is at most 0.0004" in note
    assert "at most 10,000 iterations" in note


def test_the_default_ends_where_nothing_converges() -> None:
    """As Shapley's game, but lopsided: play goes in circles."""
    tables = "[[2,0,0],[0,1,0],[0,0,1]],[[0,1,0],[0,0,1],[1,0,0]]"
    result = solve(f"matrix(payoffs=[{tables}])", "cfr")
    assert (result.stopped_by, result.iterations) == ("iterations", 10_000)
    assert "NashConv is at most" in result.notes[0]


def test_a_game_without_anything_to_win_is_solved_at_once() -> None:
    result = solve("matrix(payoffs=[[1,1],[1,1]])")
    assert (result.stopped_by, result.iterations, result.exploitability) == ("target", 1, 0.0)


def test_a_callback_is_told_and_may_stop_it(kuhn: GameTree) -> None:
    seen: list[Progress] = []

    def callback(progress: Progress) -> bool:
        seen.append(progress)
        return progress.iteration < 49

    result = solve(kuhn, iterations=10_000, target=1e-9, callback=callback)
    assert (result.stopped_by, result.iterations) == ("callback", 49)
    assert [p.iteration for p in seen] == [p.iteration for p in result.trace]
    last = seen[-1]
    assert last.evaluation == result.evaluation
    assert (last.evaluated_at, last.target) == (49, 1e-9)
    assert last.iterations_per_second > 0.0
    assert last.eta_seconds is not None


def test_callbacks_change_nothing(kuhn: GameTree) -> None:
    told = solve(kuhn, iterations=500, callback=lambda _: None)
    assert same(told, solve(kuhn, iterations=500))


@pytest.fixture
def default_interrupts() -> Iterator[None]:
    old = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, old)


@pytest.mark.usefixtures("default_interrupts")
def test_ctrl_c_gives_what_it_has_and_can_be_resumed(kuhn: GameTree, tmp_path: Path) -> None:
    def callback(progress: Progress) -> None:
        if progress.iteration == 100:
            os.kill(os.getpid(), signal.SIGINT)

    path = tmp_path / "c"
    result = solve(kuhn, iterations=700, checkpoint=path, callback=callback)
    assert result.stopped_by == "interrupted"
    assert 100 <= result.iterations < 700
    stopped = CFR(kuhn).run(result.iterations).average_strategy()
    assert result.evaluation == evaluate(stopped)
    resumed = solve(kuhn, iterations=700, checkpoint=path, resume=True)
    assert same(resumed, solve(kuhn, iterations=700))


def test_stages_are_told(kuhn: GameTree, monkeypatch: pytest.MonkeyPatch) -> None:
    stages: list[str] = []
    histories: list[int] = []
    solve("leduc", iterations=2, on_stage=stages.append, on_walk=histories.append)
    assert stages == ["walking the rules", "solving"]
    assert histories == sorted(histories)
    monkeypatch.setattr(methods, "cache_is_warm", lambda _: False)
    for algorithm in ("dcfr", "lp", "regret-matching"):
        stages.clear()
        options = {} if algorithm == "lp" else {"iterations": 2}
        game = "rps" if algorithm == "regret-matching" else kuhn
        solve(game, algorithm, **options, on_stage=stages.append)
        assert stages[-2:] == ["compiling (first run only)", "solving"]
    monkeypatch.setattr(running, "cache_is_warm", lambda _: False)
    stages.clear()
    solve("kuhn", iterations=2, on_stage=stages.append)
    assert stages[0] == "walking the rules, compiling (first run only)"


def test_kernels_are_loaded_by_another_game(
    kuhn: GameTree, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A second solver of a large game would double the memory, and run for nothing."""
    built: list[GameTree] = []

    class Counted(CFR):
        def __init__(self, tree: GameTree, *arguments: Any, **options: Any) -> None:
            built.append(tree)
            super().__init__(tree, *arguments, **options)

    monkeypatch.setattr(methods, "CFR", Counted)
    solve(kuhn, iterations=2)
    assert sum(tree is kuhn for tree in built) == 1
    assert max(tree.num_nodes for tree in built) <= 58


def test_the_linear_programme_is_timed_without_what_precedes_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    order: list[str] = []
    real = methods.time.perf_counter
    tree = compile_game(load_game("kuhn"))
    form = type(tree.sequence_form)
    entries = form.payoff_entries
    monkeypatch.setattr(
        form, "payoff_entries", lambda self: (order.append("form"), entries(self))[1]
    )
    clock = SimpleNamespace(perf_counter=lambda: (order.append("clock"), real())[1])
    monkeypatch.setattr(methods, "time", clock)
    solve(tree, "lp")
    assert order == ["form", "clock", "form", "clock"]


def test_numbers_beyond_floating_point_are_said(
    kuhn: GameTree, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken = replace(evaluate(eq.Strategy.uniform(kuhn)), nash_conv=float("inf"))
    monkeypatch.setattr(methods, "evaluate_behaviour", lambda *_: broken)
    with pytest.raises(GameError, match="scale the payoffs of kuhn down"):
        solve(kuhn, iterations=5)


# Games, algorithms, options


def test_games_come_in_three_forms(kuhn: GameTree) -> None:
    results = [solve(game, iterations=20) for game in ("kuhn", load_game("kuhn"), kuhn)]
    assert same(results[0], results[1])
    assert same(results[0], results[2])
    assert results[2].strategy.tree is kuhn


def test_variants_come_as_objects_and_files(kuhn: GameTree, tmp_path: Path) -> None:
    plain = solve(kuhn, "dcfr(gamma=3)", iterations=20)
    assert plain.algorithm == "dcfr(gamma=3)"
    variant = Variant("mine", VARIANTS["dcfr"].discount, VARIANTS["dcfr"].average)
    assert same(solve(kuhn, variant, iterations=20), solve(kuhn, "dcfr", iterations=20))
    (tmp_path / "my.py").write_text(
        "from equilibrist.solvers.variants import get_variant\nMine = get_variant('cfr+')\n"
    )
    mine = solve(kuhn, f"{tmp_path}/my.py:Mine", iterations=20)
    assert same(mine, solve(kuhn, "cfr+", iterations=20))


@pytest.mark.parametrize(
    ("algorithm", "said"),
    [
        ("dcf", "did you mean 'dcfr'"),
        ("lpp", "did you mean 'lp'"),
        ("regret-matchin", "did you mean 'regret-matching'"),
        ("dcfr(gama=1)", "unknown parameter of dcfr 'gama'; did you mean 'gamma'"),
    ],
)
def test_unknown_algorithms_get_suggestions(algorithm: str, said: str) -> None:
    with pytest.raises(UnknownNameError, match=said):
        solve("kuhn", algorithm)


def test_unknown_games_get_suggestions() -> None:
    with pytest.raises(UnknownNameError, match="did you mean 'leduc'"):
        solve("leduk")
    with pytest.raises(GameSpecError, match="column"):
        solve("kuhn(")


def test_large_games_are_refused() -> None:
    with pytest.raises(MemoryBudgetError, match="histories"):
        solve("leduc", max_histories=100)
    with pytest.raises(MemoryBudgetError):
        solve("leduc", memory=1000)


REFUSED: dict[str, tuple[dict[str, Any], str]] = {
    "no iterations": ({"iterations": 0}, "iterations is 0; give at least 1"),
    "half iterations": ({"iterations": 2.5}, "iterations is 2.5; give a whole number"),
    "too many": ({"iterations": 2**60}, "iterations is .*; give at most"),
    "a yes": ({"iterations": True}, "iterations is True; give a whole number"),
    "zero target": ({"target": 0.0}, "target is 0.0; give more than 0"),
    "negative target": ({"target": -1e-3}, "target is -0.001; give more than 0"),
    "nan": ({"target": float("nan")}, "target is nan; give a finite number"),
    "infinite time": ({"time": float("inf")}, "time is inf; give a finite number"),
    "no time": ({"time": 0}, "time is 0; give more than 0"),
    "text": ({"time": "1h"}, "time is '1h'; give a number"),
    "seed": ({"seed": -1}, "seed is -1; give at least 0"),
    "output": ({"output": "best"}, "output is 'best'; give 'average' or 'last'"),
    "every": ({"checkpoint_every": -1.0}, "checkpoint_every is -1.0; give at least 0"),
    "memory": ({"memory": 0}, "memory is 0; give at least 1"),
    "histories": ({"max_histories": 0}, "max_histories is 0; give at least 1"),
    "no name": ({"out": ""}, "out is ''; expected the name of a file"),
    "null": ({"checkpoint": "a\0"}, "expected the name of a file"),
    "picture": ({"plot": "a.pdf"}, r"plot is 'a.pdf': pictures are written as .svg or .png"),
    "resume": ({"resume": True}, "resume needs to know from which file: give checkpoint"),
    "horizon": ({"algorithm": "hs-dcfr"}, "hs-dcfr plans its schedule .*: give iterations"),
    "horizon and time": ({"algorithm": "hs-pcfr+", "time": 1.0}, "give iterations"),
    "one file": ({"out": "a", "checkpoint": "./a"}, "out and checkpoint are the same file"),
    "old file": ({"checkpoint": "a", "resume": "b", "out": "b"}, "out and resume are the same"),
    "lp iterations": ({"algorithm": "lp", "iterations": 5}, "iterations has no meaning with lp"),
    "lp target": ({"algorithm": "lp", "target": 1e-3}, "target has no meaning with lp"),
    "lp time": ({"algorithm": "lp", "time": 1.0}, "time has no meaning with lp"),
    "lp order": ({"algorithm": "LP", "simultaneous": True}, "simultaneous has no meaning with lp"),
    "lp output": ({"algorithm": "lp", "output": "last"}, "output has no meaning with lp"),
    "lp plot": ({"algorithm": "lp", "plot": "a.svg"}, "plot has no meaning with lp"),
    "lp saves": ({"algorithm": "lp", "checkpoint": "c"}, "checkpoint has no meaning with lp"),
    "rm saves": ({"algorithm": "regret-matching", "checkpoint": "c"}, "has no checkpoints"),
    "rm order": (
        {"algorithm": "regret-matching+", "simultaneous": True},
        r"simultaneous has no meaning with regret-matching\+, which .*updates all players at once",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_options_that_make_no_sense_are_refused(
    kuhn: GameTree, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    options, said = REFUSED[name]
    with pytest.raises(ConfigError, match=said):
        solve(kuhn, **options)
    assert list(tmp_path.iterdir()) == []


def test_all_complaints_come_at_once() -> None:
    with pytest.raises(ConfigError) as caught:
        SolveConfig.build(iterations=0, target=-1.0, nonsense=3)
    assert str(caught.value).splitlines() == [
        "iterations is 0; give at least 1",
        "target is -1.0; give more than 0.0",
        "nonsense is 3; give nothing: there is no such option",
    ]


@given(
    st.dictionaries(
        st.sampled_from([f for f in SolveConfig.model_fields if f != "algorithm"]),
        st.one_of(
            st.none(), st.booleans(), st.integers(), st.floats(), st.text(), st.binary(),
            st.lists(st.integers()),
        ),
    )
)  # fmt: skip
def test_nonsense_is_refused_with_one_kind_of_error(options: dict[str, Any]) -> None:
    try:
        config = SolveConfig.build(**options)
    except ConfigError:
        return
    assert config.iterations is None or config.iterations >= 1
    assert config.target is None or config.target > 0.0


def test_numbers_of_numpy_are_numbers(kuhn: GameTree) -> None:
    result = solve(kuhn, iterations=np.int64(9), target=np.float32(1e-9))
    assert result.iterations == 9
    json.dumps(result.to_dict())


def test_a_seed_that_changes_nothing_is_said(kuhn: GameTree) -> None:
    seeded = solve(kuhn, iterations=9, seed=7)
    assert same(seeded, solve(kuhn, iterations=9))
    assert seeded.notes == ("The seed changes nothing: dcfr draws nothing at random.",)


# Algorithms that are not CFR


def test_the_linear_programme_is_exact() -> None:
    result = solve("kuhn", "lp")
    assert (result.stopped_by, result.iterations, result.trace) == ("exact", 0, ())
    assert result.values[0] == pytest.approx(-1 / 18, abs=1e-12)
    assert result.exploitability == pytest.approx(0.0, abs=1e-12)
    assert "linear programming" in result.guarantee
    assert result.seconds > 0.0
    assert result.family is not None


def test_the_linear_programme_refuses_three_players() -> None:
    with pytest.raises(UnsupportedError, match="two players"):
        solve("kuhn(players=3)", "lp")


@pytest.mark.parametrize("algorithm", ["regret-matching", "regret-matching+"])
def test_regret_matching_is_that_of_the_library(algorithm: str) -> None:
    game = load_game("biased_rps")
    result = solve(game, algorithm, iterations=500, seed=3)
    expected = run_regret_matching(game, 500, plus=algorithm.endswith("+"), seed=3)
    rows = [list(row.values()) for row in expected.average_strategy]
    assert result.strategy.probabilities.tolist() == [p for row in rows for p in row]
    assert result.details.trace == expected.trace  # type: ignore[attr-defined]
    assert result.notes == ()
    assert not same(result, solve(game, algorithm, iterations=500, seed=4))
    last = solve(game, algorithm, iterations=500, seed=3, output="last")
    rows = [list(row.values()) for row in expected.current_strategy]
    assert last.strategy.probabilities.tolist() == [p for row in rows for p in row]


def test_regret_matching_has_a_trace_and_a_target(tmp_path: Path) -> None:
    result = solve("biased_rps", "regret-matching", target=0.1, plot=tmp_path / "a.svg")
    assert result.stopped_by == "target"
    assert result.exploitability is not None
    assert result.exploitability <= 0.1
    assert result.trace[-1].measure == result.exploitability
    assert (tmp_path / "a.svg").exists()


def test_regret_matching_refuses_games_with_more_than_one_move() -> None:
    with pytest.raises(UnsupportedError, match="kuhn is not a matrix game"):
        solve("kuhn", "regret-matching")


# Files


def test_what_is_asked_for_is_written(kuhn: GameTree, tmp_path: Path) -> None:
    out, plot = tmp_path / "s", tmp_path / "p.svg"
    result = solve(kuhn, iterations=20, out=out, plot=str(plot))
    assert result.solution_file == out
    assert result.to_dict()["solution_file"] == str(out)
    loaded = Solution.load(out)
    assert loaded.to_dict(out) == json.loads(json.dumps(result.to_dict()))
    assert loaded.config["out"] == str(out)
    ET.parse(plot)
    again = solve(kuhn, iterations=20, plot=tmp_path / "q.svg")
    assert (tmp_path / "q.svg").read_bytes() == plot.read_bytes()
    assert again.plot(tmp_path / "r.svg").read_bytes() == plot.read_bytes()


@pytest.mark.parametrize("option", ["out", "plot", "checkpoint"])
def test_unwritable_files_are_refused_before_anything_is_computed(
    option: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def compute(*_: object, **__: object) -> None:
        raise AssertionError("it started")

    monkeypatch.setattr("equilibrist.solving.running.compile_game", compute)
    name = tmp_path / "missing" / "a.svg"
    with pytest.raises(OutputError, match="missing does not exist"):
        solve("kuhn", **{option: name})
    (tmp_path / "b.svg").mkdir()
    with pytest.raises(OutputError, match="it is a folder"):
        solve("kuhn", **{option: tmp_path / "b.svg"})
    if option != "plot":
        (tmp_path / "c").write_text("mine")
        with pytest.raises(OutputError, match="left as it was"):
            solve("kuhn", **{option: tmp_path / "c"})
        assert (tmp_path / "c").read_text() == "mine"


class FullDisk:
    """From the n-th write on the disk is full."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, after: int) -> None:
        self.left = after
        self.sync = os.fsync
        monkeypatch.setattr(os, "fsync", self)

    def __call__(self, handle: int) -> None:
        if self.left == 0:
            raise OSError(errno.ENOSPC, "No space left on device")
        self.left -= 1
        self.sync(handle)


def test_a_full_disk_at_the_end_loses_neither_result(
    kuhn: GameTree, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The earlier solution stays, the new one goes to the folder for temporary files."""
    earlier = solve(kuhn, iterations=5, out=tmp_path / "s")
    real = Path.replace

    def full(self: Path, target: Path) -> Path:
        if Path(target).name == "s":
            raise OSError(errno.ENOSPC, "No space left on device")
        return real(self, target)

    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.setattr(Path, "replace", full)
    with pytest.raises(OutputError, match="No space left on device; the solution was saved as"):
        solve(kuhn, iterations=50, out=tmp_path / "s")
    monkeypatch.undo()
    assert Solution.load(tmp_path / "s").probabilities.tobytes() == (
        earlier.strategy.probabilities.tobytes()
    )
    (saved,) = tmp_path.glob("equilibrist-*/solution.safetensors")
    assert Solution.load(saved).iterations == 50


def test_a_full_disk_everywhere_is_still_one_error(
    kuhn: GameTree, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    FullDisk(monkeypatch, 0)
    with pytest.raises(OutputError) as caught:
        solve(kuhn, iterations=5, out=tmp_path / "s")
    assert str(caught.value) == f"cannot write {tmp_path / 's'}: No space left on device"
    assert list(tmp_path.iterdir()) == []


def test_a_disk_that_fills_up_ends_the_run_with_what_it_has(
    kuhn: GameTree, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    path = tmp_path / "c"
    FullDisk(monkeypatch, 5)  # two whole checkpoints (file and folder), then no more
    with pytest.raises(OutputError, match=r"c: No space left on device"):
        solve(kuhn, iterations=10**9, checkpoint=path, checkpoint_every=0.0)
    monkeypatch.undo()
    reached = CFR(kuhn).resume(path).iteration
    assert reached > 0
    resumed = solve(kuhn, iterations=reached + 50, resume=path)
    assert same(resumed, solve(kuhn, iterations=reached + 50))


# Checkpoints


@pytest.mark.parametrize("algorithm", ["dcfr", "cfr", "pcfr+"])
def test_a_resumed_run_is_the_same_run(kuhn: GameTree, tmp_path: Path, algorithm: str) -> None:
    path = tmp_path / "c"
    straight = solve(kuhn, algorithm, iterations=900)
    for count in (1, 333, 700):
        part = solve(kuhn, algorithm, iterations=count, checkpoint=path, resume=path.exists())
        assert part.iterations == count
    resumed = solve(kuhn, algorithm, iterations=900, resume=path)
    assert same(resumed, straight)
    assert resumed.notes == (f"Resumed from {path} at iteration 700.",)
    assert resumed.seconds > part.seconds
    assert CFR(kuhn, algorithm).resume(path).iteration == 900  # it went on saving


def test_a_resumed_run_stops_at_the_same_target(kuhn: GameTree, tmp_path: Path) -> None:
    path = tmp_path / "c"
    straight = solve(kuhn, target=1e-4)
    solve(kuhn, iterations=straight.iterations // 2, checkpoint=path)
    resumed = solve(kuhn, target=1e-4, checkpoint=path, resume=True)
    assert same(resumed, straight)
    over = solve(kuhn, target=1e-4, checkpoint=path, resume=True)
    assert same(over, straight)


def test_a_copy_may_be_resumed_under_another_name(kuhn: GameTree, tmp_path: Path) -> None:
    one, other = tmp_path / "one", tmp_path / "other"
    solve(kuhn, iterations=30, checkpoint=one)
    before = one.read_bytes()
    resumed = solve(kuhn, iterations=60, resume=one, checkpoint=other)
    assert same(resumed, solve(kuhn, iterations=60))
    assert one.read_bytes() == before
    assert CFR(kuhn).resume(other).iteration == 60


def test_an_earlier_run_is_never_overwritten(kuhn: GameTree, tmp_path: Path) -> None:
    path = tmp_path / "c"
    solve(kuhn, iterations=30, checkpoint=path)
    before = path.read_bytes()
    other = tmp_path / "d"
    solve(kuhn, iterations=3, checkpoint=other)
    for options in ({"checkpoint": path}, {"resume": other, "checkpoint": path}):
        with pytest.raises(CheckpointError, match="holds a run of kuhn with dcfr at iteration 30"):
            solve(kuhn, iterations=500, **options)
    path.write_bytes(before[:-1])
    with pytest.raises(OutputError, match="left as it was"):
        solve(kuhn, iterations=500, checkpoint=path)
    assert path.read_bytes() == before[:-1]


def test_a_link_to_the_resumed_file_is_the_same_file(kuhn: GameTree, tmp_path: Path) -> None:
    path, link = tmp_path / "c", tmp_path / "link"
    solve(kuhn, iterations=30, checkpoint=path)
    link.symlink_to(path)
    assert solve(kuhn, iterations=40, resume=path, checkpoint=link).iterations == 40
    assert CFR(kuhn).resume(path).iteration == 40


def test_a_checkpoint_beyond_the_end_is_refused(kuhn: GameTree, tmp_path: Path) -> None:
    solve(kuhn, iterations=30, checkpoint=tmp_path / "c")
    with pytest.raises(CheckpointError, match=r"already stands at iteration 30, beyond the 20"):
        solve(kuhn, iterations=20, resume=tmp_path / "c")


def test_checkpoints_of_other_runs_are_refused(kuhn: GameTree, tmp_path: Path) -> None:
    path = tmp_path / "c"
    solve(kuhn, "hs-dcfr", iterations=30, checkpoint=path)
    before = path.read_bytes()
    for game, options, said in (
        ("leduc", {}, "its game is kuhn, not leduc"),
        (kuhn, {"algorithm": "dcfr"}, r"its algorithm is hs-dcfr, not dcfr"),
        (kuhn, {"simultaneous": True}, "its updates are"),
        (kuhn, {"iterations": 40}, "planned for 30 iterations, not 40"),
        (kuhn, {"output": "last"}, "its trace measures the average strategy, not the last"),
    ):
        settings: dict[str, Any] = {"algorithm": "hs-dcfr", "iterations": 30} | options
        with pytest.raises(CheckpointError, match=said):
            solve(game, resume=path, **settings)
    assert path.read_bytes() == before


def test_damaged_and_missing_checkpoints_are_refused(kuhn: GameTree, tmp_path: Path) -> None:
    with pytest.raises(CheckpointError, match="there is no checkpoint"):
        solve(kuhn, resume=True, checkpoint=tmp_path / "none")
    assert list(tmp_path.iterdir()) == []
    (tmp_path / "bad").write_bytes(b"\0" * 100)
    with pytest.raises(EquilibristError, match="bad"):
        solve(kuhn, resume=tmp_path / "bad")


def test_a_checkpoint_of_other_versions_is_resumed_with_a_warning(
    kuhn: GameTree, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(methods, "versions", lambda: {"equilibrist": "0.0.1", "numpy": "1"})
    solve(kuhn, iterations=30, checkpoint=tmp_path / "c")
    monkeypatch.undo()
    notes = solve(kuhn, iterations=40, resume=tmp_path / "c").notes
    assert "written with equilibrist 0.0.1, numpy 1" in notes[1]


def test_there_is_a_checkpoint_before_the_first_iteration(
    kuhn: GameTree, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stop(*_: object, **__: object) -> None:
        raise RuntimeError("killed")

    monkeypatch.setattr(methods, "Loop", stop)
    with pytest.raises(RuntimeError, match="killed"):
        solve(kuhn, iterations=30, checkpoint=tmp_path / "c")
    monkeypatch.undo()
    resumed = solve(kuhn, iterations=30, checkpoint=tmp_path / "c", resume=True)
    assert same(resumed, solve(kuhn, iterations=30))
