"""Coin toss, where every method's answer is a simple fraction."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

import equilibrist as eq
from equilibrist.search import Resolved, resolve
from tests.search.coin_toss import CoinToss, trunk
from tests.search.trunks import SAFE

UNSPLIT_OR_NOT = ["resolve", "reach-resolve", "max-margin", "max-margin(scale=raw)", "constrained"]
"""Safe methods that change nothing here: o's values add up to a constant."""


def fraction(number: float) -> Fraction:
    """The fraction with a small denominator that a number is, but for rounding."""
    found = Fraction(number).limit_denominator(1_000)
    assert abs(float(found) - number) < 1e-12
    return found


def resolved(strategy: eq.Strategy, method: str, roots: str = "play") -> Resolved:
    return resolve(strategy, roots=roots, method=method, seats=[1])


def heads(found: Resolved, key: str = "guess") -> Fraction:
    return fraction(found.strategy[key]["heads"])


def loss(found: Resolved) -> Fraction:
    return fraction(found.after[1])


def test_the_trunk() -> None:
    found = resolved(trunk(CoinToss(), 5 / 8), "resolve")
    assert fraction(found.before[1]) == Fraction(3, 8)
    assert found.completion[1] == pytest.approx(0.0, abs=1e-12)
    alternatives = {hand.hand: hand.alternative / hand.weight for hand in found.steps[0].hands}
    assert fraction(alternatives["heads"]) == Fraction(-1, 4)
    assert fraction(alternatives["tails"]) == Fraction(1, 4)


def test_unsafe_guesses_heads_always() -> None:
    found = resolved(trunk(CoinToss(), 5 / 8), "unsafe")
    assert (heads(found), loss(found)) == (Fraction(1), Fraction(3, 4))


@pytest.mark.parametrize("method", UNSPLIT_OR_NOT)
def test_what_is_safe_without_gifts_changes_nothing(method: str) -> None:
    found = resolved(trunk(CoinToss(), 5 / 8), method)
    assert (heads(found), loss(found)) == (Fraction(5, 8), Fraction(3, 8))


def test_every_pass_of_reach_halves_the_loss() -> None:
    strategy = trunk(CoinToss(), 5 / 8)
    for guess in (Fraction(7, 16), Fraction(11, 32), Fraction(19, 64)):
        found = resolved(strategy, "reach")
        before = fraction(found.before[1])
        assert (heads(found), loss(found)) == (guess, before / 2)
        strategy = found.strategy


def test_gifts_raise_the_alternatives() -> None:
    found = resolved(trunk(CoinToss(), 5 / 8), "reach")
    alternatives = {hand.hand: hand.alternative / hand.weight for hand in found.steps[0].hands}
    assert fraction(alternatives["heads"]) == Fraction(1, 2)
    assert fraction(alternatives["tails"]) == Fraction(1, 4)


@pytest.mark.parametrize("method", ["resolve", "max-margin"])
def test_the_right_estimates_end_at_the_equilibrium(method: str) -> None:
    found = resolve(
        trunk(CoinToss(), 5 / 8),
        roots="play",
        method=method,
        seats=[1],
        alternatives=lambda values: np.array([0.5, -0.5]) * values.weight,
    )
    assert (heads(found), loss(found)) == (Fraction(1, 4), Fraction(0))
    assert found.bound[1] is None


def test_reach_of_a_trunk_that_guesses_evenly() -> None:
    found = resolved(trunk(CoinToss(), 1 / 2), "reach")
    assert (heads(found), loss(found)) == (Fraction(3, 8), Fraction(1, 8))
    assert heads(resolved(trunk(CoinToss(sold=(-0.5, 0.5)), 1 / 2), "reach")) == Fraction(5, 8)


@pytest.mark.parametrize("method", SAFE)
def test_what_is_safe_keeps_an_equilibrium(method: str) -> None:
    found = resolved(trunk(CoinToss(), 1 / 4), method)
    assert (heads(found), loss(found)) == (Fraction(1, 4), Fraction(0))


def test_two_copies_of_the_guess() -> None:
    """Each root takes its share of a gift; the whole of it is right here by luck alone."""
    strategy = trunk(CoinToss(copies=2), 1 / 2)
    for method, guess in (("reach", Fraction(3, 8)), ("reach(gifts=whole)", Fraction(1, 4))):
        found = resolved(strategy, method, "after chance")
        assert [heads(found, f"guess {side}") for side in ("left", "right")] == [guess, guess]
