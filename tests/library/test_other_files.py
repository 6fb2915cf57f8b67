"""Files of other programs, our own that a command does not take, and names of none: called so."""

from __future__ import annotations

import errno
import os
import pickle
from pathlib import Path

import numpy as np
import pytest

import equilibrist as eq
from equilibrist import poker
from equilibrist.errors import (
    ConfigError,
    EquilibristError,
    FileFormatError,
    GameSpecError,
    MismatchError,
)
from equilibrist.library.kinds import TAKEN
from equilibrist.storage.archive import file_kind, write_archive
from equilibrist.storage.kinds.file_kinds import CARDS, PLAYED, SETUPS
from tests.cli.command import Shell
from tests.refusals import refuses

PHH = "variant = 'NT'\nantes = [0, 0]\nblinds_or_straddles = [1, 2]\nactions = ['d dh p1 AcAs']\n"
MATCH_GAME = "GAMEDEF\nnolimit\nnumPlayers = 2\nstack = 2000 2000\nblind = 100 50\nEND GAMEDEF\n"
FOREIGN: dict[str, tuple[str, bytes | str]] = {
    "hh.txt": ("site-hand-histories", "PokerStars Hand #233: Hold'em No Limit ($1/$2 USD)\n"),
    "bom.txt": ("site-hand-histories", "\ufeff\r\nPokerStars Zoom Hand #1: Hold'em\r\n"),
    "wide.txt": ("site-hand-histories", "PokerStars Hand #2: Hold'em\r\n".encode("utf-16")),
    "gg.txt": ("site-hand-histories", "Poker Hand #RC1: Hold'em No Limit ($1/$2)\n"),
    "hand.phh": ("hand-histories", f"# The first hand\n{PHH}"),
    "hands.phhs": ("hand-histories", f"[1]\n{PHH}"),
    "notes.toml": ("hand-histories", PHH),
    "match.log": ("match-log", "# a match\nSTATE:0:r300f:AhKh|2c2d:-100|100:p1|p2\n"),
    "score.log": ("match-log", "SCORE:-100|100:p1|p2\n"),
    "match.tlog": ("match-transactions", "r300 0 1764443298.250000 1764443298.500000\n"),
    "match.game": ("game-definition", MATCH_GAME),
    "bots.jsonl": (
        "bot-match",
        '{"match": "hand(bets=\\"a\\")", "first": "x", "second": "y"}\n{"deal": 0, "won": [1.0]}\n',
    ),
    "lines.jsonl": ("hand-lines", '{"format": "equilibrist-histories", "version": 1}\n'),
    "rules.toml": ("game-definition", f"# no limit\n{MATCH_GAME.lower()}"),
    "t.cfg": ("pio-tree", "#Type#NoLimit\n#Board#Qs Jh 2h\n#Pot#60\n"),
    "tree.txt": ("pio-tree", "#Board#Qs Jh 2h\n"),
    "texas.txt": ("solver-script", "set_pot 50\nset_effective_stack 200\n"),
    "setup.json": ("solver-setup", '{"oopRange": "AA", "config": {"startingPot": 180}}'),
    "tree.json": ("document", '{"actions": ["CHECK"], "childrens": {}, "player": 1}'),
    "pyproject.toml": ("toml", '[project]\nname = "x"\n'),
    "a.zip": ("package", b"PK\x03\x04rest"),
    "a.png": ("picture", b"\x89PNG\r\n\x1a\nrest"),
    "a.svg": ("picture", "<svg xmlns='x'/>"),
    "a.npz": ("arrays", b"PK\x03\x04rest"),
    "a.xlsx": ("document", b"PK\x03\x04rest"),
    "a.pkl": ("pickle", pickle.dumps({"1": {"pass": 1.0}})),
    "empty.txt": ("empty", b""),
    "blob.dat": ("binary", bytes(range(256))),
    "diary.md": ("text", "Dear diary, today\n"),
    "hand.toml": ("hand", "seats = 2\nstacks = [100, 100]\nblinds = [0.5, 1]\n"),
    "list.toml": ("hand", "stacks = [100, 100]\nblinds = [0.5, 1]\n"),
    "range.txt": ("ranges", "AA,AKs:0.5\n"),
    "flops.csv": ("boards", "flop,weight,suits,ranks\n2s2h2d,4,rainbow,trips\n"),
}
TABLES = {
    "other.csv": ("csv", "hand,weight\nQsJh,12\n"),
    "other.json": ("json", '{"a": 1}'),
}
AS_FILES = [
    "inspect {}", "play {} --seats ai,ai --hands 1", "match {} uniform", "export {} out.csv",
    "evaluate {} --game kuhn", "graft {} --block *", "postflop show {}", "postflop browse {}",
    "postflop play {}", "cards show {}", "postflop report {} --line X",
]  # fmt: skip
AS_GAMES = [
    "solve {}", "check {}", "games {}", "equilibria {}", "correlate {}", "dominated {}", "learn {}",
    "abstract {} --lossless", "team {}", "compare {}", "exploit {} --opponent uniform",
    "evaluate t.csv --game {}", "match uniform uniform --game {}",
]  # fmt: skip


