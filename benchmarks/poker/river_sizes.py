"""What few bet sizes lose on rivers, against all sizes in steps of 10 %.

    python benchmarks/poker/river_sizes.py            # some minutes of one core

For each river the best menus of one, two and three sizes of both seats, and what they lose. On some
all menus of two sizes are tried as well: whether the search finds the best of them.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from benchmarks.poker.spots import HEADLINE, TURN
from benchmarks.record import write_record
from equilibrist.poker import MenuLoss, MenuStudy, Spot, find_menus

COUNT = 3
TARGET = "0.01%"
COMPARED = 2
"""Rivers on which all menus of two sizes are tried."""
_RANGES = {"A": TURN, "B": HEADLINE}
"""Ranges of a raised pot: A of the turn, B of the flop that solvers are timed on."""
RIVERS = [
    ("A", "Td9d6hQc3s", 200, 900),
    ("A", "Td9d6hQc3s", 200, 200),
    ("A", "AsKd7h4c2d", 200, 900),
    ("B", "QsJh2h8c3d", 180, 910),
    ("B", "QsJh2hQd7c", 180, 360),
]
"""Which ranges, board, pot, chips behind."""


def river(ranges: str, board: str, pot: int, stack: int) -> Spot:
    """A river with raises to 2.5 times the bet, and all-in."""
    of = _RANGES[ranges]
    return Spot(board=board, oop=of.oop, ip=of.ip, pot=pot, stack=stack, raises="2.5x, a")


def search(spot: Spot, count: int, *, exhaustive: bool) -> tuple[MenuStudy, float]:
    """The study of a river, and its seconds of processor time."""
    begun = time.process_time()
    study = find_menus(spot, count, target=TARGET, exhaustive=exhaustive, threads=1)
    return study, time.process_time() - begun


def cell(menu: MenuLoss) -> str:
    """A menu and its loss, with the larger distance to its bounds."""
    margin = max(menu.high - menu.loss, menu.loss - menu.low)
    return f"{menu.text}: {menu.loss:.3f} ± {margin:.3f}"


def missed(study: MenuStudy, every: MenuStudy) -> list[float]:
    """By how much the menus of two sizes that were found lose more than the best of all, at least.

    In percent of the pot, for each seat; negative where the bounds of both meet.
    """
    pairs = zip(study.seats, every.seats, strict=True)
    return [found.best[1].low - best.best[1].high for found, best in pairs]


def main() -> None:
    """Search on all rivers and write the record."""
    rows: list[list[object]] = []
    seconds: list[float] = []
    differences: list[float] = []
    for place, (ranges, board, pot, stack) in enumerate(RIVERS):
        spot = river(ranges, board, pot, stack)
        study, taken = search(spot, COUNT, exhaustive=False)
        seconds.append(taken)
        for number, seat in enumerate(study.seats):
            names = ["", ""] if number else [f"{board}, ranges {ranges}", f"{pot} / {stack}"]
            rows.append([*names, seat.seat.upper(), *(cell(menu) for menu in seat.best), ""])
        gains = [f"{study.exploitability(count):.3f}" for count in study.counts]
        rows.append(["", "", "both", *gains, f"{study.solved_exploitability:.3f}"])
        for row in rows[-3:]:
            print(*row, sep=" | ", flush=True)
        print(f"{taken:.1f} s, {len(study.rows())} menus", flush=True)
        if place < COMPARED:
            every, taken = search(spot, 2, exhaustive=True)
            differences += missed(study, every)
            print(f"all menus: {taken:.1f} s, {differences[-2:]}", flush=True)
    columns = [
        "river", "pot / behind", "seat", "1 size", "2 sizes", "3 sizes", "3 sizes, solved alone",
    ]  # fmt: skip
    worse = [difference for difference in differences if difference > 0]
    found = (
        "none of which loses less, beyond the bounds"
        if not worse
        else f"the best of which loses up to {max(worse):.3f} less in {len(worse)} cases"
    )
    what = (
        "The best menus of bets on rivers and what they lose against 10 %, 20 % ... 200 % and "
        "all-in, in percent of the pot, with what their bounds leave open. Of both seats: the "
        "exploitability of both menus in the spot with all sizes, and what it is if the spot with "
        f"three sizes is solved alone. Each spot was solved to {TARGET} of the pot; a river took "
        f"{min(seconds):.0f} to {max(seconds):.0f} s of processor time. On the first {COMPARED} "
        f"all menus of two sizes were tried as well, {found}. Lower is better."
    )
    command = "python benchmarks/poker/river_sizes.py"
    write_record("river_sizes", what, command, columns, rows, seconds=seconds, missed=differences)


if __name__ == "__main__":
    main()
