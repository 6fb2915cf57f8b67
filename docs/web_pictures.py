"""Pictures of every screen of `equilibrist serve`: dark and light, 390 to 1920 pixels wide.

    python docs/web_pictures.py FOLDER            # all of them
    python docs/web_pictures.py FOLDER --screens play games
    python docs/web_pictures.py --published       # those of README and docs, into docs/images/web

It starts a server with a data folder of its own, solves what the screens show, and drives the
Chromium that is on the path, or that EQUILIBRIST_CHROMIUM names. Needs the extra `browser`.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import httpx2

from equilibrist import poker
from equilibrist.poker.blueprint import train_blueprint
from equilibrist.solving import solve

if TYPE_CHECKING:
    from playwright.sync_api import Page

PUBLISHED: Final = Path(__file__).resolve().parent / "images" / "web"
SIZES: Final = {
    "wide": (1440, 900),
    "laptop": (1366, 768),
    "large": (1920, 1080),
    "narrow": (390, 844),
}
SCHEMES: Final = ("light", "dark")
_MARK: Final = "Equilibrist runs at "
_DRAWN: Final = "() => 'ready' in document.documentElement.dataset"
_SETTLED: Final = 1500
"""Milliseconds that a screen has to draw, once it has what it shows."""
_RESIZED: Final = 300
"""Milliseconds that it has to draw in another size or theme."""
_CURVE: Final = 50
"""Measurements that the curve of the run has, at least."""
_PATIENCE: Final = 120.0
"""Seconds that the server has to answer, on a busy machine, too."""


@dataclass(frozen=True)
class Screen:
    """A screen, and how it is reached.

    Attributes:
        name: The name of its pictures.
        path: Its address, with the names of what `_started` has started in braces.
        act: What is done on it before the picture is taken.
        published: Which of its pictures are in the documentation, such as `wide-light`.
    """

    name: str
    path: str
    act: Callable[[Page], Any] | None = None
    published: tuple[str, ...] = ()


def _show_plot(page: Page) -> None:
    """Scroll to the plot of a race, which stands below the form."""
    page.get_by_role("region", name="The race").evaluate(
        "panel => window.scrollTo(0, panel.getBoundingClientRect().top + window.scrollY - 56)"
    )


def _filled(selector: str) -> Callable[[Page], None]:
    """Wait for what the server has to work out before a screen has it."""

    def wait(page: Page) -> None:
        page.locator(selector).first.wait_for()

    return wait


def _raise(page: Page) -> None:
    """Choose the second action, and wait for the coach's estimates."""
    page.keyboard.press("2")
    page.locator(".pl-coach td").first.wait_for()


SCREENS: Final = (
    Screen("library", "/"),
    Screen("setup", "/spot", _filled(".su-facts dd"), ("wide-light",)),
    Screen("runs", "/runs"),
    Screen("run", "/runs/{job}", None, ("wide-light",)),
    Screen("study", "/study/flop", None, ("wide-light", "wide-dark")),
    Screen("charts", "/charts/jam?line=A-F", None, ("wide-light",)),
    Screen("games", "/games", _filled("td.eq-right:text('58')")),
    Screen("game", "/games/kuhn"),
    Screen("table", "/games/rock_paper_scissors"),
    Screen("walk", "/explore/kuhn?view=walk&move=1&move=3"),
    Screen("tree", "/explore/kuhn?view=tree"),
    Screen("explore", "/explore/kuhn", None, ("wide-light",)),
    Screen("race", "/race?job={race}", _show_plot, ("wide-light",)),
    Screen("learn", "/learn?step=3", None, ("wide-light",)),
    Screen("play", "/play"),
    Screen("play-kuhn", "/play/kuhn?seed=5", lambda page: page.keyboard.press("2")),
    Screen(
        "play-spot",
        "/play/flop?seat=oop&seed=4",
        lambda page: page.keyboard.press("1"),
        ("wide-light",),
    ),
    Screen(
        "play-hand",
        "/play/hand?seat=1&seed=8",
        _raise,
        ("wide-light",),
    ),
    Screen("drill", "/drill/flop?seed=2", lambda page: page.keyboard.press("2")),
    Screen("breakdown", "/study/flop?line=X&tab=breakdown"),
    Screen("runouts", "/study/flop?line=X-X", _filled(".eqs-cards small:not(:empty)")),
    Screen("compare", "/compare?first=kuhn&second=kuhn-plus"),
    Screen("examples", "/examples"),
    Screen("hands", "/hands"),
    Screen("blueprint", "/hands?kind=blueprint"),
    Screen("reports", "/reports?of=solution:flop", _filled(".hn-facts dd:text-matches('[kMG]B')")),
    Screen("report", "/reports/boards"),
    Screen("trainer", "/trainer"),
    Screen("training", "/trainer/{session}", lambda page: page.keyboard.press("1")),
    Screen("review", "/review"),
    Screen("reviewed", "/review?job={review}&open=0"),
    Screen("lessons", "/lessons"),
    Screen("payoffs", "/payoffs?game=prisoners_dilemma"),
    Screen("api", "/api/docs"),
    Screen("missing", "/study/nothing"),
)

