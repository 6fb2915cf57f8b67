"""StoredActions: which actions a strategy was found with, and how others are translated."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from equilibrist.formatting.brief import brief_repr
from equilibrist.formatting.documents import document
from equilibrist.typing import BoolArray, FloatArray, Int64Array

if TYPE_CHECKING:
    from equilibrist.abstraction import ActionAbstraction, Translation
    from equilibrist.tree.compile import GameTree


@dataclass(frozen=True, eq=False)
class StoredActions:
    """What was left out of a game; no file of the user's is needed any more.

    Attributes:
        name: The action abstraction as it was given, such as `bets=1,3`.
        translate: The name of the mapping, such as `pseudo-harmonic`.
        kept: bool[Q]: whether each action at an infoset was kept, in public order.
        infoset: int64[B], rising: infosets of the game.
        believed: int64[B]: infosets of the same game for which these are taken, all with kept
            actions before them.
        weight: float64[B]: with which weight.
    """

    name: str
    translate: str
    kept: BoolArray
    infoset: Int64Array
    believed: Int64Array
    weight: FloatArray

    def __repr__(self) -> str:
        return brief_repr(self)

    @classmethod
    def of(cls, translation: Translation) -> StoredActions:
        """Keep which actions were left out and how they are translated, without the tree.

        Args:
            translation: The translation.

        Returns:
            What files keep.
        """
        actions, beliefs = translation.actions, translation.beliefs
        order = np.argsort(beliefs.infoset, kind="stable")
        return cls(
            actions.name,
            translation.name,
            actions.kept,
            beliefs.infoset[order],
            actions.infoset[beliefs.believed[order]],
            beliefs.weight[order],
        )

    @property
    def num_actions(self) -> int:
        """How many actions at infosets were kept."""
        return int(self.kept.sum())

    def taken_for(self, infoset: int) -> dict[int, float]:
        """For which infosets an infoset is taken: itself, unless a bet was translated.

        Args:
            infoset: Its public number.

        Returns:
            {public number: weight}; empty where own play never leads.
        """
        low, high = np.searchsorted(self.infoset, (infoset, infoset + 1)).tolist()
        pairs = zip(self.believed[low:high].tolist(), self.weight[low:high].tolist(), strict=True)
        return dict(pairs)

    def on(self, tree: GameTree) -> ActionAbstraction:
        """The action abstraction of a compiled game.

        Args:
            tree: The game that was solved.

        Returns:
            What was kept.

        Raises:
            ConfigError: It is another game.
        """
        from equilibrist.abstraction import ActionAbstraction

        return ActionAbstraction(tree, self.kept, name=self.name)

    def to_dict(self) -> dict[str, Any]:
        """Make a document of `name`, `translate` and `num_actions`.

        Returns:
            Texts and numbers.
        """
        return document(self, "name translate num_actions")

    def arrays(self) -> dict[str, Any]:
        """The arrays that a file holds of the actions.

        Returns:
            Its arrays by their names in the file.
        """
        return {
            "kept_action": self.kept.astype(np.uint8),
            "taken_infoset": self.infoset.astype(np.int32),
            "taken_for": self.believed.astype(np.int32),
            "taken_weight": self.weight,
        }

    @classmethod
    def read(
        cls, header: dict[str, Any], arrays: dict[str, Any], offset: Int64Array
    ) -> StoredActions:
        """Read it from a file.

        Args:
            header: `name`, `translate` and `num_actions`.
            arrays: The arrays of the file.
            offset: int64[I + 1], where the actions of each infoset begin.

        Returns:
            What was kept.

        Raises:
            ValueError: Its parts do not fit together.
        """
        kept, weight = arrays["kept_action"], arrays["taken_weight"]
        infoset, believed = arrays["taken_infoset"], arrays["taken_for"]
        if kept.dtype != np.uint8 or kept.shape != (int(offset[-1]),) or np.any(kept > 1):
            raise ValueError("the kept actions have another type, shape or range")
        if int(kept.sum()) != header["num_actions"]:
            raise ValueError("the number of kept actions is another one")
        for numbers in (infoset, believed):
            if numbers.dtype != np.int32 or numbers.shape != weight.shape or numbers.ndim != 1:
                raise ValueError("the translated infosets have another type or shape")
            if np.any((numbers < 0) | (numbers >= len(offset) - 1)):
                raise ValueError("a translated infoset is none of the game")
        if np.any(np.diff(infoset) < 0):
            raise ValueError("the translated infosets are not in order")
        if weight.dtype != np.float64 or not np.all(np.isfinite(weight) & (weight >= 0.0)):
            raise ValueError("the weights of translated infosets are no numbers of at least 0")
        return cls(
            str(header["name"]),
            str(header["translate"]),
            _frozen(kept.astype(bool)),
            _frozen(infoset.astype(np.int64)),
            _frozen(believed.astype(np.int64)),
            _frozen(weight.copy()),
        )


def _frozen(array: Any) -> Any:
    array.flags.writeable = False
    return array
