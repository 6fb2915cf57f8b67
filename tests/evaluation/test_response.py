"""Values, best responses, NashConv: against the plain recursion, and against known numbers."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import product
from typing import Any

import numpy as np
import pytest

import equilibrist as eq
from equilibrist.errors import ConfigError, RecallError, UnsupportedError
from equilibrist.evaluation import (
    best_response,
    evaluate,
    evaluate_behaviour,
    expected_values,
    exploitability,
    nash_conv,
)
from equilibrist.game_loading import compile_game
from equilibrist.games import load_game
from equilibrist.reference import response as reference
from equilibrist.reference.game_walk import walk
from equilibrist.solvers.full_traversal.cfr import CFR
from equilibrist.solvers.matrix.lp import solve_lp
from equilibrist.solving import solve
from equilibrist.strategy import Strategy
from equilibrist.tree.compile import GameTree
from tests.altered_games import WithImpossibleChances
from tests.refusals import refuses
from tests.strategy.random_strategies import random_strategy

GAMES = (
    "kuhn",
    "kuhn(players=3)",
    "leduc",
    "shapley",
    "battle_of_the_sexes",
    "random_tree(seed=1,players=1,zero_sum=false)",
    "random_tree(seed=2,depth=7,branching=5)",
    "random_tree(seed=3,players=3,zero_sum=false,depth=7)",
    "random_tree(seed=4,players=4,zero_sum=false,forced=0.5,depth=8,stop=0)",
    "random_tree(seed=9,depth=7,chance=0.6)",
)


@cache
def tree_of(spec: str) -> GameTree:
    return compile_game(load_game(spec))


def profile_of(strategy: Strategy) -> dict[str, list[float]]:
    return {key: list(row.values()) for key, row in strategy.to_dict().items()}


@pytest.mark.by_default(4)
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("spec", GAMES)
def test_evaluation_equals_the_recursion(spec: str, seed: int) -> None:
    tree = tree_of(spec)
    nodes = walk(tree.game)
    strategy = random_strategy(tree, seed)
    profile = profile_of(strategy)
    evaluation = evaluate(strategy)
    assert evaluation.values == pytest.approx(reference.expected_values(nodes, profile), abs=1e-12)
    best = [reference.best_response_value(nodes, profile, i) for i in range(tree.num_players)]
    assert evaluation.best_response_values == pytest.approx(best, abs=1e-12)
    gains = [b - v for b, v in zip(best, evaluation.values, strict=True)]
    assert evaluation.gains == pytest.approx(gains, abs=1e-12)
    assert evaluation.nash_conv == pytest.approx(sum(gains), abs=1e-12)


@pytest.mark.parametrize("spec", GAMES)
def test_a_best_response_gets_its_value_and_nothing_gets_more(spec: str) -> None:
    tree = tree_of(spec)
    strategy = random_strategy(tree, 5)
    for player in range(tree.num_players):
        answer = best_response(strategy, player)
        assert answer.player == player
        assert expected_values(answer.strategy)[player] == pytest.approx(answer.value, abs=1e-12)
        assert answer.gain == pytest.approx(answer.value - expected_values(strategy)[player])
        assert best_response(answer.strategy, player).gain == pytest.approx(0.0, abs=1e-12)
        for i, owner in enumerate(tree.infoset_player.tolist()):
            here = tree.actions_of(i)
            row = answer.strategy.probabilities[here]
            if owner == player:
                assert sorted(row.tolist()) == [0.0] * (len(row) - 1) + [1.0]
            else:
                assert np.array_equal(row, strategy.probabilities[here])
        for seed in range(6, 10):
            other = strategy.replace(player, random_strategy(tree, seed))
            assert expected_values(other)[player] <= answer.value + 1e-12


def test_best_response_is_the_best_of_all_pure_strategies() -> None:
    """All 64 pure strategies of each player of Kuhn, tried one by one."""
    tree = tree_of("kuhn")
    strategy = random_strategy(tree, 1)
    for player in (0, 1):
        own = [k for i, k in enumerate(tree.infoset_keys) if tree.infoset_player[i] == player]
        best = -np.inf
        for choice in product(("pass", "bet"), repeat=len(own)):
            table = strategy.to_dict()
            for key, action in zip(own, choice, strict=True):
                table[key] = {action: 1.0}
            best = max(best, expected_values(Strategy.from_dict(tree, table))[player])
        assert best_response(strategy, player).value == pytest.approx(best, abs=1e-14)


UNIFORM = {
    "kuhn": ([1 / 8, -1 / 8], [1 / 2, 5 / 12], 11 / 12),
    "kuhn(players=3)": ([15 / 64, -3 / 64, -3 / 16], [25 / 32, 31 / 48, 61 / 96], 33 / 16),
    "leduc": (None, None, 4.747222222222222),
}


@pytest.mark.parametrize("spec", UNIFORM)
def test_uniform_play(spec: str) -> None:
    values, best, total = UNIFORM[spec]
    evaluation = evaluate(Strategy.uniform(tree_of(spec)))
    assert evaluation.nash_conv == pytest.approx(total, abs=1e-14)
    if values is not None:
        assert evaluation.values == pytest.approx(values, abs=1e-15)
        assert evaluation.best_response_values == pytest.approx(best, abs=1e-15)


def test_exploitability_is_half_of_nash_conv() -> None:
    strategy = Strategy.uniform(tree_of("leduc"))
    assert exploitability(strategy) == pytest.approx(2.373611111111111, abs=1e-14)
    assert exploitability(strategy) == nash_conv(strategy) / 2
    evaluation = evaluate(strategy)
    assert evaluation.measure == evaluation.exploitability
    assert evaluation.measure_name == "exploitability"


@pytest.mark.parametrize("spec", ["kuhn", "leduc"])
def test_always_the_first_action(spec: str) -> None:
    assert nash_conv(Strategy.first_action(tree_of(spec))) == pytest.approx(2.0, abs=1e-14)


@pytest.mark.parametrize(
    ("spec", "fields"),
    [
        ("kuhn(players=3)", dict(option="game", given="kuhn(players=3)")),
        ("shapley", dict(option="game", given="shapley")),
        ("random_tree(players=1)", dict(option="game", given="random_tree(players=1)")),
    ],
)
def test_exploitability_is_refused_where_it_means_nothing(
    spec: str, fields: dict[str, Any]
) -> None:
    strategy = Strategy.uniform(tree_of(spec))
    with refuses(UnsupportedError, **fields):
        exploitability(strategy)
    evaluation = evaluate(strategy)
    assert evaluation.exploitability is None
    assert evaluation.measure == evaluation.nash_conv
    assert evaluation.measure_name == "NashConv"


def test_known_equilibria_have_no_gains() -> None:
    rps = tree_of("biased_rock_paper_scissors")
    mixed = {"rock": 1 / 16, "paper": 5 / 8, "scissors": 5 / 16}
    strategy = Strategy.from_dict(rps, dict.fromkeys(rps.infoset_keys, mixed))
    assert nash_conv(strategy) == pytest.approx(0.0, abs=1e-14)
    bos = tree_of("battle_of_the_sexes")
    mixed_bos = {
        "row": {"bach": 0.6, "stravinsky": 0.4},
        "column": {"bach": 0.4, "stravinsky": 0.6},
    }
    evaluation = evaluate(Strategy.from_dict(bos, mixed_bos))
    assert evaluation.values == pytest.approx((1.2, 1.2))
    assert evaluation.nash_conv == pytest.approx(0.0, abs=1e-14)


@pytest.mark.parametrize("spec", ["kuhn", "leduc"])
def test_rounding_makes_no_gain_negative(spec: str) -> None:
    """The sums of a best response and of the play that is one differ by their last digits."""
    uniform = Strategy.uniform(compile_game(spec))
    for player in (0, 1):
        gains = evaluate(best_response(uniform, player).strategy).gains
        assert 0.0 <= gains[player] < 1e-12


def test_one_player_gains_up_to_the_optimum() -> None:
    tree = tree_of("random_tree(seed=1,players=1,zero_sum=false)")
    evaluation = evaluate(Strategy.uniform(tree))
    best = reference.best_response_value(tree.game, profile_of(Strategy.uniform(tree)), 0)
    assert evaluation.best_response_values == pytest.approx((best,))
    assert evaluation.gains[0] > 0


def test_impossible_chances_change_nothing() -> None:
    spec = "random_tree(seed=9,depth=7,chance=0.6)"
    plain = tree_of(spec)
    altered = compile_game(WithImpossibleChances(plain.game))
    assert altered.num_nodes > plain.num_nodes
    strategy = random_strategy(plain, 3)
    other = Strategy.from_dict(altered, strategy.to_dict())
    assert evaluate(other).values == pytest.approx(evaluate(strategy).values, abs=1e-13)
    assert evaluate(other).gains == pytest.approx(evaluate(strategy).gains, abs=1e-13)


def test_behaviour_in_engine_order_gives_the_same() -> None:
    solver = CFR(tree_of("leduc"), "dcfr").run(50)
    direct = evaluate_behaviour(solver.tree, solver.average_behaviour())
    assert evaluate(solver.average_strategy()) == direct


def test_unknown_players_are_refused() -> None:
    strategy = Strategy.uniform(tree_of("kuhn"))
    for player in (-1, 2):
        with refuses(ConfigError, option="player", given=player):
            best_response(strategy, player)


def test_imperfect_recall_is_refused() -> None:
    """The recursion over sequences is no best response there, so nothing is called one."""
    tree = compile_game(load_game("random_tree(seed=3,depth=6,imperfect_recall=true)"))
    with pytest.raises(RecallError):
        evaluate(Strategy.uniform(tree))


@pytest.mark.parametrize("offset", [10**9, 10**12, 10**15, -(10**15)])
@pytest.mark.parametrize(
    "table", [[[1, -1], [-1, 1]], [[1, 0], [2, 2]], [[0, 3], [1, 0]], [[2, 0], [0, 1]]]
)
def test_a_common_offset_of_payoffs_hides_no_gain(table: list[list[int]], offset: int) -> None:
    """Against exact fractions; payoffs and their differences are exact in floats."""
    shifted = [[cell + offset for cell in row] for row in table]
    tree = compile_game(f"matrix(payoffs={shifted})".replace(" ", ""))
    rows, columns = Fraction(3, 4), Fraction(1, 8)
    played = [[0.75, 0.25], [0.125, 0.875]]
    pairs = zip(tree.infoset_keys, tree.infoset_player, strict=True)
    found = evaluate(Strategy.from_dict(tree, {key: played[player] for key, player in pairs}))
    first = [columns * row[0] + (1 - columns) * row[1] for row in map(exact, table)]
    second = [
        rows * one + (1 - rows) * other for one, other in zip(*map(exact, table), strict=True)
    ]
    value = rows * first[0] + (1 - rows) * first[1]
    gains = max(first) - value, value - min(second)
    assert found.gains == pytest.approx([float(gain) for gain in gains], rel=1e-12, abs=1e-15)
    assert found.nash_conv == pytest.approx(float(sum(gains)), rel=1e-12)
    assert found.values[0] == pytest.approx(float(value + offset), rel=1e-15)
    assert solve_lp(tree).duality_gap < 1e-9
    solved = evaluate(CFR(tree, "dcfr").run(200).average_strategy())
    assert min(solved.gains) >= 0
    plain = compile_game(f"matrix(payoffs={table})".replace(" ", ""))
    same = evaluate(CFR(plain, "dcfr").run(200).average_strategy())
    assert solved.nash_conv == pytest.approx(same.nash_conv, rel=1e-6, abs=1e-12)


def exact(row: list[int]) -> list[Fraction]:
    return [Fraction(cell) for cell in row]


@pytest.mark.parametrize("scale", [1, 1e15, 1e-200])
@pytest.mark.parametrize("offset", [0, 3e15])
def test_what_rounding_hides_grows_with_the_payoffs_but_not_with_their_offset(
    scale: float, offset: float
) -> None:
    payoffs = [[offset + scale, offset - scale], [offset - scale, offset + scale]]
    payoffs = [[float(cell) for cell in row] for row in payoffs]
    tree = compile_game(f"matrix(payoffs={payoffs})".replace(" ", ""))
    spread = max(map(max, payoffs)) - min(map(min, payoffs))
    if spread == 0.0:  # the offset has swallowed them
        assert tree.rounding == 8 * np.finfo(float).eps * offset
    elif spread * 1024 < offset:
        assert tree.rounding == 8 * np.finfo(float).eps * spread
    else:
        assert tree.rounding == 8 * np.finfo(float).eps * max(abs(p) for r in payoffs for p in r)
    found = evaluate(Strategy.uniform(tree))
    assert found.nash_conv <= found.rounding == tree.rounding


@pytest.mark.parametrize("spec", GAMES)
def test_the_floor_is_of_the_size_of_rounding_errors(spec: str) -> None:
    """The recursion adds up the same gains in another order: by so much may the sums differ."""
    tree = tree_of(spec)
    strategy = random_strategy(tree, 3)
    other = reference.nash_conv(walk(tree.game), profile_of(strategy))
    found = evaluate(strategy)
    assert abs(found.nash_conv - other) <= 2 * found.rounding
    assert found.rounding < 1e-13


def test_a_target_that_rounding_alone_would_meet_is_refused() -> None:
    floor = tree_of("kuhn").rounding / 2
    expected = f"at least {floor:.2g}, which double precision tells from 0 with these payoffs"
    with refuses(ConfigError, option="target", given=1e-17, expected=expected):
        solve("kuhn", target=1e-17)
    with refuses(ConfigError, option="target", given=1e-17):
        solve("matrix(payoffs=[[[1,0],[0,0]],[[0,0],[0,1]]])", target=1e-17)
    assert solve("kuhn", "cfr+", target=2 * floor, iterations=10).target == 2 * floor


def test_notebooks_show_a_table() -> None:
    """Players in rows, and the measures that exist; three players have no exploitability."""
    for game, names in {
        "kuhn": ("player 1", "exploitability", "NashConv"),
        "kuhn(players=3)": ("player 2", "NashConv"),
    }.items():
        html = eq.evaluate(eq.Strategy.uniform(eq.compile_game(game)))._repr_html_()
        assert html.startswith("<table>")
        assert all(f"<th>{name}</th>" in html for name in names)
        assert ("exploitability" in html) == ("exploitability" in names)
