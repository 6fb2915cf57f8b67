"""How long a search of hold'em takes for a street, and how exact it is by then.

    python benchmarks/search/street_times.py              # three minutes on a quiet machine
    python benchmarks/search/street_times.py --streets river turn

Spots are those of a pot that was raised once and of one that was raised twice, 100 big blinds deep,
with ranges of ordinary width: one raiser against the big blind. Every search begins a street
with both ranges as they are, as the first one of a hand does, down to the river, with all hands
and without buckets; its time is given, and the menu of bets is the richest that the search thinks
it is enough for. Kernels are compiled beforehand.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple, cast

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from benchmarks.poker.spots import HEADLINE
from benchmarks.record import write_record
from equilibrist.poker import Spot
from equilibrist.poker.decisions.searching import SearchState
from equilibrist.search.holdem.street_search import StreetSearch

COMMAND = "python benchmarks/search/street_times.py"
THREADS = 2
BOARDS = ("QsJh2h7c3d", "Ah8d4c2s9s", "Tc9c6hKd5d", "7d5s2cQhQd")
REPEATS = 2


class Pot(NamedTuple):
    """A pot and what is behind, in big blinds."""

    name: str
    pot: float
    stack: float


class Street(NamedTuple):
    """A street, the cards on it, how many of the boards are searched, and the time for each."""

    name: str
    cards: int
    boards: int
    seconds: float


POTS = (Pot("raised once", 5.5, 97.5), Pot("raised twice", 20.0, 90.0))
STREETS = (
    Street("river", 5, 4, 0.2),
    Street("turn", 4, 4, 2.0),
    Street("flop", 3, 2, 15.0),
)


def spot_of(board: str, pot: Pot) -> Spot:
    """A spot; the search chooses its bets."""
    return Spot(
        board=board,
        oop=HEADLINE.oop,
        ip=HEADLINE.ip,
        pot=pot.pot,
        stack=pot.stack,
        bets="75%",
        unit=0.01,
        min_bet=1.0,
    )


def searched(spot: Spot, seconds: float) -> tuple[float, Any]:
    """The seconds of a search of a street's first decision, and what it solved."""
    search = StreetSearch(threads=THREADS)
    _ = search._bandwidth  # a bot measures it once
    state = SearchState(
        hand=spot,
        line="",
        board=spot.cards,
        seat=0,
        actions=(),
        solution=cast("Any", None),
        blueprint_line=None,
    )
    ranges = np.stack([held.weights for held in spot.ranges])
    began = time.perf_counter()
    found = search.search(state, 0, ranges, seconds, np.random.default_rng(0))
    taken = time.perf_counter() - began
    assert found is not None
    assert search._latest is not None
    return taken, search._latest.resolved


def main() -> None:
    """Search all streets, print, record."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    names = [street.name for street in STREETS]
    parser.add_argument("--streets", nargs="+", choices=names, default=names)
    chosen = parser.parse_args().streets
    rows: list[list[object]] = []
    for street in [street for street in STREETS if street.name in chosen]:
        for pot in POTS:
            searched(spot_of(BOARDS[0][: 2 * street.cards], pot), street.seconds)
            times, gaps, iterations, menus = [], [], [], set[str]()
            for board in BOARDS[: street.boards]:
                for _ in range(REPEATS):
                    spot = spot_of(board[: 2 * street.cards], pot)
                    taken, solved = searched(spot, street.seconds)
                    times.append(taken)
                    gaps.append(100.0 * solved.gap_share)
                    iterations.append(solved.iterations)
                    menus.add(solved.spot.bets)
            rows.append(
                [
                    street.name,
                    pot.name,
                    f"{street.seconds:g}",
                    f"{median(times):.3f} ({max(times):.3f})",
                    f"{median(iterations):.0f}",
                    f"{median(gaps):.2g} ({max(gaps):.2g})",
                    " or ".join(sorted(menus)),
                ]
            )
            print(rows[-1], flush=True)
    write_record(
        "search_street_times",
        "A search of hold'em from the beginning of a street, 100 big blinds deep, on two threads: "
        "seconds that it was given and that it took, iterations, and the gap in per cent of the "
        f"pot; medians over {REPEATS} searches of each board, and the most in brackets.",
        COMMAND,
        ["street", "pot", "given", "taken", "iterations", "gap", "bets"],
        rows,
        packages=("numpy", "numba"),
        boards=BOARDS,
        pots=[pot._asdict() for pot in POTS],
    )


if __name__ == "__main__":
    main()
