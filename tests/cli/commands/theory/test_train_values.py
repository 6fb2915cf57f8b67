"""`train-values`, and `resolve` with the file of a value network."""

from __future__ import annotations

from pathlib import Path

import pytest

from equilibrist.errors import ConfigError, FileFormatError, MismatchError
from equilibrist.learned.network import Network, new_network
from equilibrist.learned.values import ValueNetwork, ValueStates
from tests.cli.command import Shell
from tests.search.trunks import search_game

LADDER = "--iterations 8 --tables 2 --exact 2"
ROWS = "--rows 128 --solve-iterations 10 --steps 5 --hidden 8"


@pytest.fixture
def values(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    states = ValueStates.of(search_game("kuhn"))
    network = new_network((states.num_inputs, 8, sum(states.num_hands)), 1, zero_output=False)
    ValueNetwork(states, network, made={"depth": 1}).save("kuhn.safetensors")
    return "kuhn.safetensors"


@pytest.mark.slow
def test_the_ladder_and_its_file(shell: Shell, values: str) -> None:
    line = f"resolve kuhn --values {values} {LADDER} -o play.safetensors"
    document = shell(f"{line} --json").ok().json
    names = [rung["name"] for rung in document["rungs"]]
    assert names == ["uniform", "zero leaves", "net", "exact leaves", "full solve"]
    assert document["depth"] == 1
    measured = shell("evaluate play.safetensors --json").ok().json
    net = document["rungs"][2]["exploitability"]
    assert measured["exploitability"] == pytest.approx(net, abs=1e-9)
    shown = shell(f"resolve kuhn --values {values} {LADDER} --exact 0").ok().out
    assert "full solve" in shown
    assert "exact leaves" not in shown


def test_a_network_at_the_leaves_of_a_gadget_game(shell: Shell, values: str) -> None:
    shell("solve kuhn --iterations 10 --out trunk.safetensors").ok()
    line = "resolve kuhn --trunk trunk.safetensors --gadget unsafe --roots ??: --leaves ??p"
    line = line.replace("??:", "??") + f" --values {values} --algorithm cfr+ --iterations 5"
    document = shell(f"{line} --json").ok().json
    assert document["values"] == values
    shell(f"{line} --depth 2").refused(ConfigError, option="depth")


def test_what_is_no_search_with_values_is_refused(shell: Shell, values: str) -> None:
    shell("resolve kuhn").refused(ConfigError, option="--trunk")
    shell("resolve kuhn --values zero").refused(ConfigError, option="--trunk")
    line = f"resolve kuhn --values {values}"
    shell(f"{line} --gadget reach").refused(ConfigError, option="gadget")
    shell(f"{line} --online 5").refused(ConfigError, option="online")
    shell(f"resolve leduc --values {values}").refused(
        MismatchError, option="game", given="kuhn", expected="leduc"
    )
    shell("solve kuhn --iterations 2 --out solved.safetensors").ok()
    shell("resolve kuhn --values solved.safetensors").refused(FileFormatError)
    shell("resolve kuhn --values nothing.safetensors").refused(FileFormatError)


def test_what_cannot_be_trained_is_refused(shell: Shell, values: str) -> None:
    shell("train-values kuhn").refused(ConfigError, option="--out")
    shell("train-values kuhn -o x.safetensors --targets guess").refused(
        ConfigError, option="targets", given="guess"
    )
    shell("train-values kuhn -o x.safetensors --hidden a,b").refused(
        ConfigError, option="hidden", given="a,b"
    )


@pytest.mark.nets
def test_a_training_is_saved_and_resumed(
    shell: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    line = f"train-values kuhn {ROWS} --json"
    document = shell(f"{line} -o whole.safetensors").ok().json
    assert document["trained_rows"] == 128
    assert document["classes"] == 4
    shell(f"{line} --iterations 1 --checkpoint run.ckpt").ok()
    facts = shell("inspect run.ckpt --json").ok().json
    assert (facts["kind"], facts["game"], facts["iteration"]) == ("value-checkpoint", "kuhn", 1)
    assert facts["resume"] == "equilibrist train-values --resume run.ckpt"
    assert facts["resume"] in shell("inspect run.ckpt").ok().err
    shell("train-values --resume run.ckpt -o resumed.safetensors --quiet").ok()
    states = ValueStates.of(search_game("kuhn"))
    first, second = (
        ValueNetwork.load(name, states).network
        for name in ("whole.safetensors", "resumed.safetensors")
    )
    assert isinstance(first, Network)
    assert isinstance(second, Network)
    assert (first.weights == second.weights).all()
    shell("train-values --resume run.ckpt --steps 3 -o x.safetensors").refused(
        ConfigError, option="steps", given=3, expected=5
    )
    shell(f"{line} --iterations 2 --resume run.ckpt -o again.safetensors").ok()
    shown = shell(f"resolve kuhn --values whole.safetensors {LADDER}").ok().out
    assert "(net - exact) / (zero - exact)" in shown


@pytest.mark.nets
def test_the_search_that_is_suggested_has_iterations_of_its_own(shell: Shell, values: str) -> None:
    """Those of a training are blocks of rows; those of a search are of each solve."""
    ran = shell("train-values kuhn --iterations 1 --solve-iterations 5 --steps 2 -o v.safetensors")
    assert "resolve kuhn --values v.safetensors" in ran.ok().err
    assert "--iterations" not in ran.err


def test_options_without_effect_are_refused(shell: Shell, values: str) -> None:
    line = "train-values kuhn -o x.safetensors"
    shell(f"{line} --every-iterate").refused(ConfigError, option="every_iterate")
    shell(f"{line} --targets solve --walks 3").refused(ConfigError, option="walks", given=3)
    shell(f"{line} --targets bootstrap --rows 3").refused(ConfigError, option="rows", given=3)


@pytest.mark.parametrize("targets", ["solve", "bootstrap"])
def test_a_search_without_leaves_is_refused(shell: Shell, values: str, targets: str) -> None:
    shell(f"train-values kuhn --depth 3 --targets {targets} -o x.safetensors").refused(
        ConfigError, option="depth", given=3, expected="from 1 to 2"
    )


def test_rungs_that_were_reached_are_shown(
    shell: Shell, values: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(*_arguments: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(ValueNetwork, "on", interrupt)
    ran = shell(f"resolve kuhn --values {values} {LADDER} -o play.safetensors --json")
    assert ran.code == 130
    assert [rung["name"] for rung in ran.json["rungs"]] == ["uniform", "zero leaves"]
    assert (ran.json["stopped_by"], ran.json["file"]) == ("interrupted", None)
    assert not Path("play.safetensors").exists()


def test_a_network_and_a_trunk_without_leaves(shell: Shell, values: str) -> None:
    shell("solve kuhn --iterations 2 --out trunk.safetensors").ok()
    error = shell(f"resolve kuhn --values {values} --trunk trunk.safetensors").refused(
        ConfigError, option="values", given=values
    )
    assert "--trunk" in str(error)
