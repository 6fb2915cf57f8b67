"""Averages with clocks: a visit stands for all iterations since the last one.

Outcome sampling visits few infosets per iteration. The average wanted is the sum over iterations
of own reach times strategy, S(I) = sum of pi_t(I) sigma_t(I). sigma_t(I) changes only where its
player visits I as the traverser, but pi_t(I) changes with every visit above. `OptimisticAverage`
takes the present own reach and strategy for all of the time since the last visit (Lanctot's thesis,
2013, section 4.4); `LazyAverage` hands down what came in from above, which makes it exact.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from equilibrist.reference.game_walk import GameWalk
from equilibrist.reference.sampling.addition import Profile
from equilibrist.reference.sampling.outcome import Visit

Sums = dict[str, list[float]]


@dataclass
class OptimisticAverage:
    """S += (t - c_I) own reach * strategy where the others than the traverser decide; c_I = t."""

    sums: Sums = field(default_factory=dict)
    clocks: dict[str, int] = field(default_factory=dict)

    def visit(self, t: int, traverser: int, visits: Iterable[Visit]) -> None:
        """Take note of a trajectory in iteration t."""
        for v in visits:
            if v.player != traverser:
                share = self.share(t, v)
                _add(self.sums, v.infoset, [share * p for p in v.strategy])
                self.clocks[v.infoset] = t

    def share(self, t: int, visit: Visit) -> float:
        """What a visit in iteration t counts: own reach, for all iterations since the last."""
        return (t - self.clocks.get(visit.infoset, 0)) * visit.own_reach

    def flushed(self, t: int, game: GameWalk, profile: Profile) -> Sums:
        """The sums after iteration t, the time since the last visits included.

        `profile` is what is played next.
        """
        sums = {key: list(row) for key, row in self.sums.items()}
        for key, infoset in game.infosets.items():
            reach = 1.0
            for earlier, action in infoset.path:
                reach *= profile[earlier][action]
            weight = (t - self.clocks.get(key, 0)) * reach
            _add(sums, key, [weight * p for p in profile[key]])
        return sums


@dataclass
class LazyAverage:
    """Reach that arrived since the last visit of an infoset continues with that visit's strategy.

    Own reach of an infoset, summed over iterations, is the strategy sum of the own action above
    it: no further numbers are needed than how much of that was handed on.
    """

    sums: Sums = field(default_factory=dict)
    taken: dict[str, float] = field(default_factory=dict)

    def visit(self, t: int, traverser: int, visits: Iterable[Visit]) -> None:
        """Take note of a trajectory in iteration t, before the traverser's regrets change."""
        for v in visits:
            if v.player == traverser:
                self._hand_on(self.sums, self.taken, t, v.infoset, v.above, v.strategy)

    def flushed(self, t: int, game: GameWalk, profile: Profile) -> Sums:
        """The sums after iteration t, when `profile` is played next."""
        sums, taken = {key: list(row) for key, row in self.sums.items()}, dict(self.taken)
        for key, infoset in game.infosets.items():
            above = infoset.path[-1] if infoset.path else None
            self._hand_on(sums, taken, t, key, above, profile[key])
        return sums

    def _hand_on(
        self,
        sums: Sums,
        taken: dict[str, float],
        t: int,
        infoset: str,
        above: tuple[str, int] | None,
        strategy: Iterable[float],
    ) -> None:
        arrived = float(t) if above is None else sums[above[0]][above[1]]
        due = arrived - taken.get(infoset, 0.0)
        taken[infoset] = arrived
        _add(sums, infoset, [due * p for p in strategy])


def _add(sums: Sums, infoset: str, numbers: list[float]) -> None:
    row = sums.setdefault(infoset, [0.0] * len(numbers))
    for k, number in enumerate(numbers):
        row[k] += number
