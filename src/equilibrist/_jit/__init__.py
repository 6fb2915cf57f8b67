"""The decorators that configure Numba, and the on-disk cache of compiled kernels.

Numba keys its cache by the time stamp of one source file and does not see changes in
callees of other files (numba #1833). Here the key is a hash of the kernel's import closure
(`closure`): an edited callee misses the cache, a reinstalled package hits it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ParamSpec, TypeVar, cast

from equilibrist._jit import numba_internals
from equilibrist._jit.closure import fingerprint_of_modules, kernel_fingerprint
from equilibrist._jit.entries import cache_is_warm, folder_for, mark_warm

__all__ = [
    "bound_kernel",
    "cache_is_warm",
    "chosen_by_type",
    "fingerprint_of_modules",
    "inner_kernel",
    "kernel",
    "kernel_fingerprint",
    "mark_warm",
    "uncounted_kernel",
]

P = ParamSpec("P")
R = TypeVar("R")


def kernel(fn: Callable[P, R]) -> Callable[P, R]:
    """Compile `fn` on first call, with an on-disk cache where one can be written.

    Kernels take arrays, scalars and NamedTuples of arrays, fill the arrays they are given,
    and neither raise nor take functions as arguments (that would defeat the cache).
    """
    return _compiled(fn)


def uncounted_kernel(fn: Callable[P, R]) -> Callable[P, R]:
    """As `kernel`, for one that makes no arrays: references to those it is given are not counted.

    The caller holds them anyway. Counting, in steps that threads cannot share, took 9 % of a pass
    over hold'em, whose NamedTuples have some eighty arrays.
    """
    return _compiled(fn, **numba_internals.uncounted())


def bound_kernel(fn: Callable[P, R], sources: str) -> Callable[P, R]:
    """As `kernel`, for one that calls functions outside its import closure.

    `sources` fingerprints those; a cached copy is kept for each.
    """
    return _compiled(fn, sources=sources)


def _compiled(fn: Callable[P, R], *, sources: str = "", **options: Any) -> Callable[P, R]:
    import numba

    # Nothing calls a kernel from C, so that this entry need not be compiled either.
    options["no_cfunc_wrapper"] = True
    dispatcher: Any = numba.njit(nogil=True, error_model="numpy", **options)(fn)
    folder = folder_for(fn, sources)
    if folder is not None:
        numba_internals.cache_on_disk(dispatcher, folder)
    return cast(Callable[P, R], dispatcher)


def inner_kernel(fn: Callable[P, R]) -> Callable[P, R]:
    """Let kernels call `fn`, which LLVM is told to inline; from Python it stays a plain function.

    A NamedTuple of arrays is passed field by field, which costs more than a small pass does. No
    entry from Python is compiled, nor a copy cached: that was a quarter of the first run's wait.
    """
    from numba.extending import register_jitable

    inline: Any = register_jitable(forceinline=True, nogil=True, error_model="numpy")
    return cast(Callable[P, R], inline(fn))


def chosen_by_type(choices: dict[type, Callable[..., None]]) -> Callable[..., None]:
    """A function for kernels that is one of `choices`, by the NamedTuple that comes first.

    Chosen when the caller is compiled, which is compiled once for every such type. Functions
    as arguments would be chosen as freely, but keep the caller out of the cache.
    """
    from numba.extending import overload

    def chosen(first: Any, *rest: Any) -> None:
        choices[type(first)](first, *rest)

    def choose(first: Any, *_rest: Any) -> Callable[..., None]:
        return choices[first.instance_class]

    options: Any = {"forceinline": True, "nogil": True, "error_model": "numpy"}
    overload(chosen, jit_options=options, strict=False)(choose)
    return chosen
