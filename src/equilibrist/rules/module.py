"""A rules module: what it must define, and how it is loaded with its parameters.

The docstring of `equilibrist.rules` lists the functions.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import Any, cast

import numpy as np

from equilibrist.errors import GameSpecError, UnknownNameError
from equilibrist.formatting.brief import brief_repr
from equilibrist.parsing.call_text import Reader, check_names, format_spec, unreadable_game
from equilibrist.parsing.user_code import failure_text
from equilibrist.rules.sources import fingerprint, import_file, modules_of
from equilibrist.typing import Int64Array

SIZES = ("state_size", "num_players", "max_actions", "max_moves")
MOVES = ("start", "player", "num_actions", "apply", "payoff", "key")
SHIPPED = ("goofspiel", "holdem", "leduc", "liars_dice")
_TEXT = re.compile(r"\s*(?:rules:)?\s*(?P<name>.+\.py|[\w-]+)\s*(?=\(|$)", re.DOTALL)
"""Rules as a text, up to the brackets with parameters."""
_TOO_LARGE = 1 << 31
"""Products of two parameters must fit an int64."""
_MOST = {"state_size": 1 << 20, "max_actions": (1 << 16) - 1}
"""A path holds many states; a row of the table of infosets counts its actions in 16 bits."""


@dataclass(frozen=True, eq=False)
class Rules:
    """A rules module with its parameters.

    Attributes:
        name: The text that `load_game` takes for it, such as `rules:leduc(ranks=4)`.
        module: The loaded module.
        g: int64, the parameters as its functions take them.
        modules: The module and all of the user's that it imports.
        fingerprint: SHA-256 over their sources.
        state_size: Entries of a state.
        num_players: How many players.
        max_actions: The most actions of a player.
        max_moves: The most moves of a game, chance included.

    Raises:
        GameSpecError: A size that the module declares is not a whole number in its range.
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

    def __repr__(self) -> str:
        return brief_repr(self)

    def __post_init__(self) -> None:
        for size in SIZES:
            value = called(self.function(size), f"{size}() of {self.name}", self.g)
            most = _MOST.get(size, _TOO_LARGE - 1)
            if not isinstance(value, int | np.integer) or not 1 <= value <= most:
                raise GameSpecError(
                    f"{size}() of {self.name} is {value!r}; expected a whole number from 1 to "
                    f"{most:,}",
                    option=size,
                    given=value,
                    expected=f"a whole number from 1 to {most:,}",
                )
            object.__setattr__(self, size, int(value))

    @property
    def identity(self) -> str:
        """SHA-256 over sources and parameters: equal rules, equal identities."""
        return hashlib.sha256(self.fingerprint.encode() + self.g.tobytes()).hexdigest()

    def function(self, name: str) -> Callable[..., Any]:
        """One of the module's functions.

        Args:
            name: Its name.

        Returns:
            The function, not compiled.
        """
        return cast("Callable[..., Any]", getattr(self.module, name))

    def has(self, name: str) -> bool:
        """Whether the module defines an optional function.

        Args:
            name: Its name.

        Returns:
            True if there is such a function.
        """
        return callable(getattr(self.module, name, None))


def load_rules(module: str | Path, /, **parameters: int) -> Rules:
    """Load rules without a tree.

    Args:
        module: `liars_dice`, `goofspiel`, `leduc` or `holdem`, or the path of your own module. The
            text that `solve` takes will do, too: `"rules:liars_dice(dice=2)"`.
        parameters: Integers; those left out have the defaults of the module.

    Returns:
        The rules.

    Raises:
        GameSpecError: If the module fails or lacks a function, or the parameters cannot be packed.
        UnknownNameError: If there are no such rules, or no such parameter.
    """
    where, written = _taken_apart(module)
    for name in written.keys() & parameters.keys():
        raise GameSpecError(
            f"the parameter {name!r} is given both in {module!r} and as a keyword",
            option=name,
            given=parameters[name],
            remedy="keep one",
        )
    parameters = {**written, **parameters}
    loaded = _import(where)
    defaults = _defaults(loaded, where)
    check_names(f"the rules {where}", parameters, list(defaults))
    for name, value in parameters.items():
        if not _is_parameter(value):
            raise GameSpecError(option=name, given=value, expected="an integer below 2^31 in size")
    values = defaults | parameters
    missing = [name for name in (*SIZES, *MOVES) if not callable(getattr(loaded, name, None))]
    if missing:
        raise GameSpecError(
            f"the rules {where} define no {', '.join(f'{name}()' for name in missing)}",
            option=missing[0],
            place=where,
            remedy="add what is missing; `equilibrist check` then says whether they fit together",
        )
    g = np.array(list(values.values()), dtype=np.int64)
    g.flags.writeable = False
    fits = getattr(loaded, "fits", None)
    if fits is not None and not called(fits, f"fits() of {where}", g):
        raise GameSpecError(
            "the infosets of these parameters cannot be packed (fits() rejects them): "
            f"{format_spec(where, values)}",
            option="fits",
            given=format_spec(where, values),
            remedy="use smaller values",
        )
    changed = {name: value for name, value in parameters.items() if value != defaults[name]}
    name = format_spec(f"rules:{where}", changed)
    modules = modules_of(loaded)
    return Rules(name, loaded, g, tuple(modules), fingerprint(modules))


def _taken_apart(module: str | Path) -> tuple[str, dict[str, Any]]:
    """Name or path, and the parameters in brackets behind it; a file's name may have brackets."""
    text = str(module)
    match = _TEXT.match(text)
    if match is None or (not text.lstrip().startswith("rules:") and Path(text).is_file()):
        return text, {}
    reader = Reader(text, "rules", unreadable_game, match.end())
    return match["name"], reader.parameters()[0]


def called(function: Callable[..., Any], what: str, g: Int64Array) -> Any:
    """Call a function of the module with its parameters; GameSpecError if it raises."""
    try:
        return function(g)
    except Exception as error:
        raise GameSpecError(
            f"{what} raised {failure_text(error)}",
            option=what.partition("(")[0],
            given=type(error).__name__,
            expected="an answer for all parameters",
        ) from None


def _defaults(module: ModuleType, where: str) -> dict[str, int]:
    parameters = getattr(module, "PARAMETERS", {})
    if not isinstance(parameters, dict) or not all(map(_is_parameter, parameters.values())):
        raise GameSpecError(
            f"PARAMETERS of the rules {where} is {parameters!r}; expected names and integers, "
            'as in {"dice": 2}',
            option="PARAMETERS",
            given=parameters,
            expected='names and integers, as in {"dice": 2}',
            place=where,
        )
    return parameters


def _is_parameter(value: object) -> bool:
    return type(value) is int and abs(value) < _TOO_LARGE


def _import(module: str) -> ModuleType:
    if module.endswith(".py"):
        return import_file(module)
    name = module.lower().replace("-", "_")
    if name not in SHIPPED:
        raise UnknownNameError(
            "rules", module, SHIPPED, "(or give a path to a rules module, such as my_rules.py)"
        )
    return import_file(Path(__file__).parent / "shipped" / f"{name}.py")
