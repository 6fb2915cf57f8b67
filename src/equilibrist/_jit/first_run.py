"""What the first run says while it compiles: how much there is to compile, and how far it is."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple

from equilibrist._jit import numba_internals


class Work(NamedTuple):
    """What a kernel takes to compile."""

    functions: int
    """Functions compiled: the kernel, those of ours that it calls, and kernels that go with it."""
    seconds: float
    """On an idle core of some 3 GHz."""


WORK: Final = {
    "equilibrist.kernels.tree.build.link": Work(9, 4.0),
    "equilibrist.kernels.full_traversals.run": Work(18, 5.0),
    "equilibrist.kernels.poker.postflop.passes float32-street": Work(56, 16.0),
    "equilibrist.kernels.poker.postflop.passes float32-streets": Work(63, 19.0),
    "equilibrist.kernels.poker.postflop.passes float32-all": Work(75, 25.0),
    "equilibrist.kernels.poker.postflop.passes int16-all": Work(75, 26.0),
    "equilibrist.kernels.poker.postflop.passes float64-all": Work(75, 26.0),
    "equilibrist.kernels.poker.equity.all_boards": Work(14, 4.0),
}
"""By kernel and kind, what most first runs compile; a test holds the numbers of functions."""

ALL_FUNCTIONS: Final = 760
"""About how many functions `warm_cache` compiles."""


class CompilingText(str):  # noqa: SLOT000 - it has an attribute
    """The text of a stage in which kernels are compiled.

    Attributes:
        functions: How many functions are to be compiled; None if that is not known.
    """

    functions: int | None = None


def compiling_text(*kernels: str, before: str = "") -> CompilingText:
    """The text of such a stage, after what else it does, with the time where it is known."""
    work = [WORK[kernel] for kernel in kernels if kernel in WORK]
    about = f", about {sum(stage.seconds for stage in work):.0f} s" if work else ""
    text = CompilingText(f"{before}, " * bool(before) + f"compiling (first run only{about})")
    if work and len(work) == len(kernels):
        text.functions = sum(stage.functions for stage in work)
    return text


class CompilingCount:
    """Counts the functions of ours that are compiled, from now until `stop`.

    `tell` is called with the number after each, and with that of all, None if it is not known.
    """

    def __init__(self, tell: Callable[[int, int | None], None], of: int | None = None) -> None:
        self.functions = 0
        self._tell = tell
        self._of = of
        self.stop = numba_internals.when_compiled(self._count)

    def _count(self) -> None:
        self.functions += 1
        self._tell(self.functions, self._of)


def functions_text(done: int, of: int | None) -> str:
    """How many functions have been compiled, and of how many."""
    return f"{done} of {of} functions" if of is not None and done <= of else f"{done} functions"
