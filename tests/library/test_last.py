"""`last`, `last-2`, ...: what takes the names of stored solutions, and `last` itself."""

from __future__ import annotations

from pathlib import Path

import pytest

from equilibrist import load_result
from equilibrist.errors import ConfigError, FileFormatError, OutputError
from equilibrist.library import names
from equilibrist.library.names import newest
from equilibrist.results import Result
from tests.cli.command import Shell, spawn
from tests.library.solving_lines import RIVER


def test_ten_stay_under_their_names(shell: Shell, folder: Path) -> None:
    for iterations in range(1, 12):
        shell(f"solve rps -n {iterations} -q").ok()
    listed = shell("last --json").ok().json["solutions"]
    assert [one["name"] for one in listed] == ["last", *(f"last-{n}" for n in range(2, 11))]
    assert [one["iterations"] for one in listed] == list(range(11, 1, -1))
    for place, iterations in ((1, 11), (2, 10), (10, 2)):
        name = "last" if place == 1 else f"last-{place}"
        assert f"dcfr, {iterations} iteration" in shell(f"inspect {name}").ok().out
    assert "dcfr, 11 iterations" in shell("inspect last-1").ok().out
    shell("inspect last-11").refused(ConfigError, option="file", given="last-11")
    assert not [*folder.iterdir()]


@pytest.mark.slow
def test_every_command_takes_the_names(stored: Shell, folder: Path) -> None:
    for line in (
        "inspect last-2 1pb",
        "evaluate last-2",
        "evaluate last-2 --against last-3",
        "export last-2 kuhn.csv",
        "export last-2 kuhn.parquet",
        "export last-2 kuhn.efg",
        "match last-2 last-3",
        "match uniform last-2",
        "play last-2 --seats ai,last-3 --hands 2",
        "play kuhn --strategy last-3 --seats ai,uniform --hands 2",
        "compare kuhn -a cfr -n 200 --warm-start last-2",
        "postflop show last",
        "postflop report last --line X-X",
        "postflop export last --out tree.jsonl",
        "last last-2 --out copy.safetensors",
        "solve kuhn -n 200 -q --warm-start last-2",
    ):
        stored(line).ok()
    assert "saved as" not in stored("postflop report last-2 --line X-X").ok().err
    assert spawn("postflop browse last-2").one_error().err.count("postflop show last-2") == 1
    assert Result.load("copy.safetensors").iterations == 50
    stored("solve kuhn -n 9 -q --resume last").misused("last")


def test_names_and_not_paths_are_shown(stored: Shell) -> None:
    assert stored("inspect last-2").ok().out.startswith("kuhn: last-2, dcfr, 50 iterations")
    assert stored("evaluate last-3").ok().out.startswith("kuhn: the strategy in last-3\n")
    ran = stored("match last-2 last-3").ok()
    assert ran.out.startswith("kuhn: A = last-2 against B = last-3, exactly")
    score = stored("play last-2 --seats ai,last-3 --hands 4 -q").ok()
    assert "last-3" in score.out
    ran = stored("postflop show last-2").refused(
        FileFormatError, expected="spot-solution, three-spot-solution, batch"
    )
    assert ran.err.startswith("error: last-2 is the solution of a game")
    assert "`equilibrist last` lists" in ran.err
    # a document names the file, which other programs can open
    assert load_result(stored("inspect last-2 --json").ok().json["file"]).iterations == 50


def test_a_file_of_that_name_is_told_apart(stored: Shell, folder: Path) -> None:
    stored("solve kuhn -n 7 -q --out ./last").ok()
    assert Result.load("last").iterations == 7
    assert "7 iterations" in stored("inspect ./last").ok().out
    stored("solve kuhn -n 8 -q").ok()
    assert "8 iterations" in stored("inspect last").ok().out
    for flag in ("--out", "--checkpoint", "--plot"):
        stored(f"solve kuhn -n 5 {flag} last-2").misused("last-2")


def test_names_without_a_solution(shell: Shell) -> None:
    shell("inspect last").refused(ConfigError, option="file", given="last")
    shell("solve kuhn -n 5 -q").ok()
    ran = shell("evaluate last-2").refused(
        ConfigError, option="file", given="last-2", expected="last"
    )
    assert "./last-2" in ran.err
    shell("match last-0 uniform").refused(ConfigError, given="last-0")
    shell("solve last").refused(ConfigError, option="game", given="last")
    for name in ("last-9999", f"last-{'9' * 30}"):
        shell(f"inspect {name}").refused(ConfigError, option="file", given=name)


