"""The longest texts fit: full shares, a million chips and five cards, in all columns."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest

from tests.web.browser.conftest import WIDE

if TYPE_CHECKING:
    from playwright.sync_api import Page, Route

pytestmark = pytest.mark.browser

CUT = """() => [...document.querySelectorAll(".eqp-tr > div, .eqs-tile *, .eqs button, .eqs dd")]
  .filter((one) => one.clientWidth && one.scrollWidth > one.clientWidth + 1)
  .map((one) => `${one.className}: ${one.textContent.trim()}`)"""
"""What is wider than its place."""
CHIPS = ("pot", "behind", "to_call", "amount", "ev", "action_ev", "action_evs", "stacks", "total")
SHARES = ("equity", "eqr", "weight", "strategy", "frequency")


def longest(document: Any, key: str = "") -> Any:
    """A document whose amounts are about a million chips, and whose shares are 1."""
    if isinstance(document, dict):
        return {name: longest(value, name) for name, value in document.items()}
    if isinstance(document, list):
        return [longest(value, key) for value in document]
    if isinstance(document, int | float) and not isinstance(document, bool):
        if key in CHIPS:
            return -1e6 if key.endswith(("ev", "evs")) else 1e6
        if key in SHARES:
            return 1.0
    return document


def lengthened(page: Page, pattern: str, change: Callable[[Any], Any]) -> None:
    """Let a page get what `change` makes of the documents at an address."""

    def answer(route: Route) -> None:
        response = route.fetch()
        route.fulfill(response=response, body=json.dumps(change(response.json())))

    page.route(pattern, answer)


@pytest.mark.parametrize("unit", ["chips", "pot"])
def test_the_longest_figures_of_a_study_fit(open_page: Callable[..., Page], unit: str) -> None:
    page = open_page(WIDE)
    page.add_init_script(f"localStorage.setItem('equilibrist.unit', '{unit}')")
    lengthened(page, "**/api/solutions/turn/*", longest)
    page.goto("/study/turn")
    page.locator(".eqp-body .eqp-tr").first.wait_for()
    assert page.evaluate(CUT) == []
    page.get_by_label("Actions in the table").select_option("ev")
    assert page.evaluate(CUT) == []


def long_report(document: Any) -> Any:
    """A report on boards of five cards, with a column of a million chips for each figure."""
    columns = document["columns"]
    for row in document["rows"]:
        for place, name in enumerate(columns):
            if name == "board":
                row[place] = "AsKhQdJcTs"
            elif isinstance(row[place], float):
                is_amount = name == "pot" or "ev" in name.split("_") or name.endswith(" ev")
                row[place] = -1e6 if is_amount and name != "pot" else 1e6 if is_amount else 1.0
    return document


@pytest.mark.usefixtures("batch")
def test_the_longest_figures_of_a_report_fit(open_page: Callable[..., Page]) -> None:
    page = open_page(WIDE)
    lengthened(page, "**/api/reports/boards*", long_report)
    page.goto("/reports/boards")
    page.locator(".eqp-body .eqp-tr").first.wait_for()
    assert page.get_by_text("-1000000.0").count() > 1
    assert page.evaluate(CUT) == []
