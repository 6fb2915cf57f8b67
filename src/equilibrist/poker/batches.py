"""One spot on many boards: solved one after the other, with a report over all of them."""

from __future__ import annotations

import json
import os
import re
import tomllib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from equilibrist.archive import check_folder_of, write_bytes
from equilibrist.errors import (
    ConfigError,
    EquilibristError,
    FileFormatError,
    LineSyntaxError,
    OutputError,
)
from equilibrist.poker.cards import card_names, parse_board
from equilibrist.poker.flops import flop_subset, flops
from equilibrist.poker.public_tree import find_node
from equilibrist.poker.reports import Row, csv_text, plain, report_row
from equilibrist.poker.solving import read_stop
from equilibrist.poker.spot import Spot
from equilibrist.poker.spot_keys import SEATS
from equilibrist.table_frames import import_pandas, parquet_bytes

if TYPE_CHECKING:
    import pandas

ALL_BOARDS: Final = "all"
"""In the column `board`: the row of all boards together."""
_SETTINGS: Final = "batch.json"
_LINE: Final = re.compile(r"([^,;:]*?)(?:[,;:\s]\s*(\d+(?:\.\d*)?))?\s*(?:,.*)?")
_NO_RUN: Final = ("threads", "memory")
"""What changes nothing about the result."""


class Board(NamedTuple):
    """A board, and how much it counts."""

    board: str
    weight: float = 1.0


@dataclass(frozen=True)
class BatchReport:
    """What was found on all boards.

    Attributes:
        rows: For each line one row per board, then the row of all boards.
        skipped: Boards on which the spot is impossible, and why.
    """

    rows: list[Row]
    skipped: dict[str, str]

    @property
    def frame(self) -> pandas.DataFrame:
        """The rows as a DataFrame."""
        return import_pandas().DataFrame(self.rows)


def read_boards(path: str | os.PathLike[str]) -> list[Board]:
    """The boards in a text file, one a line, maybe with a weight behind a comma; # is a comment.

    Also what `equilibrist postflop flops --csv` prints. Raises FileFormatError with the line.
    """
    try:
        lines = Path(path).read_text("utf-8-sig").splitlines()
    except (OSError, ValueError) as error:
        raise FileFormatError(f"cannot read {path}: {error}", path) from None
    boards = []
    for number, line in enumerate(lines, 1):
        found = _LINE.fullmatch(line.partition("#")[0].strip())
        name = found[1].strip() if found else line
        if not name or (number == 1 and name.lower() in ("flop", "board")):
            continue
        try:
            cards = card_names(parse_board(name))
        except EquilibristError as error:
            raise FileFormatError(f"{path}, line {number}: {error}", path) from None
        boards.append(Board(cards, float(found[2]) if found and found[2] else 1.0))
    return boards


def flop_boards(which: str) -> list[Board]:
    """`all`, the 1,755 flops with their weights, or `subset:N`; raises ConfigError."""
    if which == "all":
        return [Board(flop.name, flop.weight) for flop in flops()]
    name, _, size = which.partition(":")
    if name != "subset" or not size.isdecimal():
        raise ConfigError(f"flops is {which!r}; expected all, or subset:N, such as subset:49")
    return [Board(flop.name, flop.weight) for flop in flop_subset(int(size))]


def batch(
    spot: Spot,
    boards: Iterable[Board | str],
    folder: str | os.PathLike[str],
    *,
    lines: Sequence[str] = ("",),
    resume: bool = False,
    progress: Callable[[int, int, str], None] | None = None,
    **run: Any,
) -> BatchReport:
    """Solve a spot on many boards in place of its own, and report on them.

    Every finished board is written to `folder` at once. With `resume` boards that are there already
    are not solved again; whatever they were solved with must be the same. `lines` are nodes of the
    first street, the root by default. `progress` is told how many boards are done, of how many, and
    which comes next. `run` is what `Spot.solve` takes. Boards that leave no deal are skipped.
    Writes report.csv, and report.parquet where pandas and pyarrow are installed.

    Raises ConfigError and LineSyntaxError for wrong arguments, before anything is solved;
    OutputError; KeyboardInterrupt if a run is interrupted: then the board is not written.
    """
    wanted = _checked(spot, boards)
    read_stop(spot.pot, *(run.get(key) for key in ("target", "iterations", "seconds")))
    for line in lines:
        if "|" in line:
            raise LineSyntaxError("a line of a batch stays on the first street", line, 0)
        spot.rules().follow(line)
    place = Path(folder)
    _prepare(place, _settings(spot, lines, run), resume=resume)
    found: dict[str, Any] = {}
    for number, board in enumerate(wanted):
        if progress:
            progress(number, len(wanted), board.board)
        file = place / f"{board.board}.json"
        if file.exists():
            found[board.board] = _read(file)
            continue
        found[board.board] = _on_board(spot, board.board, lines, run)
        write_bytes(file, json.dumps(found[board.board], allow_nan=False).encode())
    report = _report(wanted, found, lines)
    write_bytes(place / "report.csv", csv_text(report.rows).encode())
    try:
        import_pandas(parquet=True)
    except ConfigError:
        return report
    write_bytes(place / "report.parquet", parquet_bytes(report.frame))
    return report


