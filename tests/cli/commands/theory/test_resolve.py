"""`resolve`: documents, files, play on the way, what people read, and bad input."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import equilibrist as eq
from equilibrist.errors import ConfigError, FileFormatError, MismatchError, UnknownNameError
from equilibrist.search import OnlineSearch
from tests.cli.command import Shell

GAME = "leduc(suit_isomorphism=true)"


@pytest.fixture
def trunk(shell: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    shell(f"solve {GAME} --iterations 10 --out trunk.safetensors").ok()
    return "trunk.safetensors"


def read(path: str) -> eq.Strategy:
    return eq.load_result(path).strategy.on(eq.compile_game(GAME))


@pytest.mark.parametrize("method", ["maxmargin", "unsafe", "reach(scale=raw)"])
def test_the_document_and_the_file(shell: Shell, trunk: str, method: str) -> None:
    line = f"resolve {GAME} --trunk {trunk} --gadget {method} --offline -o better.safetensors"
    document = shell(f"{line} --json").ok().json
    search = OnlineSearch.of(read(trunk), roots="after chance", method=method)
    resolved = search.offline()
    saved = read("better.safetensors")
    np.testing.assert_array_equal(saved.probabilities, resolved.strategy.probabilities)
    assert document["offline"]["after"] == list(resolved.after)
    assert document["offline"]["before"] == list(resolved.before)
    assert document["method"] == resolved.method.spec
    assert document["safe"] == resolved.method.is_safe
    assert document["strategy"] == saved.to_dict()
    assert document["subgames"] == 30
    measured = shell("evaluate better.safetensors --json").ok().json
    assert measured["exploitability"] == pytest.approx(sum(resolved.after) / 2, abs=1e-9)


@pytest.mark.slow
def test_seats_roots_and_algorithms(shell: Shell, trunk: str) -> None:
    line = f"resolve {GAME} --trunk {trunk} --json"
    document = shell(f"{line} --seat 1 --roots ??:cc --roots ??:rc").ok().json
    assert {step["seat"] for step in document["offline"]["steps"]} == {1}
    assert document["roots"] == ["??:cc", "??:rc"]
    assert document["offline"]["after"][0] == document["offline"]["before"][0]
    document = shell(f"{line} --algorithm cfr+ --iterations 50").ok().json
    offline = document["offline"]
    for before, after, bound in zip(
        offline["before"], offline["after"], offline["bound"], strict=True
    ):
        assert bound > 0.0
        assert after <= before + bound
    again = shell(f"{line} --again").ok().json
    assert again["subgames"] > document["subgames"]


def test_hands_are_played_on_the_way(shell: Shell, trunk: str) -> None:
    line = f"resolve {GAME} --trunk {trunk} --online 30 --seed 4"
    document = shell(f"{line} --json").ok().json
    assert document["offline"] is None
    assert document["online"]["hands"] == 30
    assert 0 < document["subgames"] <= 30
    both = shell(f"{line} --offline --json").ok().json
    assert both["online"] == document["online"]
    assert both["subgames"] == 30


def test_what_people_read(shell: Shell, trunk: str) -> None:
    line = f"resolve {GAME} --trunk {trunk} --gadget resolve --seat 0"
    text = shell(line).ok()
    assert "by true best responses" in text.out
    assert "no guarantee" not in text.err
    assert "no guarantee" in shell(f"{line} --gadget unsafe").ok().err
    played = shell(f"{line} --online 5").ok()
    assert "5 hands against the trunk" in played.out
    # Without public chance the roots follow on the first move.
    shell("solve liars_dice(sides=2) --iterations 5 --out dice.safetensors").ok()
    shell("resolve liars_dice(sides=2) --trunk dice.safetensors").ok()


def test_bad_input(shell: Shell, trunk: str) -> None:
    line = f"resolve {GAME} --trunk {trunk}"
    for options, kind, option in (
        ("--gadget max-magin", UnknownNameError, "method"),
        ("--gadget unsafe(scale=raw)", UnknownNameError, None),
        ("--roots nowhere", ConfigError, "roots"),
        ("--seat 2", ConfigError, "seat"),
        ("--iterations 10", ConfigError, "iterations"),
        ("--algorithm cfr+ --iterations 0", ConfigError, "iterations"),
        ("--algorithm cfg", UnknownNameError, "algorithm"),
        (f"--out {trunk}", ConfigError, "out"),
        ("--out new.txt", ConfigError, "out"),
    ):
        refused = shell(f"{line} {options}")
        if option is None:
            refused.refused(kind)
        else:
            refused.refused(kind, option=option)
    shell(f"resolve kuhn --trunk {trunk}").refused(MismatchError)
    Path("spot.toml").write_text("[spot]\n")
    shell("resolve kuhn --trunk spot.toml").refused(FileFormatError)
    shell("solve matching_pennies --iterations 5 --out rps.safetensors").ok()
    shell("resolve matching_pennies --trunk rps.safetensors").refused(
        ConfigError, option="public_state"
    )


WIDE = """
from tests.search.pot_bets import PotBets


