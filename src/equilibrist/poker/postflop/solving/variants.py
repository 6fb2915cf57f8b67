"""The variants that solve spots by default: discounted CFR, in 16 bits with restarted averages."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from equilibrist.errors import ConfigError
from equilibrist.parsing.arguments import bad_argument
from equilibrist.parsing.threads import thread_count
from equilibrist.poker.postflop.spot.fields import STORAGES, Storage
from equilibrist.solvers.variants.registry import VARIANTS, as_rule, get_rule, get_variant
from equilibrist.solvers.variants.schedules import PowerDiscount
from equilibrist.solvers.variants.variant import Variant
from equilibrist.typing import FloatArray


@dataclass(frozen=True)
class RestartedAverage:
    """Iterates count (t - s + 1)^gamma, s being the last power of `base` up to t: 1, 18, 324 ...

    At a power of the base the average forgets what came before, and for a while it is poor. In 16
    bits that is worth it: a sum that fades by less than half of a step a time stays for ever, and
    with it what early strategies played.
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
        """A description in words."""
        return f"(t-s+1)^{self.gamma:g}, s the last power of {self.base}"


SPOT_VARIANT: Final = get_variant("dcfr(alpha=1.4, beta=0.2, gamma=5)")
"""The default; `benchmarks/poker/spot_variants.py` compares it."""
RESTARTS: Final = Variant(
    "dcfr-restarts",
    discount=PowerDiscount(1.4, 0.2),
    average=RestartedAverage(),
    summary="discounted CFR whose average restarts at powers of 18",
    when="spots of hold'em in 16 bits",
)
"""The default where numbers are kept in 16 bits: the same regrets."""
_NEEDED: Final = ", which spots need"
_NAMES: Final = [
    RESTARTS.name,
    *(name for name, variant in VARIANTS.items() if not variant.needs_horizon),
]
"""The variants that solve spots; one that must know when a run ends does not."""


def spot_variant(algorithm: Variant | str | None, storage: str = "float32") -> Variant:
    """A variant by its name, `dcfr-restarts` too, or as it is; None is the default of the storage.

    Raises what `as_rule` raises, and ConfigError for learning rules that are not variants.
    """
    if algorithm is None:
        return RESTARTS if storage == "int16" else SPOT_VARIANT
    if algorithm == RESTARTS.name:
        return RESTARTS
    rule = (
        get_rule(algorithm, _NAMES, _NEEDED) if isinstance(algorithm, str) else as_rule(algorithm)
    )
    if not isinstance(rule, Variant):
        raise ConfigError(
            f"{rule.name} is not a variant of CFR{_NEEDED}",
            option="algorithm",
            given=rule.name,
            remedy=f"choose {', '.join(_NAMES[:-1])} or {_NAMES[-1]}",
        )
    return rule


def checked_run(
    storage: Storage, threads: int | None, variant: Variant | str | None
) -> tuple[int, Variant]:
    """The threads and the variant of a run on a spot; raises ConfigError for what is impossible."""
    if storage not in STORAGES:
        raise bad_argument("storage", storage, "'float32', 'int16' or 'float64'")
    count = thread_count(threads)
    checked = spot_variant(variant, storage)
    if checked.needs_horizon:
        raise ConfigError(
            f"{checked.name} plans how many iterations a run has, and spots are solved until "
            "something stops them",
            option="algorithm",
            given=checked.name,
            remedy="choose another variant, such as dcfr",
        )
    if not checked.alternating:
        raise ConfigError(
            f"spots are solved by alternating updates; {checked.name} is not",
            option="algorithm",
            given=checked.name,
        )
    return count, checked
