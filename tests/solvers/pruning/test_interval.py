"""Interval pruning: against plain recursion that walks skipped iterations again, and full CFR."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import equilibrist as eq
from equilibrist.errors import ConfigError, MismatchError, UnsupportedError
from equilibrist.reference import walk
from equilibrist.reference.traversals.pruning import PrunedPlay
from equilibrist.solvers.full_traversal.cfr import CFR
from equilibrist.solvers.pruning.pruned_cfr import PrunedCFR
from tests.refusals import refuses, unchecked
from tests.slow_cases import slow
from tests.small_games import Written

BOTH_ORDERS = pytest.mark.parametrize("alternating", [True, False])
RULES = pytest.mark.parametrize("rule", ["cfr", "lcfr"])
SMALL_LEDUC = "leduc(suit_isomorphism=true)"


@cache
def tree_of(name: str) -> eq.GameTree:
    return eq.compile_game(name)


def rows_of(strategy: eq.Strategy) -> dict[str, list[float]]:
    return {key: list(row.values()) for key, row in strategy.to_dict().items()}


def skipped_by(solver: PrunedCFR) -> set[tuple[str, int]]:
    tree = solver.tree
    flags = solver.state.watched["skipped"]
    return {
        (key, k)
        for i, key in enumerate(tree.infoset_keys)
        for k, flag in enumerate(flags[tree.actions_of(i)])
        if flag
    }


@RULES
@BOTH_ORDERS
@pytest.mark.parametrize(
    "name",
    [
        "kuhn",
        "random_tree(seed=7,depth=7,branching=3)",
        slow("random_tree(seed=2,depth=6,branching=4)"),
        *(slow(f"random_tree(seed={seed},depth=5,branching=3)") for seed in range(20, 32)),
        slow("random_tree(seed=4,depth=6,branching=3,zero_sum=false)"),
    ],
)
def test_it_is_cfr_with_best_responses_where_it_skipped(
    name: str, rule: str, alternating: bool
) -> None:
    tree = tree_of(name)
    game = walk(tree.game)
    solver = PrunedCFR(tree, rule, alternating=alternating)
    oracles = [PrunedPlay(game, player) for player in (0, 1)]
    before: set[tuple[str, int]] = set()
    caught_up = 0
    for t in range(1, 31):
        old = rows_of(solver.current_strategy())
        solver.run(1)
        new, skipped = rows_of(solver.current_strategy()), skipped_by(solver)
        caught_up += len(before - skipped)
        before = skipped
        for player, oracle in enumerate(oracles):
            profile = dict(old)
            if alternating and player == 1:
                profile |= {key: new[key] for key in oracles[0].regret}
            oracle.iterate(1.0 if rule == "cfr" else t, profile, skipped)
            for key, row in oracle.regret.items():
                place = tree.actions_of(tree.index(key))
                found = solver.state.regret[place]
                np.testing.assert_allclose(found, row, atol=1e-12 * t * t, err_msg=key)
            for key, k in oracle.missing:
                # What is skipped could not be played yet, even by a best response below.
                assert oracle.regret[key][k] + oracle.owed((key, k)) <= 1e-12 * t * t
    assert caught_up > 0
    assert len(before) > 0
    assert solver.nodes_touched == sum(oracle.visited for oracle in oracles)


@RULES
@BOTH_ORDERS
@pytest.mark.parametrize("name", ["kuhn", "random_tree(seed=2,depth=6,branching=4)"])
def test_traversals_that_skip_nothing_are_those_of_cfr(
    name: str, rule: str, alternating: bool
) -> None:
    tree = tree_of(name)
    plain = PrunedCFR(tree, rule, None, alternating=alternating).run(20)
    usual = CFR(tree, rule, alternating=alternating).run(20)
    for found, wanted in (
        (plain.average_strategy(), usual.average_strategy()),
        (plain.current_strategy(), usual.current_strategy()),
    ):
        np.testing.assert_allclose(found.probabilities, wanted.probabilities, atol=1e-10)
    assert not plain.state.watched["skipped"].any()


def signals() -> Written:
    """Both players see a signal of their own and move once: nobody decides below an action."""
    payoff = np.random.default_rng(3).integers(-9, 10, (3, 3, 4, 4)).tolist()

    def replies(i: int, j: int, a: int) -> tuple[Any, ...]:
        ends = {f"y{b}": (payoff[i][j][a][b], -payoff[i][j][a][b]) for b in range(4)}
        return (1, f"col {j}", ends)

    deals = {
        (f"{i}{j}", 1 / 9): (0, f"row {i}", {f"x{a}": replies(i, j, a) for a in range(4)})
        for i in range(3)
        for j in range(3)
    }
    return Written(("chance", deals), 2, "signals")


@RULES
@BOTH_ORDERS
def test_where_nothing_is_decided_below_it_finds_what_full_traversals_find(
    rule: str, alternating: bool
) -> None:
    tree = eq.compile_game(signals())
    pruned = PrunedCFR(tree, rule, alternating=alternating)
    full = PrunedCFR(tree, rule, None, alternating=alternating)
    for _ in range(40):
        pruned.run(1)
        full.run(1)
        mine, theirs = pruned.state, full.state
        np.testing.assert_allclose(mine.behaviour, theirs.behaviour, atol=1e-9)
        np.testing.assert_allclose(mine.strategy_sum, theirs.strategy_sum, atol=1e-9)
        open_now = mine.watched["skipped"] == 0
        np.testing.assert_allclose(mine.regret[open_now], theirs.regret[open_now], atol=1e-9)
        assert (theirs.regret[~open_now] <= 1e-12).all()
    assert pruned.nodes_touched < full.nodes_touched


@RULES
@pytest.mark.parametrize(
    ("name", "iterations"),
    [
        ("kuhn", 2000),
        (SMALL_LEDUC, 1000),
        ("random_tree(seed=2,depth=6,branching=4)", 1000),
        ("random_tree(seed=7,depth=7,branching=3)", 1000),
    ],
)
def test_it_converges_as_cfr_does(name: str, iterations: int, rule: str) -> None:
    tree = tree_of(name)
    pruned, full = PrunedCFR(tree, rule).run(iterations), CFR(tree, rule).run(iterations)
    found = eq.evaluate(pruned.average_strategy()).nash_conv
    wanted = eq.evaluate(full.average_strategy()).nash_conv
    assert found < 1.5 * wanted + 1e-3
    plain = PrunedCFR(tree, rule, None).run(iterations)
    assert pruned.nodes_touched < 0.9 * plain.nodes_touched


def test_leduc_visits_a_fifth_of_the_terminals() -> None:
    """Of the traversals of CFR 35 % have an opponent who gets there; intervals skip more."""
    found = PrunedCFR(tree_of(SMALL_LEDUC), "cfr").run(1000).visits
    assert found.terminals / found.terminals_unpruned == pytest.approx(0.198, abs=5e-4)


@pytest.mark.parametrize("pruning", ["interval", "best-response"])
def test_games_in_which_only_one_player_moves(pruning: str) -> None:
    deeper = (0, "b", {"u": (2.0, -2.0), "v": (-5.0, 5.0)})
    game = Written((0, "a", {"x": (1.0, -1.0), "y": (0.0, 0.0), "z": deeper}), 2, "alone")
    solver = PrunedCFR(eq.compile_game(game), "cfr", pruning).run(500)
    wanted = CFR(solver.tree, "cfr").run(500).average_strategy()
    np.testing.assert_allclose(
        solver.average_strategy().probabilities, wanted.probabilities, atol=1e-12
    )
    assert solver.visits.nodes < 0.8 * solver.visits.nodes_unpruned


@pytest.mark.parametrize("pruning", ["interval", "best-response"])
def test_resumed_runs_have_the_same_bits(pruning: str, tmp_path: Path) -> None:
    tree = tree_of(SMALL_LEDUC)
    whole = PrunedCFR(tree, "lcfr", pruning).run(150)
    PrunedCFR(tree, "lcfr", pruning).run(77).checkpoint(tmp_path / "run")
    again = PrunedCFR(tree, "lcfr", pruning).resume(tmp_path / "run").run(73)
    for name in ("regret", "behaviour", "strategy_sum"):
        assert getattr(again.state, name).tobytes() == getattr(whole.state, name).tobytes()
    assert again.visits == whole.visits
    for name, array in whole.state.watched.items():
        assert again.state.watched[name].tobytes() == array.tobytes(), name


def test_states_of_other_runs_are_refused() -> None:
    tree = tree_of("kuhn")
    state = PrunedCFR(tree, "cfr").run(3).state
    with refuses(MismatchError, option="pruned", given="interval", expected="best-response"):
        PrunedCFR(tree, "cfr", "best-response").restore(state)
    with refuses(MismatchError, option="algorithm", given="cfr", expected="lcfr"):
        PrunedCFR(tree, "lcfr").restore(state)
    with refuses(ConfigError, option="state"):
        PrunedCFR(tree, "cfr").restore(unchecked(None))


@pytest.mark.parametrize("pruning", ["interval", "best-response"])
@pytest.mark.parametrize("rule", ["cfr+", "dcfr", "pcfr+", "hedge", "apcfr+"])
def test_rules_without_deep_regrets_are_refused(rule: str, pruning: str) -> None:
    with refuses(ConfigError, option="prune", given=pruning, place=rule, expected="cfr or lcfr"):
        PrunedCFR(tree_of("kuhn"), rule, pruning)


def test_more_players_and_other_prunings_are_refused() -> None:
    with refuses(UnsupportedError, option="num_players", given=3, expected=2):
        PrunedCFR("kuhn(players=3)")
    with refuses(ConfigError, option="prune", given="partial"):
        PrunedCFR("kuhn", "cfr", "partial")
