"""One spot on many boards, with a report over all of them.

The solutions of boards may be kept: further lines are then reported on without solving again.
"""

from __future__ import annotations

import os
import warnings
from collections.abc import Generator, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, Final

from equilibrist.errors import (
    ConfigError,
    FileFormatError,
    MemoryBudgetError,
)
from equilibrist.formatting.amounts import counted
from equilibrist.formatting.brief import brief_repr
from equilibrist.parsing.arguments import bad_argument, several
from equilibrist.parsing.threads import thread_count
from equilibrist.poker.betting.public_tree import find_node
from equilibrist.poker.cards.cards import card_names, parse_board
from equilibrist.poker.postflop.files.batch_folder import FRAME, REPORT, BatchFolder, BatchPlan
from equilibrist.poker.postflop.files.boards import Board, weight_of
from equilibrist.poker.postflop.files.runout_report import (
    Row,
    csv_text,
    hand_columns,
    plain,
    report_line,
    report_row,
)
from equilibrist.poker.postflop.solution.spot_file import Keep, check_save, kept_streets
from equilibrist.poker.postflop.solution.stopping import TARGET_UNITS, read_stop
from equilibrist.poker.postflop.spot.fields import SEATS
from equilibrist.poker.postflop.spot.resolved_locks import locks_on
from equilibrist.poker.postflop.spot.spot import Spot, checked_spot
from equilibrist.poker.postflop.spot.toml import parse_spot
from equilibrist.poker.postflop.spot.value_unit import refuse_prizes
from equilibrist.poker.ranges.parser import hand_combos
from equilibrist.progress import Callbacks, as_callbacks
from equilibrist.solvers.run.stopping import Stop, merge_stop
from equilibrist.solvers.sampling.batches import Batch
from equilibrist.storage.atomic import write_bytes
from equilibrist.storage.frames import import_pandas, parquet_bytes

if TYPE_CHECKING:
    import pandas

    from equilibrist.poker.postflop.solution.result import PostflopResult
    from equilibrist.poker.postflop.spot.fields import Storage
    from equilibrist.progress import OnProgress
    from equilibrist.solvers.variants.variant import Variant

ALL_BOARDS: Final = "all"
"""The value of the column `board` in the row of all boards."""
_BOARDS: Final = "boards, such as ['Qs7h2c'] or poker.read_boards(path)"
_NO_RUN: Final = ("threads", "memory")
"""Options that do not affect the results."""
_HANDS: Final = "hands"
"""Where a row in the file of a board has figures of hands."""
_STORED: Final = {"algorithm": "variant"}
"""Options under another name in the files of a folder, which stay as they were."""


@dataclass(frozen=True)
class BatchReport:
    """The results of a batch.

    Attributes:
        rows: For each line a row per board, then the row of all boards.
        skipped: The boards on which the spot is impossible, with the reasons.
    """

    rows: list[Row]
    skipped: dict[str, str]

    def __repr__(self) -> str:
        return brief_repr(self)

    @property
    def frame(self) -> pandas.DataFrame:
        """The rows as a DataFrame."""
        return import_pandas().DataFrame(self.rows)


