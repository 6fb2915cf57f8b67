"""From a string to a variant: the registry of names, their parameters, and users' own files.

`dcfr`, `dcfr(alpha=1.5,beta=0.5,gamma=3)`, `hs-dcfr(15)` and `my.py:MyVariant` all name one.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from dataclasses import replace
from typing import Final

from equilibrist.arguments import finite_number, refused
from equilibrist.call_text import Reader, check_names, format_spec
from equilibrist.errors import ConfigError, UnknownNameError
from equilibrist.solvers import families
from equilibrist.solvers.user_variant import load_variant, plain_number
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
_NAME: Final = re.compile(r"[^()\s]+")

__all__ = [
    "FAMILIES",
    "VARIANTS",
    "as_variant",
    "get_variant",
    "load_variant",
    "variant_parameters",
]


def get_variant(spec: str) -> Variant:
    """Return the variant that a string names.

    `spec` is a name, a name with parameters (`dcfr(gamma=3)`, in order or by keyword), or
    `path/file.py:Name` for one of the user's own. Case, `_` for `-` and `plus` for `+` do not
    matter. The variant's own `name` is the shortest string that names it again.
    Raises UnknownNameError for an unknown name or parameter, ConfigError for a bad value.
    """
    if re.search(r"\.py(:|\s*$)", spec):
        return load_variant(spec)
    reader = Reader(spec, "algorithm", lambda message, *_: ConfigError(message))
    written = reader.take(_NAME, "expected a name, such as dcfr or dcfr(gamma=3)")
    name = written.lower().replace("_", "-")
    name = re.sub(r"-?plus$", "+", name)
    name = _ALIASES.get(name, name)
    if name not in FAMILIES:
        raise UnknownNameError("algorithm", written, list(FAMILIES), "(or my.py:MyVariant)")
    known = list(variant_parameters(name))
    params, _ = reader.parameters(known)
    check_names(name, params, known)
    given = {key: finite_number(f"{key} of {name}", value) for key, value in params.items()}
    return _named(name, given) if given else VARIANTS[name]


def as_variant(given: Variant | str) -> Variant:
    """A variant as it is, or the one that a string names; ConfigError for anything else."""
    variant = get_variant(given) if isinstance(given, str) else given
    if not isinstance(variant, Variant):
        raise refused("variant", given, "a Variant or the name of one, such as 'dcfr'")
    return variant


def variant_parameters(name: str) -> dict[str, float]:
    """Return the parameters of a named family with their defaults, in order.

    Raises UnknownNameError if there is no such family.
    """
    if name not in FAMILIES:
        raise UnknownNameError("algorithm", name, list(FAMILIES))
    parameters = inspect.signature(FAMILIES[name]).parameters.values()
    return {p.name: float(p.default) for p in parameters}


def _named(name: str, given: dict[str, float]) -> Variant:
    """Build the variant and call it by the shortest string that gives it again."""
    variant = FAMILIES[name](**given)
    defaults = variant_parameters(name)
    changed = {k: v for k, v in defaults.items() if given.get(k, v) != v}
    if not changed:
        return VARIANTS[name]
    written = {key: plain_number(given[key]) for key in changed}
    return replace(variant, name=format_spec(name, written))