@pytest.fixture
def files(folder: Path) -> Path:
    """The working folder with all of them."""
    for name, (_, content) in (FOREIGN | TABLES).items():
        (folder / name).write_bytes(content.encode() if isinstance(content, str) else content)
    (folder / "t.csv").write_text("infoset,action,probability\n1,pass,1\n")
    return folder


def test_they_are_recognised_by_what_they_hold(files: Path) -> None:
    wanted = {name: kind for name, (kind, _) in (FOREIGN | TABLES).items()}
    assert {name: file_kind(files / name) for name in wanted} == wanted


@pytest.mark.by_default(6)
@pytest.mark.parametrize("name", FOREIGN)
def test_each_command_says_what_they_are(shell: Shell, files: Path, name: str) -> None:
    kind = FOREIGN[name][0]
    is_spot = kind in (*SETUPS, *PLAYED)  # which `report` solves
    for line in AS_FILES[: -1 if is_spot else None]:
        ran = shell(line.format(name)).refused(FileFormatError, given=kind, path=name)
        assert "damaged" not in ran.err, line
    for line in AS_GAMES:
        shell(line.format(name)).refused(GameSpecError, option="game", given=name)
    if kind not in ("empty", "text", "hand", *SETUPS, *PLAYED):
        # A list of boards is what `batch` takes, with the spot in options.
        for command in ("solve", "estimate", "batch")[: 2 if kind == "boards" else 3]:
            rest = "--boards t.csv --out o" if command == "batch" else ""
            shell(f"postflop {command} {name} {rest}").refused(
                FileFormatError, option="file", given=kind, expected="a spot file"
            )
        shell(f"preflop solve {name}").refused(FileFormatError, given=kind, expected="a hand file")
    if kind not in ("text", "ranges"):
        for line in ("range {}", "equity {} AA"):
            shell(line.format(name)).refused(FileFormatError, given=kind, expected="ranges")
    for line in ("blueprint show {}", "blueprint evaluate {} --litmus", "solve kuhn --resume {}"):
        error = shell(line.format(name)).one_error().error
        assert isinstance(error, FileFormatError), line
        assert error.given == kind, line


@pytest.mark.parametrize("name", FOREIGN)
def test_python_says_what_they_are(files: Path, name: str) -> None:
    kind = FOREIGN[name][0]
    with refuses(FileFormatError, option="file", given=kind, expected="solution"):
        eq.load_result(name)
    with refuses(FileFormatError, option="format", given=kind, expected="table"):
        eq.Strategy.from_file(eq.compile_game("kuhn"), name)
    with refuses(GameSpecError, option="game", given=name):
        eq.load_game(name)


@pytest.mark.parametrize("name", ["match.log", "hand.phh", "hand.toml", "tree.json", "a.zip"])
def test_a_dealer_says_what_they_are(shell: Shell, files: Path, name: str) -> None:
    ran = shell(f"acpc dealer {name}")
    ran.refused(FileFormatError, option="file", given=FOREIGN[name][0], expected="game-definition")


