"""Processors that others use: measured as Linux counts it, and said once while a run lasts."""

from __future__ import annotations

from pathlib import Path

import pytest

from equilibrist.cli.text import progress
from equilibrist.cli.text.progress import LiveLine, ProcessorWait
from equilibrist.progress import Progress


class Clock:
    """Seconds that pass when a test says so."""

    now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(progress, "monotonic", clock)
    return clock


@pytest.fixture
def threads(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of a process whose two threads have run for a second each."""
    monkeypatch.setattr(progress, "_THREADS", tmp_path)
    write(tmp_path, (1, 0), (1, 0))
    return tmp_path


def write(folder: Path, *times: tuple[float, float]) -> None:
    for number, (ran, waited) in enumerate(times):
        (folder / f"{number}").mkdir(exist_ok=True)
        (folder / f"{number}" / "schedstat").write_text(f"{ran * 1e9:.0f} {waited * 1e9:.0f} 7\n")


def test_what_waiting_costs(clock: Clock, threads: Path) -> None:
    wait = ProcessorWait()
    clock.now += 4
    write(threads, (3, 2), (3, 4), (2, 0))
    assert wait.slowdown(4) == pytest.approx((6 + 6) / 6)
    assert wait.slowdown(5) is None
    assert wait.text(4) is not None
    write(threads, (4, 1), (3, 0), (2, 0))
    assert wait.text(4) is None


def test_it_is_not_known_elsewhere(
    clock: Clock, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(progress, "_THREADS", tmp_path / "none")
    wait = ProcessorWait()
    clock.now += 10
    assert wait.slowdown(0) is None
    assert wait.text(0) is None


def test_a_run_says_once_that_its_target_is_far(
    clock: Clock, capsys: pytest.CaptureFixture[str]
) -> None:
    with LiveLine() as live:
        for seconds in range(1, 40):
            clock.now += 1
            live.progress(
                Progress(
                    algorithm="dcfr", iteration=seconds, seconds=seconds, eta_seconds=1e9,
                    iterations_per_second=1, measure=1, measured_at=1, measure_name="x",
                    target=1e-9, pot=10,
                ),
                ["on it"],
            )  # fmt: skip
    lines = capsys.readouterr().err.splitlines()
    assert sum("over 999 days; Ctrl-C" in line for line in lines) == 1


def test_a_run_says_once_that_it_waits(
    clock: Clock, threads: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with LiveLine() as live:
        for seconds in range(1, 40):
            clock.now = 100 + seconds
            write(threads, (1 + seconds / 4, seconds * 3 / 4), (1, 0))
            live.tell([f"at {seconds}"])
    lines = capsys.readouterr().err.splitlines()
    (busy,) = (line for line in lines if "busy" in line)
    assert "4 times as long" in busy
    assert len(lines) > 2
    with LiveLine(quiet=True) as live:
        clock.now += 10
        live.tell(["anything"])
    assert not capsys.readouterr().err
