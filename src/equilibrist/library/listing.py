"""What the stored solutions are solutions of, from the headers of their files."""

from __future__ import annotations

import json
import math
import os
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
    MULTIWAY,
    PACKED,
    PREFLOP_SOLUTION,
    PUSH_FOLD,
    SOLUTION,
    SPOT_SOLUTION,
    THREE_SPOT,
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
        values: What each player earns by it on average, in the unit of `measure`.
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
    values: list[float] | None = None

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
    """The gain of best responses to a solution; infinity where that is not known."""
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


def entry_of(
    name: str,
    path: Path,
    facts_of: Callable[[Path, os.stat_result], dict[str, Any]] | None = None,
) -> Entry | None:
    """List a file by its header.

    Args:
        name: What it is called.
        path: The file.
        facts_of: Gives what `file_facts` reads of a file in some state; None to read it.

    Returns:
        The entry; None if another process has removed the file meanwhile.
    """
    try:
        status = path.stat()
    except OSError:
        return None
    facts = file_facts(path) if facts_of is None else facts_of(path, status)
    return Entry(
        name=name,
        path=path,
        saved=datetime.fromtimestamp(status.st_mtime).astimezone(),
        num_bytes=status.st_size,
        **facts,
    )


def file_facts(path: Path) -> dict[str, Any]:
    """Read what the header of a file says: the fields of `Entry` but for those of the file system.

    Args:
        path: The file.
    """
    from equilibrist.storage.archive import header_of, kind_of, open_archive

    kind = kind_of(path)
    facts: dict[str, Any] = dict.fromkeys(
        ("game", "algorithm", "iterations", "measure", "measure_name", "pot", "streets", "solves")
    )
    if kind is not None:
        try:
            facts |= _FACTS[kind](header_of(path, open_archive(path, kind)[0]))
        except (EquilibristError, KeyError, TypeError, ValueError, AttributeError):
            kind = None  # damaged, or no solution
    return {"kind": kind, **facts}


def _push_fold(header: dict[str, Any]) -> dict[str, Any]:
    game = header["game"]
    nash_conv = max(sum(header["gains"]), 0.0)
    return {
        "game": f"push or fold, {_stacks(game)}{_added(game)}",
        "algorithm": header["method"],
        "iterations": header["iterations"] or None,
        "measure": nash_conv,
        "measure_name": "NashConv",
        "solves": _compared(game),
        "gain": nash_conv,
        "values": _values(header),
    }


def _multiway(header: dict[str, Any]) -> dict[str, Any]:
    hand = _hand_keys(header)
    nash_conv = sum(header["gains"])
    return {
        "game": f"{len(header['values'])} seats, {_stacks(hand)}",
        "algorithm": "CFR on sampled deals",
        "iterations": header["iterations"],
        "measure": nash_conv,
        "measure_name": "NashConv",
        "solves": _compared(hand),
        "gain": nash_conv,
        "values": _values(header),
    }


def _hand(header: dict[str, Any]) -> dict[str, Any]:
    hand, flops = _hand_keys(header), header["flops"]
    exploitability = header["exploitability"] / 1000.0
    return {
        "game": f"hand before the flop, {_stacks(hand)}",
        "algorithm": header["algorithm"],
        "iterations": header["iterations"],
        "measure": exploitability,
        "measure_name": "exploitability",
        "solves": _compared(hand, None if flops is None else (flops, header["seed"])),
        "gain": 2.0 * exploitability,
        "values": _values(header),
    }


def _blueprint(header: dict[str, Any]) -> dict[str, Any]:
    hand, record = _hand_keys(header), header["record"]
    return {
        "game": f"blueprint, {_stacks(hand)}",
        "algorithm": record.get("algorithm"),
        "iterations": record.get("iterations"),
        "solves": _compared(hand),
    }


def _hand_keys(header: dict[str, Any]) -> dict[str, Any]:
    """The keys of the hand in a file."""
    from equilibrist.poker.hands.stored import stored_keys

    return stored_keys(header["hand"])


def _stacks(keys: dict[str, Any]) -> str:
    """The stack of a hand, or the stacks of its seats."""
    stacks = keys.get("stacks")
    return f"stack {keys.get('stack')}" if stacks is None else f"stacks {_slashed(stacks)}"


def _added(game: dict[str, Any]) -> str:
    """The antes and payouts that tell a game of push or fold from others with its stacks."""
    differences = [
        f", {name.replace('_', ' ')} {game[name]:g}"
        for name in ("ante", "big_blind_ante")
        if game[name]
    ]
    if game["payouts"] is not None:
        differences.append(f", payouts {_slashed(game['payouts'])}")
    return "".join(differences)


def _slashed(numbers: Iterable[float]) -> str:
    return "/".join(str(number).removesuffix(".0") for number in numbers)


def _compared(*facts: object) -> str:
    """A text that is equal for equal facts."""
    return json.dumps(facts, sort_keys=True)


def _spot(header: dict[str, Any]) -> dict[str, Any]:
    spot = tomllib.loads(header["spot"])
    has_estimate = header.get("leaf_values") is not None
    return {
        "game": spot["board"],
        "algorithm": header["variant"],
        "iterations": header["iterations"],
        "measure": header["mean_gain"],
        "measure_name": "estimated gain"
        if has_estimate
        else "mean gain"
        if spot.get("rake") or spot.get("payouts")
        else "exploitability",
        "pot": None if spot.get("payouts") else spot["pot"],
        "streets": header["keep"],
        "solves": header["spot"],
        "gain": None if has_estimate else 2.0 * header["mean_gain"],
        "values": _values(header),
    }


def _three_spot(header: dict[str, Any]) -> dict[str, Any]:
    spot, nash_conv = tomllib.loads(header["spot"]), sum(header["gains"])
    return {
        "game": f"{spot['board']}, three ranges",
        "algorithm": header["algorithm"],
        "iterations": header["iterations"],
        "measure": nash_conv,
        "measure_name": "NashConv",
        "pot": spot["pot"],
        "solves": header["spot"],
        "gain": nash_conv,
        "values": _values(header),
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
        "values": _values(header),
    }


def _values(header: dict[str, Any]) -> list[float] | None:
    """What the players earn; None where a file does not say it, or nothing was measured."""
    values = [float(value) for value in header.get("values") or ()]
    return values if values and all(map(math.isfinite, values)) else None


def _with_sampler(algorithm: str, sampler: str | None) -> str:
    return f"{algorithm} with {sampler} sampling" if sampler else algorithm


_FACTS: Final[dict[str, Callable[[dict[str, Any]], dict[str, Any]]]] = {
    SOLUTION: _game,
    PACKED: _packed,
    SPOT_SOLUTION: _spot,
    THREE_SPOT: _three_spot,
    PUSH_FOLD: _push_fold,
    MULTIWAY: _multiway,
    PREFLOP_SOLUTION: _hand,
    BLUEPRINT: _blueprint,
}
"""What the headers of files say, by kind; raises whatever a damaged one brings about.

Measures before the flop are in big blinds.
"""