def _checked(spot: Spot, boards: Iterable[Board | str]) -> list[Board]:
    """The boards, which differ and have as many cards as the spot's."""
    wanted: dict[str, Board] = {}
    for given in boards:
        text, weight = (given, 1.0) if isinstance(given, str) else given
        cards = parse_board(text)
        name = card_names(cards)
        if len(cards) != len(spot.cards):
            raise ConfigError(
                f"{name} has {len(cards)} cards and the spot's board {len(spot.cards)}; "
                "give boards of the same street"
            )
        if name in wanted:
            raise ConfigError(f"{name} is among the boards twice")
        wanted[name] = Board(name, weight)
    if not wanted:
        raise ConfigError("there are no boards; give at least one")
    return list(wanted.values())


def _settings(spot: Spot, lines: Sequence[str], run: dict[str, Any]) -> dict[str, Any]:
    """What decides about the figures, for JSON."""
    keys = tomllib.loads(spot.to_toml())
    del keys["board"]
    given = {key: value for key, value in run.items() if key not in _NO_RUN and value is not None}
    return {**keys, **{key: f"{value}" for key, value in given.items()}, "lines": [*lines]}


def _prepare(folder: Path, settings: dict[str, Any], *, resume: bool) -> None:
    """Make the folder, or check that what is in it may be gone on with."""
    file = folder / _SETTINGS
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OutputError(f"cannot write {folder}: {error.strerror}", folder) from None
    check_folder_of(file)
    if not file.exists():
        write_bytes(file, json.dumps(settings, indent=1).encode())
        return
    if not resume:
        raise ConfigError(f"{folder} holds a batch already; resume it, or give another folder")
    before = _read(file)
    for key in {**settings, **before}:
        if settings.get(key) != before.get(key):
            raise ConfigError(
                f"the batch in {folder} has {key} {_said(before, key)}, and now it is "
                f"{_said(settings, key)}; give what was given before, or another folder"
            )


def _said(settings: dict[str, Any], key: str) -> str:
    return repr(settings[key]) if key in settings else "left out"


def _read(file: Path) -> Any:
    try:
        return json.loads(file.read_bytes())
    except (OSError, ValueError) as error:
        raise FileFormatError(f"cannot read {file}: {error}; remove it", file) from None


def _on_board(spot: Spot, board: str, lines: Sequence[str], run: dict[str, Any]) -> dict[str, Any]:
    try:
        here = spot.replace(board=board)
    except ConfigError as error:
        return {"skipped": f"{error}"}
    solution = here.solve(**run)
    if solution.stopped_by == "interrupted":
        raise KeyboardInterrupt
    rows = []
    for line in lines:
        state, _ = solution.rules.follow(line)
        row = report_row(solution, find_node(solution.tree, state.line), ())
        rows.append(plain(row))
    return {
        "deals": report_row(solution, 0, ())["deals"],
        "rows": rows,
        "iterations": solution.iterations,
        "seconds": round(solution.seconds, 3),
        "exploitability_pct": round(solution.exploitability_percent, 6),
    }


def _report(wanted: list[Board], found: dict[str, Any], lines: Sequence[str]) -> BatchReport:
    skipped = {name: each["skipped"] for name, each in found.items() if "skipped" in each}
    solved = [board for board in wanted if board.board not in skipped]
    deals = sum(board.weight * found[board.board]["deals"] for board in solved)
    if not deals:
        raise ConfigError(f"the spot is possible on none of the boards: {[*skipped.values()][:1]}")
    rows = []
    for place in range(len(lines)):
        of_line = []
        for board in solved:
            result = found[board.board]
            row = {key: _number(value) for key, value in result["rows"][place].items()}
            row |= {"board": board.board}
            start = {
                "board": board.board,
                "weight": board.weight,
                "line": row["line"],
                "frequency": board.weight * row.pop("deals") / deals,
            }
            end = {key: result[key] for key in ("exploitability_pct", "iterations", "seconds")}
            of_line.append({**start, **row, **end})
        rows += [*of_line, _together(of_line)]
    return BatchReport(rows, skipped)


def _together(rows: list[Row]) -> Row:
    """The row of all boards: means by how often play comes to the node on each."""
    first = rows[0]
    total: Row = {"board": ALL_BOARDS, "weight": sum(row["weight"] for row in rows)}
    total |= {"line": first["line"], "frequency": sum(row["frequency"] for row in rows)}
    total |= {key: first[key] for key in ("pot", "acts") if key in first}
    for key in first:
        if key.startswith(("equity_", "ev_")) or key.endswith((" freq", " ev")):
            action = f"{key.removesuffix(' ev')} freq" if key.endswith(" ev") else None
            total[key] = _mean(
                [(row["frequency"] * (row[action] if action else 1.0), row[key]) for row in rows]
            )
    for seat in SEATS:
        share = total[f"equity_{seat}"] * total["pot"]
        total[f"eqr_{seat}"] = total[f"ev_{seat}"] / share if share else float("nan")
    total["exploitability_pct"] = max(row["exploitability_pct"] for row in rows)
    total["iterations"] = sum(row["iterations"] for row in rows)
    total["seconds"] = sum(row["seconds"] for row in rows)
    return {key: total[key] for key in first}


def _mean(pairs: list[tuple[float, float]]) -> float:
    known = [(count, value) for count, value in pairs if count > 0 and value == value]
    counts = sum(count for count, _ in known)
    return sum(count * value for count, value in known) / counts if counts else float("nan")


def _number(value: Any) -> Any:
    return float("nan") if value is None else value
