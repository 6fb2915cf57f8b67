"""Lines of play by compiled rules: one at random, and deals played with seats exchanged."""

from __future__ import annotations

import numpy as np

from equilibrist._jit import inner_kernel
from equilibrist.kernels.implicit.infoset_table import EMPTY, MAX_ACTIONS, slot_of
from equilibrist.kernels.implicit.rule_calls import (
    CHANCE,
    TERMINAL,
    rule_apply,
    rule_key,
    rule_num_actions,
    rule_outcome,
    rule_payoff,
    rule_player,
    rule_public_state,
    rule_start,
)
from equilibrist.kernels.primitives.regret_matching import pick
from equilibrist.kernels.primitives.rng import advance, stream, uniform


def playout(
    g,
    draws,  # float64[moves + 1] in [0, 1): one per move
    s,  # int64[state size], scratch
    packed,  # uint64[2], scratch
    out_state,  # int64[moves + 1, state size]: the states on the way
    out_move,  # int64[moves + 1, 3]: player, number of actions, the action taken
    out_key,  # uint64[moves + 1, 2]: keys of the players' states
    out_public,  # uint64[moves + 1, 2]: what is public, zeros where the rules do not say it
    out_payoff,  # float64[players]
):
    """Play to the end and return the number of moves; -1 if there is none."""
    rule_start(g, s)
    for n in range(draws.shape[0]):
        player = rule_player(g, s)
        out_state[n, :] = s
        rule_public_state(g, s, packed)
        out_public[n, :] = packed
        out_move[n, 0] = player
        if player == TERMINAL:
            for p in range(out_payoff.shape[0]):
                out_payoff[p] = rule_payoff(g, s, p)
            return n
        count = np.int64(rule_num_actions(g, s))
        if player == CHANCE:
            a = np.int64(rule_outcome(g, s, draws[n]))
        else:
            rule_key(g, s, packed)
            out_key[n, :] = packed
            a = min(np.int64(draws[n] * count), count - 1)
        out_move[n, 1] = count
        out_move[n, 2] = a
        rule_apply(g, s, a)
    return -1


PLACE, ACTIONS, TRIED, FIRST, LEFT, MOVES = 0, 1, 2, 3, 4, 5
"""Columns of `branch`: where the row stands (-1: uniform), its actions, the one tried, whether it
is the first strategy's, lines that may still be followed, moves so far."""


@inner_kernel
def next_played(probability, place, actions, a):
    """The first action from a on that is ever played; `actions` if there is none."""
    while a < actions and place >= 0 and probability[place + a] <= 0.0:
        a += 1
    return a


@inner_kernel
def count_played(probability, place, actions):
    """Count the actions that are ever played."""
    played = 0
    for a in range(actions):
        played += place < 0 or probability[place + a] > 0.0
    return played


def play_deals(
    g,
    longest,  # moves in a line of play
    players,
    lines,  # how many lines of play of one game are followed, at most
    first,  # NamedTuple: keys and rows of a hash table, and probabilities
    second,  # the same
    start,  # number of the first deal
    key,  # uint64: from which chance draws
    other_key,  # uint64: from which the players draw
    s,  # int64[state size], scratch
    packed,  # uint64[2], scratch
    drawn,  # uint64[players + 1], scratch: the streams of the players, and last of chance
    states,  # int64[longest, state size], scratch: the states where lines part
    streams,  # uint64[longest, players + 1], scratch: the streams there
    branch,  # int64[longest, 6], scratch
    weights,  # float64[longest + 1], scratch: how likely the line is, as far as it was weighed
    out,  # float64[deals]: what `first` got, the mean over its seats
):
    """Play every deal once per seat, with `first` in that seat and `second` in all others.

    Chance and every player draw the same numbers in all games of a deal: where the strategies
    agree, so do the games, and what is not their difference goes out. Where `lines` allow it, all
    actions are followed and weighed by their probabilities, instead of one that is drawn. Returns
    False if a game does not end.
    """
    for k in range(out.shape[0]):
        deal = np.uint64(start + k)
        total = 0.0
        for seat in range(players):
            drawn[players] = stream(key, deal)
            for p in range(players):
                drawn[p] = stream(other_key, deal * np.uint64(players) + np.uint64(p))
            rule_start(g, s)
            moves = 0
            left = np.int64(lines)
            depth = 0
            weights[0] = 1.0
            while True:
                # To the end of the line.
                while True:
                    player = rule_player(g, s)
                    if player == TERMINAL:
                        total += weights[depth] * rule_payoff(g, s, seat)
                        break
                    moves += 1
                    if moves > longest:
                        return False
                    if player == CHANCE:
                        drawn[players] = advance(drawn[players])
                        rule_apply(g, s, rule_outcome(g, s, uniform(drawn[players])))
                        continue
                    drawn[player] = advance(drawn[player])
                    actions = np.int64(rule_num_actions(g, s))
                    rule_key(g, s, packed)
                    mine = player == seat
                    table = first if mine else second
                    row = table.row[slot_of(table.high, table.low, table.row, packed[0], packed[1])]
                    is_stored = row != EMPTY and row & MAX_ACTIONS == actions
                    place = row >> 16 if is_stored else np.int64(-1)
                    played = count_played(table.probability, place, actions)
                    if played > left:
                        u = uniform(drawn[player])
                        if is_stored:
                            at = np.uintp(place)
                            a = np.int64(pick(table.probability, at, np.uintp(actions), u))
                        else:
                            a = min(np.int64(u * actions), actions - 1)
                        rule_apply(g, s, a)
                        continue
                    a = next_played(table.probability, place, actions, 0)
                    if played > 1:
                        left //= played
                        states[depth, :] = s
                        streams[depth, :] = drawn
                        branch[depth, PLACE] = place
                        branch[depth, ACTIONS] = actions
                        branch[depth, TRIED] = a
                        branch[depth, FIRST] = mine
                        branch[depth, LEFT] = left
                        branch[depth, MOVES] = moves
                        share = table.probability[place + a] if is_stored else 1.0 / actions
                        weights[depth + 1] = weights[depth] * share
                        depth += 1
                    rule_apply(g, s, a)
                # Back to where another action is still to be followed.
                while depth > 0:
                    level = depth - 1
                    table = first if branch[level, FIRST] == 1 else second
                    place = branch[level, PLACE]
                    actions = branch[level, ACTIONS]
                    a = next_played(table.probability, place, actions, branch[level, TRIED] + 1)
                    if a < actions:
                        break
                    depth = level
                if depth == 0:
                    break
                s[:] = states[level]
                drawn[:] = streams[level]
                branch[level, TRIED] = a
                left = branch[level, LEFT]
                moves = branch[level, MOVES]
                share = table.probability[place + a] if place >= 0 else 1.0 / actions
                weights[depth] = weights[level] * share
                rule_apply(g, s, a)
        out[k] = total / players
    return True
