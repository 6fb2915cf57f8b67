"""The frame of the pages: sections, theme and palette, with mouse and keyboard."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.web.browser.checks import connected

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser


def test_theme_and_palette_are_kept(page: Page) -> None:
    connected(page, "/")
    page.get_by_text("Display").press("Enter")
    page.get_by_label("Theme").select_option("dark")
    page.get_by_label("Colours of actions").select_option("colourblind")
    connected(page, "/")
    html = page.locator("html")
    assert html.get_attribute("data-theme") == "dark"
    assert html.get_attribute("data-palette") == "colourblind"


def test_the_first_key_leads_past_the_bar(page: Page) -> None:
    connected(page, "/")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Skip to the content"
    page.keyboard.press("Enter")
    page.wait_for_function("() => document.activeElement.id === 'content'")
