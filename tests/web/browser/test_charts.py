"""Charts before the flop in Chromium: walked by mouse and by address, on both sizes and themes."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from equilibrist.poker import push_fold
from tests.web.browser.checks import check_page
from tests.web.browser.conftest import NARROW, Site

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Page

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module", autouse=True)
def jam(site: Site, tmp_path_factory: pytest.TempPathFactory) -> None:
    file: Path = tmp_path_factory.mktemp("jam") / "jam.safetensors"
    site.put(push_fold(10).save(file), "jam")


def test_push_or_fold_is_walked(page: Page) -> None:
    from playwright.sync_api import expect

    page.goto("/")
    page.get_by_role("link", name="Push or fold, 2 seats, 10 bb").first.click()
    chart = page.locator(".eqc")
    expect(chart).to_have_attribute("data-line", "")
    expect(page.get_by_role("gridcell", name="43s: All-in 71.1%")).to_be_visible()
    page.get_by_role("button", name="All-in").click()
    expect(chart).to_have_attribute("data-line", "A")
    assert page.url.endswith("/charts/jam?line=A")
    cell = page.get_by_role("gridcell", name="Q6s: Call 40.3%")
    cell.click()
    expect(page.get_by_role("columnheader", name="Q6s")).to_be_visible()
    cell.press("ArrowRight")
    expect(page.get_by_role("gridcell", name="Q5s: Call 0.0%")).to_be_focused()
    page.get_by_label("Show").select_option("ev")
    expect(page.locator('[data-place="0"] small')).to_contain_text("+")
    check_page(page)


def test_small_and_dark_and_an_address_that_is_none(open_page: Callable[..., Page]) -> None:
    from playwright.sync_api import expect

    page = open_page(NARROW, "dark")
    page.goto("/charts/jam?line=A")
    expect(page.locator(".eqc")).to_have_attribute("data-line", "A")
    check_page(page)
    page.goto("/charts/jam?line=F")
    expect(page.get_by_role("alert").filter(has_text="no seat decides")).to_be_visible()
    page.get_by_role("button", name="Back to the first decision").click()
    expect(page.locator(".eqc")).to_have_attribute("data-line", "")
