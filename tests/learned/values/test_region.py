"""Solves between public states: the same iterates as CFR of the whole game, and exact values."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import equilibrist as eq
from equilibrist.learned.network import new_network
from equilibrist.learned.values.network import AskedLeaves, ValueNetwork
from equilibrist.learned.values.region import Region, acting_depth, search_levels
from equilibrist.learned.values.solver import BeliefSolver, LaneRanges, SolvedBelow
from equilibrist.learned.values.states import ValueStates
from equilibrist.learned.values.stitched import (
    StatesOfTables,
    drawn_in_strata,
    iterate_weights,
    stitched,
)
from equilibrist.search import EquilibriumValues, Subgames
from equilibrist.solvers.full_traversal.cfr import CFR
from equilibrist.solvers.variants.families import cfr_plus, lcfr, pcfr_plus
from equilibrist.solvers.variants.variant import Variant
from equilibrist.typing import FloatArray
from tests.search.trunks import DICE, LEDUC, search_game
from tests.slow_cases import slow

VARIANTS = [lcfr(), pcfr_plus()]


def flat(solvers: list[BeliefSolver], strategies: list[list[FloatArray]]) -> FloatArray:
    """The strategies of regions that make up the whole game, over the actions of all players."""
    tree = solvers[0].region.search.tree
    found = np.full(int(tree.action_offset[-1]), np.nan)
    for solver, strategy in zip(solvers, strategies, strict=True):
        for player in range(2):
            slots = solver.region.own_slots[player]
            found[solver.region.own_places[player]] = strategy[player][slots, 0]
    return found


@pytest.mark.parametrize("variant", VARIANTS, ids=[each.name for each in VARIANTS])
@pytest.mark.parametrize("game", ["kuhn", LEDUC, DICE])
def test_a_region_without_leaves_is_solved_as_the_tree_is(game: str, variant: Variant) -> None:
    """With both players updated at once, average strategies agree."""
    search = search_game(game)
    region = Region.of(search, (0,), None)
    solver = BeliefSolver(region, LaneRanges.whole(region), variant=variant).run(15)
    reference = CFR(search.tree, replace(variant, alternating=False), threads=1).run(15)
    expected = reference.average_strategy().probabilities
    np.testing.assert_allclose(flat([solver], [solver.average()]), expected, atol=1e-9)


@pytest.mark.parametrize("depth", [1, 2, 4])
@pytest.mark.parametrize("game", [LEDUC, DICE])
def test_exact_leaves_give_every_iterate_of_the_full_solution(game: str, depth: int) -> None:
    """One iteration below for each question: play above and below is that of one whole solve."""
    search, variant = search_game(game), lcfr()
    whole = Region.of(search, (0,), None)
    full = BeliefSolver(whole, LaneRanges.whole(whole), variant=variant)
    region = Region.of(search, (0,), depth)
    below = SolvedBelow.of(region, 1, variant, 1, fresh=False, averaged=False)
    above = BeliefSolver(region, LaneRanges.whole(region), below, variant=variant)
    for _ in range(12):
        full.run(1)
        above.run(1)
        parts = [above, below.below]
        found = flat(parts, [part.strategy for part in parts])
        np.testing.assert_allclose(found, flat([full], [full.strategy]), atol=1e-12)


@pytest.mark.parametrize("lanes", [3])
def test_lanes_do_not_mix(lanes: int) -> None:
    """Each lane has the values and the play of a solve by itself."""
    search = search_game(LEDUC)
    region = Region.of(search, tuple(np.flatnonzero(acting_depth(search.public) == 3)[:1]), None)
    random = np.random.default_rng(5)
    ranges = LaneRanges(*(random.uniform(size=(h, lanes)) for h in region.num_hands))
    together = BeliefSolver(region, ranges, variant=pcfr_plus()).run(30)
    for k in range(lanes):
        own = LaneRanges(ranges.first[:, k : k + 1], ranges.second[:, k : k + 1])
        alone = BeliefSolver(region, own, variant=pcfr_plus()).run(30)
        for player in range(2):
            np.testing.assert_array_equal(
                together.mean_values()[player][:, k], alone.mean_values()[player][:, 0]
            )
            np.testing.assert_array_equal(
                together.average()[player][:, k], alone.average()[player][:, 0]
            )


@pytest.mark.parametrize(("game", "value"), [slow("kuhn", -1 / 18), (LEDUC, -0.0856064)])
def test_mean_values_tend_to_those_of_equilibria(game: str, value: float) -> None:
    """The value of the game at the beginning, and the values of hands at leaves."""
    search = search_game(game)
    whole = Region.of(search, (0,), None)
    solver = BeliefSolver(whole, LaneRanges.whole(whole), variant=pcfr_plus()).run(2500)
    first, second = solver.mean_values()
    assert first.sum() == pytest.approx(value, abs=2e-4)
    assert first.sum() + second.sum() == pytest.approx(0.0, abs=1e-12)


def test_exact_leaves_are_those_of_linear_programmes() -> None:
    """For random ranges, at both leaves of Kuhn poker's first move."""
    search = search_game("kuhn")
    region = Region.of(search, (0,), 1)
    random = np.random.default_rng(1)
    ranges = [random.uniform(size=(len(hands.slot), 1)) for hands in region.hands]
    expected = AskedLeaves.of(EquilibriumValues(), region)(*ranges)
    solved = SolvedBelow.of(region, 1, pcfr_plus(), 1000)(*ranges)
    for player in range(2):
        np.testing.assert_allclose(solved[player], expected[player], atol=1e-3)


