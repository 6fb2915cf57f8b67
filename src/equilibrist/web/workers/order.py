"""Messages between server and worker: lines of JSON on the worker's standard input and output."""

from __future__ import annotations

import json
import math
import os
import sys
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import IO, Any, Final

from equilibrist.games.spec import file_in
from equilibrist.poker.postflop.spot.fields import Storage
from equilibrist.web.security.short_names import short_names

PAUSE: Final = "pause"
STOP: Final = "stop"
SAVE: Final = "save"
SERVER_GONE: Final = "server gone"
"""Why a run ends early: a command to pause or stop, an order that only saves the checkpoint, or the
end of the server, which closes the worker's standard input. As a command, `SAVE` has the run write
its checkpoint, and go on."""
LOOK: Final = "look"
"""A command to send what is played now at a node; its line follows, as JSON."""
ARCHIVE: Final = "site.zip"
"""The archive of a site, in the folder of its job."""
SAVING: Final = "saving-"
"""How the folders begin in which solutions of runs that go on are made, and sites."""
EFG: Final = "efg:"
"""How the text begins that names a game in a file."""
_UNSAVED = ("lp", "regret-matching")
"""How the names of algorithms begin that have no checkpoints."""


@dataclass(frozen=True)
class SolveOrder:
    """A solve.

    Attributes:
        kind: `game`, `spot`, `compare`, which is a race, `review`, `site`, or that of a `HandRun`.
        game: The text that names the game, or the path of an .efg.
        spot: The text of a spot.
        options: As on the command line, by name.
        checkpoint: The file of the run's state; it is resumed if it is there.
        solution: The file of the solution.
        spent: The seconds that the run has had already under its limits.
        save_only: Save the solution of the checkpoint, after one iteration where it has none.
        algorithms: Of a race, its entries.
        review: Of a review, what a request says, and `files`: those of `against`.
        site: Of a site, what a request says, and `files`: those of its solutions.
        keys: Of a run on whole hands, the texts that say what is solved.
        files: Of a run on whole hands, the files that keys name.
    """

    kind: str
    game: str
    spot: str | None
    options: dict[str, str]
    checkpoint: str
    solution: str
    spent: float = 0.0
    save_only: bool = False
    algorithms: tuple[str, ...] = ()
    review: dict[str, Any] | None = None
    site: dict[str, Any] | None = None
    keys: dict[str, str] | None = None
    files: dict[str, str] | None = None

    def to_line(self) -> str:
        """The line that is sent to the worker."""
        return json.dumps({"do": "solve", **asdict(self)})


@dataclass(frozen=True)
class ReadOrder:
    """A file to read that was uploaded: is it whole, and what is in it?

    Attributes:
        kind: `solution` or `game`.
        path: The file.
        memory: The bytes that this may take.
    """

    kind: str
    path: str
    memory: int

    def to_line(self) -> str:
        """The line that is sent to the worker."""
        return json.dumps({"do": "read", **asdict(self)})


@dataclass(frozen=True)
class FitOrder:
    """A spot that is too large: what makes it fit?

    Attributes:
        spot: The text of the spot.
        memory: The bytes that it may take.
        storage: How regrets and strategies are stored.
        threads: Threads of its run.
        predicts: Whether the run keeps a third number per entry.
        responds: Whether strategies are logit responses.
    """

    spot: str
    memory: int
    storage: Storage
    threads: int | None
    predicts: bool = False
    responds: bool = False

    def to_line(self) -> str:
        """The line that is sent to the worker."""
        return json.dumps({"do": "fit", **asdict(self)})


@dataclass(frozen=True)
class ResolveOrder:
    """A street of a solved spot that its file does not keep: solve it again.

    Attributes:
        path: The file of the solution.
        line: The line of a node on that street.
        into: The file for the street; None for a report on all next cards instead.
    """

    path: str
    line: str
    into: str | None

    def to_line(self) -> str:
        """The line that is sent to the worker."""
        return json.dumps({"do": "resolve", **asdict(self)})


@dataclass(frozen=True)
class HandsOrder:
    """An exact solution whose hands are played: solve flops, and answer questions until the end.

    Attributes:
        path: The file of the solution.
    """

    path: str

    def to_line(self) -> str:
        """The line that is sent to the worker."""
        return json.dumps({"do": "hands", **asdict(self)})


Order = SolveOrder | ReadOrder | FitOrder | ResolveOrder | HandsOrder


_ORDERS: Final[dict[str, type[Order]]] = {
    "solve": SolveOrder,
    "read": ReadOrder,
    "fit": FitOrder,
    "resolve": ResolveOrder,
    "hands": HandsOrder,
}


def parse_order(line: str) -> Order:
    """Decode a line that `to_line` wrote; KeyError for an unknown command."""
    message = json.loads(line)
    command = message.pop("do")
    if command == "solve":
        message["algorithms"] = tuple(message["algorithms"])  # JSON has no tuples
    return _ORDERS[command](**message)


def short_names_of(order: Order) -> dict[str, str]:
    """What stands for the places of the files that an order names (`short_names`).

    Args:
        order: The order.
    """
    names = ("checkpoint", "solution", "path", "into")
    files = [Path(getattr(order, name)) for name in names if getattr(order, name, None)]
    folders = {file.parent: file.parent.name for file in files}
    typed = None
    if isinstance(order, SolveOrder) and (place := file_in(order.game)) is not None:
        typed = order.game[place]
        own = Path(os.path.expanduser(typed)).parent  # noqa: PTH111 - raises nothing
        folders[own] = "its folder"
    return short_names(folders, () if typed is None else (typed,))


class Events:
    """The events that a worker sends to the server: one JSON document per line.

    They take over the standard output of the process; what libraries print goes to the log instead.
    """

    def __init__(self) -> None:
        self._stream: IO[str] = sys.stdout
        sys.stdout = sys.stderr

    def send(self, event: str, **facts: Any) -> None:
        """Send an event.

        Args:
            event: Its kind: `stage`, `progress`, `looked`, `saved`, `end`, `error`, `read`,
                `found`, `resolved`, `ready` or `answer`.
            **facts: Its other keys; plain values.

        Raises:
            OSError: The server has ended.
        """
        self._stream.write(json.dumps({"event": event, **facts}, allow_nan=False) + "\n")
        self._stream.flush()


def saves(options: dict[str, str]) -> bool:
    """Whether a run with these options of `solve` has checkpoints."""
    return not options.get("algorithm", "").strip().lower().startswith(_UNSAVED)


def number(value: float | None) -> float | None:
    """A number for JSON, which knows no infinity."""
    return value if value is not None and math.isfinite(value) else None


def folder_of(order: SolveOrder) -> Path:
    """The folder of the job."""
    return Path(order.checkpoint).parent
