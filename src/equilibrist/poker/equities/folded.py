"""Ranges of players who folded: how they are given, and what counting them costs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import comb
from typing import Final, NamedTuple

import numpy as np

from equilibrist.errors import ConfigError
from equilibrist.parsing.arguments import bad_argument, whole_number
from equilibrist.parsing.threads import thread_count
from equilibrist.poker.cards.cards import NUM_CARDS, card_mask, parse_board, parse_cards
from equilibrist.poker.cards.combos import without_cards
from equilibrist.poker.cards.decks import FULL_DECK, Deck
from equilibrist.poker.equities.drawn_folds import DRAWS, PARTS
from equilibrist.poker.equities.players import (
    DEALS_AT_ONCE,
    as_range,
    check_samples,
    deck_for,
    taken_cards,
)
from equilibrist.poker.ranges.range import Range
from equilibrist.typing import FloatArray

MOST_FOLDED: Final = 8
EXACT_FOLDED: Final = 2
"""Folded ranges whose weights are counted exactly."""
_PER_BOARD: Final = 2_000
"""What beginning a board costs, in deals without folded hands."""
_PER_DEAL: Final = (1, 4, 16)
"""What a deal costs behind so many folded ranges."""
_PER_PAIR: Final = {0: 500, 1: 670, 2: 1_500}
"""What the weight of a pair of hands costs behind one or two folded ranges that are counted, and
behind drawn hands (0), in bytes that memory moves in that time; as the next two measured on boards
of five cards, to a factor of two."""
_PER_DRAW: Final = 500
"""What it costs to see whether a board leaves a draw of folded hands."""
_PER_SET: Final = 25
"""What it costs to count a set of up to four cards of such a draw."""
_MOST_WORK: Final = 10**13
_MOST_ON_A_BOARD: Final = 2 * 10**10
"""Bounds of an exact computation: hours in all, half a minute a board."""


class Known(NamedTuple):
    """What is known of a deal before the hands of the ranges, and how it is counted."""

    board: tuple[int, ...]
    dead: tuple[int, ...]
    folded: tuple[Range, ...]
    """The ranges with which players folded."""
    samples: int | None
    threads: int
    left: list[int]
    """The cards that players may hold or that may be dealt."""


def read_known(
    players: int,
    board: str,
    deck: Deck,
    *,
    dead: str,
    folded: Sequence[Range | str],
    samples: int | None,
    exact: bool,
    seed: int,
    threads: int | None,
) -> Known:
    """Check what `equity` and `multiway_equity` are given besides ranges, as they describe it.

    Args:
        players: How many have not folded.
        board: The board; empty before the flop.
        deck: The deck.
        dead: Cards that are gone.
        folded: The ranges with which other players folded.
        samples: How many boards or deals are sampled.
        exact: Whether none are.
        seed: The seed of the samples.
        threads: How many threads share the work.

    Raises:
        RangeSyntaxError: A range cannot be read.
        CardSyntaxError: The board or the dead cards cannot be read.
        ConfigError: Another argument is invalid.
    """
    text: object = board
    on_board = () if isinstance(text, str) and not text else parse_board(board)
    gone = parse_cards(dead)
    behind = read_folded(folded, deck=deck)
    drawn = check_samples(samples, exact=exact)
    whole_number("seed", seed, 0)
    count = thread_count(threads)
    left = deck_for(players + len(behind), on_board, gone, deck)
    return Known(on_board, gone, behind, drawn, count, left)


def read_folded(value: object, name: str = "folded", deck: Deck = FULL_DECK) -> tuple[Range, ...]:
    """The ranges of players who folded.

    Args:
        value: A range or a list of ranges, as text or as `Range`.
        name: The name of the argument.
        deck: The deck of whose hands `15%` is a share.

    Returns:
        The ranges.

    Raises:
        ConfigError: It is neither, a range is empty, or there are too many.
        RangeSyntaxError: A range cannot be read.
    """
    if isinstance(value, str | Range):
        value = [value]
    if not isinstance(value, Sequence) or isinstance(value, bytes):
        raise bad_argument(name, value, "a list of ranges, such as ['22+,A2s+']")
    if len(value) > MOST_FOLDED:
        raise bad_argument(
            name, len(value), f"at most {MOST_FOLDED}", label="the number of folded ranges"
        )
    ranges = tuple(as_range(f"{name}[{k}]", item, deck) for k, item in enumerate(value))
    for number, hand_range in enumerate(ranges, 1):
        if not hand_range:
            raise ConfigError(
                f"folded range {number} is empty",
                option=name,
                given=str(hand_range),
                place=f"range {number}",
                remedy="give the hands with which the player folds, or leave it out",
            )
    return ranges


def free_folded(
    folded: Sequence[Range], board: tuple[int, ...], dead: tuple[int, ...], deck: Deck
) -> FloatArray:
    """The weights of folded hands without those that known cards block.

    Args:
        folded: The ranges.
        board: The cards on the board.
        dead: Cards that nobody holds.
        deck: The deck.

    Returns:
        float64[k, 1326], the largest weight of each range 1.

    Raises:
        ConfigError: No hand of a range is left.
    """
    free = without_cards(card_mask((*deck.absent, *board, *dead)))
    weights = np.zeros((len(folded), len(free)))
    for row, hand_range in zip(weights, folded, strict=True):
        row[free] = hand_range.weights[free]
    for number, row in enumerate(weights, 1):
        if not row.any():
            taken = taken_cards(board, dead, deck)
            raise ConfigError(
                f"every hand of folded range {number} is blocked ({taken})",
                option="folded",
                given=str(folded[number - 1]),
                place=f"range {number}",
                remedy="add other hands to the range, or change the cards",
            )
    scaled: FloatArray = weights / weights.max(axis=1, keepdims=True)
    return scaled


def exact_work(boards: int, combinations: int, folded: int) -> int:
    """What counting all deals behind one or two folded ranges costs, in deals without any.

    Args:
        boards: The number of boards, up to images.
        combinations: The combinations of hands of the players left.
        folded: The number of folded ranges.

    Returns:
        The work, to be compared with `DEALS_AT_ONCE`.
    """
    return boards * (_PER_BOARD + combinations * _PER_DEAL[folded])


def weighing_work(boards: Mapping[int, int], pairs: int, folded: int) -> int:
    """What the weights of all pairs of hands of a spot cost that folded ranges leave.

    Behind drawn hands that is done when the spot is set up, and at the end by parts of the draws,
    which shows the error of EVs.

    Args:
        boards: How many boards there are, by the number of their cards.
        pairs: The pairs of hands on all of them.
        folded: The number of folded ranges.

    Returns:
        The work, in bytes that memory moves in the same time.
    """
    if folded <= EXACT_FOLDED:
        return _PER_PAIR[folded] * pairs if folded else 0
    cards = 2 * folded
    sets = sum(comb(cards, size) for size in range(1, 5))
    draws = sum(
        count * DRAWS * (_PER_DRAW + _PER_SET * sets * _share_left(cards, size))
        for size, count in boards.items()
    )
    return round((1 + PARTS) * _PER_PAIR[0] * pairs + 2 * draws)


def _share_left(cards: int, board: int) -> float:
    """The share of all sets of as many `cards` that a board leaves."""
    return comb(NUM_CARDS - cards, board) / comb(NUM_CARDS, board)


def counts_all(boards: int, combinations: int, folded: int, *, exact: bool) -> bool:
    """Whether all deals behind folded ranges are counted in place of drawing them.

    Args:
        boards: The number of boards, up to images.
        combinations: The combinations of hands of the players left.
        folded: The number of folded ranges.
        exact: Whether counting is asked for.

    Returns:
        Whether they are.

    Raises:
        ConfigError: It is asked for, and there are too many folded ranges or deals.
    """
    if folded > EXACT_FOLDED:
        if exact:
            raise ConfigError(
                f"exact equity is counted behind one or two folded ranges, not behind {folded}",
                option="exact",
                given=folded,
                expected=EXACT_FOLDED,
                remedy="leave out exact, so that the folded hands are drawn",
            )
        return False
    work = exact_work(boards, combinations, folded)
    if exact and (work > _MOST_WORK or combinations * _PER_DEAL[folded] > _MOST_ON_A_BOARD):
        deals = boards * combinations
        raise ConfigError(
            f"exact equity behind folded hands would enumerate {deals:.1e} deals, which takes days",
            option="exact",
            given=deals,
            remedy="leave out exact, so that the folded hands are drawn, or give smaller ranges",
        )
    return exact or work <= DEALS_AT_ONCE
