"""Samplers that try some own actions, and Pure CFR, without a tree: as on it, within bounds."""

from __future__ import annotations

import tracemalloc
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from equilibrist.errors import CheckpointError, GameError
from equilibrist.game_loading import compile_game
from equilibrist.games import load_game
from equilibrist.rules.game import RulesGame
from equilibrist.rules.module import load_rules
from equilibrist.solvers.implicit.infoset_table import new_table
from equilibrist.solvers.implicit.mccfr import ImplicitMCCFR
from equilibrist.solvers.implicit.samplers import WITHOUT_TREE
from equilibrist.solvers.sampling.mccfr import MCCFR
from equilibrist.strategy import Strategy
from equilibrist.tree.compile import GameTree
from tests.refusals import refuses
from tests.rules.own_rules import OWN, write_rules
from tests.slow_cases import slow, slow_but, slow_unless
from tests.solvers.implicit.implicit_runs import LARGE, SMALL, contents, same_state

pytestmark = pytest.mark.slow

USUAL = ["average-strategy", "robust", "probing", "pure"]
"""Samplers with the parameters that they usually have."""
SET = ["average-strategy(epsilon=0.1,tau=2,beta=0.5)", "robust(k=2)", "probing(k=2)"]
"""With others, under which each of their branches is taken."""
NAMES = [one.name for one in WITHOUT_TREE]


def some(sampler: str) -> str:
    """A variant that discounts, where the sampler lets it."""
    return "cfr" if sampler == "pure" else "dcfr"


@cache
def compiled(spec: str) -> tuple[RulesGame, GameTree, dict[str, tuple[int, int]]]:
    game = load_game(f"rules:{spec}")
    assert isinstance(game, RulesGame)
    return game, compile_game(game), game.packed_keys()


def assert_equal(solver: ImplicitMCCFR, on_tree: MCCFR, keys: dict[str, tuple[int, int]]) -> None:
    """The same tables, bit for bit, and the same number of visits; no row in vain."""
    tree, state, found = on_tree.tree, on_tree.state, contents(solver)
    assert found.keys() <= set(keys.values())
    for i, text in enumerate(tree.infoset_keys):
        row = tree.actions_of(i)
        zeros = [0.0] * (row.stop - row.start)
        regrets, sums = found.get(keys[text], (zeros, zeros))
        assert [r * solver.unit for r in regrets] == state.regret[row].tolist()
        assert sums == state.strategy_sum[row].tolist()
    assert solver.nodes_touched == on_tree.nodes_touched
    average = Strategy.from_packed(tree, solver.average_strategy()).probabilities
    assert np.allclose(average, on_tree.average_strategy().probabilities, rtol=0, atol=1e-15)


ITERATIONS = {
    "liars_dice(sides=3)": 1000,
    "leduc(ranks=2)": 1000,
    "leduc(players=3,ranks=2,raise_cap=1)": 300,
}
RUNS = [
    (sampler, variant)
    for sampler in [*USUAL, *SET]
    for variant in (["cfr"] if sampler == "pure" else ["cfr", "lcfr", "dcfr"])
]


def is_soon_compiled(spec: str, run: tuple[str, str]) -> bool:
    """Kernels are compiled for each sampler and each file of rules."""
    return "liars" in spec and run[0].startswith("average-strategy")


def is_tried(case: Any) -> bool:
    """Every sampler in each game, with the variants by turns."""
    spec, run = getattr(case, "values", case)
    return (list(ITERATIONS).index(spec) + RUNS.index(run)) % 3 == 0 or run[0] == "pure"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("spec", "run"), [*filter(is_tried, slow_unless(is_soon_compiled, ITERATIONS, RUNS))]
)
def test_the_table_is_that_of_the_tree(spec: str, run: tuple[str, str]) -> None:
    """Averages are collected in two ways by turns: how does not depend on the rules."""
    sampler, variant = run
    turn = list(ITERATIONS).index(spec) + RUNS.index(run)
    averaging, seed = ("stochastic", "walk")[turn % 2], 7 + turn
    iterations = ITERATIONS[spec]
    game, tree, keys = compiled(spec)
    options: dict[str, Any] = {"averaging": averaging, "seed": seed, "period": 100}
    solver = ImplicitMCCFR(game, variant, sampler=sampler, **options).run(iterations)
    assert_equal(solver, MCCFR(tree, variant, sampler=sampler, **options).run(iterations), keys)


