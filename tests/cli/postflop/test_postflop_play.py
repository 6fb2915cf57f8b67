"""`play FILE.spot` and `postflop play`: chips by hand, the coach, ends, logs, refusals."""

from __future__ import annotations

import io
import json
import re
from functools import cache
from pathlib import Path

import pytest

from equilibrist.errors import ConfigError, FileFormatError, MismatchError
from equilibrist.play import SpotGame, read_log
from equilibrist.poker import PostflopResult, Spot, solve
from equilibrist.poker.cards.combos import parse_combo
from tests.cli.command import Ran, Shell

QUADS = Spot(
    board="AsAc7d2h", oop="AhAd", ip="KhKd", pot=10, stack=20, bets="50%,a", raises="a", rake=0.05
)
"""The player out of position wins every showdown."""
BOARD_PLAYS = Spot(
    board="TsJsQsKsAs", oop="2c2d", ip="3c3d", pot=10, stack=20.5, bets="a", rake=0.05, rake_cap=2
)
SPOT = Spot(board="Ts3h2h5c9s", oop="AA,QQ", ip="KK", pot=100, stack=100, bets="a")


@cache
def solved(spot: Spot) -> PostflopResult:
    return solve(spot, target="0.1%", threads=1)


class Typing(Shell):
    """Types a command line, and then into the standard input of what it starts."""

    def __init__(self, capture: pytest.CaptureFixture[str], patch: pytest.MonkeyPatch) -> None:
        super().__init__(capture)
        self.patch = patch

    def play(self, line: str, *typed: str) -> Ran:
        self.patch.setattr("sys.stdin", io.StringIO("".join(f"{text}\n" for text in typed)))
        return self(f"play {line}")


