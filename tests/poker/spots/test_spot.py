"""Spots: what keys mean, files that come back equal, and what is refused."""

from __future__ import annotations

import json
import pickle
import tomllib
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import equilibrist as eq
from equilibrist.errors import (
    BetSizeSyntaxError,
    CardSyntaxError,
    ConfigError,
    EquilibristError,
    FileFormatError,
    LineSyntaxError,
    NotationError,
    RangeSyntaxError,
    UnknownNameError,
)
from equilibrist.poker import solve
from equilibrist.poker.betting.bet_sizes import Thresholds
from equilibrist.poker.betting.state import street_menus
from equilibrist.poker.ranges.range import Range
from equilibrist.poker.ranges.range_files import write_range_file
from equilibrist.poker.spots.fields import SPOT_KEYS
from equilibrist.poker.spots.spot import Spot
from equilibrist.poker.text_span import read_share
from tests.poker.spots.spots import FLOP, SMALL, TURN
from tests.refusals import refuses
from tests.slow_cases import examples


def options(spot: Spot, line: str) -> str:
    rules = spot.rules()
    return ", ".join(map(str, rules.actions(rules.follow(line)[0])))


def test_the_turn_spot() -> None:
    spot = Spot(**TURN, donks="||50%")
    assert options(spot, "") == "Check, Bet 120, Bet 216, All-in 900"
    assert options(spot, "B120") == "Fold, Call, Raise 300"
    assert options(spot, "X-B120-C|2c") == "Check, Bet 220"
    assert [int((each.weights > 0).sum()) for each in spot.ranges] == [167, 250]
    assert (spot.first_street, len(spot.cards)) == (1, 4)


def test_the_flop_spot() -> None:
    spot = Spot(**FLOP)
    assert options(spot, "") == "Check, Bet 120"
    assert options(spot, "B120") == "Fold, Call, Raise 300"
    assert options(spot, "X-B120-C|Qc") == "Check, Bet 264"  # all-in is 1.77 pots
    assert options(spot, "X-B120-R300-C|Qc") == "Check, All-in 600"
    assert spot.first_street == 0


def test_every_key_reaches_the_rules() -> None:
    rules = Spot(
        **SMALL,
        bets="a|20%|30%",
        oop_bets="40%",
        ip_raises="3x",
        raises="2x",
        donks="|70%|",
        add_all_in="150%",
        force_all_in=0.15,
        merge="7%",
        raise_cap=2,
        min_bet=3,
        rake="2.5%",
        rake_cap=10,
        added_lines=["B33"],
        removed_lines=("X-A",),
    ).rules()
    assert rules.menus == (
        street_menus("40%", "2x", "|70%|"),
        street_menus("a|20%|30%", "3x"),
    )
    assert rules.thresholds == Thresholds(1.5, 0.15, 0.07)
    assert (rules.raise_cap, rules.min_bet, rules.rake_rate, rules.rake_cap) == (2, 3, 0.025, 10.0)
    assert (rules.added, rules.removed) == (("B33",), ("X-A",))
    other = Spot(**SMALL, bets="10%", oop_raises="none", ip_bets="a", raises="2x").rules()
    assert other.menus == (street_menus("10%"), street_menus("a", "2x"))
    both = Spot(**SMALL, bets="10%|20%|30%", raises="2x").rules()
    assert both.menus == (street_menus("10%|20%|30%", "2x"),) * 2


def test_the_keys_are_described() -> None:
    fields = Spot.model_fields
    assert list(SPOT_KEYS) == list(fields)
    assert all(fields[key].description == text for key, text in SPOT_KEYS.items())
    assert Spot.model_json_schema()["properties"]["oop"]["type"] == "string"


def test_a_spot_is_a_value() -> None:
    spot = eq.poker.Spot(**TURN)
    again = Spot(**TURN | {"board": "[Td 9d 6h Qc]", "oop": Range(TURN["oop"]), "merge": "10%"})
    assert spot == again
    assert hash(spot) == hash(again)
    assert pickle.loads(pickle.dumps(spot)) == spot
    assert spot != Spot(**TURN | {"pot": 201})
    with pytest.raises(ValueError, match="frozen"):
        spot.pot = 3


