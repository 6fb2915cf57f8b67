"""Quantal response equilibria: published figures, logit responses, gaps by plain recursion."""

from __future__ import annotations

from math import exp, log

import numpy as np
import pytest

import equilibrist as eq
from equilibrist.equilibria import quantal_gap, trembling_gap
from equilibrist.errors import ConfigError
from equilibrist.game import CHANCE, TERMINAL
from equilibrist.reference import walk
from equilibrist.reference.game_walk import Node
from equilibrist.solvers import CFR
from equilibrist.solvers.variants.registry import get_rule
from tests.refusals import refuses
from tests.strategy.random_strategies import random_strategy

PUBLISHED = {"1": 0.24636, "2": 0.29690, "3": 0.52453, "2pb": 0.63577, "2b": 0.58845, "1b": 0.20277}
"""Kuhn, alpha = 0.1: what OpenSpiel's tests take from Gambit."""


def test_the_published_vector_of_kuhn() -> None:
    found = CFR("kuhn", "qre(alpha=0.1)").run(336).average_strategy()
    for key, bet in PUBLISHED.items():
        assert found[key]["bet"] == pytest.approx(bet, abs=6e-6)
    measured = eq.evaluate(found)
    assert measured.values[0] == pytest.approx(-0.0091, abs=6e-5)
    assert measured.exploitability == pytest.approx(0.103694, abs=6e-7)
    assert quantal_gap(found, 0.1) == pytest.approx(0.0, abs=1e-12)


def test_a_lower_temperature() -> None:
    found = CFR("kuhn", "qre(alpha=0.01)").run(40_000).average_strategy()
    assert eq.exploitability(found) == pytest.approx(0.004881, abs=6e-7)


@pytest.mark.parametrize("alpha", [0.2, 1.0, 5.0])
def test_matrix_games_play_logit_responses(alpha: float) -> None:
    """sigma(a) is proportional to exp(payoff of a / alpha)."""
    payoffs = np.array([[0.0, -1.0, 3.0], [1.0, 0.0, -1.0]])
    tree = eq.compile_game(f"matrix(payoffs={payoffs.tolist()})")
    found = CFR(tree, f"qre(alpha={alpha})").run(20_000).average_strategy().probabilities
    row, column = found[:2], found[2:]
    for mine, worth in ((row, payoffs @ column), (column, -payoffs.T @ row)):
        weights = np.exp(worth / alpha)
        assert mine == pytest.approx(weights / weights.sum(), abs=1e-9)


@pytest.mark.parametrize(
    "name",
    ["kuhn", "leduc(suit_isomorphism=true)", "random_tree(seed=2,depth=6,branching=3,forced=0.3)"],
)
def test_it_converges_to_a_gap_of_zero(name: str) -> None:
    tree = eq.compile_game(name)
    alpha = 0.05 * tree.payoff_range
    solver = CFR(tree, f"qre(alpha={alpha})")
    first = quantal_gap(solver.run(1).average_strategy(), alpha)
    assert first > 1e-4
    assert quantal_gap(solver.run(8000).average_strategy(), alpha) < 1e-8


def gap_by_recursion(strategy: eq.Strategy, alpha: float, epsilon: float) -> float:
    """Sum of gains with entropy (alpha) or trembles (epsilon), history by history."""
    found = walk(strategy.tree.game)
    rows = {key: list(row.values()) for key, row in strategy.to_dict().items()}
    total = 0.0
    for player in range(found.num_players):
        ends: dict[tuple[tuple[str, int], ...], float] = {}

        def visit(
            node: Node, others: float, path: tuple[tuple[str, int], ...], player: int = player,
            ends: dict[tuple[tuple[str, int], ...], float] = ends,
        ) -> None:  # fmt: skip
            if node.player == TERMINAL:
                ends[path] = ends.get(path, 0.0) + others * node.payoffs[player]
                return
            weights = node.chance if node.player == CHANCE else rows[node.infoset]
            for k, (p, child) in enumerate(zip(weights, node.children, strict=True)):
                if node.player == player:
                    visit(child, others, (*path, (node.infoset, k)))
                else:
                    visit(child, others * p, path)

        visit(found.root, 1.0, ())
        own = {k: i for k, i in found.infosets.items() if i.player == player}

        def best(path: tuple[tuple[str, int], ...], respond: bool) -> float:
            value = ends.get(path, 0.0)  # noqa: B023
            for key, infoset in own.items():  # noqa: B023
                if infoset.path == path:
                    count = len(infoset.actions)
                    below = [best((*path, (key, a)), respond) for a in range(count)]
                    value += choice(below, rows[key], respond)
            return value

        def choice(below: list[float], row: list[float], respond: bool) -> float:
            if not respond:
                noise = -sum(p * log(p) for p in row if p > 0.0)
                return sum(p * v for p, v in zip(row, below, strict=True)) + alpha * noise
            if alpha:
                top = max(below)
                return top + alpha * log(sum(exp((v - top) / alpha) for v in below))
            if len(below) == 1:
                return below[0]
            return (1 - epsilon * len(below)) * max(below) + epsilon * sum(below)

        total += best((), True) - best((), False)
    return total


@pytest.mark.parametrize(
    "name", ["kuhn", "kuhn(players=3)", "random_tree(seed=5,players=3,depth=5,zero_sum=false)"]
)
def test_gaps_agree_with_plain_recursion(name: str) -> None:
    tree = eq.compile_game(name)
    for seed in (0, 1):
        strategy = random_strategy(tree, seed)
        want = gap_by_recursion(strategy, 0.3, 0.0)
        assert quantal_gap(strategy, 0.3) == pytest.approx(want, abs=1e-10)
        want = gap_by_recursion(strategy, 0.0, 0.02)
        assert trembling_gap(strategy, 0.02) == pytest.approx(want, abs=1e-10)
        assert trembling_gap(strategy, 0.0) == pytest.approx(eq.nash_conv(strategy), abs=1e-10)


def test_results_say_what_was_found() -> None:
    result = eq.solve("kuhn", "qre(alpha=0.2)", iterations=300)
    assert result.algorithm == "qre(alpha=0.2)"
    assert "0.2" in result.guarantee
    assert result.exploitability is not None
    assert result.exploitability > 0.05


@pytest.mark.parametrize(("spec", "option"), [("qre(alpha=0)", "alpha"), ("qre(step=-1)", "step")])
def test_bad_parameters(spec: str, option: str) -> None:
    with refuses(ConfigError, option=option):
        get_rule(spec)


def test_bad_gaps() -> None:
    uniform = eq.Strategy.uniform(eq.compile_game("kuhn"))
    with refuses(ConfigError, option="alpha", given=0.0):
        quantal_gap(uniform, 0.0)
    with refuses(ConfigError, option="epsilon", given=-1.0):
        trembling_gap(uniform, -1.0)
