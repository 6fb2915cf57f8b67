"""What grafting gives: the new strategy, and what each graft did to it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final, Literal

from equilibrist.evaluation.response import Evaluation
from equilibrist.formatting.documents import document
from equilibrist.strategy import Strategy
from equilibrist.tree.payoff_scale import PayoffScale

Method = Literal["sequential", "joint", "independent", "static"]
METHODS: Final[tuple[Method, ...]] = ("sequential", "joint", "independent", "static")
Measure = Literal["exploitability", "best response", "NashConv"]
"""What the figures of a seat are.

`exploitability` is that of the seat: the game's value to it less what it gets against a true best
response. `best response`, where the value is unknown, is what the opponent's true best response
earns against it. `NashConv` is that of the whole profile, the same for every seat.
"""


@dataclass(frozen=True)
class GraftStep:
    """One graft: a player's play in one block.

    Attributes:
        block: The name of the block, or of all with `joint`.
        player: Whose play was replaced.
        num_infosets: How many infosets of the player are in the block.
        before: The figure of the strategy that it was grafted onto.
        after: The figure of that strategy with the graft.
        taken: Whether the graft is in the result. A graft that does not lower the figure is left
            out; `independent` and `static` take all.
        undecided: With `static`: at how many infosets every action is as good as any other, since
            the others never come there when they follow the base.
    """

    block: str
    player: int
    num_infosets: int
    before: float
    after: float
    taken: bool
    undecided: int = 0


@dataclass(frozen=True, eq=False)
class Grafted:
    """A base strategy with new play in blocks.

    Attributes:
        base: The base.
        strategy: The result; outside the blocks it has the bits of the base.
        method: How the grafts were combined.
        measure: What the figures are.
        steps: The grafts in order. Each is grafted onto the result of those before it
            (`sequential`), or onto the base.
        before: The figure of each seat of the base.
        after: The figure of each seat of the result.
        base_evaluation: Values, best responses and gains of the base in the full game.
        evaluation: Values, best responses and gains of the result in the full game.
        iterations: Iterations of CFR+ for each graft; None for exact linear programmes.
        after_keeping: With `static`: the figures if the base's play stayed where every action is as
            good as any other; else None.
        interrupted: Whether Ctrl-C ended the work before all grafts were found.
    """

    base: Strategy
    strategy: Strategy
    method: Method
    measure: Measure
    steps: tuple[GraftStep, ...]
    before: tuple[float, ...]
    after: tuple[float, ...]
    base_evaluation: Evaluation
    evaluation: Evaluation
    iterations: int | None = None
    after_keeping: tuple[float, ...] | None = None
    interrupted: bool = False

    @property
    def seats(self) -> tuple[int, ...]:
        """The players whose play was replaced, in order."""
        return tuple(sorted({step.player for step in self.steps}))

    @property
    def guaranteed(self) -> bool:
        """Whether theory says that no graft makes a seat more exploitable.

        So it is for exact grafts, one after the other or jointly, of two players with constant sum.
        """
        return self.iterations is None and self.method in ("sequential", "joint")

    def best_single(self, player: int) -> GraftStep | None:
        """The graft of a player that, onto the base alone, leaves the lowest figure.

        Args:
            player: The player, from 0.

        Returns:
            The step; None for `sequential`, whose later grafts build on earlier ones, and for a
            player without grafts.
        """
        own = [step for step in self.steps if step.player == player]
        if self.method == "sequential" or not own:
            return None
        return min(own, key=lambda step: step.after)

    def worse_than_base(self, player: int) -> bool:
        """Whether the result is worse for a player than the base, beyond rounding.

        Args:
            player: The player, from 0.

        Returns:
            Whether the figure rose.
        """
        return self.after[player] > self.before[player] + self._rounding

    def worse_than_single(self, player: int) -> bool:
        """Whether one graft alone would be better for a player than all joined.

        Args:
            player: The player, from 0.

        Returns:
            Whether it would, beyond rounding.
        """
        best = self.best_single(player)
        return best is not None and self.after[player] > best.after + self._rounding

    @property
    def _rounding(self) -> float:
        tree = self.strategy.tree
        return max(tree.rounding, 1e-9 * PayoffScale(tree).at(self.strategy.probabilities))

    def to_dict(self) -> dict[str, Any]:
        """The figures as JSON can hold them.

        Returns:
            Names and what they are, without strategies.
        """
        names = "method measure iterations guaranteed before after after_keeping steps"
        return {
            **document(self, names),
            "worse_than_base": [p for p in self.seats if self.worse_than_base(p)],
            "worse_than_single": [p for p in self.seats if self.worse_than_single(p)],
            **document(self, "base_evaluation evaluation"),
        }
