"""`equilibrist blueprint`: size, show and export, and files of blueprints elsewhere."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import numpy as np
import pytest

from equilibrist.errors import (
    ConfigError,
    EquilibristError,
    FileFormatError,
    NotationError,
    OutputError,
)
from equilibrist.poker import build_card_buckets
from equilibrist.poker.blueprint.policy import Blueprint, ranges_at, reach_of
from equilibrist.poker.buckets.card_buckets import CardBuckets
from equilibrist.poker.cards.cards import parse_cards
from equilibrist.poker.cards.combos import CLASS_OF_COMBO, parse_combo
from equilibrist.poker.hands.tree_lines import node_at
from equilibrist.poker.ranges.range import Range
from tests.cli.command import Shell
from tests.cli.commands.holdem.conftest import HAND


def test_size_is_that_of_the_package(shell: Shell, folder: Path) -> None:
    found = Blueprint.load(folder / "b.safetensors")
    told = shell(f"blueprint size {HAND} --buckets 25/20/20/10 --json").ok().json
    assert sum(street["slots"] for street in told["streets"]) == found.game.num_slots
    assert told["nodes"] == found.tree.num_nodes
    assert told["training_bytes"] - told["training_bytes_int16"] == (
        4 * found.game.num_slots - 8 * found.tree.num_nodes
    )
    three = shell(f"blueprint size {HAND} --seats 3 --buckets 25/20/20/10 --json").ok().json
    assert three["training_bytes_int16"] is None
    assert told["file_bytes"] <= (folder / "b.safetensors").stat().st_size
    lines = shell(f"blueprint size {HAND} --cards {folder / 'c.safetensors'}").ok().out.splitlines()
    assert [line.split()[0] for line in lines[1:6]] == ["preflop", "flop", "turn", "river", "all"]
    assert lines[5].split()[-1] == f"{found.game.num_slots:,}"


def test_show_before_the_flop(shell: Shell, folder: Path) -> None:
    file = folder / "b.safetensors"
    found = Blueprint.load(file)
    lines = shell(f"blueprint show {file} --line C").ok().out.splitlines()
    assert lines[0] == "after C the big blind acts"
    told = shell(f"blueprint show {file} --line C --json").ok().json
    assert told["actions"] == ["X", *told["actions"][1:]]
    by_hand = found.probabilities(node_at(found.tree, "C"), ())
    aces = np.flatnonzero(CLASS_OF_COMBO == 0)[0]
    assert told["hands"]["AA"] == pytest.approx(by_hand[:, aces].tolist(), abs=1e-5)
    assert told["hands"]["22"] == [0.0] * len(told["actions"])


def test_show_after_the_flop(shell: Shell, folder: Path) -> None:
    file = folder / "b.safetensors"
    board = "TdJdQh"
    one = shell(f"blueprint show {file} --line C-X --board {board} --hand AhKh --json").ok().json
    all_of_them = shell(f"blueprint show {file} --line C-X --board {board} --json").ok().json
    row = one["hands"]["AhKh"]
    assert sum(row["frequencies"]) == pytest.approx(1, abs=1e-5)
    assert all_of_them["hands"]["AhKh"] == pytest.approx(row["frequencies"], abs=1e-5)
    found = Blueprint.load(file)
    assert row["bucket"] == found.cards.lookup(parse_cards(board), parse_combo("AhKh"))
    same = shell(f'inspect {file} AhKh --line "C-X|{board}" --json').ok().json
    assert same == one
    pairs = shell(f'inspect {file} AA --line "C-X|{board}"').ok().out.splitlines()
    assert pairs[1].split()[:2] == ["hand", "bucket"]
    assert len(pairs) == 2 + 6
    assert "TdTc" not in all_of_them["hands"]
    shown = shell(f"blueprint show {file} --line C-X --board {board}").ok().out
    assert shown.startswith("after C-X| the big blind acts")
    buckets = shell(f"blueprint show {file} --line C-X").ok().out.splitlines()
    assert len(buckets) == 2 + 20


def test_exports(shell: Shell, folder: Path, tmp_path: Path) -> None:
    file, out = folder / "b.safetensors", tmp_path / "preflop.csv"
    found = Blueprint.load(file)
    shell(f"blueprint export {file} --csv {out}").ok()
    rows = list(csv.DictReader(out.read_text().splitlines()))
    first = [row for row in rows if row["line"] == "" and row["hand"] == "AKs"]
    assert sum(float(row["frequency"]) for row in first) == pytest.approx(1, abs=1e-5)
    assert {row["hand"] for row in rows} == {row["hand"] for row in rows if int(row["combos"])}
    assert len({row["hand"] for row in rows}) == 25
    told = shell(f"blueprint export {file} --line C-X --json").ok().json
    held = ranges_at(found, node_at(found.tree, "C-X"))
    assert Range(told["big_blind"]).weights == pytest.approx(held[1], abs=6e-5)
    assert Range(told["small_blind"]).weights == pytest.approx(held[0], rel=6e-4)
    reach = reach_of(found, node_at(found.tree, "C-X"))
    seats = dict(zip(("small_blind", "big_blind"), reach.seats, strict=True))
    assert told["reach"] == pytest.approx({"line": reach.line, **seats})


def test_lines_that_are_hardly_played_are_said_to_be(
    shell: Shell, folder: Path, tmp_path: Path
) -> None:
    """All hands but a few go all-in at once: what limps is noise, not a range."""
    found = Blueprint.load(folder / "b.safetensors")
    strategy = np.array(found.stored)
    actions, buckets = found.game.shape(0)
    labels = [found.tree.label(child) for child in found.tree.children(0)]
    first = strategy[: actions * buckets].reshape(actions, buckets)
    first[:] = 0
    first[labels.index("C")] = 30
    first[-1] = 65_505
    file = tmp_path / "b.safetensors"
    Blueprint(found.game, found.cards, strategy, found.record).save(file)
    for command in (
        f"blueprint export {file} --line C-X",
        f"postflop solve --from {file} --line C-X --board AsKsThTdJc --iterations 2 --bets 50%",
    ):
        told = shell(command).ok()
        assert "warning" in told.err
        assert "0.0458 % of its hands" in told.err
        usual = shell(command.replace(str(file), str(folder / "b.safetensors"))).ok()
        assert "warning: the blueprint" not in usual.err
        assert "% of all deals" in usual.err + usual.out
    assert "warning" in shell(f"export {file} {tmp_path / 'r.txt'}").ok().err


def test_files_of_all_decisions_before_the_flop(shell: Shell, folder: Path, tmp_path: Path) -> None:
    file = folder / "b.safetensors"
    found = Blueprint.load(file)
    shell(f"blueprint export {file} --csv {tmp_path / 'a.csv'}").ok()
    shell(f"export {file} {tmp_path / 'b.csv'}").ok()
    assert (tmp_path / "a.csv").read_text() == (tmp_path / "b.csv").read_text()
    document = shell(f"export {file} - --format json").ok().out
    nodes = {node["line"]: node for node in json.loads(document)["nodes"]}
    for _ in range(2):  # what is there already is replaced
        shell(f"export {file} {tmp_path / 'r.txt'}").ok()
        shell(f"export {file} {tmp_path / 'b.csv'}").ok()
    for name in ("no.txt", "no.csv"):
        (tmp_path / name).write_text("R2 and more\n")
        ran = shell(f"export {file} {tmp_path / name}")
        ran.refused(OutputError, option="file", given=name)
    ran = shell(f"blueprint export {file} --csv {tmp_path / 'no.csv'}")
    ran.refused(OutputError, option="file", given="no.csv")
    ranges = dict(row.split("\t") for row in (tmp_path / "r.txt").read_text().splitlines())
    line = "C-X"
    held = ranges_at(found, node_at(found.tree, line))[1]
    assert Range(ranges[line]).weights == pytest.approx(held, abs=6e-5)
    place = nodes["C"]["actions"].index("X")
    assert nodes["C"]["hands"]["AA"][place] == pytest.approx(held[parse_combo("AsAh")], abs=1e-5)
    shell(f"export {file} {tmp_path / 'r.xls'}").refused(ConfigError, option="--format")
    printed = shell(f"export {file} - --format txt").ok().out
    assert printed == (tmp_path / "r.txt").read_text()


@pytest.mark.slow
def test_pictures(shell: Shell, folder: Path, tmp_path: Path) -> None:
    file, svg = folder / "b.safetensors", tmp_path / "c.svg"
    shell(f"inspect {file} --line C --draw {svg}").ok()
    text = svg.read_text()
    assert "big blind after C" in text
    assert ">AKs<" in text
    board = tmp_path / "flop.svg"
    shell(f'blueprint show {file} --line "C-X|TdJdQh" --draw {board}').ok()
    assert "on TdJdQh" in board.read_text()
    shell(f"blueprint show {file} --draw {tmp_path / 'c.png'}").ok()
    assert (tmp_path / "c.png").read_bytes().startswith(b"\x89PNG")
    shell(f"inspect {file} --draw {tmp_path / 'c.gif'}").refused(ConfigError, option="--draw")


@pytest.mark.slow
def test_evaluate_looks_at_the_litmus_hands(shell: Shell, moved: tuple[Path, Path]) -> None:
    file, cards = moved
    ran = shell(f"evaluate {file} --cards {cards}").ok()
    assert "AA before the flop" in ran.out
    assert f"--cards {cards}" in ran.err
    assert "--exploiter" in ran.err


@pytest.mark.parametrize(
    ("line", "kind", "option"),
    [
        ("blueprint size --buckets 25/20/20/10", ConfigError, "hand"),
        (f"blueprint size {HAND}", ConfigError, "--buckets"),
        ("blueprint size --stack 20 --buckets 25/20/20/10", ConfigError, "bets"),
        (
            "blueprint train --stack 20 --cards OUT/none --iterations 1 -o OUT/x.safetensors",
            ConfigError,
            "bets",
        ),
        (f"blueprint train {HAND} --iterations 1", ConfigError, "--out"),
        (f"blueprint train {HAND} --iterations 1 -o OUT/x.safetensors", ConfigError, "--cards"),
        (
            f"blueprint train {HAND} --iterations 1 -o OUT/no/y.safetensors",
            OutputError,
            "folder",
        ),
    ],
)
def test_bad_input(
    shell: Shell, tmp_path: Path, line: str, kind: type[EquilibristError], option: str
) -> None:
    shell(line.replace("OUT", str(tmp_path))).refused(kind, option=option)


def test_unknown_line(shell: Shell, folder: Path) -> None:
    ran = shell(f"blueprint show {folder / 'b.safetensors'} --line R77")
    ran.refused(NotationError, option="line", given="R77")


def test_spot_after_a_line(shell: Shell, folder: Path) -> None:
    file = folder / "b.safetensors"
    words = f"postflop solve --from {file} --board AsKsThTdJc --iterations 5 --bets 50% --json"
    told = shell(f"{words} --line C-X").ok().json
    assert told["pot"] == 2
    assert told["stack"] == 4
    shell(f"{words} --line C-X --pot 5").refused(ConfigError, option="--pot")
    flop = words.replace("ThTdJc", "Th")
    assert len(shell(f"{flop} --line C-X").ok().json["board"]) == 6  # by the deck of the blueprint
    shell(f"{flop.replace('Th', '2h')} --line C-X").refused(ConfigError, option="board")
    shell(f"{words} --line C-X --deck T").refused(ConfigError, option="--deck")
    shown = f"blueprint show {file} --line C-X --board AsKsTh2h"
    shell(shown).refused(ConfigError, option="board", given="AsKsTh2h")
    shell(f"{words} --line C").refused(NotationError, option="line", given="C")
    shell(words).refused(ConfigError, option="--line")
    alone = f"postflop solve --board AsKsThTdJc --cards {folder / 'c.safetensors'}"
    shell(alone).refused(ConfigError, option="--cards", given=folder / "c.safetensors")


@pytest.fixture(scope="module")
def moved(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A blueprint whose card buckets are elsewhere now, and where they are."""
    source = Blueprint.load(folder / "b.safetensors")
    path = tmp_path_factory.mktemp("moved")
    there = path / "away" / "m.safetensors"
    there.parent.mkdir()
    there.write_bytes((folder / "c.safetensors").read_bytes())
    blueprint = Blueprint(source.game, CardBuckets.load(there), source._strategy, source.record)
    blueprint.save(path / "b.safetensors")
    return path / "b.safetensors", there.rename(there.with_name("n.safetensors"))


