"""`equilibrist postflop examine`, and `postflop solve --values`."""

from __future__ import annotations

import csv
import hashlib
import io
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from equilibrist import load_result
from equilibrist.errors import (
    ConfigError,
    FileFormatError,
    MemoryBudgetError,
    MismatchError,
    OutputError,
    UnsupportedError,
)
from equilibrist.learned.holdem_values import HoldemValues, NetworkLeaves
from equilibrist.learned.holdem_values.situations import held_out_flops
from equilibrist.poker import CheckDown, Leaves, PostflopResult, solve
from equilibrist.poker.betting.actions import line_text
from equilibrist.poker.cards.cards import parse_cards
from equilibrist.poker.cards.combos import NUM_COMBOS, combo_name
from equilibrist.poker.cards.flops import flops
from equilibrist.poker.postflop.files import examinations
from equilibrist.poker.postflop.files.strategists import strategist_of_file
from equilibrist.poker.postflop.solution.street_strategy import lock_street, strategy_of_spot
from equilibrist.poker.postflop.solving.examination import examine
from equilibrist.poker.postflop.solving.solver import SpotSolver
from equilibrist.poker.postflop.spot.spot import Spot
from equilibrist.storage.plain_file import MOST_BYTES
from tests.cli.command import Shell
from tests.refusals import refuses

SPOT = Spot(
    board="Ts3s2h5h9c", oop="AcAd,QcQd,7s6s", ip="KcKd,9s8s", pot=60, stack=90, bets="50%,a",
    raises="a",
)  # fmt: skip
TURN = SPOT.replace(board="Ts3s2h5h")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "spot.toml"
    path.write_text(SPOT.to_toml())
    return path


@pytest.fixture
def turn(tmp_path: Path) -> Path:
    path = tmp_path / "turn.toml"
    path.write_text(TURN.to_toml())
    return path


def test_boards_are_examined_and_kept(shell: Shell, file: Path, tmp_path: Path) -> None:
    boards, folder = tmp_path / "boards.txt", tmp_path / "study"
    boards.write_text("Ts3s2h5h9c\nTs3s2h5h2c,2\nAcAdQcQd7s\n")
    line = f"postflop examine {file} --strategy {file} --strategy-iterations 4 --target 0.05%"
    ran = shell(f"{line} --boards {boards} --out {folder} --json").ok()
    rows = {row["board"]: row for row in ran.json["rows"]}
    assert {*rows} == {"Ts3s2h5h9c", "Ts3s2h5h2c"}
    assert {*ran.json["skipped"]} == {"AcAdQcQd7s"}
    assert ran.json["summary"]["both"]["num_losses"] == 4
    assert ran.json["unit"] == "percent of the pot"
    made = solve(SPOT, iterations=4)
    alone = examine(SPOT, lambda _: strategy_of_spot(made.strategy), target="0.05%")
    for seat in alone.seats:
        assert rows[SPOT.board][f"loss_{seat.seat}"] == pytest.approx(seat.loss, abs=1e-9)
        assert rows[SPOT.board][f"margin_{seat.seat}"] == pytest.approx(seat.margin, abs=1e-9)
    spot = "--oop AcAd,QcQd,7s6s --ip KcKd,9s8s --pot 60 --stack 90 --bets 50%,a --raises a"
    by_boards = f"postflop examine {boards} {spot} --json --target 0.05%"
    made_by = f"--strategy {file} --strategy-iterations 4 --seat oop"
    listed = shell(f"{by_boards} {made_by}").ok().json
    assert [row["loss_oop"] for row in listed["rows"]] == [
        row["loss_oop"] for row in ran.json["rows"]
    ]
    shell(f"{by_boards} {made_by} --boards {boards}").refused(ConfigError, option="--boards")
    shell(f"postflop examine {boards} {made_by}").refused(ConfigError, option="oop")
    again = shell(f"{line} --boards {boards} --out {folder} --json --resume").ok()
    assert again.json["rows"] == ran.json["rows"]
    with (folder / "report.csv").open() as report:
        assert [row["weight"] for row in csv.DictReader(report)] == ["1", "2"]
    shell(f"{line} --boards {boards} --out {folder}").refused(ConfigError, option="folder")
    shell(f"{line} --out {folder} --resume --strategy-iterations 5").refused(
        ConfigError, option="strategy"
    )
    text = shell(f"{line} --seat ip --quiet").ok().out
    assert text.splitlines()[-1].split()[0] == "IP"


