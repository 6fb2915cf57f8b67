"""Strategies: made, read, mixed, sampled, shown; refused with the place where they are wrong."""

from __future__ import annotations

import csv
import io
import json
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pandas
import pytest

from equilibrist.errors import (
    ConfigError,
    FileFormatError,
    MismatchError,
    OutputError,
    UnknownNameError,
)
from equilibrist.evaluation import expected_values
from equilibrist.game_loading import compile_game
from equilibrist.games import load_game
from equilibrist.solution import Solution
from equilibrist.storage.tables import read_table_file
from equilibrist.strategy import Strategy
from equilibrist.tree.compile import GameTree
from tests.random_strategies import random_strategy
from tests.refusals import refuses

MIXABLE = (
    "kuhn",
    "leduc",
    "random_tree(seed=2,depth=7,branching=4)",
    "random_tree(seed=3,depth=7,players=3,zero_sum=false,forced=0.5)",
)


@cache
def tree_of(spec: str = "kuhn") -> GameTree:
    return compile_game(load_game(spec))


def test_uniform_and_first_action() -> None:
    tree = tree_of("leduc")
    for key, row in Strategy.uniform(tree).to_dict().items():
        assert set(row.values()) == {1 / len(row)}, key
    for row in Strategy.first_action(tree).to_dict().values():
        assert list(row.values()) == [1.0] + [0.0] * (len(row) - 1)


def test_a_strategy_is_a_table() -> None:
    strategy = random_strategy(tree_of(), 1)
    assert len(strategy) == 12
    assert list(strategy) == list(tree_of().infoset_keys)
    assert "1pb" in strategy
    assert "nonsense" not in strategy
    assert strategy["1pb"] == strategy.to_dict()["1pb"]
    assert Strategy.from_dict(tree_of(), strategy.to_dict()).probabilities.tolist() == (
        strategy.probabilities.tolist()
    )
    with refuses(
        UnknownNameError, option="infoset of kuhn", name="1ppb", suggestions=("1pb", "1p", "1b")
    ):
        strategy["1ppb"]


def test_probabilities_are_a_read_only_copy() -> None:
    given = Strategy.uniform(tree_of()).probabilities.copy()
    strategy = Strategy(tree_of(), given)
    given[0] = 0.9
    assert strategy.probabilities[0] == 0.5
    with pytest.raises(ValueError, match="read-only"):
        strategy.probabilities[0] = 0.9


@pytest.mark.parametrize(
    "row",
    [
        (0.5, 0.6),
        (0.5, 0.49999),
        (1.5, -0.5),
        (np.nan, 1.0),
        (np.inf, -np.inf),
    ],
)
@pytest.mark.parametrize("infoset", [0, 5, 11])
@pytest.mark.filterwarnings("ignore:invalid value")
def test_bad_probabilities_name_their_infoset(infoset: int, row: list[float]) -> None:
    tree = tree_of()
    values = Strategy.uniform(tree).probabilities.copy()
    values[tree.actions_of(infoset)] = row
    place = f"infoset {tree.infoset_keys[infoset]!r}"
    with refuses(ConfigError, option="probabilities", given=list(row), place=place):
        Strategy(tree, values)


def test_rounded_probabilities_are_taken() -> None:
    values = Strategy.uniform(tree_of()).probabilities.copy()
    values[0] += 4e-7
    assert Strategy(tree_of(), values).probabilities[0] == values[0]


def test_the_wrong_length_is_another_game() -> None:
    with refuses(MismatchError, option="probabilities", given="(23,)", expected=24):
        Strategy(tree_of(), np.full(23, 0.5))


def test_tables_are_checked() -> None:
    tree = tree_of()
    table = Strategy.uniform(tree).to_dict()
    with refuses(UnknownNameError, option="infoset of kuhn", name="9"):
        Strategy.from_dict(tree, table | {"9": {"pass": 1.0}})
    with refuses(UnknownNameError, option="action at infoset '1'", name="raise"):
        Strategy.from_dict(tree, table | {"1": {"raise": 1.0}})
    del table["2p"], table["3b"]
    with refuses(ConfigError, option="infosets", given="2p"):
        Strategy.from_dict(tree, table)


