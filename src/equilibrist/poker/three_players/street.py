"""Passes over the games of a street on one board, in one precision.

All rows are as wide as those of the kernels.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from equilibrist.kernels.poker.three_decisions import add_forms, pass_reach
from equilibrist.poker.three_players.form_values import evaluate_forms, working_memory
from equilibrist.poker.three_players.game import SeatGame
from equilibrist.poker.three_players.runouts import lines_of
from equilibrist.poker.three_players.tables import Tables

Floats = NDArray[Any]
"""float32 or float64, whichever the passes take."""


class StreetForms:
    """Evaluates the forms of a street.

    Args:
        widths: The lengths of the seats' rows.
        games: The game of each seat.
        precision: float32 or float64.
    """

    def __init__(
        self, widths: Sequence[int], games: Sequence[SeatGame], precision: type[Any]
    ) -> None:
        self._scratch = working_memory(widths, precision)
        self._lines = [lines_of(game, precision) for game in games]
        self._values = [
            np.empty((len(game.kind), width), precision)
            for game, width in zip(games, widths, strict=True)
        ]

    def values(self, tables: Tables, seat: int, reach_j: Floats, reach_k: Floats) -> Floats:
        """Evaluate the forms of a seat.

        Args:
            tables: The lists of the board.
            seat: The seat.
            reach_j: float[rows, V] of opponent j.
            reach_k: float[rows, V] of opponent k.

        Returns:
            float[F, V], valid until it is asked again.
        """
        values = self._values[seat]
        values.fill(0.0)
        evaluate_forms(tables, seat, self._lines[seat], reach_j, reach_k, values, self._scratch)
        return values


class SeatPasses:
    """The passes over the game of a seat.

    Args:
        game: The game.
        precision: float32 or float64.

    Attributes:
        game: The game.
        uniform: float[D]: one over the number of actions of each decision.
    """

    def __init__(self, game: SeatGame, precision: type[Any]) -> None:
        self.game = game
        self.uniform = (1.0 / np.diff(game.first)).astype(precision)
        self._coefficient = game.coefficient.astype(precision)

    def reach(self, entered: Floats, strategy: Floats, out: Floats | None = None) -> Floats:
        """Pass the reach of rows that are entered on to all rows.

        Args:
            entered: float[N, V], or float[V] on the first street: the weights of the range.
            strategy: float[R, V].
            out: float[R, V], written if it is given.

        Returns:
            float[R, V].
        """
        reach = np.empty_like(strategy) if out is None else out
        reach[: self.game.num_entries] = entered
        pass_reach(self.game.parent, self.game.first, strategy, reach)
        return reach

    def worth(self, forms: Floats) -> Floats:
        """What each row is worth by itself.

        Args:
            forms: float[F, V].

        Returns:
            float[R, V], new.
        """
        worth = np.empty((self.game.num_rows, forms.shape[1]), forms.dtype)
        add_forms(self.game.start, self.game.form, self._coefficient, forms, worth)
        return worth
