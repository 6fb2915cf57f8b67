"""`solve` with a sampler: options, stopping, checkpoints, results and what is claimed of them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import equilibrist as eq
from equilibrist.errors import CheckpointError, ConfigError, UnknownNameError
from equilibrist.results import SamplingDetails
from equilibrist.solvers.sampling.mccfr import MCCFR
from equilibrist.solvers.sampling.samplers import SAMPLERS
from equilibrist.solving.sampling import measuring_stride
from tests.refusals import refuses
from tests.solve_options import grouped


@pytest.fixture(scope="module")
def kuhn() -> eq.GameTree:
    return eq.compile_game(eq.load_game("kuhn"))


@pytest.mark.parametrize("sampler", SAMPLERS)
def test_every_sampler_solves_kuhn(kuhn: eq.GameTree, sampler: str) -> None:
    result = eq.solve(kuhn, sampling=sampler, iterations=20_000, seed=5)
    assert result.algorithm == "cfr"
    assert result.values[0] == pytest.approx(-1 / 18, abs=0.03)
    trembling = sampler == "textbook"
    assert (0.1 if trembling else 0.0) < result.nash_conv < (0.3 if trembling else 0.1)
    assert ("errs with probability epsilon" in result.guarantee) == trembling
    same = MCCFR(kuhn, "cfr", sampler=sampler, seed=5).run(20_000)
    assert result.strategy.probabilities.tobytes() == (
        same.average_strategy().probabilities.tobytes()
    )
    assert isinstance(result.details, SamplingDetails)
    assert result.details.nodes_touched == same.nodes_touched


def test_baseline_and_prune(kuhn: eq.GameTree) -> None:
    options: dict[str, Any] = {"iterations": 5_000}
    plain = eq.solve(kuhn, **grouped(options, sampler="external(baseline=learned)"))
    assert plain.nash_conv < 0.1
    assert "Theory: with probability" in plain.guarantee
    pruned = eq.solve(kuhn, **grouped(options, sampler="external(baseline=learned,prune=400)"))
    assert pruned.to_dict()["sampler"] == "external(baseline=learned,prune=400.0)"
    assert "which has no convergence guarantee" in pruned.guarantee


def test_the_document_says_what_was_drawn(kuhn: eq.GameTree, tmp_path: Path) -> None:
    result = eq.solve(kuhn, sampling="outcome(epsilon=0.5)", iterations=100, seed=7)
    document = result.to_dict()
    drawn = {name: document[name] for name in ("sampler", "averaging", "seed", "period")}
    assert drawn == {
        "sampler": "outcome(epsilon=0.5)",
        "averaging": "stochastic",
        "seed": 7,
        "period": 64,
    }
    assert isinstance(result.details, SamplingDetails)
    assert document["nodes_touched"] == result.details.nodes_touched > 100
    loaded = eq.Result.load(result.save(tmp_path / "s"))
    assert loaded.to_dict() == replace(result, solution_file=tmp_path / "s").to_dict()
    assert "sampler" not in eq.solve(kuhn, iterations=3).to_dict()


def test_the_same_options_give_the_same_bits(kuhn: eq.GameTree) -> None:
    def solve(**options: Any) -> bytes:
        found = eq.solve(kuhn, iterations=500, **grouped({"sampler": "external", **options}))
        return found.strategy.probabilities.tobytes()

    assert solve() == solve(seed=0, averaging="stochastic", algorithm="cfr")
    others: list[dict[str, Any]] = [
        {"seed": 1},
        {"averaging": "full"},
        {"averaging": "full", "averaging_every": 3},
        {"algorithm": "lcfr"},
        {"algorithm": "lcfr", "period": 10},
    ]
    assert len({solve(), *(solve(**options) for options in others)}) == 1 + len(others)


def test_the_target_stops_it_and_the_trace_is_of_the_schedule(kuhn: eq.GameTree) -> None:
    result = eq.solve(kuhn, sampling="external", target=0.02, iterations=200_000)
    assert result.stopped_by == "target"
    assert result.exploitability <= 0.02
    stride = measuring_stride(MCCFR(kuhn))
    points = [point.iteration for point in result.trace]
    assert points[:3] == [stride // 64, stride // 16, stride // 4]
    assert all(point % stride == 0 for point in points[3:])


def test_by_default_it_stops_at_a_thousandth_of_the_range(kuhn: eq.GameTree) -> None:
    result = eq.solve(kuhn, sampling="external")
    assert result.target == pytest.approx(1e-3 * kuhn.payoff_range)
    assert "1,000,000 iterations" in result.notes[0]


def test_measurements_are_rarer_where_they_cost_more(kuhn: eq.GameTree) -> None:
    leduc = eq.compile_game(eq.load_game("leduc"))
    costly, cheap = MCCFR(leduc, sampler="outcome"), MCCFR(leduc, sampler="chance")
    assert measuring_stride(costly) > measuring_stride(cheap) >= 1
    assert measuring_stride(MCCFR(leduc, seed=1)) == measuring_stride(MCCFR(leduc, seed=2))


@pytest.mark.parametrize(
    ("options", "fields"),
    [
        ({"algorithm": "cfr+"}, dict(option="algorithm", given="cfr+")),
        ({"algorithm": "pcfr+"}, dict(option="algorithm", given="pcfr+")),
        ({"algorithm": "hs-dcfr", "iterations": 5}, dict(option="algorithm", given="hs-dcfr")),
        ({"algorithm": "lp"}, dict(option="sampler", given="external")),
        ({"algorithm": "regret-matching"}, dict(option="sampler", given="external")),
        ({"alternating": False}, dict(option="alternating", given=False)),
        ({"sampler": "external(epsilon=0.5)"}, dict(option="epsilon")),
        ({"averaging": "nothing"}, dict(option="averaging", given="nothing")),
        ({"averaging_every": 3}, dict(option="averaging_every", given=3)),
        ({"period": 0}, dict(option="period", given=0)),
        ({"seed": -1}, dict(option="seed", given=-1)),
        ({"sampler": "pure", "algorithm": "lcfr"}, dict(option="algorithm", given="lcfr")),
        ({"sampler": "outcome(epsilon=0)"}, dict(option="epsilon", given=0)),
        ({"sampler": None, "averaging": "walk"}, dict(option="averaging", given="walk")),
        ({"sampler": None, "period": 3}, dict(option="period", given=3)),
    ],
)
def test_what_makes_no_sense_is_refused(
    kuhn: eq.GameTree, options: dict[str, Any], fields: dict[str, Any]
) -> None:
    with refuses(ConfigError, **fields):
        eq.solve(kuhn, **(grouped({"sampler": "external"} | options)))


def test_a_misspelt_sampler_is_refused(kuhn: eq.GameTree) -> None:
    with refuses(UnknownNameError, option="sampler", name="exernal"):
        eq.solve(kuhn, sampling="exernal")


# Checkpoints


@pytest.mark.parametrize("sampler", SAMPLERS)
def test_a_resumed_run_ends_as_one_without_a_break(
    kuhn: eq.GameTree, sampler: str, tmp_path: Path
) -> None:
    options: dict[str, Any] = {"sampler": sampler, "seed": 3, "averaging": "walk"}
    whole = eq.solve(kuhn, iterations=9000, **grouped(options))
    eq.solve(kuhn, iterations=4001, **grouped(options, checkpoint=tmp_path / "c"))
    resumed = eq.solve(
        kuhn,
        iterations=9000,
        **grouped(options, checkpoint=tmp_path / "c", resume=True),
    )
    assert resumed.strategy.probabilities.tobytes() == whole.strategy.probabilities.tobytes()
    assert resumed.details == whole.details
    assert [(p.iteration, p.nash_conv) for p in resumed.trace] == [
        (p.iteration, p.nash_conv) for p in whole.trace
    ]


def test_full_passes_do_not_resume_samples_nor_the_other_way(
    kuhn: eq.GameTree, tmp_path: Path
) -> None:
    eq.solve(kuhn, "cfr", iterations=5, files=eq.Files(checkpoint=tmp_path / "full"))
    eq.solve(
        kuhn, sampling="external", iterations=5, files=eq.Files(checkpoint=tmp_path / "sampled")
    )
    with refuses(CheckpointError, option="sampler", expected="external"):
        eq.solve(kuhn, sampling="external", iterations=9, files=eq.Files(resume=tmp_path / "full"))
    with refuses(CheckpointError, option="sampler", given="external"):
        eq.solve(kuhn, "cfr", iterations=9, files=eq.Files(resume=tmp_path / "sampled"))
    with refuses(CheckpointError, option="seed", given=0, expected=1):
        eq.solve(
            kuhn,
            sampling="external",
            seed=1,
            iterations=9,
            files=eq.Files(resume=tmp_path / "sampled"),
        )


# What is claimed


def guarantee_of(game: str, **options: Any) -> str:
    return eq.solve(game, iterations=200, **grouped(options, sampler="external")).guarantee


def test_sampled_runs_converge_with_probability_where_a_theorem_holds() -> None:
    assert "with probability arbitrarily close to 1" in guarantee_of("kuhn")
    for options in ({"algorithm": "lcfr"}, {"averaging": "snapshots"}):
        assert "a single run has no convergence guarantee" in guarantee_of("kuhn", **options)
    assert "Theory:" not in guarantee_of("kuhn", output="last")
    three = guarantee_of("kuhn(players=3)")
    assert "convergence to a Nash equilibrium is not guaranteed" in three
    assert "simultaneous" not in three


def test_progress_counts_nodes(kuhn: eq.GameTree) -> None:
    seen: list[tuple[int | None, int | None]] = []
    eq.solve(
        kuhn,
        sampling="external",
        iterations=3000,
        callbacks=lambda p: seen.append((p.nodes_touched, p.table_bytes)),
    )
    counts: list[Any] = [nodes for nodes, _ in seen]
    assert counts == sorted(counts)
    assert counts[-1] > 3000
    assert seen[-1][1] == 2 * 8 * 24
