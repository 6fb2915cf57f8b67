"""A folder of a batch, opened: its boards, their rows, and the solutions that it keeps."""

from __future__ import annotations

import math
import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from equilibrist.errors import ConfigError, FileFormatError
from equilibrist.formatting.amounts import counted
from equilibrist.parsing.arguments import file_name
from equilibrist.poker.betting.actions import line_text
from equilibrist.poker.betting.public_tree import find_node
from equilibrist.poker.cards.cards import card_names, parse_board
from equilibrist.poker.cards.isomorphism import CARD_IMAGES
from equilibrist.poker.postflop.files.batch_folder import (
    SOLUTION_SUFFIX,
    BatchFolder,
    is_batch,
    is_examination,
)
from equilibrist.poker.postflop.files.runout_report import Row, report_line, report_row
from equilibrist.poker.postflop.files.storage import load_spot
from equilibrist.poker.postflop.solution.result import PostflopResult
from equilibrist.poker.postflop.spot.fields import SPOT_OPTIONS
from equilibrist.poker.postflop.spot.spot import Spot

_MOST_NAMED: Final = 6


@dataclass(frozen=True)
class KeptBoards:
    """The solutions that a batch keeps in its folder.

    Attributes:
        folder: The folder.
        boards: The boards whose solutions are kept, in the order of the alphabet.
    """

    folder: Path
    boards: tuple[str, ...]

    @classmethod
    def open(cls, folder: str | os.PathLike[str]) -> KeptBoards:
        """Look what a folder keeps.

        Args:
            folder: The folder of a batch.

        Returns:
            Its boards.

        Raises:
            FileFormatError: It is not the folder of a batch, has no boards yet, or keeps no
                solution.
        """
        path = checked_folder(folder)
        names = sorted(file.stem for file in path.glob(f"*{SOLUTION_SUFFIX}"))
        if not names and not BatchFolder.found(path).boards():
            raise FileFormatError(
                f"the batch in {path} has no boards yet",
                path,
                option="folder",
                remedy="call the same `equilibrist postflop batch` again with --resume",
            )
        if not names:
            raise FileFormatError(
                f"the batch in {path} keeps no solutions of its boards",
                path,
                option="keep",
                remedy="resume it with --keep first-street, which solves the boards again; its "
                "report is the file report.csv in it",
            )
        return cls(path, tuple(names))

    def file(self, board: str) -> Path:
        """Find the file of the solution of a board.

        Args:
            board: The board, its cards in any order.

        Returns:
            The file.

        Raises:
            ConfigError: The folder keeps no such board; the remedy is one that is equal to it up to
                suits, if there is one.
            CardSyntaxError: It is no board.
        """
        cards = set(parse_board(board))
        for name in self.boards:
            if set(parse_board(name)) == cards:
                return self.folder / f"{name}{SOLUTION_SUFFIX}"
        images = {frozenset(image[[*cards]].tolist()) for image in CARD_IMAGES}
        alike = [name for name in self.boards if frozenset(parse_board(name)) in images]
        more = len(self.boards) - _MOST_NAMED
        listed = ", ".join(self.boards[:_MOST_NAMED]) + (f" and {more:,} more" if more > 0 else "")
        raise ConfigError(
            f"the batch in {self.folder} keeps no solution of {card_names(parse_board(board))}",
            option="board",
            given=board,
            expected=listed,
            remedy=f"give {alike[0]}, which has the same ranks and the same pattern of suits"
            if alike
            else f"it keeps {counted(len(self.boards), 'board')}: {listed}",
        )

    def load(self, board: str) -> PostflopResult:
        """Open the solution of a board.

        Args:
            board: The board, its cards in any order.

        Returns:
            The solution.

        Raises:
            ConfigError: The folder keeps no such board.
            FileFormatError: Its file is damaged.
        """
        return kept_solution(self.file(board))

    def row(self, board: str, line: str = "") -> Row:
        """The figures at a node of the first street on a board, without solving.

        Args:
            board: The board.
            line: The node, by default the root.

        Returns:
            A row with the columns of a report; `frequency` is the share of the deals on this board
            in which play comes to the node.

        Raises:
            ConfigError: The folder keeps no such board.
            LineSyntaxError: The line cannot be played.
            FileFormatError: The file of the board is damaged.
        """
        file = self.file(board)
        place = BatchFolder.found(self.folder)
        wanted = _line_of(place, file.stem, line)
        return _reported(place, file.stem, wanted) or row_at(kept_solution(file), wanted)


