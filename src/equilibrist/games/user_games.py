"""Games that users wrote in Python files, named `path/rules.py:MyGame(key=value)`."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from typing import Any

from equilibrist.errors import EquilibristError, GameSpecError, UnknownNameError
from equilibrist.game import METHODS, Game
from equilibrist.games.spec import Spec
from equilibrist.user_code import failure_text, load_object, public_names

_ATTRIBUTES = ("name", "num_players")


def load_user_game(spec: Spec, params: Mapping[str, Any]) -> Game[Any]:
    """The game that a user's class, function or object gives.

    Raises `GameSpecError` if the file is missing or raises, the name is not in it, the class
    cannot be constructed, or the object lacks parts of the `Game` protocol.
    """
    label = f"{spec.path}:{spec.name}"
    found = load_object(spec.path, spec.name, lambda message: GameSpecError(message, spec.text))
    if callable(found) and not _is_game(found):
        game: Any = _construct(found, label, spec, params)
    elif params:
        raise GameSpecError(
            f"{label} is a finished game and takes no parameters; leave out "
            + ", ".join(repr(name) for name in params),
            spec.text,
        )
    else:
        game = found
    _check_protocol(game, label, spec)
    return game  # type: ignore[no-any-return]


def _is_game(found: Any) -> bool:
    return not inspect.isclass(found) and all(hasattr(found, name) for name in METHODS)


def _construct(make: Any, label: str, spec: Spec, params: Mapping[str, Any]) -> Any:
    _check_signature(make, label, spec, params)
    try:
        return make(**params)
    except EquilibristError:
        raise
    except (Exception, SystemExit) as error:
        arguments = ", ".join(f"{name}={value!r}" for name, value in params.items())
        raise GameSpecError(
            f"{label} raised when called as {spec.name}({arguments}): {failure_text(error)}",
            spec.text,
        ) from None


def _check_signature(make: Any, label: str, spec: Spec, params: Mapping[str, Any]) -> None:
    try:
        signature = inspect.signature(make)
    except (TypeError, ValueError):
        return
    named = [
        p
        for p in signature.parameters.values()
        if p.kind in (p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY)
    ]
    open_ended = any(p.kind is p.VAR_KEYWORD for p in signature.parameters.values())
    known = [p.name for p in named]
    for name in params:
        if name not in known and not open_ended:
            hint = "" if known else f"({spec.name} takes no parameters)"
            raise UnknownNameError(f"parameter of {label}", name, known, hint)
    missing = [p.name for p in named if p.default is p.empty and p.name not in params]
    if missing:
        given = ",".join(f"{name}=..." for name in missing)
        raise GameSpecError(f"{label} needs parameters: write {label}({given})", spec.text)


def _check_protocol(game: Any, label: str, spec: Spec) -> None:
    missing = [f"{name}()" for name in METHODS if not callable(_attribute(game, name, spec))]
    missing += [name for name in _ATTRIBUTES if _attribute(game, name, spec) is None]
    if len(missing) == len(METHODS) + len(_ATTRIBUTES):
        others = [name for name in public_names(spec.path) if name != spec.name]
        raise GameSpecError(
            f"{label} gives {_described(game)}, not a game; a game has the methods "
            + ", ".join(METHODS)
            + " and the attributes name and num_players"
            + (f" ({spec.path} also defines {', '.join(others)})" if others else ""),
            spec.text,
        )
    if missing:
        raise GameSpecError(f"the game {label} lacks " + ", ".join(missing), spec.text)
    players = game.num_players
    if isinstance(players, bool) or not isinstance(players, int) or players < 1:
        raise GameSpecError(
            f"the game {label}: num_players must be an integer of at least 1, got {players!r}",
            spec.text,
        )
    if not isinstance(game.name, str) or not game.name:
        raise GameSpecError(
            f"the game {label}: name must be a text that is not empty, got {game.name!r}", spec.text
        )


def _attribute(game: Any, name: str, spec: Spec) -> Any:
    """An attribute, None if missing; a property of the user's may raise."""
    try:
        return getattr(game, name, None)
    except Exception as error:
        raise GameSpecError(
            f"{spec.path}:{spec.name}: reading {name} raised {failure_text(error)}", spec.text
        ) from None


def _described(game: Any) -> str:
    return "None" if game is None else f"an object of type {type(game).__name__}"
