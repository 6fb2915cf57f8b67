"""Mistakes that are easily made, put in on purpose: each must show on an equilibrium trunk.

Margins at fifteen roots of Leduc, where the right answer leaves nothing to exploit.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

import equilibrist as eq
from equilibrist.search import SearchMethod, TrunkValues, get_search_method, resolve
from equilibrist.search.programmes import solve_by_programme, task_of
from equilibrist.search.seat_task import SeatTask
from equilibrist.typing import FloatArray
from tests.search.trunks import LEDUC, ROOTS, search_game, subgames, trunk

Mistake = Callable[[SeatTask], SeatTask]


def risen(mistake: Mistake, roots: str = "fifteen") -> float:
    """By how much losses rise on average of both seats, with margins."""
    found, strategy = subgames(roots), trunk(ROOTS[roots][0], "lp")
    before = eq.evaluate(strategy).best_response_values
    total = 0.0
    for seat in range(2):
        values = TrunkValues.of(found, strategy, seat)
        play = solve_by_programme(mistake(task_of(values, get_search_method("max-margin"))))
        probabilities = strategy.probabilities.copy()
        probabilities[found.search.own[seat].flat] = play.behaviour
        after = eq.evaluate(eq.Strategy(strategy.tree, probabilities)).best_response_values
        total += after[1 - seat] - before[1 - seat]
    return total / 2


def in_proportion(task: SeatTask, wrong: FloatArray) -> SeatTask:
    """Alternatives divided by another weight than the one that payoffs are divided by."""
    right = task.trunk.weight
    share = np.where(wrong > 0.0, right / np.where(wrong > 0.0, wrong, 1.0), 0.0)
    return replace(task, alternatives=task.alternatives * share)


def no_card_removal(task: SeatTask) -> SeatTask:
    """The weight of a hand is all own reach, whatever cards it holds."""
    trunk_, found = task.trunk, task.trunk.subgames
    own, theirs = found.hands[trunk_.player], found.hands[1 - trunk_.player]
    reach = np.zeros(len(found))
    np.add.at(reach, own.root, trunk_.plan[own.sequence])
    count = np.bincount(theirs.root)[theirs.root]
    everybody = trunk_.total[theirs.root] / count
    return in_proportion(task, np.where(reach[theirs.root] > 0.0, everybody, 0.0))


def without_own_range(task: SeatTask) -> SeatTask:
    """Whatever it did to come here, the seat has every hand."""
    rows = task.trunk.subgames.seats[task.trunk.player]
    plan = np.ones_like(task.trunk.plan)
    plan[rows.own] = task.trunk.plan[rows.own]
    return replace(task, trunk=replace(task.trunk, plan=plan))


def range_of_sum_one(task: SeatTask) -> SeatTask:
    """Own reaches add up to 1 at each root, alternatives are left as they are."""
    found = task.trunk.subgames
    own, theirs = found.hands[task.trunk.player], found.hands[1 - task.trunk.player]
    total = np.zeros(len(found))
    np.add.at(total, own.root, task.trunk.plan[own.sequence])
    return replace(task, alternatives=task.alternatives * total[theirs.root])


def values_as_played(task: SeatTask) -> SeatTask:
    """The opponent's values in the trunk's play, not of its best response."""
    return replace(task, alternatives=task.trunk.expected)


def gifts_taken_away(task: SeatTask) -> SeatTask:
    return replace(task, alternatives=task.alternatives - task.trunk.gifts())


def divided_evenly(task: SeatTask) -> SeatTask:
    """As if all hands were equally likely at a root, and somebody always came."""
    root = task.trunk.subgames.hands[1 - task.trunk.player].root
    return in_proportion(task, 1.0 / np.bincount(root)[root])


def only_who_comes(task: SeatTask) -> SeatTask:
    """Hands that o does not bring to the root in the trunk are left out."""
    return replace(task, counted=task.counted & (task.trunk.reach > 0.0))


def other_seat(task: SeatTask) -> SeatTask:
    return replace(task, alternatives=-task.alternatives)


def test_the_right_answer_leaves_nothing() -> None:
    assert risen(lambda task: task) == pytest.approx(0.0, abs=1e-12)


@pytest.mark.parametrize(
    ("mistake", "least"),
    [
        (no_card_removal, 0.1),
        (without_own_range, 0.3),
        (range_of_sum_one, 0.3),
        (values_as_played, 0.01),
        (gifts_taken_away, 0.001),
        (other_seat, 0.5),
        (divided_evenly, 0.3),
    ],
)
def test_a_mistake_shows(mistake: Mistake, least: float) -> None:
    assert risen(mistake) > least


def test_hands_that_do_not_come_must_be_held_off() -> None:
    """They would come: in liar's dice after bids that an equilibrium never makes."""
    assert risen(lambda task: task, "one bid") == pytest.approx(0.0, abs=1e-12)
    assert risen(only_who_comes, "one bid") > 0.1


