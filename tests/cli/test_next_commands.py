"""Every line under `Next:` has the options that decided what was printed, and runs."""

from __future__ import annotations

import ast
import io
import shlex
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

import equilibrist
from equilibrist.cli.main import _command_line
from equilibrist.errors import ConfigError
from tests.cli.command import Shell
from tests.library.solving_lines import RIVER, TURN
from tests.slow_cases import slow

WRITTEN = {
    "--best-response", "--checkpoint", "--checkpoint-every", "--csv", "--draw", "--keep", "--log",
    "--out", "--plot", "--resume", "--save-device",
}  # fmt: skip
"""Files that a command writes, which the next one does not write again."""
LIMITS = "--max-histories 1000 --memory 1GB --max-depth 99"
FORGETFUL = "'liar_die(memory=1,sides=3)'"
SPOT = """board = "Ts3h2h5c9d"
oop = "AA"
ip = "KK"
pot = 10
stack = 20
bets = "50%"
"""
THREE = SPOT.replace('ip = "KK"', 'middle = "QQ"\nip = "KK"')
COUNTS = "infoset,action,count\n1,bet,3\n1,pass,9\n"
KUHN = "solve kuhn -n 20 -q"
TABLE = "export last k.csv -q"
CARDS = (
    "cards build --buckets all/20/20/10 --deck 20 --restarts 1 --passes 3 --sample 1000 -q "
    "-o moved.safetensors"
)
HAND = "--stack 5 --deck T --bets 100%,a --raises 100%,a"
TRAINED = f"blueprint train {HAND} --cards moved.safetensors --iterations 5 --batch 8"
EXACT = (
    '--stack 6 --bets "2x,a|50%,a" --raises a --board 1/1 --deck T --last-street flop --threads 1'
)
ROYAL = "'royal(bets=all,stack=6,deck=K)'"
ROYAL_MENU = (
    "--bets 100%,a --raises 100%,a --iterations 30 --keep-flops 32 --threads 1 -o menu.safetensors"
)
RUN = "--target 50% --storage int16 --threads 1 --memory 1GB"


@dataclass(frozen=True)
class Case:
    """A command that prints what may be typed next.

    Attributes:
        line: The command, with the options that decide its result not at their defaults.
        before: Commands that make its files.
        drops: Options that mean something else to a next command, or that it changes.
        count: How many lines it prints.
    """

    line: str
    before: tuple[str, ...] = ()
    drops: str = ""
    count: int = 1

    def __str__(self) -> str:
        return self.line


