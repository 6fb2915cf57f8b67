"""A rules module: what it must define, and how it is loaded with its parameters.

A module defines PARAMETERS (names and default integers, in the order of `g`) and

    state_size(g) num_players(g) max_actions(g) max_moves(g)    sizes, all integers
    start(g, s)             fill the state, whatever it held
    player(g, s)            who moves: 0, 1, ..., or -1 chance, -2 the end
    num_actions(g, s)       legal actions or chance outcomes, numbered from 0
    apply(g, s, a)          change the state
    payoff(g, s, p)         player p's payoff at the end, a float
    key(g, s, out)          what the mover knows, packed exactly into two uint64: no two infosets,
                            of whatever players, may share a key

and may define fits(g), whether parameters can be packed, and probability(g, s, a), of a chance
outcome (without it, outcomes are equally likely). max_actions counts players' actions only. The
functions may call others of the module, and of modules beside it that it imports; all are compiled,
so they keep to integers, floats and arrays. For people, and never compiled, are text(g, s), the
infoset in words, and label(g, s, a), the name of an action or outcome.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

from equilibrist.errors import GameSpecError, UnknownNameError
from equilibrist.rules.sources import fingerprint, import_file, modules_of
from equilibrist.typing import Int64Array
from equilibrist.user_code import failure_text

SIZES = ("state_size", "num_players", "max_actions", "max_moves")
MOVES = ("start", "player", "num_actions", "apply", "payoff", "key")
SHIPPED = ("goofspiel", "leduc", "liars_dice")
_SPEC = re.compile(r"\s*(?P<module>[^()]+?)\s*(?:\((?P<parameters>[^()]*)\))?\s*")
_PARAMETER = re.compile(r"\s*([A-Za-z_]\w*)\s*=\s*([+-]?\d{1,18})\s*")


@dataclass(frozen=True, eq=False)
class Rules:
    """A rules module with its parameters: `g` as its functions take it, and the sizes.

    `modules` are the module and all of the user's that it imports, `fingerprint` the SHA-256 of
    their sources.
    """

    name: str
    module: ModuleType
    g: Int64Array
    modules: tuple[ModuleType, ...]
    fingerprint: str
    state_size: int = field(init=False)
    num_players: int = field(init=False)
    max_actions: int = field(init=False)
    max_moves: int = field(init=False)

    def __post_init__(self) -> None:
        for size in SIZES:
            try:
                value = int(self.function(size)(self.g))
            except Exception as error:
                raise GameSpecError(
                    f"{size}() of {self.name} raised {failure_text(error)}"
                ) from None
            if value < 1:
                raise GameSpecError(f"{size}() of {self.name} is {value}; expected at least 1")
            object.__setattr__(self, size, value)

    def function(self, name: str) -> Callable[..., Any]:
        """One of the module's functions."""
        found: Callable[..., Any] = getattr(self.module, name)
        return found

    def has(self, name: str) -> bool:
        """Whether the module defines an optional function."""
        return callable(getattr(self.module, name, None))


def load_rules(rules: str | Path, **parameters: int) -> Rules:
    """Load rules without a tree: shipped ones by name, or a path to a module of your own.

    `rules` is `liars_dice`, `goofspiel`, `leduc`, or `path/rules.py`, with or without parameters,
    as in `liars_dice(dice=2,sides=6)`; `parameters` are further ones. All are integers.

    Raises GameSpecError for what cannot be read or packed, a module that fails or lacks a function;
    UnknownNameError for an unknown name.
    """
    where, given = _read(rules)
    for name in parameters:
        if name in given:
            raise GameSpecError(f"{name} is given both in {str(rules)!r} and beside it; keep one")
    given |= parameters
    module = _import(where)
    defaults: dict[str, int] = dict(getattr(module, "PARAMETERS", {}))
    for name, value in given.items():
        if name not in defaults:
            raise UnknownNameError(f"parameter of the rules {where}:", name, list(defaults))
        if type(value) is not int or abs(value) >= 2**62:
            raise GameSpecError(f"{name} is {value!r}; parameters of rules are integers")
    values = defaults | given
    missing = [name for name in (*SIZES, *MOVES) if not callable(getattr(module, name, None))]
    if missing:
        raise GameSpecError(f"the rules {where} define no {', '.join(missing)}")
    g = np.array(list(values.values()), dtype=np.int64)
    fits = getattr(module, "fits", None)
    if fits is not None and not fits(g):
        raise GameSpecError(
            f"the rules {where} make no sense, or cannot pack their infosets, with "
            f"{_listed(values)}: take less"
        )
    changed = {name: value for name, value in given.items() if value != defaults[name]}
    name = where + (f"({_listed(changed)})" if changed else "")
    modules = modules_of(module)
    return Rules(name, module, g, tuple(modules), fingerprint(modules))


def _read(rules: str | Path) -> tuple[str, dict[str, int]]:
    """The module's name or path, and the parameters in brackets."""
    if isinstance(rules, Path):
        return str(rules), {}
    found = _SPEC.fullmatch(str(rules))
    if found is None:
        raise GameSpecError(
            f"rules are named by a string such as 'liars_dice(dice=2)' or 'my_rules.py', "
            f"got {rules!r}"
        )
    given: dict[str, int] = {}
    for part in (found["parameters"] or "").split(","):
        if not part.strip():
            continue
        parameter = _PARAMETER.fullmatch(part)
        if parameter is None:
            raise GameSpecError(
                f"cannot read {part.strip()!r} in {rules!r}: parameters of rules are integers, "
                f"written name=2"
            )
        if parameter[1] in given:
            raise GameSpecError(f"the parameter {parameter[1]!r} is given twice in {rules!r}")
        given[parameter[1]] = int(parameter[2])
    return found["module"], given


def _listed(parameters: dict[str, int]) -> str:
    return ",".join(f"{name}={value}" for name, value in parameters.items())


def _import(module: str) -> ModuleType:
    if module.endswith(".py"):
        return import_file(module)
    name = module.lower().replace("-", "_")
    if name not in SHIPPED:
        raise UnknownNameError(
            "rules", module, SHIPPED, "(or give a path to a rules module, such as my_rules.py)"
        )
    return import_file(Path(__file__).parent / "shipped" / f"{name}.py")
