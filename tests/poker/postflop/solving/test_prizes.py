"""Spots that are played for prizes: against Malmuth and Harville by hand, and an enumeration.

What solves is slow: it compiles kernels of its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from equilibrist import load_result
from equilibrist.errors import ConfigError, NotationError, UnsupportedError
from equilibrist.play.spots.game import SpotGame
from equilibrist.poker import solve
from equilibrist.poker.betting.street_tree import ACTION, FOLD
from equilibrist.poker.cards.combos import COMBO_MASKS
from equilibrist.poker.cards.evaluator import combo_strengths
from equilibrist.poker.postflop.files.evaluation import evaluate_spot
from equilibrist.poker.postflop.menus.study import find_menus
from equilibrist.poker.postflop.solution.result import PostflopResult
from equilibrist.poker.postflop.spot.spot import Spot
from equilibrist.poker.postflop.spot.value_unit import prize_payoffs
from equilibrist.typing import FloatArray
from tests.refusals import refuses

RIVER: dict[str, Any] = {
    "board": "Qs9h5d3cJs", "oop": "AA,AK,KT,87:0.5", "ip": "QJ,AKo,99,T8s,A5s", "pot": 60,
    "bets": "50%,a", "raises": "a",
}  # fmt: skip
"""Ranges with ties: both hold ace-king."""
TABLE: dict[str, Any] = {"stacks": [240, 90], "payouts": [50, 30, 20], "others": [100, 30]}
TURN: dict[str, Any] = {**RIVER, "board": "Qs9h5d3c", "bets": "50%", "raises": ""}


def harville(stacks: Sequence[float], payouts: Sequence[float]) -> list[float]:
    """Expected prizes, place by place; players without chips win nothing of these payouts."""
    worth = [0.0] * len(stacks)
    if not payouts or not any(stacks):
        return worth
    for first, stack in enumerate(stacks):
        if not stack:
            continue
        share = stack / sum(stacks)
        rest = [0.0 if k == first else chips for k, chips in enumerate(stacks)]
        behind = harville(rest, payouts[1:])
        worth = [a + share * b for a, b in zip(worth, behind, strict=True)]
        worth[first] += share * payouts[0]
    return worth


def final_prizes(spot: Spot, node: int, outcome: int) -> tuple[float, float]:
    """What both players win in prizes at an end; the outcome is 1 if OOP wins, 0 or -1."""
    assert spot.payouts is not None
    stacks = spot.stacks or (spot.stack, spot.stack)
    tree = spot.betting.tree
    paid = float(tree.paid[node].min()) / tree.scale.per_chip
    share = (1 + outcome) / 2 * (spot.pot + 2 * paid)
    left = [stacks[0] - paid + share, stacks[1] - paid + spot.pot + 2 * paid - share]
    worth = harville([*left, *spot.others], spot.payouts)
    for k, chips in enumerate(left):
        if not chips:  # busted alone: the place behind all others
            place = 1 + len(spot.others)
            worth[k] = spot.payouts[place] if place < len(spot.payouts) else 0.0
    return worth[0], worth[1]


class Enumeration:
    """A river, by all pairs of hands and all lines."""

    def __init__(self, solution: PostflopResult) -> None:
        self.spot, self.tree = solution.spot, solution.spot.betting.tree
        self.hands = [np.flatnonzero(held.weights) for held in self.spot.ranges]
        strengths = combo_strengths(self.spot.cards).astype(np.int64)
        masks = [COMBO_MASKS[held] for held in self.hands]
        meet = (masks[0][:, None] & masks[1]) == 0
        weights = [held.weights[h] for held, h in zip(self.spot.ranges, self.hands, strict=True)]
        self.deals = meet * np.outer(*weights)
        self.order = np.sign(strengths[self.hands[0]][:, None] - strengths[self.hands[1]])
        self.played = {}
        for node in np.flatnonzero(self.tree.kind == ACTION).tolist():
            (found,) = solution.nodes((), [node])
            self.played[node] = found.values.strategy[:, self.hands[int(self.tree.player[node])]]

    def values(self, player: int, *, best: bool) -> FloatArray:
        """float64[n]: the expected prize of each hand, times the weight of its deals."""
        deals = self.deals if player == 0 else self.deals.T
        return self._visit(0, player, np.ones(deals.shape[1]), deals, best)

    def _visit(
        self, node: int, player: int, reach: FloatArray, deals: FloatArray, best: bool
    ) -> FloatArray:
        if self.tree.kind[node] != ACTION:
            order = self.order if player == 0 else -self.order.T
            if self.tree.kind[node] == FOLD:
                order = np.full(deals.shape, 1 if self.tree.player[node] != player else -1)
            sign = 1 if player == 0 else -1
            worth = {o: final_prizes(self.spot, node, sign * o)[player] for o in (-1, 0, 1)}
            prizes = np.vectorize(worth.__getitem__, otypes=[float])(order)
            return np.asarray((deals * prizes) @ reach)
        first = int(self.tree.first_child[node])
        rows, shares = [], self.played[node]
        for number, share in enumerate(shares):
            acts = self.tree.player[node] == player
            after = reach if acts else reach * share
            rows.append(self._visit(first + number, player, after, deals, best))
        if self.tree.player[node] != player:
            return np.asarray(np.sum(rows, axis=0))
        if best:
            return np.asarray(np.max(rows, axis=0))
        return np.asarray((shares * np.array(rows)).sum(axis=0))


def test_payoffs_are_those_of_malmuth_and_harville() -> None:
    spot = Spot(**RIVER, **TABLE)
    tree, unit = spot.betting.tree, spot.value_unit
    payoffs = prize_payoffs(spot.pot, spot.prizes, unit, tree)
    assert payoffs is not None
    ends = np.flatnonzero(tree.kind != ACTION)
    for node in ends.tolist():
        for column, outcome in enumerate((1, 0, -1)):
            oop, ip = final_prizes(spot, node, outcome)
            assert unit.value(0, payoffs[0][node, column]) == pytest.approx(oop, rel=1e-12)
            assert unit.value(1, payoffs[1][node, 2 - column]) == pytest.approx(ip, rel=1e-12)
    paid = tree.paid[ends].min(axis=1) / tree.scale.per_chip
    assert 90 in paid.tolist()  # IP is knocked out somewhere


@pytest.mark.slow
@pytest.mark.parametrize("storage", ["float32", "float64"])
def test_gains_are_those_of_an_enumeration_of_all_deals_and_lines(storage: Any) -> None:
    spot = Spot(**RIVER, **TABLE)
    solution = solve(spot, iterations=60, storage=storage, threads=1)
    by_hand, total = Enumeration(solution), 0.0
    evaluation = evaluate_spot(solution, threads=1)
    close = 1e-9 if storage == "float64" else 2e-5
    for player in (0, 1):
        deals = float(by_hand.deals.sum())
        value = float(by_hand.values(player, best=False).sum()) / deals
        best = float(by_hand.values(player, best=True).sum()) / deals
        total += best - value
        assert evaluation.values[player] == pytest.approx(value, abs=close)
        assert evaluation.best_response_values[player] == pytest.approx(best, abs=close)
        assert solution.ev[player] == pytest.approx(value, abs=close)
        held = by_hand.hands[player]
        met = (by_hand.deals if player == 0 else by_hand.deals.T).sum(axis=1)
        evs = solution.at().values.ev[player, held]
        assert evs == pytest.approx(by_hand.values(player, best=False) / met, abs=10 * close)
    assert solution.mean_gain == pytest.approx(total / 2, abs=close)
    assert solution.exploitability is None
    assert solution.measure_name == "mean gain"
    assert total > 1e-4  # far from converged, so that gains say something


@pytest.mark.slow
def test_one_prize_is_play_for_chips() -> None:
    """The winner takes all: a chip is worth the same wherever it is."""
    chips = solve(Spot(**RIVER, stack=90), iterations=100, threads=1)
    prizes = solve(
        Spot(**RIVER, stacks=[240, 90], payouts=[1000], others=[10]), iterations=100, threads=1
    )
    rate = 1000 / (60 + 240 + 90 + 10)
    assert prizes.mean_gain == pytest.approx(chips.mean_gain * rate, rel=1e-3, abs=1e-4)
    for ev, of_chips, stack in zip(prizes.ev, chips.ev, (240, 90), strict=True):
        assert ev == pytest.approx((of_chips + stack) * rate, abs=1e-2)
    for line in ("", "X", "B30"):
        one, other = prizes.at(line), chips.at(line)
        assert [*one.frequency.values()] == pytest.approx([*other.frequency.values()], abs=1e-3)


@pytest.mark.slow
def test_who_has_more_to_lose_calls_less() -> None:
    """A short stack elsewhere makes busting dear: IP, whom an all-in would bust, folds more."""
    pushed = RIVER | {"bets": "a", "raises": ""}
    chips = solve(Spot(**pushed, stack=90), target="0.1%", threads=1)
    dear = solve(
        Spot(**pushed, stacks=[240, 90], payouts=[50, 30, 20], others=[5, 5]), target="0.01%",
        threads=1,
    )  # fmt: skip
    assert dear.at("A").frequency["Call"] < chips.at("A").frequency["Call"] - 0.1
    assert dear.stopped_by == "target"
    assert dear.target == pytest.approx(0.01)


@pytest.mark.slow
def test_later_streets_are_resolved_with_the_stacks_that_are_left(tmp_path: Any) -> None:
    spot = Spot(**TURN, **TABLE)
    solution = solve(spot, target="0.02%", threads=1)
    whole, first = tmp_path / "whole.spot", tmp_path / "first.spot"
    solution.save(whole)
    solution.save(first, keep="first-street")
    again, resolved = load_result(whole), load_result(first)
    line = "B30-C|2c"
    assert isinstance(again, PostflopResult)
    assert isinstance(resolved, PostflopResult)
    assert again.spot == spot
    assert again.ev == pytest.approx(solution.ev)
    for one, other in zip(again.at(line).totals.ev, resolved.at(line).totals.ev, strict=True):
        assert one == pytest.approx(other, abs=0.05)
    assert all(ev != ev for ev in again.at(line).totals.eqr)
    # On a turn values are means of those of the rivers.
    below = [solution.at(f"X-X|{card}") for card in ("2c", "2h", "2d", "Kd")]
    assert all(0 < ev < 50 for node in below for ev in node.totals.ev)


@pytest.mark.slow
def test_locks_hold_and_suits_are_merged() -> None:
    spot = Spot(**TURN | {"oop": "AA,KT,87"}, **TABLE, locks=["X: X 1", ": frequency = Check 60%"])
    solution = solve(spot, iterations=200, threads=1)
    assert solution.at("X").frequency["Check"] == pytest.approx(1)
    assert solution.frequency_error is not None
    assert solution.frequency_error < 0.02
    plain = solve(spot.replace(locks=()), iterations=200, threads=1)
    assert plain.mean_gain < 0.2
    assert len(plain.spot.symmetries) >= 1


@pytest.mark.parametrize(
    ("keys", "option"),
    [
        ({"stack": 90, "payouts": [50, 30, 20]}, "payouts"),
        ({"stack": 90, "payouts": []}, "payouts"),
        ({"stack": 90, "payouts": [0]}, "payouts"),
        ({"stack": 90, "payouts": [20, 30]}, "payouts"),
        ({"stack": 90, "payouts": [-1]}, "payouts"),
        ({"stack": 90, "others": [100]}, "others"),
        ({"stack": 90, "payouts": [5], "others": [0]}, "others"),
        ({"payouts": [5]}, "stack"),
        ({"stacks": [90, 40]}, "stacks"),
        ({"stacks": [90, 0], "payouts": [5]}, "stacks"),
        ({"stacks": [90], "payouts": [5]}, "stacks"),
        ({"stack": 80, "stacks": [90, 100], "payouts": [5]}, "stack"),
        ({"stack": 90, "payouts": [5], "rake": "5%"}, "rake"),
        ({"stack": 90, "payouts": [5], "folded": ["AA"]}, "folded"),
    ],
)
def test_keys_that_do_not_fit_together(keys: dict[str, Any], option: str) -> None:
    with refuses(ConfigError, option=option):
        Spot(**RIVER, **keys)


def test_a_text_that_is_no_list_is_refused_at_its_place() -> None:
    with refuses(NotationError, option="payouts", position=3):
        Spot(**RIVER, stack=90, payouts="50,x")


def test_targets_are_shares_of_the_prize_pool() -> None:
    spot = Spot(**RIVER, **TABLE)
    for target in ("0.5c", "200%", "1e-9%"):
        with refuses(ConfigError, option="target"):
            solve(spot, target=target)


def test_what_counts_in_chips_refuses_prizes() -> None:
    spot = Spot(**RIVER, **TABLE)
    with refuses(UnsupportedError, option="payouts"):
        SpotGame(spot)
    with refuses(UnsupportedError, option="payouts"):
        find_menus(spot)


@pytest.mark.slow
def test_text_and_documents_say_prizes() -> None:
    spot = Spot(**RIVER, **TABLE)
    assert Spot(**RIVER, stacks="240/90", payouts="50,30,20", others="100/30") == spot
    solution = solve(spot, iterations=10, threads=1)
    facts, node = solution.facts(), solution.at("X").to_dict()
    assert facts["unit"] == node["unit"] == "prizes"
    assert facts["prize_pool"] == 100
    assert facts["mean_gain_prizes"] == pytest.approx(solution.mean_gain, abs=1e-6)
    assert facts["eqr"] == [None, None]
    assert not any(key.endswith("_chips") for key in facts | node)
    assert "in prizes" in str(solution)
    ev = solution.at().summary()[4].split()[3]
    assert float(ev) == pytest.approx(solution.ev[0], abs=1e-4)
    rises = [point.iteration for point in solution.trace]
    assert all(a < b for a, b in pairwise(rises))
