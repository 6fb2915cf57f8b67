"""The agent that plays a solution of hold'em, and the ranges and the coach that go by it."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from equilibrist.errors import MismatchError
from equilibrist.parsing.arguments import whole_number
from equilibrist.play.coach import Advice
from equilibrist.play.range_mixtures import RangeMixture
from equilibrist.play.solutions.reading import Place, Reader, Step, reader_of
from equilibrist.play.solutions.values import valuer_of
from equilibrist.play.table import Table
from equilibrist.poker.blueprint.policy import Blueprint
from equilibrist.poker.cards.combos import (
    COMBO_MASKS,
    FIRST_CARD,
    SECOND_CARD,
    combo_name,
)
from equilibrist.poker.decisions.solution import HandSolution
from equilibrist.poker.three_players.solution import ThreeSolution
from equilibrist.typing import FloatArray


class SolutionAgent:
    """Plays a solution of hold'em: of a spot, of a hand or of push or fold, or a blueprint.

    A hand of which the solution says nothing at a decision takes every action equally often. Of a
    spot that happens on streets that its file does not keep, after actions that the solution never
    takes.

    Args:
        solution: The solution; `SolvedFlops` of an exact one to say how its flops are solved.
        name: What to call it.

    Attributes:
        solution: The solution.
        name: What to call it.

    Raises:
        ConfigError: `solution` is none, or has amounts that hands at a table do not have.
        MemoryBudgetError: A flop of the hand is too large to be solved.
    """

    def __init__(self, solution: HandSolution, name: str = "AI") -> None:
        """Play a solution; the class describes the arguments."""
        self._reader = reader_of(solution)
        self.solution, self.name = solution, name

    def mixture(self, table: Table, /) -> list[float]:
        """The probabilities of the solution with the hand of the player to act.

        Args:
            table: The hand, at this agent's turn.

        Returns:
            One probability per action of `table.actions`.

        Raises:
            NotationError: The solution has no such line.
            ConfigError: The solution has no such decision.
            MismatchError: It has other actions there.
        """
        combo, place = self._reader.infoset(table.infoset)
        labels = self._reader.labels(place)
        if labels != tuple(table.actions):
            raise MismatchError(
                f"the solution has other actions at {table.infoset}",
                option="actions",
                given=table.actions,
                expected=labels,
                remedy="play the game of the solution, solution_game(solution)",
            )
        return list(_mixture(self._reader, place, combo))

    def mixture_at(self, infoset: str) -> list[float]:
        """The probabilities of the solution at an infoset.

        Args:
            infoset: The key, such as `AhKh:R2.5-C|Td9d6h|X`.

        Returns:
            One probability per action.

        Raises:
            NotationError: The solution has no such line.
            ConfigError: The key has another form, or the solution has no such decision.
        """
        combo, place = self._reader.infoset(infoset)
        return list(_mixture(self._reader, place, combo))


class SolutionCoach:
    """Judges choices by a solution of hold'em.

    The values of an `Advice` are what the actions win if all follow the solution afterwards, given
    what the solution brings to the decision: in spots in chips, as in `NodeValues.action_ev`, in
    hands against the stack before posting. Those of spots and of exact solutions are exact, after
    the flop by the flop as it was solved; so are those of push or fold of two seats, against the
    ranges of the charts. Those of other charts and of blueprints are estimates on deals that are
    drawn, with 95 % intervals. Values are None where the opponents never come to the decision. In a
    spot the mixture is () where the solution says nothing of the hand.

    Args:
        solution: The solution; `SolvedFlops` of an exact one to say how its flops are solved.
        seed: The seed of what is drawn.

    Attributes:
        solution: The solution.
        is_exact: Whether the values are no estimates.

    Raises:
        ConfigError: `solution` is none, or has amounts that hands at a table do not have.
        MemoryBudgetError: A flop of the hand is too large to be solved.
    """

    def __init__(self, solution: HandSolution, seed: int = 0) -> None:
        """Go by a solution; the class describes the arguments."""
        self._reader = reader_of(solution)
        self.solution = solution
        self._values, self.is_exact = valuer_of(self._reader, seed)

    def advise(self, infoset: str, chosen: int, /) -> Advice:
        """Say what a choice is worth, and what others would have been.

        Args:
            infoset: The key of the infoset, such as `AhKh:X-B50`.
            chosen: The number of the action.

        Returns:
            The values of all actions there, and the solution's own probabilities.

        Raises:
            NotationError: The solution has no such line.
            ConfigError: The key has another form, or there is no such action or decision.
        """
        combo, place = self._reader.infoset(infoset)
        return self._advice(infoset, combo, place, chosen)

    def advise_at(self, combo: int, place: Place, chosen: int = 0) -> Advice:
        """Say what a choice at a place of the solution is worth, and what others would have been.

        Args:
            combo: The hand.
            place: The decision, as the reader of the solution has it.
            chosen: The number of the action.

        Returns:
            The values of all actions there, and the solution's own probabilities.

        Raises:
            ConfigError: There is no such action or decision.
        """
        return self._advice(f"{combo_name(combo)}:{place.where}", combo, place, chosen)

    @property
    def reader(self) -> Reader:
        """What finds the decisions of the solution."""
        return self._reader

    def _advice(self, infoset: str, combo: int, place: Place, chosen: int) -> Advice:
        labels = self._reader.labels(place)
        whole_number("chosen", chosen, 0, len(labels) - 1)
        is_spot = place.betting is None
        of_hand = self._reader.decision(place).mixture(combo)
        mixture = (of_hand or ()) if is_spot else _mixture(self._reader, place, combo)
        valued = self._values(place, combo)
        if valued is None:
            return Advice(infoset, labels, chosen, None, mixture)
        return Advice(infoset, labels, chosen, valued.means, mixture, valued.half_widths)


class SolutionRanges:
    """Ranges of opponents who play a solution of hold'em.

    An opponent's hands at a decision have the weights of its range there, without those that share
    a card with the player's own hand. In a blueprint of three seats, and in a spot of three, they
    are weighed by the hands that they leave to the third seat as well, as card removal has it; with
    more seats by those that they leave to each of the others alone.

    Args:
        solution: The solution; `SolvedFlops` of an exact one to say how its flops are solved.

    Raises:
        ConfigError: `solution` is none, or has amounts that hands at a table do not have.
        MemoryBudgetError: A flop of the hand is too large to be solved.
    """

    def __init__(self, solution: HandSolution) -> None:
        """Go by a solution; the class describes the argument."""
        self._reader = reader_of(solution)
        is_weighed = isinstance(solution, Blueprint | ThreeSolution)
        self._heeds_others = is_weighed and len(solution.seats) > 2

    def mixtures(self, infoset: str, /) -> tuple[RangeMixture, ...]:
        """Mix the opponents' actions so far over all hands that the player of an infoset may face.

        The answer depends on the infoset alone.

        Args:
            infoset: The key of the player's infoset, such as `AhKh:R2.5-C|Td9d6h|X`.

        Returns:
            One mixture per decision of an opponent, the first decision first.

        Raises:
            NotationError: The solution has no such line.
            ConfigError: The key has another form, or the solution has no such decision.
        """
        combo, place = self._reader.infoset(infoset)
        player = self._player(place)
        free = COMBO_MASKS & COMBO_MASKS[combo] == 0
        ranges = dict[int, FloatArray]()
        mixtures = []
        for step in self._reader.steps(place):
            decision = self._reader.decision(step.place)
            strategy = decision.over_combos(decision.strategy)
            reach = decision.over_combos(np.nan_to_num(decision.reach))
            if decision.seat != player:
                possible = free & (decision.over_combos(decision.combos) > 0)
                weight = np.where(possible & (strategy.sum(axis=0) > 0.0), reach, 0.0)
                weight *= self._reader.left_by_folded(step.place, combo)
                if self._heeds_others:
                    others = {*range(len(self._reader.solution.seats))} - {decision.seat, player}
                    held = [
                        ranges[seat] if seat in ranges else self._reader.dealt(seat)
                        for seat in sorted(others)
                    ]
                    left = free & self._reader.left_to_others(decision)
                    weight = _weighed(weight, [np.where(left, own, 0.0) for own in held])
                mixtures.append(self._mixture(step, decision.seat, strategy, weight))
            ranges[decision.seat] = reach * strategy[step.taken]
        return tuple(mixtures)

    def _player(self, place: Place) -> int:
        betting = place.betting
        return self._reader.decision(place).seat if betting is None else int(betting.player)

    def _mixture(
        self, step: Step, seat: int, strategy: FloatArray, weight: FloatArray
    ) -> RangeMixture:
        shares = strategy @ weight
        labels = self._reader.labels(step.place)
        return RangeMixture(
            player=seat,
            where=step.place.where,
            actions=labels,
            words=tuple(map(str, self._reader.actions(step.place))),
            probabilities=tuple((shares / shares.sum()).tolist()) if shares.any() else None,
            holdings=int(np.count_nonzero(weight)),
            taken=labels[step.taken],
        )


def _weighed(weight: FloatArray, others: Iterable[FloatArray]) -> FloatArray:
    """float64[1326]: hands weighed by what they leave to other seats, each by itself."""
    from equilibrist.poker.blueprint.evaluation.joint_deals import free_weight

    for own in others:
        facing = free_weight(own, (FIRST_CARD, SECOND_CARD))
        weight = weight * facing / max(float(facing.max()), 1e-300)
    return weight


def _mixture(reader: Reader, place: Place, combo: int) -> tuple[float, ...]:
    """The probabilities of the actions with a hand; alike where the solution says nothing."""
    mixture = reader.mixture(place, combo)
    if mixture is not None:
        return mixture
    count = len(reader.actions(place))
    return (1.0 / count,) * count
