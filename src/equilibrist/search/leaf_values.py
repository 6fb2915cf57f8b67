"""Value functions: what play is worth below the leaves of a depth limit, in place of play there.

A value function is asked about a public state with the ranges of both players, and answers with one
number for each hand of each. The numbers are counterfactual: the sum over the other player's hands
of chance, their reach and the payoff, so that they are linear in nothing but what they are asked
with. Any callable of this form will do; those here are exact, tabulated, or nothing at all.

If values are those of an equilibrium of the subgame for whatever ranges are asked about, play above
the leaves tends to that of an equilibrium of the whole (CFR-D). If they are those of one strategy,
fixed, and that is an equilibrium, its own play above is a solution; but so may other play be which
a best response exploits, as the opponent cannot adapt below.

Neil Burch, Michael Johanson and Michael Bowling, "Solving imperfect information games using
decomposition", AAAI 2014; Matej Moravcik et al., "DeepStack", Science 356, 2017.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Final, NamedTuple, Protocol, TypeAlias

import numpy as np

from equilibrist.errors import ConfigError, EquilibristError, MismatchError, UnknownNameError
from equilibrist.formatting.brief import brief_repr
from equilibrist.parsing.arguments import bad_argument, whole_number
from equilibrist.parsing.user_code import failure_text, pass_interrupts
from equilibrist.search.methods import METHODS
from equilibrist.search.programmes import solve_by_programme, task_of
from equilibrist.search.seat_rows import Leaves, SeatRows
from equilibrist.search.subgames import Subgames
from equilibrist.search.values import TrunkValues
from equilibrist.strategy import Strategy
from equilibrist.tree.walk.histories import TERMINAL_MARK
from equilibrist.typing import FloatArray


class HandPair(NamedTuple):
    """One array for the hands of each player at a public state."""

    first: FloatArray
    """float64[H0], of seat 0's hands."""
    second: FloatArray
    """float64[H1], of seat 1's hands."""


