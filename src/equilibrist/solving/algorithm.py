"""Which algorithm a string or a variant names, and what runs it."""

from __future__ import annotations

from equilibrist.arguments import refused
from equilibrist.errors import UnknownNameError
from equilibrist.solvers.variant import Variant
from equilibrist.solvers.variants import FAMILIES, get_variant
from equilibrist.solving.config import EXACT, MATCHING


def get_algorithm(algorithm: str | Variant) -> Variant | str:
    """A CFR variant, or the name of an algorithm that is none: one of EXACT or MATCHING.

    Raises UnknownNameError with the nearest names, ConfigError for parameters out of range.
    """
    if isinstance(algorithm, Variant):
        return algorithm
    if not isinstance(algorithm, str):
        raise refused("algorithm", algorithm, "a name, such as 'dcfr' or 'lp', or a Variant")
    others = (*EXACT, *MATCHING)
    word = algorithm.strip().lower().replace("_", "-")
    if word in others:
        return word
    try:
        return get_variant(algorithm)
    except UnknownNameError as error:
        if error.name not in (algorithm, algorithm.strip()):  # a parameter is unknown, not the name
            raise
        known = [*FAMILIES, *others]
        raise UnknownNameError("algorithm", algorithm, known, "(or my.py:MyVariant)") from None
