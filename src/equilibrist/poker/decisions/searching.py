"""`Search`: what thinks about a decision of hold'em while a hand is played, and what it is told."""

from __future__ import annotations

from typing import Any, NamedTuple, Protocol, runtime_checkable

import numpy as np

from equilibrist.poker.betting.actions import Action
from equilibrist.poker.decisions.solution import HandSolution
from equilibrist.typing import FloatArray


class SearchState(NamedTuple):
    """What is public at a decision of a hand as it is really played."""

    hand: Any
    """The hand at the table, a `Hand` or a `Spot`: its rules and stacks."""
    line: str
    """The actions and cards so far, such as `R2.5-C|Td9d6h|X`, with the amounts really bet."""
    board: tuple[int, ...]
    """The public cards."""
    seat: int
    """The seat to act, in the order of the solution's seats."""
    actions: tuple[Action, ...]
    """What the blueprint would consider, as legal actions of the table: fold, check or call, and
    the bets of its menu; in addition any legal amount may be bet."""
    solution: HandSolution
    """The blueprint."""
    blueprint_line: str | None
    """The line of the blueprint that the actions were mapped to, with cards where its lines have
    them; None if it has none."""


class Searched(NamedTuple):
    """What a search answers: what all own hands do, since actions tell of all of them."""

    actions: tuple[Action, ...]
    """Legal actions of the table."""
    strategy: FloatArray
    """float64[A, 1326]: how often a hand takes each action; columns add up to 1, or are 0 for
    hands that the search knows nothing of."""
    note: str = ""
    """What was done, for people: `river, 412 iterations`."""


@runtime_checkable
class Search(Protocol):
    """Anything that finds a better play than the blueprint's while a hand is played."""

    def search(
        self,
        state: SearchState,
        combo: int,
        ranges: FloatArray,
        seconds: float | None,
        generator: np.random.Generator,
        /,
    ) -> Searched | None:
        """Find what to do at a decision.

        Args:
            state: What is public.
            combo: The hand of the seat to act.
            ranges: float64[S, 1326]: how often each seat brings each hand here, as it was played:
                those of the seat to act by all that the bot did, those of the others by the
                blueprint. Chance is not counted; hands that the board blocks have 0.
            seconds: The most time that may be taken; None for as much as is useful.
            generator: All that is drawn comes from it.

        Returns:
            The strategy; None where this search has none, and the blueprint plays.
        """
        ...
