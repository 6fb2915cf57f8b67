"""Strategies by packed key, looked at by name: one row per infoset, in order, in every format."""

from __future__ import annotations

import csv
import pickle
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas
import pytest

import equilibrist as eq
from equilibrist.errors import (
    ConfigError,
    FileFormatError,
    MismatchError,
    OutputError,
    UnknownNameError,
)
from equilibrist.rules import load_rules
from equilibrist.rules.strategy import PackedStrategy
from tests.refusals import refuses, unchecked
from tests.rules.own_rules import OWN, write_rules
from tests.rules.test_infoset_names import UNPACK

GAME = "rules:liars_dice(sides=3)"


def solved(game: str, iterations: int, seed: int = 3) -> PackedStrategy:
    """The strategy of a run without a tree."""
    result = eq.solve(
        game, sampling="external", iterations=iterations, seed=seed, explicit_tree=False
    )
    return result.strategy


@pytest.fixture(scope="module")
def strategy() -> PackedStrategy:
    """One with few rows."""
    return solved(GAME, 20)


@pytest.fixture(scope="module")
def on_tree(strategy: PackedStrategy) -> eq.Strategy:
    """The same on the compiled game."""
    return eq.Strategy.from_packed(eq.compile_game(GAME), strategy)


def test_it_reads_as_on_the_tree(strategy: PackedStrategy, on_tree: eq.Strategy) -> None:
    assert 20 < len(strategy) < len(on_tree)
    for key in on_tree:
        assert strategy[key] == pytest.approx(on_tree[key], abs=0)
    assert {*strategy} <= {*on_tree}
    assert len({*strategy}) == len(strategy) == strategy.num_infosets
    assert sum(key in strategy for key in on_tree) == len(strategy)
    assert strategy.to_dict() == {key: on_tree[key] for key in strategy}


def test_rows_come_in_the_order_of_their_keys(strategy: PackedStrategy) -> None:
    game = load_rules(GAME)
    shuffled = np.random.default_rng(0).permutation(len(strategy))
    rows: list[Any] = [strategy.row(int(strategy.high[i]), int(strategy.low[i])) for i in shuffled]
    other = PackedStrategy(
        GAME,
        game.identity,
        strategy.high[shuffled],
        strategy.low[shuffled],
        strategy.actions[shuffled],
        np.concatenate(rows),
    )
    assert [*other] == [*strategy]
    assert other.to_dict() == strategy.to_dict()
    assert [*strategy][:3] == ["1", "2", "3"]


def test_actions_are_drawn_by_key(strategy: PackedStrategy) -> None:
    generator = np.random.default_rng(1)
    row = strategy["1"]
    drawn = [strategy.sample("1", generator) for _ in range(4000)]
    for action, probability in row.items():
        error = 5 * np.sqrt(probability * (1 - probability) / len(drawn))
        assert abs(drawn.count(action) / len(drawn) - probability) <= error
    missing = next(key for key in eq.compile_game(GAME).infoset_keys if key not in strategy)
    assert len({*strategy[missing].values()}) == 1
    assert strategy.sample(missing, generator) in strategy[missing]
    first = f"{strategy.high[0]:x}.{strategy.low[0]:x}"
    assert first in strategy
    assert strategy[first] in strategy.to_dict().values()
    for key in ("nothing", "ffff.ffff"):
        assert key not in strategy
        with refuses(UnknownNameError, option="infoset", given=key):
            strategy.sample(key, generator)
    assert 3 not in strategy
    with refuses(ConfigError, option="infoset", given=3):
        strategy[unchecked(3)]
    with refuses(ConfigError, option="generator", given=3):
        strategy.sample("1", unchecked(3))


def test_tables_hold_every_digit(tmp_path: Path) -> None:
    whole = solved(GAME, 3000)
    tree = eq.compile_game(GAME)
    assert len(whole) < len(tree.infoset_keys)
    complete = everywhere(whole, tree)
    wanted = eq.Strategy.from_packed(tree, complete).probabilities.tobytes()
    for name in ("s.csv", "s.json", "s.parquet"):
        path = complete.export(tmp_path / name)
        assert path == tmp_path / name
        assert eq.Strategy.from_file(tree, path).probabilities.tobytes() == wanted
        complete.export(path)  # an earlier table is replaced
    found = eq.Strategy.from_frame(tree, complete.to_frame())
    assert found.probabilities.tobytes() == wanted
    with refuses(ConfigError, option="file", given="s.txt"):
        whole.export(tmp_path / "s.txt")
    (tmp_path / "mine.csv").write_text("name,age\n", "utf-8")
    with refuses(OutputError, option="file", given="mine.csv"):
        whole.export(tmp_path / "mine.csv")


def everywhere(strategy: PackedStrategy, tree: eq.GameTree) -> PackedStrategy:
    """The same strategy with a row for every infoset."""
    keys = [strategy.named_rows.key(key) for key in tree.infoset_keys]
    rows = [[*strategy[key].values()] for key in tree.infoset_keys]
    assert None not in keys
    return replace(
        strategy,
        high=np.array([key[0] for key in keys if key], dtype=np.uint64),
        low=np.array([key[1] for key in keys if key], dtype=np.uint64),
        actions=np.array([len(row) for row in rows], dtype=np.int32),
        probabilities=np.array([x for row in rows for x in row]),
    )


