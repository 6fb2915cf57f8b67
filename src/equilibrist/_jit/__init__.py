"""The decorators that configure Numba, and the on-disk cache of compiled kernels.

Numba keys its cache by the time stamp of one source file and does not see changes in
callees of other files (numba #1833). Here the key is a hash of the kernel's import closure
(`closure`): an edited callee misses the cache, a reinstalled package hits it.
"""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType
from typing import Any, ParamSpec, TypeVar, cast

from equilibrist._jit import numba_internals
from equilibrist._jit.closure import fingerprint_of_modules, kernel_fingerprint
from equilibrist._jit.entries import cache_is_warm, folder_for, mark_warm, module_folder

__all__ = [
    "bound_kernel",
    "cache_is_warm",
    "choices_of",
    "chosen_by_type",
    "fingerprint_of_modules",
    "inner_kernel",
    "jitable",
    "kernel",
    "kernel_fingerprint",
    "mark_warm",
    "module_folder",
    "uncounted_kernel",
    "with_globals",
]

P = ParamSpec("P")
R = TypeVar("R")

_INNER: Any = {
    "forceinline": True,
    "nogil": True,
    "error_model": "numpy",
    "no_cfunc_wrapper": True,  # an entry from C, which took a tenth of compiling
}
"""Options of functions that only kernels call."""


def kernel(fn: Callable[P, R]) -> Callable[P, R]:
    """Compile `fn` on first call, with an on-disk cache where one can be written.

    Kernels take arrays, scalars and NamedTuples of arrays, fill the arrays they are given,
    and neither raise nor take functions as arguments (that would defeat the cache).
    """
    return _compiled(fn)


def uncounted_kernel(fn: Callable[P, R]) -> Callable[P, R]:
    """Compile a kernel that makes no arrays: references to those it is given are not counted.

    The caller holds them anyway. Counting, in steps that threads cannot share, took 9 % of a pass
    over hold'em, whose NamedTuples have some eighty arrays.
    """
    return _compiled(fn, **numba_internals.counted(False))


def bound_kernel(fn: Callable[P, R], sources: str, *, counted: bool = True) -> Callable[P, R]:
    """Compile a kernel that calls functions outside its import closure.

    `sources` fingerprints those; a cached copy is kept for each. With `counted` false it is as
    `uncounted_kernel`.
    """
    return _compiled(fn, sources=sources, **numba_internals.counted(counted))


def _compiled(fn: Callable[P, R], *, sources: str = "", **options: Any) -> Callable[P, R]:
    import numba

    # Nothing calls a kernel from C, so that this entry need not be compiled either.
    options["no_cfunc_wrapper"] = True
    dispatcher: Any = numba.njit(nogil=True, error_model="numpy", **options)(fn)
    folder = folder_for(fn, sources)
    if folder is not None:
        numba_internals.cache_on_disk(dispatcher, folder)
    return cast(Callable[P, R], dispatcher)


def jitable(fn: Callable[P, R]) -> Callable[P, R]:
    """Let kernels call `fn`, which may make arrays, unlike the kernels that call it."""
    from numba.extending import register_jitable

    options = numba_internals.counted(True)
    registered: Any = register_jitable(nogil=True, error_model="numpy", **options)
    return cast(Callable[P, R], registered(fn))


def inner_kernel(fn: Callable[P, R]) -> Callable[P, R]:
    """Let kernels call `fn`, which LLVM is told to inline; from Python it stays a plain function.

    A NamedTuple of arrays is passed field by field, which costs more than a small pass does. No
    entry from Python is compiled, nor a copy cached: that was a quarter of the first run's wait.
    """
    from numba.extending import register_jitable

    inline: Any = register_jitable(**_INNER)
    return cast(Callable[P, R], inline(fn))


def chosen_by_type(choices: dict[type, Callable[..., Any]]) -> Callable[..., Any]:
    """A function for kernels that is one of `choices`, by the type of its first argument.

    That is a NamedTuple or None. The choice is made when the caller is compiled, which is compiled
    once for every such type. Functions as arguments would be chosen as freely, but keep the caller
    out of the cache.
    """
    from numba.extending import overload

    def chosen(first: Any, *rest: Any) -> Any:
        return choices[type(first)](first, *rest)

    def choose(first: Any, *_rest: Any) -> Callable[..., Any]:
        return choices[getattr(first, "instance_class", type(None))]

    overload(chosen, jit_options=_INNER, strict=False)(choose)
    chosen.__dict__["choices"] = choices
    return chosen


def choices_of(function: Any) -> dict[type, Callable[..., Any]] | None:
    """The functions among which `chosen_by_type` chooses; None for other functions."""
    return cast("dict[type, Callable[..., Any]] | None", getattr(function, "choices", None))


def with_globals(
    function: FunctionType, names: dict[str, Any], name: str = "", module: str = ""
) -> FunctionType:
    """A copy of a function with other globals, under another name and in another module if given.

    It is compiled and cached as if its source stood there and meant these globals.
    """
    copy = FunctionType(function.__code__, names, name or function.__name__)
    copy.__module__ = module or function.__module__
    copy.__qualname__ = name or function.__qualname__
    return copy
