"""Full traversals that several threads run together, with the bits of one thread.

A number is never the sum of what several threads found: tiles of payoffs and groups of infosets
are each computed by one thread, as `passes`, `local_rules` and `response` do it, and the threads
meet where one needs what another has written. Arrays are those of `full_traversals.run`.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from equilibrist._jit import inner_kernel, uncounted_kernel
from equilibrist.kernels.primitives.barrier import begin, claim_from, wait_for_all
from equilibrist.kernels.sequence_form.local_rules import learn_group, predict_from_below
from equilibrist.kernels.sequence_form.passes import gather, group_reach
from equilibrist.kernels.sequence_form.response import best_action, expected_value
from equilibrist.typing import Int64Array, UInt32Array


class Shares(NamedTuple):
    """How T threads share a game with P players, G groups and I infosets.

    A step is a range of groups, of which none has its parents in another: thread t updates those
    from step_group[step, t] to step_group[step, t + 1], and finds the reach of those from
    reach_group[step, t] on, as the work is another. Steps of a player stand from the top down.
    A chunk is a range of tiles, none of which spills into another chunk; each player has T queues
    of chunks, one for each thread, which helps with the others when its own is empty.
    The infosets whose parent sequence is in group g are rising_infoset[rising_offset[g]] and so on,
    in the order in which their values are added there; those below player p's empty sequence
    count as group G + p.
    """

    step_offset: Int64Array  # [P + 1]
    step_group: Int64Array  # [steps, T + 1]
    reach_group: Int64Array  # [steps, T + 1]
    chunk_offset: Int64Array  # [P * T + 1]; queue t of player p is p * T + t
    chunk_tile: Int64Array  # [chunks + 1]
    rising_offset: Int64Array  # [G + P + 1]
    rising_infoset: UInt32Array  # [I]
    rising_parent: UInt32Array  # [I] the parent sequence of each


class Team(NamedTuple):
    """One of several threads that traverse a game together."""

    shares: Any  # Shares
    thread: Any  # from 0
    threads: Any
    counters: Int64Array  # see `kernels.primitives.barrier`


@inner_kernel
def push_together(arrays, team, player, reach, value, rounds):
    """Push values to a player's sequences, all threads together, chunk by chunk.

    `rounds` is how often they have done it for this player before.
    """
    shares, threads, counters = team.shares, team.threads, team.counters
    for turn in range(threads):
        queue = player * threads + (team.thread + turn) % threads
        first = shares.chunk_offset[queue]
        jobs = shares.chunk_offset[queue + 1] - first
        job = claim_from(counters, queue, threads, jobs, rounds)
        while job < jobs:
            low = np.uintp(shares.chunk_tile[first + job])
            high = np.uintp(shares.chunk_tile[first + job + 1])
            gather(arrays, arrays.outer_index, player, low, high, reach, value, None)
            job = claim_from(counters, queue, threads, jobs, rounds)


@inner_kernel
def rise(shares, group, infoset_value, value):
    """Add the values of infosets to their parent sequences, which are in `group`."""
    for e in range(shares.rising_offset[group], shares.rising_offset[group + 1]):
        k = np.uintp(e)
        value[shares.rising_parent[k]] += infoset_value[shares.rising_infoset[k]]


@inner_kernel
def reach_down(arrays, team, player, behaviour, reach):
    """Carry a player's own reach down, all threads together; it is 1 at the empty sequence."""
    shares, thread = team.shares, team.thread
    first = shares.step_offset[player]
    for step in range(first, shares.step_offset[player + 1]):
        if step > first:
            wait_for_all(team.counters, team.threads)
        for group in range(shares.reach_group[step, thread], shares.reach_group[step, thread + 1]):
            group_reach(arrays, group, behaviour, reach)


@inner_kernel
def update_together(
    arrays,
    team,
    player,
    row,
    regret,
    behaviour,
    strategy_sum,
    reach,
    value,
    infoset_value,
    total,
    memory,
):
    """Update a player's infosets, all threads together, from the last depth up.

    infoset_value (float64[I]) is shared, total (float64[largest group]) is this thread's.
    """
    shares, thread = team.shares, team.thread
    last = shares.step_offset[player + 1] - 1
    for step in range(last, shares.step_offset[player] - 1, -1):
        if step < last:
            wait_for_all(team.counters, team.threads)
        low = shares.step_group[step, thread]
        for group in range(shares.step_group[step, thread + 1] - 1, low - 1, -1):
            rise(shares, group, infoset_value, value)
            predict_from_below(memory, shares, group)
            own = infoset_value[np.int64(arrays.group_first_infoset[group]) :]
            learn_group(
                memory,
                arrays,
                group,
                row,
                regret,
                behaviour,
                strategy_sum,
                reach,
                value,
                own,
                total,
            )


@inner_kernel
def respond(arrays, team, player, value, infoset_value, out_response):
    """Value a player's best response, all threads together, but for that at the empty sequence."""
    shares, thread = team.shares, team.thread
    last = shares.step_offset[player + 1] - 1
    for step in range(last, shares.step_offset[player] - 1, -1):
        if step < last:
            wait_for_all(team.counters, team.threads)
        low = shares.step_group[step, thread]
        for group in range(shares.step_group[step, thread + 1] - 1, low - 1, -1):
            rise(shares, group, infoset_value, value)
            base = np.uintp(arrays.group_first_infoset[group])
            for i in range(np.uintp(arrays.group_size[group])):
                best = best_action(arrays, group, i, value, out_response)
                infoset_value[base + np.uintp(i)] = value[best]


@uncounted_kernel
def evaluate(
    arrays,  # SequenceArrays
    behaviour,  # float64[S], engine order
    reach,  # scratch, float64[S]: zeros
    value,  # scratch, float64[S + LANES]
    infoset_value,  # scratch, float64[I]
    out_response,  # float64[S], best responses: 1 for what they play
    out_values,  # float64[P], payoffs of the profile
    out_best,  # float64[P], payoffs of best responses
    team,  # Team
):
    """Value a profile and best responses to it by several threads; this is the part of one.

    The results have the bits of `response.evaluate`.
    """
    shares, thread, threads, counters = team
    if not begin(counters, thread):
        return
    players = arrays.sequence_offset.shape[0] - 1
    groups = arrays.group_size.shape[0]
    for player in range(players):
        if thread == 0:
            reach[arrays.sequence_offset[player]] = 1.0
        wait_for_all(counters, threads)
        reach_down(arrays, team, player, behaviour, reach)
    wait_for_all(counters, threads)
    for player in range(players):
        push_together(arrays, team, player, reach, value, 0)
        wait_for_all(counters, threads)
    for player in range(thread, players, threads):  # a sum is one thread's
        out_values[player] = expected_value(arrays, player, reach, value)
    wait_for_all(counters, threads)
    for player in range(players):
        respond(arrays, team, player, value, infoset_value, out_response)
    wait_for_all(counters, threads)
    if thread == 0:
        for player in range(players):
            rise(shares, groups + player, infoset_value, value)
            out_best[player] = value[arrays.sequence_offset[player]]
