"""`solve` as a user types it: options, report, JSON, files."""

from __future__ import annotations

import math
import re
from pathlib import Path

import pytest

from equilibrist.errors import CheckpointError, OutputError
from equilibrist.results import Result
from tests.cli.command import Shell

KEYS = {
    "game", "algorithm", "iterations", "seconds", "values", "gains", "nash_conv",
    "exploitability", "num_nodes", "num_infosets", "num_sequences", "strategy", "solution_file",
}  # fmt: skip


def test_kuhn_is_printed_as_textbooks_print_it(shell: Shell) -> None:
    ran = shell("solve kuhn --algorithm cfr+ --target 1e-5").ok()
    lines = ran.out.splitlines()
    at = lines.index("Player 0: how often each card bets, or calls a bet")
    assert re.split(" {2,}", lines[at + 1].strip()) == [
        "card", "first to act: bet", "after pass, bet: call"
    ]  # fmt: skip
    cards = [line.split() for line in lines[at + 2 : at + 5]]
    assert [row[0] for row in cards] == ["J", "Q", "K"]
    alpha = float(cards[0][1])
    assert 0 <= alpha <= 1 / 3
    assert float(cards[2][1]) == pytest.approx(3 * alpha, abs=1e-2)
    assert float(cards[1][2]) == pytest.approx(alpha + 1 / 3, abs=1e-2)
    assert "  card  after pass: bet  after bet: call" in lines
    family = next(line for line in lines if "alpha = " in line)
    assert float(family.rpartition("= ")[2]) == pytest.approx(alpha, abs=5e-3)
    assert "  player 0  -0.05555" in ran.out
    assert "Solution saved as `last`" in ran.out


def test_the_report_names_the_measure_and_each_gain(shell: Shell) -> None:
    out = shell("solve kuhn -n 50").ok().out
    assert "50 iterations of dcfr" in out
    assert "exploitability " in out
    assert "NashConv / 2, in payoff units" in out
    assert [line.split()[1] for line in out.splitlines() if line.startswith("  player")] == [
        "0", "1"
    ]  # fmt: skip
    out = shell("solve 'kuhn(players=3)' -n 50").ok().out
    assert "NashConv " in out
    assert "exploitability" not in out
    assert "coarse correlated equilibrium" in out


def test_the_default_stop_is_said(shell: Shell) -> None:
    assert "10,000 iterations" in shell("solve kuhn").ok().out
    assert "10,000 iterations" not in shell("solve kuhn --iterations 20").ok().out


def test_three_player_kuhn_is_placed_in_its_family(shell: Shell) -> None:
    out = shell("solve 'kuhn(players=3)' -n 2000").ok().out
    assert "Szafron" in out
    assert "  card  first: bet  ppb: call  pbp: call  pbb: call" in out


def test_matrix_games_have_a_row_per_player(shell: Shell) -> None:
    out = shell("solve brps --target 1e-3").ok().out
    lines = out.splitlines()
    at = lines.index("                       rock   paper  scissors")
    row = lines[at + 1].split()
    assert row[:3] == ["player", "0", "(row)"]
    assert [float(x) for x in row[3:]] == pytest.approx([1 / 16, 5 / 8, 5 / 16], abs=0.01)
    assert lines[at + 2].startswith("  player 1 (column)")


def test_matrix_games_with_other_actions_per_player(shell: Shell) -> None:
    spec = "matrix(payoffs=[[3,0,1],[0,2,1]],labels=[[up,down],[left,middle,right]])"
    out = shell(f"solve '{spec}' -n 100").ok().out
    for label in ("up", "down", "left", "middle", "right"):
        assert any(line.split()[:1] == [label] for line in out.splitlines())


def test_large_games_show_what_is_reached_most(shell: Shell) -> None:
    out = shell("solve leduc -n 20").ok().out
    assert "Player 0: the 20 most reached of 468 infosets" in out
    assert "Player 1: the 20 most reached of 468 infosets" in out
    assert "All 936 infosets: equilibrist inspect last --all" in out
    rows = [line.split() for line in out.splitlines() if line.startswith("  Js ")]
    assert [row[:2] for row in rows] == [["Js", "0.1667"]]
    assert any(line.startswith("  Kh ") for line in out.splitlines())  # the last card dealt
    assert len([line for line in out.splitlines() if "/" in line]) < 40


