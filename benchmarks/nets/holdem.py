"""Hold'em value networks: what rows cost, and how well networks value boards they never saw.

    python benchmarks/nets/holdem.py rows                  # both streets; some minutes
    python benchmarks/nets/holdem.py train river 100000    # acceptance: a river row, see below
    python benchmarks/nets/holdem.py train turn 100000
    python benchmarks/nets/holdem.py train turn 100000 --whole-streets --save turn.safetensors

`rows` times labels on one core, in processor time: random situations by stack / pot, situations of
solved play (with the solving of the spot before, shared as in a shard), and the same boards and
chips where both players hold the best 30 % and 50 % of hands only, as in an ordinary spot.

`train STREET ROWS` makes a dataset under build/nets (it goes on with what is there), fits networks
of five seeds to it, and records the Huber loss and the weighted error on held-out boards: median,
least and most, between the errors without a network and those of the grid. With `--whole-streets`
rows come out of solved spots of the street before, with the bets of the spot `flop` that
`examination.py` examines, and `--save` keeps the network of the first seed. `--seeds 1
--seconds 600` is for a first look. On one core making takes 53 minutes for 100,000 rows of the
river, and 16 hours for 100,000 rows of the turn.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path
from statistics import mean, median
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from benchmarks.poker.spots import SPOTS
from benchmarks.record import write_record
from equilibrist.learned.holdem_values.dataset import make_dataset
from equilibrist.learned.holdem_values.labels import label
from equilibrist.learned.holdem_values.shard import DatasetPlan
from equilibrist.learned.holdem_values.situations import (
    Situation,
    random_situation,
    solved_situations,
)
from equilibrist.learned.holdem_values.training import RATIOS, TrainingSettings, train
from equilibrist.poker.cards.cards import card_mask
from equilibrist.poker.cards.combos import without_cards
from equilibrist.poker.ranges.range import Range

COMMAND = "python benchmarks/nets/holdem.py"
FOLDER = Path(__file__).resolve().parents[2] / "build" / "nets"
COUNTS = {"river": 60, "turn": 24}
"""Situations of each kind that are timed."""
UPSTREAM = {"river": 30, "turn": 6}
"""Situations that share the solution of a spot, as in a shard."""


def ordinary(situation: Situation) -> Situation:
    """The same board and chips, where both players hold good hands only."""
    possible = without_cards(card_mask(situation.cards))
    held = [np.where(possible, Range.top(share).weights, 0.0) for share in (0.3, 0.5)]
    ranges = np.stack([weights / weights.sum() for weights in held])
    return Situation(situation.cards, situation.pot, situation.stack, ranges, situation.source)


def seconds_of(situation: Situation, plan: DatasetPlan) -> float:
    """Processor seconds of a label."""
    begun = time.process_time()
    label(situation, plan.menu, plan.target)
    return time.process_time() - begun


def rows_of(street: Any) -> list[list[object]]:
    """What rows of a street cost: a row of the table for each kind."""
    plan = DatasetPlan(street)
    assert plan.max_ratio is not None
    random = np.random.default_rng(1)
    drawn = [random_situation(street, random, plan.max_ratio) for _ in range(COUNTS[street])]
    label(drawn[0], plan.menu, plan.target)  # compiles
    label(ordinary(drawn[0]), plan.menu, plan.target)
    full = [seconds_of(situation, plan) for situation in drawn]
    few = [seconds_of(ordinary(situation), plan) for situation in drawn]
    begun = time.process_time()
    played = solved_situations(street, random, UPSTREAM[street])
    upstream = (time.process_time() - begun) / UPSTREAM[street]
    solved = [upstream + seconds_of(situation, plan) for situation in played]
    kinds = {"random": full, "random chips, ordinary ranges": few, "solved play": solved}
    ratios = [situation.stack / situation.pot for situation in drawn]
    for begins, ends in zip((0.0, *RATIOS), (*RATIOS, plan.max_ratio), strict=True):
        part = [s for s, ratio in zip(full, ratios, strict=True) if begins <= ratio < ends]
        if part:
            kinds[f"random, stack / pot {begins:g} to {ends:g}"] = part
    return [
        [street, kind, len(taken), mean(taken), median(taken), max(taken), 3600 / mean(taken)]
        for kind, taken in kinds.items()
    ]


def record_rows() -> None:
    """Time both streets, and write the record."""
    write_record(
        "nets_holdem_rows",
        "Situations with the values of all hands, solved to 0.3 % of the pot over pot and all-in "
        "bets: processor seconds of one situation.",
        f"{COMMAND} rows",
        ["street", "situations", "timed", "mean s", "median s", "most s", "an hour, one core"],
        [row for street in ("river", "turn") for row in rows_of(street)],
    )


def whole_streets(street: Any) -> DatasetPlan:
    """Rows out of spots with the bets of the examined one."""
    examined = SPOTS["flop"]
    return DatasetPlan(
        street, target="1%", bets=examined.bets, raises=examined.raises,
        add_all_in=examined.add_all_in, force_all_in=examined.force_all_in, merge=examined.merge,
        whole_streets=True,
    )  # fmt: skip


def record_training(given: argparse.Namespace) -> None:
    """Make rows, fit networks, and write the record."""
    street, count, seeds, steps = given.street, given.rows, given.seeds, given.steps
    kind = "_streets" if given.whole_streets else ""
    plan = whole_streets(street) if given.whole_streets else DatasetPlan(street)
    folder = FOLDER / f"{street}{kind}"
    made = make_dataset(folder, plan, count, resume=True)
    hidden = tuple(map(int, given.hidden.split(",")))
    reports = [
        train(
            folder,
            TrainingSettings(hidden=hidden, steps=steps, seed=seed),
            rows=count,
            seconds=given.seconds,
        )
        for seed in range(seeds)
    ]
    if given.save:
        reports[0].values.save(given.save)
    first = reports[0]
    rows: list[list[object]] = []
    for name in ("huber", "weighted"):
        values = sorted(float(getattr(report.errors, name)) for report in reports)
        rungs = [float(getattr(rung, name)) for rung in (first.check_down, first.grid)]
        rows.append([name, rungs[0], median(values), values[0], values[-1], rungs[1]])
    write_record(
        f"nets_holdem_{street}{kind}_{count}",
        f"Networks of the {street}, {first.rows:,} rows{' out of whole streets' * bool(kind)}, on "
        f"{first.errors.rows:,} rows of boards on which they were neither fitted nor chosen: "
        f"errors in pots; {seeds} seed{'s' * (seeds > 1)} of {first.steps:,} steps.",
        f"{COMMAND} {' '.join(sys.argv[1:])}",
        ["error", "nobody bets", "median", "least", "most", "ideal outputs"],
        rows,
        packages=("numpy", "numba", "torch"),
        seconds=[report.seconds for report in reports],
        steps=[report.steps for report in reports],
        making_seconds=made.seconds,
        errors=[report.errors.to_dict() for report in reports],
    )


def main() -> None:
    """Run what the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("rows")
    training = commands.add_parser("train")
    training.add_argument("street", choices=("river", "turn"))
    training.add_argument("rows", type=int)
    training.add_argument("--seeds", type=int, default=5)
    training.add_argument("--steps", type=int, default=20_000)
    training.add_argument("--seconds", type=float)
    training.add_argument("--hidden", default="256,256,256")
    training.add_argument("--whole-streets", action="store_true")
    training.add_argument("--save", help="a file for the network of the first seed")
    given = parser.parse_args()
    if given.command == "rows":
        record_rows()
    else:
        record_training(given)


if __name__ == "__main__":
    main()
