"""The others' decisions in a traversal: how they draw, and what that adds to an average.

A NamedTuple says which, so that a kernel is compiled for each. Those that only outcome sampling
takes stand in `outcome_averages`.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from equilibrist._jit import chosen_by_type, inner_kernel
from equilibrist.kernels.primitives.regret_matching import add_and_draw, draw_action
from equilibrist.kernels.traversal.baselines import (
    Baselined,
    begin_baselines,
    correct_draws,
    note_draw_above,
    note_level,
)
from equilibrist.kernels.traversal.outcome_averages import (
    Lazy,
    OpenSpiel,
    Optimistic,
    begin_lazy,
    begin_openspiel,
    begin_optimistic,
    catch_up,
    divide_by_chance,
    divide_by_draw,
)

NOBODY = -3
"""A traverser who is never to move."""


class Stochastic(NamedTuple):
    """Others play their strategies; a visit adds a share of the strategy."""


class Counting(NamedTuple):
    """Others play their strategies; a visit adds a share to the action drawn."""


class Unnoticed(NamedTuple):
    """Others play their strategies; nothing is added."""


class Evenly(NamedTuple):
    """Others draw uniformly; nothing is added."""


class EveryDecision(NamedTuple):
    """There are no others: a traversal stops at every decision."""


@inner_kernel
def draw_and_add(visits, play, player, base, actions, u, share):
    """Draw from a strategy, and add `share` times it."""
    if share != 0.0:
        return add_and_draw(play.regret, base, actions, u, share, play.strategy_sum)
    return draw_action(play.regret, base, actions, u)


@inner_kernel
def draw_and_count(visits, play, player, base, actions, u, share):
    """Draw from a strategy, and add `share` to the action drawn."""
    drawn = draw_action(play.regret, base, actions, u)
    play.strategy_sum[base + drawn] += share
    return drawn


@inner_kernel
def draw(visits, play, player, base, actions, u, share):
    """Draw from a strategy."""
    return draw_action(play.regret, base, actions, u)


@inner_kernel
def draw_evenly(visits, play, player, base, actions, u, share):
    """Draw uniformly."""
    return min(np.uintp(u * actions), actions - np.uintp(1))


_DRAWS = {
    Stochastic: draw_and_add,
    Baselined: draw_and_add,
    Counting: draw_and_count,
    Unnoticed: draw,
    Lazy: draw,
    Optimistic: catch_up,
    OpenSpiel: divide_by_draw,
    Evenly: draw_evenly,
    EveryDecision: draw,
}
visit = chosen_by_type(_DRAWS)
"""The action that u in [0, 1) draws where a player decides who is not the traverser."""


@inner_kernel
def note_nothing(visits, play, above, node, traverser):
    """Note nothing of a draw of chance or another player, which changes nothing later."""


note_draw = chosen_by_type(
    {
        **dict.fromkeys(_DRAWS, note_nothing),
        OpenSpiel: divide_by_chance,
        Baselined: note_draw_above,
    }
)
"""Take note that chance or another player drew `node` at `above`."""


@inner_kernel
def is_own(visits, player, traverser):
    """Whether the traverser is to move."""
    return player == traverser


@inner_kernel
def is_decision(visits, player, traverser):
    """Whether any player is to move, rather than chance."""
    return player >= 0


stops = chosen_by_type({**dict.fromkeys(_DRAWS, is_own), EveryDecision: is_decision})
"""Whether a traversal stops where that player, or chance, is to move."""


@inner_kernel
def begin_nothing(visits, play, traverser, weight):
    """Prepare nothing for a traversal; no node is valued."""
    return 0


begin_traversal = chosen_by_type(
    {
        **dict.fromkeys(_DRAWS, begin_nothing),
        Lazy: begin_lazy,
        Optimistic: begin_optimistic,
        OpenSpiel: begin_openspiel,
        Baselined: begin_baselines,
    }
)
"""Prepare for a traversal of an iteration of that weight; returns how many nodes were valued."""


@inner_kernel
def note_no_level(visits, level):
    """Without baselines nothing is noted of the traverser's decisions."""


note_own_decision = chosen_by_type({**dict.fromkeys(_DRAWS, note_no_level), Baselined: note_level})
"""Take note that the traverser decides."""


@inner_kernel
def keep_value(visits, traverser, depth, value):
    """Without baselines the value below the draws is that above them."""
    return value


corrected = chosen_by_type({**dict.fromkeys(_DRAWS, keep_value), Baselined: correct_draws})
"""The value above the draws since own decision number `depth` - 1, given that below them."""
