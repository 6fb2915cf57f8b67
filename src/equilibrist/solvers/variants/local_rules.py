"""The local rules by name: compiled updates that seven coefficients cannot express.

One class and one function per rule; the function's keyword arguments are what users may set.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Final

from equilibrist.errors import ConfigError
from equilibrist.solvers.variants.local_rule import LocalRule
from equilibrist.solvers.variants.magnetic import MagneticDescent
from equilibrist.solvers.variants.rule import TRAVERSAL_KERNEL, TraversalRule
from equilibrist.solvers.variants.schedules import PowerAverage
from equilibrist.typing import FloatArray

_MOST_HEAT: Final = 1e100
"""The highest temperature: its square is a number, and play is uniform long before."""


class CompiledRule(LocalRule):
    """A rule whose update is a kernel, identified by its name and numbers."""

    parallel = True
    compiled = TRAVERSAL_KERNEL

    @property
    def compiled_for(self) -> str:
        """The rule itself, whose memory is an argument of the kernel."""
        return f"{type(self).__name__}-"

    def kernel(self, kept: Mapping[str, FloatArray]) -> Callable[..., None]:
        """The compiled loop with this rule's memory."""
        return TraversalRule.kernel(self, kept)

    def probe(self) -> bytes:
        """Nothing: the table says all."""
        return b""


@dataclass(frozen=True)
class AdaptivePrediction(CompiledRule):
    """Predictive CFR+ that trusts a prediction the less, the worse the earlier ones were."""

    keeps: ClassVar[tuple[str, ...]] = ("previous", "surprise", "movement")

    cap: float = 5.0

    def numbers(self) -> tuple[float, ...]:
        """The greatest asymmetry."""
        return (self.cap,)

    @property
    def update(self) -> str:
        """The update as formulas, for people."""
        return (
            f"R = max(R + r, 0); sigma = RM(R + r/(1+a)); a = min(sqrt(sum |r-r'|^2 / "
            f"sum |R-R'|^2), {self.cap:g}), with r', R' of the iteration before"
        )

    def memory(self, kept: Mapping[str, FloatArray]) -> Any:
        """What the kernel remembers, a NamedTuple of the kept arrays."""
        from equilibrist.kernels.sequence_form.local_steps import AdaptiveMemory

        return AdaptiveMemory(**kept)


@dataclass(frozen=True)
class BottomUpPrediction(CompiledRule):
    """Predictive CFR+ whose predictions count in the next strategies at the infosets below."""

    keeps: ClassVar[tuple[str, ...]] = ("lift", "lift_below")

    @property
    def update(self) -> str:
        """The update as formulas, for people."""
        return (
            "R = max(R + r, 0); sigma' = RM(R + g - <sigma, g>), g = the values of the actions "
            "with sigma' at the infosets below"
        )

    def memory(self, kept: Mapping[str, FloatArray]) -> Any:
        """What the kernel remembers, a NamedTuple of the kept arrays."""
        from equilibrist.kernels.sequence_form.bottom_up import BottomUpMemory

        return BottomUpMemory(**kept)


@dataclass(frozen=True)
class Hedge(CompiledRule):
    """Multiplicative weights on cumulative regrets."""

    keeps: ClassVar[tuple[str, ...]] = ("spread",)

    eta: float = 1.0

    def numbers(self) -> tuple[float, ...]:
        """The factor of the step."""
        return (self.eta,)

    @property
    def update(self) -> str:
        """The update as formulas, for people."""
        return (
            f"R = R + r; sigma = exp(step*R), normalised; step = "
            f"{_times(self.eta)}sqrt(8 ln(actions) / sum (max r - min r)^2)"
        )

    def memory(self, kept: Mapping[str, FloatArray]) -> Any:
        """What the kernel remembers, a NamedTuple of the kept arrays."""
        from equilibrist.kernels.sequence_form.local_steps import HedgeMemory

        return HedgeMemory(**kept)


@dataclass(frozen=True)
class MirrorDescent(CompiledRule):
    """Optimistic mirror descent in the Euclidean geometry, at every infoset on its own."""

    keeps: ClassVar[tuple[str, ...]] = ("centre", "previous", "surprise")

    eta: float = 2.0

    def numbers(self) -> tuple[float, ...]:
        """The factor of the step."""
        return (self.eta,)

    @property
    def update(self) -> str:
        """The update as formulas, for people."""
        return (
            f"z = P(z + step*r); sigma = P(z + step*r); step = {self.eta:g}/sqrt(sum |r-r'|^2), "
            f"with r' of the iteration before; P: the nearest distribution"
        )

    def memory(self, kept: Mapping[str, FloatArray]) -> Any:
        """What the kernel remembers, a NamedTuple of the kept arrays."""
        from equilibrist.kernels.sequence_form.mirror_descent import MirrorMemory

        return MirrorMemory(**kept)


