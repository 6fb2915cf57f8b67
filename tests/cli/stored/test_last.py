"""`last`, `last-2`, ...: what stores solutions, what takes their names, and what cannot be kept."""

from __future__ import annotations

import io
import shutil
import signal
from collections.abc import Callable
from pathlib import Path

import pytest

from equilibrist import load_result
from equilibrist._jit.places import cache_root
from equilibrist.cli.stored import names, saving
from equilibrist.cli.stored.names import newest
from equilibrist.errors import ConfigError, FileFormatError, OutputError
from equilibrist.poker import load
from equilibrist.poker.solving.solver import SpotSolver
from equilibrist.results import Result
from tests.cli.command import Shell, spawn

TURN = "--board Ts3h2h5c --oop AA,QQ --ip KK,QsJs:0.5 --pot 100 --stack 100 --bets 50%"
RIVER = "--board Ts3h2h5c9s --oop AA,QQ --ip KK --pot 100 --stack 100 --bets a"


@pytest.fixture
def stored(shell: Shell) -> Shell:
    """A spot as `last`, Kuhn poker as `last-2` and `last-3`, the older one 5 iterations old."""
    for iterations in (5, 50):
        shell(f"solve kuhn -n {iterations} -q").ok()
    shell(f"postflop solve {TURN} --iterations 9 -q").ok()
    return shell


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
    ran = stored("postflop show last-2").refused(FileFormatError, expected="spot-solution")
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
    shell("inspect last-9999").refused(ConfigError, option="file", given="last-9999")


def test_the_file_of_the_user_is_stored_as_well(shell: Shell, folder: Path) -> None:
    ran = shell("solve kuhn -n 30 --out mine.safetensors --json").ok()
    assert ran.json["solution_file"] == "mine.safetensors"
    (folder / "mine.safetensors").unlink()
    assert "30 iterations" in shell("inspect last").ok().out


