"""The tree of histories against the walk that it was built from."""

from __future__ import annotations

import numba
import numpy as np
import pytest

from equilibrist.game_loading import compile_game
from equilibrist.games import load_game
from equilibrist.kernels.tree.nodes import pick_outcome
from equilibrist.tree.compile import GameTree
from equilibrist.tree.forms.chance import cumulative


@numba.njit(error_model="numpy")
def compiled_pick(arrays, node, u):
    return pick_outcome(arrays, node, u)


GAMES = (
    "kuhn",
    "kuhn(players=3)",
    "leduc",
    "shapley",
    "liars_dice(sides=3)",
    "random_tree(seed=3,depth=6,branching=4,forced=0.4)",
    "random_tree(depth=0)",
)


@pytest.mark.parametrize("spec", GAMES)
def test_nodes_are_those_of_the_rules(spec: str) -> None:
    """A walk of the rules beside a walk of the tree meets the same thing at every history."""
    game = load_game(spec)
    tree = compile_game(game)
    history = tree.history_tree
    arrays = history.arrays
    seen, deepest = set(), 0
    stack = [(game.initial_state(), 0, 0)]
    while stack:
        state, node, depth = stack.pop()
        seen.add(node)
        deepest = max(deepest, depth)
        first, base, children, player = (int(x) for x in arrays.node[node])
        assert player == game.player(state)
        if player == -2:
            assert arrays.payoff[base].tolist() == pytest.approx(list(game.payoffs(state)))
            assert children == 0
            continue
        assert children == len(game.actions(state))
        assert first > node
        if player == -1:
            here = arrays.chance_probability[base : base + children]
            assert here.tolist() == pytest.approx(list(game.chance(state)))
        else:
            assert base == tree.action_offset[tree.index(game.infoset(state))]
        stack += [(game.next(state, a), first + a, depth + 1) for a in range(children)]
    assert seen == set(range(tree.num_nodes))
    assert history.depth == deepest == tree.depth
    assert sorted(history.position.tolist()) == list(range(tree.num_nodes))


def test_arrays_are_read_only_and_counted() -> None:
    tree: GameTree = compile_game(load_game("kuhn"))
    before = tree.nbytes
    history = tree.history_tree
    assert tree.nbytes == before + history.nbytes
    for array in history.arrays:
        with pytest.raises(ValueError, match="read-only"):
            array[...] = 0


def test_running_sums_leave_no_gap_at_the_end() -> None:
    counts = np.array([3, 4, 1], dtype=np.int32)
    probability = np.array([0.1, 0.2, 0.7, 0.5, 0.0, 0.5, 0.0, 1.0])
    sums = cumulative(counts, probability).tolist()
    inf = float("inf")
    assert sums == [0.1, pytest.approx(0.3), inf, 0.5, 0.5, inf, inf, inf]


@pytest.mark.parametrize("seed", range(3))
def test_chance_picks_the_first_outcome_whose_sum_exceeds_the_number(seed: int) -> None:
    tree = compile_game(load_game(f"random_tree(seed={seed},depth=5,chance=0.9)"))
    arrays = tree.history_tree.arrays
    generator = np.random.default_rng(seed)
    for node in np.flatnonzero(arrays.node[:, 3] == -1)[:20].tolist():
        first, base, count, _ = (int(x) for x in arrays.node[node])
        row = arrays.chance_probability[base : base + count]
        for u in [0.0, 1.0 - 2.0**-53, *generator.random(50), *np.cumsum(row)[:-1]]:
            wanted = int(np.searchsorted(np.cumsum(row)[:-1], u, side="right"))
            assert compiled_pick(arrays, np.uintp(node), u) == first + wanted
