"""No measure of a spot hides a number that is not finite, and no tiny sum becomes one."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from equilibrist.errors import ConfigError
from equilibrist.kernels.poker.postflop_arrays import ACTION
from equilibrist.poker import Spot
from equilibrist.poker.postflop.engine.engine import Engine
from equilibrist.poker.postflop.engine.holdem_game import holdem_game
from equilibrist.poker.postflop.solving.solver import SpotSolver
from equilibrist.poker.postflop.spot.fields import Storage

RIVER = Spot(
    board="7c6d2s2hTc", oop="66+,ATs+,KQo,87s,65s", ip="99-33,AJs-A8s,KTs+,86s+,54s", pot=200,
    stack=900, bets="60%, e, a", raises="2.5x",
)  # fmt: skip
TURN = Spot(board="Ts3s2h5h", oop="AA,QQ,98s", ip="KK,JJ", pot=60, stack=60, bets="50%, a")


def made(spot: Spot, storage: Storage = "float32", **given: Any) -> SpotSolver:
    return SpotSolver(spot, storage=storage, threads=1, **given)


@pytest.mark.parametrize("gamma", [15, 30, 50])
@pytest.mark.parametrize("reach_weighted", [False, True])
def test_sums_that_fade_are_measured_as_in_float64(gamma: int, *, reach_weighted: bool) -> None:
    """One over a sum below 2.9e-39 is infinite in float32."""
    single = made(RIVER, algorithm=f"dcfr(gamma={gamma})", reach_weighted=reach_weighted)
    double = Engine(holdem_game(RIVER), "float64")
    smallest = np.inf
    for _ in range(6):
        single.run(20)
        sums = single.engine.arena.store.total
        smallest = min(smallest, sums[sums > 0].min())
        double.arena.store.total[:] = sums
        assert single.mean_gain() == pytest.approx(double.mean_gain(), rel=1e-3)
        assert single.mean_gain() > 0
    assert smallest < 2.9e-39 or gamma < 30 or not reach_weighted


@pytest.mark.parametrize("storage", ["float32", "float64", "int16"])
def test_bad_regrets_reach_the_measure(storage: Storage) -> None:
    solver = made(TURN, storage).run(10)
    store = solver.engine.arena.store
    (store.regret if storage != "int16" else store.regret_scale)[5] = np.nan
    with pytest.raises(ConfigError) as error:
        solver.run(2).mean_gain()
    assert error.value.place == "t = 12"


SPOTS = {
    "plain": (TURN, {}),
    "raked": (TURN.replace(rake=0.05), {}),
    "locked": (TURN.replace(locks=["X: X 0.5"]), {}),
    "locks broken": (TURN.replace(locks=["X: X 0.5"]), {"unlocked": True}),
    "frequency": (TURN.replace(locks=["X: frequency = X 50%"]), {}),
    "river": (RIVER, {}),
}


def places_of_hands(engine: Engine) -> list[int]:
    """Where the numbers of the last hand of each decision are; after it rows are filled up."""
    boards, program = engine.layout.table.boards, engine.layout.betting.program
    return [
        int(boards.arena[player, board])
        + int(program.row[place]) * int(boards.width[player, board])
        + int(boards.live[player, board])
        - 1
        for board, street in enumerate(boards.street.tolist())
        for place in range(program.nodes[street], program.nodes[street + 1])
        if program.kind[place] == ACTION
        for player in [int(program.player[place])]
    ]


@pytest.mark.parametrize("name", SPOTS)
@pytest.mark.parametrize("storage", ["float32", "int16"])
def test_bad_sums_reach_the_measure(name: str, storage: Storage) -> None:
    """Wherever one is: of either player, at the root and on the last street."""
    spot, given = SPOTS[name]
    solver = made(spot, storage).run(10)
    store = solver.engine.arena.store
    sums, played = store.total_scale, np.flatnonzero(store.total_scale).tolist()
    if storage != "int16":
        sums, played = store.total, places_of_hands(solver.engine)
    for place in played[:: max(1, len(played) // 7)]:
        kept = sums[place]
        sums[place] = np.nan
        with pytest.raises(ConfigError):
            solver.mean_gain(**given)
        sums[place] = kept
    assert solver.mean_gain(**given) >= 0


def test_what_is_shown_is_what_is_measured() -> None:
    """A hand whose sums have faded is uniform in the tables, too."""
    solver = made(RIVER).run(10)
    layout = solver.engine.layout
    boards, program = layout.table.boards, layout.betting.program
    place = int(np.flatnonzero(program.player == 0)[0])
    start = int(boards.arena[0, 0]) + int(program.row[place]) * int(boards.width[0, 0])
    actions, width = int(program.count[place]), int(boards.width[0, 0])
    sums = solver.engine.arena.store.total[start : start + actions * width]
    sums.reshape(actions, width)[:, 0] = np.float32(1e-40) * np.arange(1, actions + 1)
    found = solver.engine.arena.strategy(place, 0)[:, 0]
    assert found == pytest.approx(1 / actions)
