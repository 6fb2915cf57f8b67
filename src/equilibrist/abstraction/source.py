"""Sources of abstractions: what a name such as `cards(JQ.K)` means, and the registry of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import import_module

import numpy as np

from equilibrist.abstraction.arguments import Arguments
from equilibrist.errors import UnknownNameError
from equilibrist.tree.compile import GameTree
from equilibrist.typing import Int64Array

Keys = Callable[[GameTree, int, Arguments], Sequence[str]]
"""What a source is: (tree, player, arguments) -> the abstract keys of the player's infosets.

There is one key per infoset of the player, in public order; equal ones are merged. It raises
ConfigError with `option="abstraction"`.
"""


@dataclass(frozen=True)
class Source:
    """A row of the registry.

    Attributes:
        form: How it is written, with its arguments: `cards(GROUPS[,pair])`.
        doc: What it merges, in a line.
        place: Where its `Keys` is defined, as `module:function`; imported when it is used.
    """

    form: str
    doc: str
    place: str

    @property
    def name(self) -> str:
        """What stands before the arguments."""
        return self.form.partition("(")[0]

    @property
    def keys(self) -> Keys:
        """The function that makes the keys."""
        module, _, name = self.place.partition(":")
        return getattr(import_module(module), name)  # type: ignore[no-any-return]


_HERE = "equilibrist.abstraction"
_ROWS = (
    Source("none", "merges nothing", f"{_HERE}.key_sources:none_keys"),
    Source(
        "cards(GROUPS[,pair])",
        "cards by group, as in cards(JQ.K); with pair, of the board only whether it pairs the hand",
        f"{_HERE}.key_sources:cards_keys",
    ),
    Source(
        "buckets(K[,pair])",
        "cards by rank in K groups of equal size",
        f"{_HERE}.key_sources:buckets_keys",
    ),
    Source(
        "memory(last=N)",
        "forgets all moves but the last N, and keeps the cards",
        f"{_HERE}.key_sources:memory_keys",
    ),
    Source(
        "auto(K[,seed=N][,iterations=N])",
        "hands of one line whose actions earn alike after 10 iterations of CFR, in K buckets",
        f"{_HERE}.buckets.automatic:auto_keys",
    ),
    Source(
        "symmetry",
        "what symmetries of the game take to each other: loses nothing",
        f"{_HERE}.symmetry.lossless:symmetry_keys",
    ),
)
SOURCES: dict[str, Source] = {row.name: row for row in _ROWS}
"""The sources by name; a file, `rules.py:merge`, is one, too."""


def get_source(name: str) -> Source:
    """The source of that name; UnknownNameError lists the others."""
    try:
        return SOURCES[name]
    except KeyError:
        hint = "(a function of yours is named by its file: rules.py:merge)"
        raise UnknownNameError("abstraction", name, tuple(SOURCES), hint) from None


def infosets_of(tree: GameTree, player: int) -> Int64Array:
    """The infosets of a player in public order."""
    return np.flatnonzero(tree.infoset_player == player)


def keys_of_groups(tree: GameTree, player: int, groups: Int64Array) -> list[str]:
    """Abstract keys for a source that finds groups, not names.

    `groups` is int64, one number per infoset of the player in public order. A group is called by
    its first infoset and the number of the others: `Js +1`.
    """
    infosets = infosets_of(tree, player).tolist()
    members: dict[int, list[int]] = {}
    for infoset, group in zip(infosets, groups.tolist(), strict=True):
        members.setdefault(group, []).append(infoset)
    keys = tree.infoset_keys
    names = {
        group: keys[group_infosets[0]]
        + (f" +{len(group_infosets) - 1}" if len(group_infosets) > 1 else "")
        for group, group_infosets in members.items()
    }
    return [names[group] for group in groups.tolist()]
