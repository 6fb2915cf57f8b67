"""The driver of Monte Carlo CFR: cuts, seeds, discounts on a global clock, what is refused."""

from __future__ import annotations

import numpy as np
import pytest

from equilibrist.errors import ConfigError, MismatchError, UnknownNameError
from equilibrist.evaluation import evaluate
from equilibrist.game_loading import compile_game
from equilibrist.games import load_game
from equilibrist.solvers.sampling.mccfr import MCCFR
from tests.refusals import refuses

KUHN = compile_game(load_game("kuhn"))


@pytest.mark.parametrize("variant", ["cfr", "lcfr", "dcfr"])
def test_cuts_change_no_bit(variant: str) -> None:
    whole = MCCFR(KUHN, algorithm=variant, seed=3, period=7).run(100).state
    parts = MCCFR(KUHN, algorithm=variant, seed=3, period=7)
    for count in (1, 6, 13, 0, 50, 30):
        parts.run(count)
    resumed = MCCFR(KUHN, algorithm=variant, seed=3, period=7)
    resumed.restore(MCCFR(KUHN, algorithm=variant, seed=3, period=7).run(44).state).run(56)
    for other in (parts.state, resumed.state):
        assert other.regret.tobytes() == whole.regret.tobytes()
        assert other.strategy_sum.tobytes() == whole.strategy_sum.tobytes()
        assert (other.iteration, other.nodes_touched) == (100, whole.nodes_touched)


def test_another_seed_draws_otherwise() -> None:
    one, other = (MCCFR(KUHN, seed=seed).run(10).state.regret for seed in (0, 1))
    assert one.tobytes() != other.tobytes()


@pytest.mark.parametrize("spec", ["kuhn", "leduc"])
def test_the_average_approaches_equilibrium(spec: str) -> None:
    tree = compile_game(load_game(spec))
    solver = MCCFR(tree, "lcfr", sampler="external", seed=1)
    early = evaluate(solver.run(300).average_strategy()).nash_conv
    late = evaluate(solver.run(29_700).average_strategy()).nash_conv
    assert late < early / 3


def test_discounts_come_at_the_same_time_everywhere() -> None:
    solver = MCCFR(KUHN, algorithm="lcfr", period=5, seed=2).run(5)
    before = solver.state
    plain = MCCFR(KUHN, algorithm="cfr", period=5, seed=2)
    discounted = type(before)(
        before.regret * 0.5, before.strategy_sum * 0.5, 5, before.nodes_touched, 2
    )
    plain.restore(discounted)
    assert solver.run(5).state.regret == pytest.approx(plain.run(5).state.regret, abs=1e-12)


@pytest.mark.parametrize("variant", ["cfr+", "pcfr+", "hs-dcfr"])
def test_what_makes_no_sense_is_refused(variant: str) -> None:
    with refuses(ConfigError, option="algorithm", given=variant):
        MCCFR(KUHN, algorithm=variant)


def test_bad_input() -> None:
    with refuses(UnknownNameError, option="sampler", name="externl"):
        MCCFR(KUHN, sampler="externl")
    with refuses(ConfigError, option="period", given=0):
        MCCFR(KUHN, period=0)
    with refuses(ConfigError, option="iterations", given=-1):
        MCCFR(KUHN).run(-1)
    with pytest.raises(MismatchError):
        MCCFR(KUHN, seed=1).restore(MCCFR(KUHN).state)


def test_a_game_without_decisions() -> None:
    tree = compile_game(load_game("random_tree(depth=0)"))
    assert MCCFR(tree).run(3).nodes_touched == 3 * tree.num_players
    assert np.array_equal(MCCFR(tree).average_strategy().probabilities, np.zeros(0))