@pytest.mark.slow
@pytest.mark.parametrize("sampler", [*USUAL, *SET])
def test_cuts_and_checkpoints_change_nothing(tmp_path: Path, sampler: str) -> None:
    def fresh() -> ImplicitMCCFR:
        return ImplicitMCCFR(SMALL, some(sampler), sampler=sampler, period=64, averaging="walk")

    whole, pieces = fresh().run(1000), fresh()
    for count in (1, 63, 0, 1, 300, 35):
        pieces.run(count)
    pieces.checkpoint(tmp_path / "run.ckpt")
    again = fresh().resume(tmp_path / "run.ckpt").run(600)
    assert same_state(whole, pieces.run(600))
    assert same_state(whole, again)


@pytest.mark.parametrize("sampler", slow_but(["average-strategy"], [*USUAL, *SET]))
def test_a_table_or_a_log_that_is_full_changes_nothing(sampler: str) -> None:
    """They grow, and the traversal is run again."""
    usual = ImplicitMCCFR(SMALL, some(sampler), sampler=sampler, period=50).run(2000)
    small = ImplicitMCCFR(SMALL, some(sampler), sampler=sampler, period=50)
    small.log_size = width = small.rules.max_actions
    small.table = new_table(4, 1 + width, width)
    small.run(2000)
    assert contents(small) == contents(usual)
    assert small.progress.tolist() == usual.progress.tolist()
    assert len(small.table.row) > 100
    assert width < small.log_size < usual.log_size


@pytest.mark.parametrize("sampler", slow_but(["average-strategy"], [*USUAL, *SET]))
def test_a_log_that_cannot_grow_is_entered_earlier(sampler: str) -> None:
    """With a closed table, half of whose infosets have no row: the same bits."""
    usual, short = (ImplicitMCCFR(SMALL, sampler=sampler) for _ in range(2))
    short.log_size = width = short.rules.max_actions
    for solver in (usual, short):
        solver.table = new_table(128, 300, width)
        solver.table.used[2] = 1
        solver.run(2000)
    assert same_state(short, usual)
    assert short.log_size == width
    assert 40 < usual.num_infosets < 96
    assert not usual.table.pool[:, 1 : 1 + width].any()


# Of three rows of liar's dice, a sampler that tries one action finds hardly any on its way.
@pytest.mark.slow
@pytest.mark.parametrize(
    ("spec", "sampler"),
    [
        *(("liars_dice(sides=3)", name) for name in ("external", "average-strategy", "pure")),
        *(slow("leduc(ranks=2)", name) for name in NAMES),
    ],
)
def test_above_infosets_without_a_row_all_is_as_usual(spec: str, sampler: str) -> None:
    """Their values go up, and only they learn nothing.

    In the first trajectory everybody plays uniformly, with a row or without, so that the rows that
    a table of three has must be those of a table with room for all.
    """
    game, tree, keys = compiled(spec)
    own = {keys[text] for i, text in enumerate(tree.infoset_keys) if tree.infoset_player[i] == 0}
    hidden = 0
    for seed in range(60):
        few = ImplicitMCCFR(game, sampler=sampler, seed=seed)
        few.table = new_table(4, 64, game.rules.max_actions)
        few.table.used[2] = 1
        found = contents(few.run(1))
        whole = contents(ImplicitMCCFR(game, sampler=sampler, seed=seed).run(1))
        assert len(found) <= 3
        assert not few.table.pool[:, 1 : 1 + game.rules.max_actions].any()
        for key in own & found.keys():
            assert np.allclose(found[key][0], whole[key][0], rtol=1e-12, atol=0)
        below = own & whole.keys() - found.keys()
        hidden += any(any(whole[key][0]) for key in below)
    assert hidden > 5


