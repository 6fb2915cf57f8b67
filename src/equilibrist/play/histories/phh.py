"""Reading the poker hand history format: one hand a file (PHH), or a numbered table each (PHHS).

A file that is no TOML as a whole is read table by table, so that one damaged hand costs no other.
"""

from __future__ import annotations

import re
import tomllib
import warnings
from typing import Any, Final

from equilibrist.errors import FileFormatError
from equilibrist.play.histories.faults import HandError
from equilibrist.play.histories.notation import import_notation
from equilibrist.play.histories.played import (
    Collector,
    ReadHands,
    TooManyHandsError,
    check_cards,
    hero_of,
    with_all_actions,
)

FORM: Final = "phh"
_AMOUNTS: Final = (
    "antes",
    "blinds_or_straddles",
    "starting_stacks",
    "finishing_stacks",
    "winnings",
)
"""Fields that are lists of amounts, by player."""
_TABLE: Final = re.compile(r"^[ \t]*\[[ \t]*([^\[\]\n]+?)[ \t]*\][ \t]*(?:#.*)?$", re.MULTILINE)
_PLACE: Final = re.compile(r"\(at line (\d+), column \d+\)")


def read_phh(text: str, path: object = "", most: int | None = None) -> ReadHands:
    """Read the hands of a PHH or PHHS file.

    Args:
        text: The content.
        path: The file, for errors.
        most: Hands that it may have; None for any number.

    Returns:
        The hands, each replayed by PokerKit, and those that were left out.

    Raises:
        TooManyHandsError: It has more.
        ConfigError: PokerKit is not installed.
        FileFormatError: There is no hand in it; has the line.
    """
    notation = import_notation()
    text = text.replace("\r\n", "\n")
    heads = list(_TABLE.finditer(text))
    numbered = [head for head in heads if head[1].isdecimal()]
    if most is not None and len(numbered) > most:  # before minutes of parsing
        raise TooManyHandsError.of(most, text.count("\n", 0, numbered[most].start()) + 1)
    collector = Collector(FORM, most)
    whole = _tables(text, notation, heads, path)
    for name, line, fields in whole:
        collector.add(line, name, lambda fields=fields: history_of(fields, notation))  # type: ignore[misc]
    return collector.result()


def _tables(
    text: str, notation: Any, heads: list[re.Match[str]], path: object
) -> list[tuple[str, int, Any]]:
    """Name, line, and fields of each hand; an error in their place for one that is no TOML."""
    try:
        fields = tomllib.loads(text, parse_float=notation.parse_value)
    except tomllib.TOMLDecodeError as error:
        if len(heads) > 1 or (heads and not text[: heads[0].start()].strip()):
            return _each_alone(text, notation, heads)
        raise _not_phh(path, f"{error}", _line_of(error)) from None
    except RecursionError:
        raise _not_phh(path, "it is nested too deeply", 1) from None
    if "variant" in fields or "actions" in fields:
        return [("", 1, fields)]
    tables = {name: table for name, table in fields.items() if isinstance(table, dict)}
    if not tables or len(tables) < len(fields):
        other = next((name for name in fields if name not in tables), None)
        what = "there is no hand in it" if other is None else f"{other!r} is no hand"
        raise _not_phh(path, what, 1)
    lines = [text.count("\n", 0, head.start()) + 1 for head in heads]
    if len(lines) != len(tables):  # tables within tables, or rows that look like one
        lines = [1] * len(tables)
    return [(name, line, table) for (name, table), line in zip(tables.items(), lines, strict=True)]


def _each_alone(text: str, notation: Any, heads: list[re.Match[str]]) -> list[tuple[str, int, Any]]:
    ends = [*(head.start() for head in heads[1:]), len(text)]
    tables: list[tuple[str, int, Any]] = []
    for head, end in zip(heads, ends, strict=True):
        line = text.count("\n", 0, head.start()) + 1
        name = head[1].strip("'\" ")
        fields: Any
        try:
            fields = tomllib.loads(text[head.end() : end], parse_float=notation.parse_value)
        except (tomllib.TOMLDecodeError, RecursionError) as error:
            reason = re.sub(_PLACE, "", f"{error}").strip()
            fields = HandError("toml", line + _line_of(error) - 1, detail=reason)
        tables.append((name, line, fields))
    return tables


def history_of(fields: Any, notation: Any) -> tuple[Any, int | None]:
    """A hand from its fields.

    Args:
        fields: The fields of PHH, or the fault of reading them.
        notation: The module `pokerkit.notation`.

    Returns:
        The hand, a `pokerkit.HandHistory` that PokerKit has replayed, and the index of the hero.

    Raises:
        HandError: The fields are no hand.
    """
    if isinstance(fields, HandError):
        raise fields
    history = history_from(fields, notation)
    try:
        check_cards(history)
        history = with_all_actions(history)
        return history, hero_of(history)
    except (TypeError, ValueError, AttributeError, IndexError) as error:
        raise HandError("hand-wrong", detail=error) from None


def history_from(fields: dict[str, Any], notation: Any) -> Any:
    """A `pokerkit.HandHistory` of fields, which is not replayed; HandError for a wrong field."""
    kinds = notation.HandHistory
    variant = fields.get("variant")
    if variant not in kinds.game_types:
        known = ", ".join(kinds.game_types)
        raise HandError("variant-unknown", value=repr(variant), known=known)
    missing = [name for name in kinds.required_field_names[variant] if name not in fields]
    if len(missing) == 1:
        raise HandError("field-missing", field=missing[0])
    if missing:
        raise HandError("fields-missing", fields=", ".join(missing))
    for name in (*_AMOUNTS, "actions"):
        value = fields.get(name)
        if value is not None and not isinstance(value, list):
            raise HandError("list-expected", field=name, value=repr(value))
    for name in _AMOUNTS:
        for value in fields.get(name) or ():
            if isinstance(value, bool | str) or not hasattr(value, "__abs__"):
                raise HandError("number-expected", field=name, value=repr(value))
    if not all(isinstance(action, str) for action in fields["actions"]):
        raise HandError("text-expected")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of fields of users without an underscore
            return kinds(**kinds._filter_non_fields(**fields))
    except (TypeError, ValueError) as error:
        raise HandError("fields-wrong", detail=error) from None


def _line_of(error: object) -> int:
    found = _PLACE.search(str(error))
    return int(found[1]) if found else 1


def _not_phh(path: object, reason: str, line: int) -> FileFormatError:
    return FileFormatError(
        f"{path or 'the text'} is no file of hand histories (PHH): {reason}",
        path,
        option="hands",
        given=reason,
        expected="PHH, or PHHS with one numbered table a hand",
        place=f"{path}, line {line}" if path else f"line {line}",
        remedy="mend it there",
    )
