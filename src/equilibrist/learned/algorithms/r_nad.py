"""R-NaD, the method of DeepNash: replicator steps that are held near an earlier policy."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from equilibrist.learned.descent import Movable, MovedNetwork
from equilibrist.learned.episodes import Episodes, two_player_v_trace
from equilibrist.learned.logits import logarithm, softmax
from equilibrist.learned.network import Network
from equilibrist.learned.policy_gradient import LARGEST, PolicyAlgorithm
from equilibrist.learned.policy_losses import replicator_loss, value_loss
from equilibrist.learned.rows import taken
from equilibrist.learned.sampled_policy_gradient import (
    POLICY,
    VALUES,
    EpisodeAlgorithm,
    EpisodeDescent,
    value_features,
)
from equilibrist.learned.trajectories import TreeNodes
from equilibrist.tree.compile import GameTree
from equilibrist.typing import FloatArray, Int64Array


@dataclass(frozen=True)
class RegularisedNash(PolicyAlgorithm):
    """R-NaD: replicator steps in a game whose payoffs hold the policy near an earlier one.

    Attributes:
        step: The learning rate of the logits.
        eta: What a player pays for the logarithm of policy over earlier policy at own moves.
        period: Turns of a player after which the present policy becomes the earlier one.
        limit: Logits stay within this of their mean.
    """

    name: ClassVar[str] = "r-nad-q"
    summary: ClassVar[str] = "replicator steps in closed form, held near an earlier policy"
    paper: ClassVar[str] = (
        "Perolat et al.: Mastering the Game of Stratego with Model-Free Multiagent Reinforcement "
        "Learning. Science 378, 2022"
    )
    when: ClassVar[str] = "as r-nad, where values of histories can be learned"

    eta: float = 0.2
    period: int = 25
    limit: float = 2.0

    def __post_init__(self) -> None:
        """Check the numbers; raises ConfigError."""
        super().__post_init__()
        self._take_whole("period")
        self._take_real("eta", most=LARGEST)
        self._take_real("limit", most=LARGEST, is_above=True)

    def starts_period(self, turn: int) -> bool:
        """Whether the present policy becomes the earlier one before the turn-th turns, from 1."""
        return turn > 1 and (turn - 1) % self.period == 0

    def charged(
        self,
        nodes: TreeNodes,
        payoff: FloatArray,
        policy: FloatArray,
        earlier: FloatArray,
        unit: float,
    ) -> TreeNodes:
        """The game in which players pay for leaving the earlier policy.

        Args:
            nodes: The tree.
            payoff: float64[N]: payoffs of player 0 by the rules.
            policy: float64[Q]: what is played.
            earlier: float64[Q]: what was played when the period began.
            unit: The payoff that counts 1.

        Returns:
            The tree with the payoffs that advantages are learned of.
        """
        return regularised(nodes, payoff, policy, earlier, self.eta * unit)

    def improved(
        self, policy: FloatArray, advantage: FloatArray, turn: int, offset: Int64Array
    ) -> FloatArray:
        """Policy * exp(step * advantage), normalised, within the limits of logits.

        Args:
            policy: float64[Q].
            advantage: float64[Q].
            turn: Number of the step; it does not matter.
            offset: int64[I + 1].

        Returns:
            float64[Q].
        """
        logits, counts = logarithm(policy) + self.step * advantage, np.diff(offset)
        middle = np.repeat(np.add.reduceat(logits, offset[:-1]) / counts, counts)
        return softmax(np.clip(logits - middle, -self.limit, self.limit), offset)


def regularised(
    nodes: TreeNodes, payoff: FloatArray, policy: FloatArray, earlier: FloatArray, share: float
) -> TreeNodes:
    """The tree with payoffs that hold both players near an earlier policy.

    What a player pays on the way is charged at the end: it is the same for all actions below.

    Args:
        nodes: The tree.
        payoff: float64[N]: payoffs of player 0.
        policy: float64[Q].
        earlier: float64[Q].
        share: What a player pays the other for log(policy / earlier) of each own move.

    Returns:
        The same tree with other payoffs at terminals.
    """
    fee = share * (logarithm(policy) - logarithm(earlier))
    mover = np.where(nodes.parent >= 0, nodes.player[nodes.parent], 0)
    paid = np.where(nodes.move >= 0, fee[nodes.move] * np.where(mover == 0, -1.0, 1.0), 0.0)
    total = np.zeros(len(nodes.parent))
    for level in nodes.levels[1:]:
        total[level] = total[nodes.parent[level]] + paid[level]
    return replace(nodes, payoff=np.where(nodes.children > 0, 0.0, payoff + total))


@dataclass(frozen=True)
class RegularisedPolicy(EpisodeAlgorithm):
    """R-NaD: replicator dynamics in a game that is regularised by an earlier policy.

    Attributes:
        eta: What a player pays for the logarithm of policy over earlier policy at own moves.
        period: Iterations after which the followers' policy becomes the earlier one.
        limit: Logits stay within this of their mean.
        follow: How much of the way to what is learned its followers go in an iteration. Their
            values are those of v-trace, their policy is the answer.
    """

    adam = (0.0, 0.999)
    adam_least = 1e-7

    name: ClassVar[str] = "r-nad"
    summary: ClassVar[str] = "replicator dynamics that are held near an earlier policy"
    paper: ClassVar[str] = (
        "Perolat et al.: Mastering the Game of Stratego with Model-Free Multiagent Reinforcement "
        "Learning. Science 378, 2022"
    )
    when: ClassVar[str] = "for comparison: the method of DeepNash"

    batch: int = field(default=1, init=False)
    clip: float = field(default=1e4, init=False)
    width: int = 256
    depth: int = 2
    rate: float = 5e-5
    eta: float = 0.2
    period: int = 20_000
    limit: float = 2.0
    follow: float = 0.001

    def __post_init__(self) -> None:
        """Check the numbers; raises ConfigError."""
        super().__post_init__()
        self._take_whole("period")
        self._take_real("eta", most=LARGEST)
        self._take_real("limit", most=LARGEST, is_above=True)
        self._take_real("follow", most=1.0, is_above=True)

    def solver(self, tree: GameTree, seed: int = 0) -> RegularisedDescent:
        """The solver of a game.

        Args:
            tree: The game.
            seed: Fixes all draws.
        """
        return RegularisedDescent(tree, self, seed)


class RegularisedDescent(EpisodeDescent):
    """R-NaD: one step an iteration; what is learned is followed slowly, and that is the answer."""

    variant: RegularisedPolicy

    def __init__(self, tree: GameTree, method: RegularisedPolicy, seed: int = 0) -> None:
        """Prepare to solve a game of two players and zero sum.

        Args:
            tree: The game.
            method: The algorithm with its numbers.
            seed: Fixes all draws.

        Raises:
            ConfigError: The game is not of two players and zero sum.
        """
        super().__init__(tree, method, seed)
        self._followers: dict[str, Movable] = {
            POLICY: self._new(self.features, 0),
            VALUES: self._new(value_features(self.features), 1),
        }
        self._earlier = np.tile(self._regret, (2, 1))
        """The policies that regularise: the last one, and the one before it."""

    @property
    def networks(self) -> Mapping[str, Network]:
        """The network of the policy that is the answer."""
        answer = self._answer()
        name = POLICY.replace(".", " ")
        return {name: answer.network} if isinstance(answer, MovedNetwork) else {}

    def _answer(self) -> Movable:
        return self._followers[POLICY]

    def _improve(self, episodes: Episodes) -> None:
        method, decided = self.variant, episodes.decided
        since = self._iteration % method.period
        if since == 0 and self._iteration > 0:
            self._earlier = np.stack([self._policy(self._answer()), self._earlier[0]])
        # From the policy before to the last one in the first half of a period.
        share = min(1.0, 2.0 * since / method.period)
        log_last, log_before = logarithm(self._earlier)
        log_ratio = logarithm(self._regret) - (share * log_last + (1.0 - share) * log_before)
        policy = self.features.to_outputs(self._regret)[episodes.infoset] * decided[:, :, None]
        outputs = np.arange(self.features.outputs)
        chosen = np.where(decided, self.features.columns[episodes.move], -1)
        told = two_player_v_trace(
            episodes,
            self._values(self._followers[VALUES], episodes),
            taken=chosen[:, :, None] == outputs,
            policy=policy,
            acting=policy,
            log_ratio=self.features.to_outputs(log_ratio)[episodes.infoset] * decided[:, :, None],
            eta=method.eta,
        )
        infoset, player = episodes.infoset[decided], episodes.player[decided]
        weight = 1.0 / np.bincount(player, minlength=2)[player]
        legal, action, target = self.features.mask[infoset], told.action[decided], told.value
        self._move(
            infoset,
            {
                POLICY: lambda logits: replicator_loss(
                    logits, legal, action, weight, limit=method.limit
                ),
                VALUES: lambda value: value_loss(value, target[decided], weight),
            },
            method.rate,
        )
        for name, follower in self._followers.items():
            way = self._movables[name].weights - follower.weights
            follower.weights = follower.weights + method.follow * way

    def _arrays(self) -> dict[str, NDArray[Any]]:
        followers = {f"follower.{n}": np.asarray(f.weights) for n, f in self._followers.items()}
        return super()._arrays() | followers | {"earlier": self._earlier}

    def _take(self, arrays: Mapping[str, NDArray[Any]]) -> None:
        super()._take(arrays)
        self._earlier = taken(arrays, "earlier", self._earlier.shape)
        for name, follower in self._followers.items():
            follower.weights = taken(arrays, f"follower.{name}", follower.weights.shape)