def test_without_leaves_stitched_averages_are_the_full_solution() -> None:
    """A depth beyond the end of the game leaves one solve."""
    search = search_game(DICE)
    region = Region.of(search, (0,), None)
    full = BeliefSolver(region, LaneRanges.whole(region), variant=lcfr(), alternating=True)
    found = stitched(search, no_leaves, depth=50, iterations=40, variant=lcfr())
    expected = flat([full], [full.run(40).average()])
    both = [search.own[p].reach(each) for each in (found.probabilities, expected) for p in (0, 1)]
    np.testing.assert_allclose(both[0], both[2], atol=1e-12)
    np.testing.assert_allclose(both[1], both[3], atol=1e-12)


def no_leaves(region: Region, lanes: int) -> SolvedBelow:
    """What is asked where there are leaves."""
    raise AssertionError(region.leaves, lanes)


def test_the_mean_of_drawn_iterates_tends_to_the_average() -> None:
    """Iterates are drawn in proportion to their weights; at the end averages stand for them."""
    search, tables = search_game("kuhn"), 500
    options: dict[str, Any] = {"iterations": 60, "variant": lcfr()}
    drawn = stitched(search, no_leaves, depth=50, tables=3, seed=2, **options)
    average = stitched(search, no_leaves, depth=50, **options)
    np.testing.assert_allclose(drawn.probabilities, average.probabilities, atol=1e-12)
    drawn = stitched(search, solved_below, depth=1, tables=tables, seed=2, **options)
    average = stitched(search, solved_below, depth=1, **options)
    first = Region.of(search, (0,), 1).own_places[0]  # above the leaves player 0 alone decides
    np.testing.assert_allclose(
        drawn.probabilities[first], average.probabilities[first], atol=60 / tables / 10
    )


def solved_below(region: Region, lanes: int) -> SolvedBelow:
    """What is asked about leaves."""
    return SolvedBelow.of(region, lanes, lcfr(), 10, alternating=True)


def test_drawn_numbers_come_as_often_as_they_should() -> None:
    """Up to one, in every row and for samples of any size; rows that are too long repeat."""
    weights, counts = np.array([0.5, 0.1, 0.0, 0.4]), np.array([7, 30])
    drawn = drawn_in_strata(weights, counts, 30, np.random.default_rng(1))
    assert drawn.shape == (2, 30)
    np.testing.assert_array_equal(drawn[0, 7:14], drawn[0, :7])
    for row, count in zip(drawn, counts.tolist(), strict=True):
        times = np.bincount(row[:count], minlength=4)
        assert (np.abs(times - count * weights) < 1.0).all()


