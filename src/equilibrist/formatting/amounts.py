"""Numbers of bytes, shares, chips, seconds, payoffs and things as text."""

from __future__ import annotations

import math
from typing import Final

_SMALL: Final = 0.1
"""Where payoffs differ by less, six decimals would hide digits that matter."""
_LARGE: Final = 1000.0
"""From here on two decimals do, unless payoffs differ by less than that."""
_NOTHING: Final = 1e-9
"""Values up to this share of the unit are shown as 0 where six digits are significant."""


def bytes_text(count: int) -> str:
    """Bytes for people: `812 bytes`, `3.4 MB`."""
    if count < 1000:
        return f"{count} bytes"
    power = min(4, (len(str(count)) - 1) // 3)
    return f"{count / 1000**power:.1f} {('', 'kB', 'MB', 'GB', 'TB')[power]}"


def counted(count: int, noun: str) -> str:
    """A number of things: `1 board`, `1,755 boards`; the plural of the noun takes an s."""
    return f"{count:,} {noun}{'s' * (count != 1)}"


def counted_histories(count: int) -> str:
    """A number of histories: `1 history`, `55 histories`."""
    return f"{count:,} {'history' if count == 1 else 'histories'}"


def percent(share: float, digits: int) -> str:
    """A share in percent; `-` for NaN."""
    return "-" if share != share else f"{share:z.{digits}%}"


def chips(amount: float, unit: float | None = None) -> str:
    """Chips with two decimals; `-` for NaN.

    `unit` is the pot, or the big blind, if it is known: where that is less than a chip, six digits
    are significant.
    """
    if amount != amount:
        return "-"
    if unit is not None and 0.0 < unit < 1.0:
        return value_text(amount, unit)
    return f"{amount:z,.2f}"


def significant(number: float, digits: int) -> str:
    """A number with so many significant digits, large ones without an exponent: `300`, `0.97`."""
    return f"{float(f'{number:.{digits}g}'):,.12g}"


def seconds_text(seconds: float) -> str:
    """A stretch of time for people: `0.013 s`, `2:05`, `1:02:05`, `12 days`, `over 999 days`."""
    if seconds < 60:
        return f"{seconds:.3g} s"
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    if hours >= 100:
        days = round(hours / 24)
        return f"{days} days" if days < 1000 else "over 999 days"
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


def speed_text(per_second: float, unit: str) -> str:
    """A speed for people: `1,234 it/s`, and where it is slow `0.42 it/s`."""
    return f"{per_second:,.0f} {unit}" if per_second >= 10.0 else f"{per_second:.2g} {unit}"


def measure_text(value: float) -> str:
    """A gain, NashConv or exploitability: three significant digits, `1.23e-05`."""
    return f"{value:.2e}" if value and abs(value) < 0.01 else f"{value:z.4g}"


def value_text(value: float, unit: float | None = None) -> str:
    """A payoff or an expected value: six decimals, fewer for large numbers.

    `unit` is the range of the game's payoffs, or their size, if it is known. Where it is small six
    digits are significant, and where it is dwarfed by `value` six decimals are kept.
    """
    if unit is not None and 0.0 < unit < _SMALL and abs(value) < _LARGE * unit:
        return "0" if abs(value) <= _NOTHING * unit else f"{value:.6g}"
    fine = abs(value) < _LARGE or (unit is not None and 0.0 < unit < _LARGE)
    digits = 6 if fine else 2
    if unit is not None and 0.0 < unit < _SMALL:
        digits = min(6 - math.floor(math.log10(unit)), 15)
    return f"{value:z,.{digits}f}"


def signed_text(value: float, unit: float | None = None) -> str:
    """A payoff as `value_text` writes it, with its sign."""
    text = value_text(value, unit)
    return text if text.startswith("-") else f"+{text}"


def loss_text(loss: float, unit: float) -> str:
    """A loss by linear programmes, which are exact to about 1e-10 of `unit`, the payoffs' range."""
    least = 1e-9 if unit >= 1.0 else 1e-9 * unit
    return f"below {least:.1g}".replace("e-0", "e-") if abs(loss) < least else measure_text(loss)


def probability_text(probability: float) -> str:
    """A probability with four decimals."""
    return f"{probability:.4f}"
