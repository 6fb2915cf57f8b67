"""How large a game is, from a few random descents: said when it is too large to walk."""

from __future__ import annotations

import math
import random
from typing import Any

from equilibrist.game import CHANCE, TERMINAL, Game


def knuth_estimate(game: Game[Any], probes: int = 200, depth_limit: int = 10_000) -> float:
    """Mean of `probes` random descents' products of branching: an unbiased count of histories.

    Knuth, Estimating the efficiency of backtrack programs (1975). Infinite if a descent does
    not end within `depth_limit` moves. The descents use their own fixed seed.
    """
    generator = random.Random(0)
    total = 0.0
    for _ in range(probes):
        state, weight, depth = game.initial_state(), 1.0, 0
        while True:
            total += weight
            acting = game.player(state)
            if acting == TERMINAL:
                break
            if depth == depth_limit:
                return math.inf
            count = len(game.chance(state) if acting == CHANCE else game.actions(state))
            weight *= count
            state = game.next(state, generator.randrange(count))
            depth += 1
    return total / probes