def test_partial_results_are_stored(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    run = SpotSolver.run

    def interrupted(self: SpotSolver, iterations: int, /) -> None:
        run(self, iterations)
        signal.raise_signal(signal.SIGINT)

    with monkeypatch.context() as patch:
        patch.setattr(SpotSolver, "run", interrupted)
        ran = shell(f"postflop solve {TURN} --iterations 40")
    assert ran.code == 130
    assert "Solution saved as `last`" in ran.out
    solution = load(newest()[0])
    assert solution.stopped_by == "interrupted"
    assert 0 < solution.iterations < 40


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
    assert game["measure"] == load_result(game["path"]).exploitability
    assert [one["name"] for one in stored("last last-2 --json").json["solutions"]] == ["last-2"]
    newest()[1].write_text("no solution")
    assert "(damaged)" in stored("last").ok().out


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
    assert load("turn.spot").iterations == 9
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


def taken(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "taken").write_text("a file, not a folder")
    monkeypatch.setenv("EQUILIBRIST_DATA_DIR", str(folder / "taken"))


def homeless(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EQUILIBRIST_CACHE_DIR", str(cache_root()))
    monkeypatch.delenv("EQUILIBRIST_DATA_DIR")
    monkeypatch.delenv("XDG_DATA_HOME", raising=False)
    monkeypatch.setattr("os.path.expanduser", lambda path: path)  # no HOME, no entry for the user


@pytest.mark.parametrize("broken", [taken, homeless])
@pytest.mark.parametrize("line", ["solve kuhn -n 5", f"postflop solve {RIVER} --iterations 5"])
def test_a_data_folder_that_cannot_be_written_is_a_warning(
    shell: Shell,
    folder: Path,
    tmp_path_factory: pytest.TempPathFactory,
    monkeypatch: pytest.MonkeyPatch,
    broken: Callable[[Path, pytest.MonkeyPatch], None],
    line: str,
) -> None:
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    monkeypatch.setattr("tempfile.tempdir", str(elsewhere))
    broken(folder, monkeypatch)
    before = {*folder.iterdir()}
    ran = shell(line).ok()
    first = ran.err.splitlines()[0]  # before the work
    assert first.startswith("warning: the solution will not be stored as `last`")
    assert "--out FILE" in first
    (saved,) = elsewhere.glob("equilibrist-*/solution.safetensors")
    assert f"saved as `{saved}`" in ran.out
    assert load_result(saved).iterations == 5
    ran = shell(f"{line} --out mine").ok()
    assert "will not be stored" not in ran.err
    assert "is not stored as `last`" in ran.err
    assert "saved to mine" in ran.out
    assert {*folder.iterdir()} - before == {folder / "mine"}
    shell("inspect last").refused(ConfigError, given="last")
    (folder / "mine").unlink()


def test_nothing_can_be_saved_anywhere(
    shell: Shell, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    taken(folder, monkeypatch)
    monkeypatch.setattr("tempfile.tempdir", str(folder / "taken"))
    ran = shell("solve kuhn -n 5").ok()
    assert "exploitability" in ran.out
    assert "saved" not in ran.out
    assert ran.err.count("warning:") == 2


@pytest.mark.parametrize(("share", "kept"), [(1.0, "all"), (0.6, "no-rivers"), (0.0, None)])
def test_of_large_spots_the_streets_that_fit_are_kept(
    shell: Shell, monkeypatch: pytest.MonkeyPatch, share: float, kept: str | None
) -> None:
    shell(f"postflop solve {TURN} --iterations 9 -q --out whole").ok()
    before = newest()
    sizes = {
        streets: sum(array.nbytes for array in load("whole").parts(streets)[1].values())
        for streets in (1, 2)
    }
    room = {"all": sizes[2], "no-rivers": sizes[2] - 1, None: sizes[1] - 1}[kept]
    assert sizes[1] < sizes[2] * share or kept != "no-rivers"
    monkeypatch.setattr(saving, "LARGEST", room)
    ran = shell(f"postflop solve {TURN} --iterations 9").ok()
    if kept is None:
        assert newest() == before
        assert "is not stored as `last`" in ran.err
        assert "saved" not in ran.out
        return
    solution = load(newest()[0])
    assert solution.keep == kept
    assert solution.at("X-X|2c").line == "X-X|2c"
    assert ("without rivers" in ran.out) == (kept == "no-rivers")
    assert ("no-rivers" in shell("last").ok().out) == (kept == "no-rivers")


class Usage:
    """As `shutil.disk_usage` gives it."""

    def __init__(self, total: int, used: int, free: int) -> None:
        self.total, self.used, self.free = total, used, free


def test_a_disk_that_is_nearly_full_is_left_room(
    shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shutil, "disk_usage", lambda path: Usage(10**6, 10**6, 0))
    shell(f"postflop solve {TURN} --iterations 9 -q").ok()
    assert newest() == []


def test_commands_that_solve_on_their_way_store_it(shell: Shell, folder: Path) -> None:
    shell("match cfr+ uniform --game kuhn").ok()
    ran = shell("play rps --seats ai,uniform --hands 1").ok()
    assert "saved as `last`" in ran.err
    ran = shell(f"postflop report {TURN} --iterations 5 --line X-X").ok()
    assert "saved as `last`" in ran.err
    listed = shell("last --json").json["solutions"]
    assert [one["game"] for one in listed] == ["Ts3h2h5c", "rock_paper_scissors", "kuhn"]
    assert not [*folder.iterdir()]
    again = shell("play rps --seats ai,uniform --hands 1").ok()
    assert "using the solution stored as `last-2`" in again.err


def test_every_result_says_what_to_type_next(
    stored: Shell, folder: Path, rules: Callable[[str], str]
) -> None:
    own = rules("name = 'own'")
    solve = "equilibrist postflop solve --board 2c3d4h5s9h --oop AA --ip 'KK, QQ' --pot 100"
    solve += " --stack 300 --bets 50%"
    stored("last last-2 --out s.safetensors").ok()
    for line, following in (
        ("evaluate last-2", "equilibrist inspect last-2"),
        ("inspect last-2", "equilibrist inspect last-2 1"),
        ("solve kuhn -n 5", "equilibrist inspect last"),
        ("solve kuhn -n 5 --out 'my k'", "equilibrist inspect 'my k'"),
        (f"postflop solve {RIVER} --iterations 5", "equilibrist postflop browse last"),
        ("check 'kuhn(players=3)'", "equilibrist solve 'kuhn(players=3)'"),
        (f"check {own}", f"equilibrist solve {own}"),
        (f"solve {own} -n 5", f"equilibrist play {own} --strategy last --coach"),
        ("compare kuhn -a @external -n 9", "equilibrist solve kuhn --sampler external"),
        ("evaluate s.safetensors --best-response b.csv", "equilibrist inspect b.csv --game kuhn"),
        ("export s.safetensors k.csv", "equilibrist evaluate k.csv --game kuhn"),
        ("export s.safetensors k.json", "equilibrist evaluate k.json"),
        ("export s.safetensors k.efg", "equilibrist solve k.efg"),
        ("inspect kuhn", "equilibrist solve kuhn"),
        ("learn rps", "equilibrist solve rps --algorithm cfr"),
        ("inspect last-2 1pb", "equilibrist play last-2 --coach"),
        ("inspect k.csv --game kuhn", "equilibrist inspect k.csv 1 --game kuhn"),
        ("inspect k.csv 1pb --game kuhn", "equilibrist play k.csv --coach --game kuhn"),
        ("inspect kuhn 1pb", "equilibrist solve kuhn"),
        ("inspect kuhn --draw k.svg", "equilibrist solve kuhn"),
        (f"inspect {own}", f"equilibrist solve {own}"),
        ("play last-2 --seats ai,uniform --hands 1", "equilibrist inspect last-2"),
        ("play kuhn --seats ai,uniform --hands 1", "equilibrist inspect last-2"),
        ("play k.csv --game kuhn --seats ai,ai --hands 1", "equilibrist inspect k.csv --game kuhn"),
        ("range 'AA, KQo:0.5'", "equilibrist equity 'AA, KQo:0.5' random"),
        ("range AA --board 2c3d4h --grid", "equilibrist equity AA random --board 2c3d4h"),
        ("range AA --board Ah", "equilibrist equity AA random --dead Ah"),
        ("range AA --from equilab", "equilibrist equity AA random"),
        ("range AhAs --board Ah", "equilibrist range --presets"),
        ("range --presets", "equilibrist range 2max-SB --grid"),
        ("range 'TT+' --out 'my range.txt'", "equilibrist range 'my range.txt'"),
        ("range 'my range.txt'", "equilibrist equity 'my range.txt' random"),
        ("equity AA KK", "equilibrist range AA --grid"),
        ("equity AA KK QQ --board 2c3d4h", "equilibrist range AA --grid"),
        ("equity AA KK --board 2c3d4h --dead Ah", "equilibrist range AA --grid"),
        ("equity AA 'KK, QQ' --board 2c3d4h5s9h --hands", solve),
    ):
        ran = stored(line).ok()
        said = [text.removeprefix("Next:").strip() for text in ran.err.splitlines()]
        assert following in said[-2:], (line, ran.err)
        if not {"browse", "play"} & {*following.split()}:  # which need a terminal
            stored(following.removeprefix("equilibrist ")).ok()
    for line in (
        "solve kuhn -n 5 -q",
        "solve kuhn -n 5 --json",
        "compare kuhn -a cfr -n 9 -q",
        "inspect s.safetensors 1pb --json",
        "play kuhn --seats ai,ai --hands 1 -q",
        "range AA --to pio",
        "range AA --json",
        "range --presets --json",
        "equity AA KK -q",
        "equity AA KK --json",
    ):
        assert "Next" not in stored(line).ok().err, line


def test_infosets_of_any_strategy_say_what_to_type_next(
    shell: Shell, rules: Callable[[str], str]
) -> None:
    """Rules of the user's own are not in the file, and cannot be played from it."""
    own, large = rules("name = 'own'"), "'rules:liars_dice(dice=2,sides=4)'"
    for game, named, following in (
        (own, "", "inspect last"),
        (own, f" --game {own}", f"play last --coach --game {own}"),
        (f"{large} -s external --no-explicit-tree", "", "match last uniform"),
        (f"{large} -s external --no-explicit-tree", f" --game {large}", "match last uniform"),
    ):
        shell(f"solve {game} -n 50 -q").ok()
        key = shell("inspect last --json").ok().json["infosets"][0]["infoset"]
        said = shell(f"inspect last {key}{named}").ok().err.splitlines()[-1]
        assert said.startswith(f"Next: equilibrist {following}"), (game, said)
        if "play" not in following:
            shell(said.removeprefix("Next: equilibrist ")).ok()


def test_results_of_spots_say_what_to_type_next(shell: Shell, folder: Path) -> None:
    shell(f"postflop solve {TURN} --iterations 9 -q --out 'my turn'").ok()
    browse, play = "equilibrist postflop browse", "equilibrist play"
    show = "equilibrist postflop show {} --line 'X-X|As'"
    for line, following in (
        (f"postflop export {TURN} --iterations 5 --out t.csv", [f"{browse} last"]),
        ("postflop export last --out t.csv", [f"{browse} last"]),
        ("postflop export 'my turn' --out t.csv", [f"{browse} 'my turn'"]),
        ("export 'my turn' t.jsonl", [f"{browse} 'my turn'"]),
        (f"postflop report {TURN} --iterations 5 --line X-X", [show.format("last")]),
        ("postflop report 'my turn' --line X-X", [show.format("'my turn'")]),
        ("inspect 'my turn'", [f"{browse} 'my turn'", f"{play} 'my turn' --coach"]),
        ("inspect last AA", [f"{browse} last", f"{play} last --coach"]),
        ("play 'my turn' --seats ai,ai --hands 1", [f"{browse} 'my turn'"]),
    ):
        said = shell(line).ok().err.partition("Next: ")[2].splitlines()
        assert [text.strip() for text in said] == following, line
        if following[0].startswith("equilibrist postflop show"):
            shell(following[0].removeprefix("equilibrist ")).ok()
    for line in (
        "postflop export last --out t.csv -q",
        "postflop report last --line X-X -q",
        "postflop report last --line X-X --csv",
        "postflop report last --line X-X --json",
        "inspect last --json",
        "play last --seats ai,ai --hands 1 -q",
    ):
        assert "Next" not in shell(line).ok().err, line


def test_people_who_have_played_are_offered_the_coach(
    stored: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    stored("export last-2 k.csv").ok()
    for line, following in (
        ("play kuhn", "play kuhn --coach"),
        ("play kuhn --coach", "inspect last-2"),
        ("play kuhn --seats human,human", ""),
        ("play kuhn --strategy k.csv", "play kuhn --strategy k.csv --coach"),
        ("play last-2", "play last-2 --coach"),
        ("play k.csv --game kuhn", "play k.csv --game kuhn --coach"),
        ("play last", "play last --coach"),
        ("play last --coach", "postflop browse last"),
    ):
        monkeypatch.setattr("sys.stdin", io.StringIO("1\n" * 9))
        ran = stored(f"{line} --hands 1").ok()
        said = [text for text in ran.err.splitlines() if text.startswith("Next: ")]
        assert said == [f"Next: equilibrist {following}"] * bool(following), (line, ran.err)
