"""Every public name, called with anything: one of our errors, or an answer, never a leak."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from inspect import Parameter, signature
from pathlib import Path
from typing import Any, get_args, get_type_hints

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import equilibrist as eq
from equilibrist import contrib, evaluation, poker, solvers
from equilibrist import solving as solving_package
from equilibrist.errors import (
    ConfigError,
    EquilibristError,
    GameSpecError,
    MismatchError,
    UnknownNameError,
)
from equilibrist.evaluation import play_duplicates
from equilibrist.rules import load_rules
from equilibrist.rules.module import Rules
from equilibrist.solvers import CFRBR, FSICFR, XFP
from tests.refusals import refuses

KUHN = eq.compile_game("kuhn")
UNIFORM = eq.Strategy.uniform(KUHN)
RULES = eq.load_game("kuhn")
DICE = eq.load_game("rules:liars_dice(sides=2)")
STATE = DICE.next(DICE.next(DICE.initial_state(), 0), 0)
SPOT = poker.Spot(board="Td9d6h5h2c", oop="QQ", ip="99", pot=50, stack=60, bets="70%")
BETTING = poker.public_tree(SPOT.rules())
KEY, LABEL = KUHN.infoset_keys[0], KUHN.action_labels[0][0]

Call = Callable[[Any], object]


# Solved when a test first asks, not when the file is collected: kernels may have to be compiled.
@cache
def solved() -> eq.Result:
    return eq.solve(KUHN, iterations=2)


@cache
def packed() -> Any:
    return eq.solve(DICE, explicit_tree=False, iterations=5).strategy


def with_row(row: Any) -> dict[str, Any]:
    return {**UNIFORM.to_dict(), KEY: row}


def solving(option: str) -> Call:
    return lambda x: eq.solve("kuhn", **{"iterations": 2, option: x})


OPTIONS = (
    "iterations", "target", "seconds", "seed", "alternating", "output", "plot", "checkpoint_every",
    "max_histories", "memory", "max_depth", "callbacks", "stop", "storage", "explicit_tree",
    "sampler", "averaging", "averaging_every", "period", "threads", "shared",
    "executor", "address",
)  # fmt: skip

WITHOUT_TREE = ("iterations", "seconds", "seed", "period", "memory", "callbacks")


def sampling(option: str) -> Call:
    return lambda x: eq.solve(DICE, explicit_tree=False, **{"iterations": 2, option: x})


SAMPLED = (
    "averaging",
    "averaging_every",
    "seed",
    "period",
    "threads",
    "shared",
    "executor",
    "address",
)


def sampled(option: str) -> Call:
    return lambda x: eq.MCCFR(KUHN, **{option: x})


CALLS: dict[str, Call] = {
    "solve without a tree": lambda x: eq.solve(x, explicit_tree=False, iterations=1),
    "solve without a tree algorithm": lambda x: eq.solve(
        DICE, x, explicit_tree=False, iterations=1
    ),
    **{f"solve without a tree {option}": sampling(option) for option in WITHOUT_TREE},
    "PackedStrategy.load": eq.PackedStrategy.load,
    "PackedStrategy.row": lambda x: packed().row(x, 0),
    "PackedStrategy.behaviour": lambda x: packed().behaviour(x, STATE),
    "Strategy.from_packed tree": lambda x: eq.Strategy.from_packed(x, packed()),
    "Strategy.from_packed": lambda x: eq.Strategy.from_packed(eq.compile_game(DICE), x),
    "play_duplicates rules": lambda x: play_duplicates(x, packed(), deals=2),
    "play_duplicates first": lambda x: play_duplicates(DICE, x, deals=2),
    "play_duplicates second": lambda x: play_duplicates(DICE, packed(), x, deals=2),
    "play_duplicates deals": lambda x: play_duplicates(DICE, packed(), deals=x),
    "play_duplicates lines": lambda x: play_duplicates(DICE, packed(), deals=2, lines=x),
    "play_duplicates seed": lambda x: play_duplicates(DICE, packed(), deals=2, seed=x),
    "evaluate": eq.evaluate,
    "expected_values": eq.expected_values,
    "exploitability": eq.exploitability,
    "nash_conv": eq.nash_conv,
    "best_response of": lambda x: eq.best_response(x, 0),
    "best_response player": lambda x: eq.best_response(UNIFORM, x),
    "check_game": eq.check_game,
    "check_game max_histories": lambda x: eq.check_game(RULES, max_histories=x),
    "compile_game": eq.compile_game,
    "compile_game max_histories": lambda x: eq.compile_game(RULES, max_histories=x),
    "compile_game memory": lambda x: eq.compile_game(RULES, memory=x),
    "check_game max_depth": lambda x: eq.check_game(RULES, max_depth=x),
    "check_game on_walk": lambda x: eq.check_game(RULES, on_walk=x),
    "compile_game max_depth": lambda x: eq.compile_game(RULES, max_depth=x),
    "compile_game on_walk": lambda x: eq.compile_game(RULES, on_walk=x),
    "load_game": eq.load_game,
    "load_game players": lambda x: eq.load_game("kuhn", players=x),
    "solve": lambda x: eq.solve(x, iterations=2),
    "solve algorithm": lambda x: eq.solve(KUHN, x, iterations=2),
    **{f"solve {option}": solving(option) for option in OPTIONS},
    "CFR": eq.CFR,
    "CFR variant": lambda x: eq.CFR(KUHN, x),
    "CFR alternating": lambda x: eq.CFR(KUHN, alternating=x).run(1),
    "CFR horizon": lambda x: eq.CFR(KUHN, "hs-dcfr", horizon=x).run(1),
    "MCCFR": eq.MCCFR,
    "MCCFR sampler": lambda x: eq.MCCFR(KUHN, sampler=x),
    "MCCFR variant": lambda x: eq.MCCFR(KUHN, x, sampler="external"),
    **{f"MCCFR {option}": sampled(option) for option in SAMPLED},
    "MCCFR restore": lambda x: eq.MCCFR(KUHN).restore(x),
    "MCCFR resume": lambda x: eq.MCCFR(KUHN).resume(x),
    "CFR restore": lambda x: eq.CFR(KUHN).restore(x),
    "CFR resume": lambda x: eq.CFR(KUHN).resume(x),
    "Strategy tree": lambda x: eq.Strategy(x, UNIFORM.probabilities),
    "Strategy probabilities": lambda x: eq.Strategy(KUHN, x),
    "Strategy.uniform": eq.Strategy.uniform,
    "Strategy.first_action": eq.Strategy.first_action,
    "Strategy.from_dict tree": lambda x: eq.Strategy.from_dict(x, UNIFORM.to_dict()),
    "Strategy.from_dict table": lambda x: eq.Strategy.from_dict(KUHN, x),
    "Strategy.from_dict row": lambda x: eq.Strategy.from_dict(KUHN, with_row(x)),
    "Strategy.from_dict number": lambda x: eq.Strategy.from_dict(KUHN, with_row({LABEL: x})),
    "Strategy.from_file": lambda x: eq.Strategy.from_file(KUHN, x),
    "Strategy[]": lambda x: UNIFORM[x],
    "in Strategy": lambda x: x in UNIFORM,
    "Strategy.mix other": lambda x: UNIFORM.mix(x, 0.5),
    "Strategy.mix weight": lambda x: UNIFORM.mix(UNIFORM, x),
    "Strategy.replace player": lambda x: UNIFORM.replace(x, UNIFORM),
    "Strategy.replace other": lambda x: UNIFORM.replace(0, x),
    "Strategy.sample key": lambda x: UNIFORM.sample(x, np.random.default_rng(0)),
    "Strategy.sample generator": lambda x: UNIFORM.sample(KEY, x),
    "Result.load": eq.Result.load,
    "Result.of": eq.Result.of,
    "Result.of algorithm": lambda x: eq.Result.of(UNIFORM, x),
    "Result.of evaluation": lambda x: eq.Result.of(UNIFORM, "x", x),
    "compare": lambda x: eq.compare(x, "cfr", iterations=2),
    "compare algorithms": lambda x: eq.compare(KUHN, x, iterations=2),
    "compare levels": lambda x: eq.compare(KUHN, "cfr", iterations=2, levels=x),
    "get_variant": solvers.get_variant,
    "algorithm_info": solvers.algorithm_info,
    "sampler_info": solvers.sampler_info,
    "Callbacks on_stage": lambda x: eq.Callbacks(on_stage=x),
    "poker.solve": lambda x: poker.solve(x, iterations=1),
    "poker.solve resume": lambda x: poker.solve(SPOT, iterations=1, resume=x),
    "poker.estimate": poker.estimate,
    "poker.check_fits": poker.check_fits,
    "poker.smaller_spots": lambda x: next(poker.smaller_spots(x, 10**6), None),
    "poker.SpotSolver": poker.SpotSolver,
    "poker.save": lambda x: poker.save(x, "saved"),
    "poker.export": lambda x: poker.export(x, "nodes.json"),
    "poker.runouts": lambda x: poker.runouts(x, "X-X"),
    "poker.public_tree": poker.public_tree,
    "poker.find_node": lambda x: poker.find_node(x, ((),)),
    "poker.find_node line": lambda x: isinstance(x, str) and poker.find_node(BETTING, x),  # type: ignore[arg-type]
    "poker.node_line": lambda x: poker.node_line(x, 0),
    "poker.node_actions": lambda x: poker.node_actions(x, 0),
    "poker.read_boards": poker.read_boards,
    "poker.flop_boards": poker.flop_boards,
    "infoset_reach": evaluation.infoset_reach,
    "infoset_values": evaluation.infoset_values,
    "warm_state solver": lambda x: solving_package.warm_state(x, UNIFORM, 100),
    "warm_state strategy": lambda x: solving_package.warm_state(eq.CFR(KUHN), x, 100),
    "poker.batch": lambda x: poker.batch(x, ["Td9d6h5h2c"], "batch"),
    "poker.batch boards": lambda x: poker.batch(SPOT, x, "batch", iterations=1),
    "StoredStrategy.on": lambda x: solved().stored.on(x),
    "StoredStrategy[]": lambda x: solved().stored[x],
    "Result.plot": lambda x: solved().plot(x),
    "GameTree": lambda x: eq.GameTree(RULES, x),
    "GameTree.index": KUHN.index,
    "GameTree.actions_of": KUHN.actions_of,
    "Variant name": lambda x: eq.Variant(x),
    "Variant discount": lambda x: eq.Variant("mine", discount=x).table(1, 3),
    "Variant average": lambda x: eq.Variant("mine", average=x).table(1, 3),
    "Variant floor": lambda x: eq.Variant("mine", floor=x).table(1, 3),
    "Variant prediction": lambda x: eq.Variant("mine", floor=0.0, prediction=x).table(1, 3),
    "Variant alternating": lambda x: eq.Variant("mine", alternating=x),
    "Variant.coefficients": eq.Variant("mine").coefficients,
    "Variant.table start": lambda x: eq.Variant("mine").table(x, 3),
}

WRITES: dict[str, Call] = {
    "solve without a tree out": sampling("out"),
    "solve without a tree checkpoint": sampling("checkpoint"),
    "solve without a tree resume": sampling("resume"),
    "PackedStrategy.save": lambda x: packed().save(x),
    "solve out": solving("out"),
    "solve checkpoint": solving("checkpoint"),
    "solve resume": solving("resume"),
    "CFR.checkpoint": lambda x: eq.CFR(KUHN).checkpoint(x),
    "StoredStrategy.save": lambda x: solved().stored.save(x),
    "Result.export": lambda x: solved().export(x),
    "Strategy.save": UNIFORM.save,
    "Result.save": lambda x: solved().save(x),
}


@cache
def rubbish() -> tuple[Any, ...]:
    return (
        None, 42, -1, 1.5, 1.0, float("nan"), float("inf"), float("-inf"), True, 10**30, "", "0",
        "x", "\0", b"x", [], {}, (), [[None]], {"1": None}, {"a": {"b": 1}}, {3: {}}, object(), int,
        Path("x"), np.float64(2.0), np.zeros(3), np.array(["a"]), RULES, KUHN, UNIFORM, solved(),
        eq.CFR(KUHN), DICE, packed(),
    )  # fmt: skip


def answers(call: Call, value: object) -> None:
    """Call it; any error must be one of ours and say something."""
    said = "an answer, not an error"
    try:
        call(value)
    except eq.EquilibristError as error:
        said = str(error)
    assert len(said) > 10


def takes_functions(name: str) -> bool:
    return name.rsplit(maxsplit=1)[-1] in ("callbacks", "on_stage", "on_walk", "progress")


@pytest.mark.parametrize("name", CALLS)
def test_rubbish_is_refused_by_one_of_our_errors(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for value in rubbish():
        if not (takes_functions(name) and callable(value)):  # a user's function fails as it fails
            answers(CALLS[name], value)


@pytest.mark.parametrize("name", WRITES)
def test_file_names_that_are_none(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for value in rubbish():
        answers(WRITES[name], value)


@given(
    st.sampled_from([name for name in CALLS if not name.startswith("solve ")]),
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.binary(),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
        max_leaves=6,
    ),
)
def test_nothing_leaks_whatever_is_given(name: str, value: object) -> None:
    answers(CALLS[name], value)


REFUSED: dict[str, tuple[Callable[[], object], type[EquilibristError], dict[str, Any]]] = {
    "no game": (lambda: eq.solve(None), GameSpecError, dict(option="problem", given=None)),  # type: ignore[arg-type]
    "number": (lambda: eq.check_game(42), GameSpecError, dict(option="game", given=42)),  # type: ignore[arg-type]
    "class": (
        lambda: eq.solve(type(RULES)),
        GameSpecError,
        dict(option="problem", given=type(RULES)),
    ),  # type: ignore[arg-type]
    "misspelt": (
        lambda: eq.compile_game("khun"),
        UnknownNameError,
        dict(option="game", suggestions=("kuhn",)),
    ),
    "compiled": (lambda: eq.compile_game(KUHN), ConfigError, dict(option="game", given=KUHN)),  # type: ignore[arg-type]
    "variant": (lambda: eq.CFR("kuhn", 3), ConfigError, dict(option="algorithm", given=3)),  # type: ignore[arg-type]
    "algorithm": (lambda: eq.solve("kuhn", 3), ConfigError, dict(option="algorithm", given=3)),  # type: ignore[arg-type]
    "solver": (lambda: eq.nash_conv(eq.CFR("kuhn")), ConfigError, dict(option="strategy")),  # type: ignore[arg-type]
    "game for strategy": (
        lambda: eq.nash_conv(KUHN),
        ConfigError,
        dict(option="strategy", given=KUHN),
    ),  # type: ignore[arg-type]
    "player text": (
        lambda: eq.best_response(UNIFORM, "0"),  # type: ignore[arg-type]
        ConfigError,
        dict(option="player", given="0"),
    ),
    "player bool": (
        lambda: eq.best_response(UNIFORM, True),
        ConfigError,
        dict(option="player", given=True),
    ),
    "player float": (
        lambda: eq.best_response(UNIFORM, 1.0),
        ConfigError,
        dict(option="player", given=1.0),
    ),  # type: ignore[arg-type]
    "player 5": (lambda: eq.best_response(UNIFORM, 5), ConfigError, dict(option="player", given=5)),
    "other player": (
        lambda: UNIFORM.replace(2, UNIFORM),
        ConfigError,
        dict(option="player", given=2),
    ),
    "other game": (
        lambda: UNIFORM.replace(0, eq.Strategy.uniform(eq.compile_game("matching_pennies"))),
        MismatchError,
        dict(option="game", given="matching_pennies", expected="kuhn"),
    ),
    "tree": (lambda: eq.Strategy.uniform(RULES), ConfigError, dict(option="tree", given=RULES)),  # type: ignore[arg-type]
    "nan": (
        lambda: eq.Strategy.from_dict(KUHN, with_row({LABEL: float("nan")})),
        ConfigError,
        dict(option="probabilities", given=[float("nan"), 0.0]),
    ),
    "text for a number": (
        lambda: eq.Strategy.from_dict(KUHN, with_row({LABEL: "1"})),
        ConfigError,
        dict(option="probability", given="1"),
    ),
    "infoset": (lambda: KUHN.index(7), ConfigError, dict(option="infoset", given=7)),  # type: ignore[arg-type]
    "iterations": (
        lambda: eq.CFR("kuhn").run(1.5),
        ConfigError,
        dict(option="iterations", given=1.5),
    ),  # type: ignore[arg-type]
    "callback": (
        lambda: eq.solve("kuhn", callbacks=3),
        ConfigError,
        dict(option="callbacks", given=3),
    ),  # type: ignore[arg-type]
    "path": (lambda: eq.Result.load(3), ConfigError, dict(option="path", given=3)),  # type: ignore[arg-type]
    "class of callbacks": (
        lambda: eq.solve("kuhn", callbacks=eq.Callbacks),  # type: ignore[arg-type]
        ConfigError,
        dict(option="callbacks", remedy="make one: Callbacks(...)"),
    ),
    "class of a sampler": (
        lambda: eq.solve("kuhn", sampler=contrib.Escher),  # type: ignore[arg-type]
        ConfigError,
        dict(option="sampler", remedy="make one: Escher()"),
    ),
    "evaluation": (
        lambda: eq.Result.of(UNIFORM, "x", 5),  # type: ignore[arg-type]
        ConfigError,
        dict(option="evaluation", given=5),
    ),
    "text for a spot": (
        lambda: poker.solve("AhKs", iterations=1),  # type: ignore[arg-type]
        ConfigError,
        dict(option="spot", given="AhKs", expected="a poker.Spot"),
    ),
    "text for boards": (
        lambda: poker.batch(SPOT, "Td9d6h5h2c", "batch"),
        ConfigError,
        dict(option="boards", given="Td9d6h5h2c"),
    ),
    "text for a line of nodes": (
        lambda: poker.find_node(BETTING, "X"),  # type: ignore[arg-type]
        ConfigError,
        dict(option="line", given="X"),
    ),
    "algorithms": (lambda: eq.compare(KUHN, 5), ConfigError, dict(option="algorithms", given=5)),  # type: ignore[arg-type]
    "no such algorithm": (
        lambda: solvers.algorithm_info("dfcr"),
        UnknownNameError,
        dict(option="algorithm", given="dfcr"),
    ),
    "no variant": (
        lambda: solvers.get_variant(None),  # type: ignore[arg-type]
        ConfigError,
        dict(option="algorithm", given=None),
    ),
    "warm start": (
        lambda: eq.solve("no such game", iterations=2, warm_start=5),  # type: ignore[call-overload]
        ConfigError,
        dict(option="warm_start", given=5),
    ),
    "floor": (lambda: eq.Variant("mine", floor="0"), ConfigError, dict(option="floor", given="0")),  # type: ignore[arg-type]
}


@pytest.mark.parametrize("name", REFUSED)
def test_messages_say_what_was_given_and_what_to_give(name: str) -> None:
    call, kind, fields = REFUSED[name]
    with refuses(kind, **fields):
        call()


def test_a_result_is_no_strategy() -> None:
    with refuses(ConfigError, option="strategy", given=solved()):
        eq.nash_conv(solved())  # type: ignore[arg-type]


def test_names_do_wherever_a_game_is_compiled() -> None:
    assert eq.compile_game("kuhn").fingerprint == KUHN.fingerprint
    assert eq.check_game("kuhn") == eq.check_game(RULES)
    named, made = eq.CFR("kuhn").run(9), eq.CFR(KUHN).run(9)
    assert named.tree.fingerprint == made.tree.fingerprint
    assert named.regrets() == made.regrets()


def test_rules_stand_for_their_game() -> None:
    rules, named = load_rules("liars_dice", sides=2), "rules:liars_dice(sides=2)"
    assert eq.compile_game(rules).fingerprint == eq.compile_game(named).fingerprint
    assert eq.check_game(rules) == eq.check_game(named)
    made, by_name = eq.CFR(rules).run(2), eq.CFR(named).run(2)
    assert made.regrets() == by_name.regrets()
    sampled = [eq.MCCFR(game, seed=1).run(2).average_strategy() for game in (rules, named)]
    assert sampled[0].to_dict() == sampled[1].to_dict()
    for solver in (eq.CFR, eq.MCCFR, FSICFR, XFP, CFRBR):
        assert Rules in get_args(get_type_hints(solver.__init__)["game"]), solver


def test_limits_of_a_walk_are_given_by_name() -> None:
    for walk in (eq.compile_game, eq.check_game):
        kinds = [one.kind for one in signature(walk).parameters.values()]
        assert kinds[1:] == [Parameter.KEYWORD_ONLY] * (len(kinds) - 1)


def test_numbers_of_numpy_are_numbers() -> None:
    assert eq.CFR(KUHN).run(np.int64(3)).iteration == 3
    assert eq.best_response(UNIFORM, np.int8(1)).player == 1
    rows = with_row({LABEL: np.float32(1.0)})
    assert eq.Strategy.from_dict(KUHN, rows)[KEY][LABEL] == 1.0


def test_objects_that_cannot_be_printed_are_refused_all_the_same() -> None:
    class Silent:
        def __repr__(self) -> str:
            raise RuntimeError("no")

    with refuses(ConfigError, option="strategy", given="an object of type Silent"):
        eq.nash_conv(Silent())  # type: ignore[arg-type]
