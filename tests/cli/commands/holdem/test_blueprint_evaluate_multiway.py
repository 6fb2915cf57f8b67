"""`equilibrist blueprint evaluate` and `evaluate` with three seats."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from equilibrist.errors import UnsupportedError
from equilibrist.poker import Hand, build_card_buckets
from equilibrist.poker.blueprint.abstract_game import AbstractGame
from equilibrist.poker.blueprint.policy import Blueprint
from tests.cli.command import Shell

pytestmark = pytest.mark.slow

RECORD = {
    "algorithm": "external", "boards": 0, "iterations": 0, "seconds": 60.0,
    "average_regret_mbb": 0.0, "value_mbb": 0.0,
}  # fmt: skip


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("blueprint")
    cards = build_card_buckets(
        "all/6/6/4", folder / "q.safetensors", lowest_rank=10, restarts=1, passes=3, sample=1000,
        threads=1,
    )  # fmt: skip
    game = AbstractGame(Hand(seats=3, stack=3, bets="a", raises="a", deck="Q"), cards.counts)
    Blueprint(game, cards, np.ones(game.num_slots, np.uint16), RECORD).save(folder / "b.st")
    return folder / "b.st"


@pytest.mark.slow
def test_text_is_by_seat(shell: Shell, file: Path) -> None:
    out = (
        shell(f"blueprint evaluate {file} --exploiter 0.1s --litmus --boards 500 --threads 1")
        .ok()
        .out
    )
    lines = out.splitlines()
    table = next(k for k, line in enumerate(lines) if line.strip().startswith("exploiter as"))
    assert "NashConv at least" in lines[table - 1]  # uniform strategies lose much
    seats = [line.strip().split("  ")[0] for line in lines[table + 1 : table + 4]]
    assert seats == ["small blind", "big blind", "button"]
    assert "500 independent deals" in out
    assert "AA before the flop" in out
    assert "push or fold        skipped" in out
    assert "trained as long" in out


@pytest.mark.slow
def test_json_has_every_seat(shell: Shell, file: Path) -> None:
    command = f"blueprint evaluate {file} --exploiter 0.1s --litmus --boards 500 --threads 1"
    found = json.loads(shell(f"{command} --json").ok().out)
    assert len(found["values"]) == 3
    exploiter = found["exploiter"]
    assert len(exploiter["gains"]) == len(exploiter["chosen"]) == 3
    assert exploiter["blueprint_values"] == found["values"]
    assert exploiter["nash_conv"]["mean"] == pytest.approx(
        sum(each["mean"] for each in exploiter["gains"])
    )
    assert found["litmus"]["skipped"] == ["jam_or_fold"]
    assert found["litmus"]["jam_or_fold"] is None


@pytest.mark.slow
def test_keys_are_those_of_two_seats(shell: Shell, file: Path, tmp_path: Path) -> None:
    three = Blueprint.load(file)
    game = AbstractGame(Hand(stack=3, bets="a", raises="a", deck="Q"), three.cards.counts)
    record = {**RECORD, "algorithm": "vector", "storage": "float32"}
    two = tmp_path / "two.st"
    Blueprint(game, three.cards, np.ones(game.num_slots, np.uint16), record).save(two)
    options = "--exploiter 0.1s --litmus --boards 100 --threads 1 --json"
    both = [
        json.loads(shell(f"blueprint evaluate {each} {options}").ok().out) for each in (file, two)
    ]
    for part in ((), ("exploiter",), ("litmus",), ("blueprint",)):
        first, second = both
        for key in part:
            first, second = first[key], second[key]
        assert set(first) == set(second)
    assert both[1]["values"] == both[1]["exploiter"]["blueprint_values"]
    assert both[1]["litmus"]["skipped"] == []


def test_evaluate_shows_the_litmus_hands(shell: Shell, file: Path) -> None:
    out = shell(f"evaluate {file}").ok()
    assert "own value" in out.out
    assert "button" in out.out
    assert "--lbr" not in out.out + out.err


@pytest.mark.parametrize("option", ["--card-response", "--lbr"])
def test_what_takes_two_seats_is_refused(shell: Shell, file: Path, option: str) -> None:
    shell(f"blueprint evaluate {file} --exploiter 10m {option}").refused(
        UnsupportedError, option=option
    )


@pytest.mark.slow
def test_training_is_evaluated_in_between(shell: Shell, file: Path, tmp_path: Path) -> None:
    command = "blueprint train --seats 3 --stack 3 --bets a --raises a --deck Q --time 1.5s"
    command += f" --evaluate-every 0.5s --cards {file.parent / 'q.safetensors'} --threads 1"
    found = json.loads(shell(f"{command} -o {tmp_path / 'b.st'} --json").ok().out)
    assert len(found["evaluated"]["gains"]) == 3
    assert found["evaluated"]["boards"] == 200_000
