"""`equilibrist postflop dataset` and `train`: rows in parts, networks from them."""

from __future__ import annotations

from pathlib import Path

import pytest

from equilibrist.errors import ConfigError, FileFormatError
from equilibrist.learned.holdem_values import load_holdem_values
from tests.cli.command import Shell

FEW = "--solved 0 --max-ratio 0.5 --bets a --raises '' --threads 1"
MAKE = f"postflop dataset --street river --out rows {FEW}"
TRAIN = "postflop train rows -o net.safetensors"


@pytest.fixture(autouse=True)
def _in_its_own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_rows_are_made_and_more_of_them_later(shell: Shell) -> None:
    first = shell(f"{MAKE} --spots 1 --json").ok().json
    assert (first["rows"], first["made"], first["stopped_by"]) == (1, 1, "spots")
    shell(f"{MAKE} --spots 2").refused(ConfigError, option="folder")
    more = shell(f"{MAKE} --spots 2 --resume").ok()
    assert "2 of 2 situations in rows, 2 of them made now" in more.out
    other = shell(f"{MAKE} --spots 2 --resume --seed 1")
    other.refused(ConfigError, option="seed", given=1, expected=0)
    shell("inspect rows/rows-000000.safetensors").refused(FileFormatError, option="format")


def test_training_refuses_what_cannot_be(shell: Shell) -> None:
    shell(f"{TRAIN} --resume").refused(ConfigError, option="--resume")
    shell(f"{TRAIN} --hidden wide").refused(ConfigError, option="--hidden", given="wide")


@pytest.mark.nets
def test_a_network_is_trained_from_rows(shell: Shell) -> None:
    shell(f"{MAKE} --spots 40").ok()
    found = shell(f"{TRAIN} --steps 20 --hidden 8 --batch 8").ok()
    assert "held-out boards" in found.out
    assert load_holdem_values("net.safetensors").street == "river"
