"""Exact solutions at a table, before the flop and after it."""

from __future__ import annotations

import numpy as np
import pytest

from equilibrist.play import HandGame, Person, Session, SolutionAgent, SolutionCoach, Table
from equilibrist.play.solutions.players import SolutionRanges
from equilibrist.poker import Hand, PreflopSolution, SolvedFlops
from equilibrist.poker.preflop.exact.solving import solve_preflop

FLOP = Hand(stack=6, bets="2x,a|50%,a", raises="a", board="1/1", deck="T", last_street="flop")


@pytest.fixture(scope="module")
def solution() -> PreflopSolution:
    return solve_preflop(FLOP, iterations=20, threads=1)


@pytest.fixture(scope="module")
def flops(solution: PreflopSolution) -> SolvedFlops:
    return SolvedFlops(solution, target="1%", threads=1)


def dealt(*choices: str) -> Table:
    table = Table.start(HandGame(FLOP))
    for choice in choices:
        table = table.play(choice)
    return table


def test_before_the_flop_the_file_is_played(solution: PreflopSolution, flops: SolvedFlops) -> None:
    node = solution.at("C")
    k = node.names.index("JTo")
    table = dealt("SB AsKs", "BB JhTd", "C")
    assert table.actions == node.codes
    agent = SolutionAgent(flops)
    assert agent.mixture(table) == pytest.approx(node.strategy[:, k].tolist(), abs=1e-6)
    advice = SolutionCoach(flops).advise(table.infoset, 0)
    assert advice.values == pytest.approx(node.action_ev[:, k].tolist())
    assert advice.errors is None


def test_after_the_flop_its_solution_is_played(
    solution: PreflopSolution, flops: SolvedFlops
) -> None:
    table = dealt("SB AsKs", "BB JhTd", "C", "X", "flop Qh", "X")
    deal = int(np.flatnonzero(solution.tree.kind == 3)[0])
    found = flops.flop(deal, [table.state.board[0]])
    node = next(k for k in range(solution.tree.num_nodes) if solution.tree.line(k) == "C-X|X")
    place = [table.state.board]
    combo = table.state.hands[0]
    shares = found.probabilities(node, place)[:, combo]
    agent = SolutionAgent(flops)
    assert agent.mixture(table) == pytest.approx(shares.tolist(), abs=1e-6)
    advice = SolutionCoach(flops).advise(table.infoset, 0)
    values = found.action_values(node, place, combo)
    assert values is not None
    assert advice.values == pytest.approx(values.tolist())
    before, after = SolutionRanges(flops).mixtures(table.infoset)
    assert (before.where, before.taken, after.where, after.taken) == ("C", "X", "C-X|", "X")
    assert before.probabilities is not None
    assert sum(before.probabilities) == pytest.approx(1.0)
    assert after.holdings < before.holdings


def test_hands_are_played_to_the_end(solution: PreflopSolution, flops: SolvedFlops) -> None:
    agent = SolutionAgent(flops)
    session = Session(HandGame(FLOP), [Person("you"), agent], seed=3, coach=SolutionCoach(flops))
    on_flop = 0
    for _ in range(4):
        turn = session.deal()
        while turn is not None:
            on_flop += "|" in turn.infoset
            turn = session.choose(turn.actions.index("X") if "X" in turn.actions else 1)
            assert session.advice is not None
            assert session.advice.values is not None
        assert session.last is not None
        assert sum(session.last.payoffs) == 0
    assert on_flop


@pytest.mark.slow
def test_betting_that_ends_before_the_flop() -> None:
    solution = solve_preflop(
        Hand(stack=10, bets="2x,a", raises="a", last_street="preflop"), iterations=30
    )
    node = solution.at("C")
    k = node.names.index("T7o")
    table = Table.start(HandGame(solution.hand))
    for choice in ("SB AsKs", "BB Th7d", "C"):
        table = table.play(choice)
    assert SolutionAgent(solution).mixture(table) == pytest.approx(
        node.strategy[:, k].tolist(), abs=1e-6
    )
    advice = SolutionCoach(solution).advise(table.infoset, 0)
    assert advice.values == pytest.approx(node.action_ev[:, k].tolist())
