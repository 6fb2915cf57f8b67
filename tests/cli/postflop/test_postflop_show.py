"""`equilibrist postflop show`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from equilibrist.cli.postflop.node_screen import in_order, show_hands
from equilibrist.errors import ConfigError, FileFormatError, LineSyntaxError, RangeSyntaxError
from equilibrist.formatting.amounts import chips, percent
from equilibrist.poker import solve
from equilibrist.poker.cards.combos import combo_name
from equilibrist.poker.postflop.solution.result import PostflopResult
from equilibrist.poker.postflop.spot.spot import Spot
from equilibrist.poker.ranges.range import Range
from tests.cli.command import Shell


@pytest.fixture
def saved(folder: Path) -> PostflopResult:
    solution = solve(
        Spot(board="Ts3h2h5c", oop="AA,QQ", ip="KK,QsJs:0.5", pot=100, stack=100, bets="50%"),
        iterations=10,
    )
    solution.save(folder / "out.spot")
    return solution


def test_show(shell: Shell, saved: PostflopResult) -> None:
    lines = shell("postflop show out.spot --line X-B50-C|8h").ok().out.splitlines()
    assert "iteration limit reached" in lines[0]
    assert lines[3:5] == ["X-B50-C|8h: OOP to act", "river Ts3h2h5c8h, pot 200"]
    assert lines[-1] == "- Check  A All-in 50"
    document = shell("postflop show out.spot --line X-B50-C|8h --json").ok().json
    assert document == saved.to_dict("X-B50-C|8h")


@pytest.mark.parametrize("command", ["show {}", "browse {}", "compare {0} {0}"])
def test_what_is_not_there_is_no_solution_without_boards(
    shell: Shell, folder: Path, command: str
) -> None:
    line = f"postflop {command.format('nothing')} --board Ts3h2h5c"
    shell(line).refused(FileFormatError, path="nothing")


def test_decimal_chips(shell: Shell, folder: Path) -> None:
    keys = '--board Ts3h2h5c --oop AA,QQ --ip KK,QsJs:0.5 --bets "33%, 3.5c"'
    made = shell(f"postflop solve {keys} --pot 6.5 --stack 97.50 --iterations 5 --out out.spot")
    assert "Bet 2.1" in made.ok().out
    lines = shell("postflop show out.spot --line B3.50").ok().out.splitlines()
    assert lines[3:5] == ["B3.5: IP to act", "turn Ts3h2h5c, pot 10, 3.5 to call"]
    document = shell("postflop show out.spot --line B2.1 --json").ok().json
    assert (document["pot"], document["stack"], document["node"]["pot"]) == (6.5, 97.5, 8.6)
    shell("postflop show out.spot --line B3.55").refused(
        LineSyntaxError, option="line", given="B3.55", position=0
    )
    finer = shell(f"postflop solve {keys} --pot 6.5 --stack 97.5 --unit 0.01 --iterations 5").ok()
    assert "B2.15" in finer.out  # 33 % of 6.5 is 2.145


def test_figures_have_six_digits_where_the_pot_is_small(shell: Shell, folder: Path) -> None:
    """As with a pot of 100: equity, EV and EQR say the same."""
    keys = '--board Ts3h2h5c8d --oop "AA,QQ,98s" --ip "KK,JJ,A5s" --bets a'
    for pot, stack in (("0.01", "0.05"), ("100", "500")):
        out = f"--iterations 50 --out {pot}.spot"
        shell(f"postflop solve {keys} --pot {pot} --stack {stack} {out}").ok()
    small, large = (shell(f"postflop show {pot}.spot").ok().out for pot in ("0.01", "100"))
    for seat in ("OOP", "IP"):
        row, expected = (
            next(line for line in out.splitlines() if line.startswith(f"{seat} ")).split()[-3:]
            for out in (small, large)
        )
        assert (row[0], row[2]) == (expected[0], expected[2])
        assert round(10_000 * float(row[1]), 2) == float(expected[1])
        assert len(row[1].lstrip("0.")) == 6
    document = shell("postflop show 0.01.spot --json").ok().json["node"]
    oop, ip = document["ev"]
    assert round(oop + ip, 8) == 0.01
    assert round(oop, 6) != oop
    for command in ("evaluate 0.01.spot", "postflop show 0.01.spot --hand AA"):
        assert "0.01 " not in shell(command).ok().out.replace("pot 0.01", "")


def test_show_at_a_terminal_node(shell: Shell, saved: PostflopResult) -> None:
    out = shell("postflop show out.spot --line X-X").ok().out
    assert "X-X: a card comes" in out
    assert "OOP's range\n      A   K" in out
    assert "IP's range\n      A   K" in out


def test_a_grid_wider_than_the_terminal(
    shell: Shell, saved: PostflopResult, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = shell("postflop show out.spot").ok().out.splitlines()
    grid = whole[-16:-2]
    assert grid[0].split() == list("AKQJT98765432")
    wide = max(map(len, grid))
    monkeypatch.setenv("COLUMNS", f"{wide}")
    assert shell("postflop show out.spot").ok().out.splitlines() == whole
    monkeypatch.setenv("COLUMNS", "40")
    narrow = shell("postflop show out.spot").ok().out.splitlines()
    said = f"the grid is left out: it is {wide} columns wide, and there are 40"
    assert narrow == [*whole[:-16], said]
    out = shell("postflop show out.spot --line X-X").ok().out
    assert out.count("the grid is left out: it is 55 columns wide, and there are 40") == 2


def test_hands(shell: Shell, saved: PostflopResult) -> None:
    out = shell("postflop show out.spot --line X --hand KhKd").ok().out
    node = saved.at("X")
    row = node.hands.loc["KhKd"]
    assert out.splitlines()[0] == "X: IP to act"
    names = ["IP", "weight", "equity", "EV", "EQR", "Check", "Bet 50", "Check EV", "Bet 50 EV"]
    assert out.splitlines()[-2].split() == " ".join(names).split()
    assert out.splitlines()[-1].split() == [
        "KhKd",
        "1",
        f"{row.equity:.2%}",
        f"{row.ev:,.2f}",
        f"{row.eqr:.1%}",
        f"{row['Check']:.1%}",
        f"{row['Bet 50']:.1%}",
        f"{row['Check ev']:,.2f}",
        f"{row['Bet 50 ev']:,.2f}",
    ]
    both = shell("postflop show out.spot --hand QQ,QsJs").ok().out
    assert both.index("OOP") < both.index("QsQh") < both.index("IP  ") < both.index("QsJs")
    document = shell("postflop show out.spot --line X --hand KK --json").ok().json
    assert " ".join(document["node"]["hands"]) == "KsKh KsKd KhKd KsKc KhKc KdKc"
    assert document["node"]["other_hands"] == {}


def hands_shown(out: str, seat: str) -> list[str]:
    """The hands in the table of a player, in order."""
    table = out.split(f"\n{seat} ", 1)[1].split("\n\n", 1)[0]
    return [row.split()[0] for row in table.splitlines()[1:]]


def test_hands_in_order(shell: Shell, saved: PostflopResult) -> None:
    line = "postflop show out.spot --line X --hand all"
    kings = ["KsKh", "KsKd", "KhKd", "KsKc", "KhKc", "KdKc"]
    assert hands_shown(shell(line).ok().out, "IP") == [*kings, "QsJs"]
    node = saved.at("X").hands
    for key, column in (("ev", "ev"), ("EQUITY", "equity"), ("b50", "Bet 50"), ("Check", "Check")):
        shown = hands_shown(shell(f"{line} --sort {key}").ok().out, "IP")
        assert sorted(shown) == sorted(node.index)
        assert node.loc[shown, column].is_monotonic_decreasing
    by_action = shell(f"{line} --sort B50").ok().out
    assert hands_shown(by_action, "OOP") == hands_shown(shell(line).ok().out, "OOP")
    shell(f"{line} --sort B60").refused(ConfigError, option="--sort", given="B60")
    shell("postflop show out.spot --sort ev").refused(
        ConfigError, option="--sort", given="ev", remedy="give --hand all"
    )


def test_suited_hands_come_before_offsuit_ones() -> None:
    solution = solve(
        Spot(board="Ts3h2h5c9s", oop="AK,KQ,AA", ip="JJ", pot=100, stack=100), iterations=1
    )
    node = solution.at()
    first = [hand[0] + hand[2] + "so"[hand[1] != hand[3]] for hand in node.hands.index]
    order = in_order(node, 0, node.combos(0).tolist(), "class")
    names = [combo_name(combo) for combo in order]
    classes = [name[0] + name[2] + "so"[name[1] != name[3]] for name in names]
    assert sorted(classes) == sorted(first)
    assert list(dict.fromkeys(classes)) == ["AAo", "AKs", "AKo", "KQs", "KQo"]
    assert names[:3] == ["AsAh", "AsAd", "AhAd"]


def test_the_range_of_a_player(shell: Shell, saved: PostflopResult) -> None:
    node = saved.at("X-B50")
    for player, seat in enumerate(("oop", "ip")):
        line = f"postflop show out.spot --line X-B50 --range {seat}"
        text = shell(line).ok().out.strip()
        assert Range(text).weights == pytest.approx(node.values.weight[player], abs=5e-5)
        assert node.range_of(player).weights == pytest.approx(node.values.weight[player])
        document = shell(f"{line} --json").ok().json
        assert document == {"line": "X-B50", "player": seat, "range": text}
    both = "postflop show out.spot --range ip --hand KK"
    shell(both).refused(ConfigError, option="--range", given="ip")


def test_next_lines(shell: Shell, saved: PostflopResult) -> None:
    for line in ("", "X", "X-B50", "X-X|8h", "X-X|8h|X"):
        node = saved.at(line)
        out = shell(f"postflop show out.spot --line '{line}'").ok().out
        for action, after in node.next_lines.items():
            assert f"  {after}\n" in out
            assert saved.at(after).line == after
            assert str(saved.at(after)._state.line[-1][-1]) == action
    dealt: Any = (("X-X", "X-X|As"), ("B50-C", "B50-C|As"), ("X-X|As|X-X", None))
    for line, after in dealt:
        node = saved.at(line)
        assert node.next_lines == {}
        assert node.deals_a_card == (after is not None)
        told = f"next line: {after}, or with any other card\n"
        assert (told in shell(f"postflop show out.spot --line '{line}'").ok().out) == (
            after is not None
        )
        if after is not None:
            assert saved.at(after).board.endswith("As")


def test_the_grid_as_a_picture(shell: Shell, saved: PostflopResult, folder: Path) -> None:
    shell("postflop show out.spot --line X --draw grid.svg").ok()
    assert (folder / "grid.svg").read_text("utf-8") == saved.at("X").to_svg()
    shell("postflop show out.spot --draw grid.png").refused(
        ConfigError, option="--draw", given="grid.png", remedy="use a name that ends in .svg"
    )
    shell("postflop show out.spot --line X-X --draw no.svg").refused(
        ConfigError, option="line", given="X-X"
    )
    assert not (folder / "no.svg").exists()


def test_wrong_places(shell: Shell, saved: PostflopResult) -> None:
    line = "postflop show out.spot"
    shell(f"{line} --line X-B60").refused(LineSyntaxError, position=2)
    shell(f"{line} --line X-X|").refused(LineSyntaxError, position=4)
    shell(f"{line} --line X-X|Ts").refused(LineSyntaxError, position=4)
    shell(f"{line} --hand 7h2d").refused(
        ConfigError, option="hands", given="7h2d", place="the root"
    )
    shell(f"{line} --line X-X|As --hand AsAh").refused(
        ConfigError, option="hands", given="AsAh", place="X-X|As"
    )
    shell(f"{line} --hand Ax").refused(RangeSyntaxError, position=0)
    for json in ("", "--json"):
        for empty in ("", " ", "AA:0"):
            shell(f"{line} --hand '{empty}' {json}").refused(
                ConfigError, option="hands", given=empty, remedy="give some, such as AhKh or QQ+"
            )


def test_what_rounds_to_nothing_has_no_sign() -> None:
    assert [chips(-0.004), chips(-0.0), chips(-0.006)] == ["0.00", "0.00", "-0.01"]
    assert [percent(-0.0004, 1), percent(-0.0, 2), percent(-0.0006, 1)] == [
        "0.0%",
        "0.00%",
        "-0.1%",
    ]


def test_a_hand_that_blocks_all_opposing_hands(capsys: pytest.CaptureFixture[str]) -> None:
    node = solve(
        Spot(board="Ts3h2h5c9s", oop="AsAh,KK", ip="AsAd,AsAc", pot=10, stack=10, bets="a"),
        iterations=3,
    ).at()
    show_hands(node, "AsAh")
    assert capsys.readouterr().out.splitlines()[-1].split()[:5] == ["AsAh", "1", "-", "-", "-"]
