"""What a visitor sets up: the form, what it describes, and the panels that show both."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import aclosing
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from nicegui import Client, ui

from equilibrist.errors import EquilibristError, OutputError
from equilibrist.web.answers.holdem import ReducedSpot, SpotEstimate
from equilibrist.web.documents.estimates import estimated, fitting
from equilibrist.web.documents.setup import (
    Checked,
    Form,
    check_form,
    fault_of,
    form_of,
    run_options,
)
from equilibrist.web.errors import LimitError, WebError
from equilibrist.web.pages.layout.frame import Visit
from equilibrist.web.pages.layout.notices import show_error

if TYPE_CHECKING:
    from equilibrist.poker.postflop.spot.spot import Spot

_MOST: Final = 8
"""Changes that are shown where a spot does not fit."""
_PAUSE: Final = 0.15
"""Seconds without another change before the form is checked."""


@dataclass
class Needs:
    """What the spot needs.

    Attributes:
        document: The estimate; None until it is known.
        fitting: What makes it fit, as far as that is known.
        error: Why there is no estimate, or nothing that makes it fit.
        is_sought: Whether more that makes it fit is being looked for.
    """

    document: SpotEstimate | None = None
    fitting: list[ReducedSpot] = field(default_factory=list)
    error: str = ""
    is_sought: bool = True


@dataclass
class Setup:
    """The form of a page, checked in a thread after every change.

    Attributes:
        visit: Who sets it up.
        browser: The name of the browser.
        tab: The name of its tab, under which the draft is kept.
        form: What has been typed.
        checked: What it describes.
        needs: What that needs.
        on_checked: Called after every check.
        on_replaced: Called when values came from elsewhere than their fields.
        on_needs: Called when an estimate is there.
        client: The page.
        version: How often each field was given a value, the same one included.
    """

    visit: Visit
    browser: str
    tab: str
    form: Form
    checked: Checked
    needs: Needs = field(default_factory=Needs)
    on_checked: list[Callable[[Checked], Any]] = field(default_factory=list)
    on_replaced: list[Callable[[], Any]] = field(default_factory=list)
    on_needs: list[Callable[[Needs], Any]] = field(default_factory=list)
    client: Client = field(default_factory=lambda: ui.context.client)
    version: Counter[str] = field(default_factory=Counter)
    _turn: int = 0
    _is_unkept: bool = False
    _counting: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def change(self, **values: Any) -> None:
        """Take new values of fields, keep them, and check the form."""
        self.take(**values)
        await self.check()

    def take(self, **values: Any) -> None:
        """Take new values of fields; `check` is to follow."""
        self.form.update(values)
        self.version.update(values.keys())

    async def change_spot(self, keys: Mapping[str, Any], **fields: Any) -> None:
        """Change keys of the spot, as a reduction does; the fields follow."""
        checked = await self.current()
        if checked.spot is None:
            self._take_check(checked)
        else:
            spot = checked.spot.replace(**keys)
            await self.replace({**form_of(spot, run_options(self.form)), **fields})

    async def current(self) -> Checked:
        """Check the form as it is now; `checked` may be of an older one.

        Raises:
            LimitError: The server is too busy to say.
        """
        async with self._counting:
            form: Form | None = None
            while form != self.form:  # it may change during a check, too
                form = dict(self.form)
                checked = await self.visit.services.work.run(check_form, form)
        return checked

    async def spot(self) -> Spot:
        """The spot that the form describes now.

        Raises:
            LimitError: The server is too busy to say.
            WebError: The form describes none. Its errors are shown at their fields.
        """
        checked = await self.current()
        if checked.spot is None:
            raise self.incomplete(checked)
        return checked.spot

    def incomplete(self, checked: Checked) -> WebError:
        """The error of a form that describes no spot; what is wrong is shown at its fields."""
        self._take_check(checked)
        return WebError(
            "the spot is not complete", option="spot", remedy="correct the marked fields"
        )

    async def replace(self, form: Form) -> None:
        """Take another form, show it in all fields, and check it."""
        self.form.clear()
        await self.put(**form)

    async def put(self, **values: Any) -> None:
        """Take values that come from elsewhere, show them in their fields, and check the form."""
        self.take(**values)
        for tell in self.on_replaced:
            tell()
        await self.check()

    async def check(self) -> None:
        """Keep the draft, read the form, and estimate; a later change ends an earlier check."""
        self._turn += 1
        turn = self._turn
        drafts, draft = self.visit.services.drafts, dict(self.form)
        drafts.hold(self.browser, self.tab, draft)
        if self.visit.is_owner:  # guests could fill the folder, and push out the owner's
            await self._keep(draft)
        await asyncio.sleep(_PAUSE)
        async with self._counting:  # one thread of a page at a time
            if turn != self._turn:
                return
            checked = await self._checked_form()
        if turn != self._turn:
            return
        self._take_check(checked)
        await self._estimate(turn)

    def _take_check(self, checked: Checked) -> None:
        self.checked = checked
        for tell in self.on_checked:
            tell(checked)

    async def _keep(self, draft: Form) -> None:
        """Write the draft; where that fails it is at hand until the server ends, which is told."""
        try:
            await asyncio.to_thread(self.visit.services.drafts.put, self.browser, self.tab, draft)
        except OutputError as error:
            if not self._is_unkept:
                show_error(error.with_outcome("what is typed is lost when the server ends"))
            self._is_unkept = True
        else:
            self._is_unkept = False

    async def _checked_form(self) -> Checked:
        """Check the form; where the server is too busy to do so, that is its error."""
        try:
            return await self.visit.services.work.run(check_form, dict(self.form))
        except LimitError as error:
            return Checked(None, {"": fault_of(error)})

    async def _estimate(self, turn: int) -> None:
        spot, options = self.checked.spot, run_options(self.form)
        memory = self.visit.services.jobs.memory
        needs = Needs()
        if spot is not None:
            try:
                async with self._counting:
                    if not self._is_wanted(turn):
                        return
                    work = self.visit.services.work
                    needs.document = await work.run(estimated, spot, options, memory)
            except EquilibristError as error:
                needs.error = str(error).splitlines()[0]
        self._show(turn, needs)
        if spot is None or needs.document is None or needs.document["fits"]:
            return

        reductions: list[ReducedSpot] = []
        try:
            async with aclosing(fitting(spot, needs.document)) as search:
                async for reduction in search:
                    if not self._is_wanted(turn) or len(reductions) >= _MOST:
                        break
                    reductions.append(reduction)
                    self._show(turn, Needs(needs.document, list(reductions)))
        except EquilibristError as error:
            self._show(turn, Needs(needs.document, reductions, str(error)))
            return
        self._show(turn, Needs(needs.document, reductions, is_sought=False))

    def _is_wanted(self, turn: int) -> bool:
        """Whether nothing has changed since, and the page is still open."""
        return turn == self._turn and self.client.id in Client.instances

    def _show(self, turn: int, needs: Needs) -> None:
        if self._is_wanted(turn):
            self.needs = needs
            for tell in self.on_needs:
                tell(needs)
