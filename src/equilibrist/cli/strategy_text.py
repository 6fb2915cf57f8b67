"""Strategies as tables for people: Kuhn as the textbooks print it, matrix games, all others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from typing import TYPE_CHECKING

from equilibrist.cli.kuhn_text import is_kuhn, show_kuhn
from equilibrist.cli.output import first_left, heading, show, show_table
from equilibrist.cli.quantities import probability_text

if TYPE_CHECKING:
    from equilibrist.solution import Solution
    from equilibrist.strategy import Strategy
    from equilibrist.typing import FloatArray

DEFAULT_ROWS = 40
"""Rows of a strategy shown unless the user asks for more."""
MAX_COLUMNS = 6
"""Games with more actions than this are printed as pairs, not in columns."""


@dataclass(frozen=True)
class StrategyTable:
    """A strategy of all players as the tables need it; infosets in public order.

    `offset`, length I + 1, says where the probabilities of each infoset begin. `reach`, if
    known, is the probability that play under this strategy comes through each infoset.
    """

    game: str
    keys: Sequence[str]
    players: Sequence[int]
    labels: Sequence[Sequence[str]]
    offset: Sequence[int]
    probabilities: Sequence[float]
    reach: FloatArray | None = None

    @classmethod
    def of(cls, strategy: Strategy, reach: FloatArray | None = None) -> StrategyTable:
        """The table of a `Strategy`."""
        tree = strategy.tree
        return cls(
            tree.name,
            tree.infoset_keys,
            tree.infoset_player.tolist(),
            tree.action_labels,
            tree.action_offset.tolist(),
            strategy.probabilities.tolist(),
            reach,
        )

    @classmethod
    def of_solution(cls, solution: Solution) -> StrategyTable:
        """The table of a `Solution`, which needs no rules."""
        offset = [0, *accumulate(len(labels) for labels in solution.action_labels)]
        return cls(
            solution.game,
            solution.infoset_keys,
            solution.infoset_player.tolist(),
            solution.action_labels,
            offset,
            solution.probabilities.tolist(),
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
        )

    @property
    def num_players(self) -> int:
        """Players that have an infoset, counted from 0."""
        return max(self.players, default=-1) + 1

    def row(self, infoset: int) -> Sequence[float]:
        """The probabilities of one infoset."""
        return self.probabilities[self.offset[infoset] : self.offset[infoset + 1]]


def show_strategy(
    table: StrategyTable,
    *,
    limit: int | None = DEFAULT_ROWS,
    see_all: str = "",
    whole: bool = True,
) -> None:
    """Print the strategy to standard output, in the game's own layout if it is `whole`.

    Of large games at most `limit` infosets are shown, the most reached ones where `reach` is
    known, else the first; `see_all` tells the user how to get at the others.
    """
    if whole and is_kuhn(table):
        show_kuhn(table)
    elif whole and len(table.keys) == table.num_players == len(set(table.players)):
        _show_one_row_per_player(table)
    else:
        _show_players(table, limit, see_all)


def _show_one_row_per_player(table: StrategyTable) -> None:
    """A matrix game: who plays what, in columns where all have the same actions."""
    names = [f"player {p} ({key})" for p, key in zip(table.players, table.keys, strict=True)]
    if len({tuple(labels) for labels in table.labels}) == 1:
        rows = [
            [name, *(probability_text(x) for x in table.row(i))] for i, name in enumerate(names)
        ]
        show_table(["", *table.labels[0]], rows)
        return
    for i, name in enumerate(names):
        show_table(
            [name, "probability"],
            [
                [label, probability_text(x)]
                for label, x in zip(table.labels[i], table.row(i), strict=True)
            ],
        )


def _show_players(table: StrategyTable, limit: int | None, see_all: str) -> None:
    chosen = _chosen(table, limit)
    for number, player in enumerate(sorted(set(table.players))):
        own = [i for i in chosen if table.players[i] == player]
        total = sum(p == player for p in table.players)
        if number:
            show()
        title = f"Player {player}"
        if len(own) < total:
            kind = "most reached" if table.reach is not None else "first"
            title += f": the {len(own)} {kind} of {total:,} infosets"
        heading(title)
        show_infosets(table, own)
    if len(chosen) < len(table.keys) and see_all:
        show()
        show(f"All {len(table.keys):,} infosets: {see_all}")


def show_infosets(table: StrategyTable, infosets: Sequence[int]) -> None:
    """Print one line per infoset: its key, its reach if known, its probabilities."""
    actions = _columns([table.labels[i] for i in infosets])
    columns = ["infoset", *(["reach"] if table.reach is not None else [])]
    rows = []
    for i in infosets:
        row = [table.keys[i]]
        if table.reach is not None:
            row.append(probability_text(float(table.reach[i])))
        if len(actions) <= MAX_COLUMNS:
            cells = dict(zip(table.labels[i], map(probability_text, table.row(i)), strict=True))
            row += [cells.get(action, "") for action in actions]
        else:
            row.append(_pairs(table.labels[i], table.row(i)))
        rows.append(row)
    if len(actions) <= MAX_COLUMNS:
        show_table([*columns, *actions], rows)
    else:
        show_table([*columns, "strategy"], rows, [*first_left(len(columns)), "left"])


def _columns(label_sets: Sequence[Sequence[str]]) -> list[str]:
    """All actions of these infosets, in an order that fits those with the most actions."""
    last: dict[str, int] = {}
    for labels in label_sets:
        for position, label in enumerate(labels):
            last[label] = max(position, last.get(label, 0))
    return sorted(last, key=lambda label: last[label])


def _pairs(labels: Sequence[str], row: Sequence[float]) -> str:
    """`call 0.7123  raise 0.2877`; of many actions only those that are played."""
    pairs = list(zip(labels, row, strict=True))
    shown = pairs if len(pairs) <= MAX_COLUMNS else [p for p in pairs if p[1] >= 0.00005]
    text = "  ".join(f"{label} {probability_text(x)}" for label, x in shown)
    return text if len(shown) == len(pairs) else text + "  (others 0)"


def _chosen(table: StrategyTable, limit: int | None) -> list[int]:
    """Infosets to show, in public order: per player an equal share of `limit`."""
    if limit is None or len(table.keys) <= limit:
        return list(range(len(table.keys)))
    owners = set(table.players)
    share = max(1, limit // len(owners))
    chosen: list[int] = []
    for player in owners:
        own = [i for i, p in enumerate(table.players) if p == player]
        if table.reach is not None:
            reach = table.reach
            own = sorted(own, key=lambda i: -float(reach[i]))
        chosen += own[:share]
    return sorted(chosen)
