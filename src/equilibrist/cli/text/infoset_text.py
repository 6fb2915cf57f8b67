"""Single infosets with all that is known about them, for people and as JSON."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from equilibrist.cli.text.output import heading, show, show_table
from equilibrist.cli.text.strategy_text import show_infosets
from equilibrist.formatting.amounts import measure_text, probability_text, value_text
from equilibrist.library.strategy_table import StrategyTable

if TYPE_CHECKING:
    from equilibrist.evaluation.infosets import InfosetValues
    from equilibrist.rules.named_rows import NamedRows


def show_each(table: StrategyTable, infosets: Sequence[int], values: InfosetValues | None) -> None:
    """Print a block per infoset: reach, value, and every action with probability and value."""
    for number, i in enumerate(infosets):
        if number:
            show()
        player = table.players[i]
        whose = table.game if player is None else f"player {player} of {table.game}"
        key, shown = table.keys[i], table.shown(i)
        heading(f"{shown}  ({whose}{'' if shown == key else f', key {key}'})")
        if table.abstract is not None:
            name, size = table.abstract[i]
            show(f"  abstract infoset {name}, which stands for {size} infoset{'s' * (size != 1)}")
        if table.translated is not None:
            taken, left_out = table.translated[i]
            named = {table.names.get(key, key): weight for key, weight in taken.items()}
            _show_translated(table.shown(i), named, left_out)
        if values is None:
            rows = zip(table.labels[i], map(probability_text, table.row(i)), strict=True)
            show_table(["action", "probability"], [list(row) for row in rows])
            continue
        _show_measured(table, i, values)


def _show_translated(key: str, taken: dict[str, float], left_out: tuple[str, ...]) -> None:
    if left_out:
        show(f"  solved without {', '.join(left_out)}")
    if not taken:
        show("  own play with these actions never leads here")
    elif list(taken) != [key]:
        weights = ", ".join(f"{name} with weight {weight:.4g}" for name, weight in taken.items())
        show(f"  taken for {weights}")


def _show_measured(table: StrategyTable, i: int, values: InfosetValues) -> None:
    count = int(values.histories[i])
    show(
        f"  {count} histor{'y' if count == 1 else 'ies'}, "
        f"reach {measure_text(float(values.reach[i]))}, "
        f"counterfactual reach {measure_text(float(values.counterfactual_reach[i]))}"
    )
    actions = slice(table.offset[i], table.offset[i + 1])
    expected = values.expected_actions(i, actions)
    counterfactual, cf_value = values.cf_action_value[actions].tolist(), float(values.cf_value[i])
    player = table.players[i]
    assert player is not None  # a strategy with values has its tree
    units = values.units
    rows = [
        [
            label,
            probability_text(probability),
            "unreached"
            if expected is None
            else value_text(expected[a], units.payoff(player, expected[a])),
            value_text(counterfactual[a], units.gain(player, counterfactual[a])),
        ]
        for a, (label, probability) in enumerate(zip(table.labels[i], table.row(i), strict=True))
    ]
    whole = values.expected(i)
    rows.append(
        [
            "as played",
            "",
            "unreached" if whole is None else value_text(whole, units.payoff(player, whole)),
            value_text(cf_value, units.gain(player, cf_value)),
        ]
    )
    show_table(["action", "probability", "value", "cf value"], rows)


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
