"""The classic mistakes with t - c_I, each a small change to the right average; two players."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from equilibrist.reference.game_walk import GameWalk
from equilibrist.reference.sampling import Profile
from equilibrist.reference.sampling.clocks import OptimisticAverage, Sums
from equilibrist.reference.sampling.outcome import Visit
from tests.solvers.sampling.averages.outcome_trajectories import Step


class Mistaken(OptimisticAverage):
    """Fed with `step`, so that a mistake may look at what is played after the update."""

    def step(self, step: Step) -> None:
        self.visit(step.iteration, step.traverser, step.visits)


class DividedByQ(Mistaken):
    def share(self, t: int, visit: Visit) -> float:
        return super().share(t, visit) / visit.sampled


class SharedClock(Mistaken):
    def visit(self, t: int, traverser: int, visits: Iterable[Visit]) -> None:
        visits = list(visits)
        super().visit(t, traverser, visits)
        self.clocks.update((v.infoset, t) for v in visits if v.player == traverser)


class AtTheTraverser(Mistaken):
    def visit(self, t: int, traverser: int, visits: Iterable[Visit]) -> None:
        super().visit(t, 1 - traverser, visits)


class WithoutReach(Mistaken):
    def share(self, t: int, visit: Visit) -> float:
        return super().share(t, replace(visit, own_reach=1.0))


class AtTheTraverserWithoutReach(WithoutReach, AtTheTraverser):
    pass


class AtTheTraverserDividedByQ(DividedByQ, AtTheTraverser):
    pass


class AfterTheUpdate(AtTheTraverser):
    def step(self, step: Step) -> None:
        late = [replace(v, strategy=step.after[v.infoset]) for v in step.visits]
        self.visit(step.iteration, step.traverser, late)


class TwoCounters(Mistaken):
    """`t` counts traversals, c_I iterations."""

    def share(self, t: int, visit: Visit) -> float:
        return super().share(2 * t, visit)

    def flushed(self, t: int, game: GameWalk, profile: Profile) -> Sums:
        return super().flushed(2 * t, game, profile)


class NoFlush(Mistaken):
    def flushed(self, t: int, game: GameWalk, profile: Profile) -> Sums:
        return self.sums
