"""A real server, and real pages of it in Chromium, which must not complain."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import equilibrist as eq
from equilibrist import load_result, poker

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page

WIDE: dict[str, int] = {"width": 1440, "height": 900}
NARROW = {"width": 390, "height": 844}
BOARDS = ["Ts3h2h5c", "Ts3h2h9d", "TsTh2h4c", "9s8h7d6c", "KdTs4h3c"]
OWNER, GUEST = "o" * 20, "g" * 20
"""Tokens of those servers that ask for one."""
TIMEOUT = 15_000
"""Milliseconds that a page has to show what a test waits for."""
SPOT = poker.Spot(board="Ts3h2h5c", oop="AA,QQ", ip="KK,QsJs:0.5", pot=100, stack=100, bets="50%")
_KEPT = "cookies,local_storage,indexeddb,service_workers,cache_storage,file_systems"
"""What a browser keeps of a page that is no copy of a file."""
_SHIFTS = """
window.layoutShift = 0;
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) {
    if (!entry.hadRecentInput) window.layoutShift += entry.value;
  }
}).observe({type: "layout-shift", buffered: true});
"""


@dataclass
class Site:
    """A server in a process of its own.

    Attributes:
        url: Its address.
        data: Its data folder.
        process: Its process.
        lines: What it has printed.
    """

    url: str
    data: Path
    process: subprocess.Popen[str]
    lines: list[str] = field(default_factory=list)

    def put(self, file: Path, name: str) -> None:
        """Put a solution into its library."""
        shutil.copy(file, self.data / "library" / f"{name}.safetensors")

    def get(self, path: str) -> Any:
        """The document that the API answers with."""
        import httpx2

        response = httpx2.get(f"{self.url}{path}", timeout=60)
        assert response.status_code == 200, response.text
        return response.json()

    def post(self, path: str, **given: Any) -> Any:
        """The document that the API answers with to a request that makes something."""
        import httpx2

        response = httpx2.post(f"{self.url}{path}", json=given, timeout=120)
        assert response.status_code == 201, response.text
        return response.json()


def _end(process: subprocess.Popen[str]) -> None:
    process.terminate()
    process.wait(30)
    assert process.stdout is not None
    process.stdout.close()


@pytest.fixture(scope="session")
def make_site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[..., Site]]:
    """Starts servers with options of `equilibrist serve`; all end with the tests.

    `data` is the data folder, in place of an empty one.
    """
    with ExitStack() as stack:

        def make(*options: str, data: Path | None = None) -> Site:
            data = data or tmp_path_factory.mktemp("site")
            command = [sys.executable, "-m", "equilibrist", "serve", *options]
            process = subprocess.Popen(
                [*command, "--no-browser", "--port", "0"],
                env={**os.environ, "EQUILIBRIST_DATA_DIR": str(data)},
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
            )
            stack.callback(_end, process)
            assert process.stdout is not None
            site, mark = Site("", data, process), "Equilibrist runs at "
            for line in process.stdout:
                site.lines.append(line)
                if line.startswith(mark):
                    site.url = line.removeprefix(mark).split()[0]
                    break
            assert site.url, "".join(site.lines)
            threading.Thread(target=site.lines.extend, args=(process.stdout,)).start()
            return site

        yield make


@pytest.fixture(scope="session")
def site(make_site: Callable[..., Site], kuhn_file: Path, spot_file: Path) -> Site:
    """A server whose library has `kuhn` and `turn`, the solution of `SPOT`, both opened."""
    found = make_site()
    found.put(kuhn_file, "kuhn")
    found.put(spot_file, "turn")
    for name in ("kuhn", "turn"):
        found.post("/api/play/tables", solution=name)
    return found


@pytest.fixture(scope="session")
def guarded(make_site: Callable[..., Site], kuhn_file: Path, spot_file: Path) -> Site:
    """A server that asks for `OWNER` or `GUEST`; its library has `kuhn`, and of `SPOT` the turn."""
    found = make_site("--token", OWNER, "--guest-token", GUEST)
    found.put(kuhn_file, "kuhn")
    found.put(load_result(spot_file).save(found.data / "less.safetensors", "first-street"), "less")
    return found


@pytest.fixture(scope="session")
def batch(site: Site) -> tuple[Path, list[dict[str, Any]]]:
    """A batch of `BOARDS` in the data folder of the server: its folder, the rows of its report."""
    folder = site.data / "batches" / "boards"
    return folder, poker.batch(SPOT, BOARDS, folder, lines=["", "X"], iterations=5).rows


@pytest.fixture(scope="session")
def kuhn_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A solution of Kuhn poker."""
    result = eq.solve("kuhn", iterations=200)
    return result.save(tmp_path_factory.mktemp("game") / "kuhn.safetensors")


