"""Notices of progress to the client whose call waits, if it has asked for them."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from contextvars import ContextVar
from typing import Final, NamedTuple

from equilibrist.formatting.amounts import counted, measure_text, seconds_text
from equilibrist.mcp.convergence import PAYOFFS, convergence_of_job
from equilibrist.web.jobs.job import Job

EVERY: Final = 1.0
"""Seconds between two notices."""
_LONG: Final = 1.0
"""Seconds from which a call that says nothing itself is told to go on."""


class Notice(NamedTuple):
    """How far something has come.

    Attributes:
        done: How much is done.
        total: How much there is in all; None where that is not known.
        text: How far that is, in words.
    """

    done: float
    total: float | None
    text: str


Newest = Callable[[float], Notice]
"""Gives the newest notice, from the seconds since it was asked first."""
Send = Callable[[float, float | None, str], Awaitable[None]]
"""Sends a notice."""
_SEND: Final[ContextVar[Send | None]] = ContextVar("send", default=None)
_SOURCES: Final[ContextVar[list[tuple[Newest, float]] | None]] = ContextVar("sources", default=None)
"""What notices are taken from, the last of them, each with the time from which it counts."""


@contextmanager
def sent_by(send: Send | None) -> Iterator[None]:
    """Within it, `notices` are sent so.

    Args:
        send: Sends one; None to send none.
    """
    token = _SEND.set(send)
    try:
        yield
    finally:
        _SEND.reset(token)


@asynccontextmanager
async def notices(newest: Newest) -> AsyncIterator[None]:
    """Within it, the client is told every second how far something has come.

    The protocol wants numbers that rise, so nothing is sent while nothing was done. Within another,
    this one's notices take the place of its.

    Args:
        newest: Gives the newest notice, from the seconds since the beginning.

    Yields:
        Nothing.
    """
    send, sources = _SEND.get(), _SOURCES.get()
    if send is None:
        yield
        return
    if sources is not None:
        sources.append((newest, time.monotonic()))
        try:
            yield
        finally:
            sources.pop()
        return
    sources = [(newest, time.monotonic())]
    token = _SOURCES.set(sources)
    telling = asyncio.create_task(_tell(send, sources))
    try:
        yield
    finally:
        _SOURCES.reset(token)
        telling.cancel()
        await asyncio.gather(telling, return_exceptions=True)  # the run goes on without notices


def call_notice(tool: str) -> Newest:
    """What is told of a call that says nothing itself: how long it has lasted, from a second on.

    Args:
        tool: The tool.

    Returns:
        Gives the notices.
    """

    def newest(waited: float) -> Notice:
        return Notice(waited if waited >= _LONG else -1.0, None, f"{tool}: {seconds_text(waited)}")

    return newest


async def _tell(send: Send, sources: list[tuple[Newest, float]]) -> None:
    """Send notices of the last source until it is cancelled, or the client has gone."""
    done = -1.0
    while True:
        await asyncio.sleep(EVERY)
        newest, began = sources[-1]
        notice = newest(time.monotonic() - began)
        if notice.done > done:
            done = notice.done
            await send(*notice)


def job_notice(job: Job, waited: float) -> Notice:
    """How far a job has come: iterations or seconds of its limit, else the seconds waited.

    Args:
        job: The job.
        waited: Seconds since the call that waits for it.
    """
    if job.kind != "compare":
        for limit, key in (("iterations", "iteration"), ("seconds", "seconds")):
            if (text := job.options.get(limit)) is not None:
                return Notice((job.progress or {}).get(key) or 0.0, float(text), _text(job))
    return Notice(waited, None, _text(job))


def _text(job: Job) -> str:
    """How far a job has come, in words."""
    newest = {name: points[-1] for name, points in job.curves.items() if points}
    if newest:
        reached = [
            f"{name} {measure_text(measure)} after {counted(iteration, 'iteration')}"
            for name, (iteration, _, measure) in newest.items()
        ]
        return f"{job.game}, in {PAYOFFS}: {'; '.join(reached)}"
    convergence = convergence_of_job(job)
    if convergence is None or convergence["iterations"] is None:
        return f"{job.game}: {job.stage or job.state}"
    text = f"{job.game}: {counted(convergence['iterations'], 'iteration')}"
    if convergence["value"] is not None:
        name = convergence["measure"] or "measure"
        text += f", {name} {measure_text(convergence['value'])} {convergence['unit']}"
        if convergence["percent_of_pot"] is not None:
            text += f" ({convergence['percent_of_pot']:.3g} % of the pot)"
        if convergence["target"] is not None:
            text += f", target {measure_text(convergence['target'])}"
    if convergence["eta_seconds"]:
        text += f", about {seconds_text(float(round(convergence['eta_seconds'])))} left"
    return text
