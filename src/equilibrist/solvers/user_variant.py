"""Users' own variants: `my.py:MyVariant` names an instance, a subclass or a function.

Subclasses and functions may have parameters: `my.py:make(alpha=2,beta=0.5)`.
"""

from __future__ import annotations

import copy
import inspect
import re
from collections.abc import Mapping
from typing import Any, Final

from equilibrist.errors import ConfigError, GameSpecError, UnknownNameError
from equilibrist.games.spec import Spec, format_spec, parse_spec
from equilibrist.solvers.variant import Variant
from equilibrist.user_code import failure_text, load_object, public_names

_TRIAL: Final = 1000
"""Iterations whose coefficients are looked at when a file is loaded."""
_BARE: Final = re.compile(r"(?P<path>[^()]*\.py)\s*:?\s*(\(.*\))?", re.DOTALL)
"""A file without the name of the variant in it."""


def load_variant(spec: str) -> Variant:
    """Load `path/file.py:Name` and check the coefficients of its first 1,000 iterations.

    Name may be a Variant, or a subclass of Variant or a function that returns one. These may be
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
        raise ConfigError(f"say which variant of the file is meant, as {path}:Name ({names})")
    try:
        parsed = parse_spec(spec)
    except GameSpecError as error:
        raise ConfigError(str(error).replace("the game", "the algorithm", 1)) from None
    found = load_object(parsed.path, parsed.name, ConfigError)
    variant, name = _build(found, parsed)
    if name != variant.name:
        variant = copy.copy(variant)  # the function may have returned one that others use
        object.__setattr__(variant, "name", name)
    variant.table(1, _TRIAL, _TRIAL if variant.needs_horizon else None)
    return variant


def _build(found: object, spec: Spec) -> tuple[Variant, str]:
    """Turn an instance, a class or a function into a Variant, and say what it is called."""
    label = f"{spec.path}:{spec.name}"
    if isinstance(found, Variant):
        if spec.params:
            raise ConfigError(
                f"{label} is a finished variant and takes no parameters; leave out "
                + ", ".join(spec.params)
            )
        return found, found.name or spec.name
    if not callable(found):
        raise ConfigError(
            f"{label} is an object of type {type(found).__name__}; expected a Variant, a subclass "
            "of Variant, or a function that returns one"
        )
    declared = _parameters(found)
    _check_names(label, spec.params, declared)
    given = {name: spec.params[name] for name in (*declared, *spec.params) if name in spec.params}
    try:
        made = found(**given)
    except (Exception, SystemExit) as error:
        how = f"as {format_spec(spec.name, given)}" if given else "without arguments"
        raise ConfigError(f"{label} could not be called {how}: {failure_text(error)}") from None
    if not isinstance(made, Variant):
        raise ConfigError(
            f"{label}({', '.join(given)}) gave an object of type {type(made).__name__}; expected a "
            "Variant"
        )
    changed = {k: _plain(v) for k, v in given.items() if not _is_default(v, declared.get(k))}
    return made, format_spec(spec.name, changed) if changed else made.name or spec.name


def _parameters(make: Any) -> dict[str, inspect.Parameter]:
    """The parameters that can be given by name, in order; none if Python cannot tell."""
    try:
        parameters = inspect.signature(make).parameters
    except (TypeError, ValueError):
        return {}
    return {name: p for name, p in parameters.items() if p.kind is not p.VAR_POSITIONAL}


def _check_names(
    label: str, given: Mapping[str, object], declared: Mapping[str, inspect.Parameter]
) -> None:
    anything = any(p.kind is p.VAR_KEYWORD for p in declared.values())
    known = [name for name, p in declared.items() if p.kind is not p.VAR_KEYWORD]
    for name in given:
        if name not in known and not anything:
            raise UnknownNameError(
                f"parameter of {label}", name, known, "" if known else "(it takes none)"
            )
    missing = [
        n for n in known if declared[n].default is inspect.Parameter.empty and n not in given
    ]
    if missing:
        example = ",".join(f"{name}=..." for name in missing)
        raise ConfigError(f"{label} needs parameters: write {label}({example})")


def _is_default(value: object, parameter: inspect.Parameter | None) -> bool:
    default = None if parameter is None else parameter.default
    return isinstance(default, bool | int | float | str | list) and value == default


def _plain(value: object) -> object:
    """2.0 as 2, so that both give the variant one name."""
    return int(value) if isinstance(value, float) and value.is_integer() else value