KINDS: dict[str, list[Case]] = {
    "abstract": [
        Case(f"abstract kuhn --abstraction auto(2) --seat 0 {LIMITS} --time 99"),
        Case(f"abstract kuhn --lossless --seat 1 --report {LIMITS}"),
        Case("abstract leduc --lossless --symmetry Js=Jh --symmetry Qs=Qh --max-depth 99"),
        Case("abstract leduc --lossless --symmetry Js=Jh --report", count=0),
        Case("abstract kuhn --abstraction auto(2) --report --iterations 3", drops="--iterations"),
        Case("abstract kuhn_bets(cards=3) --actions bets=1,3 --translate half --max-depth 99"),
        Case(f"abstract kuhn_bets(cards=3) --actions bets=1,3 --translate half --report {LIMITS}"),
    ],
    "bot": [
        Case(
            "bot match p.safetensors call --hands 20 --duplicate --seed 7",
            ("preflop pushfold --stack 10 -o p.safetensors -q",),
            drops="--hands --seed",
        ),
    ],
    "check": [
        Case("check kuhn --max-histories 1000 --max-depth 99"),
        Case("check kuhn --max-histories 20 --max-depth 99"),
        Case(f"check {FORGETFUL}"),
        Case("check rules:liars_dice --max-histories 2000 --max-depth 99"),
    ],
    "compare": [
        Case(f"compare kuhn -a cfr --simultaneous -n 9 --target 1e-9 --threads 1 {LIMITS}"),
        Case("compare kuhn -a cfr --measure efce --simultaneous -n 9 --time 99"),
        Case("compare kuhn -a dcfr --prune partial -n 9"),
        Case(
            "compare kuhn -a @external --seeds 2 --seed 7 -n 99 --alternating --threads 1",
            drops="--seeds --alternating --threads",
        ),
        Case("compare kuhn -a cfr --warm-start last --warm-iterations 7 -n 9", (KUHN,)),
        Case("compare kuhn -a lp,xfp -n 3 --threads 1", drops="--iterations --threads"),
        Case(f"compare {FORGETFUL} -a fsicfr -n 5 --seed 3"),
    ],
    "correlate": [
        Case(
            "correlate chicken --concept ce --objective fair --method plans --time 99 "
            "--max-depth 99"
        ),
        Case(
            f"correlate chicken --concept ce --objective fair --out d.safetensors {LIMITS}",
            drops="--concept --objective",
            count=2,
        ),
        Case(
            f"correlate chicken --measure d.safetensors {LIMITS}",
            ("correlate chicken --out d.safetensors",),
        ),
    ],
    "dominated": [
        Case(f"dominated kuhn {LIMITS} --time 99"),
        Case(f"dominated kuhn --weak {LIMITS}"),
        Case("dominated kuhn --plans --by pure --time 99", drops="--plans"),
        Case("dominated kuhn --plans --weak --by pure --time 99", drops="--plans"),
        Case(f"dominated kuhn --conditional --by pure {LIMITS} --time 99"),
        Case(f"dominated kuhn --sequences {LIMITS}", drops="--sequences"),
        Case("dominated 'kuhn(cards=9)' --max-depth 99"),
    ],
    "equilibria": [
        Case(f"equilibria kuhn --select tremble --epsilon 0.01 --time 99 {LIMITS}"),
        Case("equilibria kuhn --select quasi-perfect --epsilon 0.01"),
        Case("equilibria kuhn --select against:uniform --max-depth 99"),
        Case(f"equilibria kuhn --select entropy --out e.csv {LIMITS}"),
        Case(f"equilibria chicken --method lemke-howson {LIMITS}"),
        Case("equilibria chicken --method lemke-howson --number 2 --out e.csv --max-depth 99"),
    ],
    "evaluate": [
        Case(f"evaluate last {LIMITS}", (KUHN,)),
        Case("evaluate k.csv --game kuhn --max-depth 99", (KUHN, TABLE)),
        Case(f"evaluate last --best-response b.csv --player 1 {LIMITS}", (KUHN,), drops="--player"),
        Case(
            f"evaluate k.csv --game kuhn --against uniform --deals 99 --seed 7 {LIMITS}",
            (KUHN, TABLE),
            drops="--seed",
        ),
    ],
    "exploit": [
        Case(f"exploit kuhn --opponent uniform --seat 1 {LIMITS} --time 99"),
        Case(
            "exploit kuhn --opponent uniform --seat 1 --rnr 0.25 --iterations 99 --max-depth 99",
            drops="--rnr --iterations",
        ),
        Case(
            "exploit kuhn --opponent uniform --everywhere --tremble 0.01",
            drops="--everywhere --tremble",
        ),
        Case("exploit kuhn --opponent last --safe 0.01 --seat 1", (KUHN,)),
        Case(
            "exploit kuhn --frequencies counts.csv --half-at 20 --trust 0.5 --seat 1 "
            "--iterations 99"
        ),
        Case("exploit kuhn --frequencies counts.csv --full-at 20 --opponent uniform --seat 1"),
        Case("exploit kuhn(players=3) --opponent uniform --everywhere --tremble 0.01 --seat 2"),
        Case("exploit kuhn --opponent uniform --out x.csv --max-depth 99"),
    ],
    "export": [
        Case(f"export last t.csv {LIMITS}", (KUHN,)),
        Case("export last t.json --max-depth 99", (KUHN,)),
        Case("export last t --format csv", (KUHN,), count=0),
        Case(f"export kuhn k.efg {LIMITS}"),
        Case(f"export {FORGETFUL} l.efg --max-depth 99"),
    ],
    "graft": [
        Case(f"graft last --block *b* --static --seat 0 {LIMITS} --time 99", (KUHN,)),
        Case("graft last --block 1pb --block 2b --independent --iterations 9", (KUHN,)),
        Case("graft k.csv --game kuhn --block *b* --joint --abstraction auto(2)", (KUHN, TABLE)),
        Case(f"graft last --block *b* --out g.csv {LIMITS}", (KUHN,)),
    ],
    "resolve": [
        Case(
            "resolve kuhn --trunk last --gadget reach(scale=raw) --roots 'after move 1' --again "
            f"--seat 0 --algorithm cfr+ --iterations 9 {LIMITS}",
            (KUHN,),
        ),
        Case("resolve kuhn --trunk last --online 3 --seed 4 --gadget resolve", (KUHN,)),
        Case(f"resolve kuhn --trunk last --out r.csv {LIMITS}", (KUHN,)),
        Case(
            f"resolve {ROYAL} --trunk menu.safetensors --nested --iterations 5 --online 3 --seed 2",
            (f"preflop solve {ROYAL} {ROYAL_MENU}",),
        ),
    ],
    "inspect": [
        Case(f"inspect last --values --player 1 --all {LIMITS}", (KUHN,), drops="--player --all"),
        Case("inspect k.csv --game kuhn --match * --max-depth 99", (KUHN, TABLE), drops="--match"),
        Case(f"inspect last 1pb {LIMITS}", (KUHN,)),
        Case(f"inspect kuhn {LIMITS}"),
        Case(f"inspect {FORGETFUL} --max-depth 99"),
        Case(
            "inspect last --draw k.svg --history 1 --max-nodes 99 --all --max-depth 99",
            (KUHN,),
            drops="--history --max-nodes --all",
        ),
        Case("inspect r.ckpt", ("solve kuhn -n 5 --checkpoint r.ckpt -q",)),
    ],
    "last": [
        Case("last last-2", (KUHN, f"postflop solve {RIVER} --iterations 3 -q"), count=2),
        Case("last last-2 --out k.safetensors", (KUHN, KUHN)),
        Case("last", count=1),
    ],
    "learn": [
        Case("learn kuhn --algorithm lcfr --simultaneous"),
        Case("learn rps --algorithm hs-dcfr --iteration 2"),
    ],
    "match": [
        Case("match last dcfr --max-depth 99", (KUHN,)),
        Case(f"match last uniform --deals 99 --seed 7 {LIMITS}", (KUHN,), drops="--seed"),
        Case("match uniform k.csv --game kuhn --max-depth 99", (KUHN, TABLE)),
        Case("match uniform uniform --game kuhn --max-depth 99", drops="--game"),
    ],
    "play": [
        Case(
            f"play last --seats human,uniform --hands 1 --fixed-seats --show-ai --seed 7 {LIMITS}",
            (KUHN,),
        ),
        Case("play kuhn --strategy k.csv --hands 1 --seats human,ai --max-depth 99", (KUHN, TABLE)),
        Case("play k.csv --game kuhn --hands 1 --coach --max-depth 99", (KUHN, TABLE)),
    ],
    "solve": [
        Case(f"solve kuhn -n 5 {LIMITS}", count=2),
        Case("solve kuhn -s external -n 99 --seed 7 --max-depth 99", drops="--seed", count=2),
        Case(f"solve {FORGETFUL} --algorithm fsicfr -n 5 --max-depth 99", count=2),
        Case(
            "solve rules:liars_dice(dice=1,sides=3) -s external --no-explicit-tree -n 99 "
            "--memory 1GB",
            count=2,
        ),
    ],
    "team": [
        Case(f"team kuhn(players=3) --adversary 0,2 --time 99 {LIMITS}"),
        Case(f"team kuhn(players=3) --adversary 2 --out t.safetensors {LIMITS}"),
    ],
    "range": [
        Case("range AA --from equilab --board 2c3d4h --grid"),
        Case("range AA --board Ah --out aces.txt", drops="--board"),
        Case("range --presets", drops="--presets"),
        Case("range AhAs --board Ah", drops="--board"),
    ],
    "equity": [
        Case("equity AA KK QQ --board 2c3d4h --samples 1000 --seed 7"),
        Case("equity AA KK --board 2c3d4h5s9h --threads 1 --hands"),
    ],
    "cards": [Case(CARDS.replace(" -q", ""))],
    "preflop": [
        Case("preflop pushfold --stack 10 --blinds 0.5/1"),
        Case(
            f"preflop solve {EXACT} --iterations 3 --line C --memory 1GB -o h.safetensors",
            drops="--memory",
            count=2,
        ),
        Case(
            f"preflop multiway {HAND} --deals 1000 --line 'R3' --seed 7 -o m.safetensors", count=2
        ),
    ],
    "blueprint": [
        Case(f"{TRAINED} -o b.safetensors", (CARDS,)),
        Case(
            "play b.safetensors --cards elsewhere.safetensors --seats ai,ai --hands 1",
            (CARDS, f"{TRAINED} -o b.safetensors -q", "mv moved.safetensors elsewhere.safetensors"),
        ),
        Case(
            "evaluate b.safetensors --cards elsewhere.safetensors",
            count=2,
            before=(
                CARDS,
                f"{TRAINED} -o b.safetensors -q",
                "mv moved.safetensors elsewhere.safetensors",
            ),
        ),
    ],
    "postflop": [
        Case(f"postflop estimate {RIVER} {RUN} --rake 5% --raises 2x", drops="--target"),
        Case(
            f"postflop batch {RIVER} {RUN} --iterations 9 --boards boards.txt --out b",
            drops="--board",
        ),
        Case(f"postflop solve {RIVER} {RUN} --iterations 9", drops="--memory --board", count=2),
        Case("postflop solve three.toml --iterations 9 --out three.spot", count=2),
        Case(
            "postflop solve three.toml --iterations 9 --starts 2 --seed 3 --out three.spot",
            drops="--seed",
            count=2,
        ),
        Case("postflop estimate three.toml --target 0.1% --memory 1GB --pot 12"),
        Case(
            "inspect three.spot --line X",
            ("postflop solve three.toml --iterations 9 --out three.spot -q",),
            count=2,
        ),
        Case(
            "evaluate three.spot",
            ("postflop solve three.toml --iterations 9 --out three.spot -q",),
            count=2,
        ),
        Case(
            "play three.spot --seat mid --hands 1 --seed 7",
            ("postflop solve three.toml --iterations 9 --out three.spot -q",),
        ),
        Case(
            "postflop play three.spot --drill X --hands 1 --seed 7",
            ("postflop solve three.toml --iterations 9 --out three.spot -q",),
        ),
        Case(
            "postflop sizes spot.toml --steps 50%,a --storage int16 --threads 1 --memory 1GB "
            "--target 1% --oop AA,QQ --out found.toml",
            drops="--steps --target --oop",
        ),
        Case("postflop convert spot.toml spot.txt --to pio --rake 0%", drops="--to --rake"),
        Case(f"postflop export {TURN} --iterations 5 --line X-X --out t.csv", drops="--board"),
        Case(f"postflop report {TURN} --iterations 5 --line X-X", drops="--line --board"),
        Case("inspect last --line X", (f"postflop solve {RIVER} --iterations 9 -q",), count=2),
        Case("evaluate last", (f"postflop solve {RIVER} --iterations 9 -q",), count=2),
        Case(
            "play last --seat ip --hands 1 --seed 7", (f"postflop solve {RIVER} --iterations 9 -q",)
        ),
        Case(
            "postflop play last --drill X --hands 1 --seed 7",
            (f"postflop solve {RIVER} --iterations 9 -q",),
        ),
    ],
    "train": [
        Case(f"train kuhn -a sd-cfr(learner=table,walks=9) -n 4 --seed 7 {LIMITS}", drops="--seed"),
    ],
    "train-values": [
        Case(
            "train-values kuhn --rows 64 --iterations 1 --depth 1 --solve-iterations 5 --steps 2 "
            f"--seed 7 -o values.safetensors {LIMITS}",
            drops="--iterations --seed",
        ),
        Case(
            f"resolve kuhn --values v.safetensors --iterations 8 --tables 2 --exact 2 -o l.csv "
            f"{LIMITS}",
            ("train-values kuhn --rows 64 --solve-iterations 5 --steps 2 -q -o v.safetensors",),
            drops="--values --iterations",
        ),
    ],
}
"""By the command, or the group of commands."""
NETS = ("train-values",)
"""Those that need PyTorch."""
SLOW = ("blueprint", "bot", "cards", "preflop")
"""Those of which no case runs by default, as each takes seconds."""