def test_a_file_and_back(tmp_path: Path) -> None:
    file = tmp_path / "spot.toml"
    spot = Spot(**TURN, donks="||50%", rake=0.05, rake_cap=30, added_lines=["X-B150"])
    file.write_text(spot.to_toml())
    assert Spot.from_toml(file) == spot
    assert Spot.from_toml(file, pot=201).pot == 201
    assert "min_bet" not in spot.to_toml()
    file.write_bytes(b"\xef\xbb\xbf" + spot.to_toml().encode())
    assert Spot.from_toml(str(file)) == spot


@pytest.mark.parametrize(
    ("changes", "kind", "fields"),
    [
        ({"board": ""}, ConfigError, dict(option="board", given="")),
        ({"board": "Td"}, CardSyntaxError, dict(place="board, column 1", option="board", given=1)),
        (
            {"board": "TdTd9h"},
            CardSyntaxError,
            dict(place="board, column 3", option="card", given="Td"),
        ),
        ({"board": 7}, ConfigError, dict(option="board", given=7)),
        ({"bet": "5%"}, UnknownNameError, dict(option="bet", name="bet")),
        ({"players": 3}, ConfigError, dict(option="key", given="players")),
        ({"oop": None}, ConfigError, dict(option="oop")),
        ({"oop": "AK,,"}, RangeSyntaxError, dict(place="oop, column 4", option="oop", given="")),
        (
            {"ip": "AhKhQdJd"},
            RangeSyntaxError,
            dict(place="ip, column 5", option="ip", given="QdJd"),
        ),
        ({"ip": 5}, ConfigError, dict(option="ip", given=5)),
        ({"oop": ""}, ConfigError, dict(option="oop")),
        ({"oop": "QcTd"}, ConfigError, dict(option="oop", given="Td9d6hQc")),
        ({"oop": "TT", "ip": "TT"}, ConfigError, dict(option="ranges", given=0.0)),
        ({"pot": 0}, ConfigError, dict(option="pot", given=0)),
        ({"stack": 0}, ConfigError, dict(option="stack", given=0)),
        ({"stack": 10.555}, ConfigError, dict(option="stack", given=10.555)),
        ({"pot": "1e3"}, ConfigError, dict(option="pot", given="1e3")),
        ({"min_bet": -0.5}, ConfigError, dict(option="min_bet", given=-0.5)),
        ({"unit": 0.5}, ConfigError, dict(option="unit", given=0.5)),
        ({"unit": 1, "stack": 97.5}, ConfigError, dict(option="stack", given=97.5, place=None)),
        (
            {"added_lines": ["B3.5"], "unit": "1"},
            LineSyntaxError,
            dict(place="added_lines, column 1", option="line", given="B3.5"),
        ),
        ({"unit": 0.1, "bets": "3.25c"}, ConfigError, dict(option="sizes", given=3.25)),
        ({"stack": [900, 800]}, ConfigError, dict(option="stack", given="[900, 800]")),
        (
            {"bets": "50%, 75z"},
            BetSizeSyntaxError,
            dict(place="bets, column 6", option="bets", given="75z"),
        ),
        (
            {"bets": "2.5x"},
            BetSizeSyntaxError,
            dict(place="bets, column 1", option="bets", given="2.5x"),
        ),
        ({"ip_raises": 3}, ConfigError, dict(option="ip_raises", given=3)),
        ({"bets": None}, ConfigError, dict(option="bets")),
        ({"bets": "0%"}, ConfigError, dict(option="bets", given="0%")),
        ({"bets": "50%||"}, ConfigError, dict(option="bets", given="flop")),
        ({"ip_raises": "a||"}, ConfigError, dict(option="ip_raises", given="flop")),
        ({"oop_bets": "a", "ip_bets": "e"}, ConfigError, dict(option="bets")),
        (
            {"ip_bets": "none", "ip_raises": "none", "donks": "||50%"},
            ConfigError,
            dict(option="donks"),
        ),
        ({"donks": "|50%|"}, ConfigError, dict(option="donks", given="turn")),
        (
            {"donks": "50%||"},
            BetSizeSyntaxError,
            dict(place="donks, column 1", option="donks", given="50%"),
        ),
        ({"rake": 5}, ConfigError, dict(option="rake", given=5)),
        ({"rake": "101%"}, ConfigError, dict(option="rake", given="101%")),
        ({"merge": "-1%"}, ConfigError, dict(option="merge", given="-1%")),
        ({"rake": "x"}, ConfigError, dict(option="rake", given="x")),
        ({"rake": "1e999999999"}, ConfigError, dict(option="rake", given=float("inf"))),
        ({"rake": "1e9999999%"}, ConfigError, dict(option="rake", given="1e9999999%")),
        ({"merge": "sNaN%"}, ConfigError, dict(option="merge", given="sNaN%")),
        ({"rake": float("nan")}, ConfigError, dict(option="rake", given=float("nan"))),
        ({"force_all_in": 15}, ConfigError, dict(option="force_all_in", given=15)),
        ({"add_all_in": "150"}, ConfigError, dict(option="add_all_in", given="150")),
        ({"merge": 10}, ConfigError, dict(option="merge", given=10)),
        ({"merge": 1000}, ConfigError, dict(option="merge", given=1000)),
        ({"merge": -1}, ConfigError, dict(option="merge", given=-1)),
        ({"rake_cap": "3"}, ConfigError, dict(option="rake_cap", given="3")),
        ({"raise_cap": True}, ConfigError, dict(option="raise_cap", given=True)),
        ({"added_lines": "X-B7"}, ConfigError, dict(option="added_lines", given="X-B7")),
        (
            {"added_lines": ["B9999"]},
            LineSyntaxError,
            dict(place="added_lines, column 1", option="line", given="B9999"),
        ),
        (
            {"removed_lines": ["X-B7"]},
            LineSyntaxError,
            dict(place="removed_lines, column 3", option="line", given="B7"),
        ),
    ],
)
def test_what_is_refused(
    changes: dict[str, Any], kind: type[EquilibristError], fields: dict[str, Any], tmp_path: Path
) -> None:
    with refuses(kind, **fields) as caught:
        Spot(**TURN | changes)
    if isinstance(caught.value, NotationError):
        assert caught.value.text in [
            value for given in changes.values() for value in (given, *given)
        ]


