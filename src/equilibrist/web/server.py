"""Running the server: its port, its tokens, what it prints, and how it ends."""

from __future__ import annotations

import asyncio
import ctypes
import gc
import os
import re
import secrets
import socket
import sys
import threading
import webbrowser
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from typing import Final, cast

import uvicorn
from starlette.concurrency import run_in_threadpool

from equilibrist.errors import ConfigError, EquilibristError
from equilibrist.protocols.acpc.connections import cannot_listen, is_wrong_host
from equilibrist.protocols.serving.connections import TimedConnection
from equilibrist.storage.kinds.file_kinds import SPOT_SOLUTION
from equilibrist.web.application import make_application
from equilibrist.web.desktop import has_display
from equilibrist.web.holdem.crowd import Crowd
from equilibrist.web.jobs.manager import Jobs
from equilibrist.web.numba_loading import load_engine
from equilibrist.web.security.entering import entry_address
from equilibrist.web.security.guard import Guard
from equilibrist.web.security.sessions import LEAST_TOKEN
from equilibrist.web.services import Services
from equilibrist.web.settings import Limits, Settings
from equilibrist.web.setup.sources import subject_page
from equilibrist.web.store.library import Library

_M_ARENA_MAX: Final = -8
"""The number of glibc's option for the most arenas (mallopt(3))."""
_ARENAS: Final = 2


def use_few_arenas() -> None:
    """Let all threads allocate from two arenas.

    Each of glibc's arenas keeps what its threads have freed, and a server with forty threads would
    have up to eight arenas for each processor. Does nothing on other systems.
    """
    if sys.platform == "linux":
        with suppress(OSError, AttributeError):
            ctypes.CDLL(None).mallopt(_M_ARENA_MAX, _ARENAS)


def give_back() -> None:
    """Collect what is unreachable, and return free pages of the heap to the system.

    Takes some tenths of a second, in which no other thread runs: for a server without visitors.
    """
    gc.collect()
    trim()


def trim() -> None:
    """Return free pages of the heap to the system; other threads go on meanwhile."""
    if sys.platform == "linux":
        with suppress(OSError, AttributeError):
            ctypes.CDLL(None).malloc_trim(0)


class Connection(TimedConnection):
    """A connection that is closed if headers are not whole, or an answer is not read, in time."""

    stalled_seconds = Limits.stalled_seconds
    unread_seconds = Limits.unread_seconds
    most_headers = Limits.headers


_NO_SOCKET: Final = b"HTTP/1.1 403 Forbidden\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"


class RefusedSocket(asyncio.Protocol):
    """What takes the place of a connection that asks for a websocket: it says no, and closes.

    Without such a class uvicorn would answer the request as any other, and log that it did.

    Args:
        config: What uvicorn tells it; nothing of it is needed.
        server_state: As `config`.
        app_state: As `config`.
    """

    def __init__(self, config: object, server_state: object, app_state: object) -> None:
        """Keep nothing."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Refuse."""
        connection = cast("asyncio.Transport", transport)
        connection.write(_NO_SOCKET)
        connection.close()


_TRIED: Final = 50
"""Ports that are tried one after the other."""
_NEW: Final = "new"
_UNSENT: Final = re.compile("[^!-~]")
"""What no token may have: programs encode other letters in different ways, and cut spaces."""
_LOOK: Final = 5.0
"""Seconds between two looks at whether anybody is there."""
_ASKED: Final = 20.0
"""Seconds after a request in which another one is expected."""
_ALONE: Final = 20.0
"""Seconds in which a solution is closed that nobody uses, where nobody is there."""
_UNUSED: Final = 1800.0
"""The same where somebody is there."""
_USED: Final = 6
"""Looks with requests before each, after which the heap is trimmed."""
_QUIET: Final = 600.0
"""Seconds without a request after which nobody is there, unless a stream is open."""


def free_socket(
    host: str, port: int | None, default: int, note: Callable[[str], None]
) -> socket.socket:
    """Listen on a port.

    Args:
        host: The address to listen on.
        port: The port; None for the first free one from `default` on.
        default: The first port that is tried without `port`.
        note: Called with a sentence where another port than `default` was taken.

    Returns:
        A socket that listens.

    Raises:
        ConfigError: The port is taken or out of range, or the address is not one of this machine.
    """
    if port is not None and not 0 <= port <= 65535:
        raise ConfigError(option="port", given=port, expected="0 to 65535")
    wanted = range(default, default + _TRIED) if port is None else (port,)
    problem: OSError | UnicodeError | None = None
    for number in wanted:
        try:
            listener = _bound(host, number)
        except (OSError, UnicodeError) as error:
            problem = error
            if is_wrong_host(error):
                break
            continue
        if port is None and number != default:
            note(f"port {default} is taken; this server listens on {number}")
        return listener
    assert problem is not None
    remedy = "choose another port, or leave out --port"
    if port is None:
        remedy = "choose a port that is free with --port"
    raise cannot_listen(host, wanted[0], problem, remedy=remedy) from None


def _bound(host: str, port: int) -> socket.socket:
    family, _, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    listener = socket.socket(family, socket.SOCK_STREAM)
    try:
        if os.name == "posix":  # else a port could be taken from another program
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address)
        listener.listen(128)
    except OSError:
        listener.close()
        raise
    return listener


