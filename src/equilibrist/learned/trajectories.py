"""What sampled trajectories teach: regrets corrected by history values, transitions and returns.

A trajectory is the terminal where it ended (`kernels.sampling.frozen`). N nodes of the history
tree, Q infoset-action pairs, I infosets, A actions at most, K trajectories.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from equilibrist.game import CHANCE, TERMINAL
from equilibrist.tree.compile import GameTree
from equilibrist.typing import FloatArray, Int32Array, Int64Array

if TYPE_CHECKING:
    from equilibrist.tree.forms.history_tree import HistoryTree

EVERYBODY: Final = -1
"""In the place of a traverser: all players explore."""
NOBODY: Final = 2
"""In the place of a traverser: no player explores."""


@dataclass(frozen=True, eq=False)
class TreeNodes:
    """The history tree of a game, by node; the root is node 0 and has no move.

    Attributes:
        histories: The tree as kernels walk it.
        parent: int64[N]: the node above, -1 at the root.
        branch: int64[N]: which of its siblings it is.
        player: int32[N]: who moves there; CHANCE or TERMINAL if nobody does.
        first: int64[N]: its first child.
        children: int64[N]: how many it has.
        infoset: int64[N]: its infoset where a player moves, else -1.
        move: int64[N]: the infoset-action pair that led there, in public flat order; -1 where no
            player moved.
        chance: float64[N]: the probability of the outcome that led there; 1 where chance did not
            move.
        payoff: float64[N]: what player 0 gets at a terminal; 0 elsewhere.
    """

    histories: HistoryTree
    parent: Int64Array
    branch: Int64Array
    player: Int32Array
    first: Int64Array
    children: Int64Array
    infoset: Int64Array
    move: Int64Array
    chance: FloatArray
    payoff: FloatArray

    @classmethod
    def of(cls, tree: GameTree) -> TreeNodes:
        """The nodes of a compiled game."""
        histories = tree.history_tree
        arrays = histories.arrays
        first, base, children = (arrays.node[:, k].astype(np.int64) for k in range(3))
        player = arrays.node[:, 3].copy()
        size = len(player)
        parent = np.full(size, -1, dtype=np.int64)
        branch = np.zeros(size, dtype=np.int64)
        inner = np.flatnonzero(player != TERMINAL)
        above = np.repeat(inner, children[inner])
        starts = np.cumsum(children[inner]) - children[inner]
        number = np.arange(len(above)) - np.repeat(starts, children[inner])
        below = first[above] + number
        parent[below], branch[below] = above, number
        infoset_of = np.repeat(np.arange(len(tree.action_offset) - 1), np.diff(tree.action_offset))
        infoset = np.full(size, -1, dtype=np.int64)
        decisions = np.flatnonzero(player >= 0)
        infoset[decisions] = infoset_of[base[decisions]]
        move = np.full(size, -1, dtype=np.int64)
        by_player = below[player[above] >= 0]
        move[by_player] = base[parent[by_player]] + branch[by_player]
        chance = np.ones(size)
        by_chance = below[player[above] == CHANCE]
        chance[by_chance] = arrays.chance_probability[base[parent[by_chance]] + branch[by_chance]]
        payoff = np.zeros(size)
        ends = np.flatnonzero(player == TERMINAL)
        payoff[ends] = arrays.payoff[base[ends], 0]
        return cls(
            histories=histories,
            parent=parent,
            branch=branch,
            player=player,
            first=first,
            children=children,
            infoset=infoset,
            move=move,
            chance=chance,
            payoff=payoff,
        )

    def probabilities(self, strategy: FloatArray) -> FloatArray:
        """The probability of the move that led to each node.

        Args:
            strategy: float64[Q]: how all players play, in public flat order.

        Returns:
            float64[N]; 1 at the root.
        """
        return np.where(self.move >= 0, strategy[self.move], self.chance)

    def expected_children(self, probability: FloatArray, value: FloatArray) -> FloatArray:
        """The mean of what the children of each node are worth.

        Args:
            probability: float64[N], as `probabilities` gives it.
            value: float64[N]: what each node is worth.

        Returns:
            float64[N]; 0 at terminals.
        """
        sums = np.bincount(
            self.parent[1:], weights=(probability * value)[1:], minlength=len(self.parent)
        )
        return sums.astype(np.float64)  # whole numbers without a single move

    def values(self, strategy: FloatArray) -> FloatArray:
        """What each node is worth to player 0 when all play a strategy.

        Args:
            strategy: float64[Q], in public flat order.

        Returns:
            float64[N]: exact values.
        """
        weight = self.probabilities(strategy)
        value = self.payoff.copy()
        for level in reversed(self.levels[1:]):
            np.add.at(value, self.parent[level], weight[level] * value[level])
        return value

    @cached_property
    def levels(self) -> list[Int64Array]:
        """The nodes by depth, from the root down."""
        levels = [np.zeros(1, dtype=np.int64)]
        while True:
            inner = levels[-1][self.children[levels[-1]] > 0]
            if not len(inner):
                return levels
            counts = self.children[inner]
            starts = np.repeat(self.first[inner] - (np.cumsum(counts) - counts), counts)
            levels.append(starts + np.arange(counts.sum()))


class RegretRows(NamedTuple):
    """Sampled regrets, one row per own decision on a trajectory."""

    infoset: Int64Array  # [n]
    target: FloatArray  # [n, A]: estimated value of each action less that of the infoset; padded
    weight: FloatArray  # [n]: uniform sampling above by the traverser, over the sampling that was


class VisitRows(NamedTuple):
    """Decisions of the others on the traverser's trajectories, where averages are taken."""

    infoset: Int64Array  # [n]
    weight: FloatArray  # [n]: 1 over the traverser's part of the sampling above


