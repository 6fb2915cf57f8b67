"""How long runs are expected to take: the speed of this machine, its load, and earlier runs."""

from __future__ import annotations

import json
import math
import os
import time
from importlib import import_module
from pathlib import Path

import pytest

from equilibrist import poker
from equilibrist.progress import Callbacks
from equilibrist.web.holdem import crowd, kind, pace
from equilibrist.web.holdem.crowd import Crowd, Look
from equilibrist.web.holdem.flops import FlopsRun
from equilibrist.web.holdem.kind import HandRun, Working
from equilibrist.web.holdem.kinds import HAND_KINDS, hand_run

PUSHES = {"seats": "3", "stack": "10"}
FLOP = poker.Spot(board="Ts3h2h", oop="AA", ip="KK", pot=100, stack=50, bets="a")


@pytest.fixture
def file(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Where speeds are kept, of an idle machine as fast as that of the constants."""
    found = tmp_path / "pace.json"
    monkeypatch.setattr(pace, "_file", lambda: found)
    monkeypatch.setattr(pace, "probe_seconds", lambda: pace._PROBE_SECONDS)
    monkeypatch.setattr(os, "getloadavg", lambda: (0.0, 0.0, 0.0))
    monkeypatch.setattr(crowd, "look", crowd.Look)
    monkeypatch.setattr("equilibrist._jit.cache_is_warm", lambda _kernel: True)
    return found


def test_a_slower_machine_takes_longer(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By what the probe says of it, which is asked once."""
    assert pace.seconds_here("cards", 10.0, 1, Crowd()) == pytest.approx(10.0)
    file.unlink()
    monkeypatch.setattr(pace, "probe_seconds", lambda: 3 * pace._PROBE_SECONDS)
    assert pace.seconds_here("cards", 10.0, 1, Crowd()) == pytest.approx(30.0)
    assert pace.seconds_here("flops", 10.0, 1, Crowd(), is_local=True) == pytest.approx(10.0)
    monkeypatch.setattr(pace, "probe_seconds", lambda: 9 * pace._PROBE_SECONDS)
    assert pace.start_here(Crowd()) == pytest.approx(3 * pace.START_SECONDS)


def test_earlier_runs_count_for_their_kind_alone(file: Path) -> None:
    pace.note_run("cards", 10.0, 40.0, 1, Crowd())
    assert pace.seconds_here("cards", 5.0, 1, Crowd()) == pytest.approx(20.0)
    assert pace.seconds_here("flops", 5.0, 1, Crowd()) == pytest.approx(5.0)
    for took in (41.0, 42.0, 900.0, 43.0, 44.0, 45.0):
        pace.note_run("cards", 10.0, took, 1, Crowd())
    assert pace.seconds_here("cards", 5.0, 1, Crowd()) == pytest.approx(
        21.5
    )  # the median of the last five
    (kept,) = json.loads(file.read_text()).values()
    assert len(kept["runs"]["cards"]) == 5


def test_the_newest_machines_that_share_a_cache_are_remembered(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pace, "_MACHINES", 3)
    for name in "abcbd":
        monkeypatch.setattr(pace, "_machine", lambda name=name: name)
        pace.note_run("cards", 10.0, 40.0, 1, Crowd())
    kept = json.loads(file.read_text())
    assert [*kept] == ["c", "b", "d"]
    assert len(kept["b"]["runs"]["cards"]) == 2


def test_the_load_of_the_run_itself_is_no_crowd(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The load of the last minute has two threads of the run, and one of another program."""
    monkeypatch.setattr(os, "cpu_count", lambda: 4)
    monkeypatch.setattr(pace, "usable_processors", lambda: 4)
    monkeypatch.setattr(os, "getloadavg", lambda: (3.0, 0.0, 0.0))
    pace.note_run("cards", 100.0, 600.0, 2, Crowd())
    monkeypatch.setattr(os, "getloadavg", lambda: (0.0, 0.0, 0.0))
    assert pace.seconds_here("cards", 100.0, 2, Crowd()) == pytest.approx(600.0)


@pytest.mark.parametrize(
    ("limits", "has_boards", "is_noted"),
    [({}, False, True), ({}, True, False), ({"seconds": "5"}, False, False),
     ({"iterations": "9"}, False, False), ({"target": "1%"}, False, True)],
)  # fmt: skip
def test_reports_that_solve_all_boards_to_their_targets_are_remembered(
    limits: dict[str, str],
    has_boards: bool,
    is_noted: bool,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    noted: list[float] = []
    monkeypatch.setattr(
        kind, "note_run", lambda _kind, _work, took, *_, **_more: noted.append(took)
    )
    monkeypatch.setattr(FlopsRun, "work", lambda _run, _done=None: 40.0)
    monkeypatch.setattr("equilibrist.poker.postflop.files.batch.batch", lambda *_, **_more: None)
    if has_boards:
        (tmp_path / "9s8h7d.json").touch()
    run = hand_run("flops", {"spot": FLOP.to_toml(), "boards": "Ts3h2h, 9s8h7d"}, limits)
    run.solve(
        Working(Callbacks(), tmp_path / "run.ckpt", tmp_path, 0.0, lambda *_: None, lambda: False)
    )
    run.note(None, 50.0)
    assert noted == [50.0] * is_noted


@pytest.mark.parametrize(("work", "took"), [(1.0, 8.0), (8.0, 1.0), (10.0, 4000.0), (4000.0, 10.0)])
def test_runs_that_say_nothing_are_not_remembered(file: Path, work: float, took: float) -> None:
    pace.note_run("cards", work, took, 1, Crowd())
    assert pace.seconds_here("cards", 7.0, 1, Crowd()) == pytest.approx(7.0)


@pytest.mark.parametrize(
    ("cores", "load", "threads", "expected"),
    [(4, 0.0, 4, 1.0), (4, 2.0, 2, 1.0), (2, 6.0, 2, 4.0), (4, 4.0, 1, 1.25), (8, 7.0, 4, 1.375)],
)
def test_other_programs_take_their_share(
    monkeypatch: pytest.MonkeyPatch, cores: int, load: float, threads: int, expected: float
) -> None:
    """Of the processors that are free, or an even share of all."""
    monkeypatch.setattr(os, "cpu_count", lambda: cores)
    monkeypatch.setattr(pace, "usable_processors", lambda: cores)
    monkeypatch.setattr(os, "getloadavg", lambda: (load, 0.0, 0.0))
    seen = Look()
    monkeypatch.setattr(crowd, "look", lambda: seen)
    assert pace.crowding(threads, Crowd()) == pytest.approx(expected)
    seen = Look(waiting=7.5)  # for processors of other machines
    assert pace.crowding(threads, Crowd()) == pytest.approx(7.5)


@pytest.mark.parametrize(
    ("busy", "expected"), [(2.0, 2.0), (1.9, 2.0), (1.0, 1.5), (0.0, 1.0), (math.inf, 2.0)]
)
def test_what_has_ended_is_no_crowd(
    monkeypatch: pytest.MonkeyPatch, busy: float, expected: float
) -> None:
    """The load of the last minute still has two threads, of which so many are busy now."""
    monkeypatch.setattr(os, "cpu_count", lambda: 2)
    monkeypatch.setattr(pace, "usable_processors", lambda: 2)
    monkeypatch.setattr(os, "getloadavg", lambda: (2.0, 0.0, 0.0))
    monkeypatch.setattr(crowd, "look", lambda: Look(busy=busy))
    assert pace.crowding(2, Crowd()) == pytest.approx(expected)


@pytest.mark.parametrize(
    "content", ["", "[]", "{", '{"MACHINE": 3}', '{"MACHINE": {"probe": -1.0}}']
)
def test_a_damaged_file_is_measured_again(file: Path, content: str) -> None:
    file.write_text(content.replace("MACHINE", pace._machine()))
    assert pace.seconds_here("cards", 10.0, 1, Crowd()) == pytest.approx(10.0)
    assert json.loads(file.read_text())[pace._machine()] == {"probe": pace._PROBE_SECONDS}


def test_the_probe_is_short() -> None:
    begun = time.thread_time()
    assert pace.probe_seconds() > 0.0
    assert time.thread_time() - begun < 0.2


def test_a_run_that_ends_corrects_the_next_estimate(file: Path) -> None:
    run = hand_run("push-fold", PUSHES, {"deals": "4e6", "threads": "1"})
    before = run.needs().seconds
    assert before is not None
    run.note(None, 10 * (before - pace.START_SECONDS))
    after = run.needs().seconds
    assert after is not None
    assert after - pace.START_SECONDS == pytest.approx(10 * (before - pace.START_SECONDS))
    limited = hand_run("push-fold", PUSHES, {"seconds": "20", "threads": "1"}).needs()
    assert limited.seconds == pytest.approx(20.0)


@pytest.mark.parametrize("kernel_is_there", [True, False])
def test_kernels_that_are_still_to_be_compiled_take_their_time(
    file: Path, monkeypatch: pytest.MonkeyPatch, kernel_is_there: bool
) -> None:
    monkeypatch.setattr("equilibrist._jit.cache_is_warm", lambda _kernel: kernel_is_there)
    run = hand_run("push-fold", PUSHES, {"deals": "4e5", "threads": "1"})
    compiling = 0.0 if kernel_is_there else sum(run.KERNELS.values())
    expected, work = run.needs().seconds, run.work()
    assert expected is not None
    assert work is not None
    assert expected - work == pytest.approx(pace.START_SECONDS + compiling)


@pytest.mark.parametrize("known", HAND_KINDS.values(), ids=HAND_KINDS)
def test_kernels_that_are_named_are_there(known: type[HandRun]) -> None:
    for kernel in known.KERNELS:
        module, _, name = kernel.rpartition(".")
        assert hasattr(getattr(import_module(module), name), "py_func")
