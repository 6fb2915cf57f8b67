"""Solved spots on disk: whole, or without later streets, which are re-solved on demand."""

from __future__ import annotations

import os
import warnings
from collections.abc import Sequence
from functools import cache, lru_cache
from itertools import groupby
from pathlib import Path
from shlex import quote
from tempfile import TemporaryDirectory
from typing import Any, Final, TypeAlias
from weakref import WeakKeyDictionary, finalize

from pydantic import ValidationError

from equilibrist.errors import ConfigError, EquilibristError, FileFormatError
from equilibrist.parsing.threads import thread_count
from equilibrist.poker.betting.public_tree import find_node, node_line
from equilibrist.poker.postflop.engine.holdem_game import holdem_game
from equilibrist.poker.postflop.engine.node_rows import BoardRows
from equilibrist.poker.postflop.engine.snapshot import (
    Arrays,
    StoredReader,
    StoredSolution,
    layout_of,
)
from equilibrist.poker.postflop.solution.node_aggregates import NodesOfBoard, NodeValues
from equilibrist.poker.postflop.solution.node_lookup import NodeLookup
from equilibrist.poker.postflop.solution.result import PostflopResult
from equilibrist.poker.postflop.solution.spot_file import SpotHeader, kept_streets
from equilibrist.poker.postflop.solution.spot_strategy import follow_line
from equilibrist.poker.postflop.solution.stopping import DEFAULT_TARGET, LEAST_TARGET
from equilibrist.poker.postflop.solving.spot_runs import solve
from equilibrist.poker.postflop.spot.spot import Spot, spot_from_text
from equilibrist.poker.postflop.spot.subgame import subgame_at
from equilibrist.progress import Callbacks, OnProgress, as_callbacks
from equilibrist.solvers.run.trace import TracePoint
from equilibrist.storage.damage import damaged
from equilibrist.storage.kinds.file_kinds import SPOT_SOLUTION
from equilibrist.storage.mapped_archive import MappedArchive

_REMEMBERED: Final = 8
"""Boards that are kept in memory, and solutions of lines that were re-solved on other boards than
the newest."""
_ROUNDING: Final = 1e-4
"""By how many pots rounding may make a mean gain negative."""
_ITERATIONS: Final = 2000
"""Where a street that is re-solved stops at the latest."""
Street: TypeAlias = tuple[Any, tuple[int, ...]]
"""A street that a file lacks: the line and the cards before it."""
_SAVED: Final[WeakKeyDictionary[PostflopResult, SavedSpot]] = WeakKeyDictionary()
"""The files behind loaded solutions."""


def load_spot(
    path: str | os.PathLike[str],
    *,
    threads: int | None = None,
    callbacks: Callbacks | OnProgress | None = None,
) -> PostflopResult:
    """Open a solution of a spot.

    Strategies are read on demand. Nodes on streets that the file does not keep are
    re-solved then, to the target of the run; their `resolved` says how well.

    Args:
        path: The file.
        threads: Threads to re-solve with, by default one for each processor that the process may
            use. Their number changes no bit.
        callbacks: Told about re-solving, as in `solve`.

    Returns:
        The solution.

    Raises:
        FileFormatError: The file is not a solution, or it is cut off or damaged. Damage to
            strategies is found where they are looked at.
        ConfigError: The number of threads is wrong.
    """
    count = thread_count(threads)
    listeners = as_callbacks(callbacks)
    archive = _opened(path)
    try:
        header = SpotHeader.read(archive.header)
        spot = spot_from_text(header.spot)
        if header.mean_gain < -_ROUNDING * spot.value_unit.pot:
            raise FileFormatError(
                f"{path} says that players gain {header.mean_gain:.3g} chips; expected at least 0",
                path,
                option="mean_gain",
                given=header.mean_gain,
            )
        saved = SavedSpot(spot, header, archive, count, listeners)
    except (ValidationError, ValueError, EquilibristError) as error:
        if isinstance(error, FileFormatError):
            raise
        raise damaged(path, "a whole solution", error) from None
    solution = PostflopResult(
        algorithm=header.variant,
        iterations=header.iterations,
        seconds=header.seconds,
        stopped_by=header.stopped_by,
        spot=spot,
        evaluate=saved.values,
        on_board=saved.on_board,
        resolved=saved.resolved,
        target=header.target,
        trace=tuple(map(TracePoint.from_row, header.trace)),
        versions=header.versions,
        solution_file=Path(path),
        storage=header.storage,
        mean_gain=header.mean_gain,
        memory_bytes=header.memory_bytes,
        keep=header.keep,
        parts=saved.parts,
        unlocked_mean_gain=header.unlocked_mean_gain,
        frequency_error=header.frequency_error,
        leaf_values=header.leaf_values,
        ev_error=header.ev_error,
        tremble=header.tremble,
        quantal=header.quantal,
        trembling_gain=header.trembling_gain,
        temperature=header.temperature,
    )
    _SAVED[solution] = saved
    return solution


