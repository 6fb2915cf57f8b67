"""Tables of strategies in JSON, or as literals of Python."""

from __future__ import annotations

import ast
import json
import re
from collections import Counter
from collections.abc import Mapping
from contextlib import suppress
from itertools import chain
from pathlib import Path
from typing import Any, Final, Unpack

from equilibrist.errors import Fields, FileFormatError

_ARRAY: Final = re.compile(r"(?:np\.|numpy\.)?(?:array|asarray|matrix)")
"""What makes an array of a list in Python."""
_BEGINNING: Final = re.compile(
    r"(?:\s*(?:#|import\b|from\b)[^\n]*\n)*\s*(?:[A-Za-z_]\w*\s*(?::[^=\n]*)?=\s*)?"
    rf"(?:{_ARRAY.pattern}\s*\(\s*)?[\[{{]"
)


class ObjectPairs(dict[str, Any]):
    """A JSON object that remembers a key it was given twice, of which a dict keeps the last."""

    twice: str | None = None

    @classmethod
    def of(cls, pairs: list[tuple[str, Any]]) -> ObjectPairs:
        """The object with these keys and values; `twice` is the first key that comes twice."""
        pairs_by_key = cls(pairs)
        if len(pairs_by_key) < len(pairs):
            counts = Counter(key for key, _ in pairs)
            pairs_by_key.twice = next(key for key, count in counts.items() if count > 1)
        return pairs_by_key


def begins_literal(text: str) -> bool:
    """Whether a text begins as an object does, or a dict with or without the name of a variable."""
    return _BEGINNING.match(text) is not None


def parsed_document(text: str) -> Any:
    """Parse a text in JSON, or a literal of Python, also behind the name of a variable.

    Several dicts of one file of Python are read as one, two lists as a list of both. Objects and
    dicts are `ObjectPairs`, keys that are numbers become texts. Nothing is run.

    Raises:
        ValueError: It is neither; the reason is that of JSON.
        RecursionError: It is nested too deep.
    """
    try:
        return json.loads(text, object_pairs_hook=ObjectPairs.of)
    except ValueError as error:
        with suppress(SyntaxError, ValueError, TypeError, MemoryError):
            return _only_value([_literal(value) for value in _literals(ast.parse(text.strip()))])
        raise error from None


def _literals(module: ast.Module) -> list[ast.expr]:
    """The dicts and lists that a file of Python writes down; ValueError if it defines more.

    Imports, texts and calls such as `print(table)` are passed over.
    """
    values = []
    for statement in module.body:
        if isinstance(statement, ast.Import | ast.ImportFrom | ast.Pass):
            continue
        if not isinstance(statement, ast.Assign | ast.AnnAssign | ast.Expr):
            raise ValueError("it is more than a table")
        value = statement.value
        if isinstance(value, ast.Dict | ast.List) or _is_array(value):
            values.append(value)
        elif not isinstance(statement, ast.Expr):
            raise ValueError("it has more values than tables")
    return [value for value in values if value is not None]


def _is_array(node: ast.expr | None) -> bool:
    """Whether this is `np.array([...])` or the like."""
    if not isinstance(node, ast.Call) or not node.args:
        return False
    return _ARRAY.fullmatch(ast.unparse(node.func)) is not None


def _only_value(values: list[Any]) -> Any:
    """The only value, or all of several in one: dicts joined, tables of payoffs listed."""
    if len(values) == 1:
        return values[0]
    if values and all(isinstance(value, ObjectPairs) for value in values):
        joined = ObjectPairs.of([pair for value in values for pair in value.items()])
        joined.twice = next((value.twice for value in values if value.twice), joined.twice)
        return joined
    if len(values) == 2 and all(isinstance(value, list) for value in values):
        return values
    raise ValueError("it has no table, or several of several kinds")


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


def _literal(node: ast.expr) -> Any:
    """The value of a literal; raises ValueError for what is none."""
    if isinstance(node, ast.Dict):
        if any(key is None for key in node.keys):
            raise ValueError("a dict with ** is no literal")
        keys = [ast.literal_eval(key) for key in node.keys if key is not None]
        texts = [key if isinstance(key, str) else str(key) for key in keys]
        return ObjectPairs.of(list(zip(texts, map(_literal, node.values), strict=True)))
    if isinstance(node, ast.List | ast.Tuple):
        return [_literal(element) for element in node.elts]
    if isinstance(node, ast.Call) and _is_array(node):
        return _literal(node.args[0])
    return ast.literal_eval(node)


def cells_of(
    document: Mapping[str, Any], *, may_be_strategy: bool = False
) -> dict[tuple[str, ...], tuple[Any, ...]] | None:
    """Payoffs by joint actions, if that is what an object holds; else None.

    It may be {('C', 'D'): (0, 5), ...} of Python, or {'C': {'D': (0, 5), ...}, ...} with the same
    actions in each row.

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
            actions = _joint_action(key)
            if actions is None:
                return None
            cells[actions] = _paid(value)
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


def _paid(value: Any) -> tuple[Any, ...]:
    """The payoffs in a cell; none for what holds others than numbers."""
    paid = tuple(value) if isinstance(value, list | tuple) else (value,)
    return paid if all(isinstance(x, int | float) for x in paid) else ()


def read_document(text: str, path: Path) -> tuple[dict[str, Any], str | None]:
    """The table in a document, {infoset: {action: probability} or a list}, and its game if named.

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
    except (ValueError, RecursionError) as error:
        raise fail(f"not JSON ({error})", option="file") from None
    game = None
    if isinstance(document, ObjectPairs) and isinstance(document.get("strategy"), ObjectPairs):
        check_once(document, "the key")
        game = document.get("game")
        document = document["strategy"]
    if not isinstance(document, ObjectPairs):
        raise fail("no object at the top", option="strategy")
    check_once(document, "infoset")
    for key, row in document.items():
        if not isinstance(row, ObjectPairs | list):
            raise fail(
                f"infoset {key!r} holds {row!r:.60}",
                option="infoset",
                given=row,
                place=f"{path}, infoset {key!r}",
            )
        if isinstance(row, ObjectPairs):
            check_once(row, f"infoset {key!r}, action")
        for label, value in row.items() if isinstance(row, ObjectPairs) else enumerate(row):
            if isinstance(value, bool) or not isinstance(value, int | float):
                raise fail(
                    f"infoset {key!r}, action {label!r} holds {value!r:.60}",
                    option="probability",
                    given=value,
                    place=f"{path}, infoset {key!r}, action {label!r}",
                )
    return document, game if isinstance(game, str) else None
