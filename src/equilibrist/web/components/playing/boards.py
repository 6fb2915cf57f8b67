"""The components of a table and of a drill."""

from __future__ import annotations

from typing import Any

from nicegui import ui


class PlayBoard(ui.element, component="play_board.js"):
    """The scene, the actions and the coach.

    Events: `choose` and `bet` with what the API takes, `next`, `quote` with an amount, `ranges`,
    `reveal` with true or false, `replay` with the number of a hand, or None.

    Args:
        doc: The document of a table or a drill.
        address: What the browser shows as the address from now on.
        drill: Whether it is a drill.
    """

    def __init__(self, doc: dict[str, Any], address: str, *, drill: bool = False) -> None:
        super().__init__()
        self._props["doc"], self._props["drill"] = doc, drill
        self._props["address"], self._props["reply"] = address, 0

    def show(self, doc: dict[str, Any]) -> None:
        """Show a new document."""
        self._props["doc"] = doc
        self.answered()

    def show_quote(self, quote: dict[str, Any]) -> None:
        """Show what a bet would be mapped to."""
        self._props["quote"] = quote
        self.update()

    def show_ranges(self, ranges: dict[str, Any]) -> None:
        """Show what the AI does with its whole range."""
        self._props["ranges"] = ranges
        self.update()

    def show_replay(self, hand: dict[str, Any] | None) -> None:
        """Show a hand that is over, move by move; None for the table again."""
        self._props["replay"] = hand
        self.update()

    def answered(self) -> None:
        """Let the next choice be made: the last one was answered, or refused."""
        self._props["reply"] += 1
        self.update()


class PlayScore(ui.element, component="play_score.js"):
    """The score, the grades, and the hands.

    Args:
        doc: The document of a table or a drill.
        drill: Whether it is a drill.
        downloads: Links to the hands as files: `name` and `href` of each.
    """

    def __init__(
        self,
        doc: dict[str, Any],
        *,
        drill: bool = False,
        downloads: list[dict[str, str]] | None = None,
    ) -> None:
        super().__init__()
        self._props["doc"], self._props["drill"] = doc, drill
        self._props["downloads"] = downloads or []

    def show(self, doc: dict[str, Any]) -> None:
        """Show a new document."""
        self._props["doc"] = doc
        self.update()


class CoachSwitch(ui.element, component="coach_switch.js"):
    """Shows or hides the coach during hands; the browser keeps the choice."""
