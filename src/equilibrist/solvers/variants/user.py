"""Users' own variants and local rules: `my.py:Mine` names an instance, a subclass or a function.

Subclasses and functions may have parameters: `my.py:make(alpha=2,beta=0.5)`.
"""

from __future__ import annotations

import copy
import inspect
import re
from typing import Final

from equilibrist.errors import ConfigError
from equilibrist.games.spec import Spec, parse_spec
from equilibrist.parsing.call_text import format_spec, unreadable
from equilibrist.parsing.user_code import (
    call_user,
    load_object,
    named_parameters,
    public_names,
    refuse_parameters,
)
from equilibrist.solvers.variants.local_rule import LocalRule
from equilibrist.solvers.variants.variant import Variant

_TRIAL: Final = 1000
"""Iterations whose coefficients are checked when a file is loaded."""
_BARE: Final = re.compile(r"(?P<path>[^()]*\.py)\s*:?\s*(\(.*\))?", re.DOTALL)
"""A file without the name of the variant in it."""


def load_rule(spec: str) -> Variant | LocalRule:
    """Load `path/file.py:Name` and check the numbers of its first 1,000 iterations.

    Name may be a Variant or a LocalRule, a subclass, or a function that returns one. These may be
    given parameters, written as those of games are: `file.py:Name(key=value)`. The variant is
    then called `Name(key=value)`, by the shortest such string: parameters in their order, without
    those at their defaults. The file is run: it is the user's own program.

    Raises ConfigError: a string that cannot be read, a missing file or name, code that fails
    (with the user's line), a wrong type, coefficients that no solver can use (with the
    iteration); UnknownNameError: an unknown parameter.
    """
    spec = spec.strip()
    bare = _BARE.fullmatch(spec)
    if bare is not None:
        path = bare["path"]
        names = ", ".join(public_names(path)) or "MyVariant"
        raise ConfigError(
            f"{path} defines {names}",
            option="algorithm",
            given=spec,
            remedy=f"name the variant that is meant, as {path}:Name",
        )
    parsed = parse_spec(spec, "algorithm", unreadable("algorithm"))
    loaded = load_object(parsed.path, parsed.name, ConfigError)
    variant, name = _build(loaded, parsed)
    if name != variant.name:
        variant = copy.copy(variant)  # the function may have returned one that others use
        object.__setattr__(variant, "name", name)
    variant.table(1, _TRIAL, _TRIAL if variant.needs_horizon else None)
    variant.probe()
    return variant


def _build(loaded: object, spec: Spec) -> tuple[Variant | LocalRule, str]:
    """Turn an instance, a class or a function into a rule, and say what it is called."""
    label = f"{spec.path}:{spec.name}"
    if isinstance(loaded, (Variant, LocalRule)):
        refuse_parameters(label, "variant", spec.params, ConfigError)
        return loaded, loaded.name or spec.name
    if not callable(loaded):
        raise ConfigError(
            f"{label} is an object of type {type(loaded).__name__}; expected a Variant, a subclass "
            "of Variant, or a function that returns one (or a LocalRule in place of Variant)",
            option=spec.name,
            given=loaded,
            expected="a Variant or a LocalRule, a subclass, or a function that returns one",
        )
    declared = named_parameters(loaded) or {}
    names = [name for name in (*declared, *spec.params) if name in spec.params]
    parameters = {name: spec.params[name] for name in names}
    rule = call_user(loaded, label, parameters, ConfigError)
    if not isinstance(rule, (Variant, LocalRule)):
        raise ConfigError(
            f"{label}({', '.join(parameters)}) gave an object of type {type(rule).__name__}; "
            "expected a Variant or a LocalRule",
            option=spec.name,
            expected="a Variant or a LocalRule",
            given=rule,
        )
    changed = {
        name: plain_number(value)
        for name, value in parameters.items()
        if not _is_default(value, declared.get(name))
    }
    return rule, format_spec(spec.name, changed) if changed else rule.name or spec.name


def _is_default(value: object, parameter: inspect.Parameter | None) -> bool:
    default = None if parameter is None else parameter.default
    return isinstance(default, bool | int | float | str | list) and value == default


def plain_number(value: object) -> object:
    """2.0 as 2, so that both give the variant one name."""
    whole = isinstance(value, float) and value.is_integer() and abs(value) < 2**53
    return int(value) if isinstance(value, float) and whole else value