def batch(
    spot: Spot,
    boards: Iterable[Board | tuple[str, float] | str],
    folder: str | os.PathLike[str],
    algorithm: Variant | str | None = None,
    *,
    lines: Sequence[str] = ("",),
    stop: Stop | None = None,
    iterations: int | None = None,
    seconds: float | None = None,
    target: str | None = None,
    callbacks: Callbacks | OnProgress | None = None,
    storage: Storage | None = None,
    tremble: float | None = None,
    quantal: float | None = None,
    threads: int | None = None,
    memory: int | None = None,
    resume: bool = False,
    keep: Keep | None = None,
    hands: Sequence[str] = (),
    executor: str | None = None,
    address: str | None = None,
) -> BatchReport:
    """Solve a spot on many boards in place of its own, and report on them.

    Every finished board is written to `folder` at once. Boards that leave no deal are skipped; what
    the locks of the spot say about cards of a board is left out on that board. Writes report.csv,
    and report.parquet where pandas and pyarrow are installed.

    Args:
        spot: What to solve; its board is replaced.
        boards: Boards of one street, as text or with a weight.
        folder: Where the boards and the report go.
        algorithm: As in `poker.solve`, on every board.
        lines: Nodes of the first street to report on, the root by default.
        stop: When the run on each board ends. Its fields can be given directly, in its place.
        iterations: The most iterations on each board.
        seconds: The most seconds on each board.
        target: As in `poker.solve`, on every board.
        callbacks: `on_stage` receives a text as each board begins, such as
            `board 3 of 49: Qs7h2c`, `on_progress` the progress of the run on it.
        storage: As in `poker.solve`.
        tremble: As in `poker.solve`, on every board.
        quantal: As in `poker.solve`, on every board.
        threads: As in `poker.solve`; on a Ray cluster, how many boards are solved side by side, on
            one core each. Their number changes no bit.
        memory: The most bytes that solving one board may take.
        resume: Keep the boards that are in `folder` already; whatever they were solved with must
            be the same. Of lines that the folder does not report on yet, solutions are read that
            it keeps.
        keep: Keep the solution of each board in `folder` as well, with these streets: `all`,
            `no-rivers` or `first-street`, which is enough for further lines. Boards of a resumed
            batch whose solutions were not kept are solved again. By default what the folder keeps.
        hands: Hands or groups of them, such as `AKs` or `22-66`, of which rows have columns: their
            share of the range that acts, their EV, and how often they take each action.
        executor: `ray` has a Ray cluster solve the boards.
        address: Its head node, as `host:port` or `auto`; by default one that is started on this
            machine and ends with the batch.

    Returns:
        A row for each line and board, and one for all boards together.

    Raises:
        ConfigError: An argument is wrong; like the next three before anything is solved.
        LineSyntaxError: A line cannot be read, or is not on the first street.
        MemoryBudgetError: A board does not fit.
        FileFormatError: A file in the folder is damaged.
        OutputError: A file cannot be written.
        ClusterError: The cluster does not answer, or fails.
        KeyboardInterrupt: A run was interrupted, or `on_progress` ended it; its board is not
            written.
    """
    checked_spot(spot)
    listeners = as_callbacks(callbacks)
    limits = Stop(
        **merge_stop(
            stop, units=TARGET_UNITS, iterations=iterations, seconds=seconds, target=target
        )
    )
    refuse_prizes(spot, "a batch")
    read_stop(spot.pot, limits)
    wanted = checked_boards(spot, boards)
    run: dict[str, Any] = {
        "target": limits.target,
        "iterations": limits.iterations,
        "seconds": limits.seconds,
        "storage": storage,
        "algorithm": algorithm,
        "tremble": tremble,
        "quantal": quantal,
        "threads": threads,
        "memory": memory,
    }
    named = _normalised(spot, lines)
    wanted_hands = tuple(several("hands", hands, "a list of hands, such as ['AKs', '22-66']"))
    for hand in wanted_hands:
        combos_of(hand)
    _check_executor(executor, address)
    asked = tuple((board.board, board.weight) for board in wanted)
    plan = BatchPlan(spot.to_toml(), asked, tuple(named), tuple(map(str, wanted_hands)))
    place = BatchFolder(Path(folder), _settings(spot, lines, run), keep=keep, plan=plan)
    place.check(resume=resume)
    results = {board.board: place.read(board.board) for board in wanted if place.has(board.board)}
    if keep is not None:  # boards that were not kept are solved again
        results = {
            board: result
            for board, result in results.items()
            if "skipped" in result or place.keeps(board)
        }
    rest = [board.board for board in wanted if board.board not in results]
    further = {board: _missing(result, named, wanted_hands) for board, result in results.items()}
    further = {board: missing for board, missing in further.items() if missing}
    _check_kept(place, further, named)
    side_by_side = thread_count(threads) if executor is not None else 1
    _check_run(spot, rest, run, memory, side_by_side)
    if place.keep is not None:
        kept_streets(spot, place.keep)
        for unsolved in rest if place.folder.is_dir() else ():
            check_save(spot, place.solution(unsolved), place.keep)
    for text in spot.warnings:
        warnings.warn(text, stacklevel=2)
    with place.held():
        place.check(resume=resume)  # another program may have begun it meanwhile
        place.prepare()
        own = Callbacks(listeners.on_progress)  # the stages of a board are not reported
        solver = BoardSolver(spot, tuple(named), wanted_hands, place.keep, tuple(rest), run)
        if executor is None:
            solved = solver.here({**run, "callbacks": own})
        else:
            solved = solver.on_cluster(side_by_side, address)
        for number, board in enumerate(wanted, 1):
            name = board.board
            listeners.stage(f"board {number:,} of {len(wanted):,}: {name}")
            if name not in results:
                results[name], kept = next(solved)
                if kept is not None:
                    write_bytes(place.solution(name), kept)
                place.write(name, results[name])
            elif name in further:
                _add_lines(place, solver, name, results[name], further[name])
        solved.close()
        report = _report(wanted, results, named, wanted_hands, _measure(spot))
        _write_report(report, place.folder)
        return report


