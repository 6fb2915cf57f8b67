"""Payoffs as large as are taken, and as small as there are: every number stays a number."""

from __future__ import annotations

import json
import warnings
from typing import Any

import numpy as np
import pytest

import equilibrist as eq
from equilibrist.games import Game, load_game
from equilibrist.solvers.sampling.mccfr import MCCFR
from equilibrist.solvers.sampling.samplers import SAMPLERS
from equilibrist.solvers.variants.registry import VARIANTS
from equilibrist.tree.walk.answers import LARGEST_PAYOFF
from tests.altered_games import Hooked, Repaid
from tests.solve_options import grouped

LARGEST = LARGEST_PAYOFF / 2  # Kuhn poker pays up to 2
SMALLEST = 5e-324


def solved(game: Game[Any], algorithm: str) -> eq.Result:
    """The result, refused if NumPy warns or if a number of the JSON document is not finite."""
    stop: dict[str, Any] = {} if algorithm == "lp" else {"iterations": 200}
    with warnings.catch_warnings(), np.errstate(all="raise", under="ignore"):
        warnings.simplefilter("error")
        result = eq.solve(game, algorithm=algorithm, **grouped(stop))
        json.dumps(result.to_dict(), allow_nan=False)
    assert all(
        sum(shares.values()) == pytest.approx(1) for shares in result.strategy.to_dict().values()
    )
    return result


@pytest.mark.parametrize("scale", [LARGEST, 1e-300])
@pytest.mark.parametrize("algorithm", ["lp", *VARIANTS])
def test_the_unit_of_payoffs_does_not_matter(algorithm: str, scale: float) -> None:
    plain = solved(load_game("kuhn"), algorithm)
    scaled = solved(Repaid(load_game("kuhn"), scale), algorithm)
    assert scaled.values[0] / scale == pytest.approx(plain.values[0], abs=1e-9)
    assert scaled.nash_conv / scale == pytest.approx(plain.nash_conv, abs=1e-9)


@pytest.mark.parametrize("scale", [1e-310, 1e-320, SMALLEST])
@pytest.mark.parametrize("algorithm", ["lp", *VARIANTS])
def test_payoffs_below_the_normal_range(algorithm: str, scale: float) -> None:
    result = solved(Repaid(load_game("kuhn"), scale), algorithm)
    assert abs(result.values[0]) <= 2 * scale


@pytest.mark.parametrize("algorithm", ["regret-matching", "regret-matching+"])
@pytest.mark.parametrize("scale", [LARGEST_PAYOFF, 1e-310, 1e-320, SMALLEST])
def test_extreme_payoffs_in_matrix_games(algorithm: str, scale: float) -> None:
    result = solved(Repaid(load_game("rps"), scale), algorithm)
    assert abs(result.values[0]) <= scale


@pytest.mark.parametrize("tiny", [1e-150, 1e-320, SMALLEST])
@pytest.mark.parametrize("algorithm", ["lp", "cfr", "dcfr", "pcfr+"])
def test_tiny_payoffs_beside_others(algorithm: str, tiny: float) -> None:
    """Without the pots of 1, folding costs nothing: no payoff but 0 need occur."""
    plain = load_game("kuhn")

    def payoffs(state: Any) -> tuple[float, float]:
        won = plain.payoffs(state)[0]
        return (won, -won) if abs(won) == 2 else (won * tiny, -won * tiny)

    result = solved(Hooked(plain, payoffs=payoffs), algorithm)
    assert abs(result.values[0]) < 0.01
    assert result.nash_conv < 0.02


ELSEWHERE = ("pure", "public-chance")
"""One refuses such payoffs, one needs public states."""
SAMPLED = [name for name in SAMPLERS if name not in ELSEWHERE]
SAMPLED += ["external(baseline=oracle)", "outcome(baseline=learned)"]


def sampled(game: Game[Any], sampler: str, variant: str = "cfr") -> MCCFR:
    """A solver after some iterations, all its numbers finite."""
    solver = MCCFR(game, variant, sampler=sampler, seed=3, period=1).run(500)
    state = solver.state
    assert np.isfinite(state.regret).all()
    assert np.isfinite(state.strategy_sum).all()
    return solver


@pytest.mark.parametrize("scale", [LARGEST, 1e-300])
@pytest.mark.parametrize("sampler", SAMPLED)
def test_the_unit_of_payoffs_does_not_matter_to_samplers(sampler: str, scale: float) -> None:
    plain = sampled(load_game("kuhn"), sampler).average_strategy().probabilities
    scaled = sampled(Repaid(load_game("kuhn"), scale), sampler).average_strategy().probabilities
    assert scaled == pytest.approx(plain, abs=1e-9)


@pytest.mark.parametrize("scale", [1e-310, 1e-320, SMALLEST])
@pytest.mark.parametrize("sampler", SAMPLED)
def test_samplers_and_payoffs_below_the_normal_range(sampler: str, scale: float) -> None:
    found = sampled(Repaid(load_game("kuhn"), scale), sampler).average_strategy()
    assert (found.probabilities > 0.0).all()


@pytest.mark.parametrize("sampler", SAMPLED)
def test_samplers_and_regrets_that_fade_away(sampler: str) -> None:
    sampled(load_game("kuhn"), sampler, "dcfr(alpha=-50,beta=-50)")


def test_extreme_payoffs_with_the_default_target() -> None:
    for scale in (LARGEST, 1e-320):
        result = eq.solve(Repaid(load_game("kuhn"), scale))
        assert result.stopped_by == "target"
        assert 0 <= result.exploitability <= 4e-4 * scale
