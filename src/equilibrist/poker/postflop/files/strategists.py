"""What makes the strategies that are examined: files of solutions, spots, tables, leaf values."""

from __future__ import annotations

import csv
import hashlib
import io
import os
import warnings
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np

from equilibrist.errors import ConfigError, EquilibristError, FileFormatError
from equilibrist.parsing.arguments import bad_argument, file_name, whole_number
from equilibrist.poker.betting.actions import line_text
from equilibrist.poker.betting.lines import parse_line, read_action
from equilibrist.poker.betting.public_tree import node_line
from equilibrist.poker.betting.street_tree import ACTION
from equilibrist.poker.cards.cards import card_names, parse_board
from equilibrist.poker.cards.combos import NUM_COMBOS
from equilibrist.poker.postflop.engine.leaves import HoldemLeafValues, checked_leaf_values
from equilibrist.poker.postflop.files.storage import load_spot
from equilibrist.poker.postflop.solution.street_strategy import (
    StreetStrategy,
    strategy_of_locks,
    strategy_of_spot,
)
from equilibrist.poker.postflop.solving.examination import Strategist
from equilibrist.poker.postflop.solving.leaf_solver import (
    LEAF_ITERATIONS,
    LeafSolver,
    street_strategy,
)
from equilibrist.poker.postflop.solving.spot_runs import solve
from equilibrist.poker.postflop.spot.fields import SEATS
from equilibrist.poker.postflop.spot.lock import SHARES
from equilibrist.poker.postflop.spot.resolved_locks import locks_on
from equilibrist.poker.postflop.spot.spot import Spot
from equilibrist.poker.ranges.hand_groups import group_combos
from equilibrist.poker.text_span import TextSpan, read_share
from equilibrist.storage.archive import file_kind
from equilibrist.storage.kinds.file_kinds import CSV, SPOT, SPOT_SOLUTION, SPOT_TREE, another_kind
from equilibrist.storage.plain_file import read_text_file
from equilibrist.typing import FloatArray

_WANTED: Final = "a strategy of a spot: a solution, a spot file, or a table in CSV"
_LONG: Final = ("line", "hand", "action", "share")
"""The columns of a table with a row for each action of a hand."""
_WIDE: Final = ("line", "player", "acts", "hand", "action1", "share1")
"""Columns of what `postflop export` writes, with a row for each hand."""


def _nothing_unused(spot: Spot) -> list[str]:  # noqa: ARG001 - a form of callback
    """All that a strategy says has its place in any spot."""
    return []


class NamedStrategist(NamedTuple):
    """What makes the strategies that are examined, and what it is called."""

    name: str
    """Such as `menu.toml`; tells it from others in the folder of a report."""
    make: Strategist
    """Gives the strategy on a spot."""
    unused: Callable[[Spot], list[str]] = _nothing_unused
    """Says in words which of its lines and hands have no place in a spot."""


def strategist_of_file(
    path: str | os.PathLike[str],
    *,
    iterations: int | None = None,
    target: str | None = None,
    threads: int | None = None,
) -> NamedStrategist:
    """Examine what a file says.

    Args:
        path: The solution of a spot; a spot file, whose locks are the strategy, or which is solved
            on each board if it has none; or a table in CSV: what `postflop export` wrote, or one
            with the columns line, hand, action and share, and perhaps board.
        iterations: The most iterations with which a spot file is solved.
        target: The exploitability to which a spot file is solved.
        threads: Threads to solve it with.

    Returns:
        What gives its strategy on a spot.

    Raises:
        FileFormatError: It is none of these, or damaged.
        ConfigError: Limits are given, and nothing is solved.
    """
    file = file_name("strategy", path)
    make: Strategist
    kind = file_kind(file)
    name = f"{file.name} ({_digest(file)})"
    unused = _nothing_unused
    if kind == SPOT:
        spot = Spot.from_toml(file)
        if not spot.locks:
            ends = [f"{iterations} iterations"] * (iterations is not None)
            ends += [f"target {target}"] * (target is not None)
            make = _solving(spot, threads, iterations=iterations, target=target)
            return NamedStrategist(", ".join([name, *ends]), make)
        make = _locked(spot)
    elif kind == SPOT_SOLUTION:
        make = _of_solution(file)
    elif kind in (CSV, SPOT_TREE):
        table = _read_table(file)
        make, unused = _of_table(file, table), table.unused
    else:
        raise another_kind(file, kind or "", _WANTED) if kind else _unreadable(file, "no strategy")
    if iterations is not None or target is not None:
        raise ConfigError(
            f"{path} is a strategy as it stands, which no run makes",
            option="strategy",
            given=str(path),
            remedy="leave out the limits of its run",
        )
    return NamedStrategist(name, make, unused)


