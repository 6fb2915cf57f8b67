"""Variant: a CFR variant as data, seven coefficients per iteration.

One iteration t, for every infoset of the player who updates:

    R     <- max(where(R > 0, positive, negative) * R + r, floor)
    S     <- decay * S + weight * own_reach * sigma        with the sigma that was just played
    sigma <- normalise(max(lookahead * R + prediction * r, 0)), uniform where the row is zero

R are cumulative regrets, r the instantaneous regrets of this iteration, S the strategy sum.
A solver knows these three lines and nothing else about its algorithm.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Final, NamedTuple

import numpy as np

from equilibrist.errors import ConfigError
from equilibrist.formatting.amounts import counted
from equilibrist.parsing.arguments import (
    bad_argument,
    check_bool,
    finite_number,
    optional_whole_number,
    real_number,
    whole_number,
)
from equilibrist.parsing.user_code import failure_text, pass_interrupts
from equilibrist.solvers.variants.rule import TraversalRule
from equilibrist.solvers.variants.schedules import (
    Average,
    Discount,
    FloatLike,
    NoDiscount,
    PowerAverage,
)
from equilibrist.typing import FloatArray

_ALL_REGRETS: Final = NoDiscount()
_ALL_ALIKE: Final = PowerAverage(0.0)
NO_FLOOR: Final = float("-inf")
"""Regrets may become as negative as they like."""


class Coefficients(NamedTuple):
    """What one iteration multiplies, clips and adds; the fields are columns of `Variant.table`."""

    positive: float
    negative: float
    floor: float
    lookahead: float
    prediction: float
    decay: float
    weight: float


@dataclass(frozen=True)
class Variant(TraversalRule):
    """A member of the CFR family.

    With a prediction the regrets are first discounted as the next iteration will discount them
    (`lookahead`), which is one factor for all: it takes a floor of 0, or a discount that treats all
    regrets alike. Where the seven numbers do not come from a discount and an average, make a
    subclass and override `coefficients`; `table` then calls it once per row.

    Attributes:
        name: What it is called.
        discount: The discount of regrets, a schedule such as `PowerDiscount`.
        average: The average, a schedule such as `PowerAverage`.
        floor: The least regret: 0 for the "+" family, minus infinity otherwise.
        prediction: The multiple of the last instantaneous regret that the next strategy expects to
            see again; 0 for none.
        alternating: Whether players update in turn, by default.
        summary: What it is, in a line.
        paper: Where it comes from.
        when: When to use it.

    Raises:
        ConfigError: A field has the wrong type or is out of range.
    """

    parallel: ClassVar[bool] = True

    name: str = ""
    discount: Discount = _ALL_REGRETS
    average: Average = _ALL_ALIKE
    floor: float = NO_FLOOR
    prediction: float = 0.0
    alternating: bool = True
    summary: str = ""
    paper: str = ""
    when: str = ""

    def __post_init__(self) -> None:
        """Refuse fields of wrong types; results of schedules are checked where they are used."""
        for name in ("name", "summary", "paper", "when"):
            if not isinstance(text := getattr(self, name), str):
                raise bad_argument(name, text, "a text")
        for name, example in (
            ("discount", "PowerDiscount(1.5, 0)"),
            ("average", "PowerAverage(2)"),
        ):
            if not callable(schedule := getattr(self, name)):
                expected = f"a schedule of equilibrist.solvers, such as {example}"
                raise bad_argument(name, schedule, expected)
        real_number("floor", self.floor, NO_FLOOR, 0.0)
        finite_number("prediction", self.prediction)
        check_bool("alternating", self.alternating)

    @property
    def needs_horizon(self) -> bool:
        """Whether the number of iterations must be known before the first one."""
        return any(getattr(s, "needs_horizon", False) for s in (self.discount, self.average))

    @property
    def predicts(self) -> bool:
        """Whether what is matched may differ from the regrets, so that both must be kept."""
        return self.prediction != 0.0 or self._is_own

    @property
    def update(self) -> str:
        """The regret update and the next strategy as formulas, for people."""
        if self._is_own:
            return f"seven numbers from {type(self).__name__}.coefficients()"
        discounted = self._described(self.discount, "(R discounted by {})")
        inner = f"{discounted} + r"
        fold = f"R = {inner}" if self.floor == NO_FLOOR else f"R = max({inner}, {self.floor:g})"
        if self.prediction == 0.0:
            return f"{fold}; sigma = RM(R)"
        ahead = "R" if isinstance(self.discount, NoDiscount) else "R discounted as in t+1"
        times = "r" if self.prediction == 1.0 else f"{self.prediction:.4g}*r"
        return f"{fold}; sigma = RM({ahead} + {times})"

    @property
    def averaging(self) -> str:
        """The weights of the average in words, for people."""
        if self._is_own:
            return f"as {type(self).__name__}.coefficients() says"
        return self._described(self.average, "as {} says")

    @property
    def _is_own(self) -> bool:
        """Whether a subclass makes the numbers itself."""
        return type(self).coefficients is not Variant.coefficients

    def _described(self, schedule: object, otherwise: str) -> str:
        """What a schedule says of itself, or its name in the words of `otherwise`."""
        describe = getattr(schedule, "describe", None)
        if not callable(describe):
            return otherwise.format(_called(schedule))
        try:
            return str(describe())
        except BaseException as error:
            pass_interrupts(error)
            raise ConfigError(
                f"variant {self.name!r}: describe() of {_called(schedule)} failed: "
                f"{failure_text(error)}",
                option="describe",
                given=type(error).__name__,
            ) from None

    def coefficients(self, t: int, horizon: int | None = None) -> Coefficients:
        """Give the numbers of one iteration.

        Args:
            t: The iteration, from 1.
            horizon: The planned number of iterations, if the variant needs it.

        Returns:
            The seven numbers.

        Raises:
            ConfigError: As `table`.
        """
        return Coefficients(*(float(x) for x in self._rows(t, 1, horizon)[0]))

    def table(self, start: int, count: int, horizon: int | None = None) -> FloatArray:
        """Lay out the numbers of several iterations.

        Args:
            start: The first iteration, from 1.
            count: How many iterations.
            horizon: The planned number of iterations, if the variant needs it.

        Returns:
            float64[count, 7], C-contiguous, columns in the order of `Coefficients`; each row has
            the same bits as `coefficients` of that iteration.

        Raises:
            ConfigError: A needed horizon is missing or passed, or a schedule gives something that
                no solver can use; the message names the iteration.
        """
        if not self._is_own:
            return self._rows(start, count, horizon)
        self._check_range(start, count, horizon)
        rows = np.empty((count, len(Coefficients._fields)))
        for k in range(count):
            rows[k] = self._own_row(start + k, horizon)
        self._check_rows(rows, start)
        return rows

    def _rows(self, start: int, count: int, horizon: int | None) -> FloatArray:
        self._check_range(start, count, horizon)
        t = np.arange(start, start + count, dtype=np.float64)
        rows = np.empty((count, len(Coefficients._fields)))
        # Bad numbers are reported below with their iteration, not as NumPy warnings.
        with np.errstate(all="ignore"):
            # Nothing to discount in t = 1, where (t-1)^beta would be 0^beta.
            later = np.maximum(t, 2.0)
            rows[:, 0], rows[:, 1] = self._pair(self.discount, later, start, horizon)
            rows[:, 2] = self.floor
            rows[:, 3] = 1.0
            if self.prediction != 0.0:
                rows[:, 3] = self._lookahead(t + 1.0, start, horizon)
            rows[:, 4] = self.prediction
            rows[:, 5], rows[:, 6] = self._pair(self.average, t, start, horizon)
        if start == 1 and count:
            rows[0, [0, 1, 5]] = 1.0
        self._check_rows(rows, start)
        return rows

    def _lookahead(self, t: FloatArray, start: int, horizon: int | None) -> FloatLike:
        """One factor for the coming discount, which has two where regrets may be negative."""
        positive, negative = self._pair(self.discount, t, start, horizon)
        different = np.flatnonzero(np.asarray(positive != negative))
        if self.floor != 0.0 and len(different):
            raise ConfigError(
                f"variant {self.name!r}: a prediction needs a floor of 0, or one discount for all "
                f"regrets; the floor is {self.floor:g} and t = {t[different[0]]:g} discounts "
                f"positive and other regrets differently",
                option="floor",
                given=self.floor,
                place=f"t = {t[different[0]]:g}",
            )
        return positive

    def _pair(
        self, schedule: Any, t: FloatArray, start: int, horizon: int | None
    ) -> tuple[FloatLike, FloatLike]:
        """Call a schedule, which may be a user's; return its two results, shaped to fit."""
        kind = f"variant {self.name!r}: {_called(schedule)}"
        where = f"for t = {start}..{start + len(t) - 1}"
        try:
            results = schedule(t, None if horizon is None else float(horizon))
        except ConfigError:
            raise
        except BaseException as error:
            pass_interrupts(error)
            raise ConfigError(
                f"{kind} failed {where}; t is an array (use np.where for conditions), or override "
                f"Variant.coefficients, which gets one t at a time: {failure_text(error)}",
                option=_called(schedule),
                given=type(error).__name__,
                expected="an answer for an array of t",
            ) from None
        if not isinstance(results, tuple) or len(results) != 2:
            raise ConfigError(
                f"{kind} must return two results {where}, it returned {results!r:.80}",
                option=_called(schedule),
                given=results,
                expected="two results",
            )
        try:
            first, second = (_fitted(x, t.shape) for x in results)
        except (TypeError, ValueError) as error:
            raise ConfigError(
                f"{kind} must return numbers or arrays of shape ({len(t)},) {where}: {error}",
                option=_called(schedule),
                given=results,
                expected=f"numbers or arrays of shape ({len(t)},)",
            ) from error
        return first, second

    def _own_row(self, t: int, horizon: int | None) -> tuple[float, ...]:
        """Call a subclass's `coefficients` and insist on seven numbers."""
        try:
            row = tuple(float(x) for x in self.coefficients(t, horizon))
        except ConfigError:
            raise
        except BaseException as error:
            pass_interrupts(error)
            raise ConfigError(
                f"variant {self.name!r}: coefficients failed at t = {t}: {failure_text(error)}",
                option="coefficients",
                given=type(error).__name__,
                place=f"t = {t}",
            ) from None
        if len(row) != len(Coefficients._fields):
            raise ConfigError(
                f"variant {self.name!r}: coefficients returned {counted(len(row), 'number')} at "
                f"t = {t}, "
                f"expected {len(Coefficients._fields)}: {', '.join(Coefficients._fields)}",
                option="coefficients",
                given=len(row),
                expected=len(Coefficients._fields),
                place=f"t = {t}",
            )
        return row

    def _check_range(self, start: int, count: int, horizon: int | None) -> None:
        whole_number("iteration", start, 1)
        whole_number("count", count, 0)
        optional_whole_number("horizon", horizon, 1)
        if not self.needs_horizon:
            return
        if horizon is None:
            raise ConfigError(
                f"{self.name} needs to know how many iterations are planned",
                option="horizon",
                remedy="give its horizon",
            )
        if count and start + count - 1 > horizon:
            raise ConfigError(
                f"{self.name} was planned for {horizon} iterations and has no numbers for "
                f"iteration {horizon + 1}",
                option="horizon",
                given=horizon,
                expected=start + count - 1,
                remedy="start again with a longer horizon",
            )

    def _check_rows(self, rows: FloatArray, start: int) -> None:
        """Refuse numbers that no solver can use, naming the first iteration that has one."""
        good = np.isfinite(rows) & (rows >= 0.0)
        good[:, 2] = (rows[:, 2] <= 0.0) & ~np.isnan(rows[:, 2])
        good[:, 4] = np.isfinite(rows[:, 4])
        if good.all():
            return
        k, column = (int(x) for x in np.argwhere(~good)[0])
        wanted = {2: "at most 0 (or -inf)", 4: "finite"}.get(column, "finite and not negative")
        raise ConfigError(
            f"variant {self.name!r}: {Coefficients._fields[column]} is {rows[k, column]} "
            f"at t = {start + k}, it must be {wanted}",
            option=Coefficients._fields[column],
            given=rows[k, column],
            expected=wanted,
            place=f"t = {start + k}",
        )


def _fitted(value: Any, shape: tuple[int, ...]) -> FloatLike:
    """A number as it is, else an array of that shape; ValueError or TypeError if it is neither."""
    if type(value) is float:
        return value
    array = np.asarray(value, float)
    return array if array.shape == shape else np.broadcast_to(array, shape)


def _called(schedule: object) -> str:
    """The name of a function, or of the class of an object."""
    return str(getattr(schedule, "__name__", type(schedule).__name__))