def missing_street(solution: PostflopResult, line: str) -> Street | None:
    """The street that would have to be re-solved for a node.

    Args:
        solution: A solution.
        line: The line of the node.

    Returns:
        What names the street: the line and the cards before it. None for a node that the file has,
        or whose street was re-solved before.

    Raises:
        LineSyntaxError: The line cannot be read or played.
    """
    saved = _SAVED.get(solution)
    if saved is None:
        return None
    street = saved.street_of(*_node_at(solution, line))
    return None if street is None or saved.knows(street) else street


def resolve_street(solution: PostflopResult, line: str) -> PostflopResult | None:
    """Re-solve the street of a node that the file lacks, or return what was re-solved before.

    Args:
        solution: What `load_spot` returned.
        line: The line of the node.

    Returns:
        The solution of the rest of the spot from that street on; None where no pair of hands
        reaches it, and for nodes that the file has.

    Raises:
        LineSyntaxError: The line cannot be read or played.
    """
    return _SAVED[solution].later(*_node_at(solution, line))


def take_street(solution: PostflopResult, street: Street, solved: PostflopResult | None) -> None:
    """Let a solution use a street that another process has re-solved, as if it had done so itself.

    Args:
        solution: What `load_spot` returned.
        street: What `missing_street` returned.
        solved: What `resolve_street` returned in the other process, saved and loaded.
    """
    _SAVED[solution].take(street, solved)


def _node_at(solution: PostflopResult, line: str) -> tuple[int, tuple[int, ...]]:
    state, runout = follow_line(solution.spot, line)
    return find_node(solution.tree, state.line), runout


def load_pickled(content: bytes, solution_file: Path | None) -> PostflopResult:
    """The solution whose file has this content, which is kept in a temporary file."""
    folder = TemporaryDirectory()
    path = Path(folder.name) / "solution"
    path.write_bytes(content)
    solution = load_spot(path)
    object.__setattr__(solution, "solution_file", solution_file)
    finalize(solution, folder.cleanup)
    return solution


def _opened(path: str | os.PathLike[str]) -> MappedArchive:
    """The file, mapped; of a spot file the error says that it is one."""
    try:
        return MappedArchive(path, SPOT_SOLUTION)
    except FileFormatError as error:
        try:
            Spot.from_toml(path)
        except (EquilibristError, OSError):
            raise error from None
        raise FileFormatError(
            f"{path} is a spot file, not a solution",
            path,
            option="file",
            remedy="solve it first, as with "
            f"`equilibrist postflop solve {quote(str(path))} --out FILE`",
        ) from None


