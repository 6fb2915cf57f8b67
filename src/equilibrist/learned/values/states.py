"""Public states as rows of numbers: what a value network is asked about.

Two public states are of one class if all that may follow on them is the same: the moves, the
infosets, chance and payoffs, for hands of the same names. In liar's dice the last bid and whose
turn it is are all that matters; in Leduc poker the bets that both have made, and the board. A
network sees the ranges of both players, the lowest and highest payoffs below, and the class.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final, NamedTuple

import numpy as np

from equilibrist.formatting.brief import brief_repr
from equilibrist.learned.network import Float32Array
from equilibrist.learned.values.region import acting_depth, leaves_below
from equilibrist.search import SearchGame, Subgames
from equilibrist.tree.walk.histories import CHANCE_MARK, TERMINAL_MARK
from equilibrist.typing import BoolArray, FloatArray, Int64Array

FEATURES: Final = "public-state"
FEATURES_VERSION: Final = 1
_DIGITS: Final = 9
"""Decimals by which chances and payoffs of public states are told apart."""
_LEAST_STAKE: Final = 1e-3
"""What is less is no stake, as a share of the most that is won."""


class LevelHands(NamedTuple):
    """The hands of one player at some public nodes, by their numbers in the whole game."""

    name: Int64Array
    """int64[h], the number of each hand's name among all names of the player's hands."""
    root: Int64Array
    """int64[h], which node each hand is at, rising."""


@dataclass(frozen=True, eq=False)
class ValueStates:
    """The public states of a game that a network may be asked about, C classes of them.

    Attributes:
        search: The game.
        nodes: The public nodes, rising: the first ones on their lines before each decision.
        class_of: int64[M], the class of each public node; -1 for those that are not among `nodes`.
        names: The names of each player's hands, in the order of columns.
        spread: float64[C, 2], the lowest and highest payoff of seat 0 below, from half of what
            both earn together, in units of `unit`.
        held: bool[C, H0 + H1], which hands there are in each class.
        stake: float64[C], the least that a player wins or loses in a class, from half of the total,
            in units of `unit`: half of the pot in poker.
        unit: What values are divided by: the most that a player can win, from half of the total.
    """

    search: SearchGame
    nodes: tuple[int, ...]
    class_of: Int64Array
    names: tuple[tuple[str, ...], tuple[str, ...]]
    spread: FloatArray
    held: BoolArray
    stake: FloatArray
    unit: float

    @classmethod
    def of(cls, search: SearchGame) -> ValueStates:
        """Find the states of a game and their classes.

        Args:
            search: The game.

        Returns:
            The states.
        """
        public, tree = search.public, search.tree
        deepest = int(acting_depth(public).max(initial=0))
        levels = [(0,), *(leaves_below(public, (0,), k) for k in range(1, deepest + 1))]
        subgames = [Subgames.below(search, nodes) for nodes in levels if nodes]
        names = _names(subgames, 0), _names(subgames, 1)
        class_of = np.full(len(public), -1, dtype=np.int64)
        known: dict[bytes, int] = {}
        spread: list[tuple[float, float]] = []
        held: list[tuple[Int64Array, Int64Array]] = []
        stake: list[float] = []
        half = search.game.total / 2.0
        unit = float(np.abs(tree.walk.payoff[:, 0] - half).max()) or 1.0
        blocks = _Blocks.of(search)
        for level in subgames:
            hands = [_indices(level, player, names[player]) for player in range(2)]
            for number, node in enumerate(level.nodes):
                here = np.flatnonzero(level.root == number)
                own = [hands[p].name[level.hands[p].of_start[here]] for p in range(2)]
                order = np.lexsort((own[1], own[0]))
                here = here[order]
                text, payoff = blocks.read(level, here, own[0][order], own[1][order])
                class_of[node] = known.setdefault(text, len(known))
                if class_of[node] == len(spread):
                    won = payoff - half
                    spread.append((float(won.min()) / unit, float(won.max()) / unit))
                    stake.append(_stake(np.abs(won) / unit))
                    held.append((np.unique(own[0]), np.unique(own[1])))
        wide = [len(each) for each in names]
        mask = np.zeros((len(held), sum(wide)), dtype=np.bool_)
        for row, (first, second) in zip(mask, held, strict=True):
            row[first] = row[wide[0] + second] = True
        return cls(
            search=search,
            nodes=tuple(np.flatnonzero(class_of >= 0).tolist()),
            class_of=class_of,
            names=names,
            spread=np.array(spread),
            held=mask,
            stake=np.array(stake),
            unit=unit,
        )

    def __repr__(self) -> str:
        return brief_repr(self)

    @property
    def num_classes(self) -> int:
        """C, how many classes there are."""
        return len(self.spread)

    @property
    def num_hands(self) -> tuple[int, int]:
        """How many names each player's hands have."""
        return len(self.names[0]), len(self.names[1])

    @property
    def num_inputs(self) -> int:
        """How many numbers a network is given: both ranges, two payoffs, and a class."""
        return sum(self.num_hands) + 2 + self.num_classes

    @cached_property
    def representatives(self) -> Int64Array:
        """int64[C], the first public node of each class."""
        nodes = np.array(self.nodes, dtype=np.int64)
        _, first = np.unique(self.class_of[nodes], return_index=True)
        return nodes[first]

    def hands_at(self, level: Subgames) -> tuple[LevelHands, LevelHands]:
        """The hands at the roots of subgames, by their names.

        Args:
            level: The subgames; their roots are states of this object.
        """
        return _indices(level, 0, self.names[0]), _indices(level, 1, self.names[1])

    def inputs(self, classes: Int64Array, ranges: FloatArray) -> Float32Array:
        """What a network is given.

        Args:
            classes: int64[n].
            ranges: float[n, H0 + H1], ranges of both players that add up to 1 each, by name.

        Returns:
            float32[n, num_inputs].
        """
        rows = np.zeros((len(classes), self.num_inputs), dtype=np.float32)
        hands = sum(self.num_hands)
        rows[:, :hands] = ranges
        rows[:, hands : hands + 2] = self.spread[classes]
        rows[np.arange(len(classes)), hands + 2 + classes] = 1.0
        return rows


