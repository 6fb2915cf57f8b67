"""The scale of payoffs: how large gains and losses are in the play that a strategy leads to.

Tolerances are shares of it. In ordinary games it is the range of the payoffs. Where a few payoffs
lie far from all others, as penalties do that nobody takes, it is the range of the others, as soon
as the strategy keeps away from the far ones. Payoffs behind chance outcomes of probability 0 never
count.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final, NamedTuple

import numpy as np

from equilibrist.tree.compile import GameTree
from equilibrist.tree.levels import Levels
from equilibrist.tree.walk.histories import TERMINAL_MARK
from equilibrist.typing import BoolArray, FloatArray, Int64Array

FAR: Final = 10.0
"""Payoffs are a cluster if all others are at least this many times its width away."""
_NEAR: Final = 4.0
"""Fewer widths are enough where the distance is a third of the whole range or more.

Then there are no payoffs between; elsewhere payoffs that are spread evenly may lie so by chance.
"""
_LEAST_RANGE: Final = 8.0
"""How many times a cluster's width the range of payoffs is at least, if that is its scale."""
ENORMOUS: Final = 1e4
"""Payoffs so many times larger than others hide them from the tolerances of a solver."""
NOISE: Final = float(64.0 * np.finfo(np.float64).eps)
"""Payoffs that differ by a smaller share of themselves are the same but for rounding errors."""
_DWARFED: Final = 16.0
"""The median is taken out of payoffs that it exceeds by so many times the spread of the most."""
_MOST: Final = (0.1, 0.9)
"""The quantiles between which most payoffs lie: what forbids an action lies outside."""
_ISOLATED: Final = 1e3
"""Payoffs are alone if all others are at least this many times their width away."""
_WEIGHT: Final = 100.0
"""How often what is expected from payoffs outside of a cluster counts, against its width.

Then a target of 1e-3 of the scale or less is not reached as long as far payoffs make up most of
the exploitability.
"""


class PayoffsInPlay(NamedTuple):
    """The payoffs that play meets, and what gains and losses are measured against there.

    Attributes:
        scale: In payoff units, at most the range of all payoffs: the least that `width` may be in
            a game with these payoffs, or `_WEIGHT` times `outside` where that is more.
        width: Within how much of each other the payoffs of each player lie that are met, but for
            those that are far from them; of the player with the widest.
        outside: The expected distance of payoffs from those that lie together, of all players.
        is_centred: Whether from each payoff is taken what the player expects once chance has made
            the moves before the first decision.
    """

    scale: float
    width: float
    outside: float
    is_centred: bool


class PayoffScale:
    """What gains and losses are measured against, under any strategy of one game.

    Args:
        tree: The compiled game.
    """

    def __init__(self, tree: GameTree) -> None:
        """Find the clusters of payoffs; histories are laid out when a strategy needs them."""
        self._tree = tree
        payoff = tree.walk.possible_payoffs()
        self._clusters = tuple(Clusters.of(column, tree.rounding) for column in payoff.T)

    @property
    def span(self) -> float:
        """The range of payoffs: the most that the scale can be, in payoff units."""
        return self._tree.payoff_range

    @property
    def is_ordinary(self) -> bool:
        """Whether the scale is the range of payoffs, whatever the strategy."""
        return not len(self._scales)

    @property
    def least(self) -> float:
        """The least that the scale can be, above 0 unless all payoffs are equal."""
        return float(min(self._scales, default=self.span))

    @cached_property
    def _scales(self) -> FloatArray:
        """What the scale can be besides the range of payoffs, ascending."""
        return _scales(self._clusters, self.span)

    @property
    def num_levels(self) -> int:
        """How many scales there are, each far above the one before."""
        last, count = 0.0, 0
        for scale in (*self._scales.tolist(), self.span):
            if scale >= _LEAST_RANGE * last:
                last, count = scale, count + 1
        return count

    def at(self, probabilities: FloatArray) -> float:
        """The scale of payoffs that a strategy meets.

        It is the least number s such that each player's payoffs lie in a cluster of width s or
        less, what is expected from others being negligible. Where chance moves before anybody
        decides, payoffs may be held against what the player expects after these moves, which
        nobody can influence.

        Args:
            probabilities: float64[Q] in public order: what all players do.

        Returns:
            The scale in payoff units, at most `span`.
        """
        return self.span if self.is_ordinary else self.in_play(probabilities).scale

    def in_play(self, probabilities: FloatArray) -> PayoffsInPlay:
        """The payoffs that a strategy meets, and their scale (see `at`).

        Args:
            probabilities: float64[Q] in public order: what all players do.

        Returns:
            The scale, and what it says of the payoffs.
        """
        play = self._play
        edge = play.levels.edge_probability(probabilities)
        chance = play.reach(edge)[play.leaf]
        met = chance > 0.0
        payoff = play.payoff
        best = _in_play(self._clusters, self._scales, payoff[met], chance[met], self.span)
        if play.num_starts > 1 and not self.is_ordinary:
            expected = play.levels.values(edge)[play.start[play.leaf]]
            centred = payoff - expected
            possible = play.possible
            clusters = tuple(
                Clusters.of(column, self._tree.rounding) for column in centred[possible].T
            )
            scales = _scales(clusters, self.span, self.least)
            other = _in_play(clusters, scales, centred[met], chance[met], self.span)
            if other.scale < best.scale:
                best = other._replace(is_centred=True)
        return best

    def units(self, probabilities: FloatArray | None = None) -> PayoffUnits:
        """By how much payoffs differ, player by player: what their digits are counted by.

        Args:
            probabilities: float64[Q] in public order, where what is written are the values of a
                strategy: if it meets penalties, these hide smaller differences.

        Returns:
            The units.
        """
        tree, payoff = self._tree, self._tree.walk.possible_payoffs()
        least = np.minimum(tree.payoff_ranges, tree.payoff_sizes)
        for player, scale in enumerate(self._of_players):
            if not len(scale.scales):
                continue
            width = float(scale.scales.min())
            if probabilities is not None:
                play = self._play
                chance = play.reach(play.levels.edge_probability(probabilities))[play.leaf]
                met = chance > 0.0
                width = scale.in_play(play.payoff[met, player], chance[met])
            least[player] = min(least[player], width)
        centre = payoff_centres(payoff, np.ones(len(payoff), dtype=np.bool_))
        return PayoffUnits(least, tree.payoff_sizes, centre)

    @cached_property
    def _of_players(self) -> tuple[_OwnScale, ...]:
        """The scales of each player's payoffs alone, which may be far from those of others."""
        tree = self._tree
        columns = zip(
            tree.walk.possible_payoffs().T, tree.payoff_ranges, tree.payoff_sizes, strict=True
        )
        return tuple(_OwnScale.of(*column) for column in columns)

    @cached_property
    def _play(self) -> _Play:
        return _Play.of(Levels.of(self._tree))