@pytest.mark.parametrize("name", TABLES)
def test_other_tables_are_refused_by_their_reader(shell: Shell, files: Path, name: str) -> None:
    for line in ("inspect {} --game kuhn", "evaluate {} --game kuhn", "play {} --game kuhn"):
        error = shell(line.format(name)).one_error().error
        assert isinstance(error, FileFormatError)
        assert error.option in ("columns", "infoset")
    shell(f"solve {name}").refused(GameSpecError, option="game", given=name)
    with refuses(FileFormatError, option="file", given=TABLES[name][0]):
        eq.load_result(name)


@pytest.mark.parametrize(
    "name", ["h.phhs", "kuhn.nfg", "out.phhs", "t.cfg", "x.spot", "a.json", "none/kuhn", "a b.zip"]
)
def test_a_missing_file_is_no_game(shell: Shell, folder: Path, name: str) -> None:
    for line in (*AS_FILES, *AS_GAMES):
        if "t.csv" in line:
            continue
        error = shell(line.format(f"'{name}'")).one_error().error
        assert isinstance(error, EquilibristError), line
        assert error.option == "file", (line, error)
    with refuses(GameSpecError, option="file", given=name):
        eq.load_game(name)


def test_a_game_is_preferred_to_a_file_of_its_name(shell: Shell, folder: Path) -> None:
    (folder / "kuhn").write_text("notes on kuhn\n")
    for line in ("solve kuhn -n 3 -q", "inspect kuhn", "games kuhn", "export kuhn kuhn.efg"):
        shell(line).ok()
    shell("inspect ./kuhn").refused(FileFormatError, option="format", given="text")


def test_one_function_opens_solutions_of_all_kinds(tmp_path: Path) -> None:
    """The class that reads solutions of games names it."""
    file = tmp_path / "charts"
    poker.push_fold(stack=3).save(file)
    with refuses(FileFormatError, option="format", given="push-fold-solution") as caught:
        eq.Result.load(file)
    assert "`load_result(path)`" in str(caught.value.remedy)
    assert isinstance(eq.load_result(file), poker.PushFoldSolution)
    with refuses(ConfigError, option="cards", given="c.safetensors"):
        eq.load_result(file, cards="c.safetensors")
    spot = poker.Spot(board="Ts3h2h5c9s", oop="AA", ip="KK", pot=10, stack=10)
    poker.solve(spot, iterations=1).save(tmp_path / "river.spot")
    with refuses(ConfigError, option="cards", given="c.safetensors"):
        eq.load_result(tmp_path / "river.spot", cards="c.safetensors")
    file.write_text("no solution")
    with refuses(FileFormatError, option="file"):
        eq.load_result(file, cards="c.safetensors")
    assert "push-fold-solution" in TAKEN["inspect"]


@pytest.mark.parametrize(
    ("content", "name", "words"),
    [
        (PHH, "one.phh", "hands show one.phh"),
        (PHH, "one.toml", "hands show one.toml"),
        (FOREIGN["match.log"][1], "one.log", "hands show one.log"),
        (FOREIGN["match.log"][1], "one.txt", "hands show one.txt"),
        (FOREIGN["hh.txt"][1], "hh.txt", "hands show hh.txt"),
        (FOREIGN["gg.txt"][1], "gg.txt", "hands show gg.txt"),
        ('[{"ohh": {"spec_version": "1.4.7"}}]', "h.json", "hands show h.json"),
        ('{"format": "equilibrist-hands", "version": 2', "h.jsonl", "hands show h.jsonl"),
        ('{"format": "equilibrist-histories", "version": 1', "a.jsonl", "hands show a.jsonl"),
        (MATCH_GAME, "one.toml", "acpc dealer one.toml --hands 100"),
    ],
)
def test_hands_and_their_rules_are_sent_to_the_command_that_reads_them(
    shell: Shell, folder: Path, content: str, name: str, words: str
) -> None:
    (folder / name).write_text(content)
    lines = "inspect {}", "postflop show {}", "preflop pushfold {}", "equity {} AA"
    for line in lines:
        error = shell(line.format(name)).one_error().error
        assert f"`equilibrist {words}`" in f"{error.remedy}", line
        assert ("rename it" in f"{error.remedy}") == (name not in words), line


