"""The library in Chromium: an empty one, uploads with errors, renaming and deleting, guests."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.web.browser.checks import check_page, connected
from tests.web.browser.conftest import NARROW, WIDE, Site

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser
EFG = """EFG 2 R "Coin" { "One" "Two" }
p "" 1 1 "" { "H" "T" } 0
t "" 1 "" { 1, -1 }
t "" 2 "" { -1, 1 }
"""


def test_an_empty_library_leads_to_the_first_things(
    make_site: Callable[..., Site], open_page: Callable[..., Page]
) -> None:
    from playwright.sync_api import expect

    site = make_site()
    page = open_page(NARROW, base_url=site.url)
    connected(page, "/")
    for name in ("Solve a spot", "Solve a game", "Play"):
        expect(page.locator(".li-card", has_text=name)).to_have_count(1)
    check_page(page)
    page.locator(".li-card", has_text="Solve a spot").click()
    page.get_by_role("heading", name="Set up a spot").wait_for()


def test_files_are_uploaded_and_broken_ones_are_refused_in_place(
    page: Page, site: Site, kuhn_file: Path
) -> None:
    connected(page, "/")
    files = page.get_by_label("Files to upload")
    whole = kuhn_file.read_bytes()

    def give(name: str, content: bytes) -> None:
        files.set_input_files(
            {"name": name, "mimeType": "application/octet-stream", "buffer": content}
        )

    give("uploaded.safetensors", whole)
    page.get_by_text("is stored as uploaded").wait_for(timeout=60_000)
    page.get_by_role("link", name="uploaded", exact=True).wait_for()
    give("coin.efg", EFG.encode())
    page.get_by_text("is stored as library:coin").wait_for(timeout=60_000)
    page.get_by_role("link", name="library:coin").wait_for()
    page.get_by_role("button", name="Rename uploaded").click()
    page.get_by_label("New name").fill("renamed")
    page.get_by_role("button", name="Rename", exact=True).click()
    page.get_by_role("link", name="renamed", exact=True).wait_for()
    assert site.get("/api/solutions/renamed")["kind"] == "solution"
    for what in ("renamed", "library:coin"):
        page.get_by_role("button", name=f"Delete {what}").click()
        page.get_by_role("button", name="Delete", exact=True).click()
        page.get_by_role("link", name=what, exact=True).wait_for(state="detached")


def test_broken_files(open_page: Callable[..., Page], site: Site, kuhn_file: Path) -> None:
    page = open_page(expects="status of 422")
    connected(page, "/")
    files = page.get_by_label("Files to upload")
    cut = kuhn_file.read_bytes()[:-40]
    for name, content in (("cut.safetensors", cut), ("bad.efg", b"no game"), ("x.pkl", b"1")):
        files.set_input_files(
            {"name": name, "mimeType": "application/octet-stream", "buffer": content}
        )
        line = page.get_by_role("listitem").filter(has_text=name)
        assert line.get_by_role("alert").inner_text(timeout=60_000)
    names = {one["name"] for one in site.get("/api/solutions")["solutions"]}
    assert not names & {"cut", "bad", "x"}


def test_guests_see_no_buttons_that_they_may_not_use(
    make_site: Callable[..., Site], open_page: Callable[..., Page], kuhn_file: Path
) -> None:
    site = make_site("--token", "o" * 20, "--guest-token", "g" * 20)
    site.put(kuhn_file, "kuhn")
    page = open_page(WIDE, base_url=site.url)
    page.goto("/")
    page.get_by_label("Token").fill("g" * 20)
    page.get_by_role("button", name="Sign in").click()
    page.get_by_role("link", name="kuhn", exact=True).wait_for()
    assert page.get_by_role("button", name="Delete kuhn").count() == 0
    assert page.get_by_role("button", name="Upload").count() == 0
    page.goto("/spot")
    page.get_by_text("Guests may set up a spot").wait_for()
    assert page.get_by_role("button", name="Solve", exact=True).count() == 0
    page.get_by_text("Guest", exact=True).wait_for()
    page.get_by_role("button", name="Sign out").click()
    page.get_by_label("Token").wait_for()


def test_signing_out_ends_the_other_tabs_too(
    make_site: Callable[..., Site], open_page: Callable[..., Page]
) -> None:
    site = make_site("--token", "o" * 20)
    page = open_page(WIDE, base_url=site.url)
    page.goto("/")
    page.get_by_label("Token").fill("o" * 20)
    page.get_by_role("button", name="Sign in").click()
    page.get_by_role("button", name="Sign out").wait_for()
    other = page.context.new_page()
    connected(other, "/spot")
    page.get_by_role("button", name="Sign out").click()
    page.get_by_label("Token").wait_for()
    other.wait_for_function("() => !window.socket.connected")
    assert site.process.poll() is None
