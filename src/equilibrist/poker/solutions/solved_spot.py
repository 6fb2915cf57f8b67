"""SolvedSpot: the nodes of a solved spot with what both players do there, by line."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

import numpy as np

from equilibrist.errors import ConfigError
from equilibrist.poker.betting.actions import line_text
from equilibrist.poker.betting.public_tree import PublicTree, find_node, node_line
from equilibrist.poker.betting.rules import BettingRules
from equilibrist.poker.betting.state import BettingState
from equilibrist.poker.cards.isomorphism import COMBO_IMAGES, fixing
from equilibrist.poker.solutions.node import Node
from equilibrist.poker.solutions.node_values import NodeValues
from equilibrist.poker.solutions.spot_strategy import follow_line
from equilibrist.poker.spots.lock import Lock
from equilibrist.poker.spots.spot import Spot
from equilibrist.poker.spots.table_lock import strategy_lock

Evaluate = Callable[[int, tuple[int, ...]], NodeValues]
"""The figures at a node of the public tree, after the cards that were dealt since the root. Where
players are all-in before the river, cards may have been dealt after the node's street."""
OnBoard = Callable[[tuple[int, ...]], Callable[[int], NodeValues]]
"""The figures at any node of a street, after the cards that were dealt since the root: for those
who want many nodes of a board."""
Resolved = Callable[[int, tuple[int, ...]], float | None]
"""The mean gain to which a node was re-solved, in chips; None if it was not."""


@dataclass(frozen=True, eq=False)
class SolvedSpot:
    """The strategies of both players, node by node; `strategy[line]` is `strategy.at(line)`.

    Attributes:
        spot: What was solved.
        evaluate: Returns the figures at a node of the public tree.
        on_board: Returns the figures at all nodes of a board; None if each node is looked up by
            itself.
        resolved: Returns the mean gain, in chips, to which a node was re-solved, or None.
    """

    spot: Spot
    evaluate: Evaluate
    on_board: OnBoard | None = None
    resolved: Resolved | None = None

    @property
    def rules(self) -> BettingRules:
        """The betting."""
        return self.spot.rules()

    @property
    def tree(self) -> PublicTree:
        """The public tree."""
        return self.spot.betting.tree

    def at(self, line: str = "") -> Node:
        """The node after a line with cards, such as `X-B94-C|8h|X-X|2c|B200`; empty is the root.

        Args:
            line: Actions and cards since the root.

        Returns:
            The node, with the figures of all hands there.

        Raises:
            LineSyntaxError: The line cannot be read, an action is not possible, or a card is
                missing or on the board already.
            ConfigError: The line is not a text.
        """
        state, runout = self.followed(line)
        node = find_node(self.tree, state.line)
        return self._node(node, state, runout, self.evaluate(node, runout))

    def __getitem__(self, line: str) -> Node:
        return self.at(line)

    def nodes(self, runout: tuple[int, ...], nodes: Iterable[int]) -> Iterator[Node]:
        """Nodes of the public tree on one board, for the cost of about one.

        Args:
            runout: The cards since the root, as many as the nodes' street takes.
            nodes: Numbers of nodes of `tree`, all of one street.

        Yields:
            The nodes, in that order.
        """
        figures = self.on_board(runout) if self.on_board else None
        for node in nodes:
            values = figures(node) if figures else self.evaluate(node, runout)
            state, _ = self.rules.follow(line_text(node_line(self.tree, node)))
            yield self._node(node, state, runout, values)

    def lock(self, line: str = "") -> Lock:
        """Fix what is played at a node, for every hand, to six decimals; for `Spot.locks`.

        Where cards were dealt the lock holds on their runout alone. Hands that are suit images of
        each other get their mean, so that they remain images.

        Args:
            line: Actions and cards since the root.

        Returns:
            The lock.

        Raises:
            LineSyntaxError: The line cannot be read or played.
            ConfigError: Nobody acts there.
        """
        node = self.at(line)
        if node.player is None:
            raise ConfigError(
                f"no player acts at {line} ({node.what}), so nothing can be locked there",
                option="line",
                given=line,
            )
        group = self.spot.symmetries
        for card in node.runout:
            group = fixing(group, card)
        images = [node.values.strategy[:, COMBO_IMAGES[number]] for number in group]
        return strategy_lock(node.line, node.actions, np.mean(images, axis=0))

    def _node(
        self, node: int, state: BettingState, runout: tuple[int, ...], values: NodeValues
    ) -> Node:
        resolved = None if self.resolved is None else self.resolved(node, runout)
        return Node(
            self.spot.cards,
            state,
            runout,
            self.rules.actions(state),
            values,
            resolved,
            self.spot.measure_name,
        )

    def followed(self, line: str) -> tuple[BettingState, tuple[int, ...]]:
        """Follow a line with cards.

        Args:
            line: Actions and cards since the root.

        Returns:
            The state of the betting after it, and the cards in it.

        Raises:
            LineSyntaxError: The line cannot be read or played.
            ConfigError: The line is not a text.
        """
        return follow_line(self.spot, line)
