"""The ways to prune full traversals, as `partial` or `threshold(c=0.1)` names them."""

from __future__ import annotations

import re
from dataclasses import dataclass, fields
from typing import ClassVar, Final, TypeAlias

from equilibrist.errors import ConfigError, UnknownNameError
from equilibrist.parsing.arguments import bad_argument, real_number, whole_number
from equilibrist.parsing.call_text import Reader, check_names, format_spec, unreadable

_NAME: Final = re.compile(r"[A-Za-z][\w-]*")
_NUMBER: Final = re.compile(r"-?[\d.]+(e-?\d+)?")


@dataclass(frozen=True)
class Partial:
    """Skip what the others' play does not reach; the result has the same bits."""

    name: ClassVar[str] = "partial"


@dataclass(frozen=True)
class Interval:
    """Skip actions that are not played, until their regret could have become positive.

    Noam Brown and Tuomas Sandholm, "Regret-based pruning in extensive-form games", NIPS 2015.
    """

    name: ClassVar[str] = "interval"


@dataclass(frozen=True)
class BestResponse:
    """Drop actions, with all tables below, that best responses show to be behind for long.

    Noam Brown and Tuomas Sandholm, "Reduced space and faster convergence in imperfect-information
    games via pruning", ICML 2017.

    Attributes:
        every: Iterations from one look at best responses to the next, from 1.

    Raises:
        ConfigError: It is no such number.
    """

    name: ClassVar[str] = "best-response"

    every: int = 10

    def __post_init__(self) -> None:
        """Refuse what is no number of iterations."""
        object.__setattr__(self, "every", whole_number("every", self.every, 1, 2**31))


@dataclass(frozen=True)
class Threshold:
    """Cut what Hedge plays too rarely, and skip what the others' play does not reach.

    Noam Brown, Christian Kroer and Tuomas Sandholm, "Dynamic thresholding and pruning for regret
    minimization", AAAI 2017; the constant is our own.

    Attributes:
        c: In iteration t, probabilities below c / (actions sqrt(t)) are cut; more than 0, at
            most 1.

    Raises:
        ConfigError: It is out of range.
    """

    name: ClassVar[str] = "threshold"

    c: float = 0.1

    def __post_init__(self) -> None:
        """Refuse thresholds that could cut everything."""
        object.__setattr__(self, "c", real_number("c", self.c, 0.0, 1.0, is_above=True))


Pruning: TypeAlias = Partial | Interval | BestResponse | Threshold
"""How full traversals are pruned."""

PRUNINGS: Final[dict[str, type[Pruning]]] = {
    kind.name: kind for kind in (Partial, Interval, BestResponse, Threshold)
}
"""By name."""


def get_pruning(pruning: str | Pruning) -> Pruning:
    """Make the way of pruning that a text names.

    Args:
        pruning: A name, with parameters if any: `best-response(every=20)`; or what it names.

    Returns:
        The way.

    Raises:
        UnknownNameError: There is no such name or parameter.
        ConfigError: The text cannot be read, or a parameter is out of range.
    """
    if isinstance(pruning, Pruning):
        return pruning
    if not isinstance(pruning, str):
        raise bad_argument("prune", pruning, f"one of {', '.join(PRUNINGS)}")
    if _NUMBER.fullmatch(pruning.strip()):
        raise ConfigError(
            f"prune is {pruning!r}; expected a name, such as partial or threshold(c=0.1)",
            option="prune",
            given=pruning,
            expected=f"one of {', '.join(PRUNINGS)}",
            remedy=f"if a sampler is to prune, write "
            f"`sampling='external(prune={pruning.strip()})'`",
        )
    reader = Reader(pruning, "prune", unreadable("prune"))
    name = reader.take(_NAME, "expected a name, such as partial or threshold(c=0.1)")
    kind = PRUNINGS.get(name.lower().replace("_", "-"))
    if kind is None:
        raise UnknownNameError("prune", name, list(PRUNINGS))
    known = [field.name for field in fields(kind)]
    parameters, _ = reader.parameters(known)
    check_names(kind.name, parameters, known)
    return kind(**parameters)  # type: ignore[arg-type] # which checks the types


def pruning_spec(pruning: Pruning) -> str:
    """The shortest text that names it again."""
    usual = type(pruning)()
    values = {field.name: getattr(pruning, field.name) for field in fields(pruning)}
    return format_spec(
        pruning.name, {name: v for name, v in values.items() if v != getattr(usual, name)}
    )


def refuse_rule(pruning: Pruning, rule: object, name: str) -> None:
    """ConfigError where an algorithm cannot be pruned so.

    Args:
        pruning: The way of pruning.
        rule: The algorithm.
        name: What the algorithm is called.

    Raises:
        ConfigError: It cannot.
    """
    from equilibrist.solvers.variants.local_rules import CompiledRule, Hedge
    from equilibrist.solvers.variants.registry import VARIANTS
    from equilibrist.solvers.variants.variant import Variant

    if isinstance(pruning, Threshold):
        if isinstance(rule, Hedge):
            return
        why = "cuts what Hedge plays rarely, and regret matching plays nothing rarely for long"
        raise _unfit(pruning, name, why, "hedge")
    if isinstance(pruning, Partial):
        if isinstance(rule, Variant | CompiledRule):
            return
        why = f"skips payoffs inside the kernel of CFR, and {name} has a loop of its own"
        raise _unfit(pruning, name, why, "a variant of CFR, such as cfr+")
    known = [_numbers(VARIANTS["cfr"]), _numbers(VARIANTS["lcfr"])]
    if type(rule) is Variant and _numbers(rule) in known:
        return
    floor = isinstance(rule, Variant) and rule.floor == 0.0
    why = (
        "skips an action while its regret is far below 0, and a floor at 0 leaves nothing to be "
        "far below"
        if floor
        else "makes up for skipped iterations by the sum of the others' plans, whose weights must "
        "be those of the regrets: all alike, or t"
    )
    raise _unfit(pruning, name, why, "cfr or lcfr")


def _numbers(rule: object) -> tuple[object, ...]:
    names = ("discount", "average", "floor", "prediction")
    return tuple(getattr(rule, field) for field in names)


def _unfit(pruning: Pruning, name: str, why: str, expected: str) -> ConfigError:
    return ConfigError(
        f"{pruning.name} pruning {why}; {name} does not fit",
        option="prune",
        given=pruning_spec(pruning),
        place=name,
        expected=expected,
        remedy=f"use {expected}"
        + ("" if isinstance(pruning, Partial) else ", or partial pruning, which loses no bit"),
    )
