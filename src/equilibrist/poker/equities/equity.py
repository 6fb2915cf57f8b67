"""Equity: the share of the pot that each of two ranges wins when there is no more betting."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import permutations
from math import comb, sqrt
from typing import TYPE_CHECKING, Final

import numpy as np

from equilibrist.errors import ConfigError
from equilibrist.parsing.arguments import (
    bad_argument,
    check_bool,
    optional_whole_number,
    whole_number,
)
from equilibrist.poker.cards.cards import NUM_CARDS, card_mask, card_names, parse_board, parse_cards
from equilibrist.poker.cards.combos import COMBO_INDEX, FIRST_CARD, SECOND_CARD, without_cards
from equilibrist.poker.ranges.range import Range
from equilibrist.solvers.sampling.executors import MOST_THREADS
from equilibrist.typing import BoolArray, FloatArray, Int32Array, UInt64Array

if TYPE_CHECKING:
    from equilibrist.kernels.poker.equity import Hands

SHOWDOWNS_AT_ONCE: Final = 200_000_000
"""Up to so many boards times hands are all looked at unless samples are asked for."""
SAMPLES: Final = 50_000
"""Boards that are drawn where there are more of them."""
LEAST_SAMPLES: Final = 100
_TWO_SIDED_95: Final = 1.959964


@dataclass(frozen=True)
class Equity:
    """What two ranges win of the pot, and each of their hands; ties are split.

    Attributes:
        oop: Share of the first range, from 0 to 1.
        ip: Share of the second range; both add up to 1.
        oop_hands: float64[1326], the share of each combo of the first range; NaN where it is not
            in the range or meets no hand of the other.
        ip_hands: The same of the second range.
        matchups: Sum over all pairs of hands that share no card of the product of their weights.
        interval: The 95 % confidence interval of `oop` if boards were drawn, else None.
        boards: How many boards were looked at. Of boards that are the same but for the names of
            suits, where these do not matter, one is looked at.
        ranges: The two ranges as given.
        board: The cards on the board.
        dead: Cards that nobody holds and that do not come.
        seed: The seed of the drawn boards.
    """

    oop: float
    ip: float
    oop_hands: FloatArray
    ip_hands: FloatArray
    matchups: float
    interval: tuple[float, float] | None
    boards: int
    ranges: tuple[Range, Range]
    board: tuple[int, ...]
    dead: tuple[int, ...]
    seed: int

    @property
    def exact(self) -> bool:
        """Whether all boards were looked at."""
        return self.interval is None


def equity(
    oop: Range | str,
    ip: Range | str,
    board: str = "",
    *,
    dead: str = "",
    samples: int | None = None,
    exact: bool = False,
    seed: int = 0,
    threads: int = 1,
) -> Equity:
    """The equities of two ranges on a board of no card or of three to five.

    All boards are looked at where that takes seconds: on every flop, turn and river; before the
    flop where boards times hands, of boards that are the same but for the names of suits one, are
    at most 200 million: ranges of hand classes, or few hands. Otherwise 50,000 boards are drawn; on
    each of them all hands meet all others. `samples` draws so many boards, unless there are no more
    of them; `exact` looks at all, before the flop at up to 2,598,960. `threads` share the boards;
    their number changes no bit of the result.

    Raises RangeSyntaxError and CardSyntaxError; ConfigError for other arguments, for cards that are
    both dead and on the board, and for ranges of which no two hands can meet.
    """
    from equilibrist.poker.equities.runouts import on_all_boards, on_drawn_boards

    ranges = _range("oop", oop), _range("ip", ip)
    on_board = parse_board(board) if board != "" else ()
    gone = parse_cards(dead)
    drawn = optional_whole_number("samples", samples, LEAST_SAMPLES, 10**9)
    if check_bool("exact", exact) and drawn is not None:
        raise ConfigError(
            "exact equity draws no boards",
            option="samples",
            given=drawn,
            remedy="leave out samples, or exact",
        )
    whole_number("seed", seed, 0)
    whole_number("threads", threads, 1, MOST_THREADS)
    deck = _deck(on_board, gone)
    weights = _meeting(ranges, on_board, gone)
    scales = weights.max(axis=1)
    weights /= scales[:, None]
    faced = np.array([_facing(weights[1]), _facing(weights[0])])
    suits = _interchangeable(weights, on_board, gone)
    held = np.flatnonzero(weights.any(axis=0)).astype(np.int32)
    to_come = comb(len(deck), 5 - len(on_board))
    if drawn is None:
        few = exact or to_come * len(held) <= SHOWDOWNS_AT_ONCE * len(suits)
    else:
        few = to_come <= drawn
    hands = _hands(weights, held)
    if few:
        won, met, looked_at = on_all_boards(hands, on_board, deck, suits, threads)
        share, interval, boards = _share(won, met), None, int(looked_at)
    else:
        boards = drawn or SAMPLES
        sums = on_drawn_boards(hands, on_board, deck, boards, seed, threads)
        if sums[1] <= 0:
            raise ConfigError(
                f"on none of the {boards:,} drawn boards two hands meet",
                option="samples",
                given=boards,
                remedy="draw more, or ask for exact",
            )
        share = _share(sums[0], sums[1])
        interval = _interval(share, boards, sums)
    shares = _per_combo(hands, held, weights, suits if few else suits[:1])
    return Equity(
        oop=share,
        ip=1 - share,
        oop_hands=shares[0],
        ip_hands=shares[1],
        matchups=float((weights[0] * faced[0]).sum() * scales.prod()),
        interval=interval,
        boards=boards,
        ranges=ranges,
        board=on_board,
        dead=gone,
        seed=seed,
    )


def _range(name: str, given: Range | str) -> Range:
    if isinstance(given, str):
        return Range(given)
    if not isinstance(given, Range):
        raise bad_argument(name, given, "a Range or text, such as 'QQ+,AKs'")
    return given


def _deck(board: tuple[int, ...], dead: tuple[int, ...]) -> list[int]:
    """The cards that players hold or that are still to come."""
    if both := [card for card in dead if card in board]:
        raise ConfigError(
            f"{card_names(both, ' ')} cannot be both dead and on the board {card_names(board)}",
            option="dead",
            given=card_names(both, " "),
            remedy="leave it out of one",
        )
    deck = [card for card in range(NUM_CARDS) if card not in board and card not in dead]
    if len(deck) < 9 - len(board):
        raise ConfigError(
            f"{len(dead)} dead cards leave {len(deck)}; two hands and the rest of the board need "
            f"{9 - len(board)}",
            option="dead",
            given=len(dead),
        )
    return deck


def _meeting(
    ranges: tuple[Range, Range], board: tuple[int, ...], dead: tuple[int, ...]
) -> FloatArray:
    """float64[2, 1326]: the weights of the hands that meet any of the other's, 0 of all others."""
    free = without_cards(card_mask((*board, *dead)))
    weights = np.array([np.where(free, given.weights, 0.0) for given in ranges])
    taken = " and ".join(
        f"{kind} {card_names(cards)}" for kind, cards in (("board", board), ("dead", dead)) if cards
    )
    for name, given, left in zip(("OOP", "IP"), ranges, weights, strict=True):
        if not given:
            raise ConfigError(
                f"{name}'s range holds no hand", option=name, remedy="give at least one, such as AA"
            )
        if not left.any():
            raise ConfigError(
                f"every hand of {name}'s range has a card that is taken ({taken})",
                option=name,
                given=taken,
                remedy="give a range with other hands, or other cards",
            )
    held = (weights > 0).astype(np.float64)  # counts, so that the sums are whole
    weights[0, _facing(held[1]) == 0] = 0
    weights[1, _facing(held[0]) == 0] = 0
    if not weights.any():
        raise ConfigError(
            "the ranges leave no deal: every hand of OOP's shares a card with every hand of IP's"
            + (f" ({taken})" if taken else "")
            + "; give ranges that can meet",
            option="ranges",
        )
    return weights


