"""Following solves in Chromium: two tabs, pause, a killed worker, the queue."""

from __future__ import annotations

import os
import re
import signal
import subprocess
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest

from equilibrist.poker import Spot
from tests.web.browser.checks import LANGUAGES, check_page, connected, faults_of_page, speak
from tests.web.browser.conftest import GUEST, NARROW, OWNER, SPOT, WIDE, Site

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser
ENDLESS = 10**8
_WIDE = "22+,A2s+,KTs+,QTs+"
LONG = SPOT.replace(board="Ts3h2h", oop=_WIDE, ip=_WIDE, stack=400, bets="50%,100%")
"""A spot for runs that go on: before 10,000 iterations, which take minutes, none can stall."""


def _started(site: Site, spot: Spot = LONG, **options: Any) -> dict[str, Any]:
    """Start a solve of a spot through the API."""
    import httpx2

    body = {"spot": {"toml": spot.to_toml()}, "options": options}
    answer = httpx2.post(f"{site.url}/api/jobs", json=body, timeout=60)
    assert answer.status_code == 201, answer.text
    found: dict[str, Any] = answer.json()
    return found


def _fact(page: Page, name: str) -> str:
    return page.locator(f"dt:text-is('{name}') + dd").inner_text()


def _iterates(page: Page) -> None:
    """Wait until the run iterates."""
    page.get_by_role("button", name="Save the solution so far").wait_for(timeout=60_000)
    page.locator("dt:text-is('Iteration')").wait_for(timeout=60_000)


def _save(page: Page) -> None:
    """Save what a run has found; it then has a checkpoint, which else comes after ten seconds."""
    page.get_by_role("button", name="Save the solution so far").click()
    page.get_by_text("Saved to the library as of iteration").wait_for(timeout=60_000)
    page.locator("dt:text-is('Checkpoint')").wait_for(timeout=60_000)


def test_a_run_is_followed_in_two_tabs_paused_and_resumed(
    open_page: Callable[..., Page], site: Site
) -> None:
    from playwright.sync_api import expect

    job = _started(site, iterations=ENDLESS)
    path = f"/runs/{job['id']}"
    page, other = open_page(WIDE), open_page(NARROW, "dark")
    for tab in (page, other):
        connected(tab, path)
        _iterates(tab)
    fact = page.locator("dt:text-is('Iteration') + dd")
    expect(fact).not_to_have_text(fact.inner_text())  # it goes on
    page.locator("path.eqp-curve[d*=L]").wait_for(state="attached")
    for link, kind in (("Measurements as CSV", "csv"), ("Save as picture", "svg")):
        with page.expect_download() as saving:
            page.get_by_text(link).click()
        name = saving.value.suggested_filename
        assert (job["id"] in name, name.rpartition(".")[2]) == (True, kind)
        assert len(saving.value.path().read_text("utf-8")) > 20
    _save(page)
    page.get_by_role("link", name="Study the solution").wait_for(timeout=60_000)
    saved = site.get(f"/api/solutions/{job['solution']}")
    assert saved["iterations"] > 0
    check_page(other)
    other.get_by_role("button", name="Pause").click()
    for tab in (page, other):
        tab.get_by_role("button", name="Resume").wait_for(timeout=60_000)
    assert site.get(f"/api/jobs/{job['id']}")["state"] == "paused"
    connected(page, path)  # a reload
    page.get_by_role("button", name="Resume").click()
    _iterates(other)
    other.get_by_role("button", name="Stop").click()
    for tab in (page, other):
        tab.get_by_role("heading", name="Continue").wait_for(timeout=60_000)
    check_page(page)


def test_a_killed_worker_is_told_and_resumed(page: Page, site: Site) -> None:
    job = _started(site, iterations=ENDLESS)
    connected(page, f"/runs/{job['id']}")
    _iterates(page)
    _save(page)
    at = site.get(f"/api/jobs/{job['id']}")["progress"]["iteration"]
    os.kill(_workers(site)[-1], signal.SIGKILL)
    alert = page.get_by_role("alert").filter(has_text="has died")
    alert.wait_for()
    assert "resume it" in alert.inner_text()
    page.get_by_role("button", name="Resume").click()
    _iterates(page)
    assert site.get(f"/api/jobs/{job['id']}")["progress"]["iteration"] > 0
    assert at > 0
    page.get_by_role("button", name="Stop").click()
    page.get_by_role("heading", name="Continue").wait_for(timeout=60_000)


