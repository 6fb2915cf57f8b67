"""The grid of hands in Chromium: heights, heat maps, suits and figures are those of the engine."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest

from equilibrist import load_result, poker
from equilibrist.poker.cards.combos import CLASS_NAMES, combo_name
from equilibrist.poker.postflop.solution.node_aggregates import json_number
from tests.web.browser.conftest import Site
from tests.web.browser.study_page import chips, open_at

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def solution(spot_file: Path) -> poker.PostflopResult:
    return load_result(spot_file)


def test_grid_hover_pin_and_filters(page: Page, solution: poker.PostflopResult) -> None:
    from playwright.sync_api import expect

    open_at(page, "X")
    rows = page.locator(".eqp-body .eqp-tr")
    node = solution.at("X")
    cell = page.locator('[data-place="14"]')
    classes = node.classes(1)
    kings = f"{100 * classes.strategy[1][1, 1]:.1f}%"
    assert f"Bet 50 {kings}" in (cell.get_attribute("aria-label") or "")
    cell.hover()
    expect(rows).to_have_count(6)
    cell.click()
    expect(cell).to_have_class(re.compile(r"\beqp-pinned\b"))
    page.mouse.move(5, 5)
    expect(rows).to_have_count(6)
    cell.click()
    expect(page.locator(".eqp-pinned")).to_have_count(0)
    page.mouse.move(5, 5)
    expect(rows).to_have_count(7)
    page.get_by_label("Show").select_option("ev")
    expect(cell.locator("small")).to_have_text(chips(classes.ev[1, 1]))
    page.locator(".eqs-filters summary").click()
    page.get_by_label("overpair").check()
    expect(rows).to_have_count(6)
    page.get_by_role("button", name="Clear filters").click()
    page.get_by_label("Find").fill("QsJ")
    expect(rows).to_have_count(1)
    expect(page.locator(".eqp-body .eqp-hand")).to_have_text("Q♠J♠")


def cells_of(page: Page) -> dict[int, dict[str, str]]:
    """How the cells of the grid that hold hands are drawn."""
    found: dict[str, dict[str, str]] = page.evaluate(
        """() => Object.fromEntries([...document.querySelectorAll('.eqp-cell:not(.eqp-empty)')].map(
          (cell) => [cell.dataset.place, { image: cell.style.backgroundImage,
            size: cell.style.backgroundSize, text: cell.querySelector('small').textContent }]))"""
    )
    return {int(place): how for place, how in found.items()}


@pytest.mark.parametrize("line", ["", "X"])
def test_bar_heights_are_weights(page: Page, solution: poker.PostflopResult, line: str) -> None:
    open_at(page, line)
    node = solution.at(line)
    weight = node.classes(node.player or 0).weight.ravel()
    shares = {
        "absolute": weight,
        "normalized": weight / weight.max(),
        "full": (weight > 0).astype(float),
    }
    for heights, share in shares.items():
        page.get_by_label("Height of bars").select_option(heights)
        found = {place: how["size"] for place, how in cells_of(page).items()}
        assert found.keys() == set(weight.nonzero()[0].tolist())
        for place, size in found.items():
            assert float(size.split()[1].rstrip("%")) == pytest.approx(
                100 * share[place], abs=0.051
            )


@pytest.mark.parametrize("line", ["", "X", "X-B50"])
def test_heat_maps_are_figures_of_the_engine(
    page: Page, solution: poker.PostflopResult, line: str
) -> None:
    open_at(page, line)
    node = solution.at(line)
    classes = node.classes(node.player or 0)
    equity, ev = classes.equity.ravel(), classes.ev.ravel()
    with np.errstate(divide="ignore", invalid="ignore"):
        eqr = np.where(equity > 0, ev / (equity * node.pot), np.nan)
    figures = {
        "equity": (equity, lambda value: f"{100 * value:.1f}%"),
        "ev": (ev / node.pot, lambda value: chips(value * node.pot)),
        "eqr": (eqr / 2, lambda value: f"{200 * value:.0f}%"),
    }
    for name, (heat, text) in figures.items():
        page.get_by_label("Show").select_option(name)
        for place, how in cells_of(page).items():
            if np.isnan(heat[place]):  # no equity, of which nothing can be realised
                assert (how["text"], how["image"]) == ("", "none")
                continue
            assert how["text"] == text(heat[place])
            expected = page.evaluate(
                """async (t) => {
                  const files = document.querySelector("script[type=module][src*=pages]").src;
                  const { heatColour } = await import(new URL("../poker/colours.js", files));
                  const one = document.createElement("i");
                  one.style.color = heatColour(t);
                  return one.style.color;
                }""",
                json_number(heat[place]),
            )
            assert expected in how["image"], (name, place)


def test_each_combo_has_its_place_in_a_cell(page: Page, solution: poker.PostflopResult) -> None:
    open_at(page, "X")
    node = solution.at("X")
    page.get_by_label("Suits", exact=True).select_option("individual")
    page.get_by_text("In each cell: ♠ ♥ ♦ ♣").wait_for()
    found = cells_of(page)
    kings, queens = found[14], found[CLASS_NAMES.index("QJs")]
    assert kings["image"].count("linear-gradient") == 6
    assert queens["image"].count("linear-gradient") == 1
    (combo,) = [one for one in node.combos(1).tolist() if combo_name(one) == "QsJs"]
    share = 100 * node.values.strategy[1, combo]
    stop = f"{share:.2f}".rstrip("0").rstrip(".") + "%"
    assert stop in queens["image"]
    height = queens["size"].split("calc(")[2]  # half of the cell, of which half is the weight
    assert float(height.split("%")[0]) == pytest.approx(25)
    page.get_by_label("Show").select_option("equity")
    assert cells_of(page)[14]["image"].count("linear-gradient") == 6
    page.get_by_label("Find hands").or_(page.locator(".eqs-filters summary")).first.click()
    page.get_by_label("Find hands").fill("KsKh")
    assert cells_of(page)[14]["image"].count("linear-gradient") == 1


@pytest.mark.parametrize("line", ["X", "X-B50"])
def test_two_evs_in_a_cell(page: Page, site: Site, line: str) -> None:
    open_at(page, line)
    page.get_by_label("Figures in cells").select_option("evs")
    classes = site.get(f"/api/solutions/turn/grid?line={line}")["classes"]
    for place, how in cells_of(page).items():  # the bet above the check, the call above the fold
        below, above = classes[CLASS_NAMES[place]]["action_ev"]
        assert how["text"].split("\n") == [chips(above), chips(below)]
