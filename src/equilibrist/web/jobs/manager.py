"""The queue of a server: it starts a process for each job as memory allows, and follows it."""

from __future__ import annotations

import asyncio
import json
import secrets
import time
from collections.abc import AsyncGenerator, Mapping
from contextlib import suppress
from functools import cached_property, partial
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from equilibrist.errors import EquilibristError, OutputError
from equilibrist.library.listing import entry_of
from equilibrist.storage.atomic import failures
from equilibrist.web.answers.jobs import JobCounts, WaitDocument
from equilibrist.web.errors import (
    ConflictError,
    LimitError,
    NotFoundError,
    WebError,
    error_document,
    error_of,
)
from equilibrist.web.jobs import checkpoints
from equilibrist.web.jobs.checkpoints import ENDED, CheckpointFacts
from equilibrist.web.jobs.job import ACTIVE, CARDS_KEY, CHECKPOINT, LOG, WITHOUT_CHECKPOINTS, Job
from equilibrist.web.jobs.outcomes import note_checkpoint, note_event, outcome_of
from equilibrist.web.jobs.records import Records
from equilibrist.web.jobs.room import (
    check_disk,
    check_free,
    check_memory,
    check_room,
    in_order,
    resident_memory,
    waiting,
    why_waits,
)
from equilibrist.web.jobs.snapshot import identity, snapshot, write_checkpoint
from equilibrist.web.settings import Limits
from equilibrist.web.store.folders import path_in
from equilibrist.web.store.library import Library
from equilibrist.web.workers.order import ARCHIVE, LOOK, PAUSE, STOP, SolveOrder
from equilibrist.web.workers.process import Worker

REPORT: Final = "report.csv"
"""The file of a report over boards, in its folder."""
_ENDING: Final = 20.0
"""Seconds in which workers save when the server ends."""
_COUNTED: Final = 2.0
"""Seconds between two counts of what checkpoints take."""
_STOPPABLE: Final = frozenset({"queued", "paused", "interrupted", "failed"})
"""What may be stopped without a process, if only to save what its checkpoint has."""
_LOOKS: Final = 4
"""Nodes that a run is asked for at a time; each may take it about as long as an iteration."""
_LOOKING: Final = 60.0
"""Seconds in which it answers."""
_RECORDED: Final = 5.0
"""Seconds between two records of the curve of a running job."""


