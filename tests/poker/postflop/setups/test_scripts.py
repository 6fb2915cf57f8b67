"""Scripts of TexasSolver and PioSOLVER."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from equilibrist.errors import (
    BetSizeSyntaxError,
    CardSyntaxError,
    ConfigError,
    EquilibristError,
    FileFormatError,
    RangeSyntaxError,
    UnknownNameError,
)
from equilibrist.poker import Range, Spot, read_setup, write_setup
from tests.poker.postflop.setups.same_trees import check_same

OOP = "QQ:0.5,JJ:0.75,TT,99,88,77,AKo:0.25,KJs"
IP = "AA,KK,QQ,JJ,TT,99:0.75,AK,AQs"
TEXAS = f"""set_pot 50
set_effective_stack 200
set_board Qs,Jh,2h
set_range_ip {IP}
set_range_oop {OOP}
set_bet_sizes oop,flop,bet,50
set_bet_sizes oop,flop,raise,60
set_bet_sizes oop,flop,allin
set_bet_sizes ip,flop,bet,50
set_bet_sizes ip,flop,raise,60
set_bet_sizes oop,turn,bet,50
set_bet_sizes oop,turn,donk,30
set_bet_sizes oop,turn,raise,60
set_bet_sizes ip,turn,bet,50
set_bet_sizes ip,turn,raise,60
set_bet_sizes oop,river,bet,50
set_bet_sizes oop,river,raise,60,100
set_bet_sizes oop,river,allin
set_bet_sizes ip,river,bet,50,100
set_bet_sizes ip,river,allin
set_allin_threshold 0.67
build_tree
set_thread_num 8
set_accuracy 0.5
set_max_iteration 200
set_print_interval 10
set_use_isomorphism 1
start_solve
set_dump_rounds 2
dump_result output_result.json
"""
UPI = """set_threads 4
set_accuracy 0.39
set_range OOP {oop}
set_range IP {ip}
set_board QsJh2h
set_eff_stack 200
set_isomorphism 1 0
set_pot 0 0 50
clear_lines
add_line 0 25 75 200
add_line 25 75 200
add_line 0 25 25 50 200
add_line 25
add_line 0 0 0 0 0 0
build_tree
go
"""


def write(folder: Path, text: str, name: str = "input.txt") -> Path:
    path = folder / name
    path.write_text(text)
    return path


def test_console_input_is_the_spot_that_one_writes_by_hand(tmp_path: Path) -> None:
    """A bet is all-in if half of the pot and the chips since the root exceed 67 % of the stack."""
    found = read_setup(write(tmp_path, TEXAS))
    committed = 0.67 * 200 - 25
    wanted = Spot(
        board="QsJh2h",
        oop=OOP,
        ip=IP,
        pot=50,
        stack=200,
        oop_bets="50%,a|50%|50%,a",
        oop_raises="60%,a|60%|60%,100%,a",
        ip_bets="50%|50%|50%,100%,a",
        ip_raises="60%|60%|a",
        donks="|30%|a",
        force_all_in=(200 - committed) / (50 + 2 * committed),
    )
    check_same(found.spot, wanted)
    assert found.program == "TexasSolver"
    assert found.left_out == (
        "set_thread_num 8 (--threads 8)",
        "set_accuracy 0.5 (--target 0.5%)",
        "set_max_iteration 200 (--iterations 200)",
        "set_dump_rounds 2",
        "dump_result output_result.json (see --out)",
    )


@pytest.mark.parametrize(
    "line",
    [str.upper, str.title, "{}={}", "{} = {}", "{}: {}", "{}\t  {} ;", '{} "{}"'],
    ids=["upper", "title", "=", " = ", ":", ";", "quotes"],
)
def test_spelling_of_commands(tmp_path: Path, line: object) -> None:
    """Capitals, signs before a value, quotes and semicolons behind a remark of any kind."""
    lines = []
    for command in TEXAS.splitlines():
        word, _, rest = command.partition(" ")
        if isinstance(line, str):
            lines.append(line.format(word, rest) if rest else word)
        else:
            lines.append(f"{line(word)} {rest}")
    text = "// A flop.\n# Another remark\n\n" + "\n".join(lines)
    found = read_setup(write(tmp_path, text))
    check_same(found.spot, read_setup(write(tmp_path, TEXAS)).spot)
    assert found.program == "TexasSolver"
    assert len(found.left_out) == 5


@pytest.mark.parametrize(
    ("arguments", "rake", "cap"),
    [("0.05 3", 0.05, 3), ("5% 2.5", 0.05, 2.5), ("0.05", 0.05, None), ("0.05, 1", 0.05, 1),
     ("0 0", 0, None), ("0 0 0 0", 0, None), ("0.04 3 0 0", 0.04, 3)],
)  # fmt: skip
def test_rake_of_a_script(tmp_path: Path, arguments: str, rake: float, cap: float | None) -> None:
    found = read_setup(write(tmp_path, f"{TEXAS}set_rake {arguments}\n"))
    assert (found.spot.rake, found.spot.rake_cap) == (rake, cap)
    assert not any("rake" in text for text in found.left_out)


@pytest.mark.parametrize("arguments", ["", "5 3", "0.05 much", "-0.05 3"])
def test_rake_that_is_none_is_named(tmp_path: Path, arguments: str) -> None:
    with pytest.raises(FileFormatError) as caught:
        read_setup(write(tmp_path, f"{TEXAS}set_rake {arguments}\n"))
    assert caught.value.option == "set_rake"
    assert "line" in str(caught.value.place)


def test_a_river_of_the_tracker(tmp_path: Path) -> None:
    text = """set_pot 100
