"""Ranges before the flop of blueprints that we have trained, which come with Equilibrist as text.

`benchmarks/blueprint/shipped_ranges.py` writes the files.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

FOLDER: Final = Path(__file__).parent / "range_files"


@dataclass(frozen=True)
class BlueprintRange:
    """The hands with which a seat takes an action.

    Attributes:
        seat: The number of the seat, in the order of `RangeSet.seats`.
        line: The actions before, such as `R3`; empty for the first decision.
        action: The action as lines write it: `C`, `X`, `R3`, `A20`.
        text: The range; weights are how often a hand comes there and takes the action.
    """

    seat: int
    line: str
    action: str
    text: str


@dataclass(frozen=True)
class RangeSet:
    """The ranges of a blueprint, how it was made, and what can be won against it.

    Attributes:
        name: The name of its file.
        hand: The hand that was solved, with its bets.
        seats: The seats in the order of posting.
        stack: The stack of each in big blinds.
        buckets: The buckets of cards, street by street.
        samples: Boards that were walked with two seats, deals with more.
        minutes: How long that took, with one thread.
        seed: The seed of the training.
        gain_mbb: What exploiters that were trained against it gain on average over the seats, in
            thousandths of a big blind per hand: a lower bound.
        gain_half_width_mbb: Half of its 95 % interval.
        ranges: The ranges.
    """

    name: str
    hand: str
    seats: tuple[str, ...]
    stack: float
    buckets: str
    samples: int
    minutes: int
    seed: int
    gain_mbb: float
    gain_half_width_mbb: float
    ranges: tuple[BlueprintRange, ...]

    @classmethod
    def read(cls, path: Path) -> RangeSet:
        """Read the file of a set."""
        keys = tomllib.loads(path.read_text("utf-8"))
        ranges = tuple(
            BlueprintRange(row["seat"], row["line"], row["action"], row["range"])
            for row in keys.pop("ranges")
        )
        return cls(**{**keys, "seats": tuple(keys["seats"])}, ranges=ranges)


@cache
def range_sets() -> tuple[RangeSet, ...]:
    """The sets that come with Equilibrist, those with few seats and short stacks first."""
    sets = [RangeSet.read(path) for path in FOLDER.glob("*.toml")]
    return tuple(sorted(sets, key=lambda found: (len(found.seats), found.stack)))