def test_whole_gifts_at_several_roots_show() -> None:
    """On a trunk that gives some: with shares its losses fall, with all of them one rises."""
    found, strategy = subgames("fifteen"), trunk(LEDUC, "texture")
    split, whole = (
        resolve(strategy, roots=found, method=method, completion=False)
        for method in ("reach", "reach(gifts=whole)")
    )
    before = split.trunk_evaluation.exploitability
    assert before is not None
    assert split.evaluation.exploitability < before - 0.05
    assert whole.evaluation.exploitability > split.evaluation.exploitability + 0.05
    assert whole.bound == (None, None)
    assert not whole.method.is_safe


@pytest.mark.parametrize("roots", ["five", "fifteen", "one bid", "two bids"])
@pytest.mark.parametrize("method", ["unsafe", "resolve", "max-margin", "constrained"])
def test_where_a_seat_does_not_come_the_trunk_is_kept(roots: str, method: str) -> None:
    """With a pure trunk most hands and roots are never reached."""
    found = subgames(roots)
    strategy = trunk(ROOTS[roots][0], "pure")
    result = resolve(strategy, roots=found, method=method, completion=False)
    tree = strategy.tree
    for seat in range(2):
        values = TrunkValues.of(found, strategy, seat)
        own = found.search.own[seat]
        reach = own.reach(result.strategy.probabilities)
        numbers = np.flatnonzero(tree.infoset_player == seat)
        for infoset, number in enumerate(numbers.tolist()):
            rows = tree.actions_of(number)
            if reach[own.plans.parent[infoset]] == 0.0:
                kept = strategy.probabilities[rows]
                assert (result.strategy.probabilities[rows] == kept).all()
        acts = found.search.public.acts_below[list(found.nodes), seat]
        for root, name in enumerate(found.names):
            met = values.weight[found.hands[1 - seat].at(root)] > 0.0
            if "margin" in method or method == "resolve":
                wanted = bool(acts[root] and met.any())
            else:
                coming = values.reach[found.hands[1 - seat].at(root)] > 0.0
                wanted = bool(acts[root] and (met & coming).any())
            assert (result.step(name, seat).objective is not None) == wanted


def test_outside_the_subgames_the_trunk_keeps_its_bits() -> None:
    found, strategy = subgames("fifteen"), trunk(LEDUC, "cfr+ 100")
    result = resolve(strategy, roots=found, method="max-margin", completion=False)
    outside = np.repeat(~found.inside, np.diff(strategy.tree.action_offset))
    assert (result.strategy.probabilities == strategy.probabilities)[outside].all()
    one = resolve(strategy, roots=found, method="max-margin", seats=[1], completion=False)
    mine = np.repeat(strategy.tree.infoset_player == 0, np.diff(strategy.tree.action_offset))
    assert (one.strategy.probabilities == strategy.probabilities)[mine].all()
    assert (one.strategy.probabilities == result.strategy.probabilities)[~mine].all()


@pytest.mark.parametrize("reach", [1e-3, 1e-7, 1e-10, 1e-13])
@pytest.mark.parametrize("method", ["max-margin", "constrained", "unsafe"])
def test_roots_that_are_hardly_reached(reach: float, method: str) -> None:
    """Normalised optima do not depend on how likely a seat comes to a root with all its hands."""
    tree = search_game(LEDUC).tree
    found = subgames("five")
    even = trunk(LEDUC, "uniform")
    table = even.to_dict()
    for key in tree.infoset_keys:
        if key in ("J:c", "Q:c", "K:c"):  # seat 1 after a check
            table[key] = {"call": reach, "raise": 1.0 - reach}
    rare = eq.Strategy.from_dict(tree, table)
    wanted = resolve(even, roots=found, method=method, seats=[1], completion=False)
    result = resolve(rare, roots=found, method=method, seats=[1], completion=False)
    a, b = wanted.step("??:cc", 1), result.step("??:cc", 1)
    assert b.total == pytest.approx(a.total * 2 * reach)
    assert a.objective is not None
    assert b.objective is not None
    share = 1.0 if method == "max-margin" else 2 * reach
    assert b.objective / share == pytest.approx(a.objective, abs=1e-8)


def test_methods_say_whether_they_are_safe() -> None:
    def safe(method: str | SearchMethod) -> bool:
        return get_search_method(method).is_safe

    assert all(map(safe, ["resolve", "max-margin", "reach", "reach-resolve", "constrained"]))
    assert safe("resolve(gifts=split)")
    assert not any(map(safe, ["unsafe", "estimate-resolve", "reach(gifts=whole)"]))
    assert not safe("resolve(alternatives=trunk)")
