"""StrategyTable: a strategy with the names that tables of it need, from whatever it comes.

A `Choice` picks infosets of it, and `infoset_documents` writes them as plain data.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import accumulate
from typing import TYPE_CHECKING, Any

from equilibrist.errors import ConfigError, UnknownNameError
from equilibrist.parsing.key_patterns import key_pattern
from equilibrist.tree.shown_names import key_of_shown, shown_names

if TYPE_CHECKING:
    from equilibrist.evaluation.infosets import InfosetValues
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
    left out there; None where none were. `names` has what people read for keys that are called
    otherwise, such as Jpb for the 1pb of Kuhn poker.
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
    names: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, strategy: Strategy, reach: FloatArray | None = None) -> StrategyTable:
        """The table of a `Strategy`."""
        tree = strategy.tree
        return cls(
            game=tree.name,
            num_players=tree.num_players,
            keys=tree.infoset_keys,
            players=tree.infoset_player.tolist(),
            labels=tree.action_labels,
            offset=tree.action_offset.tolist(),
            probabilities=strategy.probabilities.tolist(),
            reach=reach,
            names=shown_names(tree.game),
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
        """Narrow the table to some infosets, in their order."""
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
        """Add what was left out of the game when the strategy was found."""
        is_kept, keys = actions.kept.tolist(), self.keys
        translated = []
        for i, labels in enumerate(self.labels):
            stays = is_kept[self.offset[i] : self.offset[i + 1]]
            left_out = tuple(label for label, k in zip(labels, stays, strict=True) if not k)
            taken = {keys[j]: weight for j, weight in actions.taken_for(i).items()}
            translated.append((taken, left_out))
        return replace(self, translated=translated)

    def shown(self, infoset: int) -> str:
        """What people read for the key of one infoset."""
        return self.names.get(self.keys[infoset], self.keys[infoset])

    def row(self, infoset: int) -> Sequence[float]:
        """The probabilities of one infoset."""
        return self.probabilities[self.offset[infoset] : self.offset[infoset + 1]]


@dataclass(frozen=True)
class Choice:
    """Which infosets are wanted: by key, by a glob or a regular expression, or of one player.

    Keys and patterns may be of what is shown for keys.
    """

    keys: tuple[str, ...]
    match: str | None
    regex: str | None
    player: int | None

    @property
    def is_everything(self) -> bool:
        """Whether nothing was chosen."""
        return not self.keys and (self.match, self.regex, self.player) == (None, None, None)

    def of(self, table: StrategyTable) -> list[int]:
        """Public numbers of the chosen infosets; UnknownNameError for a key there is not."""
        chosen: Sequence[int] = range(len(table.keys))
        if self.keys:
            number_of_key = {key: i for i, key in enumerate(table.keys)}
            keys = [key_of_shown(table.names, key) for key in self.keys]
            for key in keys:
                if key not in number_of_key:
                    kind = f"infoset of {table.game}"
                    known = list(table.keys)[:5000]
                    shown = [table.names[name] for name in known if name in table.names]
                    raise UnknownNameError(kind, key, [*known, *shown], option="infoset")
            chosen = [number_of_key[key] for key in keys]
        if self.player is not None:
            self._check_player(table.game, table.num_players)
            chosen = [i for i in chosen if table.players[i] == self.player]
        return [i for i in chosen if self._fits(table.keys[i]) or self._fits(table.shown(i))]

    def of_rows(self, rows: NamedRows) -> Sequence[int]:
        """Choose rows of a strategy without a tree, by everything but keys."""
        chosen: Sequence[int] = range(len(rows))
        if self.player is not None:
            if rows.players is None:
                raise ConfigError(
                    f"packed keys of {rows.game} do not tell which player acts",
                    option="player",
                    given=self.player,
                    remedy="leave out `player`, or give rules with unpack()",
                )
            self._check_player(rows.game, int(rows.players.max(initial=-1)) + 1)
            chosen = rows.of_player(self.player)
        if self.match is None and self.regex is None:
            return chosen
        return [i for i in chosen if self._fits(rows.name(i))]

    def rows_by_key(self, rows: NamedRows) -> StrategyTable:
        """The infosets with the chosen keys, uniform play where they have no row."""
        strategies = [rows.behaviour(key) for key in self.keys]
        return StrategyTable(
            rows.game,
            0,
            self.keys,
            [rows.player(key) for key in self.keys],
            [tuple(strategy) for strategy in strategies],
            [0, *accumulate(map(len, strategies))],
            [x for strategy in strategies for x in strategy.values()],
        )

    def _check_player(self, game: str, num_players: int) -> None:
        assert self.player is not None
        if not 0 <= self.player < num_players:
            raise ConfigError(
                f"player is {self.player}; {game} has players 0 to {num_players - 1}",
                option="player",
                given=self.player,
                expected=f"0 to {num_players - 1}",
            )

    def _fits(self, key: str) -> bool:
        if self.match is not None and self._glob.match(key) is None:
            return False
        return self.regex is None or self._pattern.search(key) is not None

    @cached_property
    def _glob(self) -> re.Pattern[str]:
        return key_pattern(self.match or "*")

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        try:
            return re.compile(self.regex or "")
        except re.error as error:
            raise ConfigError(
                f"regex is {self.regex!r}, which is not a regular expression: {error}",
                option="regex",
                given=self.regex,
                remedy="use `match` with * and ?, or put a backslash before special characters",
            ) from None


def infoset_documents(
    table: StrategyTable, infosets: Sequence[int], values: InfosetValues | None
) -> list[dict[str, Any]]:
    """All that is known about single infosets as plain data; what is not known is null."""
    return [_document(table, i, values) for i in infosets]


def _document(table: StrategyTable, i: int, values: InfosetValues | None) -> dict[str, Any]:
    labels = table.labels[i]
    document: dict[str, Any] = {
        "infoset": table.keys[i],
        "player": table.players[i],
        "abstract_infoset": None if table.abstract is None else table.abstract[i][0],
        "taken_for": None if table.translated is None else table.translated[i][0],
        "left_out": None if table.translated is None else list(table.translated[i][1]),
        "strategy": dict(zip(labels, table.row(i), strict=True)),
        "histories": None,
        "reach": None,
        "counterfactual_reach": None,
        "value": None,
        "cf_value": None,
        "cf_action_values": None,
    }
    if values is not None:
        actions = values.cf_action_value[table.offset[i] : table.offset[i + 1]].tolist()
        document |= {
            "histories": int(values.histories[i]),
            "reach": float(values.reach[i]),
            "counterfactual_reach": float(values.counterfactual_reach[i]),
            "value": values.expected(i),
            "cf_value": float(values.cf_value[i]),
            "cf_action_values": dict(zip(labels, actions, strict=True)),
        }
    return document
