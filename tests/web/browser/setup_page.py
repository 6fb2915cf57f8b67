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
    return range_of(page, name).get_by_role("textbox", name="Range", exact=True)


def import_text(page: Page, text: str) -> None:
    """Set up what a file says."""
    page.get_by_role("button", name="Import", exact=True).click()
    page.locator("dialog[open] input[type=file]").set_input_files(
        {"name": "spot.toml", "mimeType": "text/plain", "buffer": text.encode()}
    )
    page.get_by_role("dialog", name="Import").wait_for(state="detached")


def import_spot(page: Page, spot: Spot = SPOT) -> None:
    """Set up a spot from its file, and wait until it has been counted."""
    import_text(page, spot.to_toml())
    memory = bytes_text(estimate(spot).memory_bytes("float32", threads=None))
    facts(page).get_by_text(memory).first.wait_for()


def facts(page: Page) -> Locator:
    """What is in sight below the form."""
    return page.get_by_role("region", name="What the spot needs")


def export(page: Page, form: str = "toml") -> str:
    """The text that a file has in which the spot is saved."""
    page.get_by_role("button", name="Export", exact=True).click()
    dialog = page.get_by_role("dialog", name="Export")
    dialog.get_by_label("As a file of").select_option(form)
    with page.expect_download() as download:
        dialog.get_by_role("button", name="Save the file").click()
    return download.value.path().read_text()


def says(field: Locator, text: str) -> None:
    from playwright.sync_api import expect

    expect(field).to_have_value(text)
