"""Matches by duplicate deals between two strategies of rules without a tree."""

from __future__ import annotations

import numpy as np

from equilibrist.kernels.matching import pick
from equilibrist.kernels.rng import advance, stream, uniform
from equilibrist.kernels.rule_calls import (
    CHANCE,
    TERMINAL,
    rule_apply,
    rule_key,
    rule_num_actions,
    rule_outcome,
    rule_payoff,
    rule_player,
    rule_start,
)
from equilibrist.kernels.table import EMPTY, MAX_ACTIONS, slot_of


def play_deals(
    g,
    longest,  # moves in a line of play
    players,
    first,  # NamedTuple: keys and rows of a hash table, and probabilities
    second,  # the same
    start,  # number of the first deal
    key,  # uint64: from which chance draws
    other_key,  # uint64: from which the players draw
    s,  # int64[state size], scratch
    packed,  # uint64[2], scratch
    streams,  # uint64[players], scratch: the states from which the players draw
    out,  # float64[deals]: what `first` got, the mean over its seats
):
    """Play every deal once per seat, with `first` in that seat and `second` in all others.

    Chance and every player draw the same numbers in all games of a deal: where the strategies
    agree, so do the games, and what is not their difference goes out. Returns False if a game does
    not end.
    """
    for k in range(out.shape[0]):
        deal = np.uint64(start + k)
        total = 0.0
        for seat in range(players):
            dealer = stream(key, deal)
            for p in range(players):
                streams[p] = stream(other_key, deal * np.uint64(players) + np.uint64(p))
            moves = 0
            rule_start(g, s)
            while True:
                player = rule_player(g, s)
                if player == TERMINAL:
                    total += rule_payoff(g, s, seat)
                    break
                moves += 1
                if moves > longest:
                    return False
                if player == CHANCE:
                    dealer = advance(dealer)
                    rule_apply(g, s, rule_outcome(g, s, uniform(dealer)))
                    continue
                actions = np.int64(rule_num_actions(g, s))
                rule_key(g, s, packed)
                table = first if player == seat else second
                row = table.row[slot_of(table.high, table.low, table.row, packed[0], packed[1])]
                streams[player] = advance(streams[player])
                u = uniform(streams[player])
                if row != EMPTY and row & MAX_ACTIONS == actions:
                    a = pick(table.probability, np.uintp(row >> 16), np.uintp(actions), u)
                else:
                    a = np.uintp(min(np.int64(u * actions), actions - 1))
                rule_apply(g, s, np.int64(a))
        out[k] = total / players
    return True
