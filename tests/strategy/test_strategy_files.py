"""Strategies in files and data frames: the same bits there and back, and refusals with the line."""

from __future__ import annotations

import csv
import io
import json
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pandas
import pyarrow.parquet
import pytest

from equilibrist.errors import (
    ConfigError,
    FileFormatError,
    MismatchError,
    OutputError,
)
from equilibrist.game_loading import compile_game
from equilibrist.games import load_game
from equilibrist.results import Result
from equilibrist.storage.tables import read_table_file
from equilibrist.strategy import Strategy
from equilibrist.tree.compile import GameTree
from tests.refusals import refuses
from tests.strategy.random_strategies import random_strategy

THREE_PLAYERS = "random_tree(seed=3,depth=7,players=3,zero_sum=false,forced=0.5)"


@cache
def tree_of(spec: str = "kuhn") -> GameTree:
    return compile_game(load_game(spec))


# --- files ------------------------------------------------------------------------------------


def test_files_are_read(tmp_path: Path) -> None:
    strategy = random_strategy(tree_of(), 3)
    document = tmp_path / "s.json"
    document.write_text(json.dumps(strategy.to_dict()))
    whole = tmp_path / "whole.json"
    whole.write_text(json.dumps({"game": "kuhn", "strategy": strategy.to_dict()}))
    table = tmp_path / "s.csv"
    strategy.to_frame().to_csv(table, index=False)
    for path in (document, whole, table, str(table)):
        read = Strategy.from_file(tree_of(), path)
        assert read.probabilities == pytest.approx(strategy.probabilities, abs=1e-15)


@pytest.mark.parametrize("name", ["s.csv", "s.json", "S.CSV"])
@pytest.mark.parametrize("spec", ["kuhn", "leduc", THREE_PLAYERS])
def test_what_is_saved_comes_back_with_the_same_bits(tmp_path: Path, spec: str, name: str) -> None:
    strategy = random_strategy(tree_of(spec), 4)
    path = strategy.save(tmp_path / name)
    assert path == tmp_path / name
    assert strategy.replace(0, Strategy.uniform(tree_of(spec))).save(str(path)) == path
    strategy.save(path)  # an earlier one is replaced
    read = Strategy.from_file(tree_of(spec), path)
    assert read.probabilities.tobytes() == strategy.probabilities.tobytes()


def test_a_saved_document_names_its_game(tmp_path: Path) -> None:
    strategy = random_strategy(tree_of(), 4)
    document = json.loads(strategy.save(tmp_path / "s.json").read_text())
    assert document == {"game": "kuhn", "strategy": strategy.to_dict()}
    lines = strategy.save(tmp_path / "s.csv").read_text().splitlines()
    assert lines[0] == "player,infoset,action,probability"
    assert lines[1] == f"0,1,pass,{strategy['1']['pass']!r}"
    assert len(lines) == 25


def test_names_and_files_that_a_strategy_is_not_saved_to(tmp_path: Path) -> None:
    strategy = Strategy.uniform(tree_of())
    for name in ("s.safetensors", "s", "s.txt"):
        with refuses(ConfigError, option="file", given=name):
            strategy.save(tmp_path / name)
    for name, text in (("note.csv", "hi\n"), ("list.json", "[1, 2]")):
        path = tmp_path / name
        path.write_text(text)
        with refuses(OutputError, option="file", given=name, path=path):
            strategy.save(path)
        assert path.read_text() == text
    with refuses(OutputError, option="folder"):
        strategy.save(tmp_path / "missing" / "s.csv")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["list.json", "note.csv"]


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
def test_any_keys_come_back_from_csv(tmp_path: Path, mark: bytes, end: str) -> None:
    keys = ["a\nb", "a\r\nb", "a\rb", 'say "no"', "a,b", " a ", "\N{SNOWMAN}\x85\u2028", "ends\n"]
    table = {key: {f"{key} up": 0.25, "down, or not": 0.75} for key in keys}
    text = io.StringIO()
    writer = csv.writer(text, lineterminator=end, quoting=csv.QUOTE_ALL)
    writer.writerow(["infoset", "action", "probability"])
    for key, row in table.items():
        writer.writerows([key, label, p] for label, p in row.items())
    path = tmp_path / "s.csv"
    path.write_bytes(mark + text.getvalue().encode())
    assert read_table_file(path).rows == table
    (tmp_path / "s.json").write_bytes(mark + json.dumps({"strategy": table}).encode())
    assert read_table_file(tmp_path / "s.json").rows == table


