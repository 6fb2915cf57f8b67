"""The plain-Python recursion against published figures of games small enough for it."""

from __future__ import annotations

from functools import cache

import pytest

from benchmarks.papers.figures import FIGURES, GOOFSPIEL3, GOOFSPIEL4, KUHN, Figure
from equilibrist.games import load_game
from equilibrist.reference.cfr import ReferenceCFR
from equilibrist.reference.game_walk import GameWalk, walk
from equilibrist.reference.response import nash_conv
from equilibrist.solvers.variants.registry import VARIANTS, get_variant
from equilibrist.solvers.variants.variant import Variant
from tests.papers.mutations import with_vanilla_coefficients
from tests.papers.published_arithmetic import PublishedArithmetic
from tests.slow_cases import slow_but

CHEAP = [
    f
    for f in FIGURES
    if f.game in (KUHN, GOOFSPIEL3) or (f.game, f.iterations) == (GOOFSPIEL4, 100)
]


@cache
def game_walk(spec: str) -> GameWalk:
    return walk(load_game(spec))


@cache
def measured(game: str, variant: Variant, iterations: int, horizon: int) -> float:
    tree = game_walk(game)
    solver = ReferenceCFR(tree, variant, horizon=horizon if variant.needs_horizon else None)
    solver.run(iterations)
    return nash_conv(tree, solver.average_strategy()) / 2.0


@pytest.mark.drawn(8)
@pytest.mark.by_default(1)
@pytest.mark.parametrize("figure", slow_but([f for f in CHEAP if f.game == KUHN], CHEAP), ids=str)
def test_reference_meets_the_figure(figure: Figure) -> None:
    variant = get_variant(figure.algorithm)
    value = measured(figure.game, variant, figure.iterations, figure.planned)
    # As a sum of quotients Linear CFR rounds otherwise than as the published sum of products.
    meets = figure.agrees_up_to_rounding if figure.algorithm == "lcfr" else figure.agrees
    assert meets(value), f"published {figure.printed}, measured {value:.16e}"
    vanilla = with_vanilla_coefficients(variant)
    assert not figure.agrees_up_to_rounding(
        measured(figure.game, vanilla, figure.iterations, figure.planned)
    )


@pytest.mark.drawn(8)
@pytest.mark.by_default(2)
@pytest.mark.parametrize("game", [KUHN, GOOFSPIEL4, "leduc(ranks=2)"])
@pytest.mark.parametrize("name", sorted(set(VARIANTS) - {"lcfr", "sapcfr+"}))
def test_published_arithmetic_has_the_bits_of_the_reference(name: str, game: str) -> None:
    """So what the compiled runner proves of the figures, it proves of the readable recursion."""
    tree, variant = game_walk(game), VARIANTS[name]
    plain, compiled = (
        ReferenceCFR(tree, variant, horizon=40),
        PublishedArithmetic(tree, variant, 40),
    )
    plain.run(40)
    for _ in range(2):
        compiled.run(20)
    assert compiled.average_strategy() == plain.average_strategy()
    assert compiled.regret.tolist() == [x for row in plain.regret.values() for x in row]


@pytest.mark.parametrize("name", ["lcfr", "sapcfr+"])
def test_the_two_other_arithmetics_say_the_same(name: str) -> None:
    tree = game_walk(GOOFSPIEL4)
    plain, compiled = ReferenceCFR(tree, VARIANTS[name]), PublishedArithmetic(tree, VARIANTS[name])
    plain.run(15)
    compiled.run(15)
    expected = plain.average_strategy()
    for key, row in compiled.average_strategy().items():
        assert row == pytest.approx(expected[key], abs=1e-9)
