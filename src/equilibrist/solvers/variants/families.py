"""The named members of the CFR family, each an expression over discounts and averages.

One function per family; its keyword arguments are the parameters that users may set.
"""

from __future__ import annotations

from typing import Final

from equilibrist.errors import ConfigError
from equilibrist.solvers.variants.schedules import Knots, PowerAverage, PowerDiscount, Ramp
from equilibrist.solvers.variants.variant import Variant

_DCFR_PAPER: Final = (
    "Brown, Sandholm: Solving Imperfect-Information Games via Discounted Regret Minimization. "
    "AAAI 2019"
)
_SCHEDULES_PAPER: Final = (
    "Zhang, McAleer, Sandholm: Faster Game Solving via Hyperparameter Schedules. arXiv 2404.09097v2"
)
_PLANNED_FALL: Final = 5.0
"""By how much the exponent of a planned average falls over the run."""


def cfr() -> Variant:
    """CFR, the original: Zinkevich, Johanson, Bowling and Piccione, NIPS 2007."""
    return Variant(
        "cfr",
        summary="sums regrets; all iterations have equal weight",
        paper="Zinkevich, Johanson, Bowling, Piccione: Regret Minimization in Games with "
        "Incomplete Information. NIPS 2007",
        when="for study and as a baseline; slower than the others on most games",
    )


def cfr_plus(gamma: float = 1.0) -> Variant:
    """CFR+: negative regrets are forgotten (floor 0), iterate t counts t. Tammelin 2014."""
    return Variant(
        "cfr+",
        average=PowerAverage(gamma),
        floor=0.0,
        summary="regrets have a floor of zero; later iterations have more weight",
        paper="Tammelin: Solving Large Imperfect Information Games Using CFR+. "
        "arXiv 1407.5042, 2014",
        when="a robust choice without parameters; used to solve heads-up limit hold'em",
    )


def lcfr() -> Variant:
    """Linear CFR: r of iteration t counts t, which is DCFR(1, 1, 1). Brown and Sandholm 2019."""
    return Variant(
        "lcfr",
        discount=PowerDiscount(1.0, 1.0),
        average=PowerAverage(1.0),
        summary="iteration t has weight t, in the regrets and in the average",
        paper=_DCFR_PAPER,
        when="games with very costly actions: later iterations soon outweigh early ones",
    )


def dcfr(alpha: float = 1.5, beta: float = 0.0, gamma: float = 2.0) -> Variant:
    """Discounted CFR: Brown and Sandholm, AAAI 2019; the authors' choice is (1.5, 0, 2)."""
    return Variant(
        "dcfr",
        discount=PowerDiscount(alpha, beta),
        average=PowerAverage(gamma),
        summary="discounts early regrets, negative ones faster",
        paper=_DCFR_PAPER,
        when="the default; strong on poker, especially with few iterations",
    )


def dcfr_plus(alpha: float = 1.5, gamma: float = 4.0, offset: float = 1.5) -> Variant:
    """DCFR+: floor 0 and faded regrets; the offset is that of the authors' code (paper: 1)."""
    return Variant(
        "dcfr+",
        discount=PowerDiscount(alpha, alpha, offset),
        average=PowerAverage(gamma),
        floor=0.0,
        summary="CFR+ with discounted regrets; the offset 1.5 is that of the authors' code",
        paper="Xu et al.: AutoCFR: Learning to Design Counterfactual Regret Minimization "
        "Algorithms. AAAI 2022; Xu et al.: PDCFR+. IJCAI 2024",
        when="as an alternative to dcfr",
    )


def pcfr_plus(gamma: float = 2.0) -> Variant:
    """Predictive CFR+: the last regret is expected again. Farina, Kroer and Sandholm 2021."""
    return Variant(
        "pcfr+",
        average=PowerAverage(gamma),
        floor=0.0,
        prediction=1.0,
        summary="CFR+ that predicts the next instantaneous regret by the last one",
        paper="Farina, Kroer, Sandholm: Faster Game Solving via Predictive Blackwell "
        "Approachability. AAAI 2021",
        when="small games that are not poker; on Leduc with few iterations dcfr is better",
    )


