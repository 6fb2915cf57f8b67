"""An hour each of a player, a teacher and a researcher in Chromium: nothing needs a command."""

from __future__ import annotations

import zipfile
from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

import equilibrist as eq
from tests.web.browser.checks import connected, is_connected
from tests.web.browser.conftest import Site
from tests.web.browser.setup_page import facts, text_of
from tests.web.browser.study_page import at
from tests.web.workers.test_uploads import EFG

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser

HAND = """variant = 'NT'
antes = [0, 0, 0]
blinds_or_straddles = [0.5, 1, 0]
min_bet = 1
starting_stacks = [100, 20, 120]
players = ['Ann', 'Bob', 'Cem']
actions = ['d dh p1 ????', 'd dh p2 AhKh', 'd dh p3 ????', 'p3 cbr 2.5', 'p1 f', 'p2 cc',
  'd db QsJh2h', 'p2 cc', 'p3 cbr 3', 'p2 f']
"""
LONG = 60_000
"""Milliseconds that a run has."""


def _section(page: Page, name: str) -> None:
    with page.expect_navigation():
        page.get_by_role("navigation").first.get_by_role("link", name=name, exact=True).click()
    is_connected(page)


def test_a_player(make_site: Callable[..., Site], open_page: Callable[..., Page]) -> None:
    """From a played hand to its solution, studied, locked, reported, trained, and played."""
    from playwright.sync_api import expect

    site = make_site()
    page = open_page(base_url=site.url)
    connected(page, "/")
    page.get_by_role("link", name="Set up a spot").click()
    page.get_by_role("button", name="Import", exact=True).click()
    dialog = page.get_by_role("dialog", name="Import")
    dialog.get_by_label("Text").fill(HAND)
    dialog.get_by_role("button", name="Use this text").click()
    dialog.get_by_role("button", name="Done").click()
    text_of(page).fill("AA,QQ,AKs")
    text_of(page, "In position").fill("KK,JJ,QJs")
    page.get_by_role("button", name="One size").click()
    page.get_by_role("textbox", name="Target").fill("")
    page.get_by_role("textbox", name="Max iterations").fill("5")
    expect(facts(page)).to_contain_text("Decisions")
    expect(page.get_by_role("textbox", name="Cards")).to_have_value("QsJh2h")

    page.get_by_role("button", name="Solve", exact=True).press("Enter")
    page.wait_for_url("**/runs/*")
    run = page.url
    page.get_by_role("link", name="Study the solution").click(timeout=LONG)
    at(page, "")
    name = page.url.rpartition("/")[2].partition("?")[0]
    page.locator(".eqs-tile", has_text="Check").click()
    at(page, "X")

    page.get_by_role("button", name="Lock…").click()
    page.get_by_label("Check, percent").fill("100")
    page.get_by_label("Check, percent").press("Tab")
    page.get_by_role("button", name="Add the lock").click()
    expect(page.locator(".eqs-locks li")).to_have_count(1)
    page.get_by_role("button", name="Solve again").click()
    page.get_by_role("link", name="Old and new side by side").click(timeout=LONG)
    page.get_by_role("heading", name=f"Old: {name}", exact=True).wait_for()

    _section(page, "Library")
    boxes = page.get_by_role("checkbox", name="Compare")
    expect(boxes).to_have_count(2)
    for box in boxes.all():
        box.check()
    page.get_by_role("button", name="Compare (2 of 2 chosen)").click()
    page.get_by_role("heading", name="Decisions").wait_for()

    page.goto(run)
    page.get_by_role("textbox", name="Iterations").fill("1000000")
    page.get_by_role("button", name="Continue").click()
    page.get_by_role("link", name="Study it as it is now").click(timeout=LONG)
    at(page, "")
    expect(page.locator(".eqs-live")).to_contain_text("The run is at iteration")
    page.goto(run)
    page.get_by_role("button", name="Stop").click()
    page.get_by_role("heading", name="Continue").wait_for(timeout=LONG)

    page.get_by_role("link", name="Report over flops").click()
    form = page.get_by_role("form", name="Report over flops")
    form.get_by_label("Flops").fill("")
    form.get_by_label("Boards of my own").fill("QsJh2h, Td9d6h")
    form.get_by_label("Target").fill("")
    form.get_by_label("Iterations").fill("3")
    form.get_by_role("button", name="Start").click()
    page.get_by_role("link", name="Open the report").click(timeout=LONG)
    expect(page.locator(".eqp-body .eqp-tr")).to_have_count(2)

    _section(page, "Preflop")
    page.get_by_role("textbox", name="Stack of every seat").fill("8")
    page.get_by_role("button", name="Start").click()
    page.get_by_role("link", name="Open the charts").click(timeout=LONG)
    page.get_by_role("gridcell").first.wait_for()

    _section(page, "Play")
    page.get_by_role("link", name="Train").first.click()
    page.get_by_label("Length").select_option("10")
    page.get_by_role("button", name="Start").click()
    page.locator(".pl-action:enabled").first.wait_for()
    page.keyboard.press("1")
    page.locator(".tr-answered").first.wait_for()
    page.get_by_role("button", name="End the session").click()
    page.get_by_text("The session is over").wait_for()

    _section(page, "Play")
    page.get_by_role("link", name="Review played hands").click()
    page.get_by_label("Open a file").last.set_input_files(
        {"name": "session.phh", "mimeType": "text/plain", "buffer": HAND.encode()}
    )
    page.get_by_label("Solve flops").uncheck()
    page.get_by_role("button", name="Review the hands").click()
    rows = page.get_by_role("region", name="Decisions").locator("tbody > tr")
    expect(rows.first).to_contain_text("A♥K♥", timeout=LONG)

    _section(page, "Play")
    page.get_by_role("link", name=f"Play {name}", exact=True).click()
    page.locator(".pl-action:enabled").first.press("Enter")
    page.locator("[data-part=said]").wait_for()


