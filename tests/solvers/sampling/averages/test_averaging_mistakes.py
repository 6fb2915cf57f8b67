"""The benchmark of averaging mistakes makes the mistakes that the plain averages make."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks.solvers.averaging_mistakes import EPSILON, MISTAKES, Rule, run_rules
from equilibrist.game_loading import compile_game
from equilibrist.games import load_game
from equilibrist.reference.sampling import Profile
from equilibrist.solvers.sampling.mccfr import MCCFR
from equilibrist.solvers.sampling.outcome import Outcome
from tests.solvers.sampling.averages.mistaken_averages import (
    AfterTheUpdate,
    AtTheTraverser,
    AtTheTraverserDividedByQ,
    AtTheTraverserWithoutReach,
    DividedByQ,
    Mistaken,
    NoFlush,
    SharedClock,
    TwoCounters,
)
from tests.solvers.sampling.averages.outcome_trajectories import learning
from tests.solvers.sampling.exact_expectation import walk_of

PLAIN: dict[str, type[Mistaken]] = {
    "(a) divided by q as well": DividedByQ,
    "(b) one shared clock": SharedClock,
    "(c) at the traverser's nodes": AtTheTraverser,
    "(c, a) there, divided by q": AtTheTraverserDividedByQ,
    "(c, d) there, without own reach": AtTheTraverserWithoutReach,
    "(c, e) there, strategy after the update": AfterTheUpdate,
    "(f) two counters": TwoCounters,
    "(g) no flush": NoFlush,
}


@pytest.mark.slow
@pytest.mark.parametrize("spec", ["kuhn", "leduc"])
def test_each_mistake_is_made_as_described(spec: str) -> None:
    game, tree = walk_of(spec), compile_game(load_game(spec))
    averages = {name: kind() for name, kind in PLAIN.items()}
    profile: Profile = {}
    for step in learning(game, 30, seed=4):
        for average in averages.values():
            average.step(step)
        profile = step.after
    assert MISTAKES.keys() == PLAIN.keys()
    _, sums = run_rules(tree, list(MISTAKES.values()), 30, seed=4)
    for name, row in zip(MISTAKES, sums, strict=True):
        wanted = averages[name].flushed(30, game, profile)
        for i, key in enumerate(tree.infoset_keys):
            found = row[tree.actions_of(i)].tolist()
            assert found == pytest.approx(wanted.get(key, [0.0] * len(found)), abs=1e-9), name


@pytest.mark.slow
def test_without_a_mistake_it_is_the_average_of_the_package() -> None:
    tree = compile_game(load_game("leduc"))
    solver = MCCFR(tree, sampler=Outcome(EPSILON), averaging="optimistic", seed=4).run(1000)
    regret, sums = run_rules(tree, [Rule()], 1000, seed=4)
    assert np.array_equal(regret, solver.state.regret)
    flushed = solver.sampler.flushed(solver._tables, "optimistic", tree)
    assert sums[0] == pytest.approx(flushed, abs=1e-9)
