"""Results say what to type next, with the names of stored solutions."""

from __future__ import annotations

import io
import shlex
from collections.abc import Callable
from pathlib import Path

import pytest

from equilibrist.errors import ConfigError, MismatchError
from tests.cli.command import Shell
from tests.library.solving_lines import RIVER, TURN


@pytest.mark.slow
def test_every_result_says_what_to_type_next(
    stored: Shell, folder: Path, rules: Callable[[str], str]
) -> None:
    own = rules("name = 'own'")
    solve = "equilibrist postflop solve --board 2c3d4h5s9h --oop AA --ip 'KK, QQ' --pot 100"
    solve += " --stack 300 --bets 50%"
    stored("last last-2 --out s.safetensors").ok()
    for line, following in (
        ("evaluate last-2", "equilibrist inspect last-2"),
        ("inspect last-2", "equilibrist inspect last-2 J"),
        ("solve kuhn -n 5", "equilibrist inspect last"),
        ("solve kuhn -n 5 --out 'my k'", "equilibrist inspect 'my k'"),
        (f"postflop solve {RIVER} --iterations 5", "equilibrist postflop browse last"),
        ("check 'kuhn(players=3)'", "equilibrist solve 'kuhn(players=3)'"),
        (f"check {own}", f"equilibrist solve {own}"),
        (f"solve {own} -n 5", f"equilibrist play {own} --strategy last --coach"),
        (
            "compare kuhn -a @external -n 9",
            "equilibrist solve kuhn --iterations 9 --sampler external",
        ),
        ("evaluate s.safetensors --best-response b.csv", "equilibrist inspect b.csv --game kuhn"),
        ("export s.safetensors k.csv", "equilibrist evaluate k.csv --game kuhn"),
        ("export s.safetensors k.json", "equilibrist evaluate k.json"),
        ("export s.safetensors k.efg", "equilibrist solve k.efg"),
        ("inspect kuhn", "equilibrist solve kuhn"),
        ("learn rps", "equilibrist solve rps --algorithm cfr"),
        ("inspect last-2 1pb", "equilibrist play last-2 --coach"),
        ("inspect k.csv --game kuhn", "equilibrist inspect k.csv J --game kuhn"),
        ("inspect k.csv 1pb --game kuhn", "equilibrist play k.csv --game kuhn --coach"),
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
        ("equity AA KK QQ --board 2c3d4h", "equilibrist range AA --board 2c3d4h --grid"),
        ("equity AA KK --board 2c3d4h --dead Ah", "equilibrist range AA --board 2c3d4h --grid"),
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


@pytest.mark.slow
def test_infosets_of_any_strategy_say_what_to_type_next(
    shell: Shell, rules: Callable[[str], str]
) -> None:
    """Rules of the user's own are not in the file, which says where they were."""
    own, large = rules("name = 'own'"), "'rules:liars_dice(dice=2,sides=4)'"
    for game, named, following in (
        (own, "", f"play last --game {own} --coach"),
        (own, f" --game {own}", f"play last --game {own} --coach"),
        (f"{large} -s external --no-explicit-tree", "", "match last uniform"),
        (f"{large} -s external --no-explicit-tree", f" --game {large}", "match last uniform"),
    ):
        shell(f"solve {game} -n 50 -q").ok()
        key = shell("inspect last --json").ok().json["infosets"][0]["infoset"]
        said = shell(f"inspect last {key}{named}").ok().err.splitlines()[-1]
        assert said.startswith(f"Next: equilibrist {following}"), (game, said)
        if "play" not in following:
            shell(said.removeprefix("Next: equilibrist ")).ok()


@pytest.mark.slow
def test_remedies_name_rules_as_a_shell_takes_them(
    shell: Shell, folder: Path, rules: Callable[[str], str]
) -> None:
    """Brackets and spaces are the shell's own."""
    rules("name = 'own(x=1)'")
    (folder / "rules.py").rename(folder / "my rules.py")
    own = "my rules.py:Bad"
    shell(f"solve '{own}' -n 5 -q --out 'my own.safetensors'").ok()
    for line in ("evaluate 'my own.safetensors'", "play 'my own.safetensors' --seats ai,ai"):
        error = shell(line).refused(ConfigError, option="--game").error
        assert shlex.split(error.remedy)[-2:] == ["--game", own], line
        shell(f"{line} {error.remedy[error.remedy.index('--game') :]}").ok()
    other = shell("resolve leduc --trunk 'my own.safetensors'").refused(MismatchError).error
    export = other.remedy[other.remedy.index("export") : other.remedy.index(",", 40)]
    shell(export).ok()


@pytest.mark.slow
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
        ("play kuhn", "play kuhn --hands 1 --coach"),
        ("play kuhn --coach", "inspect last-2"),
        ("play kuhn --seats human,human", ""),
        ("play kuhn --strategy k.csv", "play kuhn --strategy k.csv --hands 1 --coach"),
        ("play last-2", "play last-2 --hands 1 --coach"),
        ("play k.csv --game kuhn", "play k.csv --game kuhn --hands 1 --coach"),
        ("play last", "play last --hands 1 --coach"),
        ("play last --coach", "postflop browse last"),
    ):
        monkeypatch.setattr("sys.stdin", io.StringIO("1\n" * 9))
        ran = stored(f"{line} --hands 1").ok()
        said = [text for text in ran.err.splitlines() if text.startswith("Next: ")]
        assert said == [f"Next: equilibrist {following}"] * bool(following), (line, ran.err)


