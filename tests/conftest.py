"""Settings shared by all tests: no wall-clock deadlines, no display, plain output, warm kernels."""

from __future__ import annotations

import gc
import os
import shutil
import signal
import tempfile
from collections.abc import Generator
from pathlib import Path

os.environ.setdefault("MPLBACKEND", "Agg")
os.environ["COLUMNS"] = "120"
os.environ["EQUILIBRIST_THREADS"] = "1"  # what is printed does not depend on the machine
os.environ["NO_COLOR"] = "1"
# Nothing is stored in the user's own folder; processes that tests start take this one, too.
os.environ["EQUILIBRIST_DATA_DIR"] = tempfile.mkdtemp(prefix="equilibrist-data-")
os.environ.pop("FORCE_COLOR", None)
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # Scripts start what runs in their background so, and its children inherit it.
    signal.signal(signal.SIGINT, signal.default_int_handler)
if hasattr(signal, "SIGHUP") and signal.getsignal(signal.SIGHUP) is signal.SIG_IGN:
    # `nohup` starts it so; tests see what a run does when its terminal closes.
    signal.signal(signal.SIGHUP, signal.SIG_DFL)

import pytest

from tests import warming
from tests.slow_cases import cases_left_out, cases_not_drawn, choose_examples

QUICK = "not slow and not browser and not nets"
"""The marks that pyproject.toml asks for by default."""
PAGES = Path(__file__).parent / "web" / "browser"
"""The folder of all tests in Chromium, and of no others."""


def pytest_configure(config: pytest.Config) -> None:
    # Examples are the same on every run under CI, where a new failure should point at the change
    # that made it.
    thorough = config.option.markexpr != QUICK
    choose_examples(thorough=thorough, derandomize=bool(os.environ.get("CI")))


def pytest_unconfigure() -> None:
    shutil.rmtree(os.environ["EQUILIBRIST_DATA_DIR"], ignore_errors=True)


@pytest.hookimpl(tryfirst=True)
def pytest_cmdline_main(config: pytest.Config) -> None:
    """With -n, every worker begins with a part of the tests in one piece.

    So what a file computes once is computed once, by one of them.
    """
    if getattr(config.option, "numprocesses", None) and config.option.dist == "no":
        config.option.dist = "worksteal"


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Collect tests without looking for garbage, never look at them again, and at others seldom.

    They are a million objects that stay to the end; each look at all of them takes half a second.
    Looking at what tests themselves make took a twentieth of their time.
    """
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()
        gc.set_threshold(10_000, 10, 10)


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Look for tests in Chromium where all of them are: other files are not even read."""
    if config.option.markexpr != "browser":
        return None
    on_the_way = collection_path in PAGES.parents or PAGES in (
        collection_path,
        *collection_path.parents,
    )
    return None if on_the_way else True


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark what is slow: all but some cases of tests that say so, and random examples.

    The latter where slow tests are asked for. Of the slow cases of some tests a few are drawn.
    """
    for item in cases_left_out(items):
        item.add_marker(pytest.mark.slow)
    if left_out := {*cases_not_drawn(items)}:
        config.hook.pytest_deselected(items=[*left_out])
        items[:] = [item for item in items if item not in left_out]
    if config.option.markexpr != QUICK:
        for item in items:
            if getattr(getattr(item, "obj", None), "is_hypothesis_test", False):
                item.add_marker(pytest.mark.slow)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_setupnodes(config: pytest.Config) -> None:
    """Once, before pytest-xdist starts its workers."""
    large = warming.worthwhile(config.args, config.option.keyword)
    if large and not config.option.collectonly and not warming.is_done():
        codes = warming.warm(config.args)
        if any(codes):
            line = f"The kernels could not be compiled beforehand: exit codes {codes}"
            config.get_terminal_writer().line(line)
        elif [*map(Path, config.args)] == [Path("tests")]:  # and all tests were collected
            warming.note_done()
