"""Set-ups of other solvers where a spot file is taken, and `equilibrist postflop convert`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from equilibrist.errors import ConfigError, FileFormatError, UnknownNameError
from equilibrist.poker import Spot
from tests.cli.command import Shell

PIO = """#Type#NoLimit
#Range0#AA,QQ
#Range1#KK
#Board#Ts 3h 2h 5c 9s
#Pot#100
#EffectiveStacks#100
#AllinThreshold#67
#RiverConfig.BetSize#50
#RiverConfigIP.BetSize#50
#ICM.Enabled#True
"""
TEXAS = """set_pot 100
set_effective_stack 100
set_board Ts,3h,2h,5c,9s
set_range_ip KK
set_range_oop AA,QQ
set_bet_sizes oop,river,bet,50
set_bet_sizes ip,river,bet,50
build_tree
set_accuracy 0.5
"""
WASM = json.dumps(
    {
        "oopRange": "AA,QQ",
        "ipRange": "KK",
        "config": {
            "board": ["Ts", "3h", "2h", "5c", "9s"],
            "startingPot": 100,
            "effectiveStack": 100,
            "oopRiverBet": "50",
            "ipRiverBet": "50",
            "bunching": "CO",
        },
    }
)
FILES = {"pio.txt": PIO, "texas.txt": TEXAS, "wasm.json": WASM}
SPOT = Spot(board="Ts3h2h5c9s", oop="AA,QQ", ip="KK", pot=100, stack=100, bets="50%")


@pytest.fixture
def files(folder: Path) -> Path:
    for name, text in FILES.items():
        (folder / name).write_text(text)
    (folder / "spot.toml").write_text(SPOT.to_toml())
    return folder


@pytest.mark.parametrize("name", FILES)
def test_set_ups_are_taken_where_spot_files_are(shell: Shell, files: Path, name: str) -> None:
    """With the strategy of the spot file; one note names what is not taken over."""
    wanted = shell("postflop solve spot.toml --iterations 20 -q --json").ok().json
    solved = shell(f"postflop solve {name} --iterations 20 -q --json --out s.spot").ok()
    assert solved.json | {"seconds": 0} == wanted | {"seconds": 0}
    assert solved.err.count("not taken over from") == 1
    (files / "b.txt").write_text("Ts3h2h5c9s\n")
    for line in (
        f"postflop estimate {name}",
        f"postflop report {name} --board Ts3h2h5c --line X-X --iterations 2 -q",
        f"postflop export {name} --out t.jsonl --iterations 2 -q",
        f"postflop batch {name} --boards b.txt --out o --iterations 2 -q",
        f"postflop examine {name} --strategy {name} --iterations 2 -q",
    ):
        shell(line).ok()


@pytest.mark.parametrize("name", [*FILES, "spot.toml"])
@pytest.mark.parametrize("form", ["pio", "texassolver", "wasm", "toml"])
def test_each_form_is_written_from_each(shell: Shell, files: Path, name: str, form: str) -> None:
    shell(f"postflop convert {name} out --to {form} --force-all-in 0").ok()
    shell("postflop convert out back.toml").ok()
    back = Spot.from_toml("back.toml")
    assert back.replace(all_in_without_sizes=False) == SPOT
    printed = shell(f"postflop convert {name} --to {form} --force-all-in 0").ok()
    assert printed.out == Path("out").read_text()


def test_what_convert_refuses(shell: Shell, files: Path) -> None:
    shell("postflop convert spot.toml").refused(ConfigError, option="--to")
    shell("postflop convert spot.toml --to gto+").refused(UnknownNameError, option="form")
    shell("postflop convert spot.toml --to pio --raise-cap 1").refused(
        ConfigError, option="raise_cap"
    )
    (files / "bad.txt").write_text(PIO.replace("#Pot#100", "#Pot#1oo"))
    ran = shell("postflop convert bad.txt spot2.toml").refused(ConfigError, option="#Pot#")
    assert "bad.txt, line 5, #Pot#" in ran.err
    assert not (files / "spot2.toml").exists()


def test_lines_of_another_solver_in_a_spot_file_are_named(shell: Shell, files: Path) -> None:
    """TOML takes them for comments: the board would be missing."""
    (files / "mixed.toml").write_text('oop = "AA"\nip = "KK"\npot = 10\n#Board#Qs Jh 2h\n')
    ran = shell("postflop solve mixed.toml").refused(FileFormatError, option="#Board#")
    assert "line 4" in f"{ran.error.place}"
    assert "is missing" not in ran.err


def test_commands_take_a_played_hand_as_a_spot(shell: Shell, folder: Path) -> None:
    """Ranges are options: the error for one that is missing names the player."""
    head = "variant = 'NT'\nantes = [0, 0]\nblinds_or_straddles = [1, 2]\nmin_bet = 2\n"
    head += "starting_stacks = [100, 90]\nplayers = ['Ann', 'Bob']\n"
    dealt = ["d dh p1 AhKh", "d dh p2 ????", "p2 cc", "p1 cc", "d db QsJh2h"]
    (folder / "hands.phhs").write_text(
        f"[1]\n{head}actions = {dealt!r}\n[2]\n{head}actions = {[*dealt, 'p1 cbr 3']!r}\n"
    )
    options = "--oop AA,AhKh --ip KK --bets 50%"
    ran = shell(f"postflop convert hands.phhs#2 spot.toml {options}").ok()
    assert "not taken over from hand 2: the cards of Ann (AhKh)" in ran.err
    spot = Spot.from_toml("spot.toml")
    assert (spot.pot, spot.stack, spot.added_lines) == (4, 88, ("B3",))
    shell(f"postflop estimate hands.phhs#2 {options}").ok()
    ran = shell("postflop solve hands.phhs#2 --ip KK").refused(ConfigError, option="oop")
    assert "Ann" in ran.err