def test_lists_of_streets_that_are_past_may_stay() -> None:
    river = Spot(**TURN | {"board": "Td9d6hQc2s", "bets": "52%|55%|70%", "raises": "a|none|3x"})
    assert options(river, "") == "Check, Bet 140"
    one = Spot(**TURN | {"board": "Td9d6hQc2s", "oop_bets": "none|none|a", "bets": "50%||50%"})
    assert options(one, "X") == "Check, Bet 100"


def test_shares_of_more_than_the_pot() -> None:
    thresholds = Spot(**TURN | {"add_all_in": 15, "force_all_in": "150%", "merge": 1})
    assert thresholds.rules().thresholds == Thresholds(15.0, 1.5, 1.0)


@given(
    text=st.one_of(
        st.text(st.sampled_from("0123456789.eE+-%_ sNaInf"), max_size=12),
        st.from_regex(r"-?[0-9]{0,3}\.?[0-9]{0,3}[eE][+-]?[0-9]{1,20}%?", fullmatch=True),
    )
)
def test_a_share_is_a_number_or_none(text: str) -> None:
    try:
        share = read_share(text)
    except ValueError:
        return
    assert isinstance(share, float)


def test_raises_over_added_bets_are_used() -> None:
    assert options(Spot(**SMALL, raises="2x", added_lines=["B10"]), "B10") == "Fold, Call, Raise 20"