def _facing(weights: FloatArray) -> FloatArray:
    """float64[1326]: the weight of the hands that share no card with each combo."""
    by_card = np.bincount(FIRST_CARD, weights, NUM_CARDS)
    by_card += np.bincount(SECOND_CARD, weights, NUM_CARDS)
    facing: FloatArray = weights.sum() - by_card[FIRST_CARD] - by_card[SECOND_CARD] + weights
    return facing


def _image(suits: Int32Array) -> Int32Array:
    """int32[1326]: what each combo becomes when suit k is renamed suits[k]."""
    first, second = (card // 4 * 4 + suits[card % 4] for card in (FIRST_CARD, SECOND_CARD))
    images: Int32Array = COMBO_INDEX[first, second]
    return images


def _interchangeable(
    weights: FloatArray, board: tuple[int, ...], dead: tuple[int, ...]
) -> UInt64Array:
    """uint64[n, 4]: the permutations of suits that leave all as it is, the identity first."""

    def unchanged(suits: tuple[int, ...]) -> bool:
        same_cards = all(
            {card // 4 * 4 + suits[card % 4] for card in cards} == set(cards)
            for cards in (board, dead)
        )
        return same_cards and np.array_equal(weights[:, _image(np.array(suits))], weights)

    return np.array([suits for suits in permutations(range(4)) if unchanged(suits)], np.uint64)


def _hands(weights: FloatArray, held: Int32Array) -> Hands:
    from equilibrist.kernels.poker.equity import Hands

    first, second = (cards[held].astype(np.uintp) for cards in (FIRST_CARD, SECOND_CARD))
    won, met = np.zeros((2, 2, len(held)))
    return Hands(first, second, np.ascontiguousarray(weights[:, held]), won, met)


def _interval(share: float, samples: int, sums: Sequence[float]) -> tuple[float, float]:
    """The interval of a share won on drawn boards.

    The weight won is a sum over boards, and so is the weight of all matchups, which differs from
    board to board: W. G. Cochran, Sampling Techniques, chapter 6. Two boards more that are won and
    two that are lost keep the interval honest where all drawn boards agree: A. Agresti and
    B. A. Coull, Approximate is better than exact for interval estimation, 1998.
    """
    _, met, won_won, won_met, met_met = sums
    squares = (won_won - 2 * share * won_met + share * share * met_met) * (samples / met) ** 2
    middle = (samples * share + 2) / (samples + 4)
    squares = max(squares, 0.0) + 2 * middle * middle + 2 * (1 - middle) ** 2
    around = _TWO_SIDED_95 * sqrt(squares) / (samples + 4)
    return max(0.0, middle - around), min(1.0, middle + around)


def _share(won: float, met: float) -> float:
    return min(max(won / met, 0.0), 1.0)  # sums of many weights are off by their last digits


def _per_combo(
    hands: Hands, held: Int32Array, weights: FloatArray, suits: UInt64Array
) -> FloatArray:
    """float64[2, 1326]: the share of each combo.

    Of boards that are images of each other one was looked at, on behalf of all: its images make
    up for them.
    """
    sums = np.zeros((2, 2, weights.shape[1]))
    sums[0][:, held], sums[1][:, held] = hands.won, hands.met
    images = [_image(row) for row in suits.astype(np.int32)]
    won, met = np.sum([sums[:, :, image] for image in images], axis=0)
    known: BoolArray = (weights > 0) & (met > 0)
    shares = np.full(weights.shape, np.nan)
    shares[known] = np.clip(won[known] / met[known], 0.0, 1.0)
    shares.flags.writeable = False
    return shares
