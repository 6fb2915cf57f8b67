"""Drafts of spots in Chromium: each tab and each browser has its own, and a reload finds it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from tests.web.browser.checks import connected
from tests.web.browser.conftest import SPOT
from tests.web.browser.setup_page import import_spot, pot_of, says, text_of

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser


def test_a_reload_loses_nothing_and_another_browser_has_its_own(
    open_page: Callable[..., Page],
) -> None:
    page = open_page()
    connected(page, "/spot")
    import_spot(page)
    page.get_by_role("textbox", name="Pot", exact=True).fill("123")
    text_of(page).fill("AA,KQ")
    page.get_by_text("Stack-to-pot ratio 0.81").wait_for()
    connected(page, "/spot")
    says(page.get_by_role("textbox", name="Pot", exact=True), "123")
    says(text_of(page), "AA,KQ")
    other = open_page()
    connected(other, "/spot")
    assert other.get_by_role("textbox", name="Pot", exact=True).input_value() != "123"


def test_every_tab_has_a_draft_of_its_own(open_page: Callable[..., Page]) -> None:
    first = open_page()
    connected(first, "/spot")
    import_spot(first)
    pot_of(first).fill("123")
    first.get_by_text("Stack-to-pot ratio 0.81").wait_for()
    second = first.context.new_page()
    connected(second, "/spot")
    says(pot_of(second), "123")  # a copy of what was changed last
    pot_of(second).fill("77")
    second.get_by_text("Stack-to-pot ratio 1.30").wait_for()
    for page, pot in ((first, "123"), (second, "77")):
        page.reload()
        says(pot_of(page), pot)
        connected(page, "/")
        page.get_by_role("link", name="Hold'em").click()
        says(pot_of(page), pot)
    assert first.url != second.url


def test_a_duplicated_tab_has_a_draft_of_its_own(open_page: Callable[..., Page]) -> None:
    page = open_page()
    connected(page, "/spot")
    import_spot(page)
    with page.context.expect_page() as opened:
        page.evaluate("window.open(location.href)")  # with the storage of this tab
    other = opened.value
    other.wait_for_url(lambda url: "draft=" in url and url != page.url)
    says(text_of(other), str(SPOT.oop))
    pot_of(other).fill("77")
    other.get_by_text("Stack-to-pot ratio 1.30").wait_for()
    page.reload()
    says(pot_of(page), f"{SPOT.pot:g}")


def test_a_tab_at_the_address_of_another_takes_a_copy(open_page: Callable[..., Page]) -> None:
    page = open_page()
    connected(page, "/spot")
    import_spot(page)
    other = page.context.new_page()
    other.goto(page.url)
    other.wait_for_url(lambda url: "draft=" in url and url != page.url)
    says(text_of(other), str(SPOT.oop))
    pot_of(other).fill("77")
    other.get_by_text("Stack-to-pot ratio 1.30").wait_for()
    pot_of(page).fill("123")
    page.get_by_text("Stack-to-pot ratio 0.81").wait_for()
    before = page.url
    for one, pot in ((page, "123"), (other, "77")):
        one.reload()
        says(pot_of(one), pot)
    assert page.url == before
