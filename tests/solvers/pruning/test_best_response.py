"""Best-response pruning: against best responses by plain recursion, and what it converges to."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

import equilibrist as eq
from equilibrist.reference import walk
from equilibrist.reference.traversals.pruning import PrunedPlay
from equilibrist.solvers.full_traversal.cfr import CFR
from equilibrist.solvers.pruning.methods import BestResponse
from equilibrist.solvers.pruning.pruned_cfr import PrunedCFR
from tests.slow_cases import slow

BOTH_ORDERS = pytest.mark.parametrize("alternating", [True, False])
RULES = pytest.mark.parametrize("rule", ["cfr", "lcfr"])
RETURNING = ("kuhn", "random_tree(seed=4,depth=5)")
"""Games in which actions that were dropped catch up, with simultaneous updates."""
SMALL_LEDUC = "leduc(suit_isomorphism=true)"


@cache
def tree_of(name: str) -> eq.GameTree:
    return eq.compile_game(name)


def weight_until(t: float, rule: str) -> float:
    return t if rule == "cfr" else t * (t + 1) / 2


@RULES
@BOTH_ORDERS
@pytest.mark.parametrize(
    "name",
    ["kuhn", slow("random_tree(seed=2,depth=6,branching=4)"), "random_tree(seed=4,depth=5)"],
)
def test_what_is_dropped_is_behind_and_returns_by_best_responses(
    name: str, rule: str, alternating: bool
) -> None:
    tree = tree_of(name)
    oracles = [PrunedPlay(walk(tree.game), player) for player in (0, 1)]
    solver = PrunedCFR(tree, rule, BestResponse(every=5), alternating=alternating)
    dropped, returned = 0, 0
    before = solver.state
    for t in range(5, 301, 5):
        solver.run(5)
        state = solver.state
        average = {k: list(row.values()) for k, row in solver.average_strategy().to_dict().items()}
        gap = np.zeros(len(state.regret))
        for oracle in oracles:
            oracle.respond(weight_until(t, rule), average)
            for key, row in oracle.regret.items():
                gap[tree.actions_of(tree.index(key))] = row
        was, now = (s.watched["skipped"].astype(bool) for s in (before, state))
        slack = 1e-9 * weight_until(t, rule)
        # None of those that were dropped has caught up, not even one that is due.
        assert (gap[was] <= slack).all()
        back = was & ~now & np.repeat(state.watched["stored"] == 1, np.diff(tree.action_offset))
        np.testing.assert_allclose(state.regret[back], gap[back], atol=slack)
        assert (state.watched["until"][back] <= t).all()
        assert (state.watched["until"][now] >= t).all()
        assert (gap[now & ~was] < 0.0).all()
        dropped, returned = dropped + int((now & ~was).sum()), returned + int(back.sum())
        for i, stored in enumerate(state.watched["stored"]):
            if not stored:
                assert not state.regret[tree.actions_of(i)].any()
        before = state
    assert dropped > 1
    assert returned > 1 or alternating or name not in RETURNING


@RULES
@BOTH_ORDERS
@pytest.mark.parametrize("name", ["kuhn", SMALL_LEDUC, "random_tree(seed=2,depth=6,branching=4)"])
def test_it_converges_and_stores_less(name: str, rule: str, alternating: bool) -> None:
    tree = tree_of(name)
    found = []
    for iterations in (250, 4000):
        solver = PrunedCFR(tree, rule, "best-response", alternating=alternating).run(iterations)
        found.append(eq.evaluate(solver.average_strategy()).nash_conv)
    usual = CFR(tree, rule, alternating=alternating).run(4000)
    wanted = eq.evaluate(usual.average_strategy()).nash_conv
    # Where players do not update in turn play swings, and what is dropped keeps returning.
    assert found[1] < (0.35 if alternating else 0.8) * found[0] + 1e-4
    assert found[1] < 4.0 * wanted + 1e-3
    assert solver.stored_actions < len(solver.state.regret)
    if name == SMALL_LEDUC:
        assert solver.stored_infosets < tree.num_infosets
