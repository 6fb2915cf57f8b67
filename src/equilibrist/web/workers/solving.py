"""A solve in a process of its own: the command line's run, with its progress sent to the server."""

from __future__ import annotations

import json
import os
import sys
import threading
import time
from base64 import b64encode
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias

from filelock import FileLock, Timeout

from equilibrist.errors import CheckpointError, EquilibristError, OutputError
from equilibrist.storage.atomic import failures
from equilibrist.web.errors import error_document
from equilibrist.web.workers.order import (
    EFG,
    LOOK,
    PAUSE,
    SAVE,
    SERVER_GONE,
    STOP,
    Events,
    SolveOrder,
    folder_of,
    number,
    saves,
)

if TYPE_CHECKING:
    from equilibrist.poker.postflop.solution.result import PostflopResult
    from equilibrist.progress import Callbacks, Progress
    from equilibrist.results import Result

    _Run: TypeAlias = Callable[[SolveOrder, Callbacks], tuple[Any, OutputError | None]]

_EVERY: Final = 0.2
"""Seconds between two reports without a new measurement."""
_NAMED: Final = ("checkpoint", "resume", "out")
"""Options of a run that name files."""
_TOLD_TO_END: Final = ("callback", "interrupted")
"""What ends a run that has not come to its end."""
_LARGEST: Final = 1 << 62
"""The library keeps whole solutions, as long as the disk has room."""


class Commands:
    """The commands of the server, read from the standard input in a thread of its own.

    Args:
        received: A command that counts as received from the beginning; None for none.

    Attributes:
        received: What ends the run: `PAUSE`, `STOP`, `SAVE` or `SERVER_GONE`; None while it runs.
    """

    def __init__(self, received: str | None = None) -> None:
        self.received = received
        self._wants_checkpoint = False
        self._looks: deque[str] = deque()
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        for line in sys.stdin:
            if line.strip() in (PAUSE, STOP):
                self.received = line.strip()
            elif line.strip() == SAVE:
                self._wants_checkpoint = True
            elif line.startswith(LOOK):
                self._looks.append(json.loads(line.removeprefix(LOOK)))
        self.received = self.received or SERVER_GONE

    def take_save(self) -> bool:
        """Whether the server has asked for a checkpoint since this was called last."""
        wanted, self._wants_checkpoint = self._wants_checkpoint, False
        return wanted

    def take_look(self) -> str | None:
        """The line of the next node that the server asks for; None where it asks for none."""
        return self._looks.popleft() if self._looks else None


class StoppedEarlyError(Exception):
    """The worker was told to end before there was anything to save."""


def solve(order: SolveOrder, events: Events) -> None:
    """Solve, save the solution, and send how the run ended.

    Args:
        order: The solve.
        events: Where progress is sent.

    Raises:
        CheckpointError: Another process runs the same job.
        EquilibristError: What the solve raises; OutputError where its checkpoint could not be
            written, after the solution was, if that is possible.
    """
    from equilibrist.progress import Callbacks

    commands = Commands(SAVE if order.save_only else None)
    with alone(folder_of(order)):
        has_begun = Path(order.checkpoint).exists()
        reports = Reports(events, commands, has_begun=has_begun)
        callbacks = Callbacks(
            reports.on_progress, reports.on_stage, reports.on_walk, reports.on_present
        )
        try:
            run: _Run = _RUNS.get(order.kind, _solve_game)
            result, failure = run(order, callbacks)
        except StoppedEarlyError:
            events.send(
                "end", command=commands.received, stopped_by=None, is_saved=False, note=None
            )
            return
        reports.send_end(result)
        events.send("stage", text="saving")
        if failure is not None:  # the disk may still have room for the solution
            with suppress(OutputError):
                _save(result, order)
                events.send("saved")
            raise failure
        left_out = _save(result, order)
        events.send(
            "end",
            command=commands.received if result.stopped_by == "callback" else None,
            stopped_by=result.stopped_by,
            is_saved=True,
            note=left_out or None,
        )


@contextmanager
def alone(folder: Path) -> Iterator[None]:
    """Hold the folder of a job: one process at a time writes there."""
    with failures(folder / "lock"):
        try:
            lock = FileLock(folder / "lock").acquire(blocking=False)
        except Timeout:
            raise CheckpointError(
                "the job is still running in another process",
                folder,
                option="job",
                remedy="wait a moment, and resume it then",
            ) from None
    with lock:
        yield


