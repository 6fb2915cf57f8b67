"""Features of the infosets of any compiled game: what a network is told of each."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np
from numpy.typing import NDArray

from equilibrist.learned.network import Float32Array
from equilibrist.tree.compile import GameTree
from equilibrist.typing import BoolArray, FloatArray, Int32Array

NAME: Final = "infoset-keys"
VERSION: Final = 1
"""Version of the features; a network is evaluated only on those that it was fitted on."""
_FIELD: Final = re.compile(r"[0-9A-Za-z]+|[^0-9A-Za-z]")
_MOST_LABELS: Final = 256
"""With more labels of actions than this an output stands for the number of an action instead."""
_FROM_END: Final = 2
"""Fields that are told by their place from the end, too."""


@dataclass(frozen=True, eq=False)
class InfosetFeatures:
    """What a network reads of each infoset, and which of its outputs belong to which action.

    A key is cut into fields, runs of letters and digits, and what stands between them. An input
    says that a certain character stands at a certain place of a certain field, counted from the
    start; the last fields are told once more, counted from the end, as the last action matters
    most. Inputs on which all infosets agree are left out.

    Attributes:
        inputs: float32[I, F]: zeros and ones.
        columns: int32[Q]: the output that belongs to each action at an infoset, public order.
        mask: bool[I, A]: the outputs that belong to an action there.
        infoset_of: int32[Q]: the infoset of each action.
    """

    inputs: Float32Array
    columns: Int32Array
    mask: BoolArray
    infoset_of: Int32Array

    @property
    def name(self) -> str:
        """Name and version, as files have them."""
        return f"{NAME}/{VERSION}"

    @property
    def outputs(self) -> int:
        """The number of outputs A."""
        return int(self.mask.shape[1])

    @cached_property
    def flat(self) -> NDArray[np.intp]:
        """The place of each action in an array [I, A] that is laid out flat; public order."""
        return self.infoset_of.astype(np.intp) * self.outputs + self.columns

    @cached_property
    def counts(self) -> NDArray[np.intp]:
        """The number of actions of each infoset."""
        return np.bincount(self.infoset_of, minlength=len(self.mask))

    def to_actions(self, by_output: NDArray[np.floating]) -> NDArray[np.floating]:
        """Numbers [I, A] by output as numbers [Q] by action, in public order."""
        return by_output.reshape(-1)[self.flat]

    def to_outputs(self, by_action: NDArray[np.floating]) -> FloatArray:
        """Numbers [Q] by action as numbers [I, A] by output; 0 at outputs of no action."""
        table = np.zeros(self.mask.shape)
        table.reshape(-1)[self.flat] = by_action
        return table

    def rows_to_outputs(
        self, infoset: NDArray[np.integer], by_number: NDArray[np.floating]
    ) -> FloatArray:
        """Rows of infosets by output instead of by the number of the action.

        Args:
            infoset: int[n]: the infoset of each row.
            by_number: float[n, B]: a number for each of its actions; the rest does not matter.

        Returns:
            float64[n, A]: 0 at outputs of no action.
        """
        table = np.zeros((len(infoset), self.outputs))
        is_action = np.arange(by_number.shape[1]) < self.counts[infoset, None]
        row, number = np.nonzero(is_action)
        first = np.cumsum(self.counts) - self.counts
        table[row, self.columns[first[infoset[row]] + number]] = by_number[row, number]
        return table


def infoset_features(tree: GameTree) -> InfosetFeatures:
    """What networks read of the infosets of a game, and which output belongs to which action.

    Args:
        tree: The compiled game.

    Returns:
        The features, the same for the same keys of infosets and labels of actions.
    """
    counts = np.diff(tree.action_offset)
    infoset_of = np.repeat(np.arange(tree.num_infosets, dtype=np.int32), counts)
    labels = dict.fromkeys(label for row in tree.action_labels for label in row)
    if len(labels) <= _MOST_LABELS and all(len({*row}) == len(row) for row in tree.action_labels):
        number = {label: n for n, label in enumerate(sorted(labels))}
        columns = [number[label] for row in tree.action_labels for label in row]
        width = len(number)
    else:
        columns = [n for row in tree.action_labels for n in range(len(row))]
        width = int(counts.max(initial=1))
    mask = np.zeros((tree.num_infosets, width), dtype=np.bool_)
    by_action = np.array(columns, dtype=np.int32)
    mask[infoset_of, by_action] = True
    return InfosetFeatures(_inputs(tree), by_action, mask, infoset_of)


def _inputs(tree: GameTree) -> Float32Array:
    """float32[I, F]: zeros and ones; the inputs in the order of their names."""
    rows = [
        {("player", int(player)), *_marks(key)}
        for key, player in zip(tree.infoset_keys, tree.infoset_player, strict=True)
    ]
    empty: set[tuple[object, ...]] = set()
    common = set.intersection(*rows) if rows else empty
    names = sorted(empty.union(*rows) - common, key=repr)
    number = {name: n for n, name in enumerate(names)}
    inputs = np.zeros((len(rows), max(1, len(names))), dtype=np.float32)
    for row, marks in enumerate(rows):
        for mark in marks:
            if mark in number:
                inputs[row, number[mark]] = 1.0
    return inputs


def _marks(key: str) -> set[tuple[object, ...]]:
    """What is told of a key: characters by field and place, and those of the last fields."""
    fields = _FIELD.findall(key)
    marks: set[tuple[object, ...]] = set()
    for field, text in enumerate(fields):
        marks |= {("start", field, place, char) for place, char in enumerate(text)}
    words = [text for text in fields if text[0].isalnum()]
    for field, text in enumerate(reversed(words[-_FROM_END:])):
        marks |= {("end", field, place, char) for place, char in enumerate(text)}
    return marks