def _times(factor: float) -> str:
    return "" if factor == 1.0 else f"{factor:g}*"


def bu_pcfr_plus(gamma: float = 2.0) -> LocalRule:
    """PCFR+ with the prediction as in the paper: Farina, Kroer and Sandholm, AAAI 2021."""
    return BottomUpPrediction(
        "bu-pcfr+",
        average=PowerAverage(gamma),
        summary="pcfr+ with the next strategies below an infoset in its prediction",
        paper="Farina, Kroer, Sandholm: Faster Game Solving via Predictive Blackwell "
        "Approachability. AAAI 2021",
        when="in place of pcfr+ with alternating updates: better on Leduc and liar's dice",
    )


def apcfr_plus(cap: float = 5.0, gamma: float = 2.0) -> LocalRule:
    """APCFR+: Meng, Yang, Zhang, Ge and Gao, AAAI 2026, eq. (3); the authors' cap is 5."""
    _not_negative("apcfr+", "cap", cap)
    return AdaptivePrediction(
        "apcfr+",
        average=PowerAverage(gamma),
        cap=cap,
        summary="pcfr+ with the prediction scaled down by its past errors",
        paper="Meng et al.: Faster Game Solving via Asymmetry of Step Sizes. AAAI 2026, "
        "arXiv 2503.12770",
        when="as an alternative to pcfr+; sapcfr+ is similar, with a fixed scale",
    )


def hedge(eta: float = 1.0, gamma: float = 0.0) -> LocalRule:
    """Hedge with a step that needs no scale: Cesa-Bianchi and Lugosi 2006, Theorem 2.3."""
    _positive("hedge", "eta", eta)
    return Hedge(
        "hedge",
        average=PowerAverage(gamma),
        eta=eta,
        summary="CFR with exponential weights in place of regret matching",
        paper="Freund, Schapire: A Decision-Theoretic Generalization of On-Line Learning. "
        "J. Comput. Syst. Sci. 55, 1997; step: Cesa-Bianchi, Lugosi: Prediction, Learning, and "
        "Games, 2006, Theorem 2.3",
        when="as a baseline; probabilities are never exactly zero",
    )


def omd(eta: float = 2.0, gamma: float = 2.0) -> LocalRule:
    """Optimistic mirror descent: Rakhlin and Sridharan, NIPS 2013, with steps that adapt."""
    _positive("omd", "eta", eta)
    return MirrorDescent(
        "omd",
        average=PowerAverage(gamma),
        eta=eta,
        summary="optimistic mirror descent (Euclidean) at every infoset, with an adaptive step",
        paper="Rakhlin, Sridharan: Optimization, Learning, and Games with Predictable Sequences. "
        "NIPS 2013; at infosets: Farina, Kroer, Sandholm: Optimistic Regret Minimization for "
        "Extensive-Form Games via Dilated Distance-Generating Functions. NeurIPS 2019",
        when="for comparison with the predictive variants; close to pcfr+ on small games",
    )


def qre(alpha: float = 0.1, step: float = 1.0) -> LocalRule:
    """Magnetic mirror descent: Sokota et al., ICLR 2023; the step is a share of the safe one."""
    for parameter, value in (("alpha", alpha), ("step", step)):
        _positive("qre", parameter, value)
        if value > _MOST_HEAT:
            raise ConfigError(
                f"qre: {parameter} is {value:g}, it must be at most {_MOST_HEAT:g}",
                option=parameter,
                given=value,
                expected=_MOST_HEAT,
                place="qre",
                remedy=f"give a smaller {parameter}: play is uniform long before",
            )
    return MagneticDescent(
        "qre",
        alternating=False,
        alpha=alpha,
        step_share=step,
        summary="the quantal response equilibrium of temperature alpha, by magnetic mirror descent",
        paper="Sokota et al.: A Unified Approach to Reinforcement Learning, Quantal Response "
        "Equilibria, and Two-Player Zero-Sum Games. ICLR 2023, arXiv 2206.05825",
        when="to model players who make costly mistakes less often than cheap ones; an equilibrium "
        "of the game itself is approached only as alpha falls",
    )


def _positive(name: str, parameter: str, value: float) -> None:
    if not value > 0.0:
        raise ConfigError(
            f"{name}: {parameter} is {value:g}, it must be more than 0",
            option=parameter,
            given=value,
            place=name,
        )


def _not_negative(name: str, parameter: str, value: float) -> None:
    if not value >= 0.0:
        raise ConfigError(
            f"{name}: {parameter} is {value:g}, it must be at least 0",
            option=parameter,
            given=value,
            place=name,
        )


LOCAL_FAMILIES: Final[dict[str, Callable[..., LocalRule]]] = {
    "bu-pcfr+": bu_pcfr_plus,
    "apcfr+": apcfr_plus,
    "hedge": hedge,
    "omd": omd,
    "qre": qre,
}
"""Name to the function that makes the rule from its parameters."""
