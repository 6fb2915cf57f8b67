"""The one decorator that configures Numba, and the on-disk cache of compiled kernels.

Numba keys its cache by the time stamp of one source file and does not see changes in
callees of other files (numba #1833). Here the cache folder and the stamp are a hash of all
kernel sources instead: an edited kernel misses the cache, a reinstalled package hits it.
"""

from __future__ import annotations

import hashlib
import os
import sys
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any, ParamSpec, TypeVar, cast

P = ParamSpec("P")
R = TypeVar("R")

_KERNELS = Path(__file__).parent / "kernels"


@cache
def kernel_fingerprint() -> str:
    """SHA-256 (first 16 hex digits) over the names and sources of all kernel files."""
    digest = hashlib.sha256()
    for path in [Path(__file__), *sorted(_KERNELS.glob("*.py"))]:
        digest.update(path.name.encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def cache_root() -> Path:
    """The folder that holds compiled kernels: EQUILIBRIST_CACHE_DIR, else the user's cache."""
    override = os.environ.get("EQUILIBRIST_CACHE_DIR")
    if override:
        return Path(override)
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "equilibrist"
    if sys.platform == "win32":
        local = os.environ.get("LOCALAPPDATA")
        return (Path(local) if local else Path.home() / "AppData" / "Local") / "equilibrist"
    xdg = os.environ.get("XDG_CACHE_HOME")
    return (Path(xdg) if xdg else Path.home() / ".cache") / "equilibrist"


def kernel_cache_dir() -> Path:
    """The folder of the present kernel sources, below `cache_root()`."""
    return cache_root() / f"kernels-{kernel_fingerprint()}"


def cache_is_warm(kernel: str = "cfr.run-", kind: str = "") -> bool:
    """Whether a kernel whose name begins so is on disk, compiled from the present sources.

    `kind` names the types of arrays it must be compiled for, as `mark_warm` was told.
    """
    try:
        found = any(kernel_cache_dir().glob(f"{kernel}*.nbi"))
    except OSError:
        return False
    return found and (not kind or (kernel_cache_dir() / f"{kernel}{kind}").exists())


def mark_warm(kernel: str, kind: str) -> None:
    """Note that the kernel is on disk for arrays of that kind: Numba's files do not say it."""
    with suppress(OSError):
        if cache_is_warm(kernel):
            (kernel_cache_dir() / f"{kernel}{kind}").touch()


def _writable_cache_dir() -> Path | None:
    if os.environ.get("EQUILIBRIST_NUMBA_CACHE", "1") == "0":
        return None
    folder = kernel_cache_dir()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        probe = folder / f".probe-{os.getpid()}"
        probe.touch()
        probe.unlink()
    except OSError:
        return None
    return folder


@cache
def _cache_class(sources: str = "") -> Any:
    """A Numba function cache that lives in `kernel_cache_dir()`, or None to compile in memory.

    `sources` is a fingerprint of further sources, which get a folder of their own.
    """
    folder = _writable_cache_dir()
    if folder is None:
        return None
    if sources:
        folder = folder / sources[:16]
        try:
            folder.mkdir(exist_ok=True)
        except OSError:
            return None
    from numba.core import caching

    class Locator(caching._CacheLocator):
        def __init__(self, py_func: Any, py_file: str) -> None:
            self._name = Path(py_file).stem

        def get_cache_path(self) -> str:
            return str(folder)

        def get_source_stamp(self) -> str:
            return kernel_fingerprint() + sources

        def get_disambiguator(self) -> str:
            return self._name

        @classmethod
        def from_function(cls, py_func: Any, py_file: str) -> Locator:
            return cls(py_func, py_file)

    class Impl(caching.CompileResultCacheImpl):
        _locator_classes = [Locator]  # noqa: RUF012 - the name and type are Numba's

    class KernelCache(caching.FunctionCache):
        # A cache is a convenience: a damaged file is a miss, a full disk means compiling in memory.
        _impl_class = Impl

        def load_overload(self, sig: Any, target_context: Any) -> Any:
            try:
                cached: Any = super()
                return cached.load_overload(sig, target_context)
            except Exception:
                with suppress(Exception):
                    cast(Any, self).flush()
                return None

        def save_overload(self, sig: Any, data: Any) -> None:
            with suppress(Exception):
                cached: Any = super()
                cached.save_overload(sig, data)

    return KernelCache


def kernel(fn: Callable[P, R]) -> Callable[P, R]:
    """Compile `fn` on first call, with an on-disk cache where one can be written.

    Kernels take arrays, scalars and NamedTuples of arrays, fill the arrays they are given,
    and neither raise nor take functions as arguments (that would defeat the cache).
    """
    return _compiled(fn, _cache_class())


def uncounted_kernel(fn: Callable[P, R]) -> Callable[P, R]:
    """As `kernel`, for one that makes no arrays: references to those it is given are not counted.

    The caller holds them anyway. Counting, in steps that threads cannot share, took 9 % of a pass
    over hold'em, whose NamedTuples have some eighty arrays.
    """
    try:
        from numba.core.options import DefaultOptions
    except ImportError:
        known = False
    else:
        known = hasattr(DefaultOptions, "_nrt")
    # The option is Numba's own and not documented: nothing but speed may hang on it.
    return _compiled(fn, _cache_class(), **({"_nrt": False} if known else {}))


def bound_kernel(fn: Callable[P, R], sources: str) -> Callable[P, R]:
    """As `kernel`, for one that calls functions of the user's; `sources` fingerprints theirs."""
    return _compiled(fn, _cache_class(sources))


def _compiled(fn: Callable[P, R], cache_class: Any, **options: Any) -> Callable[P, R]:
    import numba

    # Nothing calls a kernel from C, so that this entry need not be compiled either.
    options["no_cfunc_wrapper"] = True
    dispatcher: Any = numba.njit(nogil=True, error_model="numpy", **options)(fn)
    if cache_class is not None:
        dispatcher._cache = cache_class(dispatcher.py_func)
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

    Chosen when the caller is compiled, which is then compiled anew for every such type. Functions
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
