"""`correlate` as a user types it, and the files it leaves to `play` and `export`."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path

import pytest

from equilibrist.equilibria import CorrelationDevice
from equilibrist.errors import (
    ConfigError,
    FileFormatError,
    MismatchError,
    OutputError,
    UnknownNameError,
    UnsupportedError,
)
from equilibrist.game_loading import compile_game
from equilibrist.strategy import Strategy
from tests.cli.command import Shell


def test_a_search_and_its_device(shell: Shell, folder: Path) -> None:
    ran = shell("correlate sheriff --concept efcce --out device.safetensors").ok()
    assert "extensive-form coarse correlated equilibrium" in ran.out
    assert "1.050000" in ran.out
    assert "relevant pairs" in ran.out
    assert "--measure device.safetensors" in ran.err
    assert "--mediator device.safetensors" in ran.err
    document = shell("correlate sheriff --measure device.safetensors --json").ok().json
    assert document["values"] == pytest.approx([0.75, 0.3], abs=1e-8)
    gaps = document["gaps"]
    assert max(gaps["efcce"]["players"]) <= 1e-8
    assert max(gaps["nfcce"]["players"]) <= 1e-8
    assert gaps["efce"]["total"] > 0.1  # the efce pays less
    assert gaps["ce"]["total"] >= gaps["efce"]["largest"]["gain"] - 1e-9
    shown = shell("correlate sheriff --measure device.safetensors").ok().out
    assert "0.300000" in shown
    again = shell("correlate sheriff --concept efcce --out device.safetensors").ok()
    assert "saved" in again.out


def test_devices_of_rules_of_ones_own(shell: Shell, rules: Callable[[str], str]) -> None:
    """A device names its game, which may not be found by that name: `inspect` takes --game."""
    rules("pass")
    shell("solve rules.py:Tiny -q --measure cce --save-device own.device -n 2").ok()
    shell("inspect own.device").refused(
        ConfigError, option="game", given="tiny", place="own.device"
    )
    shown = shell("inspect own.device --game rules.py:Tiny").ok().out
    assert "efce" in shown
    shell("inspect own.device --game kuhn").refused(MismatchError, option="game")
    shell("inspect own.device key").refused(ConfigError, option="KEY")


@pytest.mark.parametrize("concept", ["ce", "efce", "efcce", "cce", "nfcce"])
def test_documents(shell: Shell, concept: str) -> None:
    document = shell(f"correlate chicken --concept {concept} --objective fair --json").ok().json
    assert document["concept"] == ("nfcce" if concept == "cce" else concept)
    assert document["objective"] == "fair"
    assert document["optimum"] == pytest.approx(5.25, abs=1e-9)
    assert max(document["gap"]["players"]) <= 1e-9
    assert document["file"] is None
    assert document["profiles"] >= 2


@pytest.mark.parametrize(
    ("objective", "words"),
    [
        ("welfare", "the largest welfare"),
        ("fair", "largest least payoff"),
        ("player:1", "the largest payoff of player 1"),
        ("min:0", "the smallest payoff of player 0"),
        ("min:welfare", "the smallest welfare"),
    ],
)
def test_objectives_in_words(shell: Shell, objective: str, words: str) -> None:
    ran = shell(f"correlate bos --concept ce --objective {objective}").ok()
    assert words in ran.out
    if objective != "welfare":
        assert f"--objective {objective}" in ran.err


def test_a_device_that_mixes_is_measured_but_for_ce(shell: Shell, folder: Path) -> None:
    CorrelationDevice.of([Strategy.uniform(compile_game("kuhn"))]).save("mixed.safetensors")
    document = shell("correlate kuhn --measure mixed.safetensors --json").ok().json
    assert document["gaps"]["ce"] is None
    assert document["gaps"]["nfcce"]["total"] == pytest.approx(11 / 12)
    assert "needs pure strategies" in shell("correlate kuhn --measure mixed.safetensors").ok().out


@pytest.mark.parametrize(
    ("line", "kind", "fields"),
    [
        ("correlate leduc", UnsupportedError, {"option": "plans"}),
        ("correlate chicken --concept nash", UnknownNameError, {"option": "concept"}),
        ("correlate chicken --objective player:7", UnknownNameError, {"option": "objective"}),
        ("correlate chicken --method guess", ConfigError, {"option": "method"}),
        ("correlate chicken --out device.json", ConfigError,
         {"option": "--out", "given": "device.json"}),
        ("correlate chicken --out no/folder.safetensors", OutputError, {}),
        ("correlate chicken --out k.safetensors", OutputError,
         {"option": "out", "given": "solution", "expected": "device"}),
        ("correlate chicken --measure k.safetensors", FileFormatError,
         {"given": "solution", "expected": "device"}),
        ("correlate chicken --measure s.safetensors", MismatchError,
         {"option": "game", "expected": "sheriff(rounds=1)"}),
        ("correlate chicken --measure s.safetensors --concept ce", ConfigError,
         {"option": "--concept", "given": "ce"}),
        ("correlate chicken --measure s.safetensors --out o.safetensors", ConfigError,
         {"option": "--out"}),
        ("play chicken --mediator s.safetensors", MismatchError, {"option": "game"}),
        ("play 'sheriff(rounds=1)' --mediator s.safetensors --coach", ConfigError,
         {"option": "--coach"}),
        ("play 'sheriff(rounds=1)' --mediator s.safetensors --strategy k.safetensors",
         ConfigError, {"option": "--strategy"}),
        ("play s.safetensors", FileFormatError, {"given": "device"}),
    ],
)  # fmt: skip
def test_what_is_refused(
    shell: Shell, folder: Path, line: str, kind: type, fields: dict[str, object]
) -> None:
    shell("solve kuhn --algorithm cfr --iterations 2 --out k.safetensors").ok()
    shell("correlate 'sheriff(rounds=1)' --concept cce --out s.safetensors").ok()
    shell(line).refused(kind, **fields)


def test_strategies_play_with_a_mediator(shell: Shell, folder: Path) -> None:
    shell("correlate chicken --concept ce --out device.safetensors").ok()
    line = "play chicken --mediator device.safetensors --fixed-seats --seed 1"
    ran = shell(f"{line} --seats ai,ai --hands 200 --quiet --log hands.jsonl").ok()
    assert "200 hands" in ran.out
    assert Path("hands.jsonl").exists()
    mixed = shell(f"{line} --seats ai,uniform --hands 5").ok()
    assert "uniform" in mixed.out


def test_a_person_is_told(shell: Shell, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tree = compile_game("sheriff(rounds=1)")
    last = {
        key: {a: float(a == labels[-1]) for a in labels}
        for key, labels in zip(tree.infoset_keys, tree.action_labels, strict=True)
    }
    CorrelationDevice.of([Strategy.from_dict(tree, last)]).save("device.safetensors")
    monkeypatch.setattr("sys.stdin", io.StringIO("load 3\noffer 0\n"))
    line = "play 'sheriff(rounds=1)' --mediator device.safetensors --hands 1"
    ran = shell(line).ok()
    assert "mediator    recommends offer 3" in ran.out  # the smuggler followed once
    assert "inspect" in ran.out
    monkeypatch.setattr("sys.stdin", io.StringIO("load 0\noffer 3\n"))
    ran = shell(line).ok()
    assert "mediator  recommends load 3" in ran.out
    assert "mediator    says nothing more in this hand: you did not follow" in ran.out


def test_the_reduced_normal_form(shell: Shell, folder: Path) -> None:
    for suffix in ("nfg", "csv", "json"):
        ran = shell(f"export kuhn kuhn.{suffix} --normal-form reduced").ok()
        assert "27 x 64 plans of kuhn" in ran.err
        shell(f"export kuhn kuhn.{suffix} --normal-form reduced").ok()  # replaces its own
        Path(f"other.{suffix}").write_text("something else\n", encoding="utf-8")
        refused = shell(f"export kuhn other.{suffix} --normal-form reduced")
        refused.refused(OutputError, option="file", given=f"other.{suffix}")
    to_screen = shell("export chicken - --format nfg --normal-form reduced").ok()
    assert to_screen.out == CHICKEN
    shell("solve kuhn --algorithm cfr --iterations 2 --out k.safetensors").ok()
    shell("export k.safetensors again.nfg --normal-form reduced").ok()
    assert Path("again.nfg").read_bytes() == Path("kuhn.nfg").read_bytes()


CHICKEN = """\
NFG 1 R "chicken" { "Player 1" "Player 2" }
{
{ "row dare" "row swerve" }
{ "column dare" "column swerve" }
}

