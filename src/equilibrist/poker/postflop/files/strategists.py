"""What makes the strategies that are examined: files of solutions, spots, tables, leaf values."""

from __future__ import annotations

import hashlib
import os
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np

from equilibrist.errors import ConfigError, FileFormatError, LineSyntaxError
from equilibrist.parsing.arguments import bad_argument, file_name, whole_number
from equilibrist.poker.betting.actions import Action, line_text
from equilibrist.poker.betting.lines import parse_line, read_action
from equilibrist.poker.betting.rules import BettingRules
from equilibrist.poker.betting.state import BettingState, Phase
from equilibrist.poker.cards.cards import card_names, parse_board
from equilibrist.poker.cards.combos import NUM_COMBOS
from equilibrist.poker.postflop.engine.leaves import HoldemLeafValues, checked_leaf_values
from equilibrist.poker.postflop.files.frequency_rows import FrequencyRow, FrequencyRows
from equilibrist.poker.postflop.files.storage import load_spot
from equilibrist.poker.postflop.setups.files import read_setup
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
from equilibrist.poker.ranges.parser import hand_combos
from equilibrist.poker.text_span import TextSpan, read_share
from equilibrist.storage.archive import file_kind, open_archive
from equilibrist.storage.kinds.file_kinds import (
    BINARY,
    BLUEPRINT,
    CSV,
    SETUPS,
    SPOT,
    SPOT_SOLUTION,
    SPOT_TREE,
    TABLE,
    another_kind,
)
from equilibrist.storage.plain_file import cannot_read, read_text_file
from equilibrist.storage.table_forms.documents import begins_literal
from equilibrist.typing import FloatArray, Int64Array

_WANTED: Final = "a strategy of a spot: a solution, a spot file, or a table in CSV"


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
    if kind is None and file.is_file():
        open_archive(file, SPOT_SOLUTION)  # says what is wrong with it
    name = f"{file.name} ({_digest(file)})"
    unused = _nothing_unused
    if kind in (SPOT, *SETUPS):
        spot = read_setup(file).spot
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
    elif kind == TABLE and file.suffix.lower() == ".parquet":
        raise _no_csv(file)
    elif kind == BLUEPRINT:
        remedy = 'give its line before the flop, too: --after "R2.5-C"'
        raise another_kind(file, kind, _WANTED, option="after", remedy=remedy)
    else:
        raise another_kind(file, kind or BINARY, _WANTED)
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
        raise cannot_read(file, error, "strategy") from None


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


class _Shares(NamedTuple):
    """How often an action is taken at a line, and where the table says so."""

    shares: FloatArray
    """float64[1326], NaN for hands of which nothing is said."""
    rows: Int64Array
    """int64[1326]: the lines of the file, 0 where nothing is said."""

    @classmethod
    def nothing(cls) -> _Shares:
        """Nothing is said of any hand."""
        return cls(np.full(NUM_COMBOS, np.nan), np.zeros(NUM_COMBOS, np.int64))

    def say(self, combos: Any, shares: Any, rows: Any, hand: str, action: str) -> None:
        """Note the shares of some hands; ConfigError where one of them has a share already.

        Args:
            combos: Which, as an index of 1,326 combos.
            shares: Their shares, or the share of all.
            rows: The lines of the file, or the line of all.
            hand: What the hands are called.
            action: What the action is called.
        """
        before = self.rows[combos]
        if before.any():
            first = int(before.argmax())
            raise ConfigError(
                f"the share of {action} of {hand} stands here and in line {before[first]}",
                option="action",
                given=action,
                place=f"line {np.broadcast_to(rows, before.shape)[first]}",
                remedy="keep one of them",
            )
        self.shares[combos] = shares
        self.rows[combos] = rows


