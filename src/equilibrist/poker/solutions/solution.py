"""A solved spot: how it was solved, and a way to every node."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final, Literal, NoReturn, get_args

import numpy as np
from numpy.typing import NDArray

from equilibrist.errors import ConfigError, OutputError
from equilibrist.poker.betting.actions import line_text
from equilibrist.poker.betting.public_tree import PublicTree, find_node, node_line
from equilibrist.poker.betting.rules import BettingRules
from equilibrist.poker.betting.state import BettingState
from equilibrist.poker.cards.isomorphism import COMBO_IMAGES, fixing
from equilibrist.poker.solutions.node import Node
from equilibrist.poker.solutions.node_values import NodeValues
from equilibrist.poker.solutions.spot_strategy import follow_line
from equilibrist.poker.spots.lock import Lock, strategy_lock
from equilibrist.poker.spots.spot import Spot
from equilibrist.solvers.run.loop import StopReason

Evaluate = Callable[[int, tuple[int, ...]], NodeValues]
"""The figures at a node of the public tree, after the cards that were dealt since the root. Where
players are all-in before the river, cards may have been dealt after the node's street."""
Keep = Literal["all", "no-rivers", "first-street"]
KEEPS: Final[tuple[Keep, ...]] = get_args(Keep)
"""The streets that a file keeps. The others are re-solved when they are looked at."""
OnBoard = Callable[[tuple[int, ...]], Callable[[int], NodeValues]]
"""The figures at any node of a street, after the cards that were dealt since the root: for those
who want many nodes of a board."""


