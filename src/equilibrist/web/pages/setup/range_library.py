"""The dialog of stored ranges: presets, the user's own, and texts for other programs."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from functools import partial
from typing import Any

from nicegui import ui

from equilibrist.errors import EquilibristError
from equilibrist.formatting.amounts import counted
from equilibrist.web.components.file_choosers import FileButton
from equilibrist.web.components.range_list import RangeList
from equilibrist.web.components.text_field import TextField
from equilibrist.web.documents.ranges import (
    dialects,
    presets,
    range_items,
    range_texts,
    read_range,
)
from equilibrist.web.pages.layout.buttons import Button
from equilibrist.web.pages.layout.dialogs import confirmed
from equilibrist.web.pages.layout.text import heading, paragraph
from equilibrist.web.pages.setup.state import Setup
from equilibrist.web.store.ranges import unknown_range


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
        self._dialog.props["aria-label"] = f"Ranges: {label.lower()}"
        with self._dialog, ui.card().classes("su-dialog"):
            self._body = ui.element("div").classes("eq-stack")

    async def open(self) -> None:
        """Show it, with what is stored now."""
        ranges = self._setup.visit.services.ranges
        own = await asyncio.to_thread(lambda: range_items(ranges.all()))
        named = await asyncio.to_thread(_preset_items)
        self._body.clear()
        with self._body:
            with ui.element("div").classes("eq-row"):
                heading(f"Ranges: {self._label.lower()}", 2).classes("eq-grow")
                Button("Close", self._dialog.close)
            self._own(own)
            heading("Presets", 3)
            paragraph("Example opening ranges by position, made by one rule. They are not advice.")
            RangeList("Presets", named, self._use, tiles=True)
            self._other_programs()
        self._dialog.open()

    def _own(self, items: list[dict[str, str]]) -> None:
        is_owner = self._setup.visit.is_owner
        heading("Your ranges", 3)
        self._none = paragraph("No ranges saved yet.").classes("eq-muted")
        self._none.set_visibility(not items)
        actions: dict[str, Callable[..., Any]] = {
            "rename": self._rename,
            "remove": self._delete,
            "move": self._move,
        }
        self._list = RangeList(
            "Your ranges", items, self._use_own, actions=actions if is_owner else None
        )
        if not is_owner:
            return
        paragraph(
            "Drag a range or a folder onto a folder, or give it a new name with slashes: BTN/open."
        ).classes("eq-muted eq-small")
        with ui.element("div").classes("eq-row"):
            field = TextField("Name", "", lambda _text: None, placeholder="BTN/open")
            Button("Save this range", lambda: self._save(field.text))
            FileButton("Import a file", ".json", self._import)
            ui.link("Export all", "/api/ranges/file").props("download")

    async def _refresh(self) -> None:
        """Show what is stored now."""
        ranges = self._setup.visit.services.ranges
        items = await asyncio.to_thread(lambda: range_items(ranges.all()))
        self._none.set_visibility(not items)
        self._list.show(items)

    def _other_programs(self) -> None:
        heading("For other programs", 3)
        buttons: dict[str, Button] = {}
        with ui.element("div").classes("eq-row"):
            for name in dialects():
                buttons[name] = Button(name, partial(self._choose, name, buttons))
        self._text = TextField("Text", "", lambda _text: None, lines=3)
        with ui.element("div").classes("eq-row"):
            Button("Copy", lambda: self._copy(self._text.text))
            self._take = Button("Use this text", self._read)
        self._choose(self._dialect, buttons)

    def _choose(self, dialect: str, buttons: dict[str, Button]) -> None:
        """Show the range in a dialect."""
        self._dialect = dialect
        for name, button in buttons.items():
            button.props["aria-pressed"] = "true" if name == dialect else "false"
        self._text.props["label"] = f"The range for {dialect}"
        self._take.props["aria-label"] = f"Use this text, read as {dialect}"
        try:
            text = range_texts(read_range(self._setup.form[self._seat]), dialect)["text"]
        except EquilibristError as error:
            self._text.show_error(str(error).splitlines()[0])
            return
        self._text.show_error("")
        self._text.show(text)

    async def _copy(self, text: str) -> None:
        call = f"return window.equilibrist.copy({json.dumps(text)})"
        is_copied = await ui.run_javascript(call, timeout=5.0)
        ui.notify(
            "Copied"
            if is_copied
            else "The browser does not allow copying: select the text, and copy it by hand"
        )

    async def _read(self) -> None:
        """Take the text, in the dialect that is chosen."""
        try:
            hand_range = read_range(self._text.text, self._dialect)
        except EquilibristError as error:
            self._text.show_error(str(error))
            return
        await self._use(str(hand_range))

    async def _use_own(self, name: str) -> None:
        ranges = await asyncio.to_thread(self._setup.visit.services.ranges.all)
        if name not in ranges:
            raise unknown_range(name)
        await self._use(ranges[name])

    async def _use(self, text: str) -> None:
        self._dialog.close()
        await self._setup.put(**{self._seat: str(read_range(text))})

    async def _save(self, name: str) -> None:
        visit = self._setup.visit
        visit.check_owner("store ranges")
        hand_range = read_range(self._setup.form[self._seat])
        stored_name = await asyncio.to_thread(visit.services.ranges.put, name, hand_range)
        ui.notify(f"Saved as {stored_name}")
        await self._refresh()

    async def _rename(self, name: str) -> None:
        called = name.removesuffix("/")  # which a folder has
        new = await confirmed(f"Rename {called}", "Rename", text=called)
        if new:
            await self._move(name, str(new))

    async def _move(self, name: str, new: str) -> None:
        visit = self._setup.visit
        visit.check_owner("rename ranges")
        await asyncio.to_thread(visit.services.ranges.rename, name, new)
        await self._refresh()

    async def _delete(self, name: str) -> None:
        visit = self._setup.visit
        what = f"the range {name}"
        if name.endswith("/"):
            count = sum(stored.startswith(name) for stored in visit.services.ranges.all())
            what = f"the folder {name.removesuffix('/')} with {count} ranges"
        if await confirmed(f"Delete {what}?", "Delete"):
            visit.check_owner("delete ranges")
            await asyncio.to_thread(visit.services.ranges.delete, name)
            await self._refresh()

    async def _import(self, text: str) -> None:
        visit = self._setup.visit
        visit.check_owner("store ranges")
        names = await asyncio.to_thread(visit.services.ranges.add_file, text.encode())
        ui.notify(f"{counted(len(names), 'range')} imported")
        await self._refresh()


def _preset_items() -> list[dict[str, str]]:
    """The presets as a list shows them."""
    items = range_items({str(preset["name"]): str(preset["range"]) for preset in presets()})
    return [
        {
            **item,
            "note": f"{preset['combos']:g} combos",
            "title": f"{preset['rule']}: {item['title']}",
        }
        for item, preset in zip(items, presets(), strict=True)
    ]