class _Table:
    """The rows of a table, by board and by line.

    Attributes:
        lines: By board, empty for any, by line and by action: shares, all as they are written.
        hands: By line: the hands as they are written, and their combos.
    """

    def __init__(self) -> None:
        self.lines: dict[str, dict[str, dict[Action, _Shares]]] = {}
        self.hands: dict[str, dict[str, Any]] = {}

    def on(self, spot: Spot, board: str) -> dict[str, dict[str, FloatArray]]:
        """By line and action as a spot names them, such as `A90` for `A`: shares.

        An action that a hand leaves out has the share 0 where the hand has any row at the line.
        """
        rules = spot.rules()
        named: dict[str, dict[str, _Shares]] = {}
        for line, actions in self.lines[board].items():
            state = _followed(rules, line)
            if state is None:
                continue
            at_line = named.setdefault(line_text(state.line), {})
            for action, (shares, rows) in actions.items():
                name, said = f"{rules.normalize(state, action)}", np.flatnonzero(rows)
                hands = f"hands after {line}" if line else "hands at the root"
                at_line.setdefault(name, _Shares.nothing()).say(
                    said, shares[said], rows[said], hands, name
                )
        complete = {}
        for line, of_actions in named.items():
            has_row = np.stack([rows for _, rows in of_actions.values()]).any(axis=0)
            complete[line] = {
                name: np.where(has_row, np.nan_to_num(shares), np.nan)
                for name, (shares, _) in of_actions.items()
            }
        return complete

    def unused(self, spot: Spot) -> list[str]:
        """Say which lines are no decisions of the first street, and which hands are not held."""
        held, rules = (spot.oop.weights, spot.ip.weights), spot.rules()
        players: dict[str, int] = {}
        for line in self.hands:
            state = _followed(rules, line)
            if state is not None:
                players[line] = state.player
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


def _followed(rules: BettingRules, line: str) -> BettingState | None:
    """The decision of the first street after a line; None where there is none."""
    try:
        state = rules.follow(line).state
    except LineSyntaxError:
        return None
    is_decision = state.phase is Phase.DECISION and state.street == rules.first_street
    return state if is_decision else None


def _listed(names: list[str]) -> str:
    """The first of some names."""
    more = len(names) - _MOST_NAMED
    return ", ".join(names[:_MOST_NAMED]) + (f" and {more:,} more" if more > 0 else "")


_MOST_NAMED: Final = 8


def _of_table(file: Path, table: _Table) -> Strategist:
    """A table, of one board or of several."""

    def make(examined: Spot) -> StreetStrategy:
        board = card_names(sorted(examined.cards))
        if board not in table.lines and "" not in table.lines:
            _check_board(file, next(iter(table.lines)), examined)
        try:
            return table.on(examined, board if board in table.lines else "").get
        except ConfigError as error:
            place = f"{file}, {error.place}"
            raise FileFormatError(
                f"{place}: {error}", file, option=error.option, given=error.given, place=place
            ) from None

    return make


def _read_table(file: Path) -> _Table:
    """Read a table of a strategy; raises FileFormatError with the line."""
    try:
        text = read_text_file(file)
    except FileFormatError as error:
        if error.option == "size":  # all of which but the first street is for nothing
            error.with_remedy(
                "the first street is enough: `equilibrist postflop export SOLUTION.spot --street "
                "flop --out TREE.csv`; or give the solution itself"
            )
        raise
    if begins_literal(text):
        raise _no_csv(file)
    return _table_of(file, FrequencyRows(file, text))


def _no_csv(file: Path) -> FileFormatError:
    """The error for an exported tree in another form."""
    return FileFormatError(
        f"{file} is not in CSV, as tables of strategies are",
        file,
        option="strategy",
        given=file.suffix,
        expected=_WANTED,
        remedy="write it with `equilibrist postflop export SOLUTION.spot --out TREE.csv`, or give "
        "the solution itself",
    )


def _table_of(file: Path, rows: FrequencyRows) -> _Table:
    """The rows that are of decisions; of an exported tree those of its first street."""
    table = _Table()
    groups: dict[str, Any] = {}
    for row in rows:
        if not (rows.is_exported and "|" in row.line):
            with rows.place(row.number):
                _add(table, groups, row)
    if not table.lines:
        raise _unreadable(file, "it has no rows")
    return table


def _add(table: _Table, groups: dict[str, Any], row: FrequencyRow) -> None:
    """Add what a row says."""
    streets = [part.actions for part in parse_line(row.line)]
    board = card_names(sorted(parse_board(row.board))) if row.board else ""
    if row.hand not in groups:
        groups[row.hand] = hand_combos(row.hand)
    combos, line = groups[row.hand], line_text(streets)
    table.hands.setdefault(line, {})[row.hand] = combos
    of_line = table.lines.setdefault(board, {}).setdefault(line, {})
    for name, share in row.shares.items():
        action = read_action(TextSpan.all_of(name))
        said = of_line.setdefault(action, _Shares.nothing())
        said.say(combos, _probability(share), row.number, row.hand, f"{action}")


def _probability(text: str) -> float:
    """A share from 0 to 1; raises ConfigError."""
    try:
        share = read_share(text)
    except ValueError:
        raise bad_argument("share", text, SHARES) from None
    if not 0 <= share <= 1:  # NaN, too
        raise bad_argument("share", text, SHARES)
    return share