def strategist_over_values(
    leaf_values: HoldemLeafValues, *, iterations: int | None = None, memory: int | None = None
) -> NamedStrategist:
    """Examine what the first street plays over leaf values.

    Args:
        leaf_values: What says what leaves are worth.
        iterations: How many iterations are run on each board, by default 200.
        memory: The most bytes that a board may take, by default half of the machine's memory.

    Returns:
        What solves the street of a spot.
    """
    count = LEAF_ITERATIONS if iterations is None else whole_number("iterations", iterations, 1)
    name = checked_leaf_values(leaf_values).name
    if leaf_values.identity:
        name += f" ({leaf_values.identity[:12]})"

    def make(spot: Spot) -> StreetStrategy:
        return street_strategy(LeafSolver(spot, leaf_values, memory=memory).run(count))

    return NamedStrategist(f"{name}, {count} iterations", make)


def _digest(file: Path) -> str:
    """The beginning of the hash of a file."""
    try:
        with file.open("rb") as content:
            return hashlib.file_digest(content, "sha256").hexdigest()[:12]
    except OSError as error:
        raise _unreadable(file, error.strerror or f"{error}") from None


def _unreadable(file: Path, reason: str) -> FileFormatError:
    return FileFormatError(
        f"{file} is not {_WANTED}: {reason}", file, option="strategy", expected=_WANTED
    )


def _solving(spot: Spot, threads: int | None, **limits: Any) -> Strategist:
    """Solve a spot, on the board of the examined one."""

    def make(examined: Spot) -> StreetStrategy:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)
            here = spot.replace(board=examined.board)
            solution = solve(here, threads=threads, progress=False, **limits)
        if solution.stopped_by == "interrupted":
            raise KeyboardInterrupt
        return strategy_of_spot(solution.strategy)

    return make


def _locked(spot: Spot) -> Strategist:
    """The locks of a spot, on the board of the examined one."""

    def make(examined: Spot) -> StreetStrategy:
        ranges = (spot.oop, spot.ip)
        locks = locks_on(spot.locks, spot.rules(), examined.cards, ranges)
        return strategy_of_locks(spot.replace(board=examined.board, locks=locks))

    return make


def _of_solution(file: Path) -> Strategist:
    """A solved spot, on its own board alone."""
    solution = load_spot(file)

    def make(examined: Spot) -> StreetStrategy:
        _check_board(file, solution.spot.board, examined)
        return strategy_of_spot(solution.strategy)

    return make


def _check_board(file: Path, board: str, examined: Spot) -> None:
    if set(parse_board(board)) != set(examined.cards):
        raise ConfigError(
            f"{file} is a strategy on {board}, not on {examined.board}",
            option="board",
            given=board,
            expected=examined.board,
            remedy="examine it on its own board, or give a strategy of all boards",
        )


class _Table:
    """The rows of a table, by board and by line.

    Attributes:
        lines: By board, empty for any, and by line: float64[1326] of each action.
        hands: By line: the hands as they are written, and their combos.
    """

    def __init__(self) -> None:
        self.lines: dict[str, dict[str, dict[str, FloatArray]]] = {}
        self.hands: dict[str, dict[str, Any]] = {}

    def complete(self) -> None:
        """Put 0 for the actions that hands leave out where they have any row at a line."""
        for lines in self.lines.values():
            for actions in lines.values():
                has_row = ~np.isnan(np.stack([*actions.values()])).all(axis=0)
                for shares in actions.values():
                    shares[has_row] = np.nan_to_num(shares[has_row])

    def unused(self, spot: Spot) -> list[str]:
        """Say which lines are no decisions of the first street, and which hands are not held."""
        tree, held = spot.betting.tree, (spot.oop.weights, spot.ip.weights)
        acts = (tree.kind == ACTION) & (tree.street == spot.first_street)
        players = {
            line_text(node_line(tree, node)): int(tree.player[node])
            for node in np.flatnonzero(acts).tolist()
        }
        strange = [line or "the root" for line in self.hands if line not in players]
        texts = []
        if strange:
            texts.append(f"no decisions of the first street: {_listed(strange)}")
        for player, seat in enumerate(SEATS):
            missing = {
                hand: None
                for line, hands in self.hands.items()
                if players.get(line) == player
                for hand, combos in hands.items()
                if not held[player][combos].any()
            }
            if missing:
                texts.append(f"hands that {seat} does not hold: {_listed([*missing])}")
        return texts


