"""The 13x13 range editor."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from nicegui import ui
from nicegui.events import GenericEventArguments


class RangeEditor(ui.element, component="range_editor.js"):
    """A grid of hand classes to paint on, with sliders and a popup for suits.

    Args:
        label: What range that is, for those who cannot see it.
        weights: 1,326 weights in the order of `poker.combo_name`.
        ranking: The 169 classes, best first, as places in the grid.
        on_painted: Called with the new weights after every change by the user.
    """

    def __init__(
        self,
        label: str,
        weights: Sequence[float],
        ranking: Sequence[int],
        on_painted: Callable[[list[float]], Any],
    ) -> None:
        super().__init__()
        self._turn = 0
        self._props["label"] = label
        self._props["ranking"] = list(ranking)
        self._props["given"] = {"turn": 0, "weights": list(weights)}

        async def painted(event: GenericEventArguments) -> None:
            weights = [float(weight) for weight in event.args["weights"]]
            if event.args["turn"] != self._turn:
                self.show(weights)  # what was painted on is gone: it comes back
            result = on_painted(weights)
            if result is not None:
                await result

        self.on("painted", painted)

    def show(self, weights: Sequence[float]) -> None:
        """Replace what is painted."""
        self._turn += 1
        self._props["given"] = {"turn": self._turn, "weights": list(weights)}
