"""Files that are dropped on pages in Chromium go where chosen ones go."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.web.browser.checks import connected
from tests.web.browser.conftest import SPOT
from tests.web.browser.setup_page import pot_of, says

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser
DRAG = """([kind, name, text]) => {
  const dataTransfer = new DataTransfer();
  dataTransfer.items.add(new File([text], name));
  const event = new DragEvent(kind, { bubbles: true, cancelable: true, dataTransfer });
  document.querySelector("main").dispatchEvent(event);
}"""


def drop(page: Page, name: str, text: str) -> None:
    """Drag a file over a page, which shows where it goes, and drop it."""
    page.evaluate(DRAG, ["dragover", name, text])
    page.locator(".eq-dropping").wait_for()
    page.evaluate(DRAG, ["drop", name, text])
    page.locator(".eq-dropping").wait_for(state="detached")


def test_files_that_are_dropped_go_where_chosen_ones_go(page: Page) -> None:
    """What is refused is said beside the place of the button, and nothing is kept of it."""
    connected(page, "/spot")
    drop(page, "mine.toml", SPOT.to_toml())
    says(pot_of(page), f"{SPOT.pot:g}")
    drop(page, "letter.txt", "Dear all")
    page.get_by_role("dialog", name="Import").get_by_role("alert").wait_for()
    connected(page, "/")
    drop(page, "broken.safetensors", "no solution")
    page.get_by_role("region", name="Upload").get_by_role("alert").wait_for()
    connected(page, "/games")
    drop(page, "broken.efg", "no game")
    page.get_by_role("alert").get_by_text("broken.efg").wait_for()
    connected(page, "/review")
    drop(page, "broken.json", "{}")
    page.get_by_text("This file is no review").wait_for()
    drop(page, "hands.phhs", "a hand")
    says(page.get_by_label("Hands", exact=True), "a hand")
