"""Showdowns on all boards, or on sampled boards, by several threads.

The boards are numbered and split into parts. The split depends on their number only, and the sums
of the parts are added in order, so the result is bit-identical for any number of threads.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import combinations
from math import comb
from typing import Final, TypeVar

import numpy as np

from equilibrist.kernels.poker.equity import all_boards, drawn_boards
from equilibrist.kernels.poker.strength_tables import Hands
from equilibrist.poker.cards.cards import NUM_CARDS, card_mask
from equilibrist.poker.cards.combos import COMBO_MASKS, without_cards
from equilibrist.poker.cards.decks import FULL_DECK, STANDARD, Deck, Ranking
from equilibrist.poker.cards.evaluator import combo_strengths
from equilibrist.poker.cards.evaluator_tables import strength_tables
from equilibrist.poker.equities.pair_weights import Bunching
from equilibrist.typing import FloatArray, Int32Array, Int64Array, UInt64Array

Done = TypeVar("Done")

_PARTS: Final = 256
"""The number of parts, unless they would be too long or too short."""
_SHORTEST: Final = 300
_LONGEST: Final = 10_000
"""Boards in a part: up to 0.2 seconds, so that an interrupt takes effect."""


def load() -> None:
    """Load or compile the kernel of `on_all_boards` before anything waits for it."""
    cards, nothing = np.zeros(1, np.uintp), np.zeros((2, 1))
    hands = Hands(cards, cards, nothing, nothing, nothing)
    places, suits = np.zeros(1, np.int64), np.zeros((1, 4), np.uint64)
    inputs = strength_tables(7), hands, five_cards(()), 0, np.zeros(1, np.int64), suits
    all_boards(*inputs, places, 0, np.zeros(4))


def on_all_boards(
    hands: Hands,
    board: tuple[int, ...],
    deck: list[int],
    suits: UInt64Array,
    threads: int,
    ranking: Ranking = STANDARD,
) -> list[float]:
    """Add up the showdowns on all boards that continue `board` with cards of the deck.

    Adds to the sums in `hands`. Returns the weight of the matchups that player 0 wins, the weight
    of all matchups, the number of boards enumerated: one of each orbit under the suit permutations
    `suits`, uint64[n, 4]; and the weight of the ties, half of which player 0 wins.
    """
    to_come = 5 - len(board)

    def add(part: Hands, begin: int, end: int, sums: FloatArray) -> None:
        places = choice(begin, len(deck), to_come)
        inputs = (
            strength_tables(7, ranking),
            part,
            five_cards(board),
            len(board),
            np.array(deck, np.int64),
            suits,
        )
        all_boards(*inputs, places, end - begin, sums)

    return _in_parts(add, hands, comb(len(deck), to_come), np.zeros(4), threads)


def on_drawn_boards(
    hands: Hands,
    board: tuple[int, ...],
    deck: list[int],
    samples: int,
    seed: int,
    threads: int,
    ranking: Ranking = STANDARD,
) -> list[float]:
    """Add up the showdowns on sampled boards; each depends on its number and the seed only.

    With w the weight of the matchups that player 0 wins on a board, t that of the ties and m that
    of all, returns the sums of w, m, w * w, w * m, m * m and t.
    """
    key = key_of(seed)

    def add(part: Hands, begin: int, end: int, sums: FloatArray) -> None:
        inputs = (
            strength_tables(7, ranking),
            part,
            five_cards(board),
            len(board),
            np.array(deck, np.int64),
            key,
        )
        drawn_boards(*inputs, begin, end, sums)

    return _in_parts(add, hands, samples, np.zeros(6), threads)


def _in_parts(
    add: Callable[[Hands, int, int, FloatArray], None],
    hands: Hands,
    boards: int,
    total: FloatArray,
    threads: int,
) -> list[float]:
    """Let threads `add` all parts, and accumulate the results in `hands` and `total`."""
    length = min(max(boards // _PARTS, _SHORTEST), _LONGEST)

    def part(begin: int, end: int) -> tuple[Hands, FloatArray]:
        own = hands._replace(won=np.zeros_like(hands.won), met=np.zeros_like(hands.met))
        sums = np.zeros_like(total)
        add(own, begin, end, sums)
        return own, sums

    for own, sums in in_parts(part, boards, length, threads):
        hands.won[:] += own.won
        hands.met[:] += own.met
        total += sums
    return [float(value) for value in total]


def in_parts(
    part: Callable[[int, int], Done], count: int, length: int, threads: int
) -> Iterator[Done]:
    """The results of `part(begin, end)` for parts of `count`, in order, by several threads."""
    begins = range(0, count, length)
    pool = ThreadPoolExecutor(threads) if len(begins) > 1 else None  # rivers are fast
    try:
        yield from (pool.map if pool else map)(
            lambda begin: part(begin, min(begin + length, count)), begins
        )
    finally:
        if pool:
            pool.shutdown(cancel_futures=True)


def key_of(seed: int) -> np.uint64:
    """The key of the random streams of a seed."""
    key: np.uint64 = np.random.SeedSequence(seed).generate_state(1, np.uint64)[0]
    return key


def choice(number: int, among: int, size: int) -> Int64Array:
    """int64[size]: the ascending indices of a combination, by its lexicographic number."""
    places: list[int] = []
    place = 0
    for to_choose in reversed(range(size)):
        while number >= (following := comb(among - place - 1, to_choose)):
            number -= following
            place += 1
        places.append(place)
        place += 1
    return np.array(places, np.int64)


def five_cards(board: tuple[int, ...]) -> Int64Array:
    """int64[5]: the cards of a board, with room for those to come."""
    return np.array([*board, *[0] * (5 - len(board))])


_BLOCKED = np.uint16(2**16 - 1)
"""Above every strength, so that no hand beats a hand that is blocked by the board."""


def pair_shares(
    board: tuple[int, ...], oop: Int32Array, ip: Int32Array, *, deck: Deck = FULL_DECK
) -> tuple[FloatArray, FloatArray]:
    """The equities of each combo of OOP and each combo of IP against each other.

    Two arrays, of OOP and of IP, so that sums of small shares keep all their digits.

    Args:
        board: Three to five cards, which block none of the combos.
        oop: Combos.
        ip: Combos.
        deck: The deck, which has the cards of all combos.

    Returns:
        float64[len(oop), len(ip)] each: the shares, 0 where the two combos share a card.
    """
    halves = np.zeros((len(oop), len(ip)), np.uint16)
    free = [card for card in range(4 * deck.lowest_rank, NUM_CARDS) if card not in board]
    to_come = 5 - len(board)
    for cards in combinations(free, to_come):
        strength = combo_strengths((*board, *cards), deck)
        own, theirs = strength[oop][:, None], strength[ip]
        theirs[theirs == 0] = _BLOCKED
        # A win counts twice, a tie once; a hand that is blocked wins nothing on either side.
        halves += own > theirs
        halves += own >= theirs
    meet = (COMBO_MASKS[oop][:, None] & COMBO_MASKS[ip]) == 0
    shares: FloatArray = halves / (2 * comb(len(free) - 4, to_come))
    return np.where(meet, shares, 0.0), np.where(meet, 1.0 - shares, 0.0)


def pair_shares_behind(
    bunching: Bunching,
    board: tuple[int, ...],
    oop: Int32Array,
    ip: Int32Array,
    *,
    deck: Deck = FULL_DECK,
) -> tuple[FloatArray, FloatArray]:
    """The shares of each combo of OOP and each combo of IP behind folded ranges, by weight.

    Args:
        bunching: What the folded ranges leave.
        board: Three to five cards, which block none of the combos.
        oop: Combos.
        ip: Combos.
        deck: The deck, which has the cards of all combos.

    Returns:
        float64[len(oop), len(ip)] each: the shares times the weights of the pairs, so that both add
        up to `bunching.pairs`.
    """
    free = [card for card in range(4 * deck.lowest_rank, NUM_CARDS) if card not in board]
    to_come = 5 - len(board)
    boards = comb(len(free) - 4 - bunching.cards, to_come)
    shares = np.zeros((2, len(oop), len(ip)))
    for cards in combinations(free, to_come):
        full = (*board, *cards)
        possible = without_cards(card_mask(cards))
        own, theirs = np.flatnonzero(possible[oop]), np.flatnonzero(possible[ip])
        strength = combo_strengths(full, deck).astype(np.int64)
        above = np.sign(strength[oop[own]][:, None] - strength[ip[theirs]])
        halves = bunching.pairs(full, oop[own], ip[theirs]) / (2 * boards)
        place = np.ix_(own, theirs)
        shares[0][place] += halves * (1 + above)
        shares[1][place] += halves * (1 - above)
    return shares[0], shares[1]
