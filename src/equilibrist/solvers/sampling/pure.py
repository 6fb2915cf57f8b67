"""Pure CFR, in whole numbers."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import gcd, lcm
from typing import ClassVar, Final

import numpy as np

from equilibrist.errors import ConfigError
from equilibrist.solvers.sampling.formulas import DRAWN, SamplerFormulas
from equilibrist.solvers.sampling.sampler import FitsAll, Kernel, Scratch, Setup, Tables
from equilibrist.solvers.variants.variant import Variant
from equilibrist.tree.compile import GameTree
from equilibrist.typing import FloatArray, Int64Array

_FINEST: Final = 10_000
"""Payoffs are taken for fractions with denominators up to this."""
_MOST_UNITS: Final = 1 << 31
"""The largest payoff in units: added 2^31 times it still fits an int64."""
_MOST_IN_FLOATS: Final = 1 << 22
"""The same where sums are held in float64, which has all whole numbers up to 2^53."""
_ROUNDING: Final = 1e-12


@dataclass(frozen=True)
class Pure(FitsAll):
    """Everyone draws one action per decision, and the traverser then tries all own ones.

    Regrets and counts of drawn actions are int64, regrets in units of payoff. With two players
    the counts of the other player's actions are right on average; with more they are not, and
    weight 0 leaves the strategy sum to a separate average.

    Both are in `Tables.kept`; `Tables.regret` (in payoffs) and `strategy_sum` are copies.
    """

    name: ClassVar[str] = "pure"
    summary: ClassVar[str] = "samples one action per decision for every player; integer arithmetic"
    paper: ClassVar[str] = (
        "Gibson: Regret Minimization in Games and the Development of Champion Multiplayer "
        "Computer Poker-Playing Agents. PhD thesis, University of Alberta, 2014"
    )
    when: ClassVar[str] = "limited memory, and payoffs that are integer multiples of a unit"
    averagings: ClassVar[tuple[str, ...]] = ("stochastic",)
    formulas: ClassVar[SamplerFormulas] = SamplerFormulas(
        own="all: q(a) = 1; one, d, is drawn as it is played, to compare with",
        others=DRAWN,
        weight="w(h) = pi_-i(h) / q(h) = 1, as q(h) = pi_-i(h)",
        estimate="u(a) = u(h a), own: u(h) = u(d); elsewhere u(h) is that of the drawn move",
        regret="R(a) += u(a) - u(d), a whole number of units of payoff",
        averages={"stochastic": "S(d) += 1 for the drawn move d, where another player decides"},
    )
    estimate: ClassVar[str] = "pure"

    def check(self, tree: GameTree, variant: Variant) -> None:
        """ConfigError unless payoffs are multiples of one unit and nothing is discounted."""
        refuse_discounts(variant)
        in_units(tree.history_tree.arrays.payoff)

    def kernel(self, scratch: Scratch) -> tuple[Kernel, Setup]:
        """The kernel `pure_sampling` and its setup, whose numbers are whole."""
        from equilibrist.kernels.sampling.pure import PureSetup, pure_sampling

        return pure_sampling, PureSetup(
            weight=0,
            walked=scratch.whole_level(),
            drawn=scratch.whole_level(),
            utility=scratch.rows(np.int64),
            width=scratch.width,
        )

    def run(self, tables: Tables, start: int, count: int, averaging: str, weight: float) -> None:
        """Run iterations start .. start+count-1; `weight` is 0 or 1, else ConfigError."""
        if weight not in (0.0, 1.0):
            raise ConfigError(
                f"pure CFR counts in whole numbers, so no visit counts {weight:g}",
                option="weight",
                given=weight,
            )
        payoff, unit = tables.once("units", lambda: in_units(tables.tree.arrays.payoff))
        size = len(tables.regret)
        regret = tables.keep("pure_regret", size, np.int64)
        # Nothing is added with weight 0, so that any table will do.
        counts = tables.keep("pure_counts", size, np.int64) if weight else regret
        play = tables.play()
        play = play._replace(
            tree=play.tree._replace(payoff=payoff), regret=regret, strategy_sum=counts
        )
        kernel, setup = self.kernel(tables.scratch())
        tables.run(kernel, setup._replace(weight=np.int64(weight)), start, count, play)
        np.multiply(regret, float(unit), out=tables.regret)
        if weight:
            tables.strategy_sum[:] = counts


def refuse_discounts(variant: Variant) -> None:
    """ConfigError for a variant that would leave no whole numbers."""
    if variant.name != "cfr":
        raise ConfigError(
            f"pure CFR counts in whole numbers, which {variant.name} would discount",
            option="algorithm",
            given=variant.name,
            remedy="use cfr, or another sampler",
        )


class Units:
    """The unit of payoffs that nobody has listed: it becomes finer as they come up and need it."""

    def __init__(self) -> None:
        """No payoff has come up yet, and the first one will not fit."""
        self.payoffs: list[float] = []
        """The payoffs met so far, of which `unit` is the largest common unit."""
        self.unit = Fraction(1)
        self.numbers = np.zeros(4)
        """As `kernels.implicit.change_log` has them."""

    def choose_unit(self, payoffs: list[float]) -> float:
        """Take the largest unit of which all `payoffs` are whole multiples; none leave it as it is.

        Returns old unit / new unit, the factor for regrets counted in the old one. Raises
        ConfigError if there is no such unit (see `in_units`).
        """
        before = self.unit
        self.unit = in_units(np.array(payoffs), _MOST_IN_FLOATS)[1] if payoffs else before
        self.payoffs = payoffs
        largest = max(map(abs, payoffs), default=0.0)
        self.numbers[:3] = float(self.unit), 2.0 * _ROUNDING * largest, _MOST_IN_FLOATS
        return float(before / self.unit)

    def refine_unit(self) -> float:
        """Add the payoff that did not fit; returns the factor that `choose_unit` returns."""
        return self.choose_unit([*self.payoffs, float(self.numbers[3])])


def in_units(payoff: FloatArray, most: int = _MOST_UNITS) -> tuple[Int64Array, Fraction]:
    """`payoff` (any shape) as int64 multiples of the largest unit that allows it, and that unit.

    Raises ConfigError if there is no such unit: payoffs must be fractions with denominators up to
    10,000 (chips, cents, 64ths, thirds), and of not more than `most` units.
    """
    values = np.unique(payoff).tolist()
    fractions = [Fraction(value).limit_denominator(_FINEST) for value in values]
    largest = max((abs(value) for value in values), default=0.0)
    for value, fraction in zip(values, fractions, strict=True):
        if abs(Fraction(value) - fraction) > _ROUNDING * largest:
            raise ConfigError(
                f"pure CFR counts payoffs in whole units, and {value!r} is not a fraction with a "
                f"denominator up to {_FINEST:,}",
                option="payoffs",
                given=value,
                remedy="use another sampler, such as external",
            )
    bottom = lcm(*(f.denominator for f in fractions))
    unit = Fraction(gcd(*(f.numerator * (bottom // f.denominator) for f in fractions)), bottom)
    if unit == 0:
        unit = Fraction(1)
    if largest / float(unit) > most:
        raise ConfigError(
            "pure CFR counts payoffs in whole units, and the largest unit that fits all of them, "
            f"{float(unit):g}, is too small beside {largest:g}",
            option="payoffs",
            given=float(unit),
            remedy="use another sampler, such as external",
        )
    whole = {v: int(f / unit) for v, f in zip(values, fractions, strict=True)}
    table = np.array([whole[value] for value in values], dtype=np.int64)
    return table[np.searchsorted(values, payoff)].reshape(payoff.shape), unit
