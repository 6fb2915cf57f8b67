"""The description of the API in Chromium: requests, what they take, and answers to some of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from tests.web.browser.checks import LANGUAGES, check_page, connected, faults_of_texts, speak
from tests.web.browser.conftest import NARROW

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser
LESSON = "lesson_api_games__game__lesson_get"


def test_a_request_is_found_and_asked(page: Page) -> None:
    from playwright.sync_api import expect

    connected(page, "/api/docs")
    page.get_by_role("searchbox").press_sequentially("get }/lesson")
    expect(page.locator(".api-request")).to_have_count(1)
    page.get_by_text("/api/games/{game}/lesson").click()
    page.get_by_label("game", exact=True).fill("kuhn")
    page.get_by_label("iteration", exact=True).fill("0")
    page.get_by_role("button", name="Ask").click()
    expect(page.get_by_role("alert")).to_contain_text("iteration")
    page.get_by_label("iteration", exact=True).fill("2")
    page.get_by_role("button", name="Ask").click()
    expect(page.get_by_role("region", name="The answer")).to_contain_text('"iteration": 2')
    page.get_by_text("Lesson", exact=True).last.click()
    page.get_by_text("LessonTurn", exact=True).last.click()
    page.get_by_role("row", name="next_strategy").wait_for()
    check_page(page)


def test_every_request_is_shown_whole(page: Page) -> None:
    connected(page, f"/api/docs#{LESSON}")
    page.get_by_label("game", exact=True).wait_for()
    page.evaluate("document.querySelectorAll('.api-request').forEach((one) => (one.open = true))")
    page.wait_for_function(
        "() => document.querySelectorAll('.api-body').length"
        " === document.querySelectorAll('.api-request').length"
    )
    text = page.inner_text("main")
    for fault in ("undefined", "[object", "NaN"):
        assert fault not in text


def test_on_a_phone_and_in_the_dark(open_page: Callable[..., Page]) -> None:
    page = open_page(NARROW, "dark")
    connected(page, f"/api/docs#{LESSON}")
    page.get_by_label("game", exact=True).wait_for()
    check_page(page)


@pytest.mark.parametrize("language", LANGUAGES)
def test_texts(page: Page, language: str) -> None:
    speak(page, language)
    path = f"/api/docs?search=lesson#{LESSON}"
    connected(page, path)
    page.get_by_label("game", exact=True).wait_for()
    assert not faults_of_texts(page, path)
