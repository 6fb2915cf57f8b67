"""EFR: extensive-form regret minimisation, which learns from more deviations than CFR does."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Final

import numpy as np

from equilibrist.errors import UnknownNameError
from equilibrist.game import Game
from equilibrist.parsing.arguments import bad_argument, instance, whole_number
from equilibrist.parsing.call_text import Reader, check_names, format_spec, unreadable
from equilibrist.rules.module import Rules
from equilibrist.solvers.full_traversal.base import FullTraversals
from equilibrist.solvers.full_traversal.deviation_arrays import count_regrets, deviation_arrays
from equilibrist.solvers.variants.rule import SimultaneousRule
from equilibrist.tree.compile import GameTree
from equilibrist.typing import FloatArray

CONCEPTS: Final = {
    "NFCCE": "a normal-form coarse correlated equilibrium",
    "AFCE": "an agent-form correlated equilibrium",
    "EFCCE": "an extensive-form coarse correlated equilibrium",
    "EFCE": "an extensive-form correlated equilibrium",
}
"""The kinds of correlated equilibria in full."""


@dataclass(frozen=True)
class Family:
    """One family of deviations.

    Attributes:
        name: The word for it.
        title: What Morrill et al. call it.
        approaches: What the history of play approaches, one of CONCEPTS.
        nash: Whether the averages of two players with constant sum approach a Nash equilibrium.
    """

    name: str
    title: str
    approaches: str
    nash: bool = True

    @property
    def equilibrium(self) -> str:
        """What the history of play approaches, in full and in short."""
        return f"{CONCEPTS[self.approaches]} ({self.approaches})"


FAMILIES: Final = {
    family.name: family
    for family in (
        Family("cfr", "blind counterfactual", "NFCCE"),
        Family("cfr_in", "informed counterfactual", "NFCCE"),
        Family("a", "informed action", "AFCE", nash=False),
        Family("bps", "blind partial sequence", "EFCCE"),
        Family("cfps", "counterfactual partial sequence", "EFCCE"),
        Family("csps", "causal partial sequence", "EFCE"),
        Family("tips", "twice informed partial sequence", "EFCE"),
        Family("bhv", "behavioural", "EFCE"),
    )
}
"""The families by name."""


NAME: Final = "efr"
"""Its name in algorithm texts."""
USUAL: Final = "tips"
"""The family of deviations that is taken where none is named."""
_WORD: Final = re.compile(r"[^()\s]+")


@dataclass(frozen=True)
class DeviationRegrets(SimultaneousRule):
    """EFR as full traversals run it.

    Attributes:
        deviations: The word for a family of deviations.

    Raises:
        UnknownNameError: There is no such family.
    """

    compiled: ClassVar[str] = "equilibrist.kernels.deviations.efr.run"
    needs_horizon: ClassVar[bool] = False
    summary: ClassVar[str] = "EFR: CFR for more kinds of deviations, towards correlated equilibria"
    averaging: ClassVar[str] = "uniform"
    when: ClassVar[str] = (
        "for correlated play, such as an EFCE, in games of any number of players; per iteration "
        "slower than cfr"
    )
    paper: ClassVar[str] = (
        "Morrill, D'Orazio, Lanctot, Wright, Bowling, Greenwald: Efficient Deviation Types and "
        "Learning for Hindsight Rationality in Extensive-Form Games. ICML 2021"
    )

    deviations: str = USUAL

    def __post_init__(self) -> None:
        """Refuse what is no family."""
        word = instance("deviations", self.deviations, str, "a family of deviations, such as tips")
        if word not in FAMILIES:
            raise UnknownNameError(
                "family of deviations", word, [*FAMILIES], option="deviations", place=NAME
            )

    @property
    def family(self) -> Family:
        """The family of deviations."""
        return FAMILIES[self.deviations]

    @property
    def name(self) -> str:
        """`efr`, with the family in brackets where it is not the usual one."""
        return format_spec(
            NAME, {"deviations": self.deviations} if self.deviations != USUAL else {}
        )

    @property
    def parameters(self) -> dict[str, str]:
        """What can be set in brackets, with its value."""
        return {"deviations": self.deviations}

    @property
    def update(self) -> str:
        """The update as formulas, for people."""
        return (
            "R(f,l) = R(f,l) + l*(value of f(sigma) - value of sigma), for deviations f and memory "
            "probabilities l; sigma = the fixed point of the mixture of f in proportion to "
            "sum over l of max(R(f,l), 0)*l, from the top down"
        )

    def table(self, start: int, count: int, _horizon: int | None = None) -> FloatArray:
        """Decay and weight of the average, float64[count, 2]: all iterations count alike."""
        whole_number("iteration", start, 1)
        return np.ones((count, 2))

    def regret_count(self, tree: GameTree) -> int:
        """One regret per deviation and memory probability; MemoryBudgetError for too many."""
        return count_regrets(self.deviations, tree)

    def arrays(self, tree: GameTree) -> tuple[Any, ...]:
        """The arrays that the kernel reads: the sequence form, and which regrets there are."""
        return deviation_arrays(self.deviations, tree)

    def kernel(self, _kept: Mapping[str, FloatArray]) -> Callable[..., None]:
        """The compiled loop, which runs one iteration per row of `table`."""
        from equilibrist.kernels.deviations.efr import run

        return run

    def probe(self) -> bytes:
        """The family, in which alone two of them differ."""
        return self.deviations.encode()


class EFR(FullTraversals):
    """Extensive-form regret minimisation on a compiled game.

    Morrill, D'Orazio, Lanctot, Wright, Bowling and Greenwald, ICML 2021. All players update at once
    in every iteration, and the history of play approaches an equilibrium that depends on the family
    of deviations: an extensive-form correlated equilibrium (EFCE) with `csps`, `tips` and `bhv`.
    The average strategy is the same as that of CFR: it approaches a Nash equilibrium with two
    players and constant sum, and forgets the correlation otherwise.
    """

    def __init__(self, game: GameTree | Game[Any] | Rules | str, deviations: str = USUAL) -> None:
        """Prepare to solve a game.

        Args:
            game: A compiled game, or a game, its rules or its name, which is compiled first.
            deviations: The family of deviations: `cfr`, `cfr_in`, `a`, `bps`, `cfps`, `csps`,
                `tips` or `bhv`.

        Raises:
            UnknownNameError: There is no family or game of that name.
            RecallError: A player forgets their own past.
            GameError: As `compile_game` raises it, and MemoryBudgetError too, also for a family
                that has too many regrets in this game.
        """
        super().__init__(game, DeviationRegrets(deviations))


def is_efr(algorithm: str) -> bool:
    """Whether an algorithm text names EFR, with parameters or without."""
    return algorithm.strip().lower().partition("(")[0].rstrip() == NAME


def get_efr(spec: str) -> DeviationRegrets:
    """Make the rule that a text names, such as `efr(deviations=csps)`.

    Args:
        spec: `efr`, with the family of deviations in brackets if it is not `tips`; case does not
            matter.

    Returns:
        The rule.

    Raises:
        UnknownNameError: There is no such parameter or family.
        ConfigError: The text cannot be read.
    """
    reader = Reader(spec, "algorithm", unreadable("algorithm"))
    reader.take(_WORD, "expected a name, such as efr(deviations=csps)")
    parameters, _ = reader.parameters(["deviations"])
    check_names(NAME, parameters, ["deviations"])
    word = parameters.get("deviations", USUAL)
    if not isinstance(word, str):
        raise bad_argument("deviations", word, f"one of {', '.join(FAMILIES)}")
    return DeviationRegrets(word.lower().replace("-", "_"))