@dataclass(frozen=True, eq=False)
class PostflopResult:
    """A solved spot.

    Attributes:
        spot: What was solved.
        evaluate: Gives the figures at a node of the public tree.
        iterations: Iterations that were run.
        seconds: How long they took.
        mean_gain: What a player who knows the other's strategy gains, the mean of both, in
            chips. Where the spot has locks he is bound by his own.
        memory_bytes: What the solver held.
        stopped_by: What ended the run.
        target: The mean gain that would end it, in chips, if there was one.
        keep: The streets that are kept; `all` unless it was loaded from a file with fewer.
        resolved: Gives the mean gain, in chips, to which a node was re-solved, None if it was not.
        failure: What kept a checkpoint from being written, which ends a run.
        parts: Gives what a file of the first streets needs: entries of a header, and arrays.
        on_board: Gives the figures at all nodes of a board; None if each is asked for by itself.
        unlocked_mean_gain: What they gain if their own locks do not bind them; None without locks.
        missed_frequency: By how much a locked frequency is missed, as a share of the range: the
            worst of them, over runouts the mean. None without any.
    """

    spot: Spot
    evaluate: Evaluate
    iterations: int
    seconds: float
    mean_gain: float
    memory_bytes: int
    stopped_by: StopReason
    target: float | None = None
    keep: Keep = "all"
    resolved: Callable[[int, tuple[int, ...]], float | None] | None = None
    failure: OutputError | None = None
    parts: Callable[[int], tuple[dict[str, Any], dict[str, NDArray[Any]]]] | None = None
    on_board: OnBoard | None = None
    unlocked_mean_gain: float | None = None
    missed_frequency: float | None = None

    @property
    def mean_gain_percent(self) -> float:
        """`mean_gain` in percent of the pot at the root."""
        return 100 * self.mean_gain / self.spot.pot

    @property
    def exploitability(self) -> float | None:
        """`mean_gain` where payoffs have a constant sum; None with rake."""
        return None if self.spot.is_raked else self.mean_gain

    @property
    def exploitability_percent(self) -> float | None:
        """The same in percent of the pot at the root."""
        return None if self.spot.is_raked else self.mean_gain_percent

    @property
    def unlocked_exploitability(self) -> float | None:
        """`unlocked_mean_gain` where payoffs have a constant sum; None with rake."""
        return None if self.spot.is_raked else self.unlocked_mean_gain

    @property
    def equity(self) -> tuple[float, float]:
        """The shares of the pot of both players at the root, if there were no more betting."""
        return self._root.totals.equity

    @property
    def ev(self) -> tuple[float, float]:
        """The EV of both players at the root, in chips."""
        return self._root.totals.ev

    @property
    def eqr(self) -> tuple[float, float]:
        """The equity that both players realise: EV divided by equity times the pot."""
        return self._root.totals.eqr

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

        Raises LineSyntaxError for what cannot be read, for actions that are not possible, with
        those that are, for cards that are missing, and for cards that are on the board already.
        """
        state, runout = self.followed(line)
        node = find_node(self.tree, state.line)
        return self._node(node, state, runout, self.evaluate(node, runout))

    def nodes(self, runout: tuple[int, ...], nodes: Iterable[int]) -> Iterator[Node]:
        """Nodes of the public tree on one board, for the price of about one.

        `runout` are the cards since the root, as many as the nodes' street takes.
        """
        figures = self.on_board(runout) if self.on_board else None
        for node in nodes:
            values = figures(node) if figures else self.evaluate(node, runout)
            state, _ = self.rules.follow(line_text(node_line(self.tree, node)))
            yield self._node(node, state, runout, values)

    def lock(self, line: str = "") -> Lock:
        """What is played at a node, fixed for every hand, to six decimals; for `Spot.locks`.

        Where cards were dealt it holds on their runout alone. Hands that suits which change places
        take to each other get the mean, so that they still can. Raises what `at` raises, and
        ConfigError where nobody acts.
        """
        node = self.at(line)
        if node.player is None:
            raise ConfigError(
                f"nobody acts at {line}, {node.what}: nothing can be locked there",
                option="line",
                given=line,
            )
        group = self.spot.symmetries
        for card in node.runout:
            group = fixing(group, card)
        images = [node.values.strategy[:, COMBO_IMAGES[number]] for number in group]
        return strategy_lock(node.line, node.actions, np.mean(images, axis=0))

    def to_dict(self, line: str = "") -> dict[str, Any]:
        """The solution and one of its nodes as a JSON document; raises what `at` raises.

        `equity`, `ev` and `eqr` outside of `node` are those at the root.
        """
        return {**self.facts(), "node": self.at(line).to_dict()}

    def facts(self) -> dict[str, Any]:
        """The spot, the run and both players' totals at the root, for a JSON document.

        The mean gain is called exploitability in the keys of spots without rake.
        """
        measure = self.spot.measure_name.replace(" ", "_")
        unlocked = self.unlocked_mean_gain
        return {
            "board": self.spot.board,
            "pot": self.spot.pot,
            "stack": self.spot.stack,
            "oop": str(self.spot.oop),
            "ip": str(self.spot.ip),
            "locks": [str(lock) for lock in self.spot.locks],
            "iterations": self.iterations,
            "seconds": round(self.seconds, 3),
            f"{measure}_chips": round(self.mean_gain, 6),
            f"{measure}_pct": round(self.mean_gain_percent, 6),
            f"unlocked_{measure}_chips": None if unlocked is None else round(unlocked, 6),
            "missed_frequency": None
            if self.missed_frequency is None
            else round(self.missed_frequency, 6),
            "stopped_by": self.stopped_by,
            "memory_bytes": self.memory_bytes,
            **self._root.totals_document(),
        }

    def __reduce__(self) -> NoReturn:
        raise ConfigError(
            "a solution cannot be pickled or copied: poker.save(solution, path) writes it to a "
            "file, which poker.load(path) opens, also in another process",
            option="solution",
        )

    def __str__(self) -> str:
        return (
            f"{self.iterations:,} iterations, {self.seconds:.3g} seconds; {self.spot.measure_name} "
            f"{self.mean_gain:.4g} chips, {self.mean_gain_percent:.3g} % of the pot"
        )

    def __repr__(self) -> str:
        return f"<PostflopResult of {self.spot.board}: {self}>"

    def _repr_html_(self) -> str:
        return f"<p>{self}</p>{self._root._repr_html_()}"

    @cached_property
    def _root(self) -> Node:
        return self.at()

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
        """The state after a line and the cards in it; raises what `at` raises."""
        return follow_line(self.spot, line)
