"""The textbooks' scheme: its expectation, its floor, its value, and how the floor is lost."""

from __future__ import annotations

import numpy as np
import pytest

from equilibrist.errors import ConfigError
from equilibrist.evaluation import evaluate
from equilibrist.games import load_game
from equilibrist.reference.averaging import full_average
from equilibrist.reference.regret_matching import regret_matching
from equilibrist.reference.sampling import textbook_outcome
from equilibrist.reference.sampling.outcome import exploring
from equilibrist.solvers.mccfr import MCCFR
from equilibrist.solvers.textbook import Textbook
from tests.solvers.exact_expectation import (
    SPECS,
    counterfactual_regrets,
    expected_addition,
    profile_with_zeros,
    walk_of,
)
from tests.solvers.stream_draws import StreamDraws, key_of

TREMBLING_VALUE = -0.04713


@pytest.mark.parametrize("spec", SPECS)
def test_expected_regrets_are_those_of_the_soft_profile(spec: str) -> None:
    game = walk_of(spec)
    profile = profile_with_zeros(game, 1)
    soft = {key: exploring(row, 0.06) for key, row in profile.items()}
    regret, _, total = expected_addition(lambda draws: textbook_outcome(game.root, profile, draws))
    assert total == pytest.approx(1.0, abs=1e-12)
    for player in range(game.num_players):
        for key, row in counterfactual_regrets(game, player, soft).items():
            assert regret[key] == pytest.approx(row, abs=1e-12)


@pytest.mark.parametrize("spec", SPECS)
def test_the_proper_average_is_own_reach_times_strategy(spec: str) -> None:
    game = walk_of(spec)
    profile = profile_with_zeros(game, 1)
    _, sums, _ = expected_addition(
        lambda draws: textbook_outcome(game.root, profile, draws, proper=True)
    )
    for key, row in full_average(game, profile).strategy_sum.items():
        scale = sum(sums[key]) / sum(row) if sum(row) > 0.0 else 0.0
        assert sums[key] == pytest.approx([scale * p for p in row], abs=1e-12)
        assert (scale > 0.0) == (sum(row) > 0.0)
    if spec == "kuhn":  # two of six deals belong to an infoset
        wanted = full_average(game, profile).strategy_sum
        constants = [sum(sums[key]) / sum(row) for key, row in wanted.items() if sum(row)]
        assert constants == pytest.approx([1 / 3] * len(constants), abs=1e-12)


@pytest.mark.parametrize("proper", [False, True])
@pytest.mark.parametrize("spec", [*SPECS, "leduc"])
def test_the_kernel_adds_what_the_loop_adds(spec: str, proper: bool) -> None:
    game = walk_of(spec)
    regret = {key: [0.0] * len(infoset.actions) for key, infoset in game.infosets.items()}
    sums = {key: [0.0] * len(infoset.actions) for key, infoset in game.infosets.items()}
    for t in range(1, 31):
        profile = {key: regret_matching(row) for key, row in regret.items()}
        draws = StreamDraws(key_of(4), t)
        added = textbook_outcome(game.root, profile, draws, epsilon=0.2, proper=proper)
        for into, table in ((regret, added.regret), (sums, added.strategy_sum)):
            for key, row in table.items():
                into[key] = [x + y for x, y in zip(into[key], row, strict=True)]
    averaging = "proper" if proper else "soft"
    solver = MCCFR(load_game(spec), Textbook(epsilon=0.2), averaging=averaging, seed=4).run(30)
    state = solver.state
    for i, key in enumerate(solver.tree.infoset_keys):
        actions = solver.tree.actions_of(i)
        assert state.regret[actions].tolist() == pytest.approx(regret[key], abs=1e-9)
        assert state.strategy_sum[actions].tolist() == pytest.approx(sums[key], abs=1e-9)


def test_the_floor_is_half_of_epsilon_and_hands_tremble() -> None:
    solver = MCCFR(load_game("kuhn"), Textbook(), seed=0).run(100_000)
    early = evaluate(solver.average_strategy())
    assert early.exploitability is not None
    assert 0.012 < early.exploitability < 0.025  # the text's table: 0.01866
    average = solver.run(3_900_000).average_strategy()
    floor = [average["3b"]["pass"], average["3p"]["pass"], average["1b"]["bet"]]
    assert floor == pytest.approx([0.03] * 3, abs=2e-4)
    assert average.probabilities.min() > 0.03 - 1e-12
    assert evaluate(average).values[0] == pytest.approx(TREMBLING_VALUE, abs=4e-4)


def test_the_same_trajectories_lose_the_floor_with_a_proper_average() -> None:
    soft, proper = (
        MCCFR(load_game("kuhn"), Textbook(), averaging=averaging, seed=0).run(1_000_000)
        for averaging in ("soft", "proper")
    )
    assert soft.state.regret.tobytes() == proper.state.regret.tobytes()
    assert proper.average_strategy().probabilities.min() < 1e-4
    with_floor, without = (evaluate(s.average_strategy()).nash_conv for s in (soft, proper))
    assert without < with_floor
    assert np.all(soft.average_strategy().probabilities >= 0.03 - 1e-12)


def test_bad_epsilon() -> None:
    with pytest.raises(ConfigError, match="never tried"):
        Textbook(epsilon=0.0)
