"""Rules modules on the command line: one door for small and large ones."""

from __future__ import annotations

import json
import re
import shlex
import signal
import subprocess
from pathlib import Path
from typing import Any

import pytest

from equilibrist.cli.text.progress import fitting, progress_texts
from equilibrist.errors import (
    CheckpointError,
    ConfigError,
    EquilibristError,
    MemoryBudgetError,
    MismatchError,
    OutputError,
    UnknownNameError,
)
from equilibrist.library.names import newest
from equilibrist.progress import Progress
from equilibrist.rules.strategy import PackedStrategy
from equilibrist.solvers.implicit.mccfr import ImplicitMCCFR
from tests.cli.command import PROGRAM, Shell, spawn
from tests.rules.own_rules import OWN, write_rules
from tests.rules.test_infoset_names import UNPACK

LARGE = '"rules:liars_dice(dice=2,sides=6)"'


def test_large_rules_are_sampled_without_a_tree(shell: Shell, folder: Path) -> None:
    ran = shell(f"solve {LARGE} -s external -n 30 --seed 3").ok()
    assert "30 iterations of cfr with external sampling, without a tree" in ran.out
    assert "was not measured" in ran.out
    assert "(at most 1.1 GB with all that goes with it)" in ran.out
    assert "sampling without a tree" in ran.err
    assert "infosets saved as `last`" in ran.out
    (file,) = newest()
    counts = re.search(r"reached ([\d,]+) of these infosets; the other ([\d,]+) have", ran.out)
    assert counts is not None
    played, missed = (int(count.replace(",", "")) for count in counts.groups())
    assert PackedStrategy.load(file).num_infosets == played
    assert f"{played + missed:,} infosets in a table" in ran.out
    assert PackedStrategy.load(file).provenance["iterations"] == 30


@pytest.mark.slow
def test_a_bound_above_the_range_of_payoffs_is_not_printed(shell: Shell) -> None:
    ran = shell(f"solve {LARGE} -s external -n 30 --out short").ok()
    assert "says nothing yet: it is still above 2, the range of payoffs" in ran.out
    assert "NashConv by" not in ran.out
    assert shell(f"solve {LARGE} -s external -n 30 --json").ok().json["bound_nash_conv"] > 2
    small = shell('solve "rules:liars_dice(sides=2)" -s external -n 3000 --max-histories 1').ok()
    assert re.search(r"the regrets bound NashConv by 0\.\d+;", small.out)
    three = '"rules:liars_dice(players=3,dice=2)"'
    coarse = shell(f"solve {three} -s outcome -n 100 --no-explicit-tree").ok()
    assert "above 6, the sum of the ranges of payoffs" in coarse.out


