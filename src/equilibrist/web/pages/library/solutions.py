"""The table of solutions, with what can be done with each."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import Final
from urllib.parse import quote

from nicegui import ui

from equilibrist.formatting.amounts import bytes_text
from equilibrist.library.kinds import SAVED
from equilibrist.library.listing import Entry
from equilibrist.library.names import is_name
from equilibrist.storage.kinds.file_kinds import SPOT_SOLUTION
from equilibrist.web.documents.library import delete_solution, measured, rename_solution
from equilibrist.web.documents.listing import entry_document
from equilibrist.web.documents.solutions import run_document
from equilibrist.web.documents.sources import solution_page
from equilibrist.web.pages.layout.buttons import Button
from equilibrist.web.pages.layout.dialogs import confirmed
from equilibrist.web.pages.layout.frame import Visit
from equilibrist.web.pages.layout.text import Text, paragraph, scrolled
from equilibrist.web.store.library import GIVEN

_HEADS: Final = ("Name", "Game or spot", "Algorithm", "Iterations", "Measured", "Saved", "Size", "")
_RIGHT: Final = frozenset({"Iterations", "Size"})


class SolutionsTable:
    """The solutions of the library.

    Args:
        visit: Who looks.
        entries: What is there now.
    """

    def __init__(self, visit: Visit, entries: list[Entry]) -> None:
        self._visit = visit
        self._body = ui.element("div")
        self._shown = self._seen()
        self._show(entries)

    async def follow(self) -> None:
        """Show it again if a file has come, changed or gone."""
        seen = self._seen()
        if seen != self._shown:
            self._shown = seen
            self._show(await asyncio.to_thread(self._visit.services.library.entries))

    def _show(self, entries: list[Entry]) -> None:
        self._body.clear()
        with self._body:
            if not entries:
                paragraph("No solutions yet.").classes("eq-muted")
                return
            with (
                scrolled("Solutions"),
                ui.element("table").classes("eq-table li-table li-solutions"),
            ):
                with ui.element("thead"), ui.element("tr"):
                    for head in _HEADS:
                        Text("th", head).props("scope=col").classes(
                            "eq-right" if head in _RIGHT else ""
                        )
                with ui.element("tbody"):
                    for entry in entries:
                        self._row(entry)

    def _seen(self) -> object:
        """Names, times and sizes of the files, which tell changes without opening them."""
        files = []
        for path in self._visit.services.library.folder.glob("*"):
            try:
                status = path.stat()
            except OSError:
                continue
            files.append((path.name, status.st_mtime_ns, status.st_size))
        return sorted(files)

    def _row(self, entry: Entry) -> None:
        address = _address(entry)
        with ui.element("tr"):
            with ui.element("td"):
                if address is None:
                    Text("span", entry.name)
                else:
                    ui.link(entry.name, address)
            title = entry_document(entry, self._visit.services)["title"]["text"]
            Text("td", "(damaged)" if entry.kind is None else title)
            Text("td", entry.algorithm or "")
            with ui.element("td").classes("eq-right"):
                Text("span", "" if entry.iterations is None else f"{entry.iterations:,}")
                run = run_document(entry.name, self._visit.services.jobs)
                if run is not None:
                    Text("div", f"run is {run['state']}").classes("eq-muted eq-small")
            Text("td", measured(entry))
            Text("td", f"{entry.saved:%Y-%m-%d %H:%M}").classes("li-date")
            Text("td", bytes_text(entry.num_bytes)).classes("eq-right li-date")
            with ui.element("td"), ui.element("div").classes("eq-row ru-actions"):
                self._actions(entry)

    def _actions(self, entry: Entry) -> None:
        name, quoted = entry.name, quote(entry.name)
        if entry.kind in SAVED:
            self._link("Play", f"/play/{quoted}", name)
        if entry.kind == SPOT_SOLUTION:
            self._link("Edit the spot", f"/spot?solution={quoted}", name)
        self._link("Download", f"/api/solutions/{quoted}/file", name).props("download")
        if self._visit.is_owner and not is_name(name) and name != GIVEN:
            Button("Rename", partial(self._rename, name), name=f"Rename {name}")
            Button("Delete", partial(self._delete, name), name=f"Delete {name}")

    @staticmethod
    def _link(what: str, address: str, name: str) -> ui.link:
        link = ui.link(what, address).classes("eq-small")
        link.props["aria-label"] = f"{what} {name}"
        return link

    async def _rename(self, name: str) -> None:
        new = await confirmed(f"Rename {name}", "Rename", text=name)
        if new and new != name:
            self._visit.check_owner("rename solutions")
            rename_solution(self._visit.services, name, new.strip())
            await self.follow()

    async def _delete(self, name: str) -> None:
        note = "Its file is removed from the library. This cannot be undone."
        if await confirmed(f"Delete the solution {name}?", "Delete", note=note):
            self._visit.check_owner("delete solutions")
            delete_solution(self._visit.services, name)
            await self.follow()


def _address(entry: Entry) -> str | None:
    """Where a solution is looked up; None for a damaged file."""
    if entry.kind is None:
        return None
    return solution_page(entry.name, entry.kind)
