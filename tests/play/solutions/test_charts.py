"""Charts at a table: what is offered and paid, who plays what, and what the coach says."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from equilibrist.errors import ConfigError
from equilibrist.play import Agent, Person, Session, SolutionAgent, SolutionCoach, Table
from equilibrist.play.solutions.players import SolutionRanges
from equilibrist.play.solutions.reading import solution_game
from equilibrist.poker import Hand, MultiwaySolution, PushFoldSolution
from equilibrist.poker.betting.actions import CALL
from equilibrist.poker.cards.combos import CLASS_NAMES
from equilibrist.poker.preflop.multiway.hand_tree import hand_tree
from equilibrist.poker.preflop.push_fold.game import PushFold
from equilibrist.poker.preflop.push_fold.solution import chart_of
from tests.refusals import refuses, unchecked


def pushes(game: PushFold, unit: float = 1.0, **ranges: str) -> PushFoldSolution:
    """A solution in which seats go all-in with classes, `SB="AA KK"`, whoever is all-in before."""
    charts = []

    def add(turn: int, all_in: tuple[int, ...]) -> None:
        if turn == game.seats or (turn == game.seats - 1 and not all_in):
            return
        seat = game.order[turn]
        name = game.names[seat]
        hands = ranges.get(name, "").split()
        frequencies = np.array([float(each in hands) for each in CLASS_NAMES])
        gains = np.linspace(-1.0, 2.0, 169) * unit
        charts.append(chart_of(game, seat, all_in, frequencies, gains, 0.5))
        add(turn + 1, all_in)
        add(turn + 1, (*all_in, seat))

    add(0, ())
    zeros = (0.0,) * game.seats
    interval = None if game.seats == 2 else (0.0, 0.1)
    return PushFoldSolution(game, zeros, zeros, interval, None, tuple(charts), "CFR", 1, 1, 0)


def dealt(solution: Any, *choices: str) -> Table:
    """A hand after some choices."""
    table = Table.start(solution_game(solution))
    for choice in choices:
        table = table.play(choice)
    return table


BOARD = ("flop 2h", "flop 3d", "flop 4h", "turn 9s", "river Js")
TWO = pushes(PushFold((10.0, 12.0)), SB="AA KK", BB="AA")
THREE = pushes(PushFold((10.0, 10.0, 10.0)), BTN="KK", SB="AA KK", BB="QQ")


def test_all_in_or_fold_is_offered_and_paid() -> None:
    table = dealt(TWO, "SB AsAh", "BB QdQc")
    assert table.actions == ("F", "A10")
    assert dealt(TWO, "SB AsAh", "BB QdQc", "F").payoffs == (-0.5, 0.5)
    called = dealt(
        TWO,
        "SB AsAh",
        "BB QdQc",
        "A10",
        "C",
        *["flop 2c", "flop 3d", "flop 4h", "turn 9s", "river Js"],
    )
    assert called.payoffs == (10.0, -10.0)
    chips = pushes(PushFold((900.0, 500.0), (50.0, 100.0), ante=10.0))
    game = solution_game(chips)
    assert game.unit == "chips"
    assert dealt(chips, "SB AsAh", "BB QdQc").actions == ("F", "A490")
    assert game.bet_limits("AhAs:") is None


def test_who_covers_all_calls_instead_of_raising() -> None:
    short = pushes(PushFold((10.0, 10.0, 4.0)))
    table = dealt(short, "SB AsAh", "BB QdQc", "BTN 2d2c", "A4", "F")
    assert table.actions == ("F", "C")
    assert dealt(short, "SB AsAh", "BB QdQc", "BTN 2d2c", "A4").actions == ("F", "A10")


def test_with_payouts_shares_of_the_prize_pool_are_paid() -> None:
    game = PushFold((6.0, 6.0, 8.0), payouts=(5.0, 3.0), others=(4.0,))
    table = dealt(pushes(game), "SB AsAh", "BB QdQc", "BTN 2d2c", "F", "A6", "C", *BOARD)
    assert solution_game(pushes(game)).unit == "% of the prize pool"
    won = max(game.values((0, 1)), key=lambda row: float(row[0]))  # the small blind wins
    assert table.payoffs == pytest.approx((100 * won).tolist())
    folded = dealt(pushes(game), "SB AsAh", "BB QdQc", "BTN 2d2c", "A6", "F", "F")
    assert folded.payoffs == pytest.approx((100 * game.values((2,))[0]).tolist())
    walk = dealt(pushes(game), "SB AsAh", "BB QdQc", "BTN 2d2c", "F", "F")
    assert walk.payoffs == pytest.approx((100 * game.values(())[0]).tolist())


def test_the_agent_plays_the_chart_of_its_decision() -> None:
    agent = SolutionAgent(THREE)
    assert agent.mixture(dealt(THREE, "SB AsAh", "BB QdQc", "BTN KdKc")) == [0.0, 1.0]
    assert agent.mixture(dealt(THREE, "SB AsAh", "BB QdQc", "BTN JdJc")) == [1.0, 0.0]
    called = dealt(THREE, "SB AsAh", "BB QdQc", "BTN KdKc", "A10", "C")
    assert agent.mixture(called) == [0.0, 1.0]


def test_ranges_are_those_of_the_charts_without_the_own_cards() -> None:
    button, small = SolutionRanges(THREE).mixtures("KhQs:A10-C")
    assert (button.player, button.where, button.taken) == (2, "", "A10")
    assert button.holdings == 1225
    assert button.probabilities == pytest.approx((1222 / 1225, 3 / 1225))  # KK without a king
    assert (small.player, small.where, small.words) == (0, "A10", ("Fold", "Call"))
    assert small.probabilities == pytest.approx((1216 / 1225, 9 / 1225))


def test_what_a_seat_did_before_narrows_its_range() -> None:
    solution = multiway("3/1/1")
    calls = solution_game(solution).legal(Table.start(solution_game(solution)).state).index(CALL)
    for k, name in enumerate(CLASS_NAMES):
        if name != "AA":  # the button calls first with aces alone
            solution.strategy[0, k, calls] = 0.0
    first, *_, again = SolutionRanges(solution).mixtures("KhQs:C-C-A6-C")
    assert (first.player, first.holdings) == (2, 1225)
    assert (again.player, again.where, again.holdings) == (2, "C-C-A6", 6)


def test_values_of_two_seats_are_those_of_the_file() -> None:
    coach = SolutionCoach(TWO)
    k = CLASS_NAMES.index("T7o")
    gain = float(np.linspace(-1.0, 2.0, 169)[k])
    assert coach.is_exact
    first = coach.advise("Th7d:", 0)
    assert first.values == pytest.approx((-0.5, -0.5 + gain))
    assert coach.advise("Th7d:A10", 1).values == pytest.approx((-1.0, -1.0 + gain))
    assert first.errors is None
    chips = SolutionCoach(pushes(PushFold((900.0, 500.0), (50.0, 100.0), ante=10.0)))
    assert chips.advise("Th7d:", 0).values == pytest.approx((-60.0, -60.0 + 100 * gain))


def test_estimates_of_three_seats_hold_for_what_is_known() -> None:
    coach = SolutionCoach(THREE)
    assert not coach.is_exact
    first = coach.advise("2c7d:F", 0)
    assert first.values is not None
    assert first.errors is not None
    assert (first.values[0], first.errors[0]) == (-0.5, 0.0)
    # The big blind calls with queens alone: of 1,225 pairs of cards six, which win 87 %.
    assert first.values[1] == pytest.approx(1.0 - 6 / 1225 * 8.8, abs=0.02)
    against = coach.advise("AhAd:A10", 1)  # kings on the button, the big blind folds or has queens
    assert against.values is not None
    assert against.errors is not None
    assert against.values[1] == pytest.approx(21 * 0.82 - 10, abs=1.3 * against.errors[1])
    assert coach.advise("AhAd:A10-C", 1).mixture == (1.0, 0.0)
    assert SolutionCoach(pushes(PushFold((9.0, 9.0, 9.0)))).advise("AhAd:A9", 0).values is None


def test_estimates_against_narrow_ranges_have_enough_deals() -> None:
    # Kings on the button; aces or kings in the small blind: 42 of 1.5 million pairs of hands.
    found = SolutionCoach(THREE).advise("QhQd:A10-C", 1)
    assert found.values is not None
    assert found.errors is not None
    assert 0.0 < found.errors[1] < 0.3
    assert found.values[1] == pytest.approx(30 * 0.17 - 10, abs=0.8)
    # Without the aces of this hand, one pair of aces is left, and kings are held twice or once.
    against = SolutionCoach(THREE).advise("AhAd:A10-C", 1)
    assert against.values is not None
    assert against.values[1] > 0.0


def multiway(board: str) -> MultiwaySolution:
    """All actions are alike."""
    hand = Hand(seats=3, stack=6, bets="a", raises="a", raise_cap=1, last_street="preflop")
    hand = hand.replace(board=board) if board != "3/1/1" else hand
    shape = hand_tree(hand).sampled(3, 0, 1).shape
    share = np.zeros(shape)
    tree = hand_tree(hand)
    for k, node in enumerate(tree.nodes):
        count = len(tree.betting.children(node))
        share[k, :, :count] = 1.0 / count
    zeros = (0.0, 0.0, 0.0)
    return MultiwaySolution(
        hand, zeros, zeros, zeros, ((0.0, 0.0),) * 3, (0.0, 0.0), 1, 1, 1, 0, 0.0, "deals", share,
        np.zeros(shape), np.ones(shape[:2]),
    )  # fmt: skip


@pytest.mark.parametrize("board", ["3/1/1", ""])
def test_hands_of_several_seats_are_played(board: str) -> None:
    solution = multiway(board)
    seats: list[Person | Agent]
    seats = [Person("you"), SolutionAgent(solution, "a"), SolutionAgent(solution, "b")]
    coach = SolutionCoach(solution)
    session = Session(solution_game(solution), seats, seed=1, coach=coach)
    turn = session.deal()
    while turn is not None:
        assert len(SolutionRanges(solution).mixtures(turn.infoset)) >= turn.player != 2
        turn = session.choose(turn.actions.index("C") if "C" in turn.actions else 0)
        assert session.advice is not None
        assert session.advice.errors is not None
    assert session.last is not None
    assert sum(session.last.payoffs) == pytest.approx(0.0)


def test_without_a_board_the_higher_pair_wins() -> None:
    table = dealt(multiway(""), "SB AhKh", "BB QdQc", "BTN 3d2c", "A6", "C", "C")
    assert table.payoffs == (-6.0, 12.0, -6.0)
    found = SolutionCoach(multiway("")).advise("AhAd:A6-C", 1)
    assert found.values is not None
    assert found.values[1] == pytest.approx(12.0, abs=0.3)  # but for aces in another hand


def test_amounts_that_hands_do_not_have_are_refused() -> None:
    for game, option in (
        (PushFold((10.0, 10.0), ante=0.1, big_blind_ante=1.0), "big_blind_ante"),
        (PushFold((10.0, 10.0), (1.0, 1.0)), "blinds"),
        (PushFold((10.12345, 10.0)), "stacks"),
    ):
        with refuses(ConfigError, option=option):
            solution_game(pushes(game))
    with refuses(ConfigError, option="solution"):
        solution_game(unchecked(object()))
