"""The study of a run in progress in Chromium: what it plays now, on request, and its end."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from tests.web.browser.checks import check_page, connected
from tests.web.browser.conftest import SPOT, Site
from tests.web.browser.study_page import at

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser
_RANGE = "22+,A2s+,KTs+,QTs+"
LONG = SPOT.replace(board="Ts3h2h", oop=_RANGE, ip=_RANGE, stack=400, bets="50%,100%")
"""A spot for runs that go on for minutes."""


def _iteration(page: Page) -> int:
    text = page.locator(".eqs-live [role=status]").first.inner_text()
    found = re.search(r"iteration ([\d,]+)", text)
    assert found, text
    return int(found[1].replace(",", ""))


def test_a_run_is_studied_while_it_goes_on(page: Page, site: Site) -> None:
    import httpx2
    from playwright.sync_api import expect

    job = site.post("/api/jobs", spot={"toml": LONG.to_toml()}, options={"iterations": 10**8})
    connected(page, f"/runs/{job['id']}")
    page.get_by_role("link", name="Study it as it is now").click(timeout=60_000)
    at(page, "")
    first = _iteration(page)
    expect(page.locator(".eqs-live")).to_contain_text(re.compile("The run is at iteration [1-9]"))
    check_page(page)
    page.locator(".eqs-tile", has_text="Check").click()
    at(page, "X")
    assert _iteration(page) >= first
    for name in ("Play", "Drill", "Lock…"):
        expect(page.get_by_role("main").get_by_text(name, exact=True)).to_have_count(0)
    page.locator(".eqs-tile", has_text="Check").click()  # a card is dealt
    at(page, "X-X")
    page.get_by_role("button", name="8d", exact=True).click()
    at(page, "X-X|8d")
    page.go_back()
    at(page, "X-X")
    page.reload()
    at(page, "X-X")
    page.go_back()
    at(page, "X")
    before = _iteration(page)
    page.get_by_role("button", name="Refresh").click()
    page.wait_for_function(
        "before => Number(/iteration ([\\d,]+)/.exec("
        "document.querySelector('.eqs-live [role=status]').textContent)[1].replaceAll(',', ''))"
        " > before",
        arg=before,
    )
    path = page.url
    page.get_by_role("heading", level=1).wait_for()
    assert httpx2.post(f"{site.url}/api/jobs/{job['id']}/stop", timeout=60).status_code == 200
    expect(page.locator(".eqs-live")).to_contain_text("The run is stopped.", timeout=60_000)
    page.get_by_role("link", name="Study its solution").click()
    at(page, "X")
    expect(page.locator(".eqs-live")).to_have_count(0)
    page.goto(path)  # a link to a run that has ended leads to what it has saved
    at(page, "X")
    expect(page.get_by_role("link", name="Drill")).to_be_visible()
