"""Spans of a text that keep their position, for parsers that point at the error."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal
from typing import Final

NUMBER: Final = r"(?:\d++(?:\.\d*+)?|\.\d++)"
"""A decimal number without sign or exponent, as a regular expression.

Digits are taken once and for all: otherwise a long row of them takes quadratic time to refuse."""


def read_share(text: str) -> float:
    """The number written as `0.05` or `5%`; raises ValueError for anything else."""
    stripped = text.strip()
    try:
        number = Decimal(stripped.removesuffix("%"))
        return float(number / 100 if stripped.endswith("%") else number)
    except ArithmeticError:
        raise ValueError(text) from None


@dataclass(frozen=True)
class TextSpan:
    """`whole[start:end]`."""

    whole: str
    start: int
    end: int

    @classmethod
    def all_of(cls, text: str) -> TextSpan:
        """The whole of a text."""
        return cls(text, 0, len(text))

    @property
    def text(self) -> str:
        """The text of the span."""
        return self.whole[self.start : self.end]

    def part(self, start: int, end: int | None = None) -> TextSpan:
        """The part of this span between two positions in it."""
        length = self.end - self.start
        return TextSpan(
            self.whole, self.start + start, self.start + (length if end is None else end)
        )

    def trimmed(self) -> TextSpan:
        """The span without blanks at its ends; an empty span at its end if it is all blank."""
        text = self.text
        return self.part(len(text) - len(text.lstrip()), len(text.rstrip()) or None)

    def split(self, separator: str) -> list[TextSpan]:
        """The trimmed parts between matches of a regular expression, empty ones included."""
        pieces, begin = [], 0
        for match in re.finditer(separator, self.text):
            pieces.append(self.part(begin, match.start()).trimmed())
            begin = match.end()
        return [*pieces, self.part(begin).trimmed()]
