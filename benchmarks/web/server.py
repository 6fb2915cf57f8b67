"""Servers and browsers that the measurements of this folder share."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

_MARK = "Equilibrist runs at "
READY = "() => 'ready' in document.documentElement.dataset"
"""When a page has drawn what it was opened for."""
_TICKS = os.sysconf("SC_CLK_TCK")


@dataclass
class Server:
    """A server in a process of its own.

    Attributes:
        url: Its address.
        data: Its data folder.
        process: Its process.
        seconds: How long it took from the start of the process until it answered.
    """

    url: str
    data: Path
    process: subprocess.Popen[str]
    seconds: float

    def memory(self) -> int:
        """Bytes of memory that its process holds, without those of mapped files."""
        text = Path(f"/proc/{self.process.pid}/status").read_text("ascii")
        (line,) = (line for line in text.splitlines() if line.startswith("RssAnon:"))
        return int(line.split()[1]) * 1024

    def processor_seconds(self) -> float:
        """Processor time of its process so far, all its threads together."""
        return processor_seconds(self.process.pid)


def processor_seconds(process: int) -> float:
    """Processor time of a process so far; 0 for one that has just ended."""
    try:
        text = Path(f"/proc/{process}/stat").read_text("ascii")
    except OSError:
        return 0.0
    words = text.rpartition(")")[2].split()
    return (int(words[11]) + int(words[12])) / _TICKS


@contextmanager
def server(data: Path | None = None, *options: str) -> Iterator[Server]:
    """Start a server, in a data folder of its own unless one is given, and end it."""
    with tempfile.TemporaryDirectory() as empty:
        folder = data or Path(empty)
        command = [sys.executable, "-m", "equilibrist", "serve", "--no-browser", "--port", "0"]
        begun = time.perf_counter()
        process = subprocess.Popen(
            [*command, *options],
            env={**os.environ, "EQUILIBRIST_DATA_DIR": str(folder)},
            stdout=subprocess.PIPE,
            text=True,
        )
        assert process.stdout is not None
        try:
            line = next(line for line in process.stdout if line.startswith(_MARK))
            seconds = time.perf_counter() - begun
            yield Server(line.removeprefix(_MARK).split()[0], folder, process, seconds)
        finally:
            process.terminate()
            process.wait(30)


@contextmanager
def chromium() -> Iterator[Browser]:
    """A fresh Chromium, with nothing in its cache."""
    from playwright.sync_api import sync_playwright

    path = os.environ.get("EQUILIBRIST_CHROMIUM") or shutil.which("chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield browser
        browser.close()


def seconds_to_open(page: Page, url: str) -> float:
    """Seconds until a page is drawn."""
    begun = time.perf_counter()
    page.goto(url)
    page.get_by_role("heading", level=1).first.wait_for()
    page.wait_for_function(READY)
    return time.perf_counter() - begun
