"""`Episodes`: sampled games as sequences of decisions, and what their returns say of each.

T decisions at most on an episode, K episodes, A outputs of a policy, Q infoset-action pairs. Values
are those of the player who decides. Sequences hold both players' decisions in the order of play;
draws of chance are left out.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from equilibrist.learned.trajectories import TreeNodes
from equilibrist.typing import BoolArray, FloatArray, Int64Array


@dataclass(frozen=True, eq=False)
class Episodes:
    """Decisions of both players on sampled episodes.

    Attributes:
        infoset: int64[T, K]: where the t-th decision was made; -1 beyond the last one.
        move: int64[T, K]: the infoset-action pair that was taken, in public flat order; -1 beyond.
        player: int64[T, K]: who decided; -1 beyond.
        payoff: float64[K]: what player 0 got at the end.
    """

    infoset: Int64Array
    move: Int64Array
    player: Int64Array
    payoff: FloatArray

    @classmethod
    def of(cls, nodes: TreeNodes, ends: Int64Array) -> Episodes:
        """The decisions on the way to terminals.

        Args:
            nodes: The tree.
            ends: int64[K]: where the episodes ended.

        Returns:
            The episodes, in the order of `ends`.
        """
        path, node = np.arange(len(ends)), ends
        rows: list[tuple[Int64Array, Int64Array]] = []
        made = np.zeros(len(ends), dtype=np.int64)
        while len(node):
            inside = nodes.parent[node] >= 0
            path, node = path[inside], node[inside]
            decided = nodes.move[node] >= 0
            rows.append((path[decided], node[decided]))
            made[path[decided]] += 1
            node = nodes.parent[node]
        shape = int(made.max(initial=0)), len(ends)
        infoset, move, player = (np.full(shape, -1, dtype=np.int64) for _ in range(3))
        at = made.copy()
        for episode, child in rows:  # the last decision of each episode first
            at[episode] -= 1
            above = nodes.parent[child]
            infoset[at[episode], episode] = nodes.infoset[above]
            move[at[episode], episode] = nodes.move[child]
            player[at[episode], episode] = nodes.player[above]
        return cls(infoset, move, player, nodes.payoff[ends])

    @property
    def decided(self) -> BoolArray:
        """bool[T, K]: where there is a decision."""
        return np.asarray(self.infoset >= 0)

    def payoff_of(self, player: int) -> FloatArray:
        """float64[K]: what a player got at the end."""
        return self.payoff if player == 0 else -self.payoff


def generalised_advantages(
    episodes: Episodes, value: FloatArray, *, discount: float, trace: float
) -> FloatArray:
    """Generalised advantage estimates, each player's decisions for themselves.

    Schulman, Moritz, Levine, Jordan, Abbeel: High-Dimensional Continuous Control Using Generalized
    Advantage Estimation (ICLR 2016). delta = payoff at the end or else discount * next own value,
    less the own value; advantage = delta + discount * trace * next own advantage.

    Args:
        episodes: The episodes.
        value: float64[T, K]: what each decision is expected to be worth to whoever makes it.
        discount: What a value is multiplied by for each own decision before it.
        trace: How much of later deltas counts: 0 trusts values, 1 returns.

    Returns:
        float64[T, K]: 0 where there is no decision.
    """
    advantage = np.zeros(value.shape)
    for player in (0, 1):
        later = episodes.payoff_of(player).copy()
        later_advantage = np.zeros(len(later))
        for t in reversed(range(len(value))):
            own = episodes.player[t] == player
            here = later - value[t] + discount * trace * later_advantage
            advantage[t, own] = here[own]
            later = np.where(own, discount * value[t], later)
            later_advantage = np.where(own, here, later_advantage)
    return advantage


class TracedValues(NamedTuple):
    """What v-trace says of each decision, for the player who makes it."""

    value: FloatArray  # [T, K]: what values are to learn; 0 where there is no decision
    action: FloatArray  # [T, K, A]: estimates of what each action is worth; 0 where there is none


def two_player_v_trace(
    episodes: Episodes,
    value: FloatArray,
    *,
    taken: BoolArray,
    policy: FloatArray,
    acting: FloatArray,
    log_ratio: FloatArray,
    eta: float,
) -> TracedValues:
    """V-trace for two players who move in any order, in a game whose payoffs are regularised.

    Espeholt et al., IMPALA (ICML 2018), as Perolat et al., DeepNash (Science 378, 2022), have it
    for two players. A player pays the other eta * log(policy / earlier policy) of each own move.
    Between two own decisions the ratios of the other's probabilities are multiplied. Importance
    ratios of values are not cut off from above, those of traces at 1.

    Args:
        episodes: The episodes.
        value: float64[T, K]: what each decision is expected to be worth to whoever makes it.
        taken: bool[T, K, A]: the output that belongs to the action that was taken.
        policy: float64[T, K, A]: the policy that is learned; 0 for what is not legal.
        acting: float64[T, K, A]: the policy that played.
        log_ratio: float64[T, K, A]: log(policy / earlier policy); 0 for what is not legal.
        eta: The price of that.

    Returns:
        Targets of values, and estimates of all actions.
    """
    decided = episodes.decided
    drawn = np.where(decided, np.sum(acting * taken, axis=2), 1.0)
    ratio = np.where(decided, np.sum(policy * taken, axis=2), 1.0) / drawn
    paid = eta * np.sum(policy * log_ratio, axis=2)
    target, action = np.zeros(value.shape), np.zeros(policy.shape)
    for player in (0, 1):
        # What comes after: the payoff and fees until the next own decision, that decision's value
        # and target, and the ratio of the other's moves before it.
        payoff = episodes.payoff_of(player)
        corrected, plain = payoff.copy(), payoff.copy()
        later, later_target = np.zeros(len(payoff)), np.zeros(len(payoff))
        weight = np.ones(len(payoff))
        for t in reversed(range(len(value))):
            own = episodes.player[t] == player
            other = decided[t] & ~own
            through = ratio[t] * weight
            with_fee = plain - paid[t]
            here = (
                value[t]
                + through * (with_fee + later - value[t])
                + np.minimum(1.0, through) * (later_target - later)
            )
            surprise = (corrected + weight * later_target - value[t]) / drawn[t]
            estimate = value[t, :, None] - eta * log_ratio[t] + taken[t] * surprise[:, None]
            target[t, own], action[t, own] = here[own], estimate[own]
            corrected = np.where(other, paid[t] + ratio[t] * corrected, corrected)
            plain = np.where(other, plain + paid[t], plain)
            weight = np.where(other, through, weight)
            corrected, plain = np.where(own, 0.0, corrected), np.where(own, 0.0, plain)
            weight = np.where(own, 1.0, weight)
            later = np.where(own, value[t], later)
            later_target = np.where(own, here, later_target)
    return TracedValues(target, action)
