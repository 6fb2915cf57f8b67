"""The range of payoffs of rules, as far as random playouts show it."""

from __future__ import annotations

import math
import random
from typing import Final

from equilibrist.game import CHANCE, TERMINAL
from equilibrist.rules.game import RulesGame
from equilibrist.rules.module import Rules

_PLAYOUTS: Final = 500
_MOVES: Final = 20_000
"""Moves of all playouts together: what they take is bounded for long games too."""


def payoff_ranges(rules: Rules) -> tuple[float, ...]:
    """By player the largest payoff less the smallest in random playouts, always the same ones.

    The true ranges are at least as large. With two players and a constant sum no NashConv exceeds
    the range of one of them, and with any number no coarse correlated gap the sum of all. Infinite
    for rules that raise, of which other functions say more: a result must not be lost over them.
    """
    try:
        return _seen_ranges(RulesGame(rules))
    except Exception:
        return (math.inf,) * rules.num_players


def _seen_ranges(game: RulesGame) -> tuple[float, ...]:
    generator, left = random.Random(0), _MOVES
    seen: list[tuple[float, ...]] = []
    while left > 0 and len(seen) < _PLAYOUTS:
        state = game.initial_state()
        while (mover := game.player(state)) != TERMINAL:
            if mover == CHANCE:
                weights = game.chance(state)
                action = generator.choices(range(len(weights)), weights)[0]
            else:
                action = generator.randrange(len(game.actions(state)))
            state, left = game.next(state, action), left - 1
        seen.append(game.payoffs(state))
    return tuple(max(column) - min(column) for column in zip(*seen, strict=True))
