"""`solve` takes every kind of problem, with the same words, and refuses what means nothing."""

from __future__ import annotations

from pathlib import Path
from typing import Any, assert_type

import numpy as np
import pytest

import equilibrist as eq
from equilibrist.contrib import Escher
from equilibrist.errors import (
    CheckpointError,
    ConfigError,
    GameSpecError,
    MemoryBudgetError,
    OutputError,
)
from equilibrist.poker import (
    Hand,
    PostflopResult,
    PreflopSolution,
    Spot,
    batch,
    solve_preflop,
)
from equilibrist.results import ImplicitResult
from equilibrist.rules.game import RulesGame
from equilibrist.solvers import MCCFR, ImplicitMCCFR
from equilibrist.solvers.full_traversal.cfr import CFR
from equilibrist.solvers.sampling.outcome import Outcome
from tests.poker.postflop.spot.spots import RIVER
from tests.refusals import refuses, unchecked
from tests.solve_options import grouped

RULES = "rules:liars_dice(sides=3)"
"""1,147 histories: it fits as a tree."""
LARGE = "rules:liars_dice(dice=2,sides=6)"


def rules(spec: str) -> RulesGame:
    game = eq.load_game(spec)
    assert isinstance(game, RulesGame)
    return game


def bits(result: Any) -> bytes:
    probabilities: bytes = result.strategy.probabilities.tobytes()
    return probabilities


def test_a_game_in_three_forms_gives_the_solver_s_bits(kuhn: eq.GameTree) -> None:
    whole = CFR(kuhn, "dcfr").run(25).average_strategy().probabilities.tobytes()
    for game in ("kuhn", eq.load_game("kuhn"), kuhn):
        result = eq.solve(game, iterations=25)
        assert isinstance(result, eq.Result)
        assert bits(result) == whole


def test_rules_in_three_forms_give_the_same_with_and_without_a_tree() -> None:
    module = rules(RULES)
    for explicit in (None, True, False):
        found = [
            eq.solve(game, sampling="external", iterations=40, seed=2, explicit_tree=explicit)
            for game in (RULES, module, module.rules)
        ]
        assert all(isinstance(result, ImplicitResult) == (explicit is False) for result in found)
        assert len({bits(result) for result in found}) == 1


@pytest.mark.slow
def test_large_rules_are_sampled_without_a_tree_unless_one_is_demanded() -> None:
    found: Any = eq.solve(LARGE, sampling="external", iterations=20, seed=4)
    same = eq.solve(LARGE, iterations=20, seed=4, explicit_tree=False)
    solver = ImplicitMCCFR(LARGE, seed=4).run(20)
    assert isinstance(found, ImplicitResult)
    assert bits(found) == bits(same) == solver.average_strategy().probabilities.tobytes()
    with refuses(MemoryBudgetError, option="max_histories", given=100_000):
        eq.solve(LARGE, sampling="external", iterations=20, explicit_tree=True)


def test_a_spot_gives_what_the_spots_own_function_gives(tmp_path: Path) -> None:
    told: list[eq.Progress] = []
    stages: list[str] = []
    callbacks = eq.Callbacks(told.append, stages.append)
    found = eq.solve(
        RIVER, "dcfr", iterations=12, callbacks=callbacks, files=eq.Files(out=tmp_path / "a.spot")
    )
    same = eq.poker.solve(RIVER, "dcfr", stop=eq.Stop(iterations=12))
    assert isinstance(found, PostflopResult)
    assert np.array_equal(found.at().values.ev, same.at().values.ev, equal_nan=True)
    assert (found.iterations, found.mean_gain) == (12, same.mean_gain)
    assert (told[-1].algorithm, told[-1].measure) == ("dcfr", found.mean_gain)
    assert (told[-1].pot, told[-1].evaluation) == (RIVER.pot, None)
    assert stages[-1] == "solving"
    assert eq.load_result(tmp_path / "a.spot").mean_gain == found.mean_gain


@pytest.mark.parametrize("name", ["checkpoint", "resume"])
def test_a_spot_gets_no_single_file_for_two_things(tmp_path: Path, name: str) -> None:
    place = tmp_path / "one"
    files: dict[str, Any] = {name: str(place), "out": place}
    with refuses(ConfigError, option="out", given=place):
        eq.solve(RIVER, iterations=2, **grouped(files))
    assert not place.exists()


def test_a_spot_that_cannot_be_saved_is_saved_elsewhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))

    def stage(text: str) -> None:
        if text == "solving":
            folder.rmdir()

    with pytest.raises(OutputError):
        eq.solve(
            RIVER,
            iterations=3,
            files=eq.Files(out=folder / "a"),
            callbacks=eq.Callbacks(on_stage=stage),
        )
    (saved,) = tmp_path.glob("equilibrist-*/*")
    assert eq.load_result(saved).iterations == 3


