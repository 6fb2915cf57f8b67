"""Three players in Chromium: a spot is set up, solved and studied, and figures are the engine's."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from equilibrist.poker.three_players.node import ThreeNode
from equilibrist.poker.three_players.solution import read_three
from tests.web.browser.checks import check_page, connected
from tests.web.browser.conftest import Site
from tests.web.browser.setup_page import import_text, text_of
from tests.web.browser.study_page import at, chips
from tests.web.conftest import THREE

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

pytestmark = pytest.mark.browser


def figures(row: Locator) -> list[str]:
    return [re.sub(r"\s+", " ", text).strip() for text in row.get_by_role("cell").all_inner_texts()]


def test_a_spot_of_three_is_set_up_solved_and_studied(page: Page, site: Site) -> None:
    from playwright.sync_api import expect

    connected(page, "/spot?example=1")
    page.get_by_role("button", name="3 players").press("Enter")
    expect(text_of(page, "In the middle")).to_have_value("")
    import_text(page, THREE.to_toml())
    expect(text_of(page, "In the middle")).to_have_value(str(THREE.middle))
    expect(page.get_by_label("Stack in the middle")).to_have_value("40")
    page.get_by_label("Target").fill("0.5%")
    page.get_by_label("Threads").fill("1")
    page.get_by_role("button", name="Solve", exact=True).press("Enter")
    page.wait_for_url("**/runs/*")
    page.get_by_role("link", name="Study the solution").press("Enter")
    at(page, "")
    check_page(page)
    name = page.url.rpartition("/study/")[2]
    solution = read_three(site.data / "library" / f"{name}.safetensors")
    seats = page.get_by_role("region", name="The three seats").locator("tbody tr")
    expect(seats).to_have_count(3)
    for seat, row in enumerate(seats.all()):
        values = figures(row)
        assert values[2].startswith(chips(solution.values[seat]))
        assert values[3].startswith(chips(solution.gains[seat]))
    page.get_by_role("group", name="Actions").get_by_role(
        "button", name=re.compile("^Check")
    ).press("Enter")
    at(page, "X")
    node = ThreeNode(solution, "X")
    held = node.combos(1).tolist()
    rows = page.locator(".eqp-body .eqp-tr")
    expect(rows).to_have_count(len(held))
    decision = node.decision
    assert decision.ev is not None
    for row, combo in zip(rows.all(), held, strict=True):
        cells = figures(row)
        assert cells[3] == chips(decision.ev[combo])
        assert cells[4:] == [f"{100 * share:.1f}%" for share in decision.strategy[::-1, combo]]
    page.get_by_label("Player", exact=True).select_option("2")
    expect(rows).to_have_count(len(node.combos(2)))
    for view in ("Graphs", "Both players"):
        expect(page.get_by_role("tab", name=view)).to_have_count(0)