def _workers(site: Site) -> list[int]:
    """The processes of the server, oldest first."""
    found = subprocess.run(
        ["ps", "-o", "pid=", "--ppid", str(site.process.pid)],
        capture_output=True,
        text=True,
        check=True,
    )
    return [*map(int, found.stdout.split())]


def test_a_run_goes_further_and_what_is_wrong_is_said(page: Page, site: Site) -> None:
    from playwright.sync_api import expect

    from equilibrist import poker

    job = _started(site, SPOT, iterations=8)
    connected(page, f"/runs/{job['id']}")
    page.get_by_text("done: iteration limit reached").wait_for(timeout=60_000)
    field = page.get_by_role("textbox", name="Iterations")
    field.fill("0")
    page.get_by_role("button", name="Continue").click()
    expect(page.get_by_role("alert").filter(has_text="iterations")).to_be_visible()
    expect(field).to_have_attribute("aria-invalid", "true")
    check_page(page)
    field.fill("12")
    page.get_by_role("button", name="Continue").click()
    expect(page.get_by_role("alert")).to_have_count(0)
    expect(page.locator("dt:text-is('Iteration') + dd")).to_have_text("12", timeout=60_000)
    page.get_by_text("done: iteration limit reached").wait_for()
    for name, path in (("Study the solution", "study"), ("Play", "play")):
        link = page.get_by_role("link", name=name, exact=True).last
        expect(link).to_have_attribute("href", f"../{path}/{job['solution']}")
    expected = poker.solve(SPOT, iterations=12).to_dict()
    share = 100 * expected["exploitability_chips"] / SPOT.pot
    assert f"({share:.3g}% of the pot)" in _fact(page, "Exploitability")


def test_a_run_leads_nowhere_once_its_solution_is_deleted(page: Page, site: Site) -> None:
    from playwright.sync_api import expect

    job = _started(site, SPOT, iterations=4)
    connected(page, f"/runs/{job['id']}")
    page.get_by_role("link", name="Study the solution").wait_for(timeout=60_000)
    assert page.request.delete(f"/api/solutions/{job['solution']}").ok
    connected(page, f"/runs/{job['id']}")
    page.get_by_role("link", name="Edit the spot").wait_for()
    expect(page.get_by_role("link", name="Study the solution")).to_have_count(0)
    assert page.locator(f"a[href$='play/{job['solution']}']").count() == 0
    page.get_by_role("button", name="Delete", exact=True).click()
    dialog = page.get_by_role("dialog", name="Delete this run?")
    check_page(page)
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    page.get_by_role("button", name="Delete", exact=True).click()
    dialog.get_by_role("button", name="Delete").click()
    page.wait_for_url("**/runs")
    page.get_by_role("heading", name="Runs").wait_for()
    expect(page.get_by_role("row", name=re.compile(job["solution"]))).to_have_count(0)


def test_the_queue_says_why_a_solve_waits(
    make_site: Callable[..., Site], open_page: Callable[..., Page]
) -> None:
    site = make_site("--jobs", "1")
    page = open_page(base_url=site.url)
    jobs = [_started(site, iterations=ENDLESS) for _ in range(3)]
    connected(page, "/runs")
    page.get_by_text("1 run in progress, which is the limit").wait_for()
    page.get_by_text("1 run ahead of it in the queue").wait_for()
    check_page(page)
    waiting = page.get_by_role("row", name=re.compile(jobs[1]["solution"]))
    waiting.get_by_role("button", name=re.compile("^Cancel")).click()
    waiting.get_by_text("stopped").wait_for()
    running = page.get_by_role("row", name=re.compile(jobs[0]["solution"]))
    running.get_by_role("button", name=re.compile("^Stop")).click()
    last = page.get_by_role("row", name=re.compile(jobs[2]["solution"]))
    last.get_by_role("button", name=re.compile("^Pause")).wait_for(timeout=60_000)
    last.get_by_role("button", name=re.compile("^Stop")).click()
    last.get_by_role("button", name=re.compile("^Delete")).click(timeout=60_000)
    page.get_by_role("button", name="Delete", exact=True).click()
    from playwright.sync_api import expect

    expect(last).to_have_count(0)