def test_what_is_no_table_of_keys() -> None:
    with refuses(ConfigError, option="spot", given=5):
        Spot.model_validate(5)


@pytest.mark.parametrize(
    "content", [b"pot = ", b"\xff\xfe", b"a=" + b"[" * 100_000, b"a=" + b"9" * 5000]
)
def test_files_that_are_no_toml(content: bytes, tmp_path: Path) -> None:
    file = tmp_path / "bad.toml"
    file.write_bytes(content)
    with refuses(FileFormatError, option="file"):
        Spot.from_toml(file)


def test_ranges_in_files_beside_a_spot_file(tmp_path: Path) -> None:
    spot = Spot(**TURN)
    write_range_file(spot.oop, tmp_path / "oop.txt")
    write_range_file(spot.ip, tmp_path / "all.json", "BTN/call")
    file = tmp_path / "spot.toml"
    named = {"oop": "oop.txt", "ip": "all.json#BTN/call"}
    file.write_text("".join(f"{key} = {json.dumps(x)}\n" for key, x in (TURN | named).items()))
    assert Spot.from_toml(file) == spot
    assert Spot.from_toml(file, pot=201) == spot.replace(pot=201)
    assert Spot.from_toml(file, ip="KK").ip == Range("KK")
    (tmp_path / "oop.txt").unlink()
    with refuses(FileFormatError, option="oop", path=tmp_path / "oop.txt"):
        Spot.from_toml(file)
    assert Spot.from_toml(file, oop="KK").oop == Range("KK")
    with refuses(RangeSyntaxError, option="oop"):  # only spot files name files
        Spot(**TURN | named)


def test_errors_of_a_file_name_it(tmp_path: Path) -> None:
    file = tmp_path / "spot.toml"
    file.write_text(Spot(**TURN).to_toml().replace("pot = 200", "pot = -1"))
    with refuses(ConfigError, option="pot", given=-1):
        Spot.from_toml(file)
    with refuses(ConfigError, option="stack", given=0):  # perhaps not the file's fault
        Spot.from_toml(file, pot=2, stack=0)


TEXTS = st.text(st.sampled_from('23AKTdhs+-:,.%xcear|BXRn "\\\n\x7fé0159'), max_size=12)
VALUES = st.one_of(TEXTS, st.integers(), st.floats(), st.none(), st.lists(TEXTS, max_size=2))


@given(keys=st.dictionaries(st.sampled_from([*SPOT_KEYS, "x"]), VALUES, max_size=3))
@settings(max_examples=examples(300), deadline=None)
def test_any_keys_make_a_spot_or_one_clear_error(keys: dict[str, Any]) -> None:
    try:
        spot = Spot(**SMALL | {"bets": "50%"} | keys)
    except EquilibristError:
        return
    assert spot.rules().actions(spot.rules().root())


@given(text=st.text(st.sampled_from("potbearsip=[]{}'\"0123456789%.#,\n AKQds"), max_size=60))
@settings(max_examples=examples(200), deadline=None)
def test_any_text_is_a_spot_file_or_one_clear_error(text: str, tmp_path_factory: Any) -> None:
    file = tmp_path_factory.getbasetemp() / "fuzzed.toml"
    file.write_text(text)
    with pytest.raises(EquilibristError):
        Spot.from_toml(file)


@given(
    weights=st.lists(st.floats(0, 1), min_size=1, max_size=40),
    bets=st.sampled_from(["", "50%", "33.3%|e|2e, a", "none|12c|none"]),
    share=st.floats(0, 1),
    cap=st.one_of(st.none(), st.floats(0, 1000)),
)
@settings(max_examples=examples(60), deadline=None)
def test_any_spot_comes_back_from_its_text(
    weights: list[float], bets: str, share: float, cap: float | None, tmp_path_factory: Any
) -> None:
    held = np.zeros(1326)
    held[: len(weights)] = weights
    held[0] = 1
    spot = Spot(
        **SMALL | {"board": "AsKsQs", "oop": Range.from_weights(held)},
        bets=bets,
        rake=share,
        rake_cap=cap,
        removed_lines=["X-X|X"] if bets == "33.3%|e|2e, a" else [],
    )
    file = tmp_path_factory.getbasetemp() / "any.toml"
    file.write_text(spot.to_toml())
    assert Spot.from_toml(file) == spot


