"""The log of the changes of a traversal, for rules without an explicit tree.

An entry is a place in the table's pool and what is added there; strategy sums have the place
-1 - k. A traversal that finds the log full leaves nothing behind, and is run again when the log is
longer. Where the table is closed, what the full log holds is entered before the end instead.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from equilibrist._jit import chosen_by_type, inner_kernel
from equilibrist.kernels.implicit.infoset_table import CLOSED, UNSTORED
from equilibrist.kernels.primitives.regret_matching import LEAST, positive_total
from equilibrist.kernels.traversal.status import DONE, NON_INTEGER_PAYOFF

UNIT, TOLERANCE, MOST, MET = 0, 1, 2, 3
"""Fields of `Units.numbers`: the unit, how far a payoff may be off, how many units it may have, and
the payoff that was not such a number of them."""


class Units(NamedTuple):
    """The unit in which Pure CFR counts payoffs; None for payoffs as they are."""

    numbers: Any  # float64[4]


@inner_kernel
def enter(play):
    """Add all logged changes to the table; regrets fall no lower than the floor."""
    table = play.table
    for k in range(play.logged[0]):
        place = play.log_place[k]
        if place >= 0:
            table.pool[0, place] = max(table.pool[0, place] + play.log_change[k], play.floor)
        else:
            table.pool[1, -1 - place] += play.log_change[k]
    play.logged[0] = 0


@inner_kernel
def has_room(play, entries):
    """Whether the log has space for so many entries, or the table is closed."""
    if play.logged[0] + entries <= play.log_place.shape[0]:
        return True
    if play.table.used[CLOSED] == 0:
        return False
    enter(play)
    return True


@inner_kernel
def log(play, place, change):
    """Log one change; there must be space."""
    k = play.logged[0]
    play.log_place[k] = place
    play.log_change[k] = change
    play.logged[0] = k + 1


@inner_kernel
def log_strategy(play, place, actions, share):
    """Log share times the strategy of regret matching at an infoset; there must be space."""
    base = np.uintp(place)
    total = positive_total(play.regret, base, np.uintp(actions))
    scale = share / actions if total < LEAST else share / total
    for a in range(actions):
        part = 1.0 if total < LEAST else max(play.regret[base + np.uintp(a)], 0.0)
        log(play, -1 - (place + a), scale * part)


@inner_kernel
def largest(utility, row, actions):
    """The largest utility of a row."""
    best = utility[row]
    for a in range(1, actions):
        best = max(best, utility[row + np.uintp(a)])
    return best


@inner_kernel
def add_unstored(units, play, utility, row, actions, value, scale):
    """Add the largest regret of a visit to an infoset without a row, which is of `value`."""
    play.table.pool[UNSTORED] += scale * max(largest(utility, row, actions) - value, 0)


@inner_kernel
def log_unstored(units, play, utility, row, actions, value, scale):
    """Note regrets of an infoset without a row in the log: it may run again in other units.

    There is room: infosets have no row only where the table is closed.
    """
    has_room(play, 1)
    log(play, UNSTORED[1], largest(utility, row, actions) - value)


note_unstored = chosen_by_type({type(None): add_unstored, Units: log_unstored})


@inner_kernel
def as_it_is(units, payoff):
    """Take a payoff as it is, where none are counted: a status, and the payoff."""
    return DONE, payoff


@inner_kernel
def counted(units, payoff):
    """Count a payoff in units, for Pure CFR; one that does not fit is left in `units.numbers`."""
    numbers = units.numbers
    count = np.rint(payoff / numbers[UNIT])
    off = abs(count * numbers[UNIT] - payoff)
    if abs(count) <= numbers[MOST] and off <= numbers[TOLERANCE]:
        return DONE, np.int64(count)
    numbers[MET] = payoff
    return NON_INTEGER_PAYOFF, np.int64(0)


in_units = chosen_by_type({type(None): as_it_is, Units: counted})
"""A status, and the payoff, in units where they are counted."""
