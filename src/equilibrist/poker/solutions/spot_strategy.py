"""The strategies of a spot's players, looked up by line."""

from __future__ import annotations

from typing import TYPE_CHECKING

from equilibrist.errors import ConfigError, LineSyntaxError
from equilibrist.poker.betting.actions import line_text, parse_line
from equilibrist.poker.betting.public_tree import find_node
from equilibrist.poker.betting.state import BettingState, Phase
from equilibrist.poker.spots.spot import Spot
from equilibrist.typing import FloatArray

if TYPE_CHECKING:  # results are shown without the compiler
    from equilibrist.poker.engine.layout import Layout
    from equilibrist.poker.engine.node_rows import AverageOf
    from equilibrist.poker.solutions.node_lookup import NodeLookup


class SpotStrategy:
    """What both players of a spot do, as a solver had it; it stays as it is when that runs on.

    Attributes:
        spot: The spot.
    """

    def __init__(
        self, spot: Spot, figures: NodeLookup, layout: Layout, strategy_at: AverageOf
    ) -> None:
        """Look strategies up.

        Args:
            spot: The spot.
            figures: From hands on boards that are solved to all combos on any runout.
            layout: How the game is laid out.
            strategy_at: The strategy at a place of the layout, on a board.
        """
        self.spot = spot
        self._figures, self._layout, self._strategy_at = figures, layout, strategy_at

    def at(self, line: str = "") -> FloatArray:
        """Give what the player who acts after a line does with every hand.

        Args:
            line: Actions and cards, such as `X-B94-C|8h|X`; empty is the root.

        Returns:
            float64[A, 1326]: probabilities of the A actions by combo, which add up to 1; NaN for
            hands that are not held.

        Raises:
            LineSyntaxError: The line cannot be read, or holds an action that is not possible, or
                lacks a card.
            ConfigError: Nobody acts there.
        """
        state, runout = follow_line(self.spot, line)
        if state.phase is not Phase.DECISION:
            raise ConfigError(
                f"nobody acts after {line}: there is no strategy", option="line", given=line
            )
        node = find_node(self.spot.betting.tree, state.line)
        return self._figures.strategy(node, runout, self._layout, self._strategy_at)

    def __getitem__(self, line: str) -> FloatArray:
        """As `at`."""
        return self.at(line)


def follow_line(spot: Spot, line: str) -> tuple[BettingState, tuple[int, ...]]:
    """Follow a line with cards from the root of a spot.

    Args:
        spot: The spot.
        line: Actions and cards, such as `X-B94-C|8h|X`.

    Returns:
        The state after it, and the cards in it.

    Raises:
        LineSyntaxError: The line cannot be read, or holds an action that is not possible, or lacks
            a card; the message says what would be possible.
    """
    state, cards = spot.rules().follow(line, spot.cards)
    parts = parse_line(line)
    runout: list[int] = []
    for k, card in enumerate(cards):
        if card is None:
            place = parts[k + 1].cards_at
            before = [part.actions for part in parts[: k + 1]]
            free = next(c for c in range(52) if c not in (*spot.cards, *cards))
            so_far = line_text([*before, ()], [[c] for c in (*runout, free)])
            message = f"a card must be dealt here, such as {so_far}"
            raise LineSyntaxError(
                message, place.whole, place.start, option="line", given=place.text
            )
        runout.append(card)
    return state, tuple(runout)
