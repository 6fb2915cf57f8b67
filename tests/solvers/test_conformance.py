"""What holds of every solver class: how runs are cut, copied and repeated changes no bit."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import FrozenInstanceError, fields, is_dataclass, replace
from functools import cache
from typing import Any

import numpy as np
import pytest

from equilibrist.errors import ConfigError, EquilibristError, LineSyntaxError, MismatchError
from equilibrist.game_loading import compile_game
from equilibrist.games import load_game
from equilibrist.poker.solutions.spot_strategy import SpotStrategy
from equilibrist.poker.solving.run import solved
from equilibrist.poker.solving.solver import SpotSolver
from equilibrist.poker.spots.spot import Spot
from equilibrist.rules.strategy import PackedStrategy
from equilibrist.solvers.full_traversal.best_response_solvers import CFRBR, XFP
from equilibrist.solvers.full_traversal.cfr import CFR
from equilibrist.solvers.full_traversal.efr import EFR
from equilibrist.solvers.full_traversal.fsicfr import FSICFR
from equilibrist.solvers.implicit.mccfr import ImplicitMCCFR
from equilibrist.solvers.matrix.regret_matching import RegretMatching
from equilibrist.solvers.run.solver import IterativeSolver
from equilibrist.solvers.run.stopping import StopRule
from equilibrist.solvers.sampling.mccfr import MCCFR
from equilibrist.strategy import Strategy
from tests.refusals import refuses

Make = Callable[[], Any]
RULES = load_game("rules:liars_dice(sides=3)")
TURN = Spot(board="Td9d6h5h", oop="QQ,JTs,87s", ip="99,A9s,KQs", pot=50, stack=60, bets="70%")
LOCKED = TURN.replace(locks=["X: frequency = Bet 35 40%"])
SOLVERS: dict[str, Make] = {
    "CFR": lambda: CFR(tree("leduc")),
    "CFR, predictive, at once": lambda: CFR(tree("kuhn(players=3)"), "pcfr+", alternating=False),
    "CFR, local rule": lambda: CFR(tree("kuhn"), "hedge"),
    "CFR, planned": lambda: CFR(tree("kuhn"), "hs-dcfr", horizon=10),
    "MCCFR": lambda: MCCFR(tree("leduc")),
    "MCCFR, discounts": lambda: MCCFR(tree("kuhn"), "dcfr", sampler="outcome", period=2, seed=3),
    "MCCFR, baselines": lambda: MCCFR(tree("kuhn"), sampler="external(baseline=learned)"),
    "MCCFR, threads": lambda: MCCFR(tree("kuhn"), threads=2, executor="serial", period=2),
    "MCCFR, textbook": lambda: MCCFR(tree("kuhn"), sampler="textbook"),
    "MCCFR, ESCHER": lambda: MCCFR(tree("kuhn"), sampler="escher", averaging="walk"),
    "ImplicitMCCFR": lambda: ImplicitMCCFR(RULES, seed=2),
    "ImplicitMCCFR, threads": lambda: ImplicitMCCFR(
        RULES, "lcfr", sampler="outcome", threads=2, executor="serial", period=2
    ),
    "ImplicitMCCFR, pure": lambda: ImplicitMCCFR(RULES, sampler="pure"),
    "FSICFR": lambda: FSICFR("dudo(sides=2)", seed=1),
    "XFP": lambda: XFP(tree("kuhn")),
    "CFRBR": lambda: CFRBR(tree("kuhn"), "cfr+"),
    "EFR": lambda: EFR(tree("leduc")),
    "EFR, behavioural": lambda: EFR(tree("kuhn(players=3)"), "bhv"),
    "RegretMatching": lambda: RegretMatching("shapley", seed=4, trace=4),
    "RegretMatching, plus": lambda: RegretMatching("rps", "regret-matching+", sampled=False),
    "SpotSolver": lambda: SpotSolver(TURN),
    "SpotSolver, predictive": lambda: SpotSolver(TURN, "pcfr+", threads=2),
    "SpotSolver, 16 bits": lambda: SpotSolver(TURN, storage="int16"),
    "SpotSolver, frequency": lambda: SpotSolver(LOCKED),
}
each = pytest.mark.parametrize(
    "make", [pytest.param(make, id=name) for name, make in SOLVERS.items()]
)


@cache
def tree(game: str) -> Any:
    return compile_game(game)


def leaves(found: Any) -> Iterator[bytes]:
    """All numbers of a state, arrays by their bits."""
    if is_dataclass(found):
        for field in fields(found):
            yield from leaves(getattr(found, field.name))
    elif isinstance(found, np.ndarray):
        yield found.tobytes()
    elif isinstance(found, Mapping):
        for name in sorted(found):
            yield from (name.encode(), *leaves(found[name]))
    elif isinstance(found, (tuple, list)):
        for item in found:
            yield from leaves(item)
    else:
        yield repr(found).encode()


def bits(solver: Any) -> list[bytes]:
    """The state and both strategies."""
    strategies = (solver.average_strategy(), solver.current_strategy())
    return [*leaves(solver.state), *(r.tobytes() for s in strategies for r in rows(s))]


def rows(strategy: Any) -> list[np.ndarray]:
    """The probabilities, one row per infoset or hand."""
    if isinstance(strategy, Strategy):
        return np.split(strategy.probabilities, strategy.tree.action_offset[1:-1])
    if isinstance(strategy, PackedStrategy):
        ends = np.cumsum(strategy.actions)
        return np.split(strategy.probabilities, ends[:-1]) if len(ends) else []
    if isinstance(strategy, SpotStrategy):
        lines = ("", "X", "X-B35", "X-X|2c", "X-X|2d|X", "X-B35-C|Ah|X")
        played = [played_at(strategy, line).T for line in lines]
        return [row for hands in played for row in hands if not np.isnan(row).any()]
    return [np.array(list(by_action.values())) for by_action in strategy]


def played_at(strategy: SpotStrategy, line: str) -> np.ndarray:
    """float64[A, 1326]: the probabilities of all hands."""
    return np.array([*strategy[line].values()])


@each
def test_it_has_the_shared_interface(make: Make) -> None:
    solver = make()
    assert isinstance(solver, IterativeSolver)
    assert solver.iteration == solver.state.iteration == 0
    assert solver.run(2) is solver
    assert solver.iteration == solver.state.iteration == 2


@each
def test_cuts_change_no_bit(make: Make) -> None:
    whole = make().run(5)
    assert bits(whole) == bits(make().run(3).run(2)) == bits(make().run(0).run(5).run(0))
    assert bits(whole) != bits(make().run(4))


@each
def test_a_second_run_is_equal(make: Make) -> None:
    assert bits(make().run(4)) == bits(make().run(4))


@each
def test_a_state_continues_in_a_fresh_solver(make: Make) -> None:
    straight, first = make().run(7), make().run(3)
    state = first.state
    first.run(2)  # the state is a copy
    fresh = make()
    assert fresh.restore(state) is fresh
    assert fresh.iteration == 3
    assert bits(fresh) == bits(make().run(3))
    assert bits(fresh.run(4)) == bits(straight)
    assert bits(first.restore(state).run(4)) == bits(straight)
    with pytest.raises((FrozenInstanceError, AttributeError)):
        state.iteration = 0
    with pytest.raises(AttributeError):
        fresh.iteration = -3


@each
def test_the_arrays_of_a_state_cannot_be_written_to(make: Make) -> None:
    found = list(arrays(make().run(3).state))
    assert found
    assert not any(array.flags.writeable for array in found)


def arrays(found: Any) -> Iterator[np.ndarray]:
    """All arrays of a state."""
    if isinstance(found, np.ndarray):
        yield found
    elif is_dataclass(found):
        yield from (a for field in fields(found) for a in arrays(getattr(found, field.name)))
    elif isinstance(found, Mapping):
        yield from (a for item in found.values() for a in arrays(item))
    elif isinstance(found, tuple):
        yield from (a for item in found for a in arrays(item))


@each
def test_strategies_add_up_to_one(make: Make) -> None:
    solver = make()
    for iterations in (0, 1, 4):
        solver.run(iterations)
        for strategy in (solver.average_strategy(), solver.current_strategy()):
            found = rows(strategy)
            assert found or iterations == 0  # rules have no infosets before the first iteration
            for row in found:
                assert row.min(initial=0.0) >= 0.0
                assert row.sum() == pytest.approx(1.0, abs=1e-6)


@each
def test_strategies_are_copies(make: Make) -> None:
    solver = make().run(3)
    strategies = solver.average_strategy(), solver.current_strategy()
    before = [[row.copy() for row in rows(strategy)] for strategy in strategies]
    solver.run(3)
    for strategy, copied in zip(strategies, before, strict=True):
        assert [r.tobytes() for r in rows(strategy)] == [r.tobytes() for r in copied]


def test_the_current_strategy_of_rules_is_that_of_their_tree() -> None:
    without, on_tree = ImplicitMCCFR(RULES, seed=2).run(50), MCCFR(tree(RULES), seed=2).run(50)
    found = Strategy.from_packed(on_tree.tree, without.current_strategy()).probabilities
    assert found == pytest.approx(on_tree.current_strategy().probabilities, abs=1e-12)
    assert np.abs(found - on_tree.average_strategy().probabilities).max() > 0.1


@pytest.mark.parametrize("locks", [[], ["X: 99 = Check 100%", "X-B35: JTs = Fold 25%"]])
def test_averages_of_a_spot_take_in_the_current_strategies(locks: list[str]) -> None:
    """CFR counts all iterations alike, and hands apart from their reach."""
    spot = TURN.replace(locks=locks)
    solver = SpotSolver(spot, "cfr", storage="float64")
    lines = ("", "X", "B35", "X-B35", "X-X|2c", "X-X|2d|X", "X-B35-C|Ah|X")
    sums = dict.fromkeys(lines, 0.0)
    moved = 0.0

    def by_line(strategy: SpotStrategy) -> dict[str, np.ndarray]:
        return {line: played_at(strategy, line) for line in lines}

    for count in range(1, 6):
        current = by_line(solver.current_strategy())
        sums = {line: found + current[line] for line, found in sums.items()}
        average = by_line(solver.run(1).average_strategy())
        for line in lines:
            assert average[line] == pytest.approx(sums[line] / count, abs=1e-12, nan_ok=True)
            moved = max(moved, float(np.nanmax(np.abs(average[line] - current[line]))))
    assert moved > 0.1
    held = {line: ~np.isnan(average[line]).any(axis=0) for line in lines}
    solution = solved(spot, solver, StopRule(5))
    for line in lines:
        assert np.array_equal(solution.at(line).values.strategy, average[line], equal_nan=True)
        assert 0 < held[line].sum() < 60


def test_where_nobody_acts_a_spot_has_no_strategy() -> None:
    strategy = SpotSolver(TURN).average_strategy()
    with refuses(ConfigError, option="line", given="X-X"):
        strategy["X-X"]
    with refuses(LineSyntaxError, option="line"):
        strategy["X-B9999"]


def test_regret_matching_gives_what_its_result_says() -> None:
    solver = RegretMatching("shapley", seed=4)
    assert solver.average_strategy() == solver.current_strategy()
    result = solver.run(40).result()
    assert solver.average_strategy() == result.average_strategy
    assert solver.current_strategy() == result.current_strategy != result.average_strategy
    state = solver.state
    again = RegretMatching("shapley", seed=9).restore(state)  # the streams are in the state
    assert again.run(20).result().average_regrets == solver.run(20).result().average_regrets


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
    solver = {
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
    for changes, option in (
        ({"behaviour": np.full(size, np.nan)}, "behaviour"),
        ({"kept": {**held, kept: [0.0]}}, kept),
    ):
        with refuses(ConfigError, option=option):
            solver.restore(replace(solver.state, **changes))
    drawn = MCCFR(tree("kuhn"), threads=2, period=10).run(15)
    begun = drawn.state.before
    for changes, option in (
        ({"before": {"regret": begun["regret"]}}, "before"),
        ({"before": {**begun, "regret": begun["regret"] * np.nan}}, "regret"),
        ({"kept": {"x": 1}}, "x"),
        ({"nodes_touched": -1}, "nodes_touched"),
    ):
        with refuses(ConfigError, option=option):
            drawn.restore(replace(drawn.state, **changes))


@each
def test_impossible_numbers_of_iterations_are_refused(make: Make) -> None:
    solver = make()
    for count in (-1, 10**30, 2.5, True, "3", None):
        with refuses(ConfigError, option="iterations"):
            solver.run(count)
    assert solver.iteration == 0


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
