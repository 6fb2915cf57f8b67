"""CFR-BR in an abstraction against plain recursion, and against the exact optimum."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import numpy as np
import pytest

import equilibrist as eq
from equilibrist.abstraction import Abstraction, Measures, make_abstraction, merged_tree
from equilibrist.errors import CheckpointError, ConfigError, MismatchError
from equilibrist.game_loading import compile_game
from equilibrist.games import load_game
from equilibrist.reference.traversals.merged_cfr import MergedReferenceCFR, MergedReferenceCFRBR
from equilibrist.solvers.full_traversal.abstract_cfr_br import AbstractCFRBR
from equilibrist.solvers.full_traversal.best_response_solvers import CFRBR
from equilibrist.solvers.variants.registry import get_variant
from tests.altered_games import Jittered
from tests.refusals import refuses
from tests.solvers.full_traversal.test_cfr import RANDOM

LEDUC = "leduc(suit_isomorphism=true)"
FORGETFUL = [("kuhn", "memory(last=0)"), ("kuhn(players=3)", "0:memory(last=1);2:cards(12.34)")]
PERFECT = [("kuhn", "cards(JQ.K)"), (LEDUC, "cards(JQ.K,pair)"), (LEDUC, "1:cards(J.QK,pair)")]


def jittered(game: str, spec: str) -> Abstraction:
    """An abstraction of a game without ties: rounding would decide among best responses."""
    tree = compile_game(Jittered(load_game(game), zero_sum=True))
    keys = make_abstraction(compile_game(game), spec).to_dict()
    return Abstraction.from_keys(tree, keys)


def solver_of(abstraction: Abstraction, algorithm: str = "cfr") -> AbstractCFRBR:
    tree = abstraction.tree
    return AbstractCFRBR(merged_tree(abstraction), tree, abstraction.action_of, algorithm)


def distance(fast: AbstractCFRBR, plain: MergedReferenceCFR) -> float:
    """The greatest difference in any regret, probability or sum."""
    state = fast.state
    tables = (
        (state.regret, plain.regret),
        (state.behaviour, plain.strategy),
        (state.strategy_sum, plain.strategy_sum),
    )
    return max(
        float(np.abs(flat - np.concatenate([table[key] for key in fast.tree.infoset_keys])).max())
        for flat, table in tables
    )


@pytest.mark.by_default(4)
@pytest.mark.parametrize("variant", ["cfr", "cfr+", "pcfr+"])
@pytest.mark.parametrize(("game", "spec"), [*FORGETFUL, *PERFECT])
def test_iterations_are_those_of_the_plain_recursion(game: str, spec: str, variant: str) -> None:
    abstraction = jittered(game, spec)
    fast = solver_of(abstraction, variant)
    merged = abstraction.to_dict()
    plain = MergedReferenceCFRBR(abstraction.tree.game, merged, get_variant(variant))
    for steps in (1, 4):
        fast.run(steps)
        plain.run(steps)
        assert distance(fast, plain) < 1e-9


def test_responses_that_are_bound_to_the_abstraction_show() -> None:
    """The comparison would notice players who learn from each other instead."""
    abstraction = jittered("kuhn", "cards(JQ.K)")
    fast, merged = solver_of(abstraction).run(5), abstraction.to_dict()
    game = abstraction.tree.game
    plain = MergedReferenceCFR(game, merged, get_variant("cfr"), alternating=False)
    plain.run(5)
    assert distance(fast, plain) > 1e-2


@pytest.mark.parametrize("name", ["two players", "three players", "much chance"])
def test_where_nothing_is_merged_it_is_cfr_br(name: str) -> None:
    tree = compile_game(Jittered(load_game(RANDOM[name])))
    every = np.arange(int(tree.action_offset[-1]))
    merged = AbstractCFRBR(tree, tree, every, "cfr+").run(10)
    plain = CFRBR(tree, "cfr+").run(10)
    for one, other in (
        (merged.average_strategy(), plain.average_strategy()),
        (merged.current_strategy(), plain.current_strategy()),
    ):
        np.testing.assert_allclose(one.probabilities, other.probabilities, atol=1e-9)


@pytest.mark.parametrize("spec", ["cards(JQ.K,pair)", "cards(J.Q.K,pair)", "0:cards(JK.Q)"])
def test_it_finds_the_least_exploitable_representable_strategy(spec: str) -> None:
    """An equilibrium of the abstract game loses up to six times as much; a programme says least."""
    tree = compile_game(LEDUC)
    least = Measures(tree).three_numbers(make_abstraction(tree, spec)).representable.exploitability
    equilibrium = eq.solve(tree, "cfr+", iterations=2_000, abstraction=spec).exploitability
    outputs: tuple[Literal["average", "last"], ...] = ("average", "last")
    for output in outputs:
        found = eq.solve(tree, "cfr-br", iterations=10_000, abstraction=spec, output=output)
        assert least - 1e-9 <= found.exploitability < least + 0.04
        assert found.exploitability < 0.7 * equilibrium
        assert found.abstraction is not None


def test_what_is_proven_is_said() -> None:
    """No equilibrium of the abstract game is promised, and none is measured."""
    promised = {}
    runs: tuple[tuple[str, Literal["average", "last"]], ...] = (
        ("cfr-br", "average"),
        ("cfr-br", "last"),
        ("cfr+", "average"),
    )
    for algorithm, output in runs:
        result = eq.solve(LEDUC, algorithm, iterations=20, abstraction="cards(JK.Q)", output=output)
        promised[algorithm, output] = result.guarantee
    assert "loses least" in promised["cfr-br", "average"]
    assert "loses least" not in promised["cfr-br", "last"]
    for kind in ("average", "last"):
        assert "approach a Nash equilibrium" not in promised["cfr-br", kind]
        assert "Best responses in the abstract game" not in promised["cfr-br", kind]
    assert "approach a Nash equilibrium" in promised["cfr+", "average"]


def test_it_keeps_its_worth_where_players_forget() -> None:
    """No programme finds the optimum there, and CFR has no guarantee."""
    tree = compile_game(LEDUC)
    spec = "memory(last=1)"
    found = eq.solve(tree, "cfr-br", iterations=3_000, abstraction=spec)
    other = eq.solve(tree, "cfr+", iterations=3_000, abstraction=spec)
    assert found.exploitability < 0.3 * other.exploitability
    assert found.abstraction is not None
    assert set(found.abstraction.recall) == {"imperfect"}


def test_a_resumed_run_ends_with_the_same_bits(tmp_path: Path) -> None:
    abstraction = make_abstraction(compile_game(LEDUC), "memory(last=1)")
    straight = solver_of(abstraction).run(30).state
    solver_of(abstraction).run(11).checkpoint(tmp_path / "run")
    again = solver_of(abstraction).resume(tmp_path / "run").run(19).state
    for name in ("regret", "behaviour", "strategy_sum"):
        assert getattr(again, name).tobytes() == getattr(straight, name).tobytes()
    merged, other = merged_tree(abstraction), compile_game("leduc")
    with refuses(CheckpointError, option="layout"):
        mapped = np.resize(abstraction.action_of, int(other.action_offset[-1]))
        AbstractCFRBR(merged, other, mapped).resume(tmp_path / "run")


def test_refusals() -> None:
    tree = compile_game("kuhn")
    with refuses(MismatchError, option="action_of", given=(3,)):
        AbstractCFRBR(tree, tree, np.arange(3))
    with refuses(ConfigError, option="algorithm", given="hedge"):
        AbstractCFRBR(tree, tree, np.arange(24), "hedge")
    with refuses(ConfigError, option="drop_below", place="abstraction"):
        abstraction = eq.GameAbstraction(abstraction="cards(JQ.K)", drop_below=0.01)
        eq.solve("kuhn", "cfr-br", iterations=10, abstraction=abstraction)