def test_frames_of_several_pieces(
    strategy: PackedStrategy, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    at_once = strategy.to_frame()
    assert [*at_once.columns] == ["player", "infoset", "action", "probability"]
    assert at_once.attrs["game"] == GAME
    assert len(at_once) == len(strategy.probabilities)
    whole = strategy.export(tmp_path / "whole.csv").read_bytes()
    monkeypatch.setattr("equilibrist.rules.named_rows.PIECE", 7)
    assert strategy.to_frame().equals(at_once)
    assert strategy.export(tmp_path / "pieces.csv").read_bytes() == whole
    again = pandas.read_parquet(strategy.export(tmp_path / "pieces.parquet"))
    assert again.equals(at_once)
    assert again.attrs == at_once.attrs


def test_without_rows_there_is_an_empty_table(tmp_path: Path) -> None:
    nothing = PackedStrategy.uniform(load_rules(GAME))
    assert [*nothing] == []
    assert nothing["2/1-1"] == pytest.approx(dict.fromkeys(nothing["2/1-1"], 1 / 6))
    path = nothing.export(tmp_path / "s.csv")
    assert path.read_text("utf-8") == "player,infoset,action,probability\n"
    assert len(nothing.to_frame()) == 0
    assert "uniformly" in nothing._repr_html_()


def test_notebooks_show_the_first_rows(strategy: PackedStrategy) -> None:
    html = replace(strategy, game="<b>")._repr_html_()
    assert "&lt;b&gt;" in html
    assert html.count("<tr>") == 51
    assert f"and {len(strategy) - 50:,} more infosets" in html


@pytest.mark.slow
def test_rules_of_the_users_name_their_own(tmp_path: Path) -> None:
    path = write_rules(tmp_path, OWN + UNPACK)
    game = f"rules:{path}"
    strategy = solved(game, 50)
    assert {*strategy} == {"0.0", "1.1", "1.2"}
    assert {*strategy["0.0"]} == {"0", "1"}
    csv_file = strategy.export(tmp_path / "s.csv")
    rows = [*csv.DictReader(csv_file.read_text("utf-8").splitlines())]
    assert [*rows[0]] == ["infoset", "action", "probability"]
    strategy.export(csv_file)
    assert [*strategy.to_frame().columns] == ["infoset", "action", "probability"]
    named = strategy.named_by(eq.load_game(game))
    assert [*named] == ["sum 0 after 0", "sum 1 after 1", "sum 2 after 1"]
    assert named["sum 2 after 1"] == dict(
        zip(("add 1", "add 2"), strategy["1.2"].values(), strict=True)
    )
    assert named["1.2"] == named["sum 2 after 1"]
    assert named.to_frame()["player"].tolist() == [0, 0, 1, 1, 1, 1]
    assert [*pickle.loads(pickle.dumps(named))] == [*strategy]
    with refuses(UnknownNameError, option="infoset", given="sum 3 after 1"):
        named["sum 3 after 1"]
    with refuses(MismatchError, option="game", expected="rules:leduc"):
        strategy.named_by(load_rules("leduc"))
    with refuses(MismatchError, option="game"):
        strategy.named_by(eq.load_game("kuhn"))


def test_keys_that_the_rules_lack_are_noticed(strategy: PackedStrategy, tmp_path: Path) -> None:
    high = strategy.high.copy()
    high[:] = 2**63 + np.arange(len(high), dtype=np.uint64) * 64
    odd = replace(strategy, high=high)
    with refuses(FileFormatError, option="infoset"):
        list(odd)
    leduc = load_rules("leduc")
    one = np.array([63], dtype=np.uint64)
    broken = PackedStrategy(
        "rules:leduc", leduc.identity, one, one, np.array([2], np.int32), np.full(2, 0.5)
    )
    with refuses(FileFormatError, option="infoset", given="3f.3f"):
        broken.to_dict()


def test_a_key_that_comes_twice_is_refused(strategy: PackedStrategy, tmp_path: Path) -> None:
    path = tmp_path / "s"
    twice = replace(strategy, high=strategy.high.copy(), low=strategy.low.copy())
    same = int(np.flatnonzero(strategy.actions == strategy.actions[0])[1])
    twice.high[same], twice.low[same] = twice.high[0], twice.low[0]
    twice.save(path)
    with refuses(FileFormatError, path=str(path)):
        PackedStrategy.load(path)
    with refuses(FileFormatError, option="infoset"):
        twice.row(1, 1)


def test_pickles_are_whole(strategy: PackedStrategy) -> None:
    assert strategy["1"]
    again = pickle.loads(pickle.dumps(strategy))
    assert again.to_dict() == strategy.to_dict()
    assert again.provenance == strategy.provenance
