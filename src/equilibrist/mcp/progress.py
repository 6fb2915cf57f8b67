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


Send = Callable[[float, float | None, str], Awaitable[None]]
"""Sends a notice."""
_SEND: Final[ContextVar[Send | None]] = ContextVar("send", default=None)


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
async def notices(newest: Callable[[float], Notice]) -> AsyncIterator[None]:
    """Within it, the client is told every second how far something has come.

    The protocol wants numbers that rise, so nothing is sent while nothing was done.

    Args:
        newest: Gives the newest notice, from the seconds since the beginning.

    Yields:
        Nothing.
    """
    send = _SEND.get()
    if send is None:
        yield
        return
    telling = asyncio.create_task(_tell(send, newest))
    try:
        yield
    finally:
        telling.cancel()
        await asyncio.gather(telling, return_exceptions=True)  # the run goes on without notices


async def _tell(send: Send, newest: Callable[[float], Notice]) -> None:
    """Send notices until it is cancelled, or the client has gone."""
    began, done = time.monotonic(), -1.0
    while True:
        await asyncio.sleep(EVERY)
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
