"""Locks that are painted on the grid in Chromium: by class, suit and hand, undone, and solved."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from tests.web.browser.checks import check_page
from tests.web.browser.conftest import Site
from tests.web.browser.study_page import at, open_at

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser
KINGS, QJS = '[data-place="14"]', '[data-place="29"]'


def _paint(page: Page, line: str) -> None:
    open_at(page, line)
    page.get_by_role("button", name="Lock…").click()
    page.get_by_role("button", name="Paint on the grid").click()


def _set(page: Page, action: str, share: str) -> None:
    brush = page.get_by_role("region", name="Paint locks")
    brush.get_by_label(f"{action}, percent").fill(share)
    brush.get_by_label(f"{action}, percent").press("Tab")


def test_locks_are_painted_undone_and_solved(page: Page, site: Site) -> None:
    from playwright.sync_api import expect

    _paint(page, "X")
    painted = page.locator(".eqs-brush [role=status]").first
    expect(painted).to_have_text("0 hands painted here.")
    check_page(page)
    _set(page, "Check", "100")
    page.locator(KINGS).hover()
    page.mouse.down()
    page.locator(QJS).hover()
    page.mouse.up()
    expect(painted).to_have_text("7 hands painted here.")
    assert page.locator(KINGS).get_attribute("aria-label") == "KK: 6 of 6 combos locked"
    check_page(page)
    page.keyboard.press("Control+z")
    expect(painted).to_have_text("0 hands painted here.")
    page.get_by_role("region", name="Paint locks").get_by_role("button", name="Redo").click()
    expect(painted).to_have_text("7 hands painted here.")
    _set(page, "Check", "0")  # another mixture, for one hand, in the table
    page.locator(".eqs-paint", has_text="Q♠J♠").click()
    expect(painted).to_have_text("7 hands painted here.")
    page.locator(".eqs-paint", has_text="Q♠J♠").click()  # once more: it is free
    expect(painted).to_have_text("6 hands painted here.")
    page.locator(QJS).focus()
    page.keyboard.press("Enter")
    expect(painted).to_have_text("7 hands painted here.")
    page.locator(".eqs-filters summary").click()
    page.get_by_role("group", name="Both cards of these suits").get_by_label("spades").check()
    page.get_by_role("group", name="Both cards of these suits").get_by_label("hearts").check()
    page.locator(KINGS).click()  # of those suits alone
    expect(page.locator(KINGS).locator("small")).to_have_text("")
    page.get_by_role("region", name="Paint locks").get_by_role("button", name="Solve again").click()
    page.get_by_role("link", name="Old and new side by side").click(timeout=60_000)
    at(page, "X")
    name = page.url.split("/study/")[1].split("?")[0]
    node = site.get(f"/api/solutions/{name}/study?line=X")
    shares = dict(zip(node["hands"][1]["combos"], node["strategy"][0], strict=True))
    classes = site.get(f"/api/solutions/{name}/grid?line=X")["classes"]
    assert classes["QJs"]["strategy"] == pytest.approx([0, 1])
    assert sorted(shares.values()) == pytest.approx([0, 0, 1, 1, 1, 1, 1])
    page.get_by_role("img", name="locked: all hands").wait_for()


def test_what_cannot_be_played_is_not_painted(page: Page) -> None:
    from playwright.sync_api import expect

    _paint(page, "")
    brush = page.get_by_role("region", name="Paint locks")
    for label in ("Lock Bet 50", "Lock Check"):
        brush.get_by_label(label, exact=True).uncheck()
    expect(brush).to_contain_text("These shares cannot be played")
    page.locator('[data-place="0"]').click()
    expect(brush).to_contain_text("0 hands painted here.")
    expect(brush.get_by_role("button", name="Solve again")).to_be_disabled()
    brush.get_by_label("Lock Check", exact=True).check()
    page.locator('[data-place="0"]').click()
    expect(brush).to_contain_text(re.compile("[1-6] hands? painted here."))
    brush.get_by_role("button", name="Clear this node").click()
    expect(brush).to_contain_text("0 hands painted here.")
    brush.get_by_role("button", name="Stop painting").click()
    expect(brush).to_have_count(0)
    page.locator('[data-place="0"]').click()
    expect(page.locator(".eqp-pinned")).to_have_count(1)
