"""The longest texts fit: full shares, a million chips and five cards, in all columns."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from equilibrist.poker import push_fold
from tests.web.browser.checks import connected, overflow
from tests.web.browser.conftest import NARROW, WIDE, Site
from tests.web.browser.test_review import HANDS

if TYPE_CHECKING:
    from playwright.sync_api import Page, Route

pytestmark = pytest.mark.browser

CUT = """() => [...document.querySelectorAll(".eqp-tr > div, .eqs-tile *, .eqs button, .eqs dd")]
  .filter((one) => one.clientWidth && one.scrollWidth > one.clientWidth + 1)
  .map((one) => `${one.className}: ${one.textContent.trim()}`)"""
"""What is wider than its place."""
CHIPS = ("pot", "behind", "to_call", "amount", "ev", "action_ev", "action_evs", "stacks", "total")
SHARES = ("equity", "eqr", "weight", "strategy", "frequency")


def longest(document: Any, key: str = "") -> Any:
    """A document whose amounts are about a million chips, and whose shares are 1."""
    if isinstance(document, dict):
        return {name: longest(value, name) for name, value in document.items()}
    if isinstance(document, list):
        return [longest(value, key) for value in document]
    if isinstance(document, int | float) and not isinstance(document, bool):
        if key in CHIPS:
            return -1e6 if key.endswith(("ev", "evs")) else 1e6
        if key in SHARES:
            return 1.0
    return document


OVERFULL = """() => [...document.querySelectorAll("main *")].filter((one) => {
  if (!one.clientWidth || one.scrollWidth <= one.clientWidth + 1) return false;
  if (one.matches("input, textarea, select, .eq-hidden")) return false;
  if (one.closest("svg, [hidden]")) return false;
  if (["auto", "scroll"].includes(getComputedStyle(one).overflowX)) return false;
  return one.textContent.trim() !== "";
}).filter((one, _, all) => !all.some((other) => other !== one && one.contains(other)))
  .map((one) => `${one.tagName}.${one.className}: ${one.textContent.trim().slice(0, 80)}`)"""
"""What has more in it than fits, and does not scroll; of elements in each other the innermost."""
FIGURES: list[tuple[float, tuple[str, ...]]] = [
    (
        1e6,
        ("pot", "stack", "behind", "to_call", "bet", "total", "loss", "total_ev_loss", "ev_loss"),
    ),
    (
        -1e6,
        ("ev", "noted_ev", "action_ev", "ev_difference", "values", "value", "difference", "mean"),
    ),
    (1.0, ("frequency", "strategy", "probability", "covered", "share", "reach")),
    (100.0, ("measure_percent",)),
    (1_000_000, ("iterations", "iteration", "hands", "choices", "answers", "infosets", "combos")),
    (1_000_000, ("correct", "inaccuracy", "mistake", "blunder", "judged", "unjudged")),
    (1_000_000, ("measure", "cost", "num_infosets", "histories", "num_nodes", "measured_at")),
    (359_999, ("seconds", "elapsed", "eta_seconds", "age_seconds")),
    (999_900_000_000, ("num_bytes", "bytes", "memory_bytes", "disk_bytes", "checkpoint_bytes")),
]
"""The longest figures, by the keys of documents."""
LONGEST = {key: figure for figure, keys in FIGURES for key in keys}
FIVE = ["As", "Kh", "Qd", "Jc", "Ts"]


def lengthened_figures(document: Any, key: str = "") -> Any:
    """A document with the longest figures, and boards of five cards."""
    if isinstance(document, dict):
        return {name: lengthened_figures(value, name) for name, value in document.items()}
    if key == "board" and document:
        return FIVE if isinstance(document, list) else "".join(FIVE)
    if isinstance(document, list):
        return [lengthened_figures(value, key) for value in document]
    is_number = isinstance(document, int | float) and not isinstance(document, bool)
    return LONGEST.get(key, document) if is_number else document


LONG_DOCUMENTS = re.compile(r"/api/(?!me$|server|algorithms|samplers|networks|events)")


def lengthened(page: Page, pattern: str | re.Pattern[str], change: Callable[[Any], Any]) -> None:
    """Let a page get what `change` makes of the documents at an address."""
    from playwright.sync_api import Error

    def answer(route: Route) -> None:
        with suppress(Error):  # the page was closed meanwhile
            response = route.fetch()
            if "json" not in response.headers.get("content-type", ""):
                route.fulfill(response=response)
                return
            route.fulfill(response=response, body=json.dumps(change(response.json())))

    page.route(pattern, answer)


@pytest.fixture(scope="module")
def full_site(
    make_site: Callable[..., Site], kuhn_file: Path, spot_file: Path, tmp_path_factory: Any
) -> tuple[Site, list[str]]:
    """A server that has something for all pages with figures, and the addresses of these."""
    site = make_site()
    charts = push_fold(10).save(tmp_path_factory.mktemp("jam") / "jam.safetensors")
    for name, file in (("kuhn", kuhn_file), ("turn", spot_file), ("jam", charts)):
        site.put(file, name)
    session = site.post("/api/trainer/sessions", seed=1)["id"]
    review = {"hands": HANDS, "against": ["turn"], "everybody": True, "solve": False}
    jobs = [
        site.post("/api/jobs", game="kuhn", options={"iterations": 9}),
        site.post("/api/jobs", game="kuhn", algorithms=["cfr", "dcfr"], options={"iterations": 9}),
        site.post("/api/jobs", review=review),
    ]
    run, race, reviewed = (job["id"] for job in jobs)
    return site, [
        "/", "/runs", f"/runs/{run}", f"/race?job={race}", f"/review?job={reviewed}&open=0",
        "/charts/jam", "/compare?first=turn&second=turn", "/play", "/play/turn", "/play/kuhn",
        "/play/jam", "/drill/turn", f"/trainer/{session}", "/explore/kuhn", "/games/kuhn",
        "/hands?kind=preflop&seats=3&stack=1000000&bets=100%25", "/lessons", "/examples",
        "/trainer",
    ]  # fmt: skip


def test_the_longest_figures_of_all_pages_fit(
    open_page: Callable[..., Page], full_site: tuple[Site, list[str]]
) -> None:
    """On a wide screen and on a phone: what is wider than its place scrolls, or has two lines."""
    site, paths = full_site
    page, faults = open_page(WIDE, base_url=site.url), []
    lengthened(page, LONG_DOCUMENTS, lengthened_figures)
    for path in paths:
        connected(page, path)
        if path.startswith(("/play/", "/drill/")):  # what the coach says, too
            page.locator(".pl-action").first.wait_for()
            page.keyboard.press("1")
            page.locator(".pl-coach .pl-table").first.wait_for()
        for size in (WIDE, NARROW):
            page.set_viewport_size({"width": size["width"], "height": size["height"]})
            page.evaluate("() => new Promise(requestAnimationFrame)")
            faults += [f"{path} {size['width']}: {text}" for text in page.evaluate(OVERFULL)]
            if (wider := overflow(page)) > 0:
                faults.append(f"{path} {size['width']}: the page is {wider} pixels wider")
    assert not faults, "\n".join(faults)


@pytest.mark.parametrize("unit", ["chips", "pot"])
def test_the_longest_figures_of_a_study_fit(open_page: Callable[..., Page], unit: str) -> None:
    page = open_page(WIDE)
    page.add_init_script(f"localStorage.setItem('equilibrist.unit', '{unit}')")
    lengthened(page, "**/api/solutions/turn/*", longest)
    page.goto("/study/turn")
    page.locator(".eqp-body .eqp-tr").first.wait_for()
    assert page.evaluate(CUT) == []
    page.get_by_label("Actions in the table").select_option("ev")
    assert page.evaluate(CUT) == []


def long_report(document: Any) -> Any:
    """A report on boards of five cards, with a column of a million chips for each figure."""
    columns = document["columns"]
    for row in document["rows"]:
        for place, name in enumerate(columns):
            if name == "board":
                row[place] = "AsKhQdJcTs"
            elif isinstance(row[place], float):
                is_amount = name == "pot" or "ev" in name.split("_") or name.endswith(" ev")
                row[place] = -1e6 if is_amount and name != "pot" else 1e6 if is_amount else 1.0
    return document


@pytest.mark.usefixtures("batch")
def test_the_longest_figures_of_a_report_fit(open_page: Callable[..., Page]) -> None:
    page = open_page(WIDE)
    lengthened(page, "**/api/reports/boards*", long_report)
    page.goto("/reports/boards")
    page.locator(".eqp-body .eqp-tr").first.wait_for()
    assert page.get_by_text("-1000000.0").count() > 1
    assert page.evaluate(CUT) == []
