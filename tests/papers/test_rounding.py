"""How much of a published figure is mathematics, and how much is rounding.

Some figures of Leduc (and a few of Goofspiel and liar's dice) are not determined by the algorithm
alone. Regrets that should cancel leave differences of 1e-9 to 1e-30, whose sign decides between
pure and mixed play at an infoset; from then on two correct programs that add in a different order
go different ways. Three things are shown here:

- payoffs times 3, 5, 7, ... are the same game, yet move these figures by more than their printed
  digits, and move none of the others;
- in decimals of 60 and of 100 digits, Leduc up to 200 iterations comes out the same, so that there
  is a true value; the published ones and the engine's lie around it. DCFR after 100 iterations:
  truly 7.755561674019e-3, published 7.753340469168979e-3;
- after 600 iterations of DCFR not even 60 digits are enough, and after 1,000 they end a third away
  from 200 digits (nor are they enough for CFR+, which is not computed again here).

The figures concerned, all listed in `ROUNDING_FACTORS`: Leduc CFR @1000, CFR+ @100 (10th digit),
@200, @1000, DCFR @100, @200, @1000, PCFR+, SAPCFR+, HS-DCFR and HS-PCFR+ @200; Goofspiel-4 CFR
@1000; liar's dice 1x3 DCFR (9th digit) and Linear CFR @1000, 1x4 DCFR @1000 (9th digit) and
Linear CFR @100 (5th digit), 1x5 HS-PCFR+ @1000; Kuhn DCFR (9th digit) and Linear CFR (6th) @1000;
and DCFR, DCFR+ and SAPCFR+ (5 ranks) on Leduc with more ranks @5000.
"""

from __future__ import annotations

from functools import cache

import pytest

from benchmarks.papers.figures import (
    DICE5,
    FIGURES,
    LEDUC,
    RANK_FIGURES,
    ROUNDING_FACTORS,
    Figure,
)
from equilibrist.evaluation import nash_conv
from equilibrist.game_loading import compile_game
from equilibrist.games import load_game
from equilibrist.solvers.full_traversal.cfr import CFR
from equilibrist.solvers.variants.registry import get_variant
from equilibrist.strategy import Strategy
from equilibrist.tree.compile import GameTree
from tests.altered_games import Repaid
from tests.papers.exact_arithmetic import averages
from tests.slow_cases import slow_but

SCALES = (1, 3, 5, 7, 11, 13, 19, 23, 120)
FEW_SCALES = (1, 3, 7, 120)
"""Of figures that stand still: to show which move takes all."""
ROUNDED = {
    (f.game, f.algorithm, f.iterations): f
    for f in sorted(FIGURES, key=lambda f: -f.unit)
    if f.rounding_factor > 0.0
}
"""Of figures printed twice the one with more digits."""
SHARP = [f for f in FIGURES if f.rounding_factor == 0.0 and not f.is_bound]
ISOMORPHIC = "leduc(suit_isomorphism=true)"
"""Leduc without the difference between suits: the same strategies, on a third of the infosets."""


@cache
def scaled(spec: str, scale: int) -> GameTree:
    return compile_game(Repaid(load_game(spec), float(scale)))


@cache
def spread(figure: Figure, scales: tuple[int, ...] = SCALES) -> tuple[float, float]:
    """The least and the greatest exploitability over the scales, in units of the plain game."""
    variant = get_variant(figure.algorithm)
    horizon = figure.planned if variant.needs_horizon else None
    found = []
    for scale in scales:
        solver = CFR(scaled(figure.game, scale), variant, horizon=horizon).run(figure.iterations)
        value = nash_conv(solver.average_strategy()) / scale
        found.append(value if figure.measure == "nash_conv" else value / 2)
    return min(found), max(found)


@pytest.mark.by_default(3)
@pytest.mark.parametrize(
    "figure", slow_but([f for f in ROUNDED.values() if f.game != DICE5], ROUNDED.values()), ids=str
)
def test_figures_with_a_range_are_moved_by_a_change_of_units(figure: Figure) -> None:
    low, high = spread(figure)
    assert high - low > figure.unit / 2, "this figure needs no range: rounding does not move it"


