"""StoredAbstraction: the map of infosets with which a strategy was found, as files hold it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from equilibrist.formatting.brief import brief_repr
from equilibrist.formatting.documents import document
from equilibrist.results.infoset_arrays import pack_texts, unpack_texts
from equilibrist.typing import Int64Array

if TYPE_CHECKING:
    from equilibrist.abstraction import Abstraction
    from equilibrist.tree.compile import GameTree


@dataclass(frozen=True, eq=False)
class StoredAbstraction:
    """Which infosets of a game were played alike; the file of the user's is not needed any more.

    Attributes:
        name: The abstraction as it was given, such as `cards(JQ.K)`.
        recall: The recall of each player in the merged game: `perfect`, `A-loss`, `imperfect` or
            `absent-minded`.
        keys: The names of the A abstract infosets.
        abstract_of: int64[I]: the abstract infoset of each infoset of the game.
    """

    name: str
    recall: tuple[str, ...]
    keys: tuple[str, ...]
    abstract_of: Int64Array

    def __repr__(self) -> str:
        return brief_repr(self)

    @classmethod
    def of(cls, abstraction: Abstraction, recall: Sequence[str]) -> StoredAbstraction:
        """The map without its tree.

        Args:
            abstraction: The map.
            recall: The class of recall of each player.

        Returns:
            What files keep.
        """
        return cls(abstraction.name, tuple(recall), abstraction.keys, abstraction.abstract_of)

    @property
    def num_infosets(self) -> int:
        """Number of abstract infosets A."""
        return len(self.keys)

    @cached_property
    def group_size(self) -> Int64Array:
        """int64[A]: how many infosets each abstract one stands for."""
        return np.bincount(self.abstract_of, minlength=len(self.keys))

    def key_of(self, infoset: int) -> str:
        """The abstract infoset of an infoset.

        Args:
            infoset: Its public number.

        Returns:
            The name of the abstract infoset.
        """
        return self.keys[int(self.abstract_of[infoset])]

    def on(self, tree: GameTree) -> Abstraction:
        """The abstraction of a compiled game.

        Args:
            tree: The game that was solved.

        Returns:
            The map.

        Raises:
            ConfigError: It is another game.
        """
        from equilibrist.abstraction import Abstraction

        keys = [self.key_of(i) for i in range(len(self.abstract_of))]
        return Abstraction(tree, self.abstract_of, keys=keys, name=self.name)

    def to_dict(self) -> dict[str, Any]:
        """Make a document of `name`, `recall` and `num_infosets`.

        Returns:
            Texts, numbers and lists.
        """
        return document(self, "name recall num_infosets")

    def arrays(self) -> dict[str, Any]:
        """The arrays that a file holds of the abstraction.

        Returns:
            Its arrays by their names in the file.
        """
        return {
            "abstract_of": self.abstract_of.astype(np.int32),
            **pack_texts("abstract_key", self.keys),
        }

    @classmethod
    def read(
        cls, header: dict[str, Any], arrays: dict[str, Any], num_infosets: int
    ) -> StoredAbstraction:
        """Read it from a file.

        Args:
            header: `name` and `recall`.
            arrays: The arrays of the file.
            num_infosets: Infosets of the game.

        Returns:
            The map.

        Raises:
            ValueError: Its parts do not fit together.
        """
        keys = tuple(unpack_texts(arrays, "abstract_key"))
        numbers = arrays["abstract_of"]
        if numbers.dtype != np.int32 or numbers.shape != (num_infosets,):
            raise ValueError("the map of infosets has another type or shape")
        abstract_of = numbers.astype(np.int64)
        if len(set(keys)) != len(keys) or sorted(set(abstract_of.tolist())) != [*range(len(keys))]:
            raise ValueError("the map of infosets does not fit its keys")
        abstract_of.flags.writeable = False
        return cls(str(header["name"]), tuple(header["recall"]), keys, abstract_of)
