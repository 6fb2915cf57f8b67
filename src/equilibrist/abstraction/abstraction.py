"""Abstraction: a map from the infosets of a compiled game to coarser ones, player by player."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from equilibrist.errors import ConfigError, MismatchError, UnknownNameError
from equilibrist.parsing.arguments import bad_argument
from equilibrist.strategy import Strategy
from equilibrist.tree.compile import GameTree, checked_tree
from equilibrist.typing import FloatArray, Int8Array, Int64Array


class Abstraction:
    """Which infosets of a game are played alike: I infosets are mapped to A abstract ones.

    Abstract infosets are numbered by player, then by their first infoset in public order; flat
    arrays over their actions have `action_offset[infoset] + action` as their index. Merged
    infosets have one player and the same actions.

    Args:
        tree: The compiled game.
        abstract_of: int64[I]: of each infoset in public order a number of its abstract infoset.
            Any whole numbers will do, equal ones are merged.
        keys: One name per infoset, equal within an abstract infoset; by default the key of a
            single infoset, and of several the first key with the number of the others: `Js +1`.
        name: What the abstraction is called, as `--abstraction` takes it.

    Raises:
        ConfigError: The array has another shape or type, or infosets of different players, or with
            different actions, are merged (`given` and `expected` are their keys).
    """

    def __init__(
        self,
        tree: GameTree,
        abstract_of: Int64Array,
        *,
        keys: Sequence[str] | None = None,
        name: str = "given",
    ) -> None:
        """Number the groups by first appearance and check them; the class says of what."""
        self.tree = checked_tree(tree)
        groups = np.asarray(abstract_of)
        count = tree.num_infosets
        if groups.shape != (count,) or not np.issubdtype(groups.dtype, np.integer):
            raise bad_argument(
                "abstract_of",
                abstract_of,
                f"one whole number per infoset of {tree.name}, an array of shape ({count},)",
            )
        _, first, inverse = np.unique(groups, return_index=True, return_inverse=True)
        order = np.argsort(first)
        rank = np.empty(len(order), dtype=np.int64)
        rank[order] = np.arange(len(order))
        self.name = name
        self.abstract_of: Int64Array = rank[inverse.reshape(-1)]
        """int64[I]: the abstract infoset of each infoset in public order."""
        self.first_infoset: Int64Array = first[order].astype(np.int64)
        """int64[A]: the first infoset of each abstract one, in public order."""
        self._check_groups()
        self.infoset_player: Int8Array = tree.infoset_player[self.first_infoset]
        """int8[A]: who acts at each abstract infoset."""
        self.action_labels: tuple[tuple[str, ...], ...] = tuple(
            tree.action_labels[i] for i in self.first_infoset
        )
        """The actions of each abstract infoset."""
        counts = np.diff(tree.action_offset)
        self.action_offset: Int64Array = np.concatenate(
            ([0], np.cumsum(counts[self.first_infoset]))
        )
        """int64[A + 1]: where the actions of each abstract infoset begin."""
        within = np.arange(counts.sum()) - np.repeat(tree.action_offset[:-1], counts)
        self.action_of: Int64Array = (
            np.repeat(self.action_offset[self.abstract_of], counts) + within
        )
        """int64[Q]: the flat abstract action of each flat action of the game."""
        self.keys: tuple[str, ...] = self._named(keys)
        """The names of the abstract infosets."""
        for array in (
            self.abstract_of,
            self.first_infoset,
            self.infoset_player,
            self.action_offset,
            self.action_of,
        ):
            array.flags.writeable = False

    @classmethod
    def from_keys(
        cls, tree: GameTree, keys: Mapping[str, str] | Sequence[str], *, name: str = "given"
    ) -> Abstraction:
        """The abstraction in which infosets with equal abstract keys are merged.

        Args:
            tree: The compiled game.
            keys: The abstract key of each infoset: {key: abstract key}, where infosets left out
                stay as they are, or a list in public order.
            name: What the abstraction is called.

        Returns:
            The abstraction.

        Raises:
            UnknownNameError: The game lacks an infoset of the table.
            ConfigError: An abstract key is no text, the list has another length, or infosets of
                different players, or with different actions, share an abstract key.
        """
        full = checked_tree(tree).infoset_keys
        if isinstance(keys, Mapping):
            for key in keys:
                tree.index(key)
            keys = [keys.get(key, key) for key in full]
        expected = f"one text per infoset of {tree.name}"
        if isinstance(keys, str) or not isinstance(keys, Sequence):
            raise bad_argument("keys", keys, expected)
        if len(keys) != len(full):
            raise bad_argument("keys", len(keys), f"{expected}, {len(full)} in all")
        for key, abstract in zip(full, keys, strict=True):
            if not isinstance(abstract, str):
                raise bad_argument("keys", abstract, "a text", place=f"infoset {key}")
        numbers: dict[str, int] = {}
        groups = np.array([numbers.setdefault(k, len(numbers)) for k in keys], dtype=np.int64)
        return cls(tree, groups, keys=keys, name=name)

    @classmethod
    def identity(cls, tree: GameTree) -> Abstraction:
        """Nothing is merged.

        Args:
            tree: The compiled game.

        Returns:
            The abstraction, called `none`.
        """
        every = np.arange(checked_tree(tree).num_infosets, dtype=np.int64)
        return cls(tree, every, keys=tree.infoset_keys, name="none")

    @property
    def num_infosets(self) -> int:
        """Number of abstract infosets A of all players."""
        return len(self.first_infoset)

    @property
    def num_actions(self) -> int:
        """Pairs of abstract infoset and action."""
        return int(self.action_offset[-1])

    @property
    def num_sequences(self) -> int:
        """Pairs of abstract infoset and action, plus one empty sequence per player."""
        return self.num_actions + self.tree.num_players

    @property
    def is_identity(self) -> bool:
        """Whether nothing is merged."""
        return self.num_infosets == self.tree.num_infosets

    @cached_property
    def group_size(self) -> Int64Array:
        """int64[A]: how many infosets each abstract one stands for."""
        return np.bincount(self.abstract_of, minlength=self.num_infosets)

    def sizes(self) -> tuple[tuple[int, int], ...]:
        """Count each player's infosets.

        Returns:
            One pair per player: infosets of the full game, abstract infosets.
        """
        players = range(self.tree.num_players)
        return tuple(
            (int(np.sum(self.tree.infoset_player == p)), int(np.sum(self.infoset_player == p)))
            for p in players
        )

    def members(self, infoset: int) -> Int64Array:
        """The infosets of the game that an abstract one stands for.

        Args:
            infoset: The number of the abstract infoset.

        Returns:
            int64: their public numbers, rising.
        """
        return np.flatnonzero(self.abstract_of == infoset)

    def to_dict(self) -> dict[str, str]:
        """The map by names, as `from_keys` takes it.

        Returns:
            {key: abstract key} for all infosets of the game.
        """
        return {
            key: self.keys[k]
            for key, k in zip(self.tree.infoset_keys, self.abstract_of.tolist(), strict=True)
        }

    def lift(self, strategy: FloatArray | Strategy) -> Strategy:
        """The strategy of the full game that plays at each infoset what its abstract one plays.

        Args:
            strategy: float64[action_offset[A]], the probabilities at abstract infosets, or a
                Strategy of a tree with just these infosets, such as the merged one.

        Returns:
            A strategy of `tree`.

        Raises:
            MismatchError: The strategy has other infosets or another number of actions.
            ConfigError: The probabilities of an infoset are negative or do not add up to 1.
        """
        if isinstance(strategy, Strategy):
            known = (strategy.tree.infoset_keys, strategy.tree.action_labels)
            if known != (self.keys, self.action_labels):
                raise MismatchError(
                    f"this is a strategy of {strategy.tree.name}, whose infosets are not those of "
                    f"the abstraction {self.name}",
                    option="strategy",
                    given=strategy.tree.name,
                    expected=self.name,
                )
            strategy = strategy.probabilities
        values = np.asarray(strategy, dtype=np.float64)
        if values.shape != (self.num_actions,):
            raise MismatchError(
                f"the abstraction {self.name} has {self.num_actions} actions at abstract infosets, "
                f"and the array has the shape {values.shape}",
                option="strategy",
                given=str(values.shape),
                expected=f"({self.num_actions},)",
            )
        return Strategy(self.tree, values[self.action_of])

    def restrict(self, strategy: Strategy) -> FloatArray:
        """The probabilities at abstract infosets of a strategy that plays merged infosets alike.

        Args:
            strategy: A strategy of `tree`.

        Returns:
            float64[action_offset[A]]; `lift` is its inverse.

        Raises:
            MismatchError: It belongs to another game, or plays merged infosets differently (`given`
                and `expected` are their keys).
        """
        if strategy.tree is not self.tree and strategy.tree.fingerprint != self.tree.fingerprint:
            raise MismatchError(
                f"this is a strategy of {strategy.tree.name}, not of {self.tree.name}",
                option="strategy",
                given=strategy.tree.name,
                expected=self.tree.name,
            )
        own = np.concatenate(
            [strategy.probabilities[self.tree.actions_of(i)] for i in self.first_infoset.tolist()]
        )
        wrong = np.flatnonzero(own[self.action_of] != strategy.probabilities)
        if len(wrong):
            flat = int(np.searchsorted(self.tree.action_offset, wrong[0], side="right")) - 1
            first = int(self.first_infoset[self.abstract_of[flat]])
            key, expected_key = (self.tree.infoset_keys[i] for i in (flat, first))
            raise MismatchError(
                f"the strategy plays {key!r} and {expected_key!r} differently, which {self.name} "
                "merges",
                option="strategy",
                given=key,
                expected=expected_key,
            )
        return own

    def index(self, key: str) -> int:
        """The number of an abstract infoset.

        Args:
            key: Its name.

        Returns:
            Its number, from 0.

        Raises:
            UnknownNameError: There is no such abstract infoset; it suggests others.
        """
        try:
            return self._index[key]
        except KeyError:
            kind = f"abstract infoset of {self.name}"
            raise UnknownNameError(kind, key, self.keys[:5000], option="infoset") from None

    @cached_property
    def _index(self) -> dict[str, int]:
        return {key: i for i, key in enumerate(self.keys)}

    def _check_groups(self) -> None:
        tree = self.tree
        firsts = self.first_infoset[self.abstract_of]
        owner = tree.infoset_player
        labels: dict[tuple[str, ...], int] = {}
        kind = np.array([labels.setdefault(row, len(labels)) for row in tree.action_labels])
        for bad, what in (
            (np.flatnonzero(owner != owner[firsts]), "belong to different players"),
            (np.flatnonzero(kind != kind[firsts]), "have different actions"),
        ):
            if len(bad):
                i, j = int(bad[0]), int(firsts[bad[0]])
                keys = tree.infoset_keys
                raise ConfigError(
                    f"the abstraction {self.name} merges {keys[i]!r} with {keys[j]!r}, which {what}"
                    f" ({self._facts(j)}; {self._facts(i)})",
                    option="abstraction",
                    given=keys[i],
                    expected=keys[j],
                    remedy="merge infosets of one player with the same actions only",
                )

    def _facts(self, infoset: int) -> str:
        actions = ", ".join(self.tree.action_labels[infoset])
        return f"player {self.tree.infoset_player[infoset]}: {actions}"

    def _named(self, keys: Sequence[str] | None) -> tuple[str, ...]:
        if keys is not None:
            return tuple(str(keys[i]) for i in self.first_infoset.tolist())
        full = self.tree.infoset_keys
        sizes = np.bincount(self.abstract_of).tolist()
        pairs = zip(self.first_infoset.tolist(), sizes, strict=True)
        return tuple(full[i] + (f" +{size - 1}" if size > 1 else "") for i, size in pairs)

    def __repr__(self) -> str:
        return (
            f"Abstraction({self.name!r}, {self.tree.name!r}, infosets={self.num_infosets:,} of "
            f"{self.tree.num_infosets:,})"
        )


def checked_abstraction(value: Any, tree: GameTree) -> Abstraction:
    """`value`, which must be an abstraction of `tree` (else ConfigError or MismatchError)."""
    if not isinstance(value, Abstraction):
        raise bad_argument("abstraction", value, "an Abstraction")
    if value.tree is not tree and value.tree.fingerprint != tree.fingerprint:
        raise MismatchError(
            f"this is an abstraction of {value.tree.name}, not of {tree.name}",
            option="abstraction",
            given=value.tree.name,
            expected=tree.name,
        )
    return value
