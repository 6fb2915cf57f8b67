"""A whole match: ports, players that are started, logs, and the dealer between them."""

from __future__ import annotations

import shlex
import subprocess
from collections.abc import Callable, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from equilibrist.errors import ConfigError, PeerError
from equilibrist.parsing.arguments import bad_argument
from equilibrist.protocols.acpc.connections import LOOPBACK, Doors
from equilibrist.protocols.acpc.dealer import Dealer, MatchResult, MatchSettings
from equilibrist.protocols.acpc.log import MatchLog
from equilibrist.protocols.acpc.transactions import TransactionLog

_LEAVE_SECONDS: Final = 10.0
"""How long players may take to end after the match."""
_ALL_ADDRESSES: Final = ("", "0.0.0.0", "::")  # noqa: S104
"""Hosts that a server listens on and nobody connects to."""


@dataclass(frozen=True)
class MatchFiles:
    """Where a match is written.

    Attributes:
        log: The log of the hands; None for none.
        transactions: The transaction log; None for none.
        appends: Whether a match that is there already goes on.
        game: What the log calls the game.
    """

    log: Path | None = None
    transactions: Path | None = None
    appends: bool = False
    game: str = ""


class StartedPlayers:
    """Processes of players, each with its port as the last word; a context manager that ends them.

    Args:
        commands: The command of each player, as a shell reads it. `{host}` and `{port}` stand for
            the dealer; without `{port}` the port is appended.
        ports: The ports, in the same order.
        names: The players.
        host: The address that the dealer listens on; of all of them, that of this machine is told.

    Raises:
        ConfigError: A command cannot be started.
    """

    def __init__(
        self,
        commands: Sequence[str],
        ports: Sequence[int],
        names: Sequence[str],
        host: str = LOOPBACK,
    ) -> None:
        self._names = tuple(names)
        self._processes: list[subprocess.Popen[bytes]] = []
        try:
            for command, port in zip(commands, ports, strict=False):  # none, or one a port
                self._processes.append(_started(command, port, host))
        except BaseException:
            self._end(0.0)
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._end(_LEAVE_SECONDS if kind is None else 0.0)

    def check(self) -> None:
        """Raise PeerError for a player that has ended; for while they are awaited."""
        for name, process in zip(self._names, self._processes, strict=False):
            code = process.poll()
            if code is not None:
                raise PeerError(
                    f"{name} ended with code {code} before it took its seat",
                    name,
                    option="player",
                    given=code,
                    remedy="its messages are above; try its command alone",
                )

    def _end(self, seconds: float) -> None:
        for process in self._processes:
            with suppress(subprocess.TimeoutExpired):
                process.wait(seconds)
                continue
            process.terminate()
            try:
                process.wait(_LEAVE_SECONDS)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def _started(command: str, port: int, host: str) -> subprocess.Popen[bytes]:
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise bad_argument("player", command, f"a command, as a shell reads it ({error})") from None
    if not words:
        raise bad_argument("player", command, "a command")
    if not any("{port}" in word for word in words):
        words.append("{port}")
    own = LOOPBACK if host in _ALL_ADDRESSES else host
    words = [word.replace("{port}", str(port)).replace("{host}", own) for word in words]
    try:
        return subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    except OSError as error:
        raise ConfigError(
            f"cannot start {words[0]!r}: {error.strerror or error}",
            option="player",
            given=command,
            remedy="give the whole command of a player in quotes",
        ) from None


def play_match(
    settings: MatchSettings,
    files: MatchFiles,
    *,
    commands: Sequence[str] = (),
    ports: Sequence[int] | None = None,
    host: str = LOOPBACK,
    start_seconds: float | None = None,
    on_ports: Callable[[tuple[int, ...]], None] = lambda _ports: None,
    on_hand: Callable[[int], None] = lambda _hand: None,
    warn: Callable[[str], None] = lambda _text: None,
) -> MatchResult:
    """Open the ports, start the players, wait for them, and play all hands.

    Args:
        settings: The match.
        files: Where it is written.
        commands: The commands of the players, see `StartedPlayers`; empty to wait for others.
        ports: The ports of the seats; None for any that are free.
        host: The address to listen on.
        start_seconds: How long to wait for all players; None for ever.
        on_ports: Called with the ports when players can connect.
        on_hand: Called with the number of hands that are over.
        warn: Called with a sentence about each message that is no legal answer.

    Returns:
        The result.

    Raises:
        ConfigError: There are more or fewer commands than seats, a file has a match already, a port
            is in use, or a command cannot be started.
        PeerError: A player did not come, is gone, or took too long; the hands so far are in the
            log.
        FileFormatError: A file is none of a match.
        OutputError: A file cannot be written.
    """
    if commands and len(commands) != settings.definition.seats:
        raise bad_argument(
            "player",
            len(commands),
            f"{settings.definition.seats} commands, one a seat, each in quotes",
            label="the number of commands",
        )
    with ExitStack() as stack:
        log = transactions = None
        if files.transactions is not None:
            transactions = stack.enter_context(
                TransactionLog(files.transactions, appends=files.appends)
            )
        heading = _heading(settings, files.game)
        if files.log is not None:
            opened = MatchLog(files.log, appends=files.appends, heading=heading)
            log = stack.enter_context(opened)
        doors = stack.enter_context(Doors(settings.names, ports, host))
        on_ports(doors.ports)
        started = stack.enter_context(StartedPlayers(commands, doors.ports, settings.names, host))
        seats = doors.admit(start_seconds, started.check)
        for seat in seats:
            stack.enter_context(seat)
        doors.close()
        if log is not None and not log.heading:
            log.add(heading)
        dealer = Dealer(settings, seats, log, transactions, warn, on_hand=on_hand)
        return dealer.run()


def _heading(settings: MatchSettings, game: str) -> str:
    limits = settings.limits
    times = (limits.response, limits.hand, limits.per_hand)
    response, hand, per_hand = (round(1000 * seconds) for seconds in times)
    kind = " duplicate" if settings.duplicate else ""
    return (
        f"# name/game/hands/seed {'/'.join(settings.names)} {game or 'game'} {settings.hands} "
        f"{settings.seed}{kind}\n# --t_response {response} --t_hand {hand} --t_per_hand {per_hand}"
    )
