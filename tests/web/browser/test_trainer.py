"""The trainer in Chromium: sessions at several tables, the clock, the summary, and examples."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import httpx2
import pytest

from equilibrist import load_result, poker
from equilibrist.library.blueprint_ranges import range_sets
from equilibrist.library.examples import EXAMPLES
from equilibrist.play import SolutionCoach
from tests.web.browser.checks import (
    LANGUAGES,
    check_everywhere,
    check_page,
    connected,
    faults_of_page,
    faults_of_texts,
    speak,
)
from tests.web.browser.conftest import NARROW, Site

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser
NAME = "river-paired-board"


@pytest.fixture(scope="module")
def river_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    solution = poker.solve(EXAMPLES[NAME].spot(), iterations=20)
    return solution.save(tmp_path_factory.mktemp("river") / "river.safetensors")


@pytest.fixture
def trained(site: Site, river_file: Path) -> Site:
    """The server with two spots to train."""
    site.put(river_file, "river")
    return site


def begin(site: Site, **given: Any) -> str:
    """The address of a new session."""
    session = site.post("/api/trainer/sessions", **{"seed": 1, **given})
    return f"/trainer/{session['id']}"


def number(page: Page, part: str) -> str:
    return page.locator(f'[data-part="{part}"]').first.inner_text()


def test_a_session_from_the_form_to_its_summary(
    open_page: Callable[..., Page], make_site: Callable[..., Site], river_file: Path
) -> None:
    """By keys alone once it has begun; the loss is the engine's, and bad decisions come again."""
    site = make_site()
    site.put(river_file, "river")
    page = open_page(base_url=site.url)
    coach = SolutionCoach(load_result(river_file))
    connected(page, "/trainer")
    page.get_by_label("Length").select_option("10")
    page.get_by_label("Stacks").select_option("middle")
    page.get_by_text("1 solution fits.").wait_for()
    check_page(page)
    page.get_by_role("button", name="Start").click()
    losses = []
    for answer in range(1, 11):
        page.locator(".pl-action:enabled").first.wait_for()
        infoset = page.locator(".pl-felt").get_attribute("data-infoset")
        assert infoset is not None
        page.keyboard.press("1")
        page.wait_for_function(
            "n => document.querySelector('[data-part=answers]').textContent.startsWith(`${n} of`)",
            arg=answer,
        )
        advice = coach.advise(infoset, 0)
        pot = next(text for name, text in _facts(river_file, infoset) if name == "pot")
        assert advice.ev_loss is not None
        losses.append(advice.ev_loss / float(pot.replace(",", "")))
        mean = f"{100 * sum(losses) / answer:.2f}%"
        assert number(page, "loss").startswith(mean)
        if answer < 10:
            page.keyboard.press("Enter")
    page.get_by_role("heading", name="By position").wait_for()
    check_page(page)
    address = page.url
    page.get_by_role("button", name="Train the").click()
    page.wait_for_url(lambda url: url != address)
    page.get_by_text("The bad decisions of an earlier session").wait_for()
    page.locator(".pl-action:enabled").first.wait_for()


def _facts(file: Path, infoset: str) -> Any:
    from equilibrist.play import SpotGame

    return SpotGame(load_result(file).spot).infoset_facts(infoset)


def test_four_tables_by_keys(page: Page, trained: Site) -> None:
    """A digit answers at the marked table and marks the next; Enter asks on at all of them."""
    connected(page, begin(trained, tables=4, questions=9))
    tables = page.locator(".tr-table")
    assert tables.count() == 4
    marked = page.locator('.tr-table[data-active="true"]')
    assert marked.get_attribute("aria-label") == "Table 1"
    page.keyboard.press("ArrowLeft")
    assert marked.get_attribute("aria-label") == "Table 4"
    page.keyboard.press("ArrowRight")
    check_page(page)
    for place in range(4):
        page.wait_for_function(
            "n => document.querySelectorAll('.tr-answered').length === n", arg=place
        )
        page.keyboard.press("1")
    page.wait_for_function("() => document.querySelectorAll('.tr-answered').length === 4")
    check_page(page)
    page.keyboard.press("Enter")
    page.wait_for_function("() => document.querySelectorAll('.tr-answered').length === 0")
    numbers = [table.get_attribute("data-number") for table in tables.all()]
    assert numbers == ["5", "6", "7", "8"]
    tables.nth(2).locator(".pl-action").first.click()
    page.wait_for_function("() => document.querySelectorAll('.tr-answered').length === 1")
    tables.nth(2).get_by_role("button", name="Next question").click()
    page.wait_for_function("() => document.querySelectorAll('.tr-answered').length === 0")
    assert tables.nth(2).get_attribute("data-number") == "9"
    address = page.url
    connected(page, address)
    assert number(page, "answers") == "5 of 9"
    page.get_by_role("button", name="End the session").click()
    page.get_by_text("The session is over, with 5 answers.").wait_for()


