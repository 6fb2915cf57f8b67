"""From a string to a variant: the registry of names, their parameters, and users' own files.

`dcfr`, `dcfr(alpha=1.5,beta=0.5,gamma=3)`, `hs-dcfr(15)` and `my.py:MyVariant` all name one.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from dataclasses import replace
from typing import Final

from equilibrist.errors import ConfigError, UnknownNameError
from equilibrist.solvers import families
from equilibrist.solvers.user_variant import load_variant
from equilibrist.solvers.variant import Variant

FAMILIES: Final[dict[str, Callable[..., Variant]]] = {
    "cfr": families.cfr,
    "cfr+": families.cfr_plus,
    "lcfr": families.lcfr,
    "dcfr": families.dcfr,
    "dcfr+": families.dcfr_plus,
    "pcfr+": families.pcfr_plus,
    "pdcfr+": families.pdcfr_plus,
    "sapcfr+": families.sapcfr_plus,
    "hs-dcfr": families.hs_dcfr,
    "hs-pcfr+": families.hs_pcfr_plus,
    "ddcfr": families.ddcfr,
}
"""Name to the function that makes the variant from its parameters."""

VARIANTS: Final[dict[str, Variant]] = {name: make() for name, make in FAMILIES.items()}
"""Every named variant with its default parameters."""

_ALIASES: Final = {"linear": "lcfr", "linear-cfr": "lcfr", "dpcfr+": "pdcfr+"}
_CALL: Final = re.compile(r"\s*([^()\s]+)\s*(?:\((.*)\))?\s*", re.DOTALL)

__all__ = ["FAMILIES", "VARIANTS", "get_variant", "load_variant", "variant_parameters"]


def get_variant(spec: str) -> Variant:
    """Return the variant that a string names.

    `spec` is a name, a name with parameters (`dcfr(gamma=3)`, in order or by keyword), or
    `path/file.py:Name` for one of the user's own. Case, `_` for `-` and `plus` for `+` do not
    matter. The variant's own `name` is the shortest string that names it again.
    Raises UnknownNameError for an unknown name or parameter, ConfigError for a bad value.
    """
    if re.search(r"\.py(:|\s*$)", spec):
        return load_variant(spec)
    match = _CALL.fullmatch(spec)
    if match is None:
        raise ConfigError(
            f"cannot read the algorithm {spec!r}: expected name or name(key=value,...), "
            "for instance dcfr(gamma=3)"
        )
    name = match[1].lower().replace("_", "-")
    name = re.sub(r"-?plus$", "+", name)
    name = _ALIASES.get(name, name)
    if name not in FAMILIES:
        raise UnknownNameError("algorithm", match[1], list(FAMILIES), "(or my.py:MyVariant)")
    given = _read_parameters(name, match[2] or "")
    return _named(name, given) if given else VARIANTS[name]


def variant_parameters(name: str) -> dict[str, float]:
    """Return the parameters of a named family with their defaults, in order.

    Raises UnknownNameError if there is no such family.
    """
    if name not in FAMILIES:
        raise UnknownNameError("algorithm", name, list(FAMILIES))
    parameters = inspect.signature(FAMILIES[name]).parameters.values()
    return {p.name: float(p.default) for p in parameters}


def _read_parameters(name: str, text: str) -> dict[str, float]:
    """Read `1.5,gamma=3` into {"alpha": 1.5, "gamma": 3.0}, by the family's own order."""
    known = variant_parameters(name)
    given: dict[str, float] = {}
    parts = [part.strip() for part in text.split(",")] if text.strip() else []
    for position, part in enumerate(parts):
        key, equals, value = (piece.strip() for piece in part.rpartition("="))
        if not equals:
            if position >= len(known):
                raise ConfigError(
                    f"{name} has {len(known)} parameter(s)"
                    f"{': ' + ', '.join(known) if known else ''}; given: {text!r}"
                )
            if len(given) != sum("=" not in p for p in parts[:position]) or any(
                "=" in p for p in parts[:position]
            ):
                raise ConfigError(f"{name}: {part!r} must come before the named parameters")
            key = list(known)[position]
        if key not in known:
            hint = "" if known else "(it has none)"
            raise UnknownNameError(f"parameter of {name}", key, list(known), hint)
        if key in given:
            raise ConfigError(f"{name}: {key} is given twice in {text!r}")
        given[key] = _number(name, key, value)
    return given


def _number(name: str, key: str, value: str) -> float:
    try:
        number = float(value)
    except ValueError:
        raise ConfigError(f"{name}: {key} must be a number, given {value!r}") from None
    if number != number or abs(number) == float("inf"):
        raise ConfigError(f"{name}: {key} must be finite, given {value}")
    return number


def _named(name: str, given: dict[str, float]) -> Variant:
    """Build the variant and call it by the shortest string that gives it again."""
    variant = FAMILIES[name](**given)
    defaults = variant_parameters(name)
    changed = {k: v for k, v in defaults.items() if given.get(k, v) != v}
    if not changed:
        return VARIANTS[name]
    text = ",".join(f"{key}={repr(given[key]).removesuffix('.0')}" for key in changed)
    return replace(variant, name=f"{name}({text})")