@pytest.mark.parametrize(
    ("name", "text", "fields"),
    [
        ("a.json", "{", dict(option="file")),
        ("b.json", "[1, 2]", dict(option="strategy")),
        ("c.json", '{"1": 0.5}', dict(option="infoset", given=0.5, place="infoset '1'")),
        ("d.json", '{"1": {"pass": "x"}}', dict(option="probability", given="x")),
        ("k.json", '{"1": {"pass": "1.2.3"}}', dict(option="probability", given="1.2.3")),
        ("e.json", '{"1": {"pass": true}}', dict(option="probability", given=True)),
        (
            "f.csv",
            "infoset,action\n1,pass\n",
            dict(option="columns", given="['infoset', 'action']"),
        ),
        (
            "g.csv",
            "infoset,action,probability\n1,pass,0.5\n1,bet,half\n",
            dict(option="probability", given="half", place="line 3"),
        ),
        ("h.csv", "", dict(option="columns", given="[]")),
        ("j.csv", f'infoset,action,probability\n1,"{"x" * 200_000}",1\n', dict(option="line")),
        ("i.json", "\x80\x81", dict(option="file")),
    ],
)
def test_bad_files_are_refused(
    tmp_path: Path, name: str, text: str, fields: dict[str, Any]
) -> None:
    path = tmp_path / name
    path.write_text(text, encoding="latin-1")
    with refuses(FileFormatError, **fields) as caught:
        Strategy.from_file(tree_of(), path)
    assert caught.value.path == str(path)


TWICE = "infoset,action,probability\n1,pass,0.5\n1,bet,0.5\n1,pass,0.5\n"


OWNERS = "player,infoset,action,probability\n0,1,pass,0.5\n{},1,bet,0.5\n"


@pytest.mark.parametrize(
    ("name", "text", "fields"),
    [
        ("a.csv", TWICE, dict(option="action", given="pass", place="line 4")),
        ("b.csv", OWNERS.format(1), dict(option="player", given=1, expected=0, place="line 3")),
        ("c.csv", OWNERS.format("me"), dict(option="player", given="me", place="line 3")),
        ("d.csv", "infoset,action,probability\n1,pass,0,5\n", dict(option="cells", place="line 2")),
        ("e.csv", "infoset,action,action,probability\n", dict(option="columns")),
        (
            "f.json",
            '{"1": {"pass": 1}, "2": {"bet": 1}, "1": {"bet": 1}}',
            dict(option="infoset", given="1"),
        ),
        (
            "g.json",
            '{"1": {"pass": 0.5, "bet": 0.5, "pass": 1}}',
            dict(option="action", given="pass"),
        ),
        ("h.json", '{"strategy": {"1": {}, "1": {}}}', dict(option="infoset", given="1")),
        (
            "i.json",
            '{"strategy": {}, "strategy": {"1": {}}}',
            dict(option="key", given="strategy"),
        ),
    ],
)
def test_what_is_said_twice_is_refused(
    tmp_path: Path, name: str, text: str, fields: dict[str, Any]
) -> None:
    path = tmp_path / name
    path.write_text(text)
    with refuses(FileFormatError, **fields) as caught:
        Strategy.from_file(tree_of(), path)
    assert caught.value.path == str(path)


@pytest.mark.parametrize("as_text", ["{}", "{}.0", " {} "])
def test_the_player_column_must_be_right(tmp_path: Path, as_text: str) -> None:
    strategy = Strategy.uniform(tree_of())
    path = tmp_path / "s.csv"
    frame = strategy.to_frame()
    frame["player"] = [as_text.format(p) for p in frame["player"]]
    frame.to_csv(path, index=False)
    assert Strategy.from_file(tree_of(), path).to_dict() == strategy.to_dict()
    frame["player"] = [as_text.format(1 - int(float(p))) for p in frame["player"]]
    frame.to_csv(path, index=False)
    with refuses(MismatchError, option="player", given=1, expected=0):
        Strategy.from_file(tree_of(), path)


