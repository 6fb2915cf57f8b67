"""Plain buttons."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

from nicegui.elements.mixins.text_element import TextElement


class Button(TextElement):
    """A button of HTML.

    Args:
        text: What it says.
        on_click: Called when it is clicked, or Enter is pressed on it; may be asynchronous.
        name: What readers of the screen call it, where that is not its text.
        is_main: Whether it is the one that most visitors look for.
    """

    def __init__(
        self,
        text: str,
        on_click: Callable[[], Any],
        *,
        name: str | None = None,
        is_main: bool = False,
    ) -> None:
        super().__init__(tag="button", text=text)
        self._props["type"] = "button"
        self.classes("eq-button" + (" eq-primary" if is_main else ""))
        if name is not None:
            self._props["aria-label"] = name
            self._props["title"] = name

        async def clicked() -> None:
            result = on_click()
            if inspect.iscoroutine(result):  # a dialog can be awaited, too, which opens it
                await result

        self.on("click", clicked, [])

    def enable(self, is_enabled: bool) -> None:
        """Take clicks, or not."""
        if is_enabled:
            self._props.pop("disabled", None)
        else:
            self._props["disabled"] = True
