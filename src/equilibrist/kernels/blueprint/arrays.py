"""The arrays that the kernels of blueprints work on, and the numbers they agree on."""

from __future__ import annotations

from typing import Any, NamedTuple

GROUP = 16
"""Terminal nodes that a walk by rows evaluates together, for both players: half of the lanes each.
"""
BOTH = 3
"""A set of players as bits: both."""

DESCEND, ENDS_OF, KNOWN, ASCEND = range(4)
"""Steps of a walk by rows: the reach in the children of a decision; the values of a group of
terminal nodes; those of a terminal node, which are known before; and those of a decision."""
ENTER, LEAVE, TAKE_KNOWN = range(3)
"""Steps of a walk by blocks: into a block and out of it, and a terminal node whose values are known
before."""


class Betting(NamedTuple):
    """A betting tree of N nodes, and the steps of a walk by rows.

    A deal has the rows of the decision below it.
    """

    player: Any  # int8[N]
    street: Any  # int8[N]
    first_child: Any  # int32[N]
    next_sibling: Any  # int32[N]
    slot: Any  # int64[N]
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
    bucket: Any  # int32[4, width]: by street
    first: Any  # uint8[width]: a card of each hand
    second: Any  # uint8[width]
    combo: Any  # int32[width]: the number of each hand among the 1,326
    low: Any  # int32[width]: the first hand of the strength of each
    high: Any  # int32[width]: the hand after the last of it
    ranks: Any  # uint16[width]: 0, 1, 2 ...


class Blocks(NamedTuple):
    """A betting tree of N nodes in B blocks, each after the one above it, and the steps of a walk.

    In a block the root has the first row of shares, for both players, and the first row of totals.
    """

    player: Any  # int8[N]
    street: Any  # int8[N]: of a deal, the street that is over
    actions: Any  # int32[N]
    first_child: Any  # int32[N]
    next_sibling: Any  # int32[N]
    slot: Any  # int64[N]
    state: Any  # int64[N]
    share_row: Any  # int32[N, 2]: by player
    total_row: Any  # int32[N]
    buckets: Any  # int64[4]: by street
    steps: Any  # int32[M, 2]: what is done in turn, and to which block or known node
    after: Any  # int32[B]: the step after the one out of each block
    deal: Any  # int32[B]: the node through which each is entered, -1 for the root of the tree
    inner: Any  # int32[D]: the decisions of blocks, each before those below it
    inner_begin: Any  # int32[B + 1]: where blocks begin
    groups: Any  # int32[B, 2]: the first group of each block, and the one after its last
    ends: Any  # int32[E]: terminal nodes, group by group
    ends_begin: Any  # int32[G + 1]: where groups begin
    lose: Any  # float32[E, 2]: by player, what a lost showdown, or the fold, is worth
    gain: Any  # float32[E, 2]: half of the difference between a showdown won and lost
    known: Any  # int32[F]: terminal nodes whose values are known before


class BlockWork(NamedTuple):
    """The memory of one thread.

    Rows of hands have `width` numbers, from the weakest hand up; rows of a block `columns`, one for
    each bucket. On a street with more buckets than a board leaves hands, columns are the buckets
    that occur on the board.
    """

    bucket: Any  # int32[4, width]: the column of each hand, by street
    columns: Any  # int64[4]: columns in use, by street
    names: Any  # int32[4, columns]: the bucket of each column, where there are more buckets
    column_of: Any  # int32[buckets]: scratch, -1
    first: Any  # uint8[width]: a card of each hand
    second: Any  # uint8[width]
    combo: Any  # int32[width]: the number of each hand among the 1,326
    low: Any  # int32[width]: the first hand of the strength of each
    high: Any  # int32[width]: the hand after the last of it
    alive: Any  # int32[4, 2, width]: the hands with reach at the root of a block, by player
    alive_reach: Any  # float32[4, 2, width]: their reach
    alive_count: Any  # int64[4, 2]: their number
    values: Any  # float32[4, 2, width]: of the hands at the root of a block
    known_values: Any  # float32[width]: at a terminal node whose values are known
    shares: Any  # float32[4, share rows * columns]: in a block
    totals: Any  # float32[4, 2, total rows * columns]: values in a block, by player
    root_reach: Any  # float32[2, columns]: reach at the root of a block
    line: Any  # float32[columns]: scratch
    own_shares: Any  # float32[columns * ENDS]: at the terminal nodes of a group
    faced_shares: Any  # float32[columns * ENDS]: those of the opponent
    end_totals: Any  # float32[columns * ENDS]: values there
    lose: Any  # float32[ENDS]
    gain: Any  # float32[ENDS]
    sums: Any  # float32[SUMS]: in all and per card


class Sums(NamedTuple):
    """What a part of a batch adds up."""

    value: Any  # float32[slots]: counterfactual values of actions
    reach: Any  # float32[infosets]: own reach
