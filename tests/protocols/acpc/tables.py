"""Games, and seats without sockets, for the tests of the dealer and the client."""

from __future__ import annotations

from collections import deque

from equilibrist.errors import PeerError
from equilibrist.protocols.acpc.client import Client
from equilibrist.protocols.acpc.game_definition import GameDefinition
from equilibrist.protocols.acpc.players import FixedPlayer

HEADS_UP = GameDefinition("nolimit", (20000, 20000), (100, 50), first_players=(1, 0, 0, 0))
"""Two seats, no limit, 200 big blinds; position 0 is the big blind."""
LIMIT = GameDefinition(
    "limit",
    (10**9,) * 2,
    (10, 5),
    raise_sizes=(10, 10, 20, 20),
    first_players=(1, 0, 0, 0),
    max_raises=(3, 4, 4, 4),
)
"""Limit hold'em of two seats."""
THREE = GameDefinition("nolimit", (500, 1000, 2000), (100, 50, 0), first_players=(2, 0, 0, 0))
"""Three seats with other stacks: the example of side pots."""
SIX = GameDefinition("nolimit", (20000,) * 6, (50, 100, 0, 0, 0, 0), first_players=(2, 0, 0, 0))
"""Six seats."""
GAMES = {"heads-up": HEADS_UP, "limit": LIMIT, "three": THREE, "six": SIX}


always_call = FixedPlayer("call")
"""Checks and calls."""


class LocalSeat:
    """A client that answers at once."""

    def __init__(self, client: Client) -> None:
        self.client = client
        self._answers: deque[str] = deque()

    def send(self, line: str) -> None:
        answer = self.client.answer(line)
        if answer is not None:
            self._answers.append(answer)

    def receive(self, seconds: float) -> str:
        if not self._answers:
            raise TimeoutError
        return self._answers.popleft()


class ScriptedSeat:
    """Answers each state with what a function makes of it, several lines if need be."""

    def __init__(self, respond) -> None:
        self._respond = respond
        self._lines: deque[str] = deque()
        self.seen: list[str] = []

    def send(self, line: str) -> None:
        self.seen.append(line)
        self._lines.extend(self._respond(line))

    def receive(self, seconds: float) -> str:
        if not self._lines:
            raise PeerError("it closed the connection", "nobody")
        return self._lines.popleft()
