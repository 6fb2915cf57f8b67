"""Lines of a form under a heading, each with a button that deletes it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from nicegui import ui

from equilibrist.web.pages.layout.buttons import Button
from equilibrist.web.pages.layout.text import Text, heading


class LineList:
    """A list that is hidden while it has neither lines nor an error.

    A line keeps its elements as long as it is there, so that a click on its button is not lost
    while another line is deleted.

    Args:
        title: The heading.
        name: From a line, what readers of the screen call its button.
        delete: Called with the line whose button is clicked; may be asynchronous.
    """

    def __init__(
        self, title: str, name: Callable[[str], str], delete: Callable[[str], Any]
    ) -> None:
        self._name, self._delete = name, delete
        self._rows: dict[str, ui.element] = {}
        with ui.element("div").classes("eq-stack") as self._box:
            heading(title, 3)
            self._error = Text("p", "").classes("eq-error").props('role="alert"')
            self._list = ui.element("ul").classes("su-lines")

    def show(self, lines: Sequence[str], error: str) -> None:
        """Show lines; what is equal in two of them is shown once."""
        self._box.set_visibility(bool(lines or error))
        self._error.set_text(error)
        self._error.set_visibility(bool(error))
        for line in self._rows.keys() - set(lines):
            self._rows.pop(line).delete()
        wanted = list(dict.fromkeys(lines))
        with self._list:
            for line in wanted:
                if line not in self._rows:
                    self._rows[line] = self._row(line)
        if list(self._rows) != wanted:
            self._rows = {line: self._rows[line] for line in wanted}
            for place, row in enumerate(self._rows.values()):
                row.move(target_index=place)

    def _row(self, line: str) -> ui.element:
        with ui.element("li") as row:
            Text("code", line)
            Button("Delete", partial(self._delete, line), name=self._name(line))
        return row
