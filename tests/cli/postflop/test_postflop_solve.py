"""`equilibrist postflop solve`."""

from __future__ import annotations

import re
import signal
from pathlib import Path
from typing import Any

import pytest

from equilibrist.cli.postflop.node_screen import show_node
from equilibrist.cli.postflop.run_options import progress_texts
from equilibrist.errors import (
    ConfigError,
    LineSyntaxError,
    LockSyntaxError,
    MemoryBudgetError,
    UnsupportedError,
)
from equilibrist.poker import solve
from equilibrist.poker.postflop.solving.solver import SpotSolver
from equilibrist.poker.postflop.spot.spot import Spot
from equilibrist.progress import Progress
from tests.cli.command import Shell

POLAR = "--board Ts3h2h5c9s --oop AA,QQ --ip KK,QsJs:0.5 --pot 100 --stack 100 --bets a"


def test_solve(shell: Shell) -> None:
    out = shell(f"postflop solve {POLAR} --target 0.2% --quiet").ok().out
    lines = out.splitlines()
    assert re.fullmatch(r"Ts3h2h5c9s: \d+ iterations in .* s; target reached", lines[0])
    found = re.fullmatch(r"exploitability (\S+) chips \((\S+)% of the pot\), memory .*", lines[1])
    assert found
    assert float(found[1]) == pytest.approx(float(found[2]), rel=0.01)
    assert float(found[1]) <= 0.2
    assert lines[3:5] == ["root: OOP to act", "river Ts3h2h5c9s, pot 100"]
    assert "action      frequency (adjusted for card removal)          EV  line" in lines
    assert lines[-5].split() == ["2", *["."] * 13]
    assert lines[-3] == "- Check  A All-in 100"
    assert lines[-17].split()[:3] == ["A", "AAAAA", "."]
    assert lines[-2:] == ["", "Solution saved as `last`"]
    combos = shell(f"postflop solve {POLAR} --iterations 30 --combos").ok().out
    assert "action      frequency (by combos)          EV  line" in combos


def test_unconverged_results_say_so_first(shell: Shell) -> None:
    for limits, limit in (
        ("--iterations 3", "1% of the pot"),
        ("--iterations 3 --target 0.5%", "the target of 0.5% of the pot"),
    ):
        first = shell(f"postflop solve {POLAR} {limits}").ok().out.splitlines()[0]
        assert f"not converged, exploitability is above {limit}: 3 iterations in " in first
    first = shell(f"postflop solve {POLAR} --iterations 300").ok().out.splitlines()[0]
    assert "converged" not in first


def test_numbers_without_a_unit_are_percentages(shell: Shell) -> None:
    spot = POLAR.replace("--bets a", "--bets {} --raises {}")
    found = [
        shell(f"postflop solve {spot.format(*sizes)} --target {target} --json").ok().json
        for sizes, target in ((("50,a", "60"), "0.5%"), (("50%,a", "60%"), "0.5%"))
    ]
    assert found[0] | {"seconds": 0} == found[1] | {"seconds": 0}
    assert found[0]["stopped_by"] == "target"
    assert found[0]["exploitability_percent"] <= 0.5
    assert found[0]["node"]["codes"] == ["X", "B50", "A100"]
    assert shell(f"postflop solve {POLAR} --target 2e1% --json").ok().json["converged"]
    shell(f"postflop solve {POLAR} --target 1e-9%").refused(
        ConfigError, option="target", given="1e-9%"
    )
    shell(f"postflop solve {POLAR} --target 0").refused(ConfigError, option="target", given="0")


def test_json(shell: Shell) -> None:
    document = shell(f"postflop solve {POLAR} --iterations 30 --json").ok().json
    solved = solve(
        Spot(board="Ts3h2h5c9s", oop="AA,QQ", ip="KK,QsJs:0.5", pot=100, stack=100, bets="a"),
        iterations=30,
    )
    expected = solved.to_dict()
    assert document.pop("seconds") > 0
    expected.pop("seconds")
    assert document == expected
    assert document["iterations"] == 30
    assert document["node"]["hands"]["AsAh"]["strategy"][1] > 0.9
    assert len(document["node"]["hands"]) == 12


