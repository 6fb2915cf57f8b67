"""Sessions: who sits where, what is drawn, what it comes to."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

import equilibrist as eq
from equilibrist.errors import ConfigError, MismatchError, UnknownNameError
from equilibrist.evaluation import expected_values
from equilibrist.play import Agent, Person, Session, StrategyAgent, Table, UniformAgent
from equilibrist.play.agents import PackedAgent
from tests.refusals import refuses, unchecked
from tests.strategy.random_strategies import random_strategy

LEDUC = eq.compile_game("leduc(ranks=2)")


def two(*, seed: int = 0, alternate: bool = True) -> Session:
    seats: list[Agent] = [StrategyAgent(random_strategy(LEDUC, 1), "a"), UniformAgent()]
    return Session(LEDUC.game, seats, seed=seed, alternate=alternate)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["leduc(ranks=2)", "kuhn(players=3)", "liars_dice(sides=2)"])
def test_the_average_of_many_hands_is_the_exact_value(name: str) -> None:
    """Within four standard errors, for every player, of values by evaluation."""
    tree = eq.compile_game(name)
    strategy = random_strategy(tree, 5)
    agents = [StrategyAgent(strategy, f"{p}") for p in range(tree.num_players)]
    session = Session(tree.game, agents, seed=11, alternate=False)
    payoffs = np.array([record.payoffs for record in session.play(8_000)])
    error = payoffs.std(axis=0, ddof=1) / math.sqrt(len(payoffs))
    exact = np.array(expected_values(strategy))
    assert (np.abs(payoffs.mean(axis=0) - exact) <= 4 * error).all()
    score = session.score
    assert score.means == pytest.approx(payoffs.mean(axis=0))
    assert score.totals == pytest.approx(payoffs.sum(axis=0))
    assert score.half_widths == pytest.approx(1.960202 * error, rel=1e-4)


@pytest.mark.slow
def test_alternating_seats_average_over_the_places() -> None:
    session = two(seed=4)
    for _ in session.play(8_000):
        pass
    first, second = random_strategy(LEDUC, 1), eq.Strategy.uniform(LEDUC)
    exact = (
        expected_values(first.replace(1, second))[0] + expected_values(second.replace(1, first))[1]
    ) / 2
    half = session.score.half_widths[0]
    assert half is not None
    assert abs(session.score.means[0] - exact) <= 2 * half


@pytest.mark.slow
def test_chance_deals_by_its_probabilities() -> None:
    session = Session(eq.load_game("kuhn"), [UniformAgent("a"), UniformAgent("b")], seed=2)
    hands = 6_000
    deals = Counter((r.moves[0].action, r.moves[1].action) for r in session.play(hands))
    assert len(deals) == 6
    square = sum((n - hands / 6) ** 2 / (hands / 6) for n in deals.values())
    assert square < 20.5  # chi square with 5 degrees of freedom, 99.9 %


@pytest.mark.slow
def test_deals_are_independent() -> None:
    session = Session(eq.load_game("kuhn"), [UniformAgent("a"), UniformAgent("b")], seed=4)
    deals = [r.moves[0].index * 2 + r.moves[1].index for r in session.play(3_000)]
    for lag in (1, 2, 3):
        same = sum(x == y for x, y in zip(deals, deals[lag:], strict=False))
        assert abs(same - 500) < 4 * math.sqrt(3_000 * 5 / 36)


def test_seats_move_on_unless_they_are_fixed() -> None:
    agents = [UniformAgent(c) for c in "abc"]
    game = eq.load_game("kuhn(players=3)")
    moving = [r.seats for r in Session(game, agents).play(4)]
    assert moving == [(0, 1, 2), (2, 0, 1), (1, 2, 0), (0, 1, 2)]
    fixed = [r.seats for r in Session(game, agents, alternate=False).play(2)]
    assert fixed == [(0, 1, 2)] * 2
    record = next(iter(Session(game, agents).play(1)))
    assert record.payoffs_by_seat() == record.payoffs


def test_a_seed_is_a_session() -> None:
    first, again, other = ([r.moves for r in two(seed=s).play(50)] for s in (1, 1, 2))
    assert first == again != other


def test_cards_do_not_depend_on_what_people_do() -> None:
    def deals(action: str) -> list[Any]:
        session = Session(eq.load_game("kuhn"), [Person("you"), UniformAgent()], seed=9)
        for _ in range(20):
            turn = session.deal()
            while turn is not None:
                turn = session.choose(action)
        found = [session.last]
        assert found[0] is not None
        return [move.action for move in found[0].moves[:2]]

    assert deals("pass") == deals("bet")


def test_a_person_chooses_and_sees_only_a_turn() -> None:
    game = eq.load_game("kuhn")
    session = Session(game, [Person("you"), StrategyAgent(eq.solve(game).strategy)], seed=1)
    before = session.turn
    assert before is None
    with refuses(ConfigError, option="choose"):
        session.choose("bet")
    turn = session.deal()
    assert turn is not None
    assert (turn.hand, turn.seat, turn.player, turn.actions) == (1, 0, 0, ("pass", "bet"))
    with refuses(ConfigError, option="deal"):
        session.deal()
    with pytest.raises(UnknownNameError):
        session.choose("raise")
    assert session.turn == turn
    assert session.choose(1) is None
    assert session.last is not None
    assert session.last.moves[2].probabilities is None
    assert session.last.moves[3].probabilities is not None
    assert session.score.hands == 1
    assert session.score.half_widths == (None, None)


def test_a_hand_that_is_given_up_does_not_count() -> None:
    session = Session(eq.load_game("leduc"), [Person("a"), Person("b")])
    session.deal()
    assert session.withdraw() is False
    session.deal()
    session.choose("call")
    assert session.withdraw() is True
    assert session.withdraw() is False
    assert session.score.hands == 0
    assert session.last is None


def test_a_score_without_spread_has_no_interval() -> None:
    game = eq.load_game("matrix(payoffs=[[2]])")
    session = Session(game, [UniformAgent("a"), UniformAgent("b")], alternate=False)
    assert len(list(session.play(3))) == 3
    assert session.score.means == (2.0, -2.0)
    assert session.score.interval(0) is None


@pytest.mark.parametrize("alternate", [True, False])
@pytest.mark.parametrize("game", ["rps", "kuhn", "matrix(payoffs=[[[5,0],[7,1]],[[-3,2],[0,0]]])"])
def test_no_interval_is_wider_than_what_a_hand_can_pay(game: str, alternate: bool) -> None:
    tree = eq.compile_game(game)
    agents = [StrategyAgent(eq.Strategy.uniform(tree), name) for name in "ab"]
    least, most = tree.min_payoff, tree.max_payoff
    for seed in range(20):
        session = Session(tree.game, agents, alternate=alternate, seed=seed)
        assert len(list(session.play(2))) == 2
        for seat in range(2):
            found = session.score.interval(seat)
            if found is None:  # both hands paid the same
                continue
            assert found[0] >= (least.min() if alternate else least[seat])
            assert found[1] <= (most.max() if alternate else most[seat])
            assert found[0] <= session.score.means[seat] <= found[1]


def test_packed_strategies_play_their_own_rules_only() -> None:
    game = eq.load_game("rules:liars_dice(sides=2)")
    packed = eq.solve(game, explicit_tree=False, iterations=200).strategy
    session = Session(game, [PackedAgent(packed, game), UniformAgent()], seed=3)
    record = next(iter(session.play(1)))
    assert sum(record.payoffs) == 0
    with refuses(MismatchError, option="game", given="kuhn", expected="rules:liars_dice(sides=2)"):
        PackedAgent(packed, eq.load_game("kuhn"))
    with pytest.raises(MismatchError):
        PackedAgent(packed, eq.load_game("rules:liars_dice(sides=3)"))


def test_seats_that_do_not_fit_are_refused() -> None:
    game = eq.load_game("kuhn")
    with refuses(ConfigError, option="seats", given=1, expected=2):
        Session(game, [UniformAgent()])
    with refuses(ConfigError, option="seat", given="ai"):
        Session(game, unchecked([UniformAgent(), "ai"]))
    with refuses(ConfigError, option="seats"):
        next(Session(game, [UniformAgent(), Person("you")]).play(1))
    with refuses(ConfigError, option="seed", given=-1):
        Session(game, [UniformAgent(), UniformAgent()], seed=-1)


@pytest.mark.parametrize("row", [[1.0], [0.7, 0.7], [1.5, -0.5], [math.nan, 1.0], None])
def test_agents_that_do_not_mix_are_refused(row: Any) -> None:
    class Odd:
        name = "odd"

        def mixture(self, table: Table, /) -> Sequence[float]:
            return row

    with refuses(ConfigError, option="mixture", given=tuple(row or ())):
        Session(eq.load_game("kuhn"), [Odd(), Odd()]).deal()