def with_tokens(settings: Settings) -> Settings:
    """The settings with the tokens that are needed and were not given. Raises ConfigError.

    Only those that are made here are printed: what was given is known, and its log may be read by
    more people than the file that it came from.
    """
    token, guest, new = settings.token, settings.guest_token, set()
    if token is None and (guest is not None or not settings.is_loopback):
        token = secrets.token_urlsafe(24)
        new.add("token")
    if guest == _NEW:
        guest = secrets.token_urlsafe(24)
        new.add("guest_token")
    for option, value in (("token", token), ("guest_token", guest)):
        if value is not None and len(value) < LEAST_TOKEN:
            raise ConfigError(
                f"{option} has {len(value)} characters, so it could be guessed",
                option=option,
                expected=f"at least {LEAST_TOKEN} characters",
                remedy=f"give one of at least {LEAST_TOKEN} characters",
            )
        if value is not None and _UNSENT.search(value) is not None:
            raise ConfigError(
                f"{option} has characters that no header of a request can carry",
                option=option,
                expected="letters a to z, digits and signs of ASCII, without spaces",
                remedy="use letters a to z, digits and signs of ASCII, without spaces",
            )
    if token is not None and token == guest:
        raise ConfigError(
            "owners and guests have the same token",
            option="guest_token",
            remedy="give another token",
        )
    return replace(settings, token=token, guest_token=guest, printed=frozenset(new))


def run(
    settings: Settings,
    listening: socket.socket,
    *,
    opens_browser: bool,
    show: Callable[[str], None],
) -> None:
    """Serve until Ctrl-C or SIGTERM; running solves are saved before this returns.

    Args:
        settings: How the server is started, with its tokens.
        listening: The socket that it listens on.
        opens_browser: Whether the first page is opened in a browser, where there is a screen.
        show: Prints a line: where the server is, and how to sign in.
    """
    use_few_arenas()
    services = Services.of(settings)
    guard = make_application(services)
    config = uvicorn.Config(
        guard,
        http=Connection,
        lifespan="on",
        log_level="warning",
        access_log=False,  # no address is logged
        server_header=False,
        proxy_headers=False,
        ws=RefusedSocket,
        timeout_graceful_shutdown=2,
    )
    with suppress(KeyboardInterrupt):
        _Server(config, services, guard, show, opens_browser=opens_browser).run(sockets=[listening])


class _Server(uvicorn.Server):
    """Prints the address once the server answers, and ends its jobs first when it stops."""

    def __init__(
        self,
        config: uvicorn.Config,
        services: Services,
        guard: Guard,
        show: Callable[[str], None],
        *,
        opens_browser: bool,
    ) -> None:
        super().__init__(config)
        self._services, self._show, self._opens = services, show, opens_browser
        self._guard = guard
        self._tidying: asyncio.Future[tuple[None, None, None]] | None = None

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if not self.started:
            return
        settings, sessions = self._services.settings, self._services.sessions
        opens = self._opens and has_display()
        self._show(f"Equilibrist runs at {settings.url} (Ctrl-C ends it)")
        first = subject_page(settings.subject)
        link = f"{settings.url}{first}"
        if not sessions.is_open:
            entry = f"{settings.url}{entry_address(first)}"
            if "token" in settings.printed:
                link = f"{entry}#{sessions.new_code()}"
                self._show(f"This link signs in one browser, once: {link}")
                self._show(f"Token: {settings.token}")
            else:  # whoever reads this need not know the token, nor sign in without it
                link = f"{entry}#{sessions.new_code()}" if opens else entry
                self._show(f"Sign in with the token that was given: {entry}")
            if "guest_token" in settings.printed:
                self._show(f"Guest token, to browse and play only: {settings.guest_token}")
        sys.stdout.flush()
        self._tidying = asyncio.gather(
            _tidy(self._services.library, self._guard),
            _keep_records(self._services.jobs),
            _look_around(self._services.crowd, self._guard),
        )
        threading.Thread(target=_warm, args=(self._services.library,), daemon=True).start()
        if opens:
            threading.Thread(target=webbrowser.open, args=(link,), daemon=True).start()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        if self._tidying is not None:
            self._tidying.cancel()
            with suppress(asyncio.CancelledError):
                await self._tidying
        await self._services.jobs.close()  # first: streams of progress end with their runs
        await super().shutdown(sockets)


async def _keep_records(jobs: Jobs) -> None:
    """Write records that a full disk has refused, once there is room, and remove old archives."""
    while True:
        await asyncio.sleep(_LOOK)
        jobs.keep_late()
        jobs.drop_archives()


async def _look_around(crowd: Crowd, guard: Guard) -> None:
    """Know what other programs take while somebody asks for pages, so that estimates are of now."""
    while True:
        if guard.is_asked(_ASKED):
            crowd.seen()
        await asyncio.sleep(_LOOK)


async def _tidy(library: Library, guard: Guard) -> None:
    """Close solutions that nobody uses, and give memory back once all visitors have left.

    What deleted solutions hold is given back at once, with the disk space of their files. Free
    pages of the heap are returned after a while of requests, and once requests have paused.
    """
    was_visited, used = False, 0
    while True:
        await asyncio.sleep(_LOOK)
        is_visited = guard.is_visited(_QUIET)
        closed = library.close_unused(_UNUSED if is_visited else _ALONE)
        if library.take_dropped() or (not is_visited and (closed or was_visited)):
            await run_in_threadpool(give_back)
            used = 0
        is_asked = guard.is_asked(_LOOK)
        if used and (used >= _USED or not is_asked):
            await run_in_threadpool(trim)
            used = 0
        used += is_asked
        was_visited = is_visited


def _warm(library: Library) -> None:
    """Load what the first solution needs, while the browser opens the first page.

    Compiled kernels are loaded where they are called: by a look at the newest spot.
    """
    load_engine()
    import equilibrist.poker.postflop.files.storage
    import equilibrist.results  # noqa: F401

    spots = (entry.name for entry in library.entries() if entry.kind == SPOT_SOLUTION)
    newest = next(spots, None)
    if newest is not None:
        with suppress(EquilibristError, OSError), library.opened(newest) as solution:
            solution.to_dict()
