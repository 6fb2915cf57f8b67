"""The rules of a game definition, for the betting of `poker.hands`.

Everything by which the ACPC's dealer differs from a casino is here, and behind `by_server` there.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import ClassVar

from equilibrist.poker.hands.rules import HoldemRules
from equilibrist.protocols.acpc.game_definition import LIMIT, NO_CAP, GameDefinition


@dataclass(frozen=True)
class AcpcRules(HoldemRules):
    """Rules of a game definition; the seats of the betting are its positions.

    Attributes:
        first_players: The position that acts first, by street.
        max_raises: The most bets and raises, by street.
        cards: The deck, ascending.
    """

    by_server: ClassVar[bool] = True

    first_players: tuple[int, ...] = ()
    max_raises: tuple[int, ...] = ()
    cards: tuple[int, ...] = ()

    @cached_property
    def deck(self) -> tuple[int, ...]:
        """The cards of the deck, ascending."""
        return self.cards

    @cached_property
    def order(self) -> tuple[int, ...]:
        """The positions in the order of match states."""
        return tuple(range(self.seats))

    def first_to_act(self, street: int) -> int:
        """The position that acts first on a street, if it can.

        Args:
            street: 0 before the flop.

        Returns:
            The position.
        """
        return self.first_players[street]

    def most_wagers(self, street: int) -> int | None:
        """The most bets and raises on a street, blinds not counted.

        Args:
            street: 0 before the flop.

        Returns:
            The number; None for no cap.
        """
        cap = self.max_raises[street]
        return None if cap == NO_CAP else cap


@lru_cache(maxsize=64)
def rules_of(definition: GameDefinition, lowest_rank: int = 0) -> AcpcRules:
    """The rules of a game definition.

    Args:
        definition: The game definition.
        lowest_rank: The rank that its deuces stand for.

    Returns:
        The rules.
    """
    streets = definition.streets
    is_limit = definition.betting == LIMIT
    return AcpcRules(
        stacks=definition.stacks,
        blinds=definition.blinds,
        limit="limit" if is_limit else "no-limit",
        bets=definition.raise_sizes if is_limit else (definition.big_blind,) * streets,
        short_all_in_reopens=True,
        board=definition.num_board_cards,
        hole_cards=definition.num_hole_cards,
        suits=definition.num_suits,
        lowest_rank=lowest_rank,
        first_players=definition.first_players,
        max_raises=definition.max_raises,
        cards=tuple(card + 4 * lowest_rank for card in definition.deck),
    )
