"""AIVAT: an unbiased, low-variance estimate of what hands are worth.

Neil Burch, Martin Schmid, Matej Moravcik, Dustin Morrill and Michael Bowling, "AIVAT: a new
variance reduction technique for agent evaluation in imperfect information games", AAAI 2018.

The payoffs of a hand are corrected in two steps. First, at every history h at which chance, or a
player with known strategy sigma, drew action a, the expected value minus the drawn value is added:
sum over b of sigma(b) v(h b), minus v(h a). The mean of this term is 0 for any v; the better v is,
the less variance remains. Here v is the expected payoff when one strategy plays all positions.
Second, the result is averaged over all hands that the players of unknown strategy cannot tell from
this one, weighted by their probability under chance and the known players: hands that the known
players might have held as well (the paper's imaginary observations).

Of an agent whose strategy is not known as a whole, the mixtures are known that it has drawn from.
Each draw is corrected as in the first step, by values that are means over the histories that the
agent cannot tell apart, with the weights of the second.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from equilibrist.errors import MismatchError
from equilibrist.formatting.brief import brief_repr
from equilibrist.play.agents import Agent, Person, known_strategy
from equilibrist.play.table import Move
from equilibrist.strategy import Strategy, checked_strategy
from equilibrist.tree.levels import Levels
from equilibrist.tree.walk.histories import TERMINAL_MARK
from equilibrist.typing import BoolArray, FloatArray, Int64Array


@dataclass(frozen=True)
class Aivat:
    """AIVAT estimates of all players' payoffs, for every end of a hand (Burch et al. 2018).

    The mean of the estimates is the mean of the payoffs, whatever players of unknown strategy do.

    Attributes:
        levels: The histories of the game, depth by depth.
        estimates: float64[N, P], the estimates of a hand that ends at history n of `levels`,
            in payoff units; rows of histories where none ends have no meaning.
        action_values: float64[A, P], what each action of each infoset is worth on average over the
            histories of the infoset, weighted by chance and the known players.
    """

    levels: Levels
    estimates: FloatArray
    action_values: FloatArray

    def __repr__(self) -> str:
        return brief_repr(self)

    @classmethod
    def of(cls, values: Strategy, known_strategies: Mapping[int, Strategy]) -> Aivat:
        """The estimates of all hands of a game, imperfect recall included.

        Args:
            values: A strategy of all players: what histories are worth where all play it.
            known_strategies: The strategies of those players whose strategy is known, by player.

        Returns:
            The estimates.

        Raises:
            MismatchError: If the strategies are of different games.
        """
        tree = checked_strategy(values).tree
        profile = values
        for player, strategy in known_strategies.items():
            profile = profile.replace(player, strategy)
        levels = Levels.of(tree)
        value = levels.values(levels.edge_probability(values.probabilities))
        ours = _moved_by(levels, known_strategies)
        edge = np.where(ours, levels.edge_probability(profile.probabilities), 1.0)
        weight = _reach(levels, edge)
        actions = _action_values(levels, value, weight)
        corrected = value + _corrections(levels, value, edge, ours)
        return cls(levels, _averaged(levels, corrected, weight, ours), actions)

    def estimate(self, moves: Iterable[int]) -> FloatArray:
        """The estimates of one hand, one per player.

        Args:
            moves: The numbers of its actions and outcomes, in order.

        Returns:
            float64[P], in payoff units.
        """
        at = 0
        for index in moves:
            at = 1 + int(np.searchsorted(self.levels.parent[1:], at)) + index
        row: FloatArray = self.estimates[at]
        return row

    def draw_correction(self, move: Move) -> FloatArray:
        """What the draw of a player of unknown strategy is corrected by; its mean is 0.

        Args:
            move: A move in the game, with the probabilities that it was drawn by.

        Returns:
            float64[P], in payoff units; 0 for moves that nobody drew.
        """
        if move.infoset is None or move.probabilities is None:
            return np.zeros(self.action_values.shape[1])
        tree = self.levels.tree
        values = self.action_values[tree.actions_of(tree.index(move.infoset))]
        correction: FloatArray = np.asarray(move.probabilities) @ values - values[move.index]
        return correction

    def by_history(self) -> FloatArray:
        """The estimates in the order of the tree's `history_tree`.

        Returns:
            float64[N, P], in payoff units; rows as in `estimates`.
        """
        by_history = np.empty_like(self.estimates)
        by_history[self.levels.tree.history_tree.position[self.levels.node]] = self.estimates
        return by_history


class SeatEstimates(Protocol):
    """Anything that estimates the hands of a session: `SeatAivat` and `SpotAivat`."""

    def check(self, game: str, seats: Sequence[Person | Agent], /) -> None:
        """Raise MismatchError unless the game and the seats fit."""
        ...

    def by_seat(
        self, places: tuple[int, ...], moves: Sequence[Move], payoffs: Sequence[float], /
    ) -> tuple[float, ...]:
        """The estimate for each seat of a hand in which seat `places[p]` sat as player p."""
        ...


class SeatAivat:
    """AIVAT for the hands of a session, for any seating.

    The known strategies are those of seats that play a strategy of the tree, or uniformly.
    """

    def __init__(self, values: Strategy) -> None:
        self._values = checked_strategy(values)
        self._found: dict[tuple[int, ...], Aivat] = {}

    def check(self, game: str, seats: Sequence[Person | Agent], /) -> None:
        """Raise MismatchError unless `values` is a strategy of the game called `game`."""
        tree = self._values.tree
        if tree.name != game:
            raise MismatchError(
                f"the values belong to {tree.name}, but the game played is {game}",
                option="values",
                given=tree.name,
                expected=game,
                remedy=f"use a strategy of {game}",
            )
        self._known = [known_strategy(seat, tree) for seat in seats]

    def by_seat(
        self, places: tuple[int, ...], moves: Sequence[Move], payoffs: Sequence[float], /
    ) -> tuple[float, ...]:
        """The estimate for each seat of a hand in which seat `places[p]` sat as player p."""
        if places not in self._found:
            strategies = ((p, self._known[seat]) for p, seat in enumerate(places))
            known_strategies = {p: strategy for p, strategy in strategies if strategy is not None}
            self._found[places] = Aivat.of(self._values, known_strategies)
        found = self._found[places]
        row = found.estimate(move.index for move in moves)
        for move in moves:
            if move.player >= 0 and self._known[places[move.player]] is None:
                row = row + found.draw_correction(move)
        return tuple(float(row[places.index(seat)]) for seat in range(len(places)))


def _moved_by(levels: Levels, known_strategies: Mapping[int, Strategy]) -> BoolArray:
    """bool[N]: chance or a known player made the move to the history; true at the root, too."""
    infoset = levels.infoset[levels.parent]
    players = np.full(len(infoset), -1)
    players[infoset >= 0] = levels.tree.infoset_player[infoset[infoset >= 0]]
    ours: BoolArray = (levels.sequence < 0) | np.isin(players, list(known_strategies))
    return ours


def _corrections(
    levels: Levels, value: FloatArray, edge: FloatArray, ours: BoolArray
) -> FloatArray:
    """float64[N, P]: the sum of the correction terms along the moves to each history."""
    correction = np.zeros_like(value)
    for low, high in levels.ranges:
        parents, means = levels.expected(edge, value, low, high)
        above = levels.parent[low:high]
        luck = value[low:high] - means[np.searchsorted(parents, above)]
        correction[low:high] = correction[above] - np.where(ours[low:high, None], luck, 0.0)
    return correction


def _reach(levels: Levels, edge: FloatArray) -> FloatArray:
    """float64[N]: the product of `edge` along the moves to each history."""
    weight = np.ones(len(edge))
    for low, high in levels.ranges:
        weight[low:high] = weight[levels.parent[low:high]] * edge[low:high]
    return weight


def _action_values(levels: Levels, value: FloatArray, weight: FloatArray) -> FloatArray:
    """float64[A, P]: the mean of `value` after each action, by the weight before it."""
    moved = np.flatnonzero(levels.sequence >= 0)
    sequence, before = levels.sequence[moved], weight[levels.parent[moved]]
    size = int(levels.tree.action_offset[-1])
    total = np.bincount(sequence, weights=before, minlength=size)
    sums = [
        np.bincount(sequence, weights=before * column, minlength=size) for column in value[moved].T
    ]
    means: FloatArray = np.stack(sums, axis=1) / np.where(total > 0.0, total, 1.0)[:, None]
    return means


def _averaged(levels: Levels, value: FloatArray, weight: FloatArray, ours: BoolArray) -> FloatArray:
    """`value` with each terminal history replaced by the weighted mean over those that look alike.

    Terminal histories look alike if the players of unknown strategy have seen the same infosets and
    taken the same actions.
    """
    view: Int64Array = np.zeros(len(value), dtype=np.int64)
    size = int(levels.tree.action_offset[-1])
    for low, high in levels.ranges:
        above = levels.parent[low:high]
        view[low:high] = view[above]
        theirs = low + np.flatnonzero(~ours[low:high])
        seen = view[theirs] * size + levels.sequence[theirs]
        view[theirs] = low + np.unique(seen, return_inverse=True)[1]  # above all earlier views
    ends = np.flatnonzero(levels.infoset == TERMINAL_MARK)
    _, view = np.unique(view[ends], return_inverse=True)
    total = np.bincount(view, weights=weight[ends])
    for column in value.T:
        mean = np.bincount(view, weights=weight[ends] * column[ends])
        possible = total[view] > 0.0
        column[ends[possible]] = (mean[view] / np.where(total > 0.0, total, 1.0)[view])[possible]
    return value
