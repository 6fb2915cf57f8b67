"""What players remember of their own past in a merged game, by the standard classes.

A player's own sequence at a history are the infosets they have been at, and what they did there.
*Perfect recall*: all histories of an infoset have one own sequence. *A-loss recall*: where two
differ, they differ in an action at an infoset that both contain: only own actions are forgotten
(Mamoru Kaneko and J. Jude Kline, "Behavior strategies, mixed strategies and perfect recall",
International Journal of Game Theory 24, 1995). *Imperfect recall*: something else is forgotten,
too. *Absent-mindedness*: an infoset comes twice on one path (Michele Piccione and Ariel Rubinstein,
"On the interpretation of decision problems with imperfect recall", Games and Economic Behavior 20,
1997).
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import Final, Literal, TypeAlias

import numpy as np

from equilibrist.abstraction.abstraction import Abstraction
from equilibrist.tree.compile import GameTree, checked_tree
from equilibrist.tree.levels import Levels
from equilibrist.typing import Int64Array

RecallKind: TypeAlias = Literal["perfect", "A-loss", "imperfect", "absent-minded"]
KINDS: Final[tuple[RecallKind, ...]] = ("perfect", "A-loss", "imperfect", "absent-minded")
"""From the strongest to the weakest."""
_WORDS: Final[dict[str, str]] = {
    "perfect": "perfect recall",
    "A-loss": "A-loss recall (own actions are forgotten, nothing else)",
    "imperfect": "imperfect recall (what was known is forgotten)",
    "absent-minded": "absent-mindedness (an infoset comes twice on one path)",
}
_MOST_PAIRS: Final = 200_000
"""Pairs of own sequences that are compared; beyond them recall counts as imperfect."""


@dataclass(frozen=True)
class Recall:
    """The recall of one player.

    Attributes:
        player: The player.
        kind: `perfect`, `A-loss`, `imperfect` or `absent-minded`.
        infoset: The key of an infoset that shows it; None with perfect recall.
        pasts: Two own pasts that lead there, each (infoset, action) pairs; empty with perfect
            recall.
    """

    player: int
    kind: RecallKind
    infoset: str | None = None
    pasts: tuple[tuple[tuple[str, str], ...], ...] = ()

    @property
    def words(self) -> str:
        """The class in words."""
        return _WORDS[self.kind]


def classify_recall(game: GameTree | Abstraction) -> tuple[Recall, ...]:
    """Classify what each player remembers of their own past.

    Args:
        game: A compiled game, or an abstraction, whose merged game is meant.

    Returns:
        One `Recall` per player.

    Raises:
        ConfigError: That is neither.
    """
    if isinstance(game, Abstraction):
        tree, abstraction = game.tree, game
    else:
        tree, abstraction = checked_tree(game), Abstraction.identity(checked_tree(game))
    levels = Levels.of(tree)
    return tuple(_Pasts(abstraction, levels, p).classify() for p in range(tree.num_players))


def weakest(recalls: tuple[Recall, ...]) -> Recall:
    """The player who remembers least; the first of equals."""
    return max(recalls, key=lambda recall: KINDS.index(recall.kind))


class _Pasts:
    """The distinct own sequences of one player, numbered, and those of each abstract infoset."""

    def __init__(self, abstraction: Abstraction, levels: Levels, player: int) -> None:
        self.abstraction = abstraction
        self.player = player
        self.above: list[int] = [-1]
        self.action: list[int] = [-1]
        own = abstraction.tree.infoset_player == player
        infoset = levels.infoset
        decides = infoset >= 0
        decides[decides] = own[infoset[decides]]
        past = self._pasts(levels, decides)
        nodes = np.flatnonzero(decides)
        pairs = np.stack((abstraction.abstract_of[infoset[nodes]], past[nodes]))
        self.met: dict[int, list[int]] = {}
        for k, met_past in np.unique(pairs, axis=1).T.tolist():
            self.met.setdefault(k, []).append(met_past)

    def _pasts(self, levels: Levels, decides: np.ndarray) -> Int64Array:
        """int64[N]: the number of the player's own sequence at each history."""
        past = np.zeros(len(levels.node), dtype=np.int64)
        known: dict[tuple[int, int], int] = {}
        for low, high in levels.ranges:
            parent = levels.parent[low:high]
            past[low:high] = past[parent]
            moved = np.flatnonzero(decides[parent]) + low
            if not len(moved):
                continue
            action = self.abstraction.action_of[levels.sequence[moved]]
            pairs, place = np.unique(np.stack((past[moved], action)), axis=1, return_inverse=True)
            numbers = [self._number(known, a, b) for a, b in pairs.T.tolist()]
            past[moved] = np.array(numbers, dtype=np.int64)[place.reshape(-1)]
        return past

    def _number(self, known: dict[tuple[int, int], int], above: int, action: int) -> int:
        number = known.get((above, action))
        if number is None:
            number = known[above, action] = len(self.above)
            self.above.append(above)
            self.action.append(action)
        return number

    def path(self, past: int) -> list[int]:
        """The flat abstract actions of an own sequence, the last one first."""
        actions = []
        while past > 0:
            actions.append(self.action[past])
            past = self.above[past]
        return actions

    def infoset_of(self, action: int) -> int:
        """The abstract infoset of a flat abstract action."""
        return int(np.searchsorted(self.abstraction.action_offset, action, side="right")) - 1

    def classify(self) -> Recall:
        """The weakest class that some infoset shows."""
        for k, pasts in self.met.items():
            for past in pasts:
                if any(self.infoset_of(action) == k for action in self.path(past)):
                    return self._recall("absent-minded", k, (past,))
        worst: Recall | None = None
        left = _MOST_PAIRS
        for k, pasts in self.met.items():
            if len(pasts) == 1:
                continue
            worst = worst or self._recall("A-loss", k, tuple(pasts[:2]))
            for first, second in combinations(pasts, 2):
                left -= 1
                if left < 0 or not self._differ_in_an_action(first, second):
                    return self._recall("imperfect", k, (first, second))
        return worst or Recall(self.player, "perfect")

    def _differ_in_an_action(self, first: int, second: int) -> bool:
        mine = {self.infoset_of(action): action for action in self.path(first)}
        pairs = ((self.infoset_of(action), action) for action in self.path(second))
        return any(mine.get(infoset, action) != action for infoset, action in pairs)

    def _recall(self, kind: RecallKind, infoset: int, pasts: tuple[int, ...]) -> Recall:
        named = tuple(tuple(self._named(a) for a in reversed(self.path(p))) for p in pasts)
        return Recall(self.player, kind, self.abstraction.keys[infoset], named)

    def _named(self, action: int) -> tuple[str, str]:
        infoset = self.infoset_of(action)
        label = action - int(self.abstraction.action_offset[infoset])
        return self.abstraction.keys[infoset], self.abstraction.action_labels[infoset][label]
