"""Dominance beside payoffs of other orders of magnitude."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from equilibrist.evaluation import row_domination
from equilibrist.evaluation.domination import dominated_actions
from equilibrist.evaluation.plan_domination import dominated_plans
from equilibrist.evaluation.row_domination import best_rows, dominance_of
from equilibrist.evaluation.sequence_domination import dominated_sequences
from equilibrist.game_loading import compile_game
from equilibrist.games import load_game
from equilibrist.games.library.matrix import MatrixGame
from equilibrist.solvers.matrix.highs import minimise
from equilibrist.tree.compile import GameTree
from equilibrist.typing import FloatArray
from tests.altered_games import Forbidding, Repaid
from tests.small_games import Written


def _actions(tree: GameTree) -> object:
    return {(a.infoset, a.action, a.round, a.strict) for a in dominated_actions(tree).actions}


def _weakly(tree: GameTree) -> object:
    found = dominated_actions(tree, weak=True).actions
    return {(a.infoset, a.action, a.round, a.strict) for a in found}


def _sequences(tree: GameTree) -> object:
    return {(s.infoset, s.action, s.round) for s in dominated_sequences(tree).sequences}


def _plans(tree: GameTree) -> object:
    return dominated_plans(tree).surviving


KINDS = [_actions, _weakly, _sequences, _plans]


@pytest.mark.parametrize("penalty", [1e6, 1e7, 1e9, 1e12])
@pytest.mark.parametrize("other", [-1.0, 1.0])
def test_margins_of_rows(penalty: float, other: float) -> None:
    """Row 0 is ahead of row 1 by 1 everywhere, and half ahead of row 2 in one column alone."""
    far = other * penalty
    table = np.array([[1, 2, far], [0, 1, far - 1], [1, 1.5, far]])
    for row, strict, margin in ((1, True, 1.0), (2, False, 0.0)):
        found = dominance_of(table, row, weak=True)
        assert found is not None
        assert found.strict == strict
        assert found.margin == pytest.approx(margin, abs=1e-14 * penalty)
    assert dominance_of(table, 0, weak=True) is None


@pytest.mark.parametrize("penalty", [1e7, 1e9])
def test_a_row_that_is_ahead_somewhere_stays(penalty: float) -> None:
    table = np.array([[penalty, 2.0, 3.0], [0.0, 2.5, 3.0]])
    for pure in (False, True):
        assert dominance_of(table, 1, weak=True, pure=pure) is None


@pytest.mark.drawn(16)
@pytest.mark.parametrize("seed", range(40))
@pytest.mark.parametrize("far", [1.0, 1e9])
@pytest.mark.by_default(8)
def test_rows_that_others_replace_are_not_needed(seed: int, far: float) -> None:
    """Whether rows are dominated, and by how much, by all others and by the best of them."""
    draw = np.random.default_rng(seed)
    table = draw.integers(-2, 3, size=(9, 5)).astype(float)
    table[draw.random(table.shape) < 0.2] = -far
    best = best_rows(table, np.zeros_like(table))
    assert len(best) == len(set(best.tolist()))
    for row in range(len(table)):
        for weak in (False, True):
            by_all = dominance_of(table, row, weak=weak)
            by_best = dominance_of(table, row, weak=weak, among=best)
            assert (by_all is None) == (by_best is None)
            if by_all is not None and by_best is not None:
                assert by_best.strict == by_all.strict
                assert by_best.margin == pytest.approx(by_all.margin, rel=1e-9, abs=1e-12)
                assert set(by_best.mixture) <= set(best.tolist())


@pytest.mark.slow
def test_what_is_forbidden_is_in_no_programme(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of 125 and 729 plans few are not replaced by others."""
    widths = []

    def counted(cost: FloatArray, *arguments: Any, **keywords: Any) -> Any:
        widths.append(len(cost))
        return minimise(cost, *arguments, **keywords)

    monkeypatch.setattr(row_domination, "minimise", counted)
    tree = compile_game(Forbidding(load_game("kuhn"), 1e7, constant_sum=False))
    surviving = dominated_plans(tree).surviving
    assert [len(plans) for plans in surviving] == [64, 239]
    assert max(widths) <= 65


@pytest.mark.parametrize("penalty", [1e14, 1e15])
def test_payoffs_are_compared_column_by_column(penalty: float) -> None:
    """Row 1 is 1 behind row 0 beside a penalty of both; column 0 is 3 behind, row 2 not ahead."""
    tree = compile_game(load_game(f"matrix(payoffs=[[1,2,-{penalty}],[0,1,-{penalty}],[3,0,1]])"))
    exact = {("row", "1", 1): 1.0, ("column", "0", 1): 3.0}
    for weak in (False, True):
        actions = dominated_actions(tree, weak=weak).actions
        plans = dominated_plans(tree, weak=weak).plans
        assert {(a.infoset, a.action, a.round): a.margin for a in actions} == pytest.approx(exact)
        found = {(*next(iter(p.plan.items())), p.round): p.margin for p in plans}
        assert found == pytest.approx(exact)
    sequences = dominated_sequences(tree).sequences
    assert {(s.infoset, s.action, s.round): s.margin for s in sequences} == pytest.approx(exact)