class Jobs(Records):
    """The jobs of a server, as many of which run as there is room for.

    Args:
        folder: Where they lie, a folder each.
        library: Where their solutions go.
        limits: How many run at once, wait, and are on record, and what they may take.
        batches: Where reports over boards go.
    """

    def __init__(
        self, folder: Path, library: Library, limits: Limits, batches: Path | None = None
    ) -> None:
        super().__init__(folder, limits.jobs)
        self._batches = folder.parent / "batches" if batches is None else batches
        self.library, self._limits = library, limits
        self._running, self._queue = limits.running, limits.queue
        self.workers: dict[str, Worker] = {}
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._games: dict[str, str] = {}
        self._saving: set[str] = set()
        self._only_save: set[str] = set()
        self._first_errors: dict[str, dict[str, Any]] = {}
        self._looks: dict[tuple[str, str], asyncio.Future[dict[str, Any] | None]] = {}
        self._counted = (-_COUNTED, 0)
        self._is_closing = False

    @cached_property
    def memory(self) -> int:
        """The bytes that running jobs may take together."""
        if self._limits.memory is not None:
            return self._limits.memory
        from equilibrist.tree.walk.budget import default_memory  # with NumPy

        return default_memory()

    def load(self) -> None:
        """Read the records, and remove the checkpoints that are too many.

        A worker saves once more when its server dies, which the record of its run does not know.
        """
        super().load()
        for job in self._jobs.values():
            if job.state == "interrupted":
                note_checkpoint(job, self.checkpoint(job.id))
        self._drop_surplus()

    def add(self, job: Job, source: str, files: Mapping[str, str] = MappingProxyType({})) -> Job:
        """Queue a new job.

        Args:
            job: The job.
            source: The text by which a worker loads its game, of `web.runs.documents.job_source`.
            files: Texts that go into its folder, by the names of their files.

        Returns:
            The job.

        Raises:
            LimitError: The queue is full, or the job can never fit into memory.
        """
        self._check_room(job)
        self.record(job, files)
        self._games[job.id] = source
        self._pump()
        return job

    def new_id(self) -> str:
        """A name that no job has."""
        return secrets.token_hex(6)

    async def pause(self, name: str) -> Job:
        """Save the state of a job and end its process, so that it can go on later."""
        job = self.get(name)
        if job.state == "queued" and job.id not in self._tasks:
            job.asked = None
            self.put(job, "paused")
        elif job.id not in self._tasks:
            raise _unfit(job, PAUSE, "running")
        else:
            _check_saves(job, "it cannot be paused", "stop it, or let it run")
            await self._ask(job, PAUSE)
        return job

    async def stop(self, name: str, source: str | None = None, *, unsaved: str = "") -> Job:
        """End a job; its solution is what it has found so far.

        A job that does not run is queued where its checkpoint has more than its solution: a process
        resumes it, and saves.

        Args:
            name: The name of the job.
            source: The text by which a worker loads its game; None for the one that it had.
            unsaved: Why what its checkpoint has cannot be saved; a job that does not run is then
                stopped without.

        Returns:
            The job.

        Raises:
            NotFoundError: There is no such job.
            ConflictError: It has ended, and has nothing to save.
        """
        job = self.get(name)
        if job.id in self._tasks:
            await self._ask(job, STOP)
        elif job.state in _STOPPABLE and unsaved:
            job.asked, job.note = None, unsaved
            self.put(job, "stopped")
        elif job.state in _STOPPABLE and self.has_unsaved(job):
            job.asked = STOP
            if job.error is not None:
                self._first_errors[job.id] = job.error
            self._queue_again(job, source)
        elif job.state in ("queued", "paused", "interrupted"):
            job.asked = None
            self.put(job, "stopped")
        else:
            raise _unfit(job, STOP, "queued, running, paused or interrupted")
        return job

    def has_unsaved(self, job: Job) -> bool:
        """Whether the checkpoint of a job is further than its solution in the library."""
        facts = self.checkpoint(job.id)
        if facts is None or not job.solution:
            return False
        if not self.has_solution(job):
            return True
        entry = entry_of(job.solution, self.library.new_path(job.solution))
        return entry is None or (entry.iterations or 0) < facts.iteration

    async def save(self, name: str) -> Job:
        """Put what a running job has found up to now into the library.

        The run writes a checkpoint and goes on; a process of its own makes the solution from it.
        A run that ends meanwhile has put its own solution there.

        Args:
            name: The name of the job.

        Returns:
            The job.

        Raises:
            NotFoundError: There is no such job.
            ConflictError: It does not run, has nothing to save yet, is being saved already, or
                could not be saved.
            LimitError: The machine has too little memory beside the run.
            OutputError: The disk is full, or cannot be written.
        """
        job = self.get(name)
        if job.state != "running":
            raise _unfit(job, "save the solution of", "running")
        _check_saves(job, "its solution cannot be saved before it ends", "let it run, or stop it")
        if not job.has_parts:
            raise ConflictError(
                "this run has nothing to show before it ends",
                option="job",
                given=job.id,
                remedy="let it run; it can be paused",
            )
        if job.progress is None and not job.can_resume:
            raise ConflictError(
                "the run has no iteration yet, so it has no solution to save",
                option="job",
                given=job.id,
                remedy="save it again in a moment",
            )
        if job.id in self._saving:
            raise ConflictError(
                "the solution of this run is being saved already",
                option="job",
                given=job.id,
                remedy="wait a moment, and save it again",
            )
        worker = self.workers.get(job.id)
        check_memory((worker and resident_memory(worker.pid)) or job.memory_bytes)
        self._saving.add(job.id)
        try:
            checkpoint = self.folder_of(job.id) / CHECKPOINT
            check_free(2 * self.checkpoint_bytes(job.id), self.folder)
            before = identity(checkpoint)
            await write_checkpoint(
                lambda: self.workers.get(job.id), checkpoint, lambda: job.id in self._tasks
            )
            if job.id not in self._tasks:
                has_died = job.state in ("failed", "interrupted")
                if job.is_saved or not has_died or identity(checkpoint) == before:
                    return _saved(job)
            keep = partial(self._keep_snapshot, job, identity(self.library.new_path(job.solution)))
            last = await snapshot(self._order(job), self.folder_of(job.id), keep)
        finally:
            self._saving.discard(job.id)
            self._pump()
        job = self.get(name)  # it may have been deleted meanwhile
        if last["event"] != "end" or not last["is_saved"]:
            why = last.get("document", {}).get("error", "its process has died")
            raise ConflictError(
                f"the solution could not be saved: {why}",
                option="job",
                given=job.id,
                remedy="save it again; the run goes on"
                if job.id in self._tasks
                else f"look at the run, which is {job.state}",
            )
        return _saved(job) if job.id not in self._tasks and not job.is_saved else job

    def check_runs(self, job: Job, what: str) -> None:
        """Check that a job runs.

        Args:
            job: The job.
            what: What only such a job can be asked, as a verb.

        Raises:
            ConflictError: It does not.
        """
        if job.state != "running":
            raise _unfit(job, what, "running")

    async def look(self, name: str, line: str) -> dict[str, Any]:
        """Ask a run on a spot for the figures of a node of its present averages.

        It answers between two iterations. All who ask for a node at a time get one answer.

        Args:
            name: The name of the job.
            line: The line of the node, which is one of its spot.

        Returns:
            The event `looked` of the worker.

        Raises:
            NotFoundError: There is no such job.
            ConflictError: It does not run, has no iteration yet, or has ended meanwhile.
            LimitError: It is asked for as many nodes as may be, or does not answer in time.
        """
        job = self.get(name)
        self.check_runs(job, "look into")
        worker = self.workers.get(job.id)
        if worker is None or job.progress is None:
            raise ConflictError(
                "the run has no iteration yet, so nothing is played in it",
                option="job",
                given=job.id,
                remedy="look again in a moment",
            )
        future = self._looks.get((job.id, line))
        if future is None:
            if sum(key[0] == job.id for key in self._looks) >= _LOOKS:
                raise LimitError(
                    f"the run is asked for {_LOOKS} nodes already",
                    option="line",
                    expected=_LOOKS,
                    remedy="look again in a moment",
                )
            future = self._looks[job.id, line] = asyncio.get_running_loop().create_future()
            await worker.tell(f"{LOOK} {json.dumps(line)}")
        try:
            answer = await asyncio.wait_for(asyncio.shield(future), _LOOKING)
        except TimeoutError:
            raise LimitError(
                f"the run has not answered within {_LOOKING:g} seconds",
                option="line",
                given=line,
                remedy="look again in a moment, or save the solution so far",
            ) from None
        if answer is None:
            raise _unfit(job, "look into", "running")
        if "document" in answer:
            raise error_of(answer["document"])
        return answer

    def _note_look(self, job: Job, event: dict[str, Any]) -> None:
        future = self._looks.pop((job.id, event["line"]), None)
        if future is not None and not future.done():
            future.set_result(event)

    def _end_looks(self, job: Job) -> None:
        """Let nobody wait for a run that has ended."""
        for key in [key for key in self._looks if key[0] == job.id]:
            future = self._looks.pop(key)
            if not future.done():
                future.set_result(None)

    def _keep_snapshot(self, job: Job, before: tuple[int, int] | None, solution: Path) -> None:
        """Put the solution of a checkpoint into the library, unless the run has put a later one.

        Args:
            job: The job.
            before: What identified its solution when the checkpoint was written.
            solution: The file of the solution.
        """
        has_died = job.state in ("failed", "interrupted")
        is_current = identity(self.library.new_path(job.solution)) == before
        if job.id in self._jobs and is_current and (job.id in self._tasks or has_died):
            self.library.add(job.solution, solution)
            job.is_saved = True
            self.put(job, job.state)

    def resume(self, name: str, source: str, changes: dict[str, str | None] | None = None) -> Job:
        """Queue a job again; it goes on from its checkpoint if there is one.

        Args:
            name: The name of the job.
            source: The text by which a worker loads its game.
            changes: New limits by option; None removes a limit.

        Returns:
            The job.

        Raises:
            NotFoundError: There is no such job.
            ConflictError: It is queued, running, or done without a checkpoint or new limits; or it
                has a solution and no checkpoint, and new limits would begin it anew.
            LimitError: The queue is full.
        """
        job = self.get(name)
        check_stands(job, "continue" if changes else "resume")
        if job.state == "done" and not changes:
            raise _unfit(job, "resume", "paused, stopped, interrupted or failed")
        job.can_resume = self.has_checkpoint(job.id)
        begins_anew = not job.can_resume
        if begins_anew and (job.state == "done" or (changes and self.has_solution(job))):
            raise ConflictError(
                "the run left no checkpoint to go on from",
                option="job",
                given=job.id,
                remedy="start a new run",
            )
        self._check_room(job)
        for option, value in (changes or {}).items():
            if value is None:
                job.options.pop(option, None)
            else:
                job.options[option] = value
        job.asked = None
        self._queue_again(job, source, has_new_limits=bool(changes))
        return job

    def _queue_again(self, job: Job, source: str | None, *, has_new_limits: bool = False) -> None:
        """Queue a job that goes on from its checkpoint, or begins anew without one."""
        self._go_back(job)
        if has_new_limits:
            job.limited_from = job.seconds  # they count from here
        job.error = job.stopped_by = job.progress = job.comparison = None
        job.curves, job.more_seeds = {}, {}
        if source is not None:
            self._games[job.id] = source
        self.put(job, "queued")
        self._pump()

    def _go_back(self, job: Job) -> None:
        """Set time and curve of a job to where it goes on: its checkpoint, or the beginning."""
        facts = self.checkpoint(job.id)
        if facts is not None:
            job.seconds = facts.seconds
            job.points = [point for point in job.points if point[0] <= facts.iteration]
        elif not job.can_resume:
            job.seconds, job.points = 0.0, []
        job.limited_from = min(job.limited_from, job.seconds)

    def delete(self, name: str) -> None:
        """Delete a job that is neither queued nor running; its solution stays."""
        job = self.get(name)
        if job.state in ACTIVE or job.id in self._tasks:
            raise _unfit(job, "delete", "paused, stopped, interrupted, failed or done")
        self.remove(job)
        self._games.pop(job.id, None)

    async def close(self) -> None:
        """End all workers, which save first."""
        self._is_closing = True
        await asyncio.gather(*(worker.end(_ENDING) for worker in self.workers.values()))
        await asyncio.gather(*self._tasks.values(), return_exceptions=True)
        self.end_watching()

    def archive(self, name: str) -> Path:
        """The archive of a site that a job has written.

        Args:
            name: The name of the job.

        Raises:
            NotFoundError: There is no such job, or its archive was removed after a while.
            ConflictError: It is no site, or has not ended.
        """
        job = self.get(name)
        if job.site is None or job.state != "done":
            raise ConflictError(
                "the job has no site" if job.site is None else "the site is not written yet",
                option="job",
                given=job.state,
                remedy="follow it until it has ended",
            )
        file = self.folder_of(job.id) / ARCHIVE
        if not file.is_file():
            raise NotFoundError(
                "the archive of this site was removed after a while",
                option="job",
                given=job.id,
                remedy="write the site again",
            )
        return file

    def archive_bytes(self, job: Job) -> int | None:
        """The size of the archive of a site that can be fetched; None where there is none."""
        try:
            size = (self.folder_of(job.id) / ARCHIVE).stat().st_size
            return size if job.state == "done" else None
        except OSError:
            return None

    def drop_archives(self) -> None:
        """Remove archives of sites that are old; they can be written again."""
        for job in self._jobs.values():
            if job.site is None or job.state in ACTIVE:
                continue
            file = self.folder_of(job.id) / ARCHIVE
            with suppress(OSError):
                if time.time() - file.stat().st_mtime > self._limits.archive_seconds:
                    file.unlink()
                    self.tell(job.id)

    def facts(self) -> JobCounts:
        """Count the jobs that run and wait, the memory and disk that they take, and the limits."""
        running, queued = self.counts()
        return {
            "running": running,
            "queued": queued,
            "memory_bytes": self.memory,
            "memory_in_use_bytes": self._in_use(),
            "most_running": self._running,
            "most_queued": self._queue,
            "checkpoint_bytes": self._checkpoint_bytes(),
            "most_checkpoint_bytes": self._limits.checkpoints,
        }

    def waits_for(self, name: str) -> str | None:
        """Why a job waits, in words; None for one that does not."""
        wait = self.waiting(name)
        return None if wait is None else why_waits(wait)

    def waiting(self, name: str) -> WaitDocument | None:
        """Why a job waits, as a code and numbers; None for one that does not."""
        job, free = self.get(name), self.memory - self._in_use()
        if job.state != "queued":
            return None
        queue = in_order(list(self._jobs.values()))
        return waiting(job, queue, self._counted_runs, self._running, free)

    def _checkpoint_bytes(self) -> int:
        """Bytes of the checkpoints of all jobs together.

        Counted anew after a while only: pages ask twice a second, and there may be hundreds.
        """
        at, now = self._counted[0], time.monotonic()
        if now - at > _COUNTED:
            self._counted = (now, sum(map(self.checkpoint_bytes, self._jobs)))
        return self._counted[1]

    def has_checkpoint(self, name: str) -> bool:
        """Whether there is a checkpoint to go on from."""
        return (self.folder_of(name) / CHECKPOINT).exists()

    def has_solution(self, job: Job) -> bool:
        """Whether the solution that a job has saved is still in the library, or its report."""
        if job.report:
            return (self._batches / job.report / REPORT).is_file()
        try:
            return job.is_saved and self.library.new_path(job.solution).is_file()
        except WebError:  # a record that was changed by hand
            return False

    def checkpoint_bytes(self, name: str) -> int:
        """The size of the checkpoint of a job; 0 without one."""
        return checkpoints.checkpoint_bytes(self.folder_of(name))

    def checkpoint(self, name: str) -> CheckpointFacts | None:
        """The checkpoint of a job, by its own header; None without one."""
        return checkpoints.checkpoint_facts(self.folder_of(name))

    def drop_checkpoint(self, name: str) -> None:
        """Remove the checkpoint of a job that has ended; raises ConflictError for another."""
        job = self.get(name)
        if job.state not in ENDED or job.id in self._tasks:
            raise _unfit(job, "remove the checkpoint of", ", ".join(sorted(ENDED)))
        checkpoints.remove_checkpoint(self.folder_of(name))
        job.can_resume = False
        self.put(job, job.state)

    def _check_room(self, job: Job) -> None:
        check_room(job, list(self._jobs.values()), self.memory, self._queue)
        check_disk(job, list(self._jobs.values()), self.folder)

    def _in_use(self) -> int:
        """The memory of what runs, and of what saves beside a run."""
        names = [*self._tasks, *self._saving]
        return sum(self._jobs[name].memory_bytes for name in names if name in self._jobs)

    @property
    def _counted_runs(self) -> int:
        """How many run, without those that only save."""
        return len(self._tasks) - len(self._only_save)

    def _pump(self) -> None:
        """Start queued jobs in their order, as far as they fit.

        Those that only save take seconds, and do not count among those that run.
        """
        if self._is_closing:
            return
        for job in in_order(list(self._jobs.values())):
            if job.id in self._tasks:
                continue
            fits = self._in_use() + job.memory_bytes <= self.memory
            is_full = job.asked != STOP and self._counted_runs >= self._running
            if is_full or not fits:
                return
            if job.asked == STOP:
                self._only_save.add(job.id)
            self._tasks[job.id] = asyncio.get_running_loop().create_task(self._run(job))

    def _drop_surplus(self) -> None:
        for job in checkpoints.surplus(self._jobs.values(), self.folder, self._limits.checkpoints):
            with suppress(OutputError):  # it stays, and is tried again after the next run
                self.drop_checkpoint(job.id)

    def _order(self, job: Job) -> SolveOrder:
        return SolveOrder(
            kind=job.kind,
            game=self._games.get(job.id, job.game),
            spot=job.spot,
            options=job.options,
            checkpoint=str(self.folder_of(job.id) / CHECKPOINT),
            solution=self._out(job),
            spent=job.seconds - job.limited_from,
            save_only=job.asked == STOP,
            algorithms=tuple(job.algorithms),
            review=self._review(job),
            site=self._site(job),
            keys=job.keys,
            files=self._files(job),
        )

    def _files(self, job: Job) -> dict[str, str]:
        """The files that the keys of a job name; NotFoundError for one that is gone."""
        return {} if job.cards is None else {CARDS_KEY: str(self.library.path(job.cards))}

    def _out(self, job: Job) -> str:
        """Where the solution of a job goes, or its report; empty for one that has none."""
        if job.report:
            return str(path_in(self._batches, job.report))
        return str(self.library.new_path(job.solution)) if job.solution else ""

    def _review(self, job: Job) -> dict[str, Any] | None:
        """What a worker needs of a review; NotFoundError for a solution that is gone."""
        if job.review is None:
            return None
        files = self._read_files(job)
        return {"keep": False, **job.review, "files": files, "library": str(self.library.folder)}

    def _site(self, job: Job) -> dict[str, Any] | None:
        """What a worker needs of a site; NotFoundError for a solution that is gone."""
        return None if job.site is None else {**job.site, "files": self._read_files(job)}

    def _read_files(self, job: Job) -> list[str]:
        """The files of the solutions that a job reads; NotFoundError for one that is gone."""
        present = (job.renamed.get(name, name) for name in job.read_solutions)
        return [str(self.library.path(name)) for name in present]

    async def _run(self, job: Job) -> None:
        """Run one job in a process, follow it, and start the next ones when it has ended."""
        last: dict[str, Any] = {"event": "none"}
        try:
            self.put(job, "running")
            async for event in self._events(job):
                last = event
        except (EquilibristError, OSError) as error:  # no process, or none that can be followed
            last = {"event": "error", "document": error_document(error)}
        finally:
            self._settle(job, last)

    async def _events(self, job: Job) -> AsyncGenerator[dict[str, Any]]:
        """The events of the process of a job, which are noted in it; then the process has ended."""
        folder, before = self.folder_of(job.id), job.seconds
        with failures(folder):
            worker = self.workers[job.id] = await Worker.start(self._order(job), folder / LOG)
        try:
            if job.asked is not None:  # while the process started
                await worker.tell(job.asked)
            if self._is_closing:
                await worker.end(_ENDING)
            recorded = time.monotonic()
            async for event in worker.events():
                if event["event"] == "looked":
                    self._note_look(job, event)
                    continue
                note_event(job, event, before, can_resume=self.has_checkpoint(job.id))
                self.tell(job.id)
                if time.monotonic() - recorded >= _RECORDED:
                    recorded = time.monotonic()
                    self.keep(job)
                yield event
        finally:
            await worker.end(_ENDING)

    def _settle(self, job: Job, last: dict[str, Any]) -> None:
        """Note how a job has ended, and start the next ones; nothing here may raise."""
        self.workers.pop(job.id, None)
        self._tasks.pop(job.id, None)
        self._only_save.discard(job.id)
        self._end_looks(job)
        first_error = self._first_errors.pop(job.id, None)
        asked, job.asked, job.stage = job.asked, None, None
        job.stage_done = job.stage_total = None
        facts = self.checkpoint(job.id)
        job.can_resume = self.has_checkpoint(job.id)
        saved_at = None if facts is None else facts.iteration
        note_checkpoint(job, facts)
        state = outcome_of(job, last, is_closing=self._is_closing, saved_at=saved_at)
        if state == "paused" and asked == STOP:  # asked for while it paused
            state = "stopped"
        if job.error is not None and first_error is not None:  # why it was to be saved
            job.error = first_error
        self.put(job, state)
        self._drop_surplus()
        self._pump()

    async def _ask(self, job: Job, what: str) -> None:
        job.asked = what
        self.tell(job.id)
        worker = self.workers.get(job.id)
        if worker is not None:
            await worker.tell(what)


