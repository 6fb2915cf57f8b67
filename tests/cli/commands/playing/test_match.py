"""`equilibrist match` as a user types it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import equilibrist as eq
from equilibrist.errors import (
    ConfigError,
    EquilibristError,
    FileFormatError,
    MemoryBudgetError,
    MismatchError,
)
from equilibrist.evaluation import expected_values
from equilibrist.library.listing import entries
from tests.cli.command import Shell

FILES = {"kuhn": "kuhn", "leduc": "leduc", "kuhn(players=3)": "kuhn3"}
DICE = "'rules:liars_dice(sides=4)'"


@pytest.fixture(autouse=True)
def solutions(folder: Path) -> None:
    for name, file in FILES.items():
        eq.solve(name, iterations=100, files=eq.Files(out=f"{file}.safetensors"))


def test_both_seats_exactly(shell: Shell) -> None:
    document = shell("match kuhn.safetensors uniform --json").json
    tree = eq.compile_game("kuhn")
    mine = eq.Result.load("kuhn.safetensors").strategy.on(tree)
    uniform = eq.Strategy.uniform(tree)
    values = [
        list(expected_values(uniform.replace(0, mine))),
        list(expected_values(uniform.replace(1, mine))),
    ]
    assert document["values"] == values
    assert document["mean"] == pytest.approx((values[0][0] + values[1][1]) / 2)
    assert document["second_mean"] == pytest.approx(-document["mean"])
    assert (document["exact"], document["deals"], document["interval"]) == (True, None, None)
    assert document["even"] == pytest.approx(0.0)
    printed = shell("match kuhn.safetensors uniform").ok().out
    assert f"A gets {document['mean']:.6f} per hand" in printed


def test_deals_bracket_the_exact_mean(shell: Shell) -> None:
    exact = shell("match leduc.safetensors uniform --json").json
    drawn = shell("match leduc.safetensors uniform --hands 2e4 --seed 3 --json").json
    assert abs(drawn["mean"] - exact["mean"]) <= 2.2 * drawn["half_width"]
    assert (drawn["deals"], drawn["seed"], drawn["exact"]) == (20_000, 3, False)
    assert drawn["interval"][0] < drawn["mean"] < drawn["interval"][1]
    printed = shell("match leduc.safetensors uniform --hands 2e4 --seed 3").ok().out
    assert "20,000 duplicate deals" in printed
    assert f"A gets {drawn['mean']:+.6f} per hand" in printed


def test_algorithms_on_a_game(shell: Shell) -> None:
    document = shell("match lp 'dcfr(gamma=3)' --game kuhn --json").json
    assert abs(document["mean"]) < 1e-3
    assert [entry.algorithm for entry in entries()] == ["dcfr(gamma=3)", "lp"]
    again = shell("match last-2 last --json").json
    assert again["mean"] == pytest.approx(document["mean"], abs=1e-12)


def test_of_three_players_one_plays_against_two(shell: Shell) -> None:
    document = shell("match kuhn3.safetensors uniform --json").json
    assert document["num_players"] == 3
    assert len(document["values"]) == 3
    assert document["mean"] > 0 > document["second_mean"]
    assert document["mean"] == pytest.approx(-2 * document["second_mean"])


@pytest.mark.slow
def test_strategies_without_a_tree(shell: Shell) -> None:
    for seed in (1, 2):
        line = f"solve {DICE} --sampler external -n 300 --max-histories 1000 --seed {seed}"
        shell(f"{line} -q --out {seed}.safetensors").ok()
    line = "match 1.safetensors 2.safetensors --json"
    exact = shell(line).json
    drawn = shell(f"{line} --max-histories 1000 --hands 1e5").json
    assert exact["exact"]
    assert not drawn["exact"]
    assert abs(drawn["mean"] - exact["mean"]) <= 2.2 * drawn["half_width"]
    shell("match 1.safetensors uniform --max-histories 1000 --hands 10").ok()
    shell(f"match 1.safetensors dcfr --game {DICE} --max-histories 1000").refused(
        ConfigError, option="game", given="rules:liars_dice(sides=4)"
    )


@pytest.mark.slow
def test_a_large_game_is_played_by_deals_by_default(
    shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("equilibrist.cli.inputs.matches.DUPLICATE_DEALS", 5000)
    shell(f"solve {DICE} --sampler external -n 50 --max-histories 1000 -q --out 1.safetensors")
    document = shell("match 1.safetensors uniform --max-histories 1000 --json").json
    assert (document["exact"], document["deals"]) == (False, 5000)


@pytest.mark.by_default(4)
@pytest.mark.parametrize(
    ("line", "kind", "fields"),
    [
        ("match uniform uniform", ConfigError, dict(option="--game")),
        ("match cfr cfr+", ConfigError, dict(option="--game")),
        ("match none.csv uniform", FileFormatError, dict(option="file", path="none.csv")),
        (
            "match kuhn.safetensors leduc.safetensors",
            MismatchError,
            dict(option="game", given="leduc", expected="kuhn"),
        ),
        (
            "match kuhn.safetensors uniform --game leduc",
            MismatchError,
            dict(option="game", given="kuhn", expected="leduc"),
        ),
        (
            "match kuhn.safetensors nonsense",
            ConfigError,
            dict(option="B", given="nonsense"),
        ),
        (
            "match nonsense uniform --game kuhn",
            ConfigError,
            dict(option="A", given="nonsense"),
        ),
        ("match kuhn.safetensors uniform --deals 1", ConfigError, dict(option="deals", given="1")),
        ("match kuhn.safetensors uniform --deals x", ConfigError, dict(option="deals", given="x")),
        (
            "match kuhn.safetensors uniform --deals 5 --lines 2",
            ConfigError,
            dict(option="--lines", given=2),
        ),
        ("match kuhn.safetensors uniform --seed 3", ConfigError, dict(option="--seed", given=3)),
        (
            "match kuhn.safetensors uniform --seed -3 --hands 9",
            ConfigError,
            dict(option="seed", given=-3),
        ),
        ("match bad.csv uniform --game kuhn", ConfigError, dict(option="infosets", given="1pb")),
        (
            "match leduc.safetensors uniform --max-histories 10",
            MemoryBudgetError,
            dict(option="max_histories", given=10, histories=1024),
        ),
    ],
)
def test_bad_input_is_one_error(
    shell: Shell, line: str, kind: type[EquilibristError], fields: dict[str, Any]
) -> None:
    Path("bad.csv").write_text("infoset,action,probability\n1,pass,0.5\n")
    shell(line).refused(kind, **fields)


SAME = [
    ("leduc.safetensors uniform", ""),
    ("leduc.safetensors uniform", "--deals 500 --seed 3"),
    ("kuhn3.safetensors uniform", "--deals 500"),
    ("kuhn.safetensors cfr", ""),
    ("packed uniform", ""),
    ("packed uniform", "--deals 500 --lines 4 --seed 2"),
    ("packed packed", "--seed 2"),
    ("packed uniform", "--max-histories 10"),
]


@pytest.mark.by_default(1)
@pytest.mark.parametrize(("words", "options"), SAME)
def test_evaluate_against_says_what_match_says(
    shell: Shell, monkeypatch: pytest.MonkeyPatch, words: str, options: str
) -> None:
    monkeypatch.setattr("equilibrist.cli.inputs.matches.DUPLICATE_DEALS", 5000)
    shell(f"solve {DICE} --sampler external -n 50 -q --max-histories 1 --out packed").ok()
    first, second = words.split()
    evaluate = f"evaluate {first} --against {second} {options}"
    for json in ("", " --json"):
        ran = shell(f"match {words} {options}{json}").ok()
        assert shell(evaluate + json).ok().out == ran.out
    document = ran.json
    assert document["exact"] is (not options)
    assert document["seed"] == (
        None if not options else 3 if "seed 3" in options else 2 if "seed 2" in options else 0
    )
    assert (document["aivat"] is None) is (not options or first == "packed")


def test_the_second_estimate_agrees_with_the_exact_mean(shell: Shell) -> None:
    for file in ("kuhn", "leduc", "kuhn3"):
        exact = shell(f"match {file}.safetensors uniform --json").json
        drawn = shell(f"match {file}.safetensors uniform --deals 2e4 --json").json
        aivat = drawn["aivat"]
        assert abs(aivat["mean"] - exact["mean"]) <= 2.2 * aivat["half_width"]
        assert aivat["half_width"] < drawn["half_width"]
        low, high = aivat["interval"]
        assert (low + high) / 2 == pytest.approx(aivat["mean"])
        assert (high - low) / 2 == pytest.approx(aivat["half_width"])
    printed = shell("match kuhn3.safetensors uniform --hands 2e4").ok().out
    assert f"AIVAT:  {aivat['mean']:+.6f} per hand, 95 % interval {low:+.6f} to" in printed


def test_intervals_are_within_what_payoffs_allow(shell: Shell) -> None:
    """Of two deals, from whose luck nothing follows; the document says what the text does."""
    ran = shell("match kuhn.safetensors uniform --deals 2 --seed 1 --json").ok()
    intervals = [ran.json["interval"], ran.json["aivat"]["interval"]]
    assert all(-2 <= low <= high <= 2 for low, high in intervals)
    printed = shell("match kuhn.safetensors uniform --deals 2 --seed 1").ok().out
    for low, high in intervals:
        assert f"95 % interval {low:+z.6f} to {high:+z.6f}" in printed


def test_errors_name_the_option_that_was_typed(shell: Shell) -> None:
    for flag in ("--hands", "--deals"):
        ran = shell(f"match kuhn.safetensors uniform {flag} -1").refused(ConfigError)
        assert flag in ran.err
        assert len({"--hands", "--deals"} & set(ran.err.split())) == 1
