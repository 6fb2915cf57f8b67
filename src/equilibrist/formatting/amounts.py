"""Numbers of bytes, shares, chips and things as text."""

from __future__ import annotations


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


def chips(amount: float) -> str:
    """Chips with two decimals; `-` for NaN."""
    return "-" if amount != amount else f"{amount:z,.2f}"
