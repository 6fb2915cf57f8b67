"""The one string that names a game: `name`, `name(key=value,...)`, `rules.py:Class(key=value)`.

`rules:name(key=value)` and `rules:my_rules.py(key=value)` name a module of `equilibrist.rules`.
Values are numbers, `true`, `false`, words, quoted strings, and lists of values in brackets.
`parse_spec` reads the string, `format_spec` writes the canonical one.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NoReturn

from equilibrist.errors import GameSpecError
from equilibrist.user_code import names_with_methods, public_names

Value = bool | int | float | str | list["Value"]

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]*")
_KEY = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_RULES = re.compile(r"\s*rules:\s*(?P<name>[^()]*?)\s*(?=\(|\Z)")
_USER = re.compile(r"(?P<path>.+?\.py):(?P<name>[A-Za-z_][A-Za-z0-9_]*)?", re.DOTALL)
_BARE = re.compile(r"\s*(?P<path>[^()]*\.py)\s*:?\s*(\(.*\))?\s*", re.DOTALL)
"""A Python file without the name of what is meant in it."""
_METHODS = ("initial_state", "next", "payoffs", "infoset")
"""By these methods a class is taken for a game, where the user has not said which one it is."""
_NUMBER = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?")
_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_.-]*")
_SPACE = re.compile(r"\s*")
_MAX_NESTING = 16
_VALUE_EXPECTED = "expected a value: a number, true, false, a word, 'text' or [a list]"


@dataclass(frozen=True)
class Spec:
    """A game string taken apart; `path` is empty for the games that come with Equilibrist.

    `is_rules`: a rules module is meant; its path is its name, too.
    """

    text: str
    name: str
    path: str = ""
    is_rules: bool = False
    params: dict[str, Value] = field(default_factory=dict)
    positions: dict[str, int] = field(default_factory=dict)
    """The column in `text` at which each parameter's name starts."""


def parse_spec(text: str) -> Spec:
    """Take a game string apart.

    Raises `GameSpecError` with the offending column and the remedy.
    """
    if not isinstance(text, str):
        raise GameSpecError(f"a game is named by a string such as 'kuhn', got {text!r}")
    rules = _RULES.match(text)
    user = _USER.match(text) if rules is None else None
    bare = _BARE.fullmatch(text) if rules is None else None
    if bare is not None:
        raise GameSpecError(_which(bare["path"]), text, bare.end("path"))
    found = rules or user
    reader = _Reader(text, 0 if found is None else found.end())
    if rules is not None:
        name = rules["name"]
        if not name:
            reader.fail("expected rules, as in rules:liars_dice or rules:my_rules.py")
        path = name if name.endswith(".py") else ""
    elif user is not None:
        if user["name"] is None:
            reader.fail("expected the name of a class, function or game, as in rules.py:MyGame")
        path, name = user["path"], user["name"]
    else:
        path, name = "", reader.take(_NAME, "expected the name of a game, such as kuhn or leduc")
    params: dict[str, Value] = {}
    positions: dict[str, int] = {}
    if reader.skip("("):
        reader.parameters(params, positions)
    reader.space()
    if not reader.at_end():
        reader.fail("expected '(' or the end" if not params else "expected nothing after ')'")
    return Spec(text, name, path, rules is not None, params, positions)


def _which(path: str) -> str:
    """What to say to someone who named a Python file and no game in it."""
    file = Path(path).expanduser()
    if not file.is_file():
        return f"the file {path!r} does not exist; your own game is written {path}:MyGame"
    games = names_with_methods(path, _METHODS, "equilibrist.games")
    names = games or public_names(path)
    if not games and {"start", "apply", "key"} <= set(names):
        return f"this looks like a rules module, which is written rules:{path}"
    said = f"say which game of the file is meant, as {path}:{names[0] if names else 'MyGame'}"
    if games:
        return f"{said} ({path} has {', '.join(games)})"
    what = f"it defines {', '.join(names[:20])}" if names else "it defines nothing"
    return f"{said} (nothing in {path} looks like a game: {what})"


def format_spec(name: str, params: Mapping[str, object]) -> str:
    """The game string for a name and its parameters, without spaces."""
    if not params:
        return name
    return f"{name}({','.join(f'{k}={format_value(v)}' for k, v in params.items())})"


def format_value(value: object) -> str:
    """A value as the game string writes it, so that `parse_spec` reads the same value back."""
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
    raise GameSpecError(f"a game string cannot hold {value!r} of type {type(value).__name__}")


class _Reader:
    """A cursor over the game string."""

    def __init__(self, text: str, position: int) -> None:
        self.text = text
        self.position = position

    def fail(self, message: str, position: int | None = None) -> NoReturn:
        at = self.position if position is None else position
        lines = [f"cannot read the game {self.text!r} at column {at + 1}: {message}"]
        if "\n" not in self.text and len(self.text) <= 100:
            lines += [f"  {self.text}", "  " + " " * at + "^"]
        raise GameSpecError("\n".join(lines), self.text, at)

    def at_end(self) -> bool:
        return self.position >= len(self.text)

    def space(self) -> None:
        match = _SPACE.match(self.text, self.position)
        self.position = match.end() if match else self.position

    def skip(self, token: str) -> bool:
        self.space()
        found = self.text.startswith(token, self.position)
        self.position += len(token) * found
        return found

    def take(self, pattern: re.Pattern[str], expected: str) -> str:
        self.space()
        match = pattern.match(self.text, self.position)
        if match is None:
            self.fail(expected)
        self.position = match.end()
        return match[0]

    def parameters(self, params: dict[str, Value], positions: dict[str, int]) -> None:
        while not self.skip(")"):
            self.space()
            start = self.position
            key = self.take(_KEY, "expected a parameter as key=value, or ')'")
            if key in params:
                self.fail(f"the parameter {key!r} is given twice; keep one", start)
            if not self.skip("="):
                self.fail(f"expected '=' after {key!r}: parameters are written key=value")
            params[key] = self.value(0)
            positions[key] = start
            self.space()
            if not self.skip(",") and not self.text.startswith(")", self.position):
                self.fail("expected ',' or ')'")

    def value(self, depth: int) -> Value:
        self.space()
        if self.at_end():
            self.fail(_VALUE_EXPECTED)
        first = self.text[self.position]
        if first == "[":
            return self.items(depth)
        if first in "'\"":
            return self.quoted(first)
        number = _NUMBER.match(self.text, self.position)
        if number is not None:
            return self.number(number)
        word = self.take(_WORD, _VALUE_EXPECTED)
        return {"true": True, "false": False}.get(word.lower(), word)

    def number(self, match: re.Match[str]) -> int | float:
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

    def quoted(self, quote: str) -> str:
        start = self.position
        self.position += 1
        letters: list[str] = []
        while not self.text.startswith(quote, self.position):
            escaped = self.text.startswith("\\", self.position)
            self.position += escaped
            if self.at_end():
                self.fail(f"this text is not closed; add {quote} at its end", start)
            letters.append(self.text[self.position])
            self.position += 1
        self.position += 1
        return "".join(letters)

    def items(self, depth: int) -> list[Value]:
        start = self.position
        self.position += 1
        if depth >= _MAX_NESTING:
            self.fail(f"lists may be nested at most {_MAX_NESTING} deep", start)
        found: list[Value] = []
        while not self.skip("]"):
            if self.at_end():
                self.fail("this list is not closed; add ']' at its end", start)
            found.append(self.value(depth + 1))
            self.space()
            if not self.skip(",") and not self.at_end() and self.text[self.position] != "]":
                self.fail("expected ',' or ']'")
        return found
