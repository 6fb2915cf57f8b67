"""Dominated plans: examples by hand, and the definitions on all plans of small games."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest
from scipy.optimize import linprog

from equilibrist.errors import ConfigError, RecallError, UnsupportedError
from equilibrist.evaluation import dominated_actions, dominated_plans
from equilibrist.evaluation.plan_domination import Plan
from equilibrist.evaluation.plans import enumerate_plans
from equilibrist.evaluation.row_domination import dominance_of
from equilibrist.evaluation.sequences import Sequences
from equilibrist.game import CHANCE, TERMINAL
from equilibrist.game_loading import compile_game
from equilibrist.tree.compile import GameTree
from equilibrist.tree.walk.protocol import complete_rules
from tests.refusals import refuses, unchecked
from tests.small_games import Chain

ORDER = "matrix(payoffs=[[[1,0],[1,2],[0,2]],[[1,0],[1,1],[0,1]]])"
"""Rows T (1,1) (0,0); M (1,1) (2,1); B (0,0) (2,1)."""
IN_S = {"first": "In", "row": "S"}
IN_B = {"first": "In", "row": "B"}
OUT = {"first": "Out"}


def test_forward_induction() -> None:
    """Entering to play S loses to staying out; who enters means B; then entering is better."""
    tree = compile_game("outside_option")
    assert not dominated_actions(tree).actions  # no single action is dominated
    strict = dominated_plans(tree)
    assert [(p.plan, p.round, p.margin, p.infoset) for p in strict.plans] == [(IN_S, 1, 1.0, None)]
    assert strict.plans[0].by == ((1.0, OUT),)
    assert strict.surviving == ((OUT, IN_B), ({"column": "B"}, {"column": "S"}))
    found = dominated_plans(tree, conditional=True)
    assert [(p.player, p.plan, p.infoset) for p in found.plans] == [
        (0, IN_S, None),
        (1, {"column": "S"}, "column"),
        (0, OUT, None),
    ]
    assert [p.round for p in found.plans] == [1, 2, 3]
    assert found.rounds == 3
    assert [p.margin for p in found.plans] == pytest.approx([1.0, 1.0, 1.0])
    assert found.surviving == ((IN_B,), ({"column": "B"},))
    weak = dominated_plans(tree, weak=True)
    assert [(p.plan, p.strict) for p in weak.plans] == [
        (IN_S, True),
        ({"column": "S"}, False),
        (OUT, True),
    ]
    assert weak.surviving == found.surviving


def test_three_players_who_cannot_share_what_they_see() -> None:
    found = dominated_plans(compile_game("chsh"))
    assert [(p.player, p.plan, p.by) for p in found.plans] == [
        (0, {"bet": "stop"}, ((1.0, {"bet": "bet"}),))
    ]
    assert found.plans[0].margin == pytest.approx(0.1)
    assert [len(left) for left in found.surviving] == [1, 4, 4]


def test_what_weak_rounds_leave_depends_on_the_order() -> None:
    tree = compile_game(ORDER)
    top = dominated_plans(tree, weak=True, first=[{"row": "0"}])
    assert top.surviving == (({"row": "1"},), ({"column": "1"},))  # pays (2, 1)
    bottom = dominated_plans(tree, weak=True, first=[{"row": "2"}])
    assert bottom.surviving == (({"row": "1"},), ({"column": "0"},))  # pays (1, 1)
    both = dominated_plans(tree, weak=True)
    assert [p.plan for p in both.plans] == [{"row": "0"}, {"row": "2"}]
    assert [len(left) for left in both.surviving] == [1, 2]
    assert [p.round for p in top.plans] == [1, 2, 2]
    assert not dominated_plans(tree).plans
    with refuses(ConfigError, option="first", given={"row": "1"}):
        dominated_plans(tree, weak=True, first=[{"row": "1"}])
    with refuses(ConfigError, option="first", given={"row": "0"}):
        dominated_plans(tree, first=[{"row": "0"}])  # weakly only


@pytest.mark.parametrize(
    ("rows", "strict", "weak"),
    [  # The vectors of OpenSpiel's tests of dominated strategies: the first row, by the others.
        ([[1, 1], [2, 0], [0, 2]], None, None),
        ([[1, 1], [2.1, 0], [0, 2]], 0.024390, {1: 20 / 41, 2: 21 / 41}),
        ([[1, 1, 1], [2, 0, 1], [0, 2, 2]], None, {1: 0.5, 2: 0.5}),
    ],
)
def test_vectors(
    rows: list[list[float]], strict: float | None, weak: dict[int, float] | None
) -> None:
    payoffs = np.array(rows, dtype=np.float64)
    found = dominance_of(payoffs, 0)
    if strict is None:
        assert found is None
    else:
        assert found is not None
        assert found.strict
        assert found.margin == pytest.approx(strict, abs=1e-6)
        assert found.mixture == pytest.approx(weak, abs=1e-9)
    found = dominance_of(payoffs, 0, weak=True)
    if weak is None:
        assert found is None
    else:
        assert found is not None
        assert found.strict == (strict is not None)
        assert found.mixture == pytest.approx(weak, abs=1e-8)
    assert dominance_of(payoffs, 0, weak=True, pure=True) is None


def test_by_single_plans_only() -> None:
    tree = compile_game("matrix(payoffs=[[3,0],[0,3],[1,1]])")
    mixed = dominated_plans(tree).plans
    assert [p.plan for p in mixed] == [{"row": "2"}]
    assert mixed[0].margin == pytest.approx(0.5)
    assert sorted(weight for weight, _ in mixed[0].by) == pytest.approx([0.5, 0.5])
    assert not dominated_plans(tree, by="pure").plans
    pure = compile_game("matrix(payoffs=[[3,0],[0,3],[-1,-0.5]])")
    found = dominated_plans(pure, by="pure").plans
    assert [(p.plan, p.by) for p in found] == [({"row": "2"}, ((1.0, {"row": "1"}),))]
    assert found[0].margin == pytest.approx(1.0)
    alike = compile_game("matrix(payoffs=[[1,1],[1,1],[1,0]])")
    found = dominated_plans(alike, weak=True, by="pure").plans
    assert [p.plan for p in found[:1]] == [{"row": "2"}]  # equal rows stay
    assert len(dominated_plans(alike, weak=True).surviving[0]) == 2


def test_dominated_actions_of_kuhn_are_in_no_surviving_plan() -> None:
    tree = compile_game("kuhn")
    left = dominated_plans(tree, conditional=True).surviving
    for action in dominated_actions(tree).actions:
        assert all(plan.get(action.infoset) != action.action for plan in left[action.player])
    strict = dominated_plans(tree)
    assert [len(plans) for plans in strict.surviving] == [20, 44]
    for player in (0, 1):  # conditional dominance leaves over a part of what strict one does
        assert all(plan in strict.surviving[player] for plan in left[player])


# The definitions, over all plans.


def _visit(tree: GameTree, key: str | None, player: int, plans: list[Plan]) -> tuple[float, float]:
    """What comes from an infoset on, and how often it is reached: by recursion on the rules.

    The player takes the actions that lead to the infoset, the others play their plans.
    """
    game = complete_rules(tree.game)

    def walk(state: object, inside: bool) -> np.ndarray:
        mover = game.player(state)
        if mover == TERMINAL:
            return np.array([game.payoffs(state)[player], 1.0]) * inside
        if mover == CHANCE:
            parts = enumerate(game.chance(state))
            return sum((p * walk(game.next(state, k), inside) for k, p in parts), np.zeros(2))
        at = game.infoset(state)
        inside = inside or at == key
        if mover != player or at in plans[player]:
            labels = list(game.actions(state))
            return walk(game.next(state, labels.index(plans[mover][at])), inside)
        return np.zeros(2)

    value, reach = walk(game.initial_state(), key is None)
    return float(value), float(reach)


def _is_dominated(values: np.ndarray, row: int, *, weak: bool) -> bool:
    """The definition: a mixture ahead in all columns, or nowhere behind and somewhere ahead."""
    lead = values - values[row]
    count = len(lead)
    equal = np.append(np.ones(count), 0.0)[None]
    bounds: list[Any] = [(0, None)] * count + [(None, None)]
    cost = np.append(np.zeros(count), -1.0)
    upper = np.append(-lead.T, np.ones((lead.shape[1], 1)), axis=1)
    strictly = linprog(cost, upper, np.zeros(lead.shape[1]), equal, [1.0], bounds)
    if -strictly.fun > 1e-7:
        return True
    if not weak:
        return False
    total = linprog(-lead.sum(axis=1), -lead.T, np.zeros(lead.shape[1]), np.ones((1, count)), [1.0])
    return bool(-total.fun > 1e-7)


def _left(tree: GameTree, *, weak: bool = False, conditional: bool = False) -> list[list[Plan]]:
    sequences = Sequences.of(tree)
    left = []
    for player in range(tree.num_players):
        plans = enumerate_plans(sequences, player)
        left.append([plans.actions(k) for k in range(len(plans))])
    while True:
        gone: list[list[Plan]] = []
        for player in range(tree.num_players):
            keys: list[str | None] = [None]
            if conditional:
                owners = zip(tree.infoset_keys, tree.infoset_player, strict=True)
                keys += [k for k, p in owners if p == player]
            fresh = []
            for key in keys:
                own = [plan for plan in left[player] if key is None or key in plan]
                columns = []
                for others in product(*(left[p] for p in range(tree.num_players) if p != player)):
                    cells = []
                    for plan in own:
                        joint = [*others[:player], plan, *others[player:]]
                        cells.append(_visit(tree, key, player, joint))
                    if cells and cells[0][1] > 0.0:
                        columns.append([value / reach for value, reach in cells])
                if columns:
                    values = np.array(columns).T
                    fresh += [
                        plan
                        for k, plan in enumerate(own)
                        if plan not in fresh and _is_dominated(values, k, weak=weak)
                    ]
            gone.append(fresh)
        if not any(gone):
            return left
        left = [
            [plan for plan in plans if plan not in lost]
            for plans, lost in zip(left, gone, strict=True)
        ]


@pytest.mark.parametrize("kind", [{}, {"weak": True}, {"conditional": True}], ids=str)
@pytest.mark.parametrize("players", [2, 3])
@pytest.mark.parametrize("seed", range(6))
def test_random_games_against_the_definition(seed: int, players: int, kind: dict[str, Any]) -> None:
    shape = "depth=3,branching=2,zero_sum=false,stop=0.05,signals=1"
    tree = compile_game(f"random_tree(seed={seed},players={players},{shape})")
    found = dominated_plans(tree, **kind)
    assert list(map(list, found.surviving)) == _left(tree, **kind)


def test_what_is_refused() -> None:
    tree = compile_game("kuhn")
    with refuses(ConfigError, option="weak", given="yes"):
        dominated_plans(tree, weak=unchecked("yes"))
    with refuses(ConfigError, option="conditional", given=1):
        dominated_plans(tree, conditional=unchecked(1))
    with refuses(ConfigError, option="by", given="both"):
        dominated_plans(tree, by="both")
    with refuses(ConfigError, option="weak", given=True):
        dominated_plans(tree, weak=True, conditional=True)
    with refuses(ConfigError, option="first", given={"1": "bet"}):
        dominated_plans(tree, first=[{"1": "bet"}])
    for first, given in ((5, 5), ({"1": "bet"}, "1"), ([5], 5), (["1"], "1")):
        with refuses(ConfigError, option="first", given=given):
            dominated_plans(tree, first=unchecked(first))
    with refuses(UnsupportedError, option="plans", given=64, expected=63):
        dominated_plans(tree, max_plans=63)
    with refuses(UnsupportedError, option="cells", given=1728, expected=1727):
        dominated_plans(tree, max_cells=1727)
    with refuses(UnsupportedError, option="plans", given=1_048_576, expected=2000):
        dominated_plans(compile_game("sheriff"))
    forgets = compile_game("random_tree(seed=1,imperfect_recall=true,branching=3)")
    with pytest.raises(RecallError):
        dominated_plans(forgets)


@pytest.mark.parametrize("infosets", [False, True])
def test_a_player_alone(infosets: bool) -> None:
    """To stop after k steps pays k: only the last plan is not dominated, by 1 or more."""
    found = dominated_plans(compile_game(Chain(4)), conditional=infosets)
    (left,) = found.surviving
    assert [list(plan.values()) for plan in left] == [["on"] * 4]
    assert sorted({one.margin for one in found.plans}) == pytest.approx([1.0, 2.0, 3.0, 4.0])
