"""Three strategies measured by plain NumPy: what the kernels and the solver are held against."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from equilibrist.poker.three_players.forms import Form, Showdown
from equilibrist.poker.three_players.game import OTHERS, SeatGame
from equilibrist.poker.three_players.profile import (
    Forms,
    HandsAndGames,
    Measure,
    add_decisions,
    row_reach,
    row_worth,
)
from equilibrist.typing import FloatArray, Int32Array


def plain_forms(
    laid_out: HandsAndGames,
    games: Sequence[SeatGame] | None = None,
    hands: Sequence[Int32Array] | None = None,
    showdown: Showdown | None = None,
) -> Forms:
    """What evaluates the forms of a street one by one, by default of the first.

    float64[F, H] of a seat and reach.
    """
    games, hands = games or laid_out.games, hands or laid_out.hands
    value = (showdown or laid_out.showdown).value

    def evaluate(seat: int, reach_j: FloatArray, reach_k: FloatArray) -> FloatArray:
        game = games[seat]
        values = np.zeros((len(game.kind), len(hands[seat])))
        for number, (kind, (j, k)) in enumerate(zip(game.kind, game.rows, strict=True)):
            values[number] = value(Form(kind), seat, reach_j[j], reach_k[k])
        return values

    return evaluate


def measure(laid_out: HandsAndGames, strategies: Sequence[FloatArray], forms: Forms) -> Measure:
    """Values and gains of three strategies, each float64[R, H]."""
    reach = [
        row_reach(game, weights, strategy)
        for game, weights, strategy in zip(
            laid_out.games, laid_out.weights, strategies, strict=True
        )
    ]
    values, gains = [], []
    for seat, game in enumerate(laid_out.games):
        j, k = OTHERS[seat]
        played = row_worth(game, forms(seat, reach[j], reach[k]))
        best = played.copy()
        add_decisions(game, played, strategies[seat])
        add_decisions(game, best, None)
        share = laid_out.weights[seat] / laid_out.total
        values.append(float(share @ played[0]))
        gains.append(float(share @ (best[0] - played[0])))
    return Measure(tuple(values), tuple(gains))
