"""What the stored solutions are solutions of, from the headers of their files."""

from __future__ import annotations

import math
import tomllib
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from equilibrist.errors import EquilibristError
from equilibrist.library.names import name_of, newest
from equilibrist.storage.kinds.file_kinds import (
    BLUEPRINT,
    KINDS,
    MULTIWAY,
    PACKED,
    PREFLOP_SOLUTION,
    PUSH_FOLD,
    SOLUTION,
    SPOT_SOLUTION,
)

if TYPE_CHECKING:
    from equilibrist.results import Result, StoredStrategy


@dataclass(frozen=True)
class Entry:
    """A stored solution; None for what its file does not say.

    Attributes:
        name: `last`, `last-2`, ..., or what else it is called.
        path: Its file.
        kind: The kind of the file, such as "solution"; None if it is damaged.
        game: The game, or the board of a spot.
        algorithm: The algorithm that found it.
        iterations: After how many iterations.
        measure: Exploitability, NashConv where that has no meaning; in chips for a spot.
        measure_name: Which of them.
        pot: Of a spot, the pot in chips.
        streets: Of a spot, the streets that are kept: `all`, `no-rivers` or `first-street`.
        saved: When it was saved, as local time.
        num_bytes: The size of the file.
        solves: What other solutions of the same game or spot have, too, such as the fingerprint of
            a tree.
        gain: What all players together can gain against it, in the units of its payoffs.
    """

    name: str
    path: Path
    kind: str | None
    game: str | None
    algorithm: str | None
    iterations: int | None
    measure: float | None
    measure_name: str | None
    pot: float | None
    streets: str | None
    saved: datetime
    num_bytes: int
    solves: str | None = None
    gain: float | None = None

    @property
    def problem(self) -> object:
        """What is equal for solutions of the same game or spot."""
        return self.path if self.solves is None else (self.kind, self.solves)

    def to_dict(self) -> dict[str, Any]:
        """Plain texts and numbers, without what solutions are compared by."""
        document = {**asdict(self), "path": str(self.path), "saved": self.saved.isoformat()}
        del document["solves"], document["gain"]
        return document


def entries() -> list[Entry]:
    """The stored solutions, newest first."""
    return [
        entry
        for place, path in enumerate(newest())
        if (entry := entry_of(name_of(place), path)) is not None
    ]


def best_first(entries: Iterable[Entry]) -> list[Entry]:
    """Solutions with those of one game or spot together, and the best of them first.

    The best is the one against which all players together gain the least; of equally good ones it
    is the one that was given first. Games and spots stay in the order of their first solutions.

    Args:
        entries: The solutions, the newest first.
    """
    groups: dict[object, list[Entry]] = {}
    for entry in entries:
        groups.setdefault(entry.problem, []).append(entry)
    return [entry for group in groups.values() for entry in sorted(group, key=_gain)]


def _gain(entry: Entry) -> float:
    """What is gained against a solution; infinity where that is not known."""
    return math.inf if entry.gain is None or math.isnan(entry.gain) else entry.gain


def best_solution(fingerprint: str) -> tuple[str, Result[StoredStrategy]] | None:
    """The stored solution of the game with this tree that gains the least, and its name.

    Gains are those in that game, of all players together. Of equally good ones it is the newest.
    """
    from equilibrist.results.result import read_solution

    for entry in best_first(entries()):
        if entry.kind == SOLUTION and entry.solves == fingerprint:
            with suppress(EquilibristError):  # damaged, or gone
                return entry.name, read_solution(entry.path)
    return None


def entry_of(name: str, path: Path) -> Entry | None:
    """What a file is, from its header; None if another process has removed it meanwhile."""
    from equilibrist.storage.archive import header_of, kind_of, open_archive

    try:
        status = path.stat()
    except OSError:
        return None
    kind = kind_of(path)
    facts: dict[str, Any] = dict.fromkeys(
        ("game", "algorithm", "iterations", "measure", "measure_name", "pot", "streets", "solves")
    )
    if kind is not None:
        try:
            facts |= _FACTS[kind](header_of(path, open_archive(path, kind)[0]))
            if KINDS[kind].has_charts:
                facts |= {"solves": facts["game"], "gain": facts["measure"]}
        except (EquilibristError, KeyError, TypeError, ValueError, AttributeError):
            kind = None  # damaged, or no solution
    return Entry(
        name=name,
        path=path,
        kind=kind,
        saved=datetime.fromtimestamp(status.st_mtime).astimezone(),
        num_bytes=status.st_size,
        **facts,
    )


