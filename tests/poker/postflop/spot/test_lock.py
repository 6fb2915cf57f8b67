"""Locks as values: what they say, texts and files that come back equal, what is refused."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from equilibrist.errors import (
    ConfigError,
    EquilibristError,
    LineSyntaxError,
    LockSyntaxError,
    RangeSyntaxError,
    UnknownNameError,
)
from equilibrist.poker.cards.combos import parse_combo
from equilibrist.poker.postflop.spot.lock import Lock
from equilibrist.poker.postflop.spot.spot import Spot
from tests.refusals import refuses

KEYS: dict[str, Any] = {
    "board": "Ts3h2h5c",
    "oop": "AA,QQ,JTs",
    "ip": "KK,T9s,98s",
    "pot": 100,
    "stack": 300,
    "bets": "50%, a",
}


def fixed(spot: Spot, hand: str, runout: tuple[int, ...] = ()) -> list[float | None]:
    """What the only locked node of a spot fixes for a hand, None where free."""
    (node,) = spot.locked_nodes
    column = node.fixed(runout)[:, parse_combo(hand)].tolist()
    return [None if np.isnan(share) else share for share in column]


@pytest.mark.parametrize(
    ("text", "lock"),
    [
        (
            "B50: AA,KK = Call 100%; QQ = Fold .25",
            Lock("b50", {"KK+": {"C": 1}, "QQ": {"F": "25%"}}),
        ),
        ("B50: Fold 25%", Lock("B50", actions={"Fold": 0.25})),
        ("B50: 100% = Fold 25%;", Lock("B50", {"100%": {"Fold": 0.25}})),
        (": Bet 50 10%, X 0", Lock("", actions={"B50": "10%", "check": 0})),
        (" x-x | [8H] : AhKh = all-in 1", Lock("X-X|8h", {"KhAh": {"A": 1.0}})),
        ("X-X|: AA = ;; X 1", Lock("X-X|", {"AA": {}}, {"X": 1})),
        ("A: F 1; AA = C 1; AA = F 1", Lock("A", {"100%": {"Fold": 1}, "AA": {"Call": 1}})),
        ("B50: frequency = Fold 25%", Lock("B50", frequency={"Fold": 0.25})),
        (
            "B50: Frequency=F .25,C 50%; KK = Call 1",
            Lock("B50", {"KK": {"Call": 1}}, frequency={"F": "25%", "Call": 0.5}),
        ),
        (
            ": AA = ; X 10%; frequency = X 60%;",
            Lock("", {"AA": {}}, {"X": 0.1}, {"Check": 0.6}),
        ),
    ],
)
def test_texts_and_tables_say_the_same(text: str, lock: Lock) -> None:
    found = Lock.parse(text)
    assert found == lock
    assert hash(found) == hash(lock)
    assert Lock.parse(str(lock)) == lock
    assert Lock(**lock.to_dict()) == lock
    assert pickle.loads(pickle.dumps(lock)) == lock
    assert lock != Lock("B50", {"AA": {"Call": 0.5}})


def test_text_of_a_lock() -> None:
    lock = Lock("X-B50", {"AA,KK": {"Call": 1}, "QQ": {"Fold": 0.25, "Raise 150": "1e-5"}})
    assert str(lock) == "X-B50: KK+ = Call 1; QQ = Fold 0.25, Raise 150 0.00001"
    assert repr(lock) == f"<Lock {lock}>"
    assert str(Lock.parse(":X 1")) == ": Check 1"


def test_the_earlier_decides() -> None:
    spot = Spot(
        **KEYS,
        locks=[
            "B50: KsKh = Call 1",
            Lock("B50", {"KK": {"Fold": 1}}, {"Fold": 0.5}),
            {"line": "B50", "actions": {"Call": 1}},
        ],
    )
    actions = spot.rules().actions(spot.rules().follow("B50")[0])
    assert [str(action) for action in actions] == ["Fold", "Call"]
    assert fixed(spot, "KsKh") == [0, 1]
    assert fixed(spot, "KsKd") == [1, 0]
    assert fixed(spot, "9s8s") == [0.5, None]
    assert fixed(spot, "AsAh") == [None, None]  # not of the player who acts


def test_hands_are_exempt() -> None:
    spot = Spot(**KEYS, locks=["B50: KK =; Fold 20%"])
    assert fixed(spot, "KsKh") == [None, None]
    assert fixed(spot, "9s8s") == [0.2, None]


def test_nothing_is_left() -> None:
    """Shares that sum to 1 leave 0 to the others; those of all actions sum to 1 exactly."""
    keys = {**KEYS, "raises": "a"}
    spot = Spot(**keys, locks=["B50: KK = Fold 1; T9s = F .3, C .3, A .4000005"])
    assert fixed(spot, "KsKh") == [1, 0, 0]
    assert sum(share or 0 for share in fixed(spot, "Th9h")) == pytest.approx(1, abs=1e-15)
    assert fixed(spot, "Th9h") == pytest.approx([0.3, 0.3, 0.4], abs=1e-6)


def test_cards_that_are_left_out_are_all_cards() -> None:
    king, ace = 4 * 11 + 1, 4 * 12
    spot = Spot(**KEYS, locks=["X-X|Kd: AA = A 1", "X-X|: AA = X 1; A 1"])
    assert fixed(spot, "AsAh", (king,)) == [0, 0, 1]
    assert fixed(spot, "AsAh", (ace,)) == [1, 0, 0]
    assert fixed(spot, "QsQh", (king,)) == [0, 0, 1]
    flop = Spot(**{**KEYS, "board": "Ts3h2h"}, locks=["X-X|X-X|Kd: X 1"])
    assert fixed(flop, "AsAh", (ace, king))[0] == 1
    assert fixed(flop, "AsAh", (king, ace))[0] is None


def test_files_come_back(tmp_path: Path) -> None:
    locks = [
        Lock("B50", {"AhKh,KK": {"Call": 1}, "T9s": {"Fold": 0.1}}, {"Fold": "25%"}),
        Lock("X-X|2c", {"AA": {"All-in": 1 / 3}, "QQ": {}}),
        Lock("", actions={"Bet 50": 0.125, "X": 0.5}),
    ]
    spot = Spot(**KEYS, locks=locks)
    assert list(spot.locks) == locks
    file = tmp_path / "spot.toml"
    file.write_text(spot.to_toml())
    assert Spot.from_toml(file) == spot
    assert Spot.from_toml(file, locks=["B50: Fold 1"]).locks == (Lock("B50", actions={"F": 1}),)
    assert Spot(**spot.model_dump()) == spot
    assert pickle.loads(pickle.dumps(spot)) == spot
    assert len({spot, spot.replace(locks=locks), spot.replace(locks=locks[:2])}) == 2
    assert "[[locks]]" not in spot.replace(locks=()).to_toml()


def test_a_file_as_people_write_it(tmp_path: Path) -> None:
    file = tmp_path / "spot.toml"
    file.write_text(
        Spot(**KEYS).to_toml()
        + '[[locks]]\nline = "B50"\nhands = { "KK, T9s" = { Call = 1 } }\n'
        + '[[locks]]\nline = "X-X|"\nactions = { Bet50 = "10%" }\n'
    )
    locks = Lock.parse("B50: KK,T9s = Call 1"), Lock.parse("X-X|: Bet 50 10%")
    assert Spot.from_toml(file).locks == locks


@pytest.mark.parametrize(
    ("text", "position"),
    [
        ("B50", 3),
        ("B50:", 4),
        ("B50: KK", 5),
        ("5: KK = C 1", 0),
        ("B50-: KK = C 1", 4),
        ("B50: AK2 = C 1", 7),
        ("B50: KK:0.5 = C 1", 7),
        ("B50: KK = Cal 1", 10),
        ("B50: KK = Call", 14),
        ("B50: KK = Bet 94", 10),
        ("B50: KK = Call 1.5", 15),
        ("B50: KK = Call 101%", 15),
        ("B50: KK = Call nan", 15),
        ("B50: KK = Call 1e9999999%", 15),
        ("B50: KK = Call -1", 15),
        ("B50: KK = C 1, ", 14),
        ("B50: KK = C 1 = 2", 16),
    ],
)
def test_texts_that_cannot_be_read(text: str, position: int) -> None:
    with refuses(LockSyntaxError, text=text, position=position):
        Lock.parse(text)


@pytest.mark.parametrize(
    ("lock", "kind", "fields"),
    [
        (3, ConfigError, dict(option="lock", given=3)),
        (
            {"lin": "", "actions": {}},
            UnknownNameError,
            dict(option="key of a lock", name="lin", suggestions=("line",)),
        ),
        ({"actions": {"X": 1}}, ConfigError, dict(option="line")),
        ({"line": 5, "actions": {"X": 1}}, ConfigError, dict(option="line", given=5)),
        ({"line": "B50"}, ConfigError, dict(option="hands")),
        ({"line": "B50", "hands": "KK"}, ConfigError, dict(option="hands", given="KK")),
        ({"line": "B50", "hands": {"KK": 1}}, ConfigError, dict(option="actions", given=1)),
        ({"line": "B50", "hands": {3: {}}}, ConfigError, dict(option="hands", given=3)),
        ({"line": "B50", "actions": {2: 1}}, ConfigError, dict(option="action", given=2)),
        (
            {"line": "B50", "hands": {"KJK": {"C": 1}}},
            RangeSyntaxError,
            dict(position=2, option="range", given="K"),
        ),
        (
            {"line": "B50", "actions": {"Cal": 1}},
            LineSyntaxError,
            dict(position=0, option="line", given="Cal"),
        ),
        (
            {"line": "B50", "actions": {"Call": float("nan")}},
            ConfigError,
            dict(option="share", given=float("nan")),
        ),
        (
            {"line": "B50", "actions": {"Call": "much"}},
            ConfigError,
            dict(option="share", given="much"),
        ),
        (
            {"line": "B50", "actions": {"Call": 1.01}},
            ConfigError,
            dict(option="share", given=1.01),
        ),
        (
            {"line": "B50", "actions": {"Call": True}},
            ConfigError,
            dict(option="share", given=True),
        ),
        ("B50: KK = F .6, C .6", ConfigError, dict(option="shares", given=1.2)),
        ("B51: C 1", LineSyntaxError, dict(position=0, option="line", given="B51")),
        ("B50: R200 1", ConfigError, dict(option="action", given="Raise 200")),
        (": F 1", ConfigError, dict(option="action", given="Fold")),
        ("B50: AA = C 1", ConfigError, dict(option="hands", given="AA")),
        ("X-X|Ts: X 1", LineSyntaxError, dict(position=4, option="line", given="Ts")),
        ("X-X|As: AsAh,AsAd = X 1", ConfigError, dict(option="hands", given="AsAh,AsAd")),
        ("B50: F .5, C .4", ConfigError, dict(option="shares", given=0.9, expected=1)),
        (": A 0, A300 .1", ConfigError, dict(option="action", given="All-in 300")),
        ("X-X: X 1", ConfigError, dict(option="line")),
        ("A-C: X 1", ConfigError, dict(option="line")),
        ("B50-F: X 1", ConfigError, dict(option="line")),
    ],
)
def test_what_is_refused(lock: Any, kind: type[EquilibristError], fields: dict[str, Any]) -> None:
    with refuses(kind, **fields) as caught:
        Spot(**KEYS, locks=[lock])
    assert str(caught.value.place).startswith("locks")


def test_locks_are_a_list() -> None:
    rows: tuple[Any, ...] = ("B50: C 1", {"line": ""}, None)
    for locks in rows:
        with refuses(ConfigError, option="locks"):
            Spot(**KEYS, locks=locks)


@given(st.text(alphabet="B50XAKQ:=;,% 1.FC|-hc", max_size=30))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        lock = Lock.parse(text)
    except EquilibristError:
        return
    assert Lock.parse(str(lock)) == lock
