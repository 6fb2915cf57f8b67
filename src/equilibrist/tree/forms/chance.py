"""Chance laid out for sampling: outcomes and their probabilities."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from equilibrist.game import CHANCE
from equilibrist.tree.walk.histories import Walk
from equilibrist.typing import FloatArray, Int32Array, Int64Array


def cumulative(counts: Int32Array, probability: FloatArray) -> FloatArray:
    """Running sums within each chance node; the last outcome that can happen takes what is left.

    `counts` says how many neighbouring entries of `probability` belong to each node.
    """
    sums = np.empty(len(probability))
    start = 0
    for count in counts.tolist():
        row = probability[start : start + count]
        here = sums[start : start + count]
        np.cumsum(row, out=here)
        here[np.flatnonzero(row)[-1] :] = np.inf
        start += count
    return sums


class ChanceEvents(NamedTuple):
    """The E public events of chance, those of one public state side by side; S such states.

    An event is drawn with the mean of its probabilities over the chance nodes of its state, which
    differ where they depend on what was dealt in private. `ratio` is an outcome's probability over
    that of its event. In a state with a single event chance is private: nothing is drawn.
    """

    event: Int32Array  # [outcomes]
    state: Int32Array  # [E]
    first: Int64Array  # [S + 1], where the events of each state begin
    cumulative: FloatArray  # [E]: see `cumulative`
    ratio: FloatArray  # [outcomes]


def build_chance_events(walk: Walk) -> ChanceEvents | None:
    """The chance events of a walk, or None if its game does not say what is public."""
    if walk.public_event is None or walk.event_state is None:
        return None
    order = np.argsort(walk.event_state, kind="stable")
    rank = np.empty(len(order), dtype=np.int32)
    rank[order] = np.arange(len(order), dtype=np.int32)
    event, state = rank[walk.public_event], walk.event_state[order]
    size = int(state.max(initial=-1)) + 1
    first = np.searchsorted(state, np.arange(size + 1))
    outcome = np.concatenate(([0], np.cumsum(walk.chance_count)))[:-1]
    nodes = np.bincount(state[event[outcome]], minlength=size)
    total = np.bincount(event, weights=walk.chance_probability, minlength=len(state))
    odds = total / nodes[state]
    possible = odds[event] > 0.0
    ratio = np.where(possible, walk.chance_probability / np.where(possible, odds[event], 1.0), 0.0)
    sums = cumulative(np.diff(first).astype(np.int32), odds)
    return ChanceEvents(event, state, first, sums, ratio)


def as_if_all_were_public(node: Int32Array, probability_sums: FloatArray) -> ChanceEvents:
    """Every chance node a public state of its own, every outcome an event: chance sampling's view.

    `node` is int32[N, 4], `probability_sums` are float64[outcomes], as in `HistoryArrays`.
    """
    base, count = node[node[:, 3] == CHANCE, 1:3].T
    count = count[np.argsort(base)]
    state = np.repeat(np.arange(len(count), dtype=np.int32), count)
    first = np.concatenate(([0], np.cumsum(count, dtype=np.int64)))
    event = np.arange(len(state), dtype=np.int32)
    events = ChanceEvents(event, state, first, probability_sums, np.ones(len(state)))
    for array in events:
        array.flags.writeable = False
    return events
