"""The report of an abstraction: sizes, recall, and what it costs in the full game.

Where linear programmes do not serve (more players, other payoffs, players who forget, games too
large), CFR+ solves the merged game, and what it found is measured by true best responses. That is
what one strategy costs, not the least that any would cost, and the report says so.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from equilibrist.abstraction.abstraction import Abstraction, checked_abstraction
from equilibrist.abstraction.measures.bounds import SymmetryBound, symmetry_bound
from equilibrist.abstraction.measures.numbers import LARGEST, Measures, ThreeNumbers
from equilibrist.abstraction.merging import merged_tree
from equilibrist.abstraction.recall import Recall, classify_recall
from equilibrist.evaluation.response import Evaluation, evaluate
from equilibrist.formatting.amounts import counted
from equilibrist.formatting.documents import document
from equilibrist.options.defaults import SUBSTITUTE_ITERATIONS
from equilibrist.parsing.arguments import whole_number
from equilibrist.solvers.full_traversal.cfr import CFR
from equilibrist.solvers.full_traversal.history_cfr import HistoryCFR
from equilibrist.strategy import Strategy
from equilibrist.tree.compile import GameTree, checked_tree

BOUNDED = 200_000
"""Histories up to which a bound is looked for."""


@dataclass(frozen=True)
class MeasuredProfile:
    """A strategy of an abstraction that CFR+ found, measured in the full game.

    Attributes:
        strategy: The profile, lifted to the full game.
        evaluation: Its values and gains in the full game, by true best responses.
    """

    strategy: Strategy
    evaluation: Evaluation

    def to_dict(self) -> dict[str, Any]:
        """What it is worth, as a document without the strategy.

        Returns:
            `values`, `gains`, `nash_conv` and `exploitability`.
        """
        return document(self.evaluation, "values gains nash_conv exploitability")


@dataclass(frozen=True)
class AbstractionReport:
    """What an abstraction is, and what it costs.

    Attributes:
        abstraction: The abstraction.
        recall: What each player remembers under it.
        numbers: The three numbers; None where linear programmes do not serve.
        solved: Without the numbers: what CFR+ found in the merged game.
        one_sided: Without the numbers, with two players and constant sum: each seat's part of what
            CFR+ found with that seat abstract and the other one knowing all.
        iterations: Iterations of CFR+; 0 where it was not used.
        bound: A bound on the loss of every equilibrium of the merged game; None if none is known.
        why_measured: Why there are no numbers, in words; empty where there are.
    """

    abstraction: Abstraction
    recall: tuple[Recall, ...]
    numbers: ThreeNumbers | None
    solved: MeasuredProfile | None
    one_sided: MeasuredProfile | None
    iterations: int
    bound: SymmetryBound | None
    why_measured: str

    def to_dict(self) -> dict[str, Any]:
        """The report as a document of numbers and texts.

        Returns:
            Names and what they are, without strategies, as `abstract --json` prints them.
        """
        return {
            "measured_only": self.numbers is None,
            "why_measured": self.why_measured or None,
            "iterations": self.iterations or None,
            **document(self, "numbers solved one_sided"),
            "bound": None if self.bound is None else document(self.bound, "gains exploitability"),
        }


def report(
    tree: GameTree, abstraction: Abstraction, *, iterations: int = SUBSTITUTE_ITERATIONS
) -> AbstractionReport:
    """Measure what an abstraction costs.

    Args:
        tree: A compiled game of perfect recall.
        abstraction: An abstraction of it.
        iterations: Iterations of CFR+ where linear programmes do not serve.

    Returns:
        The report; its numbers are least ones where the game has two players and constant sum, the
        abstraction perfect recall, and the game at most 5,000 sequences.

    Raises:
        RecallError: The game has imperfect recall.
        MismatchError: It is an abstraction of another game.
        ConfigError: `iterations` is below 1.
    """
    checked_tree(tree).sequence_form  # noqa: B018 - raises RecallError
    checked_abstraction(abstraction, tree)
    whole_number("iterations", iterations, 1)
    recall = classify_recall(abstraction)
    bound = symmetry_bound(abstraction) if tree.num_nodes <= BOUNDED else None
    why = _why_measured(tree, recall)
    if not why:
        numbers = Measures(tree).three_numbers(abstraction)
        return AbstractionReport(
            abstraction=abstraction,
            recall=recall,
            numbers=numbers,
            solved=None,
            one_sided=None,
            iterations=0,
            bound=bound,
            why_measured="",
        )
    solving = _Solving(abstraction, iterations)
    one_sided = None
    if tree.num_players == 2 and tree.is_constant_sum:
        one_sided = solving.one_sided()
    return AbstractionReport(
        abstraction=abstraction,
        recall=recall,
        numbers=None,
        solved=solving.whole,
        one_sided=one_sided,
        iterations=iterations,
        bound=bound,
        why_measured=why,
    )


def _why_measured(tree: GameTree, recall: tuple[Recall, ...]) -> str:
    if tree.num_players != 2:
        return f"the game has {counted(tree.num_players, 'player')}"
    if not tree.is_constant_sum:
        return "the sum of the payoffs varies"
    forgets = [player_recall for player_recall in recall if player_recall.kind != "perfect"]
    if forgets:
        return f"player {forgets[0].player} has {forgets[0].words}"
    if tree.num_sequences > LARGEST:
        return f"the game has {tree.num_sequences:,} sequences, more than {LARGEST:,}"
    return ""


@dataclass(frozen=True)
class _Solving:
    """CFR+ on what an abstraction leaves of a game."""

    abstraction: Abstraction
    iterations: int

    @cached_property
    def whole(self) -> MeasuredProfile:
        """All players abstract."""
        return self._measured(self._solve(self.abstraction))

    def one_sided(self) -> MeasuredProfile:
        """Each of two seats solved against an opponent who knows everything."""
        first, second = (self._solve(seat_only(self.abstraction, seat)) for seat in range(2))
        return self._measured(first.replace(1, second))

    def _measured(self, strategy: Strategy) -> MeasuredProfile:
        return MeasuredProfile(strategy, evaluate(strategy))

    def _solve(self, abstraction: Abstraction) -> Strategy:
        merged = merged_tree(abstraction)
        solver: CFR | HistoryCFR
        if all(player_recall.kind == "perfect" for player_recall in classify_recall(abstraction)):
            solver = CFR(merged, "cfr+")
        else:
            solver = HistoryCFR(merged, "cfr+")
        solver.run(self.iterations)
        average = solver.average_strategy()
        solver.close()
        return average if merged is abstraction.tree else abstraction.lift(average)


def seat_only(abstraction: Abstraction, seat: int) -> Abstraction:
    """Restrict an abstraction to one seat; the others know all.

    Args:
        abstraction: An abstraction.
        seat: The player it stays for.

    Returns:
        The abstraction, called `0:NAME` for seat 0.

    Raises:
        ConfigError: The game has no such seat.
    """
    tree = abstraction.tree
    whole_number("seat", seat, 0, tree.num_players - 1)
    groups = abstraction.abstract_of.copy()
    others = np.flatnonzero(tree.infoset_player != seat)
    groups[others] = abstraction.num_infosets + others
    names = [abstraction.keys[k] for k in abstraction.abstract_of.tolist()]
    for infoset in others.tolist():
        names[infoset] = tree.infoset_keys[infoset]
    return Abstraction(tree, groups, keys=names, name=f"{seat}:{abstraction.name}")