@pytest.fixture(scope="session")
def spot_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The solution of `SPOT`, from the turn on."""
    solution = poker.solve(SPOT, iterations=50)
    return solution.save(tmp_path_factory.mktemp("spot") / "turn.safetensors")


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """Debian's Chromium, or the one that EQUILIBRIST_CHROMIUM names."""
    from playwright.sync_api import expect, sync_playwright

    expect.set_options(timeout=TIMEOUT)
    path = os.environ.get("EQUILIBRIST_CHROMIUM") or shutil.which("chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def contexts(chromium: Browser) -> Iterator[dict[str, BrowserContext]]:
    """Browser contexts that tests take one after another, by the address of the server.

    They keep what a server says that may be kept, its modules and styles, and nothing else.
    """
    found: dict[str, BrowserContext] = {}
    yield found
    for context in found.values():
        context.close()


def _close_all(context: BrowserContext) -> None:
    for page in context.pages:
        page.close()


def _forget(page: Page, url: str) -> None:
    """Make the browser context of a page forget all but its copies of files."""
    session = page.context.new_cdp_session(page)
    session.send("Storage.clearDataForOrigin", {"origin": url, "storageTypes": _KEPT})
    session.detach()
    page.context.clear_cookies()


@pytest.fixture
def open_page(
    chromium: Browser, contexts: dict[str, BrowserContext], site: Site
) -> Iterator[Callable[..., Page]]:
    """Opens pages, each in a browser of its own; all complaints of them fail the test.

    `expects` is part of a complaint that is expected, such as one of a request that is refused.
    The first page of a test is in a browser that knows the files of its server from earlier tests,
    unless it `is_fresh`.
    """
    complaints: list[str] = []
    taken: set[str] = set()
    with ExitStack() as stack:

        def new_context(**how: Any) -> BrowserContext:
            context = chromium.new_context(**how)
            context.add_init_script(_SHIFTS)
            return context

        def known(url: str) -> BrowserContext:
            if url not in contexts:
                contexts[url] = new_context(viewport=WIDE, color_scheme="light", base_url=url)
            return contexts[url]

        def new(
            size: Any = WIDE,
            scheme: Any = "light",
            expects: str = "",
            *,
            is_fresh: bool = False,
            **how: Any,
        ) -> Page:
            how = {"base_url": site.url, **how}
            url = how["base_url"]
            if is_fresh or taken or len(how) > 1:
                context = new_context(viewport=size, color_scheme=scheme, **how)
                stack.callback(context.close)
                page = context.new_page()
            else:
                taken.add(url)
                page = known(url).new_page()
                stack.callback(_close_all, page.context)
                page.set_viewport_size(size)
                page.emulate_media(color_scheme=scheme)
                _forget(page, url)
            page.set_default_timeout(TIMEOUT)
            page.on("pageerror", lambda error: complaints.append(f"{page.url}: {error}"))

            def note(message: Any) -> None:
                if expects and expects in message.text:
                    return
                if message.type in ("error", "warning"):
                    complaints.append(f"{page.url}: {message.text}")

            page.on("console", note)
            return page

        yield new
    assert not complaints, "\n".join(complaints)


@pytest.fixture
def page(open_page: Callable[..., Page]) -> Page:
    """A page of 1440 pixels in the light theme."""
    return open_page()