def test_a_spot_is_resumed_by_its_own_spot_only(tmp_path: Path) -> None:
    path = tmp_path / "run"
    whole = eq.solve(RIVER, iterations=15)
    eq.solve(RIVER, iterations=6, files=eq.Files(checkpoint=path))
    with refuses(CheckpointError, option="pot", given="110", expected="100"):
        eq.solve(RIVER.replace(pot=110), iterations=15, files=eq.Files(resume=path))
    with refuses(CheckpointError, option="storage", given="int16", expected="float32"):
        eq.solve(RIVER, storage="int16", iterations=15, files=eq.Files(resume=path))
    with refuses(ConfigError, option="resume", given=True):
        eq.solve(RIVER, iterations=15, files=eq.Files(resume=True))
    for resume, checkpoint in ((path, tmp_path / "other"), (True, path)):
        found = eq.solve(RIVER, iterations=15, files=eq.Files(checkpoint=checkpoint, resume=resume))
        assert found.mean_gain == whole.mean_gain
    with refuses(CheckpointError, option="iterations", given=14, expected=15):
        eq.solve(RIVER, iterations=14, files=eq.Files(resume=path))


@pytest.mark.parametrize(
    ("problem", "options", "fields"),
    [
        ("kuhn", {"storage": "int16"}, dict(option="storage", given="int16")),
        ("kuhn", {"target": "0.5%"}, dict(option="target", given="0.5%")),
        ("kuhn", {"stop": eq.Stop(target="1c")}, dict(option="target", given="1c")),
        (
            "kuhn",
            {"target": "5mbb"},
            dict(
                option="target",
                given="5mbb",
                expected="a target above 0, such as 0.001 in payoff units",
                remedy="units such as % and c are for spots and hands; give a number without one",
            ),
        ),
        (RIVER, {"target": "5mbb"}, dict(option="target", given="5mbb")),
        ("kuhn", {"stop": eq.Stop(deals=9)}, dict(option="deals", given=9)),
        (RIVER, {"stop": eq.Stop(deals=9)}, dict(option="deals", given=9)),
        ("kuhn", {"stop": 5}, dict(option="stop", given=5)),
        (
            "kuhn",
            {"stop": eq.Stop(seconds=1), "seconds": 2.0},
            dict(
                option="seconds",
                given=2.0,
                remedy="give `seconds` in the Stop, or leave out `stop`",
            ),
        ),
        ("kuhn", {"callbacks": 5}, dict(option="callbacks", given=5)),
        ("kuhn", {"explicit_tree": False}, dict(option="explicit_tree", given=False)),
        (RIVER, {"sampler": "external"}, dict(option="sampler", given="external")),
        (RIVER, {"seed": 3}, dict(option="seed", given=3, remedy="leave it out")),
        (RIVER, {"explicit_tree": True}, dict(option="explicit_tree", given=True)),
        (RIVER, {"plot": "a.svg"}, dict(option="plot", given="a.svg")),
        (
            RIVER,
            {"target": 0.005},
            dict(
                option="target",
                given=0.005,
                remedy="add the unit, % or c",
            ),
        ),
    ],
)
def test_what_means_nothing_is_refused(
    problem: str | Spot, options: dict[str, Any], fields: dict[str, Any]
) -> None:
    untyped: Any = eq.solve
    with refuses(ConfigError, **fields):
        untyped(problem, **grouped(options))


@pytest.mark.parametrize("target", ["0%", "x", "5mbb", eq.Stop(target="5mbb")])
def test_a_spot_offers_the_units_alone_that_it_takes(target: str | eq.Stop) -> None:
    expected = "a target above 0, such as '0.3%' of the pot or '0.5c' in chips"
    limit: Any = {"stop" if isinstance(target, eq.Stop) else "target": target}
    with refuses(ConfigError, option="target", expected=expected, remedy=None):
        eq.solve(RIVER, **limit)
    with refuses(ConfigError, option="target", expected=expected, remedy=None):
        batch(RIVER, [RIVER.board], "folder", **limit)


@pytest.mark.parametrize("target", ["0mbb", "x", "5%"])
def test_a_hand_offers_the_unit_alone_that_it_takes(target: str) -> None:
    expected = "a target above 0, such as '5mbb' in thousandths of a big blind a hand"
    with refuses(ConfigError, option="target", given=target, expected=expected, remedy=None):
        eq.solve(HAND, target=target)