def pair_chances(level: Subgames) -> FloatArray:
    """The largest probability with which chance brings a pair of hands to each root.

    Args:
        level: The subgames.

    Returns:
        float64[G].
    """
    first, second = level.hands
    number = first.of_start * len(second) + second.of_start
    pairs, at = np.unique(number, return_inverse=True)
    chance = np.bincount(at.reshape(-1), level.chance)
    largest = np.zeros(len(level))
    np.maximum.at(largest, first.root[pairs // len(second)], chance)
    return largest


_PLACE: Final = "#"
"""Before the numbers of hands that have no names, or too many."""


def _labels(level: Subgames, player: int) -> list[str]:
    """What the hands of a player are called at each root; no name occurs twice at one."""
    hands = level.hands[player]
    counts: dict[tuple[int, str], int] = {}
    labels = []
    for root, label in zip(hands.root.tolist(), hands.labels, strict=True):
        name = label.partition("#")[0]  # behind it stands the number of the hand in `level`
        again = counts[root, name] = counts.get((root, name), 0) + 1
        labels.append(f"{name}#{again}" if again > 1 else name)
    return labels


def _names(levels: Sequence[Subgames], player: int) -> tuple[str, ...]:
    """The names of a player's hands; their places where names go by the line of play."""
    names = dict.fromkeys(label for level in levels for label in _labels(level, player))
    most = max(int(np.bincount(level.hands[player].root).max()) for level in levels)
    if len(names) > 2 * most:
        return tuple(f"{_PLACE}{place}" for place in range(most))
    return tuple(names)


def _indices(level: Subgames, player: int, names: Sequence[str]) -> LevelHands:
    """The hands of a player by name."""
    hands = level.hands[player]
    if names[0].startswith(_PLACE):
        first = np.searchsorted(hands.root, hands.root)
        return LevelHands(np.arange(len(hands)) - first, hands.root)
    number = {name: k for k, name in enumerate(names)}
    index = [number[label] for label in _labels(level, player)]
    return LevelHands(np.array(index, dtype=np.int64), hands.root)


def _stake(won: FloatArray) -> float:
    """The least that is won or lost, apart from nothing and what is tiny."""
    return float(won[won >= _LEAST_STAKE].min(initial=1.0))


class _Blocks(NamedTuple):
    """The histories of the whole game in preorder, in which all below one stand together."""

    size: Int64Array
    degree: Int64Array
    infoset: Int64Array
    owner: Int64Array
    terminal: Int64Array
    """int64[N + 1], how many terminal histories stand before each."""
    outcome: Int64Array
    """int64[N + 1], how many outcomes of chance stand before each."""
    payoff: FloatArray
    chance: FloatArray

    @classmethod
    def of(cls, search: SearchGame) -> _Blocks:
        walk, tree = search.tree.walk, search.tree
        count = len(walk.parent)
        size = np.ones(count, dtype=np.int64)
        for node in range(count - 1, 0, -1):
            size[walk.parent[node]] += size[node]
        infoset = walk.infoset.astype(np.int64)
        inner = infoset >= 0
        owner = np.full(count, -1, dtype=np.int64)
        owner[inner] = tree.infoset_player[tree.public_of_walk[infoset[inner]]]
        before = np.zeros((2, count + 1), dtype=np.int64)
        before[0, 1:] = np.cumsum(infoset == TERMINAL_MARK)
        outcomes = np.zeros(count, dtype=np.int64)
        outcomes[infoset == CHANCE_MARK] = walk.chance_count
        before[1, 1:] = np.cumsum(outcomes)
        return cls(
            size=size,
            degree=np.bincount(walk.parent[1:], minlength=count),
            infoset=infoset,
            owner=owner,
            terminal=before[0],
            outcome=before[1],
            payoff=np.round(walk.payoff[:, 0], _DIGITS) + 0.0,  # no -0.0
            chance=np.round(walk.chance_probability, _DIGITS),
        )

    def read(
        self, level: Subgames, starts: Int64Array, first: Int64Array, second: Int64Array
    ) -> tuple[bytes, FloatArray]:
        """All that may follow on a root as a hash, and the payoffs of seat 0 there."""
        node = level.search.public.levels.node[level.start[starts]]
        ends = node + self.size[node]
        spans = list(zip(node.tolist(), ends.tolist(), strict=True))
        chance = level.chance[starts]
        parts = [first, second, np.round(chance / chance.max(), _DIGITS)]
        for column in (self.degree, self.owner):
            parts += [column[low:high] for low, high in spans]
        infoset = np.concatenate([self.infoset[low:high] for low, high in spans])
        _, at, number = np.unique(infoset, return_index=True, return_inverse=True)
        rank = np.empty_like(at)
        rank[np.argsort(at)] = np.arange(len(at))
        parts.append(rank[number.reshape(-1)])
        earned = [self.payoff[self.terminal[low] : self.terminal[high]] for low, high in spans]
        payoff = np.concatenate(earned)
        parts.append(payoff)
        parts += [self.chance[self.outcome[low] : self.outcome[high]] for low, high in spans]
        text = hashlib.blake2b(digest_size=16)
        for part in parts:
            text.update(len(part).to_bytes(8, "little") + np.ascontiguousarray(part).tobytes())
        return text.digest(), payoff
