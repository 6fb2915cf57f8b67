"""Strategies as tables for people: Kuhn as the textbooks print it, matrix games, all others."""

from __future__ import annotations

from collections.abc import Sequence

from equilibrist.cli.text.kuhn_text import is_kuhn, show_kuhn
from equilibrist.cli.text.output import first_left, heading, show, show_table
from equilibrist.formatting.amounts import probability_text
from equilibrist.library.strategy_table import StrategyTable

DEFAULT_ROWS = 40
"""Rows of a strategy shown unless the user asks for more."""
MAX_COLUMNS = 6
"""Games with more actions than this are printed as pairs, not in columns."""


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
    for number, player in enumerate(sorted({p for p in table.players if p is not None})):
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
        row = [table.shown(i)]
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
    """All actions of these infosets; each infoset's in its own order, where that is possible.

    Infosets that share no action, nor are linked by others that do, have columns side by side.
    """
    sets = list(dict.fromkeys(map(tuple, label_sets)))
    last: dict[str, int] = {}
    before: dict[str, set[str]] = {}
    for labels in sets:
        for position, label in enumerate(labels):
            last[label] = max(position, last.get(label, 0))
            before.setdefault(label, set()).update(labels[:position])
    if len(last) > MAX_COLUMNS:  # too many for columns
        return list(last)
    return [label for group in _linked(sets) for label in _in_order(group, last, before)]


def _linked(sets: Sequence[Sequence[str]]) -> list[list[str]]:
    """The labels in groups that share none, as they first occur."""
    groups: list[dict[str, None]] = []
    for labels in sets:
        own = dict.fromkeys(labels)
        touched = [group for group in groups if not group.keys().isdisjoint(own)]
        merged = {label: None for group in touched for label in group} | own
        place = groups.index(touched[0]) if touched else len(groups)
        groups = [group for group in groups if all(group is not old for old in touched)]
        groups.insert(place, merged)
    return [list(group) for group in groups]


def _in_order(labels: list[str], last: dict[str, int], before: dict[str, set[str]]) -> list[str]:
    """Labels by their last position in any infoset, but none before those that precede it."""
    waiting, ordered = sorted(labels, key=lambda label: last[label]), list[str]()
    while waiting:
        free = (label for label in waiting if before[label].isdisjoint({*waiting} - {label}))
        label = next(free, waiting[0])  # of a circle whichever comes first
        waiting.remove(label)
        ordered.append(label)
    return ordered


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
