"""What a first visit costs a slow link, and what is seen of a page that is on its way."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import httpx2
import pytest

from equilibrist.web.shell import CATALOGUES
from tests.web.browser.checks import check_page, connected
from tests.web.browser.conftest import NARROW, Site

if TYPE_CHECKING:
    from playwright.sync_api import Page, Route

pytestmark = pytest.mark.browser
PAGES = ["/", "/spot", "/study/turn?line=X", "/games", "/hands", "/play/kuhn", "/learn?game=kuhn"]
MOST_BYTES = 210_000
"""Of a page, all its modules, words and documents: about four seconds at 400 kbit/s."""
MOST_DOCUMENTS = 8


class Traffic:
    """What a page of a fresh browser asks for, as it comes through the wire."""

    def __init__(self, page: Page) -> None:
        self.urls: dict[str, str] = {}
        self.sizes: dict[str, int] = {}
        session = page.context.new_cdp_session(page)
        session.on("Network.requestWillBeSent", self._asked)
        session.on("Network.loadingFinished", self._came)
        session.send("Network.enable")

    def _asked(self, event: Any) -> None:
        self.urls[event["requestId"]] = event["request"]["url"]

    def _came(self, event: Any) -> None:
        self.sizes[event["requestId"]] = event["encodedDataLength"]

    def of(self, part: str) -> list[str]:
        """The addresses that have a part."""
        return [url for url in self.urls.values() if part in url]


@pytest.mark.parametrize("path", PAGES)
def test_a_first_visit_is_light_and_names_all_its_modules(
    open_page: Callable[..., Page], site: Site, path: str
) -> None:
    """A module that its page does not name comes one round trip after another."""
    page = open_page(NARROW, is_fresh=True)
    traffic = Traffic(page)
    connected(page, path)
    named = set(re.findall(r'(?:href|src)="[./]*(ui/[^"]+)"', httpx2.get(site.url + path).text))
    files = [url.partition("/ui/")[2] for url in traffic.of("/ui/")]
    late = {file for file in files if f"ui/{file}" not in named and CATALOGUES not in file}
    assert not late
    twice = [file for file in set(files) if files.count(file) > 1 and not file.endswith(".svg")]
    assert not twice
    documents = traffic.of("/api/")
    assert len(documents) <= MOST_DOCUMENTS, documents
    page.wait_for_function("() => document.readyState === 'complete'")
    assert sum(traffic.sizes.values()) < MOST_BYTES, traffic.sizes


def test_a_page_that_is_on_its_way_says_so_and_nothing_jumps(
    open_page: Callable[..., Page],
) -> None:
    """First without words, which are not there yet, then in the reader's language."""
    from playwright.sync_api import expect

    page = open_page(NARROW, is_fresh=True)
    held: list[Route] = []

    def release() -> None:
        while held:
            held.pop().continue_()

    page.route("**/pages/spot.js", lambda route: held.append(route))
    page.route("**/api/setup/form*", lambda route: held.append(route))
    page.goto("/spot", wait_until="commit")
    bar = "() => getComputedStyle(document.body, '::before').height === '44px'"
    page.wait_for_function(bar)
    assert page.locator(".eq-bar").count() == 0
    release()
    loading = page.get_by_text("Loading", exact=False).first
    expect(loading).to_be_visible()
    assert page.locator(".eq-bar").bounding_box() == {"x": 0, "y": 0, "width": 390, "height": 44}
    while page.locator("#spot-pot").count() == 0:
        release()
        page.wait_for_timeout(20)
    expect(loading).to_be_hidden()
    check_page(page)
