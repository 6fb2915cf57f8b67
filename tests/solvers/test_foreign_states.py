"""States of other runs, edited ones and what is none: refused by field, and nothing changes."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from equilibrist.errors import ConfigError, EquilibristError, MismatchError
from equilibrist.poker.postflop.solving.solver import SpotSolver
from equilibrist.solvers.full_traversal.best_response_solvers import CFRBR
from equilibrist.solvers.full_traversal.cfr import CFR
from equilibrist.solvers.full_traversal.fsicfr import FSICFR
from equilibrist.solvers.implicit.mccfr import ImplicitMCCFR
from equilibrist.solvers.matrix.regret_matching import RegretMatching
from equilibrist.solvers.sampling.mccfr import MCCFR
from tests.refusals import refuses
from tests.solvers.every_solver import RULES, SOLVERS, TURN, Make, bits, each, tree

OTHER_RUNS: dict[str, tuple[Make, Make, str]] = {
    "algorithm": (SOLVERS["CFR"], lambda: CFR(tree("leduc"), "cfr+"), "algorithm"),
    "parameters": (SOLVERS["CFR"], lambda: CFR(tree("leduc"), "dcfr(gamma=3)"), "algorithm"),
    "order": (SOLVERS["CFR"], lambda: CFR(tree("leduc"), alternating=False), "alternating"),
    "game": (SOLVERS["CFR"], lambda: CFR(tree("kuhn")), "game"),
    "horizon": (
        SOLVERS["CFR, planned"],
        lambda: CFR(tree("kuhn"), "hs-dcfr", horizon=11),
        "horizon",
    ),
    "CFR in XFP": (lambda: CFR(tree("kuhn"), "cfr"), SOLVERS["XFP"], "algorithm"),
    "XFP in CFR": (SOLVERS["XFP"], lambda: CFR(tree("kuhn"), "cfr"), "algorithm"),
    "CFR-BR in CFR": (SOLVERS["CFRBR"], lambda: CFR(tree("kuhn"), "cfr+"), "algorithm"),
    "CFR-BR of another variant": (
        SOLVERS["CFRBR"],
        lambda: CFRBR(tree("kuhn"), "dcfr"),
        "algorithm",
    ),
    "sampler": (SOLVERS["MCCFR"], lambda: MCCFR(tree("leduc"), sampler="outcome"), "sampler"),
    "sampler's parameter": (
        lambda: MCCFR(tree("kuhn"), sampler="outcome(epsilon=0.4)"),
        lambda: MCCFR(tree("kuhn"), sampler="outcome(epsilon=0.3)"),
        "sampler",
    ),
    "averaging": (SOLVERS["MCCFR"], lambda: MCCFR(tree("leduc"), averaging="walk"), "averaging"),
    "FSICFR in MCCFR": (lambda: FSICFR("kuhn"), lambda: MCCFR(tree("kuhn")), "algorithm"),
    "rules": (SOLVERS["ImplicitMCCFR"], lambda: ImplicitMCCFR("rules:leduc", seed=2), "game"),
    "rules, algorithm": (
        SOLVERS["ImplicitMCCFR"],
        lambda: ImplicitMCCFR(RULES, "lcfr", seed=2),
        "algorithm",
    ),
    "rules, sampler": (
        SOLVERS["ImplicitMCCFR"],
        lambda: ImplicitMCCFR(RULES, sampler="outcome", seed=2),
        "sampler",
    ),
    "matrix game": (
        SOLVERS["RegretMatching"],
        lambda: RegretMatching("rps"),
        "game",
    ),
    "plus": (SOLVERS["RegretMatching, plus"], lambda: RegretMatching("rps"), "algorithm"),
    "expectations": (
        SOLVERS["RegretMatching, plus"],
        lambda: RegretMatching("rps", "regret-matching+"),
        "sampled",
    ),
    "spot": (SOLVERS["SpotSolver"], lambda: SpotSolver(TURN.replace(ip="99:0.5,A9s,KQs")), "ip"),
    "spot, algorithm": (SOLVERS["SpotSolver"], lambda: SpotSolver(TURN, "dcfr"), "algorithm"),
}


@pytest.mark.parametrize("name", OTHER_RUNS)
def test_the_state_of_another_run_is_refused(name: str) -> None:
    """Even where its arrays would fit; the error says what differs, and nothing changes."""
    of, into, option = OTHER_RUNS[name]
    solver, state = into().run(1), of().run(2).state
    before = bits(solver)
    with refuses(MismatchError, option=option):
        solver.restore(state)
    assert bits(solver) == before


def test_a_state_that_does_not_say_of_what_run_it_is_must_fit_only() -> None:
    state = replace(CFR(tree("kuhn")).run(2).state, identity=None)
    assert CFR(tree("kuhn"), "cfr+").restore(state).iteration == 2
    with refuses(MismatchError, option="regret"):
        CFR(tree("leduc")).restore(state)


EDITED: dict[str, tuple[dict[str, Any], type[EquilibristError], str]] = {
    "a list": ({"regret": [0.0]}, ConfigError, "regret"),
    "texts": ({"strategy_sum": np.array(["x"])}, ConfigError, "strategy_sum"),
    "NaN": ({"strategy_sum": np.nan}, ConfigError, "strategy_sum"),
    "too short": ({"strategy_sum": np.zeros(3)}, MismatchError, "strategy_sum"),
    "kept": ({"kept": None}, ConfigError, "kept"),
    "identity": ({"identity": "x"}, ConfigError, "identity"),
    "before the start": ({"iteration": -1}, ConfigError, "iteration"),
    "no number": ({"iteration": "x"}, ConfigError, "iteration"),
}


@pytest.mark.parametrize("edit", EDITED)
@pytest.mark.parametrize("name", ["CFR", "MCCFR", "FSICFR"])
def test_an_edited_state_is_refused_by_field(name: str, edit: str) -> None:
    solver: Any = {
        "CFR": lambda: CFR(tree("kuhn")),
        "MCCFR": lambda: MCCFR(tree("kuhn")),
        "FSICFR": lambda: FSICFR("kuhn"),
    }[name]()
    state = solver.run(2).state
    changes, kind, option = EDITED[edit]
    if edit == "NaN":
        changes = {option: np.full_like(state.strategy_sum, np.nan)}
    before = bits(solver)
    with refuses(kind, option=option):
        solver.restore(replace(state, **changes))
    assert bits(solver) == before


def test_an_edited_state_of_other_parts_is_refused_by_field() -> None:
    size = tree("kuhn").sequence_form.num_sequences
    solver = CFR(tree("kuhn"), "apcfr+").run(2)
    held = solver.state.kept
    kept = next(iter(held))
    edits: list[tuple[dict[str, Any], str]] = [
        ({"behaviour": np.full(size, np.nan)}, "behaviour"),
        ({"kept": {**held, kept: [0.0]}}, kept),
    ]
    for changes, option in edits:
        with refuses(ConfigError, option=option):
            solver.restore(replace(solver.state, **changes))
    drawn = MCCFR(tree("kuhn"), threads=2, period=10).run(15)
    begun = drawn.state.before
    cases: list[tuple[dict[str, Any], str]] = [
        ({"before": {"regret": begun["regret"]}}, "before"),
        ({"before": {**begun, "regret": begun["regret"] * np.nan}}, "regret"),
        ({"kept": {"x": 1}}, "x"),
        ({"nodes_touched": -1}, "nodes_touched"),
    ]
    for changes, option in cases:
        with refuses(ConfigError, option=option):
            drawn.restore(replace(drawn.state, **changes))


def test_states_of_spots_fit_their_spot_and_storage() -> None:
    state = SpotSolver(TURN).run(2).state
    with refuses(MismatchError, option="ip"):
        SpotSolver(TURN.replace(ip="99")).restore(state)
    with refuses(MismatchError, option="storage"):
        SpotSolver(TURN, storage="int16").restore(state)
    with refuses(MismatchError, option="algorithm"):
        SpotSolver(TURN, "pcfr+").restore(state)
    unknown = replace(state, identity=None)  # the arrays must fit
    with refuses(MismatchError, option="layout"):
        SpotSolver(TURN.replace(ip="99")).restore(unknown)
    with refuses(MismatchError, option="regret"):
        SpotSolver(TURN, storage="int16").restore(unknown)
    with refuses(MismatchError, option="match"):
        SpotSolver(TURN, "pcfr+").restore(unknown)


@pytest.mark.by_default(7)
@each
def test_what_is_no_state_is_refused(make: Make) -> None:
    with refuses(ConfigError, option="state", given=3):
        make().restore(3)
    solver = make().run(2)
    before = bits(solver)
    for name in ("CFR", "MCCFR", "ImplicitMCCFR", "FSICFR", "RegretMatching", "SpotSolver"):
        other = SOLVERS[name]()
        if type(other.state) is not type(solver.state):
            with pytest.raises(EquilibristError):
                solver.restore(other.state)
    assert bits(solver) == before
