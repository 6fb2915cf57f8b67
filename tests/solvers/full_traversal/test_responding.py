"""XFP and CFR-BR against OpenSpiel's figures, against plain Python, and as solvers."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import equilibrist as eq
from equilibrist.errors import CheckpointError, ConfigError
from equilibrist.evaluation import best_response
from equilibrist.game_loading import compile_game
from equilibrist.games import load_game
from equilibrist.kernels.sequence_form.response import average_behaviour
from equilibrist.solvers.full_traversal.best_response_solvers import (
    CFRBR,
    RESPONDING,
    XFP,
    AgainstBestResponses,
)
from equilibrist.solvers.full_traversal.cfr import CFR
from equilibrist.solvers.sampling.mccfr import MCCFR
from equilibrist.strategy import Strategy
from equilibrist.tree.compile import GameTree
from tests.altered_games import Jittered
from tests.refusals import refuses, unchecked

FIGURES: dict[tuple[str, str], float] = {
    ("kuhn", "xfp"): 0.0912698412698415,
    ("kuhn", "cfr-br"): 0.1033552251536356,
    ("kuhn", "cfr-br(cfr+)"): 0.07006068465091803,
    ("kuhn(players=3)", "xfp"): 0.2205451625094484,
    ("leduc", "xfp"): 1.5544863315696646,
    ("leduc", "cfr-br"): 1.023421122311857,
    ("leduc", "cfr-br(cfr+)"): 0.8679680014402045,
    ("goofspiel(imp_info=true,points_order=descending)", "xfp"): 0.34523809523809534,
    ("goofspiel(imp_info=true,points_order=descending)", "cfr-br"): 0.480914975550759,
    ("goofspiel(imp_info=true,points_order=descending)", "cfr-br(cfr+)"): 0.40400433917844814,
    ("liars_dice(sides=3)", "xfp"): 0.32198706643151076,
    ("liars_dice(sides=3)", "cfr-br"): 0.1387125121403265,
    ("liars_dice(sides=3)", "cfr-br(cfr+)"): 0.1100741054824162,
    ("liars_dice(sides=4)", "xfp"): 0.6553825349584277,
    ("liars_dice(sides=4)", "cfr-br"): 0.33888764334145255,
    ("liars_dice(sides=4)", "cfr-br(cfr+)"): 0.2573421197429637,
    ("liars_dice(sides=5)", "xfp"): 0.7420558998908204,
    ("liars_dice(sides=5)", "cfr-br"): 0.4795088264525168,
    ("liars_dice(sides=5)", "cfr-br(cfr+)"): 0.4204226535911895,
    ("liars_dice", "xfp"): 0.8120500954153951,
    ("liars_dice", "cfr-br"): 0.5835693348320616,
    ("liars_dice", "cfr-br(cfr+)"): 0.5551922313280379,
    ("goofspiel(imp_info=true)", "xfp"): 0.6043320105820105,
    ("goofspiel(imp_info=true)", "cfr-br"): 0.5030722146640307,
    ("goofspiel(imp_info=true)", "cfr-br(cfr+)"): 0.377217740794641,
}
"""NashConv of OpenSpiel 2.0.2 after 20 iterations (benchmarks/peers/responding_parity.py)."""
SOLVERS: dict[str, Callable[[GameTree], Any]] = {
    "xfp": XFP,
    "cfr-br": CFRBR,
    "cfr-br(cfr+)": lambda tree: CFRBR(tree, "cfr+"),
}


@pytest.mark.by_default(1)
@pytest.mark.parametrize(("game", "name"), FIGURES)
def test_nash_conv_is_that_of_openspiel(game: str, name: str) -> None:
    average = SOLVERS[name](compile_game(load_game(game))).run(20).average_strategy()
    assert eq.nash_conv(average) == pytest.approx(FIGURES[game, name], abs=1e-9)


def best_responses(tree: GameTree, behaviour: np.ndarray) -> np.ndarray:
    """Every player's answer to a profile in engine order, by the evaluation of the package."""
    form = tree.sequence_form
    profile = Strategy(tree, form.to_public(behaviour))
    answer = profile.probabilities.copy()
    for player in range(tree.num_players):
        own = np.repeat(tree.infoset_player == player, np.diff(tree.action_offset))
        answer[own] = best_response(profile, player).strategy.probabilities[own]
    return form.to_engine(answer)


