"""The line that shows progress: only where it is wanted, and never instead of a result."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

import equilibrist as eq
from equilibrist import poker
from equilibrist.errors import ConfigError
from equilibrist.progress import (
    Callbacks,
    Progress,
    RunClock,
    progress_text,
    showing,
    timed,
    walked_text,
)
from equilibrist.tree.walk.histories import Walked
from tests.refusals import refuses

SPOT: dict[str, Any] = {
    "board": "Ts3h2h5c9s",
    "oop": "AA,QQ",
    "ip": "KK,JJ",
    "pot": 100,
    "stack": 100,
}


class Terminal(io.StringIO):
    """A stream that is a terminal."""

    def isatty(self) -> bool:
        return True


class Clock:
    """Seconds that pass when a test says so."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr("equilibrist.progress.monotonic", clock)
    return clock


@pytest.fixture
def on_terminal(monkeypatch: pytest.MonkeyPatch) -> Callable[[], Terminal]:
    """Makes standard error a terminal; called within the test, since pytest sets it before."""

    def make() -> Terminal:
        stream = Terminal()
        monkeypatch.setattr(sys, "stderr", stream)
        monkeypatch.setenv("COLUMNS", "70")
        return stream

    return make


def state(iteration: int, **fields: Any) -> Progress:
    """A moment of a run."""
    values: dict[str, Any] = {"seconds": 1.0, "iterations_per_second": 1234.5, **fields}
    return Progress(algorithm="dcfr", iteration=iteration, **values)


RUNS: dict[str, Callable[..., Any]] = {
    "solve": lambda **told: eq.solve("kuhn", iterations=20, **told),
    "compare": lambda **told: eq.compare("kuhn", "dcfr", iterations=20, **told),
    "solve a spot": lambda **told: eq.solve(poker.Spot(**SPOT), iterations=20, **told),
    "poker.solve": lambda **told: poker.solve(poker.Spot(**SPOT), iterations=20, **told),
    "without a tree": lambda **told: eq.solve(
        "rules:liars_dice(sides=2)", iterations=20, explicit_tree=False, **told
    ),
}


