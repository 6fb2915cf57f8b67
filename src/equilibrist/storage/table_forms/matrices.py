"""Matrices in brackets as programs print them: NumPy, MATLAB, Octave, Julia, Mathematica, Sage.

Such as `[[0. 1.]` over ` [2. 3.]]`, `A = [1 2; 3 4];`, `{{1, 2}, {3, 4}}`, a row in brackets a
line, and all these with `array(...)`, a name, or a line above that ends in a colon. `B = A'` and
`B = -A` are read as well.
"""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Any, Final, NoReturn

from equilibrist.formatting.amounts import counted
from equilibrist.storage.table_forms.python_text import WrittenTuple

_TOKEN: Final = re.compile(
    r"(?P<number>[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d{1,3})?(?:/0*[1-9]\d*)?)"
    r"|(?P<cut>\.\.\.|\u2026)|(?P<open>[\[{(])|(?P<close>[\]})])|(?P<mark>[,;\n])"
    r"|(?P<blank>[ \t\r\u00a0]+)|(?P<other>\S)",
    re.ASCII,
)
_MINUS: Final = str.maketrans({"\u2212": "-", "\u2013": "-"})
_PASSED_OVER: Final = re.compile(
    r"#[^\n]*|%[^\n]*|//[^\n]*|\(\*.*?\*\)"
    r"|(?:\b(?:np|numpy|sp|sympy)\.)?\b(?:array|asarray|matrix|Matrix|mat|List|tensor|Array)(?=\s*\()"
    r"|^(?:Out|In)\s*\[\d+\]\s*:?=?|^>>>[^\[{\n]*$"
    r"|,\s*dtype\s*=\s*[\w.<>|='\"]+"
    r"|^\s*\d+\s*[x\u00d7]\s*\d+\s[^\n]*:[ \t]*$",
    re.DOTALL | re.MULTILINE,
)
"""Comments, prompts, what makes arrays, their types, and what Julia writes above a matrix."""
_PREFIX: Final = re.compile(r"(?:>>\s*)?(?:(?P<name>[A-Za-z_]\w*)\s*:?=|[^=\[\](){}]*:)?\s*")
"""What may stand before a matrix: a name, or a title."""
_MADE: Final = re.compile(
    r"(?P<name>[A-Za-z_]\w*)\s*=\s*(?P<sign>-?)\s*(?P<of>[A-Za-z_]\w*)(?P<turned>\.?')?\s*;?"
)
"""A line with a matrix that is made of another."""
_NUMBERS: Final = re.compile(r"[\s\d.eE+-]*", re.ASCII)
"""A line that shows a matrix without brackets."""
_PROFILES: Final = re.compile(r"payoff profile array")
"""What QuantEcon writes above cells with the payoffs of all players."""
_CLOSING: Final = {"[": "]", "{": "}", "(": ")"}


class MatrixFaultError(ValueError):
    """A fault in a matrix, and its offset in the text."""

    def __init__(self, problem: str, remedy: str, offset: int) -> None:
        super().__init__(problem)
        self.remedy = remedy
        self.offset = offset


class _OtherTextError(Exception):
    """The text is no matrix."""


def printed_matrices(text: str) -> list[Any] | None:
    """The matrices of a text, as nested lists; None for a text of another form.

    Raises:
        MatrixFaultError: It has matrices, of which one has a fault.
    """
    plain = _PASSED_OVER.sub(_blank, text.removeprefix("\ufeff").translate(_MINUS))
    if not re.search(r"[\[{]", plain):
        return None
    try:
        matrices = _Matrices(plain).read()
    except _OtherTextError:
        return None
    rows = [value for value in matrices if _is_row(value)]
    if len(rows) == len(matrices) > 1:  # as Sage prints a matrix
        matrices = [matrices]
    if len(matrices) == 1 and _PROFILES.search(plain):
        matrices = [_cells_as_tuples(matrices[0])]
    is_whole = bool(matrices) and all(
        isinstance(matrix, list) and all(isinstance(row, list) for row in matrix)
        for matrix in matrices
    )
    return matrices if is_whole else None


def _blank(match: re.Match[str]) -> str:
    return re.sub(r"[^\n]", " ", match[0])


def _cells_as_tuples(value: Any) -> Any:
    """Nested lists with the innermost ones as tuples."""
    if not isinstance(value, list):
        return value
    return WrittenTuple(value) if _is_row(value) else [_cells_as_tuples(part) for part in value]


def _is_row(value: Any) -> bool:
    return isinstance(value, list) and not any(isinstance(part, list) for part in value)


def _is_two_by_two_by_two(value: Any) -> bool:
    return (
        isinstance(value, list)
        and len(value) == 2
        and all(isinstance(row, list) and len(row) == 2 for row in value)
        and all(type(cell) is list and len(cell) == 2 for row in value for cell in row)
    )


