"""Kernels bound to a rules module, compiled together and cached under a hash of all sources."""

from __future__ import annotations

import hashlib
import linecache
import re
import threading
from collections.abc import Callable
from pathlib import Path
from types import FunctionType
from typing import Any

from equilibrist._jit import bound_kernel, cache_is_warm, fingerprint_of_modules, inner_kernel
from equilibrist.errors import GameError, GameSpecError
from equilibrist.kernels.implicit import rule_calls
from equilibrist.rules.module import MOVES, Rules

_LOCK = threading.Lock()
_BOUND: dict[tuple[str, str], Callable[..., Any]] = {}
_FIRST: dict[str, Rules] = {}
"""By fingerprint: a module that is loaded again has other functions, but no others to compile."""


def bind(rules: Rules, kernel: Callable[..., Any]) -> Callable[..., Any]:
    """A compiled copy of a kernel that plays by `rules` where it calls rule_*.

    Parameters are arguments, so that one compiled copy serves all of them. An edit to any source
    makes another copy; an unedited one is loaded from the cache. Calls raise GameSpecError for
    rules that cannot be compiled, GameError for what the rules themselves raise.
    """
    key = (rules.fingerprint, kernel.__name__)
    with _LOCK:
        if key not in _BOUND:
            first = _FIRST.get(rules.fingerprint)
            if first is None:
                first = _FIRST[rules.fingerprint] = rules
                _register(first)
            _BOUND[key] = bound_kernel(_with_rules(first, kernel), _sources(rules))
        compiled = _BOUND[key]

    def call(*arguments: Any) -> Any:
        try:
            return compiled(*arguments)
        except Exception as error:
            if type(error).__module__.startswith("numba."):
                reason, place = _reason(rules, error)
                raise GameSpecError(
                    f"the rules {rules.name} cannot be compiled{reason}",
                    option="rules",
                    given=rules.name,
                    place=place,
                ) from None
            raise GameError(
                f"the rules {rules.name} raised {type(error).__name__}: {error}",
                kind="exception",
                given=type(error).__name__,
            ) from None

    return call


def is_compiled(rules: Rules, kernel: Callable[..., Any]) -> bool:
    """Whether the copy of a kernel that plays by `rules` is on disk."""
    return cache_is_warm(f"{kernel.__module__}.{kernel.__name__}", sources=_sources(rules))


def _sources(rules: Rules) -> str:
    """SHA-256 over what a copy depends on besides the kernel: the rules, and how it is bound."""
    parts = f"{rules.fingerprint} {fingerprint_of_modules(__name__)}"
    return hashlib.sha256(parts.encode()).hexdigest()


def _reason(rules: Rules, error: Exception) -> tuple[str, str | None]:
    """Where the compiler gave up, and why, without the way that it took there; the place alone."""
    text = re.sub(r"\x1b\[\d*m", "", str(error))
    before, _, last = text.rpartition("nopython frontend)")
    lines = [line.strip() for line in last.splitlines() if line.strip()]
    said = " ".join(lines[:2] if lines[1:] and lines[1].startswith(">>>") else lines[:1])
    for module in rules.modules:
        file = str(module.__file__)
        place = re.search(re.escape(file) + r" \((\d+)\)", last)
        if place:
            linecache.checkcache(file)
            line = linecache.getline(file, int(place[1])).strip()
            return f": {said}\n  {Path(file).name}:{place[1]}: {line}", f"line {place[1]}"
    functions = re.findall(r"Function\(<function (\w+) at", before)
    where = f"{functions[-1]}()" if functions else None
    return (f", in {where}" if where else "") + f": {said}", where


def _with_rules(rules: Rules, kernel: Callable[..., Any]) -> Callable[..., Any]:
    from numba.extending import register_jitable

    moves: dict[str, Any] = {f"rule_{name}": rules.function(name) for name in MOVES}
    weighted = rules.has("probability")
    if weighted:
        moves["rule_probability"] = rules.function("probability")
    chosen: Any = rule_calls.outcome_by_probability if weighted else rule_calls.outcome_alike
    moves["rule_outcome"] = register_jitable(error_model="numpy")(_bound_copy(chosen, moves))
    if rules.has("public_state"):
        moves["rule_public_state"] = rules.function("public_state")
    else:
        moves["rule_public_state"] = register_jitable(rule_calls.nothing_public)
    return _bound_copy(kernel, moves)


def _bound_copy(function: Any, moves: dict[str, Any]) -> FunctionType:
    """A copy that calls `moves`, and so do the inner kernels that it calls."""
    names = {**function.__globals__, **moves}
    for name in function.__code__.co_names:
        inner = names.get(name)
        if name not in moves and isinstance(inner, FunctionType) and _plays(inner):
            names[name] = inner_kernel(_bound_copy(inner, moves))
    copy = FunctionType(function.__code__, names, function.__name__)
    copy.__module__ = function.__module__
    copy.__qualname__ = function.__qualname__
    return copy


def _plays(function: FunctionType) -> bool:
    return any(name.startswith("rule_") for name in function.__code__.co_names)


def _register(rules: Rules) -> None:
    """Let Numba compile the module's functions where others call them."""
    from numba.extending import register_jitable

    for module in rules.modules:
        for value in vars(module).values():
            if isinstance(value, FunctionType) and value.__module__ == module.__name__:
                register_jitable(error_model="numpy", nogil=True)(value)
