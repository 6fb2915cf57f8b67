"""Random numbers for kernels: SplitMix64, one stream per iteration, the state a plain number.

An iteration's stream depends on the key and the iteration's number alone, so that results do not
depend on how a run is cut into calls, saved, resumed or spread over workers. Steele, Lea and
Flood, Fast splittable pseudorandom number generators (OOPSLA 2014).
"""

from __future__ import annotations

import numpy as np

from equilibrist._jit import inner_kernel

GAMMA = np.uint64(0x9E3779B97F4A7C15)
_FIRST = np.uint64(0xBF58476D1CE4E5B9)
_SECOND = np.uint64(0x94D049BB133111EB)
_30, _27, _31, _11 = np.uint64(30), np.uint64(27), np.uint64(31), np.uint64(11)
_UNIT = 2.0**-53


@inner_kernel
def mix(z):
    """A bijection of uint64 that leaves no pattern."""
    z = (z ^ (z >> _30)) * _FIRST
    z = (z ^ (z >> _27)) * _SECOND
    return z ^ (z >> _31)


@inner_kernel
def stream(key, iteration):
    """The state with which an iteration begins; key and iteration are uint64."""
    return mix(key ^ mix(iteration * GAMMA))


@inner_kernel
def advance(state):
    """The next state; `uniform` turns it into a number."""
    return state + GAMMA


@inner_kernel
def uniform(state):
    """The number in [0, 1), a multiple of 2^-53, that belongs to a state."""
    return np.float64(mix(state) >> _11) * _UNIT
