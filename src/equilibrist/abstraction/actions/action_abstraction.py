"""ActionAbstraction: which actions are kept, and the game that they leave."""

from __future__ import annotations

from functools import cached_property

import numpy as np

from equilibrist.abstraction.actions.restricting import Restricted, restrict
from equilibrist.abstraction.actions.sizes import BetSizes
from equilibrist.errors import ConfigError
from equilibrist.parsing.arguments import bad_argument
from equilibrist.tree.compile import GameTree, checked_tree
from equilibrist.typing import BoolArray, Int64Array


class ActionAbstraction:
    """A game in which the players are limited to some of their actions.

    The restricted game, which is the abstract game here, has the same rules, infosets and payoffs,
    as far as kept actions lead.

    Args:
        tree: The compiled full game.
        kept: bool[Q], whether each action at an infoset is kept, in public order.
        name: What the abstraction is called, as `--actions` takes it.

    Raises:
        ConfigError: The array has another shape or type, or an infoset keeps no action (`given` is
            its key).
    """

    def __init__(self, tree: GameTree, kept: BoolArray, *, name: str = "given") -> None:
        """Check and copy the array; the class says of what."""
        self.tree = checked_tree(tree)
        kept_array = np.asarray(kept)
        count = int(tree.action_offset[-1])
        if kept_array.shape != (count,) or kept_array.dtype != np.bool_:
            raise bad_argument(
                "kept", kept, f"one truth value per action of {tree.name}, of shape ({count},)"
            )
        self.name = name
        self.kept: BoolArray = kept_array.copy()
        """bool[Q], whether each action at an infoset is kept."""
        self.kept.flags.writeable = False
        left = np.add.reduceat(self.kept, tree.action_offset[:-1]) if count else np.zeros(0)
        empty = np.flatnonzero(left == 0)
        if len(empty):
            key = tree.infoset_keys[int(empty[0])]
            labels = ", ".join(tree.action_labels[int(empty[0])])
            raise ConfigError(
                f"the action abstraction {name} keeps none of the actions at infoset {key!r}, "
                f"which are {labels}",
                option="actions",
                given=key,
                expected="at least one action at every infoset",
                place=f"infoset {key!r}",
                remedy="keep one of them",
            )

    @cached_property
    def _restricted(self) -> Restricted:
        return restrict(self.tree, self.kept)

    @property
    def restricted(self) -> GameTree:
        """The compiled game in which only kept actions are played; the full one if all are."""
        return self.tree if self.is_identity else self._restricted.tree

    @property
    def infoset(self) -> Int64Array:
        """int64[I']: the full game's number of each infoset of the restricted one."""
        return self._restricted.infoset

    @property
    def action(self) -> Int64Array:
        """int64[Q']: the full game's flat number of each action of the restricted one."""
        return self._restricted.action

    @property
    def kept_node(self) -> BoolArray:
        """bool[N]: the histories of the full game that the restricted one has."""
        return self._restricted.kept_node

    @property
    def is_identity(self) -> bool:
        """Whether every action is kept."""
        return bool(self.kept.all())

    @cached_property
    def bet_sizes(self) -> BetSizes:
        """The sizes of the full game's actions."""
        return BetSizes(self.tree)

    def sizes(self) -> tuple[tuple[int, int], ...]:
        """Count each player's infosets.

        Returns:
            One pair per player: infosets of the full game, of the restricted one.
        """
        full, small = self.tree.infoset_player, self.restricted.infoset_player
        return tuple(
            (int(np.sum(full == player)), int(np.sum(small == player)))
            for player in range(self.tree.num_players)
        )

    def removed(self, infoset: int) -> tuple[str, ...]:
        """The labels of the actions that an infoset loses.

        Args:
            infoset: Its number in the full game.

        Returns:
            The labels.
        """
        kept = self.kept[self.tree.actions_of(infoset)].tolist()
        labels = self.tree.action_labels[infoset]
        return tuple(label for label, stays in zip(labels, kept, strict=True) if not stays)

    def __repr__(self) -> str:
        return (
            f"ActionAbstraction({self.name!r}, {self.tree.name!r}, "
            f"histories={self.restricted.num_nodes:,} of {self.tree.num_nodes:,})"
        )


def checked_actions(value: object) -> ActionAbstraction:
    """`value`, which must be an action abstraction (else ConfigError)."""
    if isinstance(value, ActionAbstraction):
        return value
    raise bad_argument("actions", value, "an ActionAbstraction, as make_action_abstraction gives")
