"""The variant that solves spots: discounted CFR whose average starts anew now and then."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from equilibrist.errors import ConfigError
from equilibrist.solvers.schedules import PowerDiscount
from equilibrist.solvers.variant import Variant
from equilibrist.solvers.variants import VARIANTS, as_rule, get_rule
from equilibrist.typing import FloatArray


@dataclass(frozen=True)
class RestartedAverage:
    """Iterates count (t - s + 1)^gamma, s being the last power of `base` up to t: 1, 18, 324 ...

    At a power of the base the average forgets what came before. In 16 bits that matters: a sum
    that fades by less than half of a step a time stays, and what early strategies played with it.
    """

    gamma: float = 4.0
    base: int = 18
    needs_horizon = False

    def __call__(self, t: FloatArray, horizon: float | None, /) -> tuple[FloatArray, float]:
        """Return (decay of shape [count] in [0, 1], 1)."""
        return np.array([self._decay(int(number)) for number in t]), 1.0

    def _decay(self, t: int) -> float:
        start = 1
        while start * self.base <= t:
            start *= self.base
        since = t - start
        return float((since / (since + 1)) ** self.gamma)

    def describe(self) -> str:
        """Say it in words."""
        return f"(t-s+1)^{self.gamma:g}, s the last power of {self.base}"


SPOT_VARIANT: Final = Variant(
    "dcfr-restarts",
    discount=PowerDiscount(1.4, 0.2),
    average=RestartedAverage(),
    summary="discounted CFR whose average starts anew at powers of 18",
    when="spots of hold'em",
)
"""Regrets as in DCFR(1.4, 0.2); see `benchmarks/poker/spot_variants.py` for the race."""
_NAMES: Final = [
    SPOT_VARIANT.name,
    *(name for name, variant in VARIANTS.items() if not variant.needs_horizon),
]
"""The variants that solve spots; one that must know when a run ends does not."""


def spot_variant(given: Variant | str | None) -> Variant:
    """A variant by its name, `dcfr-restarts` among them, or as it is; None is `dcfr-restarts`.

    Raises what `as_rule` raises, and ConfigError for rules of learning that are no variants.
    """
    if given is None or given == SPOT_VARIANT.name:
        return SPOT_VARIANT
    rule = get_rule(given, _NAMES) if isinstance(given, str) else as_rule(given)
    if not isinstance(rule, Variant):
        raise ConfigError(
            f"{rule.name} is no variant of CFR, and spots are solved by one; choose "
            f"{', '.join(_NAMES[:-1])} or {_NAMES[-1]}"
        )
    return rule
