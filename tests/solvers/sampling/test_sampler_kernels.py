"""The kernels of samplers against the plain recursions, on the same random numbers."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest

from equilibrist.contrib.samplers import Escher
from equilibrist.game_loading import compile_game
from equilibrist.games import load_game
from equilibrist.reference.sampling.average_strategy import average_strategy_sampling
from equilibrist.reference.sampling.chance import chance_sampling
from equilibrist.reference.sampling.escher import escher_sampling
from equilibrist.reference.sampling.pure import pure_sampling
from equilibrist.reference.sampling.subsets import probing_sampling, robust_sampling
from equilibrist.solvers.sampling.action_subsets import AverageStrategy, Probing, Robust
from equilibrist.solvers.sampling.chance import Chance
from equilibrist.solvers.sampling.mccfr import MCCFR
from equilibrist.solvers.sampling.pure import Pure
from tests.solvers.sampling.exact_expectation import SPECS
from tests.solvers.sampling.stream_draws import Table, reference_run

HIDDEN = "random_tree(seed=7,depth=7,branching=3,signals=1)"
"""Players see nothing of each other, so that traversals meet infosets several times."""
TRIALS: dict[str, Any] = {"epsilon": 0.1, "tau": 1.5, "beta": 2.0}
PAIRS: dict[str, tuple[Any, Any]] = {
    "chance": (Chance(), chance_sampling),
    "robust": (Robust(), robust_sampling),
    "robust, k=2": (Robust(k=2), partial(robust_sampling, k=2)),
    "probing": (Probing(), probing_sampling),
    "probing, k=2": (Probing(k=2), partial(probing_sampling, k=2)),
    "pure": (Pure(), pure_sampling),
    "escher": (Escher(), escher_sampling),
}


def compare(sampler: Any, spec: str, regret: Table, strategy_sum: Table, iterations: int) -> None:
    tree = compile_game(load_game(spec))
    own = sampler.averagings[0]
    state = MCCFR(tree, sampler=sampler, seed=4, averaging=own).run(iterations).state
    for i, key in enumerate(tree.infoset_keys):
        actions = tree.actions_of(i)
        assert state.regret[actions].tolist() == pytest.approx(regret[key], abs=1e-9)
        assert state.strategy_sum[actions].tolist() == pytest.approx(strategy_sum[key], abs=1e-9)


@pytest.mark.by_default(2)
@pytest.mark.parametrize("spec", [*SPECS, HIDDEN, "leduc"])
@pytest.mark.parametrize("name", PAIRS)
def test_the_kernel_adds_what_the_recursion_adds(name: str, spec: str) -> None:
    sampler, sample = PAIRS[name]
    iterations = 5 if spec == "leduc" and name in ("chance", "escher") else 30
    regret, strategy_sum = reference_run(spec, sample, iterations, seed=4)
    assert any(any(row) for row in strategy_sum.values())
    compare(sampler, spec, regret, strategy_sum, iterations)


@pytest.mark.by_default(2)
@pytest.mark.parametrize("beta", [0.0, 2.0, 1e6])
@pytest.mark.parametrize("spec", [*SPECS, HIDDEN, "leduc"])
def test_average_strategy_sampling_adds_what_its_recursion_adds(spec: str, beta: float) -> None:
    given = {**TRIALS, "beta": beta}
    sums: Table = {}
    sample = partial(average_strategy_sampling, strategy_sum=sums, **given)
    regret, strategy_sum = reference_run(spec, sample, 30, seed=4, strategy_sum=sums)
    compare(AverageStrategy(**given), spec, regret, strategy_sum, 30)
