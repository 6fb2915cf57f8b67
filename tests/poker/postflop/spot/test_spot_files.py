"""Files of spots: they come back equal, name ranges beside them, and are refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from equilibrist.errors import (
    ConfigError,
    EquilibristError,
    FileFormatError,
    RangeSyntaxError,
    UnknownNameError,
)
from equilibrist.poker.postflop.setups.files import read_setup, read_setup_text
from equilibrist.poker.postflop.spot.spot import Spot
from equilibrist.poker.ranges.range import Range
from equilibrist.poker.ranges.range_files import write_range_file
from tests.poker.postflop.spot.spots import SMALL, TURN
from tests.refusals import refuses
from tests.slow_cases import examples


def test_a_file_and_back(tmp_path: Path) -> None:
    file = tmp_path / "spot.toml"
    spot = Spot(**TURN, donks="||50%", rake=0.05, rake_cap=30, added_lines=["X-B150"])
    file.write_text(spot.to_toml())
    assert Spot.from_toml(file) == spot
    assert Spot.from_toml(file, pot=201).pot == 201
    assert "min_bet" not in spot.to_toml()
    file.write_bytes(b"\xef\xbb\xbf" + spot.to_toml().encode())
    assert Spot.from_toml(str(file)) == spot


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


@pytest.mark.parametrize(
    "content", [b"pot = ", b"\xff\xfe\x00", b"a=" + b"[" * 100_000, b"a=" + b"9" * 5000]
)
def test_files_that_are_no_toml(content: bytes, tmp_path: Path) -> None:
    file = tmp_path / "bad.toml"
    file.write_bytes(content)
    with refuses(FileFormatError, option="file"):
        Spot.from_toml(file)


def test_errors_of_a_file_name_it(tmp_path: Path) -> None:
    file = tmp_path / "spot.toml"
    file.write_text(Spot(**TURN).to_toml().replace("pot = 200", "pot = -1"))
    with refuses(ConfigError, option="pot", given=-1):
        Spot.from_toml(file)
    with refuses(ConfigError, option="stack", given=0):  # perhaps not the file's fault
        Spot.from_toml(file, pot=2, stack=0)


@given(text=st.text(st.sampled_from("potbearsip=[]{}'\"0123456789%.#,\n AKQds"), max_size=60))
@settings(max_examples=examples(200), deadline=None)
def test_any_text_is_a_spot_file_or_one_clear_error(text: str, tmp_path_factory: Any) -> None:
    file = tmp_path_factory.getbasetemp() / "fuzzed.toml"
    file.write_text(text)
    with pytest.raises(EquilibristError):
        Spot.from_toml(file)


@pytest.mark.parametrize(
    "key", [".".join(["a"] * 200_000), " . ".join(['"a"'] * 50_000), ".".join(["a"] * 17)]
)
@pytest.mark.parametrize("text", ["{} = 1\n", "a = {{ {} = 1 }}\n", 'board = "QsJh2h"\n[{}]\n'])
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


def test_a_key_that_comes_twice_in_json_is_refused(tmp_path: Path) -> None:
    keys = '"board": "Ts3h2h5c9s", "oop": "AA", "ip": "KK", "stack": 20'
    path = tmp_path / "spot.json"
    path.write_text(f'{{"pot": 10, {keys}, "pot": 12}}')
    for read in (Spot.from_toml, read_setup):
        with refuses(FileFormatError, option="file"):
            read(path)


@pytest.mark.parametrize("locks", [[], ["X: X 1"], [{"line": "X", "hands": {"KK": {"X": 1}}}]])
def test_a_spot_file_in_json(locks: list[Any], tmp_path: Path) -> None:
    keys: dict[str, Any] = {
        "board": "Ts3h2h5c9s",
        "oop": "AA,QQ:0.5",
        "ip": "KK",
        "pot": 10,
        "stack": 20.5,
        "bets": "50%",
        "locks": locks,
    }
    path = tmp_path / "spot.json"
    path.write_text(json.dumps(keys))
    assert Spot.from_toml(path) == Spot(**keys)
    assert read_setup(path).spot == read_setup_text(path.read_text()).spot == Spot(**keys)