def test_states_are_solved_for_tables_in_which_somebody_comes() -> None:
    """Each state for these first, beside states with about as many; where nobody comes not."""
    search, random = search_game("liars_dice(sides=3)"), np.random.default_rng(3)
    (roots, *_), tables = search_levels(search.public, 2), 40
    shapes = [(own.plans.size, tables) for own in search.own]
    plans = [(random.uniform(size=shape) < 0.02).astype(np.float64) for shape in shapes]
    expected: dict[int, set[int]] = {}
    for player, hands in enumerate(Subgames.below(search, roots).hands):
        for root, sequence in zip(hands.root.tolist(), hands.sequence.tolist(), strict=True):
            coming = set(np.flatnonzero(plans[player][sequence]).tolist())
            expected[roots[root]] = expected.get(roots[root], set()) | coming
    found = {}
    for part in StatesOfTables.all_of(search, roots, plans, random):
        assert part.counts.max() == part.tables.shape[1] < 2 * part.counts.min()
        for root, row, count in zip(part.roots, part.tables, part.counts.tolist(), strict=True):
            found[root] = set(row[:count].tolist())
            assert len(found[root]) == count
    assert found == {root: coming for root, coming in expected.items() if coming}


def test_a_player_who_does_not_come_to_a_leaf_may_have_any_hand() -> None:
    """Who comes alone earns what a deviation to the leaf would, against play for even ranges."""
    search = search_game("liars_dice(sides=2)")
    region = Region.of(search, (0,), 2)
    states = ValueStates.of(search)
    sizes = (states.num_inputs, 16, sum(states.num_hands))
    network = ValueNetwork(states, new_network(sizes, 3, zero_output=False))
    first, second = (np.ones((len(hands.slot), 1)) for hands in region.hands)
    for values in (solved_below(region, 1), network.on(region, 1)):
        expected = values(first, second)
        nobody = values(0.0 * first, second)
        np.testing.assert_allclose(nobody[0], expected[0], rtol=1e-6)
        assert not nobody[1].any()
        nobody = values(first, 0.0 * second)
        np.testing.assert_allclose(nobody[1], expected[1], rtol=1e-6)
        assert not nobody[0].any()


@pytest.mark.parametrize("alternating", [False, True])
def test_weights_of_iterates_are_those_of_the_average(alternating: bool) -> None:
    """Linear weights, and for players in turn those of pairs of iterations."""
    weights = iterate_weights(lcfr(), 6, alternating=alternating)
    expected = np.array([1, 1, 2, 2, 3, 3] if alternating else [1, 2, 3, 4, 5, 6], dtype=float)
    np.testing.assert_allclose(weights, expected / expected.sum(), rtol=1e-12)


def test_exact_leaves_are_far_better_than_none() -> None:
    """In liar's dice, with a few tables: what search is worth with right values."""
    search = search_game("liars_dice(sides=3)")
    options: dict[str, Any] = {"depth": 2, "iterations": 32, "variant": lcfr(), "tables": 8}
    exact = stitched(
        search, lambda region, lanes: SolvedBelow.of(region, lanes, pcfr_plus(), 20), **options
    )
    zero = stitched(search, lambda *_: lambda first, second: (0 * first, 0 * second), **options)
    losses = [eq.evaluate(each).nash_conv / 2.0 for each in (exact, zero)]
    assert losses[0] < 0.3 * losses[1]


def test_cfr_plus_is_one_of_the_variants() -> None:
    """Any variant solves a region."""
    region = Region.of(search_game("kuhn"), (0,), None)
    solver = BeliefSolver(region, LaneRanges.whole(region), variant=cfr_plus()).run(500)
    strategy = eq.Strategy(region.search.tree, flat([solver], [solver.average()]))
    assert eq.evaluate(strategy).nash_conv < 0.02


def test_a_search_can_stop_before_chance_shows_something() -> None:
    """In Leduc poker before the board; what follows is one solve."""
    search = search_game(LEDUC)
    names = [search.public.names[node] for node in search_levels(search.public, 0)[0]]
    assert names == ["??:cc", "??:crc", "??:crrc", "??:rc", "??:rrc"]
    assert len(search_levels(search.public, 0)) == 1
    assert [len(level) for level in search_levels(search_game(DICE).public, 2)] == [15, 15, 1]
    assert not search_levels(search_game(DICE).public, 0)