def test_actions_left_out_are_never_played() -> None:
    table = {key: {"bet": 1.0} for key in tree_of().infoset_keys}
    assert Strategy.from_dict(tree_of(), table)["1"] == {"pass": 0.0, "bet": 1.0}


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
@pytest.mark.parametrize("spec", ["kuhn", "leduc", MIXABLE[-1]])
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
    assert str(path) in str(caught.value)
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
    assert str(path) in str(caught.value)


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


# --- mixing, replacing, sampling --------------------------------------------------------------


@pytest.mark.parametrize("weight", [0.0, 0.3, 1.0])
@pytest.mark.parametrize("spec", MIXABLE)
def test_a_mixture_is_worth_the_mean(spec: str, weight: float) -> None:
    """If one player tosses the coin, values are the weighted mean (Kuhn's theorem)."""
    tree = tree_of(spec)
    one, other = random_strategy(tree, 1), random_strategy(tree, 2)
    for player in range(tree.num_players):
        second = one.replace(player, other)
        mixed = one.mix(second, weight)
        wanted = (1 - weight) * np.array(expected_values(one)) + weight * np.array(
            expected_values(second)
        )
        assert expected_values(mixed) == pytest.approx(wanted, abs=1e-12)


def test_mixing_behaviour_by_itself_would_be_wrong() -> None:
    tree = tree_of()
    one, second = (
        random_strategy(tree, 1),
        random_strategy(tree, 1).replace(0, random_strategy(tree, 2)),
    )
    naive = Strategy(tree, (one.probabilities + second.probabilities) / 2)
    wanted = (np.array(expected_values(one)) + np.array(expected_values(second))) / 2
    assert abs(np.array(expected_values(naive)) - wanted).max() > 1e-4


def test_mixtures_need_one_game_and_a_weight() -> None:
    one = Strategy.uniform(tree_of())
    with refuses(MismatchError, option="game", given="leduc", expected="kuhn"):
        one.mix(Strategy.uniform(tree_of("leduc")), 0.5)
    for weight in (-0.1, 1.1, float("nan")):
        with refuses(ConfigError, option="weight", given=weight):
            one.mix(one, weight)
    again = compile_game(load_game("kuhn"))
    assert one.mix(Strategy.first_action(again), 0.5)["1"] == {"pass": 0.75, "bet": 0.25}


def test_one_players_part_is_replaced() -> None:
    tree = tree_of()
    one, other = random_strategy(tree, 1), random_strategy(tree, 2)
    both = one.replace(1, other)
    for i, key in enumerate(tree.infoset_keys):
        assert both[key] == (other if tree.infoset_player[i] == 1 else one)[key]


def test_samples_follow_the_probabilities() -> None:
    table = Strategy.uniform(tree_of()).to_dict() | {"1": {"pass": 0.8, "bet": 0.2}}
    strategy = Strategy.from_dict(tree_of(), table)
    generator = np.random.default_rng(1)
    drawn = [strategy.sample("1", generator) for _ in range(2000)]
    assert drawn.count("bet") == pytest.approx(400, abs=80)
    first = [strategy.sample("2", np.random.default_rng(7)) for _ in range(5)]
    assert len(set(first)) == 1
    pure = Strategy.first_action(tree_of())
    assert {pure.sample("3", generator) for _ in range(20)} == {"pass"}


def test_a_data_frame_has_one_row_per_action() -> None:
    frame = random_strategy(tree_of(), 1).to_frame()
    assert list(frame.columns) == ["player", "infoset", "action", "probability"]
    assert len(frame) == 24
    assert frame.groupby("infoset")["probability"].sum().tolist() == pytest.approx([1.0] * 12)
    assert set(frame[frame["infoset"] == "1pb"]["player"]) == {0}


def test_strategies_show_themselves() -> None:
    assert repr(Strategy.uniform(tree_of("leduc"))) == "Strategy('leduc', 936 infosets)"
    html = Strategy.uniform(tree_of())._repr_html_()
    assert "<caption>kuhn</caption>" in html
    assert "pass 0.5000, bet 0.5000" in html
    assert "more infosets" not in html
    assert "and 736 more infosets" in Strategy.uniform(tree_of("leduc"))._repr_html_()


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
    back = Strategy.from_file(tree, Solution.of(strategy).export(tmp_path / "t.parquet"))
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
