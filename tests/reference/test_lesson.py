"""The lesson: every equation on its pages is true, and together they are an iteration of CFR."""

from __future__ import annotations

import re
from fractions import Fraction

import pytest

from equilibrist.errors import UnknownNameError
from equilibrist.games import load_game
from equilibrist.reference.by_hand import number_text
from equilibrist.reference.cfr import ReferenceCFR
from equilibrist.reference.lesson import Page, lesson
from equilibrist.solvers.variants.registry import get_variant
from tests.refusals import refuses
from tests.small_games import Written

GAMES = ("kuhn", "kuhn(players=3)", "random_tree(seed=3,depth=4,players=2)")
ALGORITHMS = ("cfr", "cfr+", "dcfr", "pcfr+", "pdcfr+")
WORDS = re.compile(r"own reach|chance|others")
EQUATION = re.compile(r"(?P<left>[-0-9a-z+*/()., ]+) = (?P<right>\S+)$")


def value(text: str) -> float:
    """What a formula of numbers comes to; decimals and small fractions only."""
    plain = re.sub(r"(\d+(\.\d+)?(e-?\d+)?)", r"Fraction('\1')", WORDS.sub("", text))
    assert re.fullmatch(r"[-+*/()., max\d'eFraction]*", plain), plain
    return float(eval(plain, {"Fraction": Fraction, "max": max}))


def equations(page: Page) -> list[tuple[str, str]]:
    found = []
    for line in page.lines:
        match = EQUATION.match(line[11:])
        if match:
            found.append((match["left"], match["right"]))
    return found


def pages_of(game: str, algorithm: str, iteration: int, **options) -> list[Page]:
    return list(lesson(load_game(game), get_variant(algorithm), iteration, **options))


@pytest.mark.by_default(3)
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("algorithm", ALGORITHMS)
@pytest.mark.parametrize("iteration", [1, 3])
def test_every_equation_is_true(game: str, algorithm: str, iteration: int) -> None:
    count = 0
    for page in pages_of(game, algorithm, iteration):
        for left, right in equations(page):
            # Both sides are printed with six digits where they are no small fractions.
            assert value(left) == pytest.approx(value(right), rel=1e-4, abs=2e-5), page
            count += 1
    assert count > 50


@pytest.mark.parametrize("alternating", [True, False])
def test_the_pages_are_an_iteration_of_the_reference(alternating: bool) -> None:
    game = load_game("kuhn")
    pages = pages_of("kuhn", "dcfr", 4, alternating=alternating)
    solver = ReferenceCFR(game, get_variant("dcfr"), alternating)
    solver.run(4)
    assert len(pages) == 12 + 2
    for page in pages[1:-1]:
        key = page.title.split()[1]
        row = solver.strategy[key]
        wanted = ", ".join(
            f"{a} {number_text(x)}" for a, x in zip(("pass", "bet"), row, strict=True)
        )
        assert page.lines[-1].endswith(wanted)
        sums = [line for line in page.lines if line.startswith("S(")]
        assert [line.split(" = ")[1] for line in sums] == [
            number_text(x) for x in solver.strategy_sum[key]
        ]
    for key, row in solver.average_strategy().items():
        assert any(
            line.split()[0] == key and line.endswith(f"bet {number_text(row[1])}")
            for line in pages[-1].lines
        )


def test_the_textbook_regret_is_on_its_page() -> None:
    """Kuhn, 1 after pass and bet, all players uniform: 1/12 for passing."""
    (page,) = pages_of("kuhn", "cfr", 1, infosets=["1pb"])[1:-1]
    assert page.title == "Infoset 1pb of player 0"
    assert "r          pass 1/12, bet -1/12" in page.lines
    assert "R(pass)    0 + 1/12 = 1/12" in page.lines


def test_an_unknown_infoset_is_refused_with_the_nearest() -> None:
    with refuses(UnknownNameError, option="infoset", name="1pbb"):
        pages_of("kuhn", "cfr", 1, infosets=["1pbb"])


@pytest.mark.parametrize("game", ["rps", "battle_of_the_sexes", "kuhn"])
def test_formulas_stand_in_one_column(game: str) -> None:
    for page in pages_of(game, "cfr", 2)[1:-1]:
        column = page.lines[0].index(page.lines[0].split()[1])
        for line in page.lines:
            assert line[column - 1] == " ", line
            assert line[column] != " ", line


def test_labels_that_are_numbers_are_no_part_of_fractions() -> None:
    page = pages_of("matrix(payoffs=[[2,-1],[-1,1]])", "cfr", 1)[1]
    assert page.lines[0].split(maxsplit=1)[1] == "'0' 1/2, '1' 1/2"
    assert page.lines[3].split(maxsplit=1)[1] == "'0' 1/2, '1' 0"


def test_a_start_away_from_equilibrium_has_regrets() -> None:
    """Against rock, paper earns 1 more and scissors 1 less; uniform play, 0 of each."""
    rock = {"row": [1.0, 0.0, 0.0], "column": [1.0, 0.0, 0.0]}
    row, column = pages_of("rps", "cfr", 1, start=rock)[1:-1]
    assert "rock 0, paper 1, scissors -1" in [line[14:] for line in row.lines]
    assert row.lines[-1].endswith("rock 0, paper 1, scissors 0")
    assert column.lines[0].endswith("rock 1, paper 0, scissors 0")
    assert "rock 0, paper 1, scissors 2" in [line[14:] for line in column.lines]


def test_payoffs_in_a_tiny_unit_are_no_zeros() -> None:
    tables = ("[[3e-13,-1e-13],[-2e-13,1e-13]]", "[[3,-1],[-2,1]]")
    tiny, usual = (
        [*lesson(load_game(f"matrix(payoffs={table})"), get_variant("cfr"))] for table in tables
    )
    assert "v(a)     '0' 1, '1' -1/2" in str(usual[1])
    assert "v(a)     '0' 1e-13, '1' -5e-14" in str(tiny[1])


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (-1e12 / 42 + 0.18, "-2.38095e+10"),
        (1e10 / 3, "3.33333e+09"),
        (1e12, "1000000000000"),
        (-2500 / 3, "-2500/3"),
        (1e-13, "0"),
        (0.1 + 0.2, "3/10"),
    ],
)
def test_a_fraction_is_certainly_one(number: float, text: str) -> None:
    assert number_text(number) == text


def test_a_game_without_decisions_has_a_lesson() -> None:
    pages = list(lesson(Written((3.0, -3.0), 2), get_variant("cfr")))
    assert pages[-1].lines[0].endswith("3, -3")
