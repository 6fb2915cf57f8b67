"""`resolve HAND --nested`: documents, hands played on the way, what people read, bad input."""

from __future__ import annotations

from pathlib import Path

import pytest

from equilibrist.cli.inputs.signals import INTERRUPTED
from equilibrist.errors import ConfigError, MemoryBudgetError, MismatchError
from equilibrist.poker.hands.hand import Hand
from equilibrist.poker.preflop.exact.game import ExactGame
from equilibrist.poker.preflop.exact.solution import PreflopSolution
from equilibrist.search import NestedSearch
from equilibrist.solving.files import load_result
from tests.cli.command import Shell

GAME = "royal(bets=all,stack=6,deck=K)"
MENU = "--bets 100%,a --raises 100%,a"


@pytest.fixture
def trunk(shell: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    shell(f"preflop solve {GAME} {MENU} --iterations 30 --keep-flops 32 -o menu.safetensors").ok()
    return "menu.safetensors"


def test_the_document(shell: Shell, trunk: str) -> None:
    line = f"resolve {GAME} --trunk {trunk} --nested --iterations 20"
    document = shell(f"{line} --online 8 --seed 2 --offline --json").ok().json
    solution = load_result(trunk)
    assert isinstance(solution, PreflopSolution)
    assert solution.kept is not None
    search = NestedSearch(solution.kept, ExactGame.of(Hand.named(GAME)), iterations=20)
    result = search.offline()
    offline = document["offline"]
    assert offline["before"]["exploitability"] == 500.0 * result.before.nash_conv
    assert offline["after"]["exploitability"] == 500.0 * result.after.nash_conv
    assert offline["after"]["best_response"][0] == 1000.0 * result.after.best_values[1]
    assert offline["subgames"] == result.subgames
    assert document["online"]["hands"] == 8
    assert 0 < document["online"]["solves"] <= document["online"]["decisions"] * 3
    assert document["method"] == "resolve"
    assert document["stopped_by"] is None
    again = shell(f"{line} --online 8 --seed 2 --json").ok().json
    assert again["offline"] is None
    assert again["online"]["mean"] == document["online"]["mean"]


def test_what_people_read(shell: Shell, trunk: str) -> None:
    text = shell(f"resolve {GAME} --trunk {trunk} --nested --iterations 5 --online 3").ok().out
    assert "3 hands against one who takes every legal action alike" in text
    assert "a decision with a solve" in text
    text = shell(f"resolve {GAME} --trunk {trunk} --nested --iterations 5").ok().out
    assert "pseudo-harmonic" in text
    assert "exploitability" in text


def test_bad_input(shell: Shell, trunk: str) -> None:
    line = f"resolve {GAME} --trunk {trunk}"
    for options, option in (
        ("", "nested"),
        ("--nested --roots x", "roots"),
        ("--nested --leaves x", "leaves"),
        ("--nested --seat 1", "seat"),
        ("--nested --out new.csv", "out"),
        ("--nested --gadget reach", "method"),
        ("--nested --algorithm pcfr+", "algorithm"),
        ("--nested --algorithm lp", "algorithm"),
    ):
        shell(f"{line} {options}").refused(ConfigError, option=option)
    for how in ("", "--online 3"):
        shell(f"{line} --nested --memory 1MB {how}").refused(MemoryBudgetError)
    other = "royal(bets=all,stack=8,deck=K)"
    shell(f"resolve {other} --trunk {trunk} --nested").refused(MismatchError)
    shell(f"preflop solve {GAME} {MENU} --iterations 2 -o root.safetensors").ok()
    shell(f"resolve {GAME} --trunk root.safetensors --nested").refused(ConfigError, option="trunk")


def test_ctrl_c_keeps_the_hands_so_far(
    shell: Shell, trunk: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    probabilities, asked = NestedSearch.probabilities, 0

    def interrupted(self: NestedSearch, node: int, board: int) -> object:
        nonlocal asked
        asked += 1
        if asked > 6:
            raise KeyboardInterrupt
        return probabilities(self, node, board)

    monkeypatch.setattr(NestedSearch, "probabilities", interrupted)
    line = f"resolve {GAME} --trunk {trunk} --nested --iterations 5 --online 100"
    found = shell(f"{line} --json")
    assert found.code == INTERRUPTED
    assert found.json["stopped_by"] == "interrupted"
    assert 0 < found.json["online"]["hands"] < 20
