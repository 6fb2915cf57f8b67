"""Bets of any size, drills and hand histories on the command line."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from pokerkit import HandHistory

import equilibrist as eq
from equilibrist import load_result
from equilibrist.errors import ConfigError, FileFormatError, LineSyntaxError
from equilibrist.play import Coach
from equilibrist.play.solutions.players import SolutionRanges
from equilibrist.poker import Spot
from tests.cli.postflop.test_postflop_play import Typing, solved

RIVER = Spot(
    board="Ts3h2h5c9s", oop="AA,QQ", ip="KK,JJ", pot=100, stack=300, bets="50%,100%", raises="a"
)


@pytest.fixture
def river(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Typing:
    solved(RIVER).save(folder / "river.spot")
    return Typing(capsys, monkeypatch)


def test_bets_of_any_size_are_mapped_and_told(river: Typing) -> None:
    """3/4 pot between 1/2 and 1 is mapped to 1/2 with probability 3/7."""
    drawn = set()
    for seed in range(12):
        line = f"river.spot --seat oop --hands 1 --seed {seed}"
        ran = river.play(line, "bet 900", "bet 75", *["fold"] * 3, *["1"] * 3).ok()
        assert "expected from 1 to 300 chips" in ran.out
        told = re.search(
            r"A bet of 75.00 chips, 75.0% of the pot, is mapped to Bet 50 \(42.9%\) or Bet 100 "
            r"\(57.1%\); drawn: (Bet \d+)\.\nyou \(OOP\): (Bet \d+)",
            ran.out,
        )
        assert told, ran.out
        assert told[1] == told[2]
        drawn.add(told[1])
    assert drawn == {"Bet 50", "Bet 100"}
    ran = river.play("river.spot --seat oop --hands 1 --seed 1", "b50", *["1"] * 3).ok()
    assert "is mapped to" not in ran.out


def test_the_coach_says_that_it_judges_the_mapped_bet(river: Typing) -> None:
    line = "river.spot --seat oop --hands 1 --seed 1 --coach"
    ran = river.play(line, "bet 60", *["1"] * 4).ok()
    told = re.findall(r"The coach judges (Bet \d+), not the bet of 60.00 chips\.", ran.out)
    assert len(told) == 1  # later choices are not mapped
    assert f"you (OOP): {told[0]}" in ran.out
    assert "The coach judges" not in river.play(line, "bet 50", *["1"] * 4).ok().out


def test_the_mixture_of_the_ai_is_told_during_a_hand(river: Typing) -> None:
    """With all that it may hold; its own hand only with --open."""
    solution = load_result("river.spot")
    line = "river.spot --seat ip --hands 1 --seed 1"
    ran = river.play(line, "ai", *["1"] * 3).ok()
    infoset = re.findall(r"infoset +(\S+)", ran.out)[0]
    (expected,) = SolutionRanges(solution).mixtures(infoset)
    assert expected.probabilities is not None
    for word, share in zip(expected.words, expected.probabilities, strict=True):
        text = f"{word} {share:.4f}"
        assert (f"[{text}]" if word == expected.taken else text) in ran.out
    before = ran.out.partition("Hand 1 is over")[0]
    assert "chance" not in before
    shown = river.play(f"{line} --open", *["1"] * 3).ok().out.partition("Hand 1 is over")[0]
    assert re.search(r"chance +OOP (\w{4})", shown)
    river.play("river.spot --seats ai,ai --open").refused(ConfigError, option="--open")
    river.play("river.spot --drill X --open").refused(ConfigError, option="--open")


def test_drills_of_a_spot(river: Typing) -> None:
    line = "river.spot --drill X-B100 --hands 6 --seed 4"
    ran = river.play(line, *["fold"] * 6).ok()
    assert ran.out.count(":X-B100\n") >= 6
    assert "6 answers" in ran.out
    counts = dict(
        re.findall(r"^ +(best|correct|inaccuracy|mistake|blunder) +(\d+)$", ran.out, re.MULTILINE)
    )
    assert sum(map(int, counts.values())) == 6
    assert river.play(line, *["fold"] * 6).out == ran.out
    assert "Question 2" in river.play("river.spot --drill root --hands 2", "1", "1").ok().out


def test_drills_of_a_game(river: Typing) -> None:
    eq.solve("kuhn", iterations=300).save("kuhn.safetensors")
    ran = river.play("kuhn.safetensors --drill 3b --hands 2", "fold", "call").ok()
    strategy = eq.Result.load("kuhn.safetensors").strategy.on(eq.compile_game("kuhn"))
    loss = Coach(strategy).advise("3b", 0).ev_loss
    assert f"Blunder: an EV loss of {loss:.6f}, {loss / 3:.2%} of the pot." in ran.out
    assert f"Mean EV loss: {loss / 2:.6f}" in ran.out


def test_what_drills_refuse(river: Typing) -> None:
    river.play("river.spot --drill B51").refused(LineSyntaxError)
    river.play("river.spot --drill X-X").refused(ConfigError, option="line")
    river.play("river.spot --drill X --seat ip").refused(ConfigError, option="--seat")
    river.play("river.spot --drill X --log a.jsonl").refused(ConfigError, option="--log")
    assert river.play("river.spot --drill X").code == 2  # nothing was typed


def test_hand_histories(river: Typing, folder: Path) -> None:
    for _ in range(2):
        river.play("river.spot --seats ai,uniform --hands 3 --quiet --log hands.phhs").ok()
    read = list(HandHistory.loads_all((folder / "hands.phhs").read_text()))
    assert [one.hand for one in read] == [1, 2, 3, 1, 2, 3]
    assert {tuple(sorted(one.players or ())) for one in read} == {("AI", "uniform")}
    (folder / "foreign.phhs").write_text("foreign")
    river.play("river.spot --log foreign.phhs").refused(FileFormatError, option="log")
    eq.solve("kuhn", iterations=5).save("kuhn.safetensors")
    line = "kuhn.safetensors --seats ai,uniform --hands 1 --log kuhn.phhs"
    river.play(line).refused(ConfigError, option="log")


def test_the_score_by_aivat(river: Typing) -> None:
    ran = river.play("river.spot --seats ai,uniform --hands 200 --quiet --seed 3").ok()
    rows = re.findall(
        r"^ +(AI|uniform) .* (\S+) \(95 % interval (\S+) to (\S+)\)$", ran.out, re.MULTILINE
    )
    assert len(rows) == 2
    for _, mean, low, high in rows:
        assert float(low) < float(mean) < float(high)
        assert float(high) - float(low) < 30  # 20 by AIVAT, 40 without
