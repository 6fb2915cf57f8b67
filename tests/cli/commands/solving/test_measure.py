"""`--measure` and `--save-device`, as a user types them."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from equilibrist.errors import (
    ConfigError,
    EquilibristError,
    MemoryBudgetError,
    OutputError,
)
from equilibrist.formatting.amounts import measure_text
from tests.cli.command import Shell

GAME = "'kuhn(players=3)'"


def test_the_report_and_the_document_tell_the_gap(shell: Shell) -> None:
    line = f"solve {GAME} -a cfr --measure efce --target 0.1"
    done = shell(line).ok()
    assert "EFCE gap is at most 0.1" in done.out
    assert "Updates are simultaneous" in done.out
    assert "Largest single trigger: player" in done.out
    document = shell(f"{line} --json").ok().json
    assert document["measure_name"] == "EFCE gap"
    gap = document["gap"]
    assert gap["total"] == pytest.approx(sum(gap["players"]))
    assert gap["total"] <= 0.1
    assert f"EFCE gap {measure_text(gap['total'])} (sum" in done.out
    assert document["trace"][-1]["gap"] == gap["total"]
    assert re.search(r"last .*EFCE gap 0\.0", shell("last").ok().out)


def test_a_device_is_saved_and_inspected(shell: Shell, tmp_path: Path) -> None:
    device = tmp_path / "play.device"
    line = f"solve {GAME} -a dcfr --measure cce -n 30 --save-device {device} --json"
    solved = shell(line).ok().json
    assert "30 profiles" in shell(f"inspect {device}").ok().out
    found = shell(f"inspect {device} --json").ok().json
    assert found["profiles"] == 30
    assert found["gaps"]["nfcce"]["total"] == pytest.approx(solved["gap"]["total"], abs=1e-12)
    totals = [found["gaps"][name]["total"] for name in ("efce", "efcce", "nfcce")]
    assert totals == sorted(totals, reverse=True)
    shell(f"inspect {device} 1pb").refused(ConfigError, option="KEY")


def test_races_are_about_the_gap(shell: Shell, tmp_path: Path) -> None:
    table = tmp_path / "race.csv"
    line = f"compare {GAME} -a cfr,pcfr+ --measure efce -n 100 --out {table}"
    done = shell(line).ok()
    assert "iterations and seconds to EFCE gap" in done.out
    assert table.read_text().splitlines()[0].endswith(",gap")
    assert "--measure efce" in done.err
    shell(f"{line} --json").ok()  # the table is replaced


@pytest.mark.parametrize(
    ("arguments", "kind", "fields"),
    [
        ("--measure efce --sampler external", ConfigError, dict(option="measure")),
        ("--measure cce --alternating", ConfigError, dict(option="measure")),
        ("--save-device d", ConfigError, dict(option="save_device")),
        ("--measure cce --save-device no/d", OutputError, dict(option="folder")),
        ("--measure cce --save-device d -n 1000000 --memory 1MB", MemoryBudgetError, {}),
    ],
)
def test_bad_input_is_refused(
    shell: Shell, arguments: str, kind: type[EquilibristError], fields: dict[str, Any]
) -> None:
    shell(f"solve kuhn {arguments}").refused(kind, **fields)
