"""The averages of outcome sampling that keep clocks, and what each classic mistake breaks."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from equilibrist.errors import RecallError
from equilibrist.games import load_game
from equilibrist.reference.averaging import full_average
from equilibrist.reference.draws import Draws, RandomDraws
from equilibrist.reference.regret_matching import regret_matching
from equilibrist.reference.sampling import Profile, outcome_sampling
from equilibrist.reference.sampling.clocks import LazyAverage, OptimisticAverage, Rule
from equilibrist.reference.sampling.outcome import Trajectory, Visit
from equilibrist.reference.walk import GameWalk
from equilibrist.solvers.mccfr import MCCFR
from equilibrist.tree.compile import compile_game
from tests.solvers.exact_expectation import SPECS, Table, profile_with_zeros, walk_of
from tests.solvers.stream_draws import StreamDraws, key_of

Step = tuple[int, int, Trajectory, Profile]


def constant(game: GameWalk, profile: Profile, iterations: int) -> Iterator[Step]:
    """Trajectories of a profile that never changes: iteration, traverser, trajectory, profile."""
    draws = RandomDraws(2)
    for t in range(1, iterations + 1):
        for player in range(game.num_players):
            yield t, player, outcome_sampling(game.root, player, profile, draws), profile


def learning(game: GameWalk, iterations: int, seed: int | None = None) -> Iterator[Step]:
    """The same while regrets are learned; the profile is the one after the update."""
    regret = {key: [0.0] * len(infoset.actions) for key, infoset in game.infosets.items()}
    profile = {key: regret_matching(row) for key, row in regret.items()}
    draws: Draws = RandomDraws(2)
    for t in range(1, iterations + 1):
        if seed is not None:
            draws = StreamDraws(key_of(seed), t)
        for player in range(game.num_players):
            added = outcome_sampling(game.root, player, profile, draws)
            for key, row in added.regret.items():
                regret[key] = [x + y for x, y in zip(regret[key], row, strict=True)]
            profile = {**profile, **{key: regret_matching(regret[key]) for key in added.regret}}
            yield t, player, added, profile


def shortfall(game: GameWalk, profile: Profile, iterations: int, rule: Rule) -> float:
    """With a constant profile every visit pattern must add up to iterations * full average."""
    average = OptimisticAverage(game.num_players, rule)
    for t, player, added, after in constant(game, profile, iterations):
        average.visit(t, player, added.visits, after)
    sums = average.settled(iterations, game, profile)
    worst = 0.0
    for key, row in full_average(game, profile).strategy_sum.items():
        found = sums.get(key, [0.0] * len(row))
        worst = max(worst, *(abs(iterations * p - x) for p, x in zip(row, found, strict=True)))
    return worst / iterations


@pytest.mark.parametrize("at", ["others", "traverser"])
@pytest.mark.parametrize("spec", SPECS)
def test_what_is_constant_is_counted_exactly(spec: str, at: str) -> None:
    game = walk_of(spec)
    assert shortfall(game, profile_with_zeros(game, 1), 12, Rule(at=at)) < 1e-12


@pytest.mark.parametrize(
    "mistake",
    [
        pytest.param(Rule(divided=True), id="a: divided by q as well"),
        pytest.param(Rule(shared_clock=True), id="b: one shared clock"),
        pytest.param(Rule(own_reach=False), id="d: without own reach"),
        pytest.param(Rule(at="traverser", own_reach=False), id="c, d: at the traverser's nodes"),
        pytest.param(Rule(two_counters=True), id="f: two counters"),
        pytest.param(Rule(flushed=False), id="g: no flush"),
    ],
)
def test_mistakes_miscount_even_what_is_constant(mistake: Rule) -> None:
    game = walk_of("kuhn")
    even = {key: [0.5, 0.5] for key in game.infosets}
    assert shortfall(game, even, 12, Rule()) < 1e-12
    assert shortfall(game, even, 12, mistake) > 0.05


def test_trap_c_nothing_is_averaged_where_the_others_stay_away() -> None:
    """At the traverser's nodes an infoset waits for the others; at the others' nodes it does not.

    Player 0 always passes with every card, so player 1 is never at "b": as traverser, player 1
    does not get there, and as the other player does, whenever player 0 explores.
    """
    game = walk_of("kuhn")
    profile = {key: [1.0, 0.0] for key in game.infosets}
    counted = {}
    for averaging in ("openspiel", "stochastic"):
        draws, keys = RandomDraws(0), set()
        for _ in range(200):
            for player in (0, 1):
                added = outcome_sampling(game.root, player, profile, draws, averaging=averaging)
                keys |= set(added.strategy_sum)
        counted[averaging] = {"1b", "2b", "3b"} & keys
    assert counted == {"openspiel": set(), "stochastic": {"1b", "2b", "3b"}}


def test_trap_e_the_strategy_before_the_update_is_the_one_that_was_played() -> None:
    """Where own reach is 1 and each change is seen, t - c_I is exact, unless it is after it."""
    game = walk_of("kuhn")
    exact = LazyAverage()
    right, wrong = (
        OptimisticAverage(2, Rule(at="traverser", after_update=after)) for after in (False, True)
    )
    profile: Profile = {}
    for t, player, added, after in learning(game, 40):
        exact.visit(t, player, added.visits)
        right.visit(t, player, added.visits, after)
        wrong.visit(t, player, added.visits, after)
        profile = after
    wanted = exact.settled(40, game, profile)
    errors = {"right": 0.0, "wrong": 0.0}
    for name, average in (("right", right), ("wrong", wrong)):
        found = average.settled(40, game, profile)
        for key, infoset in game.infosets.items():
            if not infoset.path:
                errors[name] = max(errors[name], abs(wanted[key][0] - found[key][0]))
    assert errors["right"] < 1e-9
    assert errors["wrong"] > 1.0


def test_trap_h_own_reach_must_not_depend_on_the_history() -> None:
    """Two ways to one infoset: the clock credits all the time to whichever was seen last."""
    found = []
    for order in ((0.2, 0.8), (0.8, 0.2)):
        average = OptimisticAverage(2)
        for t, reach in enumerate(order, start=1):
            visit = Visit("I", 1, [0.5, 0.5], 0, None, reach, 1.0, 1.0)
            average.visit(10**t, 0, [visit], {})
        found.append(average.sums["I"][0])
    assert found[0] != pytest.approx(found[1], rel=0.5)


@pytest.mark.parametrize("averaging", ["lazy", "optimistic"])
def test_trap_h_forgetful_players_are_refused(averaging: str) -> None:
    tree = compile_game(load_game("random_tree(seed=3,depth=6,imperfect_recall=true)"))
    with pytest.raises(RecallError):
        MCCFR(tree, "outcome", averaging=averaging)
    MCCFR(tree, "outcome", averaging="stochastic").run(5).average_strategy()


@pytest.mark.parametrize("spec", SPECS)
def test_the_lazy_average_is_exact(spec: str) -> None:
    game = walk_of(spec)
    lazy = LazyAverage()
    wanted: Table = {key: [0.0] * len(i.actions) for key, i in game.infosets.items()}
    profile = {key: regret_matching([0.0] * len(i.actions)) for key, i in game.infosets.items()}
    for t, player, added, after in learning(game, 50):
        if player == 0:
            before = profile
        profile = dict(after)
        lazy.visit(t, player, added.visits)
        for key, row in full_average(game, before).strategy_sum.items():
            if game.infosets[key].player == player:
                wanted[key] = [x + y for x, y in zip(wanted[key], row, strict=True)]
    found = lazy.settled(50, game, profile)
    for key, row in wanted.items():
        assert found[key] == pytest.approx(row, abs=1e-9)


@pytest.mark.parametrize("averaging", ["lazy", "optimistic"])
@pytest.mark.parametrize("spec", [*SPECS, "leduc"])
def test_kernels_count_as_the_reference_does(spec: str, averaging: str) -> None:
    game = walk_of(spec)
    lazy, optimistic = LazyAverage(), OptimisticAverage(game.num_players)
    profile: Profile = {}
    for t, player, added, after in learning(game, 30, seed=4):
        lazy.visit(t, player, added.visits)
        optimistic.visit(t, player, added.visits, after)
        profile = after
    wanted = (lazy if averaging == "lazy" else optimistic).settled(30, game, profile)
    solver = MCCFR(load_game(spec), "outcome", averaging=averaging, seed=4).run(30)
    sums = solver.sampler.settled(solver._tables, averaging, solver.tree)
    for i, key in enumerate(solver.tree.infoset_keys):
        found = sums[solver.tree.actions_of(i)].tolist()
        assert found == pytest.approx(wanted[key], abs=1e-9)


@pytest.mark.parametrize("variant", ["cfr", "lcfr", "dcfr"])
def test_the_lazy_average_is_exact_under_discounts(variant: str) -> None:
    tree = compile_game(load_game("leduc"))
    lazy = MCCFR(tree, "outcome", variant, averaging="lazy", seed=1, epoch=5)
    full = MCCFR(tree, "outcome", variant, averaging="full", averaging_every=1, seed=1, epoch=5)
    lazy.run(101)
    full.run(101)
    assert lazy.state.regret.tobytes() == full.state.regret.tobytes()
    found, wanted = (solver.average_strategy().probabilities for solver in (lazy, full))
    assert found == pytest.approx(wanted, abs=1e-9)


@pytest.mark.parametrize("averaging", ["stochastic", "lazy", "optimistic", "openspiel", "strategy"])
def test_cuts_and_looks_change_no_bit(averaging: str) -> None:
    tree = compile_game(load_game("kuhn(players=3)"))
    whole = MCCFR(tree, "outcome", "lcfr", averaging=averaging, seed=3, epoch=7).run(100)
    parts = MCCFR(tree, "outcome", "lcfr", averaging=averaging, seed=3, epoch=7)
    for count in (1, 6, 13, 30):
        parts.run(count).average_strategy()
    resumed = MCCFR(tree, "outcome", "lcfr", averaging=averaging, seed=3, epoch=7)
    resumed.restore(parts.state).run(50)
    for name, array in whole.state.kept.items():
        assert resumed.state.kept[name].tobytes() == array.tobytes()
    assert resumed.state.strategy_sum.tobytes() == whole.state.strategy_sum.tobytes()
    average = resumed.average_strategy().probabilities
    assert np.array_equal(average, whole.average_strategy().probabilities)