@pytest.mark.parametrize("name", RUNS)
def test_a_script_prints_nothing_unless_asked(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    RUNS[name]()
    RUNS[name](progress=False)
    assert capsys.readouterr() == ("", "")
    RUNS[name](progress=True)
    out, err = capsys.readouterr()
    assert out == ""
    assert "solving" in err or "running" in err


@pytest.mark.parametrize("name", RUNS)
def test_on_a_terminal_one_line_is_rewritten(
    name: str, on_terminal: Callable[[], Terminal]
) -> None:
    terminal = on_terminal()
    RUNS[name](progress=True)
    text = terminal.getvalue()
    assert text.startswith("\r")
    assert text.count("\n") == 1
    assert text.endswith("\n")
    assert "20 iterations" in text
    assert all(len(shown) <= 70 for shown in text.split("\r"))
    with refuses(ConfigError, option="progress", given="yes"):
        RUNS[name](progress="yes")


def test_sessions_show_runs_that_last(
    on_terminal: Callable[[], Terminal], clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    terminal = on_terminal()
    with showing(None, None) as told:
        assert told == Callbacks()
    monkeypatch.setattr(sys, "ps1", ">>> ", raising=False)
    with showing(None, None) as told:
        told.stage("walking the rules")
        assert told.on_progress is not None
        told.on_progress(state(1))
    assert terminal.getvalue() == ""
    with showing(None, None) as told:
        assert told.on_progress is not None
        told.stage("compiling (first run only)")
        assert terminal.getvalue() == "\rcompiling (first run only)"
        told.on_progress(state(1))
        clock.now += 1.5
        told.on_progress(state(2))
        clock.now += 0.01
        told.on_progress(state(3))
    shown = terminal.getvalue().split("\r")
    assert [text.rstrip(" ") for text in shown[2:]] == [
        "dcfr: 2 iterations, 1,234 it/s",
        "dcfr: 3 iterations, 1,234 it/s\n",
    ]
    with showing(lambda _: None, None) as told:
        assert told.on_stage is None
    with showing(None, False) as told:
        assert told == Callbacks()


def test_notebooks_show_it_on_standard_output(
    clock: Clock, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    shell = SimpleNamespace(kernel=object())
    monkeypatch.setitem(sys.modules, "IPython", SimpleNamespace(get_ipython=lambda: shell))
    with showing(None, None) as told:
        assert told.on_walk is not None
        told.stage("walking the rules")
        clock.now += 2
        told.on_walk(5000)
    assert capsys.readouterr() == ("\rwalking the rules: 5,000 histories\n", "")
    shell.kernel = None
    with showing(None, None) as told:
        assert told == Callbacks()


def test_files_get_few_lines(clock: Clock, capsys: pytest.CaptureFixture[str]) -> None:
    with showing(None, True) as told:
        assert told.on_progress is not None
        for iteration in range(2000):
            clock.now += 0.1
            told.on_progress(state(iteration))
    lines = capsys.readouterr().err.splitlines()
    found = [int(line.split()[1].replace(",", "")) for line in lines]
    seconds = [(number + 1) / 10 for number in found]
    assert seconds == pytest.approx([2, 4, 8, 16, 32, 64, 124, 184, 200], abs=0.9)


def test_the_users_own_functions_are_called_too(on_terminal: Callable[[], Terminal]) -> None:
    terminal = on_terminal()
    seen: list[Any] = []

    def stop(progress: Progress) -> bool:
        seen.append(progress.iteration)
        return progress.iteration < 4

    told = Callbacks(stop, seen.append, seen.append)
    result = eq.solve("kuhn", iterations=20, callbacks=told, progress=True)
    assert result.stopped_by == "callback"
    assert "solving" in seen
    assert "solving" in terminal.getvalue()


def test_a_broken_stream_costs_no_result(monkeypatch: pytest.MonkeyPatch) -> None:
    for stream in (None, Terminal()):
        if stream is not None:
            stream.close()
        monkeypatch.setattr(sys, "stderr", stream)
        if stream is None:
            assert eq.solve("kuhn", iterations=5, progress=True).iterations == 5
        else:
            monkeypatch.setattr(stream, "isatty", lambda: True, raising=False)
            assert eq.solve("kuhn", iterations=5, progress=True).iterations == 5


def test_what_the_line_says() -> None:
    measured = {"measure": 1.2e-3, "measure_name": "exploitability"}
    assert progress_text(state(1200, **measured, target=1e-4, eta_seconds=75.2)) == (
        "dcfr: 1,200 iterations, exploitability 0.0012 (target 0.0001), 1,234 it/s, 1:15 to go"
    )
    slow = state(3, **measured, pot=200, iterations_per_second=0.123)
    assert progress_text(slow) == (
        "dcfr: 3 iterations, exploitability 0.0012 chips, 0.0006 % of the pot, 0.12 it/s"
    )
    treeless = state(5, num_infosets=12345, bound_nash_conv=0.5)
    assert progress_text(treeless) == (
        "dcfr: 5 iterations, 12,345 infosets, regret bound 0.5, 1,234 it/s"
    )


def test_the_stages_of_a_run_add_up_to_the_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Clock()
    monkeypatch.setattr("equilibrist.progress.perf_counter", clock)
    told: list[str] = []
    callbacks = timed(Callbacks(on_stage=told.append), since=98.0)
    for text, seconds in (
        ("walking the rules, compiling (first run only)", 3.0),
        ("compiling (first run only)", 0.25),
        ("a remark", 0.5),
        ("walking the states", 1.0),
        ("solving", 4.0),
    ):
        callbacks.stage(text)
        clock.now += seconds
    stages = callbacks.clock.read()
    assert stages == {
        "starting": 2.0,
        "walking and compiling": 3.0,
        "compiling": 0.75,
        "walking": 1.0,
        "solving": 4.0,
    }
    assert sum(stages.values()) == clock.now - 98.0
    assert told[2] == "a remark"
    assert callbacks.clock.counts_from == 98.0
    assert timed(callbacks, since=0.0) is callbacks
    assert RunClock(limits=False).counts_from is None


def test_the_count_of_a_walk_has_its_estimate() -> None:
    assert walked_text(5000) == "5,000 histories"
    assert walked_text(Walked.of(5000, None)) == "5,000 histories"
    assert walked_text(Walked.of(5000, float("inf"))) == "5,000 histories"
    assert walked_text(Walked.of(5000, 1234567.0)) == "5,000 histories of about 1.2e+06"