@dataclass(frozen=True)
class PayoffUnits:
    """The units by which a game's payoffs are written, so that six digits are significant.

    A payoff is as large as its distance from what all payoffs share. Penalties that are far from
    all other payoffs make none of these small; but what is less than these differ by is small.

    Attributes:
        least: float64[P]: by how much the payoffs of each player differ that lie together.
        most: float64[P]: the size of each player's largest payoff.
        centre: float64[P]: the part that all payoffs of a player share; 0 where that is little.
    """

    least: FloatArray
    most: FloatArray
    centre: FloatArray

    def payoff(self, player: int, amount: float) -> float:
        """The unit of a player's payoff or expected value.

        Args:
            player: Whose it is.
            amount: The payoff.

        Returns:
            The unit, in payoff units; 0 where all that is known are zeros.
        """
        return self._unit([player], abs(amount - float(self.centre[player])))

    def gain(self, player: int | None, amount: float) -> float:
        """The unit of a difference between payoffs.

        Args:
            player: Whose payoffs they are; None for those of all.
            amount: The difference.

        Returns:
            As `payoff`.
        """
        everybody = list(range(len(self.least)))
        return self._unit(everybody if player is None else [player], abs(amount))

    def total(self, weights: FloatArray | Sequence[float], amount: float) -> float:
        """The unit of a sum of payoffs or expected values of several players.

        Args:
            weights: How often each player's payoff counts, whatever the sign; one per player.
            amount: The sum.

        Returns:
            As `payoff`.
        """
        counted = np.abs(np.asarray(weights))
        away = abs(amount - float(counted @ self.centre))
        return self._unit(np.flatnonzero(counted).tolist(), away)

    def mean(self, amount: float) -> float:
        """The unit of a mean over the payoffs of all players.

        Args:
            amount: The mean.

        Returns:
            As `payoff`.
        """
        players = len(self.least)
        return self.total([1.0 / players] * players, amount)

    @property
    def bounds(self) -> tuple[float, ...]:
        """The least and the largest unit of every player."""
        return (*self.least.tolist(), *self.most.tolist())

    def _unit(self, players: list[int], size: float) -> float:
        least, most = self.least[players], self.most[players]
        if not least.any():
            return size
        return min(max(size, float(least[least > 0.0].min())), float(most.max()))


