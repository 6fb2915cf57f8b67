"""A rules module: what it must define, and how it is loaded with its parameters.

A module defines PARAMETERS (names and default integers, in the order of `g`) and

    state_size(g) num_players(g) max_actions(g) max_moves(g)    sizes, all integers
    start(g, s)             fill the state
    player(g, s)            who moves: 0, 1, ..., or -1 chance, -2 the end
    num_actions(g, s)       legal actions or chance outcomes, numbered from 0
    apply(g, s, a)          change the state
    payoff(g, s, p)         player p's payoff at the end, a float
    key(g, s, out)          what the mover knows, packed exactly into two uint64: no two infosets,
                            of whatever players, may share a key

and may define fits(g), whether parameters can be packed, and probability(g, s, a), of a chance
outcome (without it, outcomes are equally likely). The functions may call others of the module, and
of modules beside it that it imports; all are compiled, so they keep to integers, floats and arrays.
"""

from __future__ import annotations

import hashlib
import importlib
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

import numpy as np

from equilibrist.errors import GameSpecError
from equilibrist.typing import Int64Array

SIZES = ("state_size", "num_players", "max_actions", "max_moves")
MOVES = ("start", "player", "num_actions", "apply", "payoff", "key")


@dataclass(frozen=True)
class Rules:
    """A rules module with its parameters: `g` as its functions take it, and the sizes."""

    name: str
    module: ModuleType
    g: Int64Array
    sources: tuple[Path, ...]
    state_size: int = field(init=False)
    num_players: int = field(init=False)
    max_actions: int = field(init=False)
    max_moves: int = field(init=False)

    def __post_init__(self) -> None:
        for size in SIZES:
            object.__setattr__(self, size, int(self.function(size)(self.g)))

    def function(self, name: str) -> Callable[..., Any]:
        """One of the module's functions."""
        found: Callable[..., Any] = getattr(self.module, name)
        return found

    @property
    def fingerprint(self) -> str:
        """SHA-256 over the sources of the module and of all modules beside it that it imports."""
        digest = hashlib.sha256()
        for path in self.sources:
            digest.update(path.name.encode())
            digest.update(path.read_bytes())
        return digest.hexdigest()


def load_rules(module: str | Path, **parameters: int) -> Rules:
    """Load shipped rules by name (`liars_dice`, `goofspiel`, `leduc`) or a path to a module.

    Raises GameSpecError that says what is missing or unknown.
    """
    found = _import(module)
    defaults: dict[str, int] = dict(getattr(found, "PARAMETERS", {}))
    for name, value in parameters.items():
        if name not in defaults:
            known = ", ".join(defaults) or "none"
            raise GameSpecError(f"the rules {module} have no parameter {name!r}; known: {known}")
        if isinstance(value, bool) or not isinstance(value, int):
            raise GameSpecError(f"{name} is {value!r}; parameters of rules are integers")
        defaults[name] = value
    missing = [name for name in (*SIZES, *MOVES) if not callable(getattr(found, name, None))]
    if missing:
        raise GameSpecError(f"the rules {module} define no {', '.join(missing)}")
    g = np.array(list(defaults.values()), dtype=np.int64)
    fits = getattr(found, "fits", None)
    if fits is not None and not fits(g):
        raise GameSpecError(
            f"the rules {module} cannot pack their infosets with {_listed(defaults)}: take less"
        )
    given = _listed(parameters)
    name = found.__name__.rpartition(".")[2] + (f"({given})" if given else "")
    return Rules(name, found, g, tuple(sorted(_sources(found))))


def _listed(parameters: dict[str, int]) -> str:
    return ",".join(f"{name}={value}" for name, value in parameters.items())


def _import(module: str | Path) -> ModuleType:
    if str(module).endswith(".py"):
        path = Path(module).resolve()
        if not path.is_file():
            raise GameSpecError(f"there is no rules module {path}")
        sys.path.insert(0, str(path.parent))
        try:
            sys.modules.pop(path.stem, None)
            return importlib.import_module(path.stem)
        finally:
            sys.path.remove(str(path.parent))
    try:
        return importlib.import_module(f"equilibrist.rules.shipped.{module}")
    except ModuleNotFoundError:
        shipped = "goofspiel, leduc, liars_dice"
        raise GameSpecError(
            f"there are no rules {str(module)!r}: shipped are {shipped}; or give a path to a module"
        ) from None


def modules_beside(module: ModuleType) -> list[ModuleType]:
    """The module and those in its folder that it imports, directly or not."""
    found = [module]
    folder = Path(str(module.__file__)).parent
    for one in found:
        for value in vars(one).values():
            name = value.__module__ if isinstance(value, FunctionType) else None
            other = value if isinstance(value, ModuleType) else sys.modules.get(name or "")
            file = getattr(other, "__file__", None)
            if other is not None and file and Path(file).parent == folder and other not in found:
                found.append(other)
    return found


def _sources(module: ModuleType) -> set[Path]:
    return {Path(str(one.__file__)).resolve() for one in modules_beside(module)}
