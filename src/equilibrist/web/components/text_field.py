"""A labelled text field with its error below it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from nicegui import ui
from nicegui.events import GenericEventArguments

from equilibrist.web.errors import TooLargeError

_MOST: Final = 100_000
"""Characters of a field."""


class TextField(ui.element, component="text_field.js"):
    """A field whose text goes to Python after a pause in typing.

    Args:
        label: Its name.
        text: What is in it.
        on_typed: Called with the text after every change by the user.
        hides_label: Whether the name is for readers of the screen alone.
        on_entered: Called with the text when Enter is pressed in it.
        **props: hint, placeholder, suffix, lines, mode, disabled.
    """

    def __init__(
        self,
        label: str,
        text: str,
        on_typed: Callable[[str], Any],
        *,
        hides_label: bool = False,
        on_entered: Callable[[str], Any] | None = None,
        **props: Any,
    ) -> None:
        super().__init__()
        self.text, self._turn = text, 0
        self._is_refused = False
        self._props["label"] = label
        self._props["given"] = {"turn": 0, "text": text}
        self._props["hide-label"] = hides_label
        for name, value in props.items():
            self._props[name] = value

        async def typed(event: GenericEventArguments) -> None:
            self._is_refused = True
            self.text = text_of(event)
            self._is_refused = False
            if event.args["turn"] != self._turn:  # a text that was on its way replaced this one
                self._give()
            result = on_typed(self.text)
            if result is not None:
                await result

        async def entered(event: GenericEventArguments) -> None:
            self.text = text_of(event)
            result = None if on_entered is None else on_entered(self.text)
            if result is not None:
                await result

        self.on("typed", typed)
        if on_entered is not None:
            self.on("entered", entered)

    def show(self, text: str) -> None:
        """Replace the text."""
        if text != self.text or self._is_refused:  # a refused text stands in the field alone
            self.text, self._is_refused = text, False
            self._give()

    def _give(self) -> None:
        self._turn += 1
        self._props["given"] = {"turn": self._turn, "text": self.text}

    def show_error(self, error: str) -> None:
        """Show an error below the field; none if it is empty."""
        if self._props.get("error", "") != error:
            self._props["error"] = error

    def enable(self, is_enabled: bool) -> None:
        """Take text, or not."""
        if self._props.get("disabled", False) == is_enabled:
            self._props["disabled"] = not is_enabled


def text_of(event: GenericEventArguments) -> str:
    """Read the text of an event; raises TooLargeError for more than a page takes in."""
    text = str(event.args["text"])
    if len(text) > _MOST:
        raise TooLargeError(
            f"the text has {len(text):,} characters; expected at most {_MOST:,}",
            option="text",
            given=len(text),
            expected=_MOST,
        )
    return text