class Reports:
    """What a run sends of itself, and its end when it is told to stop.

    Args:
        events: Where it is sent.
        commands: The commands of the server.
        has_begun: Whether there is a checkpoint; while the rules are walked only a new run stops.

    Attributes:
        newest: The progress that was told last; None before the first.
    """

    def __init__(self, events: Events, commands: Commands, *, has_begun: bool) -> None:
        self._events, self.commands, self.has_begun = events, commands, has_begun
        self._told_at = 0.0
        self.newest: Progress | None = None

    def on_progress(self, progress: Progress) -> bool | Literal["save"]:
        """Send what is newly measured at once, and other progress from time to time."""
        now, stops = time.monotonic(), self.commands.received is not None
        earlier, self.newest = self.newest, progress
        is_new = earlier is None or progress.measured_at != earlier.measured_at
        if is_new or stops or now - self._told_at >= _EVERY:
            self._told_at = now
            self.send(progress)
        if not stops and self.commands.take_save():
            return "save"
        return not stops

    def send(self, progress: Progress) -> None:
        """Send progress."""
        self._events.send("progress", **progress_facts(progress))

    def send_stage(self, text: str, done: int | None, total: int | None) -> None:
        """Send what the run does, and how far that is."""
        self._events.send("stage", text=text, done=done, total=total)

    def on_stage(self, text: str) -> None:
        """Send what the run does."""
        self._events.send("stage", text=text)

    def on_walk(self, histories: int) -> None:
        """Send how far the rules are walked."""
        if self.commands.received is not None and not self.has_begun:
            raise StoppedEarlyError
        if time.monotonic() - self._told_at >= _EVERY:
            from equilibrist.progress import walked_text

            self._told_at = time.monotonic()
            text = f"walking the rules: {walked_text(histories)}"
            self._events.send("stage", text=text, done=histories)

    def on_present(self, make: Callable[[], PostflopResult]) -> None:
        """Send the nodes that the server asks for, as they are played now."""
        while (line := self.commands.take_look()) is not None:
            try:
                self._events.send("looked", line=line, **node_facts(make(), line))
            except EquilibristError as error:
                self._events.send("looked", line=line, document=error_document(error))

    def send_end(self, result: Result[Any]) -> None:
        """Send the measurement of the solution of a run that was told to end, or of three players.

        It is made after the last progress, which has that of an earlier iteration.
        """
        newest = self.newest
        if newest is None or newest.measured_at is None:
            return
        if newest.gains is None and result.stopped_by not in _TOLD_TO_END:
            return  # of three players the best averages are kept, which need not be the last
        missed = getattr(result, "frequency_error", None)
        gains = None if newest.gains is None else tuple(getattr(result, "gains", newest.gains))
        end = replace(
            newest,
            iteration=result.iterations,
            seconds=max(newest.seconds, result.seconds),
            measure=result.measure,
            measured_at=result.iterations,
            gains=gains,
            frequency_error=newest.frequency_error if missed is None else missed,
        )
        self.send(end)


def progress_facts(progress: Progress) -> dict[str, Any]:
    """The numbers of a Progress; None for what does not apply."""
    return {
        "algorithm": progress.algorithm,
        "iteration": progress.iteration,
        "seconds": progress.seconds,
        "iterations_per_second": number(progress.iterations_per_second),
        "eta_seconds": number(progress.eta_seconds),
        "measure": number(progress.measure),
        "measure_name": progress.measure_name,
        "measure_percent": number(progress.measure_percent),
        "measured_at": progress.measured_at,
        "gains": None if progress.gains is None else list(progress.gains),
        "target": number(progress.target),
        "nodes_touched": progress.nodes_touched,
        "num_infosets": progress.num_infosets,
        "frequency_error": number(progress.frequency_error),
        "deals": progress.deals,
        "deals_per_second": number(progress.deals_per_second),
        "average_regret": number(progress.average_regret),
    }


def node_facts(solution: PostflopResult, line: str) -> dict[str, Any]:
    """The figures of all hands at a node, as they are packed for a message, and the iteration.

    Args:
        solution: The solution as it is now.
        line: The line of the node.

    Returns:
        `iteration`, `seconds`, and `values`, the arrays of `NodeValues` as a text.

    Raises:
        LineSyntaxError: The line cannot be read or played.
    """
    import numpy as np

    packed = BytesIO()
    np.savez_compressed(packed, **solution.at(line).values._asdict())
    return {
        "iteration": solution.iterations,
        "seconds": solution.seconds,
        "values": b64encode(packed.getvalue()).decode(),
    }


