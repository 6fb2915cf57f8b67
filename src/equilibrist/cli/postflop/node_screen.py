"""A node of a solved spot on the screen: its summary, its grid, and single hands."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from equilibrist.cli.text.output import (
    heading,
    show,
    show_grid,
    show_table,
    terminal_width,
    wants_colour,
)
from equilibrist.errors import ConfigError
from equilibrist.formatting.amounts import percent

if TYPE_CHECKING:
    from equilibrist.poker.postflop.solution.node import Node
    from equilibrist.typing import FloatArray


def show_node(node: Node, *, by_combos: bool = False) -> None:
    """Print the summary and the grid; where nobody acts the ranges of both players."""
    from equilibrist.poker.decisions import strategy_grid
    from equilibrist.poker.ranges import grid as range_grid

    first, *lines = node.summary(by_combos=by_combos)
    heading(first)
    for line in lines:
        show(line)
    show()
    if node.player is not None:
        classes = node.classes(node.player, by_combos=by_combos)
        if wants_colour(sys.stdout):
            show_grid(strategy_grid.coloured(classes, node.actions, terminal_width()))
        else:
            show_grid(strategy_grid.plain(classes, node.actions))
        return
    for player, seat in enumerate(("OOP", "IP")):
        if player:
            show()
        heading(f"{seat}'s range")
        weights = node.classes(player).weight
        grid = range_grid.coloured if wants_colour(sys.stdout) else range_grid.plain
        show_grid(grid(weights))


def show_hands(node: Node, hands: str, by: str = "class") -> None:
    """Print the figures of hands, given as a range, and those of their actions; raises as `held`.

    `by` is what they are sorted by, see `in_order`.
    """
    from equilibrist.poker.cards.combos import combo_name

    by_player = {
        player: in_order(node, player, combos, by)
        for player, combos in combos_in_range(node, hands).items()
    }
    lines = node.summary()
    heading(lines[0])
    show("\n".join(lines[1 : lines.index("")]))
    for player, combos in by_player.items():
        acts = player == node.player
        actions = [str(action) for action in node.actions] if acts else []
        values, realised = node.values, node.realised(player)
        rows = [
            [
                combo_name(combo),
                f"{values.weight[player, combo]:.4g}",
                percent(values.equity[player, combo], 2),
                node.ev_text(values.ev[player, combo]),
                percent(realised[combo], 1),
                *(percent(row[combo], 1) for row in (values.strategy if acts else ())),
                *(node.ev_text(row[combo]) for row in (values.action_ev if acts else ())),
            ]
            for combo in combos
        ]
        columns = [("OOP", "IP")[player], "weight", "equity", "EV", "EQR", *actions]
        columns += [f"{action} EV" for action in actions]
        show()
        show_table(columns, rows, indent="")


def in_order(node: Node, player: int, combos: list[int], by: str) -> list[int]:
    """A player's hands in order.

    `by` is `class`, the order of the grid from AA on; `weight`, `equity`, `ev` or `eqr`, the
    largest first; or an action of the node, by its code or name: the most frequent first, where
    the player does not act by class. Raises ConfigError for anything else.
    """
    import numpy as np

    figures = _figures(node, player, by)
    order = sorted(combos, key=place_in_grid)
    if figures is None:
        return order
    return sorted(order, key=lambda combo: -float(np.nan_to_num(figures[combo], nan=-np.inf)))


def _figures(node: Node, player: int, by: str) -> FloatArray | None:
    """float64[1326]: what hands are sorted by; None for their class."""
    wanted, values = by.strip().casefold(), node.values
    if wanted == "class":
        return None
    columns = {"weight": values.weight, "equity": values.equity, "ev": values.ev}
    if wanted in columns:
        figures: FloatArray = columns[wanted][player]
        return figures
    if wanted == "eqr":
        return node.realised(player)
    for action, row in zip(node.actions, values.strategy, strict=True):
        if wanted in (action.code.casefold(), str(action).casefold()):
            return row if player == node.player else None
    codes = [action.code for action in node.actions]
    raise ConfigError(
        f"hands cannot be sorted by {by}",
        option="--sort",
        given=by,
        remedy=f"use one of {', '.join(['class', *columns, 'eqr', *codes])}",
    )


def place_in_grid(combo: int) -> tuple[int, int, int, int]:
    """Sorts hands by their higher rank, lower rank, suited first, then by suits from spades."""
    from equilibrist.poker.cards.combos import CLASS_OF_COMBO

    row, column = divmod(int(CLASS_OF_COMBO[combo]), 13)
    return min(row, column), max(row, column), row > column, -combo


def combos_in_range(node: Node, hands: str) -> dict[int, list[int]]:
    """The combos of a range that the players hold at a node.

    Args:
        node: The node.
        hands: A range such as "AA,AKs", or "all".

    Returns:
        Combo numbers by player (0 OOP, 1 IP), the player to act first; players who hold none are
        left out.

    Raises:
        RangeSyntaxError: `hands` is not a range.
        ConfigError: No player holds any of it.
    """
    from equilibrist.poker.cards.cards import parse_board
    from equilibrist.poker.postflop.solution.tree_files.tree_filter import not_held, wanted_hands

    wanted = wanted_hands("100%" if hands.strip().casefold() == "all" else hands)
    combos_by_player: dict[int, list[int]] = {}
    for player in (1, 0) if node.player == 1 else (0, 1):
        combos = [combo for combo in node.combos(player).tolist() if wanted.weights[combo]]
        if combos:
            combos_by_player[player] = combos
    if not combos_by_player:
        raise not_held(hands, node.line, parse_board(node.board))
    return combos_by_player


def with_hands_alone(document: dict[str, Any], node: Node, hands: str) -> dict[str, Any]:
    """The document of a solution with these hands alone; raises as `held`."""
    from equilibrist.poker.cards.combos import combo_name

    first = node.player or 0
    names = {
        p: {combo_name(c) for c in combos} for p, combos in combos_in_range(node, hands).items()
    }
    kept = {
        key: {hand: it for hand, it in document["node"][key].items() if hand in names.get(p, ())}
        for key, p in (("hands", first), ("other_hands", 1 - first))
    }
    return {**document, "node": {**document["node"], **kept}}
