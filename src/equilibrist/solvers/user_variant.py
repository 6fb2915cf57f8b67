"""Users' own variants: `my.py:MyVariant` names an instance, a subclass or a function."""

from __future__ import annotations

from typing import Final

from equilibrist.errors import ConfigError
from equilibrist.solvers.variant import Variant
from equilibrist.user_code import failure_text, load_object, public_names

_TRIAL: Final = 1000
"""Iterations whose coefficients are looked at when a file is loaded."""


def load_variant(spec: str) -> Variant:
    """Load `path/file.py:Name` and check the coefficients of its first 1,000 iterations.

    Name may be a Variant, a subclass of Variant, or a function without arguments that returns
    a Variant. The file is run: it is the user's own program.
    Raises ConfigError: a missing file or name, code that fails (with the user's line), a wrong
    type, coefficients that no solver can use (with the iteration).
    """
    path, _, name = spec.strip().rpartition(":")
    if not path or name.endswith(".py"):
        path = spec.strip()
        names = ", ".join(public_names(path)) or "MyVariant"
        raise ConfigError(f"say which variant of the file is meant, as {path}:Name ({names})")
    found = load_object(path, name, ConfigError)
    variant = _build(found, f"{path}:{name}")
    if not variant.name:
        object.__setattr__(variant, "name", name)  # the file's own object, just made
    variant.table(1, _TRIAL, _TRIAL if variant.needs_horizon else None)
    return variant


def _build(found: object, spec: str) -> Variant:
    """Turn an instance, a class or a function into a Variant."""
    if isinstance(found, Variant):
        return found
    if not callable(found):
        raise ConfigError(
            f"{spec} is a {type(found).__name__}; expected a Variant, a subclass of Variant, or "
            "a function without arguments that returns one"
        )
    try:
        made = found()
    except (Exception, SystemExit) as error:
        raise ConfigError(
            f"{spec} could not be called without arguments: {failure_text(error)}"
        ) from None
    if not isinstance(made, Variant):
        raise ConfigError(f"{spec}() gave a {type(made).__name__}; expected a Variant")
    return made
