"""Full traversals in sequence form: the one loop of all variants and rules, in both orders.

What a traversal does besides is an argument of the loop that is None where it is not done. Numba
drops the branches of what is None, so that each combination is compiled as if it were written out.
"""

from __future__ import annotations

import numpy as np

from equilibrist._jit import inner_kernel, uncounted_kernel
from equilibrist.kernels.deviations.gaps import add_iterate
from equilibrist.kernels.primitives.barrier import begin, wait_for_all
from equilibrist.kernels.pruning.partial import count, cut_group, push_reached
from equilibrist.kernels.sequence_form.local_rules import learn_group, predict_above
from equilibrist.kernels.sequence_form.local_update import DECAY, WEIGHT
from equilibrist.kernels.sequence_form.mixed_play import carry_mixed, look, value_mixed
from equilibrist.kernels.sequence_form.passes import player_reach, push
from equilibrist.kernels.sequence_form.shared import push_together, reach_down, update_together


@inner_kernel
def update_player(
    arrays,
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
    mixed,
    skipped,
):
    """Deepest infosets first: averages, what is learnt, and values on their way up."""
    low = arrays.group_offset[player]
    for group in range(arrays.group_offset[player + 1] - 1, low - 1, -1):
        size = np.uintp(arrays.group_size[group])
        base = np.uintp(arrays.group_first_infoset[group])
        if mixed is not None:
            value_mixed(mixed, group, value)  # now: the update spends `value`
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
            infoset_value,
            total,
        )
        passed_up = infoset_value if mixed is None else mixed.effective
        for i in range(size):
            k = np.uintp(i)
            value[arrays.parent_sequence[base + k]] += passed_up[k]
        predict_above(memory, arrays, group, arrays.sequence_offset[player])
        if skipped is not None and skipped.cut[0] > 0.0:
            cut_group(skipped, group, row, behaviour)


@uncounted_kernel
def run(
    arrays,  # SequenceArrays
    table,  # float64[T, 7], one row per iteration; of a local rule float64[T, 3 + own numbers]
    alternating,  # whether players update in turn
    regret,  # float64[S], engine order
    behaviour,  # float64[S], the current strategy as it is learnt
    strategy_sum,  # float64[S], engine order
    reach,  # float64[S], must be the reach of `behaviour`
    value,  # scratch, float64[S + LANES]: a vector may spill past the last sequence
    infoset_value,  # scratch, float64[largest group]; of several threads float64[I]
    total,  # scratch, float64[largest group]
    memory,  # None for variants, or the NamedTuple of a local rule, whose type says what is learnt
    mixed,  # MixedArrays: players play a mixture of what they learn and of what is given
    skipped,  # PartialArrays: payoffs that the others' play does not reach are skipped
    watched,  # WatchedArrays: what is played is noted, of variants with simultaneous updates
    team,  # Team: several threads share the work; this is the part of one
):
    """Run one iteration per row of `table`; all float64[S] arrays are updated in place.

    Alternating: player 0 first, each update sees the ones before it (Burch, Moravcik, Schmid,
    Revisiting CFR+ and alternating updates, JAIR 2019). Simultaneous: all players' values come
    from one profile.
    """
    players = arrays.sequence_offset.shape[0] - 1
    if team is not None and not begin(team.counters, team.thread):
        return
    if mixed is not None:
        for player in range(players):
            carry_mixed(mixed, player, behaviour, reach)
    for t in range(table.shape[0]):
        row = table[t]
        if skipped is not None:
            skipped.visited[2] += 1
        for player in range(players):
            # One call of each pass stands here for both orders: all are inlined, and every
            # further copy costs the first run a second of compiling.
            if alternating:
                low, high = player, player + 1
            else:
                low, high = 0, players
            if alternating or player == 0:
                for pushed in range(low, high):
                    if mixed is not None:
                        look(mixed, pushed, reach)
                        push(arrays, pushed, mixed.seen, value)
                    elif skipped is not None:
                        push_reached(arrays, pushed, reach, value)
                        count(skipped, pushed, reach)
                    elif team is not None:
                        push_together(arrays, team, pushed, reach, value, t)
                        # Before the last tile of one thread is spilled over by another.
                        wait_for_all(team.counters, team.threads)
                    else:
                        push(arrays, pushed, reach, value)
                if watched is not None:
                    add_iterate(watched, row[DECAY], row[WEIGHT], behaviour, reach, value)
            if team is not None:
                update_together(
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
                )
            else:
                update_player(
                    arrays,
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
                    mixed,
                    skipped,
                )
            if alternating or player == players - 1:
                if team is not None:
                    wait_for_all(team.counters, team.threads)  # reach is shared out otherwise
                for reached in range(low, high):
                    if mixed is not None:
                        carry_mixed(mixed, reached, behaviour, reach)
                    elif team is not None:
                        reach_down(arrays, team, reached, behaviour, reach)
                    else:
                        player_reach(arrays, reached, behaviour, reach)
                if team is not None:
                    wait_for_all(team.counters, team.threads)
