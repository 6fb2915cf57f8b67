"""Work sharing and barriers for threads inside a kernel.

They count together in `counters`, int64[COUNTERS] or more, of zeros before the first begins.
"""

from __future__ import annotations

import sys

import numpy as np
from llvmlite import ir
from numba.core import types
from numba.extending import intrinsic

from equilibrist._jit import inner_kernel

_yield_thread = types.ExternalFunction(
    "SwitchToThread" if sys.platform == "win32" else "sched_yield", types.int32()
)
_SPINS = 2000


_MET, _CLAIMED, BEGUN = 0, 8, 16
"""Places of counters, each in a cache line of its own."""
COUNTERS = 24
"""Numbers that threads count with together."""
APART = 8
"""Counters between two that threads write at the same time: each has a cache line of its own."""
ABANDONED = -1
"""Written at BEGUN by Python in place of 0: the first thread will not begin, and threads that wait
for it return."""


@intrinsic
def _add_one(typing_context, counters, place):
    """counters[place] += 1 in one step for all threads; returns the number before."""

    def generate(context, builder, signature, arguments):
        view = context.make_array(signature.args[0])(context, builder, arguments[0])
        pointer = builder.gep(view.data, [arguments[1]])
        return builder.atomic_rmw("add", pointer, ir.Constant(ir.IntType(64), 1), "seq_cst")

    return types.int64(counters, place), generate


@intrinsic
def _load(typing_context, counters, place):
    """counters[place] as other threads left it."""

    def generate(context, builder, signature, arguments):
        view = context.make_array(signature.args[0])(context, builder, arguments[0])
        return builder.load_atomic(builder.gep(view.data, [arguments[1]]), "seq_cst", 8)

    return types.int64(counters, place), generate


@inner_kernel
def begin(counters, thread):
    """Whether the first thread has begun, too; others wait until it has, or has been given up."""
    if thread == 0:
        _add_one(counters, BEGUN)
        return True
    spins = 0
    while _load(counters, BEGUN) == 0:
        spins += 1
        if spins > _SPINS:
            _yield_thread()
    return _load(counters, BEGUN) != ABANDONED


@inner_kernel
def wait_for_all(counters, threads):
    """Return when all `threads` threads have called."""
    arrived = _add_one(counters, _MET) + np.int64(1)
    # Never reset: meeting n is over at n * threads arrivals; those of later ones hold up nobody.
    goal = (arrived + threads - 1) // threads * threads
    spins = 0
    while _load(counters, _MET) < goal:
        spins += 1
        if spins > _SPINS:
            _yield_thread()


@inner_kernel
def claim(counters, threads, jobs, rounds):
    """Claim the next job of a round, which all threads begin and end together.

    counters: int64[COUNTERS], shared, zeros before the first round. jobs: jobs of a round. rounds:
    rounds that have ended. Returns a number that no other thread gets; `jobs` or more when none is
    left.
    """
    # A round adds jobs + threads: every job once, and one claim in vain per thread.
    return _add_one(counters, _CLAIMED) - rounds * (jobs + threads)


@inner_kernel
def claim_from(counters, queue, threads, jobs, rounds):
    """Claim the next job of one of several queues, each of which every thread empties in turn.

    counters: int64[COUNTERS + APART * queues], those of the queues behind the others. Returns a
    number that no other thread gets; `jobs` or more when none is left.
    """
    place = COUNTERS + APART * queue
    return _add_one(counters, place) - rounds * (jobs + threads)
