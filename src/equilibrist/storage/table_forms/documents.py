"""Tables of strategies in JSON, or as literals of Python."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from itertools import chain
from math import prod
from pathlib import Path
from typing import Any, Final, Unpack

from equilibrist.errors import Fields, FileFormatError
from equilibrist.storage.table_forms.payoffs import read_number
from equilibrist.storage.table_forms.python_text import (
    ObjectPairs,
    PythonTextError,
    WrittenTuple,
    python_value,
)
from equilibrist.storage.table_forms.separated import KEY_NAMES

_PAYOFF_KEYS: Final = (
    "payoffs", "payoff", "payoffmatrix", "payoffmatrices", "payofftable", "payofftables", "matrix",
    "matrices", "utilities", "utility", "utilitymatrix",
)  # fmt: skip
"""Keys of payoffs, in lower case and without blanks and underscores."""
_NEAR: Final = 0.02
"""Rows of a strategy add up to 1 within this."""
_SHARE: Final = re.compile(r"\s*[\d.]+\s*%?\s*|\s*\d+/[1-9]\d*\s*", re.ASCII)
"""A share that is written as a text: a number, a fraction or percent."""
_BEGINNING: Final = re.compile(
    r"(?:\s*(?:#|import\b|from\b)[^\n]*\n)*\s*(?:[A-Za-z_]\w*\s*(?::[^=\n]*)?=\s*)?"
    r"(?:(?:\(\s*)?(?:np\.|numpy\.|sp\.|sympy\.)?(?:array|asarray|matrix|Matrix|tensor)\s*\(\s*|"
    r"(?:collections\.)?(?:defaultdict\s*\([^{\[\n]*,|(?:OrderedDict|Counter|dict)\s*\()\s*)?"
    r"[\[{](?![,|])"
)


def begins_literal(text: str) -> bool:
    """Whether a text begins as an object does, or a dict with or without the name of a variable."""
    return _BEGINNING.match(text) is not None


def parsed_document(text: str) -> Any:
    """Parse a text in JSON, or tables that a text in Python writes down (`python_text`).

    Several dicts of one file of Python are read as one, two lists as a list of both. Objects and
    dicts are `ObjectPairs`, keys that are numbers become texts, tuples are `WrittenTuple`. Nothing
    is run.

    Raises:
        ValueError: It is neither; JSONDecodeError with the place that was reached.
        RecursionError: It is nested too deep.
    """
    try:
        return json.loads(text, object_pairs_hook=ObjectPairs.of)
    except ValueError as error:
        reason = error
        try:
            return python_value(text)
        except PythonTextError as fault:
            reason = json.JSONDecodeError(str(fault), text, fault.offset)
        except (SyntaxError, ValueError, TypeError, MemoryError):
            pass
        raise reason from None


def place_of_fault(text: str) -> str | None:
    """Where a text ceases to be JSON, as `line 2, column 8`; None where nobody knows."""
    try:
        parsed_document(text)
    except json.JSONDecodeError as error:
        return _place(error)
    except (ValueError, RecursionError):
        pass
    return None


def _place(error: json.JSONDecodeError) -> str:
    return f"line {error.lineno}, column {error.colno}"


def payoffs_of(document: Mapping[str, Any]) -> Any:
    """What an object holds under a key that says payoffs; None for others."""
    lower = {key.lower().replace("_", "").replace(" ", ""): key for key in document}
    return next((document[lower[key]] for key in _PAYOFF_KEYS if key in lower), None)


def named_tables_of(document: Mapping[str, Any]) -> tuple[list[Any], list[list[str]]]:
    """The tables of payoffs that an object has under names, and the lists of labels.

    Args:
        document: The object.

    Returns:
        Tables and labels in their order; no tables where the object has anything else but texts.
    """
    tables = [value for value in document.values() if is_payoff_table(value)]
    labels = [
        value
        for value in document.values()
        if isinstance(value, list) and value and all(isinstance(text, str) for text in value)
    ]
    texts = [value for value in document.values() if isinstance(value, str)]
    is_all = len(tables) + len(labels) + len(texts) == len(document)
    return tables if is_all else [], labels


def row_of_pairs(row: object) -> dict[str, Any] | list[Any] | None:
    """A row such as [(0, 0.25), (1, 0.75)] by its actions, or in their order; None for others."""
    if not isinstance(row, list) or not row:
        return None
    if not all(isinstance(pair, list) and len(pair) == 2 for pair in row):
        return None
    labels, values = [pair[0] for pair in row], [pair[1] for pair in row]
    if not _is_distribution(values):
        return None
    if labels == [*range(len(labels))]:
        return values
    if len({*map(str, labels)}) < len(labels) or not all(isinstance(x, str) for x in labels):
        return None
    return dict(zip(labels, values, strict=True))


def value_column(names: Sequence[str], key: str) -> str | None:
    """The column of the probability or count of the action that the column `action` names.

    Args:
        names: All columns.
        key: That of the infoset.

    Returns:
        The column; None where there is no column `action`, or several others.
    """
    others = [name for name in names if name not in (key, "action", "player")]
    if "action" not in names or not others:
        return None
    if "probability" in others:
        return "probability"
    return others[0] if len(others) == 1 else None


def records_of(rows: Sequence[Any]) -> ObjectPairs | None:
    """A table {infoset: {action: probability}} of objects, one a row, as pandas writes them.

    Args:
        rows: The objects; None is returned for others.
    """
    if not rows or not all(isinstance(row, Mapping) for row in rows):
        return None
    names = [*rows[0]]
    key = next((name for name in names if name.lower() in KEY_NAMES), None)
    if key is None or any([*row] != names for row in rows):
        return None
    value = value_column(names, key)
    if value is not None:
        pairs: dict[str, list[tuple[str, Any]]] = {}
        for row in rows:
            pairs.setdefault(str(row[key]), []).append((str(row["action"]), row[value]))
        return ObjectPairs.of([(infoset, ObjectPairs.of(own)) for infoset, own in pairs.items()])
    actions = [name for name in names if name not in (key, "player")]
    table = [(str(r[key]), ObjectPairs.of([(a, r[a]) for a in actions])) for r in rows]
    return ObjectPairs.of(table)


def keyed_rows_of(rows: Sequence[Any]) -> ObjectPairs | None:
    """A table of pairs [infoset, row], whose rows are probabilities; None for others.

    Args:
        rows: The pairs.
    """
    pairs = [row for row in rows if isinstance(row, list) and len(row) == 2]
    if not pairs or len(pairs) < len(rows):
        return None
    for key, row in pairs:
        values = [*row.values()] if isinstance(row, Mapping) else row
        if not isinstance(key, str) or not _is_distribution(values):
            return None
    return ObjectPairs.of([(key, row) for key, row in pairs])


def is_payoff_table(rows: object) -> bool:
    """Whether this is a list of lists, as no row of a strategy is."""
    return isinstance(rows, list | tuple) and any(isinstance(row, list | tuple) for row in rows)


def cells_of(
    document: Mapping[str, Any], *, may_be_strategy: bool = False
) -> dict[tuple[str, ...], tuple[Any, ...]] | None:
    """Payoffs by joint actions, if that is what an object holds; else None.

    It may be {('C', 'D'): (0, 5), ...} of Python, {'C,D': [0, 5], ...}, or
    {'C': {'D': (0, 5), ...}, ...} with the same actions in each row.

    Args:
        document: As `parsed_document` gives it, with keys as texts.
        may_be_strategy: Whether this holds also of rows of single numbers that may be
            probabilities, or how often an action was played.
    """
    if document and all(isinstance(row, Mapping) for row in document.values()):
        cells: dict[tuple[str, ...], tuple[Any, ...]] = {
            (row, column): _paid(value)
            for row, columns in document.items()
            for column, value in columns.items()
        }
        first = [*next(iter(document.values()))]
        is_grid = all([*row] == first for row in document.values())
        is_symmetric = first == [*document] and max((0, *chain(*cells.values()))) > 1
        is_strategy = not is_symmetric and all(
            len(paid) == 1 and paid[0] >= 0 for paid in cells.values()
        )
        if not is_grid or (is_strategy and not may_be_strategy):
            return None
    else:
        cells = {}
        for key, value in document.items():
            actions = _joint_action(key) or _written_together(key)
            if actions is None:
                return None
            cells[actions] = _paid(value)
        if not may_be_strategy and document and all(map(_is_distribution, document.values())):
            return None
        if any(not key.startswith("(") for key in document) and not _are_all_payoffs(cells):
            return None
    sizes = {(len(actions), len(paid)) for actions, paid in cells.items()}
    fits = len(sizes) == 1 and all(paid in (1, count) and count > 1 for count, paid in sizes)
    is_zero_sum_of_more = any(paid == 1 and count > 2 for count, paid in sizes)
    return cells if fits and not is_zero_sum_of_more else None


def _joint_action(key: str) -> tuple[str, ...] | None:
    """The actions in a key that was a tuple of Python; None for all others."""
    if not key.startswith("("):
        return None
    with suppress(ValueError, SyntaxError):
        actions = ast.literal_eval(key)
        if isinstance(actions, tuple):
            return tuple(map(str, actions))
    return None


def _infoset(key: str) -> str:
    """A key, of which a tuple of texts in Python is put together."""
    parts = _joint_action(key)
    return key if parts is None or not re.match(r"\(['\"]", key) else "".join(parts)


def _written_together(key: str) -> tuple[str, ...] | None:
    """The actions in a key such as `C,D` or `CD`; None for one with something else."""
    parts = [part.strip() for part in re.split(r"[,/|;&]", key)]
    parts = [*key] if len(parts) == 1 and len(key) == 2 else parts
    return tuple(parts) if len(parts) > 1 and all(parts) else None


def _are_all_payoffs(cells: Mapping[tuple[str, ...], tuple[Any, ...]]) -> bool:
    """Whether every joint action has the payoffs of all players, which are no probabilities.

    The players must share their actions, or lose something: other keys may be infosets, with how
    often each action was played.
    """
    count = len(next(iter(cells)))
    if any(len(actions) != count or len(paid) != count for actions, paid in cells.items()):
        return False
    labels = [{actions[player] for actions in cells} for player in range(count)]
    is_whole = prod(map(len, labels)) == len(cells) and min(map(len, labels)) > 1
    values = [*chain(*cells.values())]
    return is_whole and (min(values) < 0 or (labels[0] == labels[1] and max(values) > 1))


def _is_distribution(value: Any) -> bool:
    """Whether a list, and no tuple of Python, holds probabilities."""
    if not isinstance(value, list) or isinstance(value, WrittenTuple):
        return False
    paid = _paid(value)
    return bool(paid) and min(paid) >= 0 and abs(sum(paid) - 1) < _NEAR


def _paid(value: Any) -> tuple[Any, ...]:
    """The payoffs in a cell; none for what holds others than numbers."""
    paid = tuple(value) if isinstance(value, list | tuple) else (value,)
    return paid if all(isinstance(x, int | float) for x in paid) else ()


def _records_in(document: Mapping[str, Any]) -> list[Any] | None:
    """The only list of an object, if that is of records, beside remarks; None for others."""
    lists = [value for value in document.values() if isinstance(value, list)]
    if len(lists) != 1 or any(isinstance(value, Mapping) for value in document.values()):
        return None
    return lists[0] if records_of(lists[0]) is not None else None


def read_document(text: str, path: Path) -> tuple[dict[str, Any], str | None, str | None]:
    """The table in a document, {infoset: {action: probability} or a list}; its game, if named.

    Last comes the fingerprint of the game's tree, where the document is that of a solution.

    Raises FileFormatError that names the key at fault.
    """

    def fail(problem: str, **fields: Unpack[Fields]) -> FileFormatError:
        expected = "{infoset: {action: probability}}"
        fields["expected"] = expected
        return FileFormatError(f"{path}: {problem}; expected {expected}", path, **fields)

    def check_once(table: ObjectPairs, what: str) -> None:
        if table.twice is not None:
            raise FileFormatError(
                f"{path}: {what} {table.twice!r} stands there twice",
                path,
                option=what.rpartition(" ")[2],
                given=table.twice,
                remedy="keep one of them",
            )

    try:
        document: Any = parsed_document(text)
    except json.JSONDecodeError as error:
        place = _place(error)
        problem = f"not complete JSON ({error.msg}: {place})"
        raise fail(problem, option="file", place=f"{path}, {place}") from None
    except RecursionError:
        raise fail("lists or objects are nested too deep", option="file") from None
    except ValueError as error:
        raise fail(f"not JSON ({error})", option="file") from None
    game = fingerprint = None
    if isinstance(document, ObjectPairs) and isinstance(document.get("strategy"), ObjectPairs):
        check_once(document, "the key")
        game = document.get("game")
        if document.get("num_nodes") is not None:  # without a tree it is that of the rules
            fingerprint = document.get("fingerprint")
        document = document["strategy"]
    if isinstance(document, ObjectPairs):
        document = _records_in(document) or document
    if isinstance(document, list):
        document = records_of(document) or keyed_rows_of(document)
    if not isinstance(document, ObjectPairs):
        raise fail("no object at the top", option="strategy")
    check_once(document, "infoset")
    document = ObjectPairs.of(
        [(_infoset(key), row_of_pairs(row) or row) for key, row in document.items()]
    )
    check_once(document, "infoset")
    for key, row in document.items():
        if not isinstance(row, dict | list):
            raise fail(
                f"infoset {key!r} holds {row!r:.60}",
                option="infoset",
                given=row,
                place=f"{path}, infoset {key!r}",
            )
        if isinstance(row, ObjectPairs):
            check_once(row, f"infoset {key!r}, action")
        for label, value in row.items() if isinstance(row, dict) else enumerate(row):
            share = read_number(value) if isinstance(value, str) else None
            if share is not None and _SHARE.fullmatch(value):
                row[label] = value = share  # noqa: PLW2901
            if isinstance(value, bool) or not isinstance(value, int | float):
                raise fail(
                    f"infoset {key!r}, action {label!r} holds {value!r:.60}",
                    option="probability",
                    given=value,
                    place=f"{path}, infoset {key!r}, action {label!r}",
                )
    names = (text if isinstance(text, str) else None for text in (game, fingerprint))
    return document, next(names), next(names)
