"""Games that users wrote in Python files, named `path/rules.py:MyGame(key=value)`."""

from __future__ import annotations

import inspect
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any, Unpack

from equilibrist.errors import Fields, GameSpecError
from equilibrist.game import METHODS, Game, keep_source, name_by_class
from equilibrist.games.spec import Spec
from equilibrist.parsing.call_text import format_spec
from equilibrist.parsing.user_code import (
    call_user,
    failure_text,
    load_object,
    public_names,
    refuse_parameters,
)

_ATTRIBUTES = ("name", "num_players")


def load_user_game(spec: Spec, params: Mapping[str, Any]) -> Game[Any]:
    """The game that a user's class, function or object gives.

    Raises `GameSpecError` if the file is missing or raises, the name is not in it, the class
    cannot be constructed, or the object lacks parts of the `Game` protocol.
    """
    label = f"{spec.path}:{spec.name}"

    def fail(message: str, **fields: Unpack[Fields]) -> GameSpecError:
        return GameSpecError(message, spec.text, **fields)

    game: Any = load_object(spec.path, spec.name, fail)
    if callable(game) and not _is_game(game):
        game = call_user(game, label, params, fail)
    else:
        refuse_parameters(label, "game", params, fail)
    if _is_game(game):
        name_by_class(game)
    _check_protocol(game, label, spec)
    with suppress(GameSpecError):  # a parameter that no text can hold
        keep_source(game, format_spec(label, params))
    return game  # type: ignore[no-any-return]


def _is_game(value: Any) -> bool:
    return not inspect.isclass(value) and all(hasattr(value, name) for name in METHODS)


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
            option=spec.name,
            given=game,
            remedy="name a class, a function or an object that is one",
        )
    if len(missing) > 1 and "name" in missing:
        missing.remove("name")  # the class would do
    if missing:
        raise GameSpecError(
            f"the game {label} lacks " + ", ".join(missing),
            spec.text,
            option=missing[0],
            remedy=_remedy(missing, spec),
        )
    players = game.num_players
    if isinstance(players, bool) or not isinstance(players, int) or players < 1:
        raise GameSpecError(
            f"the game {label}: num_players must be an integer of at least 1, got {players!r}",
            spec.text,
            option="num_players",
            given=players,
            remedy="set it to the number of players: num_players = 2",
        )
    if not isinstance(game.name, str) or not game.name:
        raise GameSpecError(
            f"the game {label}: name must be a text that is not empty, got {game.name!r}",
            spec.text,
            option="name",
            given=game.name,
            remedy="leave it out, and the name of the class is used",
        )


def _remedy(missing: Sequence[str], spec: Spec) -> str:
    """The remedy that names what to add to the class; an attribute as it is written."""
    written = {"name": f'`name = "{spec.name}"`', "num_players": "`num_players = 2`"}
    name = missing[0]
    return f"add {written.get(name, name) if len(missing) == 1 else 'them'} to the class"


def _attribute(game: Any, name: str, spec: Spec) -> Any:
    """An attribute, None if missing; a property of the user's may raise."""
    try:
        return getattr(game, name, None)
    except Exception as error:
        raise GameSpecError(
            f"{spec.path}:{spec.name}: reading {name} raised {failure_text(error)}",
            spec.text,
            option=name,
            given=type(error).__name__,
        ) from None


def _described(game: Any) -> str:
    return "None" if game is None else f"an object of type {type(game).__name__}"