def test_a_teacher(make_site: Callable[..., Site], open_page: Callable[..., Page]) -> None:
    """Lessons, one iteration in the class's own cards, a table, a race, and a site to take home."""
    from playwright.sync_api import expect

    site = make_site()
    page = open_page(base_url=site.url)
    connected(page, "/")
    page.get_by_role("link", name="Ten lessons").click()
    page.get_by_role("heading", name="Regret", exact=True).wait_for()
    page.get_by_label("Your answer").fill("2")
    page.get_by_role("button", name="Check").click()
    expect(page.get_by_role("status")).to_contain_text("Right.")

    _section(page, "Learn")
    page.get_by_role("heading", name="Infoset J of player 0").wait_for()
    page.keyboard.press("Shift+ArrowRight")
    page.keyboard.press("ArrowRight")
    page.get_by_role("heading", name="Values", exact=True).wait_for()
    for card in "JQK":
        expect(page.locator(".eqg-label").filter(has_text=card).first).to_be_attached()

    _section(page, "Games")
    page.get_by_role("link", name="Make a payoff table").click()
    page.get_by_label("Name of the game").fill("Penalty")
    page.get_by_label("Zero sum").check()
    for place, payoff in enumerate(("1", "-1", "-1", "2")):
        page.locator("td input").nth(place).fill(payoff)
    page.get_by_role("button", name="Make the game").click()
    page.get_by_role("heading", name="Penalty", exact=True).wait_for()

    _section(page, "Games")
    page.get_by_role("link", name="Kuhn poker", exact=True).click()
    page.get_by_role("link", name="Race algorithms on it").click()
    page.get_by_label("Iterations").fill("60")
    page.get_by_role("button", name="Start the race").click()
    page.get_by_role("status").filter(has_text="done").wait_for(timeout=LONG)
    for button, ending in (
        ("Table as CSV", ".csv"),
        ("Measurements as CSV", ".csv"),
        ("Save as picture", ".svg"),
    ):
        with page.expect_download() as saving:
            page.get_by_text(button).click()
        assert saving.value.suggested_filename.endswith(ending)

    page.goto("/games/rock_paper_scissors")
    with page.expect_download() as saving:
        page.get_by_role("button", name="Save as a site").click()
    with zipfile.ZipFile(saving.value.path()) as archive:
        names = archive.namelist()
    for path in ("index.html", "games/rock_paper_scissors/index.html", "site.json"):
        assert f"site/{path}" in names


