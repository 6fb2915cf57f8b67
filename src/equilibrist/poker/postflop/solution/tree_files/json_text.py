"""The text of nodes as JSON documents: that of `json.dumps(node.to_dict())`."""

from __future__ import annotations

import json

from equilibrist.poker.postflop.solution.node_document import without_hands
from equilibrist.poker.postflop.solution.tree_files.batch import NodeBatch
from equilibrist.poker.postflop.solution.tree_files.number_text import (
    Form,
    decimals,
    joined,
    six_digits,
    words,
    written,
)
from equilibrist.poker.postflop.solution.tree_files.table import combo_names
from equilibrist.typing import FloatArray, UInt64Array


def documents(batch: NodeBatch, runouts: int) -> list[bytes]:
    """The nodes of a batch, each as a document that also says how many runouts it stands for."""
    first = batch.player or 0
    own, other = _hands(batch, first, with_strategy=True), _hands(batch, 1 - first)
    found = []
    for node, means, ours, theirs in zip(batch.nodes, batch.means(), own, other, strict=True):
        head = json.dumps(
            without_hands(node, node.resolution, means), allow_nan=False
        ).removesuffix("}")
        found.append(
            b'%b, "hands": {%b}, "other_hands": {%b}, "runouts": %d}'
            % (head.encode(), ours, theirs, runouts)
        )
    return found


def _hands(batch: NodeBatch, player: int, *, with_strategy: bool = False) -> list[bytes]:
    """For each node the hands of a player, from aces down, without the braces."""
    held = batch.hands[player]
    names = combo_names()
    pieces: list[str | UInt64Array] = [
        words([f'"{names[combo]}": {{"weight": ' for combo in held.combos.tolist()]),
        six_digits(held.weight, Form.JSON),
        ', "equity": ',
        decimals(held.equity, Form.JSON),
        ', "ev": ',
        decimals(held.ev, Form.JSON),
    ]
    if with_strategy:
        pieces += [', "strategy": [', *_list(batch.strategy)]
        pieces += ['], "action_ev": [', *_list(batch.action_ev), "]"]
    rows = joined(held.shown.shape, [*pieces, "}, "])[:, ::-1]
    shown = held.shown[:, ::-1]
    return [written(each[kept])[:-2] for each, kept in zip(rows, shown, strict=True)]


def _list(figures: FloatArray) -> list[str | UInt64Array]:
    """The numbers of each action, separated by commas."""
    pieces: list[str | UInt64Array] = []
    for number, each in enumerate(decimals(figures, Form.JSON)):
        pieces += [", ", each] if number else [each]
    return pieces