def all_cases() -> list[Any]:
    """All cases; one of each kind runs by default, or with `-m nets`."""
    return [
        pytest.param(case, marks=pytest.mark.nets)
        if kind in NETS
        else case
        if place == 0 and kind not in SLOW
        else slow(case)
        for kind, cases in KINDS.items()
        for place, case in enumerate(cases)
    ]


def read(words: list[str]) -> tuple[Any, dict[str, Any]]:
    """The command that is called by words, and the options that were typed, by their names."""
    command: Any = _command_line()
    while hasattr(command, "list_commands"):
        command, words = command.get_command(None, words[0]), words[1:]
    typed = command.make_parser(command.context_class(command)).parse_args(list(words))[0]
    names = {option.name for option in command.params if option.param_type_name == "option"}
    return command, {name: value for name, value in typed.items() if name in names}


def form(command: Any, name: str) -> tuple[bool, bool] | None:
    """Whether an option may be given several times, and whether it is a switch."""
    options = {each.name: each for each in command.params if each.param_type_name == "option"}
    return (options[name].multiple, options[name].is_flag) if name in options else None


def same(value: Any, other: Any) -> bool:
    """Whether two texts are the same value: 20 and 20.0, or 0.25 and 0.250."""
    try:
        return bool(ast.literal_eval(value) == ast.literal_eval(other))
    except (SyntaxError, ValueError):
        return bool(value == other)