def test_it_says_that_it_compiles(
    shell: Shell, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    line = f"postflop solve {POLAR} --iterations 3"
    shell(line).ok()
    assert "compiling" not in shell(line).ok().err
    monkeypatch.setenv("EQUILIBRIST_CACHE_DIR", str(folder))
    said = "preparing Ts3h2h5c9s, compiling (first run only, about 16 s)\n"
    assert shell(line).ok().err.startswith(said)
    assert shell(f"{line} --json").ok().err.startswith(said)
    assert "compiling" not in shell(f"{line} --quiet").ok().err
    (folder / "boards").write_text("Ts3h2h5c9d")
    batch = shell(f"postflop batch {POLAR} --iterations 3 --boards boards --out study").ok()
    assert batch.err.startswith("checking 1 board, compiling (first run only, about 16 s)\n")


def test_limits(shell: Shell) -> None:
    assert "iteration limit reached" in shell(f"postflop solve {POLAR} --iterations 3").ok().out
    assert "time limit reached" in shell(f"postflop solve {POLAR} --time 0.001s").ok().out
    line = f"postflop solve {POLAR}"
    shell(f"{line} --target 0.3x").refused(ConfigError, option="target", given="0.3x")
    shell(f"{line} --iterations 0").refused(ConfigError, option="iterations", given="0")
    shell(f"{line} --time soon").refused(ConfigError, option="seconds", given="soon")
    shell(f"{line} --threads 0").refused(ConfigError, option="threads", given="0")
    shell(f"{line} --storage int8").misused("int8")
    shell(f"{line} --memory 100").refused(MemoryBudgetError, histories=4)


def test_colours(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    solution = solve(
        Spot(board="Ts3h2h5c", oop="AA,QQ", ip="KK,QsJs:0.5", pot=100, stack=100, bets="50%"),
        iterations=10,
    )
    monkeypatch.setattr("sys.stdout.isatty", lambda: True, raising=False)
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("COLORTERM", "truecolor")
    monkeypatch.delenv("NO_COLOR", raising=False)
    for columns, cell in ((80, 6), (120, 9)):
        monkeypatch.setenv("COLUMNS", str(columns))
        show_node(solution.at())
        out = capsys.readouterr().out
        assert "48;2;34;197;94m" in out
        plain = re.sub(r"\x1b\[[0-9;]*m", "", out).splitlines()
        assert max(map(len, plain)) == 13 * cell - 1 < columns
    show_node(solution.at("X-X"))
    assert re.search(r"48;2;\d+;\d+;\d+m AA ", capsys.readouterr().out)


def report(**changes: Any) -> Progress:
    facts: dict[str, Any] = {
        "algorithm": "dcfr",
        "iteration": 1,
        "seconds": 0.1,
        "measure": 5.0,
        "measure_name": "exploitability",
        "measured_at": 1,
        "pot": 100,
        "iterations_per_second": 10.0,
    }
    return Progress(**{**facts, **changes})


def test_progress_line() -> None:
    texts = progress_texts(
        report(
            iteration=120,
            seconds=27.9,
            measure=0.54,
            pot=180,
            target=0.18,
            iterations_per_second=4.3,
            eta_seconds=95.0,
        )
    )
    assert texts[0] == (
        "iteration 120  exploitability 0.54 chips (0.3%)  target 0.18 (0.1%)  time 27.9 s  "
        "ETA 1:35  4.3 it/s"
    )
    assert texts[2] == "iteration 120  exploitability 0.54 chips (0.3%)  time 27.9 s  ETA 1:35"
    assert texts[-1] == "iteration 120  exploitability 0.54 chips (0.3%)"
    assert len(texts[2]) < 77
    unknown = progress_texts(report())
    assert unknown[0] == "iteration 1  exploitability 5 chips (5%)  time 0.1 s  10 it/s"
    locked = progress_texts(report(frequency_error=0.0123))
    assert "(5%)  max frequency error 1.2%  time 0.1 s" in locked[0]
    assert locked[-1] == "iteration 1  exploitability 5 chips (5%)"


def test_an_interrupt_keeps_what_was_found(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    run = SpotSolver.run

    def interrupted(self: SpotSolver, iterations: int, /) -> None:
        run(self, iterations)
        signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr(SpotSolver, "run", interrupted)
    ran = shell(f"postflop solve {POLAR} --iterations 1000")
    assert ran.code == 130
    assert "interrupted; partial result" in ran.out
    assert "root: OOP to act" in ran.out


def test_locks(shell: Shell) -> None:
    line = f"postflop solve {POLAR} --iterations 50 --lock 'A: Fold 25%'"
    out = shell(f"{line} --lock ': QQ = A .5; AA = X 0, A 100%'").ok().out
    assert "\nlocked: A, the root; ignoring locks, players gain " in out
    many = " ".join(f"--lock '{line}: QhQd,KK = X 1'" for line in ("", "X"))
    many += " --lock 'A: F 1' --lock 'A: C 1'"
    out = shell(f"postflop solve {POLAR} --iterations 2 {many}").ok().out
    assert "locked: the root, X, A; ignoring locks" in out
    document = shell(f"{line} --json").ok().json
    assert document["locks"] == ["A: Fold 0.25"]
    assert document["unlocked_exploitability_chips"] > document["exploitability_chips"]
    assert "locked" not in shell(f"postflop solve {POLAR} --iterations 2").ok().out
    assert document["frequency_error"] is None
    whole = f"postflop solve {POLAR} --target 1% --lock ': frequency = All-in 60%'"
    out = shell(whole).ok().out
    assert "\nmax frequency error " in out
    assert shell(f"{whole} --json").ok().json["frequency_error"] <= 0.005
    estimate = "postflop estimate --board Td9d6h --oop QQ --ip 99 --pot 5 --stack 5 --json"
    assert shell(f"{estimate} --lock 'X-X|: X 1'").ok().json["symmetries"] == 2
    assert shell(f"{estimate} --lock 'X-X|2c: X 1'").ok().json["symmetries"] == 1


def test_bad_locks(shell: Shell) -> None:
    line = f"postflop solve {POLAR} --lock"
    shell(f"{line} 'A: KK Call 1'").refused(LockSyntaxError, position=3)
    shell(f"{line} 'A: KK = Raise 200 1'").refused(
        ConfigError, option="action", given="Raise 200", place="the lock at A"
    )
    shell(f"{line} 'B50: KK = C 1'").refused(LineSyntaxError, position=0)
    shell(f"{line} 'A: AA = C 1'").refused(
        ConfigError, option="hands", given="AA", place="the lock at A"
    )
    shell(f"{line} A").refused(LockSyntaxError, position=1)


PRIZES = "--payouts 50/30/20 --others 40,30"


@pytest.mark.slow
def test_prizes_are_said_to_be_prizes(shell: Shell, tmp_path: Path) -> None:
    """Slow: it compiles a kernel."""
    out = tmp_path / "table.spot"
    lines = (
        shell(f"postflop solve {POLAR} {PRIZES} --target 0.01% --out {out}").ok().out.splitlines()
    )
    found = re.fullmatch(
        r"mean gain (\S+) in prizes \((\S+)% of the prize pool\), memory .*", lines[1]
    )
    assert found
    assert float(found[1]) == pytest.approx(float(found[2]), rel=0.01)
    assert float(found[2]) <= 0.01
    assert lines[2].startswith("played for prizes of 50/30/20, stacks 100/100/40/30")
    words = {
        f"postflop show {out} --hand AsAh": "AsAh",
        f"inspect {out}": "payouts = [50.0, 30.0, 20.0]",
        f"evaluate {out}": "(the mean of the gains, in prizes)",
    }
    for command, text in words.items():
        ran = shell(command).ok()
        shown = ran.out
        assert text in shown
        assert f"play {out}" not in shown + ran.err, "play is refused"
        assert "chips" not in shown
    facts = shell(f"evaluate {out} --json").ok().json
    assert facts["unit"] == "prizes"
    assert not any(key.startswith("exploitability") for key in facts)
    assert sum(facts["values"]) < 100
    table = tmp_path / "table.json"
    shell(f"postflop export {out} --out {table}").ok()
    assert '"unit": "prizes"' in table.read_text()
    for command in (
        f"play {out} --seats ai,ai --hands 1",
        f"play {out} --drill X",
        f"postflop mistakes {out}",
        f"postflop report {out} --line X",
        f"postflop compare {out} {out}",
    ):
        refused = shell(command).refused(UnsupportedError, option="payouts")
        assert "EV" not in refused.out


def test_what_counts_in_chips_refuses_a_spot_file_with_payouts(
    shell: Shell, tmp_path: Path
) -> None:
    spot = Spot(board="Ts3h2h5c9s", oop="AA,QQ", ip="KK", pot=100, stack=100, payouts=[5, 3])
    file = tmp_path / "final_table.toml"
    file.write_text(spot.to_toml())
    for command in ("estimate", "examine", "batch", "sizes"):
        more = f" --out {tmp_path / 'folder'}" if command == "batch" else ""
        refused = shell(f"postflop {command} {file}{more}")
        assert f"postflop {command} " in refused.refused(UnsupportedError, option="payouts").err
    three = tmp_path / "three.toml"
    three.write_text(
        'board = "Ts3h2h5c9s"\noop = "AA"\nmiddle = "QQ"\nip = "KK"\npot = 100\nstack = 9\n'
    )
    shell(f"postflop solve {three} --payouts 5,3").refused(ConfigError, option="payouts")
    shell(f"postflop solve {POLAR} --payouts 50,30,20").refused(ConfigError, option="payouts")
    shell(f"postflop solve {POLAR} --others 30").refused(ConfigError, option="others")
