"""Episodes are what was played; advantages and v-trace say of them what they should on average."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from equilibrist.game_loading import compile_game
from equilibrist.learned.episodes import Episodes, generalised_advantages, two_player_v_trace
from equilibrist.learned.trajectories import TreeNodes
from equilibrist.solvers.run.state import in_proportion
from equilibrist.typing import FloatArray

LEDUC = compile_game("leduc")
NODES = TreeNodes.of(LEDUC)
ENDS = np.flatnonzero(NODES.children == 0)
EPISODES = Episodes.of(NODES, ENDS)
RANDOM = np.random.default_rng(3)
SIZE = int(LEDUC.action_offset[-1])
COUNTS = np.diff(LEDUC.action_offset)
ETA = 0.3


def random_policy() -> FloatArray:
    return in_proportion(RANDOM.uniform(0.2, 1.0, SIZE), LEDUC.action_offset)


POLICY, EARLIER, ACTING = random_policy(), random_policy(), random_policy()
LOG_RATIO = np.log(POLICY / EARLIER)
VALUE = np.where(EPISODES.decided, RANDOM.normal(size=LEDUC.num_infosets)[EPISODES.infoset], 0.0)
WIDTH = int(COUNTS.max())


def by_action(numbers: FloatArray) -> FloatArray:
    """[T, K, A]: numbers [Q] of all actions at each decision."""
    table = np.zeros((LEDUC.num_infosets, WIDTH))
    for infoset, (start, count) in enumerate(zip(LEDUC.action_offset[:-1], COUNTS, strict=True)):
        table[infoset, :count] = numbers[start : start + count]
    return np.where(EPISODES.decided[:, :, None], table[EPISODES.infoset], 0.0)


BRANCH = EPISODES.move - LEDUC.action_offset[:-1][EPISODES.infoset]
TAKEN = EPISODES.decided[:, :, None] & (BRANCH[:, :, None] == np.arange(WIDTH))


def traced(acting: FloatArray) -> Any:
    return two_player_v_trace(
        EPISODES,
        VALUE,
        taken=TAKEN,
        policy=by_action(POLICY),
        acting=by_action(acting),
        log_ratio=by_action(LOG_RATIO),
        eta=ETA,
    )


def test_episodes_are_the_moves_on_the_way() -> None:
    for episode in range(0, len(ENDS), 97):
        node, moves = int(ENDS[episode]), []
        while node > 0:
            if NODES.move[node] >= 0:
                above = int(NODES.parent[node])
                moves.append((NODES.infoset[above], NODES.move[node], NODES.player[above]))
            node = int(NODES.parent[node])
        moves.reverse()
        columns = EPISODES.infoset, EPISODES.move, EPISODES.player
        told = list(zip(*(column[:, episode].tolist() for column in columns), strict=True))
        assert told == moves + [(-1, -1, -1)] * (len(told) - len(moves))
    assert (EPISODES.payoff == NODES.payoff[ENDS]).all()


@pytest.mark.parametrize(("discount", "trace"), [(0.9, 0.7), (1.0, 0.0), (1.0, 1.0)])
def test_advantages_are_sums_of_discounted_differences(discount: float, trace: float) -> None:
    told = generalised_advantages(EPISODES, VALUE, discount=discount, trace=trace)
    for episode in range(0, len(ENDS), 89):
        for player in (0, 1):
            own = np.flatnonzero(EPISODES.player[:, episode] == player)
            values = VALUE[own, episode]
            payoff = EPISODES.payoff[episode] * (1 if player == 0 else -1)
            after = [*(discount * values[1:]), payoff]
            deltas = after - values
            for k, t in enumerate(own):
                powers = (discount * trace) ** np.arange(len(own) - k)
                assert told[t, episode] == pytest.approx(powers @ deltas[k:])
    assert (told[~EPISODES.decided] == 0.0).all()


def regularised_values(player: int) -> tuple[FloatArray, FloatArray]:
    """Of each node what it is worth, fees from there on included; and reach, both exact."""
    sign = 1.0 if player == 0 else -1.0
    value, reach = sign * NODES.payoff, np.ones(len(NODES.parent))
    probability = NODES.probabilities(POLICY)
    mover = np.where(NODES.parent >= 0, NODES.player[NODES.parent], -1)
    fee = np.where(NODES.move >= 0, ETA * LOG_RATIO[NODES.move], 0.0)
    gain = np.where(mover == player, -fee, fee)
    for level in reversed(NODES.levels[1:]):
        np.add.at(value, NODES.parent[level], probability[level] * (value + gain)[level])
    for level in NODES.levels[1:]:
        reach[level] = reach[NODES.parent[level]] * probability[level]
    return value, reach


def test_on_its_own_policy_v_trace_is_right_on_average_whatever_values_say() -> None:
    told = traced(POLICY)
    for player in (0, 1):
        value, reach = regularised_values(player)
        own = EPISODES.player == player
        weight = np.where(own, reach[ENDS], 0.0)
        # Averages over episodes against averages over the histories of an infoset.
        shape = (LEDUC.num_infosets, WIDTH)
        targets, actions = np.zeros(shape[0]), np.zeros(shape)
        np.add.at(targets, EPISODES.infoset[own], (weight * told.value)[own])
        np.add.at(actions, EPISODES.infoset[own], (weight[:, :, None] * told.action)[own])
        expected, expected_actions = np.zeros(shape[0]), np.zeros(shape)
        at = np.flatnonzero(NODES.player == player)
        np.add.at(expected, NODES.infoset[at], (reach * value)[at])
        for branch in range(WIDTH):
            has = at[NODES.children[at] > branch]
            child = NODES.first[has] + branch
            worth = value[child] - ETA * LOG_RATIO[NODES.move[child]]
            np.add.at(expected_actions[:, branch], NODES.infoset[has], reach[has] * worth)
        np.testing.assert_allclose(targets, expected, rtol=0, atol=1e-12)
        legal = np.arange(WIDTH) < COUNTS[:, None]
        mine = LEDUC.infoset_player == player
        keep = legal & mine[:, None]
        np.testing.assert_allclose(actions[keep], expected_actions[keep], rtol=0, atol=1e-12)


def test_on_another_policy_v_trace_weighs_moves_by_their_ratios() -> None:
    told = traced(ACTING)
    paid = ETA * np.add.reduceat(POLICY * LOG_RATIO, LEDUC.action_offset[:-1])
    for episode in range(0, len(ENDS), 89):
        steps = [
            (int(EPISODES.infoset[t, episode]), int(EPISODES.move[t, episode]), t)
            for t in np.flatnonzero(EPISODES.decided[:, episode])
        ]
        for player in (0, 1):
            payoff = EPISODES.payoff[episode] * (1 if player == 0 else -1)
            # By recursion from the end: (value, target) of the next own decision, and what is
            # paid before it, with and without the ratios of the other's moves.
            later, corrected, plain, weight = (0.0, 0.0), payoff, payoff, 1.0
            for infoset, move, t in reversed(steps):
                ratio = POLICY[move] / ACTING[move]
                if EPISODES.player[t, episode] != player:
                    corrected = paid[infoset] + ratio * corrected
                    plain += paid[infoset]
                    weight *= ratio
                    continue
                value = VALUE[t, episode]
                through = ratio * weight
                target = (
                    value
                    + through * (plain - paid[infoset] + later[0] - value)
                    + min(1.0, through) * (later[1] - later[0])
                )
                assert told.value[t, episode] == pytest.approx(target)
                start = LEDUC.action_offset[infoset]
                for a in range(COUNTS[infoset]):
                    expected = value - ETA * LOG_RATIO[start + a]
                    if start + a == move:
                        expected += (corrected + weight * later[1] - value) / ACTING[move]
                    assert told.action[t, episode, a] == pytest.approx(expected)
                later, corrected, plain, weight = (value, target), 0.0, 0.0, 1.0
