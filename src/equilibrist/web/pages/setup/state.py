"""What a visitor sets up: the form, what it describes, and the panels that show both."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from nicegui import Client, ui

from equilibrist.errors import EquilibristError
from equilibrist.web.documents.estimates import estimated, reductions
from equilibrist.web.documents.setup import Checked, Form, check_form, form_of, run_options
from equilibrist.web.pages.layout.frame import Visit

_PAUSE: Final = 0.15
"""Seconds without another change before the form is checked."""


@dataclass
class Needs:
    """What the spot needs.

    Attributes:
        document: The estimate; None until it is known.
        fitting: What makes it fit; None until that is known, or where it fits.
        error: Why there is no estimate.
    """

    document: dict[str, Any] | None = None
    fitting: list[dict[str, Any]] | None = None
    error: str = ""


@dataclass
class Setup:
    """The form of a page, checked in a thread after every change.

    Attributes:
        visit: Who sets it up.
        browser: The name of the browser, under which the draft is kept.
        form: What has been typed.
        checked: What it describes.
        needs: What that needs.
        on_checked: Called after every check.
        on_replaced: Called when the whole form has been replaced.
        on_needs: Called when an estimate is there.
        client: The page.
    """

    visit: Visit
    browser: str
    form: Form
    checked: Checked
    needs: Needs = field(default_factory=Needs)
    on_checked: list[Callable[[Checked], Any]] = field(default_factory=list)
    on_replaced: list[Callable[[], Any]] = field(default_factory=list)
    on_needs: list[Callable[[Needs], Any]] = field(default_factory=list)
    client: Client = field(default_factory=lambda: ui.context.client)
    _turn: int = 0

    async def change(self, **values: Any) -> None:
        """Take new values of fields, keep them, and check the form."""
        self.form.update(values)
        await self.check()

    async def change_spot(self, keys: Mapping[str, Any], **fields: Any) -> None:
        """Change keys of the spot, as a reduction does; the fields follow."""
        if self.checked.spot is not None:
            spot = self.checked.spot.replace(**keys)
            await self.replace({**form_of(spot, run_options(self.form)), **fields})

    async def replace(self, form: Form) -> None:
        """Take another form, show it in all fields, and check it."""
        self.form.clear()
        self.form.update(form)
        for tell in self.on_replaced:
            tell()
        await self.check()

    async def check(self) -> None:
        """Keep the draft, read the form, and estimate; a later change ends an earlier check."""
        self._turn += 1
        turn = self._turn
        await asyncio.to_thread(self.visit.services.drafts.put, self.browser, dict(self.form))
        await asyncio.sleep(_PAUSE)
        if turn != self._turn:
            return
        checked = await asyncio.to_thread(check_form, dict(self.form))
        if turn != self._turn or checked is None:
            return
        self.checked = checked
        for tell in self.on_checked:
            tell(checked)
        await self._estimate(turn)

    async def _estimate(self, turn: int) -> None:
        spot, options = self.checked.spot, run_options(self.form)
        memory = self.visit.services.jobs.memory
        needs = Needs()
        if spot is not None:
            try:
                needs.document = await asyncio.to_thread(estimated, spot, options, memory)
            except EquilibristError as error:
                needs.error = str(error).splitlines()[0]
        self._show(turn, needs)
        if spot is None or needs.document is None or needs.document["fits"]:
            return

        def is_wanted() -> bool:
            return turn == self._turn

        fitting = await asyncio.to_thread(reductions, spot, options, memory, is_wanted)
        self._show(turn, Needs(needs.document, fitting))

    def _show(self, turn: int, needs: Needs) -> None:
        if turn == self._turn:
            self.needs = needs
            for tell in self.on_needs:
                tell(needs)