SPOT: Final = poker.Spot(
    board="QsJh2h",
    oop="88+,A8s+,A5s-A2s:0.5,AJo+,K9s+,KQo,Q9s+,J8s+,T8s+,97s+,87s,76s:0.75,65s:0.75,54s:0.75",
    ip="AA:0.25,99-22,AJs-A2s,AQo-A9o,K9s+,KTo+,Q9s+,QTo+,J8s+,JTo,T8s+,97s+,87s,76s,65s,54s",
    pot=180,
    stack=910,
    bets="52%|55%|70%",
    raises="45%",
)


SMALL: Final = {"oop": "88+,AJs", "ip": "99+,AQs", "bets": "52%", "raises": ""}
"""A part of it that is solved at once."""
HAND: Final = """variant = 'NT'
antes = [0, 0]
blinds_or_straddles = [45, 90]
min_bet = 90
starting_stacks = [1000, 1000]
actions = ['d dh p1 AhKh', 'd dh p2 8s8c', 'p2 cc', 'p1 cc', 'd db QsJh2h', 'p1 cc',
  'p2 cbr 94', 'p1 f']
"""


@contextmanager
def _server(data: Path) -> Iterator[str]:
    command = [sys.executable, "-m", "equilibrist", "serve", "--no-browser", "--port", "0"]
    process = subprocess.Popen(
        command,
        env={**os.environ, "EQUILIBRIST_DATA_DIR": str(data)},
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    try:
        line = next(line for line in process.stdout if line.startswith(_MARK))
        yield line.removeprefix(_MARK).split()[0]
    finally:
        process.terminate()
        process.wait(60)


def _fill(library: Path) -> None:
    """What the library holds: a flop, charts, a blueprint, Kuhn poker and a matrix game."""
    library.mkdir(parents=True)
    cards = poker.build_card_buckets(
        "all/20/20/10", library.parent / "c.safetensors", lowest_rank=6, restarts=1, passes=5
    )
    hand = poker.Hand(seats=4, stack=20, bets="100%,a", raises="a", raise_cap=1, deck="8")
    train_blueprint(hand, cards, iterations=5).save(library / "hand.safetensors")
    poker.solve(SPOT, target="1%").save(library / "flop.safetensors")
    jam = poker.push_fold(10, seats=3, deals=200_000)
    jam.save(library / "jam.safetensors")
    solve("kuhn", target=1e-4).save(library / "kuhn.safetensors")
    solve("kuhn", iterations=20, algorithm="cfr+").save(library / "kuhn-plus.safetensors")
    boards = ["QsJh2h", "Td9d6h", "7h7c2d"]
    poker.batch(SPOT.replace(**SMALL), boards, library.parent / "batches" / "boards", iterations=5)
    solve("rock_paper_scissors", iterations=200).save(library / "rps.safetensors")


def _run(url: str) -> str:
    """A run that goes on while the pictures are taken; its name."""
    given = {"game": "leduc", "options": {"iterations": 2_000_000, "target": 1e-9}}
    name: str = httpx2.post(f"{url}/api/jobs", json=given, timeout=_PATIENCE).json()["id"]
    job: dict[str, Any] = {"state": "queued", "can_resume": False, "points": []}
    while not job["can_resume"] or len(job["points"]) < _CURVE:
        time.sleep(0.5)
        job = httpx2.get(f"{url}/api/jobs/{name}", timeout=_PATIENCE).json()
        assert job["state"] in ("queued", "running"), job["error"]
    return name


def _race(url: str) -> str:
    """A race that has ended; its name."""
    given = {
        "game": "leduc",
        "algorithms": ["cfr+", "dcfr", "pcfr+", "lcfr@external"],
        "options": {
            "seconds": 4,
            "target": 1e-4,
            "seeds": 5,
            "threads": 1,
            "side_by_side": True,
        },
    }
    return _ended(url, given)


def _ended(url: str, given: dict[str, Any]) -> str:
    """Let a job run to its end; its name."""
    name: str = httpx2.post(f"{url}/api/jobs", json=given, timeout=_PATIENCE).json()["id"]
    while httpx2.get(f"{url}/api/jobs/{name}", timeout=_PATIENCE).json()["state"] in (
        "queued",
        "running",
    ):
        time.sleep(0.5)
    return name


def _started(url: str) -> dict[str, str]:
    """What pictures show that is started on the server; names by what they are of."""
    session = {"seed": 1, "solutions": ["flop"], "tables": 2}
    review = {"hands": HAND, "against": ["flop"], "everybody": True, "solve": False}
    begun = httpx2.post(f"{url}/api/trainer/sessions", json=session, timeout=_PATIENCE)
    return {
        "session": begun.json()["id"],
        "review": _ended(url, {"review": review}),
        "race": _race(url),
        "job": _run(url),
    }


def take(folder: Path, *, published: bool, screens: Sequence[str] = ()) -> None:
    """Take the pictures.

    Args:
        folder: Where they go, as NAME-SIZE-SCHEME.png.
        published: Only those of the documentation.
        screens: The names of the screens; without them all.
    """
    from playwright.sync_api import sync_playwright

    folder.mkdir(parents=True, exist_ok=True)
    path = os.environ.get("EQUILIBRIST_CHROMIUM") or shutil.which("chromium")
    with tempfile.TemporaryDirectory() as place, sync_playwright() as playwright:
        data = Path(place)
        _fill(data / "library")
        with _server(data) as url:
            names = _started(url)
            browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
            for screen in SCREENS:
                if screens and screen.name not in screens:
                    continue
                kinds = [f"{size}-{scheme}" for size in SIZES for scheme in SCHEMES]
                wanted = [kind for kind in kinds if not published or kind in screen.published]
                if wanted:
                    page = browser.new_page()
                    page.set_default_timeout(1000 * _PATIENCE)
                    for kind in wanted:
                        _take(page, url + screen.path.format(**names), screen, kind, folder)
                    page.close()
            browser.close()
            httpx2.post(f"{url}/api/jobs/{names['job']}/stop", timeout=_PATIENCE)


def _take(page: Page, address: str, screen: Screen, kind: str, folder: Path) -> None:
    """Take a picture of a screen, which is opened once for all of them."""
    size, _, scheme = kind.partition("-")
    width, height = SIZES[size]
    page.set_viewport_size({"width": width, "height": height})
    page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
    if page.url == "about:blank":
        page.goto(address)
        page.wait_for_function(_DRAWN)
        page.wait_for_timeout(_SETTLED)
        if screen.act is not None:
            screen.act(page)
            page.wait_for_timeout(_SETTLED)
    page.wait_for_timeout(_RESIZED)
    page.screenshot(path=folder / f"{screen.name}-{kind}.png")


def main() -> None:
    """Read the arguments and take the pictures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", nargs="?", type=Path)
    parser.add_argument("--published", action="store_true")
    parser.add_argument("--screens", nargs="+", choices=[screen.name for screen in SCREENS])
    given = parser.parse_args()
    folder = PUBLISHED if given.published else given.folder or Path("screens")
    take(folder, published=given.published, screens=given.screens or ())


if __name__ == "__main__":
    main()