def _push_fold(header: dict[str, Any]) -> dict[str, Any]:
    game = header["game"]
    stacks = "/".join(f"{stack:g}" for stack in game["stacks"])
    return {
        "game": f"push or fold, stacks {stacks}",
        "algorithm": header["method"],
        "iterations": header["iterations"] or None,
        "measure": max(sum(header["gains"]), 0.0),
        "measure_name": "NashConv",
    }


def _multiway(header: dict[str, Any]) -> dict[str, Any]:
    return {
        "game": f"{len(header['values'])} seats, stack {_stack(header)}",
        "algorithm": "CFR on sampled deals",
        "iterations": header["iterations"],
        "measure": sum(header["gains"]),
        "measure_name": "NashConv",
    }


def _hand(header: dict[str, Any]) -> dict[str, Any]:
    return {
        "game": f"hand before the flop, stack {_stack(header)}",
        "algorithm": header["algorithm"],
        "iterations": header["iterations"],
        "measure": header["exploitability"] / 1000.0,
        "measure_name": "exploitability",
    }


def _blueprint(header: dict[str, Any]) -> dict[str, Any]:
    record = header["record"]
    return {
        "game": f"blueprint, stack {_stack(header)}",
        "algorithm": record.get("algorithm"),
        "iterations": record.get("iterations"),
    }


def _stack(header: dict[str, Any]) -> object:
    """The stack of the hand in a file, or the stacks of its seats."""
    from equilibrist.poker.hands.stored import stored_keys

    keys = stored_keys(header["hand"])
    return keys.get("stack") or keys.get("stacks")


def _spot(header: dict[str, Any]) -> dict[str, Any]:
    spot = tomllib.loads(header["spot"])
    return {
        "game": spot["board"],
        "algorithm": header["variant"],
        "iterations": header["iterations"],
        "measure": header["mean_gain"],
        "measure_name": "mean gain" if spot.get("rake") else "exploitability",
        "pot": spot["pot"],
        "streets": header["keep"],
        "solves": header["spot"],
        "gain": 2.0 * header["mean_gain"],
    }


def _packed(header: dict[str, Any]) -> dict[str, Any]:
    run = header["made"]
    algorithm = run.get("algorithm")
    if algorithm is not None:
        algorithm = _with_sampler(algorithm, run.get("sampler"))
    return {"game": header["game"], "algorithm": algorithm, "iterations": run.get("iterations")}


def _game(header: dict[str, Any]) -> dict[str, Any]:
    sampler = (header.get("config") or {}).get("sampler")
    exploitability, gap = header["exploitability"], header.get("gap")
    measure = header["nash_conv"] if exploitability is None else exploitability
    measure_name = "NashConv" if exploitability is None else "exploitability"
    return {
        "game": header["game"],
        "algorithm": _with_sampler(header["algorithm"], sampler),
        "iterations": header["iterations"],
        "measure": measure if gap is None else gap["total"],
        "measure_name": measure_name if gap is None else f"{gap['concept'].upper()} gap",
        "solves": header.get("fingerprint"),
        "gain": float(header["nash_conv"]),
    }


def _with_sampler(algorithm: str, sampler: str | None) -> str:
    return f"{algorithm} with {sampler} sampling" if sampler else algorithm


_FACTS: Final[dict[str, Callable[[dict[str, Any]], dict[str, Any]]]] = {
    SOLUTION: _game,
    PACKED: _packed,
    SPOT_SOLUTION: _spot,
    PUSH_FOLD: _push_fold,
    MULTIWAY: _multiway,
    PREFLOP_SOLUTION: _hand,
    BLUEPRINT: _blueprint,
}
"""What the headers of files say, by kind; raises whatever a damaged one brings about.

Measures before the flop are in big blinds.
"""
