"""`equilibrist preflop solve`, and the commands that take its files."""

from __future__ import annotations

import re
from functools import partial
from pathlib import Path

import pytest

from equilibrist import load_result
from equilibrist.errors import ConfigError, MemoryBudgetError, NotationError, UnknownNameError
from equilibrist.formatting.amounts import bytes_text
from equilibrist.poker.hands.hand import Hand
from equilibrist.poker.preflop.exact.solving import solve_preflop
from tests.cli.command import Shell

HAND = Hand(stack=6, bets="2x,a|50%,a", raises="a", board="1/1", deck="T", last_street="flop")
solve = partial(solve_preflop, threads=1)
OPTIONS = (
    '--stack 6 --bets "2x,a|50%,a" --raises a --board 1/1 --deck T --last-street flop --threads 1'
)


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    return solve(HAND, iterations=20).save(tmp_path / "hand.safetensors")


def test_options_a_file_and_python_are_one(shell: Shell, tmp_path: Path) -> None:
    file = tmp_path / "hand.toml"
    file.write_text(HAND.to_toml(), "utf-8")
    wanted = solve(HAND, iterations=20).to_dict()
    for words in (OPTIONS, str(file)):
        found = shell(f"preflop solve {words} --iterations 20 --json").ok().json
        for key in ("seconds", "memory_bytes"):
            found.pop(key)
        assert found == {key: value for key, value in wanted.items() if key in found}


def test_the_screen_says_how_good_it_is_and_shows_a_node(shell: Shell) -> None:
    out = shell(f'preflop solve {OPTIONS} --iterations 20 --line "C" --quiet').ok().out
    lines = out.splitlines()
    assert "20 iterations" in lines[0]
    assert lines[1].startswith("exploitability ")
    assert "big blind after C" in out
    assert out.count("  A   ") or "A" in out


def test_what_the_run_writes_is_read_by_other_commands(shell: Shell, tmp_path: Path) -> None:
    out, table = tmp_path / "hand.safetensors", tmp_path / "hand.csv"
    shell(f"preflop solve {OPTIONS} --iterations 20 -q --out {out} --csv {table}").ok()
    assert table.read_text("utf-8") == load_result(out).to_csv()
    shown = shell(f"inspect {out} --line C --json").ok().json
    assert shown == load_result(out).at("C").to_dict()
    measured = shell(f"evaluate {out} --json").ok().json
    assert measured["exploitability_mbb"] == load_result(out).exploitability
    shell(f"export {out} {tmp_path / 'again.csv'}").ok()
    assert (tmp_path / "again.csv").read_text("utf-8") == table.read_text("utf-8")
    shell(f"export {out} {tmp_path / 'ranges.txt'}").ok()
    ranges = (tmp_path / "ranges.txt").read_text("utf-8")
    assert ranges.split("\t")[0] == "F"
    assert shell(f"export {out} - --format txt").ok().out == ranges


def test_what_may_be_typed_next_works(
    shell: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    ran = shell(f"preflop solve {OPTIONS} --iterations 5 --out hand.safetensors").ok()
    commands = re.findall("equilibrist (.*)", ran.err.partition("Next: ")[2])
    assert len(commands) == 2
    for command in commands:
        shell(command).ok()
    assert Path("hand.csv").exists()


def test_a_run_is_resumed_to_the_same_bits(shell: Shell, tmp_path: Path) -> None:
    state = tmp_path / "run.ckpt"
    shell(f"preflop solve {OPTIONS} --iterations 5 -q --checkpoint {state}").ok()
    assert "preflop solve --resume" in shell(f"inspect {state}").ok().err
    words = f"--resume {state} --threads 1 --iterations 20"
    found = shell(f"preflop solve {words} --json").ok().json
    assert found["exploitability_mbb"] == solve(HAND, iterations=20).exploitability


def test_what_is_wrong_is_refused(shell: Shell, saved: Path) -> None:
    shell("preflop solve").refused(ConfigError, option="hand")
    shell("preflop solve --stack 10").refused(ConfigError, option="bets")
    shell(f"preflop solve {OPTIONS} --target 5%").refused(ConfigError, option="target")
    shell(f"preflop solve {OPTIONS} --algorithm none").refused(UnknownNameError)
    shell("preflop solve --stack 20 --bets 50%,a --last-street river --memory 8GB").refused(
        MemoryBudgetError, option="memory"
    )
    one = f"--checkpoint {saved.parent / 'x'} --out {saved.parent / 'x'}"
    shell(f"preflop solve {OPTIONS} {one}").refused(ConfigError, option="--out")
    for line in ("C-X", "R9"):  # before the run, which prints nothing
        ran = shell(f"preflop solve {OPTIONS} --iterations 1 --quiet --line {line}")
        ran.refused(ConfigError, option="--line", given=line)
        assert ran.out == ""
    shell(f"inspect {saved} --line R9").refused(ConfigError, option="line")
    shell(f"export {saved} out.parquet").refused(ConfigError, option="--format", given="parquet")
    shell(f"export {saved} out.csv --format efg").refused(
        ConfigError, option="--format", given="efg"
    )
    shell(f"export {saved} -").refused(ConfigError, option="--format", given="-")


def test_strategies_of_all_streets_are_kept_with_their_size_said(
    shell: Shell, tmp_path: Path
) -> None:
    out = tmp_path / "royal.safetensors"
    words = 'preflop solve "royal(stack=5,deck=Q)" --iterations 20 --threads 1 --keep-flops 16'
    ran = shell(f"{words} -o {out}").ok()
    kept = load_result(out).facts()["kept_bytes"]
    assert bytes_text(kept) in ran.err
    ran = shell(f'{words} --iterations 1 --line "R4-C|AsKsQs|X"').ok()
    assert "small blind after R4-C|X on AsKsQs" in ran.out
    shell(f'{words} --line "R4-C|X"').refused(ConfigError, option="board")
    shell(f'{words} --line "R4-C|AsKsQs|R9"').refused(NotationError, option="line")
    flop = shell(f'inspect {out} --line "R4-C|AsKsQs|X" --json').ok().json
    assert (flop["line"], flop["street"]) == ("R4-C|X", "flop")
    facts = shell(f"evaluate {out} --json").ok().json
    assert facts["kept_exploitability_mbb"] == pytest.approx(facts["exploitability_mbb"], abs=0.05)
    shell(f'inspect {out} --line "R4-C|X"').refused(ConfigError, option="board")
    assert "measured again" in shell(f"evaluate {out}").ok().out
    shell(f"{words.replace('16', '8')}").refused(ConfigError, option="keep_flops", given=8)
