"""The solution of a push-or-fold game: values, charts of the 169 classes, and how good they are."""

from __future__ import annotations

import csv
import io
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from os import PathLike
from typing import Any, ClassVar, Final

import numpy as np
from pydantic import Field

from equilibrist.errors import ConfigError
from equilibrist.formatting.brief import brief_repr
from equilibrist.parsing.arguments import file_name, instance, several
from equilibrist.poker.betting.actions import FOLD, Action, Kind
from equilibrist.poker.cards.combos import CLASS_NAMES, CLASS_OF_COMBO, NUM_CLASSES
from equilibrist.poker.decisions.decision import Decision
from equilibrist.poker.decisions.files import (
    SolutionHeader,
    StoredParts,
    StoredSolution,
    fields_of,
)
from equilibrist.poker.decisions.solution import refuse_board, written_line
from equilibrist.poker.hands.rules import STREET_NAMES
from equilibrist.poker.preflop.allin_table import CLASS_SIZES
from equilibrist.poker.preflop.push_fold.game import PushFold, push_fold_of
from equilibrist.poker.ranges.range import Range
from equilibrist.solvers.run.stopping import StopReason
from equilibrist.storage.archive import read_archive
from equilibrist.storage.damage import reading_content
from equilibrist.storage.kinds.file_kinds import PUSH_FOLD
from equilibrist.storage.tables import write_table_file
from equilibrist.storage.versions import FileHeader
from equilibrist.typing import FloatArray

COLUMNS: Final = ("stacks", "seat", "against", "hand", "combos", "frequency", "gain")
"""The columns of a chart's CSV file."""


PUSH_OR_FOLD: Final = (FOLD, Action(Kind.ALL_IN))
"""The actions at every decision."""


def chart_of(
    game: PushFold,
    seat: int,
    all_in: Sequence[int],
    pushes: FloatArray,
    gains: FloatArray,
    reached: float,
) -> Decision:
    """A decision of push or fold.

    A seat acts once, so that all its hands get there. Values are relative to a fold.

    Args:
        game: The game.
        seat: The seat that decides.
        all_in: The seats that went all-in before it; none before the first push.
        pushes: float64[169]: how often each class goes all-in.
        gains: float64[169]: the value of going all-in minus that of a fold, in the unit of the
            game, where the decision is reached.
        reached: The probability that the seat comes to decide here.

    Returns:
        The decision, whose actions are to fold and to go all-in.
    """
    strategy = np.stack([1.0 - pushes, pushes])
    action_ev = np.stack([np.zeros(len(gains)), gains])
    return Decision(
        line=game.line_to(seat, all_in),
        seat=seat,
        seat_name=game.names[seat],
        street=STREET_NAMES[0],
        actions=PUSH_OR_FOLD,
        combos=CLASS_SIZES.astype(np.float64),
        reach=np.ones(len(CLASS_SIZES)),
        strategy=strategy,
        ev=(strategy * action_ev).sum(axis=0),
        action_ev=action_ev,
        reached=reached,
    )


class _Chart(FileHeader):
    seat: str
    against: list[str]
    reached: float


class _Header(SolutionHeader):
    game: dict[str, Any]
    charts: list[_Chart]
    values: tuple[float, ...]
    gains: tuple[float, ...]
    interval: tuple[float, float] | None
    standard_errors: tuple[float, ...] | None
    method: str
    iterations: int = Field(ge=0, le=2**53)
    deals: int = Field(ge=0, le=2**53)
    seed: int = Field(ge=0)
    measured_deals: int = Field(ge=0, le=2**53)
    stopped_by: StopReason | None


