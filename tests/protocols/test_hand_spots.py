"""Played hands as spots."""

from __future__ import annotations

from pathlib import Path

import pytest

from equilibrist.errors import ConfigError, UnknownNameError
from equilibrist.library.judges import open_judges
from equilibrist.library.kinds import TAKEN
from equilibrist.poker import Range
from equilibrist.protocols import read_hands, write_hands
from equilibrist.protocols.hand_spots import hand_setup, read_spot
from equilibrist.storage.archive import file_kind
from tests.refusals import refuses

HEAD = """variant = 'NT'
antes = [0, 0, 0]
blinds_or_straddles = [0.5, 1, 0]
min_bet = 1
starting_stacks = [100, 80.25, 120]
players = ['Ann', 'Bob', 'Cem']
"""
DEALT = ["d dh p1 ????", "d dh p2 AhKh", "d dh p3 ????"]
HEADS_UP = [*DEALT, "p3 cbr 2.5", "p1 f", "p2 cc", "d db QsJh2h"]
RANGES = {"oop": "22+,A2s+,AhKh", "ip": "TT+,AK"}


def write(folder: Path, *hands: list[str]) -> Path:
    texts = [f"{HEAD}actions = {hand!r}\n" for hand in hands]
    path = folder / "hands.phhs"
    path.write_text(
        texts[0]
        if len(texts) == 1
        else "".join(f"[{number}]\n{text}\n" for number, text in enumerate(texts, 1))
    )
    return path


def test_a_heads_up_flop_is_a_spot(tmp_path: Path) -> None:
    """The big blind acts first; its 77.75 chips are the effective stack."""
    played = ["p2 cc", "p3 cbr 2", "p2 cbr 7.5", "p3 cc", "d db 3c", "p2 cbr 20", "p3 f"]
    found = hand_setup(write(tmp_path, [*HEADS_UP, *played]), **RANGES, bets="50%")
    spot = found.spot
    assert (spot.board, spot.pot, spot.stack, spot.min_bet) == ("QsJh2h", 5.5, 77.75, 1)
    assert spot.oop == Range(RANGES["oop"])
    assert spot.added_lines == ("X-B2-R7.5-C|B20",)
    assert spot.rules().follow("X-B2-R7.5-C|3c|B20-F").state.phase.name == "FOLD"
    assert found.note == "not taken over from hand 1: the cards of Bob (AhKh)"


def test_a_bet_beyond_the_shorter_stack_is_all_in(tmp_path: Path) -> None:
    played = ["p2 cbr 10", "p3 cbr 117.5", "p2 cc"]
    spot = hand_setup(write(tmp_path, [*HEADS_UP, *played]), **RANGES).spot
    assert spot.added_lines == ("B10-A",)


def test_two_players_may_be_left_on_a_later_street(tmp_path: Path) -> None:
    before = [*DEALT, "p3 cbr 2.5", "p1 cc", "p2 cc", "d db QsJh2h"]
    played = ["p1 cc", "p2 cc", "p3 cbr 4", "p1 f", "p2 cc", "d db 3c", "p2 cc", "p3 cc",
              "d db 4d", "p2 cbr 6"]  # fmt: skip
    found = hand_setup(write(tmp_path, [*before, *played]), **RANGES)
    assert (found.spot.board, found.spot.pot, found.spot.stack) == ("QsJh2h3c", 15.5, 73.75)
    assert found.spot.added_lines == ("X-X|B6",)
    assert len(found.left_out) == 2


@pytest.mark.parametrize(
    ("board", "pot", "stack", "lines"),
    [
        ("AsJh2h", 5.5, 77.75, ("X-B2-C|B10-C|X-B20",)),
        ("Qs Jh 2h 3c", 9.5, 75.75, ("B10-C|X-B20",)),
        ("Qs Jh 2h 4d", 9.5, 75.75, ("B10-C|X-B20",)),
        ("QsJh2h3c4d", 29.5, 65.75, ("X-B20",)),
    ],
)
def test_a_spot_begins_on_the_street_of_a_given_board(
    tmp_path: Path, board: str, pot: float, stack: float, lines: tuple[str, ...]
) -> None:
    """The lines of later streets would have nowhere to stand."""
    played = ["p2 cc", "p3 cbr 2", "p2 cc", "d db 3c", "p2 cbr 10", "p3 cc", "d db 4d", "p2 cc",
              "p3 cbr 20", "p2 f"]  # fmt: skip
    found = hand_setup(write(tmp_path, [*HEADS_UP, *played]), **RANGES, board=board)
    spot = found.spot
    assert (spot.pot, spot.stack, spot.added_lines) == (pot, stack, lines)
    assert ("streets before" in found.note) == (pot > 6)


