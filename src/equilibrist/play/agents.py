"""Players of a session: people, whose choices come from outside, and agents, who play a mixture."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

from equilibrist.game import Game
from equilibrist.parsing.arguments import bad_argument
from equilibrist.play.table import Table
from equilibrist.rules.game import RulesGame
from equilibrist.rules.strategy import PackedStrategy, checked_packed
from equilibrist.strategy import Strategy, checked_strategy
from equilibrist.tree.compile import GameTree

_SUM_TOLERANCE = 1e-6


@dataclass(frozen=True)
class Person:
    """Somebody whose choices come from outside: `Session.choose`.

    Attributes:
        name: What to call them.
    """

    name: str


@runtime_checkable
class Agent(Protocol):
    """Anything that gives a probability for each of its actions."""

    @property
    def name(self) -> str:
        """The name to display."""
        ...

    def mixture(self, table: Table, /) -> Sequence[float]:
        """The probability of each of `table.actions`, at this agent's turn.

        Args:
            table: The hand; fair agents use only `table.infoset` and `table.actions`.

        Returns:
            One probability per action.
        """
        ...


@runtime_checkable
class CountsHands(Protocol):
    """An agent whose draws depend on the number of the hand."""

    def begin(self, number: int | None = None, /) -> None:
        """Begin a hand."""
        ...


@dataclass(frozen=True)
class UniformAgent:
    """Every action equally likely.

    Attributes:
        name: What to call it.
    """

    name: str = "uniform"

    def mixture(self, table: Table, /) -> Sequence[float]:
        """Give every action the same probability.

        Args:
            table: The hand, at this agent's turn.

        Returns:
            One probability per action of `table.actions`.
        """
        return [1.0 / len(table.actions)] * len(table.actions)


@dataclass(frozen=True, eq=False)
class StrategyAgent:
    """Plays a strategy of the compiled game.

    Attributes:
        strategy: The strategy.
        name: What to call it.
    """

    strategy: Strategy
    name: str = "AI"

    def __post_init__(self) -> None:
        checked_strategy(self.strategy)

    def mixture(self, table: Table, /) -> Sequence[float]:
        """The strategy's probabilities at the infoset of the player to act.

        Args:
            table: The hand, at this agent's turn.

        Returns:
            One probability per action of `table.actions`.

        Raises:
            UnknownNameError: The strategy's game has no such infoset.
            ConfigError: The infoset has other actions there.
        """
        row = self.strategy[table.infoset]
        if tuple(row) != table.actions:
            expected = f"{tuple(row)}, as the strategy has them"
            raise bad_argument("actions", table.actions, expected)
        return list(row.values())


@dataclass(frozen=True, eq=False)
class PackedAgent:
    """Plays a strategy that was found without a tree.

    Attributes:
        packed: The strategy.
        game: The rules as a game.
        name: What to call it.

    Raises:
        MismatchError: If `game` is not made of rules, or the strategy is one of others.
    """

    packed: PackedStrategy
    game: Game[Any]
    name: str = "AI"

    def __post_init__(self) -> None:
        checked_packed(self.packed)
        self.packed.rules_of(self.game)

    def mixture(self, table: Table, /) -> Sequence[float]:
        """The probabilities of the packed infoset; equal ones where the strategy has none.

        Args:
            table: The hand, at this agent's turn.

        Returns:
            One probability per action of `table.actions`.
        """
        assert isinstance(self.game, RulesGame)
        return list(self.packed.behaviour(self.game, table.state).values())


def known_strategy(seat: Person | Agent, tree: GameTree) -> Strategy | None:
    """The strategy of `tree` that a seat is known to play; None if it is unknown.

    Args:
        seat: A person or an agent.
        tree: The compiled game.

    Returns:
        The strategy, on this tree.
    """
    if type(seat) is StrategyAgent and seat.strategy.tree.fingerprint == tree.fingerprint:
        return Strategy(tree, seat.strategy.probabilities)
    if type(seat) is PackedAgent:
        return Strategy.from_packed(tree, seat.packed)
    return Strategy.uniform(tree) if type(seat) is UniformAgent else None


def checked_mixture(agent: Agent, table: Table) -> tuple[float, ...]:
    """The agent's mixture, one probability per action; ConfigError for anything else.

    Args:
        agent: Who acts.
        table: The hand, at its turn.

    Returns:
        The probabilities, which add up to 1.

    Raises:
        ConfigError: The agent gave something else.
    """
    try:
        mixture = tuple(map(float, agent.mixture(table)))
    except (TypeError, ValueError):
        mixture = ()
    fits = len(mixture) == len(table.actions) and all(p >= 0.0 for p in mixture)
    if not fits or not abs(sum(mixture) - 1.0) <= _SUM_TOLERANCE:
        raise bad_argument(
            "mixture",
            mixture,
            f"{len(table.actions)} probabilities that add up to 1",
            label=f"the mixture of {agent.name} at {table.infoset!r}",
        )
    return mixture
