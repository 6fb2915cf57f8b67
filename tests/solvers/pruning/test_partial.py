"""Partial pruning: the bits of full traversals, what is visited, and what a threshold costs."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

import numpy as np
import pytest

import equilibrist as eq
from equilibrist.errors import ConfigError, MismatchError, UnknownNameError
from equilibrist.game import CHANCE, TERMINAL
from equilibrist.reference import walk
from equilibrist.reference.game_walk import Node
from equilibrist.solvers.full_traversal.cfr import CFR
from equilibrist.solvers.pruning.methods import (
    BestResponse,
    Interval,
    Partial,
    Threshold,
    get_pruning,
    pruning_spec,
)
from equilibrist.solvers.pruning.partial import PartialCFR
from equilibrist.solvers.run.state import SolverState
from tests.refusals import refuses, unchecked
from tests.slow_cases import slow
from tests.small_games import Written

BOTH_ORDERS = pytest.mark.parametrize("alternating", [True, False])
RULES = (
    "cfr",
    "cfr+",
    slow("lcfr"),
    "dcfr",
    "pcfr+",
    slow("bu-pcfr+"),
    slow("apcfr+"),
    slow("omd"),
    "hedge",
)
GAMES = ("kuhn", "kuhn(players=3)", "random_tree(seed=2,depth=6,branching=4)")
SMALL_LEDUC = "leduc(suit_isomorphism=true)"


@cache
def tree_of(name: str) -> eq.GameTree:
    return eq.compile_game(name)


@BOTH_ORDERS
@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("name", GAMES)
def test_it_has_the_bits_of_full_traversals(name: str, rule: str, alternating: bool) -> None:
    tree = tree_of(name)
    usual = CFR(tree, rule, alternating=alternating).run(60).state
    pruned = PartialCFR(tree, rule, alternating=alternating).run(60).state
    for field in ("regret", "behaviour", "strategy_sum"):
        assert getattr(pruned, field).tobytes() == getattr(usual, field).tobytes(), field
    for field, array in usual.kept.items():
        assert pruned.kept[field].tobytes() == array.tobytes(), field


@pytest.mark.parametrize(("rule", "share"), [("cfr", 0.35), ("cfr+", 0.56)])
def test_terminals_that_the_opponent_plays_to_in_leduc(rule: str, share: float) -> None:
    """Over 1,000 iterations."""
    found = PartialCFR(tree_of(SMALL_LEDUC), rule).run(1000).visits
    assert found.terminals_unpruned == 2 * 1000 * tree_of(SMALL_LEDUC).num_terminals
    assert round(found.terminals / found.terminals_unpruned, 2) == share


def visited(node: Node, player: int, play: Mapping[str, Sequence[float]]) -> tuple[int, int]:
    """Histories and terminals from here on to which the others of `player` play."""
    if node.player == TERMINAL:
        return 1, 1
    row = [1.0] * len(node.children)
    if node.player not in (CHANCE, player):
        row = list(play[node.infoset])
    parts = [visited(c, player, play) for c, p in zip(node.children, row, strict=True) if p > 0.0]
    return 1 + sum(n for n, _ in parts), sum(z for _, z in parts)


@BOTH_ORDERS
@pytest.mark.parametrize("name", GAMES)
def test_visits_are_those_of_a_walk_history_by_history(name: str, alternating: bool) -> None:
    tree = tree_of(name)
    root = walk(tree.game).root
    solver = PartialCFR(tree, "cfr+", alternating=alternating)
    wanted = [0, 0]

    def play() -> dict[str, list[float]]:
        return {k: list(row.values()) for k, row in solver.current_strategy().to_dict().items()}

    for _ in range(12):
        before = play()
        solver.run(1)
        after = play()
        for player in range(tree.num_players):
            seen = dict(before)
            if alternating:
                earlier = np.flatnonzero(np.asarray(tree.infoset_player) < player)
                seen |= {tree.infoset_keys[i]: after[tree.infoset_keys[i]] for i in earlier}
            for k, n in enumerate(visited(root, player, seen)):
                wanted[k] += n
    found = solver.visits
    assert [found.nodes, found.terminals] == wanted
    assert found.nodes_unpruned == 12 * tree.num_players * tree.num_nodes
    assert found.nodes < found.nodes_unpruned


def matrix(actions: int, seed: int) -> Written:
    payoff = np.random.default_rng(seed).uniform(-1.0, 1.0, (actions, actions)).tolist()

    def column(a: int) -> tuple[object, ...]:
        ends = {f"y{b}": (payoff[a][b], -payoff[a][b]) for b in range(actions)}
        return (1, "column", ends)

    return Written((0, "row", {f"x{a}": column(a) for a in range(actions)}), 2, f"matrix {seed}")


def hedge_without_cut(state: SolverState, places: list[int]) -> np.ndarray:
    """What Hedge plays by its regrets and the ranges that it has seen; sums of squares of these."""
    regret, spread = state.regret[places], state.kept["spread"][places[0]]
    step = math.sqrt(8.0 * math.log(len(places)) / spread) if spread > 0.0 else 0.0
    weights = np.exp(step * (regret - regret.max()))
    return weights / weights.sum()


@pytest.mark.parametrize("c", [0.05, 0.5, 1.0])
@pytest.mark.parametrize("seed", [0, slow(1), slow(2)])
def test_a_threshold_costs_at_most_its_bound(seed: int, c: float) -> None:
    """By iteration T no more than 2 c D sqrt(T) of regret, with payoffs that differ by D."""
    tree = eq.compile_game(matrix(6, seed))
    form = tree.sequence_form
    rows, columns, entries = form.payoff_entries()
    offset = int(form.arrays.sequence_offset[1])
    payoff = np.zeros((offset, form.num_sequences - offset))
    payoff[rows, columns] = entries
    own = [form.sequence_of_public[tree.actions_of(i)].tolist() for i in (0, 1)]
    table = payoff[np.ix_(own[0], [s - offset for s in own[1]])]
    spread = table.max() - table.min()
    solver = PartialCFR(tree, "hedge", Threshold(c), alternating=False)
    cost, gone, sums, earned = np.zeros(2), 0, [np.zeros(6), np.zeros(6)], np.zeros(2)
    for t in range(1, 400):
        state = solver.state
        played = [state.behaviour[places] for places in own]
        values = [table @ played[1], -(table.T @ played[0])]
        for player in (0, 1):
            whole = hedge_without_cut(state, own[player])
            kept = whole >= c / (6.0 * math.sqrt(t))
            cut = np.where(kept, whole, 0.0)
            if t > 1:
                np.testing.assert_allclose(played[player], cut / cut.sum(), atol=1e-12)
                gone += int((~kept).sum())
            cost[player] += (whole - played[player]) @ values[player]
            sums[player] += values[player]
            earned[player] += played[player] @ values[player]
        bound = 2.0 * c * spread * math.sqrt(t)
        assert (cost <= bound).all()
        regret = [sums[p].max() - earned[p] for p in (0, 1)]
        assert max(regret) <= spread * math.sqrt(2.0 * t * math.log(6)) + spread + bound
        solver.run(1)
    assert gone > 0
    assert solver.visits.terminals < solver.visits.terminals_unpruned


def test_a_threshold_still_converges() -> None:
    tree = tree_of(SMALL_LEDUC)
    cut = PartialCFR(tree, "hedge", Threshold(0.1)).run(1000)
    usual = CFR(tree, "hedge").run(1000)
    found = eq.evaluate(cut.average_strategy()).nash_conv
    assert found < 1.5 * eq.evaluate(usual.average_strategy()).nash_conv
    assert cut.visits.terminals < 0.9 * cut.visits.terminals_unpruned


@pytest.mark.parametrize(("rule", "pruning"), [("pcfr+", "partial"), ("hedge", "threshold(c=0.3)")])
def test_resumed_runs_have_the_same_bits(rule: str, pruning: str, tmp_path: Path) -> None:
    tree = tree_of(SMALL_LEDUC)
    whole = PartialCFR(tree, rule, pruning).run(50)
    PartialCFR(tree, rule, pruning).run(20).checkpoint(tmp_path / "run")
    again = PartialCFR(tree, rule, pruning).resume(tmp_path / "run").run(30)
    for name in ("regret", "behaviour", "strategy_sum"):
        assert getattr(again.state, name).tobytes() == getattr(whole.state, name).tobytes()
    assert again.visits == whole.visits


def test_states_of_other_runs_are_refused() -> None:
    state = CFR("kuhn", "cfr").run(3).state
    with refuses(MismatchError, option="pruned", given=None, expected="partial"):
        PartialCFR("kuhn", "cfr").restore(state)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("partial", Partial()),
        ("Interval", Interval()),
        ("best_response", BestResponse()),
        ("best-response(every=3)", BestResponse(3)),
        ("best-response(7)", BestResponse(7)),
        ("threshold(c=0.25)", Threshold(0.25)),
        ("threshold(1)", Threshold(1.0)),
    ],
)
def test_names(text: str, wanted: Partial | Interval | BestResponse | Threshold) -> None:
    assert get_pruning(text) == wanted
    assert get_pruning(pruning_spec(wanted)) == wanted


def test_bad_names_and_parameters() -> None:
    with refuses(UnknownNameError, option="prune", name="intervall"):
        get_pruning("intervall")
    with refuses(UnknownNameError, name="d"):
        get_pruning("threshold(d=3)")
    with refuses(ConfigError, option="c", given=0.0, expected="a number above 0 and at most 1"):
        get_pruning("threshold(c=0)")
    with refuses(ConfigError, option="c", given=1.5, expected="a number above 0 and at most 1"):
        get_pruning("threshold(c=1.5)")
    with refuses(ConfigError, option="every", given=0):
        get_pruning("best-response(every=0)")
    with refuses(ConfigError, option="prune", given=3):
        get_pruning(unchecked(3))


@pytest.mark.parametrize(
    ("rule", "pruning", "expected"),
    [("cfr", "threshold", "hedge"), ("qre", "partial", "a variant of CFR, such as cfr+")],
)
def test_rules_that_do_not_fit(rule: str, pruning: str, expected: str) -> None:
    with refuses(ConfigError, option="prune", given=pruning, place=rule, expected=expected):
        PartialCFR(tree_of("kuhn"), rule, pruning)
