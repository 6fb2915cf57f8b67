"""What re-solving gives: the new strategy, and what happened at each root."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from equilibrist.evaluation.response import Evaluation
from equilibrist.formatting.documents import document
from equilibrist.parsing.arguments import bad_argument
from equilibrist.search.methods import SearchMethod
from equilibrist.strategy import Strategy

Measure = Literal["exploitability", "best response"]
"""What the figures of a seat are.

`exploitability` is that of the seat: the game's value to it less what it gets against a true best
response. `best response`, where the value is unknown, is what the opponent's true best response
earns against it.
"""


@dataclass(frozen=True)
class HandValues:
    """A hand of the opponent's at a root.

    Attributes:
        hand: What it is called.
        weight: w_j: how likely chance and the seat bring it here, whatever the opponent does.
        reach: How likely the opponent comes here with it in the trunk, as far as that is its own
            doing.
        alternative: What the opponent may count on with it, gifts included, in payoff units. As all
            values here, it is counterfactual: not divided by the weight.
        gift: The part of it that the opponent gave away on the way.
        before: What its best response to the trunk is worth.
        after: What its best response to the new play is worth.
    """

    hand: str
    weight: float
    reach: float
    alternative: float
    gift: float
    before: float
    after: float


@dataclass(frozen=True)
class RootStep:
    """One root, re-solved for one seat.

    Attributes:
        root: The name of the public node.
        seat: Whose play was replaced.
        total: k, the sum of the weights of the opponent's hands.
        objective: What the new play reaches of the method's programme, in payoff units; None where
            nothing was replaced, since the seat does not move or does not come there, and where
            each infoset has a programme of its own.
        margin: The least that the opponent's values stay below the alternatives, over hands, in the
            method's scale; None where nothing was replaced.
        gap: NashConv of the solution in the gadget game, in that game's payoffs; None with linear
            programmes, and where nothing was replaced.
        hands: The opponent's hands.
    """

    root: str
    seat: int
    total: float
    objective: float | None
    margin: float | None
    gap: float | None
    hands: tuple[HandValues, ...]


@dataclass(frozen=True, eq=False)
class Resolved:
    """A trunk with new play below public states.

    Attributes:
        trunk: The trunk.
        strategy: The result; what was not replaced has the bits of the trunk.
        method: The method.
        roots: The names of the roots.
        seats: The players whose play was replaced.
        measure: What the figures are.
        before: The figure of each seat of the trunk.
        after: The figure of each seat of the result.
        completion: The figure of each seat that was re-solved with the best play below all roots at
            the same time, which no method can beat; None where that was not found.
        bound: By how much the figure of each seat may have risen at most: 0 with a safe method
            solved exactly, else the gaps of its gadget games; None without a guarantee.
        steps: Every root for every seat, in the order of the work.
        in_turn: Whether each root was re-solved on top of those before it.
        algorithm: What solved the subgames.
        iterations: Its iterations for each gadget game; None with linear programmes.
        interrupted: Whether Ctrl-C ended the work before all roots were re-solved; the trunk is
            kept at the others.
        trunk_evaluation: Values, best responses and gains of the trunk.
        evaluation: Values, best responses and gains of the result.
        seconds: The time that re-solving took, measures left out.
    """

    trunk: Strategy
    strategy: Strategy
    method: SearchMethod
    roots: tuple[str, ...]
    seats: tuple[int, ...]
    measure: Measure
    before: tuple[float, float]
    after: tuple[float, float]
    completion: tuple[float | None, float | None]
    bound: tuple[float | None, float | None]
    steps: tuple[RootStep, ...]
    in_turn: bool
    algorithm: str
    iterations: int | None
    interrupted: bool
    trunk_evaluation: Evaluation
    evaluation: Evaluation
    seconds: float

    def __repr__(self) -> str:
        return (
            f"Resolved({self.strategy.tree.name!r}, {self.method.spec!r}, roots={len(self.roots)}, "
            f"before={self.before}, after={self.after})"
        )

    def step(self, root: str, seat: int) -> RootStep:
        """One root, re-solved for one seat.

        Args:
            root: The name of the root.
            seat: The player.

        Returns:
            The step.

        Raises:
            ConfigError: There is no such root or seat.
        """
        for step in self.steps:
            if (step.root, step.seat) == (root, seat):
                return step
        raise bad_argument("root", (root, seat), "a root and a seat that were re-solved")

    @property
    def is_proven(self) -> bool:
        """Whether no seat's figure rises by more than its `bound`."""
        return all(self.bound[seat] is not None for seat in self.seats)

    def to_dict(self) -> dict[str, Any]:
        """The figures as JSON can hold them.

        Returns:
            Names and what they are, without strategies.
        """
        return {
            "game": self.strategy.tree.name,
            "method": self.method.spec,
            "safe": self.is_proven,
            **document(self, "roots seats in_turn algorithm iterations interrupted"),
            **document(self, "measure before after completion bound seconds steps"),
        }
