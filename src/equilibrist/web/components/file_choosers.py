"""A button for a small text file."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from nicegui import ui
from nicegui.events import GenericEventArguments

from equilibrist.web.errors import TooLargeError

_MOST: Final = 500_000


class FileButton(ui.element, component="file_button.js"):
    """Lets the user choose a file, whose text is read in the browser.

    Args:
        label: What the button says.
        accept: The endings of files that are offered, such as `.toml`.
        on_read: Called with the text.
    """

    def __init__(self, label: str, accept: str, on_read: Callable[[str], Any]) -> None:
        super().__init__()
        self._props["label"], self._props["accept"] = label, accept
        self._props["most"] = _MOST

        async def read(event: GenericEventArguments) -> None:
            text = event.args["text"]
            if text is None or len(str(text)) > _MOST:  # a browser may not be one of ours
                raise TooLargeError(
                    f"the file has more than {_MOST:,} bytes",
                    option="size",
                    given=event.args["size"],
                    expected=_MOST,
                )
            result = on_read(str(text))
            if result is not None:
                await result

        self.on("read", read)
