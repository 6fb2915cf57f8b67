"""Solutions on disk: what is kept comes back bit for bit, the rest is re-solved."""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from equilibrist import load_result
from equilibrist.errors import ConfigError, FileFormatError, OutputError
from equilibrist.poker import PostflopResult, Spot, export, solve
from equilibrist.poker.betting.actions import line_text
from equilibrist.poker.betting.public_tree import node_line
from equilibrist.poker.betting.street_tree import ACTION
from equilibrist.poker.cards.cards import parse_cards
from equilibrist.poker.postflop.engine.engine import Engine
from equilibrist.poker.postflop.solution.node_aggregates import NodeValues
from equilibrist.poker.postflop.spot.subgame import subgame_at
from equilibrist.storage.archive import BLOCK, write_archive
from equilibrist.storage.kinds.file_kinds import SPOT_SOLUTION
from equilibrist.storage.mapped_archive import MappedArchive
from tests.refusals import refuses, unchecked
from tests.slow_cases import slow

FLOP = Spot(
    board="QsJs2h",
    oop="AA,KQs,T9s:0.5",
    ip="KK,AJs,98s",
    pot=40,
    stack=60,
    bets="50%",
    raises="a",
    donks="|a|",
    rake=0.05,
    rake_cap=3,
)
TURN = Spot(board="QsJh2h7c", oop="AA,T9s", ip="KK,98s", pot=40, stack=90, bets="50%", raises="a")
FLOP_LINES = ("", "X", "X-B20", "X-B20-C", "B20-A", "B20-A-C", "B20-A-C|7c", "B20-A-C|7c|2d")
TURN_LINES = ("X-X|7c", "X-B20-C|8d|A-C", "X-X|8h|B20", "X-X|8h|B20-A-C", "X-X|8h|B20-A-C|9h")
RIVER_LINES = ("X-X|7c|X-X|7d", "X-X|8h|B20-C|9h|X", "B20-C|Kd|X-X|3c|A-F")


@cache
def solved(spot: Spot, storage: Any = "float32") -> PostflopResult:
    return solve(spot, target="2%", storage=storage)


def names(folder: Path) -> list[str]:
    return [path.name for path in folder.iterdir()]


def assert_same(ours: NodeValues, theirs: NodeValues) -> None:
    for one, other in zip(ours, theirs, strict=True):
        np.testing.assert_array_equal(one, other)


@pytest.mark.by_default(1)
@pytest.mark.parametrize("storage", ["float32", "int16"])
def test_a_whole_solution_comes_back(tmp_path: Path, storage: str) -> None:
    before = solved(FLOP, storage)
    before.save(tmp_path / "a.spot")
    after = load_result(tmp_path / "a.spot")
    for line in (*FLOP_LINES, *TURN_LINES, *RIVER_LINES):
        assert_same(after.at(line).values, before.at(line).values)
    assert after.to_dict() == before.to_dict()
    assert (after.spot, after.keep, after.target) == (FLOP, "all", before.target)


@pytest.mark.by_default(1)
@pytest.mark.parametrize(
    ("spot", "keep", "kept", "dropped"),
    [
        (FLOP, "no-rivers", (*FLOP_LINES, *TURN_LINES), RIVER_LINES),
        (FLOP, "first-street", FLOP_LINES, (*TURN_LINES, *RIVER_LINES)),
        (TURN, "no-rivers", ("", "X-B20", "B20-A-C|2d"), ("X-X|2d", "X-X|Kc|B20-A")),
    ],
)
def test_fewer_streets(
    tmp_path: Path, spot: Spot, keep: Any, kept: tuple[str, ...], dropped: tuple[str, ...]
) -> None:
    before = solved(spot)
    before.save(tmp_path / "all.spot")
    load_result(tmp_path / "all.spot").save(tmp_path / "part.spot", keep)
    before.save(tmp_path / "a.spot", keep)
    assert (tmp_path / "a.spot").read_bytes() == (tmp_path / "part.spot").read_bytes()
    assert (tmp_path / "a.spot").stat().st_size < (tmp_path / "all.spot").stat().st_size / 2
    after = load_result(tmp_path / "a.spot")
    assert after.keep == keep
    for line in kept:
        assert_same(after.at(line).values, before.at(line).values)
    limit = before.target
    assert limit
    for line in dropped:
        node, as_it_was = after.at(line), before.at(line)
        assert as_it_was.resolved is None
        assert node.resolved is not None
        assert node.resolved <= limit
        assert (node.line, node.board, node.pot) == (as_it_was.line, as_it_was.board, as_it_was.pot)
        assert node.actions == as_it_was.actions
        assert node.values.strategy.shape == as_it_was.values.strategy.shape
        assert "re-solved" in str(node)
        measure = spot.measure_name.replace(" ", "_")
        assert node.to_dict()[f"resolved_{measure}_chips"] == node.resolved
    with refuses(ConfigError, option="keep", given=keep):
        after.save(tmp_path / "more.spot", "all")
    assert not (tmp_path / "more.spot").exists()
    assert load_result(after.save(tmp_path / "same.spot")).keep == keep


