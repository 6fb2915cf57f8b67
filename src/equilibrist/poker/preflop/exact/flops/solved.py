"""`SolvedFlops`: the flops of a hand that were solved when they came; the latest are kept."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np

from equilibrist.errors import ConfigError
from equilibrist.parsing.arguments import function, instance, optional_whole_number
from equilibrist.poker.cards.cards import card_names
from equilibrist.poker.decisions.decision import Decision
from equilibrist.poker.decisions.solution import refuse_board
from equilibrist.poker.hands.betting_tree import DEAL
from equilibrist.poker.hands.hand import Hand
from equilibrist.poker.hands.rules import STREET_NAMES
from equilibrist.poker.preflop.exact.decision_lines import dealt_by_street, decision_of_line
from equilibrist.poker.preflop.exact.flops.game import FlopGame
from equilibrist.poker.preflop.exact.flops.solution import FlopSolution
from equilibrist.poker.preflop.exact.flops.solver import (
    check_flop_fits,
    flop_bytes,
    read_flop_stop,
    solve_flop,
)
from equilibrist.poker.preflop.exact.solution import PreflopSolution
from equilibrist.progress import Callbacks, OnProgress, as_callbacks
from equilibrist.solvers.run.stopping import Stop
from equilibrist.solvers.run.target import Target
from equilibrist.tree.walk.budget import default_memory

_KEPT: Final = 4
"""Flops that are kept, if they fit into the memory."""


class SolvedFlops:
    """Solves the rest of a hand when a flop has come, with the ranges of an exact solution.

    Most files of exact solutions have the strategies before the flop alone. When a flop comes after
    a line, the game from there on is solved, with the ranges that both seats bring there. The last
    four are kept in memory. A solution with the strategies of all streets is looked up instead, if
    no cards are to come after them.

    Args:
        solution: The solution of the hand.
        stop: When the run on a flop ends: its `seconds` and `target`. They can be given directly,
            in its place; where one is left out, 0.5 % of the pot or 8 seconds hold.
        target: What a best response gains on the flop, on average over both seats, in percent of
            the pot, such as `"0.5%"`.
        seconds: The most seconds from when the flop comes; ten times as many while that gain is
            above 5 % of the pot.
        threads: Threads to work with, by default one for each processor.
        memory: The most bytes, by default half of the machine's memory.
        callbacks: Functions called while a flop is solved; `on_stage` says which.
        on_solve: Called with each flop that was solved.

    Raises:
        ConfigError: An argument is invalid, or the hand has no betting after the flop.
        MemoryBudgetError: A flop takes more memory than it may.
    """

    def __init__(
        self,
        solution: PreflopSolution,
        *,
        stop: Stop | None = None,
        seconds: float | None = None,
        target: str | Target | None = None,
        threads: int | None = None,
        memory: int | None = None,
        callbacks: Callbacks | OnProgress | None = None,
        on_solve: Callable[[FlopSolution], None] | None = None,
    ) -> None:
        """Go by a solution; the class describes the arguments."""
        self.solution = instance("solution", solution, PreflopSolution, "a PreflopSolution")
        if not solution.game.final_street:
            raise ConfigError(
                f"{solution.game.name} has no flops to solve",
                option="solution",
                given=solution.game.last_street,
                remedy="give a solution with betting after the flop",
            )
        self._stop = read_flop_stop(stop, seconds, target)
        self._threads = threads
        optional_whole_number("memory", memory, 1, 2**63 - 1)
        self._memory = default_memory() if memory is None else memory
        if on_solve is not None:
            function("on_solve", on_solve)
        self._callbacks, self._on_solve = as_callbacks(callbacks), on_solve
        self._kept: dict[tuple[int, tuple[int, ...]], FlopSolution] = {}
        self._whole = None if solution.game.to_come else solution.kept
        if self._whole is not None:
            return
        tree, first = solution.tree, solution.hand.rules.board[1]
        flop = solution.hand.rules.deck[:first]
        for deal in np.flatnonzero((tree.kind == DEAL) & (tree.street == 0)).tolist():
            check_flop_fits(FlopGame(solution.game, deal, flop), self._memory)

    @property
    def hand(self) -> Hand:
        """The hand."""
        return self.solution.hand

    @property
    def seats(self) -> tuple[str, ...]:
        """`small blind` and `big blind`."""
        return self.solution.seats

    @property
    def measure(self) -> float:
        """The exploitability before the flop, in mbb a hand."""
        return self.solution.measure

    def lines(self) -> list[str]:
        """The lines that lead to the decisions before the flop.

        Returns:
            The lines, that of the root, which is empty, first.
        """
        return self.solution.lines()

    def facts(self) -> dict[str, Any]:
        """What was solved before the flop, how, and how good it is.

        Returns:
            Plain values, for JSON.
        """
        return self.solution.facts()

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Write the exact solution to a file; flops are solved again where it is opened.

        Args:
            path: The file; an earlier solution of the kind is replaced.

        Returns:
            The path.

        Raises:
            OutputError: It cannot be written, or another file stands there.
        """
        return self.solution.save(path)

    def fingerprint(self) -> str:
        """Tell solutions apart by what was solved before the flop.

        Returns:
            The fingerprint of the exact solution.
        """
        return self.solution.fingerprint()

    def at(self, line: str = "", board: str | Sequence[int] = "") -> Decision:
        """Look up a decision; solves its flop unless it is kept.

        Args:
            line: The actions before it, such as `R2.5-C|X`, or with cards `R2.5-C|Td9d6h|X`.
            board: The public cards, if the line has none: as a text or as numbers.

        Returns:
            The decision: before the flop by class, after it by combo and without EVs, see
            `action_values`.

        Raises:
            NotationError: The line is not offered.
            ConfigError: Nobody acts there, or the board is missing, too short, or before the flop.
        """
        if self._whole is not None:
            return self.solution.at(line, board)
        node, cards = decision_of_line(self.solution.tree, line, board)
        tree, street = self.solution.tree, int(self.solution.tree.street[node])
        if not street:
            refuse_board(cards)
            return self.solution.decision_at(node)
        dealt = self._dealt(cards, street)
        solved = self.flop(node, dealt[0])
        seat = int(tree.player[node])
        strategy = solved.probabilities(node, dealt)
        return Decision(
            line=tree.line(node),
            seat=seat,
            seat_name=self.seats[seat],
            street=STREET_NAMES[street],
            actions=tree.moves(node),
            combos=np.where(strategy.sum(axis=0) > 0.0, 1.0, 0.0),
            reach=solved.reach(node, dealt)[seat],
            strategy=strategy,
            board=tuple(card for cards in dealt for card in cards),
        )

    def action_values(
        self, line: str, board: str | Sequence[int], combo: int
    ) -> tuple[float, ...] | None:
        """What a hand wins after each action on a flop if both seats follow the solution.

        Args:
            line: The line of a decision after the flop.
            board: The public cards, if the line has none.
            combo: The hand of the seat to act.

        Returns:
            A value per action, in big blinds against the stack before posting; None where the
            other seat never comes.

        Raises:
            NotationError: The line is not offered.
            ConfigError: Nobody acts there, or the board is missing or too short.
        """
        node, cards = decision_of_line(self.solution.tree, line, board)
        dealt = self._dealt(cards, int(self.solution.tree.street[node]))
        solved = self.flop(node, dealt[0]) if self._whole is None else self._whole
        values = solved.action_values(node, dealt, combo)
        return None if values is None else tuple(values.tolist())

    def _dealt(self, board: tuple[int, ...], street: int) -> list[tuple[int, ...]]:
        return dealt_by_street(self.hand.rules, board, street)

    def flop(self, node: int, flop: Sequence[int]) -> FlopSolution:
        """The solution of a flop; solves it unless it is kept.

        Args:
            node: A node of the hand's tree after the flop.
            flop: The cards of the flop.

        Returns:
            The solution, of the line before the flop that leads to the node.
        """
        tree = self.solution.tree
        while tree.kind[node] != DEAL or tree.street[node]:
            node = int(tree.parent[node])
        key = node, tuple(sorted(flop))
        solved = self._kept.pop(key, None)
        if solved is None:
            self._callbacks.stage(f"solving {card_names(reversed(key[1]))}")
            solved = solve_flop(
                FlopGame(self.solution.game, *key),
                self.solution.ranges_at(node),
                stop=self._stop,
                callbacks=self._callbacks,
                threads=self._threads,
                memory=self._memory,
            )
            if self._on_solve is not None:
                self._on_solve(solved)
        self._kept[key] = solved
        while len(self._kept) > _KEPT or (len(self._kept) > 1 and self._bytes > self._memory):
            del self._kept[next(iter(self._kept))]
        return solved

    @property
    def _bytes(self) -> int:
        return sum(flop_bytes(solved.game) for solved in self._kept.values())
