"""`equilibrist postflop browse`: the screen, by its keys."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot
from textual.widgets import DataTable, Input, OptionList

from equilibrist import load_result
from equilibrist.cli.postflop.browser import Boards, Browser, Walker, next_keys
from equilibrist.errors import ConfigError, FileFormatError, LineSyntaxError
from equilibrist.formatting.amounts import chips, percent
from equilibrist.poker import batch, solve
from equilibrist.poker.postflop.files.kept_boards import KeptBoards
from equilibrist.poker.postflop.solution.result import PostflopResult
from equilibrist.poker.postflop.spot.spot import Spot
from tests.cli.command import Shell
from tests.refusals import refuses

TURN = Spot(
    board="Ts3h2h5c", oop="AA,QQ,JTs", ip="KK,98s", pot=60, stack=90, bets="30%,50%", raises="a"
)


@cache
def solved() -> PostflopResult:
    return solve(TURN, iterations=10)


def browsed(script: Callable[[Browser, Pilot[None]], Awaitable[None]], **options: Any) -> None:
    """Run the screen, and press keys."""

    async def run() -> None:
        app = Browser(options.pop("solution", None) or solved(), **options)
        async with app.run_test(size=(150, 50)) as pilot:
            await pilot.pause()
            await script(app, pilot)

    asyncio.run(run())


async def press(app: Walker, pilot: Pilot[None], *keys: str) -> str:
    """The line after some keys."""
    for key in keys:
        await pilot.press(key)
        await app.workers.wait_for_complete()
        await pilot.pause()
    return app.node.line


def rows_of(app: Walker) -> list[list[str]]:
    table = app.query_one("#hands", DataTable)
    return [list(map(str, table.get_row_at(row))) for row in range(table.row_count)]


@pytest.mark.slow
def test_keys_lead_along_the_line() -> None:
    async def script(app: Browser, pilot: Pilot[None]) -> None:
        assert next_keys(app.node) == {"X": "X", "1": "B18", "2": "B30"}
        assert await press(app, pilot, "x") == "X"
        assert await press(app, pilot, "2") == "X-B30"
        assert await press(app, pilot, "c") == "X-B30-C"
        assert await press(app, pilot, "7", "d") == "X-B30-C|7d"
        assert await press(app, pilot, "x") == "X-B30-C|7d|X"
        assert await press(app, pilot, "backspace", "left") == "X-B30-C"
        assert await press(app, pilot, "a", "s") == "X-B30-C|As"
        assert await press(app, pilot, "0") == ""
        assert await press(app, pilot, "down", "down", "enter") == "B30"
        assert await press(app, pilot, "a") == "B30-A90"
        assert await press(app, pilot, "f") == "B30-A90-F"
        assert app.query_one("#next", OptionList).option_count == 0
        assert await press(app, pilot, "right", "x", "z") == "B30-A90-F"
        assert await press(app, pilot, "left", "right") == "B30-A90-F"

    browsed(script)


@pytest.mark.slow
def test_decimal_chips() -> None:
    async def script(app: Browser, pilot: Pilot[None]) -> None:
        assert next_keys(app.node) == {"X": "X", "1": "B2.1", "2": "B3.5"}
        assert await press(app, pilot, "x", "2") == "X-B3.5"
        assert await press(app, pilot, "c", "7", "d") == "X-B3.5-C|7d"
        assert await press(app, pilot, "backspace", "backspace", "backspace") == "X"
        assert await press(app, pilot, "down", "enter") == "X-B2.1"

    spot = TURN.replace(pot=6.5, stack=97.5, bets="33%, 3.5c", raises="")
    browsed(script, solution=solve(spot, iterations=5))


def test_the_hands_and_the_grid() -> None:
    async def script(app: Browser, pilot: Pilot[None]) -> None:
        node = app.node
        table = app.query_one("#hands", DataTable)
        assert [str(column.label) for column in table.columns.values()] == [
            "OOP", "weight", "equity", "EV", "EQR", "Check", "Bet 18", "Bet 30", "Check EV",
            "Bet 18 EV", "Bet 30 EV",
        ]  # fmt: skip
        hands = node.hands
        assert sorted(row[0] for row in rows_of(app)) == sorted(hands.index)
        first = rows_of(app)[0]
        assert first[0] == "AsAh"
        assert first[3] == chips(hands.loc["AsAh", "ev"])
        assert first[5] == percent(hands.loc["AsAh", "Check"], 1)
        assert first[-1] == chips(hands.loc["AsAh", "Bet 30 ev"])
        await press(app, pilot, "s")
        shown = [row[0] for row in rows_of(app)]
        assert hands.loc[shown, "ev"].is_monotonic_decreasing
        await press(app, pilot, "p")
        assert {row[0][0] + row[0][2] for row in rows_of(app)} == {"KK", "98"}
        assert len(rows_of(app)[0]) == 5

    browsed(script)


@pytest.mark.slow
def test_a_filter_of_hands() -> None:
    async def script(app: Browser, pilot: Pilot[None]) -> None:
        await press(app, pilot, "slash")
        field = app.query_one("#filter", Input)
        field.value = "QQ,JsTs"
        await press(app, pilot, "enter")
        assert {row[0][0] for row in rows_of(app)} == {"Q"}
        assert await press(app, pilot, "escape", "x") == "X"
        assert len(rows_of(app)) > 4
        await press(app, pilot, "slash")
        field.value = "QQx"
        await press(app, pilot, "enter")
        assert len(rows_of(app)) > 4
        assert app.node.line == "X"

    browsed(script)


def test_cards_that_cannot_come_are_refused() -> None:
    async def script(app: Browser, pilot: Pilot[None]) -> None:
        assert await press(app, pilot, "t", "s") == "X-X"
        names = app.query_one("#next", OptionList)
        assert names.option_count == 48
        assert await press(app, pilot, "enter") == "X-X|As"

    browsed(script, line="X-X")


def test_streets_that_the_file_lacks(tmp_path: Path) -> None:
    solved().save(tmp_path / "a.spot", "first-street")

    async def script(app: Browser, pilot: Pilot[None]) -> None:
        assert await press(app, pilot, "7", "d") == "X-X|7d"
        assert app.node.resolved is not None

    browsed(script, solution=load_result(tmp_path / "a.spot"), line="X-X")


def test_the_command_needs_a_terminal_and_a_line_that_can_be_played(
    shell: Shell, tmp_path: Path
) -> None:
    shell("postflop browse out.spot").refused(FileFormatError, option="file")
    solved().save(tmp_path / "out.spot")
    shell("postflop browse out.spot").refused(ConfigError, option="terminal")
    with refuses(LineSyntaxError, option="line", given="B60"):
        Browser(solved(), "B60")


def test_boards_of_a_batch(tmp_path: Path) -> None:
    batch(TURN, ["Ts3h2h5c", "KsQd7c2c"], tmp_path, iterations=2, keep="first-street")
    kept = KeptBoards.open(tmp_path)

    async def run() -> None:
        app = Boards(kept, "X", "Ts3h2h5c")
        async with app.run_test(size=(150, 50)) as pilot:
            await pilot.pause()
            table = app.query_one("#boards", DataTable)
            assert [table.get_row_at(row)[0] for row in range(2)] == ["KsQd7c2c", "Ts3h2h5c"]
            assert table.cursor_row == 1
            await pilot.press("s", "up", "enter")
            await pilot.pause()
        assert app.return_value in kept.boards

    asyncio.run(run())
