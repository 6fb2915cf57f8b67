"""`solve` without improbable paths: by every kind of algorithm, with files, and what is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from equilibrist import load_result, solve
from equilibrist.abstraction import cut_improbable, make_abstraction, merged_tree
from equilibrist.errors import CheckpointError, ConfigError, FileFormatError, MismatchError
from equilibrist.evaluation import evaluate
from equilibrist.game_loading import compile_game
from equilibrist.reference.game_walk import walk
from equilibrist.reference.response import best_response_value, expected_values
from equilibrist.solvers.full_traversal.cfr import CFR
from equilibrist.solving import Files, GameAbstraction, Traversal
from tests.refusals import refuses, unchecked

GAME = "leduc(suit_isomorphism=true)"
LEDUC = compile_game(GAME)


def test_the_cut_game_is_solved_and_the_full_one_measured() -> None:
    result = solve(LEDUC, "cfr+", iterations=200, abstraction=GameAbstraction(drop_below=0.04))
    small = cut_improbable(LEDUC, 0.04)
    wanted = small.lift(CFR(small.small, "cfr+").run(200).average_strategy())
    assert result.strategy.probabilities == pytest.approx(wanted.probabilities, abs=1e-12)
    assert result.nash_conv == pytest.approx(evaluate(wanted).nash_conv)
    assert result.nash_conv > 1.0
    game, profile = walk(LEDUC.game), {}
    for key in LEDUC.infoset_keys:
        profile[key] = [*result.strategy[key].values()]
    values = expected_values(game, profile)
    gains = [best_response_value(game, profile, p) - values[p] for p in (0, 1)]
    assert result.nash_conv == pytest.approx(sum(gains), abs=1e-9)
    assert any("198 of 288 infosets" in note for note in result.notes)


def test_nothing_to_cut_changes_nothing() -> None:
    plain = solve(LEDUC, "cfr+", iterations=50)
    result = solve(LEDUC, "cfr+", iterations=50, abstraction=GameAbstraction(drop_below=1e-6))
    assert result.strategy.probabilities.tobytes() == plain.strategy.probabilities.tobytes()
    assert any("nothing was cut" in note for note in result.notes)


def test_other_algorithms_and_files(tmp_path: Path) -> None:
    exact = solve(LEDUC, "lp", abstraction=GameAbstraction(drop_below=0.04))
    assert exact.nash_conv > 1.0
    sampled = solve(
        LEDUC,
        "cfr",
        sampling="external",
        iterations=3000,
        abstraction=GameAbstraction(drop_below=0.04),
    )
    assert sampled.nash_conv > 1.0
    path = tmp_path / "cut.safetensors"
    solve(
        LEDUC,
        "cfr+",
        iterations=50,
        abstraction=GameAbstraction(drop_below=0.04),
        files=Files(out=path),
    )
    loaded = load_result(path)
    assert loaded.config["drop_below"] == 0.04
    assert loaded.strategy.on(LEDUC).probabilities.shape == LEDUC.action_offset[-1:]
    saved = tmp_path / "run.checkpoint"
    solve(
        LEDUC,
        "cfr+",
        iterations=30,
        abstraction=GameAbstraction(drop_below=0.04),
        files=Files(checkpoint=saved),
    )
    with refuses(CheckpointError):
        solve(LEDUC, "cfr+", iterations=60, files=Files(resume=saved))
    resumed = solve(
        LEDUC,
        "cfr+",
        iterations=60,
        files=Files(resume=saved),
        abstraction=GameAbstraction(drop_below=0.04),
    )
    whole = solve(LEDUC, "cfr+", iterations=60, abstraction=GameAbstraction(drop_below=0.04))
    assert resumed.strategy.probabilities.tobytes() == whole.strategy.probabilities.tobytes()


def test_both_merged_and_cut() -> None:
    result = solve(
        LEDUC, "cfr+", iterations=50, abstraction=GameAbstraction("cards(JQ.K)", drop_below=0.04)
    )
    merging = make_abstraction(LEDUC, "cards(JQ.K)")
    cut = cut_improbable(merged_tree(merging), 0.04)
    wanted = merging.lift(cut.lift(CFR(cut.small, "cfr+").run(50).average_strategy()))
    assert result.strategy.probabilities == pytest.approx(wanted.probabilities, abs=1e-12)
    assert result.abstraction is not None
    forgetful = solve(
        LEDUC, "cfr", iterations=20, abstraction=GameAbstraction("memory(last=1)", drop_below=0.04)
    )
    assert forgetful.nash_conv > 1.0


def test_reach_under_a_solution(tmp_path: Path) -> None:
    """Cut by a good strategy, with the worth it gives to what is cut, little is lost."""
    good = tmp_path / "good.safetensors"
    solve(LEDUC, "cfr+", iterations=500, files=Files(out=good))
    by_play = solve(
        LEDUC,
        "cfr+",
        iterations=300,
        abstraction=GameAbstraction(drop_below=1e-4, drop_play=str(good)),
    )
    by_uniform = solve(
        LEDUC,
        "cfr+",
        iterations=300,
        abstraction=GameAbstraction(drop_below=1e-3, drop_play="uniform"),
    )
    assert by_play.config["drop_play"] == str(good)
    assert any("given strategy" in note for note in by_play.notes)
    assert any("uniform play" in note for note in by_uniform.notes)


def test_a_strategy_of_another_game_is_refused_by_name(tmp_path: Path) -> None:
    other = tmp_path / "kuhn.safetensors"
    solve("kuhn", "cfr+", iterations=5, files=Files(out=other))
    given = {"option": "drop_play", "given": str(other), "expected": GAME}
    with refuses(MismatchError, **given) as told:
        solve(
            LEDUC,
            "cfr+",
            iterations=5,
            abstraction=GameAbstraction(drop_below=1e-3, drop_play=str(other)),
        )
    assert "kuhn" in str(told.value)
    assert "(" not in str(told.value.remedy)  # no call of Python


def test_what_is_refused(tmp_path: Path) -> None:
    for given in (0.0, 1.0, -1.0, "much"):
        with refuses(ConfigError, option="drop_below", given=given):
            solve(LEDUC, abstraction=GameAbstraction(drop_below=unchecked(given)))
    with refuses(ConfigError, option="drop_below", expected="less than 1"):
        solve(LEDUC, abstraction=GameAbstraction(drop_below=1.0))
    with refuses(ConfigError, option="drop_play", given="uniform"):
        solve(LEDUC, abstraction=GameAbstraction(drop_play="uniform"))
    with refuses(ConfigError, option="drop_below", given=0.1):
        solve("rps", "regret-matching", abstraction=GameAbstraction(drop_below=0.1))
    with refuses(ConfigError, option="warm_start"):
        solve(
            LEDUC,
            abstraction=GameAbstraction(drop_below=0.1),
            traversal=Traversal(warm_start="some.csv"),
        )
    with refuses(ConfigError, option="measure"):
        solve(LEDUC, abstraction=GameAbstraction(drop_below=0.1), measure="efce")
    with refuses(ConfigError, option="drop_below", given=0.5):
        solve(LEDUC, abstraction=GameAbstraction(drop_below=0.5))
    with refuses(FileFormatError):
        solve(
            LEDUC, abstraction=GameAbstraction(drop_below=0.1, drop_play=str(tmp_path / "none.csv"))
        )
