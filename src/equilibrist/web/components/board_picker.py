"""The board picker: 52 cards."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from nicegui import ui
from nicegui.events import GenericEventArguments


class BoardPicker(ui.element, component="board_picker.js"):
    """Cards to choose from, in four rows.

    Args:
        cards: The names of those that are chosen, such as `Qs`.
        on_chosen: Called with the names after every choice, in the order of choosing.
    """

    def __init__(self, cards: Sequence[str], on_chosen: Callable[[list[str]], Any]) -> None:
        super().__init__()
        self._turn = 0
        self._props["given"] = {"turn": 0, "cards": list(cards)}
        self.on("chosen", lambda event: on_chosen(_cards(event)))

    def show(self, cards: Sequence[str]) -> None:
        """Replace what is chosen."""
        self._turn += 1
        self._props["given"] = {"turn": self._turn, "cards": list(cards)}


def _cards(event: GenericEventArguments) -> list[str]:
    return [str(card) for card in event.args["cards"]]