class _Matrices:
    """A cursor over a text."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.named: dict[str, Any] = {}
        self.matrices: list[Any] = []

    def read(self) -> list[Any]:
        """Read all matrices; raises _OtherTextError, and MatrixFaultError."""
        while (bracket := re.compile(r"[\[{(]").search(self.text, self.at)) is not None:
            *lines, prefix = self.text[self.at : bracket.start()].split("\n")
            self.pass_over(lines)
            begins = _PREFIX.fullmatch(prefix.strip(" \t;,)"))
            if begins is None:
                raise _OtherTextError
            self.at = bracket.start()
            value = self.group(0)
            if self.text[bracket.start()] == "{" and _is_two_by_two_by_two(value):
                raise MatrixFaultError(
                    "this may be two tables, or one of cells with two payoffs",
                    "write cells with round brackets, (3, 3), or each player's table by itself",
                    bracket.start(),
                )
            values = value if isinstance(value, WrittenTuple) else [value]
            self.matrices += values  # two in a tuple are those of two players
            if begins["name"] is not None:
                self.named[begins["name"]] = value
        self.pass_over(self.text[self.at :].split("\n"))
        return self.matrices

    def pass_over(self, lines: list[str]) -> None:
        """Lines outside brackets: titles, and matrices that are made of others."""
        is_shown = False
        for line in map(str.strip, lines):
            made = _MADE.fullmatch(line)
            if made is not None and made["of"] in self.named:
                matrix = self.named[made["of"]]
                if not all(isinstance(row, list) for row in matrix):
                    raise _OtherTextError
                if made["turned"]:
                    matrix = [list(column) for column in zip(*matrix, strict=False)]
                if made["sign"]:
                    matrix = [[-value for value in row] for row in matrix]
                self.named[made["name"]] = matrix
                self.matrices.append(matrix)
            elif line.endswith((":", "=")):
                is_shown |= line.removesuffix("=").strip() in self.named
            elif line.strip(";,) \t") and not (is_shown and _NUMBERS.fullmatch(line)):
                raise _OtherTextError

    def group(self, depth: int) -> Any:
        """The list between the bracket here and the one that closes it."""
        opening, begin = self.text[self.at], self.at
        self.at += 1
        rows: list[list[Any]] = []
        row: list[Any] = []
        places: list[int] = []  # where the rows begin
        is_matrix = is_open = False
        while (token := _TOKEN.match(self.text, self.at)) is not None:
            kind, text = token.lastgroup, token[0]
            if kind in ("open", "number") and (kind == "open" or not row):
                places.append(self.at)
            if kind == "open":
                row.append(self.group(depth + (opening != "(")))
                is_open = False
                continue
            self.at = token.end()
            if kind == "close":
                if text != _CLOSING[opening]:
                    self.fail(f"{text} closes {opening}", "close each bracket by its own", token)
                if is_matrix:
                    rows = [*rows, row] if row else rows
                    self.check_even(rows, places)
                    return rows
                if opening != "(":
                    self.check_even(row, places)
                if opening == "(":
                    return row[0] if len(row) == 1 else WrittenTuple(row)
                return row
            if kind == "number":
                if is_open:
                    self.fail(f"{text} follows a number", "put a blank between them", token)
                row.append(_number(text))
                is_open = True
                continue
            is_open = False
            if text == ";":
                is_matrix = True
                rows.append(row)
                row = []
            elif text == "\n" and depth == 0 and opening == "[" and row:
                is_filled = self.text[begin : token.start()].rstrip(" \t\r")[-1] not in ",;"
                if _is_row(row) and is_filled and not self.closes_here():
                    is_matrix = True
                    rows.append(row)
                    row = []
            elif kind == "cut":
                self.cut(row, token)
            elif kind == "other":
                if not rows and not row and not depth:
                    raise _OtherTextError
                self.fail(f"{text!r} is no number", "write each payoff as -1, 0.5 or 1/3", token)
        if not rows and not row:  # nothing says that it is to be one
            raise _OtherTextError
        raise MatrixFaultError(
            f"the bracket {opening} is not closed", f"close it by {_CLOSING[opening]}", begin
        )

    def check_even(self, rows: list[Any], places: list[int]) -> None:
        """Refuse rows of unequal length."""
        if not all(_is_row(row) for row in rows):
            return
        for row, place in zip(rows, places, strict=False):
            if len(row) != len(rows[0]):
                raise MatrixFaultError(
                    f"this row has {counted(len(row), 'payoff')}; "
                    f"expected {len(rows[0])}, as in the first",
                    "give every row as many",
                    place,
                )

    def closes_here(self) -> bool:
        """Whether nothing but the closing bracket follows."""
        return re.compile(r"\s*[\]})]").match(self.text, self.at) is not None

    def cut(self, row: list[Any], token: re.Match[str]) -> None:
        """Pass over the sign of MATLAB that a line goes on below."""
        rest = re.compile(r"[ \t\r]*\n").match(self.text, self.at)
        line = self.text[self.text.rfind("\n", 0, token.start()) + 1 : token.start()]
        if rest is None or not line.strip():
            self.fail(
                "numbers are left out here",
                "print all of them: numpy.set_printoptions(threshold=10**9)",
                token,
            )
        self.at = rest.end()

    def fail(self, problem: str, remedy: str, token: re.Match[str]) -> NoReturn:
        raise MatrixFaultError(problem, remedy, token.start())


def _number(text: str) -> float:
    if "/" in text:
        above, _, below = text.partition("/")
        return float(Fraction(above) / int(below))
    return int(text) if text.lstrip("+-").isdigit() else float(text)