@dataclass(frozen=True, eq=False)
class PushFoldSolution(StoredSolution):
    """Strategies of all seats and their values.

    Attributes:
        game: The game.
        values: What the hand is worth to each seat, in the order of posting, against the stack
            before posting; in big blinds, or in shares of the prize pool.
        gains: What each seat gains by its best response; for sampled solutions the estimate.
        interval: The 95 % confidence interval of NashConv; None if it is exact.
        standard_errors: Of `values`; None if they are exact.
        charts: The decisions, in the order of acting: fold or all-in, by class. Their values are
            what going all-in wins compared with a fold, where the decision is reached.
        method: `linear programme` or `CFR`; `best response` where one of two players acts, or none.
        iterations: Of CFR; 0 for other methods.
        deals: The deals that were sampled; 0 if none were.
        seed: Their seed.
        measured_deals: The deals on which the result was measured; 0 if it is exact.
        stopped_by: What ended CFR on sampled deals: `deals`, `seconds` or `interrupted`; None for
            other methods.
    """

    KIND: ClassVar[str] = PUSH_FOLD
    HEADER: ClassVar[type[SolutionHeader]] = _Header

    game: PushFold
    values: tuple[float, ...]
    gains: tuple[float, ...]
    interval: tuple[float, float] | None
    standard_errors: tuple[float, ...] | None
    charts: tuple[Decision, ...]
    method: str
    iterations: int
    deals: int
    seed: int
    measured_deals: int = 0
    stopped_by: StopReason | None = None

    def __repr__(self) -> str:
        return brief_repr(self)

    @property
    def nash_conv(self) -> float:
        """The sum over the seats of what a best response gains."""
        return sum(self.gains)

    @property
    def hand(self) -> PushFold:
        """`game`."""
        return self.game

    @property
    def seats(self) -> tuple[str, ...]:
        """The names of the seats, in the order of posting."""
        return self.game.names

    @property
    def measure(self) -> float:
        """`nash_conv`, in the unit of the game."""
        return self.nash_conv

    def lines(self) -> list[str]:
        """The lines of the charts.

        A line has a letter for each seat that decided before, in the order of acting, joined by
        hyphens: `F` for one that folded, `A` for one that went all-in or called. A seat that is not
        asked, because posting put it all-in or it faces no bet, has none.

        Returns:
            The lines, in the order of acting; the first one is empty. With three seats: "", `F`,
            `A`, `F-A`, `A-F` and `A-A`.
        """
        return [chart.line for chart in self.charts]

    def against(self, chart: Decision) -> tuple[str, ...]:
        """Who is all-in where a chart is played.

        Args:
            chart: One of `charts`.

        Returns:
            The names of the seats that went all-in or called before, in the order of acting.
        """
        decision = self.game.decision_after([letter == "A" for letter in _letters(chart.line)])
        return tuple(self.game.names[seat] for seat in (decision or (0, ()))[1])

    def title(self, chart: Decision) -> str:
        """Who decides on what.

        Args:
            chart: One of `charts`.

        Returns:
            `SB pushes`, or `BB calls SB`.
        """
        against = self.against(chart)
        if not against:
            return f"{chart.seat_name} pushes"
        return f"{chart.seat_name} calls {' and '.join(against)}"

    def chart(self, seat: str, *against: str) -> Decision:
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
            if chart.seat_name == seat and set(self.against(chart)) == set(against):
                return chart
        raise ConfigError(
            f"{seat} does not decide against {', '.join(against) or 'nobody'}",
            option="seat",
            given=seat,
            expected="one of " + ", ".join(self.game.names),
            remedy="name the seats that are all-in before that seat acts",
        )

    def at(self, line: str = "", board: str | Sequence[int] = "") -> Decision:
        """The chart of the decision after a line.

        Args:
            line: As `lines` has it, in capitals or not: `F-A` after a fold and an all-in; empty for
                the first decision.
            board: The public cards: none before the flop.

        Returns:
            The chart.

        Raises:
            ConfigError: No seat decides there, or there is a board.
        """
        refuse_board(board)
        letters = _letters(line)
        decision = self.game.decision_after([letter == "A" for letter in letters])
        if decision is None or not {*letters} <= {"F", "A"}:
            raise ConfigError(
                f"no seat decides after {line}"
                if self.charts
                else "nobody decides: posting puts all but one player all-in",
                option="line",
                given=line,
                expected="a letter for each seat that decided: F folded, A all-in, such as F-A",
                remedy="give a letter for each seat that decided before: F folded, A all-in",
            )
        names = self.game.names
        return self.chart(names[decision[0]], *[names[seat] for seat in decision[1]])

    def ranges(self) -> dict[str, str]:
        """The range that goes all-in at each decision.

        Returns:
            By the title of its chart, ranges as `postflop` takes them.
        """
        return {self.title(chart): str(pushes_of(chart)) for chart in self.charts}

    def facts(self) -> dict[str, Any]:
        """Say what was solved, how, and how good it is, without the charts.

        Returns:
            The game, values by seat and NashConv, for JSON.
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
        }

    def _parts(self) -> StoredParts:
        charts = [
            _Chart(
                seat=chart.seat_name, against=[*self.against(chart)], reached=chart.reached or 0.0
            )
            for chart in self.charts
        ]
        figures = {
            "frequencies": [chart.strategy[1] for chart in self.charts],
            "gains": [gains_of(chart) for chart in self.charts],
        }
        arrays = {name: np.array(rows).reshape(-1, NUM_CLASSES) for name, rows in figures.items()}
        game = self.game.to_dict()
        return StoredParts(arrays, {"game": game, "charts": charts})

    def to_dict(self) -> dict[str, Any]:
        """The whole solution for JSON.

        Returns:
            `facts`, and the charts.
        """
        return {**self.facts(), "charts": [*map(self.chart_document, self.charts)]}

    def chart_document(self, chart: Decision) -> dict[str, Any]:
        """A chart for JSON.

        Args:
            chart: One of `charts`.

        Returns:
            Names, range, and frequency and gain of each class.
        """
        pushes, gains = chart.strategy[1], gains_of(chart)
        return {
            "seat": chart.seat_name,
            "against": list(self.against(chart)),
            "reached": chart.reached,
            "combos": chart.count(1),
            "range": str(pushes_of(chart)),
            "mixed": chart.mixed(1),
            "frequencies": dict(zip(CLASS_NAMES, pushes.tolist(), strict=True)),
            "gains": dict(zip(CLASS_NAMES, gains.tolist(), strict=True)),
        }

    def to_csv(self) -> str:
        """The charts as CSV, with the columns `COLUMNS`.

        Returns:
            A row for each decision and class.
        """
        return charts_csv([self])

    def rows(self) -> Iterator[tuple[object, ...]]:
        """The rows of the charts as a table, with the columns `COLUMNS`.

        Yields:
            A row for each decision and class.
        """
        stacks = "/".join(f"{stack:g}" for stack in self.game.stacks)
        for chart in self.charts:
            against = "+".join(self.against(chart))
            figures = chart.strategy[1], gains_of(chart)
            numbers = zip(CLASS_NAMES, CLASS_SIZES, *figures, strict=True)
            for name, size, frequency, gain in numbers:
                shown = f"{frequency:.6g}", f"{gain:z.6g}"
                yield (stacks, chart.seat_name, against, name, int(size), *shown)


def gains_of(chart: Decision) -> FloatArray:
    """float64[169]: what going all-in wins compared with a fold at a decision of push or fold."""
    assert chart.action_ev is not None
    gains: FloatArray = chart.action_ev[1]
    return gains


def pushes_of(chart: Decision) -> Range:
    """The hands that go all-in, with their frequencies to four digits as weights."""
    return Range.from_weights(np.round(chart.strategy[1], 4)[CLASS_OF_COMBO])


def _letters(line: str) -> list[str]:
    return [letter for letter in written_line(line).split("-") if letter]


def write_charts(path: str | PathLike[str], solutions: list[PushFoldSolution]) -> None:
    """Write the charts of solutions as one CSV file, whole or not at all.

    Args:
        path: The file.
        solutions: The solutions, one after the other.

    Raises:
        ConfigError: These are no such solutions.
        OutputError: The file cannot be written, or is not a table of Equilibrist.
    """
    for solution in several("solutions", solutions, "solutions of push_fold"):
        instance("solutions", solution, PushFoldSolution, "solutions of push_fold")
    write_table_file(file_name("path", path), ".csv", charts_csv(solutions))


def charts_csv(solutions: list[PushFoldSolution]) -> str:
    """The charts of solutions as CSV, one after the other."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    for solution in solutions:
        writer.writerows(solution.rows())
    return text.getvalue()


