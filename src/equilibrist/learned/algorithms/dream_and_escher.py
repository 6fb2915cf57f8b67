"""DREAM and ESCHER: regrets of trajectories by learned values of histories.

DREAM corrects what importance weights say by them, ESCHER takes them alone.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from equilibrist.learned.trajectories import RegretRows, TreeNodes, VisitRows
from equilibrist.learned.trajectory_cfr import RegretAlgorithm
from equilibrist.typing import FloatArray, Int64Array


@dataclass(frozen=True)
class Dream(RegretAlgorithm):
    """DREAM: the rows of all iterations, with importance weights, and a learned baseline.

    The published numbers. The average is exact, as that of Single Deep CFR.
    """

    name: ClassVar[str] = "dream"
    summary: ClassVar[str] = (
        "as sd-cfr, from single trajectories, with a learned baseline against their variance"
    )
    paper: ClassVar[str] = (
        "Steinberger, Lerer, Brown: DREAM: Deep Regret Minimization with Advantage Baselines and "
        "Model-free Learning. arXiv:2006.10410, 2020"
    )
    when: ClassVar[str] = "games that can only be played, one trajectory at a time"
    targets = "expected-sarsa"
    importance = True
    row_power = 1.0
    average_power = 1.0

    walks: int = 900
    steps: int = 3000
    clip: float = 1.0
    buffer: int = 2_000_000
    warm: bool = False


@dataclass(frozen=True)
class EscherNet(RegretAlgorithm):
    """ESCHER: regrets by learned values alone; the traverser draws uniformly.

    OpenSpiel's numbers for Kuhn poker. Values are learned anew before each player's walks, those of
    terminals are exact. As the values of all nodes are known, the traverser could do better than to
    draw: that would be another algorithm. The published average is a network's, from visits; it
    limits what the algorithm reaches, so that the average here is exact.
    """

    name: ClassVar[str] = "escher-net"
    summary: ClassVar[str] = "learned values of histories instead of importance weights"
    paper: ClassVar[str] = (
        "McAleer, Farina, Lanctot, Sandholm: ESCHER: Eschewing Importance Sampling in Games by "
        "Computing a History Value Function to Estimate Regret. ICLR 2023"
    )
    when: ClassVar[str] = "regrets of little variance, as right as the values are"
    targets = "returns"
    importance = False
    row_power = 1.0
    average_power = 1.0

    walks: int = 1024
    steps: int = 375
    batch: int = 256
    depth: int = 1
    warm: bool = False
    epsilon: float = field(default=1.0, init=False)
    value_walks: int = 512
    value_steps: int = 512
    value_batch: int = 256
    value_buffer: int = field(default=200_000, init=False)

    def sampled(
        self,
        nodes: TreeNodes,
        ends: Int64Array,
        strategy: FloatArray,
        *,
        player: int,
        value: FloatArray,
    ) -> RegretRows:
        """The regrets of the traverser by values of histories alone.

        Args:
            nodes: The tree.
            ends: int64[K]: where the trajectories ended.
            strategy: float64[Q]: how all players play.
            player: The traverser.
            value: float64[N]: what each node is expected to be worth to player 0.

        Returns:
            A row for each of the traverser's decisions on the trajectories.
        """
        rows, _ = valued_regrets(nodes, ends, strategy, player=player, value=value)
        return rows


def valued_regrets(
    nodes: TreeNodes,
    ends: Int64Array,
    strategy: FloatArray,
    *,
    player: int,
    value: FloatArray,
) -> tuple[RegretRows, VisitRows]:
    """The regrets of one player by history values alone, without importance weights.

    McAleer, Farina, Lanctot, Sandholm, ESCHER (ICLR 2023). How often a decision is met on fixed
    exploration is a constant of its infoset, so that no weight is needed; the same holds of the
    others' decisions.

    Args:
        nodes: The tree.
        ends: int64[K]: where trajectories ended on which the player drew uniformly.
        strategy: float64[Q]: how all players play.
        player: The traverser.
        value: float64[N]: what each node is worth to player 0.

    Returns:
        Rows of the player's decisions, and of the others'; all weights are 1.
    """
    worth = (1.0 if player == 0 else -1.0) * value
    expected = nodes.expected_children(nodes.probabilities(strategy), worth)
    actions = np.arange(nodes.histories.max_actions)
    met = [np.empty(0, dtype=np.int64)]
    node = ends
    while len(node):
        node = nodes.parent[node]
        node = node[node >= 0]
        met.append(node)
    above = np.concatenate(met)
    own = above[nodes.player[above] == player]
    legal = actions < nodes.children[own, None]
    child = np.where(legal, nodes.first[own, None] + actions, 0)
    target = np.where(legal, worth[child] - expected[own, None], 0.0)
    others = above[(nodes.player[above] >= 0) & (nodes.player[above] != player)]
    return (
        RegretRows(nodes.infoset[own], target, np.ones(len(own))),
        VisitRows(nodes.infoset[others], np.ones(len(others))),
    )