@pytest.mark.slow
def test_a_strategy_is_looked_at_without_its_rules(
    shell: Shell, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shell(f"solve {LARGE} -s external -n 30 --out dice").ok()
    monkeypatch.setattr(
        "equilibrist.library.limits.Limits.compile",
        lambda *_: pytest.fail("the game is walked"),
    )
    packed = PackedStrategy.load(folder / "dice")
    first = next(iter(packed))
    whole = shell("inspect dice").ok().out
    assert f"{packed.num_infosets:,} infosets, all others are played uniformly" in whole
    assert f"  {first} " in whole
    assert "Player 1: the first 20 of " in whole
    one = shell(f"inspect dice {first} --json").ok().json["infosets"]
    assert one == [
        {**one[0], "infoset": first, "player": 0, "strategy": packed[first], "reach": None}
    ]
    chosen = shell('inspect dice --match "1?/3-*" --player 1 --json').ok().json["infosets"]
    assert [found["infoset"] for found in chosen] == [
        key for key in packed if re.fullmatch(r"1./3-.*", key) and key.count("/") % 2
    ]
    assert {found["player"] for found in chosen} == {1}
    assert len(chosen) > 0
    assert "no infoset" in shell('inspect dice --regex "^77"').ok().err
    missing = next(
        key for key in ("66/4-6", "11/1-1/1-2/1-3", "55/1-1/1-3/1-5") if key not in packed
    )
    assert "played uniformly" in shell(f"inspect dice {missing}").ok().out
    shell("inspect dice 77").refused(UnknownNameError, option="infoset", given="77")
    shell("inspect dice --player 2").refused(ConfigError, option="player", given=2)
    shell("export dice dice.csv").ok()
    shown = shell("export dice - --format csv").ok().out
    assert shown == (folder / "dice.csv").read_text("utf-8")
    assert len(shown.splitlines()) == 1 + len(packed.probabilities)
    document = json.loads(shell("export dice - --format json").ok().out)
    assert document["strategy"] == packed.to_dict()
    assert document["iterations"] == 30
    shell("export dice dice.parquet").ok()
    assert "infosets of rules:liars_dice" in shell("export dice dice.json").ok().err


def test_values_of_a_sampled_strategy_need_the_whole_game(shell: Shell) -> None:
    shell('solve "rules:liars_dice(sides=2)" -s external -n 50 --max-histories 1 --out s').ok()
    assert shell("inspect s 1 --json").ok().json["infosets"][0]["reach"] is None
    assert shell("inspect s 1 --values --json").ok().json["infosets"][0]["reach"] == 0.5


@pytest.mark.slow
def test_keys_of_the_users_rules_are_named_where_they_are_given(shell: Shell, folder: Path) -> None:
    write_rules(folder, OWN + UNPACK)
    line = "solve rules:own.py -s external -n 50 --no-explicit-tree --out own"
    shell(line).ok()
    plain = shell("inspect own").ok().out
    assert "packed keys" in plain
    assert "  1.2 " in plain
    shell("inspect own --player 0").refused(ConfigError, option="player", given=0)
    named = shell("inspect own --game rules:own.py").ok().out
    assert "  sum 2 after 1 " in named
    assert "Player 1" in named
    found = shell("inspect own --game rules:own.py --player 1 --json").ok().json["infosets"]
    assert [one["infoset"] for one in found] == ["sum 1 after 1", "sum 2 after 1"]
    assert "(rules:own.py)" in shell("inspect own 1.2").ok().out


def test_so_are_they_by_outcome_sampling(shell: Shell, folder: Path) -> None:
    line = f"solve {LARGE} -s outcome(epsilon=0.4) -n 300 --seed 3"
    ran = shell(f"{line} --checkpoint run --out found").ok()
    assert "300 iterations of cfr with outcome(epsilon=0.4) sampling, without a tree" in ran.out
    made = PackedStrategy.load(folder / "found").provenance
    assert (made["sampler"], made["iterations"]) == ("outcome(epsilon=0.4)", 300)
    shell(f"solve {LARGE} -s outcome -n 600 --seed 3 --resume run").refused(
        CheckpointError, path="run"
    )


def test_the_same_as_json(shell: Shell, folder: Path) -> None:
    ran = shell(f"solve {LARGE} -s external -n 30 --json --memory 600kB").ok()
    document = ran.json
    assert document["nash_conv"] is None
    assert document["table_is_full"]
    assert document["memory"] == 600_000
    assert document["bound_nash_conv"] > 0.0
    assert 0.5 < document["bound_unstored_share"] < 1.0
    again = shell(f"solve {LARGE} -s external -n 30 --json").ok().json
    files = [again["solution_file"], document["solution_file"]]
    assert files == [str(path) for path in newest()]
    assert again["bound_unstored_share"] == 0.0


def test_small_rules_are_measured(shell: Shell) -> None:
    sampled = shell('solve "rules:liars_dice(sides=2)" -s external -n 500 --json').ok().json
    assert sampled["exploitability"] > 0
    passes = shell('solve "rules:liars_dice(sides=2)" -n 50 --json').ok().json
    game = shell('solve "liars_dice(sides=2)" -n 50 --json').ok().json
    assert passes["nash_conv"] == game["nash_conv"]
    assert passes["strategy"] == game["strategy"]


def test_a_strategy_of_small_rules_is_evaluated_exactly(shell: Shell) -> None:
    line = 'solve "rules:liars_dice(sides=2)" -s external -n 500 --json'
    tree = shell(line).ok().json
    packed = shell(f"{line} --max-histories 1 --out packed").ok().json
    assert packed["nash_conv"] is None
    found = shell("evaluate packed --json").ok().json
    assert found["nash_conv"] == pytest.approx(tree["nash_conv"], abs=1e-12)
    assert "1-2" in shell("inspect packed").ok().out


@pytest.mark.slow
def test_strategies_of_large_rules_play(shell: Shell) -> None:
    shell(f"solve {LARGE} -s external -n 30 --out short").ok()
    shell(f"solve {LARGE} -s external -n 600 --out long").ok()
    large = shell("evaluate long").refused(
        ConfigError, option="game", given="rules:liars_dice(dice=2)"
    )
    assert re.search(r" has (an estimated )?(over|about) [\d.,e+]+ histories, ", large.err)
    match = shell("evaluate long --against uniform --deals 2e4 --json").ok().json
    assert match["interval"][0] > 0
    assert match["deals"] == 20_000
    closer = shell("evaluate long --against uniform --deals 2e4 --lines 8 --json").ok().json
    assert closer["half_width"] < match["half_width"]
    between = shell("evaluate long --against short --deals 2e4").ok()
    assert "A = long against B = short, 20,000 duplicate deals" in between.out
    assert "95 % interval +" in between.out
    itself = shell("evaluate long --against long --deals 2e4 --seed 5 --json").ok().json
    assert itself["interval"] == [0.0, 0.0]


def test_matches_that_make_no_sense(shell: Shell) -> None:
    shell("solve kuhn -n 5 --out tree").ok()
    shell('solve "rules:liars_dice(sides=2)" -s external -n 5 --max-histories 1 --out a').ok()
    shell('solve "rules:liars_dice(sides=3)" -s external -n 5 --max-histories 1 --out b').ok()
    shell("evaluate tree --against uniform --lines 2").refused(
        ConfigError, option="--lines", given=2
    )
    shell("evaluate a --against tree").refused(
        MismatchError, option="game", given="kuhn", expected="rules:liars_dice(sides=2)"
    )
    shell("evaluate a --against b").refused(
        MismatchError,
        option="game",
        given="rules:liars_dice(sides=3)",
        expected="rules:liars_dice(sides=2)",
    )
    shell("evaluate a --against nothing").refused(ConfigError, option="--against", given="nothing")
    shell("evaluate a --against uniform --best-response x.csv").refused(
        ConfigError, option="--best-response", given="x.csv"
    )
    for option, given in (("--deals", 5), ("--lines", 2), ("--seed", 0)):
        shell(f"evaluate tree {option} {given}").refused(ConfigError, option=option, given=given)
    shell("evaluate a --against uniform --deals 1").refused(ConfigError, option="deals", given="1")
    shell("export a a.efg").ok()


@pytest.mark.slow
def test_own_rules(shell: Shell, folder: Path) -> None:
    write_rules(folder)
    assert "15 histories" in shell("check rules:own.py").ok().out
    assert "rounds=3" in shell('games "rules:own.py(rounds=3)"').ok().out
    shell("solve rules:own.py -s external -n 50 --max-histories 1 --out found").ok()
    shell("evaluate found").refused(ConfigError, option="--game", given="rules:own.py")
    shell("evaluate found --game rules:own.py").ok()
    write_rules(folder, OWN.replace("1.5", "2.5"))
    shell("evaluate found --game rules:own.py").refused(
        MismatchError, option="game", given="rules:own.py", expected="rules:own.py"
    )
    write_rules(folder, OWN.replace("    s[1] = 0\n", ""))
    ran = shell("check rules:own.py")
    assert ran.code == 1
    assert "start: start() leaves s[1] as before" in ran.out


@pytest.mark.by_default(1)
@pytest.mark.parametrize(
    ("options", "kind", "fields"),
    [
        ("-s external", ConfigError, dict(option="iterations")),
        ("-s external -n 5 --target 1e-3", ConfigError, dict(option="target", given=0.001)),
        ("-s external -n 5 --plot a.svg", ConfigError, dict(option="plot", given="a.svg")),
        ("-s external -n 5 --averaging full", ConfigError, dict(option="averaging", given="full")),
        ("-s external -n 5 --output last", ConfigError, dict(option="output", given="last")),
        ("-s external -n 5 --memory 1kB", MemoryBudgetError, dict(histories=0)),
        ("-s external -n 5 --out a.csv", OutputError, dict(option="out", path="a.csv")),
        ("-s external -n 5 -a cfr+", ConfigError, dict(option="algorithm", given="cfr+")),
        ("-s external -n 5 --resume none", CheckpointError, dict(path="none")),
        (
            "-s public-chance -n 5 --max-histories 5",
            MemoryBudgetError,
            dict(option="max_histories", given=5, histories=1024),
        ),
        (
            "-s outcome(baseline=learned) -n 5",
            MemoryBudgetError,
            dict(option="max_histories", given=100000),
        ),
        (
            "-n 5 --max-histories 5",
            MemoryBudgetError,
            dict(option="max_histories", given=5, histories=1024),
        ),
        ("-s chance -n 5 --memory 100MB", MemoryBudgetError, dict(histories=0)),
    ],
)
def test_what_needs_a_tree_is_refused(
    shell: Shell, options: str, kind: type[EquilibristError], fields: dict[str, Any]
) -> None:
    shell(f"solve {LARGE} {options}").refused(kind, **fields)


@pytest.mark.slow
def test_saved_and_resumed_in_a_process_of_its_own(shell: Shell, folder: Path) -> None:
    shell(f"solve {LARGE} -s external -n 40 --out whole --quiet").ok()
    shell(f"solve {LARGE} -s external -n 15 --checkpoint run --out part --quiet").ok()
    spawn(f"solve {LARGE} -s external -n 40 --resume run --out resumed --quiet").ok()
    whole, resumed = (PackedStrategy.load(folder / name) for name in ("whole", "resumed"))
    assert whole.high.tolist() == resumed.high.tolist()
    assert whole.probabilities.tolist() == resumed.probabilities.tolist()


@pytest.mark.slow
def test_threads_are_reported_and_change_no_bit(shell: Shell, folder: Path) -> None:
    line = f"solve {LARGE} -s external -n 50 --seed 3 --threads 2 --period 20"
    ran = shell(f"{line} --out two").ok()
    assert "2 threads (executor threads) on tables merged every 20 iterations." in ran.out
    document = shell(f"{line} --executor serial --out other --json").ok().json
    told = {name: document[name] for name in ("executor", "threads", "shared", "period")}
    assert told == {"executor": "serial", "threads": 2, "shared": False, "period": 20}
    two, other = (PackedStrategy.load(folder / name) for name in ("two", "other"))
    assert two.provenance["threads"] == 2
    assert two.high.tolist() == other.high.tolist()
    assert two.probabilities.tolist() == other.probabilities.tolist()
    shell(f"solve {LARGE} -s external -n 9 --threads 2 --shared-table").refused(
        ConfigError, option="shared", given=True
    )
    shell(f"{line} --executor ray").refused(ConfigError, option="executor", given="ray")
    shell(f"{line} --threads 64 --memory 1MB").refused(MemoryBudgetError, histories=0)


@pytest.mark.slow
def test_killed_and_resumed_with_threads(shell: Shell, folder: Path) -> None:
    """kill -9, in the middle of whatever it does."""
    line = f"solve {LARGE} -s external --threads 2 --period 24 --seed 1"
    command = f"{line} --time 600 --checkpoint run --checkpoint-every 0.05"
    with subprocess.Popen(
        [*PROGRAM, *shlex.split(command)], stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stderr is not None
        assert any("iteration" in text for text in process.stderr)
        process.kill()
        process.wait(60)
    done = ImplicitMCCFR("rules:liars_dice(dice=2)", threads=2, period=24, seed=1).resume("run")
    end = done.iteration + 35
    shell(f"{line} -n {end} --resume run --out resumed --quiet").ok()
    shell(f"{line} -n {end} --out whole --quiet").ok()
    whole, resumed = (PackedStrategy.load(folder / name) for name in ("whole", "resumed"))
    assert whole.high.tolist() == resumed.high.tolist()
    assert whole.probabilities.tolist() == resumed.probabilities.tolist()


@pytest.mark.slow
def test_ctrl_c_in_a_process_of_its_own(folder: Path) -> None:
    """It stops after the present slice, saves what it has, and says so with its exit code."""
    command = f"solve {LARGE} -s external --time 600 --checkpoint run --out found"
    with subprocess.Popen(
        [*PROGRAM, *shlex.split(command)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    ) as process:
        assert process.stderr is not None
        assert any("iteration" in line for line in process.stderr)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "interrupted; partial result" in out
    assert "Traceback" not in err
    made = PackedStrategy.load(folder / "found").provenance
    assert made["stopped_by"] == "interrupted"
    assert ImplicitMCCFR("rules:liars_dice(dice=2)").resume("run").iteration == made["iterations"]


TABLE = "9,372 infosets in 930.3 kB  (full)"
SPEED = "5,066 trajectories/s  146,474 nodes"


@pytest.mark.parametrize(
    ("bound", "coarse", "width", "line"),
    [
        (268.51, 268.51, 200, f"{SPEED}  {TABLE}  regret bound 268.5  ETA 0.752 s"),
        (268.51, 268.51, 78, f"{TABLE}  regret bound 268.5"),
        (None, 46.65, 78, "coarse correlated bound 46.65"),
        (None, None, 120, f"{TABLE}  NashConv not affordable (no reason)  ETA 0.752 s"),
        (None, None, 92, f"{TABLE}  NashConv not affordable  ETA 0.752 s"),
        (None, None, 78, f"{TABLE}  NashConv not affordable"),
        (None, None, 70, "NashConv not affordable"),
    ],
)
def test_a_narrow_line_says_what_nash_conv_may_be(
    bound: float | None, coarse: float | None, width: int, line: str
) -> None:
    """In 80 columns, too; the reason why there is no bound goes before that there is none."""
    progress = Progress(
        algorithm="cfr",
        iteration=4000,
        seconds=1.0,
        iterations_per_second=2533.0,
        trajectories_per_second=5066.0,
        eta_seconds=0.752,
        nodes_touched=146_474,
        num_infosets=9372,
        table_bytes=930_300,
        is_full=True,
        bound_nash_conv=bound,
        why_no_bound="no reason",
        bound_cce_gap=coarse,
    )
    assert fitting(progress_texts(progress), width) == f"iteration 4,000  {line}"