def test_a_run_that_there_is_not(page: Page) -> None:
    connected(page, "/runs/nothing")
    page.get_by_text("There is no run of this name.").wait_for()
    page.get_by_text("there is no job 'nothing'").wait_for()
    check_page(page)


def _turn(page: Page, sight: str) -> None:
    """Bring a page into sight, or out of it, as a browser does with its tabs."""
    page.evaluate(
        """(sight) => {
          Object.defineProperty(document, "visibilityState", { value: sight, configurable: true });
          document.dispatchEvent(new Event("visibilitychange"));
        }""",
        sight,
    )


def test_eight_tabs_are_followed(open_page: Callable[..., Page], site: Site) -> None:
    """A browser has six connections to a server: a tab out of sight takes none."""
    from playwright.sync_api import expect

    job = _started(site, SPOT, iterations=5)
    first = open_page()
    tabs = [first, *(first.context.new_page() for _ in range(7))]
    for number, tab in enumerate(tabs):
        connected(tab, f"/runs/{job['id']}" if number % 2 else "/runs")
        _turn(tab, "hidden")
    _turn(first, "visible")
    other = _started(site, SPOT, iterations=6)
    row = first.get_by_role("row", name=re.compile(other["solution"]))
    expect(row.locator(".eq-state")).to_have_text("done", timeout=60_000)
    _turn(first, "hidden")
    third = _started(site, SPOT, iterations=7)
    tabs[-2].bring_to_front()
    _turn(tabs[-2], "visible")
    for run in (other, third):
        row = tabs[-2].get_by_role("row", name=re.compile(run["solution"]))
        expect(row.locator(".eq-state")).to_have_text("done", timeout=60_000)


def test_a_server_that_goes_away_is_said(
    make_site: Callable[..., Site], open_page: Callable[..., Page]
) -> None:
    site = make_site()
    page = open_page(base_url=site.url, expects="ERR_")
    connected(page, "/runs")
    page.get_by_text("No runs yet").wait_for()
    check_page(page)
    site.process.terminate()
    page.get_by_text("The server does not answer").wait_for(timeout=30_000)


def test_guests_see_runs_and_end_none(open_page: Callable[..., Page], guarded: Site) -> None:
    import httpx2

    body = {"game": "kuhn", "options": {"iterations": 50}}
    headers = {"Authorization": f"Bearer {OWNER}"}
    job = httpx2.post(f"{guarded.url}/api/jobs", json=body, headers=headers, timeout=60).json()
    page = open_page(base_url=guarded.url)
    page.goto("/enter?to=/runs")
    page.get_by_label("Token").fill(GUEST)
    page.get_by_role("button", name="Sign in").click()
    row = page.get_by_role("row", name=re.compile(job["solution"]))
    row.get_by_role("link", name="Open").wait_for(timeout=60_000)
    assert row.get_by_role("button").count() == 0
    connected(page, f"/runs/{job['id']}")
    page.get_by_role("link", name="Explore the solution").wait_for()
    assert page.locator("main button").count() == 1  # the picture of the curve
    assert page.get_by_role("heading", name="Continue").count() == 0


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_word_is_in_the_catalogue_and_longer_ones_fit(
    open_page: Callable[..., Page], site: Site, language: str
) -> None:
    jobs = [
        _started(site, SPOT, iterations=8),
        site.post("/api/jobs", game="kuhn", options={"iterations": 9}),
        site.post("/api/jobs", game="kuhn", algorithms=["cfr", "dcfr"], options={"iterations": 9}),
    ]
    page, faults = open_page(NARROW), []
    speak(page, language)
    for job in jobs:
        connected(page, f"/runs/{job['id']}")
        page.locator(".eq-state-done").wait_for(timeout=60_000)
    runs = [f"/runs/{job['id']}" for job in jobs]
    races = ["/race", f"/race?job={jobs[-1]['id']}", "/race?job=nothing"]
    for path in ("/runs", *runs, "/runs/nothing", *races):
        connected(page, path)
        faults += faults_of_page(page, path)
    assert not faults, "\n".join(faults)