@pytest.mark.slow
def test_probes_leave_no_rows() -> None:
    """One line of play per player has rows: at most six bids, and the word that ends them."""
    rows, visits = 0, 0
    for seed in range(10):
        solver = ImplicitMCCFR(SMALL, sampler="probing", seed=seed).run(1)
        assert 2 <= solver.num_infosets <= 14
        rows += solver.num_infosets
        visits += solver.nodes_touched
    assert rows < 100 < 200 < visits


@pytest.mark.parametrize("sampler", slow_but(["average-strategy"], USUAL))
def test_the_bound_of_memory_is_held(sampler: str) -> None:
    """Everything that NumPy allocates, from the empty table to the strategy that is read out."""
    rules = load_rules("liars_dice", dice=2, sides=6)
    options: dict[str, Any] = {"sampler": sampler, "memory": 600_000, "period": 100}
    ImplicitMCCFR(rules, some(sampler), **options).run(2000).average_strategy()  # imports, compiles
    tracemalloc.start()
    solver = ImplicitMCCFR(rules, some(sampler), **options).run(1)
    assert not solver.is_full
    full = solver.run(2000)
    average = full.average_strategy()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert full.is_full
    assert 150_000 < peak < 600_000
    assert solver.table_bytes + solver.scratch_bytes <= 600_000
    assert average.num_infosets > 100


@pytest.mark.parametrize("sampler", slow_but(["average-strategy"], USUAL))
def test_a_full_table_resumes_with_the_same_bits(tmp_path: Path, sampler: str) -> None:
    def fresh() -> ImplicitMCCFR:
        return ImplicitMCCFR(LARGE, sampler=sampler, memory=600_000)

    whole, first = fresh().run(1500), fresh().run(1200)
    assert first.is_full
    first.checkpoint(tmp_path / "run.ckpt")
    assert same_state(fresh().resume(tmp_path / "run.ckpt").run(300), whole)


@pytest.mark.parametrize("sampler", slow_but([], sorted({*NAMES} - {"chance"})))
def test_wrong_rules_are_refused(tmp_path: Path, sampler: str) -> None:
    """One module with a choice of faults, so that it is compiled once.

    Chance sampling refuses endless rules before it begins.
    """
    path = write_rules(tmp_path, _faulty())
    kinds = ("endless", "endless", "payoffs", "sizes", "sizes", "sizes")
    for fault, kind in enumerate(kinds, start=1):
        solver = ImplicitMCCFR(f"rules:{path}(fault={fault})", sampler=sampler)
        with refuses(GameError, kind=kind):
            solver.run(100)


def _faulty() -> str:
    text = OWN
    for old, new in {
        '{"rounds": 2}': '{"rounds": 2, "fault": 0}',
        "np.uint64(s[1])": "np.uint64(0)",
        "s[0] += 1": "s[0] += g[1] != 1",
        "return g[0] + 1": "return g[0] + 1 - (g[1] == 2)",
        "value = s[1]": "value = np.inf if g[1] == 3 else s[1]",
        "    return 2\n\n\ndef apply": """
    if g[1] == 4:
        return 3
    if g[1] == 5:
        return 0
    return 2 - s[1] // 2 if g[1] == 6 else 2


def apply""",
    }.items():
        assert text.count(old) == 1
        text = text.replace(old, new)
    return text


def test_parameters_are_part_of_the_run(tmp_path: Path) -> None:
    """Of the sampler's name and of a checkpoint's."""
    own = "average-strategy(tau=2.0)"
    ImplicitMCCFR(SMALL, sampler=own).run(5).checkpoint(tmp_path / "run.ckpt")
    with refuses(CheckpointError, option="sampler", given=own, expected="average-strategy"):
        ImplicitMCCFR(SMALL, sampler="average-strategy").resume(tmp_path / "run.ckpt")


@pytest.mark.slow
def test_more_actions_than_there_are_count_as_all() -> None:
    most = ImplicitMCCFR(SMALL, sampler=f"robust(k={10**30})").run(50)
    all_tried = ImplicitMCCFR(SMALL).run(50)
    assert contents(most) == contents(all_tried)
