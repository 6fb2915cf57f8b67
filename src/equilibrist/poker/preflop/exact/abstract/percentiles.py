"""Buckets of hands by percentiles of their strength, nested street by street or not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from equilibrist.errors import ConfigError, UnsupportedError
from equilibrist.parsing.arguments import bad_argument
from equilibrist.poker.cards.decks import STANDARD, Ranking
from equilibrist.poker.preflop.exact.boards import BoardTable
from equilibrist.poker.preflop.exact.engine import Engine
from equilibrist.poker.preflop.exact.pairs import hand_pairs
from equilibrist.poker.preflop.exact.rows import HandRows, lifts
from equilibrist.typing import FloatArray, Int32Array, Int64Array


@dataclass(frozen=True, eq=False)
class HandBuckets:
    """A bucket for every hand on every board; hands of one bucket are played alike.

    Attributes:
        name: What they are called.
        counts: Buckets of each street.
        of_row: int32[H], the bucket of each row of an engine; 0 in rows that fill up.
        nested: Whether a hand's bucket tells those of the streets before, so that nothing is
            forgotten.
    """

    name: str
    counts: tuple[int, ...]
    of_row: Int32Array
    nested: bool


def bucket_counts(text: str) -> Sequence[int | str]:
    """Read numbers of buckets.

    Args:
        text: One for each street, such as `5/5` or `all/570`.

    Returns:
        The numbers, or `all`.

    Raises:
        ConfigError: It is no text.
    """
    if not isinstance(text, str):
        raise bad_argument("buckets", text, "a text, such as 5/5")
    return [int(word) if word.strip().isdigit() else word.strip() for word in text.split("/")]


def hand_strength(
    table: BoardTable, rows: HandRows, lowest_rank: int, ranking: Ranking = STANDARD
) -> FloatArray:
    """The equity of every row against a random hand, if the last boards are shown down.

    On a street before the last it is the mean over the boards that may follow.

    Args:
        table: The boards.
        rows: Their rows.
        lowest_rank: The lowest rank in the deck.
        ranking: How hands compare.

    Returns:
        float64[H], from 0 to 1; 0 in rows that fill up.
    """
    strength, dealt = np.zeros(len(rows.hand)), np.zeros(len(rows.hand))
    lift = lifts(table, rows)
    last = int(table.street.max())
    for board in range(len(table.cards) - 1, -1, -1):
        first = int(rows.first[board])
        own = slice(first, first + int(table.rows[board]))
        if table.street[board] == last:
            hands = rows.hand[own].tolist()
            pairs = hand_pairs(table.cards[board], hands, lowest_rank, ranking)
            strength[own] = 0.5 + 0.5 * pairs.beaten.sum(axis=1) / pairs.met.sum(axis=1)
        else:
            strength[own] /= dealt[own]
        if board:
            above = int(rows.first[table.parent[board]]) + rows.above[own].astype(np.int64)
            np.add.at(strength, above, lift[own] * strength[own])
            np.add.at(dealt, above, lift[own])
    return strength


def percentile_buckets(engine: Engine, counts: Sequence[int | str], *, nested: bool) -> HandBuckets:
    """Cut the hands of each street into buckets with equal shares of all deals.

    Strength is the expected equity against a random hand at the showdown (E[HS]). Nested buckets
    are cut within those of the street before, as M. Johanson, N. Bard, N. Burch and M. Bowling do
    (AAAI 2012): a hand is known by its percentile on every street so far.

    Args:
        engine: The engine of a game that ends with a showdown on its last boards.
        counts: For each street into how many parts hands are cut; `all` for each by itself, which
            is for the street before the flop.
        nested: Whether those of a street are cut within each bucket of the street before, so that
            their numbers multiply.

    Returns:
        The buckets.

    Raises:
        ConfigError: There are not as many counts as streets with betting, or one is not positive.
        UnsupportedError: Cards are dealt after the last betting.
    """
    game, table, rows = engine.game, engine.table, engine.rows
    streets = int(table.street.max()) + 1
    wrong = [c for c in counts if not (c == "all" or (isinstance(c, int) and c > 0))]
    if len(counts) != streets or wrong or "all" in counts[1:]:
        raise ConfigError(
            f"the hand has {streets} streets with betting, and the buckets are {list(counts)}",
            option="counts",
            given=tuple(counts),
            expected=f"{streets} numbers from 1, the first of them or all",
        )
    if game.to_come:
        raise UnsupportedError(
            "percentiles are for hands that are shown down after the last betting",
            option="last_street",
            given=game.to_come,
            expected="no cards to come",
        )
    strength = hand_strength(table, rows, game.rules.lowest_rank, game.rules.ranking)
    weight = row_weights(table, rows)
    bucket = np.zeros(len(rows.hand), np.int32)
    totals = []
    for street, count in enumerate(counts):
        own = _rows_of(table, rows, street)
        above = np.zeros(len(own), np.int64)
        if nested and street:
            above = bucket[_above(table, rows, street)].astype(np.int64)
        if count == "all":
            bucket[own] = np.arange(len(own))
            totals.append(len(own))
            continue
        parts = int(count)
        for group in range(totals[-1] if nested and street else 1):
            inside = own[above == group]
            cut = _equal_shares(strength[inside], weight[inside], parts)
            bucket[inside] = group * parts + cut
        totals.append((totals[-1] if nested and street else 1) * parts)
    way = "nested" if nested else "forgetful"
    name = f"{'/'.join(map(str, counts))} {way} percentiles of E[HS]"
    return HandBuckets(name, tuple(totals), bucket, nested)


def row_weights(table: BoardTable, rows: HandRows) -> FloatArray:
    """float64[H]: hands of each row times the probability of its board; 0 in rows that fill up.

    The board is one that two hands leave, as in the engine's values; on a street the weights are in
    proportion to how often a row is dealt.
    """
    chance = np.ones(len(table.cards))
    for board in range(1, len(table.cards)):
        chance[board] = chance[table.parent[board]] * table.weight[board]
    widths = np.diff(np.append(rows.first, len(rows.hand)))
    weight: FloatArray = rows.many.astype(np.float64) * np.repeat(chance, widths)
    return weight


def _rows_of(table: BoardTable, rows: HandRows, street: int) -> Int64Array:
    """int64: the rows of all boards of a street."""
    boards = np.flatnonzero(table.street == street)
    return np.concatenate(
        [np.arange(rows.first[b], rows.first[b] + table.rows[b]) for b in boards.tolist()]
    )


def _above(table: BoardTable, rows: HandRows, street: int) -> Int64Array:
    """int64: the rows above those of `_rows_of`."""
    boards = np.flatnonzero(table.street == street)
    return np.concatenate(
        [
            rows.first[table.parent[b]]
            + rows.above[rows.first[b] : rows.first[b] + table.rows[b]].astype(np.int64)
            for b in boards.tolist()
        ]
    )


def _equal_shares(strength: FloatArray, weight: FloatArray, parts: int) -> Int32Array:
    """The part of each hand, 0 for the weakest, so that all parts weigh about the same.

    Equal strengths are in one part: that of their middle.
    """
    levels, level = np.unique(np.round(strength, 12), return_inverse=True)
    held = np.bincount(level, weight, len(levels))
    middle = np.cumsum(held) - 0.5 * held
    cut = np.minimum((middle * parts / held.sum()).astype(np.int32), parts - 1)
    found: Int32Array = cut[level].astype(np.int32)
    return found
