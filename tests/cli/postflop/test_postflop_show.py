"""`equilibrist postflop show`."""

from __future__ import annotations

from pathlib import Path

import pytest

from equilibrist.cli.postflop.node_screen import show_hands
from equilibrist.errors import ConfigError, LineSyntaxError, RangeSyntaxError
from equilibrist.poker import save, solve
from equilibrist.poker.solutions.node import chips, percent
from equilibrist.poker.solutions.result import PostflopResult
from equilibrist.poker.spots.spot import Spot
from tests.cli.command import Shell


@pytest.fixture
def saved(folder: Path) -> PostflopResult:
    solution = solve(
        Spot(board="Ts3h2h5c", oop="AA,QQ", ip="KK,QsJs:0.5", pot=100, stack=100, bets="50%"),
        iterations=10,
    )
    save(solution, folder / "out.spot")
    return solution


def test_show(shell: Shell, saved: PostflopResult) -> None:
    lines = shell("postflop show out.spot --line X-B50-C|8h").ok().out.splitlines()
    assert "iteration limit reached" in lines[0]
    assert lines[3:5] == ["X-B50-C|8h: OOP to act", "river Ts3h2h5c8h, pot 200"]
    assert lines[-1] == "X Check  A All-in 50"
    document = shell("postflop show out.spot --line X-B50-C|8h --json").ok().json
    assert document == saved.to_dict("X-B50-C|8h")


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
    names = ["IP", "weight", "equity", "EV", "EQR", "Check", "Bet", "50"]
    assert out.splitlines()[-2].split() == names
    assert out.splitlines()[-1].split() == [
        "KhKd",
        "1",
        f"{row.equity:.2%}",
        f"{row.ev:,.2f}",
        f"{row.eqr:.1%}",
        f"{row['Check']:.1%}",
        f"{row['Bet 50']:.1%}",
    ]
    both = shell("postflop show out.spot --hand QQ,QsJs").ok().out
    assert both.index("OOP") < both.index("QsQh") < both.index("IP  ") < both.index("QsJs")
    document = shell("postflop show out.spot --line X --hand KK --json").ok().json
    assert " ".join(document["node"]["hands"]) == "KsKh KsKd KhKd KsKc KhKc KdKc"
    assert document["node"]["other_hands"] == {}


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
