"""Averages with clocks: a visit stands for all iterations since the last one.

Outcome sampling visits few infosets per iteration. The average wanted is the sum over iterations
of own reach times strategy, S(I) = sum of pi_t(I) sigma_t(I). Between visits nothing is known of
pi_t(I), and sigma_t(I) has not changed. `OptimisticAverage` takes the present own reach for all of
the time (Lanctot's thesis, 2013, section 4.4); `LazyAverage` hands down what came in from above,
which makes it exact.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from equilibrist.reference.sampling.addition import Profile
from equilibrist.reference.sampling.outcome import Visit
from equilibrist.reference.walk import GameWalk

Sums = dict[str, list[float]]


@dataclass(frozen=True)
class Rule:
    """How t - c_I is done. As it stands it is right; each change is one of the classic mistakes."""

    at: str = "others"
    """Where the average is taken: where the others than the traverser decide, else `traverser`."""
    own_reach: bool = True
    """Whether the strategy is multiplied by own reach."""
    divided: bool = False
    """Whether it is divided by the probability of the trajectory as well."""
    shared_clock: bool = False
    """Whether the regrets' visits set the clock too, without adding anything."""
    after_update: bool = False
    """Whether it is the strategy after the update that counts for the time before it."""
    two_counters: bool = False
    """Whether `t` counts traversals where c_I counts iterations."""
    flushed: bool = True
    """Whether the time since the last visit is counted in the end."""


MISTAKES = {
    "divided by q as well": Rule(divided=True),
    "one shared clock": Rule(shared_clock=True),
    "at the traverser's nodes": Rule(at="traverser"),
    "at the traverser's nodes, without own reach": Rule(at="traverser", own_reach=False),
    "without own reach": Rule(own_reach=False),
    "strategy after the update": Rule(at="traverser", after_update=True),
    "two counters": Rule(two_counters=True),
    "no flush": Rule(flushed=False),
}
"""The classic mistakes by name."""


@dataclass
class OptimisticAverage:
    """S += (t - c_I) own reach * strategy, c_I = t."""

    players: int
    rule: Rule = field(default_factory=Rule)
    sums: Sums = field(default_factory=dict)
    clocks: dict[str, int] = field(default_factory=dict)

    def visit(self, t: int, traverser: int, visits: Iterable[Visit], after: Profile) -> None:
        """Take note of a trajectory in iteration t; `after` is the profile after its update."""
        rule = self.rule
        for v in visits:
            traversing = v.player == traverser
            if traversing != (rule.at == "traverser"):
                if rule.shared_clock:
                    self.clocks[v.infoset] = t
                continue
            strategy = after[v.infoset] if rule.after_update else v.strategy
            now = self.players * t if rule.two_counters else t
            weight = float(now - self.clocks.get(v.infoset, 0))
            if rule.own_reach:
                weight *= v.own_reach
            if rule.divided:
                weight /= v.sampled
            self.clocks[v.infoset] = t
            _add(self.sums, v.infoset, [weight * p for p in strategy])

    def settled(self, t: int, game: GameWalk, profile: Profile) -> Sums:
        """The sums after iteration t, when `profile` is played next."""
        sums = {key: list(row) for key, row in self.sums.items()}
        for key, infoset in game.infosets.items() if self.rule.flushed else ():
            reach = 1.0
            for earlier, action in infoset.path:
                reach *= profile[earlier][action]
            weight = (t - self.clocks.get(key, 0)) * reach
            _add(sums, key, [weight * p for p in profile[key]])
        return sums


@dataclass
class LazyAverage:
    """What came in above an infoset since its last visit goes on with the strategy of that time.

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

    def settled(self, t: int, game: GameWalk, profile: Profile) -> Sums:
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
