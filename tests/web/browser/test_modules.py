"""The modules of the pages, one by one, against Vue's development build, whose warnings fail."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from equilibrist.web.security.headers import POLICY
from equilibrist.web.shell import FOLDER

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, Route

pytestmark = pytest.mark.browser

TESTS = Path(__file__).parents[1] / "js"
SITE = "http://modules.test"
TYPES = {".js": "text/javascript", ".html": "text/html"}
PAGE = """<!doctype html><html lang="en" data-role="owner">
<head><title>Modules</title></head><body></body></html>"""
RUN = """async (file) => {
  const { default: tests } = await import(file);
  const failed = {};
  for (const [name, test] of Object.entries(tests)) {
    try {
      await test();
    } catch (error) {
      failed[name] = error.stack;
    }
  }
  return [Object.keys(tests).length, failed];
}"""


def _answer(route: Route) -> None:
    """Files of the pages with the other build of Vue; files of the tests; an empty page."""
    path = route.request.url.removeprefix(SITE).partition("?")[0]
    if path == "/":
        headers = {"Content-Security-Policy": POLICY}
        route.fulfill(body=PAGE, content_type="text/html", headers=headers)
        return
    folder, _, name = path.removeprefix("/").partition("/")
    file = {"ui": FOLDER, "js": TESTS}[folder] / name
    if path == "/ui/lib/vue.js":
        file = TESTS / "lib" / "vue.js"
    route.fulfill(body=file.read_bytes(), content_type=TYPES[file.suffix])


@pytest.fixture(scope="module")
def modules(chromium: Browser) -> Iterator[tuple[Page, list[str]]]:
    """A page that has the modules, and what its console has complained of."""
    context = chromium.new_context(locale="en-GB")
    context.route(f"{SITE}/**", _answer)
    page = context.new_page()
    complaints: list[str] = []

    def note(message: Any) -> None:
        if message.type in ("error", "warning"):
            complaints.append(message.text)

    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("console", note)
    page.goto(f"{SITE}/")
    yield page, complaints
    context.close()


@pytest.mark.parametrize("file", sorted(path.name for path in TESTS.glob("*.test.js")))
def test_modules(modules: tuple[Page, list[str]], file: str) -> None:
    page, complaints = modules
    complaints.clear()
    number, failed = page.evaluate(RUN, f"/js/{file}")
    assert number > 0
    assert not failed, "\n\n".join(f"{name}: {stack}" for name, stack in failed.items())
    assert not complaints, "\n".join(complaints)
