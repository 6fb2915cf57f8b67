"""Calls of every public name with one argument left open, and what they are made on."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

import equilibrist as eq
from equilibrist import evaluation, poker, solvers
from equilibrist import solving as solving_package
from equilibrist.evaluation import best_response, expected_values, play_duplicates
from equilibrist.poker.betting.public_tree import find_node, node_actions, node_line, public_tree
from equilibrist.poker.postflop.estimate.reductions import check_fits
from equilibrist.rules import PackedStrategy
from equilibrist.solvers import CFR, MCCFR, Variant
from tests.refusals import unchecked
from tests.solve_options import grouped

KUHN = eq.compile_game("kuhn")
UNIFORM = eq.Strategy.uniform(KUHN)
RULES = eq.load_game("kuhn")
DICE = eq.load_game("rules:liars_dice(sides=2)")
STATE = DICE.next(DICE.next(DICE.initial_state(), 0), 0)
SPOT = poker.Spot(board="Td9d6h5h2c", oop="QQ", ip="99", pot=50, stack=60, bets="70%")
BETTING = public_tree(SPOT.rules())
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
    return lambda x: eq.solve("kuhn", **grouped({"iterations": 2, option: x}))


OPTIONS = (
    "iterations", "target", "seconds", "seed", "alternating", "output", "plot", "checkpoint_every",
    "max_histories", "memory", "max_depth", "callbacks", "stop", "storage", "explicit_tree",
    "sampler", "averaging", "averaging_every", "period", "threads", "shared",
    "executor", "address", "sampling", "traversal", "abstraction", "limits", "files", "flops",
)  # fmt: skip
WITHOUT_TREE = ("iterations", "seconds", "seed", "period", "memory", "callbacks")


def sampling(option: str) -> Call:
    return lambda x: eq.solve(DICE, explicit_tree=False, **grouped({"iterations": 2, option: x}))


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
    return lambda x: MCCFR(KUHN, **{option: x})


CALLS: dict[str, Call] = {
    "solve without a tree": lambda x: eq.solve(x, explicit_tree=False, iterations=1),
    "solve without a tree algorithm": lambda x: eq.solve(
        DICE, x, explicit_tree=False, iterations=1
    ),
    **{f"solve without a tree {option}": sampling(option) for option in WITHOUT_TREE},
    "PackedStrategy.load": PackedStrategy.load,
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
    "expected_values": expected_values,
    "exploitability": eq.exploitability,
    "nash_conv": eq.nash_conv,
    "best_response of": lambda x: best_response(x, 0),
    "best_response player": lambda x: best_response(UNIFORM, x),
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
    "CFR": CFR,
    "CFR variant": lambda x: CFR(KUHN, x),
    "CFR alternating": lambda x: CFR(KUHN, alternating=x).run(1),
    "CFR horizon": lambda x: CFR(KUHN, "hs-dcfr", horizon=x).run(1),
    "MCCFR": MCCFR,
    "MCCFR sampler": lambda x: MCCFR(KUHN, sampler=x),
    "MCCFR variant": lambda x: MCCFR(KUHN, x, sampler="external"),
    **{f"MCCFR {option}": sampled(option) for option in SAMPLED},
    "MCCFR restore": lambda x: MCCFR(KUHN).restore(x),
    "MCCFR resume": lambda x: MCCFR(KUHN).resume(x),
    "CFR restore": lambda x: CFR(KUHN).restore(x),
    "CFR resume": lambda x: CFR(KUHN).resume(x),
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
    "check_fits": check_fits,
    "poker.smaller_spots": lambda x: next(poker.smaller_spots(x, 10**6), None),
    "poker.SpotSolver": poker.SpotSolver,
    "poker.export": lambda x: poker.export(x, "nodes.json"),
    "poker.runouts": lambda x: poker.runouts(x, "X-X"),
    "public_tree": public_tree,
    "find_node": lambda x: find_node(x, ((),)),
    "find_node line": lambda x: isinstance(x, str) and find_node(BETTING, unchecked(x)),
    "node_line": lambda x: node_line(x, 0),
    "node_actions": lambda x: node_actions(x, 0),
    "poker.read_boards": poker.read_boards,
    "poker.flop_boards": poker.flop_boards,
    "infoset_reach": evaluation.infoset_reach,
    "infoset_values": evaluation.infoset_values,
    "warm_state solver": lambda x: solving_package.warm_state(x, UNIFORM, 100),
    "warm_state strategy": lambda x: solving_package.warm_state(CFR(KUHN), x, 100),
    "poker.batch": lambda x: poker.batch(x, ["Td9d6h5h2c"], "batch"),
    "poker.batch boards": lambda x: poker.batch(SPOT, x, "batch", iterations=1),
    "StoredStrategy.on": lambda x: solved().stored.on(x),
    "StoredStrategy[]": lambda x: solved().stored[x],
    "Result.plot": lambda x: solved().plot(x),
    "GameTree": lambda x: eq.GameTree(RULES, x),
    "GameTree.index": KUHN.index,
    "GameTree.actions_of": KUHN.actions_of,
    "Variant name": lambda x: Variant(x),
    "Variant discount": lambda x: Variant("mine", discount=x).table(1, 3),
    "Variant average": lambda x: Variant("mine", average=x).table(1, 3),
    "Variant floor": lambda x: Variant("mine", floor=x).table(1, 3),
    "Variant prediction": lambda x: Variant("mine", floor=0.0, prediction=x).table(1, 3),
    "Variant alternating": lambda x: Variant("mine", alternating=x),
    "Variant.coefficients": Variant("mine").coefficients,
    "Variant.table start": lambda x: Variant("mine").table(x, 3),
}
WRITES: dict[str, Call] = {
    "solve without a tree out": sampling("out"),
    "solve without a tree checkpoint": sampling("checkpoint"),
    "solve without a tree resume": sampling("resume"),
    "PackedStrategy.save": lambda x: packed().save(x),
    "solve out": solving("out"),
    "solve checkpoint": solving("checkpoint"),
    "solve resume": solving("resume"),
    "CFR.checkpoint": lambda x: CFR(KUHN).checkpoint(x),
    "StoredStrategy.save": lambda x: solved().stored.save(x),
    "Result.export": lambda x: solved().export(x),
    "Strategy.save": UNIFORM.save,
    "Result.save": lambda x: solved().save(x),
}