set_effective_stack 100
set_board Ts,3h,2h,5c,9s
set_range_ip KK
set_range_oop AA,QQ
set_bet_sizes oop,river,allin
set_bet_sizes ip,river,allin
set_allin_threshold 0.67
build_tree
"""
    wanted = Spot(board="Ts3h2h5c9s", oop="AA,QQ", ip="KK", pot=100, stack=100, bets="a")
    check_same(read_setup(write(tmp_path, text)).spot, wanted)


def test_all_in_that_is_always_within_its_limit_is_a_size(tmp_path: Path) -> None:
    spot = Spot(
        board="QsJh2h", oop=OOP, ip=IP, pot=100, stack=200, bets="50%", raises="60%", add_all_in=2
    )
    check_same(read_setup(write_setup(spot, tmp_path / "a.txt", "texassolver")).spot, spot)
    with pytest.raises(ConfigError) as caught:
        write_setup(spot.replace(stack=210), tmp_path / "a.txt", "texassolver")
    assert caught.value.option == "add_all_in"


@pytest.mark.parametrize("is_raw", [False, True])
def test_lines_of_upi_are_the_tree(tmp_path: Path, is_raw: bool) -> None:
    """Numbers are what who acts has put in; checks, calls and folds are there without a line."""
    ranges = {"oop": OOP, "ip": IP}
    if is_raw:
        ranges = {seat: Range(text).to("raw") for seat, text in ranges.items()}
    found = read_setup(write(tmp_path, UPI.format(**ranges)))
    lines = ("X-B25-R75-A", "B25-R75-A", "X-B25-C|B25-A")
    wanted = Spot(board="QsJh2h", oop=OOP, ip=IP, pot=50, stack=200, added_lines=lines)
    check_same(found.spot, wanted)
    assert found.spot.added_lines == lines
    assert found.left_out == (
        "set_threads 4 (--threads 4)",
        "set_accuracy 0.39 (--target 0.39c)",
    )
    rules = found.spot.rules()
    assert [a.code for a in rules.actions(rules.follow("X-B25-C|").state)] == ["X", "B25"]
    assert [a.code for a in rules.actions(rules.follow("X-X|").state)] == ["X"]


def test_chips_before_the_root_count_in_stack_and_lines(tmp_path: Path) -> None:
    text = UPI.format(oop=OOP, ip=IP).replace("set_pot 0 0 50", "set_pot 20 20 10")
    lines = text.replace("add_line 0 25 75 200\nadd_line 25 75 200\n", "add_line 20 45 220\n")
    lines = lines.replace("add_line 0 25 25 50 200\nadd_line 25\nadd_line 0 0 0 0 0 0\n", "")
    found = read_setup(write(tmp_path, lines.replace("stack 200", "stack 220"))).spot
    assert (found.pot, found.stack, found.added_lines) == (50, 200, ("X-B25-A",))


def test_a_configuration_with_its_commands(tmp_path: Path) -> None:
    """Its lines are the tree, whatever the settings above were made of."""
    head = "#Type#NoLimit\n#Range0#22\n#Pot#50\n#FlopConfig.BetSize#33\n#AllinThreshold#60\n"
    found = read_setup(write(tmp_path, head + UPI.format(oop=OOP, ip=IP))).spot
    check_same(found, read_setup(write(tmp_path, UPI.format(oop=OOP, ip=IP))).spot)


@pytest.mark.parametrize(
    ("was", "line", "kind", "key"),
    [
        ("set_pot 50", "set_pot lots", FileFormatError, "set_pot"),
        ("set_pot 50", "set_pot 1 2 3", FileFormatError, "set_pot"),
        ("set_effective_stack 200", "set_effective_stack", FileFormatError, "set_effective_stack"),
        ("set_board Qs,Jh,2h", "set_board Qs,Jh,2z", CardSyntaxError, "set_board"),
        ("set_range_ip", "set_range_ip 9TJ", RangeSyntaxError, "set_range_ip"),
        ("set_allin_threshold", "set_allin_threshold x", FileFormatError, "set_allin_threshold"),
        ("set_bet_sizes oop,turn,bet", "set_bet_sizes oop,turn,bet,5y", BetSizeSyntaxError,
         "set_bet_sizes"),
        ("set_bet_sizes oop,turn,bet", "set_bet_sizes oop,tern,bet,50", FileFormatError,
         "set_bet_sizes"),
        ("set_bet_sizes oop,turn,bet", "set_bet_sizes me,turn,bet,50", FileFormatError,
         "set_bet_sizes"),
        ("set_board Qs,Jh,2h", "set_bord Qs,Jh,2h", UnknownNameError, "set_bord"),
        ("build_tree", "50,100", FileFormatError, "line"),
    ],
)  # fmt: skip
def test_malformed_lines_are_named(
    tmp_path: Path, was: str, line: str, kind: type[EquilibristError], key: str
) -> None:
    lines = TEXAS.splitlines()
    place = next(k for k, text in enumerate(lines) if text.startswith(was))
    lines[place] = line
    path = write(tmp_path, "\n".join(lines))
    with pytest.raises(kind) as caught:
        read_setup(path)
    assert caught.value.option == key
    assert str(caught.value.place).startswith(f"{path}, line {place + 1}")


@pytest.mark.parametrize(
    "line", ["0 0 0", "25 20", "50 60", "0 25 75 200 200 300", "300", "x", "", "0 0 0 0 0 0 0"]
)
def test_lines_that_cannot_be_played_are_named(tmp_path: Path, line: str) -> None:
    text = UPI.format(oop=OOP, ip=IP).replace("add_line 25\n", f"add_line {line}\n")
    path = write(tmp_path, text)
    if line == "0 0 0":  # OOP checks the turn
        read_setup(path)
        return
    with pytest.raises(FileFormatError) as caught:
        read_setup(path)
    assert caught.value.option == "add_line"
    assert str(caught.value.place).startswith(f"{path}, line 13")


def test_what_lacks_is_named_by_its_key(tmp_path: Path) -> None:
    path = write(tmp_path, "set_pot 50\nset_effective_stack 200\n")
    with pytest.raises(ConfigError) as caught:
        read_setup(path)
    assert caught.value.option == "board"
    found = read_setup(path, board="QsJh2h", oop="AA", ip="KK", bets="50%").spot
    np.testing.assert_equal(found.oop.num_combos, 6)


def test_a_threshold_in_percent_is_said(tmp_path: Path) -> None:
    path = tmp_path / "x.txt"
    path.write_text(TEXAS.replace("threshold 0.67", "threshold 67"))
    assert any(text.startswith("set_allin_threshold 67") for text in read_setup(path).left_out)