@pytest.mark.parametrize(
    "changes",
    [
        {"bets": "none", "raises": "2x"},
        {"bets": "a", "raises": "2x"},
        {"bets": "50%||a", "raises": "||2x"},
        {"bets": "none|none|50%", "raises": "|2x|"},
        {"bets": "50%", "raises": "2x", "raise_cap": 0},
    ],
)
def test_raises_that_cannot_act_are_warned_of(changes: dict[str, Any]) -> None:
    spot = Spot(**SMALL, **changes)
    (text,) = spot.warnings
    assert text.startswith("raises have no effect")
    assert spot.betting.num_nodes == spot.replace(raises="").betting.num_nodes
    assert not Spot(**SMALL, bets="50%", raises="2x").warnings


PEER = dict(board="Ts3h2h5c9s", oop="AA,QQ,JJ", ip="KK,TT", pot=100, stack=100, add_all_in="150%")


@pytest.mark.parametrize(
    ("sizes", "as_written", "filled", "lists"),
    [
        # EV out of position: of an independent solver, which adds all-in to empty lists
        ({"bets": "50%"}, 22.22, 17.78, ["oop raises on the river", "ip raises on the river"]),
        ({}, 22.22, 16.67, ["oop bets on the river", "ip bets on the river"]),
    ],
)
def test_all_in_where_there_are_no_sizes(
    sizes: dict[str, str], as_written: float, filled: float, lists: list[str]
) -> None:
    spot = Spot(**PEER, **sizes)
    (text,) = spot.warnings
    assert all(each in text for each in lists)
    with pytest.warns(UserWarning, match="add_all_in adds nothing to empty lists"):
        solution = solve(spot, target="0.02%")
    assert solution.ev == pytest.approx((as_written, 100 - as_written), abs=0.05)
    other = spot.replace(all_in_without_sizes=True)
    assert not other.warnings
    solution = solve(other, target="0.02%")
    assert solution.ev == pytest.approx((filled, 100 - filled), abs=0.05)
    by_hand = spot.replace(bets=sizes.get("bets", "a"), raises="a")
    assert other.betting.num_nodes == by_hand.betting.num_nodes
    assert Spot(**tomllib.loads(other.to_toml())) == other


def test_nothing_is_said_where_no_all_in_would_be_added() -> None:
    deep = {**PEER, "stack": 100_000}
    assert not Spot(**deep, bets="50%").warnings
    assert not Spot(**{**PEER, "add_all_in": 0}, bets="50%").warnings
    assert not Spot(**PEER, bets="50%", raises="a").warnings
    with refuses(ConfigError, option="all_in_without_sizes", given=3):
        Spot(**PEER, all_in_without_sizes=cast("Any", 3))


@pytest.mark.parametrize(
    "key", [".".join(["a"] * 200_000), " . ".join(['"a"'] * 50_000), ".".join(["a"] * 17)]
)
@pytest.mark.parametrize("text", ["{} = 1\n", "a = {{ {} = 1 }}\n", "[{}]\n"])
def test_keys_of_endless_parts_are_refused_before_they_are_read(
    tmp_path: Path, key: str, text: str
) -> None:
    """The standard reader would take minutes for these 200,000."""
    path = tmp_path / "spot.toml"
    path.write_text(text.format(key))
    with refuses(FileFormatError, option="file"):
        Spot.from_toml(path)
    path.write_text(text.format("a.b.c"))
    with refuses(UnknownNameError, option="a"):  # it is read, and is no key of a spot
        Spot.from_toml(path)
