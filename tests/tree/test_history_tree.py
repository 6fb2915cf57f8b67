"""The tree of histories against the walk that it was built from."""

from __future__ import annotations

import numpy as np
import pytest

from equilibrist.games import load_game
from equilibrist.tree.compile import GameTree, compile_game
from equilibrist.tree.history_tree import alias_tables

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


@pytest.mark.parametrize("seed", range(20))
def test_alias_tables_say_what_the_probabilities_say(seed: int) -> None:
    generator = np.random.default_rng(seed)
    counts = generator.integers(1, 12, 5).astype(np.int32)
    rows = []
    for count in counts.tolist():
        row = generator.random(count) * generator.integers(0, 2, count)
        rows.append(row / row.sum() if row.sum() > 0 else np.full(count, 1 / count))
    probability = np.concatenate(rows)
    threshold, alias = alias_tables(counts, probability)
    start = 0
    for row in rows:
        mass = np.zeros(len(row))
        for k in range(len(row)):
            mass[k] += threshold[start + k] / len(row)
            mass[alias[start + k]] += (1.0 - threshold[start + k]) / len(row)
        assert mass == pytest.approx(row, abs=1e-15)
        assert all(mass[k] == 0.0 for k in range(len(row)) if row[k] == 0.0)
        start += len(row)
