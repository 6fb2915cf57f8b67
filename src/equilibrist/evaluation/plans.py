"""Reduced plans: what a player may do in pure strategies, where those that play alike are one.

A pure strategy names an action at every infoset of its player. A reduced plan leaves out the
infosets that its own actions keep from being reached: no play can tell such strategies apart.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from equilibrist.errors import UnsupportedError
from equilibrist.evaluation.sequences import Sequences
from equilibrist.parsing.arguments import whole_number
from equilibrist.tree.compile import GameTree
from equilibrist.typing import BoolArray, FloatArray, Int64Array

LARGEST = 100_000
"""The most plans of one player that are enumerated unless the caller says otherwise."""


@dataclass(frozen=True, eq=False)
class ReducedPlans:
    """All reduced plans of one player, in the order of their actions at the first infosets.

    Attributes:
        tree: The compiled game.
        player: Whose plans they are, from 0.
        own: The place of the player's actions in flat arrays over actions (public order).
        plays: bool[K, actions of the player], whether each plan reaches an infoset by its own
            actions and takes this action there.
    """

    tree: GameTree
    player: int
    own: slice
    plays: BoolArray

    def __len__(self) -> int:
        return len(self.plays)

    def reaching(self, sequences: Int64Array) -> BoolArray:
        """Which plans play which sequences.

        Args:
            sequences: int64[S], the player's sequences as public flat indices, -1 for the empty.

        Returns:
            bool[K, S].
        """
        padded = np.concatenate([self.plays, np.ones((len(self.plays), 1), dtype=bool)], axis=1)
        return padded[:, np.where(sequences < 0, -1, sequences - self.own.start)]

    def actions(self, plan: int) -> dict[str, str]:
        """A plan in words.

        Args:
            plan: Its number.

        Returns:
            The label of its action at each infoset that it reaches by its own actions.

        Raises:
            ConfigError: If there is no such plan.
        """
        whole_number("plan", plan, 0, len(self.plays) - 1)
        taken = np.flatnonzero(self.plays[plan]) + self.own.start
        infosets = np.searchsorted(self.tree.action_offset, taken, side="right") - 1
        return {
            self.tree.infoset_keys[i]: self.tree.action_labels[i][s - self.tree.action_offset[i]]
            for i, s in zip(infosets.tolist(), taken.tolist(), strict=True)
        }

    def behaviour(self, plans: Int64Array) -> FloatArray:
        """Plans as pure strategies; the first action is taken where a plan says nothing.

        Args:
            plans: int64[n], numbers of plans.

        Returns:
            float64[n, actions of the player], each row 0 and 1.
        """
        played = self.plays[plans].astype(np.float64)
        offset = self.tree.action_offset - self.own.start
        infosets = np.flatnonzero(self.tree.infoset_player == self.player)
        if not len(infosets):
            return played
        first = offset[infosets]
        played[:, first] += np.add.reduceat(played, first, axis=1) == 0.0
        return played


def count_plans(sequences: Sequences, player: int) -> int:
    """Count a player's reduced plans, without enumerating them.

    Args:
        sequences: The game's sequences (`Sequences.of(tree)`).
        player: The player, from 0.

    Returns:
        The number, however large; 1 for a player who never acts.

    Raises:
        ConfigError: If there is no such player.
    """
    tree = sequences.tree
    whole_number("player", player, 0, tree.num_players - 1)
    infosets = sequences.infosets(player)
    offset = tree.action_offset.tolist()
    after = dict.fromkeys(range(*sequences.own(player).indices(offset[-1])), 1)
    whole = 1
    for infoset in reversed(infosets):  # those further down have larger numbers
        ways = sum(after[s] for s in range(offset[infoset], offset[infoset + 1]))
        above = int(sequences.above[infoset])
        if above < 0:
            whole *= ways
        else:
            after[above] *= ways
    return whole


def enumerate_plans(sequences: Sequences, player: int, *, max_plans: int = LARGEST) -> ReducedPlans:
    """All reduced plans of a player.

    Args:
        sequences: The game's sequences (`Sequences.of(tree)`).
        player: The player, from 0.
        max_plans: A player with more plans than this is refused.

    Returns:
        The plans.

    Raises:
        UnsupportedError: If there are more plans than `max_plans`.
        ConfigError: If there is no such player.
    """
    tree = sequences.tree
    count = count_plans(sequences, player)
    whole_number("max_plans", max_plans, 1)
    if count > max_plans:
        raise UnsupportedError(
            f"player {player} of {tree.name} has {shown(count)} reduced plans; "
            f"up to {max_plans:,} are enumerated",
            option="plans",
            given=count if count < 2**63 else shown(count),
            expected=max_plans,
            remedy="take a smaller variant of the game",
        )
    infosets, own = sequences.infosets(player), sequences.own(player)
    width = own.stop - own.start
    nothing = np.zeros((1, width), dtype=bool)
    after: dict[int, BoolArray] = {}
    whole = nothing
    # Backwards: `after` has, by sequence, all ways to play on below it, complete when it is met.
    for infoset in reversed(infosets):
        ways = []
        for s in range(int(tree.action_offset[infoset]), int(tree.action_offset[infoset + 1])):
            part = after.pop(s, nothing).copy()
            part[:, s - own.start] = True
            ways.append(part)
        choices = np.concatenate(ways)
        above = int(sequences.above[infoset])
        if above < 0:
            whole = _joined(choices, whole)
        else:
            after[above] = _joined(choices, after.get(above, nothing))
    whole.flags.writeable = False
    return ReducedPlans(tree, player, own, whole)


def _joined(first: BoolArray, second: BoolArray) -> BoolArray:
    """Every row of one with every row of the other."""
    joined: BoolArray = first[:, None, :] | second[None, :, :]
    return joined.reshape(-1, first.shape[1])


def shown(count: int) -> str:
    """A number of plans for a message; one beyond all words by its power of ten."""
    return f"{count:,}" if count < 10**12 else f"about 10^{count.bit_length() * 0.30103:.0f}"
