"""A zone for files that go to the API's uploads."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping

from nicegui import ui


class UploadZone(ui.element, component="upload_zone.js"):
    """Uploads what is dropped on it or chosen.

    Args:
        what: Which files are taken, in words.
        accept: Their endings.
        most: The most bytes of a file by its ending; "" stands for all other endings.
        on_uploaded: Called when one is kept.
    """

    def __init__(
        self,
        what: str,
        accept: str,
        most: Mapping[str, int],
        on_uploaded: Callable[[], Awaitable[None]],
    ) -> None:
        super().__init__()
        self._props["what"], self._props["accept"], self._props["most"] = what, accept, dict(most)

        async def uploaded() -> None:
            await on_uploaded()

        self.on("uploaded", uploaded, [])
