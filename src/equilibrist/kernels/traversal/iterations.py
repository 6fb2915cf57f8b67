"""Iterations of a sampler: a number of traversals, each with its own random stream.

`run_iterations` is compiled once per sampler, with the sampler's traversal in the place of
`traverse`. A traversal is written against `steps`, which are those of a tree; for
rules without a tree `equilibrist.rules.binding` puts those of `implicit.steps` in their place.
"""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType
from typing import Any, cast

import numpy as np

from equilibrist._jit import uncounted_kernel, with_globals
from equilibrist.kernels.primitives.rng import stream
from equilibrist.kernels.traversal.status import DONE, ITERATION, STREAM, TOUCHED, TRAVERSAL
from equilibrist.kernels.traversal.steps import commit


def traverse(setup, play, traverser, state):
    """One traversal: a status, the state of the stream after it, and how many nodes it visited."""
    raise NotImplementedError


def run_iterations(
    setup,  # NamedTuple: parameters and scratch space of the sampler
    play,  # TreePlay or RulesPlay
    last,  # number of the last iteration to run; the first is 1
    key,  # uint64
    progress,  # int64[4], see `status`
):
    """Run iterations from where `progress` stands to `last`; returns a status.

    A traversal that does not end with DONE leaves no change behind, and is run again, with the
    same draws, by the next call.
    """
    for t in range(progress[ITERATION], last + 1):
        resumed = progress[TRAVERSAL] > 0
        state = np.uint64(progress[STREAM]) if resumed else stream(key, np.uint64(t))
        for traverser in range(progress[TRAVERSAL], play.traversals):
            status, state, touched = traverse(setup, play, traverser, state)
            if status != DONE:
                return status
            commit(play)
            progress[TRAVERSAL] = traverser + 1
            progress[STREAM] = np.int64(state)
            progress[TOUCHED] += touched
        progress[TRAVERSAL] = 0
        progress[ITERATION] = t + 1
    return DONE


def sampling_kernel(traversal: Callable[..., Any], name: str) -> Callable[..., Any]:
    """Compile `run_iterations` with a traversal, under that name and in the traversal's module."""
    names = {**run_iterations.__globals__, "traverse": traversal}
    return uncounted_kernel(
        with_globals(cast(FunctionType, run_iterations), names, name, traversal.__module__)
    )