@pytest.mark.parametrize(
    ("fields", "option"),
    [
        ({"iterations": 0}, "iterations"),
        ({"iterations": 2.0}, "iterations"),
        ({"seconds": 0.0}, "seconds"),
        ({"seconds": "1m"}, "seconds"),
        ({"deals": 0}, "deals"),
        ({"target": 0.0}, "target"),
        ({"target": "0.5p"}, "target"),
        ({"target": "-1"}, "target"),
        ({"target": "0%"}, "target"),
        ({"target": "0.0c"}, "target"),
        ({"target": True}, "target"),
    ],
)
def test_a_stop_checks_its_limits(fields: dict[str, Any], option: str) -> None:
    with refuses(ConfigError, option=option, given=fields[option]):
        eq.Stop(**fields)


@pytest.mark.parametrize("problem", ["kuhn", RIVER])
def test_no_seconds_between_checkpoints_are_as_many_as_possible(
    problem: str | Spot, tmp_path: Path
) -> None:
    untyped: Any = eq.solve
    path = tmp_path / "run"
    untyped(problem, iterations=2, files=eq.Files(checkpoint=path, checkpoint_every=0))
    assert path.exists()
    for every in (-1, 10**400):
        with refuses(ConfigError, option="checkpoint_every", given=every):
            untyped(
                problem,
                iterations=2,
                files=eq.Files(checkpoint=tmp_path / "b", checkpoint_every=every),
            )
    with refuses(ConfigError, option="checkpoint_every", given=0, remedy="give `checkpoint`"):
        untyped(problem, iterations=2, files=eq.Files(checkpoint_every=0))
    untyped(problem, iterations=2, files=eq.Files(resume=path, checkpoint_every=0))


@pytest.mark.parametrize("problem", ["kuhn", RIVER])
def test_a_device_takes_no_checkpoints(problem: str | Spot) -> None:
    untyped: Any = eq.solve
    with refuses(OutputError, option="file", given=Path("/dev/null")):
        untyped(problem, iterations=2, files=eq.Files(checkpoint="/dev/null"))


def test_a_spot_may_be_resumed_from_nothing() -> None:
    untyped: Any = eq.solve
    assert untyped(RIVER, iterations=2, files=eq.Files(resume=None)).iterations == 2


def test_a_sampler_may_be_an_object() -> None:
    for text, sampler in (
        ("escher", Escher()),
        ("outcome(epsilon=0.4)", Outcome(epsilon=0.4)),
    ):
        named, made = (eq.solve("kuhn", sampling=each, iterations=50) for each in (text, sampler))
        assert made.config == named.config
        assert made.config["sampler"] == text
        probabilities = made.strategy.probabilities
        assert probabilities.tobytes() == named.strategy.probabilities.tobytes()
    with refuses(ConfigError, option="sampler"):
        eq.solve("kuhn", sampling=OwnSampler(), iterations=2)
    assert MCCFR("kuhn", sampler=OwnSampler()).run(2).iteration == 2


class OwnSampler(Escher):
    """A sampler of the user's own, which no text names."""


def test_callbacks_are_functions() -> None:
    wrong: Any = 3
    for name in ("on_progress", "on_stage", "on_walk"):
        with refuses(ConfigError, option=name, given=3):
            eq.Callbacks(**{name: wrong})


@pytest.mark.parametrize("problem", [3, [], None, object, object()])
def test_what_cannot_be_solved_is_refused(problem: Any) -> None:
    with refuses(GameSpecError, option="problem", given=problem) as caught:
        eq.solve(problem, iterations=1)
    assert "a poker.Spot or a poker.Hand" in str(caught.value.remedy)


def test_a_class_of_games_is_refused_with_the_call_that_makes_one() -> None:
    kind: Any = type(eq.load_game("kuhn"))
    with refuses(GameSpecError, option="problem", remedy="make one: Kuhn()"):
        eq.solve(kind, iterations=1)


HAND = Hand(stack=6, bets="2x,a|50%,a", raises="a", board="1/1", deck="T", last_street="flop")


def test_a_hand_gives_what_the_hands_own_function_gives(tmp_path: Path) -> None:
    solution = eq.solve(HAND, "cfr+", iterations=12, threads=1, files=eq.Files(out=tmp_path / "h"))
    same = solve_preflop(HAND, "cfr+", stop=eq.Stop(iterations=12), threads=1)
    assert isinstance(solution, PreflopSolution)
    assert (solution.iterations, solution.exploitability) == (12, same.exploitability)
    assert eq.load_result(tmp_path / "h").exploitability == same.exploitability


def test_a_hand_is_resumed_with_the_flops_of_its_run(tmp_path: Path) -> None:
    path = tmp_path / "run"
    some: dict[str, Any] = {"flops": 3, "seed": 5, "threads": 1}
    whole = eq.solve(HAND, iterations=6, **some)
    eq.solve(HAND, iterations=2, files=eq.Files(checkpoint=path), **some)
    files = eq.Files(checkpoint=path, resume=True)
    resumed = eq.solve(HAND, iterations=6, threads=1, files=files)
    assert (resumed.flops, resumed.seed) == (3, 5)
    assert resumed.exploitability == whole.exploitability


