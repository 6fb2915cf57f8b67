"""Connections of dealer and clients: lines over TCP, and the handshake that names the version."""

from __future__ import annotations

import errno
import re
import selectors
import socket
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from contextlib import suppress
from types import TracebackType
from typing import Final, Self

from equilibrist.errors import ConfigError, PeerError
from equilibrist.parsing.arguments import bad_argument
from equilibrist.protocols.acpc.match_state import COMMENTS

VERSION: Final = (2, 0, 0)
"""The version of the protocol that is spoken here."""
LOOPBACK: Final = "127.0.0.1"
MOST_PORT: Final = 65535
_WRONG_HOST: Final = (errno.EADDRNOTAVAIL, errno.EAFNOSUPPORT)
_LONGEST_LINE: Final = 65536
"""In bytes. Of a longer line the rest is dropped up to its end."""
_CHUNK: Final = 65536
_SEND_SECONDS: Final = 60.0
"""How long a player may let what is sent to it pile up."""
_POLL_SECONDS: Final = 0.1
_HANDSHAKE: Final = re.compile(r"VERSION:(\d{1,6})\.(\d{1,6})\.(\d{1,6})\s*", re.ASCII)


class _Closing(ABC):
    """What a `with` block closes at its end."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    @abstractmethod
    def close(self) -> None:
        """Give everything back; a second call does nothing."""


class LineConnection(_Closing):
    """Lines over a socket; a context manager. Both ends may be slow, cut lines, or send anything.

    Args:
        connection: The socket.
        peer: Who is at the other end, for errors.
    """

    def __init__(self, connection: socket.socket, peer: str) -> None:
        self._socket, self.peer = connection, peer
        self._buffer = bytearray()
        self._is_overlong = False
        with suppress(OSError):
            # Every message waits for its answer; who is silent for hours may be gone for good.
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)

    def close(self) -> None:
        """Close the connection; a second call does nothing."""
        with suppress(OSError):
            self._socket.close()

    def send(self, line: str) -> None:
        """Send a line.

        Args:
            line: The line, without its end.

        Raises:
            PeerError: Nobody is there any more, or what is sent piles up.
        """
        try:
            self._socket.settimeout(_SEND_SECONDS)
            self._socket.sendall(f"{line}\r\n".encode())
        except (OSError, ValueError) as error:
            raise self._gone(f"cannot send to it: {error}") from None

    def receive(self, seconds: float | None = None) -> str:
        """Wait for a line.

        Args:
            seconds: How long to wait; None for ever.

        Returns:
            The line, without its end. Bytes that are not UTF-8 are replaced.

        Raises:
            PeerError: The other end has closed the connection; half a line is no line.
            TimeoutError: No line came in time.
        """
        deadline = None if seconds is None else time.monotonic() + seconds
        while True:
            end = self._buffer.find(b"\n")
            if end >= 0:
                line = bytes(self._buffer[:end])
                del self._buffer[: end + 1]
                if self._is_overlong:
                    self._is_overlong = False
                    _check_time(deadline)
                    continue
                return line.decode("utf-8", "replace").rstrip("\r")
            if len(self._buffer) > _LONGEST_LINE:
                self._buffer.clear()
                self._is_overlong = True
            self._read(deadline)
            if b"\n" not in self._buffer:
                _check_time(deadline)

    def _read(self, deadline: float | None) -> None:
        left = None if deadline is None else deadline - time.monotonic()
        if left is not None and left <= 0:
            left = 0.0
        try:
            self._socket.settimeout(left)
            chunk = self._socket.recv(_CHUNK)
        except (TimeoutError, BlockingIOError):
            raise TimeoutError from None
        except (OSError, ValueError) as error:
            raise self._gone(f"the connection broke: {error}") from None
        if not chunk:
            raise self._gone("it closed the connection")
        self._buffer += chunk

    def _gone(self, reason: str) -> PeerError:
        return PeerError(reason, self.peer, option="connection", given=reason)


def _check_time(deadline: float | None) -> None:
    """Raise TimeoutError after a deadline: pieces that keep coming are no line."""
    if deadline is not None and time.monotonic() > deadline:
        raise TimeoutError


def version_line() -> str:
    """The line with which a client begins."""
    return f"VERSION:{'.'.join(map(str, VERSION))}"


def check_version(line: str, peer: str) -> None:
    """Check the first line of a client: the major version is equal, the minor one not later.

    Args:
        line: The line.
        peer: Who sent it.

    Raises:
        PeerError: It is no version that a dealer of this one can speak.
    """
    match = _HANDSHAKE.fullmatch(line)
    if match is None or int(match[1]) != VERSION[0] or int(match[2]) > VERSION[1]:
        raise PeerError(
            f"{peer} begins with {line[:100]!r}",
            peer,
            option="version",
            given=line[:100],
            expected=version_line(),
            remedy=f"the first line of a player is {version_line()}",
        )


def cannot_listen(
    host: str,
    port: int,
    error: Exception,
    *,
    option: str = "port",
    remedy: str = "choose another port, or 0 for any that is free",
) -> ConfigError:
    """Make the error of a server that cannot listen.

    Args:
        host: The address to listen on.
        port: The port.
        error: What the system has raised.
        option: The option of the port.
        remedy: What to do about a port.

    Returns:
        An error of the host where no port would do, else of the port.
    """
    is_host = is_wrong_host(error)
    return ConfigError(
        f"cannot listen on {host}, port {port}: {getattr(error, 'strerror', None) or error}",
        option="host" if is_host else option,
        given=host if is_host else port,
        remedy="choose a host address of this machine" if is_host else remedy,
    )


def is_wrong_host(error: Exception) -> bool:
    """Whether what kept a server from listening is its address, whatever the port.

    Args:
        error: What the system has raised.
    """
    if isinstance(error, socket.gaierror | UnicodeError):
        return True
    return isinstance(error, OSError) and error.errno in _WRONG_HOST


class Doors(_Closing):
    """A listening socket a seat; a context manager.

    Args:
        names: The players, in the order of their ports.
        ports: Their ports, 0 for any that is free.
        host: The address to listen on.

    Raises:
        ConfigError: A port is none, or in use, or the address is not one of this machine.
    """

    def __init__(
        self, names: Sequence[str], ports: Sequence[int] | None = None, host: str = LOOPBACK
    ) -> None:
        wanted = [0] * len(names) if ports is None else list(ports)
        if len(wanted) != len(names) or not all(0 <= port <= MOST_PORT for port in wanted):
            raise bad_argument(
                "ports", ",".join(map(str, wanted)), f"{len(names)} ports up to {MOST_PORT}"
            )
        self._names = tuple(names)
        self._sockets: list[socket.socket] = []
        try:
            for port in wanted:
                self._sockets.append(socket.create_server((host, port)))
                self._sockets[-1].setblocking(False)  # whoever knocked may be gone again
        except (OSError, OverflowError, UnicodeError) as error:
            self.close()
            raise cannot_listen(host, port, error, option="ports") from None
        self.ports = tuple(listening.getsockname()[1] for listening in self._sockets)

    def close(self) -> None:
        """Close all of them."""
        for listening in self._sockets:
            listening.close()

    def admit(
        self,
        seconds: float | None = None,
        check: Callable[[], None] = lambda: None,
    ) -> list[LineConnection]:
        """Wait until every player has connected and named its version.

        Args:
            seconds: How long to wait for all of them; None for ever.
            check: Called often while nobody comes; may raise to end the wait.

        Returns:
            The connections, in the order of the names.

        Raises:
            PeerError: A player did not come in time, or speaks another version.
        """
        deadline = None if seconds is None else time.monotonic() + seconds
        came: dict[int, LineConnection] = {}
        try:
            with selectors.DefaultSelector() as selector:
                for number, listening in enumerate(self._sockets):
                    selector.register(listening, selectors.EVENT_READ, number)
                while len(came) < len(self._sockets):
                    self._check_deadline(deadline, came)
                    for key, _ in selector.select(_POLL_SECONDS):
                        number = key.data
                        try:
                            connection, _address = self._sockets[number].accept()
                        except OSError:
                            continue
                        came[number] = LineConnection(connection, self._names[number])
                        selector.unregister(self._sockets[number])
                    check()
            for number in sorted(came):
                self._greet(came[number], deadline, check)
        except BaseException:
            for open_connection in came.values():
                open_connection.close()
            raise
        return [came[number] for number in range(len(self._sockets))]

    def _check_deadline(self, deadline: float | None, came: dict[int, LineConnection]) -> None:
        if deadline is not None and time.monotonic() > deadline:
            missing = [name for number, name in enumerate(self._names) if number not in came]
            raise PeerError(
                f"{', '.join(missing)} did not connect in time",
                missing[0],
                option="start_timeout",
                given=", ".join(missing),
                remedy="start the players with the ports that the dealer prints",
            )

    def _greet(
        self, connection: LineConnection, deadline: float | None, check: Callable[[], None]
    ) -> None:
        """Read the version of a player; `check` is called often until it has come."""
        while True:
            left = _POLL_SECONDS if deadline is None else deadline - time.monotonic()
            line = None
            with suppress(TimeoutError):
                line = connection.receive(min(_POLL_SECONDS, max(0.0, left)))
            if line is not None and not line.startswith(COMMENTS):
                check_version(line, connection.peer)
                return
            if left <= 0.0:
                raise PeerError(
                    f"{connection.peer} did not name its version in time",
                    connection.peer,
                    option="version",
                    expected=version_line(),
                )
            check()


def connect(host: str, port: int, seconds: float) -> LineConnection:
    """Connect to a dealer; one that does not listen yet is tried again.

    Args:
        host: Its address.
        port: The port of the seat.
        seconds: How long to try.

    Returns:
        The connection; the version has been sent.

    Raises:
        PeerError: Nobody listens there.
    """
    deadline = time.monotonic() + seconds
    peer = f"{host}:{port}"
    while True:
        try:
            left = max(0.1, deadline - time.monotonic())
            connection = LineConnection(socket.create_connection((host, port), timeout=left), peer)
        except (OSError, OverflowError) as error:
            if time.monotonic() >= deadline or not isinstance(error, ConnectionRefusedError):
                raise PeerError(
                    f"cannot connect to {peer}: {error}",
                    peer,
                    option="port",
                    given=port,
                    remedy="start the dealer first, and give the port that it prints for this seat",
                ) from None
            time.sleep(_POLL_SECONDS)
        else:
            try:
                connection.send(version_line())
            except PeerError:
                connection.close()
                raise
            return connection
