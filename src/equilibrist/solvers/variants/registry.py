"""The registry of variants: names, parameters, and users' own files.

`dcfr`, `dcfr(alpha=1.5,beta=0.5,gamma=3)`, `hs-dcfr(15)` and `my.py:MyVariant` all name one.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Collection
from contextlib import suppress
from dataclasses import replace
from typing import Final

from equilibrist._extensions import extensions
from equilibrist.errors import ConfigError, EquilibristError, UnknownNameError
from equilibrist.parsing.arguments import bad_argument, finite_number, instance
from equilibrist.parsing.call_text import Reader, check_names, format_spec, unreadable
from equilibrist.parsing.user_code import plain_number
from equilibrist.solvers.variants import families
from equilibrist.solvers.variants.local_rule import LocalRule
from equilibrist.solvers.variants.local_rules import LOCAL_FAMILIES
from equilibrist.solvers.variants.rule import Rule
from equilibrist.solvers.variants.user import load_rule
from equilibrist.solvers.variants.variant import Variant

FAMILIES: Final[dict[str, Callable[..., Variant]]] = {
    "cfr": families.cfr,
    "cfr+": families.cfr_plus,
    "lcfr": families.lcfr,
    "dcfr": families.dcfr,
    "dcfr+": families.dcfr_plus,
    "pcfr+": families.pcfr_plus,
    "pdcfr+": families.pdcfr_plus,
    "sapcfr+": families.sapcfr_plus,
    **extensions("variants"),
}
"""Name to the function that makes the variant from its parameters."""

VARIANTS: Final[dict[str, Variant]] = {name: make() for name, make in FAMILIES.items()}
"""Every named variant with its default parameters."""

LOCAL_RULES: Final[dict[str, LocalRule]] = {name: make() for name, make in LOCAL_FAMILIES.items()}
"""Every named local rule with its default parameters."""

RULES: Final[dict[str, Variant | LocalRule]] = {**VARIANTS, **LOCAL_RULES}
"""Both."""

_FAMILIES: Final[dict[str, Callable[..., Variant | LocalRule]]] = {**FAMILIES, **LOCAL_FAMILIES}

_ALIASES: Final = {"linear": "lcfr", "linear-cfr": "lcfr", "dpcfr+": "pdcfr+"}
OTHER_ALGORITHMS: Final = (
    "lp",
    "regret-matching",
    "regret-matching+",
    "efr",
    "xfp",
    "cfr-br",
    "fsicfr",
)
"""Algorithms of `solve` that are no rules."""
_NAME: Final = re.compile(r"[^()\s]+")

__all__ = [
    "FAMILIES",
    "LOCAL_RULES",
    "RULES",
    "VARIANTS",
    "as_rule",
    "as_variant",
    "get_rule",
    "get_variant",
    "load_rule",
    "variant_parameters",
]


def get_rule(
    spec: str, known: Collection[str] = _FAMILIES, needed: str = ""
) -> Variant | LocalRule:
    """Return the variant or local rule that a string names.

    `spec` is a name, a name with parameters (`dcfr(gamma=3)`, in order or by keyword), or
    `path/file.py:Name` for one of the user's own. Case, `_` for `-` and `plus` for `+` do not
    matter. The variant's own `name` is the shortest string that names it again. `known` are the
    names that a message offers; `needed` says who needs a variant of CFR.
    Raises UnknownNameError for an unknown name or parameter, ConfigError for a bad value or for
    one of `OTHER_ALGORITHMS`.
    """
    instance("algorithm", spec, str, "the name of an algorithm, such as 'dcfr'")
    if re.search(r"\.py(:|\s*$)", spec):
        return load_rule(spec)
    reader = Reader(spec, "algorithm", unreadable("algorithm"))
    written = reader.take(_NAME, "expected a name, such as dcfr or dcfr(gamma=3)")
    name = written.lower().replace("_", "-")
    name = re.sub(r"-?plus$", "+", name)
    name = _ALIASES.get(name, name)
    if name in OTHER_ALGORITHMS:
        *names, last = known
        raise ConfigError(
            f"{name} is not a variant of CFR{needed}",
            option="algorithm",
            given=written,
            remedy=f"choose {', '.join(names)} or {last}",
        )
    if name not in _FAMILIES:
        raise UnknownNameError("algorithm", written, [*known], "(or my.py:MyVariant)")
    keys = list(variant_parameters(name))
    params, _ = reader.parameters(keys)
    check_names(name, params, keys)
    numbers = {key: finite_number(key, value, f"{key} of {name}") for key, value in params.items()}
    return _named(name, numbers) if numbers else RULES[name]


def get_variant(spec: str) -> Variant:
    """Make the variant of CFR that a text names.

    Args:
        spec: A name, a name with parameters, as `dcfr(gamma=3)`, or `path/file.py:Name` for one of
            your own. Case, `_` for `-` and `plus` for `+` do not matter.

    Returns:
        The variant. Its `name` is the shortest text that names it again.

    Raises:
        UnknownNameError: There is no such variant or parameter.
        ConfigError: A parameter is out of range, or the text names a local rule.
    """
    return as_variant(get_rule(spec))


def as_rule(value: Variant | LocalRule | str) -> Variant | LocalRule:
    """A variant or local rule as it is, or the one that a string names; else ConfigError."""
    rule = get_rule(value) if isinstance(value, str) else value
    if not isinstance(rule, (Variant, LocalRule)):
        raise bad_argument("algorithm", value, "a Variant or the name of one, such as 'dcfr'")
    return rule


def as_variant(value: Rule | str) -> Variant:
    """A variant as it is, or the one that a string names.

    Raises ConfigError for a rule that only full traversals can follow.
    """
    rule = value if isinstance(value, Rule) else as_rule(value)
    if not isinstance(rule, Variant):
        raise ConfigError(
            f"{rule.name} works with full traversals only, since its steps need exact regrets",
            option="algorithm",
            given=rule.name,
            remedy="where regrets are sampled use cfr, lcfr or dcfr",
        )
    return rule


def variant_parameters(name: str) -> dict[str, float]:
    """Return the parameters of a named family with their defaults, in order.

    Raises UnknownNameError if there is no such family.
    """
    if name not in _FAMILIES:
        raise UnknownNameError("algorithm", name, list(_FAMILIES))
    parameters = inspect.signature(_FAMILIES[name]).parameters.values()
    return {p.name: float(p.default) for p in parameters}


def parameters_of(rule: Variant | LocalRule) -> dict[str, float]:
    """The parameters of a named rule with its values, in order; {} for one of the user's own."""
    family, _, _ = rule.name.partition("(")
    if family not in _FAMILIES:
        return {}
    parameters = variant_parameters(family)
    reader = Reader(rule.name, "algorithm", unreadable("algorithm"))
    with suppress(EquilibristError):  # one of the user's own may have any name
        reader.take(_NAME, "expected a name")
        written, _ = reader.parameters([*parameters])
        parameters |= {key: finite_number(key, value) for key, value in written.items()}
    return parameters


def _named(name: str, parameters: dict[str, float]) -> Variant | LocalRule:
    """Build the rule and call it by the shortest string that gives it again."""
    rule = _FAMILIES[name](**parameters)
    defaults = variant_parameters(name)
    changed = {k: v for k, v in defaults.items() if parameters.get(k, v) != v}
    if not changed:
        return RULES[name]
    written = {key: plain_number(parameters[key]) for key in changed}
    return replace(rule, name=format_spec(name, written))
