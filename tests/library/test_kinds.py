"""Every kind of file at every command that takes files: taken, or the command that takes it."""

from __future__ import annotations

import re
import shlex
import shutil
from pathlib import Path
from pkgutil import resolve_name

import pytest

import equilibrist as eq
from equilibrist import load_result, poker
from equilibrist.equilibria import CorrelationDevice
from equilibrist.errors import ConfigError, FileFormatError
from equilibrist.library.kinds import SAVED, TAKEN, load
from equilibrist.library.saved_runs import how_to_resume
from equilibrist.play import HandLog, Session, UniformAgent
from equilibrist.poker import Range, Spot
from equilibrist.poker.ranges.range_files import write_range_file
from equilibrist.results import ImplicitResult, Result
from equilibrist.storage.archive import file_kind
from equilibrist.storage.kinds.file_kinds import KINDS
from tests.cli.command import Ran, Shell
from tests.cli.conftest import GAME
from tests.refusals import refuses

SPOT = Spot(board="Ts3h2h5c9s", oop="AA,QQ", ip="KK", pot=100, stack=100, bets="a")
FILES = {
    "kuhn.safetensors": "solution",
    "dice.safetensors": "packed-strategy",
    "jam.spot": "spot-solution",
    "tree.ckpt": "checkpoint",
    "dice.ckpt": "treeless-checkpoint",
    "spot.ckpt": "spot-checkpoint",
    "play.device": "device",
    "c.safetensors": "card-buckets",
    "jam.toml": "spot",
    "kuhn.csv": "table",
    "kuhn.json": "table",
    "kuhn.parquet": "table",
    "kuhn.efg": "game",
    "rules.py": "game",
    "range.txt": "ranges",
    "ranges.json": "ranges",
    "hands.jsonl": "hands",
    "hands.log": "hands",
}
COMMANDS = {
    "inspect": "inspect {}",
    "play": "play {} --seats uniform,uniform --hands 1",
    "export": "export {} out.json",
    "evaluate": "evaluate {}",
    "match": "match uniform {}",
    "graft": "graft {} --block *",
    "resolve": "resolve kuhn --trunk {}",
    "bot play": "bot play {} --hands 1 --seats uniform,uniform",
    "bot match": "bot match {} call --hands 2",
    "bot evaluate": "bot evaluate {} --opponents none",
    "bot serve": "bot serve {} --stdio",
    "bot challenge": "bot challenge http://127.0.0.1:1 {} --timeout 0.1",
    "acpc client": "acpc client {} --port 1 --start-timeout 0.01",
    "acpc game": "acpc game {}",
    "cards show": "cards show {}",
    "postflop show": "postflop show {}",
    "postflop browse": "postflop browse {}",
    "postflop play": "postflop play {} --hands 1 --seats uniform,uniform",
    "postflop report": "postflop report {} --line X-X",
    "postflop mistakes": "postflop mistakes {}",
    "postflop export": "postflop export {} --out out.json",
    "postflop compare": "postflop compare {} notes.csv",
    "hands review": "hands review hands.phhs --against {}",
    "site": "site out {}",
}
INSTEAD = {
    "solution": {
        "postflop report": "equilibrist evaluate {}",
        "postflop mistakes": "equilibrist evaluate {}",
        "postflop export": "equilibrist export {} OUT.csv",
        "postflop play": "equilibrist play {}",
        "bot play": "equilibrist play {}",
        "bot match": "equilibrist match {} OTHER",
        "": "equilibrist inspect {}",
    },
    "packed-strategy": {
        "postflop report": "equilibrist evaluate {}",
        "postflop mistakes": "equilibrist evaluate {}",
        "postflop export": "equilibrist export {} OUT.csv",
        "postflop play": "equilibrist play {}",
        "bot play": "equilibrist play {}",
        "bot match": "equilibrist match {} OTHER",
        "": "equilibrist inspect {}",
    },
    "table": {
        "postflop report": "equilibrist evaluate {} --game GAME",
        "postflop mistakes": "equilibrist evaluate {} --game GAME",
        "postflop play": "equilibrist play {} --game GAME",
        "": "equilibrist inspect {} --game GAME",
    },
    "game": {
        "match": "equilibrist match A B --game {}",
        "postflop play": "equilibrist play {}",
        "": "equilibrist solve {}",
    },
    "spot-solution": {
        "match": "equilibrist play {} --seats ai,OTHER.spot --hands 1000 --quiet",
        "bot match": "equilibrist play {} --seats ai,OTHER.spot --hands 1000 --quiet",
        "": "equilibrist inspect {}",
    },
    "spot": {
        "inspect": "equilibrist postflop estimate {}",
        "export": "equilibrist postflop export {} --out OUT.jsonl",
        "": "equilibrist postflop solve {} --out OUT.spot",
    },
    "device": {
        "play": "equilibrist play GAME --mediator {}",
        "": "equilibrist inspect {}",
    },
    "spot-checkpoint": {"": "equilibrist postflop solve --resume {} --out OUT.spot"},
    "card-buckets": {"": "equilibrist cards show {}"},
    "ranges": {"": "equilibrist range {}"},
    "hands": {"": "equilibrist hands show {}"},
    "checkpoint": {"": "equilibrist solve kuhn --algorithm dcfr --resume {}"},
    "treeless-checkpoint": {
        "": "equilibrist solve 'rules:liars_dice(sides=3)' --algorithm cfr --sampler external "
        "--averaging stochastic --seed 3 --time 60 --resume {}"
    },
}


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a file of each kind."""
    folder = tmp_path_factory.mktemp("kinds")
    result = eq.solve("kuhn", iterations=5, files=eq.Files(checkpoint=folder / "tree.ckpt"))
    result.save(folder / "kuhn.safetensors")
    for suffix in ("csv", "json", "parquet"):
        result.export(folder / f"kuhn.{suffix}")
    (folder / "kuhn.efg").write_text(eq.games.efg_text(eq.load_game("kuhn")))
    sampled = eq.solve(
        "rules:liars_dice(sides=3)", sampling="external", iterations=50, explicit_tree=False,
        files=eq.Files(checkpoint=folder / "dice.ckpt"), seed=3,
    )  # fmt: skip
    sampled.save(folder / "dice.safetensors")
    poker.solve(SPOT, iterations=20, checkpoint=folder / "spot.ckpt").save(folder / "jam.spot")
    poker.build_card_buckets("6/9/9/9", folder / "c.safetensors", lowest_rank=10, threads=1)
    CorrelationDevice.of([result.strategy]).save(folder / "play.device")
    (folder / "jam.toml").write_text(SPOT.to_toml())
    (folder / "rules.py").write_text(GAME)
    write_range_file(Range("AA,KK"), folder / "range.txt")
    write_range_file(Range("AA,KK"), folder / "ranges.json", "BTN/call")
    session = Session(eq.load_game("kuhn"), [UniformAgent("A"), UniformAgent("B")])
    with HandLog(folder / "hands.jsonl") as log:
        log.begin(session)
        log.add(next(session.play(1)))
    shutil.copy(folder / "hands.jsonl", folder / "hands.log")
    return folder


@pytest.fixture
def files(folder: Path, made: Path) -> Path:
    """The same in the working folder."""
    shutil.copytree(made, folder, dirs_exist_ok=True)
    return folder


def test_the_kinds_are_recognised(files: Path) -> None:
    assert {name: file_kind(Path(name)) for name in FILES} == FILES
    assert {*TAKEN} == {*COMMANDS}
    (files / "diary").write_text("dear diary")
    assert file_kind(Path("diary")) == "text"
    for other in ("missing.spot", ".", "kuhn", "a" * 5000):
        assert file_kind(Path(other)) is None


@pytest.mark.parametrize("name", FILES)
def test_each_command_takes_a_file_or_names_the_command_that_does(
    shell: Shell, files: Path, name: str
) -> None:
    kind = FILES[name]
    for command, line in COMMANDS.items():
        ran = shell(line.format(name))
        (files / "out.json").unlink(missing_ok=True)
        if kind in TAKEN[command]:
            error = ran.error
            refused = isinstance(error, FileFormatError) and error.option == "format"
            assert not refused, (command, str(error))
            continue
        ran.refused(FileFormatError, option="format", given=kind, path=name)
        rows = INSTEAD[kind]
        wanted = rows.get(command) or rows[""]
        error = ran.error
        assert isinstance(error, FileFormatError)
        assert error.expected == ", ".join(TAKEN[command])
        assert wanted.format(name) in str(error.remedy), (command, error.remedy)


def test_what_opens_a_kind_is_a_public_function() -> None:
    openers = {kind: row.opener for kind, row in KINDS.items() if row.opener}
    assert {*SAVED} <= {*openers}
    for opener in openers.values():
        assert callable(resolve_name(f"equilibrist.{opener}")), opener


@pytest.mark.parametrize(
    ("name", "type_"),
    [
        ("kuhn.safetensors", Result),
        ("dice.safetensors", ImplicitResult),
        ("jam.spot", poker.PostflopResult),
    ],
)
def test_a_file_is_opened_by_its_kind(files: Path, name: str, type_: type) -> None:
    assert isinstance(load(Path(name)), type_)


@pytest.mark.parametrize("name", ["play.device", "tree.ckpt", "c.safetensors"])
def test_what_is_no_solution_is_not_opened(files: Path, name: str) -> None:
    with refuses(FileFormatError, option="format"):
        load(Path(name))


def test_a_kind_is_spelled_in_one_place() -> None:
    """Those of several words; the others are words of other things as well."""
    sources = Path(eq.__file__).parent
    quoted = re.compile("|".join(f'"{kind}"' for kind in KINDS if "-" in kind))
    places = {path.name for path in sources.rglob("*.py") if quoted.search(path.read_text())}
    assert places == {"file_kinds.py"}


TAKING = [
    ("inspect kuhn.safetensors", ""),
    ("inspect dice.safetensors", ""),
    ("inspect jam.spot", ""),
    ("inspect tree.ckpt", ""),
    ("inspect dice.ckpt", ""),
    ("inspect spot.ckpt", ""),
    ("inspect kuhn.csv --game kuhn", ""),
    ("inspect kuhn.efg", ""),
    ("inspect rules.py", ""),
    ("play jam.spot --seats ai,ai", ""),
    ("play kuhn.efg --seats uniform,uniform", ""),
    ("export jam.spot tree.jsonl", "tree.jsonl"),
    ("export jam.spot tree.json", "tree.json"),
    ("export jam.spot tree.csv", "tree.csv"),
    ("export jam.spot tree.parquet", "tree.parquet"),
    ("evaluate jam.spot", ""),
    ("evaluate kuhn.csv --game kuhn", ""),
    ("match kuhn.csv uniform --game kuhn", ""),
    ("graft kuhn.csv --game kuhn --block *", ""),
    ("postflop show jam.spot", ""),
    ("postflop play jam.spot --seats ai,ai", ""),
]


@pytest.mark.parametrize(("line", "out"), TAKING, ids=[line for line, _ in TAKING])
def test_what_is_taken_works(shell: Shell, files: Path, line: str, out: str) -> None:
    shell(line).ok()
    assert not out or (files / out).stat().st_size


def commands_in(ran: Ran) -> list[str]:
    """The commands in the remedy of an error, without `equilibrist`."""
    assert isinstance(ran.error, FileFormatError)
    return re.findall(r"`equilibrist ([^`]+)`", str(ran.error.remedy))


@pytest.mark.parametrize(
    "line",
    [
        "evaluate tree.ckpt",
        "export spot.ckpt out.csv",
        "play jam.toml",
        "inspect jam.toml",
        "export jam.toml out.jsonl",
        "play range.txt",
        "inspect ranges.json",
        "evaluate kuhn.efg",
        "postflop show kuhn.safetensors",
        "postflop report dice.safetensors --line X-X",
        "postflop export kuhn.safetensors --out out.csv",
    ],
)
def test_the_command_that_is_named_works(shell: Shell, files: Path, line: str) -> None:
    (command,) = commands_in(shell(line))
    shell(command).ok()


def test_the_export_of_a_spot_is_that_of_postflop_export(shell: Shell, files: Path) -> None:
    for suffix in ("json", "jsonl", "csv"):
        shell(f"export jam.spot a.{suffix}").ok()
        shell(f"postflop export jam.spot --out b.{suffix}").ok()
        assert (files / f"a.{suffix}").read_bytes() == (files / f"b.{suffix}").read_bytes()
    shell("export jam.spot jam.spot").refused(ConfigError, option="out", given="jam.spot")
    shell("export jam.spot out.efg").refused(ConfigError, option="path", given="out.efg")
    shell("export jam.spot -").refused(ConfigError, option="out", given="-")
    shell("export jam.spot a.csv --format csv").refused(ConfigError, option="--format")


def test_the_spot_is_shown_with_its_verdict_and_a_node(shell: Shell, files: Path) -> None:
    out = shell("inspect jam.spot").ok().out
    assert out.startswith(SPOT.to_toml())
    shown = shell("postflop show jam.spot").ok().out
    assert out.endswith(shown)
    at_line = shell("inspect jam.spot --line A100").ok().out
    assert at_line == shell("postflop show jam.spot --line A100").ok().out
    hands = shell("inspect jam.spot KK --line A100").ok().out
    assert hands == shell("postflop show jam.spot --line A100 --hand KK").ok().out
    document = shell("inspect jam.spot --json").ok().json
    assert document == load_result("jam.spot").to_dict()
    alone = shell("inspect jam.spot AhAd --json").ok().json
    assert list(alone["node"]["hands"]) == ["AhAd"]
    shell("inspect jam.spot --draw grid.svg").ok()
    assert (files / "grid.svg").read_text().startswith("<svg")
    shell("inspect jam.spot --draw grid.png").refused(ConfigError, option="--draw")


@pytest.mark.parametrize(
    ("line", "option"),
    [
        ("inspect jam.spot --match A*", "--match"),
        ("inspect jam.spot --player 0", "--player"),
        ("inspect jam.spot --game kuhn", "--game"),
        ("inspect jam.spot --all", "--all"),
        ("inspect tree.ckpt 1pb", "KEY"),
        ("inspect tree.ckpt --line X", "--line"),
        ("inspect tree.ckpt --values", "--values"),
        ("inspect kuhn.safetensors --line X", "--line"),
        ("inspect kuhn --line X", "--line"),
        ("evaluate jam.spot --against uniform", "--against"),
        ("evaluate jam.spot --best-response b.csv", "--best-response"),
        ("evaluate jam.spot --game kuhn", "--game"),
    ],
)
def test_options_that_a_kind_has_no_use_of(
    shell: Shell, files: Path, line: str, option: str
) -> None:
    shell(line).refused(ConfigError, option=option)


def test_the_run_of_a_checkpoint(shell: Shell, files: Path) -> None:
    tree = shell("inspect tree.ckpt --json").ok().json
    assert (tree["game"], tree["algorithm"], tree["iteration"]) == ("kuhn", "dcfr", 5)
    assert tree["measured_at"] == 4
    sampled = shell("inspect dice.ckpt --json").ok().json
    assert (sampled["sampler"], sampled["iteration"], sampled["seed"]) == ("external", 50, 3)
    spot = shell("inspect spot.ckpt --json").ok().json
    assert (spot["iteration"], spot["storage"], spot["spot"]) == (20, "float32", SPOT.to_toml())
    for document in (tree, sampled, spot):
        command = document["resume"].removeprefix("equilibrist ")
        command = command.replace("--time 60", "")  # seconds of this process, which has run longer
        more = 60 if document is sampled else 30
        out = shell(f"{command} --iterations {more} -q").ok().out
        assert f"{more} iterations" in out
    assert "Next: " + spot["resume"] in shell("inspect spot.ckpt").ok().err


def test_the_command_to_resume_has_the_options_of_the_run(shell: Shell, files: Path) -> None:
    lines = [
        "solve leduc -a cfr --simultaneous",
        "solve kuhn --sampler 'outcome(epsilon=0.4)' --seed 5 --threads 2 --period 50",
        "solve kuhn --sampler external --averaging walk --averaging-every 3",
        "solve leduc --abstraction 'cards(JQ.K)' -a cfr",
        "solve kuhn_bets --actions bets=1,3 --translate nearest --sampler external",
        "solve leduc --drop-below 0.01 --drop-play uniform",
    ]
    for number, line in enumerate(lines):
        name = f"run {number}.ckpt"
        shell(f"{line} -n 200 -q --checkpoint '{name}'").ok()
        command = how_to_resume(Path(name)).removeprefix("equilibrist ")
        assert shlex.quote(name) in command
        assert "400 iterations" in shell(f"{command} -n 400 -q").ok().out


def test_damaged_checkpoints_are_refused(shell: Shell, files: Path) -> None:
    for name in ("tree.ckpt", "dice.ckpt", "spot.ckpt"):
        content = bytearray((files / name).read_bytes())
        (files / name).write_bytes(content[:-40])
        ran = shell(f"inspect {name}")
        ran.one_error()
        assert isinstance(ran.error, FileFormatError)


@pytest.mark.parametrize("line", ["play no.spot", "inspect no.spot", "inspect no.ckpt"])
def test_a_missing_file_is_not_taken_for_a_game(shell: Shell, line: str) -> None:
    shell(line).refused(FileFormatError, option="file", place=line.split()[1])


def test_the_evaluation_of_a_spot(shell: Shell, files: Path) -> None:
    found = poker.evaluate_spot(load_result("jam.spot"))
    document = shell("evaluate jam.spot --json").ok().json
    assert document["recomputed"] is True
    assert document["gains"] == list(found.gains)
    assert document["values"] == list(found.values)
    assert document["best_response_values"] == list(found.best_response_values)
    out = shell("evaluate jam.spot").ok().out
    assert re.search(rf"OOP +{found.values[0]:.2f} +{found.best_response_values[0]:.2f} ", out)
    turn = poker.solve(SPOT.replace(board="Ts3h2h5c"), iterations=3)
    turn.save(files / "turn.spot", keep="first-street")
    ran = shell("evaluate turn.spot").ok()
    assert "the figures are those of the run" in ran.err
    assert re.search(rf"OOP +{turn.ev[0]:.2f}\n", ran.out)
    assert shell("evaluate turn.spot --json").ok().json["recomputed"] is False
