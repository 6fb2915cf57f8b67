"""A solved spot: how it was solved, and a way to every node."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final, Literal, get_args

from numpy.typing import NDArray

from equilibrist.errors import LineSyntaxError, OutputError
from equilibrist.poker.betting import BettingRules
from equilibrist.poker.betting_state import BettingState
from equilibrist.poker.cards import card_name
from equilibrist.poker.lines import line_text, parse_line
from equilibrist.poker.node_values import NodeValues
from equilibrist.poker.node_view import Node
from equilibrist.poker.public_tree import PublicTree, find_node, public_tree
from equilibrist.poker.spot import Spot
from equilibrist.solvers.run import StopReason

Evaluate = Callable[[int, tuple[int, ...]], NodeValues]
"""The figures at a node of the public tree, after the cards that were dealt since the root. Where
players are all-in before the river, cards may have been dealt after the node's street."""
Keep = Literal["all", "no-rivers", "first-street"]
KEEPS: Final[tuple[Keep, ...]] = get_args(Keep)
"""The streets that a file keeps. The others are solved anew when they are looked at."""


@dataclass(frozen=True, eq=False)
class Solution:
    """A solved spot.

    Attributes:
        spot: What was solved.
        evaluate: Gives the figures at a node of the public tree.
        iterations: Iterations that were run.
        seconds: How long they took.
        exploitability: What a player who knows the other's strategy gains, the mean of both, in
            chips.
        memory_bytes: What the solver held.
        stopped_by: What ended the run.
        target: The exploitability that would end it, in chips, if there was one.
        keep: The streets that are kept; `all` unless it was loaded from a file with fewer.
        resolved: Gives the exploitability to which a node was solved anew, None if it was not.
        failure: What kept a checkpoint from being written, which ends a run.
        parts: Gives what a file of the first streets needs: entries of a header, and arrays.
    """

    spot: Spot
    evaluate: Evaluate
    iterations: int
    seconds: float
    exploitability: float
    memory_bytes: int
    stopped_by: StopReason
    target: float | None = None
    keep: Keep = "all"
    resolved: Callable[[int, tuple[int, ...]], float | None] | None = None
    failure: OutputError | None = None
    parts: Callable[[int], tuple[dict[str, Any], dict[str, NDArray[Any]]]] | None = None

    @property
    def exploitability_percent(self) -> float:
        """The same in percent of the pot at the root."""
        return 100 * self.exploitability / self.spot.pot

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

    @cached_property
    def rules(self) -> BettingRules:
        """The betting."""
        return self.spot.rules()

    @cached_property
    def tree(self) -> PublicTree:
        """The public tree."""
        return public_tree(self.rules)

    def at(self, line: str = "") -> Node:
        """The node after a line with cards, such as `X-B94-C|8h|X-X|2c|B200`; empty is the root.

        Raises LineSyntaxError for what cannot be read, for actions that are not possible, with
        those that are, for cards that are missing, and for cards that are on the board already.
        """
        state, runout = self._followed(line)
        node = find_node(self.tree, state.line)
        values = self.evaluate(node, runout)
        resolved = None if self.resolved is None else self.resolved(node, runout)
        return Node(self.spot.cards, state, runout, self.rules.actions(state), values, resolved)

    def save(self, path: str | os.PathLike[str], keep: Keep = "all") -> None:
        """Write the solution to a file, which `Solution.load` opens.

        `keep` says which streets are kept: all, all but the rivers, or the first alone. Strategies
        and EVs of what is kept are afterwards what they are now, bit for bit; the rest is solved
        anew when it is looked at. An earlier solution is replaced; it stays if anything fails.

        Raises OutputError, and ConfigError where nothing would be left.
        """
        from equilibrist.poker.saved_spot import save_solution

        save_solution(self, path, keep)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Solution:
        """Open a solution that `save` wrote, also as `equilibrist.poker.load_solution`.

        Strategies are read when they are asked for. Nodes on streets that the file does not keep
        are solved anew, to the target of the run; their `resolved` says how well. Raises
        FileFormatError for what is no such file, cut off or damaged; damage to strategies is found
        where they are looked at.
        """
        from equilibrist.poker.saved_spot import load_solution

        return load_solution(path)

    def to_dict(self, line: str = "") -> dict[str, Any]:
        """The solution and one of its nodes as a JSON document; raises what `at` raises.

        `equity`, `ev` and `eqr` outside of `node` are those at the root.
        """
        return {
            "board": self.spot.board,
            "pot": self.spot.pot,
            "stack": self.spot.stack,
            "oop": str(self.spot.oop),
            "ip": str(self.spot.ip),
            "iterations": self.iterations,
            "seconds": self.seconds,
            "exploitability_chips": self.exploitability,
            "exploitability_pct": self.exploitability_percent,
            "stopped_by": self.stopped_by,
            "memory_bytes": self.memory_bytes,
            **self._root.totals_document(),
            "node": self.at(line).to_dict(),
        }

    def __str__(self) -> str:
        return (
            f"{self.iterations:,} iterations, {self.seconds:.3g} seconds; exploitability "
            f"{self.exploitability:.4g} chips, {self.exploitability_percent:.3g} % of the pot"
        )

    def __repr__(self) -> str:
        return f"<Solution of {self.spot.board}: {self}>"

    def _repr_html_(self) -> str:
        return f"<p>{self}</p>{self._root._repr_html_()}"

    @cached_property
    def _root(self) -> Node:
        return self.at()

    def _followed(self, line: str) -> tuple[BettingState, tuple[int, ...]]:
        """The state after a line and the cards in it."""
        state, cards = self.rules.follow(line)
        parts = parse_line(line)
        runout: list[int] = []
        for k, card in enumerate(cards):
            place = parts[k + 1].cards_at
            if card is None:
                before = [part.actions for part in parts[: k + 1]]
                free = next(c for c in range(52) if c not in (*self.spot.cards, *cards))
                so_far = line_text([*before, ()], [[c] for c in (*runout, free)])
                message = f"a card must be dealt here, such as {so_far}"
                raise LineSyntaxError(message, place.whole, place.start)
            if card in self.spot.cards:
                message = f"{card_name(card)} is on the board {self.spot.board} already"
                raise LineSyntaxError(message, place.whole, place.start)
            runout.append(card)
        return state, tuple(runout)