def _add_lines(
    place: BatchFolder,
    solver: BoardSolver,
    board: str,
    result: dict[str, Any],
    lines: Sequence[str],
) -> None:
    """Add rows of further lines to the results of a board, by the solution that is kept."""
    solution = _kept_solution(place, solver.spot, board, result)
    others = [row for row in result["rows"] if row["line"] not in lines]
    hands = sorted({*solver.hands, *_hands_of(result)})
    result["rows"] = [*others, *_rows_at(solution, lines, hands)]
    place.write(board, result)


def _write_report(report: BatchReport, folder: Path) -> None:
    """Write the report as CSV, and as Parquet where pandas and pyarrow are installed."""
    write_bytes(folder / REPORT, csv_text(report.rows).encode())
    try:
        import_pandas(parquet=True)
    except ConfigError:
        return
    write_bytes(folder / FRAME, parquet_bytes(report.frame))


def checked_boards(spot: Spot, boards: Iterable[Board | tuple[str, float] | str]) -> list[Board]:
    """The boards: distinct, with as many cards as the spot's."""
    wanted: dict[frozenset[int], Board] = {}
    for entry in several("boards", boards, _BOARDS):
        try:
            text, weight = (entry, 1.0) if isinstance(entry, str) else entry
        except (TypeError, ValueError):
            expected = "text, such as 'QsJh2h', or a pair of text and weight"
            raise bad_argument("board", entry, expected) from None
        cards = parse_board(text)
        name = card_names(cards)
        if len(cards) != len(spot.cards):
            raise ConfigError(
                f"{name} has {counted(len(cards), 'card')}, but the spot's board {len(spot.cards)}",
                option="board",
                given=name,
                expected=len(spot.cards),
                remedy="use boards of the same street",
            )
        key = frozenset(cards)
        if key in wanted:
            first = wanted[key].board
            same = (
                "" if name == first else f", once as {first} (the order of cards does not matter)"
            )
            raise ConfigError(
                f"the board {name} is given twice{same}",
                option="board",
                given=name,
                remedy="give it once",
            )
        wanted[key] = Board(name, weight_of(name, weight))
    if not wanted:
        raise ConfigError("no boards are given", option="boards", remedy="give at least one")
    return list(wanted.values())


def _check_executor(executor: str | None, address: str | None) -> None:
    """Raise ConfigError for another executor than Ray, or an address without it."""
    if executor not in (None, "ray"):
        raise bad_argument("executor", executor, "ray, or none for this process")
    if address is not None and executor is None:
        raise ConfigError(
            f"address is {address!r}, and only executor ray works on a cluster",
            option="address",
            given=address,
            remedy='give `executor="ray"`, or leave out `address`',
        )
    if executor is not None:
        from equilibrist.solvers.sampling.ray_cluster import check_cluster

        check_cluster(address)


