"""Objects that hold arrays, tables or moves of a hand are shown in a few lines."""

from __future__ import annotations

import dataclasses
import importlib
import inspect
from contextlib import suppress
from typing import Any

import numpy as np
import pytest

import equilibrist
from equilibrist import compile_game
from equilibrist.evaluation import dominated_actions, dominated_plans
from equilibrist.formatting.brief import brief
from equilibrist.play import HandGame, Session, Table, UniformAgent
from equilibrist.poker import Hand, push_fold
from tests.refusals import unchecked

MOST = 1_000
PACKAGES = (
    "abstraction", "equilibria", "evaluation", "exploitation", "games", "grafting",
    "play", "poker", "poker.blueprint", "results", "rules", "solvers", "tree",
)  # fmt: skip


def public_records() -> list[type]:
    """All public dataclasses and named tuples."""
    found: dict[type, None] = {}
    for name in ("", *(f".{package}" for package in PACKAGES)):
        module = importlib.import_module(f"{equilibrist.__name__}{name}")
        for public in getattr(module, "__all__", ()):
            value = getattr(module, public)
            if inspect.isclass(value) and (
                dataclasses.is_dataclass(value) or hasattr(value, "_fields")
            ):
                found[value] = None
    return [*found]


def filled(kind: Any) -> Any:
    """An object of a class with an array of 900 numbers wherever its fields are arrays."""

    def value(annotation: object) -> object:
        return np.arange(900.0) if "Array" in str(annotation) else 1

    if dataclasses.is_dataclass(kind):
        made = object.__new__(unchecked(kind))
        for field in dataclasses.fields(kind):
            object.__setattr__(made, field.name, value(field.type))
        return made
    return tuple.__new__(kind, [value(kind.__annotations__[name]) for name in kind._fields])


def has_arrays(kind: Any) -> bool:
    return any("Array" in str(note) for note in getattr(kind, "__annotations__", {}).values())


def test_arrays_are_shown_by_their_shapes() -> None:
    shown = {}
    for kind in filter(has_arrays, public_records()):
        with suppress(AttributeError, TypeError):  # one of its own, which reads real values
            shown[kind.__name__] = len(repr(filled(kind)))
    assert len(shown) > 20
    assert [name for name, length in shown.items() if length > MOST] == []


def test_a_table_shows_its_moves_and_how_many_actions_there_are() -> None:
    table = Table.start(HandGame(Hand(stack=20, bets="50%,a")))
    assert "1,326 in all" in repr(table)
    table = table.play("SB AhKh").play("BB 2d2c").play("C")
    shown = repr(table)
    assert "SB AhKh-BB 2d2c-C" in shown
    assert "player=1" in shown
    assert all(len(repr(each)) < 200 for each in (table, *table.moves))
    assert "'SB AhKh' of (" in repr(table.moves[0])


def test_records_of_hands_and_solutions_are_short() -> None:
    session = Session(
        HandGame(Hand(stack=20, bets="a")), [UniformAgent(), UniformAgent("b")], seed=1
    )
    (record,) = session.play(1)
    solution = push_fold(10)
    for value in (record, solution, *solution.charts):
        assert len(repr(value)) < MOST
    assert repr(solution).startswith("PushFoldSolution(game=")  # what the class says is no field


@pytest.mark.slow
def test_what_is_listed_for_every_infoset_is_short() -> None:
    tree = compile_game("leduc(ranks=2)")
    for value in (dominated_actions(tree), tree.walk, dominated_plans(compile_game("kuhn"))):
        assert len(repr(value)) < MOST


def test_values_are_abridged() -> None:
    assert brief(np.zeros((169, 2), np.float32)) == "float32[169, 2]"
    assert brief(tuple(range(5000))) == "(0, 1, 2, ... 5,000 in all)"
    assert brief((1, 2, 3)) == "(1, 2, 3)"
    assert brief(dict.fromkeys(range(9), 0)) == "{0, 1, 2, ... 9 keys}"
    assert len(brief("x" * 500)) == 80
