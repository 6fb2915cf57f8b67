"""Leduc: published figures, as far as they do not hang on where a solver ends.

Neil Burch, Michael Johanson and Michael Bowling, "Solving imperfect information games using
decomposition", AAAI 2014, throw the second round of an equilibrium away and solve it again.
"""

from __future__ import annotations

import pytest

import equilibrist as eq
from equilibrist.abstraction import make_abstraction
from equilibrist.abstraction.merging import merged_tree
from equilibrist.search import Resolved, resolve
from tests.search.trunks import LEDUC, ROUNDING, SAFE, subgames, trunk
from tests.slow_cases import slow

RESOLVED = {
    # Exploitability by method, algorithm and iterations: roots before the board.
    ("resolve", "cfr", 100): 0.084,
    ("resolve", "cfr", 1_000): 0.0106,
    ("resolve", "cfr", 10_000): 0.0015,
    ("resolve", "cfr+", 100): 0.0110,
    ("resolve", "cfr+", 1_000): 0.00019,
    ("max-margin", "cfr", 100): 0.053,
    ("max-margin", "cfr", 1_000): 0.0084,
    ("max-margin", "cfr", 10_000): 0.0012,
    ("max-margin", "cfr+", 100): 0.0050,
    ("max-margin", "cfr+", 1_000): 0.00013,
}


def exploitability(found: Resolved) -> float:
    assert found.evaluation.exploitability is not None
    return found.evaluation.exploitability


@pytest.mark.parametrize("roots", ["five", "fifteen"])
@pytest.mark.parametrize("method", SAFE)
def test_safe_methods_restore_an_equilibrium(roots: str, method: str) -> None:
    found = resolve(trunk(LEDUC, "lp"), roots=subgames(roots), method=method)
    assert found.after == pytest.approx((0.0, 0.0), abs=1e-9)
    assert found.completion == pytest.approx((0.0, 0.0), abs=1e-9)
    assert found.measure == "exploitability"


@pytest.mark.by_default(2)
@pytest.mark.parametrize(
    ("method", "algorithm", "iterations"),
    [slow(*case) if case[2] > 1_000 else case for case in RESOLVED],
)
def test_round_two_solved_again(method: str, algorithm: str, iterations: int) -> None:
    found = resolve(
        trunk(LEDUC, "lp"),
        roots=subgames("five"),
        method=method,
        algorithm=algorithm,
        iterations=iterations,
        completion=False,
    )
    wanted = RESOLVED[method, algorithm, iterations]
    assert wanted / 1.5 < exploitability(found) < wanted * 1.5


@pytest.mark.parametrize("algorithm", ["lp", "cfr"])
def test_unsafe_play_is_exploitable(algorithm: str) -> None:
    """No level: the equilibrium's own play is one of its solutions."""
    found = resolve(
        trunk(LEDUC, "lp"), roots=subgames("five"), method="unsafe", algorithm=algorithm
    )
    assert exploitability(found) > 0.02
    assert found.bound == (None, None)


def test_the_trunk_that_does_not_tell_boards_apart() -> None:
    evaluation = eq.evaluate(trunk(LEDUC, "texture"))
    assert evaluation.exploitability == pytest.approx(0.3823, abs=6e-5)
    assert sorted(evaluation.best_response_values) == pytest.approx([0.2809, 0.4837], abs=6e-5)


@pytest.mark.parametrize("algorithm", ["lp", "cfr", "cfr+"])
def test_margins_repair_half_of_it(algorithm: str) -> None:
    iterations = None if algorithm == "lp" else 2_000
    found = {
        method: exploitability(
            resolve(
                trunk(LEDUC, "texture"),
                roots=subgames("five"),
                method=method,
                algorithm=algorithm,
                iterations=iterations,
                completion=False,
            )
        )
        for method in ("max-margin", "reach", "resolve")
    }
    assert 0.203 < found["max-margin"] < 0.220
    assert 0.203 < found["reach"] < 0.212
    assert found["resolve"] <= 0.3824


def test_the_best_completion_of_a_card_abstraction() -> None:
    """A trunk that knows whether the board pairs the hand, but not J from Q."""
    abstraction = make_abstraction(subgames("five").search.tree, "cards(JQ.K,pair)")
    small = eq.solve(merged_tree(abstraction), "cfr+", iterations=2_000).strategy
    base = abstraction.lift(small)
    found = resolve(base, roots=subgames("five"), method="constrained")
    assert found.completion == pytest.approx((0.0780341, 0.0856022), abs=1e-7)
    for before, after, least in zip(found.before, found.after, found.completion, strict=True):
        assert least is not None
        assert least - ROUNDING <= after <= before + ROUNDING
