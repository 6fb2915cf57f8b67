"""Gifts that are certain: least values and gifts by enumeration, and what margins promise."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from scipy.optimize import linprog

import equilibrist as eq
from equilibrist.evaluation import best_response
from equilibrist.search import OnlineSearch, Subgames, TrunkValues, get_search_method, resolve
from equilibrist.search.programmes import certain_values, least_values, task_of
from equilibrist.typing import FloatArray
from tests.search.coin_toss import CoinToss
from tests.search.coin_toss import trunk as coin_trunk
from tests.search.trunks import ROOTS, subgames, trunk


def kuhn(kind: str) -> TrunkValues:
    """Seat 1 of Kuhn poker, whose answers to a pass and to a bet are open."""
    return TrunkValues.of(
        Subgames.of(trunk("kuhn", kind).tree, "after move 1"), trunk("kuhn", kind), 1
    )


def every_play(values: TrunkValues) -> Iterator[FloatArray]:
    """The plans of all pure play below the roots."""
    rows, own = values.seat_rows, values.subgames.search.own[1]
    for taken in product(*map(range, rows.own_counts.tolist())):
        probabilities = values.probabilities.copy()
        shares = [np.eye(size)[k] for size, k in zip(rows.own_counts, taken, strict=True)]
        probabilities[own.start + rows.own - 1] = np.concatenate(shares)
        yield own.reach(probabilities)


def least_of_mixtures(values: TrunkValues) -> FloatArray:
    """For each hand the value of the matrix game of all own pure plans against its pure answers."""
    plans = list(every_play(values))
    assert len(plans) == 2**6
    own = values.subgames.search.own[0]
    answered = []
    for action in (0, 1):  # seat 0 decides once more, behind a pass and a bet
        probabilities = values.probabilities.copy()
        later = own.plans.parent > 0
        flat = own.start + own.plans.first[later] - 1
        probabilities[flat + action], probabilities[flat + 1 - action] = 1.0, 0.0
        fixed = replace(values, probabilities=probabilities)
        answered.append([replace(fixed, plan=plan).expected for plan in plans])
    earned = np.array(answered)  # [answers, plans, hands]
    least = []
    for hand in range(earned.shape[2]):
        matrix = np.column_stack([earned[:, :, hand], -np.ones(2)])
        cost = np.eye(len(plans) + 1)[-1]
        whole = np.ones((1, len(plans) + 1)) - cost
        bounds = [(0, 1)] * len(plans) + [(None, None)]
        least.append(linprog(cost, matrix, np.zeros(2), whole, np.ones(1), bounds=bounds).fun)
    return np.array(least)


@pytest.mark.parametrize("kind", ["uniform", "random 1"])
def test_least_values_and_certain_gifts_of_all_play_in_kuhn(kind: str) -> None:
    values = kuhn(kind)
    search, hands = values.subgames.search, values.subgames.hands[0]
    wanted = least_of_mixtures(values)
    least = least_values(values)
    np.testing.assert_allclose(least, wanted, atol=1e-9)
    # Above a root there is one decision: what seat 0 does there leads to one of both roots.
    sure = dict(zip(hands.sequence.tolist(), wanted, strict=True))
    now = search.own[0].best(search.earned(0, values.plan)).sequence
    plans, gifts = search.own[0].plans, []
    for sequence in hands.sequence.tolist():
        begin = int(plans.first[plans.infoset[sequence - 1]])
        gifts.append(max(0.0, max(sure[begin], sure[begin + 1]) - now[sequence]))
    certain = values.gifts(better=certain_values(values))
    np.testing.assert_allclose(certain, gifts, atol=1e-9)
    assert (certain <= values.gifts() + 1e-15).all()
    assert certain.sum() < values.gifts().sum()


@pytest.mark.parametrize("roots", ROOTS)
@pytest.mark.parametrize("kind", ["cfr+ 100", "noise 0.2"])
def test_certain_gifts_lie_between_none_and_all(roots: str, kind: str) -> None:
    strategy = trunk(ROOTS[roots][0], kind)
    for seat in (0, 1):
        values = TrunkValues.of(subgames(roots), strategy, seat)
        task = task_of(values, get_search_method("reach-certain"))
        assert (task.gifts >= 0.0).all()
        assert (task.gifts <= values.gifts() + 1e-12).all()
        as_they_are = values.gifts(better=values.with_hands_worth(values.best))
        np.testing.assert_allclose(as_they_are, values.gifts(), atol=1e-12)


def test_what_ends_at_once_is_certain() -> None:
    """Selling the coin is worth the same however it is guessed."""
    strategy = coin_trunk(CoinToss(), 5 / 8)
    found = [
        resolve(strategy, roots="play", method=method, seats=[1]).strategy["guess"]["heads"]
        for method in ("reach", "reach-certain")
    ]
    assert found == pytest.approx([7 / 16, 7 / 16], abs=1e-12)


@pytest.mark.parametrize("roots", ROOTS)
@pytest.mark.parametrize("method", ["max-margin", "reach", "reach-certain"])
def test_losses_fall_by_the_margins_that_a_best_response_meets(roots: str, method: str) -> None:
    strategy = trunk(ROOTS[roots][0], "noise 0.2")
    found = resolve(strategy, roots=subgames(roots), method=method, completion=False)
    after = found.strategy
    for seat in (0, 1):
        values = TrunkValues.of(subgames(roots), after, seat)
        hands = values.subgames.hands[1 - seat]
        response = best_response(after, 1 - seat).strategy.probabilities
        comes = values.subgames.search.own[1 - seat].reach(response)[hands.sequence]
        steps = {step.root: step for step in found.steps if step.seat == seat}
        promised = sum(
            comes[hand] * values.weight[hand] * (steps[name].margin or 0.0)
            for number, name in enumerate(values.subgames.names)
            for hand in hands.at(number).tolist()
        )
        fallen = found.before[seat] - found.after[seat]
        assert fallen >= promised - 1e-7
    assert eq.nash_conv(after) <= eq.nash_conv(strategy)


@pytest.mark.parametrize("roots", ["fifteen", "two bids"])
def test_hand_by_hand_gifts_are_certain_for_all_roots(roots: str) -> None:
    """All that is solved when play comes there counts, not the root alone that is solved now."""
    game, where = ROOTS[roots]
    strategy = trunk(game, "noise 0.2")
    together = resolve(strategy, roots=where, method="reach-certain", completion=False)
    apart = OnlineSearch.of(strategy, roots=where, method="reach-certain").offline(completion=False)
    gifts = [
        {(step.root, step.seat): [hand.gift for hand in step.hands] for step in found.steps}
        for found in (together, apart)
    ]
    assert gifts[0].keys() == gifts[1].keys()
    for place, wanted in gifts[0].items():
        np.testing.assert_allclose(gifts[1][place], wanted, atol=1e-9)


def test_gifts_are_certain_for_roots_that_are_solved_later() -> None:
    """In turn, too: what is solved next changes what the opponent's other moves earn."""
    values = kuhn("uniform")
    found = resolve(
        trunk("kuhn", "uniform"), roots="after move 1", method="reach-certain", seats=[1],
        in_turn=True, completion=False,
    )  # fmt: skip
    scale = values.subgames.search.game.scale
    gifts = scale * values.gifts(better=certain_values(values))
    first = found.steps[0]
    here = values.subgames.hands[0].at(values.subgames.names.index(first.root))
    np.testing.assert_allclose([hand.gift for hand in first.hands], gifts[here], atol=1e-9)
