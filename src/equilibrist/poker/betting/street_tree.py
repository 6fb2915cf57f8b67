"""The betting trees of single streets, each built once however many lines lead to it.

The continuation of a street depends on the pot and on the last caller, not on how they came about
(unless lines were added or removed there). So a street is enumerated once for all lines that agree,
and whole trees are assembled, or counted, from these pieces.
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
"""Hands are compared; before the river, after the remaining cards are dealt."""
FOLD: Final = 3
"""A player has folded."""
ACTION_KINDS: Final = tuple(Kind)
"""The kinds of actions, indexed by their numbers in arrays."""
_MOST_STATES: Final = 200_000
"""The maximum number of betting states; each takes some 30 microseconds."""
_MOST_ACTIONS: Final = 100
"""The maximum number of actions of a line on one street; only raises that are tiny relative to the
stack lead to more."""

_KINDS: Final = {
    Phase.DECISION: ACTION,
    Phase.DEAL: CHANCE,
    Phase.SHOWDOWN: SHOWDOWN,
    Phase.FOLD: FOLD,
}


class StreetNodes(NamedTuple):
    """The n nodes of one street, parents before children, siblings next to each other."""

    kind: Int8Array
    """int8[n]: ACTION, CHANCE, SHOWDOWN or FOLD."""
    player: Int8Array
    """int8[n]: the player who acts, or who folded; -1 elsewhere."""
    parent: Int32Array
    """int32[n]: relative to the root of the street; -1 for the root."""
    first_child: Int32Array
    """int32[n]: likewise; -1 if there is none on the street."""
    num_children: Int32Array
    """int32[n]: the number of actions; 1 for chance nodes."""
    action: Int8Array
    """int8[n]: the action that leads here, an index into ACTION_KINDS; -1 for the root."""
    amount: Int64Array
    """int64[n]: the amount of that action, a total on the street in units."""
    paid: Int64Array
    """int64[n, 2]: the units that each player has put in since the root of the spot."""


@dataclass(frozen=True)
class StreetBetting:
    """The betting tree of a street from one initial state."""

    street: Street
    nodes: StreetNodes
    next: tuple[int, ...]
    """For each chance node, in order, the index of the betting that follows in the list of all."""


def street_bettings(rules: BettingRules, most_states: int = _MOST_STATES) -> list[StreetBetting]:
    """All distinct street bettings, in topological order from the first street.

    Raises MemoryBudgetError if there are more than `most_states` distinct states.
    """
    beginnings, places = [rules.root()], {rules.canonical_state(rules.root()): 0}
    bettings: list[StreetBetting] = []
    states_left = most_states
    for beginning in beginnings:  # grows while iterating, street by street
        states, nodes = _walked(rules, beginning, states_left, most_states)
        states_left -= len(states)
        after = []
        for state in states:
            if state.phase is Phase.DEAL:
                dealt = rules.deal(state)
                canonical = rules.canonical_state(dealt)
                if canonical not in places:
                    places[canonical] = len(beginnings)
                    beginnings.append(dealt)
                after.append(places[canonical])
        bettings.append(StreetBetting(beginning.street, nodes, tuple(after)))
    return bettings


def uses(bettings: list[StreetBetting]) -> list[int]:
    """Count the lines that lead to each of the street bettings."""
    times = [1] + [0] * (len(bettings) - 1)
    for place, betting in enumerate(bettings):
        for following in betting.next:
            times[following] += times[place]
    return times


def smaller_betting(rules: BettingRules) -> str:
    """What makes the betting smaller: no cap is advised that is set, or where nobody raises."""
    has_raises = (
        any(menu.raises for menus in rules.menus for menu in menus)
        or bool(rules.added)
        or rules.thresholds.all_in_without_sizes
    )
    if rules.raise_cap == 0 or not has_raises:
        return "Give fewer sizes, or larger ones."
    return f"Give fewer sizes, larger ones, or a raise cap of {0 if rules.raise_cap == 1 else 1}."


def _walked(
    rules: BettingRules, root: BettingState, states_left: int, most: int
) -> tuple[list[BettingState], StreetNodes]:
    states: list[BettingState] = [root]
    led, parents = [Action(Kind.FOLD)], [-1]
    first, count = [], []
    for place, state in enumerate(states):  # grows while iterating
        options = rules.actions(state)
        if len(state.line[-1]) > _MOST_ACTIONS:
            raise MemoryBudgetError(
                f"a street has lines with more than {_MOST_ACTIONS} actions",
                most,
                remedy=smaller_betting(rules),
                option="actions",
                given=_MOST_ACTIONS,
            )
        first.append(len(states) if options else -1)
        count.append(len(options) or int(state.phase is Phase.DEAL))
        if len(states) + len(options) > states_left:
            raise MemoryBudgetError(
                f"the betting has more than {most:,} distinct states, not counting cards",
                most,
                remedy=smaller_betting(rules),
                option="states",
                given=most,
            )
        states += [rules.next(state, option) for option in options]
        led += options
        parents += [place] * len(options)
    before = (root.pot - rules.root().pot) // 2
    nobody = {Phase.DEAL, Phase.SHOWDOWN}
    nodes = StreetNodes(
        kind=np.array([_KINDS[state.phase] for state in states], np.int8),
        player=np.array([-1 if s.phase in nobody else s.player for s in states], np.int8),
        parent=np.array(parents, np.int32),
        first_child=np.array(first, np.int32),
        num_children=np.array(count, np.int32),
        action=np.array([ACTION_KINDS.index(action.kind) for action in led], np.int8),
        amount=np.array([rules.scale.units(action.amount) for action in led], np.int64),
        paid=np.array([state.bets for state in states], np.int64) + before,
    )
    nodes.action[0] = -1
    return states, nodes
