"""Python's names in errors, as the command line spells them; options of earlier versions."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest

from equilibrist.cli.inputs.flags import as_typed
from equilibrist.cli.inputs.removed_options import instead
from equilibrist.cli.main import _command_line
from equilibrist.errors import ConfigError
from tests.cli.command import Shell


@pytest.mark.parametrize(
    ("line", "message", "wanted"),
    [
        ("solve kuhn -n 0", "iterations is 0; expected 1", "--iterations is 0; expected 1"),
        ("solve kuhn", "seconds is 0", "--time is 0"),
        ("postflop solve --bets x", "bets: 'x' is bad", "--bets: 'x' is bad"),
        ("postflop solve a.toml", "bets: 'x' is bad", "bets: 'x' is bad"),
        (
            "solve kuhn --simultaneous",
            "alternating has no meaning",
            "--simultaneous has no meaning",
        ),
        ("solve kuhn", "alternating has no meaning", "--alternating has no meaning"),
        ("solve kuhn -s 'outcome(seed=x)'", "seed is 'x'", "seed is 'x'"),
        ("solve kuhn", "x is 0\niterations is 0", "x is 0\n--iterations is 0"),
        ("learn kuhn", "warm_start is bad", "warm_start is bad"),
        ("solve kuhn", "leave out `warm_start`", "leave out --warm-start"),
        ("solve kuhn", "leave out `warm_beginning`", "leave out `warm_beginning`"),
        (
            "inspect a.spot",
            "`load_result(path)` opens it",
            "`equilibrist inspect` (for a spot `equilibrist postflop show`) opens it",
        ),
        (
            "solve c.safetensors",
            "`poker.CardBuckets.load(path)` opens it",
            "`equilibrist cards show` opens it",
        ),
        ("solve kuhn", "give `horizon`", "give --iterations"),
        ("solve kuhn", "name `game`", "name GAME"),
        ("solve kuhn", "give `shared=True`", "give --shared-table"),
        ("solve kuhn", "`shared=False` runs", "`shared=False` runs"),
        ("solve kuhn", "`explicit_tree=False` samples", "--no-explicit-tree samples"),
        ("solve kuhn", 'use `sampler="external"`', "use --sampler external"),
        (
            "postflop solve",
            "give `memory` or `storage='int16'`",
            "give --memory or --storage int16",
        ),
        (
            "inspect kuhn",
            "run `solve('a(b=2)', sampling='external', seconds=60)`",
            "run `equilibrist solve 'a(b=2)' --sampler external --time 60`",
        ),
        ("solve kuhn", "`equilibrist games` lists them", "`equilibrist games` lists them"),
        ("solve kuhn", "call `solve(x)` or `f(1)` or `a b`", "call `solve(x)` or `f(1)` or `a b`"),
    ],
)
def test_options_are_named_as_they_are_typed(line: str, message: str, wanted: str) -> None:
    assert as_typed(message, _command_line(), shlex.split(line)) == wanted


def test_other_errors_than_those_of_options_may_begin_with_any_name() -> None:
    words = ["solve", "kuhn", "--seed", "1"]
    message = "seed is a card; leave out `seed`"
    shown = as_typed(message, _command_line(), words, leading=False)
    assert shown == "seed is a card; leave out --seed"


@pytest.mark.parametrize(
    ("line", "today"),
    [
        ("solve kuhn -s outcome --epsilon 0.4", '--sampler "outcome(epsilon=0.4)"'),
        ("solve kuhn --epsilon=0.4", '--sampler "outcome(epsilon=0.4)"'),
        ("solve kuhn --sampler=textbook --epsilon 0.1", '--sampler "textbook(epsilon=0.1)"'),
        (
            "solve kuhn -s 'outcome(baseline=learned)' --epsilon 0.4",
            '--sampler "outcome(baseline=learned,epsilon=0.4)"',
        ),
        ("solve kuhn --tau", '--sampler "average-strategy(tau=X)"'),
        ("solve kuhn --beta 1", '--sampler "average-strategy(beta=1)"'),
        ("solve kuhn --sampler probing --k 2", '--sampler "probing(k=2)"'),
        ("solve kuhn --baseline oracle", '--sampler "outcome(baseline=oracle)"'),
        ("solve kuhn -s external --epsilon 0.4", '--sampler "outcome(epsilon=0.4)"'),
        ("solve kuhn -s 'external(prune=300)' --k 2", '--sampler "robust(k=2)"'),
        ("postflop solve x.toml --variant dcfr", "--algorithm dcfr"),
    ],
)
def test_a_removed_option_names_what_replaces_it(shell: Shell, line: str, today: str) -> None:
    assert f"write {today}" in shell(line).misused("was removed").err


def test_a_number_to_prune_by_belongs_to_a_sampler(shell: Shell) -> None:
    done = shell("solve kuhn --prune 300").refused(ConfigError, option="prune", given="300")
    assert "external(prune=300)" in done.err


def test_what_replaces_an_option_can_be_typed(shell: Shell, folder: Path) -> None:
    for flag in ("--baseline", "--beta", "--epsilon", "--k", "--tau"):
        value = "none" if flag == "--baseline" else "1"
        today = instead(flag, ["solve", "kuhn", flag, value])
        shell(f"solve kuhn -n 2 --quiet {today}").ok()


def test_other_options_are_unknown(shell: Shell) -> None:
    assert instead("--jsn", ["--jsn"]) is None
    shell("solve kuhn --jsn").misused("--json")


def test_an_old_spelling_is_read_and_not_listed(shell: Shell) -> None:
    new = shell("match uniform uniform --game kuhn --deals 20 --json").json
    for hands in ("--hands 20", "--hands=20"):
        assert shell(f"match uniform uniform --game kuhn {hands} --json").json == new
    shell("evaluate a.csv --hands 20").refused(ConfigError, option="--deals")
    for command in ("match", "evaluate"):
        assert "--hands" not in shell(f"{command} --help").ok().out
    assert "--hands" in shell("play --help").ok().out
