"""The arrays that the kernels of blueprints work on, and the numbers they agree on."""

from __future__ import annotations

from typing import Any, NamedTuple

GROUP = 16
"""Terminal nodes that are evaluated together, for both players: half of the lanes each."""
BOTH = 3
"""A set of players as bits: both."""


DESCEND = 0
"""A step down: the reach of the actor at a decision in all children."""
ENDS_OF = 1
"""A step that evaluates a group of terminal nodes."""
KNOWN = 2
"""A step that copies the values of a terminal node, which are known before."""
ASCEND = 3
"""A step up: the values of both players at a decision."""


class Betting(NamedTuple):
    """A betting tree of N nodes, and the steps of a walk.

    A deal has the rows of the decision below it.
    """

    player: Any  # int8[N]
    street: Any  # int8[N]
    actions: Any  # int32[N]
    first_child: Any  # int32[N]
    next_sibling: Any  # int32[N]
    slot: Any  # int64[N]
    state: Any  # int64[N]
    reach_row: Any  # int32[N, 2]: by player
    value_row: Any  # int32[N]
    buckets: Any  # int64[4]: by street
    steps: Any  # int32[M, 2]: what is done in turn, and to which decision, group or known node
    ends: Any  # int32[E]: terminal nodes, group by group; their rows of values are consecutive
    ends_begin: Any  # int32[G + 1]: where groups begin
    is_showdown: Any  # bool[G]
    lose: Any  # float32[E, 2]: by player, what a lost showdown, or the fold, is worth
    gain: Any  # float32[E, 2]: half of the difference between a showdown won and lost
    known: Any  # int32[K]: terminal nodes whose values are known before


class Work(NamedTuple):
    """The memory of one thread; rows have `width` hands, from the weakest up."""

    reach: Any  # float32[R * width]
    values: Any  # float32[2 * V * width]: by player
    stage: Any  # float32[GROUP * width]
    faced: Any  # float32[width * ENDS]
    results: Any  # float32[width * ENDS]
    sums: Any  # float32[SUMS]
    lose: Any  # float32[ENDS]
    gain: Any  # float32[ENDS]
    bucket: Any  # int32[4 * width]: by street
    first: Any  # uint8[width]: a card of each hand
    second: Any  # uint8[width]
    combo: Any  # int32[width]: the number of each hand among the 1,326
    levels: Any  # int32[width]: the hand after the last of each strength
    ranks: Any  # uint16[width]: 0, 1, 2 ...


class Sums(NamedTuple):
    """What a part of a batch adds up."""

    value: Any  # float32[slots]: counterfactual values of actions
    reach: Any  # float32[infosets]: own reach