RUNNABLE = [
    "solve {own} -n 30", "solve {own} -n 30 --out whist.safetensors", "evaluate last --game {own}",
    "inspect last", "inspect last pick", "inspect last pick --game {own}", "inspect {own}",
    "export last whist.csv", "export last whist.json", "export whist.safetensors w.csv",
    "inspect whist.csv --game {own}", "evaluate whist.csv --game {own}",
    "match last uniform --game {own}", "match whist.safetensors uniform --game {own}",
    "match uniform uniform --game {own}", "play last --game {own} --seats ai,uniform --hands 1",
    "play {own} --seats ai,ai --hands 1", "check {own}", "learn {own}", "compare {own} -a cfr -n 5",
    "graft last --game {own} --block *", "graft last --game {own} --block * --out g.safetensors",
    "dominated {own}", "correlate {own}", "correlate {own} --out d.safetensors",
    "equilibria {own} --select entropy", "exploit {own} --opponent uniform",
    "team 'kuhn(players=3)' --adversary 2", "abstract {own} --lossless",
    "solve {own} --sampler external -n 100 --checkpoint r.ckpt", "inspect r.ckpt",
    "solve {own} -n 10 --checkpoint t.ckpt", "inspect t.ckpt", "last", "last --out mine",
    "solve k.efg -n 20", "inspect last", "inspect last --all", "export last k.csv",
    "match last uniform", "solve k.efg -n 20 --checkpoint k.ckpt", "inspect k.ckpt",
]  # fmt: skip
SPOT = "--board 2c3d4h5s9h --oop AA --ip 'KK, QQ' --pot 100 --stack 300 --bets 50%"


def run_what_is_printed(shell: Shell, line: str) -> int:
    """Run a command, and all commands that it suggests; how many these are."""
    ran = shell(line).ok()
    said = [text for text in ran.err.partition("Next: ")[2].splitlines() if "equilibrist" in text]
    for text in said:
        command = text.strip().removeprefix("equilibrist ")
        if "--coach" in command or command.startswith("play "):  # one hand, without a person
            command = command.replace(" --coach", "") + " --seats ai,ai --hands 1"
            command = command.replace(" --seats ai,ai", "") if "--mediator" in command else command
        if not command.startswith(("postflop browse", "serve")) and "--mediator" not in command:
            shell(command).ok()
    return len(said)


@pytest.mark.slow
def test_what_is_printed_next_runs_with_a_game_of_ones_own(shell: Shell, rules, folder) -> None:
    """Whose name loads nothing: its file and class do."""
    own = rules("name = 'mini whist'")
    shell("export kuhn k.efg").ok()
    told = {line: run_what_is_printed(shell, line.format(own=own)) for line in RUNNABLE}
    silent = [line for line, count in told.items() if not count]
    assert silent == ["abstract {own} --lossless"], "which finds nothing to merge"


