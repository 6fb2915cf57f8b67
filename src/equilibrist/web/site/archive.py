"""A site of files as an archive, written by a process of its own: `equilibrist site`."""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final
from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipFile

from equilibrist.storage.atomic import failures
from equilibrist.web.workers.order import ARCHIVE, SAVING, Events, SolveOrder, folder_of
from equilibrist.web.workers.solving import Commands, StoppedEarlyError, alone

_EVERY: Final = 0.2
"""Seconds between two reports."""
_SITE: Final = "site"
"""The folder in the archive; `site/index.html` is the first page."""


def write_archive(order: SolveOrder, events: Events) -> None:
    """Write a site as an archive to the folder of its job, and send how it ended.

    All files lie in that folder meanwhile, on the disk of the library, so that solutions need not
    be copied. When told to stop it leaves nothing.

    Args:
        order: The site.
        events: Where its progress is sent.

    Raises:
        EquilibristError: What `write_site` raises; OutputError for a full disk.
    """
    from equilibrist.web.site.writing import write_site

    given, folder = order.site, folder_of(order)
    assert given is not None
    commands = Commands()
    tell = _teller(events, commands)
    with alone(folder):
        for left in folder.glob(f"{SAVING}*"):  # of a process that died
            shutil.rmtree(left, ignore_errors=True)
        with TemporaryDirectory(prefix=SAVING, dir=folder, ignore_cleanup_errors=True) as name:
            place = Path(name)
            try:
                write_site(
                    place / _SITE,
                    given["files"],
                    given["games"],
                    given["streets"],
                    scratch=place,
                    on_document=tell,
                )
                with failures(folder):
                    _pack(place, commands)
            except StoppedEarlyError:
                events.send(
                    "end", command=commands.received, stopped_by=None, is_saved=False, note=None
                )
                return
            with failures(folder):
                (place / ARCHIVE).replace(folder / ARCHIVE)
    events.send("end", command=None, stopped_by=None, is_saved=False, note=None)


def _pack(place: Path, commands: Commands) -> None:
    """Put the files of a site into an archive beside it; packs are compressed already."""
    from equilibrist.web.site.packs import SUFFIX

    files = [path for path in sorted((place / _SITE).rglob("*")) if path.is_file()]
    with ZipFile(place / ARCHIVE, "w") as archive:
        for path in files:
            _check(commands)
            way = ZIP_STORED if path.suffix == SUFFIX else ZIP_DEFLATED
            archive.write(path, path.relative_to(place).as_posix(), way)


def _teller(events: Events, commands: Commands) -> Callable[[int], None]:
    """What is told of each document: it sends how many there are, now and then."""
    told_at = 0.0

    def tell(count: int) -> None:
        nonlocal told_at
        _check(commands)
        if time.monotonic() - told_at >= _EVERY:
            told_at = time.monotonic()
            events.send("stage", text="writing documents", done=count, total=None)

    return tell


def _check(commands: Commands) -> None:
    """End a site that is told to stop; StoppedEarlyError."""
    if commands.received is not None:
        raise StoppedEarlyError