def test_a_researcher(make_site: Callable[..., Site], open_page: Callable[..., Page]) -> None:
    """A game of one's own, options, two algorithms, infosets, units, a restart, and the API."""
    from playwright.sync_api import expect

    site = make_site()
    page = open_page(base_url=site.url)
    connected(page, "/games")
    page.locator("input[type=file]").set_input_files(
        {"name": "pennies.efg", "mimeType": "text/plain", "buffer": EFG}
    )
    page.get_by_role("link", name="library:pennies").click()
    page.get_by_role("combobox", name="Algorithm").first.fill("dcfr(gamma=3)")
    page.get_by_role("textbox", name="Iterations").fill("40")
    page.get_by_role("button", name="Solve").click()
    page.get_by_role("link", name="Explore the solution").click(timeout=LONG)
    page.locator(".eqg-infoset").first.wait_for()
    with page.expect_download() as saving:
        page.get_by_role("link", name="Save as CSV").click()
    assert len(saving.value.path().read_text().splitlines()) == 1 + 2 * 2

    for algorithm in ("cfr", "cfr+"):
        _section(page, "Games")
        page.get_by_role("link", name="Kuhn poker", exact=True).click()
        page.get_by_role("combobox", name="Algorithm").first.fill(algorithm)
        page.get_by_role("textbox", name="Iterations").fill("50")
        page.get_by_role("button", name="Solve").click()
        page.get_by_role("link", name="Explore the solution").click(timeout=LONG)
        page.get_by_text("1 to 12 of 12").wait_for()
    page.get_by_label("Search").fill("*pb")
    page.get_by_text("1 to 3 of 3").wait_for()
    _section(page, "Library")
    measured = eq.solve("kuhn", iterations=50, algorithm="cfr+").exploitability
    newest = page.locator("tbody tr").first
    expect(newest).to_contain_text(f"{measured:.2e}".replace("e-0", "e-"))
    expect(newest).to_contain_text("Exploitability, payoff units")
    for row in (0, 1):
        page.get_by_role("checkbox", name="Compare kuhn").nth(row).check()
    page.get_by_role("button", name="Compare (2 of 2 chosen)").click()
    page.get_by_role("heading", name="Infosets").wait_for()

    _section(page, "Games")
    page.get_by_role("link", name="Leduc hold'em", exact=True).click()
    page.get_by_role("textbox", name="Iterations").fill("100000000")
    page.get_by_role("textbox", name="Target").fill("1e-12")
    page.get_by_role("button", name="Solve").click()
    page.wait_for_url("**/runs/*")
    run = page.url.removeprefix(site.url)
    page.locator("dt:text-is('Iteration')").wait_for(timeout=LONG)
    page.close()
    site.process.terminate()
    site.process.wait(60)
    site = make_site(data=site.data)
    page = open_page(base_url=site.url)
    connected(page, run)
    page.get_by_role("button", name="Resume").click()
    page.get_by_role("button", name="Pause").wait_for(timeout=LONG)
    expect(page.locator("dt:text-is('Iteration') + dd")).not_to_have_text("0")
    page.get_by_role("button", name="Stop").click()
    page.get_by_role("heading", name="Continue").wait_for(timeout=LONG)

    connected(page, "/api/docs")
    page.get_by_role("searchbox").press_sequentially("get /api/version")
    page.locator(".api-request summary").first.click()
    page.get_by_role("button", name="Ask").click()
    expect(page.get_by_role("region", name="The answer")).to_contain_text('"version"')