@pytest.mark.parametrize(
    ("line", "way"),
    [
        ("postflop solve {}", "board = "),
        ("preflop solve {}", "stack = "),
        ("postflop report {}", "give the solution of a spot, the solution of a spot with three"),
        ("postflop show {}", "give the solution of a spot"),
        ("blueprint show {}", "give a blueprint"),
        ("solve {}", "`equilibrist games`"),
        ("solve efg:{}", ".efg"),
        ("range {}", "range"),
        ("postflop solve --board QsJh2h --oop AA --ip {} --pot 10 --stack 10", "range"),
    ],
)
def test_remedies_lead_on_for_the_command_that_was_typed(
    shell: Shell, folder: Path, line: str, way: str
) -> None:
    """What no command reads is no table of a strategy where none is taken."""
    documents = {
        "tree.json": FOREIGN["tree.json"][1],
        "spot.json": '{"cards": "QsJh2h", "pot": 10}',
        "notes.json": '{"height": [1.0], "width": "x"}',
    }
    for name, content in documents.items():
        (folder / name).write_text(str(content))
        error = shell(line.format(name)).one_error().error
        assert way in f"{error.remedy}", (name, error)
        assert "infoset" not in f"{error}", name
        assert "table" not in f"{error}", name


def test_what_is_written_for_other_programs_is_recognised(shell: Shell, folder: Path) -> None:
    """Tables and their twins in JSON, by their first columns and keys."""
    spot = "--board Ts3h2h5c9s --oop AA --ip KK --pot 10 --stack 10 --iterations 2"
    (folder / "boards.txt").write_text("Ts3h2h5c9s\n")
    for line in (
        f"postflop solve {spot} --out r.spot -q",
        f"postflop batch {spot} --boards boards.txt --out all -q",
        "preflop pushfold --stack 3 -o c.safetensors -q",
        "compare kuhn --algorithms cfr,cfr+ -n 2 --out m.csv -q",
        "compare kuhn --algorithms cfr,cfr+ -n 2 --out m.json -q",
        *(f"export r.spot t.{suffix}" for suffix in ("csv", "json", "jsonl")),
        *(f"export c.safetensors c.{suffix}" for suffix in ("csv", "json", "txt")),
        *(f"export kuhn n.{suffix} --normal-form reduced" for suffix in ("csv", "json")),
    ):
        shell(line).ok()
    assert {file_kind(folder / f"n.{suffix}") for suffix in ("csv", "json")} == {"payoff-table"}
    kinds = {
        "spot-tree": ("t.csv", "t.json", "t.jsonl"),
        "spot-report": ("all/report.csv", "all/Ts3h2h5c9s.json"),
        "batch-settings": ("all/batch.json",),
        "hand-decisions": ("c.csv", "c.json", "c.txt"),
        "measurements": ("m.csv", "m.json"),
    }
    for kind, names in kinds.items():
        for name in names:
            shell(f"inspect {name}").refused(FileFormatError, option="format", given=kind)


@pytest.mark.parametrize(
    "line",
    [
        "check kuhn",
        "evaluate uniform --game kuhn",
        "inspect uniform --game kuhn",
        "games kuhn",
        "algorithms",
        "range AA,KK",
        "icm 5,3,2 --payouts 5,3",
        "last",
        "postflop estimate --board Ts3h2h5c9s --oop AA --ip KK --pot 10 --stack 10",
        "postflop solve --board Ts3h2h5c9s --oop AA --ip KK --pot 10 --stack 10 --iterations 2",
    ],
)
def test_what_commands_print_as_json_is_called_so(shell: Shell, folder: Path, line: str) -> None:
    """And neither a faulty strategy nor an exported tree."""
    (folder / "printed.json").write_text(shell(f"{line} --json").ok().out)
    for command in ("inspect", "range"):
        error = shell(f"{command} printed.json").one_error().error
        assert error.given == "printed-document", (command, error)


