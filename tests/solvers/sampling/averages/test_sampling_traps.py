"""The traps of averaging along trajectories: each mistake, made on purpose, is found out.

What is wanted is S(I) = sum over iterations of own reach times strategy. The rule of Lanctot's
thesis adds t - c_I of the present at a visit. Where each trap's test is:

(a) dividing by q as well                     test_mistakes_miscount
(b) one clock for regrets and average         test_mistakes_miscount
(c) averaging where the traverser decides     test_nothing_is_averaged_where_the_others_stay_away
(d) leaving out own reach                     test_mistakes_miscount
(e) the strategy after the update             test_the_strategy_after_the_update_is_too_late
(f) t counts traversals, c_I iterations       test_mistakes_miscount
(g) no flush in the end                       test_mistakes_miscount
(h) players who forget                        test_own_reach_must_not_depend_on_the_history,
                                              test_forgetful_players_are_refused
average-strategy sampling without tau         test_what_is_tried_how_often

The right one is the plain average that test_outcome_averages.py compares with the kernel. There
too: test_what_is_constant_is_counted_exactly, the exact average, discounts. Elsewhere:

OpenSpiel's average counts histories          test_outcome_sampling.py
a third player's reach enters                 test_averages.py, test_sampler_expectations.py
the discount's clock is global                test_mccfr.py
average-strategy sampling: u without / q      test_sampler_expectations.py
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

import pytest

from equilibrist.errors import RecallError
from equilibrist.game_loading import compile_game
from equilibrist.games import load_game
from equilibrist.reference.averaging import full_average
from equilibrist.reference.draws import Draws, every_run
from equilibrist.reference.game_walk import GameWalk
from equilibrist.reference.sampling import Addition, Profile, outcome_sampling
from equilibrist.reference.sampling.average_strategy import trial_probabilities
from equilibrist.reference.sampling.clocks import LazyAverage, OptimisticAverage
from equilibrist.reference.sampling.outcome import Visit
from equilibrist.solvers.sampling.mccfr import MCCFR
from tests.solvers.sampling.averages.mistaken_averages import (
    AfterTheUpdate,
    AtTheTraverser,
    AtTheTraverserWithoutReach,
    DividedByQ,
    Mistaken,
    NoFlush,
    SharedClock,
    TwoCounters,
    WithoutReach,
)
from tests.solvers.sampling.averages.outcome_trajectories import Step, learning
from tests.solvers.sampling.exact_expectation import (
    Table,
    expected_addition,
    own_reach,
    walk_of,
)


def expected_sums(kind: type[OptimisticAverage], game: GameWalk, profile: Profile) -> Table:
    """The expected sums after one iteration, over all that may be drawn in it."""

    def one_iteration(draws: Draws) -> Addition:
        average = kind()
        for player in range(game.num_players):
            average.visit(1, player, outcome_sampling(game.root, player, profile, draws).visits)
        return Addition(strategy_sum=average.flushed(1, game, profile))

    _, sums, total = expected_addition(one_iteration)
    assert total == pytest.approx(1.0, abs=1e-12)
    return sums


def largest_error(found: Table, wanted: Mapping[str, list[float]]) -> float:
    return max(
        abs(x - y)
        for key, row in wanted.items()
        for x, y in zip(found.get(key, [0.0] * len(row)), row, strict=True)
    )


@pytest.mark.parametrize(
    "mistake",
    [
        pytest.param(DividedByQ, id="a: divided by q as well"),
        pytest.param(SharedClock, id="b: one shared clock"),
        pytest.param(WithoutReach, id="d: without own reach"),
        pytest.param(AtTheTraverserWithoutReach, id="c, d: at the traverser's, without it"),
        pytest.param(TwoCounters, id="f: two counters"),
        pytest.param(NoFlush, id="g: no flush"),
    ],
)
def test_mistakes_miscount(mistake: type[Mistaken]) -> None:
    """In expectation over all draws, own reach times strategy is counted once per iteration."""
    game = walk_of("kuhn")
    profile = {key: [0.3, 0.7] for key in game.infosets}
    wanted = full_average(game, profile).strategy_sum
    assert largest_error(expected_sums(OptimisticAverage, game, profile), wanted) < 1e-12
    assert largest_error(expected_sums(mistake, game, profile), wanted) > 0.02


FACING_A_BET = {"1b", "2b", "3b"}


def test_nothing_is_averaged_where_the_others_stay_away() -> None:
    """(c) The others never lead the traverser there; as the traverser they explore it.

    Player 0 always passes, so that player 1 never faces a bet, though own reach is 1 there.
    """
    game = walk_of("kuhn")
    profile = {key: [1.0, 0.0] for key in game.infosets}
    assert all(own_reach(game, profile)[key] == 1.0 for key in FACING_A_BET)
    added: dict[str, float] = {}
    for averaging in ("openspiel", "stochastic"):
        sums: Table = {}
        for player in (0, 1):
            _, found, _ = expected_addition(
                lambda draws, player=player, averaging=averaging: outcome_sampling(
                    game.root, player, profile, draws, averaging=averaging
                )
            )
            sums |= found
        added[averaging] = sum(sum(sums.get(key, [0.0])) for key in FACING_A_BET)
    assert added == {"openspiel": 0.0, "stochastic": pytest.approx(3 * 1 / 3, abs=1e-12)}


def test_nor_is_a_clock_set_there() -> None:
    """(c) The same with t - c_I."""
    game = walk_of("kuhn")
    profile = {key: [1.0, 0.0] for key in game.infosets}

    def seen(kind: type[OptimisticAverage]) -> set[str]:
        keys: set[str] = set()
        for player in (0, 1):
            for _, added in every_run(partial(outcome_sampling, game.root, player, profile)):
                average = kind()
                average.visit(1, player, added.visits)
                keys |= set(average.clocks)
        return keys & FACING_A_BET

    assert seen(OptimisticAverage) == FACING_A_BET
    assert seen(AtTheTraverser) == set()


def test_the_strategy_after_the_update_is_too_late() -> None:
    """(e) What was played since c_I is the strategy before it.

    At a player's first decision own reach is 1, and a traverser sees every change of strategy:
    there t - c_I is exact, unless it is taken after the update.
    """
    game = walk_of("kuhn")
    exact, right, wrong = LazyAverage(), AtTheTraverser(), AfterTheUpdate()
    steps: list[Step] = list(learning(game, 40))
    for step in steps:
        exact.visit(step.iteration, step.traverser, step.visits)
        right.step(step)
        wrong.step(step)
    profile = steps[-1].after
    first = [key for key, infoset in game.infosets.items() if not infoset.path]
    sums = exact.flushed(40, game, profile)
    wanted = {key: sums[key] for key in first}
    assert largest_error(right.flushed(40, game, profile), wanted) < 1e-9
    assert largest_error(wrong.flushed(40, game, profile), wanted) > 1.0


def test_own_reach_must_not_depend_on_the_history() -> None:
    """(h) Two ways to one infoset: all the time goes to whichever was seen last."""
    found = []
    for order in ((0.2, 0.8), (0.8, 0.2)):
        average = OptimisticAverage()
        for t, reach in enumerate(order, start=1):
            visit = Visit("I", 1, [0.5, 0.5], 0, None, reach, 1.0, 1.0)
            average.visit(10**t, 0, [visit])
        found.append(average.sums["I"][0])
    assert found[0] != pytest.approx(found[1], rel=0.5)


@pytest.mark.parametrize("averaging", ["lazy", "optimistic"])
def test_forgetful_players_are_refused(averaging: str) -> None:
    """(h) Averages that need one own reach per infoset say so; the others go on."""
    tree = compile_game(load_game("random_tree(seed=3,depth=6,imperfect_recall=true)"))
    with pytest.raises(RecallError):
        MCCFR(tree, sampler="outcome", averaging=averaging)
    MCCFR(tree, sampler="outcome", averaging="stochastic").run(5).average_strategy()


@pytest.mark.parametrize(
    ("sums", "epsilon", "tau", "beta", "tried"),
    [
        ([0.0, 1.0, 3.0], 0.05, 2.0, 4.0, [4 / 8, 6 / 8, 1.0]),
        ([0.0, 1.0, 3.0], 0.05, 1.0, 4.0, [4 / 8, 5 / 8, 7 / 8]),
        ([0.0, 1.0, 3.0], 0.05, 2.0, 0.0, [0.05, 2 / 4, 1.0]),
        ([0.0, 0.0], 0.05, 2.0, 4.0, [1.0, 1.0]),
        ([0.0, 0.0], 0.05, 2.0, 0.0, [1.0, 1.0]),
    ],
)
def test_what_is_tried_how_often(
    sums: list[float], epsilon: float, tau: float, beta: float, tried: list[float]
) -> None:
    """Gibson's rho = max(epsilon, (beta + tau s) / (beta + sum of s)), by hand."""
    assert trial_probabilities(sums, epsilon, tau, beta) == pytest.approx(tried, abs=1e-15)