@pytest.mark.parametrize(
    ("line", "wanted"),
    [
        ("export last x.csv", "evaluate x.csv --game rules.py:Bad"),
        ("match last uniform --game {own}", "play last --game rules.py:Bad"),
        ("inspect r.ckpt", "solve rules.py:Bad --algorithm cfr --sampler external"),
        ("inspect last pick", "play last --game rules.py:Bad --coach"),
    ],
)
def test_the_rules_are_named_as_they_were_loaded(
    shell: Shell, rules: Callable[[str], str], line: str, wanted: str
) -> None:
    own = rules("name = 'mini whist'")
    shell(f"solve {own} --sampler external -n 1000 --checkpoint r.ckpt -q").ok()
    ran = shell(line.format(own=own)).ok()
    assert f"equilibrist {wanted}" in ran.err
    assert run_what_is_printed(shell, line.format(own=own))


def test_rules_with_the_name_of_a_built_in_game_are_not_taken_for_it(
    shell: Shell, rules: Callable[[str], str], folder: Path
) -> None:
    """No command uses the built-in rules, and each names those of the file."""
    own = rules("name = 'kuhn'")
    shell(f"solve {own} -n 10 -q --checkpoint r.ckpt").ok()
    for line, wanted in (
        ("export last x.csv", f"evaluate x.csv --game {own}"),
        ("inspect r.ckpt", f"solve {own} --algorithm dcfr --resume"),
        ("inspect last pick", f"play last --game {own} --coach"),
    ):
        assert f"equilibrist {wanted}" in shell(line).ok().err
        assert run_what_is_printed(shell, line)
    shell("export last x.json").ok()
    shell("evaluate x.json").refused(MismatchError, option="game", given="kuhn")
    shell(f"evaluate x.json --game {own}").ok()
    error = shell("evaluate last").refused(MismatchError, option="game", given="kuhn").error
    assert shlex.split(error.remedy)[-2:] == ["--game", own]
    for line in ("export last x.efg", "export last x.nfg --normal-form reduced"):
        error = shell(line).refused(ConfigError, option="file").error
        assert shlex.split(error.remedy)[-1] == own
        assert not list(folder.glob("x.?fg"))
    (folder / "rules.py").unlink()
    for line in ("inspect r.ckpt", "export last x.csv"):
        assert "Next" not in shell(line).ok().err


@pytest.mark.parametrize("line", ["export last x.efg", "export last x.nfg --normal-form reduced"])
def test_games_of_solutions_whose_rules_are_not_at_hand_are_exported_by_their_rules(
    shell: Shell, rules: Callable[[str], str], line: str
) -> None:
    own = rules("name = 'mini whist'")
    shell(f"solve {own} -n 10 -q").ok()
    error = shell(line).refused(ConfigError, option="file").error
    shell(line.replace("last", shlex.split(error.remedy)[-1])).ok()


def test_nothing_is_suggested_where_the_rules_are_gone(
    shell: Shell, rules: Callable[[str], str], folder: Path
) -> None:
    own = rules("name = 'mini whist'")
    shell(f"solve {own} -n 10 -q --checkpoint r.ckpt").ok()
    (folder / "rules.py").unlink()
    assert "Next" not in shell("inspect r.ckpt").ok().err
    assert "Next" not in shell("export last x.csv").ok().err
    assert run_what_is_printed(shell, "inspect last pick") == 1


@pytest.mark.slow
def test_what_is_printed_next_of_spots_runs(shell: Shell, folder: Path) -> None:
    for line in (
        f"postflop estimate {SPOT}",
        f"postflop batch {SPOT} --boards boards.txt --out b --target 50%",
        f"postflop solve {SPOT} --iterations 5",
        "evaluate last",
        "last",
    ):
        (folder / "boards.txt").write_text("2c3d4h5s9h\n")
        assert run_what_is_printed(shell, line), line