def next_lines(printed: str) -> list[str]:
    """The commands under `Next:`, without the name of the program."""
    said = printed.partition("Next: ")[2].splitlines()
    return [text.strip().removeprefix("equilibrist ") for text in said if "equilibrist " in text]


def answer(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a person who is asked take the first action, whatever it is."""
    monkeypatch.setattr("sys.stdin", io.StringIO("1\n" * 99))


def run_it(shell: Shell, line: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Run a line that was printed, for a second or a hand; a screen alone may be missing."""
    words = shlex.split(line.replace("--exploiter 10m", "--exploiter 1s"))
    if "--sampler" in words and "--time" in words:
        words[words.index("--time") + 1] = "1"
    if "play" in words[:2] and "--hands" not in words:
        words += ["--hands", "1"]
    answer(monkeypatch)
    if words[:2] == ["postflop", "browse"]:
        shell(shlex.join(words)).refused(ConfigError, option="terminal")
    elif words[0] != "serve":
        shell(shlex.join(words)).ok()


@pytest.mark.parametrize("case", all_cases(), ids=str)
def test_a_line_has_the_options_that_decided_and_runs(
    case: Case, shell: Shell, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "counts.csv").write_text(COUNTS)
    (folder / "boards.txt").write_text("2c3d4h5s9h\nTs3h2h5c9d\n")
    (folder / "spot.toml").write_text(SPOT)
    (folder / "three.toml").write_text(THREE)
    for line in case.before:
        if line.startswith("mv "):
            Path(line.split()[1]).rename(line.split()[2])
        else:
            shell(line).ok()
    command, typed = read(shlex.split(case.line))
    answer(monkeypatch)
    lines = next_lines(shell(case.line).ok().err)
    assert len(lines) == case.count
    for line in lines:
        following, given = read(shlex.split(line))
        for name, value in typed.items():
            flags = {flag for each in command.params if each.name == name for flag in each.opts}
            if flags & {*WRITTEN, *case.drops.split()} or form(command, name) != form(
                following, name
            ):
                continue
            assert name in given, (line, name)
            assert same(given[name], value), (line, name)
        run_it(shell, line, monkeypatch)


def test_the_game_of_a_stored_solution_is_meant_that_was_typed(shell: Shell) -> None:
    """The match stores what it solves, so that `last` is `last-2` from then on."""
    shell("solve leduc -n 3 -q").ok()
    shell("solve kuhn -n 20 -q").ok()
    (line,) = next_lines(shell("match last dcfr").ok().err)
    assert line == "play last-2"


def test_the_risk_that_is_suggested_is_of_payoffs_that_are_met(shell: Shell) -> None:
    game = "matrix(payoffs=[[1,-1],[-1,1],[-1e9,-1e9]])"
    (line,) = next_lines(shell(f"exploit '{game}' --opponent uniform --rnr 0.5").ok().err)
    assert float(read(shlex.split(line))[1]["safe"]) == 0.02
    shell(line).ok()


def test_a_run_is_resumed_within_the_limits_that_it_had(shell: Shell) -> None:
    shell("solve kuhn -n 5 --max-histories 1000 --max-depth 99 --checkpoint r.ckpt -q").ok()
    (line,) = next_lines(shell("inspect r.ckpt").ok().err)
    typed = read(shlex.split(line))[1]
    assert (typed["max_histories"], typed["max_depth"]) == ("1000", "99")
    shell(line).ok()


def test_no_file_of_ones_own_is_named_to_write_to(shell: Shell, folder: Path) -> None:
    (folder / "selected.csv").write_text("mine")
    (folder / "selected-2.csv").write_text("mine")
    (line,) = next_lines(shell("equilibria kuhn --select entropy").ok().err)
    assert read(shlex.split(line))[1]["out"] == "selected-3.csv"
    shell(line).ok()


def test_no_argument_is_taken_for_an_option(shell: Shell, folder: Path) -> None:
    (folder / "one.efg").write_text(
        'EFG 2 R "one" { "A" "B" }\np "" 1 1 "-k" { "-l" "r" } 0\n'
        't "" 1 "" { 1, -1 }\nt "" 2 "" { 0, 0 }\n'
    )
    shell("solve one.efg -n 3 -q").ok()
    (line,) = next_lines(shell("inspect last --max-depth 99").ok().err)
    assert " -- " in line
    shell(line).ok()


def test_each_command_that_suggests_another_has_a_case() -> None:
    """Whoever adds one finds this test."""
    root = Path(equilibrist.__file__).parent / "cli"
    asked = {path.stem for path in root.rglob("*.py") if "suggest(" in path.read_text("utf-8")}
    assert asked - {"output"} == set(MODULES)
    assert {kind for kinds in MODULES.values() for kind in kinds.split()} == set(KINDS)


MODULES = {
    "abstract": "abstract",
    "abstract_actions": "abstract",
    "batch": "postflop",
    "blueprint_evaluate": "blueprint",
    "blueprint_train": "blueprint",
    "bot_match": "bot",
    "cards": "cards",
    "check": "check",
    "compare": "compare",
    "convert": "postflop",
    "correlate": "correlate",
    "dominated": "dominated",
    "equilibria": "equilibria",
    "equilibrium_list": "equilibria",
    "equity": "equity",
    "estimate": "postflop",
    "evaluate": "evaluate",
    "evaluation": "postflop",
    "exploit": "exploit",
    "export": "export postflop",
    "graft": "graft",
    "resolve": "resolve",
    "resolve_ladder": "train-values",
    "resolve_hand": "resolve",
    "hand_play": "blueprint",
    "inspect": "inspect",
    "last": "last",
    "learn": "learn",
    "matches": "match evaluate",
    "multiway": "preflop",
    "play": "play",
    "playing": "postflop",
    "preflop_solve": "preflop",
    "push_fold": "preflop",
    "ranges": "range",
    "report": "postflop",
    "show": "postflop",
    "sizes": "postflop",
    "solve": "solve postflop",
    "team": "team",
    "three": "postflop",
    "three_playing": "postflop",
    "train": "train",
    "train_values": "train-values",
}
"""The modules that call `suggest`, and the kinds of their cases."""
