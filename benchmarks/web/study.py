"""Milliseconds in the browser to open the headline spot, to click on its nodes, and to hover.

    python benchmarks/web/study.py

The spot is solved for a few iterations: the size of its tree decides. A click counts until the next
node is painted. No node was looked at before.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from benchmarks.poker.spots import HEADLINE
from benchmarks.record import write_record
from benchmarks.web.server import chromium, server
from equilibrist import poker

if TYPE_CHECKING:
    from playwright.sync_api import Page

OPENINGS = 7
RANKS = "23456789TJKA"
CARDS = [(f"{rank}c", f"{rank}d") for rank in RANKS]
"""The turn and the river of each pair of clicks."""
_CLICK = """async (place) => {
  const shown = () => document.querySelector(".eqs").dataset.line;
  const [before, begun] = [shown(), performance.now()];
  document.querySelectorAll(".eqs-tile")[place].click();
  while (shown() === before) await new Promise((go) => setTimeout(go, 1));
  await new Promise((go) => requestAnimationFrame(() => setTimeout(go)));
  return performance.now() - begun;
}"""
_HOVER = """async () => {
  const times = [];
  for (const cell of document.querySelectorAll(".eqs-cell")) {
    const begun = performance.now();
    cell.dispatchEvent(new PointerEvent("pointerover", { bubbles: true }));
    await Promise.resolve();
    document.body.offsetHeight;  // its layout, too
    times.push(performance.now() - begun);
  }
  return times;
}"""


def main() -> None:
    """Measure and write the record."""
    samples: dict[str, list[float]] = {}
    with tempfile.TemporaryDirectory() as data, server(Path(data)) as site, chromium() as browser:
        solution = poker.solve(HEADLINE, iterations=5)
        solution.save(site.data / "library" / "headline.safetensors")
        page = browser.new_page(viewport={"width": 1440, "height": 900}, base_url=site.url)
        page.goto("/")
        samples["open"] = [_open(page) for _ in range(OPENINGS)]
        samples["hover"] = page.evaluate(_HOVER)
        for street, line in _clicks():
            _go(page, line)
            for place in (0, 1):
                if place:
                    page.go_back()
                    _wait(page, line)
                samples.setdefault(f"click, {street}", []).append(page.evaluate(_CLICK, place))
    rows = [[name, statistics.median(ms), _late(ms)] for name, ms in samples.items()]
    for row in rows:
        print(row)
    write_record(
        "web_study",
        "Milliseconds in Chromium, from the click or the address to the painted node.",
        "python benchmarks/web/study.py",
        ["what", "median, ms", "95th percentile, ms"],
        rows,
        packages=("nicegui", "playwright", "numpy", "numba"),
        targets={"median, ms": [1000, 16, 100, 100, 100], "95th percentile, ms": [200]},
        samples=samples,
    )


def _clicks() -> Iterator[tuple[str, str]]:
    """Nodes from which two actions are clicked, each on a board of its own."""
    for line in ("", "X", "X-B94", "B94", "X-B94-R260", "B94-R260"):
        yield "flop", line
    for turn, river in CARDS:
        yield "turn", f"X-X|{turn}"
        yield "river", f"X-X|{turn}|X-X|{river}"


def _open(page: Page) -> float:
    """Open the solution as a link does; the first time its file is not open."""
    begun = time.perf_counter()
    page.goto("/study/headline")
    _wait(page, "")
    return 1000 * (time.perf_counter() - begun)


def _go(page: Page, line: str) -> None:
    """To a node, without loading the page again."""
    page.evaluate(
        "line => { history.pushState({}, '', '?line=' + encodeURIComponent(line));"
        " window.dispatchEvent(new PopStateEvent('popstate')); }",
        line,
    )
    _wait(page, line)


def _wait(page: Page, line: str) -> None:
    page.wait_for_function(
        "line => document.querySelector('.eqs')?.dataset.line === line", arg=line
    )


def _late(times: list[float]) -> float:
    return sorted(times)[int(0.95 * (len(times) - 1))]


if __name__ == "__main__":
    main()
