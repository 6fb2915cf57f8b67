"""Amounts of hands: exact decimals, and as PHH writes them."""

from __future__ import annotations

from decimal import Decimal
from typing import Any


def exact(amount: Any) -> Decimal:
    """An amount of a history, or of PokerKit, as a decimal with the digits that it is shown with.

    Raises:
        decimal.InvalidOperation: It is no number.
    """
    return amount if isinstance(amount, Decimal) else Decimal(str(amount))


def phh_amount(amount: int | Decimal) -> int | Decimal:
    """An amount as PHH writes it: whole numbers without a point."""
    return int(amount) if amount == int(amount) else Decimal(amount).normalize()