def board_rows(
    folder: str | os.PathLike[str],
    line: str = "",
    on_board: Callable[[int, int], None] | None = None,
) -> list[Row]:
    """The figures at a node of the first street on all boards of a batch, without solving.

    Args:
        folder: The folder of a batch.
        line: The node, by default the root.
        on_board: Called before each board, with the number done and that of all.

    Returns:
        The rows, as `KeptBoards.row` returns them, in the order of the alphabet. Boards that were
        skipped have none.

    Raises:
        FileFormatError: It is not the folder of a batch, or a file in it is damaged.
        ConfigError: The batch has no row of the line for a board, whose solution was not kept; or
            it has no boards.
        LineSyntaxError: The line cannot be played.
    """
    path = checked_folder(folder)
    place = BatchFolder.found(path)
    boards = place.boards()
    rows = []
    wanted: str | None = None  # the line as the batch writes it
    for done, board in enumerate(boards):
        if on_board is not None:
            on_board(done, len(boards))
        if place.has(board) and "skipped" in place.read(board):
            continue
        wanted = _line_of(place, board, line) if wanted is None else wanted
        row = _reported(place, board, wanted)
        if row is None and not place.keeps(board):
            raise ConfigError(
                f"the batch in {path} has no row of {wanted or 'the root'} for {board}, whose "
                "solution was not kept",
                option="line",
                given=line,
                expected=place.settings.get("lines"),
                remedy="resume it with --keep, which solves the boards again and keeps them",
            )
        rows.append(row or row_at(kept_solution(place.solution(board)), wanted))
    if not rows:
        raise ConfigError(f"the batch in {path} has no boards yet", option="folder", given=path)
    return rows


def kept_solution(file: Path) -> PostflopResult:
    """The solution of a board in the folder of a batch.

    Args:
        file: The file, whose name is the board.

    Returns:
        The solution.

    Raises:
        FileFormatError: The file is damaged, or has the solution of another board.
    """
    remedy = "remove it, and resume the batch with --keep, which solves its board again"
    try:
        solution = load_spot(file)
    except FileFormatError as error:
        raise FileFormatError(
            f"{file} cannot be read as the solution of {file.stem}",
            file,
            option=error.option,
            given=error.given,
            remedy=remedy,
        ) from error
    if set(solution.spot.cards) != set(parse_board(file.stem)):
        raise FileFormatError(
            f"{file} has the solution of {solution.spot.board}",
            file,
            option="file",
            given=solution.spot.board,
            expected=file.stem,
            remedy=remedy,
        )
    return solution


def checked_folder(folder: str | os.PathLike[str]) -> Path:
    """The path of the folder of a batch; FileFormatError for anything else."""
    path = file_name("folder", folder)
    if not is_batch(path):
        raise FileFormatError(
            f"{path} is not the folder of a batch", path, option="folder", given=str(path)
        )
    if is_examination(path):
        raise FileFormatError(
            f"{path} is the folder of an examination, not of a batch",
            path,
            option="folder",
            given=str(path),
            remedy="its report is the file report.csv in it",
        )
    return path


def _line_of(place: BatchFolder, board: str, line: str) -> str:
    """A line as the batch writes it, by the spot of its settings; raises LineSyntaxError.

    Locks say nothing of which actions there are.
    """
    keys = {key: place.settings[key] for key in SPOT_OPTIONS if key in place.settings}
    return report_line(Spot(**{**keys, "board": board, "locks": ()}), line)


def _reported(place: BatchFolder, board: str, line: str) -> Row | None:
    """The row of a board as the report of the batch has it; None where it has none."""
    if not place.has(board):
        return None
    results = place.read(board)
    for row in results.get("rows", ()):
        if row.get("line") == line:
            figures = {
                key: math.nan if value is None else value
                for key, value in row.items()
                if key not in ("deals", "board", "line", "hands")
            }
            frequency = row["deals"] / results["deals"] if results["deals"] else math.nan
            return {"board": row["board"], "line": line, "frequency": frequency, **figures}
    return None


def row_at(solution: PostflopResult, line: str) -> Row:
    """The row of a node of the first street of a solved spot; raises LineSyntaxError.

    Args:
        solution: The solution.
        line: The node.

    Returns:
        The row, as `KeptBoards.row` returns it.
    """
    state = solution.rules.follow(line).state
    row = report_row(solution, find_node(solution.tree, state.line), ())
    all_deals = report_row(solution, 0, ())["deals"]
    deals = row.pop("deals")
    frequency = deals / all_deals if all_deals else float("nan")
    return {"board": solution.spot.board, "line": line_text(state.line), "frequency": frequency} | {
        key: value for key, value in row.items() if key not in ("board", "line")
    }
