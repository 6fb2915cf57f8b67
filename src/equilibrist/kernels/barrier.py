"""Where threads of one computation wait for each other inside a kernel."""

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


@intrinsic
def _add_one(typing_context, counter):
    """counter[0] += 1 in one step for all threads; returns the number before."""

    def generate(context, builder, signature, arguments):
        view = context.make_array(signature.args[0])(context, builder, arguments[0])
        return builder.atomic_rmw("add", view.data, ir.Constant(ir.IntType(64), 1), "seq_cst")

    return types.int64(counter), generate


@intrinsic
def _load(typing_context, counter):
    """counter[0] as other threads left it."""

    def generate(context, builder, signature, arguments):
        view = context.make_array(signature.args[0])(context, builder, arguments[0])
        return builder.load_atomic(view.data, "seq_cst", 8)

    return types.int64(counter), generate


@inner_kernel
def wait_for_all(counter, threads):
    """Return when all `threads` threads have called; counter, int64[1], is 0 before the first."""
    if threads == 1:
        return
    arrived = _add_one(counter) + np.int64(1)
    goal = (arrived + threads - 1) // threads * threads
    spins = 0
    while _load(counter) < goal:
        spins += 1
        if spins > _SPINS:
            _yield_thread()
