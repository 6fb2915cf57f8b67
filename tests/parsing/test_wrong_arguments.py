"""Likely mistakes: the error says what was given and what to give."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import equilibrist
from equilibrist import contrib
from equilibrist import evaluation as typed_evaluation
from equilibrist import poker as typed_poker
from equilibrist import solvers as typed_solvers
from equilibrist.errors import (
    ConfigError,
    EquilibristError,
    GameSpecError,
    MismatchError,
    UnknownNameError,
)
from equilibrist.poker.betting.public_tree import find_node
from equilibrist.solving import Traversal
from tests.parsing.public_calls import BETTING, KUHN, LABEL, RULES, SPOT, UNIFORM, solved, with_row
from tests.refusals import refuses, unchecked

# Arguments are wrong on purpose here: nothing of their types is checked.
eq: Any = equilibrist
poker: Any = typed_poker
solvers: Any = typed_solvers
evaluation: Any = typed_evaluation

REFUSED: dict[str, tuple[Callable[[], object], type[EquilibristError], dict[str, Any]]] = {
    "no game": (lambda: eq.solve(None), GameSpecError, dict(option="problem", given=None)),
    "number": (lambda: eq.check_game(42), GameSpecError, dict(option="game", given=42)),
    "class": (
        lambda: eq.solve(type(RULES)),
        GameSpecError,
        dict(option="problem", given=type(RULES)),
    ),
    "misspelt": (
        lambda: eq.compile_game("khun"),
        UnknownNameError,
        dict(option="game", suggestions=("kuhn",)),
    ),
    "compiled": (lambda: eq.compile_game(KUHN), ConfigError, dict(option="game", given=KUHN)),
    "variant": (lambda: solvers.CFR("kuhn", 3), ConfigError, dict(option="algorithm", given=3)),
    "algorithm": (lambda: eq.solve("kuhn", 3), ConfigError, dict(option="algorithm", given=3)),
    "solver": (lambda: eq.nash_conv(solvers.CFR("kuhn")), ConfigError, dict(option="strategy")),
    "game for strategy": (
        lambda: eq.nash_conv(KUHN),
        ConfigError,
        dict(option="strategy", given=KUHN),
    ),
    "player text": (
        lambda: evaluation.best_response(UNIFORM, "0"),
        ConfigError,
        dict(option="player", given="0"),
    ),
    "player bool": (
        lambda: evaluation.best_response(UNIFORM, True),
        ConfigError,
        dict(option="player", given=True),
    ),
    "player float": (
        lambda: evaluation.best_response(UNIFORM, 1.0),
        ConfigError,
        dict(option="player", given=1.0),
    ),
    "player 5": (
        lambda: evaluation.best_response(UNIFORM, 5),
        ConfigError,
        dict(option="player", given=5),
    ),
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
    "tree": (lambda: eq.Strategy.uniform(RULES), ConfigError, dict(option="tree", given=RULES)),
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
    "infoset": (lambda: KUHN.index(unchecked(7)), ConfigError, dict(option="infoset", given=7)),
    "iterations": (
        lambda: solvers.CFR("kuhn").run(1.5),
        ConfigError,
        dict(option="iterations", given=1.5),
    ),
    "callback": (
        lambda: eq.solve("kuhn", callbacks=3),
        ConfigError,
        dict(option="callbacks", given=3),
    ),
    "path": (lambda: eq.Result.load(3), ConfigError, dict(option="path", given=3)),
    "class of callbacks": (
        lambda: eq.solve("kuhn", callbacks=eq.Callbacks),
        ConfigError,
        dict(option="callbacks", remedy="make one: Callbacks(...)"),
    ),
    "class of a sampler": (
        lambda: eq.solve("kuhn", sampling=contrib.Escher),
        ConfigError,
        dict(option="sampler", remedy="make one: Escher()"),
    ),
    "evaluation": (
        lambda: eq.Result.of(UNIFORM, "x", 5),
        ConfigError,
        dict(option="evaluation", given=5),
    ),
    "text for a spot": (
        lambda: poker.solve("AhKs", iterations=1),
        ConfigError,
        dict(option="spot", given="AhKs", expected="a poker.Spot"),
    ),
    "text for boards": (
        lambda: poker.batch(SPOT, "Td9d6h5h2c", "batch"),
        ConfigError,
        dict(option="boards", given="Td9d6h5h2c"),
    ),
    "text for a line of nodes": (
        lambda: find_node(BETTING, unchecked("X")),
        ConfigError,
        dict(option="line", given="X"),
    ),
    "algorithms": (lambda: eq.compare(KUHN, 5), ConfigError, dict(option="algorithms", given=5)),
    "no such algorithm": (
        lambda: solvers.algorithm_info("dfcr"),
        UnknownNameError,
        dict(option="algorithm", given="dfcr"),
    ),
    "no variant": (
        lambda: solvers.get_variant(None),
        ConfigError,
        dict(option="algorithm", given=None),
    ),
    "warm start": (
        lambda: eq.solve("no such game", traversal=Traversal(warm_start=unchecked(5))),
        ConfigError,
        dict(option="warm_start", given=5),
    ),
    "floor": (
        lambda: solvers.Variant("mine", floor="0"),
        ConfigError,
        dict(option="floor", given="0"),
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_messages_say_what_was_given_and_what_to_give(name: str) -> None:
    call, kind, fields = REFUSED[name]
    with refuses(kind, **fields):
        call()


def test_a_result_is_no_strategy() -> None:
    with refuses(ConfigError, option="strategy", given=solved()):
        eq.nash_conv(solved())


def test_objects_that_cannot_be_printed_are_refused_all_the_same() -> None:
    class Silent:
        def __repr__(self) -> str:
            raise RuntimeError("no")

    with refuses(ConfigError, option="strategy", given="an object of type Silent"):
        eq.nash_conv(Silent())
