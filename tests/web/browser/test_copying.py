"""Copying over plain http from another machine, where browsers give scripts no clipboard."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import pytest

from equilibrist.poker import Range
from tests.web.browser.checks import connected
from tests.web.browser.conftest import TIMEOUT, Site
from tests.web.browser.study_page import at

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.browser
NAME = "study.example"


@pytest.fixture
def page(chromium: Browser, make_site: Callable[..., Site], spot_file: Path) -> Iterator[Page]:
    """A page of a server that is reached by another name than that of this machine."""
    site = make_site("--name", NAME)
    site.put(spot_file, "turn")
    path = os.environ.get("EQUILIBRIST_CHROMIUM") or shutil.which("chromium")
    rules = f"--host-resolver-rules=MAP {NAME} 127.0.0.1"
    browser = chromium.browser_type.launch(executable_path=path, args=["--no-sandbox", rules])
    page = browser.new_page(base_url=f"http://{NAME}:{urlsplit(site.url).port}")
    page.set_default_timeout(TIMEOUT)
    complaints: list[str] = []
    page.on("console", lambda one: complaints.append(one.text) if one.type == "error" else None)
    yield page
    browser.close()
    assert not complaints  # such as of a header that counts for nothing there


def _pasted(page: Page) -> str:
    """What the clipboard holds."""
    page.evaluate("""() => {
      const field = document.createElement("textarea");
      field.id = "pasted";
      (document.querySelector("dialog[open]") ?? document.body).append(field);
      field.focus();
    }""")
    page.keyboard.press("Control+v")
    found = page.locator("#pasted").input_value()
    page.evaluate("() => document.getElementById('pasted').remove()")
    return found


def test_a_range_of_a_node_is_copied(page: Page) -> None:
    connected(page, "/study/turn?line=X")
    assert page.evaluate("() => window.isSecureContext") is False
    at(page, "X")
    page.get_by_text("Save", exact=True).click()
    page.get_by_role("button", name="Copy the range of IP").click()
    page.get_by_text("Copied.").wait_for()
    assert _pasted(page) == str(Range("KK,QsJs:0.5"))


def test_a_range_is_copied_for_another_program(page: Page) -> None:
    from playwright.sync_api import expect

    connected(page, "/spot")
    page.get_by_role("button", name="Presets").first.click()
    shown = page.get_by_label("The range for", exact=False).first
    expect(shown).not_to_have_value("")
    page.get_by_role("button", name="Copy", exact=True).click()
    page.get_by_text("Copied", exact=True).wait_for()
    text = shown.input_value()
    assert _pasted(page) == text
