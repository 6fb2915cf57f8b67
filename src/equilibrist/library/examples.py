"""Examples: spots and charts that come with Equilibrist as text, and are solved when wanted."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal

from equilibrist.errors import UnknownNameError

if TYPE_CHECKING:
    from equilibrist.poker.postflop.spot.spot import Spot

_FOLDER: Final = Path(__file__).parent / "example_spots"
TARGET: Final = "0.3%"
"""The exploitability at which a run on an example stops, in percent of the pot."""


@dataclass(frozen=True)
class Example:
    """A spot that comes with Equilibrist; its ranges were written for it by hand.

    Attributes:
        name: Its name, that of its file.
        oop: The position of the player out of position.
        ip: That of the player in position.
        pot_type: What was played before the flop, such as `3-bet`.
        seconds: About how long it takes to solve to `TARGET` with two threads.
    """

    name: str
    oop: str
    ip: str
    pot_type: str
    seconds: int

    @property
    def text(self) -> str:
        """Its file, in the form in which solutions keep their spots (`Spot.to_toml`)."""
        return _text(self.name)

    def spot(self) -> Spot:
        """Read the spot."""
        from equilibrist.poker.postflop.spot.spot import spot_from_text

        return spot_from_text(self.text)


@cache
def _text(name: str) -> str:
    return (_FOLDER / f"{name}.toml").read_text("utf-8")


_ROWS: Final = (
    Example("river-missed-flush-draw", "BB", "BTN", "single-raised", 2),
    Example("river-four-to-a-straight", "BB", "CO", "single-raised", 2),
    Example("river-paired-board", "BB", "BTN", "single-raised", 2),
    Example("river-ace-arrives", "SB", "BB", "single-raised", 2),
    Example("river-three-bet-overbet", "BB", "BTN", "3-bet", 2),
    Example("river-three-bet-low", "SB", "BTN", "3-bet", 2),
    Example("river-flush-completes", "BB", "CO", "single-raised", 2),
    Example("river-check-behind", "BB", "BTN", "single-raised", 2),
    Example("river-short-stack", "BB", "SB", "single-raised", 2),
    Example("river-blocking-bet", "UTG", "BTN", "single-raised", 2),
    Example("turn-overcard", "BB", "BTN", "single-raised", 3),
    Example("turn-flush-card", "BB", "CO", "single-raised", 3),
    Example("turn-paired", "BB", "BTN", "single-raised", 3),
    Example("turn-straight-draws", "BB", "UTG", "single-raised", 3),
    Example("turn-three-bet-ace-high", "BB", "BTN", "3-bet", 3),
    Example("turn-three-bet-low", "SB", "CO", "3-bet", 3),
    Example("turn-three-bet-flush-draw", "BB", "SB", "3-bet", 3),
    Example("turn-delayed-bet", "BB", "BTN", "single-raised", 3),
    Example("turn-probe", "BB", "CO", "single-raised", 3),
    Example("turn-short-stack", "BB", "BTN", "single-raised", 3),
    Example("turn-four-bet", "CO", "BTN", "4-bet", 3),
    Example("turn-blind-battle", "SB", "BB", "single-raised", 3),
    Example("flop-three-bet-king-high", "BB", "BTN", "3-bet", 15),
    Example("flop-three-bet-ace-high", "SB", "CO", "3-bet", 15),
    Example("flop-four-bet-low", "CO", "BTN", "4-bet", 15),
    Example("flop-four-bet-ace-high", "BB", "BTN", "4-bet", 15),
    Example("flop-short-stack", "BB", "BTN", "single-raised", 15),
    Example("flop-monotone", "BB", "CO", "single-raised", 15),
    Example("flop-limped-blinds", "SB", "BB", "limped", 15),
    Example("flop-heads-up-low-pair", "BB", "SB", "single-raised", 15),
)
EXAMPLES: Final[Mapping[str, Example]] = {row.name: row for row in _ROWS}
"""The spots by name: rivers first, which are the smallest."""


@dataclass(frozen=True)
class ChartExample:
    """Charts for equal stacks, without prizes: of push or fold, or of opening and defending.

    Attributes:
        name: Its name.
        seats: The number of players.
        stack: The stack of each in big blinds.
        big_blind_ante: The ante that the big blind posts for all, in big blinds.
        bets: The first raises, where there are others than all-in; later ones are all-in.
        deals: The deals that are played; None for the usual number.
    """

    name: str
    seats: int
    stack: int
    big_blind_ante: int = 0
    bets: str = ""
    deals: int | None = None

    @property
    def kind(self) -> Literal["push-fold", "multiway"]:
        """The kind of its run; the commands are `preflop pushfold` and `preflop multiway`."""
        return "multiway" if self.bets else "push-fold"

    @property
    def keys(self) -> dict[str, str]:
        """The options of its command that say it."""
        keys = {"seats": str(self.seats), "stack": str(self.stack)}
        ante = {"big_blind_ante": str(self.big_blind_ante)} if self.big_blind_ante else {}
        bets = {"bets": self.bets, "raises": "a"} if self.bets else {}
        return {**keys, **ante, **bets}

    @property
    def options(self) -> dict[str, str]:
        """How long the command is to play."""
        return {} if self.deals is None else {"deals": str(self.deals)}

    @property
    def command(self) -> str:
        """The command that makes it."""
        name = "multiway" if self.bets else "pushfold"
        given = {**self.keys, **self.options}
        options = (f'--{key.replace("_", "-")} "{text}"' for key, text in given.items())
        return " ".join(("equilibrist preflop", name, *options))


_OPEN: Final = "2.2x,a"
_CHARTS: Final = (
    *(ChartExample(f"push-fold-2-{stack}bb", 2, stack) for stack in (6, 8, 10, 12, 15, 20)),
    *(ChartExample(f"push-fold-3-{stack}bb", 3, stack) for stack in (8, 10, 15)),
    *(ChartExample(f"push-fold-4-{stack}bb", 4, stack) for stack in (8, 12)),
    ChartExample("push-fold-5-10bb", 5, 10),
    ChartExample("push-fold-6-10bb", 6, 10),
    ChartExample("push-fold-6-12bb-ante", 6, 12, 1),
    ChartExample("open-3-20bb", 3, 20, bets=_OPEN, deals=300_000),
    ChartExample("open-6-20bb", 6, 20, bets=_OPEN, deals=200_000),
)
CHART_EXAMPLES: Final[Mapping[str, ChartExample]] = {row.name: row for row in _CHARTS}
"""The charts by name, for two to six players; those of two are exact, and ready within seconds."""


def find_example(name: str) -> Example:
    """The spot of a name.

    Args:
        name: Its name.

    Raises:
        UnknownNameError: There is none of this name.
    """
    example = EXAMPLES.get(name)
    if example is None:
        raise UnknownNameError("example", name, tuple(EXAMPLES), option="name")
    return example


def find_listed(name: str) -> Example | ChartExample:
    """The spot or the charts of a name.

    Args:
        name: Its name.

    Raises:
        UnknownNameError: There are none of this name.
    """
    return CHART_EXAMPLES.get(name) or find_example(name)