@pytest.mark.parametrize("name", ["river", f"ranges:{range_sets()[-1].name}"])
def test_four_tables_fit_on_a_small_screen(
    open_page: Callable[..., Page], trained: Site, name: str
) -> None:
    """Of the most seats that there are, too, before and after an answer, without scrolling."""
    page = open_page({"width": 1366, "height": 768})
    connected(page, begin(trained, tables=4, questions=9, seconds=60, solutions=[name]))
    for _ in range(2):
        page.locator(".pl-action:enabled").first.wait_for()
        boxes = [table.bounding_box() for table in page.locator(".tr-table").all()]
        assert len(boxes) == 4
        assert all(box is not None and box["y"] + box["height"] <= 768 for box in boxes), boxes
        assert page.evaluate("() => scrollY") == 0
        page.keyboard.press("1")
        page.locator(".tr-answered").first.wait_for()
    check_page(page)


def test_the_clock_answers(page: Page, trained: Site) -> None:
    """A question that had run out before the page was opened waits for the reader."""
    connected(page, "/trainer")  # so that the next page is there before the time is over
    address = begin(trained, seconds=5, questions=2)
    connected(page, address)
    page.locator(".tr-answered").get_by_text("out of time").wait_for()
    assert number(page, "late") == "1"
    page.keyboard.press("Enter")
    page.locator(".pl-action:enabled").first.wait_for()
    page.goto("about:blank")
    page.wait_for_timeout(5500)
    connected(page, address)
    page.get_by_text("The time of this question had run out.").wait_for()
    check_page(page)
    page.get_by_role("button", name="Go on").click()
    page.locator(".pl-action:enabled").first.wait_for()


def test_an_example_is_solved_and_trained(
    open_page: Callable[..., Page], make_site: Callable[..., Site]
) -> None:
    """From an empty library to a question."""
    site = make_site()
    page = open_page(base_url=site.url)
    connected(page, "/trainer")
    page.get_by_text("No solution fits.").wait_for()
    assert page.get_by_role("button", name="Start").is_disabled()
    check_page(page)
    title = page.get_by_role("row", name="Qc7d5sQh2c")
    title.get_by_role("button").click()
    title.get_by_role("link", name="Open").wait_for(timeout=60_000)
    page.get_by_text("1 solution fits.").wait_for()
    check_page(page)
    page.get_by_role("button", name="Start").click()
    page.locator(".pl-action:enabled").first.wait_for()
    connected(page, "/trainer")
    page.get_by_role("button", name="Delete the session").click()
    page.get_by_role("dialog").get_by_role("button", name="Delete").click()
    page.get_by_role("heading", name="Sessions").wait_for(state="detached")


def test_guests_train_and_solve_nothing(
    open_page: Callable[..., Page], make_site: Callable[..., Site], river_file: Path
) -> None:
    site = make_site("--token", "o" * 20, "--guest-token", "g" * 20)
    site.put(river_file, "river")
    page = open_page(base_url=site.url)
    page.goto(f"/enter#{'g' * 20}")
    page.wait_for_url("**/")
    connected(page, "/trainer")
    page.get_by_text("1 solution fits.").wait_for()
    assert page.get_by_role("region", name="Random flops").count() == 0
    page.locator("#content details:last-of-type > summary").last.click()
    page.get_by_text("not solved yet").nth(10).wait_for()
    assert page.get_by_role("button", name="Solve").count() == 0
    check_page(page)
    page.get_by_role("button", name="Start").click()
    page.locator(".pl-action:enabled").first.wait_for()
    page.keyboard.press("1")
    page.locator(".tr-answered").first.wait_for()


def test_random_flops_are_solved(
    open_page: Callable[..., Page], make_site: Callable[..., Site]
) -> None:
    """Runs begin; they are not waited for."""
    site = make_site("--jobs", "1")
    page = open_page(base_url=site.url)
    connected(page, "/trainer")
    flops = page.get_by_role("region", name="Random flops")
    flops.get_by_label("Flops").select_option("3")
    flops.get_by_role("button", name="Solve, about").click()
    flops.get_by_text("3 runs have begun.").wait_for()
    check_page(page)
    jobs = site.get("/api/jobs")["jobs"]
    assert len({job["title"]["board"] for job in jobs}) == 3
    for job in jobs:
        httpx2.post(f"{site.url}/api/jobs/{job['id']}/stop")


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_word_is_in_the_catalogue_and_longer_ones_fit(
    open_page: Callable[..., Page], trained: Site, language: str
) -> None:
    page = open_page(NARROW)
    speak(page, language)
    faults = []
    connected(page, "/trainer")
    for summary in page.locator("#content summary").all():
        summary.click()
    faults += faults_of_page(page, "trainer")
    connected(page, "/examples")
    faults += faults_of_page(page, "examples")
    for tables in (1, 4):
        connected(page, begin(trained, tables=tables, questions=tables + 1, seconds=60))
        page.locator(".pl-action:enabled").first.wait_for()
        faults += faults_of_texts(page, f"{tables} tables")
        page.keyboard.press("1")
        page.locator(".tr-answered").first.wait_for()
        faults += faults_of_page(page, f"{tables} tables, answered")
        page.locator("#content .eq-row button").first.click()
        page.locator(".tr-parts").first.wait_for()
        faults += faults_of_page(page, f"{tables} tables, over")
    assert not faults, "\n".join(faults)


def test_pages_in_both_themes(open_page: Callable[..., Page], trained: Site) -> None:
    page = open_page({"width": 1920, "height": 1080}, "dark")
    sessions = [begin(trained), begin(trained, tables=4)]
    for path in ("/trainer", "/examples", "/trainer/none", *sessions):
        connected(page, path)
        check_everywhere(page)
