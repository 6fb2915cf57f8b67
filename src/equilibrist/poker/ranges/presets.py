"""Presets: example opening ranges by position, each made by one stated rule.

The rule: with k players left to act, open the best share x = 1 - 2^(-1/k) of all hands. If each of
the k players independently holds a hand of the same share with probability x (card removal is
ignored), then (1 - x)^k = 1/2: half of the time nobody behind holds a hand that good. Hands are
ranked by their all-in equity against a random hand. The rule knows neither stacks nor position
after the flop; the ranges are examples to start from, not advice.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from equilibrist.poker.cards.hand_ranking import top_classes

RANDOM: Final = "random"
"""The name of the range of all 1,326 combos."""
RULE: Final = (
    "the best 1 - 2^(-1/k) of all hands by equity against a random hand, with k players left to act"
)
"""The rule of all presets, in words."""


@dataclass(frozen=True)
class Preset:
    """An example of an opening range; its name is accepted in every range.

    Attributes:
        name: Table size and position, such as `6max-BTN`.
        players_behind: The players left to act after this one, k.
    """

    name: str
    players_behind: int

    @property
    def share(self) -> float:
        """The share of all hands that the rule opens, 1 - 2^(-1/k), from 0 to 1."""
        return float(1 - 2 ** (-1 / self.players_behind))

    @property
    def rule(self) -> str:
        """How the range is made, in words."""
        return f"the best {self.share:.1%} of all hands, 1 - 2^(-1/{self.players_behind})"

    @property
    def hand_classes(self) -> tuple[str, ...]:
        """The hand classes of the range, best first: whole classes that fit into `share`."""
        return tuple(top_classes(self.share))


_POSITIONS: Final = {
    "2max": ("SB",),
    "6max": ("UTG", "HJ", "CO", "BTN", "SB"),
    "9max": ("UTG", "UTG1", "UTG2", "LJ", "HJ", "CO", "BTN", "SB"),
}
"""The positions that can open, in the order of acting; the big blind acts last."""

PRESETS: Final = {
    f"{table}-{position}": Preset(f"{table}-{position}", len(positions) - place)
    for table, positions in _POSITIONS.items()
    for place, position in enumerate(positions)
}
"""The presets by name: 2max, 6max and 9max tables, positions in the order of acting."""

_BY_LOWER_CASE: Final = {name.lower(): preset for name, preset in PRESETS.items()}


def find_preset(text: str) -> Preset | None:
    """The preset of a name in either case; None if there is none."""
    return _BY_LOWER_CASE.get(text.lower())
