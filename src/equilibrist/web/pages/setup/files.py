"""Spot files of the form: import, export, setups that are kept, and starting afresh."""

from __future__ import annotations

import asyncio
from functools import partial

from nicegui import ui

from equilibrist.web.components.file_choosers import FileButton
from equilibrist.web.components.text_field import TextField
from equilibrist.web.documents.setup import blank_form, example_form
from equilibrist.web.documents.sources import form_of_text
from equilibrist.web.pages.layout.buttons import Button
from equilibrist.web.pages.layout.dialogs import confirmed
from equilibrist.web.pages.layout.text import heading, paragraph
from equilibrist.web.pages.setup.state import Setup


def files_row(setup: Setup) -> None:
    """The row of buttons for files."""

    async def take(text: str) -> None:
        await setup.replace(await setup.visit.services.work.run(form_of_text, text))
        ui.notify("The spot is imported")

    async def export() -> None:
        spot = await setup.spot()
        ui.download.content(spot.to_toml(), f"{spot.board}.toml", "application/toml")

    saved_setups = _SetupsDialog(setup)
    with ui.element("div").classes("eq-row"):
        FileButton("Import a spot file", ".toml", take)
        Button("Export a spot file", export)
        Button("Saved setups", saved_setups.open)
        Button("Example", lambda: setup.replace(example_form()))
        Button("Clear all", lambda: setup.replace(blank_form()))


class _SetupsDialog:
    """The setups that are kept by name."""

    def __init__(self, setup: Setup) -> None:
        self._setup = setup
        self._dialog = ui.dialog()
        self._dialog.props["aria-label"] = "Saved setups"
        with self._dialog, ui.card().classes("su-dialog"):
            self._body = ui.element("div").classes("eq-stack")

    def open(self) -> None:
        """Show it, with what is kept now."""
        self._fill()
        self._dialog.open()

    def _fill(self) -> None:
        self._body.clear()
        visit = self._setup.visit
        names = visit.services.setups.names()
        with self._body:
            with ui.element("div").classes("eq-row"):
                heading("Saved setups", 2).classes("eq-grow")
                Button("Close", self._dialog.close)
            if not names:
                paragraph("No setups saved yet.").classes("eq-muted")
            with ui.element("ul").classes("su-lines"):
                for name in names:
                    with ui.element("li"):
                        use = Button(name, partial(self._use, name)).classes("eq-grow")
                        use.style("text-align: left")
                        if visit.is_owner:
                            Button(
                                "Delete",
                                partial(self._delete, name),
                                name=f"Delete {name}",
                            )
            if visit.is_owner:
                with ui.element("div").classes("eq-row"):
                    field = TextField("Name", "", lambda _text: None, placeholder="BTN-BB-3bet")
                    Button("Save this setup", lambda: self._keep(field.text))

    async def _use(self, name: str) -> None:
        self._dialog.close()
        text = await asyncio.to_thread(self._setup.visit.services.setups.get, name)
        work = self._setup.visit.services.work
        await self._setup.replace(await work.run(form_of_text, text))

    async def _keep(self, name: str) -> None:
        visit = self._setup.visit
        visit.check_owner("save setups")
        spot = await self._setup.spot()
        await asyncio.to_thread(visit.services.setups.put, name.strip(), spot.to_toml())
        self._fill()

    async def _delete(self, name: str) -> None:
        visit = self._setup.visit
        if await confirmed(f"Delete the setup {name}?", "Delete"):
            visit.check_owner("delete setups")
            await asyncio.to_thread(visit.services.setups.delete, name)
            self._fill()
