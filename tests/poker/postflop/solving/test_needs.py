"""What a spot needs, against what `solve` takes and refuses."""

from __future__ import annotations

from typing import Any

import pytest

from equilibrist.errors import (
    ConfigError,
    EquilibristError,
    MemoryBudgetError,
    UnsupportedError,
)
from equilibrist.poker import solve
from equilibrist.poker.postflop.solving import spot_runs
from equilibrist.poker.postflop.solving.needs import spot_needs
from equilibrist.poker.postflop.solving.perturbed import LogitResponses
from equilibrist.poker.postflop.solving.solver import SpotSolver
from equilibrist.poker.postflop.spot.spot import Spot
from tests.poker.postflop.spot.spots import RIVER, TURN
from tests.refusals import refuses

RUNS: list[dict[str, Any]] = [
    {},
    {"algorithm": "pcfr+"},
    {"tremble": 0.001},
    {"quantal": 0.02},
    {"storage": "int16"},
    {"storage": "float64", "tremble": 0.001},
]


@pytest.mark.parametrize("run", RUNS, ids=str)
def test_an_estimate_fits_where_solve_does(
    run: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of a small spot both count that it goes on in float64."""
    most = spot_needs(RIVER, threads=1, **run).most_bytes
    assert spot_needs(RIVER, threads=1, memory=most, **run).fits
    assert not spot_needs(RIVER, threads=1, memory=most - 1, **run).fits
    with pytest.raises(MemoryBudgetError) as caught:
        solve(RIVER, target="1%", threads=1, memory=most - 1, **run)
    assert caught.value.expected == most
    monkeypatch.setattr(spot_runs, "SpotSolver", _stop)  # what comes after the check
    with pytest.raises(KeyboardInterrupt):
        solve(RIVER, target="1%", threads=1, memory=most, **run)


def _stop(*_: object, **__: object) -> None:
    raise KeyboardInterrupt


@pytest.mark.slow
@pytest.mark.parametrize(
    ("spot", "run"),
    [(RIVER, RUNS[0]), (RIVER, RUNS[2]), (RIVER, RUNS[3]), (Spot(**TURN), RUNS[3])],
    ids=str,
)
def test_bytes_are_those_of_the_solver(spot: Spot, run: dict[str, Any]) -> None:
    needed = spot_needs(spot, threads=2, **run).memory_bytes["float32"]
    taken = SpotSolver(spot, threads=2, **run).run(1).memory_bytes
    assert taken <= needed <= 1.1 * taken + 20_000


def test_what_runs_keep_and_take() -> None:
    plain, trembling, predicting = (
        spot_needs(RIVER, threads=1, **run) for run in (RUNS[0], RUNS[2], RUNS[1])
    )
    entries = plain.size.entries
    for needs in (trembling, predicting):
        assert needs.memory_bytes["float32"] - plain.memory_bytes["float32"] == 4 * entries
        assert needs.disk_bytes > plain.disk_bytes
    cold = spot_needs(RIVER, threads=1, quantal=0.001, target="90%")
    assert cold.run.iterations == LogitResponses(temperature=0.001).iterations_to_cool
    assert cold.cost.slower > trembling.cost.slower > plain.cost.slower == 1.0


@pytest.mark.parametrize(
    ("spot", "run", "error", "option"),
    [
        (RIVER, {"tremble": 0.5}, ConfigError, "tremble"),
        (RIVER, {"quantal": 2.0}, ConfigError, "quantal"),
        (RIVER, {"quantal": 0.01, "algorithm": "pcfr+"}, ConfigError, "algorithm"),
        (RIVER, {"tremble": 0.01, "storage": "int16"}, ConfigError, "storage"),
        (
            RIVER.replace(locks=["X: frequency = Check 40%"]),
            {"quantal": 0.01},
            UnsupportedError,
            "quantal",
        ),
    ],
)
def test_what_solve_refuses_is_not_estimated(
    spot: Spot, run: dict[str, Any], error: type[EquilibristError], option: str
) -> None:
    with refuses(error, option=option):
        solve(spot, iterations=1, **run)
    with refuses(error, option=option):
        spot_needs(spot, **run)
