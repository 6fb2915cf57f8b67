"""A solver runs in one thread of Python at a time: two at once would lose iterations."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from threading import get_ident
from typing import Any, Final, TypeVar

from equilibrist.errors import UnsupportedError

Run = TypeVar("Run", bound=Callable[..., Any])
_RUNNER: Final = "_runs_in_thread"
"""The attribute of a solver that holds the thread in which it runs; absent if it does not run."""


class OneThread:
    """A solver whose `run` is `in_one_thread`: a copy of it does not run, wherever it does."""

    def __getstate__(self) -> dict[str, Any]:
        state = vars(self).copy()  # one step, while another thread may add attributes
        state.pop(_RUNNER, None)
        return state


def in_one_thread(run: Run) -> Run:
    """The method, which raises UnsupportedError while it runs in another thread.

    No lock is held: after an interrupt at any moment the same thread can go on, and solvers can be
    copied and pickled.
    """

    @wraps(run)
    def alone(self: Any, *arguments: Any, **keywords: Any) -> Any:
        held, thread = vars(self), get_ident()
        if held.setdefault(_RUNNER, thread) != thread:  # one step, in which no other takes part
            name = type(self).__name__
            raise UnsupportedError(
                f"this {name} runs in another thread",
                option="solver",
                given=name,
                remedy="give each thread a solver of its own, or wait for the end of that run",
            )
        try:
            return run(self, *arguments, **keywords)
        finally:
            held.pop(_RUNNER, None)

    return alone  # type: ignore[return-value]
