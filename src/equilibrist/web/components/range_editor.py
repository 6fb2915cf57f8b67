"""The 13x13 range editor."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, TypeAlias

from nicegui import ui
from nicegui.events import GenericEventArguments

from equilibrist.errors import ConfigError
from equilibrist.poker.cards.combos import NUM_COMBOS

Change: TypeAlias = Callable[[Sequence[float]], list[float]]
"""What a user changed: from weights to weights."""


class RangeEditor(ui.element, component="range_editor.js"):
    """A grid of hand classes to paint on, with sliders and a popup for suits.

    Args:
        label: What range that is, for those who cannot see it.
        weights: 1,326 weights in the order of `poker.combo_name`.
        ranking: The 169 classes, best first, as places in the grid.
        on_painted: Called after every change by the user: with the new weights, and with the
            change itself, which can be made to other weights.
    """

    def __init__(
        self,
        label: str,
        weights: Sequence[float],
        ranking: Sequence[int],
        on_painted: Callable[[list[float], Change], Any],
    ) -> None:
        super().__init__()
        self._turn, self._weights = 0, list(weights)
        self._props["label"] = label
        self._props["ranking"] = list(ranking)
        self._props["given"] = {"turn": 0, "weights": list(weights)}

        async def painted(event: GenericEventArguments) -> None:
            event_data = event.args
            try:
                combos = {int(combo): float(weight) for combo, weight in event_data["changed"]}
                weights = [float(weight) for weight in event_data["weights"]]
                is_sound = _are_weights(weights, combos)
            except (KeyError, TypeError, ValueError):
                is_sound = False
            if not is_sound:
                self.show(self._weights)
                raise ConfigError("these are no weights of a range", option="weights")
            change = partial(changed, painted=combos, inverted=bool(event_data["inverted"]))
            if event_data["turn"] != self._turn:  # painted on weights that have been replaced
                weights = change(self._weights)
                self.show(weights)
            self._weights = weights
            result = on_painted(weights, change)
            if result is not None:
                await result

        self.on("painted", painted)

    def show(self, weights: Sequence[float]) -> None:
        """Replace what is painted."""
        self._turn, self._weights = self._turn + 1, list(weights)
        self._props["given"] = {"turn": self._turn, "weights": list(weights)}


def _are_weights(weights: Sequence[float], painted: Mapping[int, float]) -> bool:
    """Whether these are weights of a range: one for each combo, from 0 to 1, and no NaN."""
    return (
        len(weights) == NUM_COMBOS
        and all(0 <= combo < NUM_COMBOS for combo in painted)
        and all(0.0 <= weight <= 1.0 for weight in (*weights, *painted.values()))
    )


def changed(weights: Sequence[float], painted: Mapping[int, float], inverted: bool) -> list[float]:
    """Weights after a change: those painted are replaced, then all are inverted, if asked for."""
    painted_weights = [painted.get(combo, weight) for combo, weight in enumerate(weights)]
    return [round(1.0 - weight, 6) for weight in painted_weights] if inverted else painted_weights