@pytest.mark.by_default(1)
@pytest.mark.parametrize(
    ("keep", "line"),
    [("first-street", "X-X|7c"), ("first-street", "X-X|7c|X-X|3h"), ("no-rivers", "X-X|7c|X-X|3h")],
)
def test_what_is_resolved_is_worth_the_same(tmp_path: Path, keep: Any, line: str) -> None:
    """Where a street begins both strategies are equilibria of what comes there."""
    spot = FLOP.replace(rake=0, rake_cap=None, bets="none|none|75%", donks="")
    before = solve(spot, target="0.05%")
    before.save(tmp_path / "a.spot", keep)
    node, as_it_was = load_result(tmp_path / "a.spot").at(line), before.at(line)
    np.testing.assert_allclose(node.values.weight, as_it_was.values.weight, atol=1e-4)
    np.testing.assert_allclose(node.values.matchups, as_it_was.values.matchups, atol=1e-3)
    np.testing.assert_allclose(node.values.equity, as_it_was.values.equity, atol=1e-3)
    assert sum(node.totals.ev) == pytest.approx(40)
    assert node.totals.ev == pytest.approx(as_it_was.totals.ev, abs=0.5)


@pytest.mark.slow
def test_only_accessed_parts_are_read(tmp_path: Path) -> None:
    spot = TURN.replace(board="QsJh2h", oop="55+,A2s+,KTs+", ip="22+,A2s+,K9s+", bets="50%,a")
    solve(spot, iterations=1).save(tmp_path / "a.spot")
    size = (tmp_path / "a.spot").stat().st_size
    assert size > 20 * BLOCK
    opened: list[MappedArchive] = []
    made = MappedArchive.__init__

    def remember(self: MappedArchive, *given: Any) -> None:
        made(self, *given)
        opened.append(self)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(MappedArchive, "__init__", remember)
        solution = load_result(tmp_path / "a.spot")
    assert opened[0].bytes_read == 0
    solution.at()
    assert opened[0].bytes_read <= 4 * BLOCK
    solution.at("X-X|7c|X-X|2c")
    assert opened[0].bytes_read <= 10 * BLOCK


def test_the_betting_is_written_down_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """And not again for each board that is looked at."""
    before = solved(TURN)
    before.save(tmp_path / "a.spot")
    after = load_result(tmp_path / "a.spot")
    for module in ("layout", "traversal", "snapshot"):
        monkeypatch.delattr(f"equilibrist.poker.postflop.engine.{module}.betting_program")
    for line in ("", "X-X|2d", "X-X|3d"):
        assert_same(after.at(line).values, before.at(line).values)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("keep", "lines"),
    [
        ("first-street", ("X-X|Ah", "X-B20-C|Ac|X-B40", "X-X|Ah|X-X|9c", "X-X|Ah|X-B20")),
        ("no-rivers", ("X-X|9c|X-X|Ac", "X-X|9c|X-X|Ac|B20", "X-X|Ah|X-X|9c|X-B20")),
    ],
)
def test_where_no_two_hands_meet(tmp_path: Path, keep: Any, lines: tuple[str, ...]) -> None:
    """The only hand of a player has a card that comes: as a whole solution has it, no error."""
    spot = TURN.replace(board="AsAd2h", oop="AcAh")
    before = solve(spot, iterations=20, algorithm="dcfr-restarts")
    before.save(tmp_path / "a.spot", keep)
    after = load_result(tmp_path / "a.spot")
    for line in lines:
        node, as_it_was = after.at(line), before.at(line)
        assert not node.values.weight[0].any()
        assert_same(node.values, as_it_was.values)
        assert node.to_dict() == as_it_was.to_dict()
    counts = [export(each, tmp_path / "a.json", line=lines[0]) for each in (before, after)]
    assert counts[0] == counts[1] > 2


