"""NFSP with tables is fictitious self-play with counts and Q-learning, move by move."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace

import numpy as np

from equilibrist.evaluation import exploitability
from equilibrist.game_loading import compile_game
from equilibrist.learned.algorithms.nfsp import MODES, NFSP, PLAYED, FictitiousPlay
from equilibrist.learned.rows import counted_uniform
from equilibrist.learned.trajectories import NOBODY, TreeNodes, sample_ends
from equilibrist.learned.trajectory_solver import WALKS

KUHN = compile_game("kuhn")
SMALL = FictitiousPlay(walks=300, period=2, anticipation=0.3, learner="table")


def by_hand(blocks: int, solver: NFSP) -> np.ndarray:
    """The average strategy after some blocks, from lists of moves."""
    tree, nodes = KUHN, TreeNodes.of(KUHN)
    offset, size = tree.action_offset, int(tree.action_offset[-1])
    spans = [range(a, b) for a, b in zip(offset[:-1], offset[1:], strict=True)]
    owner = np.repeat(tree.infoset_player, np.diff(offset))
    value = np.zeros(size)
    seen: dict[int, list[tuple[int, float]]] = defaultdict(list)
    made = np.zeros(size)
    done = 0
    average = np.concatenate([np.full(len(span), 1 / len(span)) for span in spans])
    for block in range(blocks):
        if block % SMALL.period == 0:
            before = value.copy()
        epsilon = SMALL.epsilon / (block // SMALL.period + 1) ** 0.5
        soft = np.zeros(size)
        for span in spans:
            best = [m for m in span if value[m] == max(value[list(span)])]
            for m in span:
                soft[m] = epsilon / len(span) + (1 - epsilon) * (m in best) / len(best)
        numbers = np.arange(done, done + SMALL.walks, dtype=np.uint64)
        modes = [
            counted_uniform(solver.seed_of(MODES, player), numbers) < SMALL.anticipation
            for player in (0, 1)
        ]
        for mode in PLAYED:
            count = int(((modes[0] == mode[0]) & (modes[1] == mode[1])).sum())
            weights = np.where(np.array(mode)[owner] == 1, soft, average)
            ends, _ = sample_ends(
                nodes,
                weights,
                player=NOBODY,
                epsilon=0.0,
                key=np.uint64(solver.seed_of(WALKS)),
                start=done + 1,
                count=count,
            )
            done += count
            for end in ends.tolist():
                later, node = {0: -1, 1: -1}, end
                while node > 0:
                    parent = int(nodes.parent[node])
                    player = int(nodes.player[parent])
                    if player >= 0:
                        move = int(nodes.move[node])
                        payoff = float(nodes.payoff[end]) * (1 if player == 0 else -1)
                        seen[move].append((later[player], payoff))
                        later[player] = int(nodes.infoset[parent])
                        made[move] += mode[player]
                    node = parent
        for move, rows in seen.items():
            targets = [
                max(before[list(spans[infoset])]) if infoset >= 0 else payoff
                for infoset, payoff in rows
            ]
            value[move] = np.mean(targets)
        for span in spans:
            total = made[list(span)].sum()
            average[list(span)] = made[list(span)] / total if total > 0 else 1 / len(span)
    return average


def test_tables_are_counts_and_q_learning() -> None:
    solver = SMALL.solver(KUHN, seed=3)
    expected = by_hand(5, solver)
    solver.run(5)
    np.testing.assert_allclose(
        solver.average_strategy().probabilities, expected, rtol=0, atol=1e-12
    )
    kept = [solver.state.kept[f"moves.{player}.move"] for player in (0, 1)]
    assert solver.moves == sum(len(moves) for moves in kept)


def test_tables_come_near_an_equilibrium_of_kuhn_poker() -> None:
    method = replace(SMALL, walks=1000, anticipation=0.1, value_buffer=3000)
    assert exploitability(method.solver(KUHN, seed=1).run(100).average_strategy()) < 0.06


def test_a_restored_run_continues_with_the_same_bits() -> None:
    whole = SMALL.solver(KUHN, seed=2).run(5)
    again = SMALL.solver(KUHN, seed=2).restore(SMALL.solver(KUHN, seed=2).run(2).state).run(3)
    for kept, array in whole.state.kept.items():
        np.testing.assert_array_equal(array, again.state.kept[kept])
    assert (whole.state.regret == again.state.regret).all()
