"""The solution of a push-or-fold game: values, charts of the 169 classes, and how good they are."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from dataclasses import dataclass
from os import PathLike
from typing import Any, Final

import numpy as np

from equilibrist.errors import ConfigError
from equilibrist.formatting.brief import brief_repr
from equilibrist.parsing.arguments import file_name, instance, several
from equilibrist.poker.cards.combos import CLASS_NAMES, CLASS_OF_COMBO
from equilibrist.poker.preflop.allin_table import CLASS_SIZES
from equilibrist.poker.preflop.push_fold.game import PushFold
from equilibrist.poker.preflop.sampled_run import StoppedBy
from equilibrist.poker.ranges.range import Range
from equilibrist.storage.tables import write_table_file
from equilibrist.typing import FloatArray

COLUMNS: Final = ("stacks", "seat", "against", "hand", "combos", "frequency", "gain")
"""The columns of a chart's CSV file."""


@dataclass(frozen=True, eq=False)
class Chart:
    """What a seat does with each hand class, with these players all-in before it.

    Attributes:
        seat: The name of the seat that decides.
        against: The names of the seats that are all-in, in the order of acting; none before the
            first push.
        frequencies: float64[169], how often each class goes all-in, in the order of `CLASS_NAMES`.
        gains: float64[169], the value of going all-in minus that of a fold, in the unit of the
            game, where the decision is reached.
        reached: The probability that the seat comes to decide here.
        unit: The unit of `gains`: `bb` or `prize pool`.
    """

    seat: str
    against: tuple[str, ...]
    frequencies: FloatArray
    gains: FloatArray
    reached: float
    unit: str

    def __repr__(self) -> str:
        return brief_repr(self)

    @property
    def title(self) -> str:
        """Who decides on what: `SB pushes`, `BB calls SB`."""
        return (
            f"{self.seat} calls {' and '.join(self.against)}"
            if self.against
            else (f"{self.seat} pushes")
        )

    @property
    def range(self) -> Range:
        """The hands that go all-in, with their frequencies to four digits as weights."""
        return Range.from_weights(np.round(self.frequencies, 4)[CLASS_OF_COMBO])

    @property
    def combos(self) -> float:
        """The hands of 1,326 that go all-in; a mixed hand counts by its frequency."""
        return float((self.frequencies * CLASS_SIZES).sum())

    @property
    def mixed(self) -> dict[str, float]:
        """The classes that do both, with the frequency of going all-in."""
        both = np.flatnonzero((self.frequencies > 0) & (self.frequencies < 1))
        return {CLASS_NAMES[k]: float(self.frequencies[k]) for k in both}

    def to_dict(self) -> dict[str, Any]:
        """The chart for JSON.

        Returns:
            Names, range, and frequency and gain of each class.
        """
        return {
            "seat": self.seat,
            "against": list(self.against),
            "reached": self.reached,
            "combos": self.combos,
            "range": str(self.range),
            "mixed": self.mixed,
            "frequencies": dict(zip(CLASS_NAMES, self.frequencies.tolist(), strict=True)),
            "gains": dict(zip(CLASS_NAMES, self.gains.tolist(), strict=True)),
        }


