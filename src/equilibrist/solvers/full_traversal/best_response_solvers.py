"""XFP and CFR-BR: algorithms whose players learn from best responses."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, Final

import numpy as np

from equilibrist.game import Game
from equilibrist.parsing.arguments import whole_number
from equilibrist.rules.module import Rules
from equilibrist.solvers.full_traversal.base import FullTraversals
from equilibrist.solvers.variants.registry import VARIANTS, as_variant
from equilibrist.solvers.variants.rule import OneRegretPerSequence, SimultaneousRule
from equilibrist.solvers.variants.variant import Variant
from equilibrist.tree.compile import GameTree
from equilibrist.tree.reply_arrays import reply_arrays
from equilibrist.typing import FloatArray


class RespondingRule(OneRegretPerSequence, SimultaneousRule):
    """A rule whose players learn from best responses."""

    def arrays(self, tree: GameTree) -> tuple[Any, ...]:
        """The arrays that the kernel reads: the histories, in order for best responses."""
        return reply_arrays(tree)


@dataclass(frozen=True)
class FictitiousPlay(RespondingRule):
    """Extensive-form fictitious play as full traversals run it; it has no parameters."""

    compiled: ClassVar[str] = "equilibrist.kernels.sequence_form.fictitious_play.run"
    needs_horizon: ClassVar[bool] = False
    name: ClassVar[str] = "xfp"
    summary: ClassVar[str] = "fictitious play: best responses to the others' average strategies"
    update: ClassVar[str] = "sigma = a best response to the others' average strategies"
    averaging: ClassVar[str] = "uniform, over whole plans; the uniform strategy counts as the first"
    when: ClassVar[str] = "for study and as a baseline; far slower than CFR"
    paper: ClassVar[str] = (
        "Heinrich, Lanctot, Silver: Fictitious Self-Play in Extensive-Form Games. ICML 2015"
    )

    def table(self, start: int, count: int, _horizon: int | None = None) -> FloatArray:
        """The numbers of the iterations, float64[count, 1]."""
        whole_number("iteration", start, 1)
        return np.arange(start, start + count, dtype=np.float64).reshape(-1, 1)

    def kernel(self, _kept: Mapping[str, FloatArray]) -> Callable[..., None]:
        """The compiled loop, which runs one iteration per row of `table`."""
        from equilibrist.kernels.sequence_form.fictitious_play import run

        return run


@dataclass(frozen=True)
class AgainstBestResponses(RespondingRule):
    """CFR-BR as full traversals run it: the update and the average are those of `variant`."""

    compiled: ClassVar[str] = "equilibrist.kernels.sequence_form.cfr_br.run"
    summary: ClassVar[str] = "CFR in which all players learn against best responses"
    when: ClassVar[str] = (
        "the least exploitable strategies that an abstraction can express; without one slower than "
        "CFR per target"
    )
    paper: ClassVar[str] = (
        "Johanson, Bard, Burch, Bowling: Finding Optimal Abstract Strategies in Extensive-Form "
        "Games. AAAI 2012"
    )

    variant: Variant = field(default_factory=lambda: VARIANTS["cfr"])

    @property
    def name(self) -> str:
        """`cfr-br`, with the variant in brackets where it is another one than cfr."""
        return "cfr-br" if self.variant == VARIANTS["cfr"] else f"cfr-br({self.variant.name})"

    @property
    def update(self) -> str:
        """The update as formulas, for people."""
        return f"{self.variant.update}, with r against best responses to sigma"

    @property
    def averaging(self) -> str:
        """The weights of the average in words, for people."""
        return self.variant.averaging

    @property
    def needs_horizon(self) -> bool:
        """Whether the number of iterations must be known before the first one."""
        return self.variant.needs_horizon

    def table(self, start: int, count: int, horizon: int | None = None) -> FloatArray:
        """float64[count, 7]: the variant's coefficients for iterations from `start` on."""
        return self.variant.table(start, count, horizon)

    def kernel(self, _kept: Mapping[str, FloatArray]) -> Callable[..., None]:
        """The compiled loop, which runs one iteration per row of `table`."""
        from equilibrist.kernels.sequence_form.cfr_br import run

        return run


class XFP(FullTraversals):
    """Extensive-form fictitious play on a compiled game.

    Heinrich, Lanctot and Silver, ICML 2015, Algorithm 1 with a step of 1 / (t + 1): in iteration t
    all players answer the others' averages with a best response (of equals the first), and the
    averages, taken over realization plans, move by that share towards them. They begin uniform.
    Sums go history by history, so that ties break as in OpenSpiel's `XFPSolver`.
    With two players and constant sum the averages approach an equilibrium.
    """

    def __init__(self, game: GameTree | Game[Any] | Rules | str) -> None:
        """Prepare to solve a game.

        Args:
            game: A compiled game, or a game, its rules or its name, which is compiled first.

        Raises:
            RecallError: A player forgets their own past.
            GameError: As `compile_game` raises it, and MemoryBudgetError too.
        """
        super().__init__(game, FictitiousPlay())


class CFRBR(FullTraversals):
    """CFR-BR on a compiled game: regrets against best responses in place of learners.

    Johanson, Bard, Burch and Bowling, AAAI 2012, for all players side by side: in every iteration
    each player's best response to the present profile is found, and each player updates as if the
    others played theirs. With two players and constant sum the average of either player alone is
    as good as the regrets say, and the current strategies are often good too.
    Sums go history by history, so that ties break as in OpenSpiel's Python `CFRBRSolver`.
    """

    def __init__(
        self,
        game: GameTree | Game[Any] | Rules | str,
        algorithm: Variant | str = "cfr",
        *,
        horizon: int | None = None,
    ) -> None:
        """Prepare to solve a game.

        Args:
            game: A compiled game, or a game, its rules or its name, which is compiled first.
            algorithm: The variant of CFR that players follow, or the text of one.
            horizon: The planned number of iterations, for variants that need it.

        Raises:
            ConfigError: `horizon` is missing where the variant needs it, or `algorithm` is no
                variant of CFR.
            UnknownNameError: There is no algorithm or game of that name.
            RecallError: A player forgets their own past.
            GameError: As `compile_game` raises it, and MemoryBudgetError too.
        """
        super().__init__(game, AgainstBestResponses(as_variant(algorithm)), horizon=horizon)


Responding = FictitiousPlay | AgainstBestResponses
RESPONDING: Final[dict[str, Responding]] = {
    "xfp": FictitiousPlay(),
    "cfr-br": AgainstBestResponses(),
}
"""The algorithms by name."""
