"""Samplers for comparison and research: ESCHER, and outcome sampling as in textbooks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Final

import numpy as np

from equilibrist.reference.draws import Draws
from equilibrist.reference.game_walk import Node
from equilibrist.reference.sampling.addition import Addition, Profile, TablesByInfoset
from equilibrist.reference.sampling.escher import escher_sampling
from equilibrist.reference.sampling.textbook import textbook_outcome
from equilibrist.solvers.sampling.formulas import DRAWN, OTHERS_PLAIN, SamplerFormulas
from equilibrist.solvers.sampling.outcome import COLUMNS, checked_epsilon
from equilibrist.solvers.sampling.sampler import FitsAll, Sampler, Tables


class _WeighsItself(FitsAll):
    """A sampler whose plain form is a function of its own, which looks at no tables."""

    def traverse(
        self,
        root: Node,
        traverser: int,
        profile: Profile,
        draws: Draws,
        tables: TablesByInfoset,
        *,
        averaging: str = "",
        record: bool = True,
    ) -> Addition:
        """Run one traversal in plain Python.

        Args:
            root: The initial history.
            traverser: Whose regrets are added.
            profile: What everybody plays.
            draws: Where all draws must come from.
            tables: Not looked at.
            averaging: One of `averagings`, by default the first.
            record: Whether the steps are kept; they always are.

        Returns:
            What the traversal adds.
        """
        return self._traversal(root, traverser, profile, draws, averaging)

    def _traversal(
        self, root: Node, traverser: int, profile: Profile, draws: Draws, averaging: str
    ) -> Addition:
        """What one traversal adds."""
        raise NotImplementedError


@dataclass(frozen=True)
class Escher(_WeighsItself):
    """The traverser draws evenly, chance and the others as they play; values are exact.

    The expected regrets of an infoset are the full ones times the probability with which even
    draws lead there: always the same, so that no importance weight is needed, and regret matching
    does not see it. The same holds of the average where the other player draws (two players).
    All nodes below the traverser's first decision are valued in every traversal: an iteration
    costs more than with other samplers, and grows with the game.
    """

    name: ClassVar[str] = "escher"
    summary: ClassVar[str] = (
        "samples the traverser's actions uniformly; exact values, no importance weights"
    )
    paper: ClassVar[str] = (
        "McAleer, Farina, Lanctot, Sandholm: ESCHER: Eschewing Importance Sampling in Games by "
        "Computing a History Value Function to Estimate Regret. ICLR 2023"
    )
    when: ClassVar[str] = (
        "for comparison: no importance weights, but each iteration visits much of the game"
    )
    averagings: ClassVar[tuple[str, ...]] = ("stochastic",)
    estimate: ClassVar[str] = "exact"
    formulas: ClassVar[SamplerFormulas] = SamplerFormulas(
        own="one of n, evenly: q(a) = 1 / n",
        others=DRAWN,
        weight="none: on average a visit counts pi_-i(h) x(h), and x(h) never changes",
        estimate="u(a) and u(h) are the exact values of histories as everybody plays",
        regret="R(a) += u(a) - u(h)",
        averages={"stochastic": OTHERS_PLAIN},
    )

    def _traversal(
        self, root: Node, traverser: int, profile: Profile, draws: Draws, averaging: str
    ) -> Addition:
        """One traversal in plain Python."""
        return escher_sampling(root, traverser, profile, draws)

    def run(self, tables: Tables, start: int, count: int, averaging: str, weight: float) -> None:
        """Run iterations.

        Args:
            tables: What is read and updated.
            start: The first iteration, from 1.
            count: How many iterations.
            averaging: One of `averagings`.
            weight: What an iteration counts in the average; with 0 that is left alone.
        """
        from equilibrist.kernels.sampling.escher import EscherSetup, escher_sampling

        setup = EscherSetup(weight, np.empty(len(tables.tree.arrays.node)))
        tables.run(escher_sampling, setup, start, count)


@dataclass(frozen=True)
class Textbook(_WeighsItself):
    """One trajectory, on which all players explore and from which all learn.

    It solves the game in which every player trembles with probability epsilon. `soft` is the texts'
    average, of what is played; `proper` that of what regrets say, by own reach.

    Attributes:
        epsilon: How often a player trembles, more than 0 and at most 1.
    """

    name: ClassVar[str] = "textbook"
    summary: ClassVar[str] = "one trajectory; all players explore and learn: solves a tremble game"
    paper: ClassVar[str] = "introductory texts; see docs/averaging.md"
    when: ClassVar[str] = "to follow a text: it solves the tremble game, not the given one"
    averagings: ClassVar[tuple[str, ...]] = ("soft", "proper")
    estimate: ClassVar[str] = "textbook"
    formulas: ClassVar[SamplerFormulas] = SamplerFormulas(
        own="one, all players explore: q(a) = epsilon / n + (1 - epsilon) sigma(a)",
        others="players: as own; chance: one, with its probability",
        weight="w = u_i(z) / x_i(h), for each player i, x_i(h) the product of i's q on the way",
        estimate="u(a) = w / q(a) if a was drawn, else 0; u(h) = sum of q(a) u(a) = w",
        regret="R(a) += u(a) - w, for each player where they decide",
        averages={
            "soft": "S(a) += q(a), what is played",
            "proper": "S(a) += pi_i(h) / x(h) sigma(a), x(h) the product of all players' q",
        },
        parameters={
            "epsilon": "how often each player plays an even draw instead, above 0 and at most 1"
        },
    )

    all_learn: ClassVar[bool] = True
    """An iteration is one traversal, from which all players learn."""

    epsilon: float = 0.06

    def __post_init__(self) -> None:
        """Refuse an epsilon outside (0, 1]."""
        object.__setattr__(self, "epsilon", checked_epsilon(self.epsilon))

    def _traversal(
        self, root: Node, traverser: int, profile: Profile, draws: Draws, averaging: str
    ) -> Addition:
        """One traversal in plain Python, from which all learn."""
        return textbook_outcome(
            root, profile, draws, epsilon=self.epsilon, proper=averaging == "proper"
        )

    def run(self, tables: Tables, start: int, count: int, averaging: str, weight: float) -> None:
        """Run iterations, each of which is one trajectory.

        Args:
            tables: What is read and updated.
            start: The first iteration, from 1.
            count: How many iterations.
            averaging: One of `averagings`.
            weight: What an iteration counts in the average; with 0 that is left alone.
        """
        from equilibrist.kernels.sampling.textbook import TextbookSetup, textbook_outcome

        play, scratch = tables.play(), tables.scratch()
        players = play.traversals
        setup = TextbookSetup(
            epsilon=self.epsilon,
            weight=weight,
            proper=averaging == "proper",
            inverse=np.ones(players),
            own_reach=np.ones(players),
            drawn=scratch.whole_level(),
            path=scratch.columns(COLUMNS),
        )
        tables.run(textbook_outcome, setup, start, count, play._replace(traversals=1))


SAMPLERS: Final[dict[str, type[Sampler]]] = {cls.name: cls for cls in (Escher, Textbook)}
"""By name, in the order in which they are listed."""
