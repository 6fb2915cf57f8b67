"""Samplers of one's own, as a user types them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from equilibrist.errors import ConfigError, UnknownNameError
from tests.cli.command import Shell

FILE = '''
from equilibrist.solvers import OwnSampler

class MySampler(OwnSampler):
    """All own actions; the others draw evenly."""
    def __init__(self, share: float = 0.5) -> None:
        self.share = share
    def choose(self, node):
        if node.is_own:
            return node.all()
        count = len(node.strategy)
        return node.one([self.share / count + (1 - self.share) * p for p in node.strategy])

class Biased(MySampler):
    def traverse(self, root, traverser, profile, draws, tables, **options):
        added = super().traverse(root, traverser, profile, draws, tables, **options)
        for row in added.regret.values():
            row[0] *= 2.0
        return added
'''


@pytest.fixture
def mine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    (tmp_path / "mine.py").write_text(FILE, "utf-8")
    monkeypatch.chdir(tmp_path)
    return "mine.py:MySampler"


def test_it_solves_and_races(shell: Shell, mine: str) -> None:
    out = shell(f"solve kuhn --sampler '{mine}(share=0.25)' --iterations 50 --quiet").ok().out
    assert "50 iterations of cfr with mine.py:MySampler(share=0.25) sampling" in out
    raced = shell(
        f"compare kuhn --algorithms cfr@external,lcfr@{mine} --iterations 50 --json --quiet"
    )
    document = raced.ok().json
    assert f"lcfr@{mine}" in json.dumps(document)


def test_it_is_listed_with_its_parameters(shell: Shell, mine: str) -> None:
    document = shell(f"samplers '{mine}(share=0.25)' --json").ok().json
    assert document["name"] == "MySampler"
    assert document["summary"] == "All own actions; the others draw evenly."
    assert document["parameters"] == {"share": 0.25}


def test_check_proves_that_it_is_unbiased(shell: Shell, mine: str) -> None:
    out = shell(f"check {mine} --game kuhn").ok().out
    assert "No bias found" in out
    document = shell(f"check {mine} --game kuhn --json").ok().json
    assert document["ok"]
    assert document["games"][0]["regret"]["error"] < 1e-12


def test_check_finds_a_bias(shell: Shell, mine: str) -> None:
    ran = shell("check mine.py:Biased --game kuhn --json")
    assert ran.code == 1
    (game,) = ran.json["games"]
    assert not game["regret"]["is_right"]
    assert game["regret"]["bias"]["found"] != pytest.approx(game["regret"]["bias"]["wanted"])


def test_check_takes_games_and_samplers(shell: Shell, mine: str) -> None:
    assert "histories" in shell("check kuhn").ok().out
    shell("check kuhn --game leduc").refused(ConfigError, option="--game", given="leduc")
    assert "exact" in shell("check external --game kuhn").ok().out


def test_an_unknown_sampler_is_named_in_full(shell: Shell, mine: str) -> None:
    shell("solve kuhn --sampler mine").refused(UnknownNameError, option="sampler", name="mine")
    shell("solve kuhn --sampler mine.MySampler").refused(
        UnknownNameError, option="sampler", name="mine.MySampler"
    )
    shell("solve kuhn --sampler mine.py").refused(ConfigError, option="sampler", given="mine.py")
