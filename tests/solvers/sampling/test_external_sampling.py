"""External sampling: the kernel against the plain recursion."""

from __future__ import annotations

import pytest

from equilibrist.game_loading import compile_game
from equilibrist.games import load_game
from equilibrist.reference.sampling import external_sampling
from equilibrist.solvers.sampling.mccfr import MCCFR
from tests.solvers.sampling.exact_expectation import SPECS
from tests.solvers.sampling.stream_draws import reference_run


@pytest.mark.parametrize("spec", [*SPECS, "leduc"])
def test_the_kernel_adds_what_the_recursion_adds(spec: str) -> None:
    iterations = 30
    regret, strategy_sum = reference_run(spec, external_sampling, iterations, seed=4)
    tree = compile_game(load_game(spec))
    state = MCCFR(tree, sampler="external", averaging="stochastic", seed=4).run(iterations).state
    for i, key in enumerate(tree.infoset_keys):
        actions = tree.actions_of(i)
        assert state.regret[actions].tolist() == pytest.approx(regret[key], abs=1e-9)
        assert state.strategy_sum[actions].tolist() == pytest.approx(strategy_sum[key], abs=1e-9)
