"""Programs that count values from what folds pay: the same values with fewer terminal nodes."""

from __future__ import annotations

import numpy as np
import pytest

from equilibrist.kernels.poker.postflop_arrays import ACTION, BEST, VALUE
from equilibrist.poker.postflop.engine.betting_layout import betting_program
from equilibrist.poker.postflop.engine.holdem_game import holdem_game
from equilibrist.poker.postflop.solving.solver import SpotSolver
from equilibrist.poker.postflop.spot.spot import Spot
from equilibrist.typing import FloatArray
from tests.slow_cases import slow

RIVER = Spot(
    board="QsJh2h7c7d",
    oop="AA,QTs,J9s,98s,54s:0.5",
    ip="KK,QJs,T9s,76s,65s:0.25",
    pot=40,
    stack=400,
    bets="50%, 100%",
    raises="60%, a",
    rake=0.05,
    rake_cap=4,
)
TURN = RIVER.replace(board="QsJh2h7c", oop="AA,J9s,54s:0.5", ip="KK,76s,65s:0.25", stack=150)
FLOP = Spot(board="Ts5s2s", oop="AA,QQ", ip="KK", pot=60, stack=200, bets="100%", raises="a")
SPOTS = [RIVER, TURN, slow(FLOP)]


def values(spot: Spot, *, shifted: bool, iterations: int) -> list[FloatArray]:
    """Both players' values of averages and of best responses, after so many iterations."""
    solver = SpotSolver(spot, storage="float64")
    traversal = solver.engine.traversal
    if not shifted:
        game = traversal._layout.game
        plain = betting_program(game.tree, game.streets, np.float64, compact=True)
        traversal.__dict__.pop("_scratch", None)
        traversal.__dict__["_compact"] = plain
    solver.run(iterations)
    return [*traversal.values_of_both(VALUE), *traversal.values_of_both(BEST)]


@pytest.mark.parametrize("spot", SPOTS, ids=["river", "turn", "flop"])
def test_values_are_those_without_baselines(spot: Spot) -> None:
    ours, plain = (values(spot, shifted=shifted, iterations=3) for shifted in (True, False))
    for mine, theirs in zip(ours, plain, strict=True):
        assert mine == pytest.approx(theirs, abs=1e-9 * np.abs(theirs).max())


@pytest.mark.parametrize("spot", SPOTS, ids=["river", "turn", "flop"])
def test_folds_of_the_other_need_no_lane_on_the_last_street(spot: Spot) -> None:
    game = holdem_game(spot)
    program = betting_program(
        game.tree, game.streets, np.float64, compact=True, shifted=True
    ).program
    last = game.streets - 1
    kinds = program.kind[program.nodes[last] : program.nodes[last + 1]]
    assert program.folds[:, last].tolist() == [0, 0]
    # An own fold shares the lane of the call.
    with_others_folds = np.count_nonzero(kinds != ACTION) - program.pairs[:, last]
    assert (program.showdowns[:, last] < with_others_folds).all()