def _check_run(
    spot: Spot,
    boards: Iterable[str],
    run: Mapping[str, Any],
    memory: int | None,
    side_by_side: int,
) -> None:
    """Raise now what a run on one of the boards would raise at its start."""
    from equilibrist.poker.postflop.estimate.reductions import check_fits
    from equilibrist.poker.postflop.solving.perturbed import Cost, perturbation_of
    from equilibrist.poker.postflop.solving.variants import checked_run
    from equilibrist.tree.walk.budget import default_memory

    storage: Storage = run["storage"] or "float32"
    tremble, algorithm = run["tremble"], run["algorithm"]
    perturbation_of(spot, tremble, run["quantal"], storage, algorithm)
    count, variant = checked_run(storage, run["threads"], algorithm)
    cost = Cost.of(variant, tremble, run["quantal"])
    if side_by_side > 1:  # each has a core and its share of the memory
        count, memory = 1, default_memory() // side_by_side if memory is None else memory
    for board in boards:
        try:
            here = _on(spot, board)
        except ConfigError:  # it will be skipped
            continue
        try:
            check_fits(
                here, memory, storage, predicts=cost.predicts, responds=cost.responds,
                threads=count,
            )  # fmt: skip
        except MemoryBudgetError as error:
            error.add_place(board)
            raise


def _on(spot: Spot, board: str) -> Spot:
    """The spot on a board; raises ConfigError if no deal or a locked frequency is possible."""
    locks = locks_on(spot.locks, spot.rules(), parse_board(board), (spot.oop, spot.ip))
    return spot.replace(board=board, locks=locks)


def _settings(spot: Spot, lines: Sequence[str], run: dict[str, Any]) -> dict[str, Any]:
    """The settings that determine the results, for JSON."""
    settings = {
        _STORED.get(key, key): f"{value}"
        for key, value in run.items()
        if key not in _NO_RUN and value is not None
    }
    return {**spot_settings(spot), **settings, "lines": [*lines]}


def spot_settings(spot: Spot) -> dict[str, Any]:
    """What the settings of a batch say of its spot, which is the same on all boards.

    Args:
        spot: The spot.
    """
    keys = parse_spot(spot.replace(locks=()).to_toml())
    del keys["board"]
    if spot.locks:
        keys["locks"] = [f"{lock}" for lock in spot.locks]
    return keys


Solved = tuple[dict[str, Any], bytes | None]
"""The results of a board, and the content of the file of its solution where that is kept."""


@dataclass(frozen=True)
class BoardSolver:
    """Solves boards one after the other, here or on a Ray cluster; it can be sent to others.

    Attributes:
        spot: What is solved.
        lines: The lines of the report.
        hands: The hands of the report.
        keep: The streets that solutions keep; None where none are kept.
        boards: The boards.
        run: How they are solved.
    """

    spot: Spot
    lines: tuple[str, ...]
    hands: tuple[str, ...]
    keep: Keep | None
    boards: tuple[str, ...]
    run: dict[str, Any]

    def here(self, run: dict[str, Any]) -> Generator[Solved, None, None]:
        """Solve all boards in this process.

        Args:
            run: How, with callbacks.
        """
        for board in self.boards:
            yield self._solved(board, run)

    def on_cluster(self, count: int, address: str | None) -> Generator[Solved, None, None]:
        """Solve all boards on a Ray cluster, with one core each.

        Args:
            count: How many at the same time.
            address: The head node; None for a cluster on this machine.
        """
        from equilibrist.solvers.sampling.ray_cluster import Ray

        if not self.boards:
            return
        cluster: Ray[None, Solved] = Ray(self, count, address)
        try:
            for first in range(0, len(self.boards), count):
                numbers = range(first, min(first + count, len(self.boards)))
                yield from cluster.gains(None, [Batch(number, 1) for number in numbers], 1.0)
        finally:
            cluster.close()

    def gain(self, start: None, batch: Batch, weight: float) -> Solved:
        """Solve board `batch.done`, as a task of a cluster."""
        return self._solved(self.boards[batch.done], {**self.run, "threads": 1})

    def _solved(self, board: str, run: dict[str, Any]) -> Solved:
        with warnings.catch_warnings():  # they were given for all boards
            warnings.simplefilter("ignore", UserWarning)
            results, solution = _solved(self.spot, board, self.lines, self.hands, run)
        if self.keep is None or solution is None:
            return results, None
        with TemporaryDirectory() as folder:
            return results, solution.save(Path(folder) / "board", self.keep).read_bytes()