@dataclass(frozen=True, eq=False)
class PushFoldSolution:
    """Strategies of all seats and their values.

    Attributes:
        game: The game.
        values: What the hand is worth to each seat, in the order of posting, against the stack
            before posting; in big blinds, or in shares of the prize pool.
        gains: What each seat gains by its best response; for sampled solutions the estimate.
        interval: The 95 % confidence interval of NashConv; None if it is exact.
        standard_errors: Of `values`; None if they are exact.
        charts: One for each decision, in the order of acting.
        method: `linear programme` or `CFR`; `best response` where one of two players acts, or none.
        iterations: Of CFR; 0 for other methods.
        deals: The deals that were sampled; 0 if none were.
        seed: Their seed.
        measured_deals: The deals on which the result was measured; 0 if it is exact.
        stopped_by: What ended CFR on sampled deals: `deals`, `seconds` or `interrupted`; None for
            other methods.
    """

    game: PushFold
    values: tuple[float, ...]
    gains: tuple[float, ...]
    interval: tuple[float, float] | None
    standard_errors: tuple[float, ...] | None
    charts: tuple[Chart, ...]
    method: str
    iterations: int
    deals: int
    seed: int
    measured_deals: int = 0
    stopped_by: StoppedBy | None = None

    def __repr__(self) -> str:
        return brief_repr(self)

    @property
    def nash_conv(self) -> float:
        """The sum over the seats of what a best response gains."""
        return sum(self.gains)

    def chart(self, seat: str, *against: str) -> Chart:
        """The chart of a decision.

        Args:
            seat: The name of the seat that decides, such as `BB`.
            against: The seats that went all-in or called before it, in any order; not those that
                are all-in by posting.

        Returns:
            The chart.

        Raises:
            ConfigError: There is no such decision.
        """
        for name in (seat, *against):
            instance("seat", name, str, "the name of a seat, such as BB")
        for chart in self.charts:
            if chart.seat == seat and set(chart.against) == set(against):
                return chart
        raise ConfigError(
            f"{seat} does not decide against {', '.join(against) or 'nobody'}",
            option="seat",
            given=seat,
            expected="one of " + ", ".join(self.game.names),
            remedy="name the seats that are all-in before that seat acts",
        )

    def at(self, line: str = "") -> Chart:
        """The chart of the decision after a line.

        Args:
            line: A letter for each seat that has acted, `F` folded and `A` all-in: `F-A`; empty for
                the first decision.

        Returns:
            The chart.

        Raises:
            ConfigError: No seat decides there.
        """
        letters = [letter for letter in line.strip().upper().split("-") if letter]
        found = self.game.decision_after([letter == "A" for letter in letters])
        if found is None or not {*letters} <= {"F", "A"}:
            raise ConfigError(
                f"no seat decides after {line}"
                if self.charts
                else "nobody decides: posting puts all but one player all-in",
                option="line",
                given=line,
                expected="a letter for each seat that has acted: F folded, A all-in, such as F-A",
                remedy="give a letter for each seat that has acted, F folded or A all-in: F-A",
            )
        names = self.game.names
        return self.chart(names[found[0]], *[names[seat] for seat in found[1]])

    def ranges(self) -> dict[str, str]:
        """The range that goes all-in at each decision.

        Returns:
            By the title of its chart, ranges as `postflop` takes them.
        """
        return {chart.title: str(chart.range) for chart in self.charts}

    def to_dict(self) -> dict[str, Any]:
        """The whole solution for JSON.

        Returns:
            The game, values by seat, NashConv and all charts.
        """
        names = self.game.names
        return {
            "game": self.game.to_dict(),
            "seats": list(names),
            "unit": self.game.unit,
            "values": dict(zip(names, self.values, strict=True)),
            "standard_errors": (
                None
                if self.standard_errors is None
                else dict(zip(names, self.standard_errors, strict=True))
            ),
            "nash_conv": self.nash_conv,
            "nash_conv_interval": None if self.interval is None else list(self.interval),
            "gains": dict(zip(names, self.gains, strict=True)),
            "method": self.method,
            "iterations": self.iterations,
            "deals": self.deals,
            "seed": self.seed if self.deals else None,
            "measured_deals": self.measured_deals,
            "stopped_by": self.stopped_by,
            "charts": [chart.to_dict() for chart in self.charts],
        }

    def rows(self) -> Iterator[tuple[object, ...]]:
        """The rows of the charts as a table, with the columns `COLUMNS`.

        Yields:
            A row for each decision and class.
        """
        stacks = "/".join(f"{stack:g}" for stack in self.game.stacks)
        for chart in self.charts:
            against = "+".join(chart.against)
            numbers = zip(CLASS_NAMES, CLASS_SIZES, chart.frequencies, chart.gains, strict=True)
            for name, size, frequency, gain in numbers:
                shown = f"{frequency:.6g}", f"{gain:z.6g}"
                yield (stacks, chart.seat, against, name, int(size), *shown)


def write_charts(path: str | PathLike[str], solutions: list[PushFoldSolution]) -> None:
    """Write the charts of solutions as one CSV file, whole or not at all.

    Args:
        path: The file.
        solutions: The solutions, one after the other.

    Raises:
        ConfigError: These are no such solutions.
        OutputError: The file cannot be written, or is not a table of Equilibrist.
    """
    for one in several("solutions", solutions, "solutions of push_fold"):
        instance("solutions", one, PushFoldSolution, "solutions of push_fold")
    write_table_file(file_name("path", path), ".csv", charts_csv(solutions))


def charts_csv(solutions: list[PushFoldSolution]) -> str:
    """The charts of solutions as CSV, one after the other."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    for solution in solutions:
        writer.writerows(solution.rows())
    return text.getvalue()
