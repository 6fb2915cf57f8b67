"""What the keys of a game mean, where the game says so, and keys made again from their parts.

A game may define two methods beyond those that solving needs. `key_parts(key)` takes a key apart:
(kind, text) pairs in the order in which the player learnt them, where kind is `hand` for what the
player alone sees, `board` for what chance shows to all, and `move` for a move of anybody.
`rank_names()` gives the ranks of what stands in `hand` and `board`, the lowest first, each with the
names by which a text may call it, the rank's own name first: `(("J", "Js", "Jh"), ...)`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, Protocol, runtime_checkable

from equilibrist.errors import ConfigError
from equilibrist.tree.compile import GameTree

HAND: Final = "hand"
BOARD: Final = "board"
MOVE: Final = "move"
Parts = Sequence[tuple[str, str]]


@runtime_checkable
class SaysKeys(Protocol):
    """A game that says what its keys mean."""

    def key_parts(self, key: str, /) -> Parts:
        """A key taken apart, in the order in which the player learnt its parts."""
        ...

    def rank_names(self) -> Sequence[Sequence[str]]:
        """The names of each rank of the cards, the lowest rank first."""
        ...


def says_keys(tree: GameTree, source: str) -> SaysKeys:
    """The game, if it says what its keys mean, else ConfigError."""
    if isinstance(tree.game, SaysKeys):
        return tree.game
    raise ConfigError(
        f"the abstraction {source} needs to know what the keys of {tree.name} mean, which the game "
        f"does not say",
        option="abstraction",
        given=source,
        expected="a game with the methods key_parts and rank_names",
        remedy="write a function, and name it as rules.py:merge",
    )


def joined(parts: Parts) -> str:
    """A key made of parts: cards as they come, moves after a colon, as in `JQ:rc/K:r`."""
    text, before = "", ""
    for kind, part in parts:
        if kind == BOARD:
            text += "/"
        elif kind == MOVE and before != MOVE:
            text += ":"
        elif kind == before:
            text += "," if kind == HAND or len(part) > 1 else ""
        text += part
        before = kind
    return text


def facts_of_key(tree: GameTree, infoset: int) -> dict[str, Any]:
    """Gather what a user's merge function gets of an infoset besides its key.

    `actions` (labels), what `infoset_facts` of the game says, and of a game that takes its keys
    apart `hand`, `board` and `moves`, tuples of texts.
    """
    key = tree.infoset_keys[infoset]
    facts: dict[str, Any] = {"actions": tree.action_labels[infoset]}
    described = getattr(tree.game, "infoset_facts", None)
    if described is not None:
        facts |= {str(name): value for name, value in _pairs(described(key))}
    if isinstance(tree.game, SaysKeys):
        parts = tree.game.key_parts(key)
        for name, kind in (("hand", HAND), ("board", BOARD), ("moves", MOVE)):
            facts[name] = tuple(text for part_kind, text in parts if part_kind == kind)
    return facts


def _pairs(described: Any) -> Sequence[tuple[str, Any]]:
    return tuple(described.items()) if isinstance(described, Mapping) else tuple(described)