def _listed(names: list[str]) -> str:
    """The first of some names."""
    more = len(names) - _MOST_NAMED
    return ", ".join(names[:_MOST_NAMED]) + (f" and {more:,} more" if more > 0 else "")


_MOST_NAMED: Final = 8


def _of_table(file: Path, table: _Table) -> Strategist:
    """A table, of one board or of several."""

    def make(examined: Spot) -> StreetStrategy:
        board = card_names(sorted(examined.cards))
        lines = table.lines.get(board, table.lines.get(""))
        if lines is None:
            _check_board(file, next(iter(table.lines)), examined)
        return _lookup(lines or {})

    return make


def _lookup(lines: Mapping[str, Mapping[str, FloatArray]]) -> StreetStrategy:
    def played(line: str) -> Mapping[str, FloatArray] | None:
        return lines.get(line)

    return played


def _read_table(file: Path) -> _Table:
    """Read a table of a strategy; raises FileFormatError with the line."""
    reader = csv.DictReader(io.StringIO(read_text_file(file)))
    columns = [name.strip().lower() for name in reader.fieldnames or ()]
    reader.fieldnames = columns
    rows_of: Callable[[dict[str, str]], list[tuple[str, str]]]
    if {*_LONG} <= {*columns}:
        rows_of = _long_row
    elif {*_WIDE} <= {*columns}:
        rows_of = _wide_row
    else:
        raise FileFormatError(
            f"{file} has the columns {', '.join(columns) or 'none'}, not "
            f"{', '.join(_LONG)}, or those of `postflop export`",
            file,
            option="columns",
            given=", ".join(columns),
            expected=", ".join(_LONG),
        )
    table = _Table()
    groups: dict[str, Any] = {}
    for row in reader:
        try:
            _add(table, groups, row, rows_of(row))
        except (EquilibristError, ValueError, TypeError) as error:
            place = f"{file}, line {reader.line_num}"
            raise FileFormatError(
                f"{place}: {error}", file, option="strategy", place=place
            ) from None
    table.complete()
    if not table.lines:
        raise _unreadable(file, "it has no rows")
    return table


def _long_row(row: dict[str, str]) -> list[tuple[str, str]]:
    """The action of a row, and its share."""
    return [(row["action"], row["share"])]


def _wide_row(row: dict[str, str]) -> list[tuple[str, str]]:
    """The actions of a row and their shares; none of the player who does not act."""
    if row["player"] != row["acts"] or row["hand"] == "all" or "|" in row["line"]:
        return []
    pairs = []
    for number in range(1, len(row)):
        name = row.get(f"action{number}")
        if not name:
            break
        pairs.append((name, row[f"share{number}"]))
    return pairs


def _add(
    table: _Table, groups: dict[str, Any], row: dict[str, str], shares: list[tuple[str, str]]
) -> None:
    """Add what a row says; a later row overrides an earlier one."""
    if not shares:
        return
    streets = [part.actions for part in parse_line(row["line"].strip())]
    board = row.get("board") or ""
    board = card_names(sorted(parse_board(board))) if board.strip() else ""
    text = row["hand"].strip()
    if text not in groups:
        groups[text] = group_combos(TextSpan.all_of(text))
    line = line_text(streets)
    table.hands.setdefault(line, {})[text] = groups[text]
    of_line = table.lines.setdefault(board, {}).setdefault(line, {})
    for name, share in shares:
        action = str(read_action(TextSpan.all_of(name.strip())))
        if action not in of_line:
            of_line[action] = np.full(NUM_COMBOS, np.nan)
        of_line[action][groups[text]] = _probability(share.strip())


def _probability(text: str) -> float:
    """A share from 0 to 1; raises ConfigError."""
    try:
        share = read_share(text)
    except ValueError:
        raise bad_argument("share", text, SHARES) from None
    if not 0 <= share <= 1:  # NaN, too
        raise bad_argument("share", text, SHARES)
    return share
