"""Plain buttons, and what is started once by them."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Awaitable, Callable
from typing import Any, Final

from nicegui.elements.mixins.text_element import TextElement

_LEAVING: Final = 5.0
"""Seconds within which a page is left for the one to which a start leads."""


class SingleStart:
    """A start that leads to another page: once, however often its button is clicked meanwhile.

    The second click of a double one may arrive when the first has done its work, and the page is
    only about to be left.
    """

    def __init__(self) -> None:
        self._is_under_way = False

    async def run(self, start: Callable[[], Awaitable[None]]) -> None:
        """Start, unless it is under way or has just been done; what fails may be tried again.

        Args:
            start: Does it.
        """
        if self._is_under_way:
            return
        self._is_under_way = True
        try:
            await start()
        except BaseException:
            self._is_under_way = False
            raise
        asyncio.get_running_loop().call_later(_LEAVING, self._allow)

    def _allow(self) -> None:
        self._is_under_way = False


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
