"""What a bot does where its strategy knows nothing: check, else call by pot odds, else fold."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np

from equilibrist.play.bots.betting import Options
from equilibrist.poker.betting.actions import CALL, CHECK, FOLD, Action
from equilibrist.poker.cards.cards import NUM_CARDS
from equilibrist.poker.cards.combos import COMBO_MASKS, FIRST_CARD, SECOND_CARD, combo_name
from equilibrist.poker.cards.decks import STANDARD, Ranking, deck_of
from equilibrist.poker.cards.evaluator import hand_strengths
from equilibrist.typing import FloatArray, Int64Array

_DEALS: Final = 2_000
"""Deals of the opponents' hands and of the rest of the board, on which hands are compared."""
_FIVE: Final = 5


class Situation(NamedTuple):
    """What is known where nothing is known of the strategy."""

    combo: int
    """The own hand."""
    board: tuple[int, ...]
    """The public cards."""
    to_come: int
    """How many more there will be."""
    lowest_rank: int
    """The lowest rank of the deck."""
    opponents: Sequence[FloatArray]
    """float64[1326] by opponent who has not folded: the weights of its hands; all 0 for an unknown
    range."""
    ranking: Ranking = STANDARD
    """How hands compare."""


def safe_action(options: Options, situation: Situation) -> tuple[Action, str]:
    """Choose an action without a strategy.

    Args:
        options: What may be done.
        situation: What is known.

    Returns:
        CHECK, CALL or FOLD, and why.
    """
    if len(options.passive) == 1:
        return CHECK, "checks where it may"
    needed = options.call / (options.pot + options.call)
    share = pot_share(situation)
    word = "calls" if share >= needed else "folds"
    note = f"{word} {combo_name(situation.combo)} with {share:.0%} where a call needs {needed:.0%}"
    return (CALL if share >= needed else FOLD), note


def pot_share(situation: Situation, deals: int = _DEALS) -> float:
    """Estimate the share of the pot if nobody bets any more, always on the same deals.

    Args:
        situation: What is known.
        deals: How many deals of the opponents' hands and of the rest of the board are drawn.

    Returns:
        The mean share, over the deals in which no card comes twice.
    """
    combo, board, to_come, lowest_rank, opponents, ranking = situation
    generator = np.random.default_rng(0)
    own = (int(FIRST_CARD[combo]), int(SECOND_CARD[combo]))
    gone = np.zeros((deals, NUM_CARDS), np.int8)
    gone[:, [*board, *own]] = 1
    gone[:, : 4 * lowest_rank] = 1
    held = [np.tile(np.array(own), (deals, 1))]
    for weights in opponents:
        drawn = _drawn_hands(weights, combo, board, lowest_rank, deals, generator)
        cards = np.stack([FIRST_CARD[drawn], SECOND_CARD[drawn]], axis=1)
        np.add.at(gone, (np.arange(deals)[:, None], cards), 1)
        held.append(cards)
    possible = (gone.max(axis=1) == 1) & (gone.sum(axis=1) + to_come <= NUM_CARDS)
    if not possible.any() or len(board) + to_come + 2 < _FIVE:
        return 1.0 / (1 + len(opponents))
    keys = generator.random((deals, NUM_CARDS)) + gone  # the smallest keys are the next cards
    rest = np.argpartition(keys, to_come, axis=1)[:, :to_come]
    shown = np.hstack([np.tile(np.array(board, np.int64), (deals, 1)), rest])
    rows = np.stack([np.hstack([cards, shown]) for cards in held])[:, possible]
    strengths = hand_strengths(rows.reshape(-1, rows.shape[2]), deck=deck_of(ranking))
    strengths = strengths.reshape(len(held), -1)
    best = strengths == strengths.max(axis=0)
    return float((best[0] / best.sum(axis=0)).mean())


def _drawn_hands(
    weights: FloatArray,
    combo: int,
    board: Sequence[int],
    lowest_rank: int,
    deals: int,
    generator: np.random.Generator,
) -> Int64Array:
    """int64[deals]: hands of an opponent, as its weights say, without the cards that are seen."""
    mask = np.uint64(sum(1 << card for card in board)) | COMBO_MASKS[combo]
    free = (COMBO_MASKS & mask == 0) & (4 * lowest_rank <= FIRST_CARD)
    free &= 4 * lowest_rank <= SECOND_CARD
    held = np.where(free, weights, 0.0)
    if not held.any():
        held = free.astype(np.float64)
    return generator.choice(len(held), deals, p=held / held.sum())
