"""Ranges before the flop of hands that we have solved, which come with Equilibrist as text.

Those of two seats are of a blueprint. Of more seats hands are solved whose betting ends before the
flop, since what a best response gains against them can be measured.

`benchmarks/blueprint/shipped_ranges.py` writes the files.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal

from equilibrist.errors import ConfigError

if TYPE_CHECKING:
    from equilibrist.play import HandGame
    from equilibrist.play.coach import Advice
    from equilibrist.play.table import Table
    from equilibrist.typing import FloatArray

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
    """The ranges of a solution, how it was made, and what can be won against it.

    Attributes:
        name: The name of its file.
        hand: The hand that was solved, with its bets.
        seats: The seats in the order of posting.
        stack: The stack of each in big blinds.
        method: `blueprint` or `multiway`, as the commands are called.
        buckets: Of a blueprint, the buckets of cards, street by street.
        samples: Boards that a blueprint of two seats walks; otherwise deals.
        minutes: How long that took.
        seed: The seed of the training.
        gain_mbb: What is gained against it on average over the seats, in thousandths of a big blind
            per hand: of a blueprint by exploiters that were trained, a lower bound; of others by
            best responses, measured on the deals that chose them, on average a little too much.
        gain_interval_mbb: Its 95 % interval.
        gains_mbb: Of `multiway`, what each seat gains by its best response, in the order of
            `seats`; else empty.
        ranges: The ranges.
    """

    name: str
    hand: str
    seats: tuple[str, ...]
    stack: float
    method: Literal["blueprint", "multiway"]
    buckets: str
    samples: int
    minutes: int
    seed: int
    gain_mbb: float
    gain_interval_mbb: tuple[float, float]
    ranges: tuple[BlueprintRange, ...]
    gains_mbb: tuple[float, ...] = ()

    @classmethod
    def read(cls, path: Path) -> RangeSet:
        """Read the file of a set."""
        keys = tomllib.loads(path.read_text("utf-8"))
        ranges = tuple(
            BlueprintRange(row["seat"], row["line"], row["action"], row["range"])
            for row in keys.pop("ranges")
        )
        of_tuples = {name: tuple(value) for name, value in keys.items() if isinstance(value, list)}
        return cls(**{**keys, **of_tuples}, ranges=ranges)


@cache
def range_sets() -> tuple[RangeSet, ...]:
    """The sets that come with Equilibrist, those with few seats and short stacks first."""
    sets = [RangeSet.read(path) for path in FOLDER.glob("*.toml")]
    return tuple(sorted(sets, key=lambda found: (len(found.seats), found.stack)))


class RangePlayer:
    """Plays and judges by the ranges of a set, which says how often, and not for what EV.

    What no range has of a hand that comes to a decision is folded, or checked where that is
    possible.

    Args:
        found: The set.

    Attributes:
        name: What it is called.
        game: The hand.
    """

    def __init__(self, found: RangeSet) -> None:
        """Lay the ranges out; the class describes the argument."""
        from equilibrist.play import HandGame
        from equilibrist.poker.hands.hand import Hand
        from equilibrist.poker.hands.named import hand_keys
        from equilibrist.poker.ranges.range import Range

        self.name = found.name
        self.game: HandGame = HandGame(Hand(**hand_keys(found.hand)))
        self._weights: dict[str, dict[str, FloatArray]] = {}
        self._seats: dict[str, int] = {}
        for row in found.ranges:
            weights = Range(row.text).class_weights.ravel()
            self._weights.setdefault(row.line, {})[row.action] = weights
            self._seats[row.line] = row.seat

    def mixture(self, table: Table, /) -> list[float]:
        """How often each action is taken with the hand of the seat to act.

        Args:
            table: The hand, at a decision before the flop.
        """
        return list(self.mixture_at(table.infoset))

    def knows(self, infoset: str) -> bool:
        """Whether the set has the decision of an infoset, and play comes there with the hand.

        Args:
            infoset: The key, such as `AhKh:R2.2-F`.
        """
        combo, line = self._read(infoset)
        return line in self._weights and self._reach(line, combo) > 0.0

    def mixture_at(self, infoset: str) -> tuple[float, ...]:
        """How often each action is taken at an infoset.

        Args:
            infoset: The key, such as `AhKh:R2.2-F`.

        Raises:
            ConfigError: The set has no such decision, or never comes there with the hand.
        """
        from equilibrist.poker.cards.combos import CLASS_OF_COMBO

        combo, line = self._read(infoset)
        if not self.knows(infoset):
            raise ConfigError(
                f"the ranges do not say what is played at {infoset}",
                option="infoset",
                given=infoset,
                remedy="choose a decision that they have",
            )
        labels, rows = self._labels(infoset), self._weights[line]
        own = int(CLASS_OF_COMBO[combo])
        taken = [float(rows[code][own]) if code in rows else 0.0 for code in labels]
        rest = labels.index("F" if "F" in labels else "X")
        taken[rest] = 0.0
        taken[rest] = max(self._reach(line, combo) - sum(taken), 0.0)
        return tuple(share / sum(taken) for share in taken)

    def advise(self, infoset: str, chosen: int, /) -> Advice:
        """Say how often each action is taken, without EVs.

        Args:
            infoset: The key of the infoset.
            chosen: The number of the action.
        """
        from equilibrist.parsing.arguments import whole_number
        from equilibrist.play.coach import Advice

        labels = self._labels(infoset)
        whole_number("chosen", chosen, 0, len(labels) - 1)
        return Advice(infoset, labels, chosen, None, self.mixture_at(infoset))

    def _labels(self, infoset: str) -> tuple[str, ...]:
        return tuple(action.code for action in self.game.legal(self.game.at(infoset)[1]))

    def _read(self, infoset: str) -> tuple[int, str]:
        return self.game.at(infoset)[0], infoset.partition(":")[2]

    def _reach(self, line: str, combo: int) -> float:
        """How often a hand comes to a decision: how often it took its seat's action before."""
        from equilibrist.poker.cards.combos import CLASS_OF_COMBO

        codes = line.split("-") if line else []
        for k in range(len(codes) - 1, -1, -1):
            before = "-".join(codes[:k])
            if self._seats.get(before) == self._seats[line]:
                weights = self._weights[before].get(codes[k])
                return 0.0 if weights is None else float(weights[CLASS_OF_COMBO[combo]])
        return 1.0
