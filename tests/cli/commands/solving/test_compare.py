"""`equilibrist compare`, as a user types it."""

from __future__ import annotations

import csv
import sys
from pathlib import Path
from typing import Any

import pytest

from equilibrist.cli.commands.solving.compare import split_names
from equilibrist.errors import (
    ConfigError,
    EquilibristError,
    MismatchError,
    OutputError,
    UnknownNameError,
)
from equilibrist.solving.comparison_runs import runs
from equilibrist.solving.running import run
from tests.cli.command import Shell


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("cfr+,dcfr", ["cfr+", "dcfr"]),
        (" cfr , dcfr(alpha=1.5,beta=0) ,lp", ["cfr", "dcfr(alpha=1.5,beta=0)", "lp"]),
        ("@outcome(epsilon=0.4),lcfr@external", ["@outcome(epsilon=0.4)", "lcfr@external"]),
        ("", []),
    ],
)
def test_commas_in_brackets_do_not_part_names(text: str, names: list[str]) -> None:
    assert split_names(text) == names


def test_the_table_has_a_row_per_algorithm(shell: Shell) -> None:
    done = shell("compare kuhn --algorithms cfr,pcfr+ -n 500 --levels 1e-2").ok()
    rows = {line.split()[0]: line for line in done.out.splitlines() if line.startswith("  ")}
    assert list(rows)[:3] == ["0.01", "cfr", "pcfr+"]
    assert rows["cfr"].rstrip().endswith("s")
    assert "500 it" in rows["pcfr+"]


@pytest.mark.slow
def test_where_the_runs_begin_is_told(shell: Shell) -> None:
    game = "matrix(payoffs=[[0,-1,1e6],[1,0,1e6],[-1e6,-1e6,0]])"
    ran = shell(f"compare '{game}' -a cfr,dcfr --target 1e-3 --json").ok()
    (note, other) = [note for run in ran.json["algorithms"] for note in run["notes"]]
    text = shell(f"compare '{game}' -a cfr,dcfr --target 1e-3").ok().out
    assert note in text
    assert other in text


def test_json_is_one_document(shell: Shell, tmp_path: Path) -> None:
    picture = tmp_path / "compare.png"
    line = f"compare leduc -a dcfr,lcfr@external -n 100 --json --plot {picture}"
    document = shell(line).ok().json
    assert document["game"] == "leduc"
    assert [a["algorithm"] for a in document["algorithms"]] == ["dcfr", "lcfr@external"]
    assert document["algorithms"][0]["reached"]["1e-06"] is None
    assert picture.read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize(
    ("arguments", "kind", "fields"),
    [
        ("kuhn -a dcfrr", UnknownNameError, dict(option="algorithm", name="dcfrr")),
        ("kuhn -a ''", ConfigError, dict(option="algorithms")),
        ("kuhn --levels 1e-3,x", ConfigError, dict(option="levels", given="x")),
        ("kuhn --plot compare.txt", ConfigError, dict(option="plot", given="compare.txt")),
        ("kuhn --plot no/such/folder/compare.svg", OutputError, dict(option="folder")),
        ("khun", UnknownNameError, dict(option="game", name="khun")),
    ],
)
def test_bad_input_ends_with_2_and_a_remedy(
    shell: Shell, arguments: str, kind: type[EquilibristError], fields: dict[str, Any]
) -> None:
    shell(f"compare {arguments}").refused(kind, **fields)


def test_a_race_may_start_from_a_file(shell: Shell) -> None:
    shell("solve kuhn -n 200 --out start.safetensors -q").ok()
    line = "-a cfr,dcfr,lp -n 150 --warm-start start.safetensors --json"
    warm = shell(f"compare kuhn {line}").ok().json
    cold = shell("compare kuhn -a cfr,dcfr -n 150 --json").ok().json
    for one, other in zip(warm["algorithms"], cold["algorithms"], strict=False):
        assert one["exploitability"] < other["exploitability"]
        assert one["trace"][0]["iteration"] > 100
    shell("compare leduc -n 150 --warm-start start.safetensors").refused(
        MismatchError, option="game", given="kuhn", expected="leduc"
    )


def test_a_comparison_says_which_runs_do_not_start_from_the_file(shell: Shell) -> None:
    shell("solve kuhn -n 200 --out start.safetensors -q").ok()
    mixed = shell("compare kuhn -a dcfr,hedge,cfr@external -n 150 --warm-start start.safetensors")
    assert "Without the warm start, which is for variants with full traversals: hedge, cfr@ext" in (
        mixed.ok().out
    )
    alone = shell("compare kuhn -a dcfr -n 150 --warm-start start.safetensors").ok().out
    assert "Without the warm start" not in alone + shell("compare kuhn -a hedge -n 9").ok().out
    none = "compare kuhn -a hedge,xfp -n 150 --warm-start start.safetensors"
    shell(none).refused(ConfigError, option="warm_start")