def test_missing_files_are_refused(tmp_path: Path) -> None:
    with refuses(FileFormatError, option="file", given="No such file or directory"):
        Strategy.from_file(tree_of(), tmp_path / "none.json")
    with refuses(FileFormatError, option="file", given="Is a directory"):
        Strategy.from_file(tree_of(), tmp_path)


def test_a_data_frame_has_one_row_per_action() -> None:
    frame = random_strategy(tree_of(), 1).to_frame()
    assert list(frame.columns) == ["player", "infoset", "action", "probability"]
    assert len(frame) == 24
    assert frame.groupby("infoset")["probability"].sum().tolist() == pytest.approx([1.0] * 12)
    assert set(frame[frame["infoset"] == "1pb"]["player"]) == {0}


def test_frames_there_and_back(tmp_path: Path) -> None:
    tree = tree_of()
    strategy = random_strategy(tree, 3)
    frame = strategy.to_frame()
    assert frame.attrs["game"] == tree.name
    assert (
        Strategy.from_frame(tree, frame).probabilities.tolist() == strategy.probabilities.tolist()
    )
    shuffled = frame.sample(frac=1, random_state=1).drop(columns="player")
    back = Strategy.from_frame(tree, shuffled)
    assert back.probabilities.tolist() == strategy.probabilities.tolist()
    wide = frame.pivot(index="infoset", columns="action", values="probability").reset_index()
    back = Strategy.from_frame(tree, wide)
    assert back.probabilities.tolist() == strategy.probabilities.tolist()
    back = Strategy.from_file(tree, strategy.save(tmp_path / "s.parquet"))
    assert back.probabilities.tolist() == strategy.probabilities.tolist()
    back = Strategy.from_file(tree, Result.of(strategy).export(tmp_path / "t.parquet"))
    assert back.probabilities.tolist() == strategy.probabilities.tolist()


def test_frames_that_do_not_fit() -> None:
    tree = tree_of()
    frame = Strategy.uniform(tree).to_frame()
    with refuses(FileFormatError, option="action", given="pass", place="row 24"):
        Strategy.from_frame(tree, pandas.concat([frame, frame[:1]]))
    with refuses(FileFormatError, option="probability", given="", place="row 0"):
        Strategy.from_frame(tree, frame.assign(probability=None))
    with refuses(MismatchError, option="player", given=1, expected=0, place="row 0"):
        Strategy.from_frame(tree, frame.assign(player=1 - frame["player"]))
    with refuses(ConfigError, option="infosets", given="1"):
        Strategy.from_frame(tree, frame[2:])
    with refuses(ConfigError, option="frame", given="{'infoset': []}"):
        Strategy.from_frame(tree, {"infoset": []})


def test_tables_of_kuhn_poker_in_other_notations(tmp_path: Path) -> None:
    tree = tree_of()
    given = Strategy.uniform(tree).to_dict()
    table = {key.replace("p", "K").upper(): {"check": 1, "bet": 0} for key in given}
    (tmp_path / "t.json").write_text(json.dumps(table))
    assert Strategy.from_file(tree, tmp_path / "t.json")["1pb"] == {"pass": 1.0, "bet": 0.0}


def test_a_small_file_of_many_rows_is_not_read(tmp_path: Path) -> None:
    """Equal rows take next to no room in a file, and a lot of memory."""
    path, count = tmp_path / "bomb.parquet", 5_000_000
    texts = pyarrow.DictionaryArray.from_arrays(
        pyarrow.array(np.zeros(count, np.int32)), pyarrow.array(["1"])
    )
    table = {"infoset": texts, "action": texts, "probability": np.ones(count)}
    pyarrow.parquet.write_table(pyarrow.table(table), path, compression="zstd")
    assert path.stat().st_size < 1_000_000
    tree = compile_game("kuhn")
    with refuses(FileFormatError, option="rows", given=count, expected=24):
        Strategy.from_file(tree, path)
    with refuses(FileFormatError, option="rows", given=count):
        read_table_file(path)


@pytest.mark.slow
def test_a_file_of_many_columns_is_refused_at_once(tmp_path: Path) -> None:
    path = tmp_path / "wide.csv"
    path.write_text(",".join(["infoset", *(f"a{k}" for k in range(200_000)), "a0"]) + "\n")
    with refuses(FileFormatError, option="columns") as caught:
        read_table_file(path)
    assert len(str(caught.value)) < 1000
