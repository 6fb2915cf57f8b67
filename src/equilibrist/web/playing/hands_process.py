"""Hands of an exact solution in the browser: a process of their own solves the flops."""

from __future__ import annotations

import json
import subprocess
import sys
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any
from weakref import finalize

from equilibrist.web.errors import WebError, error_of
from equilibrist.web.workers.order import HandsOrder
from equilibrist.web.workers.process import MODULE

if TYPE_CHECKING:
    from equilibrist.play import Advice, Table
    from equilibrist.play.range_mixtures import RangeMixture


class HandsProcess:
    """A worker that answers for an exact solution; it ends when nobody has this any more.

    Used by one thread at a time.

    Args:
        path: The file of the solution.

    Raises:
        WebError: The solution cannot be played; the error of the worker.
    """

    def __init__(self, path: Path) -> None:
        """Start the process and wait until it has opened the solution."""
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", MODULE],  # -P: the current folder may hold any modules
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            start_new_session=True,
        )
        self._end = finalize(self, _end, self._process)
        self._answer_to(HandsOrder(str(path)).to_line())

    def ask(self, do: str, infoset: str, **facts: Any) -> Any:
        """The answer to a question; solving a flop for it may take some seconds.

        Args:
            do: `mixture`, `advise` or `ranges`.
            infoset: The key of an infoset.
            **facts: What else the question needs.

        Returns:
            Plain values.

        Raises:
            WebError: The worker has an error, or has died.
        """
        return self._answer_to(json.dumps({"do": do, "infoset": infoset, **facts}))["result"]

    def close(self) -> None:
        """End the process."""
        self._end()

    def _answer_to(self, line: str) -> dict[str, Any]:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        answer = ""
        with suppress(OSError, ValueError):  # it has died
            self._process.stdin.write(line + "\n")
            self._process.stdin.flush()
            answer = self._process.stdout.readline()
        if not answer:
            raise WebError(
                "the process that solves flops has died, perhaps for lack of memory",
                option="process",
                remedy="open another table, or play on the command line",
            )
        event: dict[str, Any] = json.loads(answer)
        if event["event"] != "error":
            return event
        raise error_of(event["document"])


def _end(process: subprocess.Popen[str]) -> None:
    """End a process, whose input ends with this one in any case."""
    process.kill()
    process.wait()
    for stream in (process.stdin, process.stdout):
        if stream is not None:
            with suppress(OSError):
                stream.close()


@dataclass(frozen=True, eq=False)
class RemoteAgent:
    """Plays the solution of a process.

    Attributes:
        process: The process.
        name: What to call it.
    """

    process: HandsProcess
    name: str

    def mixture(self, table: Table, /) -> list[float]:
        """The probabilities of the solution with the hand of the seat to act."""
        probabilities: list[float] = self.process.ask("mixture", table.infoset)
        return probabilities


@dataclass(frozen=True, eq=False)
class RemoteCoach:
    """Judges choices by the solution of a process.

    Attributes:
        process: The process.
    """

    process: HandsProcess

    def advise(self, infoset: str, chosen: int, /) -> Advice:
        """Say what a choice is worth, and what others would have been."""
        from equilibrist.play import Advice

        advised = self.process.ask("advise", infoset, chosen=chosen)
        values = None if advised["values"] is None else tuple(advised["values"])
        actions, mixture = tuple(advised["actions"]), tuple(advised["mixture"])
        return Advice(infoset, actions, chosen, values, mixture)


@dataclass(frozen=True, eq=False)
class RemoteRanges:
    """Ranges by the solution of a process.

    Attributes:
        process: The process.
    """

    process: HandsProcess

    def mixtures(self, infoset: str, /) -> tuple[RangeMixture, ...]:
        """Mix the opponent's actions so far over all hands that the player may face."""
        from equilibrist.play.range_mixtures import RangeMixture

        mixtures = []
        for row in self.process.ask("ranges", infoset):
            shares = row.pop("probabilities")
            actions, words = tuple(row.pop("actions")), tuple(row.pop("words"))
            mixtures.append(
                RangeMixture(
                    actions=actions,
                    words=words,
                    probabilities=None if shares is None else tuple(shares),
                    **row,
                )
            )
        return tuple(mixtures)
