"""Regret matching on matrix games: the textbook steps, and what the theory says of any run."""

from __future__ import annotations

from math import sqrt
from typing import Any, cast

import numpy as np
import pytest

from equilibrist.errors import ConfigError, UnknownNameError, UnsupportedError
from equilibrist.game import Game
from equilibrist.games import load_game
from equilibrist.reference.cfr import ReferenceCFR
from equilibrist.solvers.matrix.matching_result import MatchingResult
from equilibrist.solvers.matrix.normal_form import read_normal_form
from equilibrist.solvers.matrix.regret_matching import (
    ALGORITHMS,
    RegretMatching,
    _draw,
    regret_matching_step,
)
from equilibrist.solvers.variants.registry import get_variant
from tests.refusals import refuses, unchecked

GAMES = (
    "rock_paper_scissors",
    "biased_rock_paper_scissors",
    "matching_pennies",
    "battle_of_the_sexes",
    "shapley",
    "matrix(payoffs=[[[[1,0],[0,2]],[[0,1],[1,0]]],[[[0,3],[1,0]],[[2,0],[0,1]]],[[[1,1],[0,0]],[[0,0],[1,4]]]])",
)


def test_textbook_step_rock_against_paper() -> None:
    step = regret_matching_step(load_game("rps"), ["rock", "paper"])
    assert step.payoffs == (-1.0, 1.0)
    assert step.instant_regrets[0] == {"rock": 0.0, "scissors": 2.0, "paper": 1.0}
    assert step.next_strategy[0] == {"rock": 0.0, "scissors": 2 / 3, "paper": 1 / 3}
    assert step.instant_regrets[1] == {"rock": -1.0, "scissors": -2.0, "paper": 0.0}
    text = str(step)
    assert "player 0 played rock for -1" in text
    assert "scissors 0.6667" in text


def test_textbook_step_paper_against_scissors() -> None:
    step = regret_matching_step(load_game("rps"), ["paper", "scissors"])
    assert step.instant_regrets[0] == {"rock": 2.0, "scissors": 1.0, "paper": 0.0}
    assert step.next_strategy[0] == {"rock": 2 / 3, "scissors": 1 / 3, "paper": 0.0}


def test_a_step_continues_from_given_regrets() -> None:
    game = load_game("rps")
    first = regret_matching_step(game, ["rock", "paper"])
    rows = [list(r.values()) for r in first.cumulative_regrets]
    second = regret_matching_step(game, ["paper", "scissors"], rows, iteration=2)
    assert second.cumulative_regrets[0] == {"rock": 2.0, "scissors": 3.0, "paper": 1.0}
    assert second.strategy[0] == first.next_strategy[0]
    plus = regret_matching_step(game, ["rock", "paper"], algorithm=ALGORITHMS[1])
    assert plus.cumulative_regrets[1] == {"rock": 0.0, "scissors": 0.0, "paper": 0.0}


def matched(
    game: Any, iterations: int, algorithm: str = "regret-matching", **options: Any
) -> MatchingResult:
    """The result of a run."""
    return RegretMatching(game, algorithm, **options).run(iterations).result()


def test_bad_steps() -> None:
    game = load_game("rps")
    with refuses(
        UnknownNameError, option="action of player 1", name="papr", suggestions=("paper",)
    ):
        regret_matching_step(game, ["rock", "papr"])
    with refuses(ConfigError, option="actions", given=1, expected=2):
        regret_matching_step(game, ["rock"])
    with refuses(ConfigError, option="iteration", given=0):
        RegretMatching(game).run(0).result()
    with refuses(ConfigError, option="seed", given=-1):
        RegretMatching(game, seed=-1)


@pytest.mark.parametrize("spec", ["kuhn", "liars_dice(sides=2)", "goofspiel(cards=2)"])
def test_only_matrix_games(spec: str) -> None:
    with refuses(UnsupportedError, option="game", given=spec):
        RegretMatching(load_game(spec))


@pytest.mark.parametrize("spec", GAMES)
def test_normal_form_has_the_games_payoffs(spec: str) -> None:
    game = load_game(spec)
    form = read_normal_form(game)
    assert form.payoffs.shape == (*map(len, form.actions), form.num_players)
    for cell in np.ndindex(form.payoffs.shape[:-1]):
        state = game.initial_state()
        for k in cell:
            state = game.next(state, k)
        assert tuple(form.payoffs[cell]) == tuple(game.payoffs(state))


def gap_of_joint_play(result: MatchingResult, spec: str) -> float:
    """The most that a player gains by one fixed action against the joint play, from scratch."""
    form = read_normal_form(load_game(spec))
    best = 0.0
    for i, names in enumerate(form.actions):
        others = result.joint_play.sum(axis=i)
        now = float((result.joint_play * form.payoffs[..., i]).sum())
        for a in range(len(names)):
            fixed = np.take(form.payoffs[..., i], a, axis=i)
            best = max(best, float((others * fixed).sum()) - now)
    return best


