"""Results say what to type next, with the names of stored solutions."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.command import Shell
from tests.cli.stored.solving_lines import RIVER, TURN


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


@pytest.mark.slow
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
