"""CFR on a public tree with vectors of private hands: one pass per player and iteration.

The betting is a program that all boards of a street share (`Program`); a board has the hands that
it leaves each player, in the order of the previous board, and their ranks (`Boards`). A pass
for a player enters boards, which carries the opponent's reach down to all terminal nodes of the
street, and leaves them, which carries values up and updates the player's regrets. All terminal
nodes of a board are evaluated together in between (`kernels.poker.showdowns`; with the weights of
pairs of hands `kernels.poker.pair_weights`).

Arguments: program, boards, deals, pairs, store, locks, scratch, plan: NamedTuples of
`postflop_arrays`. played, played_scales: what is matched, and its scales. reach: float[rows, wide]
of a player, value that of the updated player. wide: numbers of a row of reach or values, by player
in `wides`. mode: UPDATE, VALUE, BEST or UNLOCKED; TREMBLING with trembles. row: float[8], the
coefficients of an iteration.

trembles, quantal: None, or what takes the place of plain regret matching; what they take is not
compiled where they are None.
"""

from __future__ import annotations

import numpy as np

from equilibrist._jit import inner_kernel, uncounted_kernel
from equilibrist.kernels import ENDS, TILE
from equilibrist.kernels.poker.decisions import best_of, mean, play, total_of
from equilibrist.kernels.poker.locks import leave_locked, lock_of, play_locked
from equilibrist.kernels.poker.pair_weights import weighted_ends
from equilibrist.kernels.poker.postflop_arrays import (
    ACTION,
    BEST,
    CLAIM,
    ENTER,
    MEET,
    TREMBLING,
    UNLOCKED,
    UPDATE,
    VALUE,
    WEIGH,
)
from equilibrist.kernels.poker.quantal import respond, unblocked_reach
from equilibrist.kernels.poker.regret_update import update_decision
from equilibrist.kernels.poker.showdowns import (
    fold_lanes,
    showdown_lanes,
    transpose_in,
    transpose_out,
)
from equilibrist.kernels.poker.street_transitions import (
    begin_at_root,
    clear_exits,
    collect,
    enter,
    hand_up,
)
from equilibrist.kernels.poker.tiles import load_ends, load_row
from equilibrist.kernels.poker.trembles import best_trembling, update_trembling
from equilibrist.kernels.primitives.barrier import begin, claim, wait_for_all
from equilibrist.kernels.primitives.prefetch import address_of, bytes_of_row

_ENDS = np.uintp(ENDS)
_TILE = np.uintp(TILE)
_ZERO = np.float32(0.0)


@inner_kernel
def _rows(rows, first, count, wide, at):
    """at[n] = the starts of the rows of children."""
    for n in range(count):
        at[n] = np.uintp(rows[first + n]) * wide


@inner_kernel
def _forward(
    program, boards, locks, played, played_scales, scratch, reach, wide, board, street, player
):
    """Carry a player's reach from the entries of a board to its terminal nodes."""
    width = np.uintp(boards.width[player, board])
    start = np.uintp(boards.arena[player, board])
    first_decision = np.uintp(boards.decisions[player, board])
    kind, acts, slot = program.kind, program.player, program.slot[player]
    first, count, row = program.first, program.count, program.row
    at, shares = scratch.at, scratch.shares
    for node in range(program.nodes[street], program.nodes[street + 1]):
        if kind[node] == ACTION and acts[node] == player:
            actions = np.uintp(count[node])
            place = start + np.uintp(row[node]) * width
            decision = first_decision + np.uintp(program.decision[node])
            origin = np.uintp(slot[node]) * wide
            _rows(slot, first[node], count[node], wide, at)
            if locks is not None:
                lock = lock_of(locks, decision)
                if lock >= 0:
                    play_locked(
                        locks, played, played_scales, scratch, decision, place, actions, width,
                        lock, reach, origin,
                    )  # fmt: skip
                    continue
            play(played, played_scales, decision, place, actions, width, shares, reach, origin, at)


@inner_kernel
def _coming(boards, numbers, board, player):
    """The address of the numbers of a player's decisions on the next board."""
    following = min(board + 1, boards.street.shape[0] - 1)
    return address_of(numbers, np.uintp(boards.arena[player, following]))