@pytest.mark.parametrize(
    ("which", "fields"),
    [
        ("held-out", dict(option="flops", given="held-out")),
        ("held-out:0", dict(option="flops", given="held-out:0")),
        ("held-out:108", dict(option="flops", given="held-out:108")),
        ("subset:0", dict(option="flops", given="subset:0")),
        ("few", dict(option="flops", given="few")),
    ],
)
def test_flops_that_are_no_list_are_refused(
    shell: Shell, file: Path, which: str, fields: dict[str, Any]
) -> None:
    line = f"postflop examine {file} --strategy {file} --strategy-iterations 4"
    shell(f"{line} --flops {which}").refused(ConfigError, **fields)


def test_flops_that_no_network_knows_are_examined(
    shell: Shell, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[Any] = []

    def examine_boards(spot: Spot, chosen: Any, *_: Any, **__: Any) -> None:
        asked.extend(chosen)
        raise KeyboardInterrupt

    monkeypatch.setattr(examinations, "examine_boards", examine_boards)
    line = f"postflop examine {file} --strategy {file} --strategy-iterations 4"
    shell(f"{line} --flops held-out:3")
    assert asked == held_out_flops(3)
    asked.clear()
    keys = "--oop AA,QQ --ip KK --pot 60 --stack 100 --deck short"  # and no board
    shell(f"postflop examine {keys} --values check-down --flops held-out:3")
    assert asked == held_out_flops(3, "short")
    assert {*asked} <= {(flop.name, flop.weight) for flop in flops("short")}


def test_tables_and_solutions_say_what_the_solution_does(tmp_path: Path) -> None:
    """What is said of hands that come there; of others a table may say nothing."""
    solution = solve(SPOT, iterations=4)
    saved, exported = tmp_path / "a.spot", tmp_path / "a.csv"
    solution.save(saved)
    solution.export(exported, streets="river")
    written, rows = tmp_path / "by_hand.csv", ["board,line,hand,action,share"]
    for line in solution.lines():
        node = solution.at(line)
        for combo in node.decision.dealt.tolist():
            if node.decision.reach[combo] > 0:
                name, shares = node.decision.names[combo], node.decision.strategy[:, combo]
                pairs = zip(node.actions, shares, strict=True)
                rows += [f"9cTs2h3s5h,{line},{name},{a.code},{100 * p:.9f}%" for a, p in pairs]
    written.write_text("\n".join(rows) + "\n")
    for file in (saved, exported, written):
        played = strategist_of_file(file).make(SPOT)
        for line in solution.lines():
            node, given = solution.at(line), played(line)
            assert given is not None
            comes = node.decision.reach > 0
            for action, shares in zip(node.actions, node.decision.strategy, strict=True):
                assert given[str(action)][comes] == pytest.approx(shares[comes], abs=1e-5)
        assert played("B31") is None
    locked = tmp_path / "locks.toml"
    locked.write_text(SPOT.replace(locks=[solution.lock(), solution.lock("X")]).to_toml())
    played = strategist_of_file(locked).make(SPOT)
    assert played("B30") is None
    assert played("X") is not None


def test_a_street_is_solved_over_leaf_values(shell: Shell, turn: Path, tmp_path: Path) -> None:
    out = tmp_path / "over.spot"
    line = f"postflop solve {turn} --values check-down --iterations 20"
    ran = shell(f"{line} --out {out}").ok()
    assert "estimated gain" in ran.out
    assert "exploitability" not in ran.out
    solution = load_result(out)
    assert isinstance(solution, PostflopResult)
    assert solution.leaf_values is not None
    assert solution.leaf_values.name == "check-down"
    assert (solution.iterations, solution.keep) == (20, "first-street")
    document = shell(f"{line} --json").ok().json
    assert document["exploitability_chips"] is None
    assert document["leaf_values"] == {"name": "check-down", "identity": ""}
    river = shell(f"postflop show {out} --line X-X|9c").ok().out
    assert "re-solved" in river


def test_a_network_says_of_all_hands_what_it_was_made_for() -> None:
    """One that adds nothing says what hands win checked down, also those that are not there."""
    held = [np.flatnonzero(TURN.ranges[seat].weights).astype(np.int32) for seat in (0, 1)]
    ranges = np.zeros((1, 2, NUM_COMBOS))
    for seat in (0, 1):
        ranges[0, seat, held[seat][1:]] = 1 / (len(held[seat]) - 1)
    board = np.array([parse_cards(SPOT.board)], np.int8)
    leaves = Leaves(
        board, np.array([60.0]), np.array([90.0]), np.zeros(1, np.int32), (held[0], held[1])
    )
    network = NetworkLeaves(HoldemValues.untrained("river"), "zeros")
    values, wanted = network.values(leaves, ranges), CheckDown(5).values(leaves, ranges)
    for seat in (0, 1):
        np.testing.assert_allclose(
            values[0, seat, held[seat]], wanted[0, seat, held[seat]], atol=1e-6
        )


@pytest.mark.slow
def test_a_network_is_asked_for_the_leaves_of_its_street(
    shell: Shell, turn: Path, file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def halves(
        network: HoldemValues, boards: Any, pot: Any, stack: Any, ranges: Any, held: Any
    ) -> Any:
        """Half of the pot for everyone."""
        return np.zeros(ranges.shape, np.float32)

    monkeypatch.setattr(HoldemValues, "__call__", halves)
    network = HoldemValues.untrained("river").save(tmp_path / "river.safetensors")
    line = f"postflop solve {turn} --iterations 10 --json --quiet"
    over = shell(f"{line} --values {network} --out {tmp_path / 'over.spot'}").ok().json
    assert over["iterations"] == 10
    solution = load_result(tmp_path / "over.spot")
    assert isinstance(solution, PostflopResult)
    assert solution.leaf_values is not None
    assert solution.leaf_values.name == "river.safetensors"
    assert solution.leaf_values.identity == hashlib.sha256(network.read_bytes()).hexdigest()
    other = HoldemValues.untrained("turn").save(tmp_path / "turn.safetensors")
    shell(f"{line} --values {other}").refused(MismatchError, option="values", given=4, expected=5)
    shell(f"{line} --values {turn}").refused(FileFormatError)
    shell(f"postflop examine {file} --values {network}").refused(UnsupportedError, option="values")
    shell(f"{line} --values {tmp_path / 'none'}").refused(FileFormatError)
    again = f"postflop examine {file} --strategy {network}"
    shell(again).refused(FileFormatError)


def test_what_is_refused(
    shell: Shell, file: Path, turn: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delattr(SpotSolver, "run")
    over = f"postflop solve {turn} --values check-down"
    shell(f"{over} --target 1%").refused(ConfigError, option="--target", given="1%")
    shell(f"{over} --storage int16").refused(ConfigError, option="--storage")
    shell(f"{over} --checkpoint {tmp_path / 'c'}").refused(ConfigError, option="--checkpoint")
    shell(f"postflop solve {file} --values check-down").refused(UnsupportedError, option="values")
    line = f"postflop examine {file}"
    shell(line).refused(ConfigError, option="--strategy")
    shell(f"{line} --strategy {file} --values check-down").refused(
        ConfigError, option="--values", given="check-down"
    )
    shell(f"{line} --strategy {file} --out {file}").refused(OutputError, option="folder")
    shell(f"{line} --strategy {file} --seat sb").refused(ConfigError, option="--seat", given="sb")
    shell(f"{line} --strategy {file} --resume").refused(ConfigError, option="--resume")
    shell(f"postflop examine {turn} --values check-down --strategy-target 1%").refused(
        ConfigError, option="--strategy-target"
    )
    shell(f"{line} --strategy {file} --after C-X --strategy-iterations 2").refused(
        ConfigError, option="--after", given="C-X"
    )
    shell(f"{line} --after C-X").refused(ConfigError, option="--after", given="C-X")
    table = tmp_path / "t.csv"
    table.write_text("line,hand\nX,AA\n")
    shell(f"{line} --strategy {table}").refused(FileFormatError, option="columns")
    table.write_text("line,hand,action,share\n,AA,Check,2x\n")
    shell(f"{line} --strategy {table}").refused(FileFormatError, place="line 2")
    for share in ("2", "-1", "nan", "101%", ""):
        table.write_text(f"line,hand,action,share\n,AA,Check,{share}\n")
        shell(f"{line} --strategy {table}").refused(FileFormatError, place="line 2")
    table.write_text("board,line,hand,action,share\nTs3s2h5h8c,,AA,Check,1\n")
    shell(f"{line} --strategy {table}").refused(ConfigError, option="board", expected="Ts3s2h5h9c")


def test_probabilities_are_from_0_to_1_whoever_gives_them() -> None:
    """They may add up to 1 all the same."""
    for shares in ((-1.0, 2.0), (2.0, -1.0)):
        columns = [np.full(NUM_COMBOS, share) for share in shares]
        strategy = dict(zip(("Check", "Bet 30"), columns, strict=True))
        with refuses(ConfigError, option="strategy", given=shares[0]):
            lock_street(SPOT, {"": strategy}.get, 0)


def test_a_table_of_one_seat_is_examined_as_that(shell: Shell, file: Path, tmp_path: Path) -> None:
    table = tmp_path / "oop.csv"
    rows = ("line,hand,action,share", ",AA,Check,1", ",KK,Check,1", "X-X|,AA,Check,1", "B17,AA,F,1")
    table.write_text("\n".join(rows))
    line = f"postflop examine {file} --strategy {table}"
    refusal = shell(line).refused(ConfigError, option="strategy", given="ip")
    assert "--seat oop" in f"{refusal.error.remedy}"
    told = shell(f"{line} --seat oop --target 1%").ok().err
    assert "KK" in told
    assert "X-X|" in told
    assert "B17" in told
    assert "AA" not in told
    table.write_text("line,hand,action,share\n,KK,Check,1\n")
    refusal = shell(f"{line} --seat oop").refused(ConfigError, option="strategy", given="oop")
    assert "--seat" not in f"{refusal.error.remedy}"


@pytest.mark.filterwarnings("error")
def test_sizes_are_warned_of_once_and_as_a_note(shell: Shell, tmp_path: Path) -> None:
    path = tmp_path / "turn.toml"
    path.write_text(TURN.replace(bets="a", raises="60%").to_toml())
    assert Spot.from_toml(path).warnings
    told = shell(f"postflop solve {path} --values check-down --iterations 1 --quiet").ok().err
    assert told.count("warning:") == len(Spot.from_toml(path).warnings)


def test_no_error_is_claimed_at_a_table(
    shell: Shell, turn: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Over leaf values: neither an empty warning, nor a bound for the coach."""
    out = tmp_path / "over.spot"
    shell(f"postflop solve {turn} --values check-down --iterations 2 --out {out} --quiet").ok()
    monkeypatch.setattr("sys.stdin", io.StringIO("1\n" * 9))
    ran = shell(f"play {out} --seats human,uniform --coach --hands 1 --seed 1").ok()
    assert "warning" not in ran.err
    assert "estimated gain" not in ran.err
    assert "check-down" in ran.err


def test_a_street_over_leaf_values_takes_a_limit_of_memory(shell: Shell, turn: Path) -> None:
    line = f"postflop solve {turn} --values check-down --iterations 2 --quiet --memory"
    shell(f"{line} 1kB").refused(MemoryBudgetError, option="memory", given=1000)
    shell(f"{line} 1GB").ok()
    line = f"postflop examine {turn} --values check-down --strategy-iterations 1 --memory 1kB"
    refusal = shell(line).refused(MemoryBudgetError, option="memory", given=1000)
    assert "check-down" in str(refusal.error)


HEADER = "line,hand,action,share"


@pytest.mark.parametrize("action", ["A", "a", "All-in", "A90", "All-in 90", "B90"])
@pytest.mark.parametrize("line", ["X-B30", "r:0:c:b30"])
def test_lines_and_actions_of_tables_are_written_as_everywhere(
    tmp_path: Path, action: str, line: str
) -> None:
    table = tmp_path / "t.csv"
    rows = [HEADER, f",AA,{action},1", f"{line},AA,{action},1", "A,KK,C,1"]
    table.write_text("\n".join(rows))
    made = strategist_of_file(table)
    assert made.unused(SPOT) == []
    for seat, lines in ((0, ["", "X-B30"]), (1, ["A90"])):
        nodes = lock_street(SPOT, made.make(SPOT), seat).nodes
        assert [line_text(node.line) for node in nodes] == lines
        for node in nodes:
            played = f"{node.actions[np.nanargmax(np.nanmax(node.fixed(()), axis=1))]}"
            assert played == ("Call" if seat else "All-in 90")


@pytest.mark.parametrize(
    "text",
    [
        "line;hand;action;share\n;AA;Check;0,25\n;AA;B30;75%\n",
        "line\thand\taction\tshare\n\tAA\tCheck\t0.25\n\tAA\tB30\t0.75\n",
        "|line|hand|action|share|\n|---|---|---|---|\n||AA|X|.25|\n||AA|B30|.75|\n",
        "# notes\nnode,hand,action,frequency\nroot,AA,Check,1/4\nroot,AA,Bet 30,3/4\n",
        "hand,Check,Bet 30\nAA,0.25,0.75\n",
    ],
)
def test_columns_of_tables_may_be_separated_otherwise(tmp_path: Path, text: str) -> None:
    table = tmp_path / "t.csv"
    table.write_text(text)
    (node,) = lock_street(SPOT, strategist_of_file(table).make(SPOT), 0).nodes
    np.testing.assert_allclose(np.nanmax(node.fixed(()), axis=1), [0.25, 0.75, 0.0])


@pytest.mark.parametrize(
    ("text", "place"),
    [
        (f"{HEADER}\n,AA,Check,0.4\n,AA,B30,0.6\n,AcAd,Check,1\n", "line 4"),
        (f"{HEADER}\n,AA,Check,1,5\n", "line 2"),
        (f"{HEADER}\n,AA,Check\n", "line 2"),
        (f"{HEADER},share\n,AA,Check,1,1\n", None),
        ('{"nodes": [{"line": "", "hands": {}}]}', None),
        ("[1]", None),
    ],
)
def test_tables_that_say_something_twice_or_are_none_are_refused(
    tmp_path: Path, text: str, place: str | None
) -> None:
    table = tmp_path / "t.csv"
    table.write_text(text)
    fields = {} if place is None else {"place": place}
    with refuses(FileFormatError, **fields):
        strategist_of_file(table)


def test_a_table_that_is_too_large_says_how_a_smaller_one_is_written(tmp_path: Path) -> None:
    table = tmp_path / "t.csv"
    with table.open("w") as file:
        file.write(f"{HEADER}\n,AA,A,1\n")
        file.truncate(MOST_BYTES + 1)
    with refuses(FileFormatError, option="size", path=table) as caught:
        strategist_of_file(table)
    assert "--street" in (caught.value.remedy or "")


def test_an_action_of_two_names_is_refused(tmp_path: Path) -> None:
    table = tmp_path / "t.csv"
    table.write_text(f"{HEADER}\n,KK,X,1\n,AA,A,1\n,AA,A90,1\n")
    made = strategist_of_file(table)
    with refuses(
        FileFormatError, option="action", given="All-in 90", path=table, place=f"{table}, line 4"
    ):
        made.make(SPOT)


def test_other_files_say_what_they_are(shell: Shell, file: Path, tmp_path: Path) -> None:
    solution = solve(SPOT, iterations=2)
    cut = tmp_path / "cut.spot"
    solution.save(cut)
    cut.write_bytes(cut.read_bytes()[:-50])
    for path in (tmp_path / "none.csv", tmp_path, cut):
        with refuses(FileFormatError, path=path) as caught:
            strategist_of_file(path)
        assert caught.value.remedy is not None
    for name in ("tree.json", "tree.parquet"):
        solution.export(tmp_path / name)
        with refuses(FileFormatError, option="strategy", given=Path(name).suffix):
            strategist_of_file(tmp_path / name)
    shell(f"postflop solve {file} --iterations 2 --quiet").ok()
    shell(f"postflop examine {file} --strategy last --seat oop --target 1% --quiet").ok()


DOCUMENTED = "line,hand,action,share\n,AA,Check,100%\n,QQ,Check,40%\n,QQ,B30,60%\n,76s,B30,1\n"
"""The table of the documentation, which leaves out actions that hands do not take."""


def test_actions_that_a_hand_leaves_out_are_not_taken(tmp_path: Path) -> None:
    table = tmp_path / "frequencies.csv"
    table.write_text(DOCUMENTED)
    street = lock_street(SPOT, strategist_of_file(table).make(SPOT), 0)
    (node,) = street.nodes
    held = np.flatnonzero(SPOT.ranges[0].weights)
    shares = dict(zip(map(combo_name, held.tolist()), node.fixed(())[:, held].T, strict=True))
    assert [str(action) for action in node.actions] == ["Check", "Bet 30", "All-in 90"]
    np.testing.assert_allclose(shares["AdAc"], [1.0, 0.0, 0.0])
    np.testing.assert_allclose(shares["QdQc"], [0.4, 0.6, 0.0])
    np.testing.assert_allclose(shares["7s6s"], [0.0, 1.0, 0.0])
    assert street.free_weight == 0.0


def test_hands_of_which_nothing_is_said_count_by_their_weight(
    shell: Shell, file: Path, tmp_path: Path
) -> None:
    """At the root a third of the range; after the bet of all others, none of it is left out."""
    table = tmp_path / "t.csv"
    rows = [",AA,Check,1", ",QQ,B30,1", "X-B30,AA,C,1", "X-B30,76s,F,1"]
    table.write_text("\n".join(["line,hand,action,share", *rows]))
    street = lock_street(SPOT, strategist_of_file(table).make(SPOT), 0)
    assert street.free_weight == pytest.approx(1 / 3)
    line = f"postflop examine {file} --strategy {table} --seat oop --target 1%"
    ran = shell(f"{line} --json").ok().json
    assert ran["rows"][0]["free_weight_oop"] == pytest.approx(1 / 3)
    assert "33.33%" in shell(line).ok().out


def test_rounded_frequencies_add_up(tmp_path: Path) -> None:
    """With one decimal; further away they are refused."""
    table = tmp_path / "t.csv"
    for share, accepted in ((33.3, True), (33.0, True), (32.9, False)):
        rows = [f",AA,{action},{share}%" for action in ("Check", "B30", "A90")]
        table.write_text("\n".join(["line,hand,action,share", *rows]))
        played = strategist_of_file(table).make(SPOT)
        if accepted:
            (node,) = lock_street(SPOT, played, 0).nodes
            shares = node.fixed(())
            known = ~np.isnan(shares[0])
            assert known.sum() == 1
            np.testing.assert_allclose(shares[:, known], 1 / 3)
        else:
            with refuses(ConfigError, option="strategy", expected=1, place="at the root"):
                lock_street(SPOT, played, 0)


@pytest.mark.slow
def test_a_network_for_other_bets_is_told(
    shell: Shell, turn: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(HoldemValues, "__call__", lambda *given: np.zeros(given[4].shape))
    path = tmp_path / "river.safetensors"
    for raises, told in (("a", False), ("2.5x,a", True)):
        network = HoldemValues.untrained("river", ()).network
        made = {"bets": "50%,a", "raises": raises, "losses": {}}
        HoldemValues("river", network, made).save(path)
        line = f"postflop solve {turn} --values {path} --iterations 1 --quiet"
        assert ("2.5x,a" in shell(line).ok().err) == told
