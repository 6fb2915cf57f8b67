"""The dialog of stored ranges: presets, the user's own, and texts for other programs."""

from __future__ import annotations

import asyncio
from functools import partial

from nicegui import ui

from equilibrist.errors import EquilibristError
from equilibrist.web.components.file_button import FileButton
from equilibrist.web.components.text_field import TextField
from equilibrist.web.documents.ranges import dialects, presets, range_texts, read_range
from equilibrist.web.pages.layout.buttons import Button
from equilibrist.web.pages.layout.dialogs import confirmed
from equilibrist.web.pages.layout.text import Text, heading, paragraph
from equilibrist.web.pages.setup.state import Setup


class RangeDialog:
    """The dialog for one player's range.

    Args:
        setup: The form.
        seat: Whose range it is: oop or ip.
        label: What that player is called.
    """

    def __init__(self, setup: Setup, seat: str, label: str) -> None:
        self._setup, self._seat, self._label = setup, seat, label
        self._dialect = "gto+"
        self._dialog = ui.dialog()
        with self._dialog, ui.card().classes("su-dialog") as card:
            card.props["aria-label"] = f"Ranges: {label.lower()}"
            self._body = ui.element("div").classes("eq-stack")

    def open(self) -> None:
        """Show it, with what is stored now."""
        self._fill()
        self._dialog.open()

    def _fill(self) -> None:
        self._body.clear()
        with self._body:
            with ui.element("div").classes("eq-row"):
                heading(f"Ranges: {self._label.lower()}", 2).classes("eq-grow")
                Button("Close", self._dialog.close)
            self._own()
            self._presets()
            self._other_programs()

    def _presets(self) -> None:
        heading("Presets", 3)
        paragraph("Example opening ranges by position, made by one rule. They are not advice.")
        with ui.element("div").classes("eq-row"):
            for one in presets():
                text = f"{one['name']} · {one['combos']:g}"
                button = Button(text, partial(self._use, one["name"]))
                button.props["title"] = f"{one['rule']}: {one['range']}"

    def _own(self) -> None:
        services, may = self._setup.visit.services, self._setup.visit.is_owner
        heading("Your ranges", 3)
        names = services.ranges.all()
        if not names:
            paragraph("No ranges saved yet.").classes("eq-muted")
        folder = None
        with ui.element("ul").classes("su-lines"):
            for name, text in names.items():
                group = name.rpartition("/")[0]
                if group != folder:
                    folder = group
                    if group:
                        self._folder(group)
                with ui.element("li"):
                    use = Button(name, partial(self._use, text)).classes("eq-grow")
                    use.style("text-align: left").props["title"] = text[:300]
                    if may:
                        Button("Rename", partial(self._rename, name), name=f"Rename {name}")
                        Button("Delete", partial(self._delete, name), name=f"Delete {name}")
        if not may:
            return
        with ui.element("div").classes("eq-row"):
            field = TextField("Name", "", lambda _text: None, placeholder="BTN/open")
            Button("Save this range", lambda: self._save(field.text))
            FileButton("Import a file", ".json", self._import)
            ui.link("Export all", "/api/ranges/file").props("download")

    def _folder(self, name: str) -> None:
        """A folder, which is renamed and deleted with all that is in it."""
        with ui.element("li"):
            Text("span", f"{name}/").classes("eq-grow eq-muted")
            if self._setup.visit.is_owner:
                for what, action in (("Rename", self._rename), ("Delete", self._delete)):
                    button = Button(what, partial(action, name), name=f"{what} the folder {name}")
                    button.classes("eq-small")

    def _other_programs(self) -> None:
        heading("For other programs", 3)
        with ui.element("div").classes("eq-row"):
            for name in dialects():
                button = Button(name, partial(self._choose, name))
                button.props["aria-pressed"] = "true" if name == self._dialect else "false"
        try:
            text = range_texts(read_range(self._setup.form[self._seat]), self._dialect)["text"]
        except EquilibristError as error:
            Text("p", str(error).splitlines()[0]).classes("eq-error")
            text = ""
        field = TextField(f"The range for {self._dialect}", text, lambda _text: None, lines=3)
        with ui.element("div").classes("eq-row"):
            Button("Copy", lambda: self._copy(field.text))
            Button(
                "Use this text",
                lambda: self._read(field),
                name=f"Use this text, read as {self._dialect}",
            )

    def _choose(self, dialect: str) -> None:
        self._dialect = dialect
        self._fill()

    def _copy(self, text: str) -> None:
        ui.clipboard.write(text)
        ui.notify("Copied")

    async def _read(self, field: TextField) -> None:
        """Take the text, in the dialect that is chosen."""
        try:
            found = read_range(field.text, self._dialect)
        except EquilibristError as error:
            field.show_error(str(error))
            return
        await self._use(str(found))

    async def _use(self, text: str) -> None:
        self._dialog.close()
        self._setup.form[self._seat] = str(read_range(text))
        await self._setup.replace(dict(self._setup.form))

    async def _save(self, name: str) -> None:
        visit = self._setup.visit
        visit.check_owner("store ranges")
        given = read_range(self._setup.form[self._seat])
        kept = await asyncio.to_thread(visit.services.ranges.put, name, given)
        ui.notify(f"Saved as {kept}")
        self._fill()

    async def _rename(self, name: str) -> None:
        visit = self._setup.visit
        new = await confirmed(f"Rename {name}", "Rename", text=name)
        if new:
            visit.check_owner("rename ranges")
            await asyncio.to_thread(visit.services.ranges.rename, name, str(new))
            self._fill()

    async def _delete(self, name: str) -> None:
        visit = self._setup.visit
        count = sum(one.startswith(f"{name}/") for one in visit.services.ranges.all())
        what = f"the folder {name} with {count} ranges" if count else f"the range {name}"
        if await confirmed(f"Delete {what}?", "Delete"):
            visit.check_owner("delete ranges")
            await asyncio.to_thread(visit.services.ranges.delete, name)
            self._fill()

    async def _import(self, text: str) -> None:
        visit = self._setup.visit
        visit.check_owner("store ranges")
        names = await asyncio.to_thread(visit.services.ranges.add_file, text.encode())
        ui.notify(f"{len(names)} ranges imported")
        self._fill()
