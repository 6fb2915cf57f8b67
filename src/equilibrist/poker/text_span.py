"""Pieces of a text that know where in it they stand, for parsers that point at what is wrong."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal
from typing import Final

NUMBER: Final = r"(?:\d+\.?\d*|\.\d+)"
"""A decimal number without sign or exponent, as a regular expression."""


def read_share(text: str) -> float:
    """The number that `0.05` or `5%` says; raises ValueError for what is no number."""
    stripped = text.strip()
    try:
        number = Decimal(stripped.removesuffix("%"))
        return float(number / 100 if stripped.endswith("%") else number)
    except ArithmeticError:
        raise ValueError(text) from None


@dataclass(frozen=True)
class Piece:
    """`whole[start:end]`."""

    whole: str
    start: int
    end: int

    @classmethod
    def all_of(cls, text: str) -> Piece:
        """The whole of a text."""
        return cls(text, 0, len(text))

    @property
    def text(self) -> str:
        """What the piece says."""
        return self.whole[self.start : self.end]

    def part(self, start: int, end: int | None = None) -> Piece:
        """The piece of this piece between two of its own positions."""
        length = self.end - self.start
        return Piece(self.whole, self.start + start, self.start + (length if end is None else end))

    def trimmed(self) -> Piece:
        """The piece without blanks at its ends; of blanks alone its empty end."""
        text = self.text
        return self.part(len(text) - len(text.lstrip()), len(text.rstrip()) or None)

    def split(self, separator: str) -> list[Piece]:
        """The trimmed pieces between matches of a regular expression, empty ones included."""
        pieces, begin = [], 0
        for found in re.finditer(separator, self.text):
            pieces.append(self.part(begin, found.start()).trimmed())
            begin = found.end()
        return [*pieces, self.part(begin).trimmed()]