@pytest.fixture
def typing(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Typing:
    solved(SPOT).save(folder / "jam.spot")
    return Typing(capsys, monkeypatch)


def results(ran: Ran) -> list[tuple[float, ...]]:
    """What the seats won in chips, hand by hand."""
    lines = re.findall(r"^Hand \d+ is over: (.*), in chips$", ran.ok().out, re.MULTILINE)
    return [tuple(float(part.split()[-1]) for part in line.split(", ")) for line in lines]


def test_chips_with_rake_all_ins_and_folds(typing: Typing, folder: Path) -> None:
    solved(QUADS).save(folder / "quads.spot")
    typed = [
        *("bet 5", "all-in", "call"),  # 50 in the middle, 2.5 of them rake
        *("check", "check", "x", "x"),  # 10, 0.5 of them rake
        *("b", "fold"),  # the bet of 5 comes back
        *("a", "c"),
        *("check", "bet 5", "raise", "all", "f"),  # 20 in the middle, rake 1
    ]
    ran = typing.play("quads.spot --seats human,human --hands 5 --seed 1", *typed)
    won = [(27.5, -20.0), (0.0, 9.5), (9.5, 0.0), (-20.0, 27.5), (14.0, -5.0)]
    assert results(ran) == won
    score = ran.out[ran.out.index("the score after 5 hands, in chips") :]
    assert re.search(r"person 1 +\+31 +\+6\.200000", score)
    assert re.search(r"person 2 +\+12 +\+2\.400000", score)
    assert "'raise' is not one of the actions" in ran.out


def test_a_tie_splits_what_the_rake_leaves(typing: Typing, folder: Path) -> None:
    solved(BOARD_PLAYS).save(folder / "tie.spot")
    typed = ("all-in 20.5", "call", "check", "check")
    ran = typing.play("tie.spot --seats human,human --hands 2 --fixed-seats", *typed)
    assert results(ran) == [(4.0, 4.0), (4.75, 4.75)]  # (51 - 2) / 2 - 20.5, (10 - 0.5) / 2


def test_the_person_sees_their_own_hand_alone(typing: Typing) -> None:
    ran = typing.play("jam.spot --seat ip --seed 3", "call", "q")
    before = ran.ok().out.split("Hand 1 is over")[0]
    assert "you (IP)" in before
    assert "infoset    K" in before
    assert re.search(r"behind +OOP 0, IP 100 \(you\)", before)
    assert not re.search(r"\b[AQ][shdc][AQ]", before)
    assert "OOP A" in ran.out or "OOP Q" in ran.out


def test_the_coach_shows_ev_frequency_and_loss(typing: Typing) -> None:
    ran = typing.play("jam.spot --seat oop --coach --hands 2 --seed 4", "check", "all-in")
    assert re.search(r"EV of the solution, in chips per hand: OOP 7[45]\.\d\d, IP 2[45]\.", ran.err)
    assert "coach: exploitability of the solution is 0.0" in ran.err
    root, losses = solved(SPOT).at(), 0.0
    hands = re.findall(r"infoset +(\w{4}):\n", ran.ok().out)
    tables = ran.out.split("Coach: ")[1:]
    for hand, chosen, table in zip(hands, (0, 1), tables[:2], strict=True):
        combo = parse_combo(hand)
        evs, shares = root.values.action_ev[:, combo], root.values.strategy[:, combo]
        for action, ev, share in zip(("Check", "All-in 100"), evs, shares, strict=True):
            assert re.search(rf"{action} +{ev:.2f} +{share:.1%}\n", table)
        loss = max(evs) - evs[chosen]
        losses += loss
        says = f"has an EV loss of {loss:.2f} chips" if loss >= 0.005 else "has no EV loss"
        assert says in table
    assert f"Total EV loss against the solution: {losses:.2f} chips in 2 hands." in ran.out


def test_seats_rotate_unless_they_are_kept(typing: Typing) -> None:
    ran = typing.play("jam.spot --seed 1 --hands 2 --seats uniform,ai --show-ai").ok()
    assert re.findall(r"(\w+) \((OOP)\)", ran.out)[0] == ("uniform", "OOP")
    assert "AI (OOP)" in ran.out
    kept = typing.play("jam.spot --seed 1 --hands 6 --seats uniform,ai --fixed-seats").ok()
    assert "AI (OOP)" not in kept.out
    assert re.search(r"\[(Fold|Call|Check|All-in 100) [01]\.\d{4}\]", ran.out)


def test_strategies_play_each_other(typing: Typing, folder: Path) -> None:
    locked = solve(SPOT.replace(locks=["A: Call 100%"]), iterations=50, threads=1)
    locked.save(folder / "calls.spot")
    ran = typing.play("jam.spot --seats ai,calls.spot --hands 300 --quiet --seed 2 --fixed-seats")
    score = ran.ok().out
    assert "the score after 300 hands, in chips" in score
    (total,) = re.findall(r"AI +\+([\d,.]+) ", score)
    ev = solved(SPOT).at("A100")
    assert float(total) / 300 > 75  # calling too often pays the solution more than its 75
    assert ev.player == 1
    assert "Hand 1" not in score
    default = typing.play("jam.spot --seats ai,ai --quiet")
    assert "the score after 10 hands" in default.ok().out


def test_the_same_seed_deals_the_same_hands(typing: Typing, shell: Shell) -> None:
    first = typing.play("jam.spot --seats ai,ai --seed 5 --hands 20").ok().out
    assert first == typing.play("jam.spot --seats ai,ai --seed 5 --hands 20").ok().out
    assert first == shell("postflop play jam.spot --seats ai,ai --seed 5 --hands 20").ok().out
    assert first != typing.play("jam.spot --seats ai,ai --seed 6 --hands 20").ok().out


@pytest.mark.parametrize(("typed", "hands"), [((), 0), (("check", "all-in"), 2)])
def test_ends(typing: Typing, typed: tuple[str, ...], hands: int) -> None:
    asked = typing.play("jam.spot --seat oop --seed 1", *typed, "q").ok().out
    assert (f"after {hands} hands" in asked) == (hands > 0)
    assert ("No hand was complete" in asked) == (hands == 0)
    ended = typing.play("jam.spot --seat oop --seed 1", *typed)
    assert ended.code == (0 if hands else 2)


def test_endless_nonsense_is_one_error(typing: Typing) -> None:
    ran = typing.play("jam.spot --seat oop", *["nonsense"] * 500)
    assert ran.code == 2
    assert ran.err.count("error:") == 1
    assert isinstance(ran.error, ConfigError)
    assert (ran.error.option, ran.error.given) == ("action", "nonsense")


def test_the_log(typing: Typing) -> None:
    typing.play("jam.spot --seat oop --coach --log hands.jsonl --hands 2", "check", "all-in").ok()
    typing.play("jam.spot --seats ai,ai --log hands.jsonl --hands 3 --seed 9").ok()
    first, second = read_log("hands.jsonl")
    assert (first.seats, first.alternate, len(first.hands)) == (("you", "AI"), False, 2)
    assert (second.seed, len(second.hands)) == (9, 3)
    for hand in (*first.hands, *second.hands):
        assert hand.replay(SpotGame(SPOT)).payoffs == hand.payoffs
    line = json.loads(Path("hands.jsonl").read_text().splitlines()[1])
    assert [move["action"].split()[0] for move in line["moves"][:2]] == ["OOP", "IP"]
    assert line["moves"][2]["ev_loss"] is not None


def test_what_is_said_before_the_first_hand(typing: Typing, folder: Path) -> None:
    rough = solve(
        QUADS.replace(oop="AhAd,7h7c", locks=["B5: KK = Call 100%"]), iterations=1, threads=1
    )
    rough.save(folder / "rough.spot", keep="first-street")
    typed = ["check"] * 2
    ran = typing.play("rough.spot --seats human,uniform --fixed-seats --hands 9", *typed, "q").ok()
    warning = "warning: rough.spot: not converged, mean gain is above 1% of the pot"
    assert ran.err.startswith(warning)
    assert "rough.spot keeps the turn: later streets are re-solved" in ran.err
    assert "locked strategies are played as they are locked" in ran.err
    silent = typing.play("rough.spot --seats ai,ai --quiet --hands 2")
    assert silent.ok().err.splitlines() == [warning]


def test_a_street_is_solved_again_when_play_comes_there(typing: Typing, folder: Path) -> None:
    solved(QUADS.replace(rake=0.0)).save(folder / "turn.spot", keep="first-street")
    typing.patch.setattr("equilibrist.cli.text.progress.monotonic", lambda: 0.0)
    shown = "turn.spot --seats human,human --coach --hands 1"
    ran = typing.play(shown, "check", "check", "check", "check")
    assert results(ran) == [(10.0, 0.0)]
    assert ran.err.count("re-solving what turn.spot does not keep") == 1
    assert ran.out.count("Coach: Check has") == 4


@pytest.mark.parametrize(
    ("line", "fields"),
    [
        ("--seats human", dict(option="--seats", given=1, expected=2)),
        ("--seats human,ai,ai", dict(option="--seats", given=3, expected=2)),
        ("--seats human,nobody", dict(option="--seats", given="nobody")),
        ("--seat oop --seats human,ai", dict(option="--seat", given="oop")),
        ("--seats ai,ai --coach", dict(option="--coach")),
        ("--game kuhn", dict(option="--game", given="kuhn")),
        ("--strategy other.csv", dict(option="--strategy")),
        ("--hands 0", dict(option="hands")),
    ],
)
def test_refusals(typing: Typing, line: str, fields: dict[str, object]) -> None:
    typing.play(f"jam.spot {line}").refused(ConfigError, **fields)


def test_seats_of_another_spot(typing: Typing, folder: Path) -> None:
    solved(QUADS).save(folder / "quads.spot")
    fields = dict(option="board", given="AsAc7d2h", expected="Ts3h2h5c9s")
    typing.play("jam.spot --seats ai,quads.spot").refused(MismatchError, **fields)
    typing("solve kuhn -n 5 --out kuhn.safetensors").ok()
    typing.play("jam.spot --seats ai,kuhn.safetensors").refused(
        FileFormatError, option="format", given="solution"
    )
    typing.play("kuhn --seat oop").refused(ConfigError, option="--seat", given="oop")


def test_a_file_is_no_person_whatever_its_name(typing: Typing, folder: Path) -> None:
    for name in ("you.spot", "person.spot"):
        solved(SPOT).save(folder / name)
        ran = typing.play(f"jam.spot --seats ai,{name} --hands 2 --quiet --seed 1")
        assert name in ran.ok().out
        assert "to choose" not in ran.out
