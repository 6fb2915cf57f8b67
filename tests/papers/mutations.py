"""Variants spoilt on purpose: a test of a figure is worth something only if these fail it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from equilibrist.solvers.variants.registry import VARIANTS
from equilibrist.solvers.variants.variant import Variant


def with_vanilla_coefficients(variant: Variant) -> Variant:
    """The variant in name, plain CFR in its numbers; CFR itself gets those of CFR+."""
    other = VARIANTS["cfr+" if variant.name == "cfr" else "cfr"]
    return replace(other, name=variant.name)


def without_one_ingredient(variant: Variant) -> Iterator[tuple[str, Variant]]:
    """Yield the variant with one of its parts taken from plain CFR, for each part that differs."""
    plain = VARIANTS["cfr"]
    for part in ("discount", "average", "floor", "prediction"):
        if getattr(variant, part) != getattr(plain, part):
            yield part, replace(variant, **{part: getattr(plain, part)})
