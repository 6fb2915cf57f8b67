"""Points of the betting of three: ranges, pots, stacks, and what is not reached."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from equilibrist.errors import ConfigError, LineSyntaxError, NotationError
from equilibrist.poker import ThreeSolution, ThreeSpot, solve_three
from equilibrist.poker.cards.combos import CLASS_OF_COMBO, COMBO_MASKS
from equilibrist.poker.three_players.node import ThreeNode
from tests.poker.three_players.test_profile import SMALL
from tests.refusals import refuses

SPOT = ThreeSpot(**SMALL, stacks=[100, 40, 250])


@cache
def solved() -> ThreeSolution:
    return solve_three(SPOT, iterations=60)


def test_ranges_and_reach_are_those_of_the_decisions() -> None:
    solution = solved()
    for line in solution.lines():
        node, decision = ThreeNode(solution, line), solution.at(line)
        assert node.line == line
        assert node.player == decision.seat
        assert node.actions == decision.actions
        assert node.ranges[decision.seat] == pytest.approx(decision.reach)
        total = SPOT.ranges[0].weights @ SPOT.deals[0]
        for seat in range(3):  # all count the same deals
            assert node.matchups(seat).sum() / total == pytest.approx(decision.reached)


def test_how_often_hands_are_here_counts_the_pairs_that_they_leave() -> None:
    node = ThreeNode(solved(), "X-X")
    ranges, counted = node.ranges, np.zeros(len(COMBO_MASKS))
    for i in np.flatnonzero(ranges[0]):
        for j in np.flatnonzero(ranges[1]):
            for k in np.flatnonzero(ranges[2]):
                masks = [COMBO_MASKS[c] for c in (i, j, k)]
                if masks[0] & masks[1] == 0 and (masks[0] | masks[1]) & masks[2] == 0:
                    counted[k] += ranges[0, i] * ranges[1, j] * ranges[2, k]
    assert node.matchups(2) == pytest.approx(counted)
    assert set(node.combos(2)) == set(np.flatnonzero(counted))


def test_pots_stacks_and_turns() -> None:
    node = ThreeNode(solved(), "b30-a40")
    assert (node.line, node.what) == ("B30-A40", "IP acts")
    assert (node.pot, node.stacks, node.to_call) == (130, (70, 0, 250), 40)
    assert node.line_before == "B30"
    assert node.next_lines["Call"] == "B30-A40-C"
    folded = ThreeNode(solved(), "B30-A40-F-F")
    assert (folded.what, folded.player, folded.actions) == ("MID wins the pot", None, ())
    assert (folded.pot, folded.stacks) == (120, (70, 10, 250))  # 10 of the 40 were not called
    assert [folded.is_live(seat) for seat in range(3)] == [False, True, False]
    assert ThreeNode(solved(), "X-X-X").what == "showdown"
    assert ThreeNode(solved()).line_before is None
    assert not ThreeNode(solved()).deals_a_card


def test_evs_of_actions_make_the_value_of_the_seat() -> None:
    solution = solved()
    node = ThreeNode(solution)
    weights = node.matchups(0)
    shares = (solution.at().strategy * weights).sum(axis=1) / weights.sum()
    evs = np.nan_to_num(list(node.ev_by_action.values()))
    assert float(shares @ evs) == pytest.approx(solution.values[0])


def test_lines_and_hands_that_do_not_arrive_are_not_reached() -> None:
    """All play at random, but OOP never bets its first hand, nor goes all-in at the start."""
    solution = solved()
    strategy, *others = solution.laid_out.uniform()
    root = solution.at()
    check, bet, all_in = (1 + root.codes.index(code) for code in ("X", "B30", "A100"))
    strategy[bet, 0], strategy[check, 0] = 0.0, 1.0 - strategy[all_in, 0]
    strategy[check] += strategy[all_in]
    strategy[all_in] = 0.0
    changed = replace(solution, strategies=(strategy, *others))
    for line in changed.lines():
        node = ThreeNode(changed, line)
        assert node.is_reached == (not line.startswith("A100"))
        assert node.absent == (("OOP",) if line.startswith("A100") else ())
        expected = "not reached: OOP never comes here" if node.absent else ""
        assert node.summary()[2] == expected
    again = next(line for line in changed.lines() if line.startswith("B30-A40-F"))
    node, combo = ThreeNode(changed, again), int(changed.laid_out.hands[0][0])
    assert (node.player, node.is_reached) == (0, True)
    assert node.ranges[0, combo] == 0.0
    assert not node.arrives(0)[combo]
    assert node.arrives(0).any()
    alone = [c for c in node.combos(0) if CLASS_OF_COMBO[c] == CLASS_OF_COMBO[combo]]
    place = divmod(int(CLASS_OF_COMBO[combo]), 13)
    assert np.isnan(node.classes(0).strategy[:, place[0], place[1]]).all() == (not alone)


def test_what_cannot_be_played_is_refused() -> None:
    with refuses(NotationError, option="line", given="C"):
        ThreeNode(solved(), "X-C")
    with refuses(LineSyntaxError, option="line"):
        ThreeNode(solved(), "X|7c")
    with pytest.raises(LineSyntaxError):
        ThreeNode(solved(), "what")
    with refuses(ConfigError, option="line", given="X-X-X"):
        _ = ThreeNode(solved(), "X-X-X").decision
    with refuses(ConfigError, option="line", given="X|7c"):  # as typed, with the card
        solved().at("X|7c")
    with refuses(ConfigError, option="seat", given=3):
        ThreeNode(solved()).range_of(3)