class Transitions(NamedTuple):
    """Moves of players, and what came of them after chance had moved."""

    node: Int64Array  # [n]: where the move led
    next: Int64Array  # [n]: the next decision, of whoever; or the terminal


class Returns(NamedTuple):
    """Nodes on trajectories and what player 0 got at the end."""

    node: Int64Array  # [n]
    value: FloatArray  # [n]


def sample_ends(
    nodes: TreeNodes,
    regret: FloatArray,
    *,
    player: int,
    epsilon: float,
    key: np.uint64,
    start: int,
    count: int,
) -> tuple[Int64Array, int]:
    """Draw trajectories under a strategy that does not change.

    Args:
        nodes: The tree.
        regret: float64[Q]: everybody plays in proportion to its positive part.
        player: Who explores; EVERYBODY if all do.
        epsilon: With what probability those who explore draw uniformly.
        key: From which all random streams come.
        start: The number of the first trajectory; each has a stream of its own.
        count: How many.

    Returns:
        int64[count]: the terminals; and how many histories were visited.
    """
    from equilibrist.kernels.sampling import frozen as kernels
    from equilibrist.kernels.traversal.steps import TreePlay
    from equilibrist.kernels.traversal.visits import EveryDecision, Unnoticed

    ends = np.empty(count, dtype=np.int32)
    setup = kernels.EndsSetup(
        player=max(player, 0),
        visits=EveryDecision() if player == EVERYBODY else Unnoticed(),
        epsilon=epsilon,
        path=np.zeros((1, 3)),
        end=ends,
        used=np.zeros(1, dtype=np.int64),
    )
    unused = np.zeros(1, dtype=np.int64)
    play = TreePlay(nodes.histories.arrays, 1, regret, regret, unused)
    progress = np.array([start, 0, 0, 0], dtype=np.int64)
    kernels.sample_ends(setup, play, start + count - 1, key, progress)
    return ends.astype(np.int64), int(progress[3])


def corrected_regrets(
    nodes: TreeNodes,
    ends: Int64Array,
    strategy: FloatArray,
    *,
    player: int,
    epsilon: float,
    value: FloatArray,
) -> tuple[RegretRows, VisitRows]:
    """The regrets of one player along trajectories on which that player explored.

    An action that was not drawn is worth its history value, one that was drawn also the surprise
    over its probability, as in VR-MCCFR (Schmid et al., AAAI 2019) and DREAM (Steinberger, Lerer,
    Brown, 2020). With history values 0 this is outcome sampling.

    Args:
        nodes: The tree.
        ends: int64[K]: where the trajectories ended.
        strategy: float64[Q]: how all players played, but for the exploring.
        player: Who explored.
        epsilon: With what probability that player drew uniformly.
        value: float64[N]: what each node is expected to be worth to player 0; the children of one
            chance node all 0 if its draws are not corrected.

    Returns:
        Rows of the player's decisions, and of the others'.
    """
    sign = 1.0 if player == 0 else -1.0
    worth = sign * value
    probability = nodes.probabilities(strategy)
    expected = nodes.expected_children(probability, worth)
    mover = np.where(nodes.parent >= 0, nodes.player[nodes.parent], CHANCE)
    exploring = np.where(
        mover == player,
        epsilon / np.maximum(nodes.children[nodes.parent], 1) + (1.0 - epsilon) * probability,
        1.0,
    )
    wide = nodes.histories.max_actions
    actions = np.arange(wide)
    path = np.arange(len(ends))
    node = ends
    estimate = sign * nodes.payoff[ends]
    own: list[tuple[Int64Array, Int64Array, FloatArray, FloatArray]] = []
    visits: list[tuple[Int64Array, Int64Array]] = []
    while len(node):
        inside = nodes.parent[node] >= 0
        path, node, estimate = path[inside], node[inside], estimate[inside]
        above = nodes.parent[node]
        surprise = (estimate - worth[node]) / exploring[node]
        is_own = nodes.player[above] == player
        estimate = expected[above] + np.where(
            is_own, probability[node] * surprise, estimate - worth[node]
        )
        at = np.flatnonzero(is_own)
        legal = actions < nodes.children[above[at], None]
        child = np.where(legal, nodes.first[above[at], None] + actions, 0)
        target = np.where(legal, worth[child] - estimate[at, None], 0.0)
        target[np.arange(len(at)), nodes.branch[node[at]]] += surprise[at]
        own.append((path[at], above[at], target, exploring[node[at]]))
        others = np.flatnonzero((nodes.player[above] >= 0) & ~is_own)
        visits.append((path[others], above[others]))
        node = above
    # The traverser's part of the sampling is known only from the root down.
    inverse, even = np.ones(len(ends)), np.ones(len(ends))
    own_weights: list[FloatArray] = []
    visit_weights: list[FloatArray] = []
    for (own_path, above, _, drawn), (visit_path, _) in zip(
        reversed(own), reversed(visits), strict=True
    ):
        visit_weights.append(inverse[visit_path])
        own_weights.append(inverse[own_path] * even[own_path])
        inverse[own_path] /= drawn
        even[own_path] /= nodes.children[above]
    infosets = [nodes.infoset[above] for _, above, _, _ in reversed(own)]
    seen = [nodes.infoset[above] for _, above in reversed(visits)]
    targets = [target for _, _, target, _ in reversed(own)]
    return (
        RegretRows(np.concatenate(infosets), np.concatenate(targets), np.concatenate(own_weights)),
        VisitRows(np.concatenate(seen), np.concatenate(visit_weights)),
    )


