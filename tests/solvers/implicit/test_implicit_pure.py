"""Pure CFR without a tree: whole numbers of a unit that is found on the way."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from equilibrist.errors import ConfigError
from equilibrist.game_loading import compile_game
from equilibrist.games import load_game
from equilibrist.rules.game import RulesGame
from equilibrist.solvers.implicit.infoset_table import new_table
from equilibrist.solvers.implicit.mccfr import ImplicitMCCFR
from equilibrist.solvers.sampling.mccfr import MCCFR
from equilibrist.solving import solve
from tests.refusals import refuses
from tests.rules.own_rules import OWN, write_rules
from tests.solvers.implicit.implicit_runs import SMALL, contents, same_state

RARE = {
    "twelfths": ("1 / 3", "0.25"),
    "binary and decimal": ("1.5 + 2 ** -6", "0.1 + 0.2"),
    "whole": ("-7", "1e3"),
    "no fraction": ("np.sqrt(2.0)",),
    "large": ("1e9 + 0.5",),
}


def rare_payoffs(folder: Path, name: str) -> str:
    """Rules whose payoffs are whole but for some that one of 4,096 lines of play leads to each.

    One module with a choice among `RARE`, so that it is compiled once. `s[1]` holds all moves as
    binary digits after a 1: nobody forgets anything.
    """
    cases = "".join(
        f"    if g[1] == {number} and s[1] == {8191 - n}:\n        value = {x}\n"
        for number, rare in enumerate(RARE.values())
        for n, x in enumerate(rare)
    )
    text = OWN
    for old, new in {
        '{"rounds": 2}': '{"rounds": 12, "rare": 0}',
        "    s[1] = 0\n": "    s[1] = 1\n",
        "s[1] += 1 + a": "s[1] = 2 * s[1] + a",
        "value = s[1] - 1.5 * g[0]\n": f"value = s[1] % 5 - 2.0\n{cases}",
    }.items():
        assert text.count(old) == 1
        text = text.replace(old, new)
    return f"rules:{write_rules(folder, text)}(rare={list(RARE).index(name)})"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("rare", "unit"), [("twelfths", 1 / 12), ("binary and decimal", 1 / 320), ("whole", 1.0)]
)
def test_the_unit_becomes_finer_as_payoffs_need_it(tmp_path: Path, rare: str, unit: float) -> None:
    """Regrets are converted to the new unit: at the end they equal those of the tree, as if the
    unit had been known."""
    game = load_game(rare_payoffs(tmp_path, rare))
    assert isinstance(game, RulesGame)
    solver = ImplicitMCCFR(game, sampler="pure", seed=2).run(3)
    assert solver.unit == 1.0
    solver.run(1997)
    assert solver.unit == unit
    tree = compile_game(game)
    state = MCCFR(tree, sampler="pure", seed=2).run(2000).state
    found, keys = contents(solver), game.packed_keys()
    for i, text in enumerate(tree.infoset_keys):
        row = tree.actions_of(i)
        expected = (
            state.kept["pure_regret"][row].tolist(),
            state.kept["pure_counts"][row].tolist(),
        )
        zeros = [0.0] * (row.stop - row.start)
        assert found.get(keys[text], (zeros, zeros)) == expected


@pytest.mark.slow
def test_cuts_and_checkpoints_change_nothing_while_the_unit_does(tmp_path: Path) -> None:
    spec = rare_payoffs(tmp_path, "twelfths")
    whole = ImplicitMCCFR(spec, sampler="pure", seed=2).run(2000)
    units, pieces = set(), ImplicitMCCFR(spec, sampler="pure", seed=2)
    for count in (3, 0, 47, 950, 1000):
        pieces.run(count).checkpoint(tmp_path / "run.ckpt")
        units.add(pieces.unit)
        pieces = ImplicitMCCFR(spec, sampler="pure", seed=2).resume(tmp_path / "run.ckpt")
    assert same_state(whole, pieces)
    assert pieces.unit == whole.unit
    assert len(units) > 1


@pytest.mark.slow
def test_all_numbers_are_whole() -> None:
    solver = ImplicitMCCFR("rules:leduc(players=3)", sampler="pure", averaging="stochastic")
    solver.run(3000)
    assert solver.unit == 0.5
    assert np.array_equal(solver.table.pool, np.rint(solver.table.pool))
    assert solver.table.pool[1].sum() > 3000


@pytest.mark.slow
@pytest.mark.parametrize(
    ("rare", "fields"),
    [
        ("no fraction", dict(option="payoffs", given=1.4142135623730951)),
        ("large", dict(option="payoffs", given=0.5)),
    ],
)
def test_payoffs_that_have_no_unit_are_refused(
    tmp_path: Path, rare: str, fields: dict[str, Any]
) -> None:
    with refuses(ConfigError, **fields):
        ImplicitMCCFR(rare_payoffs(tmp_path, rare), sampler="pure", seed=2).run(2000)


def test_discounts_are_refused() -> None:
    with refuses(ConfigError, option="algorithm", given="dcfr"):
        ImplicitMCCFR(SMALL, "dcfr", sampler="pure")
    with refuses(ConfigError, option="algorithm", given="lcfr"):
        solve(SMALL, "lcfr", iterations=5, sampling="pure", explicit_tree=False)


@pytest.mark.slow
def test_the_bound_is_in_payoffs(tmp_path: Path) -> None:
    """Not in units, of which a payoff here has many."""
    spec = rare_payoffs(tmp_path, "twelfths")
    solver = ImplicitMCCFR(spec, sampler="pure", seed=2).run(2000)
    external = ImplicitMCCFR(spec).run(2000)
    bound, usual = solver.bound_nash_conv(), external.bound_nash_conv()
    assert bound is not None
    assert usual is not None
    assert solver.unit == 1 / 12
    assert 0.5 * usual < bound < 2 * usual


@pytest.mark.slow
def test_what_is_not_stored_is_recounted_as_the_unit_becomes_finer(tmp_path: Path) -> None:
    """In a full table as if the unit had been known; the bound is in payoffs."""
    spec = rare_payoffs(tmp_path, "twelfths")
    found, known = (ImplicitMCCFR(spec, sampler="pure", seed=2) for _ in range(2))
    known.load()
    for solver in (found, known):
        solver.table = new_table(64, 200, solver.rules.max_actions)
        solver.table.used[2] = 1
    assert known.units is not None
    known.units.choose_unit([1.0, 1 / 3, 0.25])
    assert found.run(2000).unit == known.run(2000).unit == 1 / 12
    assert same_state(found, known)
    unstored = float(found.table.pool[0, 0])
    rows = sum(max(0.0, *regrets) for regrets, _ in contents(found).values())
    assert 0.0 < unstored == np.rint(unstored)
    assert found.bound_nash_conv() == pytest.approx((rows + unstored) / 12 / 2000, rel=1e-12)
    assert found.bound_unstored_share() == pytest.approx(unstored / (rows + unstored), rel=1e-12)
