"""Kernels bound to a rules module, compiled together and cached under a hash of all sources."""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType
from typing import Any

from equilibrist._jit import bound_kernel
from equilibrist.errors import GameError, GameSpecError
from equilibrist.rules.module import MOVES, Rules

_BOUND: dict[tuple[str, str], Callable[..., Any]] = {}
_REGISTERED: set[str] = set()
_NOISE = ("During:", "Failed in", "- Resolution failure", "There are", "This error")
"""How lines of the compiler begin that say nothing about the rules."""


def bind(rules: Rules, kernel: Callable[..., Any]) -> Callable[..., Any]:
    """A compiled copy of a kernel that plays by `rules` where it calls rule_*.

    Parameters are arguments, so that one compiled copy serves all of them. An edit to any source
    makes another copy; an unedited one is loaded from the cache. Calls raise GameSpecError for
    rules that cannot be compiled, GameError for what the rules themselves raise.
    """
    key = (rules.fingerprint, kernel.__name__)
    if key not in _BOUND:
        _BOUND[key] = bound_kernel(_with_rules(rules, kernel), rules.fingerprint)
    compiled = _BOUND[key]

    def call(*arguments: Any) -> Any:
        from numba.core.errors import NumbaError

        try:
            return compiled(*arguments)
        except NumbaError as error:
            raise GameSpecError(
                f"the rules {rules.name} cannot be compiled: {_reason(error)}"
            ) from None
        except Exception as error:
            raise GameError(
                f"the rules {rules.name} raised {type(error).__name__}: {error}"
            ) from None

    return call


def _reason(error: Exception) -> str:
    """What the compiler says, without the way that it took there."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return "\n  ".join(line for line in lines if not line.startswith(_NOISE))[:2000]


def _with_rules(rules: Rules, kernel: Callable[..., Any]) -> Callable[..., Any]:
    from numba.extending import register_jitable

    assert isinstance(kernel, FunctionType)
    _register(rules)
    names = dict(kernel.__globals__)
    for name in MOVES:
        names[f"rule_{name}"] = rules.function(name)
    weighted = rules.has("probability")
    if weighted:
        names["rule_probability"] = rules.function("probability")
    chosen = names["outcome_by_probability" if weighted else "outcome_alike"]
    names["rule_outcome"] = register_jitable(error_model="numpy")(_copy(chosen, names))
    return _copy(kernel, names)


def _copy(function: FunctionType, names: dict[str, Any]) -> FunctionType:
    copy = FunctionType(function.__code__, names, function.__name__)
    copy.__module__ = function.__module__
    copy.__qualname__ = function.__qualname__
    return copy


def _register(rules: Rules) -> None:
    """Let Numba compile the module's functions where others call them."""
    from numba.extending import register_jitable

    if rules.fingerprint in _REGISTERED:
        return
    _REGISTERED.add(rules.fingerprint)
    for module in rules.modules:
        for value in vars(module).values():
            if isinstance(value, FunctionType) and value.__module__ == module.__name__:
                register_jitable(error_model="numpy", nogil=True)(value)