def transitions(nodes: TreeNodes, ends: Int64Array) -> Transitions:
    """All moves of players on trajectories, each with the decision or terminal that came next."""
    node = later = ends
    led: list[Int64Array] = [ends[:0]]
    came: list[Int64Array] = [ends[:0]]
    while len(node):
        inside = nodes.parent[node] >= 0
        node, later = node[inside], later[inside]
        above = nodes.parent[node]
        by_player = nodes.player[above] >= 0
        led.append(node[by_player])
        came.append(later[by_player])
        later = np.where(by_player, above, later)
        node = above
    return Transitions(np.concatenate(led), np.concatenate(came))


class OwnMoves(NamedTuple):
    """Moves of one player on trajectories, and where that player was to move next."""

    move: Int64Array  # [n]: the infoset-action pair, in public flat order
    infoset: Int64Array  # [n]
    next: Int64Array  # [n]: the infoset of the player's next decision; -1 if there was none
    payoff: FloatArray  # [n]: what the player got at the end if there was none; else 0


def own_moves(nodes: TreeNodes, ends: Int64Array, player: int) -> OwnMoves:
    """All moves of a player on trajectories, the last ones first.

    Args:
        nodes: The tree.
        ends: int64[K]: where the trajectories ended.
        player: The player.

    Returns:
        The moves.
    """
    sign = 1.0 if player == 0 else -1.0
    node, later, payoff = ends, np.full(len(ends), -1, dtype=np.int64), sign * nodes.payoff[ends]
    none = np.zeros(0, dtype=np.int64)
    rows = [OwnMoves(none, none, none, np.zeros(0))]
    while len(node):
        inside = nodes.parent[node] >= 0
        node, later, payoff = node[inside], later[inside], payoff[inside]
        above = nodes.parent[node]
        own = nodes.player[above] == player
        infoset = nodes.infoset[above]
        rows.append(
            OwnMoves(
                move=nodes.move[node[own]],
                infoset=infoset[own],
                next=later[own],
                payoff=np.where(later[own] < 0, payoff[own], 0.0),
            )
        )
        later = np.where(own, infoset, later)
        node = above
    return OwnMoves(*(np.concatenate(column) for column in zip(*rows, strict=True)))


def expected_sarsa(nodes: TreeNodes, moves: Transitions, expected: FloatArray) -> FloatArray:
    """Targets of history values: what the next decision is worth on average.

    Args:
        nodes: The tree.
        moves: The transitions.
        expected: float64[N]: what the children of each node are worth to player 0 on average, as
            `TreeNodes.expected_children` gives it.

    Returns:
        float64[n]: in the order of `moves`.
    """
    over = nodes.player[moves.next] == TERMINAL
    return np.where(over, nodes.payoff[moves.next], expected[moves.next])


def returns(nodes: TreeNodes, ends: Int64Array) -> Returns:
    """All decisions and chance nodes on trajectories, with what player 0 got at the end."""
    node, value = ends, nodes.payoff[ends]
    met: list[Int64Array] = [ends[:0]]
    got: list[FloatArray] = [value[:0]]
    while len(node):
        inside = nodes.parent[node] >= 0
        node, value = nodes.parent[node[inside]], value[inside]
        met.append(node)
        got.append(value)
    return Returns(np.concatenate(met), np.concatenate(got))
