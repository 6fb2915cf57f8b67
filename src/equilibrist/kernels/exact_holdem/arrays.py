"""The arrays that the kernels of exact hold'em work on, and the numbers they agree on.

A *row* is a class of hands that are images of each other under the suit permutations that fix a
board. Rows are stored in blocks of TILE, filled up with rows that nothing reaches. A *sequence* is
one action of a player's decision on a street, or an entry of the street. A *lane* is an opponent's
sequence that a terminal node needs.
"""

from __future__ import annotations

from typing import Any, NamedTuple

COUNTED_ANEW = -2
"""In place of where a matrix begins."""
UPDATE = 0
"""Play the current strategies; update the player's regrets and strategy sums."""
VALUE = 1
"""Values of the average strategies."""
BEST = 2
"""Values of best responses to the opponent's average strategy."""
ANSWER = 3
"""As BEST, and put the responses in place of the player's strategy sums: 1 for what they play."""
POSITIVE, NEGATIVE, FLOOR, LOOKAHEAD, PREDICTION, DECAY, WEIGHT = range(7)
"""Columns of the coefficients of a variant."""


class Betting(NamedTuple):
    """The betting of all streets; decisions in preorder, a first index of 2 is the player.

    Rows of reach, values and lanes are numbered from 0 for each player and street.
    """

    begin: Any  # int32[2, S + 1]: where decisions of a street begin
    parent: Any  # int32[D]: the row of the sequence that leads to a decision
    count: Any  # int32[D]: actions
    slot: Any  # int32[D]: the first of its numbers among those of its player on the street
    act: Any  # int32[D]: where its actions begin in `row`
    row: Any  # int32[A]: the row of the sequence of an action
    slots: Any  # int32[2, S]: numbers that are stored for each hand
    rows: Any  # int32[2, S]: rows of sequences
    entries: Any  # int32[S]: lines that enter a street; roots of the first one
    entry: Any  # int32[2, S, E]: the row of each
    exits: Any  # int32[S]: lines that leave a street to the next
    exit: Any  # int32[2, S, E]: the row of the sequence that each ends with
    lanes: Any  # int32[2, S]: the player's sequences before terminal nodes, the first rows
    shown: Any  # int32[2, S]: those before showdowns, the first of them
    folds: Any  # int32[2, S]: the first lane before a fold
    none: Any  # int32[2, S + 1]: where a player's rows without terminal nodes begin in `bare`
    bare: Any  # int32[...]: these rows
    ends: Any  # int32[2, S + 1, 2]: where the first terminal nodes of rows begin, then the others
    goal: Any  # int32[T]: the row that a terminal node adds to
    source: Any  # int32[T]: the row of `out` with the reach that it is paid on
    pay: Any  # float[T]: what it pays for each
    shares: Any  # float[A]: 1 / n


class Boards(NamedTuple):
    """The boards of all streets in preorder; the first, as a rule the empty one, is above all."""

    street: Any  # int8[B]
    parent: Any  # int32[B]
    end: Any  # int32[B]: the board after those below
    rows: Any  # int32[B]
    first: Any  # int64[B]: its first row, a multiple of TILE
    place: Any  # int64[2, B]: where its numbers begin in the store of either player
    alike: Any  # float32[B, 52]: the cards in each orbit of cards
    many: Any  # float32[H]: hands of each row; 0 in rows that fill up
    a: Any  # uint8[H]: the orbits of the cards of each row
    b: Any  # uint8[H]
    above: Any  # uint16[H]: the row on the board above
    lift: Any  # float[H]: what a value of a row counts for a hand of that row
    last: Any  # uint16[H]: on boards with showdowns, the end of the group of rows of equal strength
    pairs: Any  # int64[B]: where the matrix of a board begins, -1 without one, or COUNTED_ANEW
    ways: Any  # float32[B]: ways in which the cards to come can be dealt


class Pairs(NamedTuple):
    """Terminal values for pairs of rows where they are not found by sorting."""

    met: Any  # float[R * R]: hands of a row that a hand can meet, on the empty board
    beaten: Any  # float[R * R]: how many it beats less how many beat it, over all boards
    runouts: Any  # int16[...]: the same of other boards, summed over the cards to come


class Runouts(NamedTuple):
    """What counts the matrix of a board with one card to come, every time that it is visited.

    N hands; or None where no board needs it. The last six are working memory of a thread.
    """

    tables: Any  # StrengthTables, for hands with the whole board
    cards: Any  # uint8[B, cards]: of each board
    deck: Any  # uint8[...]: all cards
    first: Any  # int32[N]
    second: Any  # int32[N]: the cards of each hand
    blockers: Any  # uint64[N]: the same as sets
    hands: Any  # int16[H]: the hand that stands for each row
    lowest: Any  # int16[G, N]: the hand that stands for each under a group of permutations
    group: Any  # int32[B]: the group of each board
    board: Any  # uint8[cards + 1]
    of_row: Any  # int16[N]
    strength: Any  # uint16[N]
    below: Any  # int16[cards of the deck, N]
    above: Any  # int16[cards of the deck, N]
    won: Any  # int16[N]
    matrix: Any  # int16[R * R]


class Scratch(NamedTuple):
    """Working memory of a thread; floats of one type.

    The reach at exits and the values from below are kept for each street.
    """

    reach: Any  # [rows * TILE]
    chances: Any  # [slots * TILE]
    value: Any  # [rows * TILE]
    out: Any  # [lanes * TILE]
    faced: Any  # [S][rows, lanes]: the opponent's reach
    face: Any  # int64[S]: where that of a street begins
    won: Any  # [rows, lanes]
    total: Any  # [2, lanes]: sums, and what rounding lost of them
    share: Any  # [52]: 1 / cards of each orbit
    sums: Any  # [52, lanes]
    exits: Any  # [2, S][exits, rows]: of the opponent and of the player
    exit: Any  # int64[2, S]
    below: Any  # [S][exits, rows]
    under: Any  # int64[S]
    parts: Any  # [parts, exits of the empty board, rows]; of what threads share
    values: Any  # [2, roots, rows]: of either player there, from the last pass for that player
    start: Any  # [2, roots, rows]: how either player comes to the beginning of each tree
