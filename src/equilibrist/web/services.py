"""The parts of a server that requests use: one object for each server."""

from __future__ import annotations

import os
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar, cast

from starlette.requests import HTTPConnection

from equilibrist._jit.places import cache_root
from equilibrist.web.errors import ForbiddenError, UnauthorizedError
from equilibrist.web.holdem.crowd import Crowd
from equilibrist.web.jobs.manager import Jobs
from equilibrist.web.jobs.streets import Streets
from equilibrist.web.playing.current_play import Playing
from equilibrist.web.security.addresses import Addresses
from equilibrist.web.security.guard import SERVICES
from equilibrist.web.security.lasting import SESSION
from equilibrist.web.security.sessions import Role, Sessions
from equilibrist.web.security.short_names import short_names, with_short_names
from equilibrist.web.security.work import Work
from equilibrist.web.settings import Settings
from equilibrist.web.store.folders import DataFolders
from equilibrist.web.store.library import Library
from equilibrist.web.store.notes import Notes
from equilibrist.web.store.ranges import RangeLibrary
from equilibrist.web.store.setups import Setups
from equilibrist.web.store.training import TrainingSessions

_Value = TypeVar("_Value")


@dataclass
class Services:
    """The parts of a server.

    Attributes:
        settings: How it was started.
        folders: Its folders.
        library: Its solutions.
        jobs: Its solves and races.
        addresses: Its host names.
        sessions: Who is signed in, as owner or guest.
        ranges: The user's own ranges.
        setups: Spots that are kept by name.
        notes: What the user says of solutions.
        playing: Tables and drills.
        training: Sessions of the trainer.
        streets: Streets of solutions that are re-solved.
        work: Limits how much the threads of the server compute at the same time.
        crowd: What other programs take of the processors, for estimates of time.
    """

    settings: Settings
    folders: DataFolders
    library: Library
    jobs: Jobs
    addresses: Addresses
    sessions: Sessions
    ranges: RangeLibrary
    setups: Setups
    notes: Notes
    playing: Playing
    training: TrainingSessions
    streets: Streets
    work: Work
    crowd: Crowd

    @property
    def short_names(self) -> dict[str, str]:
        """What stands for places of this machine in what anybody is told."""
        subject = self.settings.subject
        file = None if subject is None else subject.file
        folders = {
            folder: folder.name for folder in (self.folders.root, *self.library.card_folders)
        }
        folders[cache_root()] = "the cache"
        for find, name in ((Path.home, "the home folder"), (Path.cwd, "the current folder")):
            with suppress(RuntimeError, OSError):  # a user without one; a folder that was removed
                folders[find()] = name
        if file is not None:
            own = Path(os.path.expanduser(file)).parent  # noqa: PTH111 - raises nothing
            folders[own] = "its folder"
        return short_names(folders, () if file is None else (file,))

    @classmethod
    def of(cls, settings: Settings, library: Library | None = None) -> Services:
        """Prepare the data folder and read what is there.

        Args:
            settings: How the server was started.
            library: Its solutions; None for those of the data folder and of the command line.

        Raises:
            OutputError: The data folder cannot be written.
        """
        limits, folders = settings.limits, DataFolders(settings.data)
        folders.prepare()
        subject = settings.subject
        opened_with = subject.path if subject is not None and subject.kind == "solution" else None
        if library is None:
            library = Library(folders.library, limits.open_solutions, opened_with, folders.index)
        notes = Notes(folders.notes)
        jobs = Jobs(folders.jobs, library, limits, folders.batches)
        jobs.load()
        return cls(
            settings=settings,
            folders=folders,
            library=library,
            jobs=jobs,
            addresses=Addresses.of(settings),
            sessions=Sessions(settings, file=folders.sessions),
            ranges=RangeLibrary(folders.ranges),
            setups=Setups(folders.setups),
            notes=notes,
            playing=Playing(library, folders.games, settings, jobs.run_of),
            training=TrainingSessions(folders.training),
            streets=Streets(library, limits.resolving),
            work=Work(limits.working, limits.waiting, limits.waiting_seconds),
            crowd=Crowd(is_beside=True),
        )


def public(value: _Value, services: Services) -> _Value:
    """A JSON value that does not say where the server keeps its files.

    Args:
        value: The value, such as the document of an error.
        services: The services of the server.
    """
    return value if value is None else with_short_names(value, services.short_names)


def services_of(connection: HTTPConnection) -> Services:
    """The services of the server that a request has reached."""
    return cast(Services, connection.scope[SERVICES])


def role_of(connection: HTTPConnection) -> Role | None:
    """The role of whoever sent a request; None before signing in, and after signing out."""
    key = connection.scope.get(SESSION)
    if key is not None:
        return services_of(connection).sessions.of_key(key)
    return cast("Role | None", connection.scope.get("role"))


def check_owner(connection: HTTPConnection, what: str) -> None:
    """Refuse guests.

    Args:
        connection: The request.
        what: What guests may not do; ends the sentence "guests may not ...".

    Raises:
        ForbiddenError: A guest asks.
    """
    role = role_of(connection)
    if role is None:
        raise UnauthorizedError(
            "you have signed out", option="token", remedy="sign in again to go on"
        )
    if role != "owner":
        raise ForbiddenError(
            f"guests may not {what}",
            option="token",
            given="guest",
            expected="owner",
        )
