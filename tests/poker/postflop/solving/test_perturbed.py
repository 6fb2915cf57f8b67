"""Trembles and logit responses on spots: against the reference, and as options of a run."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from equilibrist import load_result
from equilibrist.errors import CheckpointError, ConfigError, MismatchError, UnsupportedError
from equilibrist.poker import evaluate_spot, resume, solve
from equilibrist.poker.cards.combos import parse_combo
from equilibrist.poker.postflop.solution.stopping import ending_advice
from equilibrist.poker.postflop.solving.checkpoint import SpotCheckpoint
from equilibrist.poker.postflop.solving.perturbed import LogitResponses, iterations_needed
from equilibrist.poker.postflop.solving.solver import SpotSolver
from equilibrist.poker.postflop.spot.spot import Spot
from equilibrist.reference.cfr import Coefficients
from equilibrist.reference.postflop import (
    PublicCFR,
    Strategies,
    expected_values,
    exploitability,
    shared,
    values_at,
    values_of,
)
from equilibrist.reference.public_game import Place, PublicGame
from equilibrist.solvers.variants.registry import VARIANTS
from equilibrist.typing import FloatArray
from tests.poker.postflop.engine.public_games import public_game
from tests.poker.postflop.solution.made_up import result_of
from tests.poker.postflop.solution.solved import strategies_of
from tests.poker.postflop.spot.spots import RIVER
from tests.refusals import refuses

TURN = Spot(
    board="Ts9s2d5h", oop="AsAh,8d7d,64s", ip="KK,QJs:0.25,9c9h:0.75", pot=60, stack=90, bets="a"
)
MANY = RIVER.replace(
    oop="QJs,99", ip="JTs,66", stack=2500, bets="33%, 100%, a", raises="50%, 100%, a"
)
"""More decisions of a player than are taken together."""
EPSILON = 0.01


class TremblingCFR(PublicCFR):
    """Every action is played with at least EPSILON; regrets are those of what is learnt."""

    def _learn(
        self, c: Coefficients, place: Place, values: FloatArray, own: FloatArray
    ) -> FloatArray:
        regret, played = self.regret[place], self.strategy[place]
        free = 1.0 - EPSILON * len(values)
        learnt = (played - EPSILON) / free
        instant = values - (learnt * values).sum(axis=0)
        reach = own if self.weighted else 1.0
        self.strategy_sum[place] = c.decay * self.strategy_sum[place] + c.weight * reach * played
        regret = np.where(regret > 0.0, c.positive, c.negative) * regret
        self.regret[place] = regret = np.maximum(regret + instant, c.floor)
        guess = c.lookahead * regret + c.prediction * instant
        self.strategy[place] = free * shared(guess, self.fixed[place]) + EPSILON
        return np.asarray((played * values).sum(axis=0))


def played_by(solver: SpotSolver, game: PublicGame) -> Strategies:
    return strategies_of(result_of(solver.spot, solver.values), game)


def here(spot: Spot, place: Place) -> np.ndarray[Any, Any]:
    """bool[H]: the hands that can be at a place."""
    game = public_game(spot)
    player = int(game.nodes.player[place[0]])
    return np.asarray(~np.any([game.holds(player, card) for card in place[1]], axis=0))


@pytest.mark.slow
@pytest.mark.parametrize("spot", [RIVER, TURN])
@pytest.mark.parametrize("variant", ["dcfr", "pcfr+"])
def test_trembling_iterations_are_those_of_the_reference(spot: Spot, variant: str) -> None:
    game = public_game(spot)
    reference = TremblingCFR(game, VARIANTS[variant])
    reference.run(12)
    solver = SpotSolver(spot, variant, storage="float64", tremble=EPSILON, threads=1).run(12)
    found, wanted = played_by(solver, game), reference.average()
    for place, rows in wanted.items():
        held = here(spot, place) if place[1] else slice(None)
        assert found[place][:, held] == pytest.approx(rows[:, held], abs=1e-9), place
    chips = exploitability(game, wanted)
    assert solver.mean_gain() == pytest.approx(chips, abs=1e-9)
    assert solver.trembling_gain() == pytest.approx(trembling_gain(game, wanted), abs=1e-9)


def trembling_gain(game: PublicGame, strategies: Strategies) -> float:
    """The mean gain of best responses that play every action with at least EPSILON."""

    def best(place: Place, values: FloatArray, _: FloatArray) -> FloatArray:
        free = 1.0 - EPSILON * len(values)
        return np.asarray(free * values.max(axis=0) + EPSILON * values.sum(axis=0))

    gains = 0.0
    for player in (0, 1):
        gain = values_of(game, player, strategies, best) - expected_values(game, player, strategies)
        gains += float(game.weights[player] @ gain)
    return gains / float(game.weights[0] @ game.meet(0) @ game.weights[1]) / 2.0


@pytest.mark.slow
def test_play_with_trembles_nears_their_equilibrium() -> None:
    solver = SpotSolver(RIVER, storage="float64", tremble=EPSILON).run(3000)
    gain = solver.trembling_gain()
    assert gain is not None
    assert gain < 1e-3
    assert solver.mean_gain() > 0.1
    for place, rows in played_by(solver, public_game(RIVER)).items():
        assert rows.min() > EPSILON - 1e-9, place


@pytest.mark.slow
@pytest.mark.parametrize(
    ("spot", "storage"),
    [(RIVER, "float32"), (RIVER, "float64"), (TURN, "float64"), (MANY, "float64")],
)
def test_play_is_the_logit_response_to_itself(spot: Spot, storage: Any) -> None:
    """EVs are those of the reference; the response is that of the formula."""
    temperature, game = 0.05, public_game(spot)
    nodes: Any = game.nodes
    solver = SpotSolver(spot, storage=storage, quantal=temperature).run(
        4000 if spot is MANY else 900
    )
    strategies = played_by(solver, game)
    for place, rows in strategies.items():
        node, first = place[0], int(game.nodes.first_child[place[0]])
        player = int(game.nodes.player[node])
        after = [
            values_at(game, strategies, (first + action, place[1])).ev[player]
            for action in range(len(rows))
        ]
        pot = spot.pot + float(nodes.paid[node].sum())
        logits = np.array(after) / (temperature * pot)
        logits -= logits.max(axis=0)
        wanted = np.exp(np.maximum(logits, -np.log(1e5)))
        wanted /= wanted.sum(axis=0)
        met = ~np.isnan(wanted).any(axis=0)
        assert rows[:, met] == pytest.approx(wanted[:, met], abs=2e-3), place
    assert solver.mean_gain() == pytest.approx(exploitability(game, strategies), abs=1e-3)


@pytest.mark.slow
def test_cold_play_is_an_equilibrium() -> None:
    plain = solve(RIVER, iterations=2000, storage="float64")
    gains = []
    for temperature in (0.05, 0.01, 0.002):
        cold = solve(RIVER, quantal=temperature, iterations=3000, storage="float64")
        assert cold.temperature == cold.quantal == temperature
        gains.append(cold.mean_gain_percent)
    assert gains[0] > gains[1] > gains[2]
    assert gains[2] < 0.1
    assert cold.ev == pytest.approx(plain.ev, abs=0.15)
    assert cold.mean_gain == pytest.approx(evaluate_spot(cold).mean_gain, rel=1e-6)


@pytest.mark.slow
def test_no_target_ends_a_run_that_is_hot() -> None:
    responses = LogitResponses(temperature=0.02)
    solution = solve(RIVER, quantal=0.02, target="90%", storage="float64")
    assert solution.stopped_by == "target"
    assert solution.iterations >= responses.iterations_to_cool > 100
    hot = solve(RIVER, quantal=0.02, iterations=20, storage="float64")
    assert hot.temperature == responses.temperature_at(20) > 0.1
    assert "temperature" in hot.guarantee
    assert f" {responses.iterations_to_cool} iterations" in ending_advice(hot)
    assert "temperature" not in solution.guarantee
    assert iterations_needed(0.001) > 2 * LogitResponses(temperature=0.001).iterations_to_cool - 1


@pytest.mark.slow
@pytest.mark.parametrize("option", [{"tremble": 0.02}, {"quantal": 0.05}])
def test_locks_are_kept(option: dict[str, Any]) -> None:
    spot = RIVER.replace(locks=["X: 66 = Check 100%; 98s = Bet 50 25%", "B50: Fold 100%"])
    solution = solve(spot, iterations=150, storage="float64", **option)
    after_check, facing = solution.at("X"), solution.at("B50")
    strategy = after_check.values.strategy
    for hand, action, share in (("6h6s", 0, 1.0), ("9h8h", 1, 0.25)):
        if not np.isnan(strategy[0, parse_combo(hand)]):
            assert strategy[action, parse_combo(hand)] == pytest.approx(share, abs=1e-6)
    held = ~np.isnan(facing.values.strategy[0])
    assert facing.values.strategy[0, held] == pytest.approx(1.0)
    if "quantal" in option:  # free actions of a locked hand respond to each other
        combo = parse_combo("9c8c")
        evs, rows = after_check.values.action_ev[[0, 2], combo], strategy[[0, 2], combo]
        logit = min((evs[0] - evs[1]) / 5.0, np.log(1e5))
        assert np.log(rows[0] / rows[1]) == pytest.approx(logit, abs=0.02)


@pytest.mark.slow
@pytest.mark.parametrize("option", [{"tremble": 0.001}, {"quantal": 0.05}])
def test_a_resumed_run_has_the_same_bits(tmp_path: Path, option: dict[str, Any]) -> None:
    whole = solve(RIVER, iterations=33, **option)
    solve(RIVER, iterations=14, checkpoint=tmp_path / "part", **option)
    saved = SpotCheckpoint(tmp_path / "part")
    assert (saved.tremble, saved.quantal) == (option.get("tremble"), option.get("quantal"))
    rest = resume(tmp_path / "part", iterations=33)
    assert rest.mean_gain == whole.mean_gain
    assert rest.at("X").values.strategy.tobytes() == whole.at("X").values.strategy.tobytes()
    again = solve(RIVER, iterations=40, checkpoint=tmp_path / "part", resume=True, **option)
    assert again.iterations == 40
    for name in ("tremble", "quantal"):
        another: dict[str, Any] = {name: 0.003}
        with refuses(CheckpointError, option=name):
            solve(RIVER, iterations=50, checkpoint=tmp_path / "part", resume=True, **another)


@pytest.mark.slow
@pytest.mark.parametrize("option", [{"tremble": 0.001}, {"quantal": 0.05}])
def test_files_and_documents_say_it(tmp_path: Path, option: dict[str, Any]) -> None:
    solution = solve(RIVER, iterations=10, **option)
    loaded: Any = load_result(solution.save(tmp_path / "a.spot"))
    names = ("tremble", "quantal", "temperature", "trembling_gain")
    for name in names:
        assert getattr(loaded, name) == getattr(solution, name)
        assert name in " ".join(solution.facts())
    (name,) = option
    assert solution.facts()[name] == solution.config[name] == option[name]
    plain = solve(RIVER, iterations=2)
    assert [getattr(plain, name) for name in names] == [None] * 4


@pytest.mark.parametrize(
    ("options", "option"),
    [
        ({"tremble": 0.0}, "tremble"),
        ({"tremble": 0.5}, "tremble"),
        ({"tremble": 0.33333333}, "tremble"),
        ({"tremble": 1e-300}, "tremble"),
        ({"quantal": 1e-300}, "quantal"),
        ({"tremble": float("nan")}, "tremble"),
        ({"quantal": 0.0}, "quantal"),
        ({"quantal": 1.5}, "quantal"),
        ({"quantal": 0.01, "tremble": 0.01}, "tremble"),
        ({"quantal": 0.01, "algorithm": "pcfr+"}, "algorithm"),
        ({"quantal": 0.01, "storage": "int16"}, "storage"),
        ({"tremble": 0.01, "storage": "int16"}, "storage"),
    ],
)
def test_what_is_refused(options: dict[str, Any], option: str) -> None:
    with refuses(ConfigError, option=option):
        solve(RIVER, iterations=1, **options)


@pytest.mark.parametrize(
    "keys", [{"folded": ["AA"]}, {"locks": ["X: frequency = Check 40%"]}], ids=["folded", "locks"]
)
def test_spots_without_logit_responses(keys: dict[str, Any]) -> None:
    with refuses(UnsupportedError, option="quantal"):
        solve(RIVER.replace(**keys), iterations=1, quantal=0.01)


def test_a_state_is_of_its_perturbation() -> None:
    state = SpotSolver(RIVER, storage="float64", tremble=0.01).state
    with refuses(MismatchError, option="perturbation", expected=""):
        SpotSolver(RIVER, storage="float64").restore(state)
