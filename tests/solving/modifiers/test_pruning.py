"""`solve(prune=...)`: bits, counts in result, trace, file and progress, and what is refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from equilibrist.errors import CheckpointError, ConfigError, UnknownNameError, UnsupportedError
from equilibrist.game_loading import compile_game
from equilibrist.progress import Progress
from equilibrist.results import PrunedTraversals, Result
from equilibrist.solvers.pruning.pruned_cfr import PrunedCFR
from equilibrist.solvers.run.trace import TracePoint
from equilibrist.solving import Files, Traversal, solve
from equilibrist.solving.comparison import compare
from tests.refusals import refuses
from tests.solve_options import grouped

LEDUC = "leduc(suit_isomorphism=true)"
WAYS = ("partial", "interval", "best-response", "threshold(c=0.2)")


def bits(result: Result[Any]) -> bytes:
    return result.strategy.probabilities.tobytes()


@pytest.mark.parametrize("algorithm", ["dcfr", "cfr+", "hedge"])
@pytest.mark.parametrize("game", [LEDUC, "kuhn(players=3)", "random_tree(seed=3)"])
def test_partial_pruning_gives_the_bits_of_a_run_without(game: str, algorithm: str) -> None:
    usual = solve(game, algorithm, iterations=60)
    pruned = solve(game, algorithm, traversal=Traversal(prune="partial"), iterations=60)
    assert bits(pruned) == bits(usual)
    assert pruned.guarantee == usual.guarantee
    assert [p.nash_conv for p in pruned.trace] == [p.nash_conv for p in usual.trace]


@pytest.mark.parametrize("prune", WAYS)
def test_what_is_visited_is_told_everywhere(prune: str, tmp_path: Path) -> None:
    tree = compile_game(LEDUC)
    told: list[Progress] = []
    result = solve(
        tree,
        traversal=Traversal(prune=prune),
        iterations=100,
        callbacks=told.append,
        files=Files(out=tmp_path / "a"),
    )
    found = result.details
    assert isinstance(found, PrunedTraversals)
    assert found.pruning == result.config["prune"] == prune
    assert found.nodes_unpruned == 2 * 100 * tree.num_nodes
    assert found.terminals_unpruned == 2 * 100 * tree.num_terminals
    assert 0 < found.nodes_touched < found.nodes_unpruned
    assert 0 < found.terminals_touched < found.terminals_unpruned
    assert (found.stored_infosets is None) == (prune != "best-response")
    nodes: list[Any] = [point.nodes for point in result.trace]
    assert nodes == sorted(nodes)
    assert nodes[-1] == told[-1].nodes_touched == found.nodes_touched
    document = result.to_dict()
    assert document["pruning"]["nodes_touched"] == found.nodes_touched
    assert document["trace"][-1]["nodes"] == found.nodes_touched
    loaded = Result.load(tmp_path / "a")
    assert loaded.details == found
    assert loaded.trace == result.trace
    assert bits(loaded) == bits(result)


def test_runs_without_pruning_tell_nothing() -> None:
    result = solve("kuhn", iterations=5)
    assert result.details is None
    assert "pruning" not in result.to_dict()
    assert all("nodes" not in point for point in result.to_dict()["trace"])


def test_rows_of_traces() -> None:
    points = [
        TracePoint(3, 0.5, 0.2, 0.1, (0.0, 0.0)),
        TracePoint(3, 0.5, 0.2, 0.1, (0.0, 0.0), nodes=77),
        TracePoint(3, 0.5, 0.2, 0.1, (0.0, 0.0), 0.3, "efce"),
    ]
    assert [TracePoint.from_row(point.row) for point in points] == points


@pytest.mark.parametrize(
    ("prune", "algorithm"),
    [("partial", "dcfr"), ("interval", "cfr"), ("best-response", "cfr"), ("threshold", "hedge")],
)
def test_the_default_algorithm_fits(prune: str, algorithm: str) -> None:
    assert solve("kuhn", traversal=Traversal(prune=prune), iterations=2).algorithm == algorithm


@pytest.mark.parametrize("prune", WAYS)
def test_resumed_runs_have_the_same_bits(prune: str, tmp_path: Path) -> None:
    file = tmp_path / "run"
    straight = solve(LEDUC, traversal=Traversal(prune=prune), iterations=90)
    solve(LEDUC, traversal=Traversal(prune=prune), iterations=31, files=Files(checkpoint=file))
    again = solve(LEDUC, traversal=Traversal(prune=prune), iterations=90, files=Files(resume=file))
    assert bits(again) == bits(straight)
    assert again.details == straight.details
    assert [p.nodes for p in again.trace] == [p.nodes for p in straight.trace]


def test_checkpoints_of_other_prunings_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "run"
    solve(
        "kuhn",
        "cfr",
        traversal=Traversal(prune="interval"),
        iterations=5,
        files=Files(checkpoint=file),
    )
    with refuses(CheckpointError, option="pruned", given="interval", expected="best-response"):
        solve(
            "kuhn",
            "cfr",
            traversal=Traversal(prune="best-response"),
            iterations=9,
            files=Files(resume=file),
        )


def test_simultaneous_updates_and_the_last_strategy() -> None:
    tree = compile_game(LEDUC)
    found = solve(
        tree,
        "lcfr",
        traversal=Traversal(prune="interval", alternating=False),
        output="last",
        iterations=40,
    )
    wanted = PrunedCFR(tree, "lcfr", alternating=False).run(40).current_strategy()
    np.testing.assert_array_equal(found.strategy.probabilities, wanted.probabilities)


def test_abstractions_with_perfect_recall_are_pruned() -> None:
    usual = solve("leduc", "cfr", abstraction="cards(JQ.K)", iterations=30)
    pruned = solve(
        "leduc",
        "cfr",
        abstraction="cards(JQ.K)",
        traversal=Traversal(prune="partial"),
        iterations=30,
    )
    assert bits(pruned) == bits(usual)
    with refuses(UnsupportedError, option="prune", given="partial"):
        solve(
            "leduc",
            "cfr",
            abstraction="memory(last=1)",
            traversal=Traversal(prune="partial"),
            iterations=5,
        )


def test_warm_starts_are_for_pruning_without_memory() -> None:
    start = solve("kuhn", iterations=50).strategy
    options: dict[str, Any] = {"warm_start": start, "iterations": 150}
    pruned = solve("kuhn", **grouped(options, prune="partial"))
    assert bits(pruned) == bits(solve("kuhn", **grouped(options)))
    assert isinstance(pruned.details, PrunedTraversals)
    assert pruned.details.nodes_unpruned == 50 * 2 * pruned.num_nodes  # 100 were not traversed
    with refuses(ConfigError, option="prune", given="interval", place="warm_start"):
        solve("kuhn", "cfr", **grouped(options, prune="interval"))


@pytest.mark.parametrize(
    ("options", "fields"),
    [
        (dict(prune="interval", algorithm="cfr+"), dict(option="prune", place="cfr+")),
        (dict(prune="interval", algorithm="pcfr+"), dict(option="prune", place="pcfr+")),
        (dict(prune="best-response", algorithm="dcfr"), dict(option="prune", place="dcfr")),
        (dict(prune="threshold", algorithm="cfr"), dict(option="prune", expected="hedge")),
        (dict(prune="partial", sampler="external"), dict(option="prune", place="sampler")),
        (dict(prune="partial", measure="efce"), dict(option="prune", place="measure")),
        (dict(prune="partial", tremble=0.01), dict(option="prune", place="tremble")),
        (dict(prune="partial", algorithm="efr"), dict(option="prune", given="partial")),
        (dict(prune="partial", algorithm="xfp"), dict(option="prune", given="partial")),
        (dict(prune="partial", algorithm="fsicfr"), dict(option="prune", given="partial")),
        (dict(prune="partial", algorithm="qre"), dict(option="prune", place="qre")),
        (dict(prune="threshold(c=2)", algorithm="hedge"), dict(option="c", given=2.0)),
        (dict(prune=7), dict(option="prune", given=7)),
    ],
)
def test_what_does_not_go_together(options: dict[str, Any], fields: dict[str, Any]) -> None:
    with refuses(ConfigError, **fields):
        solve("kuhn", iterations=3, **grouped(options))


def test_other_refusals() -> None:
    with refuses(ConfigError, option="prune", given="partial"):
        solve("kuhn", "lp", traversal=Traversal(prune="partial"))
    with refuses(ConfigError, option="prune", given="partial"):
        solve("rps", "regret-matching", traversal=Traversal(prune="partial"), iterations=3)
    with refuses(UnknownNameError, option="prune", name="total"):
        solve("kuhn", traversal=Traversal(prune="total"), iterations=3)
    with refuses(UnsupportedError, option="num_players", given=3, expected=2):
        solve("kuhn(players=3)", traversal=Traversal(prune="interval"), iterations=3)


def test_races_are_pruned_where_that_fits() -> None:
    race = compare(
        "kuhn",
        ["cfr", "lcfr", "cfr+", "lcfr@external"],
        traversal=Traversal(prune="interval"),
        iterations=20,
    )
    assert [run.name for run in race.runs] == ["cfr", "lcfr", "lcfr@external"]
    assert [failure.name for failure in race.failed] == ["cfr+"]
    assert isinstance(race.runs[0].result.details, PrunedTraversals)
