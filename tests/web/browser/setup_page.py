"""The page on which a spot is set up, as tests find its parts."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from equilibrist.formatting.amounts import bytes_text
from equilibrist.poker import Spot, estimate
from tests.web.browser.conftest import SPOT

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page


def range_of(page: Page, name: str = "Out of position") -> Locator:
    return page.get_by_role("region", name=f"Range {name.lower()}")


def cell(page: Page, hand: str) -> Locator:
    return range_of(page).get_by_role("gridcell", name=re.compile(rf"^{hand} "))


def pot_of(page: Page) -> Locator:
    return page.get_by_role("textbox", name="Pot", exact=True)


def text_of(page: Page, name: str = "Out of position") -> Locator:
    return range_of(page, name).get_by_role("textbox", name="Range")


def import_spot(page: Page, spot: Spot = SPOT) -> None:
    """Set up a spot from its file, and wait until it has been counted."""
    page.get_by_label("Import a spot file").and_(page.locator("input")).set_input_files(
        {"name": "spot.toml", "mimeType": "text/plain", "buffer": spot.to_toml().encode()}
    )
    memory = bytes_text(estimate(spot).memory_bytes("float32", threads=None))
    page.get_by_text(memory).first.wait_for()


def says(field: Locator, text: str) -> None:
    from playwright.sync_api import expect

    expect(field).to_have_value(text)