0 0
2 7
7 2
6 6
"""


@pytest.mark.parametrize(
    ("line", "kind", "fields"),
    [
        ("export kuhn kuhn.nfg", ConfigError, {"option": "--normal-form", "expected": "reduced"}),
        ("export kuhn kuhn.efg --normal-form reduced", ConfigError,
         {"option": "--format", "given": "kuhn.efg"}),
        ("export sheriff sheriff.nfg --normal-form reduced", UnsupportedError,
         {"option": "cells", "expected": 1_000_000}),
    ],
)  # fmt: skip
def test_normal_forms_that_are_refused(
    shell: Shell, folder: Path, line: str, kind: type, fields: dict[str, object]
) -> None:
    shell(line).refused(kind, **fields)


def test_the_document_holds_the_device(shell: Shell) -> None:
    """The row that people read is one for all profiles that differ off its path."""
    document = shell("correlate chicken --json").ok().json
    assert sum(row["weight"] for row in document["plans"]) == pytest.approx(1.0)
    assert sum(row["profiles"] for row in document["plans"]) == document["profiles"] == 3
    assert document["plans"][0]["players"] == [{"row": "swerve"}, {"column": "swerve"}]
    ran = shell("correlate sheriff --concept efcce").ok().out
    rows = [line.split("  ", 2)[2:] for line in ran.splitlines() if line.startswith("  0.")]
    assert len(rows) == len({str(row) for row in rows}) > 3
    assert "share a row" in ran
