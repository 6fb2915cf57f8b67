"""The default variant: what its average weighs, and why it starts anew."""

from __future__ import annotations

import numpy as np
import pytest

from equilibrist.poker.restarts import SPOT_VARIANT, RestartedAverage, spot_variant
from equilibrist.poker.spot import Spot
from equilibrist.poker.spot_solver import HoldemSolver
from tests.poker.spots import TURN

RIVER = Spot(**TURN | {"board": "Td9d6hQc2s"})


@pytest.mark.parametrize(("last", "start"), [(17, 1), (18, 18), (323, 18), (324, 324), (400, 324)])
def test_iterates_since_the_last_power_count_by_the_fourth_power(last: int, start: int) -> None:
    t = np.arange(1.0, last + 1)
    decays, weight = RestartedAverage()(t, None)
    kept = np.append(np.cumprod(decays[:0:-1])[::-1], 1.0)  # what later iterations leave of each
    found = weight * kept
    expected = np.where(t >= start, (t - start + 1) ** 4.0, 0.0)
    np.testing.assert_allclose(found / found.sum(), expected / expected.sum(), atol=1e-12)


def test_the_default_discounts_positive_and_negative_regrets() -> None:
    assert spot_variant(None) is SPOT_VARIANT
    positive, negative = SPOT_VARIANT.discount(np.array([33.0]), None)
    np.testing.assert_allclose(positive, 128 / 129)  # 32^1.4 = 2^7
    np.testing.assert_allclose(negative, 2 / 3)  # 32^0.2 = 2


def test_sixteen_bits_do_not_stall_where_the_average_starts_anew() -> None:
    """After 1,600 iterations; what early play left stays in sums that never start anew."""
    solvers = {
        (variant, storage): HoldemSolver(RIVER, storage, variant=variant)
        for variant in (None, "dcfr(alpha=1.4, beta=0.2, gamma=4)")
        for storage in ("float32", "int16")
    }
    for solver in solvers.values():
        solver.run(1600)
    left = {key: solver.exploitability() for key, solver in solvers.items()}
    (anew, anew_16), (never, never_16) = np.reshape(list(left.values()), (2, 2))
    assert anew_16 < 3 * anew
    assert never_16 > 3 * anew_16
    assert never < 1.5 * anew
