"""Strings like `name(key=value,...)`, which name games, algorithms and samplers.

Values are numbers, `true`, `false`, words, quoted strings, and lists of values in brackets.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NoReturn

from equilibrist.errors import ConfigError, EquilibristError, GameSpecError, UnknownNameError

Value = bool | int | float | str | list["Value"]

_KEY = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_NAMED = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\s*=")
_NUMBER = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?")
_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_.:-]*")
_SPACE = re.compile(r"\s*")
_MAX_NESTING = 16
_VALUE_EXPECTED = "expected a value: a number, true, false, a word, 'text' or [a list]"


def check_names(owner: str, names: Iterable[str], known: Sequence[str]) -> None:
    """Raise UnknownNameError for the first name that is not a parameter of `owner`."""
    for name in names:
        if name not in known:
            hint = "" if known else "(it takes no parameters)"
            raise UnknownNameError(f"parameter of {owner}", name, known, hint)


def format_spec(name: str, params: Mapping[str, object]) -> str:
    """The string for a name and its parameters, without spaces."""
    if not params:
        return name
    return f"{name}({','.join(f'{k}={format_value(v)}' for k, v in params.items())})"


def format_value(value: object) -> str:
    """A value as such strings write it, so that `Reader` reads the same value back."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return repr(value)
    if isinstance(value, str):
        if _WORD.fullmatch(value) and value.lower() not in ("true", "false"):
            return value
        return "'" + value.replace("\\", "\\\\").replace("'", "\\'") + "'"
    if isinstance(value, Sequence):
        return "[" + ",".join(format_value(v) for v in value) + "]"
    raise GameSpecError(
        f"such a string cannot hold {value!r} of type {type(value).__name__}",
        option="value",
        given=value,
    )


def unreadable_game(message: str, text: str, position: int) -> GameSpecError:
    """The error that a `Reader` of a game string raises."""
    return GameSpecError(message, text, position, option="game", given=text)


def unreadable(kind: str) -> Callable[[str, str, int], ConfigError]:
    """Make the error of a `Reader` of an option's value; the option's name is `kind`."""
    return lambda message, text, position: ConfigError(
        message, option=kind, given=text, place=f"column {position + 1}"
    )


class Reader:
    """A cursor over such a string.

    `kind` is what it names, such as game; `error(message, text, position)` makes the exception for
    one that cannot be read, with the offending column and the remedy in its message.
    """

    def __init__(
        self,
        text: str,
        kind: str,
        error: Callable[[str, str, int], EquilibristError],
        position: int = 0,
    ) -> None:
        self.text = text
        self.kind = kind
        self.error = error
        self.position = position

    def fail(self, message: str, position: int | None = None) -> NoReturn:
        """Raise the error, at `position` or where the cursor stands."""
        at = self.position if position is None else position
        lines = [f"cannot read the {self.kind} {self.text!r} at column {at + 1}: {message}"]
        if "\n" not in self.text and len(self.text) <= 100:
            lines += [f"  {self.text}", "  " + " " * at + "^"]
        raise self.error("\n".join(lines), self.text, at)

    def _at_end(self) -> bool:
        return self.position >= len(self.text)

    def _space(self) -> None:
        match = _SPACE.match(self.text, self.position)
        self.position = match.end() if match else self.position

    def _skip(self, token: str) -> bool:
        self._space()
        is_next = self.text.startswith(token, self.position)
        self.position += len(token) * is_next
        return is_next

    def take(self, pattern: re.Pattern[str], expected: str) -> str:
        """Read a match of the pattern at the cursor, which moves on; fails with `expected`."""
        self._space()
        match = pattern.match(self.text, self.position)
        if match is None:
            self.fail(expected)
        self.position = match.end()
        return match[0]

    def parameters(self, order: Sequence[str] = ()) -> tuple[dict[str, Value], dict[str, int]]:
        """Values and the columns of their names, from here to the end of the string.

        Values without a name are those of `order`, from its first on.
        """
        params: dict[str, Value] = {}
        positions: dict[str, int] = {}
        unnamed = 0
        opened = self._skip("(")
        while opened and not self._skip(")"):
            self._space()
            start = self.position
            if order and not _NAMED.match(self.text, start):
                if unnamed == len(order):
                    self.fail(f"expected at most {unnamed} values, of {', '.join(order)}")
                if unnamed < len(params):
                    self.fail("values without a name must come before those with one")
                key = order[unnamed]
                unnamed += 1
            else:
                key = self._key(start, params)
            params[key] = self._value(0)
            positions[key] = start
            self._space()
            if not self._skip(",") and not self.text.startswith(")", self.position):
                self.fail("expected ',' or ')'")
        self._space()
        if not self._at_end():
            self.fail("expected nothing after ')'" if opened else "expected '(' or the end")
        return params, positions

    def _key(self, start: int, parameters: Mapping[str, Value]) -> str:
        key = self.take(_KEY, "expected a parameter as key=value, or ')'")
        if key in parameters:
            self.fail(f"the parameter {key!r} is given twice; keep one", start)
        if not self._skip("="):
            self.fail(f"expected '=' after {key!r}: parameters are written key=value")
        return key

    def _value(self, depth: int) -> Value:
        self._space()
        if self._at_end():
            self.fail(_VALUE_EXPECTED)
        first = self.text[self.position]
        if first == "[":
            return self._items(depth)
        if first in "'\"":
            return self._quoted(first)
        number = _NUMBER.match(self.text, self.position)
        if number is not None:
            return self._number(number)
        word = self.take(_WORD, _VALUE_EXPECTED)
        return {"true": True, "false": False}.get(word.lower(), word)

    def _number(self, match: re.Match[str]) -> int | float:
        self.position = match.end()
        rest = _WORD.match(self.text, self.position)
        if rest is not None:
            self.fail(
                "expected a number, or quotes around a text that starts with a digit", match.start()
            )
        if match[2] is None and match[3] is None and "." not in match[0]:
            if len(match[0]) > 1000:
                self.fail("expected a number of at most 1000 digits", match.start())
            return int(match[0])
        return float(match[0])

    def _quoted(self, quote: str) -> str:
        start = self.position
        self.position += 1
        letters: list[str] = []
        while not self.text.startswith(quote, self.position):
            escaped = self.text.startswith("\\", self.position)
            self.position += escaped
            if self._at_end():
                self.fail(f"this text is not closed; add {quote} at its end", start)
            letters.append(self.text[self.position])
            self.position += 1
        self.position += 1
        return "".join(letters)

    def _items(self, depth: int) -> list[Value]:
        start = self.position
        self.position += 1
        if depth >= _MAX_NESTING:
            self.fail(f"lists may be nested at most {_MAX_NESTING} deep", start)
        items: list[Value] = []
        while not self._skip("]"):
            if self._at_end():
                self.fail("this list is not closed; add ']' at its end", start)
            items.append(self._value(depth + 1))
            self._space()
            if not self._skip(",") and not self._at_end() and self.text[self.position] != "]":
                self.fail("expected ',' or ']'")
        return items
