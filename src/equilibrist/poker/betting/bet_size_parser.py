"""Parsers of bet sizes; errors have the position and a remedy."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Final

from equilibrist.errors import BetSizeSyntaxError
from equilibrist.formatting.escaping import escape_control_chars
from equilibrist.parsing.arguments import bad_argument, several
from equilibrist.poker.betting.bet_sizes import (
    EVERY_BET,
    STREETS,
    AllIn,
    BetSize,
    CappedChips,
    Chips,
    EveryBet,
    Geometric,
    Multiple,
    PotShare,
    Sizes,
)
from equilibrist.poker.betting.chips import DECIMALS, MOST_CHIPS, amount_of
from equilibrist.poker.text_span import NUMBER, TextSpan

_NO_SIZES: Final = "none"
"""The word for an empty list, where an empty text means that no list is given."""
_EXAMPLES: Final = ("52%", "55%", "70%", "100%")
_LONGEST: Final = 12
"""The maximum length of a number in characters; all of them can be printed exactly."""


def parse_sizes(text: str, *, raises: bool = False) -> Sizes:
    """Read a list of bet sizes.

    Args:
        text: Sizes separated by commas, such as `50%, 2e, a`; `none` or an empty text for none. A
            number without a unit is a percentage of the pot.
        raises: Whether they are raise sizes, which allow `2.5x` and `20c3r`.

    Returns:
        The sizes in the given order.

    Raises:
        ConfigError: `text` is not a text.
        BetSizeSyntaxError: A size cannot be read; the error has the position.
    """
    return _sizes(_checked(text), raises)


def parse_street_sizes(text: str, *, raises: bool = False) -> tuple[Sizes, Sizes, Sizes]:
    """The sizes of the flop, the turn and the river.

    Args:
        text: `52%|55%|70%`, or one list for all.
        raises: Whether they are sizes of raises.

    Returns:
        Three lists.

    Raises:
        BetSizeSyntaxError: The text cannot be read; the error has the position.
    """
    lists = [_sizes(piece, raises) for piece in _by_street(text)]
    return lists[0], lists[1], lists[2]


def parse_lists(text: str, streets: Sequence[str], *, raises: bool = False) -> tuple[Sizes, ...]:
    """The sizes of any number of streets.

    Args:
        text: One list for all streets, or one for each, separated by bars: `2.5x|50%|a`.
        streets: The names of the streets.
        raises: Whether they are sizes of raises.

    Returns:
        A list for each street.

    Raises:
        BetSizeSyntaxError: The text cannot be read; the error has the position.
    """
    return tuple(_sizes(piece, raises) for piece in _by_street(text, streets))


def parse_donk_sizes(text: str) -> tuple[Sizes | None, Sizes | None, Sizes | None]:
    """The sizes of donk bets, which the flop has none of: `||50%`, or one list for both streets.

    None where no list is given and the ordinary bets apply; `none` is an empty list.
    """
    pieces = _by_street(text)
    if len({piece.start for piece in pieces}) > 1 and pieces[0].text:
        raise _wrong(
            pieces[0], "there are no donk bets on the flop; leave its list empty, as in ||50%"
        )
    turn, river = (_sizes(piece, raises=False) if piece.text else None for piece in pieces[1:])
    return None, turn, river


def _checked(text: str) -> TextSpan:
    if not isinstance(text, str):
        raise bad_argument("sizes", text, "text, such as '50%, 2e, a'")
    return TextSpan.all_of(text).trimmed()


def _by_street(text: str, streets: Sequence[str] = STREETS) -> list[TextSpan]:
    whole = _checked(text)
    pieces = whole.split(r"\|")
    if len(pieces) == 1:
        return pieces * len(streets)
    if len(pieces) != len(streets):
        raise _wrong(
            pieces[-1],
            f"expected one list of sizes for all streets, or {_counted(streets)}, as in "
            f"{'|'.join(_EXAMPLES[: len(streets)])}; got {len(pieces)}",
        )
    return pieces


def _counted(streets: Sequence[str]) -> str:
    """`three for flop, turn and river`."""
    names = ", ".join(streets[:-1]) + " and " * (len(streets) > 1) + streets[-1]
    return f"{('', 'one', 'two', 'three', 'four')[len(streets)]} for {names}"


def _sizes(piece: TextSpan, raises: bool) -> Sizes:
    if piece.text.lower() in {"", _NO_SIZES}:
        return ()
    return tuple(_size(size, raises) for size in piece.split(","))


def _size(piece: TextSpan, raises: bool) -> BetSize:
    """One size; raises BetSizeSyntaxError."""
    text = piece.text.lower()
    if not text:
        raise _wrong(piece, "a size is empty; remove one of the commas, or add a size")
    for pattern, make in _FORMS:
        match = re.fullmatch(pattern, text, re.ASCII)
        if match:
            if any(len(number or "") > _LONGEST for number in match.groups()):
                raise _wrong(piece, f"the number is longer than {_LONGEST} characters")
            size = make(piece, *match.groups())
            if size.only_raises and not raises:
                raise _wrong(
                    piece,
                    f"{escape_control_chars(text)} is for raises only; "
                    "write a bet as 50%, 100c, 2e or a",
                )
            return size
    raise _wrong(piece, _remedy(text))


def _share(_: TextSpan, percent: str) -> BetSize:
    return PotShare(Fraction(percent) / 100)


def _multiple(piece: TextSpan, factor: str) -> BetSize:
    if Fraction(factor) <= 1:
        raise _wrong(
            piece, f"{factor}x is not a raise; the multiple of the bet must be above 1, as in 2.5x"
        )
    return Multiple(Fraction(factor))


def _chips(piece: TextSpan, chips: str) -> BetSize:
    return Chips(_amount(piece, chips))


def _capped(piece: TextSpan, chips: str, most: str) -> BetSize:
    return CappedChips(_amount(piece, chips), _whole(piece, "raises", most, 100))


def _geometric(piece: TextSpan, steps: str, most: str | None) -> BetSize:
    limit = None if most is None else Fraction(most) / 100
    if limit == 0:
        raise _wrong(piece, "a limit of 0% allows no bet; remove the limit, or increase it")
    return Geometric(_whole(piece, "steps", steps, 100) if steps else None, limit)


def _all_in(_: TextSpan) -> BetSize:
    return AllIn()


def _every_bet(_: TextSpan) -> BetSize:
    return EveryBet()


_FORMS: Final[Sequence[tuple[str, Callable[..., BetSize]]]] = (
    (rf"({NUMBER})%?", _share),
    (rf"({NUMBER})x", _multiple),
    (rf"({NUMBER})c", _chips),
    (rf"({NUMBER})c(\d+)r", _capped),
    (rf"(\d*)e(?:({NUMBER})%)?", _geometric),
    (r"a", _all_in),
    (EVERY_BET, _every_bet),
)


def _amount(piece: TextSpan, text: str) -> float:
    exact = Fraction(text)
    if not 0 < exact <= MOST_CHIPS:
        raise _wrong(
            piece, f"the number of chips is {text}; expected more than 0, at most {MOST_CHIPS:,}"
        )
    if (10**DECIMALS * exact).denominator > 1:
        raise _wrong(piece, f"the number of chips is {text}; it has at most four decimals")
    return amount_of(exact)


def _whole(piece: TextSpan, what: str, text: str, most: int) -> int:
    if not 1 <= int(text) <= most:
        raise _wrong(piece, f"the number of {what} is {text}; expected 1 to {most:,}")
    return int(text)


def _remedy(text: str) -> str:
    problem = f"{escape_control_chars(text[:20])!r} is not a size"
    if re.fullmatch(rf"\d+e{NUMBER}", text, re.ASCII):
        return f"{problem}; the limit needs a %, as in 3e200%"
    if re.search(r"\d(%|x|c|e)\s+\S", text):
        return f"{problem}; separate sizes by commas"
    return f"{problem}; sizes look like 70%, 2.5x, 100c, 20c3r, e, 2e, 3e200%, a or all"


def _wrong(piece: TextSpan, message: str) -> BetSizeSyntaxError:
    return BetSizeSyntaxError(message, piece.whole, piece.start, option="sizes", given=piece.text)


def sizes_text(sizes: Sizes) -> str:
    """A list of sizes as text.

    Args:
        sizes: The sizes.

    Returns:
        A text that `parse_sizes` reads as the same list.

    Raises:
        ConfigError: These are no sizes.
    """
    for size in several("sizes", sizes, "sizes, as parse_sizes gives them"):
        if not callable(getattr(size, "totals", None)):
            raise bad_argument("sizes", sizes, "sizes, as parse_sizes gives them")
    return ", ".join(map(str, sizes)) or _NO_SIZES
