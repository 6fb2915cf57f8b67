"""The default variants: what they weigh, and why averages restart in 16 bits."""

from __future__ import annotations

import numpy as np
import pytest

from equilibrist.poker.postflop.solving.solver import SpotSolver
from equilibrist.poker.postflop.solving.variants import (
    RESTARTS,
    SPOT_VARIANT,
    RestartedAverage,
    spot_variant,
)
from equilibrist.poker.postflop.spot.fields import Storage
from equilibrist.poker.postflop.spot.spot import Spot
from equilibrist.solvers.variants.registry import get_variant
from equilibrist.solvers.variants.variant import Variant
from tests.poker.postflop.spot.spots import TURN

RIVER = Spot(**TURN | {"board": "Td9d6hQc2s"})


@pytest.mark.parametrize(("last", "start"), [(17, 1), (18, 18), (323, 18), (324, 324), (400, 324)])
def test_iterates_since_the_last_power_count_by_the_fourth_power(last: int, start: int) -> None:
    t = np.arange(1.0, last + 1)
    decays, weight = RestartedAverage()(t, None)
    kept = np.append(np.cumprod(decays[:0:-1])[::-1], 1.0)  # what later iterations leave of each
    found = weight * kept
    expected = np.where(t >= start, (t - start + 1) ** 4.0, 0.0)
    np.testing.assert_allclose(found / found.sum(), expected / expected.sum(), atol=1e-12)


@pytest.mark.parametrize("variant", [SPOT_VARIANT, RESTARTS])
def test_defaults_discount_positive_and_negative_regrets(variant: Variant) -> None:
    positive, negative = variant.discount(np.array([33.0]), None)
    np.testing.assert_allclose(positive, 128 / 129)  # 32^1.4 = 2^7
    np.testing.assert_allclose(negative, 2 / 3)  # 32^0.2 = 2


def test_the_default_goes_by_the_storage() -> None:
    assert spot_variant(None) is spot_variant(None, "float64") is SPOT_VARIANT
    assert spot_variant(None, "int16") is RESTARTS
    assert SPOT_VARIANT.average == get_variant("dcfr(gamma=5)").average
    assert SpotSolver(RIVER, storage="float32").variant is SPOT_VARIANT
    assert SpotSolver(RIVER, storage="int16").variant is RESTARTS


def test_sixteen_bits_do_not_stall_where_the_average_restarts(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """After 1,600 iterations; what early play left stays in sums that never restart."""
    monkeypatch.setattr("equilibrist.poker.postflop.solving.precision.SMALL_BYTES", 100)
    runs: list[tuple[Variant | None, Storage]] = [
        (None, "float32"),
        (None, "int16"),
        (SPOT_VARIANT, "int16"),
    ]
    solvers = [SpotSolver(RIVER, storage=storage, algorithm=each) for each, storage in runs]
    for solver in solvers:
        solver.run(1600)
    exact, restarted, never = (solver.mean_gain() for solver in solvers)
    assert restarted < 3 * exact
    assert never > 3 * restarted
