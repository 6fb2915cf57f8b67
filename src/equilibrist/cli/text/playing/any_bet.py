"""Bets of any size in the terminal: read, mapped, and said."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final

from equilibrist.cli.text.output import show
from equilibrist.formatting.amounts import chips, percent

if TYPE_CHECKING:
    import numpy as np

    from equilibrist.play.bets import MappedBet

_BET: Final = re.compile(
    r"(?:b|bet|r|raise|raise to|a|all-in)?\s*(\d{1,9}(?:\.\d{1,4})?)", re.IGNORECASE
)


class AnyBet:
    """Takes a bet that the solution does not have for one that it has.

    Args:
        mapped: What a bet at an infoset is mapped to, by its key and the amount.
        generator: Draws where a bet is between two.
        unit: What amounts are called.
    """

    def __init__(
        self,
        mapped: Callable[[str, float], MappedBet],
        generator: np.random.Generator,
        unit: str = "chips",
    ) -> None:
        self._mapped, self._generator, self._unit = mapped, generator, unit

    def __call__(
        self, infoset: str, text: str, words: Sequence[Sequence[str]]
    ) -> tuple[int, str] | None:
        """The action that a text such as `bet 37` is mapped to, and a remark for the coach.

        None if the text is no bet. ConfigError for a bet that the rules do not allow.
        """
        match = _BET.fullmatch(text)
        if match is None:
            return None
        amount = float(match[1])
        mapped = self._mapped(infoset, int(amount) if amount.is_integer() else amount)
        index = mapped.draw(self._generator)
        remark = ""
        if not mapped.is_exact:
            shares = [f"{words[k][0]} ({percent(p, 1)})" for k, p in mapped.shares.items()]
            drawn = f"; drawn: {words[index][0]}" if len(shares) > 1 else ""
            show(
                f"A bet of {chips(mapped.amount)} {self._unit}, {percent(mapped.share, 1)} of the "
                f"pot, is mapped to {' or '.join(shares)}{drawn}."
            )
            bet = f"the bet of {chips(mapped.amount)} {self._unit}"
            remark = f"The coach judges {words[index][0]}, not {bet}."
        return index, remark