def _solved(
    spot: Spot, board: str, lines: Sequence[str], hands: Sequence[str], run: dict[str, Any]
) -> tuple[dict[str, Any], PostflopResult | None]:
    """The results of a board, and its solution; None where the spot is impossible."""
    from equilibrist.poker.postflop.solving.spot_runs import solve

    try:
        here = _on(spot, board)
    except ConfigError as error:
        return {"skipped": f"{error}"}, None
    solution = solve(here, **run)
    if solution.stopped_by in ("interrupted", "callback"):
        raise KeyboardInterrupt
    results = {
        "deals": report_row(solution, 0, ())["deals"],
        "rows": _rows_at(solution, lines, hands),
        "iterations": solution.iterations,
        "seconds": round(solution.seconds, 6),
        _measure(spot): round(solution.mean_gain_percent, 6),
        "frequency_error": solution.frequency_error,
    }
    return results, solution


def _normalised(spot: Spot, lines: Sequence[str]) -> list[str]:
    """The lines as reports have them; LineSyntaxError for one that leaves the first street."""
    listed = several("lines", lines, "a list of lines, such as ['', 'X']")
    return list(dict.fromkeys(report_line(spot, line) for line in listed))


def _missing(result: Mapping[str, Any], lines: Sequence[str], hands: Sequence[str]) -> list[str]:
    """The lines of which a board has no row yet, or none with these hands."""
    if "skipped" in result:
        return []
    present = {row["line"]: {*row.get(_HANDS, {})} for row in result["rows"]}
    return [line for line in lines if line not in present or not {*hands} <= present[line]]


def _hands_of(result: Mapping[str, Any]) -> set[str]:
    """The hands of which a board has columns."""
    return {hand for row in result["rows"] for hand in row.get(_HANDS, {})}


def _check_kept(
    place: BatchFolder, further: Mapping[str, Sequence[str]], lines: Sequence[str]
) -> None:
    """Raise ConfigError if further lines are asked of boards whose solutions are not kept."""
    lacking = [board for board in further if not place.keeps(board)]
    if not lacking:
        return
    (line, *_), count = further[lacking[0]], counted(len(lacking), "board")
    raise ConfigError(
        f"the batch in {place.folder} has no such row of {line or 'the root'} for {count}, whose "
        "solutions were not kept",
        option="lines",
        given=[*lines],
        expected=place.settings["lines"],
        remedy="resume it with --keep first-street, which solves them again and keeps them; or use "
        "the same lines, or another folder",
    )


def _kept_solution(
    place: BatchFolder, spot: Spot, board: str, result: Mapping[str, Any]
) -> PostflopResult:
    """The solution of a board that the folder keeps; FileFormatError if it is of another run."""
    from equilibrist.poker.postflop.files.kept_boards import kept_solution

    file = place.solution(board)
    solution = kept_solution(file)
    if solution.spot != _on(spot, board) or solution.iterations != result["iterations"]:
        raise FileFormatError(
            f"{file} is not the solution of which {place.folder} has the results",
            file,
            option="file",
            remedy="remove it, and resume the batch with --keep",
        )
    return solution


def _rows_at(solution: PostflopResult, lines: Sequence[str], hands: Sequence[str]) -> list[Row]:
    """The rows of a board at some lines, for JSON; figures of hands are apart."""
    rows = []
    for line in lines:
        node = find_node(solution.tree, solution.rules.follow(line).state.line)
        row = plain(report_row(solution, node, ()))
        if hands:
            place = solution.at(line)
            row[_HANDS] = {hand: plain(hand_columns(place, combos_of(hand))) for hand in hands}
        rows.append(row)
    return rows


