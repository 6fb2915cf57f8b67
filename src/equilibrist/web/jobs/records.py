"""The records of jobs, in memory and in a folder each; watchers are notified of changes."""

from __future__ import annotations

import logging
import shutil
from collections.abc import AsyncIterator, Mapping
from contextlib import suppress
from pathlib import Path
from types import MappingProxyType

from equilibrist.errors import EquilibristError, OutputError
from equilibrist.storage.atomic import failures, write_bytes
from equilibrist.web.answers.jobs import State
from equilibrist.web.errors import ConflictError, LimitError, NotFoundError
from equilibrist.web.jobs.checkpoints import ENDED
from equilibrist.web.jobs.feed import Feed
from equilibrist.web.jobs.job import ACTIVE, CARDS_KEY, CHECKPOINT, Job
from equilibrist.web.store.folders import path_in
from equilibrist.web.workers.order import SAVING
from equilibrist.web.workers.reviewing import kept_name

_LOG = logging.getLogger("equilibrist.web")


class Records:
    """The jobs of a server, by name.

    Args:
        folder: Where they lie.
        most: How many there may be.

    Attributes:
        feed: Where every change of a job is numbered under its name.
    """

    def __init__(self, folder: Path, most: int) -> None:
        self.folder, self._most = folder, most
        self.feed = Feed()
        self._jobs: dict[str, Job] = {}
        self._unwritten: dict[str, str] = {}

    def load(self) -> None:
        """Read them; what waited or ran when the server ended was interrupted."""
        jobs = [job for folder in self.folder.iterdir() if (job := Job.load(folder)) is not None]
        for job in sorted(jobs, key=lambda job: job.created):
            try:
                folder = self.folder_of(job.id)
            except NotFoundError:  # copied by hand, to a name that no request can give
                continue
            for leftover in folder.glob(f"{SAVING}*"):
                shutil.rmtree(leftover, ignore_errors=True)
            before = job.state, job.can_resume
            job.can_resume = (folder / CHECKPOINT).exists()  # copies may leave it out
            if job.state in ACTIVE:
                job.state, job.asked, job.stage = "interrupted", None, None
                job.stage_done = job.stage_total = None
            if (job.state, job.can_resume) != before:
                self.keep(job)
            self._jobs[job.id] = job

    def all(self) -> list[Job]:
        """All jobs, newest first: those of this server by when they came, whatever clocks say."""
        return list(reversed(self._jobs.values()))

    def get(self, name: str) -> Job:
        """A job; raises NotFoundError."""
        try:
            return self._jobs[name]
        except KeyError:
            raise NotFoundError(
                f"there is no job {name[:80]!r}",
                option="job",
                given=name[:80],
                remedy="/api/jobs lists them",
            ) from None

    def folder_of(self, name: str) -> Path:
        """The folder of a job."""
        return path_in(self.folder, name)

    def record(self, job: Job, files: Mapping[str, str] = MappingProxyType({})) -> None:
        """Record a new job.

        Args:
            job: The job.
            files: Texts that go into its folder, by the names of their files.

        Raises:
            LimitError: There are as many as may be.
            OutputError: The record cannot be written; nothing is left of it then.
        """
        if len(self._jobs) >= self._most:
            raise LimitError(
                f"{self._most} runs are stored, which is the limit",
                option="jobs",
                given=len(self._jobs),
                expected=self._most,
                remedy="delete some runs",
            )
        folder = self.folder_of(job.id)
        with failures(folder):
            folder.mkdir()
        try:
            for name, text in files.items():
                write_bytes(folder / name, text.encode())
            job.save(folder)
        except OutputError:
            shutil.rmtree(folder, ignore_errors=True)
            raise
        self._jobs[job.id] = job
        self.feed.tell(job.id)

    def put(self, job: Job, state: State) -> None:
        """Change the state of a job, on disk too, and notify whoever watches it.

        Args:
            job: The job.
            state: Its new state.
        """
        job.state = state
        self.keep(job)
        self.tell(job.id)

    def keep(self, job: Job) -> None:
        """Write the record of a job. A full disk ends no run: the record is written later."""
        try:
            job.save(self.folder_of(job.id))
        except EquilibristError as error:
            if job.id not in self._unwritten:
                _LOG.warning("the record of run %s is not written: %s", job.id, error)
            self._unwritten[job.id] = str(error)
        else:
            self._unwritten.pop(job.id, None)

    def keep_late(self) -> None:
        """Write the records that could not be written when they changed."""
        for name in list(self._unwritten):
            if name in self._jobs:
                self.keep(self._jobs[name])
            else:
                del self._unwritten[name]

    def unwritten(self, name: str) -> str | None:
        """Name what keeps the record of a job from being written; None where it is on disk."""
        return self._unwritten.get(name)

    def remove(self, job: Job) -> None:
        """Remove a job with its folder."""
        folder = self.folder_of(job.id)
        with failures(folder), suppress(FileNotFoundError):
            shutil.rmtree(folder)
        del self._jobs[job.id]
        self.tell(job.id)

    def tell(self, name: str) -> None:
        """Notify whoever watches a job that it has changed; from any thread."""
        self.feed.tell(name)

    async def watch(self, name: str) -> AsyncIterator[Job]:
        """The job now, and after every change, until it neither waits nor runs."""
        job = self.get(name)
        with self.feed.waiting() as changed:
            while True:
                number = self.feed.number
                is_last = job.state not in ACTIVE or self.feed.is_closed or name not in self._jobs
                yield job  # which may end while whoever watches is told that it runs
                if is_last:
                    return
                while not (self.feed.has_changed(name, number) or self.feed.is_closed):
                    await changed.wait()
                    changed.clear()

    def end_watching(self) -> None:
        """End the streams of all who watch a job."""
        self.feed.close()

    def run_of(self, solution: str) -> str | None:
        """The job that has saved a solution; None where none has."""
        saved = (job for job in self._jobs.values() if job.solution == solution and job.is_saved)
        return next((job.id for job in saved), None)

    def going_on(self, solution: str) -> Job | None:
        """The job that wrote a solution and has not ended, so that it will write a later one."""
        for job in self._jobs.values():
            if job.solution == solution and job.is_saved and job.state not in ENDED:
                return job
        return None

    def check_unused(self, game: str) -> None:
        """Raise ConflictError while a run of a game may go on, which needs its file.

        Args:
            game: The game, as jobs name it.
        """
        for job in self._jobs.values():
            if job.game == game and job.state not in ENDED:
                raise ConflictError(
                    f"the run {job.id} of this game is {job.state}",
                    option="game",
                    given=game,
                    remedy="stop the run, or delete it, and then the game",
                )

    def check_settled(self, solution: str) -> None:
        """Raise ConflictError while a job writes a solution of this name."""
        for job in self._jobs.values():
            if job.solution == solution and job.state in ACTIVE:
                raise ConflictError(
                    f"the run {job.id} has not ended and will write {solution}",
                    option="name",
                    given=solution,
                    remedy="wait until it has ended, or stop it",
                )

    def check_untrained(self, cards: str, *, may_go_on: bool) -> None:
        """Raise ConflictError while a run trains on card buckets.

        Args:
            cards: Their name in the library.
            may_go_on: Whether runs count, too, that neither wait nor run, but may go on.
        """
        for job in self._jobs.values():
            uses = job.state not in ENDED if may_go_on else job.state in ACTIVE
            if job.cards == cards and uses:
                raise ConflictError(
                    f"the run {job.id} on these card buckets is {job.state}",
                    option="name",
                    given=cards,
                    remedy="stop the run, or wait until it has ended",
                )

    def check_unread(self, solution: str) -> None:
        """Raise ConflictError while a review or a site reads a solution, at any time.

        Args:
            solution: Its name in the library.
        """
        for job in self._jobs.values():
            if job.state == "running" and _known_as(job, solution):
                is_site = job.site is not None
                raise ConflictError(
                    f"the {'site' if is_site else 'review'} {job.id} "
                    f"{'with' if is_site else 'by'} this solution is running",
                    option="name",
                    given=solution,
                    remedy="stop the site, or wait until it is written"
                    if is_site
                    else "pause the review, or wait until it has ended",
                )

    def solutions(self) -> set[str]:
        """The names under which jobs save their solutions, now or later."""
        return {job.solution for job in self._jobs.values() if job.solution}

    def check_unclaimed(self, solution: str) -> None:
        """Raise ConflictError where a job saves a solution of this name, now or later."""
        for job in self._jobs.values():
            if job.solution == solution:
                raise ConflictError(
                    f"the run {job.id} saves its solution under the name {solution!r}",
                    option="name",
                    given=solution,
                    remedy="choose another name, or delete that run",
                )

    def solution_moved(self, solution: str, new: str | None) -> None:
        """Note in the records of jobs that a solution, or card buckets, were renamed or deleted.

        Args:
            solution: Its name so far.
            new: Its new name; None if it was deleted.
        """
        for job in self._jobs.values():
            if new is not None and (known := _known_as(job, solution)):
                job.renamed = {**job.renamed, **dict.fromkeys(known, new)}
                self.put(job, job.state)
            if job.cards == solution and new is not None:
                job.keys = {**(job.keys or {}), CARDS_KEY: new}
                self.put(job, job.state)
            if job.solution == solution:
                job.solution, job.is_saved = new or solution, job.is_saved and new is not None
                self.put(job, job.state)

    def counts(self) -> tuple[int, int]:
        """Count the jobs that run, and those that wait."""
        states = [job.state for job in self._jobs.values()]
        return states.count("running"), states.count("queued")


def _known_as(job: Job, solution: str) -> list[str]:
    """The names by which a job knows a solution: one that it reads, or, of a review, has kept."""
    if job.review is None and job.site is None:
        return []
    first = {name: name for name in job.read_solutions}
    if solution.startswith(kept_name(job.id)):
        first[solution] = solution
    now = {**first, **job.renamed}
    return [name for name, present in now.items() if present == solution]
