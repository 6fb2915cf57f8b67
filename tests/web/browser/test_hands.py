"""Charts before the flop in Chromium: from the form to the run and its charts."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from tests.web.browser.checks import LANGUAGES, check_page, connected, faults_of_page, speak
from tests.web.browser.conftest import GUEST, NARROW, Site

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser


def _need(page: Page, name: str) -> str:
    return page.locator(f".hn-facts dt:text-is('{name}') + dd").inner_text()


def test_push_or_fold_from_the_form_to_its_charts(page: Page) -> None:
    from playwright.sync_api import expect

    connected(page, "/hands")
    expect(page.get_by_role("status")).to_contain_text("cannot be paused")
    check_page(page)
    stack = page.get_by_role("textbox", name="Stack of every seat")
    stack.fill("ten")
    expect(page.get_by_role("status")).to_contain_text("see the field Stack of every seat")
    assert page.get_by_role("alert").count() == 0  # it is not left yet
    stack.press("Tab")
    expect(page.get_by_role("alert")).to_contain_text("ten")
    expect(stack).to_have_attribute("aria-invalid", "true")
    check_page(page)
    stack.fill("8")
    expect(page.get_by_role("alert")).to_have_count(0)
    assert _need(page, "Memory").endswith("MB")
    assert "about" in _need(page, "Time")
    page.get_by_role("button", name="Start").click()
    page.wait_for_url("**/runs/*")
    page.get_by_role("heading", name="Push or fold: 2 seats, 8 bb").wait_for()
    page.get_by_role("link", name="Open the charts").wait_for(timeout=60_000)
    expect(page.locator(".eq-state")).to_have_text("done")
    check_page(page)
    page.get_by_role("link", name="Change and start again").click()
    expect(stack).to_have_value("8")
    page.go_back()
    page.get_by_role("link", name="Open the charts").click()
    page.wait_for_url("**/charts/*")


def test_examples_fill_the_form_and_the_address_keeps_it(page: Page) -> None:
    from playwright.sync_api import expect

    connected(page, "/hands")
    page.get_by_role("button", name="Bubble of a tournament").click()
    expect(page.get_by_role("textbox", name="Payouts")).to_have_value("50, 30")
    expect(page.get_by_role("textbox", name="Stack of every seat")).to_have_value("")
    expect(page.get_by_role("status")).to_contain_text("can be paused")
    page.reload()
    expect(page.get_by_role("textbox", name="Payouts")).to_have_value("50, 30")
    expect(page.get_by_role("combobox", name="Seats")).to_have_value("3")
    page.get_by_role("button", name="Heads-up, 10 bb").click()
    expect(page.get_by_role("textbox", name="Payouts")).to_have_value("")
    page.keyboard.press("Control+z")
    expect(page.get_by_role("textbox", name="Payouts")).to_have_value("50, 30")
    page.get_by_role("button", name="Redo").click()
    expect(page.get_by_role("textbox", name="Stack of every seat")).to_have_value("10")


@pytest.mark.parametrize(
    ("kind", "field", "text", "title"),
    [
        ("Bets before the flop", "Deals", "2000", "Before the flop: 3 seats, 20 bb"),
        ("Exact hands", "Last street", "preflop", "Exact hand: 2 seats, 10 bb"),
    ],
)
def test_hands_with_bets_from_the_form_to_their_charts(
    page: Page, kind: str, field: str, text: str, title: str
) -> None:
    connected(page, "/hands")
    page.get_by_role("tab", name=kind).click()
    if field == "Deals":
        page.get_by_label(field).fill(text)
    else:
        page.get_by_label(field).select_option(text)
        page.get_by_label("Bets and first raises").fill("2x, a")
        page.get_by_label("Flops").fill("")
    check_page(page)
    page.get_by_role("button", name="Start").click()
    page.wait_for_url("**/runs/*")
    page.get_by_role("heading", name=title).wait_for()
    page.get_by_role("link", name="Open the charts").wait_for(timeout=60_000)
    assert "mbb" in page.locator(".rn-facts").inner_text()
    check_page(page)


def test_buckets_are_built_and_a_blueprint_is_trained_on_them(page: Page) -> None:
    from playwright.sync_api import expect

    connected(page, "/hands?kind=blueprint")
    page.get_by_role("button", name="Build card buckets").click()
    expect(page.get_by_role("tab", name="Card buckets")).to_have_attribute("aria-selected", "true")
    connected(page, "/hands?kind=cards&buckets=10/12/12/12&deck=T&sample=1000&restarts=1&passes=2")
    page.get_by_text("None yet. Build some first").wait_for()
    check_page(page)
    page.get_by_role("button", name="Start").click()
    page.wait_for_url("**/runs/*")
    page.get_by_role("heading", name="Card buckets 10/12/12/12").wait_for()
    page.get_by_role("link", name="Train a blueprint on them").click(timeout=60_000)
    form = page.get_by_role("form", name="Blueprints")
    expect(form.get_by_label("Card buckets")).not_to_have_value("")
    for field, text in (("Stack of every seat", "4"), ("Bets and first raises", "a")):
        form.get_by_label(field).fill(text)
    form.get_by_label("Later raises").fill("a")
    form.get_by_label("Time", exact=True).fill("2")
    form.get_by_text("More options").press("Enter")  # wherever the estimate moves it
    form.get_by_label("Deck").fill("T")
    expect(form.get_by_role("status")).to_contain_text("can be paused")
    check_page(page)
    form.get_by_role("button", name="Start").click()
    page.get_by_role("heading", name="Blueprint: 2 seats, 4 bb").wait_for()
    page.get_by_role("link", name="Open the charts").wait_for(timeout=60_000)
    check_page(page)
    connected(page, "/hands?kind=cards")
    page.get_by_role("button", name="Delete").click()
    page.get_by_text("None yet. Build some first").wait_for()


def test_guests_start_nothing(open_page: Callable[..., Page], guarded: Site) -> None:
    page = open_page(base_url=guarded.url)
    page.goto("/enter?to=/hands")
    page.get_by_label("Token").fill(GUEST)
    page.get_by_role("button", name="Sign in").click()
    page.get_by_text("Guests start no runs.").wait_for()
    assert page.get_by_role("button", name="Start").is_disabled()


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_word_is_in_the_catalogue_and_longer_ones_fit(
    open_page: Callable[..., Page], language: str
) -> None:
    page, faults = open_page(NARROW, "dark"), []
    speak(page, language)
    kinds = ("?kind=multiway", "?kind=preflop", "?kind=preflop&stack=100&bets=50%25&raises=a")
    for query in (
        "",
        "?kind=push-fold&seats=3&stack=ten",
        "?job=nothing",
        *kinds,
        "?kind=cards",
        "?kind=blueprint",
    ):
        path = f"/hands{query}"
        with page.expect_response("**/hands/estimate") as needs:
            connected(page, path)
        needs.value.finished()
        page.locator("form > div > details > summary").click()
        faults += faults_of_page(page, path)
    assert not faults, "\n".join(faults)
