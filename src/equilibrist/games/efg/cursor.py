"""A cursor over a file of Gambit's, of which every error has its line and column."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import NoReturn

from equilibrist.errors import GameSpecError

_SPACE = re.compile(r"\s*")
TEXT = re.compile(r'"((?:\\"|[^"\\]|\\(?!"))*)"')
"""A name in quotation marks."""
_NUMBER = re.compile(r"[+-]?(?:\d+/\d+|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d{1,4})?)(?![\w./])")
_WORD = re.compile(r"\w+")
_LONGEST = 1000
_WRITE = "write it there"
_LARGEST = Fraction(10) ** 150
MAX_PLAYERS = 127


class Cursor:
    """Where reading stands in the text of the file at `path`."""

    def __init__(self, text: str, path: str) -> None:
        self.text = text
        self.path = path
        self.at = 0
        self.last = 0
        """Where what was read last begins."""
        self.players: tuple[str, ...] = ()

    def opening(self, word: str, version: str) -> str:
        """Read how such a file begins: EFG 2 R "title" { "A" "B" }, or NFG 1 R.

        Args:
            word: EFG or NFG.
            version: The version of the format.

        Returns:
            The title; the names of the players are `players` from now on.
        """
        if self.word(f"{word}, with which such a file begins") != word:
            self.fail(
                f"expected {word}, with which such a file begins",
                0,
                remedy=f"begin the file with {word} {version} R",
            )
        given = self.word(f"the version of the format, {version}")
        if given != version:
            self.fail(
                f"expected version {version} of the format, got {given}",
                self.last,
                remedy="convert the file with a current version of Gambit",
            )
        if self.word("R, the letter behind the version") not in ("R", "D"):
            self.fail(
                "expected the letter R (or D) behind the version", self.last, remedy="write R"
            )
        title = self.quoted("the title of the game in quotes")
        self.players = tuple(self.texts("the players' names"))
        if not 1 <= len(self.players) <= MAX_PLAYERS:
            self.fail(
                f"expected from 1 to {MAX_PLAYERS} players, got {len(self.players)}",
                remedy="name the players in braces behind the title",
            )
        return title

    def payoffs(self, *, is_open: bool = False) -> tuple[Fraction, ...]:
        """Payoffs of all players; `is_open` says that the brace before them was read."""
        if not is_open:
            self.mark("{", "payoffs in braces")
        self.skip_comma()
        values: list[Fraction] = []
        while self.peek() != "}":
            values.append(self.number("a payoff, or }")[1])
            self.skip_comma()
        if len(values) != len(self.players):
            self.fail(
                f"expected {len(self.players)} payoffs, one per player, got {len(values)}",
                remedy="give one payoff per player",
            )
        self.at += 1
        return tuple(values)

    def texts(self, what: str) -> list[str]:
        self.mark("{", f"{what} in braces")
        texts: list[str] = []
        while self.peek() != "}":
            texts.append(self.quoted(f"{what}, each in quotes, or }}"))
        self.at += 1
        return texts

    def peek(self) -> str:
        """The next character that is not a space, empty at the end."""
        space = _SPACE.match(self.text, self.at)
        self.at = space.end() if space else self.at
        return self.text[self.at : self.at + 1]

    def mark(self, wanted: str, what: str) -> None:
        if self.peek() != wanted:
            self.fail(f"expected {what}")
        self.at += 1

    def skip_comma(self) -> None:
        if self.peek() == ",":
            self.at += 1

    def take(self, pattern: re.Pattern[str], what: str) -> re.Match[str]:
        self.peek()
        match = pattern.match(self.text, self.at)
        if match is None:
            self.fail(f"expected {what}")
        self.last, self.at = self.at, match.end()
        return match

    def word(self, what: str) -> str:
        return self.take(_WORD, what)[0]

    def quoted(self, what: str) -> str:
        if self.peek() == '"' and TEXT.match(self.text, self.at) is None:
            self.fail("this text is not closed", remedy="add a quote at its end")
        return self.take(TEXT, what)[1].replace('\\"', '"')

    def integer(self, what: str) -> int:
        written, value = self.number(what)
        if value.denominator != 1 or value < 0:
            self.fail(
                f"expected {what}: a whole number, got {written}",
                self.last,
                remedy="write a whole number",
            )
        return int(value)

    def number(self, what: str) -> tuple[str, Fraction]:
        """A number as it is written, and its exact value."""
        written = self.take(_NUMBER, what)[0]
        if len(written) > _LONGEST:
            self.fail(
                f"expected a number of at most {_LONGEST} digits", self.last, remedy="round it"
            )
        try:
            value = Fraction(written)
        except ZeroDivisionError:
            self.fail(f"{written} divides by 0", self.last, remedy="write another number")
        if abs(value) > _LARGEST:
            self.fail(
                "expected a number of at most 1e150",
                self.last,
                remedy="give the payoffs in a larger unit",
            )
        return written, value

    def line(self, place: int) -> int:
        return self.text.count("\n", 0, place) + 1

    def fail(self, message: str, place: int | None = None, *, remedy: str = _WRITE) -> NoReturn:
        """Raise GameSpecError with line and column.

        Args:
            message: What is wrong.
            place: The offset in the text; None for where reading stands.
            remedy: What to do about it.
        """
        at = self.at if place is None else place
        space = _SPACE.match(self.text, at)
        at = space.end() if space else at
        column = at - self.text.rfind("\n", 0, at)
        near = self.text[at : at + 30].split("\n")[0]
        raise GameSpecError(
            f"{self.path}, line {self.line(at)}, column {column}: {message}"
            + (f" (here: {near!r})" if near else " (here the file ends)"),
            self.path,
            at,
            option="file",
            given=near or None,
            place=f"line {self.line(at)}, column {column}",
            remedy=remedy,
        )