def test_a_hand_that_ends_before_the_street_of_a_given_board_has_no_line(tmp_path: Path) -> None:
    path = write(tmp_path, [*HEADS_UP, "p2 cc", "p3 cbr 2", "p2 f"])
    found = hand_setup(path, **RANGES, board="QsJh2h3c")
    assert (found.spot.pot, found.spot.added_lines) == (5.5, ())
    assert "its bets" in found.note


def test_one_of_several_hands_is_named(tmp_path: Path) -> None:
    path = write(tmp_path, HEADS_UP, [*HEADS_UP, "p2 cbr 3"])
    assert hand_setup(f"{path}#2", **RANGES).spot.added_lines == ("B3",)
    assert hand_setup(path, 1, **RANGES).spot.added_lines == ()
    with pytest.raises(ConfigError) as caught:
        hand_setup(path, **RANGES)
    named = (caught.value.remedy or "").rpartition(", ")[2]
    assert hand_setup(named, **RANGES).spot.added_lines == ("B3",)
    with refuses(UnknownNameError, option="hand"):
        hand_setup(path, "3", **RANGES)


def test_hands_that_were_written_as_json_lines(tmp_path: Path) -> None:
    """Such a file stands for a spot as any other of hands; its name may have a number sign."""
    hands = read_hands(write(tmp_path, HEADS_UP, [*HEADS_UP, "p2 cbr 3"])).hands
    path = tmp_path / "session #3.jsonl"
    write_hands(hands, path)
    assert read_spot(f"{path}#2", **RANGES).spot.added_lines == ("B3",)
    assert not TAKEN["hands review"].count(str(file_kind(path)))
    (tmp_path / "flop.toml").write_text(read_spot(f"{path}#1", **RANGES).spot.to_toml())
    assert len(open_judges([tmp_path], within=1.5)) == 1


@pytest.mark.parametrize(
    "hand",
    [
        [*DEALT, "p3 f", "p1 f"],
        [*DEALT, "p3 cbr 2.5", "p1 cc", "p2 cc", "d db QsJh2h"],
        [*DEALT, "p3 cbr 80.25", "p1 f", "p2 cc", "d db QsJh2h"],
    ],
)
def test_other_hands_have_no_spot(tmp_path: Path, hand: list[str]) -> None:
    with refuses(ConfigError, option="hand"):
        hand_setup(write(tmp_path, hand), **RANGES)


def test_ranges_are_asked_for_by_the_names_of_the_players(tmp_path: Path) -> None:
    path = write(tmp_path, HEADS_UP)
    for seat, name in (("oop", "Bob"), ("ip", "Cem")):
        with refuses(ConfigError, option=seat) as caught:
            hand_setup(path, **RANGES | {seat: None})
        assert name in str(caught.value)


def test_text_of_a_site(tmp_path: Path) -> None:
    """The number of the site names the hand; what the site took is no rule of the spot."""
    path = tmp_path / "session.txt"
    path.write_text("""PokerStars Hand #233171542345: Hold'em No Limit ($0.50/$1.00) - 2023/11/21
Table 'Alpha II' 6-max Seat #3 is the button
Seat 1: Dressi ($100 in chips)
Seat 3: nick ($130.25 in chips)
Seat 5: James ($84.50 in chips)
James: posts small blind $0.50
Dressi: posts big blind $1
*** HOLE CARDS ***
Dealt to Dressi [Ah Kh]
nick: raises $1.50 to $2.50
James: folds
Dressi: calls $1.50
*** FLOP *** [2h 2c 9s]
Dressi: checks
nick: bets $2
Dressi: raises $6 to $8
nick: calls $6
*** TURN *** [2h 2c 9s] [Td]
Dressi: bets $12.50
nick: folds
Uncalled bet ($12.50) returned to Dressi
Dressi collected $20.50 from pot
*** SUMMARY ***
Total pot $21.50 | Rake $1
Board [2h 2c 9s Td]
""")
    found = hand_setup(f"{path}#233171542345", **RANGES)
    assert (found.spot.board, found.spot.pot, found.spot.stack) == ("2h2c9s", 5.5, 97.5)
    assert found.spot.added_lines == ("X-B2-R8-C|B12.5",)
    assert found.left_out[-1].startswith("the rake")
