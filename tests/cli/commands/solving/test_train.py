"""`equilibrist train`, as a user types it; a table stands in the place of networks."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from equilibrist import compile_game
from equilibrist.cli.text import progress
from equilibrist.errors import CheckpointError, ConfigError, UnknownNameError
from equilibrist.learned.algorithms.registry import ALGORITHMS, get_neural
from tests.cli.command import Shell

SPEC = "sd-cfr(walks=40,learner=table)"
TRAIN = f"train kuhn --algorithm {SPEC}"


@pytest.mark.slow
def test_a_run_is_trained_saved_and_resumed(shell: Shell, tmp_path: Path) -> None:
    out, run, plot = (tmp_path / name for name in ("net.safetensors", "run.ckpt", "curve.svg"))
    done = shell(f"{TRAIN} -n 4 --checkpoint {run} --plot {plot} -o {out}").ok()
    assert "4 iterations of sd-cfr(walks=40,learner=table)" in done.out
    assert out.exists()
    assert "<svg" in plot.read_text()
    facts = shell(f"inspect {run} --json").ok().json
    assert facts["kind"] == "training-checkpoint"
    assert facts["iteration"] == 4
    words = facts["resume"].split()
    assert words[:3] == ["equilibrist", "train", "kuhn"]
    further = shell(f"{TRAIN} -n 6 --resume {run} --json").ok().json
    assert further["iterations"] == 6
    assert further["exploitability"] == shell(f"{TRAIN} -n 6 --json").ok().json["exploitability"]
    shell(f"evaluate {out}").ok()
    shell(f"solve kuhn --resume {run}").refused(
        CheckpointError, given="training-checkpoint", expected="checkpoint"
    )


@pytest.mark.slow
def test_a_checkpoint_says_its_losses(shell: Shell, tmp_path: Path) -> None:
    spec, run = "ppo(walks=20,learner=table)", tmp_path / "run.ckpt"
    shell(f"train kuhn --algorithm {spec} -n 2 --checkpoint {run}").ok()
    losses = shell(f"inspect {run} --json").ok().json["losses"]
    solver = get_neural(spec).solver(compile_game("kuhn")).run(2)
    assert losses == {name.replace(".", " "): loss for name, loss in solver.losses.items()}
    text = shell(f"inspect {run}").ok().out
    assert all(f"{name} {loss:.4g}" in text for name, loss in losses.items())


def test_help_says_nothing_of_what_runs_without_a_tree(shell: Shell) -> None:
    """Neither trains nor races without one."""
    for command in ("train", "compare"):
        text = shell(f"{command} --help").ok().out
        assert "without a tree" not in " ".join(text.split()), command
        assert command == "compare" or "--sampler" not in text


def test_what_cannot_be_trained_is_refused(shell: Shell) -> None:
    shell("train kuhn --algorithm dcfr").refused(UnknownNameError, option="algorithm", name="dcfr")
    shell("train kuhn --algorithm sd-cfr(walks=0)").refused(ConfigError, option="walks", given=0)
    shell("train kun --algorithm sd-cfr(learner=table)").refused(UnknownNameError, name="kun")


def test_help_names_every_algorithm(shell: Shell) -> None:
    text = shell("train --help").ok().out
    assert all(name in text for name in ALGORITHMS)


def test_an_algorithm_with_a_plus_in_its_name_is_resumed(shell: Shell, tmp_path: Path) -> None:
    run = tmp_path / "run.ckpt"
    spec = "train kuhn --algorithm vr-deep-dcfr+(walks=20,learner=table)"
    shell(f"{spec} -n 2 --checkpoint {run}").ok()
    assert shell(f"{spec} -n 3 --resume {run} --json").ok().json["iterations"] == 3


def test_a_live_line_shows_the_curve_as_solve_does(
    shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(progress, "_FIRST_LINE", 0.0)
    for line in (f"{TRAIN} -n 9", "solve kuhn -n 9", f"compare kuhn -a {SPEC} -n 9"):
        ran = shell(line).ok()
        told = re.findall(r"iteration (\d+)  exploitability [\d.]+", ran.err)
        assert told == sorted(told) != []
    assert "exploitability" not in shell(f"{TRAIN} -n 9 --quiet").ok().err
