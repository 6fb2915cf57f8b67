"""Mistakes in samplers of one's own: what a class defines, and what its traversals add."""

from __future__ import annotations

import inspect
import math
from collections.abc import Mapping
from typing import Any, Final

from equilibrist.errors import ConfigError
from equilibrist.formatting.escaping import repr_short
from equilibrist.parsing.user_code import line_of
from equilibrist.reference.sampling.addition import Addition, Profile
from equilibrist.solvers.sampling.sampler import FitsAll, PlainSampler

_METHODS: Final[dict[str, tuple[str, int, tuple[str, ...]]]] = {
    "choose": ("choose(self, node)", 1, ()),
    "traverse": (
        "traverse(self, root, traverser, profile, draws, tables, *, averaging, record)",
        5,
        ("averaging", "record"),
    ),
}
"""How the methods are defined, and the arguments of a call: how many, and those by name."""


def refuse_class(sampler: PlainSampler) -> None:
    """Look at what a sampler of one's own defines, before anything runs.

    Args:
        sampler: The sampler.

    Raises:
        ConfigError: A method takes other arguments or returns nothing at once, the class has
            methods but none that is asked, or its name is no text.
    """
    label: str = _label(sampler)
    kind: type[Any] = type(sampler)
    for name, (written, count, keywords) in _METHODS.items():
        _refuse_method(label, name, getattr(sampler, name), written, count, keywords)
    if not _weighs_itself(kind) and kind.choose is FitsAll.choose:
        further = _own_methods(kind)
        if further:
            place = line_of(getattr(kind, further[0]))
            raise ConfigError(
                f"{place}: {label} defines {', '.join(further)}, but neither choose nor traverse",
                option="choose",
                given=further[0],
                expected=_METHODS["choose"][0],
                place=place,
                remedy=f"call the method that is asked at every history {_METHODS['choose'][0]}",
            )
    if not isinstance(sampler.name, str):
        raise ConfigError(
            f"the name of {label} is {repr_short(sampler.name)}",
            option="name",
            given=sampler.name,
            expected="a text",
            place=label,
            remedy="write it in quotation marks, or leave it out",
        )


def refuse_addition(sampler: PlainSampler, added: object, profile: Profile) -> Addition:
    """Look at what a traversal of one's own adds.

    Args:
        sampler: The sampler.
        added: What its `traverse` has returned.
        profile: What everybody plays, which has a row for every infoset.

    Returns:
        The addition.

    Raises:
        ConfigError: It is none, or has other infosets, rows of another length, or numbers that are
            not finite.
    """
    label = _label(sampler)
    if not isinstance(added, Addition):
        place = line_of(sampler.traverse) or label
        raise ConfigError(
            f"{place}: traverse of {label} gave {repr_short(added)}",
            option="traverse",
            given=added,
            expected="an Addition of equilibrist.reference",
            place=place,
            remedy="return an Addition, whose tables have a row of numbers by infoset",
        )
    weighs_itself = _weighs_itself(type(sampler))
    for name in ("regret", "strategy_sum"):
        table: object = getattr(added, name)
        if not isinstance(table, Mapping):
            raise _bad_table(sampler, name, table, "rows of numbers by infoset")
        for key, row in table.items():
            if not weighs_itself and math.isfinite(sum(row)):
                continue  # rows of the walk can only have become too large
            fault = _fault(key, row, profile)
            if fault is not None:
                raise _bad_table(sampler, name, {key: row}, fault)
    return added


def _fault(key: object, row: object, profile: Profile) -> str | None:
    """What a row should be, if it is not."""
    try:
        actions = len(profile[key])  # type: ignore[index]  # what is none is found out
    except (KeyError, TypeError):
        return "infosets of the game"
    try:
        numbers = [float(x) for x in row]  # type: ignore[attr-defined]
    except (TypeError, ValueError):
        return f"{actions} numbers for {key!r}, one per action"
    if len(numbers) != actions:
        return f"{actions} numbers for {key!r}, one per action"
    if not all(map(math.isfinite, numbers)):
        return f"finite numbers for {key!r}"
    return None


def _bad_table(sampler: PlainSampler, name: str, given: object, expected: str) -> ConfigError:
    place, remedy = line_of(sampler.traverse), "correct what traverse returns"
    if not _weighs_itself(type(sampler)):
        place = line_of(getattr(sampler, "choose", None))
        remedy = "choose greater probabilities: what is found counts one over their product"
    return ConfigError(
        f"{place}: {_label(sampler)} adds to {name} {repr_short(given)}; expected {expected}",
        option=name,
        given=given,
        expected=expected,
        place=place,
        remedy=remedy,
    )


def _refuse_method(
    label: str, name: str, method: Any, written: str, count: int, keywords: tuple[str, ...]
) -> None:
    """ConfigError for a method that cannot be called as it will be."""
    fault = remedy = None
    if not callable(method):
        fault = f"is an object of type {type(method).__name__}"
    elif inspect.iscoroutinefunction(method):
        fault, remedy = "is async", f"define it as def {written}"
    elif inspect.isgeneratorfunction(method) or inspect.isasyncgenfunction(method):
        fault, remedy = "yields", "return what it decides, in place of yield"
    else:
        try:
            inspect.signature(method).bind(*[None] * count, **dict.fromkeys(keywords))
        except ValueError:  # Python does not know the arguments
            return
        except TypeError as misfit:
            fault = f"takes other arguments: {misfit}"
    if fault is None:
        return
    place = line_of(method) or label
    raise ConfigError(
        f"{place}: {name} of {label} {fault}",
        option=name,
        given=method,
        expected=written,
        place=place,
        remedy=remedy or f"define it as def {written}",
    )


def _weighs_itself(kind: type[Any]) -> bool:
    """Whether a class has a `traverse` of its own."""
    return kind.traverse is not FitsAll.traverse


def _own_methods(kind: type[Any]) -> list[str]:
    """The public methods that a class and its bases add to those of all samplers."""
    return [
        name
        for base in kind.__mro__
        if base.__module__.partition(".")[0] not in ("equilibrist", "builtins", "typing")
        for name, value in vars(base).items()
        if inspect.isfunction(value) and not name.startswith("_") and not hasattr(FitsAll, name)
    ]


def _label(sampler: PlainSampler) -> str:
    """The text that loaded it, or its name."""
    return getattr(sampler, "spec", "") or str(sampler.name)