@dataclass(frozen=True)
class Clusters:
    """Clusters of one player's payoffs: each far from all other payoffs, for its width.

    They lie side by side or within each other; single payoffs and all payoffs together are such.

    Attributes:
        low: float64[C]: the least payoff of each.
        high: float64[C]: the greatest.
        around: float64[C]: how far the nearest other payoff is; infinity for all together.
    """

    low: FloatArray
    high: FloatArray
    around: FloatArray

    @classmethod
    def of(cls, payoff: FloatArray, rounding: float) -> Clusters:
        """The clusters of a list of payoffs.

        Args:
            payoff: float64[L], at least one.
            rounding: Differences up to this are taken for rounding errors.

        Returns:
            The clusters, each once.
        """
        level = np.unique(payoff) if len(payoff) else np.zeros(1)
        noise = NOISE * np.maximum(np.abs(level[:-1]), np.abs(level[1:]))
        level = level[np.concatenate(([True], np.diff(level) > noise))]
        gap = np.diff(level)
        bounds = {(level[0], level[-1], np.inf)}
        real = gap[gap > rounding]
        if len(real) and real.max() >= FAR * real.min():
            # The gaps inside of a cluster and those around it lie on two sides of a power of 2.
            least, most = (int(np.frexp(x)[1]) for x in (real.min(), real.max()))
            cuts = [rounding, *np.ldexp(1.0, np.arange(least, most + 1)).tolist()]
        else:
            cuts = [rounding]
        for cut in cuts:
            last = np.flatnonzero(gap > cut)
            first = np.concatenate(([0], last + 1))
            last = np.concatenate((last, [len(level) - 1]))
            gaps = np.concatenate(([np.inf], gap[gap > cut], [np.inf]))
            around = np.minimum(gaps[:-1], gaps[1:])
            width = level[last] - level[first]
            width[width <= rounding] = 0.0
            far = around >= _NEAR * width
            columns = (level[first[far]], level[last[far]], around[far])
            bounds.update(zip(*(column.tolist() for column in columns), strict=True))
        low, high, around = np.array(sorted(bounds)).T
        return cls(low, high, around)

    @property
    def widths(self) -> FloatArray:
        """float64[C]: highest minus lowest payoff."""
        return self.high - self.low

    def fitting(self, scale: float) -> BoolArray:
        """bool[C]: which are at most so wide, and far from other payoffs for that width.

        A single payoff must be farther: it says less of what payoffs are about.
        """
        span = self.high.max() - self.low.min()
        far = np.where(3.0 * self.around >= span, _NEAR, FAR)
        far = np.where(self.widths > 0.0, far, FAR**2)
        return (self.widths <= scale) & (self.around >= far * scale)

    def outside(self, payoff: FloatArray, chance: FloatArray, width: float) -> tuple[float, float]:
        """The expected distance of payoffs from the cluster in which most of them lie.

        Args:
            payoff: float64[L].
            chance: float64[L]: the probability of each.
            width: The most that the cluster may measure; at least one is `fitting`.

        Returns:
            The distance in payoff units, 0 if all lie in it; and the range of those that do.
        """
        fitting = self.fitting(width)
        low, high = self.low[fitting], self.high[fitting]
        order = np.argsort(payoff, kind="stable")
        payoff, chance = payoff[order], chance[order]
        below = np.concatenate(([0.0], np.cumsum(chance)))
        inside = (
            below[np.searchsorted(payoff, high, "right")]
            - below[np.searchsorted(payoff, low, "left")]
        )
        best = int(np.argmax(inside))
        away = np.maximum(low[best] - payoff, payoff - high[best])
        within = payoff[away <= 0.0]
        distance = float((chance * np.maximum(away, 0.0)).sum())
        return distance, float(np.ptp(within)) if len(within) else 0.0


def hides_some(payoffs: FloatArray) -> bool:
    """Whether some payoffs are so large that a solver's tolerances hide others beside them.

    Args:
        payoffs: float64[n]; zeros do not count.
    """
    sizes = np.abs(payoffs[payoffs != 0.0])
    return bool(sizes.size) and bool(sizes.max() > ENORMOUS * sizes.min())


def payoff_centres(payoff: FloatArray, reached: BoolArray) -> FloatArray:
    """The part that all payoffs of a player share, such as the stacks; 0 where that is little.

    A solver's tolerances are shares of the payoffs, and differences between payoffs vanish beside a
    large offset. Payoffs that are far from all others, as they forbid actions, have no influence.

    Args:
        payoff: float64[Z, P].
        reached: bool[Z], the terminal histories that chance allows.

    Returns:
        float64[P].
    """
    counted = payoff[reached] if reached.any() else payoff
    if not len(counted):
        return np.zeros(payoff.shape[1])
    median = np.quantile(counted, 0.5, axis=0, method="lower")
    spread = payoff_spreads(counted)
    offset = (np.abs(median) > _DWARFED * spread) & (spread > 0.0)
    return np.asarray(np.where(offset, median, 0.0))


