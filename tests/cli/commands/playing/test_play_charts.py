"""`equilibrist play` of charts and of exact solutions: whole hands through scripted input."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from pokerkit import HandHistory

from equilibrist.errors import ConfigError
from equilibrist.poker import Hand
from equilibrist.poker.preflop.exact.solving import solve_preflop
from equilibrist.poker.preflop.push_fold.game import PushFold
from tests.cli.command import Ran, Shell
from tests.play.solutions.test_charts import pushes

FLOP = Hand(stack=6, bets="2x,a|50%,a", raises="a", board="1/1", deck="T", last_street="flop")


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("charts")
    two = pushes(PushFold((10.0, 12.0)), SB="AA KK", BB="AA")
    two.save(folder / "two.safetensors")
    three = pushes(PushFold((9.0, 9.0, 9.0)), BTN="KK", SB="AA KK", BB="QQ")
    three.save(folder / "three.safetensors")
    eighths = pushes(PushFold((10.0, 10.125), ante=0.125), SB="22+ A2+ K2+", BB="22+ A2+")
    eighths.save(folder / "eighths.safetensors")
    solve_preflop(FLOP, iterations=20, threads=1).save(folder / "exact.safetensors")
    return folder


@pytest.fixture
def play(shell: Shell, files: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Ran]:
    def run(name: str, options: str, typed: str = "") -> Ran:
        monkeypatch.setattr("sys.stdin", io.StringIO(typed))
        return shell(f"play {files / name}.safetensors {options}")

    return run


def test_push_or_fold_of_two_seats(play: Callable[..., Ran], tmp_path: Path) -> None:
    log = tmp_path / "hands.jsonl"
    typed = "?\nai\n" + "2\n" * 9
    ran = play("two", f"--coach --show-ai --hands 2 --seed 4 --log {log}", typed).ok()
    assert "EVs are exact against the ranges of the chart" in ran.err
    assert "push or fold, stacks 10/12 big blinds" in ran.err
    assert "the solution plays" in ran.out
    assert "All-in 10" in ran.out
    assert "q ends the session" in ran.out
    assert "A bet of any size" not in ran.out
    assert "the score after 2 hands, in big blinds" in ran.out
    assert "Score after 1 hand, per hand, in big blinds: you " in ran.out
    header, *hands = map(json.loads, log.read_text("utf-8").splitlines())
    assert header["seats"] == ["you", "AI"]
    assert [sum(hand["payoffs"]) for hand in hands] == [0, 0]


def test_hands_are_logged_as_hand_histories(play: Callable[..., Ran], tmp_path: Path) -> None:
    log = tmp_path / "hands.phhs"
    play("three", f"--seats ai,ai,ai --hands 5 --quiet --log {log}").ok()
    read = list(HandHistory.loads_all(log.read_text("utf-8")))
    assert [len(one.starting_stacks) for one in read] == [3] * 5
    ran = play("exact", f"--seats ai,ai --hands 1 --quiet --log {tmp_path / 'flop.phhs'}")
    ran.refused(ConfigError, option="log")


def test_the_unit_of_chips_follows_the_finest_amount(
    play: Callable[..., Ran], tmp_path: Path
) -> None:
    log = tmp_path / "hands.phhs"
    ran = play("eighths", f"--seats ai,ai --hands 8 --seed 2 --log {log}").ok()
    assert "AI 1 -0.625, AI 2 +0.625" in ran.out
    for hand in HandHistory.loads_all(log.read_text("utf-8")):
        *_, state = hand
        assert not state.status
        assert state.antes == (125, 125)
        assert state.blinds_or_straddles == (500, 1000)
        assert sum(state.payoffs) == 0


def test_push_or_fold_of_three_seats(play: Callable[..., Ran]) -> None:
    ran = play("three", "--coach --hands 3 --seed 4", "ai\n" + "1\n" * 9).ok()
    assert "EVs are estimates on deals that are drawn" in ran.err
    assert "EV (estimate)" in ran.out
    assert "the chart plays" in ran.out
    assert all(f"({seat})" in ran.out for seat in ("SB", "BTN"))
    assert re.search(r"NashConv of the chart [\d.]+ mbb", ran.err)


def test_payoffs_are_rounded_and_name_their_unit(files: Path, play: Callable[..., Ran]) -> None:
    """Percentages of a prize pool have as many digits as the arithmetic gives them."""
    paid = PushFold((9.0, 7.0, 5.0), payouts=(50.0, 30.0, 20.0))
    pushes(paid, BTN="KK", SB="AA KK", BB="QQ").save(files / "paid.safetensors")
    ran = play("paid", "--coach --hands 4 --seed 2", "1\n" * 9).ok()
    assert re.search(r"NashConv of the chart [\d.]+ % of the prize pool", ran.err)
    over = re.findall(r"^Hand \d is over: (.*)$", ran.out, re.MULTILINE)
    assert len(over) == 4
    for line in over:
        assert line.endswith(", in % of the prize pool")
        amounts = re.findall(r" ([+-]\d[\d.]*)", line)
        assert len(amounts) == 3
        assert all(len(each.partition(".")[2]) <= 4 for each in amounts)


def test_flops_are_solved_when_they_come(play: Callable[..., Ran]) -> None:
    ran = play("exact", "--coach --hands 4 --seed 3 --seats human,ai", "x\nc\n" * 20).ok()
    assert "each flop is solved when it comes" in ran.err
    assert "a best response gains" in ran.err
    assert "flop" in ran.out
    assert "the solution plays" in ran.out


@pytest.mark.parametrize(
    ("options", "option"),
    [("--seat oop", "--seat"), ("--drill root", "--drill"), ("--seats human,kuhn", "--seats")],
)
def test_what_hands_have_no_use_for(play: Callable[..., Ran], options: str, option: str) -> None:
    found = play("two", options).error
    assert isinstance(found, ConfigError)
    assert found.option == option
