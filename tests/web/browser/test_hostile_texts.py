"""No text of a user, of a file or of an address runs as a script, on any page that shows it."""

from __future__ import annotations

import csv
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

import httpx2
import pytest

from equilibrist.storage.archive import write_archive
from equilibrist.web.jobs.job import Job
from tests.web.browser.conftest import SPOT, Site

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("hostile_texts")]

RUNS = "window.ran=1"
EVIL = (
    f"<img src=x onerror='{RUNS}'><svg onload='{RUNS}'></svg><script>{RUNS}</script>"
    f"{{{{constructor.constructor('{RUNS}')()}}}}${{{RUNS}}}'-{RUNS}-'"
)
"""HTML, a template of Vue, and the ends of strings, each of which would run."""
GAME = f'''EFG 2 R "{EVIL}" {{ "{EVIL}1" "{EVIL}2" }} "{EVIL}"
p "" 1 1 "{EVIL}a" {{ "{EVIL}l" "{EVIL}r" }} 0
p "" 2 1 "{EVIL}b" {{ "{EVIL}L" "{EVIL}R" }} 0
t "" 1 "{EVIL}" {{ 1 -1 }}
t "" 2 "" {{ -1 1 }}
p "" 2 1 "{EVIL}b" {{ "{EVIL}L" "{EVIL}R" }} 0
t "" 3 "" {{ -1 1 }}
t "" 4 "" {{ 1 -1 }}
'''
FORMS = {
    "/spot": "",
    "/race?game=kuhn": "Start the race",
    "/learn?game=kuhn": "Show",
    "/games/kuhn?view=tree": "Solve",
}
"""Addresses with fields, and the buttons after which it is said what is wrong with them."""
_DRAWN = """() => 'ready' in document.documentElement.dataset
  || !document.querySelector("script[src*='/pages/']")"""
"""Whether a page has drawn what it shows: what is no page has no module of one."""
_WOULD_RUN = "() => window.ran || document.querySelector('[onerror], [onload]') !== null"
"""Whether anything ran, or will, once an image has failed."""
ADDRESSES = (
    "/spot?draft={}",
    "/spot?job={}",
    "/spot?solution={}",
    "/runs/{}",
    "/race?job={}",
    "/race?game={}",
    "/learn?game={}&algorithm={}",
    "/games/{}",
    "/games/kuhn?view={}",
    "/explore/{}",
    "/explore/kuhn?infoset={}&match={}",
    "/study/{}",
    "/study/turn?line={}",
    "/study/turn?with={}",
    "/charts/{}",
    "/reports/{}",
    "/play/{}",
    "/play/kuhn?seat={}&seed={}&hand={}&table={}",
    "/drill/{}",
    "/drill/turn?line={}",
    "/drill/kuhn?match={}&player={}",
    "/nothing/{}",
    "/enter?to={}",
    "/api/solutions/{}",
    "/api/nothing/{}",
)


RUN = Job(
    id="evil-run",
    kind="game",
    game=EVIL,
    options={"algorithm": EVIL, EVIL: EVIL},
    solution=EVIL,
    memory_bytes=1,
    created=1e9,
    state="failed",
    points=[(1, 1.0, 0.5), (2, 2.0, 0.25)],
    stopped_by=EVIL,
    note=EVIL,
    error={"error": EVIL, "kind": EVIL, "option": EVIL, "remedy": EVIL},
)
RACE = replace(
    RUN,
    id="evil-race",
    kind="compare",
    solution="",
    algorithms=[EVIL, "cfr"],
    curves={EVIL: [(1, 1.0, 0.5), (2, 2.0, 0.25)]},
)


