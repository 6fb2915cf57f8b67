"""Exports solved trees as JSON, JSON lines or CSV, one node at a time."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Iterator
from typing import IO, Any, Final

import numpy as np

from equilibrist.errors import ConfigError
from equilibrist.parsing.arguments import file_name
from equilibrist.poker.betting.street_tree import ACTION
from equilibrist.poker.cards.combos import NUM_COMBOS, combo_name
from equilibrist.poker.solutions.node import DIGITS, Node
from equilibrist.poker.solutions.tree_filter import NodeFilter
from equilibrist.poker.spots.fields import SEATS
from equilibrist.storage.atomic import write_file
from equilibrist.typing import BoolArray

SUFFIXES: Final = (".json", ".jsonl", ".csv")
"""The endings of file names, which select the format."""
COLUMNS: Final = (
    "line", "street", "board", "runouts", "pot", "acts", "player", "hand", "weight", "equity", "ev",
    "eqr",
)  # fmt: skip
"""The columns of CSV files, followed by three for each action: `action1`, `share1`, `ev1`."""
ALL_HANDS: Final = "all"
"""The value of the column `hand` in the row of a player's totals."""

NodesOn = Callable[[tuple[int, ...], Iterable[int]], Iterator[Node]]
"""Looks up nodes on a board, as `PostflopResult.nodes`."""


def write_nodes(
    nodes_on: NodesOn,
    facts: Callable[[], dict[str, Any]],
    path: str | os.PathLike[str],
    choice: NodeFilter,
    on_board: Callable[[int, int], None] | None = None,
) -> int:
    """Write the selected nodes and hands atomically; returns the number of nodes.

    `nodes_on` looks nodes up, and `facts` gives what a JSON document says of the whole spot.
    `on_board` is called with the number of boards done and the total. Raises ConfigError for
    another ending than SUFFIXES, and OutputError.
    """
    form = file_form(path)
    nodes = _Nodes(nodes_on, facts, choice, on_board)

    def write(file: IO[bytes]) -> None:
        for piece in _PIECES[form](nodes):
            file.write(piece.encode())

    write_file(path, write)
    return nodes.count


def file_form(path: str | os.PathLike[str]) -> str:
    """The ending of a file name, one of SUFFIXES; raises ConfigError."""
    suffix = file_name("path", path).suffix.lower()
    if suffix not in SUFFIXES:
        raise ConfigError(
            f"{path}: unknown file format",
            option="path",
            given=str(path),
            remedy="use a name that ends in .json, .jsonl or .csv",
        )
    return suffix


class _Nodes:
    """The selected nodes, each with the number of runouts it represents; counts them."""

    def __init__(
        self,
        nodes_on: NodesOn,
        facts: Callable[[], dict[str, Any]],
        choice: NodeFilter,
        on_board: Callable[[int, int], None] | None,
    ) -> None:
        self.nodes_on = nodes_on
        self.facts = facts
        self.choice = choice
        wanted = choice.hands
        self.only = np.ones(NUM_COMBOS, np.bool_) if wanted is None else wanted.weights > 0
        self.count = 0
        self._on_board = on_board

    def __iter__(self) -> Iterator[tuple[Node, int]]:
        total = sum(1 for _ in self.choice.boards())
        for number, board in enumerate(self.choice.boards()):
            if self._on_board:
                self._on_board(number, total)
            for node in self.nodes_on(board.runout, board.nodes):
                self.count += 1
                yield node, board.runouts

    def documents(self) -> Iterator[str]:
        """Each node as a line of JSON."""
        for node, runouts in self:
            yield json.dumps({**node.to_dict(self.only), "runouts": runouts}, allow_nan=False)


def _json(nodes: _Nodes) -> Iterator[str]:
    facts = json.dumps(nodes.facts(), allow_nan=False)
    yield facts.removesuffix("}") + ', "nodes": [\n'
    for number, document in enumerate(nodes.documents()):
        yield (",\n" if number else "") + document
    yield "\n]}\n"


def _jsonl(nodes: _Nodes) -> Iterator[str]:
    return (document + "\n" for document in nodes.documents())


def _csv(nodes: _Nodes) -> Iterator[str]:
    tree, chosen = nodes.choice.tree, np.concatenate(nodes.choice.nodes)
    most = int(tree.num_children[chosen][tree.kind[chosen] == ACTION].max(initial=0))
    by_action = [f"{what}{k}" for k in range(1, most + 1) for what in ("action", "share", "ev")]
    empty = [""] * len(by_action)
    yield ",".join([*COLUMNS, *by_action]) + "\n"
    for node, runouts in nodes:
        acts = "" if node.player is None else SEATS[node.player]
        start = f"{node.line},{node.street},{node.board},{runouts},{node.pot},{acts}"
        for player, seat in enumerate(SEATS):
            names = [str(action) for action in node.actions] if player == node.player else []
            for hand, weight, figures, shares, evs in _rows(node, player, nodes.only):
                taken = [text for each in zip(names, shares, evs, strict=True) for text in each]
                cells = [start, seat, hand, weight, *figures, *taken, *empty[len(taken) :]]
                yield ",".join(cells) + "\n"


_Row = tuple[str, str, list[str], list[str], list[str]]
"""Hand, weight, the other figures, the strategy, the EV of each action."""


def _rows(node: Node, player: int, only: BoolArray) -> Iterator[_Row]:
    """The totals of a player, then their hands; undefined values are empty."""
    acts = player == node.player
    totals = [_text(pair[player]) for pair in node.totals]
    shares = [_text(share) for share in node.frequency.values()] if acts else []
    evs = [_text(ev) for ev in node.ev_by_action.values()] if acts else []
    yield ALL_HANDS, f"{node.values.weight[player].sum():.6g}", totals, shares, evs
    combos = node.combos(player)
    combos = combos[only[combos]]
    columns = [
        node.values.equity[player],
        node.values.ev[player],
        node.realised(player),
        *(node.values.strategy if acts else ()),
        *(node.values.action_ev if acts else ()),
    ]
    last = 3 + len(shares)
    rows = np.round(np.array(columns)[:, combos], DIGITS).T.tolist()
    weights = node.values.weight[player, combos].tolist()
    for combo, weight, row in zip(combos.tolist(), weights, rows, strict=True):
        texts = [_text(figure) for figure in row]
        yield combo_name(combo), f"{weight:.6g}", texts[:3], texts[3:last], texts[last:]


def _text(figure: float) -> str:
    """A number as text; no cell of these files needs quotes."""
    if figure != figure:
        return ""
    return f"{round(figure, DIGITS) + 0.0:.{DIGITS}f}".rstrip("0").rstrip(".")


_PIECES: Final = {".json": _json, ".jsonl": _jsonl, ".csv": _csv}
