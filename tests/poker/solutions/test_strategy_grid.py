"""The 13x13 grid of a strategy."""

from __future__ import annotations

import numpy as np
import pytest

from equilibrist.poker.betting.actions import CALL, CHECK, FOLD, Action, Kind
from equilibrist.poker.solutions import strategy_grid
from equilibrist.poker.solutions.node_aggregates import ClassValues

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
    assert lines[1].split() == ["A", "A21XX", "XXXXX", *["."] * 11]
    assert lines[-1] == "X Check  1 Bet 50  2 Bet 100  A All-in 400"
    assert max(map(len, lines)) < 80
    assert len(lines) == 16


@pytest.mark.parametrize(
    ("actions", "signs"),
    [
        ((FOLD, CALL, Action(Kind.RAISE, 260)), ["F", "C", "R"]),
        ((CHECK, Action(Kind.BET, 94), Action(Kind.ALL_IN, 400)), ["X", "B", "A"]),
        (MENU, ["X", "1", "2", "A"]),
    ],
)
def test_letters(actions: tuple[Action, ...], signs: list[str]) -> None:
    assert strategy_grid.letters(actions) == signs


def test_colours() -> None:
    fold, call, raises = strategy_grid.colours((FOLD, CALL, Action(Kind.RAISE, 260)))
    assert fold[2] > 200 > fold[0]
    assert call[1] > 150 > call[0]
    assert raises[0] > 200 > raises[1]
    reds = strategy_grid.colours(MENU)[1:]
    assert len(set(reds)) == 3
    assert all(sum(larger) < sum(smaller) for smaller, larger in zip(reds, reds[1:], strict=False))
    assert all(red > green and red > blue for red, green, blue in reds)


@pytest.mark.parametrize(("width", "cell"), [(80, 5), (120, 8), (60, 5), (300, 8)])
def test_coloured_cells(width: int, cell: int) -> None:
    text = strategy_grid.coloured(grid(2, AA=[0.25, 0.75], AKs=[1, 0]), MENU[:2], width)
    lines = text.plain.splitlines()
    assert len(lines[0]) == 13 * (cell + 1) - 1
    assert lines[0].split()[:3] == ["AA", "AKs", "AQs"]
    assert lines[-1].split() == ["Check", "Bet", "50"]
    styles = [str(span.style).rpartition(" on ")[2] for span in text.spans]
    red = round(cell * 0.75)
    assert styles[:cell] == ["rgb(239,68,68)"] * red + ["rgb(34,197,94)"] * (cell - red)
    assert styles[cell : 2 * cell] == ["rgb(34,197,94)"] * cell


def test_weights_darken() -> None:
    full = grid(1, AA=[1], AKs=[1])
    full.weight[0, 1] = 0.1
    text = strategy_grid.coloured(full, (CHECK,), 80)
    styles = [str(span.style).rpartition(" on ")[2] for span in text.spans]
    assert styles[0] == "rgb(34,197,94)"
    assert styles[5] == "rgb(37,90,56)"
