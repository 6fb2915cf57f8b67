"""Variants whose hyperparameters follow a schedule over the run."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from equilibrist.errors import ConfigError
from equilibrist.parsing.arguments import real_number
from equilibrist.solvers.variants.schedules import Knots, PowerAverage, PowerDiscount, Ramp
from equilibrist.solvers.variants.variant import Variant

_SCHEDULES_PAPER: Final = (
    "Zhang, McAleer, Sandholm: Faster Game Solving via Hyperparameter Schedules. arXiv 2404.09097v2"
)
_DEFAULT_GAMMA: Final = 30.0
_PLANNED_FALL: Final = 5.0
"""By how much the exponent of a planned average falls over the run."""


def hs_dcfr(gamma: float = _DEFAULT_GAMMA) -> Variant:
    """HS-DCFR(gamma): DCFR with planned exponents. Zhang et al., arXiv 2404.09097v2, eq. (4).

    Args:
        gamma: The power of the average at the beginning, at least 5; it falls by 5 over the run.

    Returns:
        The variant, which needs the planned number of iterations.

    Raises:
        ConfigError: `gamma` is below 5.
    """
    gamma = _planned("hs-dcfr", gamma)
    return Variant(
        _named("hs-dcfr", gamma),
        discount=PowerDiscount(Ramp(1.0, 3.0), Ramp(-1.0, -2.0)),
        average=PowerAverage(Ramp(gamma, -_PLANNED_FALL)),
        summary="dcfr with exponents that change over a run of known length",
        paper=_SCHEDULES_PAPER,
        when="where the last iterate converges; worse than dcfr on Kuhn, liar's dice 1x4 and "
        "short Leduc runs",
    )


def hs_pcfr_plus(gamma: float = _DEFAULT_GAMMA) -> Variant:
    """HS-PCFR+(gamma): PCFR+, steep planned average. Zhang et al., arXiv 2404.09097v2, eq. (4).

    Args:
        gamma: The power of the average at the beginning, at least 5; it falls by 5 over the run.

    Returns:
        The variant, which needs the planned number of iterations.

    Raises:
        ConfigError: `gamma` is below 5.
    """
    gamma = _planned("hs-pcfr+", gamma)
    return Variant(
        _named("hs-pcfr+", gamma),
        average=PowerAverage(Ramp(gamma, -_PLANNED_FALL)),
        floor=0.0,
        prediction=1.0,
        summary="pcfr+ with a very steep average over a run of known length",
        paper=_SCHEDULES_PAPER,
        when="very high precision on small games whose last iterate converges; not for poker with "
        "few iterations",
    )


def _named(name: str, gamma: float) -> str:
    """The text that names the variant: the parameter stands in it unless it is the default."""
    return name if gamma == _DEFAULT_GAMMA else f"{name}(gamma={gamma:g})"


def _planned(name: str, gamma: object) -> float:
    gamma = real_number("gamma", gamma, -1e9, 1e9)
    if gamma < _PLANNED_FALL:
        raise ConfigError(
            f"{name}: gamma is {gamma:g}, it must be at least {_PLANNED_FALL:g}: the power of the "
            f"average falls from gamma by {_PLANNED_FALL:g} over the run and must not be negative",
            option="gamma",
            given=gamma,
            place=name,
        )
    return gamma


def ddcfr() -> Variant:
    """DCFR along a fixed schedule through three points that a learned DDCFR run passed.

    It is NOT the learned policy of DDCFR, which watches the run; the exponents
    here are read off its published runs at t = 100, 500 and 1000, linear between these points
    and constant outside. Nothing is promised beyond 1,000 iterations, where gamma is 0.

    Returns:
        The variant.
    """
    return Variant(
        "ddcfr",
        discount=PowerDiscount(
            alpha=Knots(((100.0, 1.1), (500.0, 2.5), (1000.0, 4.15))),
            beta=Knots(((100.0, -1.1), (500.0, -2.05), (1000.0, -2.0))),
        ),
        average=PowerAverage(Knots(((100.0, 5.0), (500.0, 3.7), (1000.0, 0.0)))),
        summary="dcfr with a fixed schedule from published DDCFR runs, not the learned policy",
        paper="after Xu et al.: Dynamic Discounted Counterfactual Regret Minimization. ICLR 2024",
        when="experimental, for about 1,000 iterations; does not reproduce the paper's figures",
    )


FAMILIES: Final[dict[str, Callable[..., Variant]]] = {
    "hs-dcfr": hs_dcfr,
    "hs-pcfr+": hs_pcfr_plus,
    "ddcfr": ddcfr,
}
"""Name to the function that makes the variant from its parameters."""
