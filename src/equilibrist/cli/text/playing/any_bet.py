"""Bets of any size in the terminal: read, mapped, and said."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from equilibrist.cli.text.output import show
from equilibrist.formatting.amounts import chips, percent

if TYPE_CHECKING:
    import numpy as np

    from equilibrist.play import SpotGame

_BET: Final = re.compile(
    r"(?:b|bet|r|raise|raise to|a|all-in)?\s*(\d{1,9}(?:\.\d{1,4})?)", re.IGNORECASE
)


class AnyBet:
    """Takes a bet that the solution does not have for one that it has.

    Args:
        game: The spot.
        generator: Draws where a bet is between two.
    """

    def __init__(self, game: SpotGame, generator: np.random.Generator) -> None:
        self._game, self._generator = game, generator

    def __call__(
        self, infoset: str, text: str, words: Sequence[Sequence[str]]
    ) -> tuple[int, str] | None:
        """The action that a text such as `bet 37` is mapped to, and a remark for the coach.

        None if the text is no bet. ConfigError for a bet that the rules do not allow.
        """
        from equilibrist.play import map_bet

        found = _BET.fullmatch(text)
        if found is None:
            return None
        amount = float(found[1])
        mapped = map_bet(self._game, infoset, int(amount) if amount.is_integer() else amount)
        index = mapped.draw(self._generator)
        remark = ""
        if not mapped.is_exact:
            shares = [f"{words[k][0]} ({percent(p, 1)})" for k, p in mapped.shares.items()]
            drawn = f"; drawn: {words[index][0]}" if len(shares) > 1 else ""
            show(
                f"A bet of {chips(mapped.amount)} chips, {percent(mapped.share, 1)} of the pot, is "
                f"mapped to {' or '.join(shares)}{drawn}."
            )
            bet = f"the bet of {chips(mapped.amount)} chips"
            remark = f"The coach judges {words[index][0]}, not {bet}."
        return index, remark
