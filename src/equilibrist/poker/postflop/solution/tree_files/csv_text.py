"""The text of nodes as rows of a CSV file."""

from __future__ import annotations

from equilibrist.poker.postflop.solution.tree_files.batch import NodeBatch
from equilibrist.poker.postflop.solution.tree_files.number_text import (
    Form,
    decimals,
    joined,
    six_digits,
    words,
    written,
)
from equilibrist.poker.postflop.solution.tree_files.table import hand_rows
from equilibrist.poker.postflop.spot.fields import SEATS
from equilibrist.typing import UInt64Array


def csv_rows(batch: NodeBatch, runouts: int, columns: int) -> list[bytes]:
    """For each node of a batch the rows of both players; `columns` counts those of actions."""
    acts = "" if batch.player is None else SEATS[batch.player]
    places = [
        f"{node.line},{node.street},{node.board},{runouts},{node.pot},{acts}"
        for node in batch.nodes
    ]
    oop, ip = (_rows_of(batch, player, places, columns) for player in (0, 1))
    return [first + second for first, second in zip(oop, ip, strict=True)]


def _rows_of(batch: NodeBatch, player: int, places: list[str], columns: int) -> list[bytes]:
    rows = hand_rows(batch, player)
    before = words([f"{place},{SEATS[player]}," for place in places])
    equity, ev, eqr = (decimals(figures, Form.CSV, end) for figures, end in zip(
        rows.figures[1:], (",", ",", ""), strict=True
    ))  # fmt: skip
    pieces: list[str | UInt64Array] = [
        before[:, None],
        words([f"{hand}," for hand in rows.hands]),
        six_digits(rows.figures[0], Form.CSV, ","),
        equity,
        ev,
        eqr,
    ]
    for number, (share, action_ev) in enumerate(rows.by_action):
        names = words([f",{node.actions[number]}," for node in batch.nodes])
        pieces += [names[:, None], decimals(share, Form.CSV, ","), decimals(action_ev, Form.CSV)]
    empty = "," * (columns - 3 * len(rows.by_action))
    text = joined(rows.shown.shape, [*pieces, f"{empty}\n"])
    return [written(each[kept]) for each, kept in zip(text, rows.shown, strict=True)]
