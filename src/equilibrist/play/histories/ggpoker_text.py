"""Writing hands as GGPoker does."""

from __future__ import annotations

import re
from typing import Any, ClassVar

from equilibrist.play.histories.amounts import exact
from equilibrist.play.histories.played import PlayedHand
from equilibrist.play.histories.pokerstars_text import SiteWriter, spaced
from equilibrist.play.histories.site_hand import STRADDLE


def ggpoker_text(hand: PlayedHand) -> str:
    """A hand in the words of GGPoker.

    Args:
        hand: The hand.

    Returns:
        The text, with empty lines at its end.

    Raises:
        HandError: It is another game, or not over.
    """
    return _GgWriter(hand).text()


class _GgWriter(SiteWriter):
    """The lines of a hand, where GGPoker has others than PokerStars."""

    venue = "GGPoker"
    showdown = "*** SHOWDOWN ***"
    has_drops = True
    posts: ClassVar = {**SiteWriter.posts, STRADDLE: "straddle"}

    def _money(self, amount: Any) -> str:
        """Thousands have a comma, and cents no zeros at their end."""
        value = exact(amount).normalize()
        return f"{self.symbol}{value:,f}"

    def _head(self) -> str:
        history = self.history
        number = re.sub(r"\W", "", self.hand.name) or str(self.hand.number)
        small, big = self._stakes()
        tournament = history.user_defined_fields.get("_tournament")
        level = history.level if isinstance(history.level, int) else 1
        about = (
            f"{self.game} ({small}/{big})"
            if tournament is None
            else f"Tournament #{tournament}, {self.game} - Level{level}({small}/{big})"
        )
        return f"Poker Hand #{number}: {about}{self._date()}"

    def _posted(self) -> list[str]:
        """Posts, and what the house adds to the pot."""
        drop = f"Cash Drop to Pot : total {self._money(self.added)}"
        return [*super()._posted(), *([drop] if self.added else [])]

    def _dealt(self) -> list[str]:
        """A line for each player, also for those whose cards are not known."""
        lines = []
        for player, cards in enumerate(self.hand.dealt):
            is_known = bool(cards) and self.hand.hero in (None, player)
            own = f"[{spaced(cards)}]" if is_known else ""
            lines.append(f"Dealt to {self.names[player]} {own}")
        return lines

    def _fees(self) -> str:
        nothing = self._money(0)
        return f" | Jackpot {nothing} | Bingo {nothing} | Fortune {nothing} | Tax {nothing}"
