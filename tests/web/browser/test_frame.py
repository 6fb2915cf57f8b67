"""The frame of the pages: sections, theme and palette, with mouse and keyboard."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from tests.web.browser.checks import check_page, connected, resize
from tests.web.browser.conftest import NARROW

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


def test_the_language_is_chosen_and_one_catalogue_is_loaded(page: Page) -> None:
    words: list[str] = []
    page.on("request", lambda request: words.append(request.url))

    def loaded() -> list[str]:
        found = [url.rpartition("/")[2] for url in words if "/texts/" in url]
        words.clear()
        return found

    connected(page, "/learn?game=kuhn")
    assert loaded() == ["en.js"]
    page.get_by_text("Display").press("Enter")
    choices = page.get_by_role("group", name="Language")
    assert choices.get_by_role("button", pressed=True).inner_text() == "As the browser"
    choices.get_by_role("button", name="中文").press("Enter")
    page.get_by_role("heading", name="学习", exact=True).wait_for()
    assert page.locator("html").get_attribute("lang") == "zh-Hans"
    assert page.url.endswith("game=kuhn")
    assert loaded() == ["zh.js"]
    page.get_by_text("显示", exact=True).first.press("Enter")
    page.get_by_role("button", name="English").press("Enter")
    page.get_by_role("heading", name="Learn", exact=True).wait_for()
    assert page.locator("html").get_attribute("lang") == "en"


@pytest.mark.parametrize(
    ("locale", "lang"), [("zh-CN", "zh-Hans"), ("zh-TW", "zh-Hans"), ("fr-FR", "en")]
)
def test_the_browser_s_language_is_taken(
    open_page: Callable[..., Page], locale: str, lang: str
) -> None:
    page = open_page(NARROW, locale=locale)
    connected(page, "/games")
    assert page.locator("html").get_attribute("lang") == lang
    check_page(page)


def test_all_sections_are_reached_on_a_phone(open_page: Callable[..., Page]) -> None:
    """That of the page is in sight, also once the phone was turned; the others are scrolled to."""
    page = open_page(NARROW)
    connected(page, "/learn?game=kuhn")
    sections = page.get_by_role("navigation").first
    here = sections.locator("[aria-current]")
    in_sight = """(link) => {
      const [one, bar] = [link, link.parentElement].map((part) => part.getBoundingClientRect());
      return bar.left - 1 <= one.left && one.right <= bar.right + 1;
    }"""
    assert here.evaluate(in_sight)
    for turned in ({"width": 844, "height": 390}, NARROW):
        resize(page, turned)
        assert here.evaluate(in_sight)
    for link in sections.get_by_role("link").all():
        link.focus()
        assert link.evaluate(in_sight)


def test_the_first_key_leads_past_the_bar(page: Page) -> None:
    connected(page, "/")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Skip to the content"
    page.keyboard.press("Enter")
    page.wait_for_function("() => document.activeElement.id === 'content'")
