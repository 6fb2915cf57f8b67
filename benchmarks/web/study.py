"""Opening the solution of a flop in Chromium, clicks on its nodes of each street, and the grid.

    python benchmarks/web/study.py [SOLUTION]

Without SOLUTION the headline spot of benchmarks/poker/spots.py is solved to 1 % of the pot first.
Nodes are clicked after the pointer rested on them for 0.15 s, as a hand's does, and without any
rest; hardly a node was asked for before. A click lasts from the event until the node is drawn; a
hover until grid and table are laid out.
"""

from __future__ import annotations

import random
import shutil
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from benchmarks.poker.spots import HEADLINE
from benchmarks.record import write_record
from benchmarks.web.server import chromium, server
from equilibrist import poker

if TYPE_CHECKING:
    from playwright.sync_api import Page

OPENINGS = 7
CLICKS = 40
"""Of each street, at least."""
STREETS = ("flop", "turn", "river")
RESTS = {"click": 150, "click without rest": 0}
"""Milliseconds for which the pointer rests on what is clicked."""
SHOWN = "() => document.querySelector('.eqs')?.dataset.line === ''"
CLICK = """
async ([choice, rest]) => {
  const root = document.querySelector('.eqs');
  const before = root.dataset.line;
  const cards = [...root.querySelectorAll('.eqs-cards button:not(:disabled)')];
  const found = cards.length ? cards : [...root.querySelectorAll('.eqs-tile')];
  const chosen = found.length
    ? found[Math.floor(choice * found.length)]
    : root.querySelector('.eqs-spot-title');
  if (rest) {
    chosen.dispatchEvent(new PointerEvent('pointerenter'));
    await new Promise((done) => setTimeout(done, rest));
  }
  const begun = performance.now();
  chosen.click();
  await new Promise((done) => {
    const look = () => (root.dataset.line === before ? requestAnimationFrame(look) : done());
    look();
  });
  await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
  return [performance.now() - begun, root.dataset.line];
}
"""
HOVER = """
async () => {
  const root = document.querySelector('.eqs');
  const times = [];
  for (const cell of root.querySelectorAll('.eqp-cell')) {
    const begun = performance.now();
    for (const kind of ['pointerover', 'pointerenter', 'pointermove', 'mouseover', 'mouseenter',
                        'mousemove']) {
      cell.dispatchEvent(new MouseEvent(kind, { bubbles: true }));
    }
    await Promise.resolve();
    await Promise.resolve();
    root.getBoundingClientRect();
    times.push(performance.now() - begun);
    await new Promise((done) => requestAnimationFrame(done));
  }
  return times;
}
"""


def open_study(page: Page, url: str, name: str) -> float:
    """Seconds until the root of a solution is shown."""
    begun = time.perf_counter()
    page.goto(f"{url}/study/{name}")
    page.wait_for_function(SHOWN)
    return time.perf_counter() - begun


def street_of(line: str) -> str:
    """The street of a line."""
    return STREETS[len(line.split("|")[1::2])]


def clicks(page: Page, rest: int = RESTS["click"], seed: int = 1) -> Iterator[tuple[str, float]]:
    """Click at random, from the root down, again and again: the street, and seconds of each."""
    source = random.Random(seed)
    while True:
        milliseconds, line = page.evaluate(CLICK, [source.random(), rest])
        yield street_of(line), milliseconds / 1000


def measure(file: Path) -> dict[str, Any]:
    """Openings, clicks by street, and hovers, in seconds."""
    found: dict[str, Any] = {"opening": []}
    with tempfile.TemporaryDirectory() as place:
        library = Path(place) / "library"
        library.mkdir()
        shutil.copy(file, library / "headline.safetensors")
        with server(Path(place)) as running, chromium() as browser:
            page = browser.new_page(viewport={"width": 1440, "height": 900})
            page.goto(running.url)
            found["first opening"] = [open_study(page, running.url, "headline")]
            for _ in range(OPENINGS):
                page.goto(running.url)
                found["opening"].append(open_study(page, running.url, "headline"))
            for seed, (kind, rest) in enumerate(RESTS.items(), start=1):
                open_study(page, running.url, "headline")
                found |= {f"{kind}, {street}": [] for street in STREETS}
                for street, seconds in clicks(page, rest, seed):
                    found[f"{kind}, {street}"].append(seconds)
                    if all(len(found[f"{kind}, {name}"]) >= CLICKS for name in STREETS):
                        break
            open_study(page, running.url, "headline")
            found["hover"] = [one / 1000 for one in page.evaluate(HOVER)]
    return found


def solved(folder: Path) -> Path:
    """The headline spot, solved to 1 % of the pot, with all streets."""
    path: Path = poker.solve(HEADLINE, target="1%").save(folder / "headline.safetensors")
    return path


def main() -> None:
    """Measure and write the record."""
    with tempfile.TemporaryDirectory() as place:
        file = Path(sys.argv[1]) if len(sys.argv) > 1 else solved(Path(place))
        found = measure(file)
    rows = [["first opening", 1, 1000 * found["first opening"][0], "", ""]]
    for name in (name for name in found if name != "first opening"):
        times = [1000 * one for one in found[name]]
        high = statistics.quantiles(times, n=20)[-1]
        rows.append([name, len(times), "", statistics.median(times), high])
    for row in rows:
        print(row)
    write_record(
        "web_study",
        "Milliseconds in Chromium, on the headline spot with all its streets.",
        "python benchmarks/web/study.py",
        ["what", "times", "once, ms", "median, ms", "95th percentile, ms"],
        rows,
        packages=("fastapi", "uvicorn", "playwright"),
        targets={
            "once, ms": [1000, *[None] * 8],
            "median, ms": [None, 1000, *[100] * 6, 16],
            "95th percentile, ms": [None, None, *[200] * 6, None],
        },
        samples=found,
    )


if __name__ == "__main__":
    main()
