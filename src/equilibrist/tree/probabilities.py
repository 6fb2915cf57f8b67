"""Probabilities of actions as a flat array of a compiled game: checked, or read from a table."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal

import numpy as np

from equilibrist.errors import ConfigError, MismatchError, UnknownNameError
from equilibrist.formatting.amounts import counted
from equilibrist.parsing.arguments import bad_argument, finite_number
from equilibrist.storage.tables import Row
from equilibrist.tree.compile import GameTree
from equilibrist.typing import FloatArray

SUM_TOLERANCE = 1e-6
"""The tolerance within which a user's probabilities of an infoset must sum to 1."""
PRINTED_TOLERANCE = 0.02
"""That of tables in files, whose numbers were rounded when they were printed."""
_PERCENT_TOLERANCE = 0.5
"""Rows of percentages add up to 100 within this."""


def checked_probabilities(tree: GameTree, probabilities: FloatArray) -> FloatArray:
    """A read-only copy, float64[Q]; MismatchError on length, ConfigError on values."""
    try:
        values = np.array(probabilities, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        raise bad_argument("probabilities", probabilities, "an array of numbers") from None
    size = int(tree.action_offset[-1])
    if values.shape != (size,):
        raise MismatchError(
            f"{tree.name} has {size} actions at its infosets, the strategy gives {values.shape}",
            option="probabilities",
            given=values.shape,
            expected=size,
            remedy="use a strategy of the same game",
        )
    sums = np.add.reduceat(values, tree.action_offset[:-1]) if size else values
    bad = np.abs(sums - 1.0) > SUM_TOLERANCE
    negative = ~(values >= 0.0)  # catches NaN as well
    if bad.any() or negative.any():
        at = np.flatnonzero(bad) if bad.any() else np.flatnonzero(negative)
        where = int(at[0])
        if not bad.any():
            where = int(np.searchsorted(tree.action_offset, where, side="right")) - 1
        raise ConfigError(
            f"at infoset {tree.infoset_keys[where]!r} the probabilities are "
            f"{values[tree.actions_of(where)].tolist()}; expected numbers of at least 0 that "
            f"add up to 1",
            option="probabilities",
            given=values[tree.actions_of(where)].tolist(),
            expected="numbers of at least 0 that add up to 1",
            place=f"infoset {tree.infoset_keys[where]!r}",
        )
    values.flags.writeable = False
    return values


def read_probabilities(tree: GameTree, table: Mapping[str, Row]) -> FloatArray:
    """The float64[Q] of a table of all infosets, which are not checked to add up to 1.

    Raises UnknownNameError for infosets and actions that the game lacks, and ConfigError for
    a missing infoset or a table of another form.
    """
    values = np.zeros(int(tree.action_offset[-1]))
    if not isinstance(table, Mapping):
        raise bad_argument("strategy", table, "{infoset: {action: probability}}")
    seen = np.zeros(tree.num_infosets, dtype=np.bool_)
    for key, row in table.items():
        i = tree.index(key)
        seen[i] = True
        labels = tree.action_labels[i]
        if isinstance(row, list | tuple) and len(row) == len(labels):
            row = dict(zip(labels, row, strict=True))  # noqa: PLW2901
        if not isinstance(row, Mapping):
            wanted = f"{{action: probability}}, or {len(labels)} numbers in the order of "
            wanted += ", ".join(labels)
            raise bad_argument("infoset", row, wanted, label=f"infoset {key!r}")
        for label, probability in row.items():
            if label not in labels:
                raise UnknownNameError(f"action at infoset {key!r}", str(label), labels)
            at = int(tree.action_offset[i]) + labels.index(label)
            values[at] = (
                probability
                if type(probability) is float
                else finite_number("probability", probability, f"{label!r} at infoset {key!r}")
            )
    if not seen.all():
        missing = [tree.infoset_keys[i] for i in np.flatnonzero(~seen)[:3]]
        raise ConfigError(
            f"the strategy lacks {int((~seen).sum())} of the {tree.num_infosets} infosets of "
            f"{tree.name}, among them {', '.join(repr(k) for k in missing)}",
            option="infosets",
            given=missing[0],
            remedy="add them, or check that the strategy is one of this game",
        )
    return values


def _is_rounded(row: FloatArray, off: float) -> bool:
    """Whether a row may be one of probabilities that add up to 1, each rounded as it is printed.

    Args:
        row: float64[actions].
        off: How far its sum is from 1.
    """
    if not (row >= 0.0).all():
        return False
    digits = max(len(format(Decimal(repr(p)), "f").partition(".")[2]) for p in row.tolist())
    return off <= PRINTED_TOLERANCE + 1e-9 or off < len(row) * 0.5 * 10.0**-digits - 1e-9


def _are_counts(values: FloatArray, sums: FloatArray) -> bool:
    """Whether a table says how often each action was played: whole numbers, of any sum.

    Args:
        values: float64[Q].
        sums: float64[infosets], of the actions of each.
    """
    is_whole = bool(((values >= 0.0) & (values == np.floor(values))).all())
    is_percent = np.count_nonzero(np.abs(sums - 100.0) < _PERCENT_TOLERANCE) * 2 > len(sums)
    return is_whole and bool(values.max() > 1.0) and not is_percent


def _scale_counts(tree: GameTree, values: FloatArray, sums: FloatArray) -> str:
    """Divide counts by those of their infoset, in place; even where nothing was played."""
    unplayed = np.flatnonzero(sums == 0.0).tolist()
    for i, total in enumerate(sums.tolist()):
        own = tree.actions_of(i)
        values[own] = values[own] / total if total else 1.0 / len(values[own])
    even = ""
    if unplayed:
        key = tree.infoset_keys[unplayed[0]]
        even = f"; {counted(len(unplayed), 'infoset')} without any, such as {key!r}, become even"
    return f"the numbers of actions are counts, and become shares of those of an infoset{even}"


def scale_rows(tree: GameTree, values: FloatArray) -> str:
    """Scale to 1 what a printed table gives for an infoset and does not quite add up to 1.

    Whole numbers above 1 are counts of the actions, and become frequencies.

    Args:
        tree: The compiled game.
        values: float64[Q] in public order, changed in place where the sum is within
            `PRINTED_TOLERANCE` of 1, or within what rounding to the digits of the row can change.

    Returns:
        What was done, for people; empty where nothing was.
    """
    if not len(values):
        return ""
    sums = np.add.reduceat(values, tree.action_offset[:-1])
    if _are_counts(values, sums):
        return _scale_counts(tree, values, sums)
    off = np.abs(sums - 1.0)
    rounded = np.array(
        [
            i
            for i in np.flatnonzero(off > SUM_TOLERANCE).tolist()
            if _is_rounded(values[tree.actions_of(i)], float(off[i]))
        ],
        dtype=np.int64,
    )
    for i in rounded.tolist():
        values[tree.actions_of(i)] /= sums[i]
    if not len(rounded):
        return ""
    worst = int(rounded[np.argmax(off[rounded])])
    rows = f"{len(rounded):,} rows do" if len(rounded) > 1 else "one row does"
    return (
        f"{rows} not add up to 1 and {'are' if len(rounded) > 1 else 'is'} scaled: that of infoset "
        f"{tree.infoset_keys[worst]!r} adds up to {sums[worst]:.6g}"
    )