def test_a_payoff_table_under_the_name_of_a_tree(shell: Shell, files: Path) -> None:
    (files / "kuhn.efg").write_text('NFG 1 R "x" { "A" "B" } { 2 2 }\n1 0 0 1 0 1 1 0\n')
    ran = shell("solve kuhn.efg").refused(GameSpecError, option="file", given="normal-form")
    assert "payoffs:kuhn.efg" in ran.err
    shell("solve payoffs:kuhn.efg -n 2 -q").ok()
    (files / "tree.txt").write_text(eq.games.efg_text(eq.load_game("kuhn")))
    ran = shell("solve tree.txt").refused(GameSpecError, option="game", given="tree.txt")
    assert "efg:tree.txt" in ran.err
    shell("games efg:tree.txt").ok()


@pytest.mark.parametrize("name", ["t.cfg", "texas.txt", "setup.json"])
def test_set_ups_of_other_solvers_lead_to_the_commands_of_spots(
    shell: Shell, files: Path, name: str
) -> None:
    """They are read as spots, and what they lack is named by its key and may be an option."""
    kind = FOREIGN[name][0]
    error = shell(f"postflop show {name}").refused(FileFormatError, given=kind).error
    assert f"`equilibrist postflop solve {name}" in f"{error.remedy}"
    error = shell(f"inspect {name}").refused(FileFormatError, given=kind).error
    assert f"`equilibrist postflop estimate {name}" in f"{error.remedy}"
    missing = "oop" if name == "t.cfg" else "board"
    shell(f"postflop solve {name}").refused(ConfigError, option=missing)
    rest = "--board Ts3h2h5c9s --oop AA --ip KK --pot 10 --stack 10"
    shell(f"postflop solve {name} {rest} --iterations 1 -q").ok()


SAMPLED = "rules:liars_dice(sides=3)"


@pytest.fixture
def sampled(folder: Path) -> None:
    """A strategy that was found without a tree."""
    eq.solve(SAMPLED, sampling="external", iterations=20, explicit_tree=False).save("s.safetensors")


@pytest.mark.parametrize(
    "line",
    [
        "evaluate s.safetensors --game {}",
        "exploit {} --opponent s.safetensors",
        "inspect s.safetensors --game {}",
        "match s.safetensors uniform --game {} --hands 10",
        "play {} --strategy s.safetensors --seats ai,ai --hands 1",
        "play s.safetensors --game {} --seats ai,ai --hands 1",
        "solve {} --warm-start s.safetensors -n 200 -q",
        "graft s.safetensors --game {} --block *",
    ],
)
def test_a_strategy_without_a_tree_names_its_own_rules(
    shell: Shell, sampled: None, line: str
) -> None:
    """Its infosets are named by its rules alone; the remedy is no code in Python, and works."""
    for other in ("'liars_dice(sides=3)'", "'rules:liars_dice(sides=4)'"):
        error = shell(line.format(other)).one_error().error
        assert isinstance(error, MismatchError), line
        assert f"{SAMPLED!r}" in f"{error.remedy}", (line, error)
        assert "compile_game" not in f"{error}" + f"{error.remedy}"
        assert "load_game" not in f"{error}"
    if not line.startswith("graft"):  # which goes on to refuse all infosets as a block
        shell(line.format(f"'{SAMPLED}'")).ok()


SEATS = {2: "preflop solve {} --out", 3: "preflop multiway {} --out", 7: "blueprint train {} --out"}


@pytest.mark.parametrize("seats", SEATS)
def test_a_hand_is_sent_to_a_command_that_takes_its_seats(
    shell: Shell, folder: Path, seats: int
) -> None:
    for stacks in ("stack = 10", f"stacks = {[10] * seats}"):
        Path("h.toml").write_text(
            f'{stacks}\nseats = {seats}\nbets = "a"\nlast_street = "preflop"\n'
        )
        for line in ("inspect h.toml", "play h.toml", "solve h.toml", "postflop solve h.toml"):
            remedy = f"{shell(line).one_error().error.remedy}"
            assert SEATS[seats].format("h.toml") in remedy, (line, remedy)
        if seats == 3:
            shell("preflop multiway h.toml --deals 1000 -q --no-grid").ok()


def test_a_hand_whose_seats_cannot_be_read_is_sent_to_the_command_for_two(
    shell: Shell, folder: Path
) -> None:
    """Lists within lists, too deep for the reader of TOML."""
    deep = "[" * 20_000 + "]" * 20_000
    Path("h.toml").write_text(f"seats = 3\nstack = 10\nbets = {deep}\n")
    remedy = f"{shell('inspect h.toml').one_error().error.remedy}"
    assert SEATS[2].format("h.toml") in remedy
    shell("preflop solve h.toml").refused(FileFormatError)


