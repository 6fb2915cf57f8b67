"""The three numbers of an abstraction, by linear programmes and true best responses.

They depend on the abstraction alone, not on which of many equilibria an algorithm happens to find.
Kevin Waugh, David Schnizlein, Michael Bowling and Duane Szafron, "Abstraction pathologies in
extensive games", AAMAS 2009, show that finer information may make equilibria more exploitable.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from equilibrist.abstraction.abstraction import Abstraction, checked_abstraction
from equilibrist.abstraction.measures.plans import Plans, TwoPlayerGame
from equilibrist.abstraction.measures.programmes import Guaranteed, Opponent, best_guarantee
from equilibrist.errors import EquilibristError, UnsupportedError
from equilibrist.evaluation.response import evaluate
from equilibrist.formatting.documents import document
from equilibrist.parsing.arguments import real_number
from equilibrist.solvers.matrix.payoffs import check_equilibrium, room
from equilibrist.strategy import Strategy
from equilibrist.tree.compile import GameTree, checked_tree

LARGEST = 5_000
"""Sequences of the full game up to which linear programmes are solved."""
SLACK = 5.5e-10
"""What an abstract equilibrium may guarantee less than the abstract value, as a share of the spread
of payoffs (see `payoffs.room`): solvers cannot tell the two apart."""
AGREEMENT = 1e-6
"""By how much best responses may differ from what a linear programme promised, as a share of the
largest payoff times the probability with which play meets it."""


@dataclass(frozen=True)
class Lifted:
    """A profile of abstract strategies in the full game, measured by true best responses.

    Attributes:
        strategy: The profile, lifted to the full game.
        losses: What each seat's strategy guarantees less than the game's value, in payoff units.
        exploitability: Their mean, which is NashConv / 2.
    """

    strategy: Strategy
    losses: tuple[float, float]
    exploitability: float

    def to_dict(self) -> dict[str, Any]:
        """What is lost, as a document without the strategy.

        Returns:
            `exploitability` and `losses`.
        """
        return document(self, "exploitability losses")


@dataclass(frozen=True)
class ThreeNumbers:
    """What an abstraction of a game of two players with constant sum is worth.

    Attributes:
        value: Player 0's value of the full game.
        abstract_value: Player 0's value of the game in which both know only what the abstraction
            leaves them.
        equilibrium: The equilibrium of that game that is least exploitable in the full game.
        representable: The least exploitable of all strategies that the abstraction can represent.
    """

    value: float
    abstract_value: float
    equilibrium: Lifted
    representable: Lifted


class Measures:
    """The linear programmes of one full game, which many abstractions share.

    Args:
        tree: A compiled game of two players with constant sum.

    Raises:
        UnsupportedError: The game is of another kind, or has more than 5,000 sequences.
        RecallError: The game has imperfect recall.
        ConfigError: `tree` is no compiled game.
    """

    def __init__(self, tree: GameTree) -> None:
        """Check the game; the class says of what."""
        self.tree = checked_tree(tree)
        if tree.num_sequences > LARGEST:
            raise UnsupportedError(
                f"{tree.name} has {tree.num_sequences:,} sequences; the least exploitable "
                f"strategies are computed up to {LARGEST:,}",
                option="sequences",
                given=tree.num_sequences,
                expected=LARGEST,
                remedy="take a smaller variant of it, or solve with the abstraction and evaluate "
                "what was found",
            )
        self.game = TwoPlayerGame.of(tree)
        identity = Abstraction.identity(tree)
        all_plans = [self.game.plans(p, identity) for p in range(2)]
        self.full: tuple[Plans, ...] = tuple(plans for plans in all_plans if plans is not None)

    @cached_property
    def value(self) -> float:
        """Player 0's value of the full game, in payoff units, measured by best responses."""
        own, other = self.full
        best = best_guarantee(own, Opponent(other, self.game.merged(own, other, 0)))
        rows = own.behaviour(best.plan, best.least), other.behaviour(best.answer, best.least)
        evaluation = evaluate(Strategy(self.tree, np.concatenate(rows)))
        check_equilibrium(self.tree, evaluation.nash_conv, best.met * self.game.scale)
        return self.game.total - evaluation.best_response_values[1]

    def units(self, value: float, player: int = 0) -> float:
        """A value of the programmes in payoff units.

        Args:
            value: In the unit of `game.payoff`.
            player: Whose value it is.

        Returns:
            The value.
        """
        return value * self.game.scale + self.game.base(player)

    def slack(self, best: Guaranteed) -> float:
        """`SLACK` in the unit of `game.payoff`, below the value that a programme found.

        Args:
            best: What the programme found.

        Returns:
            The slack, 0 or more.
        """
        return SLACK * room(self.tree, best.met * self.game.scale) / self.game.scale

    def three_numbers(
        self, abstraction: Abstraction, *, slack: float | None = None
    ) -> ThreeNumbers:
        """The three numbers of an abstraction with perfect recall.

        Args:
            abstraction: An abstraction of the game.
            slack: What the least exploitable equilibrium may guarantee less than the abstract
                value, in payoff units; 0 or more. By default `SLACK` of their spread.

        Returns:
            The numbers, with the strategies that prove them.

        Raises:
            UnsupportedError: A player forgets under the abstraction (`given` is the player).
            MismatchError: It is an abstraction of another game.
            ConfigError: `slack` is negative.
        """
        checked_abstraction(abstraction, self.tree)
        if slack is not None:
            slack = real_number("slack", slack, 0.0, math.inf) / self.game.scale
        plans = self._remembering(abstraction)
        abstract = []
        least: list[list[Guaranteed]] = [[], []]
        for player, own in enumerate(plans):
            inside = self._opponent(player, own, plans[1 - player])
            full = self._opponent(player, own, self.full[1 - player])
            best = best_guarantee(own, inside)
            abstract.append(best.value)
            eased = best.value - (self.slack(best) if slack is None else slack)
            least[0].append(best_guarantee(own, full, (inside, eased)))
            least[1].append(best_guarantee(own, full))
        equilibrium, representable = (
            self.measured(
                abstraction.lift(
                    np.concatenate(
                        [
                            own.behaviour(guarantee.plan, guarantee.least)
                            for own, guarantee in zip(plans, guaranteed, strict=True)
                        ]
                    )
                ),
                guaranteed,
            )
            for guaranteed in least
        )
        value = self.units((abstract[0] - abstract[1]) / 2)
        return ThreeNumbers(self.value, value, equilibrium, representable)

    def _remembering(self, abstraction: Abstraction) -> list[Plans]:
        plans = []
        for player in range(2):
            own = self.game.plans(player, abstraction)
            if own is None:
                raise UnsupportedError(
                    f"player {player} forgets under the abstraction {abstraction.name}, so that "
                    "its equilibria are not those of a linear programme",
                    option="abstraction",
                    given=player,
                    expected="perfect recall",
                    remedy="solve with --abstraction and evaluate what was found",
                )
            plans.append(own)
        return plans

    def _opponent(self, player: int, own: Plans, other: Plans) -> Opponent:
        return Opponent(other, self.game.merged(own, other, player))

    def measured(self, strategy: Strategy, guaranteed: list[Guaranteed]) -> Lifted:
        """Measure a profile by best responses, which must find what the programmes promised.

        Args:
            strategy: A profile of the full game.
            guaranteed: What each player's part guarantees by its programme.

        Returns:
            The profile with its losses.

        Raises:
            EquilibristError: Best responses find something else.
        """
        best = evaluate(strategy).best_response_values
        total = self.game.total
        own_value = (self.value, total - self.value)
        losses = tuple(own_value[p] - (total - best[1 - p]) for p in range(2))
        promised = [own_value[p] - self.units(guaranteed[p].value, p) for p in range(2)]
        met = max(guarantee.met for guarantee in guaranteed) * self.game.scale
        if max(abs(a - b) for a, b in zip(losses, promised, strict=True)) > max(
            AGREEMENT * met, 64.0 * self.tree.rounding, 16.0 * abs(math.ulp(total))
        ):
            raise EquilibristError(
                f"best responses find losses of {losses} where linear programmes found {promised}",
                option="abstraction",
                given=str(losses),
                expected=str(promised),
            )
        return Lifted(strategy, (losses[0], losses[1]), sum(losses) / 2)


def three_numbers(tree: GameTree, abstraction: Abstraction) -> ThreeNumbers:
    """The three numbers of an abstraction: `Measures(tree).three_numbers(abstraction)`.

    Args:
        tree: A compiled game of two players with constant sum.
        abstraction: An abstraction of it with perfect recall.

    Returns:
        The numbers, with the strategies that prove them.

    Raises:
        UnsupportedError: The game is of another kind or too large, or a player forgets.
        RecallError: The game has imperfect recall.
        MismatchError: It is an abstraction of another game.
    """
    return Measures(tree).three_numbers(abstraction)
