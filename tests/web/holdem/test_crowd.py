"""What other programs take of the processors: looked at beside requests."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest

from equilibrist.web.holdem import crowd
from equilibrist.web.holdem.crowd import Crowd, Look, look


def counts(idle: int) -> str:
    return f"cpu  5 5 5 {idle} 0 0 0 0 0 0\ncpu0 1 1 1 1 1\n"


@pytest.fixture
def clocks(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A look takes a second, in which this thread has half of it."""
    file = tmp_path / "stat"
    file.write_text(counts(1000))
    monkeypatch.setattr(crowd, "_COUNTS", file)
    monkeypatch.setattr(os, "cpu_count", lambda: 4)
    monkeypatch.setattr("hashlib.pbkdf2_hmac", lambda *_: b"")
    for clock, readings in (("perf_counter", (0.0, 1.0, 1.0)), ("thread_time", (0.0, 0.5))):
        monkeypatch.setattr(time, clock, scripted(getattr(time, clock), readings))
    return file


def scripted(clock: Callable[[], float], readings: Iterable[float]) -> Callable[[], float]:
    """The readings, for this thread; threads that earlier servers left running have the clock."""
    here, left = threading.current_thread(), iter(readings)
    return lambda: next(left) if threading.current_thread() is here else clock()


def test_a_thread_that_waits_half_of_the_time_takes_twice_as_long(
    clocks: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of four processors one and a half had nothing to do, and half of one is our own."""
    monkeypatch.setattr(time, "sleep", lambda _: clocks.write_text(counts(1150)))
    assert look() == pytest.approx(Look(waiting=2.0, busy=2.0))


@pytest.mark.parametrize("content", ["", "cpu a b c d e", "cpu 1 2"])
def test_without_counts_nothing_is_said_of_busy_processors(
    clocks: Path, monkeypatch: pytest.MonkeyPatch, content: str
) -> None:
    monkeypatch.setattr(time, "sleep", lambda _: None)
    clocks.write_text(content)
    assert look() == Look(waiting=2.0)


def test_a_look_holds_for_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    looks = iter((Look(2.0), Look(3.0)))
    monkeypatch.setattr(crowd, "look", lambda: next(looks))
    clock = 100.0
    monkeypatch.setattr(time, "monotonic", lambda: clock)
    others = Crowd()
    assert [others.seen(), others.seen()] == [Look(2.0), Look(2.0)]
    clock += 60.0
    assert others.seen() == Look(3.0)
    assert Crowd(is_beside=True)._seen == Look()  # each has looks of its own


def test_a_request_does_not_wait_for_a_look(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is told what was seen before; one look is taken at a time, in a thread of its own."""
    may_end, begun = threading.Event(), threading.Semaphore(0)
    threads = []

    def look() -> Look:
        threads.append(threading.current_thread())
        begun.release()
        assert may_end.wait(60)
        return Look(5.0)

    monkeypatch.setattr(crowd, "look", look)
    others = Crowd(is_beside=True)
    assert [others.seen() for _ in range(3)] == [Look()] * 3
    assert begun.acquire(timeout=60)
    may_end.set()
    for thread in threads:
        thread.join(60)
    assert others.seen() == Look(5.0)
    assert len(threads) == 1
    assert threads[0] is not threading.current_thread()