@pytest.mark.parametrize(
    ("options", "fields"),
    [
        ({"sampling": "external"}, dict(option="sampler", given="external")),
        ({"traversal": eq.Traversal(prune="partial")}, dict(option="prune", given="partial")),
        ({"storage": "int16"}, dict(option="storage", given="int16")),
        ({"target": "1%"}, dict(option="target", given="1%")),
        ({"files": eq.Files(plot="a.svg")}, dict(option="plot", given="a.svg")),
        ({"files": eq.Files(out="a", checkpoint="./a")}, dict(option="out", given=Path("a"))),
        ({"files": eq.Files(resume=True)}, dict(option="resume", given=True)),
        ({"files": eq.Files(resume=unchecked(5))}, dict(option="resume", given=5)),
        ({"files": eq.Files(checkpoint=unchecked(5))}, dict(option="checkpoint", given=5)),
        ({"files": eq.Files(checkpoint_every=5)}, dict(option="checkpoint_every", given=5)),
        ({"seed": False}, dict(option="seed", given=False)),
        ({"seed": ""}, dict(option="seed", given="")),
    ],
)
def test_what_means_nothing_for_a_hand_is_refused(
    options: dict[str, Any], fields: dict[str, Any]
) -> None:
    untyped: Any = eq.solve
    with refuses(ConfigError, **fields):
        untyped(HAND, iterations=2, **options)


def test_the_checkpoint_of_a_spot_is_named_where_it_is_no_file() -> None:
    with refuses(ConfigError, option="checkpoint", given=5):
        eq.solve(RIVER, iterations=2, files=eq.Files(checkpoint=unchecked(5)))


@pytest.mark.parametrize("problem", ["kuhn", RIVER])
def test_flops_are_for_hands(problem: str | Spot) -> None:
    untyped: Any = eq.solve
    with refuses(ConfigError, option="flops", given=3):
        untyped(problem, iterations=2, flops=3)
    with refuses(ConfigError, option="keep_flops", given=16):
        untyped(problem, iterations=2, keep_flops=16)


def test_a_hand_keeps_its_flops_where_it_is_told_to() -> None:
    kept = eq.solve(HAND, iterations=2, threads=1, keep_flops=32).kept
    assert kept is not None
    assert kept.measure(1).exploitability is not None
    assert eq.solve(HAND, iterations=2, threads=1).kept is None


@pytest.mark.parametrize("group", ["traversal", "limits", "files"])
def test_a_group_of_options_is_an_object(group: str) -> None:
    untyped: Any = eq.solve
    with refuses(ConfigError, option=group, given={}):
        untyped("kuhn", iterations=2, **{group: {}})


def test_type_checkers_know_what_comes_out(kuhn: eq.GameTree) -> None:
    assert_type(eq.solve("kuhn", iterations=1), eq.Result)
    assert_type(eq.solve(kuhn, "lp"), eq.Result)
    assert_type(eq.solve(RULES, iterations=1, explicit_tree=True), eq.Result)
    assert_type(eq.solve(RULES, iterations=1, explicit_tree=False), ImplicitResult)
    assert_type(eq.solve(RIVER, iterations=1, threads=1), PostflopResult)
    assert_type(eq.solve(HAND, iterations=1, threads=1), PreflopSolution)
    # The size of the game decides, which no type checker knows: all strategies are possible.
    sampled = eq.solve(LARGE, sampling="external", iterations=1)
    assert_type(sampled, eq.Result[Any])
    assert isinstance(sampled, ImplicitResult)
    on_a_tree = eq.solve(RULES, sampling="external", iterations=1)
    assert_type(on_a_tree, eq.Result[Any])
    assert not isinstance(on_a_tree, ImplicitResult)


def test_spots_and_hands_are_not_compared() -> None:
    spot = Spot(board="Ts3h2h5c9s", oop="AA", ip="KK", pot=9, stack=9, bets="a")
    untyped: Any = eq.compare
    for problem in (spot, HAND):
        with refuses(ConfigError, option="game", given=problem):
            untyped(problem, ["dcfr"])


@pytest.mark.parametrize("problem", [RIVER, HAND])
def test_a_solution_is_no_table(problem: Any, tmp_path: Path) -> None:
    place = tmp_path / "a.csv"
    with refuses(OutputError, option="out", given="a.csv"):
        eq.solve(problem, iterations=1, files=eq.Files(out=place))
    assert not place.exists()