def combos_of(hand: str) -> list[int]:
    """The combos of a hand or a group of hands; raises RangeSyntaxError."""
    return hand_combos(f"{hand}")


def _measure(spot: Spot) -> str:
    """The key of the distance from equilibrium, in percent of the pot."""
    return "mean_gain_percent" if spot.is_raked else "exploitability_percent"


def _report(
    wanted: list[Board],
    results: dict[str, Any],
    lines: Sequence[str],
    hands: Sequence[str],
    measure: str,
) -> BatchReport:
    skipped = {name: result["skipped"] for name, result in results.items() if "skipped" in result}
    solved = [board for board in wanted if board.board not in skipped]
    deals = sum(board.weight * results[board.board]["deals"] for board in solved)
    if not deals:
        raise ConfigError(
            f"the spot is impossible on all boards: {[*skipped.values()][:1]}",
            option="boards",
        )
    last = [measure, "iterations", "seconds"]
    for board in solved:
        _rename_earlier_keys(results[board.board], measure)
    if any(results[board.board]["frequency_error"] is not None for board in solved):
        last.append("frequency_error")
    rows = []
    for line in lines:
        of_line, of_hands = [], []
        for board in solved:
            result = results[board.board]
            (at_line,) = (row for row in result["rows"] if row["line"] == line)
            of_hands.append(at_line.get(_HANDS, {}))
            row = {key: _number(value) for key, value in at_line.items() if key != _HANDS}
            row |= {"board": board.board}
            start = {
                "board": board.board,
                "weight": board.weight,
                "line": row["line"],
                "frequency": board.weight * row.pop("deals") / deals,
            }
            end = {key: result.get(key) for key in last}
            of_line.append({**start, **row, **end})
        of_line.append(_together(of_line))
        for hand in hands:
            figures = [{key: _number(value) for key, value in at[hand].items()} for at in of_hands]
            figures.append(_hand_together(of_line, figures))
            for row, columns in zip(of_line, figures, strict=True):
                row |= {f"{hand} {key}": value for key, value in columns.items()}
        rows += of_line
    return BatchReport(rows, skipped)


def _rename_earlier_keys(result: dict[str, Any], measure: str) -> None:
    """Give the figures of a board in a folder of an earlier version their names of today."""
    for earlier in ("mean_gain_pct", "exploitability_pct"):
        if earlier in result:
            result[measure] = result.pop(earlier)
    if "missed_frequency" in result:
        result["frequency_error"] = result.pop("missed_frequency")
    result.setdefault("frequency_error", None)


def _together(rows: list[Row]) -> Row:
    """The row of all boards: means weighted by the reach of the node on each."""
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
    for key in ("exploitability_percent", "mean_gain_percent", "frequency_error"):
        if key in rows[0]:
            total[key] = max((row[key] for row in rows if row[key] is not None), default=None)
    total["iterations"] = sum(row["iterations"] for row in rows)
    total["seconds"] = sum(row["seconds"] for row in rows)
    return {key: total[key] for key in first}


def _hand_together(rows: list[Row], figures: list[Row]) -> Row:
    """The figures of a hand on all boards: means weighted by how often it comes to the node."""
    shares = [columns["share"] for columns in figures]
    counts = [row["frequency"] for row in rows[: len(figures)]]
    total: Row = {"share": _mean([*zip(counts, shares, strict=True)])}
    held = [
        0.0 if share != share else count * share
        for count, share in zip(counts, shares, strict=True)
    ]
    for key in dict.fromkeys(key for columns in figures for key in columns if key != "share"):
        values = [columns.get(key, float("nan")) for columns in figures]
        total[key] = _mean([*zip(held, values, strict=True)])
    return total


def _mean(pairs: list[tuple[float, float]]) -> float:
    known = [(count, value) for count, value in pairs if count > 0 and value == value]
    counts = sum(count for count, _ in known)
    return sum(count * value for count, value in known) / counts if counts else float("nan")


def _number(value: Any) -> Any:
    return float("nan") if value is None else value
