"""Lines over sockets: cut, late, endless or none; the handshake; ports. Every wait has an end."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from itertools import cycle
from typing import cast

import pytest

from equilibrist.errors import ConfigError, PeerError
from equilibrist.protocols.acpc.connections import (
    LOOPBACK,
    Doors,
    LineConnection,
    check_version,
    connect,
)
from tests.refusals import refuses

PATIENCE = 120.0
"""Seconds that anything may take on a busy machine."""
LONG = 20.0
"""Seconds after which a test ends a wait that the code should have ended long ago."""


@pytest.fixture
def pair() -> Iterator[tuple[LineConnection, socket.socket]]:
    ours, theirs = socket.socketpair()
    theirs.settimeout(PATIENCE)
    with LineConnection(ours, "it") as connection, theirs:
        yield connection, theirs


def test_lines_are_put_together_from_pieces(pair) -> None:
    connection, theirs = pair
    for piece in (b"MATCH", b"STATE:0\r", b"\nsecond\n\nth"):
        theirs.sendall(piece)
    assert [connection.receive(PATIENCE) for _ in range(3)] == ["MATCHSTATE:0", "second", ""]
    with pytest.raises(TimeoutError):
        connection.receive(0.0)
    theirs.sendall(b"ird\n")
    assert connection.receive(PATIENCE) == "third"


def test_half_a_line_at_the_end_is_no_line(pair) -> None:
    connection, theirs = pair
    theirs.sendall(b"whole\nhalf")
    theirs.close()
    assert connection.receive(PATIENCE) == "whole"
    with refuses(PeerError, peer="it", option="connection"):
        connection.receive(PATIENCE)


def test_an_endless_line_is_dropped(pair) -> None:
    connection, theirs = pair
    sender = threading.Thread(
        target=lambda: theirs.sendall(b"x" * 300_000 + b"\nafter\n"), daemon=True
    )
    sender.start()
    assert connection.receive(PATIENCE) == "after"
    sender.join(PATIENCE)


class Endless:
    """A socket that always has more pieces, for a limited time."""

    def __init__(self, *pieces: bytes) -> None:
        self._pieces, self._end = cycle(pieces), time.monotonic() + LONG / 10

    def recv(self, _size: int) -> bytes:
        assert time.monotonic() < self._end, "the limit has passed long ago"
        return next(self._pieces)

    def settimeout(self, seconds: float | None) -> None:
        pass

    def setsockopt(self, *_option: int) -> None:
        pass


@pytest.mark.parametrize("pieces", [(b"x" * 1000,), (b"x" * 60_000, b"x" * 60_000, b"x\n")])
def test_pieces_that_keep_coming_do_not_renew_the_time(pieces: tuple[bytes, ...]) -> None:
    connection = LineConnection(cast(socket.socket, Endless(*pieces)), "it")
    with pytest.raises(TimeoutError):
        connection.receive(0.05)


def test_bytes_that_are_no_text(pair) -> None:
    connection, theirs = pair
    theirs.sendall(b"\xff\xfe\x00c\n")
    assert connection.receive(PATIENCE).endswith("\x00c")


def test_sending_to_nobody(pair) -> None:
    connection, theirs = pair
    theirs.close()
    with refuses(PeerError, peer="it"):
        for _ in range(1000):
            connection.send("x" * 1000)
    connection.close()
    with refuses(PeerError, peer="it"):
        connection.send("x")
    with refuses(PeerError, peer="it"):
        connection.receive(PATIENCE)


@pytest.mark.parametrize("line", ["VERSION:2.0.0", "VERSION:2.0.7", "VERSION:2.0.0 "])
def test_versions_that_the_dealer_speaks(line: str) -> None:
    check_version(line, "it")


@pytest.mark.parametrize(
    "line", ["VERSION:1.0.0", "VERSION:3.0.0", "VERSION:2.1.0", "VERSION:2.0", "version:2.0.0", ""]
)
def test_other_versions(line: str) -> None:
    with refuses(PeerError, option="version", given=line):
        check_version(line, "it")


def test_players_come_in_any_order() -> None:
    with Doors(["a", "b"]) as doors:
        second = connect(LOOPBACK, doors.ports[1], PATIENCE)
        first = connect(LOOPBACK, doors.ports[0], PATIENCE)
        seats = doors.admit(PATIENCE)
        assert [seat.peer for seat in seats] == ["a", "b"]
        seats[0].send("to a")
        assert first.receive(PATIENCE) == "to a"
        second.send("from b")
        assert seats[1].receive(PATIENCE) == "from b"
        for connection in (*seats, first, second):
            connection.close()


def test_a_player_that_does_not_come() -> None:
    with (
        Doors(["a", "b"]) as doors,
        connect(LOOPBACK, doors.ports[0], PATIENCE),
        refuses(PeerError, peer="b", option="start_timeout"),
    ):
        doors.admit(0.2)


def test_a_player_that_names_no_version() -> None:
    with (
        Doors(["a"]) as doors,
        socket.create_connection((LOOPBACK, doors.ports[0]), PATIENCE),
        refuses(PeerError, peer="a", option="version"),
    ):
        doors.admit(0.5)


def test_a_player_that_names_another_version() -> None:
    with (
        Doors(["a"]) as doors,
        socket.create_connection((LOOPBACK, doors.ports[0]), PATIENCE) as raw,
    ):
        raw.sendall(b"# a comment\nVERSION:9.0.0\n")
        with refuses(PeerError, peer="a", option="version", given="VERSION:9.0.0"):
            doors.admit(PATIENCE)


class Flood:
    """Sends the same bytes again and again to a seat, until it is left, or for a long time."""

    def __init__(self, port: int, text: bytes, pause: float) -> None:
        self._port, self._text, self._pause = port, text, pause
        self._ends = threading.Event()
        self._thread = threading.Thread(target=self._send, daemon=True)

    def _send(self) -> None:
        with (
            suppress(OSError),
            socket.create_connection((LOOPBACK, self._port), PATIENCE) as raw,
        ):
            end = time.monotonic() + LONG
            while not self._ends.wait(self._pause) and time.monotonic() < end:
                raw.sendall(self._text)

    def __enter__(self) -> None:
        self._thread.start()

    def __exit__(self, *_error: object) -> None:
        self._ends.set()
        self._thread.join(PATIENCE)
        assert not self._thread.is_alive()


@pytest.mark.parametrize("text", [b"# a comment\n", b"no end"])
def test_comments_do_not_renew_the_time_to_name_a_version(text: bytes) -> None:
    with (
        Doors(["a"]) as doors,
        Flood(doors.ports[0], text, 0.02),
        refuses(PeerError, peer="a", option="version"),
    ):
        doors.admit(0.5)


def test_what_ends_the_wait_for_a_version() -> None:
    with (
        Doors(["a"]) as doors,
        socket.create_connection((LOOPBACK, doors.ports[0]), PATIENCE) as raw,
    ):
        leave = threading.Timer(LONG, raw.shutdown, [socket.SHUT_RDWR])
        leave.daemon = True
        leave.start()
        calls = 0

        def check() -> None:
            nonlocal calls
            calls += 1
            if calls > 5:  # long after the player has connected
                raise PeerError("it ended", "a", option="player")

        with refuses(PeerError, peer="a", option="player"):
            doors.admit(None, check)
        leave.cancel()


def test_a_connection_that_breaks_at_once_is_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    closed: list[str] = []

    def send(connection: LineConnection, _line: str) -> None:
        raise PeerError("cannot send to it", connection.peer)

    close = LineConnection.close

    def kept(connection: LineConnection) -> None:
        closed.append(connection.peer)
        close(connection)

    monkeypatch.setattr(LineConnection, "send", send)
    monkeypatch.setattr(LineConnection, "close", kept)
    with Doors(["a"]) as doors, refuses(PeerError, peer=f"{LOOPBACK}:{doors.ports[0]}"):
        connect(LOOPBACK, doors.ports[0], PATIENCE)
    assert closed == [f"{LOOPBACK}:{doors.ports[0]}"]


def test_what_ends_the_wait_for_players() -> None:
    def check() -> None:
        raise PeerError("it ended", "a")

    with Doors(["a"]) as doors, refuses(PeerError, peer="a"):
        doors.admit(PATIENCE, check)


def test_ports() -> None:
    with Doors(["a", "b"]) as doors, refuses(ConfigError, option="ports", given=doors.ports[0]):
        Doors(["a"], [doors.ports[0]])
    for ports in ([1], [1, 2, 3], [-1, 0], [0, 65536]):
        with refuses(ConfigError, option="ports"):
            Doors(["a", "b"], ports)
    with refuses(ConfigError, option="ports"):
        Doors(["a"], [0], "no such host.invalid")


def test_no_dealer() -> None:
    with Doors(["a"]) as doors:
        port = doors.ports[0]
    with refuses(PeerError, option="port", given=port):
        connect(LOOPBACK, port, 0.2)
