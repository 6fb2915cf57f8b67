"""Solution files: read without the rules, whole or refused, never of another game."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import equilibrist as eq
from equilibrist.errors import (
    ConfigError,
    FileFormatError,
    MismatchError,
    OutputError,
    UnknownNameError,
)
from equilibrist.evaluation import evaluate
from equilibrist.game_loading import compile_game
from equilibrist.games import load_game
from equilibrist.results import Result, SamplingDetails, StoredStrategy
from equilibrist.solving import solve
from equilibrist.storage.archive import read_archive, write_archive
from equilibrist.storage.tables import read_table_file
from equilibrist.strategy import Strategy
from tests.refusals import refuses, unchecked
from tests.slow_cases import examples
from tests.solve_options import grouped
from tests.strategy.random_strategies import random_strategy


@pytest.fixture(scope="module")
def result() -> Result:
    return solve("kuhn", iterations=50)


@pytest.fixture(scope="module")
def file(result: Result, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return result.save(tmp_path_factory.mktemp("solution") / "kuhn.safetensors")


def plain(result: Result[Any]) -> dict[str, Any]:
    """What a file keeps as things that compare by value, floats by their bits."""
    found = {f.name: getattr(result, f.name) for f in fields(result)}
    del found["solution_file"], found["stages"]
    stored = found.pop("strategy")
    if not isinstance(stored, StoredStrategy):
        stored = StoredStrategy.of(stored)
    kept = {f.name: getattr(stored, f.name) for f in fields(stored)}
    kept["probabilities"] = stored.probabilities.tobytes()
    kept["players"] = stored.players.tobytes()
    return found | {"strategy": kept}


def test_what_is_loaded_is_what_was_saved(result: Result, file: Path) -> None:
    loaded = Result.load(file)
    assert plain(loaded) == plain(result)
    there = replace(result, solution_file=file)
    assert loaded.to_dict() == json.loads(json.dumps(there.to_dict()))
    assert not loaded.strategy.probabilities.flags.writeable


@pytest.mark.parametrize(
    "game", ["kuhn(players=3)", "rps", "battle_of_the_sexes", "leduc", "goofspiel(cards=3)"]
)
def test_all_kinds_of_games_survive(game: str, tmp_path: Path) -> None:
    found = solve(game, iterations=3)
    assert plain(Result.load(found.save(tmp_path / "s"))) == plain(found)


@given(
    st.lists(
        st.tuples(st.text(), st.lists(st.text(), min_size=1, max_size=4, unique=True)),
        max_size=5,
        unique_by=lambda pair: pair[0],
    )
)
@settings(max_examples=examples(50))
def test_any_keys_and_labels_survive(
    result: Result, tmp_path_factory: pytest.TempPathFactory, rows: list[tuple[str, list[str]]]
) -> None:
    counts = [len(labels) for _, labels in rows]
    stored = replace(
        result.stored,
        keys=tuple(key for key, _ in rows),
        labels=tuple(tuple(labels) for _, labels in rows),
        players=np.zeros(len(rows), dtype=np.int8),
        probabilities=np.array([1.0 / n for n in counts for _ in range(n)]),
    )
    written = replace(result, strategy=unchecked(stored))
    loaded = Result.load(written.save(tmp_path_factory.getbasetemp() / "keys"))
    assert plain(loaded) == plain(written)


def test_keys_that_are_no_proper_text_survive(result: Result, tmp_path: Path) -> None:
    """A lone surrogate: a string in Python, but nothing that UTF-8 can say."""
    stored = replace(result.stored, keys=("\ud800", *result.stored.keys[1:]))
    written = replace(result, strategy=unchecked(stored))
    assert Result.load(written.save(tmp_path / "s")).strategy.keys == stored.keys
    assert read_table_file(written.export(tmp_path / "s.json")).rows == stored.to_dict()
    with refuses(OutputError, option="name", given="\ud800"):
        written.export(tmp_path / "s.csv")
    assert not (tmp_path / "s.csv").exists()


def test_it_can_be_looked_up_by_infoset(result: Result, file: Path) -> None:
    loaded = Result.load(file)
    tree = result.strategy.tree
    stored = loaded.strategy
    assert stored.to_dict() == result.strategy.to_dict()
    for key in tree.infoset_keys:
        assert stored[key] == result.strategy[key]
    assert list(stored) == list(tree.infoset_keys)
    assert len(stored) == 12
    assert "3b" in stored
    assert "nothing" not in stored
    with refuses(UnknownNameError, option="infoset", name="nothing"):
        _ = stored["nothing"]
    assert (loaded.num_players, loaded.num_infosets, loaded.num_sequences) == (2, 12, 26)
    assert loaded.num_nodes == tree.num_nodes
    assert "kuhn" in repr(loaded)
    assert "exploitability=" in repr(loaded)


def test_a_strategy_of_any_origin_becomes_a_solution(tmp_path: Path) -> None:
    tree = compile_game(load_game("leduc"))
    strategy = random_strategy(tree, 5)
    made = Result.of(strategy, "by hand")
    found = evaluate(strategy)
    assert (made.game, made.algorithm, made.iterations) == ("leduc", "by hand", 0)
    assert (made.values, made.gains, made.nash_conv) == (found.values, found.gains, found.nash_conv)
    loaded = Result.load(made.save(tmp_path / "s.safetensors"))
    assert plain(loaded) == plain(made)
    assert loaded.strategy.on(tree).probabilities.tobytes() == strategy.probabilities.tobytes()
    assert "numba" in made.versions
    assert plain(Result.of(strategy, "by hand", found)) == plain(made)


@pytest.mark.parametrize("name", ["s.csv", "s.json"])
def test_exported_tables_are_read_with_the_same_bits(
    result: Result, tmp_path: Path, name: str
) -> None:
    path = result.export(tmp_path / name)
    assert result.export(path) == path  # an earlier one is replaced
    read = Strategy.from_file(result.strategy.tree, path)
    assert read.probabilities.tobytes() == result.strategy.probabilities.tobytes()
    if name == "s.json":
        assert json.loads(path.read_text()) == json.loads(json.dumps(result.to_dict()))
    else:
        assert path.read_bytes() == result.strategy.save(tmp_path / "same.csv").read_bytes()


def test_the_name_says_what_is_written(result: Result, tmp_path: Path) -> None:
    with refuses(ConfigError, option="file", given="s.safetensors"):
        result.export(tmp_path / "s.safetensors")
    for name in ("s.csv", "s.JSON"):
        with refuses(OutputError, option="out", given=name):
            result.save(tmp_path / name)
    (tmp_path / "note.csv").write_text("mine")
    with refuses(OutputError, option="file", given="note.csv"):
        result.export(tmp_path / "note.csv")
    assert [path.name for path in tmp_path.iterdir()] == ["note.csv"]


def test_a_solve_refuses_the_name_of_a_table_at_once(tmp_path: Path) -> None:
    def never(progress: object) -> None:
        raise AssertionError

    with refuses(OutputError, option="out", given="s.csv"):
        solve("kuhn", iterations=5, files=eq.Files(out=tmp_path / "s.csv"), callbacks=never)


def test_it_is_read_without_rules_and_without_the_compiler(file: Path) -> None:
    code = (
        "import sys; from equilibrist.results import Result\n"
        f"print(len(Result.load({str(file)!r}).strategy.to_dict()))\n"
        "assert 'numba' not in sys.modules and 'equilibrist.games' not in sys.modules"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (done.stdout, done.stderr) == ("12\n", "")


def test_its_strategy_is_that_of_the_same_game(result: Result, file: Path) -> None:
    loaded = Result.load(file)
    again = loaded.strategy.on(compile_game(load_game("kuhn")))
    assert again.probabilities.tobytes() == result.strategy.probabilities.tobytes()


def test_its_strategy_is_refused_for_another_game(file: Path) -> None:
    loaded = Result.load(file)
    with refuses(MismatchError, option="game", given="kuhn", expected="kuhn(ante=2)"):
        loaded.strategy.on(compile_game(load_game("kuhn(ante=2)")))
    altered = compile_game(load_game("kuhn(ante=2)"))
    altered.game = load_game("kuhn")
    with refuses(MismatchError, option="game", given="kuhn", expected="kuhn"):
        loaded.strategy.on(altered)
    # The way out that the message names:
    carried = Strategy.from_dict(altered, loaded.strategy.to_dict())
    assert carried.probabilities.tobytes() == loaded.strategy.probabilities.tobytes()


# Damage


def test_every_cut_is_refused(file: Path, tmp_path: Path) -> None:
    whole = file.read_bytes()
    for size in range(0, len(whole), 97):
        (tmp_path / "cut").write_bytes(whole[:size])
        with pytest.raises(FileFormatError):
            Result.load(tmp_path / "cut")


@given(st.data())
@settings(max_examples=examples(200))
def test_flipped_bytes_are_refused_or_harmless(
    file: Path, tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    content = bytearray(file.read_bytes())
    for _ in range(data.draw(st.integers(1, 3))):
        where = data.draw(st.integers(0, len(content) - 1))
        content[where] ^= data.draw(st.integers(1, 255))
    path = tmp_path_factory.getbasetemp() / "flipped"
    path.write_bytes(content)
    try:
        loaded = Result.load(path)
    except FileFormatError:
        return
    assert plain(loaded) == plain(Result.load(file))


def damaged(file: Path, path: Path, header: dict[str, Any], arrays: dict[str, Any]) -> Path:
    """The solution with some of it replaced (or removed: None), under a right checksum."""
    old_header, old_arrays = read_archive(file, "solution")
    new_header = {k: v for k, v in (old_header | header).items() if v != "remove"}
    new_arrays = {k: v for k, v in (old_arrays | arrays).items() if v is not None}
    write_archive(path, "solution", new_header, new_arrays)
    return path


SAMPLED: dict[str, Any] = {
    "sampler": "external",
    "averaging": "stochastic",
    "averaging_every": None,
    "period": 1000,
    "seed": 1,
    "nodes_touched": 789,
    "table_bytes": 41072,
}
"""What early files say of a sampler."""
HEADERS: dict[str, dict[str, Any]] = {
    "a sampler without a seed": {"sampling": {k: v for k, v in SAMPLED.items() if k != "seed"}},
    "a seed of text": {"sampling": SAMPLED | {"seed": "1"}},
    "a seed that is no integer": {"sampling": SAMPLED | {"seed": 1.0}},
    "threads that are a truth": {"sampling": SAMPLED | {"threads": True}},
    "more of a sampler": {"sampling": SAMPLED | {"more": 1}},
    "no game": {"game": "remove"},
    "a game that is a number": {"game": 3},
    "something more": {"more": 1},
    "values of text": {"values": ["a", "b"]},
    "a trace that is flat": {"trace": [1, 2]},
    "a trace that is short": {"trace": [[1, 0.5]]},
    "a trace of texts": {"trace": [["1", 0.0, 0.0, None, []]]},
    "a trace without numbers": {"trace": [[1, 0.0, "x", None, []]]},
    "a trace of nothing": {"trace": [[1, 0.0, 0.0, None, None]]},
    "a trace beyond all numbers": {"trace": [[1, 10**400, 0.0, None, []]]},
    "a trace of infinities": {"trace": [[1, 0.0, float("inf"), None, []]]},
    "no NashConv": {"nash_conv": float("nan")},
    "values without end": {"values": [float("inf"), 0.0]},
    "a family of nothing": {"family": {"parameters": {"alpha": float("nan")}}},
}
ARRAYS: dict[str, dict[str, Any]] = {
    "no keys": {"key": None},
    "ends that fall": {"key_end": np.arange(12, 0, -1)},
    "ends beyond": {"key_end": np.arange(1, 13) * 1000},
    "ends of another type": {"key_end": np.arange(12.0)},
    "negative ends": {"key_end": np.full(12, -1)},
    "keys that are no text": {"key": np.full(28, 255, dtype=np.uint8)},
    "too few players": {"player": np.zeros(3, dtype=np.int8)},
    "a player too many": {"player": np.full(12, 2, dtype=np.int8)},
    "a negative player": {"player": np.full(12, -1, dtype=np.int8)},
    "players in a table": {"player": np.zeros((3, 4), dtype=np.int8)},
    "an infoset without actions": {"actions": np.array([0, 4] + [2] * 10, dtype=np.int32)},
    "negative actions": {"actions": np.array([-2, 6] + [2] * 10, dtype=np.int32)},
    "too many actions": {"actions": np.full(12, 3, dtype=np.int32)},
    "actions that overflow": {"actions": np.full(12, 2**31 - 1, dtype=np.int32)},
    "a label that is none": {"label": np.full(24, 99, dtype=np.int32)},
    "a negative label": {"label": np.full(24, -1, dtype=np.int32)},
    "too few probabilities": {"probability": np.full(23, 0.5)},
    "a probability that is none": {"probability": np.full(24, np.nan)},
    "negative probabilities": {"probability": np.array([-1.0, 2.0] * 12)},
    "sums beyond 1": {"probability": np.full(24, 0.6)},
}


@pytest.mark.parametrize("name", [*HEADERS, *ARRAYS])
def test_a_content_that_does_not_fit_is_refused(file: Path, tmp_path: Path, name: str) -> None:
    bad = damaged(file, tmp_path / "bad", HEADERS.get(name, {}), ARRAYS.get(name, {}))
    with refuses(FileFormatError, option="content"):
        Result.load(bad)


def test_early_files_say_less_of_a_sampler(file: Path, tmp_path: Path) -> None:
    loaded = Result.load(damaged(file, tmp_path / "early", {"sampling": SAMPLED}, {}))
    assert loaded.details == SamplingDetails(**SAMPLED, executor="serial", threads=1, shared=False)


def test_keys_that_occur_twice_are_refused(result: Result, tmp_path: Path) -> None:
    keys = result.stored.keys
    stored = replace(result.stored, keys=(keys[1], *keys[1:]))
    path = replace(result, strategy=unchecked(stored)).save(tmp_path / "s")
    with refuses(FileFormatError, option="content"):
        Result.load(path)


def test_a_checkpoint_is_no_solution(tmp_path: Path) -> None:
    solve("kuhn", iterations=2, files=eq.Files(checkpoint=tmp_path / "c"))
    with refuses(FileFormatError, option="format", given="checkpoint", expected="solution"):
        Result.load(tmp_path / "c")


def test_other_files_are_not_overwritten(result: Result, tmp_path: Path) -> None:
    (tmp_path / "rules.py").write_text("mine")
    with refuses(OutputError, option="out", expected="solution"):
        result.save(tmp_path / "rules.py")
    assert (tmp_path / "rules.py").read_text() == "mine"


def test_saving_says_where(result: Result, tmp_path: Path) -> None:
    path = result.save(str(tmp_path / "s"))
    assert path == tmp_path / "s"
    assert result.solution_file is None
    loaded = Result.load(path)
    assert loaded.solution_file == path
    assert loaded.to_dict()["solution_file"] == str(path)


@pytest.mark.parametrize(
    "options",
    [
        {"algorithm": "lp"},
        {"algorithm": "regret-matching", "iterations": 20},
        {"algorithm": "apcfr+", "iterations": 5, "output": "last"},
        {"algorithm": "fsicfr", "iterations": 5, "seed": 3},
        {"sampler": "outcome(epsilon=0.4)", "iterations": 50, "seed": 2},
        {"sampler": "external", "iterations": 50, "averaging": "walk", "threads": 2},
        {"iterations": 5, "target": 1e-9, "alternating": False},
    ],
    ids=str,
)
def test_every_kind_of_run_is_the_same_document_again(
    options: dict[str, Any], tmp_path: Path
) -> None:
    game = "biased_rps" if "matching" in str(options) else "kuhn"
    result = eq.solve(game, **grouped(options, out=tmp_path / "s"))
    loaded = eq.load_result(tmp_path / "s")
    assert loaded.to_dict() == json.loads(json.dumps(result.to_dict()))
    assert loaded.target == result.target
    assert loaded.details == (result.details if "sampler" in options else None)
