"""Files that are not Equilibrist's are never replaced, whatever option names them."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from inspect import signature
from pathlib import Path
from typing import Any, Final, get_args, get_type_hints

import pytest
import typer
from typer.models import ArgumentInfo, OptionInfo

import equilibrist as eq
from equilibrist.cli import main
from equilibrist.cli.main import application
from equilibrist.errors import EquilibristError, OutputError
from equilibrist.protocols.acpc.game_definition import GameDefinition
from tests.cli.command import Shell
from tests.refusals import check_error

RIVER: Final = "--board QsJh2h7d3c --oop AA --ip KK --pot 10 --stack 10 --iterations 2 -q"
PUSH: Final = "--stack 2 -q"
CARDS: Final = "cards build --buckets all/2/2/2 --deck 20 --restarts 1 --passes 1 --sample 1000 -q"
ONE_HAND: Final = """variant = "NT"
antes = [0, 0]
blinds_or_straddles = [50, 100]
min_bet = 100
starting_stacks = [20000, 20000]
actions = ["d dh p1 AhKh", "d dh p2 2c2d", "p2 f"]
"""
GAME: Final = "game.game"
FOREIGN: Final = {
    ".toml": b'board = "QsJh2h7d3c"\noop = "AA"\nip = "KK"\npot = 10\nstack = 10\n',
    ".svg": b'<?xml version="1.0"?>\n<svg width="9" height="9">\n<path d="M0 0"/>\n</svg>\n',
    ".json": b'{\n  "name": "another",\n  "version": "1.0"\n}\n',
    ".csv": b"line,amount\n1,2\n",
    ".efg": b"EFGH\n",
}
"""What stands in files with these endings; in others notes."""
WRITES: Final = re.compile(
    r"\b(?:[Ss]ave (?!to)|Write|Draw|Append|Copy|[Ww]here (?:the .*)?go\b|file to write)"
    r"|^The same as"
    r"|^OUT\.|^FILE\."
)
"""What the help of an option says whose file is written."""
COMMANDS: Final = {
    "solve --out": ("solve kuhn -n 2 -q --out {}", ".safetensors"),
    "solve --save-device": ("solve kuhn -n 2 -q --measure cce --save-device {}", ".safetensors"),
    "solve --plot": ("solve kuhn -n 2 -q --plot {}", ".svg .png"),
    "solve --checkpoint": ("solve kuhn -n 2 -q --checkpoint {}", ".ckpt"),
    "train --out": ("train kuhn -a sd-cfr(learner=table) -n 2 -q --out {}", ".safetensors"),
    "train --plot": ("train kuhn -a sd-cfr(learner=table) -n 2 -q --plot {}", ".svg .png"),
    "train --checkpoint": ("train kuhn -a sd-cfr(learner=table) -n 2 -q --checkpoint {}", ".ckpt"),
    "train-values --out": ("train-values kuhn --depth 1 -q --out {}", ".safetensors"),
    "train-values --checkpoint": (
        "train-values kuhn --depth 1 -q --checkpoint {} --out x.safetensors",
        ".ckpt",
    ),
    "compare --plot": ("compare kuhn -a cfr -n 2 -q --plot {}", ".svg .png"),
    "compare --out": ("compare kuhn -a cfr -n 2 -q --out {}", ".csv .json .parquet"),
    "evaluate --best-response": (
        "evaluate kuhn-dcfr.safetensors --best-response {}",
        ".csv .json .parquet .safetensors",
    ),
    "inspect --draw": ("inspect kuhn --draw {}", ".svg .png .pdf .dot .gv"),
    "export OUT": (
        "export kuhn-dcfr.safetensors {}",
        ".csv .json .parquet",
    ),
    "export --out": ("export kuhn --out {}", ".efg"),
    "last --out": ("last last --out {}", ".safetensors"),
    "correlate --out": ("correlate chicken --out {}", ".safetensors"),
    "team --out": ("team 'kuhn(players=3)' --adversary 2 --out {}", ".safetensors"),
    "exploit --out": (
        "exploit kuhn --opponent uniform --out {}",
        ".csv .json .parquet .safetensors",
    ),
    "equilibria --out": (
        "equilibria chicken --method lemke-howson --out {}",
        ".csv .json .parquet .safetensors",
    ),
    "graft --out": (
        "graft kuhn-dcfr.safetensors --block *b* --out {}",
        ".csv .json .parquet .safetensors",
    ),
    "resolve --out": (
        "resolve kuhn --trunk kuhn-dcfr.safetensors --out {}",
        ".csv .json .parquet .safetensors",
    ),
    "play --log": ("play kuhn --seats ai,ai --hands 1 -q --log {}", ".jsonl"),
    "range --out": ("range AA --out {}", ".txt .json"),
    "bot play --log": (
        "bot play push.safetensors --seats ai,random --hands 1 -q --log {}",
        ".jsonl .phhs",
    ),
    "bot match --log": ("bot match call fold --table hand.toml --hands 2 --log {}", ".jsonl"),
    "bot challenge --log": ("bot challenge http://localhost:1 call --log {}", ".jsonl"),
    "cards build --out": ("cards build --buckets all/2/2/2 --deck T -q --out {}", ".safetensors"),
    "preflop pushfold --checkpoint": (
        "preflop pushfold --stacks 2,2,2 -q --checkpoint {}",
        ".ckpt",
    ),
    "preflop pushfold --out": (f"preflop pushfold {PUSH} --out {{}}", ".safetensors"),
    "preflop pushfold --csv": (f"preflop pushfold {PUSH} --csv {{}}", ".csv"),
    "preflop pushfold --draw": (f"preflop pushfold {PUSH} --draw {{}}", ".svg .png"),
    "preflop solve --checkpoint": ("preflop solve hand.toml --flops 1 --checkpoint {}", ".ckpt"),
    "preflop solve --out": ("preflop solve hand.toml --out {}", ".safetensors"),
    "preflop solve --csv": ("preflop solve hand.toml --csv {}", ".csv"),
    "preflop multiway --checkpoint": ("preflop multiway hand.toml --checkpoint {}", ".ckpt"),
    "preflop multiway --out": ("preflop multiway hand.toml --out {}", ".safetensors"),
    "preflop multiway --csv": ("preflop multiway hand.toml --csv {}", ".csv"),
    "blueprint train --checkpoint": (
        "blueprint train hand.toml --cards c.safetensors --iterations 5 --out x --checkpoint {}",
        ".ckpt",
    ),
    "blueprint train --out": ("blueprint train hand.toml --out {}", ".safetensors"),
    "blueprint show --draw": ("blueprint show river.spot --draw {}", ".svg .png"),
    "blueprint export --csv": ("blueprint export river.spot --csv {}", ".csv"),
    "postflop solve --out": (f"postflop solve {RIVER} --out {{}}", ".spot"),
    "postflop solve --checkpoint": (f"postflop solve {RIVER} --checkpoint {{}}", ".ckpt"),
    "postflop show --draw": ("postflop show river.spot --draw {}", ".svg"),
    "postflop play --log": ("postflop play river.spot --hands 1 --log {}", ".jsonl"),
    "postflop export OUT": ("postflop export river.spot {}", ".csv .json .jsonl .parquet"),
    "postflop export --out": ("postflop export river.spot --out {}", ".csv .json .jsonl .parquet"),
    "postflop convert OUT": ("postflop convert spot.toml {} --to pio", ".txt .toml .json"),
    "postflop sizes --out": (f"postflop sizes {RIVER} --steps a -q --out {{}}", ".txt"),
    "acpc dealer --log": ("acpc dealer game.game --hands 1 --log {} -t", ".log"),
    "acpc dealer --transactions": ("acpc dealer game.game --hands 1 --transactions {} -l", ".tlog"),
    "acpc game --out": ("acpc game --stack 20 --out {}", ".toml .spot .game"),
    "hands convert TARGET": ("hands convert one.phh {}", ".log"),
    "hands review --csv": (
        "hands review one.phh --against push.safetensors --csv {}",
        ".csv",
    ),
    "postflop batch --out": (f"postflop batch --boards boards.txt {RIVER} --out .", "report.csv"),
    "postflop dataset --out": (
        "postflop dataset --street river --spots 1 -q --out .",
        "dataset.json",
    ),
    "postflop train --out": ("postflop train rows -q --out {}", ".safetensors"),
    "postflop train --checkpoint": (
        "postflop train rows -q --out net.safetensors --checkpoint {}",
        ".ckpt",
    ),
    "postflop examine --out": (
        f"postflop examine {RIVER} --strategy river.spot --out .",
        "report.csv",
    ),
}
"""Of each option that names a file to write: a command line, and the endings of its name."""


def writing_options(app: typer.Typer, group: str = "") -> Iterator[str]:
    """The names of all options and arguments that name a file to write."""
    for command in app.registered_commands:
        assert command.callback is not None
        hints = get_type_hints(command.callback, include_extras=True)
        for name in signature(command.callback).parameters:
            details = get_args(hints[name])
            info: Any = next(
                (part for part in details if isinstance(part, ArgumentInfo | OptionInfo)), None
            )
            metavar = f"{info and info.metavar}".strip("[]")
            if metavar not in ("FILE", "FOLDER", "OUT", "TARGET") or not WRITES.search(info.help):
                continue
            words = (info.default, *(info.param_decls or ()))  # Typer takes the first for a default
            flag = next((f"{word}" for word in words if f"{word}"[:2] == "--"), None)
            is_argument = isinstance(info, ArgumentInfo)
            spelled = metavar if is_argument else flag or f"--{name.replace('_', '-')}"
            yield f"{group}{command.name or command.callback.__name__} {spelled}"
    for part in app.registered_groups:
        assert part.typer_instance is not None
        yield from writing_options(part.typer_instance, f"{group}{part.name} ")


def test_every_option_that_writes_is_here() -> None:
    assert sorted(writing_options(application())) == sorted(COMMANDS)


@pytest.fixture(scope="module")
def read_files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with what the commands read."""
    found = tmp_path_factory.mktemp("read")
    spot = eq.poker.Spot(board="QsJh2h7d3c", oop="AA", ip="KK", pot=10, stack=10)
    eq.poker.solve(spot, iterations=2).save(found / "river.spot")
    hand = eq.poker.Hand(stack=2, bets="a")
    GameDefinition.of_hand(hand).save(found / GAME)
    (found / "hand.toml").write_text('stack = 2\nbets = "a"\ndeck = "T"\n')
    (found / "one.phh").write_text(ONE_HAND)
    assert main.run(f"{CARDS} -o {found}/c.safetensors".split()) == 0
    assert main.run(f"preflop pushfold {PUSH} -o {found}/push.safetensors".split()) == 0
    (found / "boards.txt").write_text("QsJh2h7d3c\n")
    (found / "spot.toml").write_text(spot.to_toml())
    return found


