"""Blocks: sets of a player's infosets that are closed downwards, found by patterns of keys."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from equilibrist.errors import ConfigError
from equilibrist.formatting.brief import brief_repr
from equilibrist.parsing.arguments import bad_argument, several
from equilibrist.parsing.key_patterns import key_pattern
from equilibrist.tree.compile import GameTree, checked_tree
from equilibrist.tree.shown_names import shown_names
from equilibrist.typing import BoolArray, Int64Array

JOINS: Final = " + "
"""What stands between the patterns of one block."""


@dataclass(frozen=True, eq=False)
class Block:
    """The infosets that a pattern matches: of each player a set that is closed downwards.

    Closed downwards means that with an infoset every later infoset of the same player is in the
    set, too. So own play outside the block never depends on what is played inside.

    Attributes:
        tree: The compiled game.
        name: What it is called: its pattern.
        inside: bool[I], whether each infoset in public order is in the block.
    """

    tree: GameTree
    name: str
    inside: BoolArray

    def __repr__(self) -> str:
        return brief_repr(self)

    def infosets(self, player: int) -> Int64Array:
        """The infosets of one player in the block.

        Args:
            player: The player, from 0.

        Returns:
            Their public numbers; none where the pattern matches none of this player.
        """
        return np.flatnonzero(self.inside & (self.tree.infoset_player == player))


def find_blocks(
    tree: GameTree, patterns: Sequence[str], *, seats: Sequence[int] | None = None
) -> tuple[Block, ...]:
    """The blocks that patterns over the keys of infosets name.

    Args:
        tree: A compiled game of perfect recall.
        patterns: One text per block: `*` stands for any text, `?` for a character, all else for
            itself. A key fits by itself or as it is shown. A block of several patterns joins them
            by ` + `.
        seats: The players whose infosets count, from 0; by default all.

    Returns:
        The blocks, in this order.

    Raises:
        ConfigError: A pattern matches no infoset, or a set that is not closed downwards, or two
            patterns match the same infoset.
        RecallError: The game has imperfect recall.
    """
    checked_tree(tree).sequence_form  # noqa: B018 - raises RecallError
    wanted = several("blocks", patterns, "patterns over the keys of infosets, one or more")
    if isinstance(patterns, str) or not wanted:
        raise bad_argument("blocks", patterns, "patterns over the keys of infosets, one or more")
    chosen = range(tree.num_players) if seats is None else seats
    owned = np.isin(tree.infoset_player, list(chosen))
    owner_of: dict[int, str] = {}
    blocks = []
    for pattern in wanted:
        block = Block(tree, pattern, _matching(tree, pattern) & owned)
        _check_any(block, chosen)
        _check_closed(block)
        for infoset in np.flatnonzero(block.inside).tolist():
            if infoset in owner_of:
                raise ConfigError(
                    f"the infoset {tree.infoset_keys[infoset]!r} is in two blocks, "
                    f"{owner_of[infoset]!r} and {pattern!r}",
                    option="block",
                    given=pattern,
                    expected="an infoset in one block at most",
                    place=tree.infoset_keys[infoset],
                    remedy="give patterns that have no infoset in common",
                )
            owner_of[infoset] = pattern
        blocks.append(block)
    return tuple(blocks)


def joined(blocks: Sequence[Block]) -> Block:
    """All blocks as one."""
    first = blocks[0]
    inside = np.logical_or.reduce([block.inside for block in blocks])
    return Block(first.tree, JOINS.join(block.name for block in blocks), inside)


def _matching(tree: GameTree, pattern: str) -> BoolArray:
    if not isinstance(pattern, str):
        raise bad_argument("block", pattern, "a pattern over the keys of infosets")
    glob, names = key_pattern(*pattern.split(JOINS)), shown_names(tree.game)
    fits = [bool(glob.match(key) or glob.match(names.get(key, key))) for key in tree.infoset_keys]
    return np.array(fits, dtype=np.bool_)


def _check_any(block: Block, seats: Sequence[int]) -> None:
    if block.inside.any():
        return
    keys = block.tree.infoset_keys
    own = np.flatnonzero(np.isin(block.tree.infoset_player, list(seats)))
    whose = "" if len(seats) == block.tree.num_players else " of the seats that are grafted"
    if not len(own):
        raise ConfigError(
            f"{block.tree.name} has no infosets{whose}: there is no play to replace",
            option="block",
            given=block.name,
            remedy="take another game, or other seats",
        )
    some = ", ".join(keys[i] for i in own[:: max(len(own) // 5, 1)][:6])
    raise ConfigError(
        f"no infoset{whose} matches {block.name!r}; their keys are such as {some}",
        option="block",
        given=block.name,
        expected=f"a pattern over keys such as {some}",
        remedy="`equilibrist inspect FILE --match PATTERN` lists the keys that match",
    )


def _check_closed(block: Block) -> None:
    tree = block.tree
    above = infosets_above(tree)
    inside = block.inside
    leaving = np.flatnonzero((above >= 0) & ~inside & inside[above])
    if not len(leaving):
        return
    infoset = int(leaving[0])
    key, before = tree.infoset_keys[infoset], tree.infoset_keys[int(above[infoset])]
    number = f", as do {len(leaving) - 1:,} others" if len(leaving) > 1 else ""
    raise ConfigError(
        f"the block {block.name!r} is not closed downwards: player "
        f"{tree.infoset_player[infoset]}'s infoset {before!r} is in it, and {key!r}, which "
        f"follows on it, is not{number}",
        option="block",
        given=block.name,
        expected="with every infoset all later infosets of the same player",
        place=key,
        remedy=f"add a pattern that matches {key!r}, as in {block.name + JOINS + key!r}, or give "
        f"one that does not match {before!r}",
    )


def infosets_above(tree: GameTree) -> Int64Array:
    """int64[I]: the player's infoset before each infoset in public order, -1 for none."""
    from equilibrist.evaluation.sequences import Sequences

    above = Sequences.of(tree).above
    owner = np.repeat(np.arange(tree.num_infosets), np.diff(tree.action_offset))
    before: Int64Array = np.where(above >= 0, owner[above], -1)
    return before
