"""Equity of two to six ranges, with the shares of deals won and tied."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import comb, prod
from typing import Final

import numpy as np

from equilibrist.errors import ConfigError
from equilibrist.formatting.amounts import counted
from equilibrist.formatting.brief import brief_repr
from equilibrist.parsing.arguments import bad_argument
from equilibrist.poker.cards.decks import FULL_DECK, Deck, read_deck
from equilibrist.poker.equities.equity import POT, TWO_SIDED_95, Equity, adjusted, equity
from equilibrist.poker.equities.folded import counts_all, free_folded, read_known
from equilibrist.poker.equities.players import (
    DEALS_AT_ONCE,
    as_range,
    count_boards,
    free_weights,
    interchangeable,
)
from equilibrist.poker.ranges.range import Range
from equilibrist.typing import FloatArray

MOST_PLAYERS: Final = 6
SAMPLES: Final = 1_000_000
"""The number of deals to sample where enumeration is too large."""
_MOST_ON_A_BOARD: Final = 2 * 10**10
_MOST_DEALS: Final = 10**13
"""Bounds of an exact computation: half a minute a board, and hours in all."""


@dataclass(frozen=True)
class MultiwayEquity:
    """The equities of two to six ranges, and how often each player wins and ties.

    Every tuple has one number per player, in the order of the ranges.

    Attributes:
        equities: The share of the pot, from 0 to 1; ties are split. The sum is 1.
        wins: The share of the deals that the player wins alone.
        ties: The share of the deals in which the player and others have the best hand. Of a deal
            tied by k players each has the equity 1/k.
        standard_errors: The standard errors of the equities if they were sampled, else None.
        boards: The number of boards enumerated or sampled; of boards that are suit images of each
            other only one is enumerated. None if whole deals were sampled.
        samples: The number of deals sampled, each with a board; None otherwise.
        matchups: The sum of the products of weights over all choices of a hand for each player in
            which no card comes twice; None if deals were sampled, or of more than two ranges
            behind folded hands.
        ranges: The ranges as given.
        board: The cards on the board.
        dead: Cards that no player holds and that are not dealt.
        seed: The seed of the samples.
        deck: The deck, with its ranking of hands.
        folded: The ranges of players who folded, which `matchups` leaves aside.
    """

    equities: tuple[float, ...]
    wins: tuple[float, ...]
    ties: tuple[float, ...]
    standard_errors: tuple[float, ...] | None
    boards: int | None
    samples: int | None
    matchups: float | None
    ranges: tuple[Range, ...]
    board: tuple[int, ...]
    dead: tuple[int, ...]
    seed: int
    deck: Deck = FULL_DECK
    folded: tuple[Range, ...] = ()

    def __repr__(self) -> str:
        return brief_repr(self)

    @property
    def exact(self) -> bool:
        """Whether all boards and deals were enumerated."""
        return self.standard_errors is None

    @property
    def intervals(self) -> tuple[tuple[float, float], ...] | None:
        """The 95 % confidence interval of each equity if they were sampled, else None."""
        if self.standard_errors is None:
            return None
        both = zip(self.equities, self.standard_errors, strict=True)
        around = ((share, TWO_SIDED_95 * error) for share, error in both)
        return tuple((max(0.0, share - by), min(1.0, share + by)) for share, by in around)

    @property
    def from_ties(self) -> tuple[float, ...]:
        """The part of each equity that comes from ties; the rest is `wins`."""
        both = zip(self.equities, self.wins, strict=True)
        return tuple(max(share - win, 0.0) for share, win in both)


def multiway_equity(
    ranges: Sequence[Range | str],
    board: str = "",
    *,
    dead: str = "",
    deck: str | Deck = FULL_DECK,
    folded: Sequence[Range | str] = (),
    samples: int | None = None,
    exact: bool = False,
    seed: int = 0,
    threads: int | None = None,
) -> MultiwayEquity:
    """Compute the equities of two to six ranges on a board of no card or of three to five.

    Two ranges are computed by `equity`. For more, all deals on all boards are enumerated where the
    number of boards, counting suit images once, times the number of combinations of hands is at
    most 2 billion. Otherwise 1,000,000 deals are sampled: hands of all players by their weights, on
    condition that no card comes twice, and a board. Behind folded hands deals count as `equity`
    says.

    Args:
        ranges: Two to six ranges, in the order of the players.
        board: The cards on the board, such as `QsJh2h`; empty before the flop.
        dead: Cards that no player holds and that are not dealt.
        deck: The deck, as for `equity`: the lowest rank, `short` or `short-trips`.
        folded: The ranges with which other players folded, as for `equity`.
        samples: Sample this many deals, from 100 to 10^9, unless enumeration takes fewer; of two
            ranges, boards.
        exact: Enumerate all deals on all boards, at most 10^13.
        seed: The seed of the samples.
        threads: Threads that share the work, by default one for each processor that the process may
            use; their number does not change the result.

    Returns:
        The equities, and the shares of the deals won and tied.

    Raises:
        RangeSyntaxError: A range cannot be read.
        CardSyntaxError: The board or the dead cards cannot be read.
        ConfigError: Another argument is invalid, there are too many deals for `exact`, a card is
            both dead and on the board, or the players cannot hold hands of their ranges at the
            same time.
    """
    _check_count(ranges)
    whole = read_deck(deck)
    checked = tuple(as_range(f"ranges[{k}]", item, whole) for k, item in enumerate(ranges))
    if len(checked) == 2:
        pair = equity(
            *checked, board, dead=dead, deck=whole, folded=folded, samples=samples, exact=exact,
            seed=seed, threads=threads,
        )  # fmt: skip
        return as_multiway(pair)
    on_board, gone, behind, drawn, count, left = read_known(
        len(checked), board, whole, dead=dead, folded=folded,
        samples=samples, exact=exact, seed=seed, threads=threads,
    )  # fmt: skip
    weights = free_weights(checked, on_board, gone, whole)
    scales = weights.max(axis=1)
    weights /= scales[:, None]
    folds = free_folded(behind, on_board, gone, whole)
    suits = interchangeable(np.concatenate([weights, folds]), on_board, gone)
    combinations = prod(np.count_nonzero(weights, axis=1).tolist())
    boards = count_boards(left, 5 - len(on_board), suits)
    few = combinations * boards <= (DEALS_AT_ONCE if drawn is None else drawn)
    if behind:
        few = counts_all(boards, combinations, len(behind), exact=exact) and (exact or few)
    elif exact:
        _check_exact(combinations, boards)
    from equilibrist.poker.equities.deals import no_deal, on_all_deals, on_drawn_deals

    if exact or few:
        matchups = None
        if behind:
            from equilibrist.poker.equities.bunching import on_all_deals_behind

            sums = on_all_deals_behind(weights, folds, on_board, left, suits, count, whole).totals
        else:
            sums = on_all_deals(weights, on_board, left, suits, count, whole.ranking)
            boards_per_deal = comb(len(left) - 2 * len(checked), 5 - len(on_board))
            matchups = float(sums[3, 0] / boards_per_deal * scales.prod())
        if not sums[3, 0]:
            raise no_deal("folded" if behind else "ranges")
        shares = _shares(sums, float(sums[3, 0]))
        enumerated = int(sums[3, 1])
        return MultiwayEquity(
            *shares, None, enumerated, None, matchups, checked, on_board, gone, seed, whole, behind
        )
    size = drawn or SAMPLES
    sampled = on_drawn_deals(weights, on_board, left, size, seed, count, whole.ranking, folds)
    counts = sampled.astype(np.float64)
    shares = _shares(counts, float(size))
    errors = tuple(
        adjusted(share, size, (size, squares, share * size, size))[1]
        for share, squares in zip(shares[0], (counts[3] / POT**2).tolist(), strict=True)
    )
    return MultiwayEquity(
        *shares, errors, None, size, None, checked, on_board, gone, seed, whole, behind
    )


def _check_count(ranges: object) -> None:
    """Raise ConfigError for anything but two to six ranges."""
    if isinstance(ranges, str) or not isinstance(ranges, Sequence):
        raise bad_argument("ranges", ranges, "a list of ranges, such as ['AA', 'KK', 'QQ']")
    if not 2 <= len(ranges) <= MOST_PLAYERS:
        raise bad_argument(
            "ranges", len(ranges), f"2 to {MOST_PLAYERS}", label="the number of ranges"
        )


def _check_exact(combinations: int, boards: int) -> None:
    """Refuse what would take days, or could not be interrupted for minutes: the tighter limit."""
    if boards * _MOST_ON_A_BOARD > _MOST_DEALS:
        deals, limit = combinations * boards, _MOST_DEALS
        where = f" on {counted(boards, 'board')}"
    else:
        deals, limit, where = combinations, _MOST_ON_A_BOARD, " on a board"
    if deals > limit:
        raise ConfigError(
            f"exact equity would enumerate {deals:.1e} deals{where}; expected at most {limit:.0e}",
            option="exact",
            given=deals,
            expected=limit,
            remedy="leave out exact, so that deals are sampled, or give smaller ranges",
        )


def _shares(
    sums: FloatArray, total: float
) -> tuple[tuple[float, ...], tuple[float, ...], tuple[float, ...]]:
    """Equities, wins and ties from the weights won and tied, and the shares in sixtieths."""
    equities = (sums[0] * POT + sums[2]) / (total * POT)
    wins, ties = sums[:2] / total
    return tuple(equities.tolist()), tuple(wins.tolist()), tuple(ties.tolist())


def as_multiway(heads_up: Equity) -> MultiwayEquity:
    """The equity of two ranges in the form of that of several."""
    return MultiwayEquity(
        equities=(heads_up.oop, heads_up.ip),
        wins=(heads_up.oop_win, heads_up.ip_win),
        ties=(heads_up.tie, heads_up.tie),
        standard_errors=None if heads_up.exact else (heads_up.standard_error,) * 2,
        boards=heads_up.boards,
        samples=None,
        matchups=heads_up.matchups,
        ranges=heads_up.ranges,
        board=heads_up.board,
        dead=heads_up.dead,
        seed=heads_up.seed,
        deck=heads_up.deck,
        folded=heads_up.folded,
    )
