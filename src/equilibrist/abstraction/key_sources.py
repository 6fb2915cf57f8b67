"""Sources that read keys: cards by group, buckets of ranks, bounded memory, and none."""

from __future__ import annotations

from collections.abc import Sequence

from equilibrist.abstraction.arguments import Arguments
from equilibrist.abstraction.key_meaning import BOARD, HAND, MOVE, Parts, joined, says_keys
from equilibrist.abstraction.source import infosets_of
from equilibrist.tree.compile import GameTree

_PAIR, _NO_PAIR = "pair", "no pair"


def none_keys(tree: GameTree, player: int, arguments: Arguments) -> Sequence[str]:
    """Every infoset stays as it is."""
    arguments.read()
    return _keys_of(tree, player)


def cards_keys(tree: GameTree, player: int, arguments: Arguments) -> Sequence[str]:
    """`cards(JQ.K)`: cards of one group, hand and board, are not told apart.

    Groups are separated by dots, and name every rank once; `2-7` are ranks from 2 to 7. With
    `pair` of the board only whether it has the rank of a card in the hand is known.
    """
    options = arguments.read("groups", flags=(_PAIR,))
    ranks = says_keys(tree, arguments.source).rank_names()
    if "groups" not in options:
        raise arguments.refuse(None, "groups of ranks, such as JQ.K")
    groups = _Groups(arguments, ranks).read(options["groups"])
    return _grouped(tree, player, ranks, groups, pair=_PAIR in options)


def buckets_keys(tree: GameTree, player: int, arguments: Arguments) -> Sequence[str]:
    """`buckets(2)`: the ranks in groups of as equal size as can be, the larger ones below."""
    options = arguments.read("k", flags=(_PAIR,))
    ranks = says_keys(tree, arguments.source).rank_names()
    k = arguments.whole(options, "k", 1, len(ranks))
    small, larger = divmod(len(ranks), k)
    sizes = [small + (i < larger) for i in range(k)]
    groups = [group for group, size in enumerate(sizes) for _ in range(size)]
    return _grouped(tree, player, ranks, groups, pair=_PAIR in options)


def memory_keys(tree: GameTree, player: int, arguments: Arguments) -> Sequence[str]:
    """`memory(last=2)`: the moves before the last two are forgotten, the cards are not.

    How many actions there are is not forgotten either: a key is completed by them where infosets
    with different actions would be merged.
    """
    game = says_keys(tree, arguments.source)
    last = arguments.whole(arguments.read("last"), "last", 0)
    abstract_keys: list[str] = []
    owners: dict[str, set[tuple[str, ...]]] = {}
    infosets = infosets_of(tree, player).tolist()
    for i in infosets:
        parts = list(game.key_parts(tree.infoset_keys[i]))
        moves = [n for n, (kind, _) in enumerate(parts) if kind == MOVE]
        forgotten = set(moves[: max(len(moves) - last, 0)])
        kept = [part for n, part in enumerate(parts) if n not in forgotten]
        key = joined(kept)
        owners.setdefault(key, set()).add(tree.action_labels[i])
        abstract_keys.append(key)
    return [
        f"{key} {'/'.join(tree.action_labels[i])}" if len(owners[key]) > 1 else key
        for key, i in zip(abstract_keys, infosets, strict=True)
    ]


def _keys_of(tree: GameTree, player: int) -> list[str]:
    return [tree.infoset_keys[i] for i in infosets_of(tree, player).tolist()]


def _grouped(
    tree: GameTree,
    player: int,
    ranks: Sequence[Sequence[str]],
    groups: Sequence[int],
    *,
    pair: bool,
) -> list[str]:
    """Keys with each card replaced by its group, or the board by whether it is a pair."""
    game = says_keys(tree, "cards")
    rank_of = {name: rank for rank, names in enumerate(ranks) for name in names}
    name_of = {
        group: "".join(names[0] for names, g in zip(ranks, groups, strict=True) if g == group)
        for group in groups
    }

    def replaced(parts: Parts) -> list[tuple[str, str]]:
        held: set[int] = set()
        out: list[tuple[str, str]] = []
        for kind, text in parts:
            if kind == MOVE:
                out.append((kind, text))
                continue
            rank = rank_of[text]
            if kind == HAND:
                held.add(rank)
            if kind == BOARD and pair:
                out.append((kind, _PAIR if rank in held else _NO_PAIR))
            else:
                out.append((kind, name_of[groups[rank]]))
        return out

    return [joined(replaced(game.key_parts(key))) for key in _keys_of(tree, player)]


class _Groups:
    """Reads `JQ.K` and `2-7.8-A`: which group each rank belongs to."""

    def __init__(self, arguments: Arguments, ranks: Sequence[Sequence[str]]) -> None:
        self.arguments = arguments
        self.names = {name: rank for rank, names in enumerate(ranks) for name in names}
        self.ranks = ranks

    def read(self, text: str) -> list[int]:
        """One number of a group per rank; ConfigError unless every rank is named once."""
        group_of: dict[int, int] = {}
        for group, part in enumerate(text.split(".")):
            named = self._ranks_in(part)
            for rank in named:
                if rank in group_of:
                    raise self.arguments.refuse(text, f"{self.ranks[rank][0]} in one group only")
                group_of[rank] = group
            if not named:
                raise self.arguments.refuse(text, "a rank in every group")
        missing = [names[0] for rank, names in enumerate(self.ranks) if rank not in group_of]
        if missing:
            raise self.arguments.refuse(text, f"{', '.join(missing)} in a group, too")
        return [group_of[rank] for rank in range(len(self.ranks))]

    def _ranks_in(self, part: str) -> list[int]:
        ranks: list[int] = []
        at, low = 0, -1
        while at < len(part):
            if part[at] == "-" and ranks and low < 0:
                low, at = ranks[-1], at + 1
                continue
            name = max((n for n in self.names if part.startswith(n, at)), key=len, default="")
            if not name:
                known = ", ".join(names[0] for names in self.ranks)
                raise self.arguments.refuse(part, f"ranks of the game, which are {known}")
            rank = self.names[name]
            ranks += range(low + 1, rank + 1) if low >= 0 else [rank]
            at, low = at + len(name), -1
        if low >= 0:
            raise self.arguments.refuse(part, "a rank behind the hyphen")
        return ranks
