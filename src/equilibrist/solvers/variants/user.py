"""Users' own variants and local rules: `my.py:Mine` names an instance, a subclass or a function.

Subclasses and functions may have parameters: `my.py:make(alpha=2,beta=0.5)`.
"""

from __future__ import annotations

import copy
from typing import Final, cast

from equilibrist.errors import ConfigError
from equilibrist.games.spec import parse_spec
from equilibrist.parsing.call_text import format_spec, unreadable
from equilibrist.parsing.user_code import Meant, build_object, load_object, refuse_bare_file
from equilibrist.solvers.variants.local_rule import LocalRule
from equilibrist.solvers.variants.variant import Variant

_TRIAL: Final = 1000
"""Iterations whose coefficients are checked when a file is loaded."""
_MEANT: Final = Meant(
    noun="variant",
    expected="a Variant, a subclass of Variant, or a function that returns one "
    "(or a LocalRule in place of Variant)",
    result="a Variant or a LocalRule",
)


def load_rule(spec: str) -> Variant | LocalRule:
    """Load `path/file.py:Name` and check the numbers of its first 1,000 iterations.

    Name may be a Variant or a LocalRule, a subclass, or a function that returns one. These may be
    given parameters, written as those of games are: `file.py:Name(key=value)`. The variant is
    then called `Name(key=value)`, by the shortest such string: parameters in their order, without
    those at their defaults. The file is run: it is the user's own program.

    Args:
        spec: The string.

    Returns:
        The variant or the rule, under that name.

    Raises:
        ConfigError: The string cannot be read, the file or the name is missing, code fails (with
            the user's line), the type is wrong, or no solver can use the coefficients (with the
            iteration).
        UnknownNameError: A parameter is unknown.
    """
    spec = spec.strip()
    refuse_bare_file(spec, "algorithm", "variant", "MyVariant")
    parsed = parse_spec(spec, "algorithm", unreadable("algorithm"))
    loaded = load_object(parsed.path, parsed.name, ConfigError)
    made, changed = build_object(
        loaded, parsed.path, parsed.name, parsed.params, (Variant, LocalRule), _MEANT
    )
    variant = cast("Variant | LocalRule", made)
    if isinstance(loaded, (Variant, LocalRule)) or not changed:
        name = variant.name or parsed.name
    else:
        name = format_spec(parsed.name, changed)
    if name != variant.name:
        variant = copy.copy(variant)  # the function may have returned one that others use
        object.__setattr__(variant, "name", name)
    variant.table(1, _TRIAL, _TRIAL if variant.needs_horizon else None)
    variant.probe()
    return variant
