"""Signing in and out in Chromium, and pages that cannot be shown: whole by themselves."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from tests.web.browser.checks import check_page, is_connected
from tests.web.browser.conftest import OWNER, Site

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser


def test_a_link_signs_in_and_a_button_out(open_page: Callable[..., Page], guarded: Site) -> None:
    page = open_page(base_url=guarded.url, expects="401")
    page.goto("/learn?game=kuhn")
    page.wait_for_url("**/enter?to=**")
    check_page(page)
    page.get_by_label("Token").fill("wrong")
    page.get_by_role("button", name="Sign in").click()
    page.get_by_role("alert").wait_for()
    check_page(page)
    page.goto(f"/enter?to=/learn#{OWNER}")
    page.wait_for_url("**/learn")
    is_connected(page)
    page.get_by_role("button", name="Sign out").click()
    page.wait_for_url("**/enter")


def test_an_address_without_a_page(open_page: Callable[..., Page]) -> None:
    page = open_page(scheme="dark", expects="404")
    page.goto("/nothing/here")
    page.get_by_role("heading", name="This cannot be shown").wait_for()
    check_page(page)
