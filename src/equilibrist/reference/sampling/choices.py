"""What a sampler decides at a history: which children are walked, and with what probability.

>>> choice = NodeView(player=0, traverser=0, strategy=[0.25, 0.75]).each([0.5, 1.0])
>>> choice.kind, choice.chances
('each', [0.5, 1.0])
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from operator import index
from typing import Final, SupportsIndex, TypeAlias

from equilibrist.errors import ConfigError
from equilibrist.formatting.escaping import repr_short
from equilibrist.game import CHANCE
from equilibrist.reference.draws import Draws
from equilibrist.reference.sampling.subsets import subset

_SUM: Final = 1e-9
"""How far the probabilities of one draw may be from a sum of 1."""


@dataclass(frozen=True, slots=True)
class Choice:
    """Which children of a history are walked; methods of `NodeView` make it.

    Attributes:
        kind: `one` of them, `each` by a coin of its own, `some` of a fixed number, `all`, or one
            of several `blocks`.
        chances: By child the probability q that it is walked.
        count: How many, if it is `some`.
        events: By child the name of its block, if it is `blocks`.
        odds: The probability of each block, also of those without a child here.
        shared: What histories share the draw of the block.
        checked: Whether a method of `NodeView` has made it.
    """

    kind: str
    chances: Sequence[float]
    count: int = 0
    events: Sequence[str] = ()
    odds: Mapping[str, float] | None = None
    shared: str = ""
    checked: bool = field(default=False, repr=False, compare=False)

    def draw(self, draws: Draws, *, is_chance: bool, blocks: dict[str, str]) -> Sequence[int]:
        """Draw the children that are walked.

        Args:
            draws: Where draws come from.
            is_chance: Whether the history is one of chance.
            blocks: The blocks drawn so far in this traversal, by what shares them; extended.

        Returns:
            Their numbers, in order.
        """
        chances = self.chances
        if self.kind == "one":
            return (draws.outcome(chances) if is_chance else draws.action(chances),)
        if self.kind == "all":
            return range(len(chances))
        if self.kind == "some":
            return [k for k, taken in enumerate(subset(len(chances), self.count, draws)) if taken]
        if self.kind == "blocks":
            return self._draw_block(draws, blocks)
        return [
            k
            for k, q in enumerate(chances)
            if q >= 1.0 or draws.action([q, max(0.0, 1.0 - q)]) == 0
        ]

    def _draw_block(self, draws: Draws, blocks: dict[str, str]) -> Sequence[int]:
        drawn = blocks.get(self.shared) if self.shared else None
        if drawn is None:
            odds = self.odds or {}
            names = [*odds]
            drawn = names[draws.outcome([*odds.values()]) if len(names) > 1 else 0]
            blocks[self.shared] = drawn
        return [k for k, event in enumerate(self.events) if event == drawn]


@dataclass(slots=True)
class NodeView:
    """A history at which a sampler decides, as it sees it.

    Attributes:
        player: Who moves: 0, 1, ..., or -1 for chance.
        traverser: Whose regrets the traversal updates.
        strategy: What the player plays now, or chance's probabilities.
        infoset: The player's infoset; empty for chance.
        actions: The labels of the actions or outcomes.
        history: The labels of all moves so far.
        iteration: The number of the iteration, from 1.
        regret: Cumulative regrets of the infoset's actions; empty for chance.
        strategy_sum: Their strategy sums; empty for chance.
    """

    player: int
    traverser: int
    strategy: Sequence[float]
    infoset: str = ""
    actions: Sequence[str] = ()
    history: Sequence[str] = ()
    iteration: int = 1
    regret: Sequence[float] = ()
    strategy_sum: Sequence[float] = ()

    @property
    def is_own(self) -> bool:
        """Whether the traverser moves."""
        return self.player == self.traverser

    @property
    def is_chance(self) -> bool:
        """Whether chance moves."""
        return self.player == CHANCE

    def one(self, chances: Sequence[float] | None = None) -> Choice:
        """Draw one child.

        Args:
            chances: The probability of each, with sum 1; by default what the player plays.

        Returns:
            The choice.

        Raises:
            ConfigError: These are no probabilities, or a child that counts is never drawn.
        """
        chances = self._checked("one", self.strategy if chances is None else chances)
        if abs(math.fsum(chances) - 1.0) > _SUM:
            remedy = "divide them by their sum, or give each its own coin by node.each(chances)"
            raise self._refusal("one", chances, "probabilities with a sum of 1", remedy)
        return Choice("one", chances, checked=True)

    def each(self, chances: Sequence[float]) -> Choice:
        """Walk each child with a probability of its own, independently of the others.

        Args:
            chances: These probabilities, above 0 (or 0 where the player never plays) and at most 1.

        Returns:
            The choice.

        Raises:
            ConfigError: These are no probabilities, or a child that counts is never walked.
        """
        return Choice("each", self._checked("each", chances), checked=True)

    def some(self, count: SupportsIndex) -> Choice:
        """Walk so many children, all sets of that size being equally likely.

        Args:
            count: How many; all, if there are not more.

        Returns:
            The choice.

        Raises:
            ConfigError: The number is no whole number of at least 1.
        """
        many = 0 if isinstance(count, bool) else _whole(count)
        if many < 1:
            remedy = "round it, as in node.some(max(1, len(node.actions) // 2))"
            raise self._refusal("some", count, "a whole number of at least 1", remedy)
        children = len(self.strategy)
        many = min(many, children)
        return Choice("some", [many / children] * children, count=many, checked=True)

    def all(self) -> Choice:
        """Walk all children.

        Returns:
            The choice.
        """
        return Choice("all", [1.0] * len(self.strategy), checked=True)

    def blocks(
        self, events: Sequence[str], chances: Mapping[str, float] | None = None, shared: str = ""
    ) -> Choice:
        """Draw one block of children, all of which are walked.

        Args:
            events: By child the name of its block.
            chances: The probability of each block, with sum 1; by default the sum of what is
                played in it.
            shared: Histories that give the same text here draw the same block in a traversal. They
                must have the same blocks with the same probabilities, and none may lie below
                another. By default every history draws its own.

        Returns:
            The choice.

        Raises:
            ConfigError: The blocks do not fit the children, or these are no probabilities.
        """
        if len(events) != len(self.strategy):
            expected = f"{len(self.strategy)} names, one per child"
            remedy = "name the block of each of node.actions"
            raise self._refusal("blocks", events, expected, remedy)
        if chances is None:
            chances = dict.fromkeys(events, 0.0)
            for event, p in zip(events, self.strategy, strict=True):
                chances[event] += p
        unknown = [event for event in events if event not in chances]
        if unknown:
            expected = f"a probability of {unknown[0]!r}, too"
            raise self._refusal("blocks", [*chances], expected, "give one to every block")
        odds = self._checked("blocks", [chances[event] for event in events])
        if abs(math.fsum(chances.values()) - 1.0) > _SUM:
            remedy = "divide them by their sum, or leave them out"
            raise self._refusal("blocks", dict(chances), "probabilities with a sum of 1", remedy)
        return Choice("blocks", odds, events=events, odds=chances, shared=shared, checked=True)

    def check(self, choice: Choice) -> Choice:
        """Make a choice anew that no method here has made.

        Args:
            choice: The choice.

        Returns:
            The same choice, checked.

        Raises:
            ConfigError: As the methods.
        """
        if choice.kind == "one":
            return self.one(choice.chances)
        if choice.kind == "each":
            return self.each(choice.chances)
        if choice.kind == "some":
            return self.some(choice.count)
        if choice.kind == "all":
            return self.all()
        if choice.kind == "blocks":
            return self.blocks(choice.events, choice.odds, choice.shared)
        remedy = "return what a method of the history makes, as node.one()"
        raise self._refusal("kind", choice.kind, "one, each, some, all or blocks", remedy)

    def _checked(self, method: str, chances: Sequence[float]) -> Sequence[float]:
        """The probabilities as floats, if there is one per child and none is 0 that matters."""
        try:
            checked = [min(float(q), 1.0) if q <= 1.0 + _SUM else float(q) for q in chances]
        except (TypeError, ValueError):
            remedy = f"give node.{method} a probability per child"
            raise self._refusal(method, chances, "numbers from 0 to 1", remedy) from None
        if len(checked) != len(self.strategy):
            raise self._refusal(
                method,
                checked,
                f"{len(self.strategy)} probabilities, one per child",
                "make as many as node.strategy has",
            )
        for k, q in enumerate(checked):
            if not 0.0 <= q <= 1.0:
                remedy = "correct how they are calculated"
                raise self._refusal(method, checked, "numbers from 0 to 1", remedy)
            if q == 0.0 and (self.is_own or self.strategy[k] > 0.0):
                why = (
                    "an own action that is never walked is never regretted"
                    if self.is_own
                    else "what is played but never walked would be left out of all values"
                )
                name = self.actions[k] if k < len(self.actions) else f"number {k}"
                raise self._refusal(
                    method,
                    checked,
                    f"more than 0 for {name!r}: {why}",
                    "walk all of node.all() there, or mix in an even draw, as 0.1 / n + 0.9 * p"
                    if self.is_own
                    else "leave node.one() without numbers, or give all that is played a share",
                )
        return checked

    def _refusal(self, method: str, given: object, expected: str, remedy: str) -> ConfigError:
        where = f"infoset {self.infoset!r}" if not self.is_chance else "a history of chance"
        moves = "/".join(self.history) or "the start"
        return ConfigError(
            f"{method} of {repr_short(given)} at {where}, after {moves}; expected {expected}",
            option=method,
            given=given,
            expected=expected,
            place=moves,
            remedy=remedy,
        )


def _whole(count: SupportsIndex) -> int:
    """A whole number, of NumPy's too, as one of Python's; 0 for anything else."""
    try:
        return index(count)
    except TypeError:
        return 0


Choose: TypeAlias = Callable[[NodeView], Choice]
"""A sampler's decision at a history."""
