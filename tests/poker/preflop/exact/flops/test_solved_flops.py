"""Flops that are solved with the ranges of a file, against the exact solution with one flop."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import pytest

from equilibrist.errors import ConfigError, MemoryBudgetError
from equilibrist.poker import FlopSolution, Hand, PreflopSolution, SolvedFlops
from equilibrist.poker.cards.combos import COMBO_MASKS, dealt_hands
from equilibrist.poker.hands.betting_tree import DEAL
from equilibrist.poker.preflop.exact.solving import solve_preflop
from tests.refusals import refuses, unchecked

pytestmark = pytest.mark.slow

FLOP = Hand(stack=6, bets="2x,a|50%,a", raises="a", board="1/1", deck="T", last_street="flop")
RIVER = FLOP.replace(bets="2x,a|50%,a|50%,a", last_street=None, deck="Q")
TARGET = 0.002
APART = (COMBO_MASKS[:, None] & COMBO_MASKS) == 0
flops_of = partial(SolvedFlops, target="0.2%", seconds=60.0, threads=1)


@pytest.fixture(scope="module", params=[FLOP, RIVER], ids=["card-to-come", "two-streets"])
def solution(request: pytest.FixtureRequest) -> PreflopSolution:
    """Of the hand with the only flop that was drawn."""
    return solve_preflop(request.param, iterations=100, flops=1, seed=3, threads=1)


@pytest.fixture(scope="module")
def flop(solution: PreflopSolution) -> tuple[int, ...]:
    return solution.game.boards().cards[1]


@pytest.fixture(scope="module")
def solved(solution: PreflopSolution, flop: tuple[int, ...]) -> list[FlopSolution]:
    """The flop after each line."""
    flops = flops_of(solution)
    return [flops.flop(deal + 1, flop) for deal in deals(solution)]


def deals(solution: PreflopSolution) -> list[int]:
    """The nodes at which the flop is dealt."""
    tree = solution.tree
    found: list[int] = np.flatnonzero((tree.kind == DEAL) & (tree.street == 0)).tolist()
    return found


@pytest.mark.slow
def test_values_are_those_of_the_exact_solution(
    solution: PreflopSolution, flop: tuple[int, ...], solved: list[FlopSolution]
) -> None:
    free = dealt_hands(flop, solution.hand.rules.lowest_rank)
    weight = float(solution.game.boards().weight[1])  # of the flop that stands for all
    for number, found in enumerate(solved):
        ranges = solution.ranges_at(found.game.deal)
        held = np.where(free, solution.by_hand(ranges), 0.0)
        sums = (solution.many * ranges * solution.tables.below[:, number]).sum(axis=1)
        exact = sums / (held[0] @ APART @ held[1] * weight)
        assert found.gain_share <= TARGET
        assert found.values == pytest.approx(exact.tolist(), abs=2.0 * found.gain + 0.005)


def test_values_of_actions_add_up_to_those_of_the_passes(
    flop: tuple[int, ...], solved: list[FlopSolution]
) -> None:
    found = min(solved, key=lambda each: each.game.tree.num_nodes)
    node = found.game.deal + 1
    seat = int(found.game.whole.tree.player[node])
    reach, strategy = found.reach(node, [flop]), found.probabilities(node, [flop])
    total = mass = 0.0
    for combo in np.flatnonzero(reach[seat]).tolist():
        met = float(reach[seat, combo] * (APART[combo] @ reach[1 - seat]))
        values = found.action_values(node, [flop], combo)
        assert values is not None
        total += met * float(strategy[:, combo] @ values)
        mass += met
    assert total / mass == pytest.approx(found.values[seat], abs=1e-5)


def test_strategies_are_those_of_hands_that_the_board_leaves(
    solution: PreflopSolution, flop: tuple[int, ...], solved: list[FlopSolution]
) -> None:
    for found in solved:
        shares = found.probabilities(found.game.deal + 1, [flop]).sum(axis=0)
        free = dealt_hands(flop, solution.hand.rules.lowest_rank)
        assert shares == pytest.approx(free.astype(float))
        assert not found.reach(found.game.deal + 1, [flop])[:, ~free].any()


def test_a_seat_gets_as_far_as_its_actions_let_it(
    solution: PreflopSolution, flop: tuple[int, ...], solved: list[FlopSolution]
) -> None:
    tree = solution.tree
    for found in solved:
        node = found.game.deal + 1
        seat, before = int(tree.player[node]), found.reach(node, [flop])
        for k, child in enumerate(tree.children(node)):
            after = found.reach(child, [flop])
            assert after[1 - seat] == pytest.approx(before[1 - seat])
            assert after[seat] == pytest.approx(before[seat] * found.probabilities(node, [flop])[k])


def test_the_last_flops_are_kept(solution: PreflopSolution) -> None:
    told: list[FlopSolution] = []
    flops = SolvedFlops(solution, target="100%", threads=1, on_solve=told.append)
    node = deals(solution)[0] + 1
    first = flops.flop(node, [51])
    assert flops.flop(node, [51]) is first
    for card in (50, 47, 46, 45):
        flops.flop(node, [card])
    assert flops.flop(node, [51]) is not first
    assert [each.game.cards for each in told] == [(51,), (50,), (47,), (46,), (45,), (51,)]


@pytest.mark.parametrize("board", ["2c", (0,), (51, 51), (51.0,), (52,), 51])
def test_cards_are_different_ones_of_the_deck(solution: PreflopSolution, board: Any) -> None:
    flops = SolvedFlops(solution, target="100%", threads=1)
    line = solution.tree.line(deals(solution)[0] + 1)
    with refuses(ConfigError, option="board"):
        flops.at(line, board)


def test_what_cannot_be_solved_is_refused(solution: PreflopSolution) -> None:
    with refuses(MemoryBudgetError, option="memory", given=1000):
        SolvedFlops(solution, memory=1000)
    with refuses(ConfigError, option="on_solve", given=5):
        SolvedFlops(solution, on_solve=unchecked(5))
    ended = solve_preflop(FLOP.replace(bets="a", last_street="preflop"), iterations=1, threads=1)
    with refuses(ConfigError, option="solution", given="preflop"):
        SolvedFlops(ended)
