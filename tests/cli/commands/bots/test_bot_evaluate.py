"""`equilibrist bot evaluate`: fixed opponents, parts of blueprints, and what figures prove."""

from __future__ import annotations

from pathlib import Path

import pytest

import equilibrist as eq
from equilibrist.errors import ConfigError, UnknownNameError
from equilibrist.evaluation import evaluate
from equilibrist.options.defaults import FIXED_OPPONENTS
from equilibrist.play.bots.fixed import FIXED
from equilibrist.poker import Hand
from equilibrist.poker.preflop.exact.solving import solve_preflop
from tests.cli.command import Shell


def test_the_names_of_fixed_opponents_are_those_of_the_registry() -> None:
    assert tuple(FIXED) == FIXED_OPPONENTS


@pytest.mark.slow
def test_all_fixed_opponents_are_played(shell: Shell, bot_files: Path) -> None:
    file = bot_files / "b.safetensors"
    document = shell(f"bot evaluate {file} --fixed-hands 12 --json").ok().json
    assert [*document["fixed"]] == [*FIXED_OPPONENTS]
    assert document["fixed"]["fold"]["mean"] > 0
    assert [*document["proves"]] == ["fixed"]
    shown = shell(f"bot evaluate {file} --opponents call,fold --fixed-hands 40").ok().out
    assert shown.index("call ") < shown.index("fold ")
    assert "what the figures prove" in shown


@pytest.mark.slow
def test_parts_of_the_evaluation_of_a_blueprint_are_taken(shell: Shell, bot_files: Path) -> None:
    line = f"bot evaluate {bot_files / 'b.safetensors'} --opponents fold --fixed-hands 5"
    document = shell(f"{line} --litmus --json").ok().json
    assert document["litmus"] is not None
    assert [*document["proves"]] == ["litmus", "fixed"]


@pytest.mark.slow
def test_other_solutions_of_hands_have_fixed_opponents_alone(
    shell: Shell, bot_files: Path, tmp_path: Path
) -> None:
    hand = Hand(stack=5, bets="a", raises="a", last_street="preflop", deck="T")
    file = tmp_path / "exact.safetensors"
    solve_preflop(hand, iterations=20, threads=1).save(file)
    document = shell(f"bot evaluate {file} --fixed-hands 20 --json").ok().json
    assert [*document["proves"]] == ["fixed"]
    shell(f"bot evaluate {file} --lbr").refused(ConfigError, option="--lbr")
    blueprint = bot_files / "b.safetensors"
    shell(f"bot evaluate {blueprint} --opponents tom").refused(UnknownNameError, option="rule")
    shell(f"bot evaluate {blueprint} --hands 9").refused(ConfigError, option="--hands")


def test_games_with_a_tree_are_measured_exactly(shell: Shell, tmp_path: Path) -> None:
    file = tmp_path / "leduc.safetensors"
    solution = eq.solve("leduc(suits=2,raise_cap=1)", "cfr+", iterations=10)
    solution.save(file)
    document = shell(f"bot evaluate {file} --search max-margin --lbr --json").ok().json
    before, after = document["blueprint"], document["search"]
    assert after["exploitability"] < before["exploitability"]
    assert before["exploitability"] == pytest.approx(evaluate(solution.strategy).exploitability)
    for part in (before, after):
        assert max(part["lbr"].values()) <= part["exploitability"]
    assert [*document["proves"]] == ["exploitability", "lbr", "match"]
    shown = shell(f"bot evaluate {file}").ok().out
    assert "what the figures prove" in shown
    shell(f"bot evaluate {file} --litmus").refused(ConfigError, option="--litmus")
    shell(f"bot evaluate {file} --roots nowhere").refused(ConfigError, option="--roots")
