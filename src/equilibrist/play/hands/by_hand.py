"""From what each hand does at a decision: that of one hand, and that of a range."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from equilibrist.play.range_mixtures import RangeMixture
from equilibrist.poker.betting.actions import Action
from equilibrist.typing import FloatArray


def mixture_of(shares: NDArray[np.floating[Any]]) -> tuple[float, ...]:
    """The probabilities of the actions of a hand; alike where a strategy has none for it.

    Args:
        shares: float[A], at least about 0.

    Returns:
        One probability per action.
    """
    found = np.maximum(shares.astype(np.float64), 0.0)
    total = float(found.sum())
    if total <= 0.0:
        found, total = np.ones(len(found)), float(len(found))
    return tuple((found / total).tolist())


def mixture_over_range(
    player: int,
    where: str,
    actions: Sequence[Action],
    taken: int,
    strategy: NDArray[np.floating[Any]],
    weight: FloatArray,
) -> RangeMixture:
    """What an opponent does at a decision, averaged over its range there.

    Args:
        player: The opponent's seat.
        where: The line that led there.
        actions: What it may do.
        taken: The number of what it did.
        strategy: float[A, 1326]: what each hand does.
        weight: float64[1326]: how likely it holds each hand.

    Returns:
        The mixture.
    """
    shares = strategy @ weight
    codes = tuple(action.code for action in actions)
    return RangeMixture(
        player=player,
        where=where,
        actions=codes,
        words=tuple(map(str, actions)),
        probabilities=tuple((shares / shares.sum()).tolist()) if shares.any() else None,
        holdings=int(np.count_nonzero(weight)),
        taken=codes[taken],
    )
