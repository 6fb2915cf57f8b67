"""Networks of every contender come near an equilibrium of Kuhn poker, from fixed seeds."""

from __future__ import annotations

from typing import Final

import pytest

from equilibrist.evaluation import exploitability
from equilibrist.game_loading import compile_game
from equilibrist.learned.algorithms.registry import get_neural

pytestmark = pytest.mark.nets

_SMALL: Final = "width=32, depth=2, batch=256, value_batch=256, value_steps=100"
_EPISODES: Final = "walks=200, width=32, depth=2, rate=0.003"
REACHED: Final = {
    f"dream(walks=300, steps=200, {_SMALL})": (24, 0.1),
    f"escher-net(walks=500, value_walks=500, steps=200, {_SMALL})": (24, 0.2),
    f"vr-deep-dcfr+(walks=500, steps=100, {_SMALL})": (24, 0.1),
    f"vr-deep-pdcfr+(walks=500, steps=100, {_SMALL})": (24, 0.1),
    "nfsp(walks=1000, value_buffer=5000)": (40, 0.25),
    f"ppo({_EPISODES}, entropy=0.2, horizon=100)": (100, 0.15),
    f"mmd({_EPISODES}, alpha=0.2, horizon=100)": (100, 0.15),
    f"r-nad({_EPISODES}, period=40, follow=0.1)": (200, 0.15),
    f"mmd-q(walks=500, steps=100, {_SMALL})": (40, 0.15),
    f"ppo-q(walks=500, steps=100, {_SMALL})": (40, 0.15),
    f"r-nad-q(walks=500, steps=100, {_SMALL})": (40, 0.15),
}
"""Iterations, and the exploitability that is reached; uniform play has .458."""


@pytest.mark.parametrize("spec", REACHED)
def test_networks_come_near_an_equilibrium_of_kuhn_poker(spec: str) -> None:
    iterations, most = REACHED[spec]
    solver = get_neural(spec).solver(compile_game("kuhn"), seed=1).run(iterations)
    assert exploitability(solver.average_strategy()) < most


@pytest.mark.parametrize("spec", [*REACHED][::3])
def test_a_restored_run_of_networks_continues_with_the_same_bits(spec: str) -> None:
    tree, method = compile_game("kuhn"), get_neural(spec)
    whole = method.solver(tree, seed=2).run(3)
    again = method.solver(tree, seed=2).restore(method.solver(tree, seed=2).run(1).state).run(2)
    assert (whole.state.regret == again.state.regret).all()
    assert {*whole.networks} == {*again.networks}
    for name, network in whole.networks.items():
        assert (network.weights == again.networks[name].weights).all()