class SavedSpot:
    """Figures from a file, and from streets that are re-solved."""

    def __init__(
        self,
        spot: Spot,
        header: SpotHeader,
        archive: MappedArchive,
        threads: int,
        callbacks: Callbacks,
    ) -> None:
        game = holdem_game(spot)
        self.spot, self.header, self.archive = spot, header, archive
        self.threads, self.callbacks = threads, callbacks
        self.streets = kept_streets(spot, header.keep)
        self._stored = stored = StoredSolution.of(game, header.storage, self.streets, archive)
        if layout_of(stored) != header.layout:
            raise FileFormatError(
                f"{archive.path} was written by a version with an incompatible storage layout "
                f"({header.versions.get('equilibrist', 'unknown')})",
                archive.path,
                option="layout",
                remedy="solve the spot again",
            )
        self.tree = game.tree
        self._boards = {board.cards: number for number, board in enumerate(game.dealt)}
        self._figures = NodeLookup(spot, game.tree)
        self._reader = lru_cache(_REMEMBERED)(lambda path: StoredReader(stored, path))
        self._resolved: dict[Street, PostflopResult | None] = {}

    def values(self, node: int, runout: tuple[int, ...], /) -> NodeValues:
        """The figures at a node, as `node_aggregates.Evaluate` of solutions."""
        resolved = self.later(node, runout)
        if resolved is None:
            return self._figures.at(node, runout, self._solved)
        return resolved.evaluate(self._there(resolved, node), runout[self.streets :])

    def on_board(self, runout: tuple[int, ...], /) -> NodesOfBoard:
        """The figures at the nodes of a board, as `node_aggregates.OnBoard` of solutions."""

        @cache
        def figures(resolved: PostflopResult | None) -> NodesOfBoard:
            if resolved is None:
                return self._figures.on_board(runout, self._solved)
            assert resolved.on_board is not None
            return resolved.on_board(runout[self.streets :])

        def values(nodes: Sequence[int]) -> list[NodeValues]:
            node_values: list[NodeValues] = []
            for resolved, group in groupby(nodes, lambda node: self.later(node, runout)):
                here = [self._there(resolved, node) if resolved else node for node in group]
                node_values += figures(resolved)(here)
            return node_values

        return values

    def resolved(self, node: int, runout: tuple[int, ...], /) -> float | None:
        """The mean gain on the street that the file lacks; None for a node that it has."""
        resolved = self.later(node, runout)
        return None if resolved is None else resolved.mean_gain

    def parts(self, streets: int, /) -> tuple[dict[str, Any], Arrays]:
        """The parts of a file with as many streets or fewer."""
        if streets > self.streets:
            raise ConfigError(
                f"{self.archive.path} has keep={self.header.keep!r}: the streets that it lacks "
                "cannot be saved",
                option="keep",
                given=self.header.keep,
            )
        header = self.header.model_dump(include={"storage", "variant", "layout"})
        return header, self._stored.query_arrays(streets)

    def _solved(self, cards: tuple[int, ...]) -> BoardRows:
        path = tuple(self._boards[cards[:count]] for count in range(len(cards) + 1))
        return self._reader(path).on_board(cards)

    def street_of(self, node: int, runout: tuple[int, ...]) -> Street | None:
        """The first street that the file lacks on the way to a node; None for nodes before it."""
        if self.tree.street[node] - self.spot.first_street < self.streets:
            return None
        return node_line(self.tree, node)[: self.streets], runout[: self.streets]

    def knows(self, street: Street) -> bool:
        """Whether that street has been re-solved."""
        return street in self._resolved

    def later(self, node: int, runout: tuple[int, ...]) -> PostflopResult | None:
        """The re-solved subgame from the first street that the file lacks.

        None for nodes before it, and where no pair of hands has reach: all is uniform there.
        """
        street = self.street_of(node, runout)
        if street is None:
            return None
        line, board = street
        subgame = self._resolved[street] if self.knows(street) else self._solve((*line, ()), board)
        self.take(street, subgame)
        return subgame

    def take(self, street: Street, solved: PostflopResult | None) -> None:
        """Keep the solution of a street as the newest."""
        self._resolved.pop(street, None)
        self._resolved[street] = solved
        for other in list(self._resolved)[:-_REMEMBERED]:
            if other[1] != street[1]:
                del self._resolved[other]

    def _there(self, resolved: PostflopResult, node: int) -> int:
        """Find a node in the tree of a re-solved subgame."""
        return find_node(resolved.tree, node_line(self.tree, node)[self.streets :])

    def _solve(self, line: Any, runout: tuple[int, ...]) -> PostflopResult | None:
        """The solution of the subgame after a line; None where no pair of hands has reach."""
        entry = find_node(self.tree, line)
        before = self.values(int(self.tree.parent[entry]), runout[:-1])
        spot = subgame_at(self.spot, line, runout, before.weight)
        if spot is None:
            return None
        header = self.header
        target = header.mean_gain if header.target is None else header.target
        if header.leaf_values is not None:
            target = DEFAULT_TARGET * spot.value_unit.pot
        with warnings.catch_warnings():  # its sizes are those of the spot that was solved
            warnings.simplefilter("ignore", UserWarning)
            solution = solve(
                spot,
                target=spot.value_unit.target_text(max(target, LEAST_TARGET * spot.value_unit.pot)),
                iterations=_ITERATIONS,
                storage="int16" if header.storage == "int16" else None,
                tremble=header.tremble,
                quantal=header.quantal,
                threads=self.threads,
                callbacks=self.callbacks,
            )
        if solution.stopped_by == "interrupted":
            raise KeyboardInterrupt
        return solution
