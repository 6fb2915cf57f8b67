"""What can be done with a job, as far as the visitor may and its state allows."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Final

from nicegui import ui

from equilibrist.web.documents.jobs import continue_changes, job_source, stop_job
from equilibrist.web.errors import NotFoundError
from equilibrist.web.jobs.checkpoints import ENDED
from equilibrist.web.jobs.job import ACTIVE, Job
from equilibrist.web.pages.layout.dialogs import confirmed
from equilibrist.web.pages.layout.frame import Visit
from equilibrist.web.workers.order import saves

_RESUMABLE: Final = frozenset({"paused", "stopped", "interrupted", "failed"})


@dataclass(frozen=True)
class Actions:
    """The actions of a visitor on one job.

    Attributes:
        visit: Who acts.
        job: On what.
    """

    visit: Visit
    job: Job

    def offered(self) -> dict[str, Callable[[], Awaitable[None]]]:
        """The actions by what their buttons say."""
        job = self.job
        if not self.visit.is_owner or job.asked:
            return {}
        actions: dict[str, Callable[[], Awaitable[None]]] = {}
        if job.state == "running":
            if job.kind == "spot" or (job.kind == "game" and saves(job.options)):
                actions["Pause"] = self.pause
            actions["Stop"] = self.stop
            if saves(job.options) and (job.can_resume or job.progress is not None):
                actions["Save the solution so far"] = self.save
        if job.state == "queued":
            actions["Cancel"] = self.stop
        if job.state in _RESUMABLE:
            actions["Resume" if job.can_resume else "Start again"] = self.resume
        if job.state not in ACTIVE:
            actions["Delete"] = self.delete
        if job.state in ENDED and job.can_resume:
            actions["Remove the checkpoint"] = self.drop_checkpoint
        return actions

    async def pause(self) -> None:
        """Save the state of the run and end its process."""
        self.visit.check_owner("pause a solve")
        await self.visit.services.jobs.pause(self.job.id)

    async def stop(self) -> None:
        """End the run and keep its solution so far."""
        self.visit.check_owner("stop a solve")
        await stop_job(self.visit.services, self.job.id)

    async def save(self) -> None:
        """Save the solution so far to the library."""
        self.visit.check_owner("save a solution")
        ui.notify("Saving ...")
        services = self.visit.services
        await services.jobs.save(self.job.id)
        entry = await asyncio.to_thread(services.library.entry, self.job.solution)
        at = "" if entry.iterations is None else f" as of iteration {entry.iterations:,}"
        goes_on = "; the run goes on" if self.job.state == "running" else ""
        ui.notify(f"Saved to the library{at}{goes_on}")

    async def resume(self) -> None:
        """Queue the run again, which then goes on from its checkpoint."""
        self.visit.check_owner("resume a solve")
        services = self.visit.services
        source = await asyncio.to_thread(job_source, services, self.job)
        services.jobs.resume(self.job.id, source)

    async def go_on(self, limits: dict[str, str]) -> None:
        """Continue the run with new limits."""
        self.visit.check_owner("resume a solve")
        services = self.visit.services
        texts = {name: text.strip() or None for name, text in limits.items()}
        source, changes = await asyncio.to_thread(continue_changes, services, self.job, texts)
        services.jobs.resume(self.job.id, source, changes)

    async def delete(self) -> None:
        """Delete the job after a question."""
        note = "Its solution stays in the library; its curve and checkpoint are removed."
        if await confirmed("Delete this run?", "Delete", note=note):
            self.visit.check_owner("delete a run")
            self.visit.services.jobs.delete(self.job.id)

    async def drop_checkpoint(self) -> None:
        """Remove the checkpoint after a question."""
        note = "The run cannot be resumed without it. Its solution stays in the library."
        if await confirmed("Remove the checkpoint?", "Remove", note=note):
            self.visit.check_owner("remove a checkpoint")
            self.visit.services.jobs.drop_checkpoint(self.job.id)


def still_there(visit: Visit, job: Job) -> bool:
    """Whether the job has not been deleted meanwhile."""
    try:
        return visit.services.jobs.get(job.id) is job
    except NotFoundError:
        return False