def test_json_is_one_document_and_the_rest_goes_to_stderr(shell: Shell) -> None:
    ran = shell("solve kuhn --iterations 100 --json").ok()
    document = ran.json
    assert set(document) >= KEYS
    assert document["game"] == "kuhn"
    assert document["algorithm"] == "dcfr"
    assert document["iterations"] == 100
    assert (document["num_nodes"], document["num_infosets"], document["num_sequences"]) == (
        58, 12, 26
    )  # fmt: skip
    assert document["nash_conv"] == pytest.approx(sum(document["gains"]))
    assert document["exploitability"] == pytest.approx(document["nash_conv"] / 2)
    assert sum(document["values"]) == pytest.approx(0)
    assert math.isfinite(document["seconds"])
    assert len(document["strategy"]) == 12
    assert sum(document["strategy"]["1pb"].values()) == pytest.approx(1)
    assert document["family"]["parameters"]["alpha"] <= 1 / 3
    assert Result.load(document["solution_file"]).iterations == 100
    assert "walking the rules" in ran.err


def test_json_has_no_exploitability_where_it_means_nothing(shell: Shell) -> None:
    document = shell("solve bos -n 10 --json").ok().json
    assert document["exploitability"] is None
    assert document["nash_conv"] >= 0
    assert document["family"] is None


def test_quiet_shows_only_the_result(shell: Shell) -> None:
    assert shell("solve kuhn -n 10 --quiet").ok().err == ""
    assert shell("solve kuhn -n 10").ok().err != ""


@pytest.mark.parametrize(
    ("option", "stopped_by"),
    [("--iterations 30", "iterations"), ("--target 0.05", "target"), ("--time 0.2s", "seconds")],
)
def test_stopping_options(shell: Shell, option: str, stopped_by: str) -> None:
    document = shell(f"solve leduc {option} --json").ok().json
    assert document["stopped_by"] == stopped_by
    if stopped_by == "iterations":
        assert document["iterations"] == 30
    if stopped_by == "target":
        assert document["exploitability"] <= 0.05


def test_counts_may_be_written_with_marks(shell: Shell) -> None:
    assert shell("solve rps -n 1_000 --json").json["iterations"] == 1000
    assert shell("solve rps -n 1e3 --json").json["iterations"] == 1000


def test_simultaneous_updates_and_the_last_strategy_differ(shell: Shell) -> None:
    found = [
        shell(f"solve kuhn -n 20 {option} --json").ok().json["strategy"]
        for option in ("", "--simultaneous", "--output last", "--output average")
    ]
    assert found[0] == found[3]
    assert found[0] != found[1]
    assert found[0] != found[2]


def test_algorithms_by_name_and_with_parameters(shell: Shell) -> None:
    assert shell("solve kuhn -n 5 -a CFR_plus --json").json["algorithm"] == "cfr+"
    assert shell("solve kuhn -n 5 -a 'dcfr(gamma=4)' --json").json["algorithm"] == "dcfr(gamma=4)"
    assert shell("solve kuhn -n 5 -a hs-dcfr --json").json["iterations"] == 5


def test_an_algorithm_of_ones_own(shell: Shell, folder: Path) -> None:
    (folder / "my.py").write_text(
        "from equilibrist.solvers.variants.variant import Variant\n"
        "Mine = Variant('mine', floor=0.0)\n"
    )
    ran = shell("solve kuhn -n 5 -a my.py:Mine").ok()
    assert "Solution saved as `last`" in ran.out


def test_the_exact_solution(shell: Shell) -> None:
    ran = shell("solve kuhn -a lp").ok()
    assert "solved exactly by lp" in ran.out
    document = shell("solve kuhn -a lp --json").ok().json
    assert document["values"][0] == pytest.approx(-1 / 18, abs=1e-12)
    assert document["exploitability"] < 1e-12


def test_the_trace_of_regret_matching(shell: Shell) -> None:
    ran = shell("solve rps -a regret-matching -n 3 --trace").ok()
    assert "iteration 1, player 0 played " in ran.out
    assert "iteration 3, player 1 played " in ran.out
    assert "regrets total rock " in ran.out
    document = shell("solve rps -a regret-matching+ -n 3 --trace --json").ok().json
    steps = document["matching_trace"]
    assert [step["iteration"] for step in steps] == [1, 2, 3]
    assert set(steps[0]["instant_regrets"][0]) == {"rock", "paper", "scissors"}
    assert (
        "(the first 100 of 150 iterations)"
        in shell("solve rps -a regret-matching -n 150 --trace").out
    )


def test_the_seed_decides_what_is_drawn(shell: Shell) -> None:
    one, again, other = (
        shell(f"solve rps -a regret-matching -n 50 --seed {seed} --json").ok().json["strategy"]
        for seed in (1, 1, 2)
    )
    assert one == again
    assert one != other


