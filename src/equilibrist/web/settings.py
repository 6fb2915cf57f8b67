"""How a server was started."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from equilibrist.games.spec import file_in, without_folders
from equilibrist.parsing.quantities import read_bytes, read_count

PORT: Final = 8137
LOOPBACK: Final = "127.0.0.1"
LOOPBACK_NAMES: Final = frozenset({"127.0.0.1", "localhost", "::1"})
"""Hosts that nobody but this machine can reach."""
MEGABYTE: Final = 1_000_000


@dataclass(frozen=True)
class Limits:
    """How much a server takes on; whatever passes a limit is refused with a sentence.

    Attributes:
        headers: Bytes of the headers of a request.
        body: Bytes of the body of a request.
        reviewed: Bytes of the body of a request with hands to be reviewed.
        upload: Bytes of an uploaded solution.
        game_upload: Bytes of an uploaded .efg, of which a tree of objects is made.
        check_seconds: Seconds in which an upload must have been read.
        connections: Streams of events, all together.
        streams: Those that one visitor has open.
        sessions: Browsers that are signed in, where a token is needed.
        queue: Jobs that wait or run.
        jobs: Jobs on record.
        running: Jobs that run at the same time.
        memory: Bytes of all running jobs together; None for half of the machine's.
        checkpoints: Bytes of the checkpoints of jobs that have ended; the newest stays anyway.
        games: Uploaded games.
        open_solutions: Solutions that are kept open.
        tables: Tables and drills at which somebody plays.
        guest_tables: Those of guests among them.
        idle_seconds: Seconds after which a table at which nobody has moved is cleared.
        untouched_seconds: The same of one at which nobody has done anything, where room is needed.
        hands: Hands at one table.
        histories: Histories of a game that is compiled to be played.
        guest_sessions: Guests that are signed in, among `sessions`.
        stalled_seconds: The longest that a request may take to begin, or to send its next part.
        slowest: Bytes for each second, on the whole, that the body of a request must have beyond
            its first `stalled_seconds`.
        unread_seconds: The longest that a browser may leave an answer waiting to be read.
        working: Estimates, previews of trees, reports and lessons at the same time.
        waiting: Those that wait for their turn.
        waiting_seconds: The longest that one of them waits.
        resolving: Streets that are re-solved at the same time.
        archive_seconds: Seconds for which the archive of a site can be fetched.
    """

    headers: int = 64_000
    body: int = 1 * MEGABYTE
    reviewed: int = 10 * MEGABYTE
    upload: int = 500 * MEGABYTE
    game_upload: int = 10 * MEGABYTE
    check_seconds: float = 120.0
    connections: int = 100
    streams: int = 30
    sessions: int = 200
    queue: int = 20
    jobs: int = 500
    running: int = 2
    memory: int | None = None
    checkpoints: int = 5000 * MEGABYTE
    games: int = 200
    open_solutions: int = 4
    tables: int = 200
    guest_tables: int = 100
    idle_seconds: float = 2 * 3600.0
    untouched_seconds: float = 60.0
    hands: int = 2_000
    histories: int = 500_000
    guest_sessions: int = 100
    stalled_seconds: float = 20.0
    slowest: float = 10_000.0
    unread_seconds: float = 120.0
    working: int = 2
    waiting: int = 20
    waiting_seconds: float = 20.0
    resolving: int = 2
    archive_seconds: float = 24 * 3600.0


def read_limits(jobs: str, memory: str | None) -> Limits:
    """Read how many solves a server runs, and how much memory they take together.

    Args:
        jobs: A number, as the command line has it.
        memory: A size, such as `8GB`; None for half of the machine's.

    Raises:
        ConfigError: One of them cannot be read.
    """
    return Limits(
        running=read_count(jobs, "jobs"),
        memory=None if memory is None else read_bytes(memory, "memory"),
    )


@dataclass(frozen=True)
class Subject:
    """What the server was started with, and shows first.

    Attributes:
        kind: `spot`, `solution` or `game`.
        text: What the user typed; `load_game` takes that of a game.
        spot: Of a spot, its text in TOML.
        path: Of a solution, the file.
    """

    kind: str
    text: str
    spot: str | None = None
    path: Path | None = None

    @property
    def name(self) -> str:
        """What people and requests call it: the text, with the name of a file alone."""
        return without_folders(self.text) if self.kind == "game" else Path(self.text).name

    @property
    def file(self) -> str | None:
        """The file as it was typed; None for a game that comes with Equilibrist."""
        if self.kind != "game":
            return self.text
        place = file_in(self.text)
        return None if place is None else self.text[place]


@dataclass(frozen=True)
class Settings:
    """How a server was started.

    Attributes:
        data: The data folder.
        host: The address that it listens on.
        port: Its port.
        names: Further names under which it is reached, such as that of a proxy.
        token: What one must know to do everything; None where nothing is asked.
        guest_token: What one must know to look; None without guests.
        printed: Which of `token` and `guest_token` are printed, since the server has made them.
        subject: What it was started with, if anything.
        limits: How much it takes on.
    """

    data: Path
    host: str = LOOPBACK
    port: int = PORT
    names: tuple[str, ...] = ()
    token: str | None = None
    guest_token: str | None = None
    printed: frozenset[str] = frozenset()
    subject: Subject | None = None
    limits: Limits = field(default_factory=Limits)

    @property
    def is_loopback(self) -> bool:
        """Whether nobody but this machine can reach it."""
        return self.host in LOOPBACK_NAMES

    @property
    def url(self) -> str:
        """The address for a browser on this machine."""
        host = {"0.0.0.0": LOOPBACK, "::": "[::1]", "::1": "[::1]"}.get(self.host, self.host)  # noqa: S104
        return f"http://{host}:{self.port}"