@pytest.mark.parametrize("figure", SHARP, ids=str)
def test_all_other_figures_do_not_depend_on_the_unit(figure: Figure) -> None:
    low, high = spread(figure, FEW_SCALES)
    assert high - low <= figure.unit
    assert figure.agrees(low)
    assert figure.agrees(high)


def is_moved_by_rounding(figure: Figure) -> bool:
    return "dcfr" in figure.algorithm or (
        "ranks=5" in figure.game and figure.algorithm == "sapcfr+"
    )


@pytest.mark.slow
@pytest.mark.parametrize("figure", RANK_FIGURES, ids=str)
def test_figures_of_more_ranks(figure: Figure) -> None:
    """Half of them are moved by rounding; the others stand still beside the printed figure."""
    low, high = spread(figure, SCALES[:3])
    if is_moved_by_rounding(figure):
        assert high - low > figure.unit
    else:
        assert high - low < 0.03 * low
        assert 0.01 < abs(low / figure.value - 1) < 0.13


EXACT = {
    ("cfr", 100): 9.571635300459874e-2,
    ("cfr+", 100): 1.3415994971914993e-2,
    ("cfr+", 200): 4.949796124526396e-3,
    ("dcfr", 100): 7.755561674019258e-3,
    ("dcfr", 200): 2.1037789468273185e-3,
    ("pcfr+", 100): 1.98012575757942e-2,
    ("pcfr+", 200): 6.770723898542566e-3,
    ("sapcfr+", 100): 1.2856150616852288e-2,
    ("sapcfr+", 200): 3.3382481939080236e-3,
}
"""Exploitability of Leduc by algorithm and iterations, in arithmetic that does not round."""


@cache
def exact(algorithm: str, iterations: tuple[int, ...], digits: int, spec: str = ISOMORPHIC):
    game = load_game(spec)
    tree = compile_game(game)
    return {
        t: nash_conv(Strategy.from_dict(tree, table)) / 2
        for t, table in zip(iterations, averages(game, algorithm, iterations, digits), strict=True)
    }


@pytest.mark.parametrize(("algorithm", "iterations"), EXACT)
def test_published_and_measured_lie_around_the_exact_value(algorithm: str, iterations: int) -> None:
    true = EXACT[algorithm, iterations]
    same = [
        f for f in FIGURES if (f.game, f.algorithm, f.iterations) == (LEDUC, algorithm, iterations)
    ]
    figure = min(same, key=lambda f: f.unit)
    assert figure.agrees_up_to_rounding(true)
    measured = nash_conv(CFR(scaled(LEDUC, 1), algorithm).run(iterations).average_strategy()) / 2
    assert measured == pytest.approx(true, rel=2 * figure.rounding_factor + 1e-9)


@pytest.mark.slow
def test_few_digits_do_not_give_the_exact_value() -> None:
    """In 16 digits the figure is one of many, as in double precision."""
    few = exact("dcfr", (100,), 16)[100]
    assert few != pytest.approx(EXACT["dcfr", 100], rel=1e-6)
    assert few == pytest.approx(EXACT["dcfr", 100], rel=ROUNDING_FACTORS[LEDUC, "dcfr", 100])


@pytest.mark.slow
@pytest.mark.parametrize("algorithm", sorted({name for name, _ in EXACT} - {"dcfr"}))
def test_exact_values(algorithm: str) -> None:
    assert_exact(algorithm, exact(algorithm, (100, 200), 60))


def assert_exact(algorithm: str, found: dict[int, float]) -> None:
    known = {t: value for t, value in found.items() if (algorithm, t) in EXACT}
    assert known
    for t, value in known.items():
        assert value == pytest.approx(EXACT[algorithm, t], rel=1e-13)


@pytest.mark.slow
def test_the_isomorphic_game_has_the_exact_values_of_the_whole() -> None:
    assert exact("dcfr", (100,), 60, LEDUC)[100] == pytest.approx(EXACT["dcfr", 100], rel=1e-12)


@pytest.mark.slow
def test_sixty_digits_are_enough_for_some_iterations() -> None:
    """Each iteration loses more digits than the one before."""
    few, many = (exact("dcfr", (100, 200, 600), digits) for digits in (60, 100))
    for found in (few, many):
        assert_exact("dcfr", found)
    assert abs(few[600] / many[600] - 1) > 1e-5
