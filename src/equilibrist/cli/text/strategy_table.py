"""StrategyTable: a strategy with the names that tables of it need, from whatever it comes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from equilibrist.results import StoredStrategy
    from equilibrist.results.stored_actions import StoredActions
    from equilibrist.rules.named_rows import NamedRows
    from equilibrist.strategy import Strategy
    from equilibrist.typing import FloatArray


@dataclass(frozen=True)
class StrategyTable:
    """A strategy of all players as the tables need it; infosets in public order.

    `offset`, length I + 1, says where the probabilities of each infoset begin. `reach`, if
    known, is the probability that play under this strategy comes through each infoset. A player
    may have no infoset at all. A player is None where nobody knows who acts. `abstract` are the
    abstract infosets of each, and how many infosets these stand for; None without an abstraction.
    `translated` says of each for which infosets it is taken, with weights, and which actions were
    left out there; None where none were.
    """

    game: str
    num_players: int
    keys: Sequence[str]
    players: Sequence[int | None]
    labels: Sequence[Sequence[str]]
    offset: Sequence[int]
    probabilities: Sequence[float]
    reach: FloatArray | None = None
    abstract: Sequence[tuple[str, int]] | None = None
    translated: Sequence[tuple[dict[str, float], tuple[str, ...]]] | None = None

    @classmethod
    def of(cls, strategy: Strategy, reach: FloatArray | None = None) -> StrategyTable:
        """The table of a `Strategy`."""
        tree = strategy.tree
        return cls(
            tree.name,
            tree.num_players,
            tree.infoset_keys,
            tree.infoset_player.tolist(),
            tree.action_labels,
            tree.action_offset.tolist(),
            strategy.probabilities.tolist(),
            reach,
        )

    @classmethod
    def of_stored(cls, stored: StoredStrategy) -> StrategyTable:
        """The table of a `StoredStrategy`, which needs no rules."""
        return cls(
            stored.game,
            stored.num_players,
            stored.keys,
            stored.players.tolist(),
            stored.labels,
            stored.offset.tolist(),
            stored.probabilities.tolist(),
        )

    @classmethod
    def of_rows(cls, rows: NamedRows, chosen: Sequence[int]) -> StrategyTable:
        """The table of some rows of a strategy that was found without a tree."""
        piece = rows.piece(chosen)
        return cls(
            rows.game,
            0,
            piece.keys,
            [None] * len(piece.keys) if piece.players is None else piece.players,
            piece.labels,
            [0, *accumulate(len(labels) for labels in piece.labels)],
            piece.probabilities,
        )

    def narrowed(self, infosets: Sequence[int]) -> StrategyTable:
        """Only these infosets, in this order."""
        rows = [self.row(i) for i in infosets]
        return replace(
            self,
            keys=[self.keys[i] for i in infosets],
            players=[self.players[i] for i in infosets],
            labels=[self.labels[i] for i in infosets],
            offset=[0, *accumulate(len(row) for row in rows)],
            probabilities=[x for row in rows for x in row],
            reach=None if self.reach is None else self.reach[list(infosets)],
            abstract=None if self.abstract is None else [self.abstract[i] for i in infosets],
            translated=None if self.translated is None else [self.translated[i] for i in infosets],
        )

    def with_actions(self, actions: StoredActions) -> StrategyTable:
        """The same, with what was left out of the game when the strategy was found."""
        kept, keys = actions.kept.tolist(), self.keys
        found = []
        for i, labels in enumerate(self.labels):
            stays = kept[self.offset[i] : self.offset[i + 1]]
            left_out = tuple(label for label, k in zip(labels, stays, strict=True) if not k)
            taken = {keys[j]: weight for j, weight in actions.taken_for(i).items()}
            found.append((taken, left_out))
        return replace(self, translated=found)

    def row(self, infoset: int) -> Sequence[float]:
        """The probabilities of one infoset."""
        return self.probabilities[self.offset[infoset] : self.offset[infoset + 1]]