@dataclass(frozen=True, eq=False)
class LeafState:
    """A public state with the ranges of both players, as a value function is asked about it.

    Attributes:
        subgame: What follows on the state, its only root, with the hands of both players there.
        ranges: How likely each player comes with each hand, as far as that is its own doing. They
            need not add up to 1.
    """

    subgame: Subgames
    ranges: HandPair

    def __repr__(self) -> str:
        return brief_repr(self)

    @property
    def name(self) -> str:
        """The name of the public state."""
        return self.subgame.names[0]

    @property
    def hands(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """What the hands of both players are called."""
        first, second = self.subgame.hands
        return first.labels, second.labels

    @property
    def chance(self) -> FloatArray:
        """float64[H0, H1]: the probability that chance brings a pair of hands here."""
        first, second = self.subgame.hands
        pairs = np.zeros((len(first), len(second)))
        np.add.at(pairs, (first.of_start, second.of_start), self.subgame.chance)
        return pairs

    @property
    def masses(self) -> HandPair:
        """How likely chance and the other player bring each hand here."""
        return self.summed(np.ones(len(self.subgame.start)), np.ones(len(self.subgame.start)))

    def summed(self, first: FloatArray, second: FloatArray) -> HandPair:
        """Counterfactual values of hands, from what root histories are worth to both players.

        Args:
            first: float64[R], to seat 0.
            second: float64[R], to seat 1.

        Returns:
            The values of both players' hands.
        """
        sums = []
        for player, worth in enumerate((first, second)):
            own, other = self.subgame.hands[player], self.subgame.hands[1 - player]
            weight = self.subgame.chance * self.ranges[1 - player][other.of_start]
            total = np.zeros(len(own))
            np.add.at(total, own.of_start, weight * worth)
            sums.append(total)
        return HandPair(*sums)


class LeafValues(Protocol):
    """What a value function is: any callable of this form."""

    def __call__(self, state: LeafState, /) -> tuple[FloatArray, FloatArray]:
        """Value the hands of both players at a public state.

        Args:
            state: The public state and the ranges.

        Returns:
            float64[H0] and float64[H1], counterfactual, in payoff units of seat 0 and of seat 1.
        """
        ...


class HistoryValues(ABC):
    """A value function that knows what each history is worth, whatever the ranges are.

    Such values are linear in ranges, so that linear programmes take them, too.
    """

    @abstractmethod
    def payoffs(self, subgames: Subgames) -> FloatArray:
        """Value the root histories of subgames.

        Args:
            subgames: The subgames.

        Returns:
            float64[R], what each is worth to seat 0, in payoff units.
        """

    def __call__(self, state: LeafState, /) -> HandPair:
        """Value the hands of both players; `LeafValues` describes arguments and result."""
        worth = payoffs_of(self, state.subgame)
        return state.summed(worth, state.subgame.search.game.total - worth)


@dataclass(frozen=True)
class ZeroValues(HistoryValues):
    """Nothing: every history is worth half of what both earn together, 0 where that is 0."""

    def payoffs(self, subgames: Subgames) -> FloatArray:
        """Value the root histories.

        Args:
            subgames: The subgames.

        Returns:
            float64[R], half of all there is to win each, in payoff units.
        """
        return np.full(len(subgames.start), subgames.search.game.total / 2.0)


@dataclass(frozen=True, eq=False)
class StrategyValues(HistoryValues):
    """What histories are worth if both players go on as a strategy does, exactly.

    Attributes:
        strategy: A strategy of the game.
    """

    strategy: Strategy

    def payoffs(self, subgames: Subgames) -> FloatArray:
        """Value the root histories.

        Args:
            subgames: The subgames.

        Returns:
            float64[R], what each is worth to seat 0 as both go on, in payoff units.

        Raises:
            MismatchError: The strategy is of another game.
        """
        levels, tree = subgames.search.public.levels, self.strategy.tree
        if tree.fingerprint != subgames.search.tree.fingerprint:
            raise MismatchError(
                f"the values are of {tree.name}, the leaves of {subgames.search.tree.name}",
                option="values",
                given=tree.name,
                expected=subgames.search.tree.name,
            )
        worth = levels.values(levels.edge_probability(self.strategy.probabilities))
        return np.asarray(worth[subgames.start, 0])


@dataclass(frozen=True)
class BoundValues(HistoryValues):
    """The most that one player can earn below each history, where everything goes its way.

    Solved for that seat with a growing limit, nothing that it does not come to needs to be looked
    at: no play below an untouched leaf is better than is believed.

    Attributes:
        player: The player, 0 or 1.

    Raises:
        ConfigError: There is no such player.
    """

    player: int

    def __post_init__(self) -> None:
        """Check the player."""
        whole_number("player", self.player, 0, 1)

    def payoffs(self, subgames: Subgames) -> FloatArray:
        """Value the root histories.

        Args:
            subgames: The subgames.

        Returns:
            float64[R], the most that each can bring the seat, as a payoff of seat 0, in payoff
            units.
        """
        search = subgames.search
        levels, moves = search.public.levels, search.moves
        most = np.full(len(levels.node), -np.inf)
        ends = np.flatnonzero(levels.infoset == TERMINAL_MARK)
        most[ends] = [moves.payoff[place][self.player] for place in ends.tolist()]
        for low, high in reversed(levels.ranges):
            np.maximum.at(most, levels.parent[low:high], most[low:high])
        best = most[subgames.start]
        return best if self.player == 0 else search.game.total - best


@dataclass(frozen=True)
class TableValues:
    """Values that were written down, for hands by name.

    Attributes:
        table: For each public state by name, of each player, what each hand earns on average
            against whatever it meets there, in payoff units.
    """

    table: Mapping[str, tuple[Mapping[str, float], Mapping[str, float]]]

    def __call__(self, state: LeafState, /) -> HandPair:
        """Value the hands; ConfigError if the table lacks the state or a hand."""
        if state.name not in self.table:
            raise bad_argument("values", state.name, f"one of the states {[*self.table]}")
        values = []
        rows = zip(self.table[state.name], state.hands, state.masses, strict=True)
        for row, labels, mass in rows:
            missing = [label for label in labels if label not in row]
            if missing:
                raise bad_argument("values", missing, "a value for every hand", place=state.name)
            values.append(mass * np.array([row[label] for label in labels], dtype=np.float64))
        return HandPair(*values)

    @classmethod
    def of(cls, values: LeafValues, states: Mapping[str, LeafState]) -> TableValues:
        """Write down what a value function answers.

        Args:
            values: The value function.
            states: The states to ask about, by name.

        Returns:
            The table; 0 for hands that meet nobody.
        """
        table = {}
        for name, state in states.items():
            rows = []
            for labels, value, mass in zip(state.hands, values(state), state.masses, strict=True):
                met = np.where(mass > 0.0, mass, 1.0)
                rows.append(
                    dict(zip(labels, np.where(mass > 0.0, value / met, 0.0).tolist(), strict=True))
                )
            table[name] = (rows[0], rows[1])
        return cls(table)


@dataclass(frozen=True)
class EquilibriumValues:
    """The values of an equilibrium of the subgame for the ranges that are asked about, exactly.

    Each hand is worth its best response to the other player's play, also hands that do not come.
    One linear programme for each player at every question.
    """

    def __call__(self, state: LeafState, /) -> HandPair:
        """Value the hands of both players; `LeafValues` describes arguments and result."""
        answers = [self._against(state, player) for player in (1, 0)]
        return HandPair(answers[0], answers[1])

    @staticmethod
    def _against(state: LeafState, player: int) -> FloatArray:
        """float64[H]: what the other's hands are worth against the best play of a player."""
        ranges = _AskedRanges.asked(state, player)
        task = task_of(ranges, METHODS["unsafe"])
        plan = solve_by_programme(task).plan if task.solved.any() else ranges.plan
        return ranges.payoffs(ranges.against(plan))


@dataclass(frozen=True, eq=False)
class _AskedRanges(TrunkValues):
    """A trunk that comes to a public state with any ranges, also where hands share a sequence.

    The player's own range is in the payoffs of `weighted_rows`; above the state `plan` is 1.
    """

    weighted_rows: SeatRows
    other_range: FloatArray

    @classmethod
    def asked(cls, state: LeafState, player: int) -> _AskedRanges:
        """The ranges of a state where one player chooses its play; it begins with uniform play."""
        subgame, search = state.subgame, state.subgame.search
        own, theirs = subgame.hands[player], subgame.hands[1 - player]
        held = state.ranges[player][own.of_start]
        leaves = subgame.leaves
        weighted = Leaves(
            leaves.place, leaves.start, leaves.sequence, leaves.value * held[leaves.start]
        )
        weight = np.zeros(len(theirs))
        np.add.at(weight, theirs.of_start, subgame.chance * held)
        counts = np.diff(search.tree.action_offset)
        inside = np.repeat(subgame.inside, counts)
        probabilities = np.where(inside, 1.0 / np.repeat(counts, counts), 1.0)
        return cls(
            subgames=subgame,
            player=player,
            probabilities=probabilities,
            plan=search.own[player].reach(probabilities),
            opponent_plan=search.own[1 - player].reach(probabilities),
            weight=weight,
            total=np.array([weight.sum()]),
            weighted_rows=SeatRows.of(search, subgame.hands, weighted, subgame.inside, player),
            other_range=state.ranges[1 - player],
        )

    @property
    def seat_rows(self) -> SeatRows:
        """What the player may choose, its range included in payoffs."""
        return self.weighted_rows

    @property
    def reach(self) -> FloatArray:
        """float64[H], the other player's range."""
        return self.other_range


def payoffs_of(values: HistoryValues, subgames: Subgames) -> FloatArray:
    """What root histories of subgames are worth to seat 0 by a value function that knows that.

    Args:
        values: The value function.
        subgames: The subgames.

    Returns:
        float64[R], a copy, in payoff units.

    Raises:
        ConfigError: It fails, or does not answer with a finite number for each history.
        MismatchError: It is of another game.
    """
    place = subgames.names[0] if subgames.names else ""  # a limit that grew to the end has none
    try:
        worth = np.array(values.payoffs(subgames), dtype=np.float64)
    except BaseException as error:
        raise _failure(error, place) from None
    count = len(subgames.start)
    if worth.shape != (count,) or not np.isfinite(worth).all():
        expected = f"{count} finite numbers, one for each history"
        raise bad_argument("values", worth.tolist(), expected, place=place)
    return worth


def _failure(error: BaseException, place: str) -> EquilibristError:
    """What is raised for an error of a value function; what ours say of values stays as it is."""
    pass_interrupts(error)
    if isinstance(error, EquilibristError) and error.option == "values":
        return error
    return ConfigError(
        f"the value function failed at {place!r}: {failure_text(error)}",
        option="values",
        given=type(error).__name__,
        place=place,
    )


LEAF_VALUES: Final[Mapping[str, Callable[[Strategy], LeafValues]]] = {
    "zero": lambda _: ZeroValues(),
    "trunk": StrategyValues,
    "equilibrium": lambda _: EquilibriumValues(),
}
"""Value functions by name, each made from the trunk."""

LeafValuesLike: TypeAlias = str | LeafValues


def checked_values(values: LeafValuesLike) -> LeafValuesLike:
    """A value function or the name of one; ConfigError or UnknownNameError."""
    if isinstance(values, str):
        if values not in LEAF_VALUES:
            raise UnknownNameError("value function", values, [*LEAF_VALUES], option="values")
    elif not callable(values):
        raise bad_argument("values", values, f"a value function, or {' or '.join(LEAF_VALUES)}")
    return values


def ask(values: LeafValues, state: LeafState) -> HandPair:
    """Ask a value function about a state, of whose ranges it gets copies.

    Args:
        values: The value function.
        state: The state.

    Returns:
        A copy of its answer, which may be in arrays that it fills again.

    Raises:
        ConfigError: It fails, or does not answer with a finite number for each hand.
    """
    shown = replace(state, ranges=HandPair(*(ranges.copy() for ranges in state.ranges)))
    try:
        answer = [np.array(one, dtype=np.float64) for one in values(shown)]
    except BaseException as error:
        raise _failure(error, state.name) from None
    wanted = [(len(labels),) for labels in state.hands]
    if [one.shape for one in answer] != wanted or not all(np.isfinite(one).all() for one in answer):
        raise bad_argument(
            "values",
            [one.tolist() for one in answer],
            f"{wanted[0][0]} finite numbers for seat 0 and {wanted[1][0]} for seat 1",
            place=state.name,
        )
    return HandPair(*answer)
