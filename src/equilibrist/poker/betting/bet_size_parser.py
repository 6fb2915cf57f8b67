"""Lists of bet sizes as text, with a place and a remedy for whatever cannot be read."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Final

from equilibrist.errors import BetSizeSyntaxError
from equilibrist.formatting.escaping import escape_control_chars
from equilibrist.parsing.arguments import bad_argument
from equilibrist.poker.betting.bet_sizes import (
    AllIn,
    BetSize,
    CappedChips,
    Chips,
    Geometric,
    Multiple,
    PotShare,
    Sizes,
)
from equilibrist.poker.text_span import NUMBER, Piece

NO_SIZES: Final = "none"
"""The word for an empty list, where an empty text would mean that nothing was said."""
_LONGEST: Final = 12
"""Characters in a number: as many as can be printed exactly, and more than anybody needs."""


def parse_sizes(text: str, *, raises: bool = False) -> Sizes:
    """A list between commas, of bets or of raises; an empty text or `none` is an empty list.

    Raises BetSizeSyntaxError with the position of what cannot be read and a remedy.
    """
    return _sizes(_checked(text), raises)


def parse_street_sizes(text: str, *, raises: bool = False) -> tuple[Sizes, Sizes, Sizes]:
    """The lists of the flop, the turn and the river: `52%|55%|70%`, or one list for all."""
    lists = [_sizes(piece, raises) for piece in _by_street(text)]
    return lists[0], lists[1], lists[2]


def parse_donk_sizes(text: str) -> tuple[Sizes | None, Sizes | None, Sizes | None]:
    """The same for donk bets, which the flop has none of: `||50%`, or one list for both streets.

    None where nothing is said and the ordinary bets hold; `none` is an empty list.
    """
    pieces = _by_street(text)
    if len({piece.start for piece in pieces}) > 1 and pieces[0].text:
        raise _wrong(pieces[0], "nobody can donk on the flop: leave its list empty, as in ||50%")
    turn, river = (_sizes(piece, raises=False) if piece.text else None for piece in pieces[1:])
    return None, turn, river


def _checked(text: str) -> Piece:
    if not isinstance(text, str):
        raise bad_argument("sizes", text, "text, such as '50%, 2e, a'")
    return Piece.all_of(text).trimmed()


def _by_street(text: str) -> list[Piece]:
    whole = _checked(text)
    pieces = whole.split(r"\|")
    if len(pieces) == 1:
        return pieces * 3
    if len(pieces) != 3:
        raise _wrong(
            pieces[-1],
            f"{len(pieces)} lists of sizes; give one for all streets, or three for flop, turn and "
            "river, as in 52%|55%|70%",
        )
    return pieces


def _sizes(piece: Piece, raises: bool) -> Sizes:
    if piece.text.lower() in {"", NO_SIZES}:
        return ()
    return tuple(_size(each, raises) for each in piece.split(","))


def _size(piece: Piece, raises: bool) -> BetSize:
    """One size; raises BetSizeSyntaxError."""
    text = piece.text.lower()
    if not text:
        raise _wrong(piece, "an empty size: remove one of the commas, or write a size")
    for pattern, make in _FORMS:
        found = re.fullmatch(pattern, text, re.ASCII)
        if found:
            if any(len(number or "") > _LONGEST for number in found.groups()):
                raise _wrong(piece, f"a number of more than {_LONGEST} characters")
            size = make(piece, *found.groups())
            if size.only_raises and not raises:
                raise _wrong(
                    piece,
                    f"{escape_control_chars(text)} is for raises only; "
                    "write a bet as 50%, 100c, 2e or a",
                )
            return size
    raise _wrong(piece, _remedy(text))


def _share(_: Piece, percent: str) -> BetSize:
    return PotShare(Fraction(percent) / 100)


def _multiple(piece: Piece, factor: str) -> BetSize:
    if Fraction(factor) <= 1:
        raise _wrong(
            piece, f"{factor}x is no raise; the multiple of the bet is above 1, as in 2.5x"
        )
    return Multiple(Fraction(factor))


def _chips(piece: Piece, chips: str) -> BetSize:
    return Chips(_whole(piece, "chips", chips, 10**9))


def _capped(piece: Piece, chips: str, most: str) -> BetSize:
    return CappedChips(_whole(piece, "chips", chips, 10**9), _whole(piece, "raises", most, 100))


def _geometric(piece: Piece, steps: str, most: str | None) -> BetSize:
    limit = None if most is None else Fraction(most) / 100
    if limit == 0:
        raise _wrong(piece, "a limit of 0 % leaves no bet; leave the limit out, or raise it")
    return Geometric(_whole(piece, "steps", steps, 100) if steps else None, limit)


def _all_in(_: Piece) -> BetSize:
    return AllIn()


_FORMS: Final[Sequence[tuple[str, Callable[..., BetSize]]]] = (
    (rf"({NUMBER})%", _share),
    (rf"({NUMBER})x", _multiple),
    (r"(\d+)c", _chips),
    (r"(\d+)c(\d+)r", _capped),
    (rf"(\d*)e(?:({NUMBER})%)?", _geometric),
    (r"a", _all_in),
)


def _whole(piece: Piece, what: str, text: str, most: int) -> int:
    if not 1 <= int(text) <= most:
        raise _wrong(piece, f"{text} {what}; expected from 1 to {most:,}")
    return int(text)


def _remedy(text: str) -> str:
    said = f"{escape_control_chars(text[:20])!r} is no size"
    if re.fullmatch(NUMBER, text, re.ASCII):
        return (
            f"{text[:20]} lacks its unit: write {text[:20]}% of the pot or {text[:20]}c for chips"
        )
    if re.fullmatch(rf"{NUMBER}c", text, re.ASCII):
        return f"{said}: chips are whole numbers"
    if re.fullmatch(rf"\d+e{NUMBER}", text, re.ASCII):
        return f"{said}: the limit lacks its %, as in 3e200%"
    if re.search(r"\d(%|x|c|e)\s+\S", text):
        return f"{said}: put commas between sizes"
    return f"{said}; sizes look like 70%, 2.5x, 100c, 20c3r, e, 2e, 3e200% or a"


def _wrong(piece: Piece, message: str) -> BetSizeSyntaxError:
    return BetSizeSyntaxError(message, piece.whole, piece.start, option="sizes", given=piece.text)


def sizes_text(sizes: Sizes) -> str:
    """A list as text that is read as the same list."""
    return ", ".join(map(str, sizes)) or NO_SIZES
