"""Fixed points of deviations, and what the reference of EFR remembers."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from equilibrist.games import load_game
from equilibrist.reference.efr import FAMILIES, ReferenceEFR, deviations, fixed_point, remember


def transitions(weights: dict[Any, Any], actions: int) -> np.ndarray:
    """float64[A, A]: what the mixture of deviations plays for each recommended action."""
    total = float(sum(weights.values()))
    rows = np.eye(actions)
    for (source, target), weight in weights.items():
        sources = range(actions) if source is None else [source]
        for a in sources:
            rows[a, a] -= float(weight) / total
            rows[a, target] += float(weight) / total
    return rows


def least_squares(weights: dict[Any, Any], actions: int) -> np.ndarray:
    """The fixed point of least norm, by linear algebra."""
    system = np.vstack([transitions(weights, actions).T - np.eye(actions), np.ones(actions)])
    wanted = np.append(np.zeros(actions), 1.0)
    return np.linalg.lstsq(system, wanted, rcond=1e-10)[0]


@pytest.mark.parametrize("actions", [2, 3, 4, 5])
@pytest.mark.parametrize("share", [1.0, 0.5, 0.15])
def test_it_is_the_fixed_point_of_least_norm(actions: int, share: float) -> None:
    """With all deviations, with half of them, and with few, so that the chain falls apart."""
    rng = np.random.default_rng(actions)
    apart = 0
    for _ in range(40):
        known = [*deviations("tips", actions, True), *deviations("bps", actions, True)[:1]]
        weights = {d: float(rng.random() * (rng.random() < share)) for d in known}
        if not any(weights.values()):
            continue
        found = np.array(fixed_point(weights, actions))
        assert found == pytest.approx(found @ transitions(weights, actions), abs=1e-12)
        assert found == pytest.approx(least_squares(weights, actions), abs=1e-9)
        apart += (
            np.linalg.matrix_rank(transitions(weights, actions) - np.eye(actions)) < actions - 1
        )
    if share < 0.5 and actions > 2:
        assert apart > 0
    if share == 1.0:
        assert apart == 0


def test_it_is_exact_in_fractions() -> None:
    third = Fraction(1, 3)
    weights: dict[Any, Any] = {
        (0, 1): third,
        (1, 2): Fraction(2),
        (2, 0): Fraction(1),
        (0, 2): third,
    }
    found = fixed_point(weights, 3)
    assert found == [Fraction(6, 11), Fraction(1, 11), Fraction(4, 11)]
    assert found[0] * 2 * third == found[2]  # what leaves an action arrives there
    assert found[0] * third == found[1] * 2
    assert all(isinstance(x, Fraction) for x in found)


def test_small_rates_lose_no_digits_and_rounding_counts_for_nothing() -> None:
    found = fixed_point({(0, 1): 1e-9, (1, 0): 2e-9, (1, 2): 1.0, (2, 1): 1.0}, 3)
    assert found == pytest.approx([0.5, 0.25, 0.25], rel=1e-12)
    assert fixed_point({(0, 1): 1e-17, (2, 0): 0.5, (2, 1): 0.5}, 3) == [0.5, 0.5, 0.0]


def test_external_deviations_are_played_in_proportion_to_their_weights() -> None:
    assert fixed_point({(None, 0): 1.0, (None, 1): 3.0}, 3) == pytest.approx([0.25, 0.75, 0.0])
    assert fixed_point({(None, 0): 0.0}, 4) == [0.25] * 4


@pytest.mark.parametrize("family", FAMILIES)
def test_what_is_remembered_never_depends_on_the_order_of_the_others(family: str) -> None:
    """The last entry is obedience; with certain recommendations all are 0 or 1."""
    found = remember(family, remember(family, [1.0], [0.0, 1.0, 0.0], 1), [1.0, 0.0], 0)
    assert set(found) <= {0.0, 1.0}
    if family != "bhv":
        assert found[-1] == 1.0
    lost = remember(family, remember(family, [1.0], [0.0, 1.0, 0.0], 0), [1.0, 0.0], 0)
    assert sum(lost) == {"cfr": 1, "cfr_in": 1, "a": 0, "bhv": 1}.get(family, sum(lost))


LEDUC = {
    "cfr": 672, "cfr_in": 960, "a": 960, "bps": 1890, "cfps": 2700, "csps": 3648, "tips": 4800,
    "bhv": 4842,
}  # fmt: skip


@pytest.mark.parametrize("family", FAMILIES)
def test_how_many_regrets_there_are(family: str) -> None:
    solver = ReferenceEFR(load_game("leduc(suit_isomorphism=true)"), family)
    assert sum(len(row) for rows in solver.regret.values() for row in rows) == LEDUC[family]
