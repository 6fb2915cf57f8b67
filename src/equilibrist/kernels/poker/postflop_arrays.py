"""The arrays that the kernels of hold'em work on, and the numbers they agree on."""

from __future__ import annotations

from typing import Any, NamedTuple

from equilibrist.kernels import ENDS

ACTION = 0
"""Kind of node: a player acts. All other kinds end the street."""
UPDATE = 0
"""Play the current strategies; update the player's regrets and strategy sums."""
VALUE = 1
"""Values of the average strategies."""
BEST = 2
"""Values of best responses to the opponent's average strategy, within the player's locks."""
UNLOCKED = 3
"""Values of best responses that ignore the player's own locks."""
TREMBLING = 4
"""Values of best responses that tremble, too; with `Trembles` alone."""
ENTER = 0
"""A step that carries reach down."""
LEAVE = 1
"""A step that carries values up."""
MEET = 2
"""All threads wait for each other."""
CLAIM = 3
"""A thread claims the next part of the boards, if one is left."""
NEW = 1
"""A part of `out` begins."""
NEXT = 2
"""A part of `out` replaces the previous one, which is added to the root."""
POSITIVE, NEGATIVE, FLOOR, LOOKAHEAD, PREDICTION, DECAY, WEIGHT, WEIGH = range(8)
"""Columns of the coefficients."""
STEP, TEMPERATURE, DEPTH = range(3)
"""Columns of the coefficients of a quantal run, see `kernels.poker.quantal`."""
MOST_CARDS = 63
"""Cards are smaller numbers; their sums are followed by a row of zeros."""
SUMS = (MOST_CARDS + 1) * ENDS
"""Numbers in the sums per card of all lanes."""


class Program(NamedTuple):
    """The nodes of all streets; `poker.postflop.engine.betting_layout` explains rows and lanes.

    A first index of 2 is the player: the owner of the reach for `slot`, else the updated player.
    """

    kind: Any  # int8[N]: ACTION or not
    player: Any  # int8[N]
    first: Any  # int32[N]: the first child
    count: Any  # int32[N]: children
    row: Any  # int32[N]: of a decision: its first row among its player's on a board
    decision: Any  # int32[N]: of a decision: its number among its player's on a board
    slot: Any  # int32[2, N]: row of reach
    value: Any  # int32[2, N]: row of values
    nodes: Any  # int32[S + 1]: where streets begin
    entry: Any  # int32[E]: where lines enter a street
    entries: Any  # int32[S + 1]: where streets begin in `entry`
    exit: Any  # int32[E]: what leads to `entry` of the next street, at the same place
    exits: Any  # int32[S + 1]
    slots: Any  # int32[2, S]: the first row of reach: lanes of showdowns, then of folds, others
    showdowns: Any  # int32[2, S]: lanes, and those of folds that fill them up
    pairs: Any  # int32[2, S]: of those, the first, where the player may also fold
    folds: Any  # int32[2, S]: lanes of the other folds
    showdown_value: Any  # int32[2, S]: the first row of values
    pair_value: Any  # int32[2, S]
    fold_value: Any  # int32[2, S]
    lane: Any  # int32[2, S]: the place of the first lane in lose, gain and fold
    fold_lane: Any  # int32[2, S]: the place of the first lane in pay
    lose: Any  # float[L]: what a lost showdown brings
    gain: Any  # float[L]: half of what winning brings above that
    fold: Any  # float[L]: what folding instead brings
    pay: Any  # float[K]: what a fold brings


class Boards(NamedTuple):
    """The boards of all streets in order, siblings next to each other."""

    street: Any  # int8[B]
    live: Any  # int32[2, B]: hands
    width: Any  # int32[2, B]: the same, filled up to a multiple of TILE
    hands: Any  # int64[2, B]: where its hands begin in rank, card_a, card_b and twin, filled up too
    rank: Any  # int16[H]: of each hand in order, its place from the weakest to the strongest
    card_a: Any  # uint8[H]: first card of each hand, hands in rank order, from the weakest up
    card_b: Any  # uint8[H]: second card, in the same order
    twin: Any  # int16[H]: rank of the opponent's hand of the same two cards, else of a row of zeros
    level: Any  # int64[2, B]: where its strengths begin in ends, lows, highs
    levels: Any  # int32[2, B]: different strengths, 0 before the last street
    ends: Any  # int16[G]: see `showdown_lanes`
    lows: Any  # int16[G]
    highs: Any  # int16[G]
    arena: Any  # int64[2, B]: where its regrets begin
    decisions: Any  # int64[2, B]: where its decisions begin in scales and locks