CASES: Final = [
    pytest.param(line, ending, id=f"{option} {ending}")
    for option, (line, endings) in COMMANDS.items()
    for ending in endings.split()
]


@pytest.mark.parametrize(("line", "ending"), CASES)
def test_foreign_files_are_left(
    line: str, ending: str, shell: Shell, solutions: None, read_files: Path
) -> None:
    shutil.copytree(read_files, ".", dirs_exist_ok=True)
    file = Path(ending if "{}" not in line else f"notes{ending}")
    content = FOREIGN.get(ending, b"my notes\n")
    file.write_bytes(content)
    ran = shell(line.format(file)).one_error()
    assert isinstance(ran.error, EquilibristError)
    assert file.name in ran.err
    assert file.read_bytes() == content


@pytest.mark.parametrize(
    "line",
    [
        *(f"inspect kuhn --draw own.{ending}" for ending in ("svg", "png", "pdf", "dot", "gv")),
        "inspect push.safetensors --draw own.png",
        "inspect push.safetensors --draw own.svg",
        "postflop show river.spot --draw own.svg",
        "solve kuhn -n 2 -q --plot own.svg",
        "solve kuhn -n 2 -q --plot own.png",
        "compare kuhn -a cfr -n 2 -q --out own.json",
        "export kuhn-dcfr.safetensors own.json",
        "export push.safetensors own.json",
        "export kuhn own.json --normal-form reduced",
        "postflop export river.spot own.csv",
        "postflop convert spot.toml own.txt --to pio",
        "acpc game --stack 20 -o own.game",
        "hands convert one.phh own.log",
        "hands review one.phh --against push.safetensors --csv own.csv",
    ],
)
@pytest.mark.by_default(5)
def test_own_files_are_replaced(line: str, shell: Shell, solutions: None, read_files: Path) -> None:
    shutil.copytree(read_files, ".", dirs_exist_ok=True)
    own = Path(next(word for word in line.split() if word.startswith("own.")))
    shell(line).ok()
    written = own.read_bytes()
    shell(line).ok()
    assert own.read_bytes() == written or own.suffix == ".json"
    own.write_bytes(b"")
    shell(line).ok()
    assert own.stat().st_size == len(written) or own.suffix == ".json"


def test_a_picture_that_is_refused_costs_no_solution(shell: Shell, folder: Path) -> None:
    """Each chart goes to a file of its own, whose name is known when all is solved."""
    Path("c-SB.svg").write_text("my notes\n")
    ran = shell(f"preflop pushfold {PUSH} --out c.safetensors --draw c.svg").one_error()
    check_error(ran.error, OutputError, option="draw", given="c-SB.svg")
    assert Path("c-SB.svg").read_text() == "my notes\n"
    assert eq.load_result("c.safetensors").charts
