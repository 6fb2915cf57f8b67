"""Exact solutions of betting before the flop at a table."""

from __future__ import annotations

from dataclasses import replace

import pytest

from equilibrist.errors import ConfigError
from equilibrist.play import HandGame, Person, PreflopAgent, PreflopCoach, Session, Table
from equilibrist.poker import Hand
from equilibrist.poker.exact.solving import solve_preflop
from tests.refusals import refuses

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def solution():
    return solve_preflop(
        Hand(stack=10, bets="2x,a", raises="a", last_street="preflop"), iterations=30
    )


def test_agent_and_coach_go_by_the_solution(solution):
    node = solution.at("C")
    k = node.names.index("T7o")
    table = Table.start(HandGame(solution.hand))
    for choice in ("SB AsKs", "BB Th7d", "C"):
        table = table.play(choice)
    assert table.actions == node.actions
    assert PreflopAgent(solution).mixture(table) == pytest.approx(
        node.strategy[:, k].tolist(), abs=1e-6
    )
    advice = PreflopCoach(solution).advise(table.infoset, 0)
    assert advice.values == pytest.approx(node.action_ev[:, k].tolist())
    assert advice.errors is None


def test_hands_are_played_to_the_end(solution):
    session = Session(
        HandGame(solution.hand), [Person("you"), PreflopAgent(solution)], seed=3,
        coach=PreflopCoach(solution),
    )  # fmt: skip
    turn = session.deal()
    while turn is not None:
        turn = session.choose(1)
    assert sum(session.last.payoffs) == 0


def test_betting_after_the_flop_is_refused(solution):
    later = replace(solution, hand=Hand(stack=10, bets="a", raises="a", last_street="flop"))
    with refuses(ConfigError, option="file", given="flop"):
        PreflopAgent(later)
