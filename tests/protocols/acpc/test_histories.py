"""Match logs and PHH, both ways: every hand comes back, and PokerKit agrees."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from pokerkit import HandHistory

from equilibrist.errors import (
    ConfigError,
    EquilibristError,
    FileFormatError,
    OutputError,
    UnsupportedError,
)
from equilibrist.play.histories.phh import read_phh
from equilibrist.poker.cards.cards import card_names
from equilibrist.protocols.acpc.dealer import MatchSettings, deal_cards
from equilibrist.protocols.acpc.game_definition import GameDefinition
from equilibrist.protocols.acpc.histories import hand_history, logged_hands
from equilibrist.protocols.acpc.log import LoggedHand
from equilibrist.protocols.acpc.match_state import MatchState
from equilibrist.protocols.acpc.rules import rules_of
from equilibrist.protocols.converting import convert_hands
from tests.protocols.acpc.random_hands import bettings, random_definition
from tests.protocols.acpc.tables import HEADS_UP, LIMIT, SIX, THREE
from tests.refusals import refuses

NAMES = [f"player {k}" for k in range(10)]


def logged(definition: GameDefinition, hand: int, seed: int) -> LoggedHand:
    *_, end = bettings(definition, hand, seed)
    cards = deal_cards(MatchSettings(definition, hand + 1, seed), hand)
    return LoggedHand.of(hand, end, cards, NAMES[: definition.seats])


@pytest.mark.parametrize("definition", [HEADS_UP, LIMIT, SIX])
@pytest.mark.parametrize("number", [20, pytest.param(200, marks=pytest.mark.slow)])
def test_hands_come_back_from_phh(definition: GameDefinition, number: int) -> None:
    hands = [logged(definition, hand, hand) for hand in range(number)]
    text = "".join(
        f"[{k}]\n{hand_history(definition, hand).dumps()}\n" for k, hand in enumerate(hands, 1)
    )
    read = logged_hands(hand.history for hand in read_phh(text).hands)
    assert read.definition == definition
    assert [str(hand) for hand in read.hands] == [str(hand) for hand in hands]
    assert read.left_out == ()


def test_random_games_come_back_or_are_refused() -> None:
    generator = np.random.default_rng(5)
    written = 0
    for hand in range(60):
        definition = random_definition(generator)
        entry = logged(definition, hand, hand)
        try:
            history = hand_history(definition, entry)
        except UnsupportedError:
            continue
        written += 1
        read = logged_hands([history])
        assert str(read.hands[0]) == str(entry)
    assert written > 5


def test_pokerkit_pays_the_same() -> None:
    for hand in range(40):
        entry = logged(SIX, hand, hand)
        *_, end = hand_history(SIX, entry)
        for ours, theirs in zip(entry.values, end.payoffs, strict=True):
            assert abs(ours - theirs) < 1  # odd chips


@pytest.mark.parametrize("definition", [HEADS_UP, LIMIT])
def test_pokerkit_writes_the_same_messages(definition: GameDefinition) -> None:
    rules = rules_of(definition)
    for hand in range(20):
        entry = logged(definition, hand, hand)
        history = hand_history(definition, entry)
        for position in range(2):
            theirs = [line for _, line in history.to_acpc_protocol(position, hand)]
            states = [line.strip() for line in theirs if line.startswith("MATCHSTATE")]
            plain = {line for line in states if line.count(":") == 4}
            assert plain
            for line in plain:
                state = MatchState.parse(rules, line)
                assert entry.betting.text.startswith(state.betting.text.rstrip("/"))
                assert state.cards.holes[position] == entry.cards.holes[position]


def test_partial_unknown_and_odd_hands() -> None:
    about: dict[str, Any] = {
        "variant": "NT",
        "antes": [0, 0],
        "blinds_or_straddles": [0.5, 1],
        "min_bet": 1,
        "starting_stacks": [float("inf"), 100],
    }
    deal = ["d dh p1 AhKh", "d dh p2 ????"]
    hands = [
        HandHistory(**about, actions=[*deal, "p2 cbr 2.5 # a comment", "", "p1 f"]),
        HandHistory(**about, actions=[*deal, "p2 cbr 2.5"]),
        HandHistory(**about | {"antes": [1, 1]}, actions=[*deal, "p2 f"]),
        HandHistory(**about | {"starting_stacks": [50, 50]}, actions=[*deal, "p2 f"]),
        HandHistory(**about | {"variant": "NS"}, actions=[*deal, "p2 f"]),
        HandHistory(
            **about,
            actions=[*deal, "p2 cc", "p1 cc", "d db 2c3c4c", *["p1 cc", "p2 cc"], "d db 5d",
                     "p1 cc", "p2 cc", "d db 9d", "p1 cc", "p2 cc", "p1 sm AhKh", "p2 sm"],
        ),
    ]  # fmt: skip
    read = logged_hands(hands)
    assert read.definition.blinds == (10, 5)
    assert read.definition.stacks == (10**9, 1000)
    assert [str(hand) for hand in read.hands] == ["STATE:0:r25f:AhKh|:-10|10:p1|p2"]
    assert [text.partition(":")[0] for text in read.left_out] == [f"hand {k}" for k in range(2, 7)]
    with refuses(UnsupportedError, option="hands", given=1):
        logged_hands(hands[1:2])


@pytest.mark.parametrize(
    ("option", "definition"),
    [
        ("firstPlayer", THREE),
        ("blind", replace(HEADS_UP, blinds=(50, 100))),
        ("numRanks", replace(HEADS_UP, num_ranks=9)),
        ("numHoleCards", replace(HEADS_UP, num_hole_cards=1)),
        ("maxRaises", replace(LIMIT, max_raises=(4, 4, 4, 4))),
        ("raiseSize", replace(LIMIT, raise_sizes=(10, 20, 20, 20))),
    ],
)
def test_games_that_phh_does_not_have(option: str, definition: GameDefinition) -> None:
    with refuses(UnsupportedError, option=option):
        hand_history(definition, logged(definition, 0, 1))


def write_match(folder: Path, definition: GameDefinition, hands: int) -> list[str]:
    lines = [str(logged(definition, hand, 7)) for hand in range(hands)]
    (folder / "m.log").write_text("# a comment\n" + "\n".join(lines) + "\nSCORE:0|0:a|b\n")
    (folder / "m.game").write_text(definition.text())
    return lines


def test_files(tmp_path: Path) -> None:
    lines = write_match(tmp_path, HEADS_UP, 5)
    there = convert_hands(tmp_path / "m.log", tmp_path / "m.phhs")
    assert there.hands == 5
    back = convert_hands(tmp_path / "m.phhs", tmp_path / "again.log")
    assert back.hands == 5
    assert (tmp_path / "again.log").read_text().splitlines() == lines
    assert GameDefinition.from_file(tmp_path / "again.game") == HEADS_UP
    with refuses(ConfigError, option="target", expected=".phhs"):
        convert_hands(tmp_path / "m.log", tmp_path / "m.phh")
    write_match(tmp_path, HEADS_UP, 1)
    convert_hands(tmp_path / "m.log", tmp_path / "m.phh")
    assert convert_hands(tmp_path / "m.phh", tmp_path / "one.log").hands == 1


def test_files_under_the_name_of_another_form_are_told_by_their_content(tmp_path: Path) -> None:
    lines = write_match(tmp_path, HEADS_UP, 1)
    convert_hands(tmp_path / "m.log", tmp_path / "m.phhs")
    (tmp_path / "m.phhs").rename(tmp_path / "odd.log")
    assert convert_hands(tmp_path / "odd.log", tmp_path / "t.phhs").hands == 1
    (tmp_path / "m.log").rename(tmp_path / "m.txt")
    assert convert_hands(tmp_path / "m.txt", tmp_path / "u.phhs").hands == 1
    assert convert_hands(tmp_path / "t.phhs", to="acpc").hands == 1
    assert (tmp_path / "t.log").read_text().splitlines() == lines


@pytest.mark.parametrize(("source", "target"), [("m.log", "t.phhs"), ("m.phhs", "t.log")])
def test_hands_that_are_there_are_not_lost(tmp_path: Path, source: str, target: str) -> None:
    """A longer file replaces what it continues; nothing is written over otherwise."""
    for hands in (2, 5):
        write_match(tmp_path, HEADS_UP, hands)
        (tmp_path / "m.phhs").unlink(missing_ok=True)
        convert_hands(tmp_path / "m.log", tmp_path / "m.phhs")
        assert convert_hands(tmp_path / source, tmp_path / target).hands == hands
    kept = (tmp_path / target).read_bytes()
    write_match(tmp_path, HEADS_UP, 2)
    (tmp_path / "m.phhs").unlink()
    convert_hands(tmp_path / "m.log", tmp_path / "m.phhs")
    for content in (kept, b"my notes\n"):
        (tmp_path / target).write_bytes(content)
        with refuses(OutputError, option="target", given=target):
            convert_hands(tmp_path / source, tmp_path / target)
        assert (tmp_path / target).read_bytes() == content


def test_a_game_definition_that_is_there_is_read_alone(tmp_path: Path) -> None:
    write_match(tmp_path, HEADS_UP, 1)
    convert_hands(tmp_path / "m.log", tmp_path / "m.phhs")
    (tmp_path / "t.game").write_text(f"# mine\n{HEADS_UP.text()}")
    converted = convert_hands(tmp_path / "m.phhs", tmp_path / "t.log")
    assert converted.files == (tmp_path / "t.log",)
    assert (tmp_path / "t.game").read_text().startswith("# mine\n")


def test_hands_of_a_log_with_other_winnings_than_the_play_are_left_out(tmp_path: Path) -> None:
    lines = write_match(tmp_path, HEADS_UP, 3)
    *play, _, names = lines[1].split(":")
    lines[1] = ":".join([*play, "-1|1", names])
    (tmp_path / "m.log").write_text("\n".join(lines))
    there = convert_hands(tmp_path / "m.log", tmp_path / "m.phhs")
    assert there.hands == 2
    assert [text.partition(":")[0] for text in there.left_out] == ["hand 1, line 2"]


@pytest.mark.parametrize("winnings", ["-300|301", "300|-299"])
def test_where_cards_are_not_known_the_sum_of_winnings_is_0(winnings: str) -> None:
    line = f"STATE:0:cc/cc/cr300c/cc:9dJs|/4c4sQs/2c/7d:{winnings}:a|b"
    hand = LoggedHand.parse(rules_of(HEADS_UP), line)
    with refuses(UnsupportedError, option="winnings", given=winnings, expected="a sum of 0"):
        hand_history(HEADS_UP, hand)


def test_histories_with_other_final_stacks_than_the_play_are_left_out() -> None:
    history = hand_history(HEADS_UP, logged(HEADS_UP, 0, 0))
    right = history.finishing_stacks
    for odd, left_out in ((0.5, 0), (1, 1), (-40, 1)):
        history.finishing_stacks = [right[0] + odd, right[1] - odd]
        read = logged_hands([history, hand_history(HEADS_UP, logged(HEADS_UP, 1, 1))])
        assert (len(read.hands), len(read.left_out)) == (2 - left_out, left_out)


_PLAYED = (
    "d dh p1 4cJc", "d dh p2 Ac3c", "p2 cc", "p1 cbr 400", "p2 cc", "d db 6c3s9s", "p1 cc",
    "p2 cc", "d db 9c", "p1 cc", "p2 cc", "d db 9h", "p1 cbr 200", "p2 cc", "p1 sm 4cJc",
    "p2 sm Ac3c",
)  # fmt: skip


@pytest.mark.parametrize(
    ("blinds", "order", "is_played"),
    [
        ([50, 100], [*range(16)], True),
        ([50, 100], [*range(14)], True),  # nobody shows
        ([50, 100], [0, 1, 2, 3, 4, 8, 6, 7, 5, *range(9, 16)], False),  # the turn before the flop
        ([50, 100], [0, 1, 2, 3, 5, 4, *range(6, 16)], False),  # a flop before the call
        ([50, 100], [0, 2, 1, *range(3, 16)], False),  # an action before the deal
        ([50, 100], [0, 0, *range(1, 16)], False),  # dealt twice
        ([50, 100], [*range(15), 14, 15], False),  # shown twice
        ([50, 100], [*range(16), 2], False),  # a call after the end
        ([100, 50], [*range(16)], False),  # p2 has the big blind, and acts first
    ],
)
def test_histories_out_of_order_are_left_out(
    blinds: list[int], order: list[int], *, is_played: bool
) -> None:
    history = HandHistory(
        variant="NT",
        antes=[0, 0],
        blinds_or_straddles=blinds,
        min_bet=100,
        starting_stacks=[2000, 2000],
        actions=[_PLAYED[k] for k in order],
    )
    if is_played:
        (hand,) = logged_hands([history]).hands
        assert hand.betting.text == "cr400c/cc/cc/r600c"
        assert card_names(hand.cards.board) == "6c3s9s9c9h"
    else:
        with refuses(UnsupportedError, option="hands", given=1):
            logged_hands([history])


def test_a_game_definition_of_another_game_is_kept(tmp_path: Path) -> None:
    write_match(tmp_path, HEADS_UP, 2)
    convert_hands(tmp_path / "m.log", tmp_path / "m.phhs")
    other = replace(HEADS_UP, stacks=(500, 500)).text()
    for name in ("holdem.game", "x.game"):  # named, or beside the log
        (tmp_path / name).write_text(other)
        named = tmp_path / name if name == "holdem.game" else None
        with refuses(ConfigError, option="game", given=tmp_path / name):
            convert_hands(tmp_path / "m.phhs", tmp_path / "x.log", named)
        assert (tmp_path / name).read_text() == other
        assert not (tmp_path / "x.log").exists()
    assert convert_hands(tmp_path / "m.phhs", tmp_path / "y.log", tmp_path / "m.game").hands == 2
    with refuses(ConfigError, option="game"):
        convert_hands(tmp_path / "m.phhs", tmp_path / "z.log", tmp_path / "z.log")
    assert not (tmp_path / "z.log").exists()
    with refuses(ConfigError, option="game"):
        convert_hands(tmp_path / "m.log", tmp_path / "z.phhs", tmp_path / "z.phhs")


def test_files_that_are_none(tmp_path: Path) -> None:
    write_match(tmp_path, HEADS_UP, 1)
    for source, target, option in (
        ("m.log", "m.doc", "target"),
        ("m.log", "m.log", "target"),
    ):
        with refuses(ConfigError, option=option):
            convert_hands(tmp_path / source, tmp_path / target)
    with refuses(ConfigError, option="game"):
        convert_hands(tmp_path / "m.phh", tmp_path / "n.log", tmp_path / "m.phh")
    with refuses(FileFormatError, option="game"):
        convert_hands(tmp_path / "m.log", tmp_path / "m.phhs", tmp_path / "none.game")
    for text in ("[1]\nvariant = 3\n", "no toml [", "", "\x00"):
        (tmp_path / "bad.phhs").write_text(text)
        with pytest.raises(EquilibristError):
            convert_hands(tmp_path / "bad.phhs", tmp_path / "bad.log")
        assert not (tmp_path / "bad.log").exists()
