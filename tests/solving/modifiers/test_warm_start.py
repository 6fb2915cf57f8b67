"""Warm starts: the strategy is what is played next, and what the average begins with."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import equilibrist as eq
from equilibrist.errors import ConfigError, FileFormatError, MismatchError
from equilibrist.evaluation.infosets import infoset_values
from equilibrist.solvers import CFR
from equilibrist.solving.modifiers.warm_start import SHARE, warm_state
from equilibrist.strategy import Strategy
from tests.refusals import refuses
from tests.solve_options import grouped

TUTORIAL = "infoset,C,B\n" + "".join(
    f"{card}{line},0.5,0.5\n" for card in "123" for line in ("", "C", "B", "CB")
)
"""Every action with 1/2 in a notation of the textbooks."""
GAMES = ("kuhn", "kuhn(players=3)", "leduc", "random_tree(seed=4,depth=6,forced=0.3)")
ALGORITHMS = ("cfr", "cfr+", "lcfr", "dcfr", "dcfr+", "pcfr+", "pdcfr+", "sapcfr+")


def some_strategy(tree: eq.GameTree) -> Strategy:
    generator = np.random.default_rng(0)
    rows = [generator.dirichlet(np.ones(len(labels))) for labels in tree.action_labels]
    return Strategy(tree, np.concatenate(rows))


def warm(tree: eq.GameTree, algorithm: str, strategy: Strategy, count: int) -> CFR:
    solver = CFR(tree, algorithm)
    return solver.restore(warm_state(solver, strategy, count))


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_the_strategy_is_played_next_and_is_the_average(game: str, algorithm: str) -> None:
    tree = eq.compile_game(game)
    strategy = some_strategy(tree)
    solver = warm(tree, algorithm, strategy, 7)
    assert solver.iteration == 7
    for played in (solver.current_strategy(), solver.average_strategy()):
        assert played.probabilities == pytest.approx(strategy.probabilities, abs=1e-12)


@pytest.mark.parametrize("game", GAMES)
def test_regret_matching_takes_the_strategy_from_the_regrets(game: str) -> None:
    tree = eq.compile_game(game)
    strategy = some_strategy(tree)
    for key, regrets in warm(tree, "cfr", strategy, 50).regrets().items():
        if len(regrets) > 1:
            total = sum(regrets.values())
            assert {a: r / total for a, r in regrets.items()} == pytest.approx(strategy[key])


def squares_left(algorithm: str, count: int) -> float:
    """Sum over iterations of what the factors of all later ones leave of each, squared."""
    if algorithm == "cfr":
        return float(count)
    if algorithm == "lcfr":
        return sum((t / count) ** 2 for t in range(1, count + 1))
    factors = [(t - 1) ** 1.5 / ((t - 1) ** 1.5 + 1) for t in range(1, count + 1)]
    return sum(float(np.prod(factors[t:])) ** 2 for t in range(1, count + 1))


@pytest.mark.parametrize("algorithm", ["cfr", "lcfr", "dcfr"])
def test_regrets_are_a_share_of_their_bound(algorithm: str) -> None:
    tree = eq.compile_game("kuhn")
    strategy = some_strategy(tree)
    reach = infoset_values(strategy).counterfactual_reach
    regrets = warm(tree, algorithm, strategy, 9).regrets()
    for i, key in enumerate(tree.infoset_keys):
        # Payoffs of Kuhn poker go from -2 to 2.
        bound = reach[i] * 4.0 * np.sqrt(squares_left(algorithm, 9))
        assert sum(regrets[key].values()) == pytest.approx(SHARE * bound)


def test_a_warm_start_is_ahead_of_a_cold_one() -> None:
    tree = eq.compile_game("leduc")
    strategy = CFR(tree, "dcfr").run(500).average_strategy()
    solver = warm(tree, "dcfr", strategy, 100).run(100)
    cold = CFR(tree, "dcfr").run(200)
    found = [eq.exploitability(s.average_strategy()) for s in (solver, cold)]
    assert found[0] < 0.5 * found[1]


def test_infosets_without_reach_keep_the_strategy() -> None:
    tree = eq.compile_game("kuhn")
    always_pass = Strategy.first_action(tree)
    solver = warm(tree, "cfr+", always_pass, 10)
    assert np.array_equal(solver.current_strategy().probabilities, always_pass.probabilities)
    assert np.isfinite(solver.run(20).average_strategy().probabilities).all()


@pytest.mark.parametrize("name", ["start.csv", "start.json", "start.safetensors"])
def test_files_and_objects_start_alike(name: str, tmp_path: Path) -> None:
    first = eq.solve("kuhn", iterations=20)
    path = tmp_path / name
    if path.suffix == ".safetensors":
        first.save(path)
    else:
        first.strategy.save(path)
    results = [
        eq.solve(
            "kuhn",
            "cfr+",
            iterations=50,
            traversal=eq.Traversal(warm_start=given, warm_iterations=10),
        )
        for given in (first.strategy, path, str(path))
    ]
    assert any("10 iterations had played it" in note for note in results[1].notes)
    assert results[1].config["warm_start"] == str(path)
    for result in results:
        assert np.array_equal(result.strategy.probabilities, results[0].strategy.probabilities)
        assert result.iterations == 50


def test_a_warm_run_resumes_to_the_same_bits(tmp_path: Path) -> None:
    strategy = eq.solve("leduc", iterations=30).strategy
    file = tmp_path / "run.ckpt"
    eq.solve(
        "leduc",
        iterations=140,
        traversal=eq.Traversal(warm_start=strategy),
        files=eq.Files(checkpoint=file),
    )
    resumed = eq.solve("leduc", iterations=180, files=eq.Files(checkpoint=file, resume=True))
    whole = eq.solve("leduc", iterations=180, traversal=eq.Traversal(warm_start=strategy))
    assert np.array_equal(resumed.strategy.probabilities, whole.strategy.probabilities)


@pytest.mark.parametrize(
    ("options", "fields"),
    [
        ({"warm_start": 3}, dict(option="warm_start", given=3)),
        ({"warm_iterations": 7}, dict(option="warm_iterations", given=7)),
        ({"warm_start": "S", "iterations": 100}, dict(option="iterations", given=100)),
        ({"warm_start": "S", "warm_iterations": 0}, dict(option="warm_iterations", given=0)),
        (
            {"warm_start": "S", "sampler": "external"},
            dict(option="warm_start"),
        ),
        (
            {"warm_start": "S", "algorithm": "lp"},
            dict(option="warm_start"),
        ),
        (
            {"warm_start": "S", "resume": "run.ckpt"},
            dict(option="warm_start"),
        ),
    ],
)
def test_what_does_not_go_together_is_refused(
    options: dict[str, object], fields: dict[str, Any]
) -> None:
    strategy = Strategy.uniform(eq.compile_game("kuhn"))
    given: dict[str, Any] = {k: strategy if v == "S" else v for k, v in options.items()}
    with refuses(ConfigError, **fields):
        eq.solve("kuhn", **grouped(given))


def test_a_strategy_of_another_game_is_refused(tmp_path: Path) -> None:
    strategy = Strategy.uniform(eq.compile_game("kuhn"))
    with refuses(MismatchError, option="warm_start", given="kuhn", expected="leduc"):
        eq.solve("leduc", iterations=200, traversal=eq.Traversal(warm_start=strategy))
    path = tmp_path / "kuhn.safetensors"
    eq.solve("kuhn", iterations=5).save(path)
    with refuses(MismatchError, option="game", given="kuhn", expected="leduc"):
        eq.solve("leduc", iterations=200, traversal=eq.Traversal(warm_start=path))


def test_a_missing_file_is_reported_before_the_game_is_walked() -> None:
    def walked(_count: int) -> None:
        raise AssertionError("the game was walked")

    with refuses(
        FileFormatError, option="file", given="No such file or directory", path="nowhere.csv"
    ):
        eq.solve(
            "leduc",
            traversal=eq.Traversal(warm_start="nowhere.csv"),
            callbacks=eq.Callbacks(on_walk=walked),
        )


def test_a_table_is_read_as_everywhere(tmp_path: Path) -> None:
    """In the notations of textbooks, with its column of players held against the game."""
    path = tmp_path / "table.csv"
    path.write_text(TUTORIAL)
    uniform = Strategy.uniform(eq.compile_game("kuhn"))
    results = [
        eq.solve("kuhn", traversal=eq.Traversal(warm_start=given), iterations=120)
        for given in (path, uniform)
    ]
    assert results[0].nash_conv == results[1].nash_conv
    path.write_text("player," + TUTORIAL.replace("\n", "\n1,").removesuffix("1,"))
    with refuses(MismatchError, option="player", given=1, expected=0):
        eq.solve("kuhn", traversal=eq.Traversal(warm_start=path), iterations=120)
    path.write_text(TUTORIAL.replace("3CB,0.5,0.5\n", ""))
    with refuses(ConfigError, option="infosets", given="3pb"):
        eq.solve("kuhn", traversal=eq.Traversal(warm_start=path), iterations=120)
