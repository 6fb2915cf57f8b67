"""EFR: the kernel against plain Python, against CFR, and as an algorithm of `solve`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import equilibrist as eq
from equilibrist.errors import (
    CheckpointError,
    ConfigError,
    MemoryBudgetError,
    MismatchError,
    UnknownNameError,
)
from equilibrist.game import Game
from equilibrist.game_loading import compile_game
from equilibrist.games import load_game
from equilibrist.kernels.deviations.fixed_point import ChainScratch, without_rounding
from equilibrist.kernels.deviations.fixed_point import fixed_point as compiled_fixed_point
from equilibrist.reference.efr import FAMILIES as REFERENCE_FAMILIES
from equilibrist.reference.efr import ReferenceEFR, deviations, fixed_point
from equilibrist.reference.game_walk import walk
from equilibrist.solvers import EFR, algorithm_info
from equilibrist.solvers.full_traversal.base import FullTraversals
from equilibrist.solvers.full_traversal.cfr import CFR
from equilibrist.solvers.full_traversal.deviation_arrays import count_regrets, deviation_arrays
from equilibrist.solvers.full_traversal.efr import FAMILIES, DeviationRegrets, get_efr
from equilibrist.solvers.sampling.mccfr import MCCFR
from equilibrist.solving.algorithm import get_algorithm
from equilibrist.strategy import Strategy
from equilibrist.tree.compile import GameTree
from tests.altered_games import Jittered
from tests.refusals import refuses, unchecked
from tests.small_games import Chain, Written

FORCED = Written(
    (0, "start", {
        "one": (0, "only", {"on": (0, "below", {
            "l": (1, "seen", {"x": (3.0, -1.0), "y": (0.5, 1.0), "z": (-1.0, 2.0)}),
            "r": (2.0, 0.25),
        })}),
        "two": (1, "alone", {"go": (0, "late", {
            "a": (1.0, 1.5), "b": (-2.0, 0.0), "c": (0.0, 3.0),
        })}),
        "three": (1.25, 1.0),
    }),
    2,
    "forced",
)  # fmt: skip
"""Infosets with one action between those with more."""


def small_games() -> dict[str, tuple[Game[Any], int]]:
    """Games, and how many iterations to compare."""
    return {
        "kuhn": (load_game("kuhn"), 60),
        "kuhn(players=3)": (load_game("kuhn(players=3)"), 8),
        "three actions": (load_game("random_tree(seed=2,depth=5)"), 25),
        "three players": (load_game("random_tree(seed=3,depth=4,players=3)"), 25),
        "four actions": (load_game("random_tree(seed=5,depth=5,branching=4)"), 10),
        "forced": (FORCED, 60),
        "shapley": (Jittered(load_game("shapley")), 60),
        "goofspiel": (Jittered(load_game("goofspiel(cards=3)")), 10),
        "liars_dice": (Jittered(load_game("liars_dice(sides=2)")), 10),
        "dudo": (Jittered(load_game("dudo(sides=2)")), 5),
        "leduc": (load_game("leduc(suit_isomorphism=true)"), 4),
    }


def regrets_at(tree: GameTree, solver: EFR, i: int) -> np.ndarray:
    """The regrets of public infoset i, in the kernel's order."""
    form = tree.sequence_form
    sequence = int(form.sequence_of_public[tree.action_offset[i]])
    a = form.arrays
    g = int(np.searchsorted(a.group_first_sequence, sequence, side="right")) - 1
    n = int(a.group_first_infoset[g]) + sequence - int(a.group_first_sequence[g])
    layout = deviation_arrays(solver.variant.deviations, tree)  # type: ignore[attr-defined]
    return solver.state.regret[layout.regret_offset[n] : layout.regret_offset[n + 1]]


