"""The ten lessons in Chromium: read, answered, remembered."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from tests.web.browser.checks import LANGUAGES, check_everywhere, connected, faults_of_page, speak
from tests.web.browser.conftest import NARROW

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser


def test_lessons_are_answered_and_remembered(page: Page) -> None:
    from playwright.sync_api import expect

    connected(page, "/learn")
    page.get_by_role("link", name="Ten lessons").click()
    page.get_by_role("heading", name="Regret", exact=True).wait_for()
    answer = page.get_by_label("Your answer")
    for given, said in (("one", "Give a number"), ("1", "Not yet."), ("2", "Right.")):
        answer.fill(given)
        answer.press("Enter")
        expect(page.get_by_role("status")).to_contain_text(said)
    page.get_by_role("button", name="Next lesson").click()
    page.wait_for_url("**lesson=matching")
    expect(page.get_by_role("status")).to_have_text("")
    answer.fill("66.7 %")
    page.get_by_role("button", name="Check").click()
    page.get_by_text("2 of 3.").wait_for()
    page.get_by_role("button", name="The average").click()
    page.get_by_label("the current one").check()
    page.get_by_role("button", name="Check").click()
    page.get_by_text("Not yet.").wait_for()
    page.go_back()
    page.get_by_role("heading", name="Regret matching").wait_for()
    connected(page, page.url)
    expect(page.get_by_text("answered", exact=True)).to_have_count(2)
    with page.expect_popup() as opened:
        page.get_by_role("link", name="Look at it").click()
    opened.value.get_by_role("heading", name="Next strategy").wait_for()


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_is_sound(open_page: Callable[..., Page], language: str) -> None:
    page = open_page(NARROW, "dark")
    speak(page, language)
    faults = []
    for lesson in ("regret", "average", "nothing"):
        connected(page, f"/lessons?lesson={lesson}")
        faults += faults_of_page(page, lesson)
    check_everywhere(page)
    assert not faults, "\n".join(faults)