@pytest.mark.parametrize(
    "line",
    [
        "range {}",
        "equity {} AA",
        "equity AA {} --board QsJh2h",
        "postflop solve {}",
        "postflop solve --board QsJh2h --oop {} --ip AA --pot 10 --stack 10",
        "postflop estimate {}",
        "postflop batch spot.toml --boards {} --out o",
        "preflop solve {}",
        "preflop pushfold {}",
        "exploit kuhn --frequencies {} --opponent uniform",
        "solve efg:{}",
    ],
)
def test_a_large_archive_is_named_for_what_it_is(shell: Shell, folder: Path, line: str) -> None:
    """Not for its size, nor for not being a text."""
    content = {"x": np.zeros(21_000_000, np.uint8)}
    write_archive("cards.safetensors", CARDS, {}, content)
    spot = poker.Spot(board="QsJh2h", oop="AA", ip="KK", pot=10, stack=10)
    (folder / "spot.toml").write_text(spot.to_toml(), "utf-8")
    error = shell(line.format("cards.safetensors")).one_error().error
    assert error.given == CARDS, (line, error)
    assert "`equilibrist cards show cards.safetensors`" in f"{error}"


@pytest.mark.parametrize(
    ("line", "missing"),
    [
        ("postflop report {}", "--line X"),
        ("postflop report {} --target 3", "--line X"),
        ("graft {}", "--block *"),
        ("export {}", "out.csv"),
    ],
)
def test_what_a_file_is_comes_before_its_options(
    shell: Shell, folder: Path, line: str, missing: str
) -> None:
    write_archive("cards.safetensors", CARDS, {}, {})
    for name, kind in (("cards.safetensors", CARDS), ("none.spot", os.strerror(errno.ENOENT))):
        for rest in ("", missing):
            error = shell(f"{line.format(name)} {rest}").one_error().error
            assert isinstance(error, FileFormatError), (line, error)
            assert error.given == kind


@pytest.mark.parametrize("line", ["play kuhn", "play k.safetensors", "play k.safetensors --coach"])
def test_a_drill_of_nothing_names_its_option(shell: Shell, folder: Path, line: str) -> None:
    eq.solve("kuhn", iterations=300).save("k.safetensors")
    ran = shell(f"{line} --drill zzz").one_error()
    assert ran.error.given == "zzz"
    assert "--drill is 'zzz'" in ran.err
    assert "pattern is" not in ran.err


@pytest.mark.parametrize(
    ("line", "way"),
    [
        ("postflop solve {}", "spot.toml"),
        ("postflop export {} out.csv", "spot.toml"),
        ("preflop solve {}", "hand.toml"),
        ("solve {}", "game.nfg"),
        ("inspect {}", "game.nfg"),
        ("hands show {}", "one.phh"),
        ("equity {} AA", "range.txt"),
        ("postflop batch {}/spot.toml --boards {} --out out", "boards.txt"),
        ("postflop show {}", "boards.txt is a list of bo"),
    ],
)
def test_folders_in_place_of_files(shell: Shell, folder: Path, line: str, way: str) -> None:
    """The files in it that would do are named, else what there is."""
    study = folder / "study"
    study.mkdir()
    texts = {
        "boards.txt": "QsJh2h\n", "game.nfg": 'NFG 1 R "" { "A" "B" } { 1 1 }\n\n1 2\n',
        "hand.toml": "stack = 20\n", "one.phh": PHH, "range.txt": "AA,KK\n",
        "spot.toml": 'board = "QsJh2h"\noop = "AA"\nip = "KK"\npot = 10\nstack = 10\n',
    }  # fmt: skip
    for name, text in texts.items():
        (study / name).write_text(text)
    error = shell(line.format(study, study)).one_error().error
    assert way in f"{error.remedy}", error
    (folder / "empty").mkdir()
    empty = shell(line.replace("{}/spot", f"{study}/spot").format(folder / "empty"))
    assert "empty" in f"{empty.one_error().error.remedy}"
