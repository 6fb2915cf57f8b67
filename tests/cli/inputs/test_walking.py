"""Commands that walk the rules: within the user's limits, and saying how far they are."""

from __future__ import annotations

import itertools

import pytest

from equilibrist.cli.text import progress
from equilibrist.errors import ConfigError, MemoryBudgetError
from tests.cli.command import Shell
from tests.unhurried import do_not_hurry

WALKS = [
    "inspect leduc",
    "inspect leduc --no-values --json",
    "inspect saved.safetensors --values",
    "inspect saved.safetensors --game leduc",
    "inspect saved.safetensors --draw part.svg --history Js,Kh,call,call,Qs",
    "evaluate saved.safetensors",
    "evaluate saved.safetensors --json",
]
COUNTS = [
    "games leduc",
    "games leduc --json",
    "check leduc",
    "check leduc --json",
    "check leduc --max-histories 1000",
]


@pytest.fixture
def saved(shell: Shell) -> None:
    shell("solve leduc -n 2 -q --out saved.safetensors").ok()


@pytest.mark.by_default(5)
@pytest.mark.parametrize("line", WALKS + COUNTS)
def test_a_long_walk_reports_progress(
    shell: Shell, saved: None, monkeypatch: pytest.MonkeyPatch, line: str
) -> None:
    do_not_hurry(monkeypatch)
    clock = itertools.count(step=10.0)
    monkeypatch.setattr(progress, "monotonic", lambda: next(clock))
    ran = shell(line).ok()
    assert "walking the rules: 1,024 histories\n" in ran.err
    assert "walking" not in ran.out


@pytest.mark.by_default(5)
@pytest.mark.parametrize("line", WALKS + COUNTS)
def test_a_short_walk_reports_nothing(shell: Shell, saved: None, line: str) -> None:
    assert "walking" not in shell(line).ok().err


@pytest.mark.parametrize("line", WALKS)
def test_limits_are_kept(shell: Shell, saved: None, line: str) -> None:
    if line == "inspect leduc":
        shell(f"{line} --memory 1kB").refused(
            MemoryBudgetError, option="memory", given=1000, histories=1024
        )
    shell(f"{line} --max-histories 5000").refused(
        MemoryBudgetError, option="max_histories", given=5000, histories=7168
    )
    shell(f"{line} --max-histories 10000 --memory 1GB").ok()


def test_optional_values_are_left_out_beyond_the_limit(shell: Shell, saved: None) -> None:
    assert "reach" in shell("inspect saved.safetensors").ok().out
    assert "reach" not in shell("inspect saved.safetensors --max-histories 5000").ok().out


def test_limits_that_cannot_be_read(shell: Shell) -> None:
    shell("inspect kuhn --max-histories 0").refused(ConfigError, option="max_histories", given="0")
    shell("inspect kuhn --memory lots").refused(ConfigError, option="memory", given="lots")
