"""`resolve`: seats, turns, what it refuses, and what Ctrl-C leaves."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import equilibrist as eq
from equilibrist.errors import (
    ConfigError,
    EquilibristError,
    MismatchError,
    UnknownNameError,
    UnsupportedError,
)
from equilibrist.search import (
    Resolved,
    Subgames,
    gadget_game,
    gadget_runs,
    get_search_method,
    resolve,
    resolving,
)
from equilibrist.search.programmes import solve_by_programme
from tests.search.trunks import LEDUC, ROOTS, ROUNDING, playable, subgames, trunk
from tests.slow_cases import slow_unless


def rises(found: Resolved) -> list[float]:
    before = found.trunk_evaluation.best_response_values
    after = found.evaluation.best_response_values
    return [after[1 - seat] - before[1 - seat] for seat in range(2)]


@pytest.mark.parametrize(
    ("roots", "kind"),
    playable(
        slow_unless(
            lambda roots, kind: (roots, kind) in {("five", "texture"), ("one bid", "noise 0.01")},
            ROOTS,
            ["texture", "noise 0.01", "cfr+ 100", "dcfr 300"],
        )
    ),
)
@pytest.mark.parametrize("method", ["reach(gifts=whole)", "reach", "max-margin", "constrained"])
def test_roots_in_turn(roots: str, kind: str, method: str) -> None:
    """With values found anew before each, whole gifts are safe."""
    strategy = trunk(ROOTS[roots][0], kind)
    found = resolve(strategy, roots=subgames(roots), method=method, in_turn=True, completion=False)
    assert found.bound == (0.0, 0.0)
    assert max(rises(found)) <= ROUNDING
    assert len(found.steps) == 2 * len(found.roots)


def test_roots_inside_roots_in_turn() -> None:
    strategy = trunk(LEDUC, "noise 0.2")
    roots = ["before chance", "after chance"]
    with pytest.raises(ConfigError):
        resolve(strategy, roots=roots)
    found = resolve(strategy, roots=roots, in_turn=True)
    assert len(found.roots) == 20
    once = resolve(strategy, roots="before chance")
    assert max(rises(found)) <= ROUNDING
    assert found.completion == pytest.approx(once.completion)
    for seat in range(2):
        assert found.after[seat] <= once.after[seat] + ROUNDING


def test_a_seat_does_not_depend_on_the_other_one() -> None:
    strategy, found = trunk(LEDUC, "cfr+ 100"), subgames("five")
    both = resolve(strategy, roots=found, method="reach")
    for seat in range(2):
        one = resolve(strategy, roots=found, method="reach", seats=[seat])
        assert one.after[seat] == both.after[seat]
        assert one.after[1 - seat] == one.before[1 - seat]
        assert one.completion[1 - seat] is None
        assert {step.seat for step in one.steps} == {seat}


def test_the_result_as_json() -> None:
    found = resolve(trunk(LEDUC, "cfr+ 100"), roots="??:cc", method="max-margin(scale=raw)")
    shown = json.loads(json.dumps(found.to_dict()))
    assert shown["method"] == "max-margin(scale=raw)"
    assert shown["safe"]
    assert shown["roots"] == ["??:cc"]
    assert shown["steps"][0]["hands"][0]["hand"] in "JQK"
    assert shown["bound"] == [0.0, 0.0]


def test_large_games_have_no_completion() -> None:
    tree = eq.compile_game("liars_dice(sides=5)")
    found = resolve(eq.Strategy.uniform(tree), roots="after move 3", method="max-margin")
    assert found.measure == "best response"
    assert found.completion == (None, None)
    assert found.after[0] == found.evaluation.best_response_values[1]
    assert max(rises(found)) <= ROUNDING


class Interrupting:
    """`solve` that is interrupted in its third call."""

    def __init__(self) -> None:
        self.calls = 0

    def __call__(self, *arguments: Any, **options: Any) -> Any:
        self.calls += 1
        result = eq.solve(*arguments, **options)
        return replace(result, stopped_by="interrupted") if self.calls == 3 else result


def test_ctrl_c_keeps_the_roots_so_far(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gadget_runs, "solve", Interrupting())
    strategy, found = trunk(LEDUC, "lp"), subgames("five")
    result = resolve(strategy, roots=found, method="resolve", algorithm="cfr+", iterations=50)
    assert result.interrupted
    assert [step.objective is None for step in result.steps] == [False] * 3 + [True] * 2
    last = found.search.public.below([found.nodes[-1]])[found.search.public.node_of_infoset] >= 0
    rows = np.repeat(last, np.diff(strategy.tree.action_offset))
    assert (result.strategy.probabilities == strategy.probabilities)[rows].all()
    bound = result.bound[0]
    assert bound is not None
    assert rises(result)[0] <= bound + 1e-12


def test_ctrl_c_in_a_linear_programme(monkeypatch: pytest.MonkeyPatch) -> None:
    solved = solve_by_programme
    seats: list[int] = []

    def interrupted(task: Any) -> Any:
        if task.trunk.player in stops:
            raise KeyboardInterrupt
        seats.append(task.trunk.player)
        return solved(task)

    monkeypatch.setattr(resolving, "solve_by_programme", interrupted)
    stops = {1}
    result = resolve(trunk(LEDUC, "cfr+ 100"), roots=subgames("five"))
    assert result.interrupted
    assert seats == [0]
    assert result.after[1] == result.before[1]
    stops = {0, 1}
    with pytest.raises(KeyboardInterrupt):
        resolve(trunk(LEDUC, "cfr+ 100"), roots=subgames("five"))


WRONG: list[tuple[dict[str, Any], str]] = [
    ({"seats": [2]}, "seat"),
    ({"seats": []}, "seats"),
    ({"seats": [0, 0]}, "seats"),
    ({"method": "max-margin(scale=half)"}, "scale"),
    ({"method": "constrained(mass=0)"}, "mass"),
    ({"method": 3}, "method"),
    ({"completion": 1}, "completion"),
    ({"in_turn": None}, "in_turn"),
    ({"iterations": 0, "algorithm": "cfr+"}, "iterations"),
    ({"method": "unsafe", "alternatives": lambda values: values.weight}, "alternatives"),
    ({"alternatives": lambda values: values.weight[1:]}, "alternatives"),
    ({"alternatives": lambda values: values.weight * np.nan}, "alternatives"),
]


@pytest.mark.parametrize(("options", "option"), WRONG)
def test_wrong_options(options: dict[str, Any], option: str) -> None:
    with pytest.raises(ConfigError) as refused:
        resolve(trunk(LEDUC, "uniform"), roots=subgames("five"), **options)
    assert refused.value.option == option


@pytest.mark.parametrize("method", ["undo", "unsafe(gifts=split)", "resolve(scale=raw)"])
def test_methods_that_there_are_not(method: str) -> None:
    with pytest.raises(EquilibristError) as refused:
        get_search_method(method)
    assert isinstance(refused.value, UnknownNameError)


def test_methods_name_themselves() -> None:
    for spec in ("resolve", "max-margin(scale=raw)", "reach(gifts=whole)", "constrained(mass=2.0)"):
        assert get_search_method(spec).spec == spec
    assert get_search_method("Max_Margin").spec == "max-margin"


def test_subgames_of_another_game() -> None:
    with pytest.raises(MismatchError):
        resolve(trunk(LEDUC, "uniform"), roots=subgames("one bid"))


def test_games_of_another_kind() -> None:
    with pytest.raises(UnsupportedError):
        Subgames.of(eq.compile_game("kuhn(players=3)"), "after move 1")


def test_gadget_games_by_name() -> None:
    strategy = trunk(LEDUC, "lp")
    game = gadget_game(strategy, "??:cc", 0, method="max-margin")
    assert eq.compile_game(game).num_nodes == 373
    assert "max-margin" in game.name
    for root, seat in (("before chance", 0), ("??:rf", 0), ("??:rr", 1)):
        with pytest.raises(ConfigError):
            gadget_game(trunk(LEDUC, "pure") if root == "??:rr" else strategy, root, seat)


def again_and_again(roots: str | list[str], method: str, algorithm: str = "lp") -> Resolved:
    """Every root solved on top of those above it."""
    return resolve(
        trunk(LEDUC, "noise 0.2"),
        roots=roots,
        method=method,
        algorithm=algorithm,
        iterations=None if algorithm == "lp" else 50,
        in_turn=True,
        completion=False,
    )


@pytest.mark.by_default(2)
@pytest.mark.parametrize("method", ["unsafe", "resolve", "max-margin", "constrained"])
@pytest.mark.parametrize("algorithm", ["lp", "cfr+"])
def test_on_the_way_and_beforehand_are_the_same(method: str, algorithm: str) -> None:
    """What a hand meets is played as if all public states had been solved: bit for bit."""
    tree = trunk(LEDUC, "noise 0.2").tree
    path = ["??:cc/K:", "??:cc/K:c", "??:cc/K:cr"]
    beside = ["??:cc/J:", "??:rc/K:", "??:cc/K:r", "??:cc/K:crr"]
    alone, all_ = (again_and_again(roots, method, algorithm) for roots in (path, [*path, *beside]))
    public = subgames("fifteen").search.public
    met = np.isin(public.node_of_infoset, [public.names.index(name) for name in path])
    rows = np.repeat(met, np.diff(tree.action_offset))
    assert met.sum() == 9
    assert (alone.strategy.probabilities == all_.strategy.probabilities)[rows].all()
