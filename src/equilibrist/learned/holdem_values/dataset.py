"""A dataset of labelled situations: a folder with its plan, and a file per shard."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Generator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

from equilibrist.errors import ConfigError, EquilibristError, FileFormatError, OutputError
from equilibrist.learned.holdem_values.shard import DatasetPlan, DatasetRows, make_shard
from equilibrist.parsing.arguments import file_name, real_number, whole_number
from equilibrist.parsing.threads import thread_count
from equilibrist.progress import Callbacks, OnProgress, PartsReport, as_callbacks
from equilibrist.solvers.sampling.batches import Batch
from equilibrist.storage.archive import read_archive, write_archive
from equilibrist.storage.atomic import check_folder_of, not_a_folder, write_bytes
from equilibrist.storage.kinds.file_kinds import HOLDEM_ROWS

_PLAN: Final = "dataset.json"
_FORMAT: Final = "equilibrist-holdem-dataset-1"
_MOST_SPOTS: Final = 1_000_000_000


@dataclass(frozen=True)
class DatasetReport:
    """What a folder holds after a run.

    Attributes:
        folder: The folder.
        rows: Rows in it, of those that were wanted.
        wanted: Rows that were wanted.
        made: Rows of this run.
        seconds: Seconds of this run.
        stopped_by: "spots", "seconds", or "callback".
        all_rows: All rows of the folder, also those beyond what was wanted.
    """

    folder: Path
    rows: int
    wanted: int
    made: int
    seconds: float
    stopped_by: str
    all_rows: int


class DatasetFolder:
    """The folder of a dataset; nothing is created before `prepare`.

    Args:
        folder: The folder.
        plan: What fixes its rows.
    """

    def __init__(self, folder: Path, plan: DatasetPlan) -> None:
        self.folder, self.plan = folder, plan

    @classmethod
    def open(cls, folder: str | os.PathLike[str]) -> DatasetFolder:
        """Open the folder of a dataset; raises FileFormatError for anything else."""
        path = file_name("folder", folder)
        return cls(path, _read_plan(path / _PLAN))

    def check(self, *, resume: bool) -> None:
        """Refuse a folder with a dataset, unless it is one of this plan that is resumed.

        Raises ConfigError, FileFormatError, OutputError.
        """
        file = self.folder / _PLAN
        if self.folder.exists() and not self.folder.is_dir():
            raise not_a_folder(self.folder)
        if not file.exists():
            self._check_empty()
            return
        before, now = _read_plan(file).to_dict(), self.plan.to_dict()
        if not resume:
            raise ConfigError(
                f"{self.folder} already contains a dataset",
                option="folder",
                given=self.folder,
                remedy="resume it, or use another folder",
            )
        for key, value in now.items():
            if before[key] != value:
                raise ConfigError(
                    f"the dataset in {self.folder} has {key} {before[key]!r}, but now it is "
                    f"{value!r}",
                    option=key,
                    given=value,
                    expected=before[key],
                    remedy="use the same settings, or another folder",
                )

    def _check_empty(self) -> None:
        """Refuse a folder of something else; hidden files do not count."""
        if not self.folder.exists():
            return
        try:
            others = sorted(path.name for path in self.folder.glob("[!.]*"))
        except OSError as error:
            raise OutputError(
                f"cannot read {self.folder}: {error.strerror}", self.folder, option="folder"
            ) from None
        if others:
            raise OutputError(
                f"{self.folder} is no dataset, and contains {others[0]}",
                self.folder,
                option="folder",
                given=others[0],
                remedy="give a new folder, or an empty one",
            )

    def prepare(self) -> None:
        """Create the folder and its plan if they are missing; raises OutputError."""
        file = self.folder / _PLAN
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise OutputError(
                f"cannot write {self.folder}: {error.strerror}", self.folder, option="folder"
            ) from None
        check_folder_of(file)
        if not file.exists():
            document = {"format": _FORMAT, **self.plan.to_dict()}
            write_bytes(file, json.dumps(document, indent=1).encode())

    def shards(self) -> list[int]:
        """The numbers of the shards in the folder, ascending."""
        names = (path.stem for path in self.folder.glob("rows-*.safetensors"))
        return sorted(int(name[5:]) for name in names if name[5:].isdecimal())

    def write(self, number: int, rows: DatasetRows) -> None:
        """Write a shard, atomically; raises OutputError."""
        header = {"plan": self.plan.to_dict(), "shard": number, "rows": len(rows.pot)}
        write_archive(self._file(number), HOLDEM_ROWS, header, rows._asdict())

    def read(self, number: int) -> DatasetRows:
        """Read a shard; raises FileFormatError for one that is damaged, or of another dataset.

        A plan from before some of its keys has their defaults, here as in the file of the plan.
        """
        file = self._file(number)
        remedy = "remove it, and resume the dataset"
        try:
            header, arrays = read_archive(file, HOLDEM_ROWS)
        except FileFormatError as error:
            raise error.with_remedy(remedy) from None
        if not _is_plan(header.get("plan"), self.plan) or header.get("shard") != number:
            raise FileFormatError(
                f"{file} belongs to another dataset",
                file,
                option="plan",
                given=header.get("plan"),
                expected=self.plan.to_dict(),
                remedy=remedy,
            )
        return DatasetRows(**{name: arrays[name] for name in DatasetRows._fields})

    def rows_in(self, number: int) -> int:
        """The rows of a shard; 0 if there is none."""
        return len(self.read(number).pot) if self._file(number).exists() else 0

    def _file(self, number: int) -> Path:
        return self.folder / f"rows-{number:06d}.safetensors"


@dataclass(frozen=True)
class ShardRunner:
    """Makes shards, here or on a Ray cluster; a batch is a shard and its rows."""

    plan: DatasetPlan

    def gain(self, start: None, batch: Batch, weight: float) -> DatasetRows:
        """The shard `batch.done`, of `batch.iterations` rows."""
        rows = make_shard(self.plan, batch.done, batch.iterations)
        assert rows is not None
        return rows


def make_dataset(
    folder: str | os.PathLike[str],
    plan: DatasetPlan,
    spots: int,
    *,
    resume: bool = False,
    threads: int | None = None,
    seconds: float | None = None,
    ray: str | None = None,
    callbacks: Callbacks | OnProgress | None = None,
) -> DatasetReport:
    """Draw and solve situations, and write them to a folder.

    Every shard is written as soon as it is made; a run that is killed loses those in the making.
    Rows depend on the plan and their number alone: neither on threads, nor on a kill and a resume.

    Args:
        folder: Where the rows go.
        plan: What fixes the rows.
        spots: How many rows.
        resume: Go on with a folder of the same plan, also with more rows.
        threads: Situations that are solved side by side, by default one for each processor.
        seconds: Begin no situation after so many seconds.
        ray: The address of a Ray cluster that solves them: "local", "auto" or host:port.
        callbacks: Receive the progress.

    Returns:
        What the folder holds.

    Raises:
        ConfigError: An argument is wrong, or the folder has another dataset.
        FileFormatError: A file in the folder is damaged.
        OutputError: A file cannot be written.
        ClusterError: The cluster does not answer, or fails.
        KeyboardInterrupt: It was interrupted; finished shards are in the folder.
    """
    whole_number("spots", spots, 1, _MOST_SPOTS)
    count = thread_count(threads)
    if seconds is not None:
        real_number("seconds", seconds, 0.0, 1e9)
    listeners = as_callbacks(callbacks)
    place = DatasetFolder(file_name("folder", folder), plan)
    place.check(resume=resume)
    place.prepare()
    begun = time.perf_counter()
    wanted = [
        Batch(number, min(plan.shard_rows, spots - first))
        for number, first in enumerate(range(0, spots, plan.shard_rows))
    ]
    there = {number: place.rows_in(number) for number in place.shards()}
    left = [batch for batch in wanted if there.get(batch.done, 0) < batch.iterations]
    done = before = spots - sum(batch.iterations for batch in left)
    report = PartsReport(listeners, "dataset", "spots", spots)
    stopped_by = "spots"

    def is_late() -> bool:
        return seconds is not None and time.perf_counter() - begun >= seconds

    making = (
        _by_threads(plan, left, count, is_late)
        if ray is None
        else _by_ray(plan, left, count, ray, is_late)
    )
    report.goes_on(done)
    for batch, rows in making:
        place.write(batch.done, rows)
        done += batch.iterations
        if not report.goes_on(done):
            stopped_by = "callback"
            making.close()
            break
    if done < spots and stopped_by == "spots":
        stopped_by = "seconds"
    return DatasetReport(
        place.folder,
        done,
        spots,
        done - before,
        time.perf_counter() - begun,
        stopped_by,
        sum(place.rows_in(number) for number in place.shards()),
    )


def _by_threads(
    plan: DatasetPlan, batches: Sequence[Batch], threads: int, is_late: Callable[[], bool]
) -> Generator[tuple[Batch, DatasetRows], None, None]:
    """The shards as they are finished, made by threads; none that is begun when it is late."""
    over = False

    def stop() -> bool:
        return over or is_late()

    def shard(batch: Batch) -> DatasetRows | None:
        return make_shard(plan, batch.done, batch.iterations, stop)

    if threads == 1:
        for batch in batches:
            rows = shard(batch)
            if rows is None:
                return
            yield batch, rows
        return
    pool = ThreadPoolExecutor(threads)
    running: dict[Future[DatasetRows | None], Batch] = {}
    rest = iter(batches)
    try:
        for batch in rest:
            running[pool.submit(shard, batch)] = batch
            if len(running) == threads:
                break
        while running:
            finished, _ = wait(running, return_when=FIRST_COMPLETED)
            for future in finished:
                batch, rows = running.pop(future), future.result()
                if rows is not None:
                    yield batch, rows
                    following = next(rest, None)
                    if following is not None:
                        running[pool.submit(shard, following)] = following
    finally:
        over = True
        pool.shutdown(cancel_futures=True)


def _by_ray(
    plan: DatasetPlan,
    batches: Sequence[Batch],
    threads: int,
    address: str,
    is_late: Callable[[], bool],
) -> Generator[tuple[Batch, DatasetRows], None, None]:
    """The shards, made on a Ray cluster, as many at a time as there are threads."""
    from equilibrist.solvers.sampling.ray_cluster import Ray

    cluster: Ray[None, DatasetRows] = Ray(ShardRunner(plan), threads, address)
    try:
        for first in range(0, len(batches), threads):
            if is_late():
                return
            together = batches[first : first + threads]
            yield from zip(together, cluster.gains(None, together, 1.0), strict=True)
    finally:
        cluster.close()


def _read_plan(file: Path) -> DatasetPlan:
    """The plan of a dataset; raises FileFormatError."""
    try:
        document = json.loads(file.read_bytes())
        if document.pop("format") != _FORMAT:
            raise ValueError("it was not written by `postflop dataset`")
        return DatasetPlan(**document)
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise FileFormatError(
            f"cannot read {file}: {reason}",
            file,
            option="folder",
            given=file.parent,
            remedy="give the folder that `equilibrist postflop dataset` made",
        ) from None


def _is_plan(document: Any, plan: DatasetPlan) -> bool:
    """Whether the header of a shard has this plan."""
    try:
        return DatasetPlan(**document) == plan
    except (TypeError, EquilibristError):
        return False


def boards_of(rows: DatasetRows) -> np.ndarray:
    """int[n, 4 or 5]: the boards without the places of cards to come."""
    boards = rows.board.astype(np.int64)
    return boards[:, : 4 if (boards[:, 4] < 0).all() else 5]