@pytest.mark.by_default(1)
@pytest.mark.parametrize("name", small_games())
def test_iterates_are_those_of_the_reference(name: str) -> None:
    game, iterations = small_games()[name]
    tree, histories = compile_game(game), walk(game)
    for family in FAMILIES:
        plain, solver = ReferenceEFR(histories, family), EFR(tree, family)
        for t in range(1, iterations + 1):
            plain.run(1)
            solver.run(1)
            for strategy, found in (
                (plain.strategy, solver.current_strategy()),
                (plain.average_strategy(), solver.average_strategy()),
            ):
                wanted = np.concatenate([strategy[key] for key in tree.infoset_keys])
                assert found.probabilities == pytest.approx(wanted, abs=1e-10), (family, t)
        for i in range(0, tree.num_infosets, 1 + tree.num_infosets // 12):
            rows = plain.regret.get(tree.infoset_keys[i], [])
            if rows:
                regrets = [r for row in rows for r in row.values()]
                assert regrets_at(tree, solver, i) == pytest.approx(regrets, abs=1e-10), family


def test_the_families_are_those_of_the_reference() -> None:
    assert {*FAMILIES} == {*REFERENCE_FAMILIES}


@pytest.mark.parametrize("actions", [3, 4, 6])
def test_compiled_fixed_points_are_those_of_the_reference(actions: int) -> None:
    """The kernel's steps, called as plain Python; many chains fall apart."""
    rng = np.random.default_rng(actions)
    vectors = np.zeros((3, actions))
    scratch = ChainScratch(np.zeros((actions, actions)), *vectors)
    for _ in range(200):
        kept = rng.random() < rng.random((actions, actions))
        rates = rng.random((actions, actions)) ** rng.integers(1, 30) * kept
        scratch.rate[:] = rates
        without_rounding(actions, scratch.rate)
        compiled_fixed_point(actions, scratch)
        weights = {(a, b): float(rates[a, b]) for a, b in deviations("tips", actions, True)}
        assert scratch.point == pytest.approx(fixed_point(weights, actions), abs=1e-12)


def test_enormous_ratios_do_not_overflow() -> None:
    scratch = ChainScratch(np.zeros((3, 3)), *np.zeros((3, 3)))
    scratch.rate[:] = [[0.0, 1e200, 1e-200], [1e-200, 0.0, 1e200], [1e-200, 1e-200, 0.0]]
    with np.errstate(over="ignore"):
        compiled_fixed_point(3, scratch)
    assert scratch.point == pytest.approx([0.0, 0.0, 1.0])


@pytest.mark.parametrize("game", ["kuhn(players=3)", "leduc", "random_tree(seed=2,depth=6)"])
def test_blind_counterfactual_deviations_are_those_of_cfr(game: str) -> None:
    tree = compile_game(Jittered(load_game(game)))
    ours, cfr = EFR(tree, "cfr"), CFR(tree, "cfr", alternating=False)
    for _ in range(20):
        ours.run(1)
        cfr.run(1)
        assert ours.current_behaviour() == pytest.approx(cfr.current_behaviour(), abs=1e-9)
        assert ours.average_behaviour() == pytest.approx(cfr.average_behaviour(), abs=1e-12)


@pytest.mark.parametrize("game", ["kuhn", "kuhn(players=3)", "random_tree(branching=2,depth=6)"])
def test_with_two_actions_csps_and_tips_are_the_same(game: str) -> None:
    tree = compile_game(game)
    assert np.diff(tree.action_offset).max() == 2
    one, other = EFR(tree, "csps"), EFR(tree, "tips")
    for _ in range(50):
        one.run(1)
        other.run(1)
        assert one.current_behaviour() == pytest.approx(other.current_behaviour(), abs=1e-6)
    assert EFR(tree, "cfr").run(50).average_behaviour() != pytest.approx(
        one.average_behaviour(), abs=1e-3
    )


REGRETS = {
    "cfr": 2_184, "cfr_in": 3_120, "a": 3_120, "bps": 6_216, "cfps": 8_880, "csps": 12_024,
    "tips": 15_840, "bhv": 16_020,
}  # fmt: skip


@pytest.mark.parametrize("family", FAMILIES)
def test_how_many_regrets_leduc_has(family: str) -> None:
    tree = compile_game("leduc")
    assert count_regrets(family, tree) == REGRETS[family]
    assert EFR(tree, family).state.regret.shape == (REGRETS[family],)
    assert deviation_arrays(family, tree).regret_offset[-1] == REGRETS[family]


@pytest.mark.parametrize("family", [name for name, family in FAMILIES.items() if family.nash])
def test_averages_approach_the_equilibrium_of_two_players(family: str) -> None:
    solver = EFR("kuhn", family)
    at = [eq.exploitability(solver.run(n).average_strategy()) for n in (50, 950, 9_000)]
    assert at[2] < at[1] < at[0] / 3
    assert at[2] < 0.004


def test_action_deviations_alone_need_not() -> None:
    """Which is why nothing of the kind is promised for them."""
    assert eq.exploitability(EFR("kuhn", "a").run(10_000).average_strategy()) > 0.02


def test_one_player_learns_the_best_line() -> None:
    for family in FAMILIES:
        solver = EFR(Chain(5), family).run(300)
        assert eq.evaluate(solver.average_strategy()).values[0] > 4.5


def test_self_play_on_tiny_hanabi() -> None:
    """The mean payoff of 1,000 iterates, which Morrill et al. publish as 7.9957."""
    tree = compile_game("openspiel:tiny_hanabi")
    solver, total = EFR(tree, "cfr"), 0.0
    for _ in range(1_000):
        total += eq.evaluate(solver.current_strategy()).values[0]
        solver.run(1)
    assert total / 1_000 == pytest.approx(7.995722, abs=1e-6)


@pytest.mark.parametrize("family", FAMILIES)
def test_a_resumed_run_ends_with_the_same_bits(family: str, tmp_path: Path) -> None:
    tree = compile_game("leduc(suit_isomorphism=true)")
    straight = EFR(tree, family).run(40).state
    broken = EFR(tree, family)
    for part in (1, 9, 10):
        broken.run(part).checkpoint(tmp_path / "run")
        broken = EFR(tree, family).resume(tmp_path / "run")
    last = broken.run(20).state
    for key in ("regret", "behaviour", "strategy_sum"):
        assert getattr(last, key).tobytes() == getattr(straight, key).tobytes()
    other = EFR(tree, "cfr" if family != "cfr" else "bps")
    with refuses(CheckpointError, option="algorithm", expected=other.variant.name):
        other.resume(tmp_path / "run")


def test_solve_takes_it(tmp_path: Path) -> None:
    file = tmp_path / "c"
    result = eq.solve("leduc", "efr(csps)", iterations=300, files=eq.Files(checkpoint=file))
    assert result.algorithm == "efr(deviations=csps)"
    assert "approach a Nash equilibrium" in result.guarantee
    again = eq.solve(
        "leduc", "efr(csps)", iterations=400, files=eq.Files(checkpoint=file, resume=True)
    )
    straight = eq.solve("leduc", "efr(csps)", iterations=400)
    assert again.strategy.probabilities.tobytes() == straight.strategy.probabilities.tobytes()
    assert (
        eq.solve("kuhn", "efr", iterations=3, traversal=eq.Traversal(alternating=False)).iterations
        == 3
    )


@pytest.mark.parametrize("family", FAMILIES)
def test_what_is_said_of_the_history_of_play(family: str) -> None:
    said = eq.solve("kuhn(players=3)", f"efr(deviations={family})", iterations=2).guarantee
    assert FAMILIES[family].equilibrium in said
    for concept in {other.approaches for other in FAMILIES.values()}:
        assert (f"({concept})" in said) == (concept == FAMILIES[family].approaches)
    two = eq.solve("kuhn", f"efr(deviations={family})", iterations=2).guarantee
    assert ("approach a Nash equilibrium" in two) == (family != "a")


def test_compare_runs_it_beside_cfr() -> None:
    found = eq.compare("kuhn", ["cfr", "efr", "efr(deviations=cfr)"], iterations=50, seconds=20)
    assert [run.name for run in found.runs] == ["cfr", "efr", "efr(deviations=cfr)"]
    assert not found.failed


def test_names() -> None:
    assert DeviationRegrets().name == get_efr("efr").name == get_efr("EFR(TIPS)").name == "efr"
    for text in ("efr(cfr-in)", "efr(deviations=cfr_in)", " Efr ( deviations = 'CFR_IN' )"):
        assert get_algorithm(text) == DeviationRegrets("cfr_in")
    for family in FAMILIES:
        rule = DeviationRegrets(family)
        assert get_algorithm(rule.name) == rule
        assert algorithm_info(rule.name).parameters == {"deviations": family}
    with refuses(UnknownNameError, option="deviations", given="bp", suggestions=("bps",)):
        get_efr("efr(deviations=bp)")
    with refuses(UnknownNameError, option="parameter of efr", given="gamma"):
        get_efr("efr(gamma=2)")
    with refuses(ConfigError, option="deviations", given=3):
        get_efr("efr(3)")
    with refuses(ConfigError, option="algorithm", given="efr("):
        get_efr("efr(")
    with refuses(ConfigError, option="deviations", given=None):
        EFR("kuhn", unchecked(None))


@pytest.mark.parametrize("name", ["efr", "efr(deviations=bhv)"])
def test_what_has_no_meaning_is_refused(name: str) -> None:
    with refuses(ConfigError, option="alternating", given=True, remedy="leave it out"):
        eq.solve("kuhn", name, traversal=eq.Traversal(alternating=True))
    with refuses(ConfigError, option="alternating", given=True, expected=False):
        FullTraversals("kuhn", get_efr(name), alternating=True)
    with refuses(ConfigError, option="sampler", given="external", remedy="leave it out"):
        eq.solve("kuhn", name, sampling="external")
    with refuses(ConfigError, option="warm_start"):
        eq.solve(
            "kuhn",
            name,
            iterations=200,
            traversal=eq.Traversal(warm_start=Strategy.uniform(compile_game("kuhn"))),
        )
    with refuses(ConfigError, option="algorithm"):
        MCCFR("kuhn", unchecked(get_efr(name)), sampler="external")
    with refuses(ConfigError, option="algorithm", given="efr"):
        CFR("kuhn", name)
    with refuses(MismatchError, option="algorithm"):
        EFR("kuhn", "csps").restore(EFR("kuhn", "cfps").state)


def test_far_too_many_regrets_are_refused_before_they_are_allocated() -> None:
    with refuses(MemoryBudgetError, option="deviations", given="bhv"):
        EFR(Chain(60), "bhv")
    with refuses(MemoryBudgetError, option="deviations", given="bhv"):
        EFR(Chain(1_200), "bhv")  # more than a float can count
    assert EFR(Chain(60), "tips").run(2).iteration == 2
