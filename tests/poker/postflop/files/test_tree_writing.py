"""How files of trees are written: announced, board by board, whole or not at all."""

from __future__ import annotations

import tracemalloc
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import pytest

from equilibrist.errors import ConfigError, OutputError
from equilibrist.poker import Spot, export, solve
from tests.poker.postflop.files.exported_trees import RIVER, TURN, solved
from tests.refusals import refuses


@pytest.mark.by_default(1)
@pytest.mark.parametrize("form", ["json", "jsonl", "csv", "parquet"])
def test_what_will_be_written_is_said_before(form: str, tmp_path: Path) -> None:
    plans: list[Any] = []
    file = tmp_path / f"tree.{form}"

    def plan(found: Any) -> None:
        assert not file.exists()
        plans.append(found)

    boards: list[int] = []
    count = export(
        solved(TURN), file, on_plan=plan, on_board=lambda _, number: boards.append(number)
    )
    (found,) = plans
    assert found.nodes == count
    assert {found.boards} == set(boards) == {len(boards)}
    assert found.seconds > 0
    assert 0.9 < found.num_bytes / file.stat().st_size < 1.1


@pytest.mark.slow
def test_numbers_that_many_boards_share_are_foreseen(tmp_path: Path) -> None:
    """Parquet stores them once: boards in files of their own take ten times as much."""
    flop = Spot(board="Ts8s4s", oop="AA,QQ,JTs", ip="KK,98s", pot=60, stack=90, bets="a")
    plans: list[Any] = []
    file = tmp_path / "tree.parquet"
    export(solve(flop, iterations=5), file, on_plan=plans.append)
    assert plans[0].boards > 600
    assert 0.85 < plans[0].num_bytes / file.stat().st_size < 1.15


def test_a_board_at_a_time_and_each_once(tmp_path: Path) -> None:
    asked: list[tuple[int, ...]] = []
    solution: Any = solved(TURN)
    assert solution.on_board

    def on_board(runout: tuple[int, ...]) -> Any:
        asked.append(runout)
        return solution.on_board(runout)

    told: list[tuple[int, int]] = []
    recorded = replace(solution, on_board=on_board)
    export(recorded, tmp_path / "tree.json", on_board=lambda *done: told.append(done))
    assert len(set(asked)) == len(asked) == len(told)
    assert told == [(k, len(asked)) for k in range(len(asked))]


def test_files_are_written_whole_or_not_at_all(tmp_path: Path) -> None:
    path, before = tmp_path / "tree.json", '{"board": "of before"}'
    path.write_text(before)

    def breaks(done: int, boards: int) -> None:
        if done == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        export(solved(TURN), path, on_board=breaks)
    assert path.read_text() == before
    assert [entry.name for entry in tmp_path.iterdir()] == ["tree.json"]


def test_what_cannot_be_written(tmp_path: Path) -> None:
    full = tmp_path / "full.json"
    full.symlink_to("/dev/full")
    with refuses(OutputError, option="file", given="No space left on device"):
        export(solved(TURN), full)
    with refuses(OutputError, option="folder"):
        export(solved(RIVER), tmp_path / "no" / "tree.csv")
    with refuses(ConfigError, option="path"):
        export(solved(RIVER), cast("Any", None))
    with refuses(ConfigError, option="path"):
        export(solved(RIVER), tmp_path / "tree.txt")
    assert sorted(entry.name for entry in tmp_path.iterdir()) == ["full.json"]


@pytest.mark.slow
@pytest.mark.parametrize("form", ["jsonl", "csv"])
def test_memory_does_not_grow_with_the_file(
    form: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Thirty times as many boards, and their text and figures nowhere but in the file."""
    for module in ("tree_files.writing", "result"):
        monkeypatch.setattr(f"equilibrist.poker.postflop.solution.{module}._AT_ONCE", 1)
    solution, file = solved(TURN), tmp_path / f"tree.{form}"
    sizes, peaks = [], []
    export(solution, file, line="X-X|")
    for line in ("X-X|2c", "X-X|"):
        tracemalloc.start()
        export(solution, file, line=line)
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
        sizes.append(file.stat().st_size)
    assert sizes[1] > 25 * sizes[0]
    assert peaks[1] - peaks[0] < sizes[1] / 2


@pytest.mark.parametrize("form", ["json", "jsonl", "csv", "parquet"])
def test_only_exports_are_replaced(form: str, tmp_path: Path) -> None:
    path = tmp_path / f"tree.{form}"
    path.write_bytes(b"")
    for _ in range(2):  # an empty file, and an export
        assert export(solved(RIVER), path) > 0
    for content in (b"my,precious\n1,2\n", b'{"mine": 1}', b"PAR1 or so"):
        path.write_bytes(content)
        with refuses(OutputError, option="file", given=path.name):
            export(solved(RIVER), path)
        assert path.read_bytes() == content
