"""`export`: tables that come back with the same bits, and write over no file of others."""

from __future__ import annotations

import csv
import json
import sys
from dataclasses import replace
from pathlib import Path

import pandas
import pytest

from equilibrist.errors import ConfigError, FileFormatError, OutputError
from equilibrist.results import Result
from equilibrist.storage.tables import read_table_file
from tests.cli.command import Shell


@pytest.mark.parametrize("suffix", ["csv", "json"])
def test_exports_come_back_with_the_same_bits(shell: Shell, solution: str, suffix: str) -> None:
    ran = shell(f"export {solution} out.{suffix}").ok()
    assert ran.out == ""
    game = "" if suffix == "json" else "--game kuhn"
    one = shell(f"evaluate {solution} --json").ok().json
    other = shell(f"evaluate out.{suffix} {game} --json").ok().json
    assert {**other, "file": ""} == {**one, "file": ""}


def test_any_keys_and_labels_survive_the_export(shell: Shell, solution: str, folder: Path) -> None:
    saved = Result.load(solution)
    odd = [
        "a\nb",
        "a\r\nb",
        "a\rb",
        'say "no"',
        "a,b",
        " a ",
        "\N{SNOWMAN}\x85",
        "ends\n",
        "",
        "x=1",
        "#",
        "'",
    ]
    labels = (("no, never", 'a "yes"\n'), *saved.strategy.labels[1:])
    stored = replace(saved.strategy, keys=tuple(odd), labels=labels)
    replace(saved, strategy=stored).save("odd.safetensors")
    for name in ("odd.csv", "odd.json"):
        shell(f"export odd.safetensors {name}").ok()
        assert (
            read_table_file(folder / name).rows == Result.load("odd.safetensors").strategy.to_dict()
        )


def test_exported_csv_has_a_row_per_action(shell: Shell, solution: str, folder: Path) -> None:
    shell(f"export {solution} out.csv").ok()
    with (folder / "out.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert list(rows[0]) == ["player", "infoset", "action", "probability"]
    assert len(rows) == 24
    saved = Result.load(solution)
    assert [float(r["probability"]) for r in rows] == saved.strategy.probabilities.tolist()
    assert {(r["player"], r["infoset"]) for r in rows} == {
        (str(p), k) for p, k in zip(saved.strategy.players, saved.strategy.keys, strict=True)
    }


def test_exporting_to_standard_output(shell: Shell, solution: str, folder: Path) -> None:
    shell(f"export {solution} out.csv").ok()
    assert shell(f"export {solution} - --format csv").ok().out == (folder / "out.csv").read_text()
    document = json.loads(shell(f"export {solution} - --format json").ok().out)
    assert document["strategy"] == Result.load(solution).strategy.to_dict()
    shell(f"export {solution} -").refused(ConfigError, option="--format", given="-")
    shell(f"export {solution} - --format txt").refused(ConfigError, option="--format", given="-")
    shell("export out.csv out.json").refused(ConfigError, option="file", given="out.csv")


def test_the_file_that_is_read_is_never_written_over(shell: Shell, solution: str) -> None:
    before = Path(solution).read_bytes()
    shell(f"evaluate {solution} --best-response ./{solution}").refused(
        ConfigError, option="out", given="kuhn-dcfr.safetensors"
    )
    assert Path(solution).read_bytes() == before
    shell(f"export {solution} table.csv").ok()
    table = Path("table.csv").read_bytes()
    shell("evaluate table.csv --game kuhn --best-response table.csv").refused(
        ConfigError, option="out", given="table.csv"
    )
    assert Path("table.csv").read_bytes() == table


@pytest.mark.parametrize(("name", "text"), [("note.csv", "hi\n"), ("rules.json", "[1, 2]")])
def test_files_of_others_are_never_written_over(
    shell: Shell, solution: str, name: str, text: str
) -> None:
    Path(name).write_text(text)
    for line in (f"export {solution} {name}", f"evaluate {solution} --best-response {name}"):
        shell(line).refused(OutputError, option="file", path=name)
    assert Path(name).read_text() == text


@pytest.mark.parametrize("kind", ["csv", "json"])
def test_a_format_that_is_named_writes_over_no_file_of_others(
    shell: Shell, solution: str, kind: str
) -> None:
    Path("rules.py").write_text("CARDS = 3\n")
    shell(f"export {solution} rules.py --format {kind}").refused(
        OutputError, option="file", path="rules.py"
    )
    assert Path("rules.py").read_text() == "CARDS = 3\n"
    for _ in range(2):
        shell(f"export {solution} table.txt --format {kind}").ok()


@pytest.mark.parametrize("name", ["table.csv", "table.json"])
def test_an_export_replaces_an_earlier_one(shell: Shell, solution: str, name: str) -> None:
    shell("solve kuhn --iterations 2 --quiet --out other.safetensors").ok()
    file = Path(name)
    for line in (f"export {solution} {name}", f"evaluate {solution} --best-response {name}"):
        file.unlink(missing_ok=True)
        shell(line).ok()
        fresh = file.read_bytes()
        shell(f"export other.safetensors {name}").ok()
        assert file.read_bytes() != fresh
        shell(line).ok()
        assert file.read_bytes() == fresh


def test_parquet_from_export_to_evaluate(shell: Shell, solution: str, folder: Path) -> None:
    """The name of the game goes with the table, and every digit."""
    shell(f"export {solution} a.parquet").ok()
    found = shell("evaluate a.parquet --json").ok().json
    assert found == {**shell(f"evaluate {solution} --json").ok().json, "file": "a.parquet"}
    shell(f"export {solution} a.parquet").ok()
    assert "1pb" in shell("inspect a.parquet --json").ok().out
    shell(f"evaluate {solution} --best-response b.parquet").ok()
    shell("evaluate b.parquet").ok()
    pandas.DataFrame({"mine": [1]}).to_parquet(folder / "c.parquet")
    shell(f"export {solution} c.parquet").refused(OutputError, option="file", path="c.parquet")
    (folder / "d.parquet").write_text("notes")
    shell(f"export {solution} d.parquet").refused(OutputError, option="file", path="d.parquet")
    shell("evaluate d.parquet --game kuhn").refused(
        FileFormatError, option="file", path="d.parquet"
    )
    shell("evaluate c.parquet --game kuhn").refused(
        FileFormatError, option="columns", given="['mine']", path="c.parquet"
    )


def test_parquet_without_its_packages(
    shell: Shell, solution: str, monkeypatch: pytest.MonkeyPatch, folder: Path
) -> None:
    shell(f"export {solution} a.parquet").ok()
    for missing in ("pyarrow", "pandas"):
        monkeypatch.setitem(sys.modules, missing, None)
        for line in (f"export {solution} b.parquet", "evaluate a.parquet"):
            shell(line).refused(ConfigError, option="package", given=missing)
    assert not (folder / "b.parquet").exists()
