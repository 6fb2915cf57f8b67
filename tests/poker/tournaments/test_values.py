"""What stacks are worth, and places, against all orders of finish and closed forms."""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations

import numpy as np
import pytest

from equilibrist.errors import ConfigError
from equilibrist.poker import icm, tournament_values
from equilibrist.poker.tournaments.places import place_probabilities
from tests.refusals import refuses


def places_by_permutations(stacks: list[int]) -> np.ndarray:
    """The probability of each place, by exact fractions."""
    chances = [[Fraction(0)] * len(stacks) for _ in stacks]
    for order in permutations(range(len(stacks))):
        probability, left = Fraction(1), sum(stacks)
        for player in order:
            probability *= Fraction(stacks[player], left)
            left -= stacks[player]
        for place, player in enumerate(order):
            chances[player][place] += probability
    return np.array(chances, float)


@pytest.mark.parametrize(
    "stacks", [[5000, 3000, 2000], [1, 1], [7], [10**12, 1, 3, 10**6, 5], [9, 4, 3, 2, 1, 1]]
)
def test_places_against_all_orders_of_finish(stacks: list[int]) -> None:
    expected = places_by_permutations(stacks)
    for paid in {1, len(stacks)}:
        found = place_probabilities(np.array(stacks, float), paid)
        np.testing.assert_allclose(found, expected[:, :paid], rtol=1e-10, atol=1e-15)


def test_an_integral_and_an_enumeration_agree_on_a_large_field() -> None:
    stacks = np.random.default_rng(3).exponential(size=40)
    payouts = np.array([50.0, 30, 20])
    found = place_probabilities(stacks, 3)
    np.testing.assert_allclose(found @ payouts, icm(stacks, payouts), rtol=1e-12)


@pytest.mark.parametrize(("players", "paid"), [(30, 30), (200, 27)])
def test_places_of_large_fields_add_up(players: int, paid: int) -> None:
    stacks = np.random.default_rng(players).exponential(size=players)
    found = place_probabilities(stacks, paid)
    np.testing.assert_allclose(found.sum(axis=0), 1, rtol=1e-12)
    np.testing.assert_allclose(found[:, 0], stacks / stacks.sum(), rtol=1e-12)
    assert icm(stacks, np.ones(paid)).sum() == pytest.approx(paid, rel=1e-12)


def test_equal_stacks_are_worth_the_same() -> None:
    values = tournament_values([20] * 60, [10, 5, 3, *[1] * 12])
    np.testing.assert_allclose(values.worth, 30 / 60, rtol=1e-12)
    assert values.places is not None
    np.testing.assert_allclose(values.places, 1 / 60, rtol=1e-12)


def test_what_is_left_for_the_winner_is_not_dealt() -> None:
    values = tournament_values([5, 3, 2], [50, 30, 20], leave=20)
    np.testing.assert_allclose(values.worth, icm([5, 3, 2], [30, 30, 20]))
    np.testing.assert_allclose(values.by_chips, [20 + 10, 20 + 6, 20 + 4])
    np.testing.assert_allclose(values.per_chip, values.worth / [5, 3, 2])
    assert values.worth.sum() == pytest.approx(80)


def test_players_without_chips_take_the_last_places() -> None:
    values = tournament_values([2, 0, 1, 0], [50, 30, 15, 5])
    assert values.places is not None
    np.testing.assert_allclose(values.worth[[1, 3]], 10)
    np.testing.assert_allclose(values.places[1], [0, 0, 0.5, 0.5])
    np.testing.assert_allclose(values.places @ values.payouts, values.worth)
    assert np.isnan(values.per_chip[1])
    sampled = tournament_values([2, 0, 1, 0], [50, 30, 15, 5], samples=100)
    np.testing.assert_allclose(sampled.worth[[1, 3]], 10)


@pytest.mark.parametrize("paid", [3, 5])
def test_the_interval_of_a_sample_holds_the_exact_value(paid: int) -> None:
    """With 40 seeds some 5 % of the intervals miss."""
    stacks, payouts = [9, 4, 3, 2, 1], [50, 30, 20, 10, 5][:paid]
    exact = icm(stacks, payouts)
    inside = []
    for seed in range(40):
        values = tournament_values(stacks, payouts, samples=400, seed=seed)
        assert not values.exact
        assert values.intervals is not None
        inside += ((values.intervals[:, 0] <= exact) & (exact <= values.intervals[:, 1])).tolist()
    assert 0.9 < np.mean(inside) < 0.99


def test_a_field_that_takes_long_is_sampled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("equilibrist.poker.tournaments.values._DRAWS", 8000 * 1000)
    values = tournament_values([1] * 8000, [1] * 2000)
    assert (values.exact, values.samples) == (False, 1000)
    assert values.worth.sum() == pytest.approx(2000)


@pytest.mark.parametrize(
    ("given", "option"),
    [
        ({"payouts": [30, 50]}, "payouts"),
        ({"payouts": [4, 3, 2, 1]}, "payouts"),
        ({"payouts": []}, "payouts"),
        ({"payouts": [0, 0]}, "payouts"),
        ({"stacks": [0, 0, 0]}, "stacks"),
        ({"stacks": []}, "stacks"),
        ({"stacks": [1, -1, 3]}, "stacks"),
        ({"stacks": [[1, 2, 3]]}, "stacks"),
        ({"stacks": "5/3/2"}, "stacks"),
        ({"names": ["a", "b"]}, "names"),
        ({"names": ["a", "b", ""]}, "names"),
        ({"leave": 20.5}, "leave"),
        ({"leave": -1}, "leave"),
        ({"samples": 1}, "samples"),
        ({"seed": -1}, "seed"),
    ],
)
def test_what_has_no_value_is_refused(given: dict[str, object], option: str) -> None:
    with refuses(ConfigError, option=option):
        tournament_values(**{"stacks": [5, 3, 2], "payouts": [50, 30], **given})  # type: ignore[arg-type]