def test_what_rounding_may_explain_is_no_lead() -> None:
    """A third of 1 three times is 1; whole payoffs are compared exactly, however large."""
    third = np.array([[1.0, 0.1 + 0.2], [1.0, 0.3]])
    off = 4.0 * np.spacing(third)
    assert dominance_of(third, 1, off, weak=True) is None
    whole = np.array([[2.0**60, 1.0], [2.0**60 - 256.0, 0.0]])
    found = dominance_of(whole, 1)
    assert found is not None
    assert found.margin == 1.0


@pytest.mark.parametrize(("more", "dominated"), [(2.4e-8, True), (0.0, False), (-2.4e-8, False)])
def test_a_penalty_that_all_plans_meet_hides_no_margin(more: float, dominated: bool) -> None:
    """Half a and half b earn more / 6 more than c, beside an end that costs 1e7 whatever is played.

    The sums of payoffs that hold the penalty are off by more than that.
    """
    payoffs = {"a": (-1.0, 1.0 + more), "b": (1.0 + more, -1.0), "c": (0.0, 0.0)}
    rows = {
        row: (1, "column", {"x": (in_x, 0.0), "y": (in_y, 0.0)})
        for row, (in_x, in_y) in payoffs.items()
    }
    deals = {
        ("penalty", 1 / 3): (1, "column", {"x": (-1e7, 0.0), "y": (0.0, 0.0)}),
        ("some", 1 / 3): (0, "row", rows),
        ("others", 1 / 3): (0.0, 0.0),
    }
    plans = dominated_plans(compile_game(Written(("chance", deals), 2))).plans
    assert [plan.plan for plan in plans] == ([{"row": "c"}] if dominated else [])
    for plan in plans:
        # That of the mixture that a programme on the sums finds.
        assert plan.margin == pytest.approx(more / 6, rel=0.05)


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
@pytest.mark.by_default(6)
def test_scaled_and_shifted_copies(
    kind: Callable[[GameTree], object], scale: float, shift: float
) -> None:
    for game in (load_game("kuhn"), load_game("random_tree(seed=1,depth=3,zero_sum=false)")):
        other = Repaid(game, scale, (shift, -shift))
        assert kind(compile_game(other)) == kind(compile_game(game))


@pytest.mark.slow
@pytest.mark.parametrize("kind", [_actions, _weakly, _sequences])
@pytest.mark.parametrize("penalty", [1e7, 1e9])
def test_kuhn_poker_beside_a_penalty(kind: Callable[[GameTree], object], penalty: float) -> None:
    """Its margins of 1/6 to 3 stay, and the queen's bet goes after what is forbidden has gone."""
    game = load_game("kuhn")
    plain, far = (compile_game(Forbidding(game, cost)) for cost in (100.0, penalty))
    assert kind(far) == kind(plain)
    found = dominated_actions(far).actions
    legal = {(one.infoset, one.action): one.margin for one in found if one.action != "illegal"}
    assert legal == pytest.approx(
        {
            ("1pb", "bet"): 1.0,
            ("3pb", "pass"): 3.0,
            ("1b", "bet"): 1.0,
            ("3b", "pass"): 3.0,
            ("2", "bet"): 1 / 6,
        },
        abs=1e-14 * penalty,
    )


MIXED_SIGNS = [
    [
        [[-1e9, -1e9, 1, -3], [-3, -3, -3, 3], [0, 1e9, 1, 0], [1, 1e9, 3, 1e9]],
        [[-1e9, 0, -1e9, 0], [-3, -3, 1, -2], [-1e9, 0, -1, -1e9], [1, 0, 0, 1]],
    ],
    [
        [[3, 0, -1, 1], [-1, -3, -1e9, 0], [2, 1, -1, 3], [2, -3, 3, 0]],
        [[-3, -2, 0, 1], [-2, 1e9, 2, -1e9], [1, 1e9, 2, 1e9], [2, -1e9, -2, 0]],
    ],
]


@pytest.mark.parametrize("tables", MIXED_SIGNS)
def test_penalties_and_windfalls_hide_no_dominance(tables: list[list[list[float]]]) -> None:
    """Of the first game one action was missed, and the second one was refused."""
    tree = compile_game(MatrixGame.from_tables(tables))
    actions = {(one.player, (one.action,)) for one in dominated_actions(tree).actions}
    plans = {(one.player, (*one.plan.values(),)) for one in dominated_plans(tree).plans}
    assert actions == plans
