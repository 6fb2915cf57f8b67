"""Long computations of commands: seconds are counted, and `--time` and Ctrl-C end them."""

from __future__ import annotations

import _thread
import ctypes
import re
import signal
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from importlib import import_module
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

import equilibrist as eq
from equilibrist.cli.inputs import signals, start_time
from equilibrist.cli.inputs.signals import limited, terminate_like_interrupt
from equilibrist.errors import EquilibristError
from equilibrist.evaluation import duplicates
from equilibrist.library.limits import Limits
from equilibrist.rules.binding import bind
from tests.cli.command import Shell
from tests.refusals import refuses


def not_reached(reason: str) -> None:
    pytest.fail(reason)


@pytest.fixture(autouse=True)
def now(monkeypatch: pytest.MonkeyPatch) -> None:
    """The command starts with the test."""
    monkeypatch.setattr(start_time, "STARTED", time.perf_counter())


def test_a_limit_of_time_ends_it() -> None:
    with refuses(EquilibristError, option="--time", given=0.05), limited(0.05):
        threading.Event().wait(60.0)
    with limited(60.0):
        pass
    with limited(None):
        pass


def test_the_limit_counts_from_the_start_of_the_command(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(start_time, "STARTED", time.perf_counter() - 100.0)
    with refuses(EquilibristError, option="--time", given=100.0), limited(100.0):
        threading.Event().wait(60.0)


def test_what_ends_by_itself_after_an_interrupt_is_over_time_all_the_same() -> None:
    """A run that answers Ctrl-C with a partial result must not pass for a whole one."""
    refused = refuses(EquilibristError, option="--time", given=0.05)
    with refused, limited(0.05), suppress(KeyboardInterrupt):
        threading.Event().wait(60.0)


def test_a_partial_result_is_marked() -> None:
    with limited(0.05, keeps_partial=True) as limit, suppress(KeyboardInterrupt):
        threading.Event().wait(60.0)
    assert limit.stopped_by(interrupted=True) == "seconds"
    assert limit.stopped_by(interrupted=False) is None
    with limited(60.0, keeps_partial=True) as limit, suppress(KeyboardInterrupt):
        signal.raise_signal(signal.SIGINT)
    assert limit.stopped_by(interrupted=True) == "interrupted"


@pytest.mark.parametrize("answers", [1, 2, 5])
def test_what_goes_on_after_the_limit_is_ended_all_the_same(
    answers: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Several interrupts may meet one and the same handler, on a busy machine."""
    monkeypatch.setattr(signals, "_GRACE", 0.01)
    refused = refuses(EquilibristError, option="--time", given=0.05)
    with refused, limited(0.05, keeps_partial=True):
        for _ in range(answers):
            with suppress(KeyboardInterrupt):
                threading.Event().wait(60.0)
        threading.Event().wait(60.0)


def test_nothing_is_left_of_a_limit_that_was_over_at_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The time is over while the thread that waits for it starts."""
    monkeypatch.setattr(signals, "_GRACE", 0.01)
    start = threading.Thread.start

    def late(thread: threading.Thread) -> None:
        start(thread)
        time.sleep(0.3)

    before = signal.getsignal(signal.SIGALRM)
    with monkeypatch.context() as patch:
        patch.setattr(threading.Thread, "start", late)
        with refuses(EquilibristError, option="--time", given=0.1), limited(0.1):
            not_reached("the time is over")
    assert signal.getsignal(signal.SIGALRM) is before
    time.sleep(0.1)  # twice the grace and more


def _called_by_compiled_code(function: Callable[[], None]) -> None:
    """Call a function from C, where Python drops what it raises."""
    ctypes.CFUNCTYPE(None)(function)()


def test_an_end_that_is_lost_in_compiled_code_comes_again(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(signals, "_GRACE", 1000.0)

    def lose() -> None:
        threading.Event().wait(60.0)

    with refuses(EquilibristError, option="--time", given=0.05), limited(0.05):
        _called_by_compiled_code(lose)
        threading.Event().wait(60.0)
        not_reached("nothing ended it")
    interrupt = partial(signal.raise_signal, signal.SIGINT)
    start = time.perf_counter()
    with terminate_like_interrupt(), suppress(KeyboardInterrupt):
        _called_by_compiled_code(interrupt)
        threading.Event().wait(60.0)
        not_reached("nothing ended it")
    assert time.perf_counter() - start < 50.0, "the wait was not woken"
    assert capsys.readouterr().err == ""


def test_an_end_is_not_sent_while_the_lost_one_is_noted(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A thread that starts slowly would send the next one into the hook, where it is lost too."""
    begin = threading.Thread.start

    def slowly(thread: threading.Thread) -> None:
        begin(thread)
        if sys._getframe(1).f_code.co_name == "hook":
            time.sleep(0.1)

    monkeypatch.setattr(threading.Thread, "start", slowly)
    interrupt = partial(signal.raise_signal, signal.SIGINT)
    start = time.perf_counter()
    with terminate_like_interrupt(), suppress(KeyboardInterrupt):
        _called_by_compiled_code(interrupt)
        threading.Event().wait(60.0)
        not_reached("nothing ended it")
    assert time.perf_counter() - start < 50.0
    assert capsys.readouterr().err == ""


def test_runs_that_note_interrupts_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """They end after the iteration that has begun; nothing is raised inside."""
    monkeypatch.setattr(signals, "_GRACE", 1000.0)
    noted = threading.Event()

    def note(_number: int, _frame: FrameType | None) -> None:
        noted.set()

    with limited(0.05, keeps_partial=True) as limit:
        before = signal.signal(signal.SIGINT, note)
        try:
            assert noted.wait(60.0)
        finally:
            signal.signal(signal.SIGINT, before)
    assert limit.is_over


def test_an_interrupt_is_answered(capsys: pytest.CaptureFixture[str]) -> None:
    def think() -> None:
        with limited(60.0):
            _thread.interrupt_main()
            threading.Event().wait(60.0)

    with pytest.raises(KeyboardInterrupt):
        think()
    assert "interrupted before there was anything to show" in capsys.readouterr().err


@pytest.mark.slow
def test_seconds_are_counted(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("equilibrist.cli.text.progress._FIRST_LINE", 0.0)
    said = ""
    with limited(None) as limit, limit.working("thinking") as line:
        line.now("thinking harder")
        while "thinking harder: " not in said:
            time.sleep(0.05)
            said += capsys.readouterr().err


LONG = [
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
]


@pytest.mark.by_default(2)
@pytest.mark.parametrize("command", LONG)
def test_every_long_command_takes_a_limit(shell: Shell, command: str) -> None:
    shell(f"{command} --time 1h").ok()  # loads all that it needs
    ended = shell(f"{command} --time 0.0001 --json")
    assert ended.code == 2
    assert ended.out == ""
    assert ended.err.count("error:") == 1
    assert "--time" in ended.err or "took longer than" in ended.err


@pytest.mark.parametrize(
    "command", ["abstract kuhn --lossless", "graft given.safetensors --block '*b'"]
)
def test_the_limit_advises_to_leave_out_only_what_was_typed(shell: Shell, command: str) -> None:
    eq.solve("kuhn", iterations=1).save("given.safetensors")
    flags = {word for word in command.split() if word.startswith("--")}
    ended = shell(f"{command} --time 0.0001")
    assert ended.code == 2
    advised = set(re.findall("--[a-z]+", ended.err.partition(";")[2]))
    assert advised <= flags


@pytest.mark.parametrize("command", LONG)
def test_the_limit_holds_while_the_rules_are_walked(
    shell: Shell, command: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def forever(*_: object) -> None:
        threading.Event().wait(60.0)
        not_reached("nothing ended it")

    monkeypatch.setattr(Limits, "compile", forever)
    shell(f"{command} --time 0.1").refused(EquilibristError, option="--time", given=0.1)


class Cut:
    """Lets a function run a number of times, and presses Ctrl-C in its place after that."""

    def __init__(self, function: Callable[..., object], times: int) -> None:
        self.function, self.left = function, times

    def __call__(self, *arguments: object, **keywords: object) -> object:
        self.left -= 1
        if self.left < 0:
            signal.raise_signal(signal.SIGINT)
        return self.function(*arguments, **keywords)


ORDERED = '"matrix(payoffs=[[4,5,6],[3,4,5],[1,2,3]])"'
"""Rows 1 and 2, and columns 1 and 2, are dominated."""
CUTS = [
    # What is looked for, what is cut, after how many calls, and what has been found then.
    ("", "domination:_Leads.margin", 2, 1),
    ("--sequences", "sequence_domination:_Belief.least_regret", 1, 1),
    ("--plans", "plan_domination:dominance_of", 2, 2),
]


def _cut(monkeypatch: pytest.MonkeyPatch, place: str, times: int) -> None:
    """Press Ctrl-C in place of a function, given as module:name, once it was called so often."""
    module, _, path = place.partition(":")
    owner: Any = import_module(module)
    *inside, last = path.split(".")
    for part in inside:
        owner = getattr(owner, part)
    cut = Cut(getattr(owner, last), times)
    monkeypatch.setattr(owner, last, lambda *given, **more: cut(*given, **more))


@pytest.mark.parametrize(("what", "place", "times", "found"), CUTS)
def test_what_was_found_before_ctrl_c_is_shown(
    shell: Shell, what: str, place: str, times: int, found: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = shell(f"dominated {ORDERED} {what} --json").ok().json
    assert whole["stopped_by"] is None
    assert len(whole["dominated"]) == 4
    _cut(monkeypatch, f"equilibrist.evaluation.{place}", times)
    cut = shell(f"dominated {ORDERED} {what} --json")
    assert cut.code == 130
    assert cut.json["stopped_by"] == "interrupted"
    assert cut.json["dominated"] == whole["dominated"][:found]


TEAMS = "equilibrist.equilibria.teams"


@pytest.mark.parametrize(
    ("adversary", "side"),
    [
        ("0", "against_one:AgainstOne"),
        ("1,2", "against_team:AgainstTeam"),
    ],
)
def test_a_team_that_is_cut_short_has_a_mixture_and_a_bound(
    shell: Shell, adversary: str, side: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    command = f'team "kuhn(players=3)" --adversary {adversary} --json'
    whole = shell(command).ok().json
    assert whole["stopped_by"] is None
    _cut(monkeypatch, f"{TEAMS}.{side}._master", 1)
    cut = shell(command)
    assert cut.code == 130
    assert cut.json["stopped_by"] == "interrupted"
    assert cut.json["iterations"] == 1
    assert cut.json["value"] <= whole["value"] + 1e-9
    assert whole["bound"] <= cut.json["bound"] + 1e-9


@pytest.mark.slow
def test_equilibria_that_were_found_are_shown(
    shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("quantecon")
    command = "equilibria chicken --method lemke-howson --json"
    whole = shell(command).ok().json
    assert whole["stopped_by"] is None
    assert len(whole["equilibria"]) == 2
    _cut(monkeypatch, "quantecon.game_theory:lemke_howson", 1)
    cut = shell(command)
    assert cut.code == 130
    assert cut.json["stopped_by"] == "interrupted"
    assert [one["values"] for one in cut.json["equilibria"]] in [
        [one["values"]] for one in whole["equilibria"]
    ]


def test_grafts_that_were_found_are_kept(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    shell("solve kuhn -n 3 --out base.safetensors -q").ok()
    command = 'graft base.safetensors --block "1*" --block "2*" --json'
    whole = shell(command).ok().json
    assert len(whole["steps"]) == 4
    _cut(monkeypatch, "equilibrist.grafting.programmes:Programmes.graft", 2)
    cut = shell(command)
    assert cut.code == 130
    assert cut.json["stopped_by"] == "interrupted"
    assert cut.json["steps"] == whole["steps"][:2]
    assert cut.json["evaluation"]["nash_conv"] >= whole["evaluation"]["nash_conv"]


@pytest.mark.parametrize("how", ["--rnr 0.5", "--frequencies seen.csv"])
def test_an_approximation_says_after_how_many_iterations_it_was_cut_short(
    shell: Shell, how: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    Path("seen.csv").write_text("infoset,action,count\n2b,bet,3\n2b,pass,1\n")
    command = f"exploit kuhn --opponent uniform {how} --iterations 1000000000 --json"
    _cut(monkeypatch, "equilibrist.solvers.full_traversal.mixed_play:MixedCFR._advance", 3)
    cut = shell(command)
    assert cut.code == 130, cut.err
    assert cut.json["stopped_by"] == "interrupted"
    made = cut.json["approximation"]
    assert 3 <= made["iterations"] < 1_000_000_000
    assert made["gap"] > 0.0


def test_an_abstraction_that_was_not_measured_is_shown(
    shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    command = "abstract kuhn --lossless --report"
    whole = shell(f"{command} --json").ok().json
    _cut(monkeypatch, "equilibrist.abstraction.measures.numbers:Measures.three_numbers", 0)
    cut = shell(f"{command} --json")
    assert cut.code == 130
    assert cut.json == {**whole, "report": None, "stopped_by": "interrupted"}
    assert "Cut short by Ctrl-C" in shell(command).out


@pytest.mark.parametrize(
    ("game", "place"),
    [
        ("kuhn", "equilibrist.play.match:_ends"),
        ("rules:liars_dice", "equilibrist.evaluation.duplicates:bind"),
    ],
)
def test_a_match_that_is_cut_short_is_one_of_fewer_deals(
    shell: Shell, game: str, place: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    command = f"match uniform uniform --game {game} --seed 3 --json --deals"
    monkeypatch.setattr("equilibrist.play.match._NUMBERS", 1000)
    monkeypatch.setattr("equilibrist.evaluation.duplicates._CHUNK", 50)
    chunk = 55 if game == "kuhn" else 50
    fewer = shell(f"{command} {chunk}").ok().json
    assert fewer["stopped_by"] is None
    calls = 2 if game == "kuhn" else 1  # one for each seat
    if game == "kuhn":
        _cut(monkeypatch, place, calls)
    else:
        monkeypatch.setattr(duplicates, "bind", lambda *given: Cut(bind(*given), calls))
    cut = shell(f"{command} 1000000")
    assert cut.code == 130
    assert cut.json == {**fewer, "stopped_by": "interrupted"}
