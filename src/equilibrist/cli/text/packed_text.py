"""Strategies that were found without a tree, as tables for people: their first infosets."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from equilibrist.cli.text.output import heading, show
from equilibrist.cli.text.strategy_table import StrategyTable
from equilibrist.cli.text.strategy_text import show_infosets

if TYPE_CHECKING:
    from equilibrist.rules.named_rows import NamedRows


def show_rows(rows: NamedRows, chosen: Sequence[int], limit: int | None, see_all: str) -> None:
    """Print the chosen rows in tables by player, of each player the first of them.

    At most `limit` are shown in all; `see_all` tells the user how to get at the others.
    """
    groups: dict[int | None, list[int]] = {}
    if rows.players is None:
        groups[None] = list(chosen)
    else:
        owners = rows.players.tolist()
        for i in chosen:
            groups.setdefault(owners[i], []).append(i)
    for number, player in enumerate(sorted(groups, key=lambda p: -1 if p is None else p)):
        own = groups[player]
        shown = own if limit is None else own[: max(1, limit // len(groups))]
        if number:
            show()
        title = "Infosets" if player is None else f"Player {player}"
        if len(shown) < len(own):
            title += f": the first {len(shown)} of {len(own):,}"
            title += " infosets" * (player is not None)
        heading(title)
        show_infosets(StrategyTable.of_rows(rows, shown), range(len(shown)))
    if limit is not None and len(chosen) > limit and see_all:
        show()
        show(f"All {len(chosen):,} infosets: {see_all}")
