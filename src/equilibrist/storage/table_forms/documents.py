"""Tables of strategies in JSON, or as literals of Python."""

from __future__ import annotations

import ast
import json
import re
from collections import Counter
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, Unpack

from equilibrist.errors import Fields, FileFormatError

_BEGINNING: Final = re.compile(r"(?:\s*#[^\n]*\n)*\s*(?:[A-Za-z_]\w*\s*(?::[^=\n]*)?=\s*)?[\[{]")


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

    Objects and dicts are `ObjectPairs`, keys that are numbers become texts. Nothing is run.

    Raises:
        ValueError: It is neither; the reason is that of JSON.
        RecursionError: It is nested too deep.
    """
    try:
        return json.loads(text, object_pairs_hook=ObjectPairs.of)
    except ValueError as error:
        with suppress(SyntaxError, ValueError, TypeError, MemoryError):
            body = ast.parse(text.strip()).body
            value = getattr(body[0], "value", None) if len(body) == 1 else None
            if isinstance(value, ast.Dict | ast.List):
                return _literal(value)
        raise error from None


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
    return ast.literal_eval(node)


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
