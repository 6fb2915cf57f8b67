"""`equilibrist abstract`: sizes, recall, lossless reductions, reports."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from equilibrist.errors import ConfigError, EquilibristError, MemoryBudgetError, UnknownNameError
from tests.cli.command import Shell

LEDUC = "'leduc(suit_isomorphism=true)'"


def test_lossless_reduction_of_leduc(shell: Shell) -> None:
    found = shell("abstract leduc --lossless --report --json").ok().json
    assert (found["num_infosets"], found["num_abstract_infosets"]) == (936, 288)
    assert found["lossless"] == {"symmetries": 3, "undecided": []}
    assert [one["kind"] for one in found["recall"]] == ["perfect", "perfect"]
    assert found["map"]["Js"] == found["map"]["Jh"] != found["map"]["Qs"]
    numbers = found["report"]["numbers"]
    assert numbers["abstract_value"] == pytest.approx(-0.085606424078, abs=1e-10)
    assert numbers["equilibrium"]["exploitability"] < 1e-9
    assert found["report"]["bound"]["exploitability"] == 0.0


def test_given_symmetries(shell: Shell) -> None:
    three = "--symmetry Js=Jh --symmetry Qs=Qh --symmetry Ks=Kh"
    found = shell(f"abstract leduc --lossless {three} --json").ok().json
    assert found["num_abstract_infosets"] == 288
    found = shell("abstract leduc --lossless --symmetry Js=Jh,Qs=Qh,Ks=Kh --json").ok().json
    assert 288 < found["num_abstract_infosets"] < 936
    assert found["report"] is None


def test_report_of_an_abstraction(shell: Shell) -> None:
    ran = shell(f"abstract {LEDUC} --abstraction 'cards(JQ.K,pair)' --report").ok()
    assert "abstract equilibrium            0.4898     0.5443     0.4352" in ran.out
    assert "representable strategy          0.1697      0.138     0.2014" in ran.out
    assert "equilibrist solve" in ran.err


def test_one_seat(shell: Shell) -> None:
    line = f"abstract {LEDUC} --abstraction 'cards(JQ.K,pair)' --seat 0 --report --json"
    found = shell(line).ok().json
    assert found["sizes"] == [[144, 66], [144, 144]]
    numbers = found["report"]["numbers"]
    assert numbers["representable"]["losses"][0] == pytest.approx(0.1380, abs=5e-5)
    assert numbers["representable"]["losses"][1] == pytest.approx(0.0, abs=1e-9)


def test_what_is_merged_is_listed(shell: Shell) -> None:
    ran = shell("abstract kuhn --abstraction 'cards(JQ.K)'").ok()
    assert "Qb, Jb" in ran.out or "Jb, Qb" in ran.out
    assert "--report" in ran.err
    ran = shell("abstract kuhn --lossless").ok()
    assert "stands for" not in ran.out


def test_what_is_measured_says_so(shell: Shell) -> None:
    ran = shell("abstract 'kuhn(players=3)' --abstraction 'auto(2)' --report --iterations 50").ok()
    assert "Measured, not least: the game has 3 players. CFR+, 50 iterations" in ran.out
    assert "exploitability" not in ran.out
    line = f"abstract {LEDUC} --abstraction 'memory(last=1)' --report --iterations 50 --json"
    found = shell(line).ok().json
    assert found["report"]["numbers"] is None
    assert found["report"]["iterations"] == 50
    assert found["report"]["solved"]["exploitability"] > 0.1


def test_a_function_of_the_user(shell: Shell, tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text("def merge(key, player, facts):\n    return key.replace('1', '2')\n", "utf-8")
    found = shell(f"abstract kuhn --abstraction {file}:merge --report --json").ok().json
    assert found["num_abstract_infosets"] == 8
    assert found["report"]["numbers"]["equilibrium"]["exploitability"] > 0.0


@pytest.mark.parametrize(
    ("arguments", "kind", "fields"),
    [
        ("kuhn", ConfigError, dict(option="--abstraction")),
        ("kuhn --lossless --abstraction none", ConfigError, dict(option="--abstraction")),
        ("kuhn --abstraction none --symmetry 1=2", ConfigError, dict(option="--symmetry")),
        ("kuhn --lossless --symmetry 1=2", ConfigError, dict(option="symmetry", given="1=2")),
        ("kuhn --lossless --symmetry 1", ConfigError, dict(option="symmetry", given="1")),
        ("kuhn --abstraction nine", UnknownNameError, dict(option="abstraction", given="nine")),
        ("kuhn --abstraction none --seat 2", ConfigError, dict(option="seat", given=2)),
        (
            "kuhn --abstraction none --iterations 5",
            ConfigError,
            dict(option="--iterations", given=5),
        ),
        (
            "kuhn --abstraction none --report --iterations 0",
            ConfigError,
            dict(option="--iterations", given=0),
        ),
        ("leduc --lossless --max-histories 100", MemoryBudgetError, dict(given=100)),
    ],
)
def test_bad_input_ends_with_2_and_a_remedy(
    shell: Shell, arguments: str, kind: type[EquilibristError], fields: dict[str, Any]
) -> None:
    shell(f"abstract {arguments}").refused(kind, **fields)


@pytest.mark.parametrize(
    ("spec", "seat", "solved"),
    [
        ("cards(JQ.K)", 0, "0:cards(JQ.K)"),
        ("0:cards(JQ.K);1:none", 0, "0:cards(JQ.K)"),
        ("1:cards(JQ.K)", 1, "1:cards(JQ.K)"),
        ("0:cards(JQ.K)", 1, "1:none"),
    ],
)
def test_what_a_report_of_one_seat_suggests(
    shell: Shell, spec: str, seat: int, solved: str
) -> None:
    ran = shell(f"abstract kuhn --abstraction '{spec}' --seat {seat} --report").ok()
    assert f"--abstraction '{solved}'" in ran.err or f"--abstraction {solved}\n" in ran.err
