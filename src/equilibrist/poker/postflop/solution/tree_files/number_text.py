"""Numbers as text by array operations.

A text is a row of words, of eight bytes each, in which unused bytes are 0. Rows are joined word by
word, and the zeros are dropped when the bytes are written.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import Enum
from functools import cache, lru_cache
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from equilibrist.poker.postflop.solution.node_aggregates import DIGITS
from equilibrist.typing import BoolArray, FloatArray, Int64Array, UInt64Array

_WORD: Final = 8
_HALF: Final = 1_000
"""Three decimals are looked up together."""
_AFTER_POINT: Final = "\0" * 4
"""The bytes that the point and three decimals take."""
_BILLION: Final = 10**9
_POWERS: Final = 10.0 ** np.arange(-4, 4)
"""Where numbers have another number of decimals with six digits; smaller ones get an exponent."""
_SCALES: Final = 10.0 ** np.array([9, 9, 8, 7, 6, 5, 4, 3, 0])
"""What makes six digits whole, by the place among the powers."""
_TO_BILLIONTHS: Final = 10 ** np.array([0, 0, 1, 2, 3, 4, 5, 6, 0])
_EXACT: Final = 1e15
"""Below, a whole number of millionths is the shortest text of its float64."""
_TIE: Final = 1e-6
"""So close to a half the scaled number does not tell how its decimals are rounded."""
_WHOLE: Final = 10_000
"""Whole numbers below have their text in a table."""


class Form(Enum):
    """As JSON has numbers, `1.0`, `1e-06` and null for NaN, or as 1, 0.000001 and nothing."""

    JSON = "json"
    CSV = "csv"


class _Tables(NamedTuple):
    """Words of parts of numbers."""

    whole: UInt64Array
    """0 to 9,999, then -0 to -9,999."""
    ends: UInt64Array
    """The first three decimals where they are the last, with the point."""
    begins: UInt64Array
    """The first three decimals where others follow."""
    middle: UInt64Array
    """The next three decimals where others follow."""
    rest: UInt64Array
    """The next three decimals where they are the last, and not all 0."""
    last: UInt64Array
    """Three more decimals, in a word of their own."""
    tiny: UInt64Array
    """0 to 99 millionths as JSON writes them."""


def words(texts: Sequence[str]) -> UInt64Array:
    """uint64[n, w]: texts as words, padded to the longest."""
    encoded = [text.encode() for text in texts]
    width = -(-max(map(len, encoded), default=0) // _WORD) or 1
    return np.array(encoded, f"S{_WORD * width}").view(np.uint64).reshape(len(texts), width)


def decimals(values: FloatArray, form: Form, end: str = "") -> UInt64Array:
    """uint64[..., w]: numbers with six decimals, as `round(value, 6)` of Python has them.

    Args:
        values: float64[...].
        form: How they are written.
        end: A character that follows each.
    """
    tables = _tables(form)
    scaled = np.rint(values * 10**DIGITS)
    unknown = np.isnan(scaled)
    if unknown.any():
        scaled[unknown] = 0
    huge = ~(np.abs(scaled) < _EXACT)
    if huge.any():  # as an EQR where the equity is next to nothing
        scaled[huge] = 0
    size = np.abs(scaled).astype(np.int64)
    negative = scaled < 0
    whole = size // 10**DIGITS
    decimal = size - whole * 10**DIGITS
    high = decimal // _HALF
    low = decimal - high * _HALF
    first = _whole_words(whole, negative, tables)
    text = np.empty((*values.shape, first.shape[-1] + 1), np.uint64)
    last = text[..., -1]
    last[...] = np.where(low == 0, tables.ends[high], tables.begins[high] | tables.rest[low])
    text[..., :-1] = first
    if form is Form.JSON:
        tiny = (size < len(tables.tiny)) & (size > 0)
        if tiny.any():
            text[tiny, :-1] = 0
            text[tiny & negative, 0] = _constant("-")[0]
            last[tiny] = tables.tiny[size[tiny]]
    if unknown.any():
        text[unknown] = 0
        if form is Form.JSON:
            text[unknown, 0] = _constant("null")[0]
    if huge.any():
        exact = words([_plain(value, form) for value in values[huge].tolist()])
        more = max(0, 1 + exact.shape[-1] - text.shape[-1])
        text = np.concatenate([np.zeros((*values.shape, more), np.uint64), text], axis=-1)
        text[huge] = 0
        text[huge, : exact.shape[-1]] = exact
    if end:
        text[..., -1] |= _end(end)
    return text


def six_digits(values: FloatArray, form: Form, end: str = "") -> UInt64Array:
    """uint64[..., 3]: numbers of at least 0 with six significant digits, as `f"{value:.6g}"`.

    Args:
        values: float64[...].
        form: How they are written.
        end: A character that follows each.
    """
    tables = _tables(form)
    size = np.searchsorted(_POWERS, values, "right")  # 0 below the first
    scaled = values * _SCALES[size]
    digits = np.rint(scaled)
    # Python decides where rounding is close, and writes numbers with exponents.
    odd = np.abs(scaled - np.floor(scaled) - 0.5) < _TIE
    odd |= (values > 0) & (size == 0)
    odd |= size == len(_POWERS)
    digits[odd] = 0
    billionths = digits.astype(np.int64) * _TO_BILLIONTHS[size]
    whole = billionths // _BILLION
    decimal = billionths - whole * _BILLION
    high = decimal // _HALF**2
    rest = decimal - high * _HALF**2
    middle = rest // _HALF
    low = rest - middle * _HALF
    rows = np.empty((*values.shape, 3), np.uint64)
    rows[..., 0] = tables.whole[whole]
    short = np.where(middle == 0, tables.ends[high], tables.begins[high] | tables.rest[middle])
    long = tables.begins[high] | tables.middle[middle]
    rows[..., 1] = np.where(low == 0, short, long)
    rows[..., 2] = np.where(low == 0, 0, tables.last[low])
    if odd.any():
        texts = [f"{value:.6g}" for value in values[odd].tolist()]
        if form is Form.JSON:
            texts = [repr(float(text)) for text in texts]
        exact = words([*texts, "0" * (2 * _WORD)])[:-1]
        rows[odd, :2] = exact
        rows[odd, 2] = 0
    if end:
        rows[..., 2] |= _end(end)
    return rows


def texts_of(values: NDArray[Any], write: Callable[[Any], str]) -> UInt64Array:
    """uint64[..., w]: numbers, many of which are the same, as a function writes them."""
    different, which = np.unique(values, return_inverse=True)
    texts: UInt64Array = words([write(value) for value in different.tolist()])
    return texts[which.reshape(values.shape)]


def joined(shape: tuple[int, ...], pieces: Sequence[str | UInt64Array]) -> UInt64Array:
    """uint64[*shape, w]: pieces one after the other, each for all rows or with words for each."""
    parts = [_constant(piece) if isinstance(piece, str) else piece for piece in pieces]
    ends = np.cumsum([part.shape[-1] for part in parts]).tolist()
    text = np.empty((*shape, ends[-1]), np.uint64)
    for part, end in zip(parts, ends, strict=True):
        text[..., end - part.shape[-1] : end] = part
    return text


def written(rows: UInt64Array) -> bytes:
    """The text of rows."""
    return rows.tobytes().translate(None, b"\0")


def _whole_words(whole: Int64Array, negative: BoolArray, tables: _Tables) -> UInt64Array:
    """uint64[..., w]: whole numbers with their signs."""
    if whole.max(initial=0) < _WHOLE:
        return tables.whole[whole + _WHOLE * negative][..., None]
    return texts_of(2 * whole + negative, lambda value: f"{'-' * (value % 2)}{value // 2}")


def _plain(value: float, form: Form) -> str:
    """A number as Python writes it."""
    if form is Form.JSON:
        return repr(round(value, DIGITS))
    return f"{value:.{DIGITS}f}".rstrip("0").rstrip(".")


@lru_cache(1000)
def _constant(text: str) -> UInt64Array:
    """uint64[w]: the words of a text."""
    (row,) = words([text])
    return np.asarray(row)


def _end(character: str) -> UInt64Array:
    """A word with a character as its last byte, which words of decimals leave free."""
    return _constant("\0" * (_WORD - 1) + character)


@cache
def _tables(form: Form) -> _Tables:
    half, point_zero = range(_HALF), ".0" if form is Form.JSON else ""
    full = [f"{number:03}" for number in half]
    cut = [number.rstrip("0") for number in full]
    signed = [f"{sign}{number}" for sign in ("", "-") for number in range(_WHOLE)]
    return _Tables(
        *(
            words(texts)[:, 0]
            for texts in (
                signed,
                [point_zero, *(f".{number}" for number in cut[1:])],
                [f".{number}" for number in full],
                [_AFTER_POINT + number for number in full],
                [_AFTER_POINT + number for number in cut],
                cut,
                [f"{number / 10**DIGITS}" for number in range(100)],
            )
        )
    )
