"""Exports solved trees as JSON, JSON lines, CSV or Parquet, one node at a time."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import islice
from pathlib import Path
from typing import IO, Any, Final

import numpy as np

from equilibrist.errors import ConfigError
from equilibrist.parsing.arguments import file_name
from equilibrist.poker.cards.combos import NUM_COMBOS
from equilibrist.poker.postflop.solution.node import Node, without_hands
from equilibrist.poker.postflop.solution.tree_files.batch import NodeBatch, batches
from equilibrist.poker.postflop.solution.tree_files.number_text import (
    Form,
    decimals,
    joined,
    six_digits,
    words,
    written,
)
from equilibrist.poker.postflop.solution.tree_files.parquet import ParquetNodes
from equilibrist.poker.postflop.solution.tree_files.plan import ExportPlan, planned
from equilibrist.poker.postflop.solution.tree_files.table import (
    FIGURES,
    PLACE,
    action_columns,
    combo_names,
    hand_rows,
)
from equilibrist.poker.postflop.solution.tree_files.tree_filter import NodeFilter, SelectedBoard
from equilibrist.poker.postflop.spot.fields import SEATS
from equilibrist.storage.atomic import write_file
from equilibrist.storage.frames import import_pandas, is_parquet_with
from equilibrist.storage.replaceable import foreign_file
from equilibrist.typing import FloatArray, UInt64Array

SUFFIXES: Final = (".json", ".jsonl", ".csv", ".parquet")
"""The endings of file names, which select the format."""
_AT_ONCE: Final = 32
"""Nodes whose texts are made together."""

NodesOn = Callable[[tuple[int, ...], Iterable[int]], Iterator[Node]]
"""Looks up nodes on a board, as `PostflopResult.nodes`."""


def write_nodes(
    nodes_on: NodesOn,
    facts: Callable[[], dict[str, Any]],
    path: str | os.PathLike[str],
    choice: NodeFilter,
    on_board: Callable[[int, int], None] | None = None,
    on_plan: Callable[[ExportPlan], None] | None = None,
) -> int:
    """Write the selected nodes and hands atomically; returns the number of nodes.

    `nodes_on` looks nodes up, and `facts` gives what a JSON document says of the whole spot.
    `on_board` is called with the number of boards done and the total, and `on_plan` before. Raises
    ConfigError for another ending than SUFFIXES, and OutputError.
    """
    form = file_form(path)
    if form == ".parquet":
        import_pandas(parquet=True)
    refuse_foreign(Path(path), form)
    boards = list(choice.boards())

    def write_sample(some: Iterable[SelectedBoard], file: IO[bytes]) -> int:
        sample = _Nodes(nodes_on, dict, choice, some)
        _write(sample, form, file)
        return sample.count

    if on_plan is not None:
        on_plan(planned(form, boards, choice.rows_per_node, write_sample))
    begin = None if on_board is None else lambda number: on_board(number, len(boards))
    nodes = _Nodes(nodes_on, facts, choice, boards, begin)
    write_file(path, lambda file: _write(nodes, form, file))
    return nodes.count


def _write(nodes: _Nodes, form: str, file: IO[bytes]) -> None:
    if form == ".parquet":
        whole = nodes.choice.tree.scale.per_chip == 1
        parquet = ParquetNodes(file, action_columns(nodes.choice), whole_chips=whole)
        parquet.write(nodes, nodes.only)
        return
    for piece in _PIECES[form](nodes):
        file.write(piece)


def refuse_foreign(path: Path, form: str) -> None:
    """OutputError if an export would replace a file that no export wrote."""
    if not path.is_file() or not path.stat().st_size:
        return
    if form == ".parquet":
        ours = is_parquet_with(path, {"line", "board", "hand"})
    else:
        with path.open("rb") as file:
            start = file.read(100)
        ours = start.startswith((",".join(PLACE).encode(), b'{"line": "', b'{"board": "'))
    if not ours:
        raise foreign_file(path, "the export of a spot")


def file_form(path: str | os.PathLike[str]) -> str:
    """The ending of a file name, one of SUFFIXES; raises ConfigError."""
    suffix = file_name("path", path).suffix.lower()
    if suffix not in SUFFIXES:
        raise ConfigError(
            f"{path}: unknown file format",
            option="path",
            given=str(path),
            remedy="use a name that ends in .json, .jsonl, .csv or .parquet",
        )
    return suffix


class _Nodes:
    """The selected nodes by boards, each with the number of runouts it represents; counts them."""

    def __init__(
        self,
        nodes_on: NodesOn,
        facts: Callable[[], dict[str, Any]],
        choice: NodeFilter,
        boards: Iterable[SelectedBoard],
        on_board: Callable[[int], None] | None = None,
    ) -> None:
        self.nodes_on = nodes_on
        self.facts = facts
        self.choice = choice
        self.boards = boards
        wanted = choice.hands
        self.only = np.ones(NUM_COMBOS, np.bool_) if wanted is None else wanted.weights > 0
        self.count = 0
        self._on_board = on_board

    def __iter__(self) -> Iterator[tuple[list[Node], int]]:
        """Nodes of a board, at most _AT_ONCE of them, and the runouts of the board."""
        for number, board in enumerate(self.boards):
            if self._on_board:
                self._on_board(number)
            nodes = self.nodes_on(board.runout, board.nodes)
            while some := list(islice(nodes, _AT_ONCE)):
                self.count += len(some)
                yield some, board.runouts

    def texts(self, write: Callable[[NodeBatch, int], list[bytes]]) -> Iterator[list[bytes]]:
        """For some nodes of a board at a time, the text of each."""
        for nodes, runouts in self:
            texts = [b""] * len(nodes)
            for places, batch in batches(nodes, self.only):
                for place, text in zip(places, write(batch, runouts), strict=True):
                    texts[place] = text
            yield texts


def _json(nodes: _Nodes) -> Iterator[bytes]:
    facts = json.dumps(nodes.facts(), allow_nan=False)
    yield facts.removesuffix("}").encode() + b', "nodes": [\n'
    separator = b""
    for texts in nodes.texts(documents):
        yield separator + b",\n".join(texts)
        separator = b",\n"
    yield b"\n]}\n"


def _jsonl(nodes: _Nodes) -> Iterator[bytes]:
    return (b"\n".join(texts) + b"\n" for texts in nodes.texts(documents))


def _csv(nodes: _Nodes) -> Iterator[bytes]:
    by_action = action_columns(nodes.choice)
    yield ",".join([*PLACE, "hand", *FIGURES, *by_action]).encode() + b"\n"
    for texts in nodes.texts(partial(csv_rows, columns=len(by_action))):
        yield b"".join(texts)


_PIECES: Final = {".json": _json, ".jsonl": _jsonl, ".csv": _csv}


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
    return [written(row[kept]) for row, kept in zip(text, rows.shown, strict=True)]


def documents(batch: NodeBatch, runouts: int) -> list[bytes]:
    """The nodes of a batch, each as a document that also says how many runouts it stands for."""
    first = batch.player or 0
    own, other = _hands(batch, first, with_strategy=True), _hands(batch, 1 - first)
    documents_of_nodes = []
    for node, means, ours, theirs in zip(batch.nodes, batch.means(), own, other, strict=True):
        head = json.dumps(
            without_hands(node, node.resolution, means), allow_nan=False
        ).removesuffix("}")
        documents_of_nodes.append(
            b'%b, "hands": {%b}, "other_hands": {%b}, "runouts": %d}'
            % (head.encode(), ours, theirs, runouts)
        )
    return documents_of_nodes


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
    return [written(row[kept])[:-2] for row, kept in zip(rows, shown, strict=True)]


def _list(figures: FloatArray) -> list[str | UInt64Array]:
    """The numbers of each action, separated by commas."""
    pieces: list[str | UInt64Array] = []
    for number, figure_words in enumerate(decimals(figures, Form.JSON)):
        pieces += [", ", figure_words] if number else [figure_words]
    return pieces
