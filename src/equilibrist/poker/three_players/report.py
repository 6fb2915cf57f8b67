"""Report rows of spots of three: equities, EVs and frequencies at a decision, or by river card.

Their keys are those of reports on two players, with a third seat, `mid`.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from equilibrist.errors import ConfigError
from equilibrist.poker.betting.actions import line_text
from equilibrist.poker.cards.cards import NUM_CARDS, card_name, card_names
from equilibrist.poker.three_players.locks import place_of_line
from equilibrist.poker.three_players.node import ThreeNode
from equilibrist.poker.three_players.solution import ThreeSolution
from equilibrist.poker.three_players.spot import SEAT_NAMES, ThreeSpot

Row = dict[str, Any]
_SEATS = tuple(name.lower() for name in SEAT_NAMES)
_TURN = 4
"""Cards on the board of a turn."""
_HELD = 2 * len(SEAT_NAMES)
"""Cards that a deal holds."""


def report_row(solution: ThreeSolution, line: str = "") -> Row:
    """The row of a decision.

    Args:
        solution: The solution.
        line: The actions before it, and the river card.

    Returns:
        `deals`, the weight of all deals that get there times the probability of the cards; EV in
        chips from the decision on, net of what a seat puts in from there on; an action's EV is
        that of the hands that take it, NaN for actions never taken.

    Raises:
        ConfigError: As from `ThreeSolution.at`.
    """
    node, figures = ThreeNode(solution, line), solution.seat_figures(line)
    left = NUM_CARDS - len(solution.spot.cards) - _HELD
    deals = figures.deals / math.perm(left, len(node.runout))
    row: Row = {"board": node.board, "line": node.line, "deals": deals, "pot": node.pot}
    row |= {f"equity_{s}": share for s, share in zip(_SEATS, figures.equity, strict=True)}
    row |= {f"ev_{s}": ev for s, ev in zip(_SEATS, figures.ev, strict=True)}
    for seat, share, ev in zip(_SEATS, figures.equity, figures.ev, strict=True):
        row[f"eqr_{seat}"] = ev / (share * node.pot) if share > 0 else float("nan")
    assert node.player is not None
    row["acts"] = _SEATS[node.player]
    counts, evs = node.matchups(node.player), node.ev_by_action
    total = float(counts.sum())
    taken = node.decision.strategy @ counts / total if total else np.full(len(evs), np.nan)
    for (action, ev), share in zip(evs.items(), taken.tolist(), strict=True):
        row |= {f"{action} freq": share, f"{action} ev": ev}
    return row


def deals_follow(spot: ThreeSpot, line: str) -> None:
    """Check that a river card is dealt after a line of the turn, and that somebody acts then.

    Args:
        spot: The spot.
        line: The line.

    Raises:
        LineSyntaxError: It cannot be played.
        ConfigError: The spot begins on the flop, no card is dealt after the line, or nobody acts on
            the river.
    """
    if len(spot.cards) < _TURN:
        raise ConfigError(
            f"reports of three players are of all rivers of a turn, and {spot.board} is a flop",
            option="board",
            given=spot.board,
            expected="4 cards",
            remedy="solve the turn: a spot with its card on the board",
        )
    if not place_of_line(spot.betting, line, spot.cards).deals_a_card:
        raise ConfigError(
            f"no card is dealt after {line or 'the root'}, upon which somebody acts",
            option="line",
            given=line or "the root",
            remedy="give a line that ends the turn with chips behind, such as X-X-X"
            if spot.num_streets > 1
            else "look at the decision itself: the spot begins on the river",
        )


def runout_rows(
    solution: ThreeSolution, line: str, on_board: Callable[[int, int], None] | None = None
) -> list[Row]:
    """A row for every river card after a line, from the ace of spades down.

    Cards that are suit images of each other share their results.

    Args:
        solution: The solution of a turn.
        line: A line that ends the turn, such as `X-X-X`.
        on_board: Called before each board with the number done and the total.

    Returns:
        The rows: `card`, `frequency`, the share of all deals that get there, and the keys of
        `report_row`. Cards that no deal leaves are left out.

    Raises:
        LineSyntaxError: The line cannot be played.
        ConfigError: No card is dealt after it, or nobody acts then.
    """
    deals_follow(solution.spot, line)
    runouts = solution.laid_out.runouts
    root = solution.laid_out.total
    known: dict[int, Row] = {}
    rows = []
    for card in reversed(range(NUM_CARDS)):
        if card in solution.spot.cards or (number := runouts.find(card)[0]) < 0:
            continue
        place = river_line(solution.spot, line, card)
        if number not in known:
            if on_board is not None:
                on_board(len(known), runouts.count)
            known[number] = report_row(solution, place)
        row = dict(known[number])
        frequency = row.pop("deals") / root
        row |= {"board": card_names((*solution.spot.cards, card)), "line": place}
        rows.append({"card": card_name(card), "frequency": frequency, **row})
    return rows


def river_line(spot: ThreeSpot, line: str, card: int) -> str:
    """The line of the first decision on the river after a line of the turn.

    Args:
        spot: The spot.
        line: The line that ends the turn.
        card: The river card.

    Returns:
        The line with the card.
    """
    actions = place_of_line(spot.betting, line, spot.cards).line[0]
    return line_text([actions, ()], [[card]])