def read_push_fold(path: str | os.PathLike[str]) -> PushFoldSolution:
    """Open a file with such a solution; raises FileFormatError."""
    raw, arrays = read_archive(path, PUSH_FOLD)
    with reading_content(path, "a whole solution"):
        header = _Header.read(raw)
        game = push_fold_of(header.game)
        _check(header, game, arrays)
    seat_of = {name: seat for seat, name in enumerate(game.names)}
    charts = tuple(
        chart_of(
            game,
            seat_of[chart.seat],
            [seat_of[name] for name in chart.against],
            frequencies,
            gains,
            chart.reached,
        )
        for chart, frequencies, gains in zip(
            header.charts, arrays["frequencies"], arrays["gains"], strict=True
        )
    )
    return PushFoldSolution(game=game, charts=charts, **fields_of(header, "game", "charts"))


def _check(header: _Header, game: PushFold, arrays: dict[str, Any]) -> None:
    """Raise ValueError where the parts are not those of the game."""
    for name in ("frequencies", "gains"):
        shape = arrays[name].shape
        if shape != (len(header.charts), NUM_CLASSES) or not np.isfinite(arrays[name]).all():
            raise ValueError(f"{name} are not {NUM_CLASSES} finite numbers a chart")
    names = game.names
    for chart in header.charts:
        if chart.seat not in names or not {*chart.against} <= {*names}:
            raise ValueError("a chart is of a seat that the game does not have")
    for figures in (header.values, header.gains, header.standard_errors or header.values):
        if len(figures) != game.seats:
            raise ValueError(f"there are {len(figures)} figures for {game.seats} seats")
