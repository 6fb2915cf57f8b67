"""What a bot does where its strategy knows nothing: check, else call by pot odds, else fold."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Final

import numpy as np

from equilibrist.errors import EquilibristError
from equilibrist.play.bots.betting import Options
from equilibrist.poker.betting.actions import CALL, CHECK, FOLD, Action
from equilibrist.poker.cards.cards import card_names
from equilibrist.poker.cards.combos import COMBO_MASKS, combo_name
from equilibrist.poker.ranges.range import Range
from equilibrist.typing import FloatArray

_BOARDS: Final = 2_000
"""Boards on which hands are compared before the flop."""
_FLOP: Final = 3


def safe_action(
    options: Options, combo: int, board: Sequence[int], opponents: Sequence[FloatArray]
) -> tuple[Action, str]:
    """Choose an action without a strategy.

    Args:
        options: What may be done.
        combo: The own hand.
        board: The public cards.
        opponents: float64[1326] by opponent who has not folded: the weights of its hands; all 0 for
            an unknown range.

    Returns:
        CHECK, CALL or FOLD, and why.
    """
    if len(options.passive) == 1:
        return CHECK, "checks where it may"
    needed = options.call / (options.pot + options.call)
    share = prod(_equity(combo, board, weights) for weights in opponents)
    word = "calls" if share >= needed else "folds"
    note = f"{word} {combo_name(combo)} with {share:.0%} where a call needs {needed:.0%}"
    return (CALL if share >= needed else FOLD), note


def _equity(combo: int, board: Sequence[int], weights: FloatArray) -> float:
    """The share of the pot against a range, without betting."""
    from equilibrist.poker.equities.equity import equity

    mask = np.uint64(sum(1 << card for card in board)) | COMBO_MASKS[combo]
    free = COMBO_MASKS & mask == 0
    held = np.where(free, weights, 0.0)
    if not held.any():
        held = np.where(free, 1.0, 0.0)
    own = np.zeros(len(held))
    own[combo] = 1.0
    try:
        return equity(
            Range.from_weights(own),
            Range.from_weights(held / held.max()),
            card_names(board) if len(board) >= _FLOP else "",
            samples=_BOARDS,
            threads=1,
        ).oop
    except EquilibristError:  # of a deck that boards of 52 cards do not fit
        return 0.5