@pytest.fixture(scope="module")
def other(folder: Path) -> Path:
    """Other card buckets of the same deck."""
    path = folder / "other.safetensors"
    build_card_buckets(
        "all/20/20/10", path, lowest_rank=8, restarts=1, passes=1, sample=1000, seed=1, threads=1
    )
    return path


@pytest.mark.parametrize(
    "command",
    [
        "postflop solve --line C-X --board AsKsThTdJc --bets 50% --iterations 5 --json --from FILE",
        "inspect FILE --json",
        "export FILE -",
        "evaluate FILE --json",
        "play FILE --seats ai,ai --hands 1 --quiet",
        "blueprint show FILE --json",
    ],
)
def test_card_buckets_that_have_moved(
    shell: Shell, moved: tuple[Path, Path], other: Path, command: str
) -> None:
    file, cards = moved
    words = command.replace("FILE", str(file))
    words += " --format csv" * command.startswith("export")
    missing = shell(words).refused(
        FileFormatError, option="cards", given=cards.with_name("m.safetensors")
    )
    wrong = shell(f"{words} --cards {other}").refused(
        FileFormatError, option="cards", expected=CardBuckets.load(cards).hash
    )
    assert "--cards" in missing.err
    assert "--cards" in wrong.err
    if not command.startswith("evaluate"):  # which takes seconds: see the test of litmus hands
        shell(f"{words} --cards {cards}").ok()