@inner_kernel
def _streams(boards, store, played, board, player, mode):
    """The addresses to prefetch while the terminal nodes of a board are evaluated.

    The player's regrets there and, unless `update_decision` loads it, the opponent's next strategy.
    """
    own = np.uintp(boards.arena[player, board])
    if mode == UPDATE:
        return address_of(store.regret, own), address_of(store.total, own)
    theirs = _coming(boards, played, board, 1 - player)
    return theirs, address_of(played, own) if mode == VALUE else theirs


@inner_kernel
def _ends(
    program, boards, store, played, lanes, value, reach, wide, own_wide, board, street, player,
    mode, ties,
):  # fmt: skip
    """The values of a player at all terminal nodes of a board."""
    other = 1 - player
    first = np.uintp(program.slots[other, street])
    width = np.uintp(boards.width[other, board])
    own_width = np.uintp(boards.width[player, board])
    theirs = np.uintp(boards.live[other, board])
    live = np.uintp(boards.live[player, board])
    start = boards.hands[player, board]
    end = start + boards.live[player, board]
    their_start = boards.hands[other, board]
    their_end = their_start + boards.live[other, board]
    card_a, card_b, twin = (
        boards.card_a[start:end],
        boards.card_b[start:end],
        boards.twin[start:end],
    )
    their_card_a, their_card_b = (
        boards.card_a[their_start:their_end],
        boards.card_b[their_start:their_end],
    )
    rank, own_first, their_first = boards.rank, np.uintp(start), np.uintp(their_start)
    faced, results, folded, sums = lanes.faced, lanes.results, lanes.folded, lanes.sums
    # Hands that pad the row: transpose_out copies whole tiles, so theirs must be 0.
    for i in range(live * _ENDS, own_width * _ENDS):
        results[np.uintp(i)] = _ZERO
        folded[np.uintp(i)] = _ZERO
    streams = _streams(boards, store, played, board, player, mode)
    ahead, step = np.uintp(0), bytes_of_row(played)
    showdowns = np.uintp(program.showdowns[player, street])
    folds = np.uintp(program.folds[player, street])
    for k in range(np.uintp(0), folds, _ENDS):
        lane = np.uintp(k)
        row = np.uintp(program.fold_value[player, street]) + lane
        place = np.uintp(program.fold_lane[player, street]) + lane
        if folds - lane > _TILE:
            transpose_in(
                reach, first + showdowns + lane, wide, width, rank, their_first, faced, _ENDS
            )
            ahead = fold_lanes(
                load_ends, faced, their_card_a, their_card_b, theirs, card_a, card_b, twin, live,
                sums, program.pay, place, results, streams, ahead, step,
            )  # fmt: skip
        else:
            transpose_in(
                reach, first + showdowns + lane, wide, width, rank, their_first, faced, _TILE
            )
            ahead = fold_lanes(
                load_row, faced, their_card_a, their_card_b, theirs, card_a, card_b, twin, live,
                sums, program.pay, place, results, streams, ahead, step,
            )  # fmt: skip
        rows = min(folds - lane, _ENDS)
        transpose_out(results, rank, own_first, value, row, rows, own_wide, own_width)
    if showdowns:
        begin = boards.level[player, board]
        stop = begin + boards.levels[player, board]
        ends = boards.ends[begin:stop]
        lows, highs = boards.lows[begin:stop], boards.highs[begin:stop]
        pairs = np.uintp(program.pairs[player, street])
        blocks = (showdowns + _ENDS - np.uintp(1)) // _ENDS
        for k in range(blocks):  # from the last: padding rows of a tile are overwritten
            lane = (blocks - np.uintp(1) - np.uintp(k)) * _ENDS
            paired = lane < pairs
            transpose_in(reach, first + lane, wide, width, rank, their_first, faced, _ENDS)
            ahead = showdown_lanes(
                faced, their_card_a, their_card_b, theirs, card_a, card_b, twin, live, ends, lows,
                highs, np.uintp(stop - begin), sums, program.lose, program.gain, program.fold,
                ties, np.uintp(program.lane[player, street]) + lane, results, folded, paired,
                streams, ahead, step,
            )  # fmt: skip
            row = np.uintp(program.showdown_value[player, street]) + lane
            rows = min(showdowns - lane, _ENDS)
            transpose_out(results, rank, own_first, value, row, rows, own_wide, own_width)
            if paired:
                row = np.uintp(program.pair_value[player, street]) + lane
                rows = min(pairs - lane, _ENDS)
                transpose_out(folded, rank, own_first, value, row, rows, own_wide, own_width)


