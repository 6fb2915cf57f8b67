"""The textbooks' scheme: its expectation, its floor, its value, and how the floor is lost."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any

import numpy as np
import pytest

from equilibrist.contrib.samplers import Textbook
from equilibrist.errors import ConfigError
from equilibrist.evaluation import evaluate
from equilibrist.game import CHANCE, Game
from equilibrist.games import load_game
from equilibrist.reference.averaging import full_average
from equilibrist.reference.matching import regret_matching
from equilibrist.reference.sampling import textbook_outcome
from equilibrist.reference.sampling.outcome import exploring
from equilibrist.solvers.sampling.mccfr import MCCFR
from equilibrist.solving import solve
from tests.refusals import refuses
from tests.solvers.sampling.exact_expectation import (
    SPECS,
    counterfactual_regrets,
    expected_addition,
    profile_with_zeros,
    walk_of,
)
from tests.solvers.sampling.stream_draws import StreamDraws, key_of

TREMBLING_VALUE = -0.04713


class Trembling:
    """A game in which whatever a player means to do, any action happens with probability epsilon.

    A state is the game's, the action meant (-1: none yet) and all actions meant so far, which
    their players remember: they forget nothing, and nothing depends on it.
    """

    name = "trembling"
    num_players = 2

    def __init__(self, game: Game[Any], epsilon: float) -> None:
        self.game, self.epsilon = game, epsilon

    def initial_state(self) -> Hashable:
        return self.game.initial_state(), -1, ()

    def player(self, state: Any) -> int:
        return CHANCE if state[1] >= 0 else self.game.player(state[0])

    def actions(self, state: Any) -> Sequence[str]:
        return self.game.actions(state[0])

    def chance(self, state: Any) -> Sequence[float]:
        inner, meant, _ = state
        if meant < 0:
            return self.game.chance(inner)
        count = len(self.game.actions(inner))
        return exploring([float(k == meant) for k in range(count)], self.epsilon)

    def next(self, state: Any, action_index: int) -> Hashable:
        inner, meant, so_far = state
        player = self.game.player(inner)
        if meant < 0 and player != CHANCE:
            return inner, action_index, (*so_far, (player, action_index))
        return self.game.next(inner, action_index), -1, so_far

    def payoffs(self, state: Any) -> Sequence[float]:
        return self.game.payoffs(state[0])

    def infoset(self, state: Any) -> str:
        inner, _, so_far = state
        meant = [str(k) for player, k in so_far if player == self.game.player(inner)]
        return f"{self.game.infoset(inner)} {''.join(meant)}"


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
    solver = MCCFR(load_game(spec), sampler=Textbook(epsilon=0.2), averaging=averaging, seed=4)
    state = solver.run(30).state
    for i, key in enumerate(solver.tree.infoset_keys):
        actions = solver.tree.actions_of(i)
        assert state.regret[actions].tolist() == pytest.approx(regret[key], abs=1e-9)
        assert state.strategy_sum[actions].tolist() == pytest.approx(sums[key], abs=1e-9)


def test_the_value_is_that_of_the_game_of_trembling_hands() -> None:
    game = load_game("kuhn")
    values = solve(Trembling(game, 0.06), "lp").values
    assert values[0] == pytest.approx(TREMBLING_VALUE, abs=5e-6)
    assert solve(Trembling(game, 1e-9), "lp").values[0] == pytest.approx(-1 / 18, abs=1e-7)


def test_the_floor_is_half_of_epsilon_and_hands_tremble() -> None:
    solver = MCCFR(load_game("kuhn"), sampler=Textbook(), seed=0).run(100_000)
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
        MCCFR(load_game("kuhn"), sampler=Textbook(), averaging=averaging, seed=0).run(1_000_000)
        for averaging in ("soft", "proper")
    )
    assert soft.state.regret.tobytes() == proper.state.regret.tobytes()
    assert proper.average_strategy().probabilities.min() < 1e-4
    with_floor, without = (evaluate(s.average_strategy()).nash_conv for s in (soft, proper))
    assert without < with_floor
    assert np.all(soft.average_strategy().probabilities >= 0.03 - 1e-12)


def test_bad_epsilon() -> None:
    with refuses(ConfigError, option="epsilon", given=0.0):
        Textbook(epsilon=0.0)
