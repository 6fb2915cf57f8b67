"""CFR on the history tree against plain recursion, and against the sequence form."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from equilibrist.abstraction import make_abstraction, merged_tree
from equilibrist.errors import ConfigError, MismatchError, UnsupportedError
from equilibrist.game_loading import compile_game
from equilibrist.reference.traversals.merged_cfr import MergedReferenceCFR
from equilibrist.solvers.full_traversal.cfr import CFR
from equilibrist.solvers.full_traversal.history_cfr import HistoryCFR
from equilibrist.solvers.variants.registry import get_variant
from tests.refusals import refuses, unchecked

VARIANTS = ("cfr", "cfr+", "dcfr", "pcfr+")
FORGETFUL = (
    ("kuhn", "memory(last=0)"),
    ("kuhn(players=3)", "0:memory(last=1);2:memory(last=0)"),
    ("leduc(suit_isomorphism=true)", "memory(last=1)"),
    ("leduc(suit_isomorphism=true)", "0:cards(JQ.K,pair);1:memory(last=2)"),
)


@pytest.mark.by_default(4)
@pytest.mark.parametrize("alternating", [True, False])
@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize(("game", "spec"), FORGETFUL)
def test_iterations_are_those_of_the_plain_recursion(
    game: str, spec: str, variant: str, alternating: bool
) -> None:
    tree = compile_game(game)
    abstraction = make_abstraction(tree, spec)
    fast = HistoryCFR(merged_tree(abstraction), variant, alternating=alternating)
    plain = MergedReferenceCFR(
        tree.game, abstraction.to_dict(), get_variant(variant), alternating=alternating
    )
    for steps in (1, 4):
        fast.run(steps)
        plain.run(steps)
        state = fast.state
        for flat, table in (
            (state.regret, plain.regret),
            (state.behaviour, plain.strategy),
            (state.strategy_sum, plain.strategy_sum),
        ):
            expected = np.concatenate([table[key] for key in abstraction.keys])
            np.testing.assert_allclose(flat, expected, rtol=1e-9, atol=1e-12)
    lifted = abstraction.lift(fast.average_strategy())
    for key, row in plain.lifted().items():
        np.testing.assert_allclose(list(lifted[key].values()), row, atol=1e-10)


@pytest.mark.parametrize("alternating", [True, False])
@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("game", ["kuhn", "kuhn(players=3)", "leduc(suit_isomorphism=true)"])
def test_with_perfect_recall_it_is_cfr(game: str, variant: str, alternating: bool) -> None:
    tree = compile_game(game)
    mine = HistoryCFR(tree, variant, alternating=alternating).run(20)
    theirs = CFR(tree, variant, alternating=alternating).run(20)
    for one, other in (
        (mine.average_strategy(), theirs.average_strategy()),
        (mine.current_strategy(), theirs.current_strategy()),
    ):
        np.testing.assert_allclose(one.probabilities, other.probabilities, atol=1e-9)


def test_splitting_a_run_and_restoring_change_no_bit(tmp_path: Path) -> None:
    tree = merged_tree(make_abstraction(compile_game("kuhn"), "memory(last=0)"))
    whole = HistoryCFR(tree, "dcfr").run(30)
    split = HistoryCFR(tree, "dcfr").run(10)
    split.checkpoint(tmp_path / "run.ckpt")
    again = HistoryCFR(tree, "dcfr").resume(tmp_path / "run.ckpt").run(20)
    split.run(20)
    for solver in (split, again):
        assert solver.iteration == 30
        assert np.array_equal(solver.state.regret, whole.state.regret)
        assert np.array_equal(solver.state.strategy_sum, whole.state.strategy_sum)


def test_refusals() -> None:
    tree = compile_game("kuhn")
    with refuses(UnsupportedError, option="algorithm", given="apcfr+"):
        HistoryCFR(tree, "apcfr+")
    with refuses(ConfigError, option="horizon"):
        HistoryCFR(tree, "hs-dcfr(15)")
    with refuses(MismatchError, option="algorithm", given="cfr+", expected="cfr"):
        HistoryCFR(tree, "cfr").restore(HistoryCFR(tree, "cfr+").state)
    with refuses(ConfigError, option="state", given=3):
        HistoryCFR(tree, "cfr").restore(unchecked(3))