@pytest.mark.slow
def test_an_algorithm_that_refuses_the_game_loses_no_other(shell: Shell) -> None:
    for json in ("", " --json"):
        ran = shell(f"compare kuhn -a cfr,regret-matching,dcfr -n 50 -q --plot compare.svg{json}")
        assert ran.code == 2
        assert ran.err.count("error:") == 1
        assert "regret-matching failed: kuhn is not a matrix game" in ran.err
        assert Path("compare.svg").read_text().startswith("<?xml")
        for name in ("cfr", "dcfr"):
            assert name in ran.out
    assert [d["algorithm"] for d in ran.json["failed"]] == ["regret-matching"]


def test_failures_name_options_as_they_are_typed(
    shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuses_dcfr(*args: Any) -> Any:
        if args[2].algorithm == "dcfr":
            raise ConfigError("warm_start has no meaning here", remedy="give `max_histories`")
        return run(*args)

    monkeypatch.setattr(runs, "run", refuses_dcfr)
    ran = shell("compare kuhn -a cfr,dcfr -n 9 -q")
    assert "dcfr failed: --warm-start has no meaning here; give --max-histories" in ran.err


def test_a_variant_that_diverges_loses_no_other(shell: Shell) -> None:
    Path("wild.py").write_text(
        "from dataclasses import dataclass\n"
        "from equilibrist.solvers.variants.local_rule import LocalRule\n"
        "@dataclass(frozen=True)\n"
        "class Wild(LocalRule):\n"
        "    name: str = 'wild'\n"
        "    def step(self, t, instant, strategy, regret, kept):\n"
        "        return strategy if t < 20 else strategy * float('nan')\n"
    )
    ran = shell("compare kuhn -a wild.py:Wild,cfr -n 50 -q")
    assert ran.code == 2
    assert ran.err.count("error:") == 1
    assert "failed: " in ran.err
    assert "Traceback" not in ran.err
    assert "50 it" in ran.out


def test_several_runs_have_medians_and_intervals(shell: Shell, folder: Path) -> None:
    line = "compare kuhn -a cfr,@external -n 300 --seeds 6 --repeat 2 --target 0.05"
    done = shell(f"{line} --out race.csv --plot race.svg").ok()
    rows = {line.split()[0]: line for line in reversed(done.out.splitlines()) if line[:2] == "  "}
    assert "2 runs" in rows["cfr"]
    assert "6 seeds x 2" in rows["@external"]
    assert "95 % interval: @external" in done.out
    assert "range of 2 runs: cfr" in done.out
    assert [*rows][-1] == "0.05", "the only level is the target"
    table = (folder / "race.csv").read_text("utf-8").splitlines()
    assert table[0] == "algorithm,seed,run,iteration,seconds,nash_conv,exploitability"
    ends = {tuple(row.split(",")[:3]) for row in table[1:]}
    assert len(ends) == 2 + 12
    assert (folder / "race.svg").exists()
    document = shell(f"{line} --json").ok().json["algorithms"][1]
    assert len(document["runs"]) == 12


@pytest.mark.parametrize(
    ("arguments", "kind", "fields"),
    [
        ("-a cfr --seeds 3", ConfigError, dict(option="seeds", given=3)),
        ("--seeds x", ConfigError, dict(option="seeds", given="x")),
        ("--repeat 0", ConfigError, dict(option="repeat", given="0")),
        ("--out race.txt", ConfigError, dict(option="file", given="race.txt")),
        ("--out no/such/folder/race.csv", OutputError, dict(option="folder")),
        ("--out mine.csv", OutputError, dict(option="file", given="mine.csv")),
    ],
)
def test_runs_and_files_that_make_no_sense(
    arguments: str,
    kind: type[EquilibristError],
    fields: dict[str, Any],
    shell: Shell,
    folder: Path,
) -> None:
    (folder / "mine.csv").write_text("mine", "utf-8")
    refused = shell(f"compare kuhn -n 5 {arguments}").refused(kind, **fields)
    assert "running" not in refused.err


@pytest.mark.slow
def test_networks_race_by_the_names_of_train(
    shell: Shell, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = "sd-cfr(walks=40,learner=table)"
    line = f"compare kuhn -a dcfr,{table} -n 6 --seeds 2 --out race.csv --plot race.svg"
    document = shell(f"{line} --json").ok().json
    one, other = document["algorithms"]
    assert (one["algorithm"], len(one["runs"])) == ("dcfr", 1)
    assert (other["algorithm"], [run["seed"] for run in other["runs"]]) == (table, [0, 1])
    with (folder / "race.csv").open(newline="") as file:
        rows = {(row["algorithm"], row["seed"]) for row in csv.DictReader(file)}
    assert rows == {("dcfr", "0"), (table, "0"), (table, "1")}
    assert "sd-cfr" in (folder / "race.svg").read_text()
    alone = shell(f"compare kuhn -a {table} -n 6").ok()
    assert f"equilibrist train kuhn --algorithm '{table}' --iterations 6" in alone.err + alone.out
    monkeypatch.setitem(sys.modules, "torch", None)
    shell("compare kuhn -a dcfr,sd-cfr -n 6").refused(ConfigError, option="package", given="torch")


def test_networks_are_shown_by_name(shell: Shell) -> None:
    info = shell("algorithms sd-cfr --json").ok().json
    assert (info["name"], info["parameters"]["learner"]) == ("sd-cfr", "network")
    assert "sd-cfr" in shell("algorithms").ok().out