@pytest.mark.parametrize("algorithm", ALGORITHMS)
@pytest.mark.parametrize("sampled", [False, True])
@pytest.mark.parametrize("spec", GAMES)
def test_regret_is_the_gap_of_the_joint_play(spec: str, sampled: bool, algorithm: str) -> None:
    result = matched(load_game(spec), 400, algorithm, sampled=sampled, seed=3)
    assert result.joint_play.sum() == pytest.approx(1.0)
    assert result.cce_gap == pytest.approx(gap_of_joint_play(result, spec), abs=1e-12)
    for strategy in (*result.average_strategy, *result.current_strategy):
        assert sum(strategy.values()) == pytest.approx(1.0)
        assert min(strategy.values()) >= 0.0


@pytest.mark.parametrize("algorithm", ALGORITHMS)
@pytest.mark.parametrize("spec", GAMES)
def test_the_bound_holds_at_every_length(spec: str, algorithm: str) -> None:
    """R^T <= Delta sqrt(A T), for expected-value play without exception."""
    form = read_normal_form(load_game(spec))
    for iterations in (1, 2, 3, 10, 100, 1000):
        result = matched(form, iterations, algorithm, sampled=False)
        pairs = zip(result.average_regrets, result.bound_average_regret, strict=True)
        for i, (regrets, bound) in enumerate(pairs):
            width = form.payoffs[..., i].max() - form.payoffs[..., i].min()
            assert bound == pytest.approx(width * sqrt(len(regrets) / iterations))
            assert max(regrets.values()) <= bound


def test_sampled_play_converges_on_average_over_seeds() -> None:
    runs = [matched(load_game("rps"), 500, seed=s, trace=0) for s in range(20)]
    assert np.mean([r.cce_gap for r in runs]) <= runs[0].bound_average_regret[0]
    mean = np.mean([list(r.average_strategy[0].values()) for r in runs], axis=0)
    np.testing.assert_allclose(mean, 1 / 3, atol=0.05)


@pytest.mark.slow
def test_biased_rps_reaches_its_equilibrium() -> None:
    result = matched(
        load_game("biased_rock_paper_scissors"),
        20_000,
        ALGORITHMS[1],
        sampled=False,
        trace=0,
    )
    strategy = result.average_strategy[0]
    assert strategy == pytest.approx({"rock": 1 / 16, "paper": 5 / 8, "scissors": 5 / 16}, abs=0.01)


def test_the_seed_decides() -> None:
    game = load_game("shapley")
    same = [matched(game, 50, seed=7) for _ in range(2)]
    assert same[0].trace == same[1].trace
    assert same[0].seed == 7
    sequence = matched(game, 50, seed=np.random.SeedSequence(7))
    assert sequence.trace == same[0].trace
    assert matched(game, 50, seed=8).trace != same[0].trace


def test_the_trace_adds_up() -> None:
    result = matched(load_game("battle_of_the_sexes"), 40, seed=1, trace=25)
    assert [s.iteration for s in result.trace] == list(range(1, 26))
    for before, after in zip(result.trace, result.trace[1:], strict=False):
        assert after.strategy == before.next_strategy
        for i in range(2):
            for name, total in after.cumulative_regrets[i].items():
                assert total == pytest.approx(
                    before.cumulative_regrets[i][name] + after.instant_regrets[i][name]
                )
            assert after.actions is not None
            assert after.strategy[i][after.actions[i]] > 0.0


@pytest.mark.parametrize("algorithm", ALGORITHMS)
@pytest.mark.parametrize("spec", GAMES)
def test_expected_play_is_simultaneous_cfr(spec: str, algorithm: str) -> None:
    """A matrix game is one decision each: CFR there is regret matching, by other code.

    Few iterations: near an unstable equilibrium rounding grows tenfold every five.
    """
    result = matched(load_game(spec), 15, algorithm, sampled=False, trace=0)
    variant = get_variant("cfr+(gamma=0)" if algorithm == ALGORITHMS[1] else "cfr")
    solver = ReferenceCFR(load_game(spec), variant, alternating=False)
    solver.run(15)
    average = solver.average_strategy()
    for key, infoset in solver.game.infosets.items():
        mine = result.average_strategy[infoset.player]
        assert list(mine.values()) == pytest.approx(average[key], abs=1e-9)


class AbsentMinded:
    """One player decides twice without remembering the first time: one infoset, two moves."""

    name = "absent_minded"
    num_players = 1

    def initial_state(self):
        return ""

    def player(self, state):
        return -2 if len(state) == 2 else 0

    def actions(self, state):
        return ("go", "stay")

    def next(self, state, k):
        return state + "gs"[k]

    def payoffs(self, state):
        return (float(state == "gs"),)

    def infoset(self, state):
        return "lost"


def test_a_player_who_moves_twice_is_no_matrix_player() -> None:
    with refuses(UnsupportedError, option="game", given="absent_minded"):
        read_normal_form(cast(Game[Any], AbsentMinded()))


@pytest.mark.parametrize(
    ("number", "sigma", "action"),
    [
        (0.0, [0.0, 1.0], 1),
        (0.5, [0.5, 0.5], 1),
        (0.49, [0.5, 0.5], 0),
        (1 - 2**-53, [0.3, 0.7, 0.0], 1),
    ],
)
def test_an_action_of_probability_zero_is_never_drawn(number, sigma, action) -> None:
    class Stream:
        def random(self) -> float:
            return number

    assert _draw(unchecked(Stream()), np.array(sigma)) == action
