"""`--time` counts from the start of the command."""

from __future__ import annotations

from pathlib import Path

import pytest

import equilibrist as eq
from equilibrist import _jit
from equilibrist.cli.inputs import start_time
from equilibrist.cli.inputs.start_time import stages_text
from equilibrist.solving import explicit
from tests.cli.command import Shell

SLOW = """import time
from equilibrist.games.library.kuhn import Kuhn
class Slow(Kuhn):
    name = "slow"
    def payoffs(self, state):
        time.sleep(0.02)
        return super().payoffs(state)
"""


def test_the_parts_are_added_up() -> None:
    text = stages_text({"starting": 0.5, "walking": 61.0, "solving": 5.0})
    assert text.startswith("1:06 since")
    assert text.endswith("starting 0.5 s, walking 1:01, solving 5 s")


def test_walking_uses_up_the_time(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    """30 terminals of 20 ms are more than the half second."""
    Path("slow.py").write_text(SLOW)
    monkeypatch.setattr("equilibrist.cli.commands.solving.solve.STARTED", None)  # that is, now
    document = shell("solve slow.py:Slow --time 0.5 --json").ok().json
    assert document["stopped_by"] == "seconds"
    assert document["iterations"] == 1
    assert document["seconds"] < 0.5


@pytest.mark.usefixtures("shell")
@pytest.mark.parametrize(("warm", "walking"), [(True, "walking"), (False, "walking and compiling")])
def test_python_counts_from_the_call(
    warm: bool, walking: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    Path("slow.py").write_text(SLOW)
    monkeypatch.setattr(explicit, "cache_is_warm", lambda _: warm)
    monkeypatch.setattr(_jit, "cache_is_warm", lambda *_: True)  # for kernels of solvers
    result = eq.solve("slow.py:Slow", seconds=0.5)
    assert (result.stopped_by, result.iterations) == ("seconds", 1)
    assert [*result.stages] == ["starting", walking, "loading", "solving"]
    assert result.stages[walking] >= 30 * 0.02  # the terminals are asked once each


def test_the_report_of_a_run_with_a_limit_of_time_adds_up(shell: Shell) -> None:
    shell("solve kuhn --time 0.01").ok()
    assert " since the command started: starting " in shell("solve kuhn --time 0.01").ok().out
    assert " since the command " not in shell("solve kuhn -n 5").ok().out
    spot = "--board Ts3h2h5c9s --oop AA,QQ --ip KK,JJ --pot 100 --stack 100 --bets a"
    timed = shell(f"postflop solve {spot} --time 0.01 -q").ok().out
    assert ", preparing " in timed
    assert start_time.STARTED > 0.0
