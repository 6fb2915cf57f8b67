"""Solve spots whose values other solvers have published, and put both side by side.

    python benchmarks/poker/published_spots.py [--record] [NAME ...]

Without `--record` nothing is written. The figures of the other programs are given here as they were
published or handed on; they are not run. Takes some minutes on two cores, most of them for the
headline spot.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass

from benchmarks.poker.spots import HEADLINE, TURN
from benchmarks.record import write_record
from equilibrist.poker import Spot, solve

WIDE = {
    "oop": "22+,A2s+,A5o+,K5s+,K9o+,Q7s+,QTo+,J7s+,JTo,T7s+,97s+,86s+,75s+,65s,54s",
    "ip": "99-22,AJs-A2s,AQo-A8o,K2s+,K9o+,Q2s+,Q9o+,J6s+,J9o+,T6s+,T9o,96s+,98o,86s+,75s+,64s+,"
    "53s+,43s",
}
OPEN_SOLVER = "an open postflop solver"


@dataclass(frozen=True)
class Published:
    """A spot, and what another program says of it."""

    spot: Spot
    source: str
    ev: tuple[float, float]
    """Chips of OOP and IP."""
    target: str
    """The exploitability of that result, of the pot."""


SPOTS = {
    "turn": Published(TURN, OPEN_SOLVER, (91.945, 108.055), "0.1%"),
    "turn, paired board": Published(
        Spot(board="7h7c2dJs", **WIDE, pot=100, stack=250, bets="50%, a", raises="a"),
        OPEN_SOLVER, (58.743, 41.257), "0.1%",
    ),
    "turn, wide ranges": Published(
        Spot(
            board="As8s3sKd", **WIDE, pot=60, stack=970, bets="33%, 75%, 150%", raises="3x",
            add_all_in="120%", force_all_in="10%",
        ),
        OPEN_SOLVER, (32.806, 27.194), "0.1%",
    ),
    "flop": Published(
        TURN.replace(board="Td9d6h"), OPEN_SOLVER, (107.119, 92.881), "0.3%",
    ),
    "flop, dry board": Published(
        Spot(
            board="Ac8d3s", **WIDE, pot=60, stack=470, bets="50%|75%|75%", raises="60%|60%|a",
            force_all_in="20%",
        ),
        OPEN_SOLVER, (36.840, 23.160), "0.3%",
    ),
    "headline": Published(HEADLINE, "published", (105.11, 74.89), "0.1%"),
}  # fmt: skip


def main() -> None:
    """Solve them, print a line each, and write the record if asked to."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", choices=[[], *SPOTS], default=[], metavar="NAME")
    parser.add_argument("--record", action="store_true")
    chosen = parser.parse_args()
    rows = []
    for name in chosen.names or SPOTS:
        each = SPOTS[name]
        found = solve(each.spot, target=each.target)
        apart = 100 * abs(found.ev[0] - each.ev[0]) / each.spot.pot
        rows.append(
            [
                name, f"{each.ev[0]:g} / {each.ev[1]:g}", f"{found.ev[0]:.3f} / {found.ev[1]:.3f}",
                round(apart, 4), each.target, round(found.mean_gain_percent, 4), found.iterations,
                each.source,
            ]
        )  # fmt: skip
        print(*rows[-1], f"{found.seconds:.1f} s", sep="  ", flush=True)
    if chosen.record:
        write_record(
            "published_spots",
            "EV of OOP and IP in chips; how far apart OOP's are, and exploitability, both in "
            "percent of the pot.",
            "python benchmarks/poker/published_spots.py --record",
            ["spot", "EV, theirs", "EV, ours", "apart", "their target", "exploitability, ours",
             "iterations, ours", "source"],
            rows,
        )  # fmt: skip


if __name__ == "__main__":
    main()