class Wide(PotBets):
    def __init__(self):
        super().__init__((0, 0.75))
"""


def test_a_trunk_of_a_smaller_game(shell: Shell, tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.chdir(tmp_path)
    Path("wide.py").write_text(WIDE)
    Path("narrow.py").write_text("from tests.search.pot_bets import PotBets as Narrow\n")
    shell("solve narrow.py:Narrow --iterations 3 --out menu.safetensors").ok()
    line = "resolve wide.py:Wide --trunk menu.safetensors --nested"
    found = shell(f"{line} --roots ??:x --seat 1 --json").ok()
    common = eq.load_result("menu.safetensors").strategy.num_infosets
    assert f"{common} of its {common} infosets" in found.err
    document = found.json
    assert document["method"] == "resolve"
    assert document["nested"]
    assert document["roots"] == ["??:x"]
    offline = document["offline"]
    assert offline["after"][1] < offline["before"][1]
    assert "??:x" in shell(f"{line} --online 3 --json").ok().json["roots"]
    shell("resolve wide.py:Wide --trunk menu.safetensors").refused(MismatchError)
    shell(f"{line} --again").refused(ConfigError, option="again")


def test_leaves_and_roots_in_turn(shell: Shell, trunk: str) -> None:
    line = f"resolve {GAME} --trunk {trunk} --json"
    leaves = f"{line} --gadget unsafe --seat 0 --roots ??:c --leaves ??:cc --leaves ??:cr?c"
    document = shell(f"{leaves} --responses 1").ok().json
    assert document["leaves"] == ["??:cc", "??:crrc"]
    assert document["responses"] == 1
    one = document["offline"]["after"]
    own = shell(f"{leaves} --responses 0 --continuation {trunk}").ok().json["offline"]["after"]
    assert one[0] < own[0]
    fond = shell(f"{leaves} --responses 0 --continuation raise").ok().json["offline"]["after"]
    assert fond != own
    zero = shell(f"{leaves} --values zero --growth 1").ok().json
    assert (zero["values"], zero["growth"], zero["responses"]) == ("zero", 1, 0)
    roots = "--roots ??:rc --roots ??:cc"
    turn = shell(f"{line} --in-turn --gadget reach(gifts=whole) {roots}").ok().json
    assert turn["in_turn"]
    assert turn["safe"]
    assert turn["offline"]["bound"] == [0.0, 0.0]
    assert turn["subgames"] == 4
    table = line.removesuffix("--json") + f"--in-turn {roots}"
    for order, rise in ((1, "0"), (2, "-")):
        text = shell(f"{table} --gadget resolve(order={order})").ok().out
        rows = [row.split() for row in text.splitlines() if row.split()[:1] == ["seat"]]
        assert [row[-1] for row in rows] == [rise, rise]
    for options, option in (
        ("--in-turn --again", "in_turn"),
        ("--in-turn --online 3", "in_turn"),
        ("--responses 2", "responses"),
        (f"--continuation {trunk}", "continuations"),
        ("--leaves nowhere", "leaves"),
        ("--growth 2", "growth"),
        ("--leaves ??:cc* --continuation jump", "continuations"),
        ("--nested", "nested"),
    ):
        shell(f"{line} {options}").refused(ConfigError, option=option)
