"""`play` of a spot of three: seats, chips, the coach, drills, refusals."""

from __future__ import annotations

import io
import json
import re
from functools import cache
from pathlib import Path

import pytest

from equilibrist.errors import ConfigError, FileFormatError, MismatchError
from equilibrist.play import read_log
from equilibrist.poker import ThreeSolution, ThreeSpot, solve_three
from equilibrist.poker.cards.combos import parse_combo
from tests.cli.command import Shell
from tests.cli.postflop.test_postflop_play import Typing, results

SPOT = ThreeSpot(
    board="AsAc7d2h9c", oop="AhAd", middle="7h7c", ip="KhKd", pot=12, stacks=[30, 6, 20], bets="a",
)  # fmt: skip
"""OOP beats MID, and MID beats IP."""
MIXED = SPOT.replace(oop="AhAd,KsQs", middle="7h7c,QhJh", ip="KhKd,Td8d")


@cache
def solved(spot: ThreeSpot) -> ThreeSolution:
    return solve_three(spot, target="0.5%")


@pytest.fixture
def typing(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Typing:
    solved(SPOT).save(folder / "three.spot")
    solved(MIXED).save(folder / "mixed.spot")
    return Typing(capsys, monkeypatch)


def test_side_pots_are_paid(typing: Typing) -> None:
    typed = [
        *("a", "c", "c"),  # OOP 20 of its 30, MID 6, IP 20
        *("x", "a", "c", "f"),  # MID 6, IP calls, OOP folds: MID wins the pot of 12 and 12
        *("x", "x", "x"),
        *("a", "f", "f"),
    ]
    ran = typing.play("three.spot --seats human,human,human --hands 4 --fixed-seats", *typed)
    won = [(12 + 6 + 20, -6, -20), (0, 12 + 6, -6), (12, 0, 0), (12, 0, 0)]
    assert results(ran) == [pytest.approx(payoffs) for payoffs in won]


def test_the_coach_names_the_loss_and_seats_are_named(typing: Typing) -> None:
    ran = typing.play("mixed.spot --seat mid --coach --hands 1 --seed 2", "all-in").ok()
    assert "you (MID)" in ran.out
    assert "AI 1 (OOP)" in ran.out
    (hand, line) = re.findall(r"infoset +(\w{4}):(\S+)\n", ran.out)[0]
    decision = solved(MIXED).at(line)
    assert decision.action_ev is not None
    evs = decision.action_ev[:, parse_combo(hand)]
    loss = max(evs) - evs[decision.codes.index("A6") if "A6" in decision.codes else 1]
    said = f"EV loss of {loss:.2f} chips" if loss >= 0.005 else "has no EV loss"
    assert said in ran.out
    assert f"gains at most {max(solved(MIXED).gains):.4g}"[:24] in ran.err
    assert re.search(r"EV of the solution, in chips per hand: OOP \S+, MID \S+, IP", ran.err)


def test_you_sit_at_every_seat_in_turn(typing: Typing) -> None:
    typed = ["x", "f", "x"] * 6
    ran = typing.play("mixed.spot --seats you,ai,ai --hands 3 --seed 2", *typed)
    seats = re.findall(r"^Hand \d+: you \((\w+)\) to choose", ran.out, re.MULTILINE)
    assert [*dict.fromkeys(seats)] == ["OOP", "IP", "MID"]


def test_strategies_play_each_other_and_hands_are_logged(typing: Typing, folder: Path) -> None:
    line = "mixed.spot --seats ai,mixed.spot,uniform --hands 30 --seed 4 --log hands.jsonl"
    ran = typing.play(f"{line} --quiet").ok()
    assert "the score after 30 hands, in chips" in ran.out
    (session,) = read_log(folder / "hands.jsonl")
    for hand in session.hands:
        assert sum(hand.payoffs) == pytest.approx(12)
    refused = typing.play("mixed.spot --seats ai,ai,ai --hands 2 --log hands.phhs")
    refused.refused(ConfigError, option="log")
    assert "spots of two players, not of three" in refused.err
    assert "spots of two players, not of three" in typing("hands show hands.jsonl").err


def test_the_range_of_others_is_shown(typing: Typing) -> None:
    ran = typing.play("mixed.spot --seat ip --hands 1 --seed 2", "ai", "f", "x", "x").ok()
    assert "with its whole range" in ran.out
    assert "AI 2 (MID)" in ran.out


def test_a_drill_asks_for_one_decision(typing: Typing) -> None:
    ran = typing.play("mixed.spot --drill X --hands 3 --seed 1", "x", "a", "x").ok()
    assert len(re.findall(r"infoset +\w{4}:X\n", ran.out)) == 3
    assert "Question 3" in ran.out


def test_what_does_not_fit_is_refused(typing: Typing, folder: Path, shell: Shell) -> None:
    solved(SPOT.replace(pot=13)).save(folder / "other.spot")
    typing.play("three.spot --seats ai,ai").refused(ConfigError, option="--seats", expected=3)
    typing.play("three.spot --seats ai,ai,other.spot").refused(MismatchError, option="pot")
    typing.play("three.spot --seat mid --seats ai,ai,ai").refused(ConfigError, option="--seat")
    typing.play("three.spot --seats ai,ai,ai --coach").refused(ConfigError, option="--coach")
    typing.play("three.spot --drill X-X-X").refused(ConfigError, option="line")
    shell("postflop play three.spot --seats ai,ai,ai --hands 1").ok()
    searching = "bot play three.spot --seats ai,ai,ai --hands 1 --search street"
    shell(searching).refused(ConfigError, option="search")
    shell("bot match three.spot call").refused(FileFormatError, given="three-spot-solution")


@pytest.mark.usefixtures("typing")
def test_bots_play_it_and_answer_other_programs(
    shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    played = shell("bot play three.spot --seats ai,ai,ai --hands 3 --quiet --seed 1").ok()
    assert "AI" in played.out
    asked = [{"hole_cards": "7h7c", "line": "X"}, {"hole_cards": "KhKd", "line": "X-A6"}]
    text = "".join(f"{json.dumps(question)}\n" for question in asked)
    monkeypatch.setattr("sys.stdin", io.StringIO(text))
    answers = [
        json.loads(line) for line in shell("bot serve three.spot --stdio").ok().out.split("\n")[:2]
    ]
    solution = solved(SPOT)
    for question, answer in zip(asked, answers, strict=True):
        decision = solution.at(question["line"])
        mixture = decision.mixture(parse_combo(question["hole_cards"]))
        assert mixture is not None
        taken = {c: s for c, s in zip(decision.codes, mixture, strict=True) if s > 0}
        assert answer["decided_by"] == "blueprint"
        assert {c: s for c, s in answer["mixture"].items() if s > 0} == pytest.approx(taken)


def test_solutions_that_differ_by_locks_play_each_other(typing: Typing, folder: Path) -> None:
    solved(MIXED.replace(locks=["X: A 1"])).save(folder / "locked.spot")
    typing.play("mixed.spot --seats ai,locked.spot,ai --hands 2 --quiet").ok()
