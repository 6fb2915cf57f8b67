"""The editor of payoff tables in Chromium: typed, pasted, marked, made into a game and edited."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from tests.web.browser.checks import (
    LANGUAGES,
    check_everywhere,
    check_page,
    connected,
    faults_of_page,
    speak,
)
from tests.web.browser.conftest import NARROW, Site

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser

DILEMMA = "\tquiet\ttalk\nquiet\t(3, 3)\t(0, 5)\ntalk\t(5, 0)\t(1, 1)"


def _cells(page: Page) -> list[str]:
    return [one.input_value() for one in page.locator("td input").all()]


def test_a_table_is_typed_corrected_and_made(page: Page, site: Site) -> None:
    from playwright.sync_api import expect

    connected(page, "/games")
    page.get_by_role("link", name="Make a payoff table").click()
    page.get_by_label("Name of the game").fill("Our game")
    page.get_by_label("Zero sum").check()
    for place, text in ((0, "1"), (1, "x"), (2, "-1/2")):
        page.locator("td input").nth(place).fill(text)
    page.locator("td input").nth(0).press("Enter")
    expect(page.get_by_label("for B and A")).to_be_focused()
    wrong = page.locator("#cell-0-1-0")
    expect(wrong).to_have_attribute("aria-invalid", "true")  # it was left
    expect(page.locator("#cell-0-1-0-fault")).to_be_visible()
    expect(page.locator("#cell-1-1-0")).not_to_have_attribute("aria-invalid", "true")
    page.get_by_role("button", name="Make the game").click()
    expect(wrong).to_be_focused()
    page.get_by_text("2 fields need other values.").wait_for()
    wrong.fill("−2")
    page.locator("#cell-1-1-0").fill("0,5")
    page.get_by_role("button", name="Make the game").click()
    page.wait_for_url("**/games/library*Our-game")
    page.get_by_role("heading", name="Our game").wait_for()
    table = site.get("/api/games/library:Our-game/matrix")
    assert table["payoffs"] == [[[1, -1], [-2, 2]], [[-0.5, 0.5], [0.5, -0.5]]]
    page.get_by_role("link", name="Edit its payoffs").click()
    page.get_by_text("Zero sum").wait_for()
    page.wait_for_function("() => document.querySelector('td input').value === '1'")
    assert _cells(page) == ["1", "-2", "-0.5", "0.5"]
    assert page.get_by_label("Name of the game").input_value() == "Our game"
    page.get_by_role("button", name="Make the game").click()
    page.wait_for_url("**/games/library*Our-game")  # nothing was changed: the same game


def test_a_table_is_pasted_and_undone(page: Page) -> None:
    connected(page, "/payoffs")
    page.get_by_role("button", name="Add a row").click()
    page.evaluate(
        """(text) => {
          const data = new DataTransfer();
          data.setData("text", text);
          const how = {clipboardData: data, bubbles: true, cancelable: true};
          const pasted = new ClipboardEvent("paste", how);
          document.querySelector("td input").dispatchEvent(pasted);
        }""",
        DILEMMA,
    )
    page.wait_for_function("() => document.querySelector('#row-0').value === 'quiet'")
    assert _cells(page) == ["3", "3", "0", "5", "5", "0", "1", "1"]
    page.get_by_role("button", name="Remove talk").first.click()
    assert len(_cells(page)) == 4
    for _ in range(3):
        page.get_by_role("button", name="Undo").click()
    assert _cells(page) == [""] * 8
    page.get_by_text("Paste a table").click()
    page.get_by_label("The text of a table").fill("1 2\n3")
    page.get_by_role("button", name="Read").click()
    page.get_by_text("line 2, column 1").wait_for()
    assert _cells(page) == [""] * 8


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_is_sound(open_page: Callable[..., Page], language: str) -> None:
    page = open_page(NARROW, "dark")
    speak(page, language)
    faults = []
    for path in ("/payoffs", "/payoffs?game=prisoners_dilemma", "/payoffs?game=kuhn"):
        connected(page, path)
        check_page(page)
        assert "_" not in page.locator("input.eq-field").first.input_value()  # but a title
        page.locator(".eq-primary").click()
        if "dilemma" in path:
            page.wait_for_url("**/games/**")  # of the game that was made
        else:
            page.locator("[aria-invalid=true]").first.wait_for()
            faults += faults_of_page(page, path)
            if language == LANGUAGES[0]:
                check_everywhere(page)
    assert not faults, "\n".join(faults)