class Deals(NamedTuple):
    """How hands get from a board to those after it; or None where there is one street."""

    chance: Any  # float[B]: how probable the last card was for two hands that leave it
    run: Any  # int64[2, B]: where the runs of a board begin in `run_end`
    runs: Any  # int32[2, B]
    run_end: Any  # int16[...]: of hands of the board before that are held on, up to one that is not
    images: Any  # int32[B + 1]: where its images begin
    image: Any  # int64[2, I]: where the way of an image begins in `way`
    way: Any  # int16[...]: for the hands of a board, those of the board before in an image


class Store(NamedTuple):
    """The solver state of all boards, by decision; the hands of an action are consecutive."""

    regret: Any
    regret_scale: Any  # float32[D], or of length 1 where numbers are stored as they are
    match: Any  # what is matched; of length 0 if that is `regret`: the variant does not predict
    match_scale: Any
    total: Any  # strategy sums
    total_scale: Any


class Locks(NamedTuple):
    """The locks of all decisions; or None where there are none."""

    start: Any  # int64[D]: where the locks of a decision begin, -1 for none; or int64[0]
    numbers: Any  # float[K]: see `kernels.poker.locks`


class Trembles(NamedTuple):
    """The least probability of every action; or None where there is none."""

    least: Any  # float[1]


class Quantal(NamedTuple):
    """Where strategies are logit responses; or None where regrets are matched."""

    pot: Any  # float[N]: the pot at each place of the program, bets included, in payoff units
    begin: (
        Any  # int64[2, S + 1]: where a player's decisions on a board of a street begin in `start`
    )
    start: Any  # uint64[...]: where the opponent's row of reach at a decision begins; whole tiles


class Pairs(NamedTuple):
    """Weights of pairs of hands where folded ranges are known; or None where they are not."""

    begin: Any  # int64[B]: where the weights of a board begin; boards of the same cards share them
    weight: Any  # float[...]: of a board [live hands of player 0, live hands of player 1], by rank


class Lanes(NamedTuple):
    """Working memory of the terminal nodes of a board."""

    faced: Any  # [wide + 1, ENDS]
    results: Any  # [wide, ENDS]
    folded: Any  # [wide, ENDS]
    sums: Any  # [SUMS]


class Scratch(NamedTuple):
    """Working memory of a thread, flat; `out` is shared. Floats of one type."""

    root: Any  # the weights of either player's hands on the root, [wide]
    won: Any  # either player's values at the root from the last pass for that player, [wide]
    reach: Any  # of either player, [rows, wide]; TILE numbers before and behind may be read
    value: Any  # of either player while updated, [rows, wide]; may overlap their own reach
    rows: Any  # [3, actions, wide]
    at: Any  # uint64: where rows begin, of the actions of a decision or of all lines, twice
    lanes: Any  # Lanes of the same floats
    exact: Any  # Lanes of float64; of length 0 unless they are to be used
    shares: Any  # [actions + 1]: 1 / n
    met: Any  # [ENDS, wide]: see `quantal.unblocked_reach`; of length 0 but for quantal runs
    out: Any  # [parts or 1, exits of the root, wide]


class Plan(NamedTuple):
    """The steps of a thread in order, except for parts, which it claims."""

    board: Any  # int32[V]
    what: Any  # int8[V]
    part: Any  # int32[B]: which part of `out` a board adds to; -1 for those not after the root
    first: Any  # int8[B]: whether it is the first that does: NEW, or NEXT if a part goes before
    parts: Any  # parts of `out`
    begins: Any  # int64[P + 1]: visits with which parts begin, as they are claimed; what is after
    root: Any  # the board of the root