@inner_kernel
def _leave(
    program, boards, locks, trembles, quantal, store, played, played_scales, scratch, reach,
    wide, board, street, player, mode, row,
):  # fmt: skip
    """Carry a player's values from terminal nodes to entries; updates regrets if told to."""
    width = np.uintp(boards.width[player, board])
    start = np.uintp(boards.arena[player, board])
    first_decision = np.uintp(boards.decisions[player, board])
    kind, acts, rows = program.kind, program.player, program.value[player]
    first, count, value = program.first, program.count, scratch.value[player]
    at, shares = scratch.at, scratch.shares
    regrets, regret_scales = store.regret, store.regret_scale
    matched, match_scales = store.match, store.match_scale
    totals, total_scales = store.total, store.total_scale
    rows_of, decision_of, slot, new = program.row, program.decision, program.slot, scratch.rows
    last = program.nodes[street + 1] - 1
    coming = _coming(boards, played, board, 1 - player)
    block = np.int64(-1)  # the decisions of a quantal run whose unblocked reach is known
    for back in range(program.nodes[street + 1] - program.nodes[street]):
        node = last - back
        if kind[node] == ACTION:
            actions = np.uintp(count[node])
            goal = np.uintp(rows[node]) * wide
            _rows(rows, first[node], count[node], wide, at)
            place = start + np.uintp(rows_of[node]) * width
            decision = first_decision + np.uintp(decision_of[node])
            if acts[node] != player:
                total_of(value, goal, at, actions, width)
            else:
                if quantal is not None and mode == UPDATE:
                    number = np.int64(decision_of[node])
                    if number // ENDS != block:
                        block = number // ENDS
                        theirs = quantal.begin[player, street] + block * ENDS
                        left = quantal.begin[player, street + 1] - theirs
                        unblocked_reach(
                            boards, board, player, scratch.reach[1 - player], quantal.start,
                            np.uintp(theirs), np.uintp(min(left, ENDS)), scratch.exact,
                            scratch.met, wide,
                        )  # fmt: skip
                    respond(
                        locks, lock_of(locks, decision), regrets, totals, place, actions,
                        width, scratch.met, np.uintp(number % ENDS) * wide, row,
                        quantal.pot[node], value, goal, at,
                    )  # fmt: skip
                    continue
                if locks is not None:
                    lock = lock_of(locks, decision)
                    if lock >= 0 and mode != UNLOCKED:
                        own = np.uintp(slot[player, node]) * wide
                        within = BEST if mode == TREMBLING else mode
                        leave_locked(
                            locks, store, played, played_scales, scratch, decision, place, actions,
                            width, lock, within, row, reach, own, value, goal,
                        )  # fmt: skip
                        continue
                if trembles is not None:
                    if mode == UPDATE:
                        own = np.uintp(slot[player, node]) * wide
                        update_trembling(
                            regrets, matched, totals, place, actions, width, shares,
                            trembles.least, row, reach, own, value, goal, at,
                        )  # fmt: skip
                        continue
                    if mode == TREMBLING:
                        best_trembling(value, goal, at, actions, width, trembles.least)
                        continue
                if mode == UPDATE:
                    own = np.uintp(slot[player, node]) * wide
                    update_decision(
                        played, played_scales, regrets, regret_scales, matched, match_scales,
                        totals, total_scales, decision, place, actions, width, shares, row, reach,
                        own, value, goal, at, new, coming,
                    )  # fmt: skip
                    coming += actions * width // _TILE * bytes_of_row(played)
                elif mode == VALUE:
                    mean(
                        played, played_scales, decision, place, actions, width, shares,
                        value, goal, at,
                    )  # fmt: skip
                else:
                    best_of(value, goal, at, actions, width)


@inner_kernel
def _keep(value, start, won):
    """won[:] = a row of values."""
    for i in range(np.uintp(won.shape[0])):
        won[i] = value[start + i]


