"""Report rows: equities, EVs and frequencies at a node, on one board or on all next cards."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from equilibrist.errors import ConfigError, LineSyntaxError
from equilibrist.formatting.escaping import guard_cell
from equilibrist.parsing.arguments import instance
from equilibrist.poker.betting.actions import line_text
from equilibrist.poker.betting.public_tree import find_node
from equilibrist.poker.betting.state import Phase
from equilibrist.poker.betting.street_tree import ACTION, CHANCE
from equilibrist.poker.cards.cards import NUM_CARDS, card_name
from equilibrist.poker.cards.isomorphism import Deals, fixing, next_deals
from equilibrist.poker.postflop.solution.node import Node
from equilibrist.poker.postflop.solution.result import PostflopResult
from equilibrist.poker.postflop.solution.spot_strategy import follow_line
from equilibrist.poker.postflop.spot.fields import SEATS
from equilibrist.poker.postflop.spot.spot import Spot
from equilibrist.storage.frames import import_pandas

if TYPE_CHECKING:
    import pandas

Row = dict[str, Any]


def report_row(solution: PostflopResult, node: int, runout: tuple[int, ...]) -> Row:
    """The row of a node on a board, with the keys of docs/poker/batch.md.

    `deals` is the reach of the node: the weight of all matchups times the probability of the cards.
    Divided by that of the root it is the `frequency` of a report. An action's EV is that of the
    hands that take it, in chips from the node on; NaN for actions never taken.
    """
    tree, spot = solution.tree, solution.spot
    first, count = int(tree.first_child[node]), int(tree.num_children[node])
    children = range(first, first + count) if tree.kind[node] == ACTION else range(0)
    here, *after = solution.nodes(runout, [node, *children])
    deals = float(here.values.weight[0] @ here.values.matchups[0])
    deals *= spot.runout_probability(len(runout))
    row: Row = {"board": here.board, "line": here.line, "deals": deals, "pot": here.pot}
    for what, pair in here.totals._asdict().items():
        row |= {f"{what}_{seat}": figure for seat, figure in zip(SEATS, pair, strict=True)}
    if here.player is not None:
        row["acts"] = SEATS[here.player]
        paid = tree.paid[:, here.player]
        taken = here.frequency.items()
        for (action, share), child, then in zip(taken, children, after, strict=True):
            row[f"{action} freq"] = share
            more = float(paid[child] - paid[node]) / tree.scale.per_chip
            row[f"{action} ev"] = then.totals.ev[here.player] - more
    return row


def report_line(spot: Spot, line: str) -> str:
    """A line of the first street of a spot as reports write it.

    Args:
        spot: The spot; its board may be any.
        line: The line in any notation.

    Returns:
        The line with the actions of the betting: `X`, `B30`.

    Raises:
        LineSyntaxError: It cannot be played, or leaves the first street.
    """
    if "|" in line:
        raise LineSyntaxError(
            "lines of a batch must stay on the first street", line, 0, option="line", given=line
        )
    return line_text(spot.rules().follow(line).state.line)


def hand_columns(node: Node, combos: Sequence[int]) -> Row:
    """The figures of some hands of the player who acts at a node, by matchups.

    Args:
        node: The node.
        combos: The numbers of the combos.

    Returns:
        `share` of the range that comes there, `ev` in chips, and for each action its frequency,
        such as `Check freq`; empty where nobody acts, and NaN where the hands do not come there.
    """
    if node.player is None:
        return {"share": float("nan"), "ev": float("nan")}
    counts = node.values.weight[node.player] * node.values.matchups[node.player]
    held, total = counts[[*combos]], float(counts.sum())
    count = float(held.sum())
    row: Row = {"share": count / total if total else float("nan")}
    weights = held / count if count else np.full(len(held), np.nan)
    row["ev"] = float(weights @ np.nan_to_num(node.values.ev[node.player, [*combos]]))
    for action, probabilities in zip(node.actions, node.values.strategy, strict=True):
        row[f"{action} freq"] = float(weights @ np.nan_to_num(probabilities[[*combos]]))
    return row


def deals_follow(spot: Spot, line: str) -> None:
    """Raise ConfigError if no card is dealt after a line; raises LineSyntaxError, too."""
    state, cards = spot.rules().follow(line, spot.cards)
    left = 5 - len(spot.cards) - len(cards)
    if not left or state.phase not in (Phase.DEAL, Phase.SHOWDOWN):
        remedy = "give a line that ends a street, such as X-X"
        if len(spot.cards) == 5:
            remedy = "look at the node itself: the spot begins on the river"
        elif not left:
            remedy = "give a line that ends an earlier street; the river is the last card"
        raise ConfigError(
            f"no card is dealt after {line or 'the root'}",
            option="line",
            given=line or "the root",
            remedy=remedy,
        )


def runouts(solution: PostflopResult, line: str) -> pandas.DataFrame:
    """A row for every card that may be dealt after a line: EV, equity, EQR, frequencies.

    The columns are `frequency`, the share of all deals that reach the node; `board`, `line` and
    `pot`; `equity_oop`, `equity_ip` and likewise `ev` and `eqr`, EV in chips; `acts`, `oop` or
    `ip`; and for each action, such as `Bet 30 freq` and `Bet 30 ev`, its frequency and the EV of
    the hands that take it.

    Args:
        solution: The solution.
        line: A line after which a card is dealt, such as `X-X`.

    Returns:
        The rows, with the cards as the index. Needs the extra `pandas`.

    Raises:
        LineSyntaxError: The line cannot be read or played.
        ConfigError: No card is dealt after it, or pandas is not installed.
    """
    return import_pandas().DataFrame(runout_rows(solution, line)).set_index("card")


def runout_rows(
    solution: PostflopResult, line: str, on_board: Callable[[int, int], None] | None = None
) -> list[Row]:
    """A row for every card that may be dealt after a line, from the ace of spades down.

    Cards that are suit images of each other share their results; before each is computed `on_board`
    is called with the number done and the total. Raises what `PostflopResult.at` raises, and
    ConfigError if no card is dealt after the line.
    """
    return rows_of_runouts(solution, line, list(distinct_runouts(solution, line, on_board)))


def distinct_runouts(
    solution: PostflopResult, line: str, on_board: Callable[[int, int], None] | None = None
) -> Iterator[Row]:
    """The rows of the distinct cards, one at a time, for `rows_of_runouts`.

    Raises what `runout_rows` raises, at the first of them.
    """
    deals = _deals_after(solution, line)
    state, runout = follow_line(solution.spot, line)
    node = find_node(solution.tree, state.line)
    if solution.tree.kind[node] == CHANCE:
        node = int(solution.tree.first_child[node])
    for done, card in enumerate(deals.cards.tolist()):
        if on_board is not None:
            on_board(done, len(deals.cards))
        yield report_row(solution, node, (*runout, card))


def rows_of_runouts(solution: PostflopResult, line: str, solved: Sequence[Row]) -> list[Row]:
    """The rows of all cards, from those of the distinct ones."""
    deals = _deals_after(solution, line)
    _, runout = follow_line(solution.spot, line)
    board = (*solution.spot.cards, *runout)
    root = report_row(solution, 0, ())["deals"]
    rows = []
    lowest = 4 * solution.spot.whole_deck.lowest_rank
    for card in reversed(range(lowest, NUM_CARDS)):
        if card not in board:
            row = dict(solved[deals.deal[card]])
            name, frequency = card_name(card), row.pop("deals") / root
            row |= {"board": row["board"][:-2] + name, "line": row["line"][:-2] + name}
            rows.append({"card": name, "frequency": frequency, **row})
    return rows


def _deals_after(solution: PostflopResult, line: str) -> Deals:
    """The distinct cards after a line."""
    spot = instance("solution", solution, PostflopResult, "a PostflopResult of poker.solve").spot
    deals_follow(spot, line)
    _, runout = follow_line(spot, line)
    group = spot.symmetries
    for card in runout:
        group = fixing(group, card)
    return next_deals((*spot.cards, *runout), group, spot.whole_deck.lowest_rank)


def csv_text(rows: Sequence[Row]) -> str:
    """The rows as CSV, a column per key; NaN is an empty cell, decimals are at most six."""
    names = list(dict.fromkeys(name for row in rows for name in row))
    text = io.StringIO()
    writer = csv.DictWriter(text, names, lineterminator="\n")
    writer.writeheader()
    writer.writerows({name: _cell(value) for name, value in row.items()} for row in rows)
    return text.getvalue()


def plain(row: Row) -> Row:
    """The row for a JSON document, with None for NaN."""
    return {name: None if value != value else value for name, value in row.items()}


def _cell(value: Any) -> Any:
    if isinstance(value, float):
        return "" if value != value else f"{round(value, 6) + 0.0:.10g}"
    return guard_cell(value) if isinstance(value, str) else value
