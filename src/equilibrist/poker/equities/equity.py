"""Equity: the share of the pot that each of two ranges wins without further betting."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import comb, sqrt
from typing import Final

import numpy as np

from equilibrist.errors import ConfigError
from equilibrist.formatting.brief import brief_repr
from equilibrist.kernels.poker.strength_tables import Hands
from equilibrist.poker.cards.cards import NUM_CARDS
from equilibrist.poker.cards.combos import COMBO_INDEX, FIRST_CARD, SECOND_CARD
from equilibrist.poker.cards.decks import FULL_DECK, Deck, read_deck
from equilibrist.poker.equities.folded import counts_all, free_folded, read_known
from equilibrist.poker.equities.players import (
    as_range,
    count_boards,
    free_weights,
    image_of,
    interchangeable,
    taken_cards,
)
from equilibrist.poker.equities.showdown import on_full_board
from equilibrist.poker.ranges.range import Range
from equilibrist.typing import BoolArray, FloatArray, Int32Array, UInt64Array

POT: Final = 60
"""The unit of the shares of ties in sums."""
_SHOWDOWNS_AT_ONCE: Final = 200_000_000
"""Enumerate all boards up to this many boards times hands, unless samples are requested."""
BOARDS_KERNEL: Final = "equilibrist.kernels.poker.equity.all_boards"
"""The kernel that enumerates boards."""
SAMPLES: Final = 50_000
"""The number of boards to sample where enumeration is too large."""
TWO_SIDED_95: Final = 1.959964


@dataclass(frozen=True)
class Equity:
    """The equities of two ranges and of each of their hands; ties are split.

    Attributes:
        oop: The share of the first range, from 0 to 1.
        ip: The share of the second range; both add up to 1.
        oop_hands: float64[1326], the share of each combo of the first range; NaN if it is not in
            the range or is blocked against every hand of the other.
        ip_hands: The same for the second range.
        matchups: The sum of the products of weights over all pairs of hands that share no card.
        oop_win: The share of the matchups that the first range wins, without ties.
        ip_win: The same for the second range.
        tie: The share of the matchups that are tied; `oop` is `oop_win` and half of it.
        interval: The 95 % confidence interval of `oop` if boards were sampled, else None.
        standard_error: The standard error of `oop` and of `ip`; 0 if all boards were enumerated.
        boards: The number of boards enumerated or sampled; of boards that are suit images of each
            other only one is enumerated.
        ranges: The two ranges as given.
        board: The cards on the board.
        dead: Cards that no player holds and that are not dealt.
        seed: The seed of the sampled boards.
        deck: The deck, with its ranking of hands.
        folded: The ranges of players who folded, which `matchups` leaves aside.
    """

    oop: float
    ip: float
    oop_hands: FloatArray
    ip_hands: FloatArray
    matchups: float
    oop_win: float
    ip_win: float
    tie: float
    interval: tuple[float, float] | None
    standard_error: float
    boards: int
    ranges: tuple[Range, Range]
    board: tuple[int, ...]
    dead: tuple[int, ...]
    seed: int
    deck: Deck = FULL_DECK
    folded: tuple[Range, ...] = ()

    def __repr__(self) -> str:
        return brief_repr(self)

    @property
    def exact(self) -> bool:
        """Whether all boards were enumerated."""
        return self.interval is None


def equity(
    oop: Range | str,
    ip: Range | str,
    board: str = "",
    *,
    dead: str = "",
    deck: str | Deck = FULL_DECK,
    folded: Sequence[Range | str] = (),
    samples: int | None = None,
    exact: bool = False,
    seed: int = 0,
    threads: int | None = None,
) -> Equity:
    """Compute the equities of two ranges on a board of no card or of three to five.

    All boards are enumerated where that takes seconds: on every flop, turn and river, and before
    the flop if boards times hands, counting suit images once, are at most 200 million (ranges of
    hand classes, or few hands). Otherwise 50,000 boards are sampled; on each of them all hands of
    both ranges are compared.

    Args:
        oop: The first range.
        ip: The second range.
        board: The cards on the board, such as `QsJh2h`; empty before the flop.
        dead: Cards that no player holds and that are not dealt.
        deck: The lowest rank in the deck, or `short` for short-deck hold'em (36 cards, a flush
            beats a full house, A6789 is a straight), or `short-trips`, where three of a kind beats
            a straight, too. Hands with cards that the deck lacks are left out, and `15%` is a share
            of its hands.
        folded: The ranges with which other players folded, up to eight: their cards are gone, so
            each deal and board counts by the folded hands that it leaves. Behind one or two ranges
            that is counted exactly where it takes seconds, or as long as it takes if `exact`;
            otherwise hands of the folded ranges are drawn with each board.
        samples: Sample this many boards, from 100 to 10^9, unless enumeration takes fewer.
        exact: Enumerate all boards, up to 2,598,960 before the flop.
        seed: The seed of the sampled boards.
        threads: Threads that share the boards, by default one for each processor that the process
            may use; their number does not change the result.

    Returns:
        The equities of the ranges and of all their hands.

    Raises:
        RangeSyntaxError: A range cannot be read.
        CardSyntaxError: The board or the dead cards cannot be read.
        ConfigError: Another argument is invalid, a card is both dead and on the board, or no two
            hands of the ranges can meet.
    """
    whole = read_deck(deck)
    ranges = as_range("oop", oop, whole), as_range("ip", ip, whole)
    on_board, gone, behind, drawn, count, left = read_known(
        2, board, whole, dead=dead, folded=folded,
        samples=samples, exact=exact, seed=seed, threads=threads,
    )  # fmt: skip
    weights, scales = _meeting(ranges, on_board, gone, whole)
    folds = free_folded(behind, on_board, gone, whole)
    suits = interchangeable(np.concatenate([weights, folds]), on_board, gone)
    held = np.flatnonzero(weights.any(axis=0)).astype(np.int32)
    to_come = comb(len(left), 5 - len(on_board))
    if behind:
        pairs = int(np.prod(np.count_nonzero(weights, axis=1)))
        once = count_boards(left, 5 - len(on_board), suits)
        few = counts_all(once, pairs, len(behind), exact=exact)
    else:
        few = exact or to_come * len(held) <= _SHOWDOWNS_AT_ONCE * len(suits)
    few = few if drawn is None else to_come <= drawn and (few or not behind)
    hands = _hands(weights, held)
    if few:
        sums = _on_boards(hands, weights, folds, on_board, left, suits, count, whole)
        won, met, looked_at, tied = sums
        share, interval, error, boards = _share(won, met), None, 0.0, int(looked_at)
    else:
        boards = drawn or SAMPLES
        sums = _on_drawn(hands, on_board, left, folds, boards, seed, count, whole)
        met, tied = sums[1], sums[5]
        share = _share(sums[0], met)
        interval, error = _around(share, boards, sums)
    tie = _share(tied, met)
    shares = _per_combo(hands, held, weights, suits if few else suits[:1])
    return Equity(
        oop=share,
        ip=1 - share,
        oop_hands=shares[0],
        ip_hands=shares[1],
        matchups=float((weights[0] * _unblocked(weights[1])).sum() * scales.prod()),
        oop_win=max(share - tie / 2, 0.0),
        ip_win=max(1 - share - tie / 2, 0.0),
        tie=tie,
        interval=interval,
        standard_error=error,
        boards=boards,
        ranges=ranges,
        board=on_board,
        dead=gone,
        seed=seed,
        deck=whole,
        folded=behind,
    )


def _around(share: float, boards: int, sums: Sequence[float]) -> tuple[tuple[float, float], float]:
    """The interval of a share that was sampled, and its standard error."""
    middle, error = adjusted(share, boards, sums[1:5])
    around = TWO_SIDED_95 * error
    return (max(0.0, middle - around), min(1.0, middle + around)), error


def _behind_folded(
    hands: Hands,
    weights: FloatArray,
    folds: FloatArray,
    board: tuple[int, ...],
    left: list[int],
    suits: UInt64Array,
    threads: int,
    deck: Deck,
) -> list[float]:
    """Add up the showdowns on all boards behind folded hands; returns as `_on_boards`."""
    from equilibrist.poker.equities.bunching import on_all_deals_behind
    from equilibrist.poker.equities.deals import no_deal

    sums = on_all_deals_behind(weights, folds, board, left, suits, threads, deck)
    won, ties, shares, counts = sums.totals
    if counts[0] <= 0:
        raise no_deal("folded")
    held = COMBO_INDEX[hands.first.astype(np.intp), hands.second.astype(np.intp)]
    hands.won[:], hands.met[:] = sums.won[:, held], sums.met[:, held]
    return [float(won[0] + shares[0] / POT), float(counts[0]), float(counts[1]), float(ties[0])]


def _on_drawn(
    hands: Hands,
    board: tuple[int, ...],
    left: list[int],
    folds: FloatArray,
    boards: int,
    seed: int,
    threads: int,
    deck: Deck,
) -> list[float]:
    """Add up the showdowns on drawn boards, behind drawn folded hands if there are any."""
    if len(folds):
        from equilibrist.poker.equities.bunching import on_drawn_boards_behind

        sums = on_drawn_boards_behind(hands, folds, board, left, boards, seed, threads, deck)
    else:
        from equilibrist.poker.equities.runouts import on_drawn_boards

        sums = on_drawn_boards(hands, board, left, boards, seed, threads, deck.ranking)
    if sums[1] <= 0:
        raise ConfigError(
            f"no two hands can meet on any of the {boards:,} sampled boards"
            + (" behind the folded hands" if len(folds) else ""),
            option="folded" if len(folds) else "samples",
            given=boards,
            remedy="give more samples, or exact",
        )
    return sums


def _meeting(
    ranges: tuple[Range, Range], board: tuple[int, ...], dead: tuple[int, ...], deck: Deck
) -> tuple[FloatArray, FloatArray]:
    """The weights of hands that can meet one of the other range, and by what they are divided.

    Returns:
        float64[2, 1326], at most 1, and float64[2].
    """
    weights = free_weights(ranges, board, dead, deck)
    held = (weights > 0).astype(np.float64)  # counts, so that the sums are whole
    weights[0, _unblocked(held[1]) == 0] = 0
    weights[1, _unblocked(held[0]) == 0] = 0
    if not weights.any():
        raise ConfigError(
            "no deal is possible: every hand of player 1 shares a card with every hand of player 2"
            + (f" ({taken_cards(board, dead, deck)})" if board or dead else ""),
            option="ranges",
            remedy="give ranges with hands that can meet",
        )
    scales = weights.max(axis=1)
    return weights / scales[:, None], scales


def _unblocked(weights: FloatArray) -> FloatArray:
    """float64[1326]: the total weight of the hands that each combo does not block."""
    by_card = np.bincount(FIRST_CARD, weights, NUM_CARDS)
    by_card += np.bincount(SECOND_CARD, weights, NUM_CARDS)
    # Inclusion-exclusion: the combo itself is taken off once per card.
    facing: FloatArray = weights.sum() - by_card[FIRST_CARD] - by_card[SECOND_CARD] + weights
    return facing


def _on_boards(
    hands: Hands,
    weights: FloatArray,
    folds: FloatArray,
    board: tuple[int, ...],
    left: list[int],
    suits: UInt64Array,
    threads: int,
    deck: Deck,
) -> list[float]:
    """Add up the showdowns on all boards; a full board needs no kernel."""
    if len(folds):
        return _behind_folded(hands, weights, folds, board, left, suits, threads, deck)
    if len(board) == 5:
        return on_full_board(hands, board, deck)
    from equilibrist.poker.equities.runouts import on_all_boards

    return on_all_boards(hands, board, left, suits, threads, deck.ranking)


def _hands(weights: FloatArray, held: Int32Array) -> Hands:
    first, second = (cards[held].astype(np.uintp) for cards in (FIRST_CARD, SECOND_CARD))
    won, met = np.zeros((2, 2, len(held)))
    return Hands(first, second, np.ascontiguousarray(weights[:, held]), won, met)


def adjusted(share: float, samples: int, sums: Sequence[float]) -> tuple[float, float]:
    """The middle of the confidence interval of a share won in samples, and its standard error.

    A ratio estimator: both the weight w won and the weight m of all matchups are sums over samples
    (W. G. Cochran, Sampling Techniques, chapter 6); `sums` are those of m, w * w, w * m and m * m.
    Two more samples won and two more lost keep the error valid if all samples agree (A. Agresti and
    B. A. Coull, Approximate is better than exact for interval estimation, 1998).
    """
    met, won_won, won_met, met_met = sums
    squares = (won_won - 2 * share * won_met + share * share * met_met) * (samples / met) ** 2
    middle = (samples * share + 2) / (samples + 4)
    squares = max(squares, 0.0) + 2 * middle * middle + 2 * (1 - middle) ** 2
    return middle, sqrt(squares) / (samples + 4)


def _share(won: float, met: float) -> float:
    return min(max(won / met, 0.0), 1.0)  # large sums have rounding errors


def _per_combo(
    hands: Hands, held: Int32Array, weights: FloatArray, suits: UInt64Array
) -> FloatArray:
    """float64[2, 1326]: the share of each combo.

    Of boards that are suit images of each other only one was enumerated; its images are added.
    """
    sums = np.zeros((2, 2, weights.shape[1]))
    sums[0][:, held], sums[1][:, held] = hands.won, hands.met
    images = [image_of(row) for row in suits.astype(np.int32)]
    won, met = np.sum([sums[:, :, image] for image in images], axis=0)
    is_held: BoolArray = (weights > 0) & (met > 0)
    shares = np.full(weights.shape, np.nan)
    shares[is_held] = np.clip(won[is_held] / met[is_held], 0.0, 1.0)
    shares.flags.writeable = False
    return shares
