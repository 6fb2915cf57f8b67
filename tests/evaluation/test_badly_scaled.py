"""Dominance beside payoffs of other orders of magnitude."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from equilibrist.evaluation.domination import dominated_actions
from equilibrist.evaluation.plan_domination import dominated_plans
from equilibrist.evaluation.row_domination import dominance_of
from equilibrist.evaluation.sequence_domination import dominated_sequences
from equilibrist.game_loading import compile_game
from equilibrist.games import load_game
from equilibrist.tree.compile import GameTree
from tests.altered_games import Forbidding, Repaid


def _actions(tree: GameTree) -> object:
    return {(a.infoset, a.action, a.round, a.strict) for a in dominated_actions(tree).actions}


def _weakly(tree: GameTree) -> object:
    found = dominated_actions(tree, weak=True).actions
    return {(a.infoset, a.action, a.round, a.strict) for a in found}


def _sequences(tree: GameTree) -> object:
    return {(s.infoset, s.action, s.round) for s in dominated_sequences(tree)}


def _plans(tree: GameTree) -> object:
    return dominated_plans(tree).surviving


KINDS = [_actions, _weakly, _sequences, _plans]


@pytest.mark.parametrize("penalty", [1e6, 1e7, 1e9, 1e12])
@pytest.mark.parametrize("other", [-1.0, 1.0])
def test_margins_of_rows(penalty: float, other: float) -> None:
    """Row 0 is ahead of row 1 by 1 everywhere, and half ahead of row 2 in one column alone."""
    far = other * penalty
    table = np.array([[1, 2, far], [0, 1, far - 1], [1, 1.5, far]])
    scale = float(np.ptp(table))
    for row, strict, margin in ((1, True, 1.0), (2, False, 0.0)):
        found = dominance_of(table, row, scale, weak=True)
        assert found is not None
        assert found.strict == strict
        assert found.margin == pytest.approx(margin, abs=1e-14 * penalty)
    assert dominance_of(table, 0, scale, weak=True) is None


@pytest.mark.parametrize("penalty", [1e7, 1e9])
def test_a_row_that_is_ahead_somewhere_stays(penalty: float) -> None:
    table = np.array([[penalty, 2.0, 3.0], [0.0, 2.5, 3.0]])
    for pure in (False, True):
        assert dominance_of(table, 1, penalty, weak=True, pure=pure) is None


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("penalty", [1e7, 1e9])
def test_penalties_hide_no_dominance(kind: Callable[[GameTree], object], penalty: float) -> None:
    for seed in range(4):
        game = load_game(f"random_tree(seed={seed},depth=3,zero_sum=false)")
        plain, far = (
            compile_game(Forbidding(game, cost, constant_sum=False)) for cost in (1e3, penalty)
        )
        assert kind(far) == kind(plain)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("scale", "shift"), [(1e-12, 0), (1e12, 0), (1, 1e5), (1, 1e8)])
def test_scaled_and_shifted_copies(
    kind: Callable[[GameTree], object], scale: float, shift: float
) -> None:
    for game in (load_game("kuhn"), load_game("random_tree(seed=1,depth=3,zero_sum=false)")):
        other = Repaid(game, scale, (shift, -shift))
        assert kind(compile_game(other)) == kind(compile_game(game))
