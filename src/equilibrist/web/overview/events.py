"""Streams of events: what changes on the server, as texts that a browser's EventSource reads."""

from __future__ import annotations

import asyncio
import json
import re
import time
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass
from typing import Any, Final
from zlib import crc32

from starlette.concurrency import run_in_threadpool

from equilibrist.errors import UnknownNameError
from equilibrist.web.errors import LimitError, NotFoundError
from equilibrist.web.jobs.job import Job
from equilibrist.web.overview.answers import JobsEvent, LibraryEvent, RunEvent
from equilibrist.web.runs.documents import job_document, job_line, job_since
from equilibrist.web.services import Services
from equilibrist.web.solutions.listing import library_revision

MOST_RUNS: Final = 20
"""Runs that one stream follows."""
_TOPICS: Final = ("jobs", "library", "run:ID")
_RUN: Final = "run:"
_POSITION: Final = re.compile(r"([0-9a-f]{8})-([0-9]{1,15})-([0-9a-f]{8})", re.ASCII)
_RETRY: Final = 2_000
"""Milliseconds after which a browser connects again."""
_PAUSE: Final = 0.2
"""Seconds between two looks at what has changed: several changes are told together."""
_LOOK: Final = 1.0
"""Seconds between two looks at the folder of the library."""
_ALIVE: Final = 15.0
"""Seconds without an event after which a comment keeps the connection open."""


@dataclass(frozen=True)
class Topics:
    """What a stream is about.

    Attributes:
        jobs: Whether it tells all jobs.
        library: Whether it tells when the library has changed.
        runs: The jobs that it follows, with their curves.
    """

    jobs: bool
    library: bool
    runs: tuple[str, ...]


def read_topics(services: Services, text: str, *, goes_on: bool = False) -> Topics:
    """Read the topics of a request.

    Args:
        services: The services of the server.
        text: Topics with commas between them: jobs,library,run:ID.
        goes_on: Whether a stream goes on: jobs may have been deleted since, which it tells. A
            browser would not ask again if it were refused.

    Raises:
        UnknownNameError: There is no such topic, or none is given.
        NotFoundError: There is no such job, in a new stream.
        LimitError: There are more runs than one stream follows.
    """
    names = dict.fromkeys(name for part in text.split(",") if (name := part.strip()))
    runs = [name.removeprefix(_RUN) for name in names if name.startswith(_RUN)]
    others = [name for name in names if not name.startswith(_RUN)]
    unknown = [name for name in others if name not in _TOPICS]
    if unknown or not names:
        raise UnknownNameError("topic", unknown[0] if unknown else "", _TOPICS, option="topics")
    if len(runs) > MOST_RUNS:
        raise LimitError(
            f"one stream follows at most {MOST_RUNS} runs",
            option="topics",
            given=len(runs),
            expected=MOST_RUNS,
            remedy="follow `jobs`, which has all of them",
        )
    for run in runs if not goes_on else ():
        services.jobs.get(run)
    return Topics("jobs" in others, "library" in others, tuple(runs))


class EventStream:
    """The events of some topics, one after the other.

    What has changed several times since it was told is told once, as it is then: an event holds
    the state, not the change, so that whoever connects again misses nothing.

    Args:
        services: The services of the server.
        topics: What it is about.
        last: The `id` of the last event that whoever listens has; everything is told anew where it
            is of another server, or is none.
    """

    def __init__(self, services: Services, topics: Topics, last: str | None = None) -> None:
        self._services, self._topics = services, topics
        self._feed = services.jobs.feed
        known = _POSITION.fullmatch(last or "")
        is_known = known is not None and known[1] == self._feed.epoch
        self._number = int(known[2]) if known is not None and is_known else -1
        self._revision = known[3] if known is not None and is_known else ""
        self._runs = list(topics.runs)
        self._told: dict[str, Mapping[str, int]] = {}

    async def texts(self) -> AsyncIterator[str]:
        """The stream, until the server ends; a comment where nothing has happened for a while."""
        yield f"retry: {_RETRY}\n\n"
        told = time.monotonic()
        with self._feed.waiting() as changed:
            while not self._feed.is_closed:
                changed.clear()
                for text in await self._new_texts():
                    told = time.monotonic()
                    yield text
                left = told + _ALIVE - time.monotonic()
                if left <= 0.0:
                    told = time.monotonic()
                    yield ": still here\n\n"
                    continue
                try:
                    wait = min(left, _LOOK) if self._topics.library else left
                    await asyncio.wait_for(changed.wait(), wait)
                except TimeoutError:
                    continue
                await asyncio.sleep(_PAUSE)

    async def _new_texts(self) -> list[str]:
        """The events that tell what has changed since the last ones.

        The last of them has the `id`: if the stream breaks off between them, all are told again.
        """
        number = self._feed.number
        changed = self._feed.since(self._number)
        events: list[tuple[str, Any]] = []
        if self._topics.jobs and changed != []:
            events.append(("jobs", await self._jobs(changed)))
        told = [run for run in self._runs if changed is None or run in changed]
        events += [("run", self._run(run)) for run in told]
        self._number = number
        if self._topics.library:
            revision = await run_in_threadpool(library_revision, self._services)
            mark = f"{crc32(revision.encode()):08x}"
            if mark != self._revision:
                self._revision = mark
                library: LibraryEvent = {"revision": revision}
                events.append(("library", library))
        position = f"{self._feed.epoch}-{number}-{self._revision or '0' * 8}"
        texts = [
            f"event: {name}\ndata: {json.dumps(document, allow_nan=False)}\n\n"
            for name, document in events
        ]
        return [*texts[:-1], f"id: {position}\n{texts[-1]}"] if texts else []

    async def _jobs(self, changed: list[str] | None) -> JobsEvent:
        """What is told of all jobs: those that have changed, or all of them."""
        services = self._services
        if changed is None:
            jobs, removed = services.jobs.all(), []
        else:
            jobs = [job for job in services.jobs.all() if job.id in set(changed)]
            there = {job.id for job in jobs}
            removed = [name for name in changed if name not in there]

        def lines(jobs: list[Job]) -> list[Any]:
            return [job_line(job, services) for job in jobs]

        return {
            "whole": changed is None,
            "counts": services.jobs.facts(),
            "jobs": await run_in_threadpool(lines, jobs),
            "removed": removed,
        }

    def _run(self, name: str) -> RunEvent:
        """What is told of a run that is followed: what is new on its curves, or all of them."""
        try:
            job = self._services.jobs.get(name)
        except NotFoundError:
            self._runs.remove(name)
            return {"id": name, "whole": True, "job": None}
        before, self._told[name] = self._told.get(name), _ends(job)
        goes_on = before is not None and all(
            self._told[name].get(curve, -1) >= end for curve, end in before.items()
        )
        if before is None or not goes_on:
            return {"id": name, "whole": True, "job": job_document(job, self._services)}
        return {"id": name, "whole": False, "job": job_since(job, before, self._services)}


def _ends(job: Job) -> dict[str, int]:
    """The last iteration of each curve of a job; that of the job itself has no name."""
    curves = {"": job.points, **job.curves}
    return {name: points[-1][0] for name, points in curves.items() if points}
