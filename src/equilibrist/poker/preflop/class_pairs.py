"""How often hand classes meet: the pairs of hands that share no card."""

from __future__ import annotations

from typing import Final

import numpy as np

from equilibrist.poker.cards.combos import CLASS_OF_COMBO, COMBO_MASKS, NUM_CLASSES
from equilibrist.typing import Int64Array

BOARDS: Final = 1_712_304
"""The boards of five cards from the 48 that two hands leave."""


def class_pairs() -> Int64Array:
    """int64[169, 169]: the pairs of hands, one of each class, that share no card."""
    meet = (COMBO_MASKS[:, None] & COMBO_MASKS) == 0
    by_class = CLASS_OF_COMBO[:, None] == np.arange(NUM_CLASSES)
    pairs: Int64Array = (by_class.T.astype(np.float64) @ meet @ by_class).astype(np.int64)
    return pairs
