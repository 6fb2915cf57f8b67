"""What solving takes, how it is done, and the button that starts it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import partial

from nicegui import ui

from equilibrist.formatting.amounts import bytes_text
from equilibrist.web.answers.holdem import ReducedSpot, SpotEstimate
from equilibrist.web.documents.jobs import new_job
from equilibrist.web.documents.orders import SpotInput
from equilibrist.web.documents.setup import run_options
from equilibrist.web.pages.layout.buttons import Button, SingleStart
from equilibrist.web.pages.layout.text import Text, heading, paragraph, rough_time
from equilibrist.web.pages.setup.fields import form_choice, form_field
from equilibrist.web.pages.setup.state import Needs, Setup

_STORAGES = {
    "float32": "float32",
    "int16": "16 bits: half the memory",
    "float64": "float64: twice the memory",
}
_TARGET = (
    "Stop at this exploitability: what best responses to both strategies gain on average. 0.3% of "
    "the pot, or 0.5c in chips"
)


class SolvePanel:
    """The panel of the run.

    Args:
        setup: The form.
    """

    def __init__(self, setup: Setup) -> None:
        self._setup, self._start_of_job = setup, SingleStart()
        self._changes: _Changes | None = None
        with ui.element("section").classes("eq-panel eq-stack") as panel:
            panel.props["aria-label"] = "Solve"
            heading("Solve", 2)
            with ui.element("div").classes("su-fields"):
                form_field(setup, "target", "Target", placeholder="0.3%", hint=_TARGET)
                form_field(setup, "iterations", "Max iterations", mode="numeric")
                form_field(setup, "seconds", "Max time", placeholder="10m")
                form_field(setup, "threads", "Threads", mode="numeric", placeholder="all")
            form_choice(setup, "storage", "Storage", _STORAGES)
            form_field(setup, "algorithm", "Algorithm", placeholder="dcfr(alpha=1.4, ...)")
            self._facts = (
                ui.element("div").classes("su-estimate eq-stack").props('aria-live="polite"')
            )
            if setup.visit.is_owner:
                self._solve = Button("Solve", self._start, is_main=True)
            else:
                paragraph("Guests may set up a spot; only the owner may solve it.")
        setup.on_needs.append(self._show)
        setup.on_checked.append(lambda _checked: self._show(self._setup.needs))
        self._show(setup.needs)

    def _show(self, needs: Needs) -> None:
        errors = self._setup.checked.errors
        if not errors and self._changes is not None and self._changes.is_about(needs):
            self._changes.show(needs)
            return
        self._facts.clear()
        self._changes = None
        with self._facts:
            if errors:
                count = "1 field needs" if len(errors) == 1 else f"{len(errors)} fields need"
                paragraph(f"{count} a correction first.").classes("eq-error")
            elif needs.document is not None:
                self._estimate(needs.document)
                if not needs.document["fits"]:
                    self._fitting(needs)
            elif needs.error:
                paragraph(needs.error).classes("eq-error")
            else:
                paragraph("Estimating ...").classes("eq-muted")

    def _estimate(self, estimate: SpotEstimate) -> None:
        memory = estimate["memory_bytes"]
        with ui.element("dl").classes("su-facts"):
            _fact("Memory", f"{bytes_text(memory['float32'])} in float32, "
                  f"{bytes_text(memory['int16'])} in 16 bits")  # fmt: skip
            _fact("Time", f"{rough_time(estimate['seconds'])} to {estimate['target']}")
            _fact("Hands", f"{estimate['hands'][0]:,} and {estimate['hands'][1]:,}")
            _fact("Decisions", f"{estimate['action_nodes']:,}")

    def _fitting(self, needs: Needs) -> None:
        """Find what makes the spot fit; the page has room for it below."""
        assert needs.document is not None
        limit = bytes_text(needs.document["limit_bytes"])
        paragraph(
            f"This does not fit into {limit}, the memory limit of all solves together."
        ).classes("eq-error")
        self._changes = _Changes(needs.document, self._reduce)
        self._changes.show(needs)

    async def _reduce(self, reduction: ReducedSpot) -> None:
        await self._setup.change_spot(reduction["keys"], storage=reduction["storage"])

    async def _start(self) -> None:
        """Start the job, once, however often the button is clicked meanwhile."""
        self._setup.visit.check_owner("solve")
        await self._start_of_job.run(self._started)

    async def _started(self) -> None:
        setup, services = self._setup, self._setup.visit.services
        checked = await setup.current()
        if checked.spot is None or checked.errors:
            raise setup.incomplete(checked)
        spot, options = SpotInput(toml=checked.spot.to_toml()), run_options(setup.form)
        job, source = await services.work.run(new_job, services, spot=spot, options=options)
        services.jobs.add(job, source)
        ui.navigate.to(f"/runs/{job.id}")


class _Changes:
    """Buttons of what makes a spot fit, one by one as they are found.

    Those that are there stay: a click on one that is replaced at that moment would be lost.
    """

    def __init__(
        self, document: SpotEstimate, take: Callable[[ReducedSpot], Awaitable[None]]
    ) -> None:
        self._document, self._take, self._count = document, take, 0
        self._buttons = ui.element("div").classes("eq-stack")
        self._below = ui.element("div")

    def is_about(self, needs: Needs) -> bool:
        """Whether these are changes of the same estimate."""
        return needs.document is self._document

    def show(self, needs: Needs) -> None:
        """Add what was found since, and say how the search goes."""
        with self._buttons:
            for reduction in needs.fitting[self._count :]:
                text = f"{', '.join(reduction['changes'])}: {bytes_text(reduction['num_bytes'])}"
                Button(text, partial(self._take, reduction)).style("text-align: left")
        self._count = len(needs.fitting)
        self._below.clear()
        with self._below:
            if needs.error:
                paragraph(needs.error).classes("eq-error")
            elif needs.is_sought:
                paragraph("Looking for changes that make it fit ...").classes("eq-muted")
            elif not needs.fitting:
                paragraph("Use fewer sizes, a raise cap, or smaller ranges.")


def _fact(name: str, value: str) -> None:
    Text("dt", name)
    Text("dd", value)