def pdcfr_plus(alpha: float = 2.3, gamma: float = 5.0) -> Variant:
    """Predictive discounted CFR+ (also DPCFR+): Xu et al., IJCAI 2024."""
    return Variant(
        "pdcfr+",
        discount=PowerDiscount(alpha, alpha),
        average=PowerAverage(gamma),
        floor=0.0,
        prediction=1.0,
        summary="pcfr+ with discounted regrets and a steep average",
        paper="Xu, Li, Liu, Fu, Fu, Xing, Cheng: Minimizing Weighted Counterfactual Regret with "
        "Optimistic Online Mirror Descent. IJCAI 2024",
        when="high precision on games that are not poker",
    )


def sapcfr_plus(alpha: float = 2.0, gamma: float = 2.0) -> Variant:
    """Simple asymmetric PCFR+: predicts r / (1 + alpha). Meng et al., AAAI 2026, section 4.2."""
    if not alpha > -1.0:
        raise ConfigError(
            f"sapcfr+: alpha is {alpha}, it must be greater than -1",
            option="alpha",
            given=alpha,
            place="sapcfr+",
        )
    return Variant(
        "sapcfr+",
        average=PowerAverage(gamma),
        floor=0.0,
        prediction=1.0 / (1.0 + alpha),
        summary="pcfr+ with a third of the prediction, for inaccurate predictions",
        paper="Meng et al.: Faster Game Solving via Asymmetry of Step Sizes. AAAI 2026, "
        "arXiv 2503.12770",
        when="as an alternative to pcfr+; better on Leduc and Kuhn",
    )


def hs_dcfr(gamma: float = 30.0) -> Variant:
    """HS-DCFR(gamma): DCFR with planned exponents. Zhang et al., arXiv 2404.09097v2, eq. (4)."""
    _check_planned("hs-dcfr", gamma)
    return Variant(
        "hs-dcfr",
        discount=PowerDiscount(Ramp(1.0, 3.0), Ramp(-1.0, -2.0)),
        average=PowerAverage(Ramp(gamma, -_PLANNED_FALL)),
        summary="dcfr with exponents that change over a run of known length",
        paper=_SCHEDULES_PAPER,
        when="where the last iterate converges; worse than dcfr on Kuhn, liar's dice 1x4 and "
        "short Leduc runs",
    )


def hs_pcfr_plus(gamma: float = 30.0) -> Variant:
    """HS-PCFR+(gamma): PCFR+, steep planned average. Zhang et al., arXiv 2404.09097v2, eq. (4)."""
    _check_planned("hs-pcfr+", gamma)
    return Variant(
        "hs-pcfr+",
        average=PowerAverage(Ramp(gamma, -_PLANNED_FALL)),
        floor=0.0,
        prediction=1.0,
        summary="pcfr+ with a very steep average over a run of known length",
        paper=_SCHEDULES_PAPER,
        when="very high precision on small games whose last iterate converges; not for poker with "
        "few iterations",
    )


def _check_planned(name: str, gamma: float) -> None:
    if not gamma >= _PLANNED_FALL:
        raise ConfigError(
            f"{name}: gamma is {gamma:g}, it must be at least {_PLANNED_FALL:g}: the power of the "
            f"average falls from gamma by {_PLANNED_FALL:g} over the run and must not be negative",
            option="gamma",
            given=gamma,
            place=name,
        )


def ddcfr() -> Variant:
    """DCFR along a fixed schedule through three points that a learned DDCFR run passed.

    It is NOT the learned policy of DDCFR, which watches the run and decides anew; the exponents
    here are read off its published runs at t = 100, 500 and 1000, linear between these points
    and constant outside. Nothing is promised beyond 1,000 iterations, where gamma is 0.
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
