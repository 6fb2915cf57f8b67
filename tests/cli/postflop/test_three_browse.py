"""`postflop browse` of a spot of three: the screen, by its keys."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from textual.pilot import Pilot
from textual.widgets import DataTable, Input, OptionList, Static

from equilibrist.cli.postflop.browser import next_keys
from equilibrist.cli.postflop.three_browser import ThreeBrowser
from equilibrist.errors import ConfigError, NotationError
from equilibrist.formatting.amounts import percent
from equilibrist.poker import ThreeSolution, ThreeSpot, solve_three
from equilibrist.poker.cards.combos import combo_name, parse_combo
from tests.cli.command import Shell
from tests.cli.postflop.test_postflop_browse import press, rows_of
from tests.poker.three_players.test_profile import SMALL
from tests.refusals import refuses

SPOT = ThreeSpot(**SMALL, stacks=[100, 40, 250])


@cache
def solved() -> ThreeSolution:
    return solve_three(SPOT, iterations=60)


def browsed(script: Callable[[ThreeBrowser, Pilot[None]], Awaitable[None]], line: str = "") -> None:
    """Run the screen, and press keys."""

    async def run() -> None:
        app = ThreeBrowser(solved(), line)
        async with app.run_test(size=(150, 50)) as pilot:
            await pilot.pause()
            await script(app, pilot)

    asyncio.run(run())


@pytest.mark.slow
def test_keys_lead_along_the_lines_of_three_seats() -> None:
    async def script(app: ThreeBrowser, pilot: Pilot[None]) -> None:
        assert next_keys(app.node) == {"X": "X", "B": "B30", "A": "A100"}
        place = str(app.query_one("#place", Static).content)
        for seat, gain in zip(solved().seats, solved().gains, strict=True):
            assert seat in place
            assert f"{gain:.3g}"[:4] in place
        assert await press(app, pilot, "b") == "B30"
        assert await press(app, pilot, "a") == "B30-A40"
        assert "pot 130, 40 to call" in str(app.query_one("#place", Static).content)
        assert await press(app, pilot, "f", "f") == "B30-A40-F-F"
        assert app.query_one("#next", OptionList).option_count == 0
        assert await press(app, pilot, "backspace", "0") == ""

    browsed(script)


@pytest.mark.slow
def test_each_seat_is_shown_in_turn_with_its_hands() -> None:
    async def script(app: ThreeBrowser, pilot: Pilot[None]) -> None:
        decision, table = solved().at("X"), app.query_one("#hands", DataTable)
        columns = [str(column.label) for column in table.columns.values()]
        assert columns[:3] == ["MID", "weight", "EV"]
        held = [combo_name(c) for c in np.flatnonzero(SPOT.ranges[1].weights).tolist()]
        assert sorted(row[0] for row in rows_of(app)) == sorted(held)
        first = rows_of(app)[0]
        assert first[3] == percent(decision.strategy[0, parse_combo(first[0])], 1)
        await press(app, pilot, "p")
        assert [str(column.label) for column in table.columns.values()] == ["IP", "weight"]
        await press(app, pilot, "p")
        assert str(next(iter(table.columns.values())).label) == "OOP"
        weights = {row[0]: row[1] for row in rows_of(app)}
        assert float(weights["KsTs"]) <= 0.5
        await press(app, pilot, "p", "slash")
        app.query_one("#filter", Input).value = "88"
        await press(app, pilot, "enter")
        assert [row[0] for row in rows_of(app)] == ["8s8h"]
        await press(app, pilot, "escape", "s")
        evs = [float(row[2]) for row in rows_of(app)]
        assert evs == sorted(evs, reverse=True)

    browsed(script, "X")


def test_the_screen_needs_a_terminal_and_a_line_that_can_be_played(
    shell: Shell, folder: Path
) -> None:
    solved().save(folder / "three.spot")
    ran = shell("postflop browse three.spot")
    ran.refused(ConfigError, option="terminal")
    assert "equilibrist postflop show three.spot" in ran.err
    shell("postflop browse three.spot --board QsJh2h").refused(ConfigError, option="--board")
    with refuses(NotationError, option="line", given="C"):
        ThreeBrowser(solved(), "X-C")
    with pytest.raises(NotationError):
        ThreeBrowser(solved(), "B30-B60")
