"""All undocumented names of Numba that are used, in one place.

Tried on Numba 0.60.0 (the lowest supported) and 0.68.1 (the newest). Where one is missing, kernels
work all the same: without the cache, which a warning says, or with references counted.

- `numba.core.caching`: `FunctionCache` (its `_impl_class` and `_index_key`) and
  `CompileResultCacheImpl` (its `_locator` and `_lineno`), to keep machine code in our own folders;
- a dispatcher's `_cache`, to hand that cache to a kernel;
- `numba.core.options.DefaultOptions._nrt`, the option that leaves references uncounted;
- `numba.core.event`, whose `numba:compile` says how far compiling is;
- settings of `numba.core.config` that change machine code, each of which may be missing.

Kernels that generate LLVM code (`prefetch`, `simd` and `barrier` of `kernels.primitives`, and
`kernels.poker.tiles`) use the extension API, as its manual shows it: `numba.extending`,
`numba.core.types` and `cgutils`.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from contextlib import suppress
from functools import cache, partial
from pathlib import Path
from typing import Any, Final

from equilibrist._jit.entries import python_tag

_NEEDED: Final = {
    "FunctionCache": ("_impl_class", "_index_key", "load_overload", "save_overload", "flush"),
    "CompileResultCacheImpl": ("filename_base", "locator", "check_cachable"),
}
_SETTINGS: Final = ("OPT", "BOUNDSCHECK", "LOOP_VECTORIZE", "SLP_VECTORIZE", "DEBUGINFO_DEFAULT")
"""Settings of Numba that change machine code; the processor is part of Numba's own key."""


def counted(references: bool) -> dict[str, Any]:
    """The option that says whether references are counted; nothing if Numba has it no more."""
    try:
        from numba.core.options import DefaultOptions
    except ImportError:
        return {}
    return {"_nrt": references} if hasattr(DefaultOptions, "_nrt") else {}


def cache_on_disk(dispatcher: Any, folder: Path) -> None:
    """Have a kernel keep its machine code in `folder`, whose name says what sources it is of."""
    if not hasattr(dispatcher, "py_func"):
        return  # NUMBA_DISABLE_JIT leaves the Python function
    kind = _cache_class()
    if kind is None:
        return
    try:
        if not hasattr(dispatcher, "_cache"):
            raise AttributeError("a dispatcher has no _cache")
        dispatcher._cache = kind(dispatcher.py_func, folder)
    except Exception as error:
        _warn(str(error))


@cache
def _warn(reason: str) -> None:
    import numba

    warnings.warn(
        f"kernels are compiled in memory at every start: their cache does not fit Numba "
        f"{numba.__version__} ({reason})",
        RuntimeWarning,
        stacklevel=2,
    )


@cache
def _cache_class() -> Any:
    """A Numba function cache for a folder of ours; None, after a warning, if Numba is too new."""
    try:
        from numba.core import caching

        for owner, names in _NEEDED.items():
            for name in names:
                getattr(getattr(caching, owner), name)
    except (ImportError, AttributeError) as error:
        _warn(str(error))
        return None

    class Implementation(caching.CompileResultCacheImpl):
        # Numba's own constructor lets the environment choose another locator.
        def __init__(self, py_func: Any, folder: Path) -> None:
            self._lineno = py_func.__code__.co_firstlineno
            self._locator = _Locator(folder, py_func)
            name = py_func.__qualname__.replace("<", "").replace(">", "")
            self._filename_base = f"{name}.{python_tag()}"

    class KernelCache(caching.FunctionCache):
        # A cache is a convenience: a damaged file is a miss, a full disk means compiling in memory.
        def __init__(self, py_func: Any, folder: Path) -> None:
            cached: Any = super()
            self._impl_class: Any = partial(Implementation, folder=folder)
            cached.__init__(py_func)

        def _index_key(self, sig: Any, codegen: Any) -> Any:
            cached: Any = super()
            return cached._index_key(sig, codegen), _fields(sig), _toolchain()

        def load_overload(self, sig: Any, target_context: Any) -> Any:
            cached: Any = super()
            try:
                overload = cached.load_overload(sig, target_context)
                # Two processes that compile one kernel at once may give two files one name.
                if overload is None or tuple(overload.signature.args) == _types(sig):
                    return overload
            except Exception:  # noqa: S110 - what it raises depends on the damage
                pass
            with suppress(Exception):
                cached.flush()
            return None

        def save_overload(self, sig: Any, data: Any) -> None:
            cached: Any = super()
            with suppress(Exception):
                cached.save_overload(sig, data)

    return KernelCache


class _Locator:
    """What Numba asks for the place of a cache and for the state of its source."""

    def __init__(self, folder: Path, py_func: Any) -> None:
        self._folder = folder
        self._py_file = py_func.__code__.co_filename

    def ensure_cache_path(self) -> None:
        self._folder.mkdir(parents=True, exist_ok=True)

    def get_cache_path(self) -> str:
        return str(self._folder)

    def get_source_stamp(self) -> str:
        return self._folder.name  # the sources are part of the path

    def get_disambiguator(self) -> str:
        return ""


def when_compiled(tell: Callable[[], None]) -> Callable[[], None]:
    """Call `tell` whenever a function of ours has been compiled, until the result is called."""
    from numba.core import event

    events: Any = event

    class Listener(event.Listener):
        def on_start(self, event: Any) -> None:
            """Compiling begins, of which nothing is said."""

        def on_end(self, event: Any) -> None:
            """It ended, also where the compiler refused."""
            if event.data["dispatcher"].py_func.__module__.startswith("equilibrist."):
                tell()

    listener = Listener()
    events.register("numba:compile", listener)
    return partial(events.unregister, "numba:compile", listener)


def _types(sig: Any) -> tuple[Any, ...]:
    return tuple(getattr(sig, "args", sig))


def _fields(sig: Any) -> tuple[Any, ...]:
    """The fields of the NamedTuples in a signature, whose classes may lie outside the closure.

    Numba compares their classes by name alone, while machine code reads a field by its position.
    """
    from numba.core import types

    fields: list[Any] = []
    pending: list[Any] = list(_types(sig))
    while pending:
        current = pending.pop()
        if isinstance(current, types.BaseTuple):
            parts: Any = current
            fields.append(getattr(parts, "fields", ()))
            pending.extend(parts)
    return tuple(fields)


@cache
def _toolchain() -> tuple[Any, ...]:
    """Versions of LLVM's and NumPy's packages, and settings, on which machine code depends, too."""
    import llvmlite
    import numpy as np
    from numba.core import config

    settings = tuple(getattr(config, name, None) for name in _SETTINGS)
    return llvmlite.__version__, np.__version__, settings


def compiler() -> tuple[Any, ...]:
    """All that machine code depends on besides sources and types."""
    import numba
    from llvmlite import binding
    from numba.core import config

    wanted = getattr(config, "CPU_NAME", None), getattr(config, "CPU_FEATURES", None)
    processor = binding.get_host_cpu_name(), binding.get_host_cpu_features().flatten()
    return python_tag(), numba.__version__, wanted, processor, _toolchain()
