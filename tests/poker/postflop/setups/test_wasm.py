"""Set-ups of WASM Postflop and Desktop Postflop."""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from typing import Any

import pytest

from equilibrist.errors import BetSizeSyntaxError, ConfigError, FileFormatError, UnknownNameError
from equilibrist.poker import Spot, read_setup
from equilibrist.storage.kinds.recognition import sniffed_kind
from tests.poker.postflop.setups.same_trees import check_same
from tests.refusals import refuses

CONFIG: dict[str, Any] = {
    "board": ["4h", "7s", "Jc"],
    "startingPot": 60,
    "effectiveStack": 166,
    "rakePercent": 5,
    "rakeCap": 3,
    "donkOption": False,
    "oopFlopBet": "5c, 50",
    "oopFlopRaise": "2.5x",
    "oopTurnBet": "50 a",
    "oopTurnRaise": "",
    "oopTurnDonk": "33",
    "oopRiverBet": "e",
    "oopRiverRaise": "a",
    "oopRiverDonk": "33",
    "ipFlopBet": "30, 50, 75%",
    "ipFlopRaise": "60",
    "ipTurnBet": "66",
    "ipTurnRaise": "",
    "ipRiverBet": "",
    "ipRiverRaise": "",
    "addAllInThreshold": 150,
    "forceAllInThreshold": 20,
    "mergingThreshold": 10,
    "expectedBoardLength": 0,
    "addedLines": "",
    "removedLines": "",
}
KEYS: dict[str, Any] = {
    "board": "4h7sJc",
    "oop": "AA,KK:0.5",
    "ip": "22,QQ",
    "pot": 60,
    "stack": 166,
    "rake": 0.05,
    "rake_cap": 3,
    "oop_bets": "5c,50%|50%,a|e",
    "oop_raises": "2.5x||a",
    "ip_bets": "30%,50%,75%|66%|",
    "ip_raises": "60%||",
    "add_all_in": 1.5,
    "all_in_without_sizes": True,
    "force_all_in": 0.2,
    "merge": 0.1,
}


def write(folder: Path, document: object, name: str = "setup.json") -> Path:
    path = folder / name
    path.write_text(json.dumps(document, indent=1))
    return path


def whole(**changes: Any) -> dict[str, Any]:
    return {"oopRange": "AA,KK:0.5", "ipRange": "22,QQ", "config": CONFIG | changes}


def test_a_set_up_is_the_spot_that_one_writes_by_hand(tmp_path: Path) -> None:
    path = write(tmp_path, whole())
    found = read_setup(path)
    check_same(found.spot, Spot(**KEYS))
    assert found.note == ""
    assert sniffed_kind(path) == sniffed_kind(write(tmp_path, whole(), "a.txt")) == "solver-setup"


def test_donk_bets_have_lists_of_their_own_if_they_are_on(tmp_path: Path) -> None:
    found = read_setup(write(tmp_path, whole(donkOption=True, oopTurnDonk=""))).spot
    check_same(found, Spot(**KEYS, donks="|none|33%"))


def test_boards_as_numbers_and_as_text(tmp_path: Path) -> None:
    for board in ([10, 23, 36], "4h 7s Jc", "4h,7s,Jc"):
        assert read_setup(write(tmp_path, whole(board=board))).spot.board == "4h7sJc"


def test_lines_are_taken_over_for_the_board_that_they_were_made_for(tmp_path: Path) -> None:
    lines = {"addedLines": "X-B15,X-X|B20", "removedLines": "B30-C|B60"}
    found = read_setup(write(tmp_path, whole(**lines, expectedBoardLength=3)))
    assert found.spot.added_lines == ("X-B15", "X-X|B20")
    assert found.spot.removed_lines == ("B30-C|B60",)
    found = read_setup(write(tmp_path, whole(**lines, expectedBoardLength=4, bunching=[1])))
    assert found.spot.added_lines == found.spot.removed_lines == ()
    assert len(found.left_out) == 3


def test_configurations_get_ranges_and_board_from_outside(tmp_path: Path) -> None:
    config = {key: value for key, value in CONFIG.items() if key != "board"}
    entries = [
        {"path": ["SRP"], "isGroup": True, "value": None},
        {"path": ["SRP", "100bb"], "isGroup": False, "value": config},
        {"path": ["3bet"], "isGroup": False, "value": config | {"startingPot": 180}},
    ]
    path = write(tmp_path, {"version": 2, "name": "configurations", "data": entries})
    rest = {key: KEYS[key] for key in ("board", "oop", "ip")}
    check_same(read_setup(f"{path}#SRP/100bb", **rest).spot, Spot(**KEYS))
    assert read_setup(f"{path}#3bet", **rest).spot.pot == 180
    with pytest.raises(ConfigError) as caught:
        read_setup(path, **rest)
    named = shlex.split((caught.value.remedy or "").partition("as in ")[2])
    check_same(read_setup(*named, **rest).spot, Spot(**KEYS))
    with refuses(UnknownNameError, option="name"):
        read_setup(f"{path}#4bet", **rest)
    with refuses(ConfigError, option="board"):
        read_setup(f"{path}#3bet")


@pytest.mark.parametrize(
    ("key", "value", "kind"),
    [
        ("startingPot", "much", FileFormatError),
        ("startingPot", -5, FileFormatError),
        ("board", ["4h", "7s", 99], FileFormatError),
        ("oopFlopBet", "50, x", BetSizeSyntaxError),
        ("ipTurnRaise", 50, FileFormatError),
        ("rakePercent", 200, FileFormatError),
        ("forceAllInThreshold", "high", FileFormatError),
    ],
)
def test_malformed_values_are_named(
    tmp_path: Path, key: str, value: object, kind: type[Exception]
) -> None:
    path = write(tmp_path, whole(**{key: value}))
    with pytest.raises(kind) as caught:
        read_setup(path)
    line = next(k for k, text in enumerate(path.read_text().splitlines(), 1) if f'"{key}"' in text)
    assert caught.value.option == key  # type: ignore[attr-defined]
    assert f"{path}, line {line}, {key}" in str(caught.value.place)  # type: ignore[attr-defined]
