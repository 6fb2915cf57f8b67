"""The agent that plays an exact solution of a hand, and the ranges and the coach that go by it.

A file of such a solution has the strategies before the flop. When a flop comes, the rest of the
hand is solved with the ranges that the solution brings there; see `poker.SolvedFlops`.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from equilibrist.errors import ConfigError
from equilibrist.parsing.arguments import instance, whole_number
from equilibrist.play.coach import Advice
from equilibrist.play.hands.by_hand import mixture_of, mixture_over_range
from equilibrist.play.hands.game import HandGame
from equilibrist.play.range_mixtures import RangeMixture
from equilibrist.play.table import Table
from equilibrist.poker.cards.combos import CLASS_NAMES, CLASS_OF_COMBO, COMBO_MASKS
from equilibrist.poker.hands.tree_lines import node_at, path_to
from equilibrist.poker.preflop.exact.flops.solved import SolvedFlops
from equilibrist.poker.preflop.exact.solution import PreflopSolution
from equilibrist.typing import FloatArray


class PreflopAgent:
    """Plays an exact solution of a hand.

    Args:
        solution: The solution.
        name: What to call it.
        flops: Solves the flops of a hand with betting after the flop; None for one of its own.

    Attributes:
        solution: The solution.
        name: What to call it.

    Raises:
        ConfigError: `solution` is none, or `flops` is of another one.
        MemoryBudgetError: A flop of the hand is too large to be solved.
    """

    def __init__(
        self, solution: PreflopSolution, name: str = "AI", flops: SolvedFlops | None = None
    ) -> None:
        """Play a solution; the class describes the arguments."""
        self._decisions = _Decisions(solution, flops)
        self.solution, self.name = solution, name

    def mixture(self, table: Table, /) -> list[float]:
        """The probabilities of the solution with the hand of the seat to act.

        Args:
            table: The hand, at this agent's turn.

        Returns:
            One probability per action of `table.actions`.

        Raises:
            NotationError: The solution has no such line.
        """
        return self.mixture_at(table.infoset)

    def mixture_at(self, infoset: str) -> list[float]:
        """The probabilities of the solution at an infoset.

        Args:
            infoset: The key, such as `AhKh:R2.5-C|Td9d6h|X`.

        Returns:
            One probability per action.

        Raises:
            ConfigError: The key has another form.
            NotationError: The solution has no such line.
        """
        return list(self._decisions.at(infoset).mixture)


class PreflopRanges:
    """Ranges of an opponent who plays an exact solution.

    The opponent's hands at a decision have the weights of its range there, without those that
    share a card with the player's own hand.

    Args:
        solution: The solution.
        flops: Solves the flops of a hand with betting after the flop; None for one of its own.

    Raises:
        ConfigError: `solution` is none, or `flops` is of another one.
        MemoryBudgetError: A flop of the hand is too large to be solved.
    """

    def __init__(self, solution: PreflopSolution, flops: SolvedFlops | None = None) -> None:
        """Go by a solution; the class describes the arguments."""
        self._decisions = _Decisions(solution, flops)

    def mixtures(self, infoset: str, /) -> tuple[RangeMixture, ...]:
        """What the opponent did in the hand so far, as the player of an infoset may know it.

        Args:
            infoset: The key of the player's infoset, such as `AhKh:R2.5-C|Td9d6h|X`.

        Returns:
            One mixture per decision of the opponent, the first decision first.

        Raises:
            ConfigError: The key has another form.
            NotationError: The solution has no such line.
        """
        decisions, tree = self._decisions, self._decisions.solution.tree
        combo, (_, board, betting) = decisions.game.at(infoset)
        here = node_at(tree, str(betting))
        found = []
        for node, taken in path_to(tree, here):
            seat = int(tree.player[node])
            if seat == betting.player:
                continue
            strategy, weight = decisions.by_hand(node, board)
            weight[COMBO_MASKS & COMBO_MASKS[combo] != 0] = 0.0
            where, actions = tree.line(node), tree.moves(node)
            found.append(mixture_over_range(seat, where, actions, taken, strategy, weight))
        return tuple(found)


class PreflopCoach:
    """Judges choices by an exact solution of a hand.

    The values of an `Advice` are the EVs of the actions, against the stack before posting, if both
    seats follow the solution afterwards: before the flop that of the file, after it that of the
    flop as it was solved.

    Args:
        solution: The solution.
        flops: Solves the flops of a hand with betting after the flop; None for one of its own.

    Raises:
        ConfigError: `solution` is none, or `flops` is of another one.
        MemoryBudgetError: A flop of the hand is too large to be solved.
    """

    def __init__(self, solution: PreflopSolution, flops: SolvedFlops | None = None) -> None:
        """Go by a solution; the class describes the arguments."""
        self._decisions = _Decisions(solution, flops)
        self.solution = solution
        self._unit = float(solution.hand.rules.scale.chips(solution.game.big_blind))

    def advise(self, infoset: str, chosen: int, /) -> Advice:
        """What a choice is worth, and what others would have been.

        Args:
            infoset: The key of the infoset, such as `AhKh:C`.
            chosen: The number of the action.

        Returns:
            The EVs of all actions there, and the solution's own probabilities.

        Raises:
            ConfigError: The key has another form, or there is no such action.
            NotationError: The solution has no such line.
        """
        found = self._decisions.at(infoset)
        whole_number("chosen", chosen, 0, len(found.actions) - 1)
        values = self._decisions.values(found)
        if values is not None:
            values = self._unit * values
        return Advice(
            infoset,
            found.actions,
            chosen,
            None if values is None else tuple(values.tolist()),
            found.mixture,
        )


class _Row(NamedTuple):
    """A decision with a hand."""

    node: int
    board: tuple[int, ...]
    combo: int
    actions: tuple[str, ...]
    mixture: tuple[float, ...]


class _Decisions:
    """Looks up the decisions of a solution, before the flop and after it."""

    def __init__(self, solution: PreflopSolution, flops: SolvedFlops | None) -> None:
        self.solution = instance(
            "solution", solution, PreflopSolution, "a PreflopSolution", remedy="solve a hand"
        )
        if flops is not None and flops.solution is not solution:
            raise ConfigError(
                "the flops are solved for another solution",
                option="flops",
                given=flops.solution.game.name,
                expected=solution.game.name,
                remedy="make them with SolvedFlops(solution)",
            )
        if flops is None and solution.hand.rules.final_street:
            flops = SolvedFlops(solution)
        self._flops = flops
        self.game = HandGame(solution.hand)

    def at(self, infoset: str) -> _Row:
        combo, (_, board, betting) = self.game.at(infoset)
        tree = self.solution.tree
        node = node_at(tree, str(betting))
        mixture = mixture_of(self.by_hand(node, board)[0][:, combo])
        actions = tuple(action.code for action in tree.moves(node))
        return _Row(node, board, combo, actions, mixture)

    def by_hand(self, node: int, board: tuple[int, ...]) -> tuple[FloatArray, FloatArray]:
        """float64[A, 1326], the strategy at a decision, and float64[1326], who gets there."""
        tree, solution = self.solution.tree, self.solution
        seat, street = int(tree.player[node]), int(tree.street[node])
        if not street:
            reach = solution.by_hand(solution.ranges_at(node)[seat])
            return solution.by_hand(solution.strategies[node]), reach
        dealt = self._dealt(board, street)
        assert self._flops is not None
        found = self._flops.at(node, dealt[0])
        return found.probabilities(node, dealt), found.reach(node, dealt)[seat]

    def values(self, row: _Row) -> FloatArray | None:
        """float64[A], in big blinds; None where the other seat never comes."""
        street = int(self.solution.tree.street[row.node])
        if not street:
            node = self.solution.at(self.solution.tree.line(row.node))
            k = node.names.index(CLASS_NAMES[CLASS_OF_COMBO[row.combo]])
            found = node.action_ev[:, k]
            return found if np.isfinite(found).all() else None
        dealt = self._dealt(row.board, street)
        assert self._flops is not None
        solved = self._flops.at(row.node, dealt[0])
        return solved.action_values(row.node, dealt, row.combo)

    def _dealt(self, board: tuple[int, ...], street: int) -> list[tuple[int, ...]]:
        """The cards of each street, from the flop to a street."""
        ends = np.cumsum(self.solution.hand.rules.board)[: street + 1].tolist()
        return [board[begin:end] for begin, end in zip(ends, ends[1:], strict=False)]