def test_the_list(stored: Shell) -> None:
    ran = stored("last").ok()
    head, *rows = [line.split() for line in ran.out.splitlines()[:4]]
    assert head[:3] == ["solution", "of", "algorithm"]
    assert [row[0] for row in rows] == ["last", "last-2", "last-3"]
    assert [row[1] for row in rows] == ["Ts3h2h5c", "kuhn", "kuhn"]
    assert "Next: equilibrist postflop browse last" in ran.err
    document = stored("last --json").ok().json
    assert document["folder"] == str(names.stored_solutions().folder)
    spot, game, _ = document["solutions"]
    assert (spot["kind"], spot["streets"], spot["pot"]) == ("spot-solution", "all", 100)
    assert (game["kind"], game["game"], game["algorithm"]) == ("solution", "kuhn", "dcfr")
    result = load_result(game["path"])
    assert (game["measure"], game["values"]) == (result.exploitability, [*result.values])
    assert spot["values"] == pytest.approx(load_result(spot["path"]).values, abs=1e-9)
    assert [one["name"] for one in stored("last last-2 --json").json["solutions"]] == ["last-2"]
    newest()[1].write_text("no solution")
    assert "(damaged)" in stored("last").ok().out


@pytest.mark.slow
def test_the_list_of_other_kinds(shell: Shell) -> None:
    shell("solve 'kuhn(players=3)' -n 5 -q").ok()
    shell("solve kuhn -s outcome -n 5 -q").ok()
    shell("solve rules:goofspiel -s external -n 5 -q --no-explicit-tree").ok()
    shell(f"postflop solve {RIVER} --iterations 5 --rake 5% -q").ok()
    shown = [
        (one["kind"], one["algorithm"], one["measure_name"])
        for one in shell("last --json").json["solutions"]
    ]
    assert shown == [
        ("spot-solution", "dcfr(alpha=1.4,beta=0.2,gamma=5)", "mean gain"),
        ("packed-strategy", "cfr with external sampling", None),
        ("solution", "cfr with outcome sampling", "exploitability"),
        ("solution", "dcfr", "NashConv"),
    ]
    shell("last").ok()


def test_removing_and_copying(stored: Shell, folder: Path) -> None:
    stored("last --out kuhn.csv").refused(OutputError, option="out")
    (folder / "notes").write_text("mine")
    stored("last --out notes").refused(OutputError, option="out")
    assert (folder / "notes").read_text() == "mine"
    stored("last --out turn.spot").ok()
    assert load_result("turn.spot").iterations == 9
    assert stored("last --clear").ok().out.startswith("removed 3 solutions, ")
    assert newest() == []
    assert "no solution is stored yet" in stored("last").ok().out
    for line in ("last --clear --json", "last --clear last", "last --clear --out a"):
        stored(line).refused(ConfigError, option="--clear")
    stored("last kuhn").refused(ConfigError, option="name", given="kuhn")


def test_a_damaged_solution_replaces_no_file(stored: Shell, folder: Path) -> None:
    newest()[0].write_bytes(b"")
    (folder / "notes").write_text("mine")
    for out in ("notes", "new"):
        stored(f"last --out {out}").refused(FileFormatError, option="name", given="last")
    assert (folder / "notes").read_text() == "mine"
    assert not (folder / "new").exists()


@pytest.mark.parametrize("place", [0, 1])
@pytest.mark.parametrize("where", [0.2, 0.5, 1.0])
def test_a_solution_whose_content_is_damaged_is_not_copied(
    stored: Shell, folder: Path, place: int, where: float
) -> None:
    """A spot, whose blocks have checksums, and a game: the header is read all the same."""
    file = newest()[place]
    content = bytearray(file.read_bytes())
    header = 8 + int.from_bytes(content[:8], "little")
    content[header + int(where * (len(content) - 1 - header))] ^= 1
    file.write_bytes(content)
    assert "(damaged)" not in stored("last").ok().out
    name = names.name_of(place)
    stored(f"last {name} --out new").refused(FileFormatError, option="name", given=name)
    assert not (folder / "new").exists()
    stored("last last-3 --out new").ok()


def test_a_solution_of_a_newer_format_is_not_called_damaged(stored: Shell, folder: Path) -> None:
    file = newest()[1]
    file.write_bytes(file.read_bytes().replace(b'"version":"1"', b'"version":"2"', 1))
    stored("last last-2 --out new").refused(FileFormatError, option="version", given="2")
    assert not (folder / "new").exists()


def test_a_tilde_is_the_home_folder(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(folder))
    monkeypatch.setenv("USERPROFILE", str(folder))
    monkeypatch.setenv("EQUILIBRIST_DATA_DIR", "~/mine")
    assert names.stored_solutions().folder == folder / "mine" / "solutions"
