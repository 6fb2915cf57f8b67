"""The rules of hands in which blinds are posted as no table asks: late, dead, or out of turn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from equilibrist.poker.hands.rules import HoldemRules


@dataclass(frozen=True)
class PostedRules(HoldemRules):
    """The rules of one hand, with what each seat posted in it.

    Late blinds are bets as others are, and dead ones are antes of the seat that posts them; neither
    changes who acts first.

    Attributes:
        whole_blind: The big blind, whatever was posted.
        late: The seats whose blind is a late one, ascending.
        words: What is posted otherwise than at any table, for texts.
        names: The names of the positions, by seat.
        is_short: Whether others pay the whole blind although nobody posted it, which is a raise by
            these rules.
    """

    whole_blind: int = 0
    late: tuple[int, ...] = ()
    words: str = ""
    names: tuple[str, ...] = ()
    is_short: bool = False

    @property
    def big_blind(self) -> int:
        """The big blind in units, whatever was posted."""
        return self.whole_blind

    @cached_property
    def positions(self) -> tuple[str, ...]:
        """The names of the seats by what they post."""
        return self.names

    @cached_property
    def opener(self) -> int:
        """The seat left of the largest blind or straddle that was posted in turn."""
        in_turn = [
            0 if seat in self.late else blind for seat, blind in enumerate(self.posted_blinds)
        ]
        largest = max(range(self.seats), key=lambda seat: (in_turn[seat], seat))
        return (largest + 1) % self.seats


def what_is_odd(
    positions: Sequence[str], late: Sequence[int], dead: Sequence[int], *, is_short: bool
) -> str:
    """Say what is posted otherwise than at any table.

    Args:
        positions: The names of the seats.
        late: The seats that post late blinds.
        dead: The seats that post dead ones.
        is_short: Whether nobody can post the whole big blind.

    Returns:
        Such as `a late blind by CO, a dead blind by CO`.
    """
    parts = [
        f"{word if len(seats) == 1 else many} by {' and '.join(positions[k] for k in seats)}"
        for word, many, seats in (
            ("a late blind", "late blinds", late),
            ("a dead blind", "dead blinds", dead),
        )
        if seats
    ]
    if is_short:
        parts.append("a big blind that is all-in for less")
    return ", ".join(parts) or "blinds out of turn"
