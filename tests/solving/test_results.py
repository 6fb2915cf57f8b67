"""What `solve` gives back: the strategy, the document, the guarantee."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET
from dataclasses import FrozenInstanceError
from pathlib import Path
from typing import Any

import pytest

import equilibrist as eq
from equilibrist.equilibria import quantal_gap, trembling_gap
from equilibrist.evaluation import evaluate
from equilibrist.games import TERMINAL, load_game
from equilibrist.results import Result
from equilibrist.solvers.full_traversal.cfr import CFR
from equilibrist.solvers.matrix.regret_matching import RegretMatching
from equilibrist.solvers.variants.registry import VARIANTS
from equilibrist.solvers.variants.variant import Variant
from equilibrist.solving import solve
from equilibrist.tree.compile import GameTree
from tests.solve_options import grouped
from tests.solving.comparing import same


def test_it_is_what_the_solver_gives(kuhn: GameTree) -> None:
    result = solve("kuhn", "pcfr+", iterations=70)
    solver = CFR(kuhn, "pcfr+").run(70)
    expected = solver.average_strategy()
    assert result.strategy.probabilities.tobytes() == expected.probabilities.tobytes()
    assert result.evaluation == evaluate(expected)
    assert (result.iterations, result.stopped_by) == (70, "iterations")
    assert (result.game, result.algorithm) == ("kuhn", "pcfr+")
    assert [p.iteration for p in result.trace] == [1, 4, 9, 16, 25, 36, 49, 64, 70]


def test_every_point_of_the_trace_is_true(kuhn: GameTree) -> None:
    for point in solve(kuhn, iterations=50).trace:
        found = evaluate(CFR(kuhn).run(point.iteration).average_strategy())
        assert (point.nash_conv, point.exploitability) == (found.nash_conv, found.exploitability)
        assert point.values == found.values


def test_the_last_strategy_is_measured_as_such(kuhn: GameTree) -> None:
    result = solve(kuhn, "cfr", iterations=50, output="last")
    expected = CFR(kuhn, "cfr").run(50).current_strategy()
    assert result.strategy.probabilities.tobytes() == expected.probabilities.tobytes()
    assert result.evaluation == evaluate(expected)
    assert result.trace[-1].nash_conv == result.nash_conv
    assert "is the last one played" in result.guarantee


def test_updates_may_be_simultaneous(kuhn: GameTree) -> None:
    result = solve(kuhn, traversal=eq.Traversal(alternating=False), iterations=30)
    expected = CFR(kuhn, alternating=False).run(30).average_strategy()
    assert result.strategy.probabilities.tobytes() == expected.probabilities.tobytes()
    assert not same(result, solve(kuhn, iterations=30))


@pytest.mark.parametrize("name", VARIANTS)
def test_every_algorithm_solves_kuhn(kuhn: GameTree, name: str) -> None:
    result = solve(kuhn, name, iterations=300)
    assert result.exploitability is not None
    assert 0.0 <= result.exploitability < 0.02
    assert result.values[0] == pytest.approx(-1 / 18, abs=0.02)


def test_seconds_grow_along_the_trace(kuhn: GameTree) -> None:
    result = solve(kuhn, iterations=200)
    times = [0.0, *(p.seconds for p in result.trace), result.seconds]
    assert times == sorted(times)
    assert times[1] > 0.0


def test_the_document_is_what_the_manual_says() -> None:
    result = solve("kuhn", iterations=100)
    document = json.loads(json.dumps(result.to_dict(), allow_nan=False))
    assert document["game"] == "kuhn"
    assert document["algorithm"] == "dcfr"
    assert document["iterations"] == 100
    assert document["seconds"] == result.seconds > 0.0
    assert document["values"] == list(result.values)
    assert document["gains"] == list(result.gains)
    assert document["nash_conv"] == pytest.approx(sum(document["gains"]), abs=1e-15)
    assert document["exploitability"] == document["nash_conv"] / 2
    assert document["measure_name"] == "exploitability"
    sizes = [document[k] for k in ("num_players", "num_infosets", "num_sequences")]
    assert sizes == [2, 12, 26]
    assert document["num_nodes"] == result.num_nodes == result.strategy.tree.num_nodes
    assert document["strategy"] == result.strategy.to_dict()
    assert document["solution_file"] is None
    assert document["stopped_by"] == "iterations"
    assert document["versions"].keys() >= {"equilibrist", "python", "numpy", "numba"}
    assert document["config"]["iterations"] == 100
    assert document["trace"][0]["iteration"] == 1
    assert document["family"]["parameters"].keys() == {"alpha"}


def test_three_players_have_no_exploitability() -> None:
    result = solve("kuhn(players=3)", iterations=60)
    document = result.to_dict()
    assert document["exploitability"] is None
    assert document["measure_name"] == "NashConv"
    assert len(document["values"]) == 3
    assert "3 players" in result.guarantee
    assert "coarse correlated equilibrium" in result.guarantee
    assert "Nash equilibrium is not guaranteed" in result.guarantee
    assert result.family is None or result.family["name"] == "three-player Kuhn poker"


def test_general_sums_have_no_exploitability() -> None:
    result = solve("battle_of_the_sexes", iterations=60)
    assert result.exploitability is None
    assert "do not add up to a constant" in result.guarantee


def test_the_guarantee_states_true_bounds(kuhn: GameTree) -> None:
    result = solve(kuhn, iterations=60)
    worst = [-result.evaluation.best_response_values[1], -result.evaluation.best_response_values[0]]
    assert f"player 0 gets at least {worst[0]:.6g};" in result.guarantee
    assert f"player 1 gets at least {worst[1]:.6g}." in result.guarantee


APPROACH = "Theory: the average strategies approach a Nash equilibrium."


@pytest.mark.parametrize("name", [*VARIANTS, "dcfr(gamma=3)", "cfr+(gamma=2)"])
def test_convergence_is_claimed_only_where_it_is_proven(kuhn: GameTree, name: str) -> None:
    proven = {"cfr", "cfr+", "lcfr", "dcfr", "dcfr+", "pcfr+", "pdcfr+"}
    assert (APPROACH in solve(kuhn, name, iterations=4).guarantee) == (name in proven)
    last = solve(kuhn, name, iterations=4, output="last").guarantee
    assert "Theory" not in last
    assert "which has no convergence guarantee" in last


def test_a_name_does_not_imply_a_guarantee(kuhn: GameTree) -> None:
    mine = Variant("dcfr", floor=0.0)
    assert "Theory" not in solve(kuhn, mine, iterations=4).guarantee
    general = solve("battle_of_the_sexes", mine, iterations=4).guarantee
    assert "coarse correlated" not in general
    assert "convergence to a Nash equilibrium is not guaranteed" in general


def test_what_approaches_a_coarse_correlated_equilibrium() -> None:
    game = "kuhn(players=3)"
    in_turn = solve(game, "cfr", iterations=4).guarantee
    assert "With simultaneous updates (not as here)" in in_turn
    assert "no such theorem holds for alternating updates" in in_turn
    at_once = solve(game, "cfr", iterations=4, traversal=eq.Traversal(alternating=False)).guarantee
    assert "With simultaneous updates (as here)" in at_once
    for guarantee in (in_turn, at_once):
        assert "With 3 players, convergence to a Nash equilibrium is not guaranteed." in guarantee
        assert "NashConv, the sum of each player's gain from deviating alone, is " in guarantee


@pytest.mark.parametrize("algorithm", ["cfr", "hedge", "efr"])
@pytest.mark.parametrize("measure", ["efce", "efcce", "cce"])
def test_a_measured_history_hides_no_theorem(kuhn: GameTree, measure: Any, algorithm: str) -> None:
    """Two players and a constant sum: Nash equilibrium is within reach, whatever is measured."""
    said = solve(kuhn, algorithm, iterations=20, measure=measure).guarantee
    assert "not guaranteed" not in said
    assert " an normal" not in said
    assert "Measured by exact best responses in the full game: whatever player 1 does" in said
    assert "add up to" in said
    assert (APPROACH in said) == (algorithm != "hedge")
    general = solve("chicken", algorithm, iterations=20, measure=measure).guarantee
    assert "do not add up to a constant" in general
    assert APPROACH not in general


@pytest.mark.parametrize(
    ("options", "kind", "parameter"),
    [
        (dict(algorithm="qre(alpha=0.1)"), "quantal", 0.1),
        (dict(algorithm="qre(alpha=0.1)", measure="efce"), "quantal", 0.1),
        (dict(tremble=0.01), "trembling", 0.01),
    ],
)
def test_a_perturbed_game_is_named_with_the_gap_in_it(
    kuhn: GameTree, tmp_path: Path, options: dict[str, Any], kind: str, parameter: float
) -> None:
    """After one iteration nothing is an equilibrium of it, and the document says how far it is."""
    result = solve(kuhn, iterations=1, **grouped(options))
    strategy = result.strategy
    gap = (quantal_gap if kind == "quantal" else trembling_gap)(strategy, parameter)
    assert gap > 0.2
    document = result.to_dict()["perturbed"]
    assert document == {"kind": kind, "parameter": parameter, "gap": gap}
    assert f"gains is {gap:.3g}, measured exactly" in result.guarantee
    assert "but a quantal" not in result.guarantee
    result.save(tmp_path / "solved.safetensors")
    assert Result.load(tmp_path / "solved.safetensors").details == result.details
    assert "perturbed" not in solve(kuhn, iterations=1).to_dict()


@pytest.mark.parametrize("game", ["biased_rps", "shapley"])
def test_regret_matching_measures_its_joint_play(game: str) -> None:
    result = solve(game, "regret-matching", iterations=50)
    gap = RegretMatching(load_game(game)).run(50).result().cce_gap
    assert f"coarse correlated equilibrium up to {gap:.3g}," in result.guarantee
    assert (APPROACH in result.guarantee) == (game == "biased_rps")


def test_constant_sums_other_than_zero_are_counted_in() -> None:
    """Payoffs that add up to 10: what one player cannot take stays with the other."""
    tables = "matrix(payoffs=[[[10,2],[4,6]],[[0,8],[6,4]]])"
    result = solve(tables, "lp")
    assert result.exploitability == pytest.approx(0.0, abs=1e-9)
    assert f"player 0 gets at least {result.values[0]:.6g};" in result.guarantee
    assert f"player 1 gets at least {result.values[1]:.6g}." in result.guarantee
    assert sum(result.values) == pytest.approx(10.0)


class OnePlayer:
    """A decision without opponents: 3 is better than 1."""

    name = "choice"
    num_players = 1

    def initial_state(self) -> str:
        return ""

    def player(self, state: str, /) -> int:
        return 0 if state == "" else TERMINAL

    def actions(self, state: str, /) -> list[str]:
        return ["1", "3"]

    def chance(self, state: str, /) -> list[float]:
        return []

    def next(self, state: str, action: int, /) -> str:
        return self.actions(state)[action]

    def payoffs(self, state: str, /) -> list[float]:
        return [float(state)]

    def infoset(self, state: str, /) -> str:
        return "choose"


def test_one_player_is_a_game_too() -> None:
    result = solve(OnePlayer(), target=1e-6)
    assert result.values[0] == pytest.approx(3.0, abs=1e-6)
    assert result.exploitability is None
    assert result.guarantee.startswith("One player")
    assert result.game == "choice"


def test_results_are_frozen_and_print(kuhn: GameTree) -> None:
    result = solve(kuhn, iterations=5)
    with pytest.raises(FrozenInstanceError):
        result.iterations = 6  # type: ignore[misc]
    assert repr(result).startswith("Result('kuhn', 'dcfr', iterations=5, exploitability=")
    html = result._repr_html_()
    ET.fromstring(f"<div>{html}</div>")
    assert "kuhn" in html
    assert result.guarantee[:30] in html


def test_names_of_users_are_escaped_in_html() -> None:
    game = OnePlayer()
    game.name = "<b>&"
    ET.fromstring(f"<div>{solve(game, iterations=2)._repr_html_()}</div>")


def test_guarantees_tell_apart_what_an_offset_hides() -> None:
    """Payoffs as stacks of 1,000,000: six digits would be the same for all of them."""
    rows = [[1e6 + 3, 1e6], [1e6, 1e6 + 1]]
    result = solve(f"matrix(payoffs={[rows, [[2e6 - x for x in row] for row in rows]]})")
    assert "1e+06" not in result.guarantee
    assert "player 0 gets at least 1000000.7" in result.guarantee
    assert "player 1 gets at least 999999.2" in result.guarantee