@pytest.mark.parametrize("game", ["kuhn", "kuhn(players=3)", "random_tree(seed=2,depth=6)"])
def test_fictitious_play_is_the_mean_of_the_answers(game: str) -> None:
    tree = compile_game(Jittered(load_game(game)))
    form = tree.sequence_form
    plans = [form.reach(form.uniform())]
    solver = XFP(tree)
    average = form.uniform()
    for _ in range(10):
        solver.run(1)
        plans.append(form.reach(best_responses(tree, average)))
        assert form.to_public(solver.current_behaviour()) == pytest.approx(
            form.to_public(best_responses(tree, average)), abs=1e-12
        )
        mean = np.mean(plans, axis=0)
        average_behaviour(form.arrays, mean, average)
        assert form.to_public(solver.average_behaviour()) == pytest.approx(
            form.to_public(average), abs=1e-12
        )


@pytest.mark.parametrize("game", ["kuhn", "kuhn(players=3)", "random_tree(seed=2,depth=6)"])
def test_cfr_br_updates_as_cfr_would_against_the_answers(game: str) -> None:
    """Give CFR's players the answers one at a time: the same regrets and strategies come out."""
    tree = compile_game(Jittered(load_game(game)))
    form = tree.sequence_form
    solver = CFRBR(tree).run(3)
    for _ in range(5):
        before = solver.state
        answers = best_responses(tree, before.behaviour)
        solver.run(1)
        after = solver.state
        for player in range(tree.num_players):
            own = slice(*form.arrays.sequence_offset[player : player + 2])
            mixed = answers.copy()
            mixed[own] = before.behaviour[own]
            played = CFR(tree, "cfr", alternating=False)
            sums = (before.regret, mixed, before.strategy_sum)
            played.restore(type(before)(*sums, before.iteration)).run(1)
            for name in ("regret", "behaviour", "strategy_sum"):
                ours = getattr(after, name)[own]
                assert ours == pytest.approx(getattr(played.state, name)[own], abs=1e-12)


@pytest.mark.parametrize("name", SOLVERS)
def test_a_resumed_run_ends_with_the_same_bits(name: str, tmp_path: Path) -> None:
    tree = compile_game(load_game("leduc"))
    straight = SOLVERS[name](tree).run(40).state
    broken = SOLVERS[name](tree)
    for part in (1, 9, 10):
        broken.run(part).checkpoint(tmp_path / "run")
        broken = SOLVERS[name](tree).resume(tmp_path / "run")
    last = broken.run(20).state
    for key in ("regret", "behaviour", "strategy_sum"):
        assert getattr(last, key).tobytes() == getattr(straight, key).tobytes()
    other = XFP(tree) if name != "xfp" else CFRBR(tree)
    algorithm = other.variant.name
    with refuses(CheckpointError, option="algorithm", expected=algorithm):
        other.resume(tmp_path / "run")


@pytest.mark.parametrize("name", RESPONDING)
def test_solve_knows_them(name: str, tmp_path: Path) -> None:
    result = eq.solve("leduc", name, iterations=300, files=eq.Files(checkpoint=tmp_path / "c"))
    assert result.algorithm == name
    assert result.evaluation.exploitability < 0.15
    assert "approach a Nash equilibrium" in result.guarantee
    again = eq.solve(
        "leduc", name, iterations=400, files=eq.Files(checkpoint=tmp_path / "c", resume=True)
    )
    straight = eq.solve("leduc", name, iterations=400)
    assert again.strategy.probabilities.tobytes() == straight.strategy.probabilities.tobytes()


@pytest.mark.parametrize("name", RESPONDING)
def test_what_has_no_meaning_is_refused(name: str) -> None:
    with refuses(ConfigError, option="alternating", given=False):
        eq.solve("kuhn", name, traversal=eq.Traversal(alternating=False))
    with refuses(ConfigError, option="sampler", given="external", remedy="leave it out"):
        eq.solve("kuhn", name, sampling="external")
    with refuses(ConfigError, option="explicit_tree", given=False, remedy="leave it out"):
        eq.solve("rules:leduc", name, explicit_tree=False, iterations=2)  # no sampler was given
    with refuses(ConfigError, option="algorithm", given=f"{name}(3)"):
        eq.solve("kuhn", f"{name}(3)")
    uniform = eq.Strategy.uniform(eq.compile_game("kuhn"))
    with refuses(ConfigError, option="warm_start"):
        eq.solve("kuhn", name, iterations=200, traversal=eq.Traversal(warm_start=uniform))
    with refuses(ConfigError, option="algorithm", given=RESPONDING[name].name):
        MCCFR("kuhn", unchecked(RESPONDING[name]), sampler="external")


def test_other_variants_against_best_responses() -> None:
    assert AgainstBestResponses().name == "cfr-br"
    assert CFRBR("kuhn", "dcfr(gamma=3)").variant.name == "cfr-br(dcfr(gamma=3))"
    with refuses(ConfigError, option="horizon"):
        CFRBR("kuhn", "hs-dcfr")
    with refuses(ConfigError, option="algorithm", given="hedge"):
        CFRBR("kuhn", "hedge")
