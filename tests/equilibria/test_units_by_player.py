"""Equilibria of games whose players are paid in different units: each counts by their own."""

from __future__ import annotations

import numpy as np
import pytest

from equilibrist.equilibria import correlated, nash_equilibria
from equilibrist.equilibria.nash import solving
from equilibrist.equilibria.nash.candidates import Candidates
from equilibrist.game_loading import compile_game
from equilibrist.games.library.matrix import MatrixGame
from equilibrist.strategy import Strategy
from equilibrist.tree.compile import GameTree
from tests.small_games import Written

GAMES = (
    (((4, 3, 0), (0, 1, 2)), ((0, 2, 1), (0, 4, 3))),
    (((2, 3, 1), (0, 0, 2)), ((1, 0, 3), (4, 2, 0))),
    (((0, 4, 2), (2, 2, 3)), ((4, 1, 0), (2, 0, 1))),
    (((2, 3, 0), (3, 3, 1)), ((3, 2, 4), (1, 0, 2))),
)
"""Payoffs of the row and of the column player."""


def in_units(game: int, units: tuple[float, float]) -> GameTree:
    rows, columns = (
        np.array(payoffs) * unit for payoffs, unit in zip(GAMES[game], units, strict=True)
    )
    tree = {
        str(i): (1, "column", {str(j): (row[j], column[j]) for j in range(len(row))})
        for i, (row, column) in enumerate(zip(rows.tolist(), columns.tolist(), strict=True))
    }
    return compile_game(Written((0, "row", tree), 2))


@pytest.mark.parametrize("concept", ["ce", "efce", "efcce", "cce"])
@pytest.mark.parametrize("units", [(1e-7, 1e7), (1e8, 1e-8), (1e-3, 1e6)])
def test_nobody_gains_by_disobeying(concept: str, units: tuple[float, float]) -> None:
    for game in range(len(GAMES)):
        for player in (0, 1):
            objective = f"player:{player}"
            alike = correlated(in_units(game, (1.0, 1.0)), concept, objective=objective)
            found = correlated(in_units(game, units), concept, objective=objective)
            assert found.optimum == pytest.approx(alike.optimum * units[player], rel=1e-9)
            assert (np.array(found.gap.players) / units <= 1e-9).all()


def test_a_gain_in_a_small_unit_is_a_gain(monkeypatch: pytest.MonkeyPatch) -> None:
    """The row player earns 1e-7 more by the second row; columns are worth 0 and 60,000."""
    tree = compile_game(MatrixGame((((0, 0), (1e-7, 1e-7)), ((0, 6e4), (0, 6e4)))))
    profiles = [Strategy(tree, np.array(row)) for row in ([1.0, 0, 0, 1], [0.0, 1, 0, 1])]
    monkeypatch.setitem(
        solving.METHODS, "gambit", lambda tree: Candidates("lies", "all", tuple(profiles))
    )
    found = nash_equilibria(tree)
    assert (len(found.equilibria), found.rejected) == (1, 1)
    assert found.equilibria[0].evaluation.values == (1e-7, 6e4)


@pytest.mark.parametrize("unit", [1.0, 1e-12])
def test_the_best_equilibrium_is_the_first(unit: float) -> None:
    payoffs = np.array([[1.0, 0.0], [0.0, 3.0]]) * unit
    found = nash_equilibria(compile_game(MatrixGame((payoffs, payoffs))), "lemke-howson")
    assert len(found.equilibria) > 1
    sums = [sum(one.evaluation.values) for one in found.equilibria]
    assert sums == sorted(sums, reverse=True)
