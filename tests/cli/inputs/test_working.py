"""Long computations of commands: seconds are counted, and `--time` and Ctrl-C end them."""

from __future__ import annotations

import _thread
import threading
import time
from contextlib import suppress

import pytest

from equilibrist.cli.inputs.signals import working
from equilibrist.errors import EquilibristError
from tests.cli.command import Shell
from tests.refusals import refuses


def test_a_limit_of_time_ends_it() -> None:
    with refuses(EquilibristError, option="--time", given=0.05), working("thinking", 0.05):
        threading.Event().wait(60.0)
    with working("thinking", 60.0):
        pass
    with working("thinking"):
        pass


def test_what_ends_by_itself_after_an_interrupt_is_over_time_all_the_same() -> None:
    """A run that answers Ctrl-C with a partial result must not pass for a whole one."""
    refused = refuses(EquilibristError, option="--time", given=0.05)
    with refused, working("thinking", 0.05), suppress(KeyboardInterrupt):
        threading.Event().wait(60.0)


def test_an_interrupt_is_answered(capsys: pytest.CaptureFixture[str]) -> None:
    def think() -> None:
        with working("thinking", 60.0):
            _thread.interrupt_main()
            threading.Event().wait(60.0)

    with pytest.raises(KeyboardInterrupt):
        think()
    assert "interrupted before there was anything to show" in capsys.readouterr().err


def test_seconds_are_counted(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("equilibrist.cli.text.progress._FIRST_LINE", 0.0)
    said = ""
    with working("thinking") as line:
        line.now("thinking harder")
        while "thinking harder: " not in said:
            time.sleep(0.05)
            said += capsys.readouterr().err


@pytest.mark.by_default(2)
@pytest.mark.parametrize(
    "command",
    [
        "dominated kuhn",
        "dominated kuhn --plans",
        "dominated kuhn --sequences",
        "correlate chicken",
        "team chsh --adversary 0",
        "equilibria kuhn --select tremble",
        "equilibria kuhn --select entropy",
        "equilibria kuhn --select against:uniform",
        "exploit kuhn --opponent uniform --rnr 0.5",
        "abstract kuhn --lossless --report",
        "abstract kuhn_bets --actions bets=1,3 --report",
    ],
)
def test_every_long_command_takes_a_limit(shell: Shell, command: str) -> None:
    shell(f"{command} --time 1h").ok()  # loads all that it needs
    ended = shell(f"{command} --time 0.0001 --json")
    assert ended.code == 2
    assert ended.out == ""
    assert "--time" in ended.err or "took longer than" in ended.err
