"""Estimated seconds and iterations, without a clock."""

from __future__ import annotations

import time
from typing import Any

import numpy as np
import pytest

from equilibrist.errors import ConfigError
from equilibrist.poker import estimate
from equilibrist.poker.postflop.estimate import runtime
from equilibrist.poker.postflop.estimate.runtime import (
    OVER_FLOOR,
    EstimatedRun,
    copy_bandwidth,
    estimated_run,
)
from equilibrist.poker.postflop.spot.spot import Spot
from tests.poker.postflop.spot.spots import TURN
from tests.refusals import refuses


@pytest.fixture(autouse=True)
def _two_cores(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runtime, "usable_processors", lambda: 2)


def test_a_known_bandwidth_gives_exact_figures() -> None:
    fast = 1e10 * OVER_FLOOR  # an iteration of a million entries takes 2 ms
    for share, threads, iterations, seconds in ((0.001, 1, 180, 0.36), (0.003, 2, 100, 0.2 / 1.7)):
        run = estimated_run(10**6, share, threads, fast)
        assert run == EstimatedRun(iterations, run.seconds)
        assert run.seconds == pytest.approx(seconds)
    assert estimated_run(10**6, 1.0, 1, fast).iterations == 10


def test_it_grows_with_what_there_is_to_do() -> None:
    one = estimated_run(1000, 0.003, 1, 1e9).seconds
    assert estimated_run(2000, 0.003, 1, 1e9).seconds == pytest.approx(2 * one)
    assert estimated_run(1000, 0.003, 1, 2e9).seconds == pytest.approx(one / 2)
    counts = [estimated_run(1, share, 1, 1e9).iterations for share in (0.01, 0.003, 0.001, 1e-4)]
    assert counts == sorted(set(counts))
    assert estimated_run(1000, 0.003, 64, 1e9) == estimated_run(1000, 0.003, 2, 1e9)


def test_of_a_spot() -> None:
    spot = Spot(**TURN)
    size = estimate(spot)
    run = size.estimate_run("0.1%", bandwidth=1e9)
    assert run == estimated_run(size.entries, 0.001, 1, 1e9)
    assert size.estimate_run("0.2c", bandwidth=1e9) == run
    assert size.estimate_run(bandwidth=1e9) == size.estimate_run("0.3%", bandwidth=1e9)
    assert size.estimate_run("0.1%", threads=2, bandwidth=1e9).seconds < run.seconds
    river = estimate(spot.replace(board="Td9d6hQc2s"))  # one board: nothing for a second thread
    assert river.estimate_run(threads=2, bandwidth=1e9) == river.estimate_run(bandwidth=1e9)


def test_the_bandwidth_of_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of the fastest of five copies of 32 MB: each byte is read and written."""
    now = 0.0
    copies = iter([0.5, 0.25, 0.0625, 0.125, 1.0])

    def clock() -> float:
        return now

    def copy(target: np.ndarray, source: np.ndarray) -> None:
        nonlocal now
        assert target.nbytes == source.nbytes == 1 << 25
        now += next(copies)

    monkeypatch.setattr(time, "perf_counter", clock)
    monkeypatch.setattr(np, "copyto", copy)
    assert copy_bandwidth() == 2 * (1 << 25) / 0.0625
    assert next(copies, None) is None


def test_the_bandwidth_is_measured_unless_it_is_given(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runtime, "copy_bandwidth", lambda: 3e9)
    size = estimate(Spot(**TURN))
    assert size.estimate_run() == size.estimate_run(bandwidth=3e9)


@pytest.mark.parametrize(
    ("wrong", "fields"),
    [
        ({"target": 0.001}, dict(option="target", given=0.001)),
        ({"target": "1"}, dict(option="target", given="1")),
        ({"threads": 0}, dict(option="threads", given=0)),
        ({"bandwidth": 0}, dict(option="bandwidth", given=0)),
    ],
)
def test_wrong_arguments(wrong: dict[str, Any], fields: dict[str, Any]) -> None:
    with refuses(ConfigError, **fields):
        estimate(Spot(**TURN)).estimate_run(**wrong)