def check_stands(job: Job, what: str) -> None:
    """Check that a job neither waits nor runs.

    Args:
        job: The job.
        what: What only such a job can be asked, as a verb.

    Raises:
        ConflictError: It waits or runs.
    """
    if job.state in ACTIVE:
        raise _unfit(job, what, "paused, stopped, interrupted, failed, or done")


def _saved(job: Job) -> Job:
    """A job that has ended with a solution; raises ConflictError for another."""
    if job.is_saved and job.error is None:
        return job
    why = (job.error or {}).get("error", f"the run is {job.state}")
    raise ConflictError(f"the solution could not be saved: {why}", option="job", given=job.state)


def _check_saves(job: Job, what_not: str, remedy: str) -> None:
    """Raise ConflictError for a run without checkpoints.

    Args:
        job: The run.
        what_not: What cannot be done with it for that reason, as a clause.
        remedy: What can be done.
    """
    if job.kind in WITHOUT_CHECKPOINTS:
        raise ConflictError(
            f"a {WITHOUT_CHECKPOINTS[job.kind]} has no checkpoints, so {what_not}",
            option="kind",
            given=job.kind,
            remedy=remedy,
        )
    if not job.saves:
        what = job.options.get("algorithm", "this run")
        raise ConflictError(
            f"{what} has no checkpoints, so {what_not}",
            option="algorithm" if "algorithm" in job.options else "job",
            given=job.options.get("algorithm", job.id),
            remedy=remedy,
        )


def _unfit(job: Job, what: str, expected: str) -> ConflictError:
    return ConflictError(
        f"cannot {what} a run that is {job.state}",
        option="state",
        given=job.state,
        expected=expected,
    )