def test_threads_change_no_bit_of_what_is_resolved(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    solved(FLOP).save(tmp_path / "a.spot", "first-street")
    used: list[int] = []
    made = Engine.__init__

    def remember(self: Engine, *given: Any, **more: Any) -> None:
        used.append(more.get("threads", 1))
        made(self, *given, **more)

    monkeypatch.setattr(Engine, "__init__", remember)
    monkeypatch.setenv("EQUILIBRIST_THREADS", "5")
    one, three, all_cores = (
        load_result(tmp_path / "a.spot", threads=threads) for threads in (1, 3, None)
    )
    for line in ("X-X|7c|B20", "X-X|7c|X-X|7d"):
        assert_same(three.at(line).values, one.at(line).values)
        assert_same(all_cores.at(line).values, one.at(line).values)
    assert set(used) == {1, 3, 5}
    with refuses(ConfigError, option="threads", given=0):
        load_result(tmp_path / "a.spot", threads=0)


@pytest.mark.slow
@pytest.mark.parametrize("keep", [slow("no-rivers"), "first-street"])
def test_each_line_is_resolved_once_for_a_board(
    tmp_path: Path, keep: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However many lines come to a board, and in whatever order its nodes are asked for."""
    spot = FLOP.replace(
        oop="AcAh", ip="KcKh,KdKs", stack=400, bets="50%,100%", raises="50%", donks="", raise_cap=2
    )
    solve(spot, iterations=2).save(tmp_path / "a.spot", keep)
    loaded = load_result(tmp_path / "a.spot")
    tree = loaded.tree
    streets = {"no-rivers": 2, "first-street": 1}[keep]
    entries = np.flatnonzero((tree.street == streets) & (tree.action < 0))
    lines = {line_text(node_line(tree, int(node))) for node in entries}
    assert len(lines) > 10
    asked: list[tuple[Any, ...]] = []

    def later(spot: Spot, line: Any, runout: Any, weight: Any) -> Spot | None:
        asked.append((line_text(line), runout))
        return subgame_at(spot, line, runout, weight)

    monkeypatch.setattr("equilibrist.poker.postflop.files.storage.subgame_at", later)
    kept = (*parse_cards("7c"), *parse_cards("7d"))[:streets]
    boards = [(*kept, *parse_cards(card)) for card in ("3d", "4d")] if streets == 1 else [kept]
    nodes = np.flatnonzero((tree.street == 2) & (tree.kind == ACTION)).tolist()
    for board in boards:
        for node in loaded.nodes(board, nodes):
            assert node.resolved is not None
    assert len(asked) == len(set(asked))
    assert {line for line, _ in asked} <= lines
    assert {runout for _, runout in asked} == {kept}


def test_a_spot_on_the_river(tmp_path: Path) -> None:
    solution = solve(TURN.replace(board="QsJh2h7c8c"), target="2%")
    with refuses(ConfigError, option="keep", given="no-rivers"):
        solution.save(tmp_path / "a.spot", "no-rivers")
    solution.save(tmp_path / "a.spot", "first-street")
    assert_same(load_result(tmp_path / "a.spot").at("X").values, solution.at("X").values)
    with refuses(ConfigError, option="keep", given="turns"):
        solution.save(tmp_path / "b.spot", unchecked("turns"))
    assert names(tmp_path) == ["a.spot"]


def test_a_full_disk_leaves_the_earlier_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.spot"
    solved(TURN).save(path)
    content = path.read_bytes()

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with refuses(OutputError, option="file", given="No space left on device"):
        solved(TURN).save(path, "no-rivers")
    assert path.read_bytes() == content
    assert names(tmp_path) == ["a.spot"]
    monkeypatch.undo()
    (tmp_path / "notes").write_text("mine")
    with refuses(OutputError, option="out", expected="spot-solution"):
        solved(TURN).save(tmp_path / "notes")


def test_bad_files(tmp_path: Path) -> None:
    path = tmp_path / "a.spot"
    solved(TURN).save(path)
    content = path.read_bytes()
    archive = MappedArchive(path, SPOT_SOLUTION)
    header, arrays = archive.header, {name: archive.read(name) for name in archive.shapes()}
    for length in (0, 100, len(content) // 2, len(content) - 1):
        path.write_bytes(content[:length])
        with refuses(FileFormatError, option="file"):
            load_result(path)
    path.write_bytes(content[:-100] + b"x" * 100)
    damaged = load_result(path)
    with refuses(FileFormatError, option="checksum"):
        damaged.at()
    changes: list[tuple[dict[str, Any], str]] = [
        ({"layout": "x"}, "layout"),
        ({"spot": header["spot"].replace("pot = 40", "pot = 0")}, "content"),
        ({"spot": "pot ="}, "content"),
        ({"keep": "turns"}, "content"),
        ({"more": 1}, "content"),
        ({"target": "1"}, "content"),
    ]
    for change, option in changes:
        write_archive(path, SPOT_SOLUTION, header | change, arrays, in_parts=True)
        with refuses(FileFormatError, option=option, path=path):
            load_result(path)
    del arrays["exits.1.0"]
    write_archive(path, SPOT_SOLUTION, header, arrays, in_parts=True)
    with refuses(FileFormatError, option="exits.1.0"):
        load_result(path).at()
    path.write_text("board = 'QsJh2h'")
    with refuses(FileFormatError, option="file"):
        load_result(path)


@pytest.mark.parametrize("storage", ["float32", "int16"])
def test_arrays_that_do_not_match_the_spot(storage: Any, tmp_path: Path) -> None:
    """Checksums are right: a program wrote the file, but not ours."""
    path = tmp_path / "a.spot"
    solve(TURN, iterations=5, storage=storage).save(path, "no-rivers")
    archive = MappedArchive(path, SPOT_SOLUTION)
    header, arrays = archive.header, {name: archive.read(name) for name in archive.shapes()}
    nan = np.full_like(arrays["exits.0.0"], np.nan)
    wrong: list[tuple[str, Any]] = [
        ("arena", arrays["arena"][:, :0]),
        ("arena", arrays["arena"].ravel()),
        ("arena", arrays["arena"] - 10**6),
        ("arena", arrays["arena"] + 10**6),
        ("arena", arrays["arena"].astype(np.int32)),
        ("decisions", arrays["decisions"][:1]),
        ("total", arrays["total"][:-1]),
        ("total", arrays["total"].astype(np.float64)),
        ("total", np.full_like(arrays["total"], -5)),
        ("total_scale" if storage == "int16" else "total", None),
        ("exits.0.0", nan),
        ("exits.1.0", arrays["exits.1.0"][:, :-1]),
    ]
    if storage == "float32":
        wrong.append(("total", np.full_like(arrays["total"], np.nan)))
    for name, array in wrong:
        changed = {key: value for key, value in arrays.items() if key != name}
        if array is not None:
            changed[name] = array
        write_archive(path, SPOT_SOLUTION, header, changed, in_parts=True)
        with refuses(
            FileFormatError,
            option="total"
            if name == "arena"
            and array is not None
            and array.dtype == np.int64
            and array.shape == arrays["arena"].shape
            else name,
        ):
            solution = load_result(path)
            for line in ("", "X", "X-X"):
                solution.at(line)


@pytest.mark.parametrize(
    ("change", "option"), [({"mean_gain": -0.5}, "mean_gain"), ({"iterations": 2**64}, "content")]
)
def test_figures_that_cannot_be(change: dict[str, Any], option: str, tmp_path: Path) -> None:
    path = tmp_path / "a.spot"
    solved(TURN).save(path)
    archive = MappedArchive(path, SPOT_SOLUTION)
    arrays = {name: archive.read(name) for name in archive.shapes()}
    write_archive(path, SPOT_SOLUTION, archive.header | change, arrays, in_parts=True)
    with refuses(FileFormatError, option=option):
        load_result(path)
