"""The named members of the CFR family, each an expression over discounts and averages.

One function per family; its keyword arguments are the parameters that users may set.
"""

from __future__ import annotations

from typing import Final

from equilibrist.errors import ConfigError
from equilibrist.solvers.variants.schedules import PowerAverage, PowerDiscount
from equilibrist.solvers.variants.variant import Variant

_DCFR_PAPER: Final = (
    "Brown, Sandholm: Solving Imperfect-Information Games via Discounted Regret Minimization. "
    "AAAI 2019"
)


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
            expected="more than -1",
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
