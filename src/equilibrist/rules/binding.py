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

from equilibrist._jit import (
    bound_kernel,
    cache_is_warm,
    choices_of,
    chosen_by_type,
    fingerprint_of_modules,
    inner_kernel,
    jitable,
    with_globals,
)
from equilibrist.errors import GameError, GameSpecError
from equilibrist.kernels.implicit import rule_calls
from equilibrist.rules.module import MOVES, Rules

_KERNELS = "equilibrist.kernels."
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
    key = (rules.fingerprint, f"{kernel.__module__}.{kernel.__name__}")
    with _LOCK:
        if key not in _BOUND:
            first = _FIRST.get(rules.fingerprint)
            if first is None:
                first = _FIRST[rules.fingerprint] = rules
                _register(first)
            source = _source_of(kernel)
            # Samplers, which are compiled for trees as well, make no arrays; others may.
            bound = _with_rules(first, source)
            _BOUND[key] = bound_kernel(bound, _sources(rules), counted=source is kernel)
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


def _source_of(kernel: Callable[..., Any]) -> Callable[..., Any]:
    """The Python function, where the kernel is compiled for trees as well."""
    function: Callable[..., Any] = getattr(kernel, "py_func", kernel)
    return function


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
    reason = " ".join(lines[:2] if lines[1:] and lines[1].startswith(">>>") else lines[:1])
    for module in rules.modules:
        file = str(module.__file__)
        place = re.search(re.escape(file) + r" \((\d+)\)", last)
        if place:
            linecache.checkcache(file)
            line = linecache.getline(file, int(place[1])).strip()
            return f": {reason}\n  {Path(file).name}:{place[1]}: {line}", f"line {place[1]}"
    functions = re.findall(r"Function\(<function (\w+) at", before)
    where = f"{functions[-1]}()" if functions else None
    return (f", in {where}" if where else "") + f": {reason}", where


def _with_rules(rules: Rules, kernel: Callable[..., Any]) -> Callable[..., Any]:
    from numba.extending import register_jitable

    moves: dict[str, Any] = {f"rule_{name}": rules.function(name) for name in MOVES}
    weighted = rules.has("probability")
    if weighted:
        moves["rule_probability"] = rules.function("probability")
    chosen: Any = rule_calls.outcome_by_probability if weighted else rule_calls.outcome_uniformly
    moves["rule_outcome"] = register_jitable(error_model="numpy")(_bound_copy(chosen, moves))
    if rules.has("public_state"):
        moves["rule_public_state"] = rules.function("public_state")
    else:
        moves["rule_public_state"] = register_jitable(rule_calls.nothing_public)
    return _bound_copy(kernel, moves)


def _bound_copy(function: Any, moves: dict[str, Any]) -> FunctionType:
    """A copy that calls `moves`, and so do the inner kernels that it calls.

    Steps of samplers on a tree are taken by the rules instead.
    """
    names = dict(function.__globals__)
    for name in function.__code__.co_names:
        if name in moves:
            names[name] = moves[name]
        elif name in names:
            value = _twin(name, names[name])
            names[name] = _bound_inner(value, moves) if _is_bound(value) else value
    return with_globals(function, names)


def _bound_inner(value: Any, moves: dict[str, Any]) -> Any:
    choices = choices_of(value)
    if choices is None:
        return inner_kernel(_bound_copy(value, moves))
    return chosen_by_type({kind: _bound_copy(choice, moves) for kind, choice in choices.items()})


def _twin(name: str, value: Any) -> Any:
    """The function that stands for a global: if that is a step on a tree, the one by rules."""
    from equilibrist.kernels.implicit import steps as rule_steps
    from equilibrist.kernels.traversal import steps as tree_steps

    is_step = name in tree_steps.STEPS and value is getattr(tree_steps, name)
    return getattr(rule_steps, name) if is_step else value


def _is_bound(value: Any) -> bool:
    """Whether it is a function that calls rule_* or takes a step, itself or through others."""
    choices = choices_of(value)
    if choices is not None:
        return any(_is_bound(choice) for choice in choices.values())
    if not isinstance(value, FunctionType) or not value.__module__.startswith(_KERNELS):
        return False
    names = value.__code__.co_names
    if any(name.startswith("rule_") for name in names):
        return True
    called = ((name, value.__globals__.get(name)) for name in names)
    return any(_twin(name, callee) is not callee or _is_bound(callee) for name, callee in called)


def _register(rules: Rules) -> None:
    """Let Numba compile the module's functions where others call them.

    These may make arrays, unlike the kernels that they become part of.
    """
    for module in rules.modules:
        for value in vars(module).values():
            if isinstance(value, FunctionType) and value.__module__ == module.__name__:
                jitable(value)
