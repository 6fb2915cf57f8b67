"""The grid of hands in Chromium: heights, heat maps, suits and figures are those of the engine."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest

from equilibrist import load_result, poker
from equilibrist.poker.cards.combos import CLASS_NAMES, combo_name
from equilibrist.poker.postflop.solution.node_aggregates import json_number
from tests.web.browser.checks import LANGUAGES, check_page, connected, faults_of_page, speak
from tests.web.browser.conftest import NARROW, Site
from tests.web.browser.study_page import at, chips, open_at

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


def test_filters_are_kept_in_the_address_and_can_be_undone(page: Page) -> None:
    from playwright.sync_api import expect

    open_at(page, "X")
    rows = page.locator(".eqp-body .eqp-tr")
    page.locator(".eqs-filters summary").click()
    page.get_by_label("overpair").check()
    page.get_by_role("group", name="Both cards of these suits").get_by_label("spades").check()
    page.get_by_role("group", name="Both cards of these suits").get_by_label("hearts").check()
    expect(rows).to_have_count(1)
    page.wait_for_url(re.compile(r"made=overpair&suit=s&suit=h"))
    page.reload()
    at(page, "X")
    expect(rows).to_have_count(1)
    page.locator(".eqs-tile", has_text="Check").click()
    at(page, "X-X")
    assert "made=overpair" in page.url
    page.go_back()
    at(page, "X")
    expect(rows).to_have_count(1)
    page.locator(".eqs-filters summary").click()
    page.get_by_role("button", name="Clear filters").click()
    expect(rows).to_have_count(7)
    page.wait_for_url(re.compile(r"line=X$"))
    page.get_by_role("button", name="Undo").click()
    expect(rows).to_have_count(1)
    page.get_by_label("Find").fill("AA")
    expect(rows).to_have_count(0)
    page.keyboard.press("Control+z")  # also in the field
    expect(rows).to_have_count(1)
    expect(page.get_by_label("Find")).to_have_value("")
    page.keyboard.press("Control+y")
    expect(page.get_by_label("Find")).to_have_value("AA")
    expect(page.get_by_role("button", name="Redo")).to_be_disabled()
    page.goto("/study/turn?line=X&made=nosuch&suit=x&find=%3Cb%3E")
    at(page, "X")
    expect(rows).to_have_count(0)


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
        "eqr": (eqr / 2, lambda value: f"{200 * value:.0f}%".replace("-0%", "0%")),
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
    actions = ("Bet 50", "Check") if line == "X" else ("Call", "Fold")
    assert page.get_by_text("EV of {} above {}.".format(*actions)).is_visible()


def test_views_have_the_choices_that_change_them_and_filters_move_no_hands(page: Page) -> None:
    open_at(page, "X")
    cell = page.locator('[data-place="14"]')
    before = cell.bounding_box()
    page.locator(".eqs-filters summary").click()
    page.get_by_label("overpair").wait_for()
    assert cell.bounding_box() == before
    choices = page.locator(".eqs-tools select:visible")
    assert choices.count() == 6
    for view in ("Graphs", "Breakdown"):
        page.get_by_role("tab", name=view).click()
        page.get_by_role("tab", name=view, selected=True).wait_for()
        assert [one.get_attribute("aria-label") for one in choices.all()] == ["Player"]
    open_at(page, "X-X")
    page.get_by_label("Values of").wait_for()
    assert choices.count() == 2


@pytest.mark.parametrize("line", ["", "X", "X-B50"])
def test_all_of_a_node_is_in_sight(open_page: Callable[..., Page], line: str) -> None:
    """At 1366x768: the way, what lies there, the actions and all 169 hands, without scrolling."""
    page = open_page({"width": 1366, "height": 768})
    open_at(page, line)
    page.locator(".eqs-tile").first.wait_for()
    boxes = [one.bounding_box() for one in page.locator(".eqp-cell").all()]
    assert len(boxes) == 169
    for name in (".eqs-strip", ".eqs-facts", ".eqs-board-now", ".eqs-tile"):
        boxes += [one.bounding_box() for one in page.locator(name).all()]
    for box in boxes:
        assert box is not None
        assert box["y"] >= 0
        assert box["y"] + box["height"] <= 768
        assert 0 <= box["x"] <= box["x"] + box["width"] <= 1366
    for word in ("Board", "Pot", "Stacks", "To call"):
        assert page.locator(".eqs-facts dt", has_text=word).count() == 1


def test_amounts_in_another_unit_are_those_of_the_engine(
    page: Page, solution: poker.PostflopResult
) -> None:
    from playwright.sync_api import expect

    open_at(page, "X-B50")
    node = solution.at("X-B50")
    page.get_by_label("Amounts in").select_option("pot")
    shares = [f"{100 * ev / node.pot:z.1f}%" for ev in node.totals.ev]
    expect(page.locator(".eqs-ev")).to_have_text(shares)
    expect(page.locator(".eqs-strip .eqs-chosen").last).to_contain_text("Bet 50%")
    page.get_by_label("Amounts in").select_option("blinds")
    page.get_by_label("Chips in a big blind").fill("5")
    page.keyboard.press("Tab")
    blinds = [f"{ev / 5:z.2f}" for ev in node.totals.ev]
    expect(page.locator(".eqs-ev")).to_have_text(blinds)
    page.reload()  # the browser keeps it
    expect(page.locator(".eqs-ev")).to_have_text(blinds)
    expect(page.locator(".eqs-strip .eqs-chosen").last).to_contain_text("Bet 10")


def test_actions_have_one_order_and_one_colour(page: Page) -> None:
    open_at(page, "X")
    names = [one.locator("strong").first.inner_text() for one in page.locator(".eqs-tile").all()]
    assert names == ["Bet 50", "Check"]
    here = page.locator(".eqs-here .eqs-action")
    assert here.locator("span").all_inner_texts() == names
    assert page.get_by_role("columnheader").all_inner_texts()[-2:] == names
    colour = "one => getComputedStyle(one).backgroundColor"
    tiles = [one.evaluate(colour) for one in page.locator(".eqs-tile").all()]
    assert [one.evaluate(colour) for one in here.locator("i").all()] == tiles
    open_at(page, "X-B50")
    chosen = page.locator(".eqs-chosen i").last
    assert chosen.evaluate(colour) == tiles[0]  # as before it was taken


def test_a_breakdown_has_the_figures_of_the_engine(
    page: Page, solution: poker.PostflopResult
) -> None:
    open_at(page, "X", tab="breakdown")
    node = solution.at("X")
    held = node.combos(1)
    weight, matchups = node.values.weight[1, held], node.values.matchups[1, held]
    is_pair = np.array([combo_name(one)[0] == "K" for one in held.tolist()])
    count = weight * matchups
    cells = page.get_by_role("row", name="overpair").get_by_role("cell").all_inner_texts()
    bets = np.average(node.values.strategy[1, held][is_pair], weights=count[is_pair])
    assert cells[0] == f"{weight[is_pair].sum():.1f}"
    assert cells[1] == f"{100 * weight[is_pair].sum() / weight.sum():.1f}%"
    assert cells[3:5] == [f"{100 * bets:.1f}%", f"{100 * (1 - bets):.1f}%"]
    assert cells[-1] == chips(
        float(np.average(node.values.ev[1, held][is_pair], weights=count[is_pair]))
    )
    queen = page.get_by_role("row", name="Q♠").get_by_role("cell").all_inner_texts()
    other = node.values.weight[0, node.combos(0)]
    named = [combo_name(one) for one in node.combos(0).tolist()]
    blocked = sum(w for w, name in zip(other, named, strict=True) if "Qs" in name) / other.sum()
    assert queen[2] == f"{100 * blocked:.1f}%"


SCREENS = {
    "/study/turn?line=X": ".eqp-body .eqp-tr",
    "/study/turn?line=X-X": ".eqp-report tbody tr",
    "/study/turn?line=X&tab=breakdown": ".eqs-breakdown",
    "/study/turn?line=X&tab=graphs": ".eqs-plot",
    "/study/turn?line=X&tab=compare": ".eqs-measure",
    "/study/turn?line=X&versus=turn": ".eqs-two-grids",
    "/study/turn?line=nonsense": "[role=alert]",
    "/reports": "[type=file]",
}


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_hands_begin_in_the_upper_third_of_a_phone(
    open_page: Callable[..., Page], language: str
) -> None:
    """Below the line, the board and the views, of which none is hidden."""
    page = open_page(NARROW)
    speak(page, language)
    for path in ("/study/turn?line=X-B50", "/study/turn?line=X&tab=hands"):
        connected(page, path)
        grid = page.locator(".eqp-grid").first
        grid.wait_for()
        box = grid.bounding_box()
        assert box is not None
        assert box["y"] <= 300
        for part in (".eqs-here", ".eqs-board-now", "[role=tab][aria-selected=true]", "h1"):
            above = page.locator(part).first.bounding_box()
            assert above is not None
            assert 44 <= above["y"] < above["y"] + above["height"] <= box["y"]
        check_page(page)


@pytest.mark.parametrize("language", LANGUAGES)
def test_words_are_in_the_catalogue_and_longer_ones_fit(
    open_page: Callable[..., Page], language: str
) -> None:
    page = open_page(NARROW)
    speak(page, language)
    faults = []
    for path, drawn in SCREENS.items():
        connected(page, path)
        page.locator(drawn).first.wait_for()
        faults += faults_of_page(page, path)
    assert not faults, "\n".join(faults)