def _solve_game(order: SolveOrder, callbacks: Callbacks) -> tuple[Result[Any], OutputError | None]:
    """Solve a game as `equilibrist solve` does.

    Returns the result, and what kept a checkpoint from being written.
    """
    from equilibrist.options.reading import read_texts
    from equilibrist.options.solve_options import SOLVE_OPTIONS
    from equilibrist.progress import timed
    from equilibrist.solving.algorithm import configured
    from equilibrist.solving.running import run

    values = read_texts(SOLVE_OPTIONS, order.options)
    _subtract_spent(values, order)
    if saves(order.options):
        values["checkpoint"] = order.checkpoint
        values["resume"] = Path(order.checkpoint).exists()
    algorithm, config = configured(values)
    result, failure = run(problem_of(order), algorithm, config, timed(callbacks))
    return result, failure


def problem_of(order: SolveOrder) -> Any:
    """The game of an order, as `solve` takes it; one of a file goes by the name of its file alone.

    Solutions hold the name of their game, and so no folder of this machine: a copy of the data
    folder works elsewhere.
    """
    if not order.game.startswith(EFG):
        return order.game
    from equilibrist.game import keep_source
    from equilibrist.games.efg.game import load_efg

    path = order.game.removeprefix(EFG)
    game = replace(load_efg(path), path=Path(path).name)
    keep_source(game, game.path)
    return game


def _solve_spot(order: SolveOrder, callbacks: Callbacks) -> tuple[Result[Any], OutputError | None]:
    """Solve a spot as `equilibrist postflop solve` does.

    Returns the result, and what kept a checkpoint from being written.
    """
    from equilibrist.poker.postflop.solving.spot_run import SpotRun, run_of
    from equilibrist.poker.postflop.spot.fields import RUN_OPTIONS
    from equilibrist.poker.postflop.spot.spot import spot_from_text
    from equilibrist.progress import timed

    assert order.spot is not None
    run = SpotRun.read({name: order.options.get(name) for name in RUN_OPTIONS})
    options = dict(run.options)
    _subtract_spent(options, order)
    run = SpotRun(options, storage=run.storage)
    spot = spot_from_text(order.spot)
    saved = Path(order.checkpoint)
    spot, run = run_of(spot, run, saved if saved.exists() else None)
    result = run.solve(spot, callbacks=timed(callbacks), checkpoint=order.checkpoint)
    return result, result.failure


def _solve_three(order: SolveOrder, callbacks: Callbacks) -> tuple[Any, OutputError | None]:
    """Solve a spot of three players as `equilibrist postflop solve` does; there is no checkpoint.

    Returns the solution, and nothing.
    """
    from equilibrist.options.reading import read_texts
    from equilibrist.poker.postflop.spot.fields import RUN_OPTIONS
    from equilibrist.poker.three_players.solving import solve_three
    from equilibrist.poker.three_players.spot import ThreeSpot, any_spot_from_text
    from equilibrist.progress import timed

    assert order.spot is not None
    spot = any_spot_from_text(order.spot)
    assert isinstance(spot, ThreeSpot)
    # The queue has counted what the run takes.
    options = {"memory": _LARGEST, **read_texts(RUN_OPTIONS, order.options)}
    return solve_three(spot, callbacks=timed(callbacks), **options), None


_RUNS: Final[dict[str, _Run]] = {
    "spot": _solve_spot,
    "three": _solve_three,
}
"""How what is no game is solved, by the kind of the order."""


def _subtract_spent(values: dict[str, Any], order: SolveOrder) -> None:
    """A limit of seconds is for the whole run; a resumed one has had some of them."""
    if values.get("seconds") is not None:
        values["seconds"] = max(values["seconds"] - order.spent, 1e-3)


def _save(result: Any, order: SolveOrder) -> str:
    """Write the solution, in which nothing names a folder of this machine.

    Says what is left out of it. Raises OutputError.
    """
    from equilibrist.library.saving import write_solution

    path = Path(order.solution)
    if order.kind == "three":
        os.makedirs(path.parent, exist_ok=True)  # noqa: PTH103 - as below
        result.save(path)
        return ""
    if any(order.checkpoint in note for note in result.notes):
        notes = [note.replace(order.checkpoint, "its checkpoint") for note in result.notes]
        result = replace(result, notes=tuple(notes))
    for name in _NAMED:
        if isinstance(value := result.config.get(name), str):
            result.config[name] = Path(value).name
    os.makedirs(path.parent, exist_ok=True)  # noqa: PTH103 - as the folder may have been removed
    return write_solution(result, path, _LARGEST)