@pytest.fixture(scope="module")
def hostile(
    make_site: Callable[..., Site],
    kuhn_file: Path,
    spot_file: Path,
    tmp_path_factory: pytest.TempPathFactory,
) -> Site:
    """A server with hostile texts wherever somebody can have put some."""
    data = tmp_path_factory.mktemp("hostile")
    for run in (RUN, RACE):
        folder = data / "jobs" / run.id
        folder.mkdir(parents=True)
        run.save(folder)
    for name in ("evil", EVIL.replace("/", "")[:80]):
        folder = data / "batches" / name
        folder.mkdir(parents=True)
        (folder / "batch.json").write_text("{}")
        with (folder / "report.csv").open("w", newline="") as file:
            rows = csv.writer(file)
            rows.writerow(["board", "line", "acts", "frequency", "pot", f"{EVIL} freq"])
            rows.writerows([[board, EVIL, EVIL, 1, 20, 0.5] for board in ("TsTh2h4c", "all")])
    site = make_site(data=data)
    site.put(kuhn_file, "kuhn")
    site.put(spot_file, "turn")
    header = {"game": EVIL, "algorithm": EVIL, "iterations": 1, "nash_conv": 1.0}
    library = site.data / "library"
    write_archive(library / "forged.safetensors", "solution", {**header, "exploitability": 0.5}, {})
    write_archive(library / f"{EVIL.replace('/', '')[:80]}.safetensors", "solution", header, {})
    with httpx2.Client(base_url=site.url, timeout=120) as client:
        client.put("/api/uploads/evil.efg", content=GAME.encode()).raise_for_status()
        client.put("/api/setups/evil", json={"toml": SPOT.to_toml()}).raise_for_status()
        own = f"/api/ranges/own/{quote(EVIL.replace('/', '')[:120])}"
        client.put(own, json={"text": "AA"}).raise_for_status()
        job = client.post("/api/jobs", json={"game": "library:evil", "options": {"iterations": 5}})
        with client.stream("GET", f"/api/jobs/{job.json()['id']}/events") as events:
            assert '"done"' in [*events.iter_lines()][-2]
    return site


def _ran(browser: Browser, site: Site, paths: list[str], is_shown: bool) -> list[str]:
    """The pages on which something ran; the text stands on each if it must be shown."""
    context = browser.new_context(base_url=site.url)
    found = []
    try:
        page = context.new_page()
        page.set_content(EVIL)
        assert page.evaluate(_WOULD_RUN)
        page.wait_for_function("() => window.ran")
        for path in paths:
            page.goto(path)
            page.wait_for_function(_DRAWN)
            if page.evaluate(_WOULD_RUN):
                found.append(path)
            if is_shown:
                assert "onerror=" in page.inner_text("body"), path
    finally:
        context.close()
    return found


def test_hostile_addresses_run_nothing(chromium: Browser, hostile: Site) -> None:
    text = quote(EVIL, safe="")
    paths = [address.replace("{}", text) for address in ADDRESSES]
    assert _ran(chromium, hostile, paths, is_shown=False) == []


def test_hostile_games_and_solutions_run_nothing(chromium: Browser, hostile: Site) -> None:
    (name,) = [
        one["name"]
        for one in hostile.get("/api/solutions")["solutions"]
        if one["game"] == "library:evil"
    ]
    game = quote("library:evil", safe="")
    (job,) = [one for one in hostile.get("/api/jobs")["jobs"] if one["game"] == "library:evil"]
    shown = ["/", "/play", f"/games/{game}", f"/games/{game}?view=walk"]
    shown += [f"/explore/{name}", f"/play/{name}", f"/drill/{name}"]
    assert _ran(chromium, hostile, shown, is_shown=True) == []
    other = [
        "/games",
        f"/learn?game={game}",
        f"/race?game={game}",
        f"/runs/{job['id']}",
        "/runs",
        "/reports",
    ]
    other += ["/explore/forged", "/play/forged", "/charts/forged", "/study/forged"]
    assert _ran(chromium, hostile, other, is_shown=False) == []


def test_hostile_texts_that_are_typed_run_nothing(chromium: Browser, hostile: Site) -> None:
    """In every field of the forms, with the errors that are shown for them."""
    from playwright.sync_api import TimeoutError as Late

    context = chromium.new_context(base_url=hostile.url)
    page = context.new_page()
    for path, button in FORMS.items():
        page.goto(path)
        page.wait_for_function(_DRAWN)
        fields = page.locator("input:not([type=checkbox]):not([type=range]):visible, textarea")
        for place in range(fields.count()):
            field = fields.nth(place)
            if field.is_editable() and field.get_attribute("type") not in ("number", "file"):
                with suppress(Late):  # what was typed before has switched it off meanwhile
                    field.fill(EVIL[:120], timeout=5000)
                    field.press("Tab", timeout=5000)
        if button:
            page.get_by_role("button", name=button, exact=True).press("Enter")
        page.locator("[aria-invalid=true], [role=alert]").first.wait_for()
        assert not page.evaluate(_WOULD_RUN), path
    context.close()
