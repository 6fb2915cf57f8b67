"""Dominated actions: by hand, from the literature, and against an enumeration of all plans."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.optimize
from scipy.optimize import linprog

from equilibrist.errors import ConfigError, RecallError, UnsupportedError
from equilibrist.evaluation import DominatedAction, dominated_actions, dominated_plans
from equilibrist.evaluation.coalitions import JointPlan
from equilibrist.evaluation.domination import _Answers, _best_lead
from equilibrist.evaluation.infosets import infoset_values
from equilibrist.evaluation.joint_answers import JointAnswers
from equilibrist.evaluation.play_below import Histories, PlayBelow
from equilibrist.game import CHANCE, TERMINAL
from equilibrist.game_loading import compile_game
from equilibrist.solvers.full_traversal.cfr import CFR
from equilibrist.tree.compile import GameTree
from equilibrist.tree.walk.protocol import complete_rules
from tests.refusals import refuses, unchecked
from tests.small_games import Written

Plan = dict[str, int]
ONE_AFTER_THE_OTHER = (
    "[[[[1,1],[1,1]],[[0,0],[0,0]]],[[[0,0],[1,1]],[[1,1],[0,0]]],[[[1,0],[0,1]],[[1,1],[1,1]]]]"
)


def tree_of(spec: str) -> GameTree:
    from equilibrist.games import load_game

    return compile_game(load_game(spec))


def names(actions: tuple[DominatedAction, ...]) -> set[tuple[str, str]]:
    return {(found.infoset, found.action) for found in actions}


def test_kuhn_in_two_rounds() -> None:
    found = dominated_actions(tree_of("kuhn"))
    assert not found.undecided
    assert [(a.round, a.infoset, a.action) for a in found.actions] == [
        (1, "1pb", "bet"),
        (1, "3pb", "pass"),
        (1, "3b", "pass"),
        (1, "1b", "bet"),
        (2, "2", "bet"),
    ]
    assert [a.margin for a in found.actions] == pytest.approx([1, 3, 3, 1, 1 / 6])
    assert [a.player for a in found.actions] == [0, 0, 1, 1, 0]
    assert all(a.strict for a in found.actions)


def test_kuhn_leaves_the_five_numbers_of_its_author() -> None:
    """Kuhn 1950 describes all sensible play by alpha, beta, gamma and by eta and xi."""
    tree = tree_of("kuhn")
    gone = names(dominated_actions(tree, weak=True).actions)
    open_ones = {
        key
        for key, labels in zip(tree.infoset_keys, tree.action_labels, strict=True)
        if all((key, label) not in gone for label in labels)
    }
    assert open_ones == {"1", "2pb", "3", "1p", "2b"}


@pytest.mark.slow
def test_kuhn_for_three_leaves_21_values_forced() -> None:
    """Szafron, Gibson and Sturtevant, AAMAS 2013, section 3."""
    forced = {
        *((f"1{line}", "bet") for line in ("ppb", "pbp", "pbb", "b", "ppbp", "ppbb")),
        *((f"1{line}", "bet") for line in ("pb", "bp", "bb")),
        *((f"2{line}", "bet") for line in ("pbb", "ppbb", "bb")),
        *((f"4{line}", "pass") for line in ("ppb", "pbp", "pbb", "b", "ppbp", "ppbb")),
        *((f"4{line}", "pass") for line in ("pb", "bp", "bb")),
    }
    assert len(forced) == 21
    assert names(dominated_actions(tree_of("kuhn(players=3)")).actions) == forced


@pytest.mark.parametrize(
    ("payoffs", "expected"),
    [
        ("[[3,0],[0,3],[1,1]]", [(1, "row", "2", 0.5)]),  # by a half of each only
        ("[[3,0],[0,3],[1.5,1.5]]", []),
        ("[[[-1,-3],[0,-2]],[[-1,0],[-3,-2]]]", [(1, "row", "0", 1), (1, "column", "0", 1)]),
        # Gibson 2013: a coarse correlated equilibrium may play the third row.
        ("[[[1,0],[0,2],[-1,1]],[[0,0],[0,0],[0,0]]]", [(1, "row", "2", 1)]),
        # Three players; each is lost once the one before is: 1 beats 0 only after that.
        (
            ONE_AFTER_THE_OTHER,
            [(1, "player 0", "1", 1), (2, "player 1", "0", 1), (3, "player 2", "0", 1)],
        ),
    ],
)
def test_matrix_games(payoffs: str, expected: list[tuple[int, str, str, float]]) -> None:
    found = dominated_actions(tree_of(f"matrix(payoffs={payoffs})")).actions
    assert [(a.round, a.infoset, a.action) for a in found] == [row[:3] for row in expected]
    assert [a.margin for a in found] == pytest.approx([row[3] for row in expected])


@pytest.mark.parametrize("weak", [False, True])
def test_a_game_without_a_decision(tmp_path: Path, weak: bool) -> None:
    path = tmp_path / "drawn.efg"
    path.write_text(
        'EFG 2 R "drawn" { "A" "B" }\n""\n'
        'c "" 1 "" { "x" 1/2 "y" 1/2 } 0\nt "" 1 "" { 1, -1 }\nt "" 2 "" { 0, 0 }\n'
    )
    found = dominated_actions(compile_game(str(path)), weak=weak)
    assert found.actions == ()
    assert found.undecided == ()


def test_weakly_dominated_actions_are_optional() -> None:
    tree = tree_of("matrix(payoffs=[[1,1],[1,0]])")
    assert dominated_actions(tree).actions == ()
    first, second = dominated_actions(tree, weak=True).actions
    assert (first.infoset, first.action, first.strict, first.margin) == ("row", "1", False, 0.0)
    assert (second.infoset, second.action, second.strict) == ("column", "0", False)


def test_a_bad_way_to_play_on_does_not_make_its_action_dominated() -> None:
    later = {"good": (1.0,), "bad": (0.0,)}
    game = Written((0, "first", {"on": (0, "later", later), "stop": (1.0,)}), 1)
    found = dominated_actions(compile_game(game), weak=True).actions
    assert names(found) == {("later", "bad")}


# An enumeration: every pure plan of every player, and the definition as it stands.


def _plans(tree: GameTree, player: int, keep: dict[str, list[int]]) -> Iterator[Plan]:
    keys = [k for k, p in zip(tree.infoset_keys, tree.infoset_player, strict=True) if p == player]
    for choice in product(*(keep[key] for key in keys)):
        yield dict(zip(keys, choice, strict=True))


def _value(tree: GameTree, infoset: str, player: int, own: Plan, others: Plan) -> tuple[float, ...]:
    """Counterfactual value of the infoset and counterfactual reach, `own` from there on."""
    game = complete_rules(tree.game)

    def walk(state: object, inside: bool) -> np.ndarray:
        mover = game.player(state)
        if mover == TERMINAL:
            return np.array([game.payoffs(state)[player], 1.0]) * inside
        if mover == CHANCE:
            parts = enumerate(game.chance(state))
            return sum((p * walk(game.next(state, k), inside) for k, p in parts), np.zeros(2))
        key = game.infoset(state)
        if mover != player:
            return walk(game.next(state, others[key]), inside)
        if inside or key == infoset:
            return walk(game.next(state, own[key]), True)
        count = len(game.actions(state))
        return sum((walk(game.next(state, k), False) for k in range(count)), np.zeros(2))

    return tuple(walk(game.initial_state(), False))


def _strictly_dominated(
    tree: GameTree, infoset: int, action: int, keep: dict[str, list[int]]
) -> bool:
    key, player = tree.infoset_keys[infoset], int(tree.infoset_player[infoset])
    others: list[Plan] = [{}]
    for p in range(tree.num_players):
        if p != player:
            others = [{**a, **b} for a in others for b in _plans(tree, p, keep)]
    own = list(_plans(tree, player, keep))
    table = [[_value(tree, key, player, mine, theirs) for mine in own] for theirs in others]
    table = [row for row in table if row[0][1] > 0]
    if not table:
        return False
    value = np.array([[cell[0] / cell[1] for cell in row] for row in table])
    chosen = [k for k, plan in enumerate(own) if plan[key] == action]
    rows = [np.append(-value[o], 1.0) for o in range(len(value))]
    upper = [-max(value[o][k] for k in chosen) for o in range(len(value))]
    equal = np.append(np.ones(len(own)), 0.0)[None]
    bounds = [(0, None)] * len(own) + [(None, None)]
    cost = np.append(np.zeros(len(own)), -1.0)
    found = linprog(cost, np.array(rows), upper, equal, [1.0], bounds)
    return -float(found.fun) > 1e-7


def _by_enumeration(tree: GameTree) -> set[tuple[str, str]]:
    keep = {
        k: list(range(len(a))) for k, a in zip(tree.infoset_keys, tree.action_labels, strict=True)
    }
    gone: set[tuple[str, str]] = set()
    while True:
        fresh = [
            (i, a)
            for i, key in enumerate(tree.infoset_keys)
            for a in keep[key]
            if len(keep[key]) > 1 and _strictly_dominated(tree, i, a, keep)
        ]
        if not fresh:
            return gone
        for i, a in fresh:
            keep[tree.infoset_keys[i]].remove(a)
            gone.add((tree.infoset_keys[i], tree.action_labels[i][a]))


SMALL = "depth=4,branching=2,zero_sum=false,stop=0.05"


@pytest.mark.by_default(1)
@pytest.mark.parametrize("seed", range(12))
def test_two_players_equal_the_enumeration(seed: int) -> None:
    tree = tree_of(f"random_tree(seed={seed},{SMALL})")
    found = dominated_actions(tree)
    assert not found.undecided
    assert names(found.actions) == _by_enumeration(tree)


@pytest.mark.by_default(1)
@pytest.mark.parametrize("seed", range(6))
def test_three_players_equal_the_enumeration(seed: int) -> None:
    tree = tree_of(f"random_tree(seed={seed},players=3,{SMALL})")
    assert names(dominated_actions(tree).actions) == _by_enumeration(tree)


def test_opponents_who_cannot_share_what_they_see() -> None:
    """Two others succeed at CHSH for at most 3 of 4 pairs of bits; one who saw both always would.

    Betting pays at least 0.25 * 1 - 0.75 * 0.2 against them, and stopping nothing.
    """
    tree = tree_of("chsh")
    for weak in (False, True):
        (found,) = dominated_actions(tree, weak=weak).actions
        assert (found.infoset, found.action, found.strict) == ("bet", "stop", True)
        assert found.margin == pytest.approx(0.1, abs=1e-9)
    below = PlayBelow(Histories(tree), tree.index("bet"), set())
    plans = below.plans_after(0, 10)
    assert plans is not None
    assert _best_lead(_Answers(below, 1.0), plans, 0.0, fixed=False) == pytest.approx(0.0, abs=1e-9)


@pytest.mark.by_default(4)
@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("shape", [(3, 2), (2, 2, 2), (3, 2, 2)], ids=str)
def test_actions_of_one_move_are_plans(seed: int, shape: tuple[int, ...]) -> None:
    """Where everybody moves once, unseen; small whole payoffs make for weak dominance."""
    draw = np.random.default_rng(seed).integers(0, 3, size=(len(shape), *shape))
    tree = tree_of(f"matrix(payoffs={draw.tolist()})".replace(" ", ""))
    for weak in (False, True):
        by_plans = {
            (p.round, *next(iter(p.plan.items())), p.strict, round(p.margin, 6))
            for p in dominated_plans(tree, weak=weak).plans
        }
        by_actions = {
            (a.round, a.infoset, a.action, a.strict, round(a.margin, 6))
            for a in dominated_actions(tree, weak=weak).actions
        }
        assert by_actions == by_plans


def test_what_local_search_misses_the_proof_finds(monkeypatch: pytest.MonkeyPatch) -> None:
    def nothing(self: JointAnswers, worth: np.ndarray) -> JointPlan:
        return JointPlan(-np.inf, np.inf, self.answers[0])

    monkeypatch.setattr(JointAnswers, "_easily", nothing)
    test_opponents_who_cannot_share_what_they_see()
    test_three_players_equal_the_enumeration(3)


@pytest.mark.by_default(1)
@pytest.mark.parametrize("spec", ["kuhn", "kuhn(players=3)"])
def test_cfr_stops_playing_strictly_dominated_actions(spec: str) -> None:
    """Gibson 2013: from some iteration on never again, where the others keep coming by."""
    tree = tree_of(spec)
    solver = CFR(tree, "cfr", alternating=False).run(2000)
    current, average = solver.current_strategy(), solver.average_strategy()
    assert infoset_values(average).counterfactual_reach.min() > 0.0
    for found in dominated_actions(tree).actions:
        assert current[found.infoset][found.action] == 0.0
        assert 0.0 < average[found.infoset][found.action] < 0.002
        assert solver.regrets()[found.infoset][found.action] < -1.0


def test_bad_input_is_refused() -> None:
    tree = tree_of("kuhn")
    with refuses(ConfigError, option="weak", given="yes"):
        dominated_actions(tree, weak=unchecked("yes"))
    with refuses(ConfigError, option="max_plans", given=0):
        dominated_actions(tree, max_plans=0)
    with refuses(ConfigError, option="tree", given="kuhn"):
        dominated_actions(unchecked("kuhn"))
    with refuses(UnsupportedError, option="histories", given=51181, expected=50000):
        dominated_actions(tree_of("liars_dice(sides=5)"))
    with pytest.raises(RecallError):
        dominated_actions(tree_of("random_tree(seed=1,imperfect_recall=true,branching=3)"))


@pytest.mark.slow
def test_what_is_not_looked_at_is_named() -> None:
    found = dominated_actions(tree_of("kuhn(players=3)"), max_plans=1)
    assert found.undecided == (("2", "pass"), ("3", "pass"), ("2p", "pass"), ("3p", "pass"))
    assert len(found.actions) == 21  # cards 1 and 4 have one way to play on, once round 1 is over


@pytest.mark.slow
def test_depth_is_no_limit() -> None:
    """One choice, then 4,000 moves that are forced or of chance: no recursion goes down there."""

    class Deep:
        name, num_players, depth = "deep", 2, 4_000

        def initial_state(self) -> tuple[int, int]:
            return (0, 0)

        def player(self, state: tuple[int, int], /) -> int:
            step = state[1]
            return TERMINAL if step > self.depth else CHANCE if step % 3 == 2 else step % 3

        def actions(self, state: tuple[int, int], /) -> tuple[str, ...]:
            return ("bad", "good") if state[1] == 0 else ("on",)

        def chance(self, state: tuple[int, int], /) -> tuple[float, ...]:
            return (1.0,)

        def next(self, state: tuple[int, int], action_index: int, /) -> tuple[int, int]:
            return (action_index if state[1] == 0 else state[0], state[1] + 1)

        def payoffs(self, state: tuple[int, int], /) -> tuple[float, ...]:
            return (float(state[0]), 0.0)

        def infoset(self, state: tuple[int, int], /) -> str:
            return str(state)

    (found,) = dominated_actions(compile_game(Deep())).actions
    assert (found.action, found.strict) == ("bad", True)
    assert found.margin == pytest.approx(1.0)


@pytest.mark.slow
def test_programmes_are_few_and_small(monkeypatch: pytest.MonkeyPatch) -> None:
    """40 moves in turn, on or stop: what cannot be dominated is told apart without a programme.

    With one for each action and each way to play on, there were 182, with 6.4 million cells.
    """

    class Turns:
        name, num_players, length = "turns", 2, 40

        def initial_state(self) -> tuple[int, bool]:
            return (0, False)

        def player(self, state: tuple[int, bool], /) -> int:
            return TERMINAL if state[1] or state[0] == self.length else state[0] % 2

        def actions(self, state: tuple[int, bool], /) -> tuple[str, ...]:
            return ("on", "stop")

        def chance(self, state: tuple[int, bool], /) -> tuple[float, ...]:
            return ()

        def next(self, state: tuple[int, bool], action_index: int, /) -> tuple[int, bool]:
            return (state[0] + 1, False) if action_index == 0 else (state[0], True)

        def payoffs(self, state: tuple[int, bool], /) -> tuple[float, ...]:
            return (float(state[0] * 7 % 5), float(state[0] * 3 % 7))

        def infoset(self, state: tuple[int, bool], /) -> str:
            return str(state[0])

    cells: list[int] = []
    solve = scipy.optimize.linprog

    def counted(cost: object, A_ub: Any, *others: object, **options: object) -> object:
        cells.append(A_ub.shape[0] * A_ub.shape[1])
        return solve(cost, A_ub, *others, **options)

    monkeypatch.setattr(scipy.optimize, "linprog", counted)
    assert len(dominated_actions(compile_game(Turns())).actions) == 25
    assert len(cells) < 120
    assert sum(cells) < 1_000_000