@uncounted_kernel
def passes(
    program,
    boards,
    deals,
    pairs,
    store,
    locks,
    trembles,
    quantal,
    ties,
    played,
    played_scales,
    scratch,
    wides,
    plan,
    mode,
    players,
    coefficients,
    thread,
    threads,
    counters,
):
    """One pass per row of `coefficients` and player from players[0] to players[1].

    deals, pairs, locks, trembles, quantal, ties: None where they are not needed; what they take is
    not compiled then. With quantal there are locks, even if none are locked.
    ties: float[L], by lane of showdowns: what a tie brings above losing, see `showdown_lanes`.
    played: the numbers that strategies are derived from: strategy sums, unless regrets are updated.
    coefficients: float[T, 8], the seven numbers of a variant, and whether averages are weighted by
    the player's own reach. Values of averages use two of them: the last, whether that reach is
    needed, and WEIGHT, whether the incentives of locked frequencies are.
    thread, threads, counters: see `kernels.primitives.barrier`. Does nothing if the first thread
    has abandoned the run.
    """
    if not begin(counters, thread):
        return
    rounds, jobs = np.int64(0), np.int64(plan.begins.shape[0] - 1)
    for t in range(coefficients.shape[0]):
        row = coefficients[t]
        # Values need the opponent's reach alone; own reach only weighs averages and incentives.
        both = 2 if row[WEIGH] != _ZERO else 1
        for player in range(players[0], players[1]):
            wide = np.uintp(wides[player])
            own_reach = scratch.reach[player]
            visit = np.int64(0)
            while visit < plan.board.shape[0]:
                what, board = plan.what[visit], plan.board[visit]
                street = np.int64(boards.street[board])
                visit += np.int64(1)
                if what == CLAIM:
                    job = claim(counters, threads, jobs, rounds)
                    visit = plan.begins[min(job, jobs)]
                elif what == MEET:
                    wait_for_all(counters, threads)
                elif what == ENTER:
                    for k in range(both):
                        who = player if k else 1 - player
                        reach, their_wide = scratch.reach[who], np.uintp(wides[who])
                        if board == plan.root:
                            root = scratch.root[who]
                            begin_at_root(program, boards, root, reach, their_wide, board, who)
                        elif deals is not None:
                            enter(
                                program, boards, deals, reach, their_wide, board, street, who,
                                scratch.at,
                            )  # fmt: skip
                        _forward(
                            program, boards, locks, played, played_scales, scratch, reach,
                            their_wide, board, street, who,
                        )  # fmt: skip
                    other = 1 - player
                    value, reach = scratch.value[player], scratch.reach[other]
                    if pairs is not None:
                        if scratch.exact.sums.shape[0]:
                            weighted_ends(
                                program, boards, pairs, scratch.exact, value, reach,
                                np.uintp(wides[other]), wide, board, street, player,
                            )  # fmt: skip
                        else:
                            weighted_ends(
                                program, boards, pairs, scratch.lanes, value, reach,
                                np.uintp(wides[other]), wide, board, street, player,
                            )  # fmt: skip
                    elif scratch.exact.sums.shape[0]:
                        _ends(
                            program, boards, store, played, scratch.exact, value, reach,
                            np.uintp(wides[other]), wide, board, street, player, mode, ties,
                        )  # fmt: skip
                    else:
                        _ends(
                            program, boards, store, played, scratch.lanes, value, reach,
                            np.uintp(wides[other]), wide, board, street, player, mode, ties,
                        )  # fmt: skip
                    if deals is not None:
                        clear_exits(program, scratch, plan, wide, board, street, player)
                else:
                    if deals is not None and board == plan.root:
                        collect(program, scratch, plan, wide, street, player)
                    _leave(
                        program, boards, locks, trembles, quantal, store, played, played_scales,
                        scratch, own_reach, wide, board, street, player, mode, row,
                    )  # fmt: skip
                    if board == plan.root:
                        row_of_root = np.uintp(program.value[player, np.uintp(0)])
                        _keep(scratch.value[player], row_of_root * wide, scratch.won[player])
                    elif deals is not None:
                        hand_up(program, boards, deals, scratch, plan, wide, board, street, player)
            rounds += np.int64(1)
