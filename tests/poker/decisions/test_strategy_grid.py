"""The 13x13 grid of a strategy."""

from __future__ import annotations

import itertools
import re
from xml.etree import ElementTree

import numpy as np
import pytest

from equilibrist.poker.betting.actions import CALL, CHECK, FOLD, Action, Kind
from equilibrist.poker.decisions import strategy_grid
from equilibrist.poker.decisions.strategy_grid import ClassValues

MENU = (CHECK, Action(Kind.BET, 50), Action(Kind.BET, 100), Action(Kind.ALL_IN, 400))


def grid(actions: int, **cells: list[float]) -> ClassValues:
    """Cells AA and AKs as given, the others not held."""
    strategy = np.full((actions, 13, 13), np.nan)
    weight = np.zeros((13, 13))
    for name, shares in cells.items():
        place = {"AA": (0, 0), "AKs": (0, 1)}[name]
        strategy[:, *place] = shares
        weight[place] = 1.0
    return ClassValues(weight, strategy[0] * 0, strategy[0] * 0, strategy, strategy)


def test_fifths_in_letters() -> None:
    text = strategy_grid.plain(grid(4, AA=[0.4, 0.2, 0.2, 0.2], AKs=[0.95, 0.0, 0.0, 0.05]), MENU)
    lines = text.splitlines()
    assert lines[0].split() == list("AKQJT98765432")
    assert lines[1].split() == ["A", "A21--", "-----", *["."] * 11]
    assert lines[-1] == "- Check  1 Bet 50  2 Bet 100  A All-in 400"
    assert max(map(len, lines)) < 80
    assert len(lines) == 16


@pytest.mark.parametrize(
    ("actions", "signs"),
    [
        ((FOLD, CALL, Action(Kind.RAISE, 260)), ["-", "C", "R"]),
        ((CHECK, Action(Kind.BET, 94), Action(Kind.ALL_IN, 400)), ["-", "B", "A"]),
        (MENU, ["-", "1", "2", "A"]),
    ],
)
def test_letters(actions: tuple[Action, ...], signs: list[str]) -> None:
    assert strategy_grid.letters(actions) == signs


def test_colours() -> None:
    fold, call, raises = strategy_grid.colours((FOLD, CALL, Action(Kind.RAISE, 260)))
    assert fold[2] > 200 > fold[0]
    assert call[1] > 150 > call[0]
    assert raises[0] > 200 > raises[1]
    for count in range(1, 8):
        sizes = tuple(Action(Kind.BET, 10 * size) for size in range(1, count + 1))
        check, *bets = strategy_grid.colours((CHECK, *sizes))
        assert check == call
        assert bets[0] == raises == (245, 158, 11)
        assert count == 1 or bets[-1] == (139, 92, 246)
        for one, other in itertools.combinations([fold, check, *bets], 2):
            apart = np.linalg.norm(np.subtract(one, other))
            assert apart > (70 if count <= 4 else 25)


@pytest.mark.parametrize(("width", "cell"), [(80, 5), (120, 8), (60, 5), (300, 8)])
def test_coloured_cells(width: int, cell: int) -> None:
    text = strategy_grid.coloured(grid(2, AA=[0.25, 0.75], AKs=[1, 0]), MENU[:2], width)
    lines = text.plain.splitlines()
    assert len(lines[0]) == 13 * (cell + 1) - 1
    assert lines[0].split()[:3] == ["AA", "AKs", "AQs"]
    assert lines[-1].split() == ["Check", "Bet", "50"]
    styles = [str(span.style).rpartition(" on ")[2] for span in text.spans]
    bet = round(cell * 0.75)
    assert styles[:cell] == ["rgb(245,158,11)"] * bet + ["rgb(34,197,94)"] * (cell - bet)
    assert styles[cell : 2 * cell] == ["rgb(34,197,94)"] * cell


def test_weights_darken() -> None:
    full = grid(1, AA=[1], AKs=[1])
    full.weight[0, 1] = 0.1
    text = strategy_grid.coloured(full, (CHECK,), 80)
    styles = [str(span.style).rpartition(" on ")[2] for span in text.spans]
    assert styles[0] == "rgb(34,197,94)"
    assert styles[5] == "rgb(37,90,56)"


def test_rows_are_ruled_off() -> None:
    text = strategy_grid.coloured(grid(1, AA=[1], AKs=[1]), (CHECK,), 80)
    ruled = [
        " underline " in f" {span.style} " and "not" not in str(span.style) for span in text.spans
    ]
    assert ruled[: 13 * 13 * 5] == [True] * 12 * 13 * 5 + [False] * 13 * 5


def test_the_picture_splits_each_cell() -> None:
    cells = grid(4, AA=[0.4, 0.2, 0.0, 0.4], AKs=[1, 0, 0, 0])
    cells.weight[0, 1] = 0.5
    picture = strategy_grid.svg(cells, MENU, "Ts3h2h, <root>")
    root = ElementTree.fromstring(picture)
    names = [text.text for text in root.iter("{http://www.w3.org/2000/svg}text")]
    assert names[:3] == ["Ts3h2h, <root>", "AA", "AKs"]
    assert names[-4:] == ["Check", "Bet 50", "Bet 100", "All-in 400"]
    rectangle = re.compile(r'<rect x="(.*?)" y="(.*?)" width="(.*?)" height="(.*?)" fill="(.*?)"')
    found = [(*map(float, each[:4]), each[4]) for each in rectangle.findall(picture)]
    paints = [f"rgb({r},{g},{b})" for r, g, b in strategy_grid.colours(MENU)]
    aces, suited = found[1:4], found[5:6]
    assert [each[4] for each in aces] == [paints[3], paints[1], paints[0]]
    assert [each[2] for each in aces] == pytest.approx([17.6, 8.8, 17.6])
    assert [each[0] for each in aces] == pytest.approx([1, 18.6, 27.4])
    assert {each[3] for each in aces} == {44.0}
    assert suited == [(47.0, 56.0, 44.0, 22.0, paints[0])]
    assert "http" not in picture.replace("http://www.w3.org/2000/svg", "")
