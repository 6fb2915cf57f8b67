"""The betting of single streets, each kind once, though thousands of lines may lead to it.

What follows the beginning of a street depends on the pot and on who called last, not on how they
came about (unless lines were added or removed there). So a street is walked once for all lines
that agree, and trees are put together, or counted, from these pieces.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np

from equilibrist.errors import MemoryBudgetError
from equilibrist.poker.betting.actions import Action, Kind
from equilibrist.poker.betting.bet_sizes import Street
from equilibrist.poker.betting.rules import BettingRules
from equilibrist.poker.betting.state import BettingState, Phase
from equilibrist.typing import Int8Array, Int32Array, Int64Array

ACTION: Final = 0
"""A player acts."""
CHANCE: Final = 1
"""The card of the next street is dealt."""
SHOWDOWN: Final = 2
"""Hands are compared, before the river after the cards to come."""
FOLD: Final = 3
"""A player has folded."""
ACTION_KINDS: Final = tuple(Kind)
"""Kinds of actions by the numbers in arrays."""
MOST_STATES: Final = 200_000
"""Betting states that are walked; one takes some 30 microseconds."""
MOST_ACTIONS: Final = 100
"""Actions of one line on one street; more come only of raises that are tiny for the stack."""

_REMEDY: Final = "Give fewer sizes, larger ones, or a raise cap of 2 or 3."
_KINDS: Final = {
    Phase.DECISION: ACTION,
    Phase.DEAL: CHANCE,
    Phase.SHOWDOWN: SHOWDOWN,
    Phase.FOLD: FOLD,
}


class StreetNodes(NamedTuple):
    """The n nodes of one street, parents before children, those of one parent side by side."""

    kind: Int8Array
    """int8[n]: ACTION, CHANCE, SHOWDOWN or FOLD."""
    player: Int8Array
    """int8[n]: who acts, or who folded; -1 elsewhere."""
    parent: Int32Array
    """int32[n]: counted from the root of the street; -1 for the root."""
    first_child: Int32Array
    """int32[n]: counted likewise; -1 where there is none on the street."""
    num_children: Int32Array
    """int32[n]: actions of a node; 1 where cards are dealt."""
    action: Int8Array
    """int8[n]: what led here, a place in ACTION_KINDS; -1 for the root."""
    amount: Int64Array
    """int64[n]: its amount, a total on the street in chips."""
    paid: Int64Array
    """int64[n, 2]: chips that each player has put in since the spot began."""


@dataclass(frozen=True)
class StreetBetting:
    """The betting of a street from one beginning."""

    street: Street
    nodes: StreetNodes
    next: tuple[int, ...]
    """For each chance node, in order, what follows it: a place in the list of all streets."""


def street_bettings(rules: BettingRules, most_states: int = MOST_STATES) -> list[StreetBetting]:
    """All different streets of a betting; the first street first, each before what follows it.

    Raises MemoryBudgetError if more than `most_states` different states would have to be walked.
    """
    beginnings, places = [rules.root()], {rules.likeness(rules.root()): 0}
    found: list[StreetBetting] = []
    left = most_states
    for beginning in beginnings:  # grows on the way: street by street, since all begin together
        states, nodes = _walked(rules, beginning, left, most_states)
        left -= len(states)
        after = []
        for state in states:
            if state.phase is Phase.DEAL:
                dealt = rules.deal(state)
                likeness = rules.likeness(dealt)
                if likeness not in places:
                    places[likeness] = len(beginnings)
                    beginnings.append(dealt)
                after.append(places[likeness])
        found.append(StreetBetting(beginning.street, nodes, tuple(after)))
    return found


def uses(bettings: list[StreetBetting]) -> list[int]:
    """How many lines lead to each of the streets."""
    times = [1] + [0] * (len(bettings) - 1)
    for place, betting in enumerate(bettings):
        for following in betting.next:
            times[following] += times[place]
    return times


def _walked(
    rules: BettingRules, root: BettingState, left: int, most: int
) -> tuple[list[BettingState], StreetNodes]:
    states: list[BettingState] = [root]
    led, parents = [Action(Kind.FOLD)], [-1]
    first, count = [], []
    for place, state in enumerate(states):  # grows on the way
        options = rules.actions(state)
        if len(state.line[-1]) > MOST_ACTIONS:
            raise MemoryBudgetError(
                f"a street has lines of more than {MOST_ACTIONS} actions",
                most,
                remedy=_REMEDY,
                option="actions",
                given=MOST_ACTIONS,
            )
        first.append(len(states) if options else -1)
        count.append(len(options) or int(state.phase is Phase.DEAL))
        if len(states) + len(options) > left:
            raise MemoryBudgetError(
                f"the betting has more than {most:,} different states, cards not counted",
                most,
                remedy=_REMEDY,
                option="states",
                given=most,
            )
        states += [rules.next(state, option) for option in options]
        led += options
        parents += [place] * len(options)
    before = (root.pot - rules.pot) // 2
    nobody = {Phase.DEAL, Phase.SHOWDOWN}
    nodes = StreetNodes(
        kind=np.array([_KINDS[state.phase] for state in states], np.int8),
        player=np.array([-1 if s.phase in nobody else s.player for s in states], np.int8),
        parent=np.array(parents, np.int32),
        first_child=np.array(first, np.int32),
        num_children=np.array(count, np.int32),
        action=np.array([ACTION_KINDS.index(action.kind) for action in led], np.int8),
        amount=np.array([action.amount for action in led], np.int64),
        paid=np.array([state.bets for state in states], np.int64) + before,
    )
    nodes.action[0] = -1
    return states, nodes
