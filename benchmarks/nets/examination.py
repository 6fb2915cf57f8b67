"""What strategies of the flop lose: the ladder below and above a value network.

    python benchmarks/nets/examination.py                        # 8 flops of the spot `flop`
    python benchmarks/nets/examination.py --flops 100 --target 0.05% --values turn.safetensors
    python benchmarks/nets/examination.py --spot headline --flops 100 --values turn.safetensors

The flops are a subset that represents all; with --values they are drawn from those that are held
out, of which the network knows no turn. On each, one seat's flop street is locked at what a
rung plays, and everything else is solved exactly to --target. The rungs: all actions alike; the
flop over leaves that are checked down; the flop over the network of --values; and the exact solver
stopped after 20 iterations, and at 0.3 % of the pot. A rung's seconds are those of its strategy,
and its processor seconds those of all threads, which other programs hardly change. `--rungs` names
those to examine: alike, check-down, values, few, usual.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from benchmarks.poker.spots import SPOTS
from benchmarks.record import write_record
from equilibrist.cli.postflop.leaf_values import leaf_values_of
from equilibrist.learned.holdem_values.situations import held_out_flops
from equilibrist.poker import (
    Examination,
    Spot,
    examine,
    flop_boards,
    solve,
    strategist_over_values,
)
from equilibrist.poker.postflop.solution.street_strategy import StreetStrategy, strategy_of_spot
from equilibrist.poker.postflop.solving.examination import Strategist
from equilibrist.typing import FloatArray

FEW = 20
"""Iterations of the exact solver that is stopped early."""
USUAL = "0.3%"
"""The exploitability to which spots are solved by default."""


def alike(spot: Spot) -> StreetStrategy:
    """Every action equally often."""
    rules = spot.rules()

    def played(line: str) -> Mapping[str, FloatArray]:
        actions = rules.actions(rules.follow(line).state)
        return {str(action): np.full(1326, 1 / len(actions)) for action in actions}

    return played


def stopped(threads: int, **limits: Any) -> Strategist:
    """The exact solver, stopped."""

    def made(spot: Spot) -> StreetStrategy:
        solution = solve(spot, threads=threads, progress=False, **limits)
        return strategy_of_spot(solution.strategy)

    return made


class Measured:
    """A rung, and the processor seconds that its strategies took."""

    def __init__(self, make: Strategist) -> None:
        self._make = make
        self.seconds: list[float] = []

    def __call__(self, spot: Spot) -> StreetStrategy:
        """Make a strategy."""
        begun = time.process_time()
        made = self._make(spot)
        self.seconds.append(time.process_time() - begun)
        return made


def flops_to_examine(count: int, *, held_out: bool) -> list[str]:
    """Flops that represent all; or some of those of which no network knows a turn."""
    boards = held_out_flops(count) if held_out else flop_boards(f"subset:{count}")
    names = [flop.board for flop in boards]
    order = np.random.default_rng(1).permutation(len(names))  # of which `--seconds` takes the first
    return [names[number] for number in order]


def main() -> None:
    """Examine, print, record."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--spot", default="flop", choices=[*SPOTS])
    parser.add_argument("--flops", type=int, default=8)
    parser.add_argument("--target", default="0.1%")
    parser.add_argument("--values", help="a value network of the turn")
    parser.add_argument("--iterations", type=int, default=200, help="of the flop over leaf values")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--seconds", type=float, help="begin no flop after so many")
    parser.add_argument("--rungs", default="alike,check-down,values,few,usual")
    given = parser.parse_args()
    whole = SPOTS[given.spot]
    chosen = given.rungs.split(",")
    rungs: dict[str, Measured] = {}
    if "alike" in chosen:
        rungs["all actions alike"] = Measured(alike)
    for rung_name, values in (("check-down", "check-down"), ("values", given.values)):
        if rung_name in chosen and values:
            leaves = leaf_values_of(whole, values)
            name = f"flop over {leaves.name}, {given.iterations} iterations"
            make = strategist_over_values(leaves, iterations=given.iterations).make
            make(whole)  # compiles
            rungs[name] = Measured(make)
    if "few" in chosen:
        few = stopped(given.threads, iterations=FEW)
        rungs[f"exact, {FEW} iterations"] = Measured(few)
    if "usual" in chosen:
        rungs[f"exact, {USUAL}"] = Measured(stopped(given.threads, target=USUAL))
    examined: dict[str, list[Examination]] = {name: [] for name in rungs}
    exact_seconds: list[float] = []
    exact_processor: list[float] = []
    begun = time.perf_counter()
    flops = flops_to_examine(given.flops, held_out=given.values is not None)
    for flop in flops:
        if given.seconds is not None and time.perf_counter() - begun > given.seconds:
            break
        spot = whole.replace(board=flop)
        before = time.process_time()
        exact = examine(spot, alike, seats=(), target=given.target, threads=given.threads).exact
        exact_processor.append(time.process_time() - before)
        exact_seconds.append(exact.seconds)
        for name, rung in rungs.items():
            done = examine(spot, rung, exact=exact, target=given.target, threads=given.threads)
            examined[name].append(done)
            seats = ", ".join(f"{seat.loss:.3f} +- {seat.margin:.3f}" for seat in done.seats)
            seconds = time.perf_counter() - begun
            print(f"{seconds:6.0f} s  {flop}  {name}: {seats}", flush=True)
    flops = flops[: len(exact_seconds)]
    rows = []
    for name, boards in examined.items():
        examined_seats = [seat for done in boards for seat in done.seats]
        losses = [seat.loss for seat in examined_seats]
        rows.append(
            [
                name,
                *(round(figure, 3) for figure in (
                    statistics.mean(losses), statistics.median(losses),
                    float(np.percentile(losses, 90)), max(losses),
                    statistics.mean(seat.margin for seat in examined_seats),
                )),
                round(statistics.median(done.strategy_seconds for done in boards), 2),
                round(statistics.median(rungs[name].seconds), 2),
            ]
        )  # fmt: skip
    arguments = " ".join(sys.argv[1:])
    write_record(
        f"examination_{given.spot}",
        f"Losses in percent of the pot, both seats on {len(flops)} flops"
        f"{' that are held out from networks' if given.values else ''}, all else solved to "
        f"{given.target}, for which the whole flop took {statistics.median(exact_seconds):.3g} s "
        f"and {statistics.median(exact_processor):.3g} processor seconds in the median.",
        f"python benchmarks/nets/examination.py {arguments}".strip(),
        [
            "flop played by",
            "mean",
            "median",
            "90th percentile",
            "most",
            "margin",
            "seconds",
            "processor s",
        ],
        rows,
        exact_seconds=exact_seconds,
        exact_processor_seconds=exact_processor,
        processor_seconds={name: rung.seconds for name, rung in rungs.items()},
        held_out=given.values is not None,
        flops=flops,
        boards={name: [done.row() for done in boards] for name, boards in examined.items()},
    )


if __name__ == "__main__":
    main()