def payoff_spreads(payoff: FloatArray) -> FloatArray:
    """Between which bounds most payoffs of each player lie: how far these are apart.

    Args:
        payoff: float64[Z, P].

    Returns:
        float64[P]: the distance of two quantiles; or, where payoffs are so far from all others that
        nothing else explains it, the range of those among which the median is.
    """
    low, high = np.quantile(payoff, _MOST, axis=0, method="nearest")
    spread = np.where(high > low, high - low, np.ptp(payoff, axis=0))
    return np.asarray([_ordinary(*pair) for pair in zip(payoff.T, spread, strict=True)])


def _ordinary(payoff: FloatArray, spread: float) -> float:
    """The least width of an isolated cluster around the median, if it is less than `spread`."""
    median = np.quantile(payoff, 0.5, method="lower")
    clusters = Clusters.of(payoff, 0.0)
    isolated = (clusters.widths > 0.0) & (clusters.around >= _ISOLATED * clusters.widths)
    isolated &= (clusters.low <= median) & (median <= clusters.high)
    return float(min(spread, clusters.widths[isolated].min(initial=np.inf)))


def _scales(clusters: tuple[Clusters, ...], span: float, least: float = 0.0) -> FloatArray:
    """The scales from `least` on that are far below `span`, and at which all have clusters."""
    widths = np.concatenate([of_player.widths for of_player in clusters])
    widths = np.unique(np.maximum(widths[widths > 0.0], least))
    kept = [
        width
        for width in widths[_LEAST_RANGE * widths <= span].tolist()
        if all(of_player.fitting(width).any() for of_player in clusters)
    ]
    return np.array(kept)


def _in_play(
    clusters: tuple[Clusters, ...],
    scales: FloatArray,
    payoff: FloatArray,
    chance: FloatArray,
    span: float,
) -> PayoffsInPlay:
    """The least of `scales`, or else `span`, into which nearly all payoffs of each player fit.

    `payoff`: float64[L, P]; `chance`: float64[L].
    """
    width = float(np.ptp(payoff, axis=0).max(initial=0.0)) if len(payoff) else 0.0
    best = PayoffsInPlay(span, width, 0.0, is_centred=False)
    for scale in scales.tolist():
        if scale < best.scale:
            columns = zip(clusters, payoff.T, strict=True)
            by_player = [of_player.outside(column, chance, scale) for of_player, column in columns]
            away = sum(distance for distance, _ in by_player)
            candidate = max(scale, _WEIGHT * away)
            if candidate < best.scale:
                width = max(of_player for _, of_player in by_player)
                best = PayoffsInPlay(candidate, width, away, is_centred=False)
    return best


class _OwnScale(NamedTuple):
    """The scales of one player's payoffs: `clusters`, `scales` below `span`, ascending."""

    clusters: Clusters
    scales: FloatArray
    span: float

    @classmethod
    def of(cls, payoff: FloatArray, span: float, size: float) -> _OwnScale:
        """Find them; what is lost beside the largest payoff, of this `size`, is rounding."""
        clusters = Clusters.of(payoff, float(np.finfo(np.float64).eps) * size)
        return cls(clusters, _scales((clusters,), span), span)

    def in_play(self, payoff: FloatArray, chance: FloatArray) -> float:
        """The scale of payoffs that are met with these probabilities."""
        return _in_play((self.clusters,), self.scales, payoff[:, None], chance, self.span).scale


@dataclass(frozen=True)
class _Play:
    """Where a game ends.

    Attributes:
        levels: Its histories.
        leaf: int64[L]: the positions of the terminal ones.
        payoff: float64[L, P].
        possible: bool[L]: whether chance lets each be reached.
        start: int64[N]: the history from which on each is no longer due to chance alone: its first
            decision, or itself.
        num_starts: How many such histories there are.
    """

    levels: Levels
    leaf: Int64Array
    payoff: FloatArray
    possible: BoolArray
    start: Int64Array
    num_starts: int

    @classmethod
    def of(cls, levels: Levels) -> _Play:
        tree = levels.tree
        leaf = np.flatnonzero(levels.infoset == TERMINAL_MARK)
        row = np.cumsum(tree.walk.infoset == TERMINAL_MARK) - 1
        start = np.arange(len(levels.node))
        decided = levels.infoset >= 0
        for low, high in levels.ranges:
            above = start[levels.parent[low:high]]
            within = decided[above]
            start[low:high][within] = above[within]
        play = cls(
            levels,
            leaf,
            tree.walk.payoff[row[levels.node[leaf]]],
            np.ones(len(leaf), dtype=np.bool_),
            start,
            len(np.unique(start[leaf])),
        )
        possible = play.reach(levels.chance)[leaf] > 0.0
        return cls(levels, leaf, play.payoff, possible, start, play.num_starts)

    def reach(self, edge: FloatArray) -> FloatArray:
        """The probability of each history, float64[N], from that of the edges above them."""
        reach: FloatArray = edge.copy()
        for low, high in self.levels.ranges:
            reach[low:high] *= reach[self.levels.parent[low:high]]
        return reach
