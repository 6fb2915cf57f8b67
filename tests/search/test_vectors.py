"""Optima of the programmes that have one value, whoever solves them: uniform trunks."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

import equilibrist as eq
from equilibrist.search import Resolved, Subgames, TrunkValues, resolve

DIGITS = 6e-7
LEDUC = "leduc(suit_isomorphism=true)"
KUHN = [
    # After what, seat, and the opponent's values; then margin, raw margin, reach margin, unsafe.
    ("??p", 0, (-1 / 12, 1 / 12, 1 / 4), (3 / 8, 1 / 16, 3 / 8, 1 / 36)),
    ("??p", 1, (-1 / 3, 0.0, 1 / 2), (0.0, 0.0, 1 / 2, -1 / 36)),
    ("??b", 1, (-1 / 6, 1 / 6, 1 / 2), (3 / 8, 1 / 8, 3 / 8, -1 / 6)),
]
LINES = ("??:cc", "??:crc", "??:crrc", "??:rc", "??:rrc")
LEDUC_TOTALS = ((1 / 2, 1 / 6, 1 / 6, 1 / 2, 1 / 4), (1 / 2, 1 / 2, 1 / 4, 1 / 3, 1 / 3))
LEDUC_OPTIMA = {
    "max-margin": (
        (1.122222, 1.855455, 2.630992, 1.855455, 2.630992),
        (0.905556, 1.647433, 2.368335, 1.647433, 2.368335),
    ),
    "max-margin(scale=raw)": (
        (0.187037, 0.103081, 0.146166, 0.309242, 0.219249),
        (0.150926, 0.274572, 0.197361, 0.183048, 0.263148),
    ),
    "reach": (
        (1.220988, 1.855455, 2.630992, 2.874876, 2.630992),
        (0.905556, 2.748693, 2.368335, 2.079023, 2.724746),
    ),
    "unsafe": (
        (0.008333, 0.008031, 0.002668, 0.016062, 0.005335),
        (-0.008333, -0.008031, -0.002668, -0.016062, -0.005335),
    ),
}


@cache
def subgames(game: str, roots: str) -> Subgames:
    return Subgames.of(eq.compile_game(game), roots)


def uniform(found: Subgames) -> eq.Strategy:
    return eq.Strategy.uniform(found.search.tree)


def solved(game: str, roots: str, method: str) -> Resolved:
    found = subgames(game, roots)
    return resolve(uniform(found), roots=found, method=method, completion=False)


@pytest.mark.parametrize(("root", "seat", "values", "optima"), KUHN)
def test_kuhn(root: str, seat: int, values: tuple[float, ...], optima: tuple[float, ...]) -> None:
    methods = ("max-margin", "max-margin(scale=raw)", "reach", "unsafe")
    for method, optimum in zip(methods, optima, strict=True):
        step = solved("kuhn", root, method).step(root, seat)
        assert step.objective == pytest.approx(optimum, abs=1e-12), method
        by_card = {hand.hand: hand for hand in step.hands}
        assert sorted(by_card) == ["1", "2", "3"]
        if method != "reach":
            shown = [by_card[card].alternative for card in "123"]
            assert shown == pytest.approx(values, abs=1e-12)
        assert [by_card[card].before for card in "123"] == pytest.approx(values, abs=1e-12)


def test_gifts_of_kuhn() -> None:
    step = solved("kuhn", "??p", "reach").step("??p", 1)
    gifts = {hand.hand: hand.gift for hand in step.hands}
    assert [gifts[card] for card in "123"] == pytest.approx([1 / 6, 1 / 6, 0.0], abs=1e-12)
    assert solved("kuhn", "??p", "reach").step("??p", 0).total == pytest.approx(1 / 2, abs=1e-12)


@pytest.mark.parametrize("method", LEDUC_OPTIMA)
def test_leduc(method: str) -> None:
    found = solved(LEDUC, "before chance", method)
    assert found.roots == LINES
    for seat, optima in enumerate(LEDUC_OPTIMA[method]):
        steps = [found.step(line, seat) for line in LINES]
        assert [step.total for step in steps] == pytest.approx(LEDUC_TOTALS[seat], abs=1e-12)
        assert [step.objective for step in steps] == pytest.approx(optima, abs=DIGITS)


@pytest.mark.parametrize("method", LEDUC_OPTIMA)
def test_leduc_with_suits_differs_in_raw_margins_alone(method: str) -> None:
    found = solved("leduc", "before chance", method)
    share = 0.5 if "raw" in method else 1.0
    for seat, optima in enumerate(LEDUC_OPTIMA[method]):
        steps = [found.step(line, seat) for line in LINES]
        wanted = [share * optimum for optimum in optima]
        assert [step.objective for step in steps] == pytest.approx(wanted, abs=DIGITS)


def test_values_of_hands_in_leduc() -> None:
    found = subgames(LEDUC, "??:cc")
    values = TrunkValues.of(found, uniform(found), 0)
    assert found.hands[1].labels == ("Q", "K", "J") or set(found.hands[1].labels) == set("JQK")
    order = np.array([found.hands[1].labels.index(card) for card in "JQK"])
    scale = found.search.game.scale
    expected = {
        "best": (values.payoffs(values.best), (0.091667, 0.316667, 0.541667)),
        "trunk": (values.payoffs(values.expected), (-0.154167, 0.020833, 0.195833)),
        "gifts": (values.gifts() * scale, (0.012037, 0.051852, 0.091667)),
    }
    for name, (numbers, wanted) in expected.items():
        assert numbers[order] == pytest.approx(wanted, abs=DIGITS), name