def test_card_buckets_beside_the_blueprint(
    moved: tuple[Path, Path], other: Path, tmp_path: Path
) -> None:
    """They are found there, also where another file has taken their old place."""
    file, cards = moved
    beside = tmp_path / "b.safetensors"
    beside.write_bytes(file.read_bytes())
    (tmp_path / "m.safetensors").write_bytes(cards.read_bytes())
    old = cards.with_name("m.safetensors")
    for content in (other.read_bytes(), b"no archive"):
        old.write_bytes(content)
        assert Blueprint.load(beside).cards.path == tmp_path / "m.safetensors"
        with pytest.raises(FileFormatError):
            Blueprint.load(file)
    old.unlink()


@pytest.mark.parametrize("command", ["inspect", "evaluate", "play", "export"])
def test_cards_are_those_of_blueprints(shell: Shell, folder: Path, command: str) -> None:
    words = f"{command} kuhn {'x.efg' * (command == 'export')} --cards {folder / 'c.safetensors'}"
    shell(words).refused(ConfigError, option="--cards")


@pytest.mark.parametrize(
    ("words", "option"),
    [
        ("--hand 22", "hand"),
        ("--board TdJdQh", "--board"),
        ("--line C-X|TdJdQh --board TdJdQs", "--board"),
        ("--line C-X|2d3d4d", "board"),
        ("--line C-X|X-X|X-X|X-X", "node"),
    ],
)
def test_what_is_not_shown_prints_nothing(
    shell: Shell, folder: Path, words: str, option: str
) -> None:
    ran = shell(f"blueprint show {folder / 'b.safetensors'} {words}")
    assert ran.refused(ConfigError, option=option).out == ""


def test_damaged_files(shell: Shell, folder: Path, tmp_path: Path) -> None:
    """A bucket that is none would be an index out of bounds, a damaged strategy wrong numbers."""
    for name in ("b.safetensors", "c.safetensors"):
        content = bytearray((folder / name).read_bytes())
        content[len(content) // 2] ^= 0xFF
        (tmp_path / name).write_bytes(content)
    damaged = tmp_path / "c.safetensors"
    shell(f"blueprint show {tmp_path / 'b.safetensors'}").refused(FileFormatError)
    train = f"blueprint train {HAND} --cards {damaged} --iterations 1 -o {tmp_path / 'new'}"
    shell(train).refused(FileFormatError)
    evaluate = f"blueprint evaluate {folder / 'b.safetensors'} --cards {damaged} --litmus"
    shell(evaluate).refused(FileFormatError)
