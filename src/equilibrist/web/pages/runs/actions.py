"""What can be done with a job that runs or waits, as far as the visitor may."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from equilibrist.web.documents.jobs import stop_job
from equilibrist.web.jobs.job import Job
from equilibrist.web.pages.layout.frame import Visit


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
        if job.state == "queued":
            return {"Cancel": self.stop}
        if job.state != "running":
            return {}
        if not job.saves:
            return {"Stop": self.stop}
        return {"Pause": self.pause, "Stop": self.stop}

    async def pause(self) -> None:
        """Save the state of the run and end its process."""
        self.visit.check_owner("pause a solve")
        await self.visit.services.jobs.pause(self.job.id)

    async def stop(self) -> None:
        """End the run and keep its solution so far."""
        self.visit.check_owner("stop a solve")
        await stop_job(self.visit.services, self.job.id)