def test_out_and_plot(shell: Shell, folder: Path) -> None:
    ran = shell("solve kuhn -n 50 --out mine.safetensors --plot convergence.svg").ok()
    assert "Solution saved to mine.safetensors" in ran.out
    assert "Convergence drawn to convergence.svg" in ran.out
    assert Result.load("mine.safetensors").iterations == 50
    assert (folder / "convergence.svg").read_text().lstrip().startswith("<?xml")
    assert sorted(p.name for p in folder.iterdir()) == ["convergence.svg", "mine.safetensors"]
    ran = shell("solve kuhn -n 50 --plot convergence.png --json").ok()
    assert Result.load(ran.json["solution_file"]).iterations == 50
    assert "Convergence drawn to convergence.png" in ran.err
    assert (folder / "convergence.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.slow
def test_no_file_is_left_in_the_folder_unasked(shell: Shell, folder: Path) -> None:
    shell("solve kuhn -n 10").ok()
    shell("solve kuhn -n 10 -s external --json").ok()
    shell("solve rules:goofspiel -s external -n 10 --no-explicit-tree").ok()
    assert not [*folder.iterdir()]


def test_a_folder_that_takes_no_files_is_found_out_before(
    shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(target: Path) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("equilibrist.storage.archive.probe", refuse)
    ran = shell("solve leduc -n 5 --out a.safetensors").refused(
        OutputError, option="file", given="Permission denied"
    )
    assert "walking" not in ran.err


def test_resuming_ends_with_the_same_bits(shell: Shell, folder: Path) -> None:
    whole = shell("solve leduc -n 60 --json --out a.safetensors").ok().json
    shell("solve leduc -n 25 --checkpoint run.ckpt --checkpoint-every 0.001").ok()
    shell("solve leduc -n 40 --resume run.ckpt").ok()
    ran = shell("solve leduc -n 60 --resume run.ckpt --json").ok()
    assert ran.json["strategy"] == whole["strategy"]
    assert ran.json["nash_conv"] == whole["nash_conv"]
    assert any("Resumed" in note for note in ran.json["notes"])


def test_a_game_of_ones_own(shell: Shell, rules) -> None:
    rules()
    ran = shell("solve rules.py:Tiny -n 100").ok()
    assert ran.out.startswith("tiny: 100 iterations")
    assert "  player 0 (pick)   0.5000  0.5000" in ran.out


def test_a_variant_of_ones_own_with_parameters(shell: Shell, folder: Path) -> None:
    """Named in one way wherever it is shown, and resumed by any spelling of it."""
    (folder / "var.py").write_text(
        "from equilibrist.solvers.variants.schedules import PowerAverage\n"
        "from equilibrist.solvers.variants.variant import Variant\n"
        "def factory(a, b=1): return Variant(average=PowerAverage(a), floor=0.0)\n"
    )
    ran = shell("solve kuhn -a 'var.py:factory( a = 3.0, b=1 )' -n 20 --checkpoint run.ckpt --json")
    document = ran.ok().json
    assert document["algorithm"] == document["config"]["algorithm"] == "factory(a=3)"
    assert "kuhn-factory-a-3" in document["solution_file"]
    assert Result.load(document["solution_file"]).algorithm == "factory(a=3)"
    whole = shell("solve kuhn -a 'var.py:factory(a=3)' -n 50 --json").ok().json
    resumed = shell("solve kuhn -a 'var.py:factory(b=1,a=3)' -n 50 --resume run.ckpt --json")
    assert resumed.ok().json["strategy"] == whole["strategy"]
    shell("solve kuhn -a 'var.py:factory(a=2)' -n 60 -q --resume run.ckpt").refused(
        CheckpointError, path="run.ckpt"
    )


def test_rules_that_extend_kuhn_with_other_deals(shell: Shell, folder: Path) -> None:
    """The table of cards and situations is for rules in which each card is in each situation."""
    (folder / "g.py").write_text(
        """
from equilibrist.games.library.kuhn import Kuhn

class G(Kuhn):
    def actions(self, s):
        a = super().actions(s)
        return a[::2] if not s or self.player(s) == -1 and len(a) > 2 else a
    def chance(self, s):
        return (1 / len(self.actions(s)),) * len(self.actions(s))
    def next(self, s, i):
        return super().next(s, super().actions(s).index(self.actions(s)[i]))
"""
    )
    out = shell("solve g.py:G -n 5 -q --out g.safetensors").ok().out
    assert "how often each card" not in out
    assert "exploitability" in out
    shell("inspect g.safetensors").ok()
