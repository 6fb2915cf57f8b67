"""The elements of study pages, charts and reports.

Their parts in JavaScript ask the API, and draw what it answers.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from nicegui import ui
from nicegui.dependencies import register_esm

_PARTS: Final = Path(__file__).parent / "parts"
register_esm(
    "equilibrist-study", _PARTS, max_time=max(file.stat().st_mtime for file in _PARTS.iterdir())
)


class Charts(ui.element, component="charts.js"):
    """Decisions of a file with charts: the way to them, and what the 169 classes do.

    Args:
        name: The solution in the library.
        line: The line of the first decision.
        stamp: That of its file (`Library.stamp`): what takes its name later is not shown.
        board: Of a blueprint, the public cards of later streets.
        ev: What EVs mean.
        takes_board: Whether there are decisions after the flop.
    """

    def __init__(
        self, name: str, line: str, stamp: str, board: str, *, ev: str, takes_board: bool
    ) -> None:
        super().__init__()
        self._props.update(
            {
                "name": name,
                "line": line,
                "stamp": stamp,
                "board": board,
                "ev": ev,
                "takes-board": takes_board,
            }
        )


class Report(ui.element, component="report.js"):
    """The report of a batch, or of a file that the reader opens.

    Args:
        name: A batch in the data folder; None to ask for a file, which stays in the browser.
    """

    def __init__(self, name: str | None = None) -> None:
        super().__init__()
        self._props["name"] = name


class Study(ui.element, component="study.js"):
    """A node of a solved spot, and everything about the hands there.

    Clicks do not come to Python: the parts ask `/api/solutions/NAME/...`, as any program may.

    Args:
        name: The solution in the library.
        line: The line of the first node.
        stamp: That of its file (`Library.stamp`): what takes its name later is not shown.
        cards: How many cards the file keeps after the board of the spot.
        is_owner: Whether buttons for owners are there; the API checks again.
        other: A solution to compare with, if any.
        other_stamp: The stamp of its file.
        tab: The view to begin with, if not that of the hands.
        hand: A hand whose class is chosen, as AhKd.
    """

    def __init__(
        self,
        name: str,
        line: str,
        stamp: str,
        *,
        cards: int,
        is_owner: bool,
        other: str | None = None,
        other_stamp: str | None = None,
        tab: str | None = None,
        hand: str | None = None,
    ) -> None:
        super().__init__()
        self._props.update(
            {
                "name": name,
                "line": line,
                "stamp": stamp,
                "cards": cards,
                "is-owner": is_owner,
                "other": other,
                "other-stamp": other_stamp,
                "tab": tab,
                "hand": hand,
            }
        )
