"""Checks that an object follows the `Game` protocol."""

from __future__ import annotations

from typing import Any

from equilibrist.errors import GameSpecError
from equilibrist.formatting.escaping import repr_short
from equilibrist.game import METHODS, ForgetfulGame, Game, name_by_class


def checked_rules(value: object) -> Game[Any]:
    """`value`, which must have at least one of the methods of a game, and be no class.

    A game without a name gets that of its class. Raises GameSpecError. Missing methods and invalid
    results are reported by `check_game` and the walk.
    """
    is_game = any(_has(value, name) for name in METHODS)
    if is_game and isinstance(value, type):
        raise GameSpecError(
            f"the class {value.__name__} was given, not a game of it",
            option="game",
            given=value,
            remedy=f"make one: {value.__name__}()",
        )
    if not is_game:
        raise GameSpecError(
            f"a game was expected, an object with the methods {', '.join(METHODS)} "
            f"(load_game('kuhn') gives one); given: {repr_short(value)} "
            f"of type {type(value).__name__}",
            option="game",
            given=value,
            expected=f"an object with the methods {', '.join(METHODS)}",
        )
    name_by_class(value)
    return value  # type: ignore[return-value]


def complete_rules(value: object) -> Game[Any]:
    """`value`, which must be a game with all seven methods; GameSpecError names those it lacks."""
    game = checked_rules(value)
    missing = [name for name in METHODS if not _has(game, name)]
    if missing:
        raise GameSpecError(
            f"the game of type {type(game).__name__} lacks "
            f"{', '.join(f'{name}()' for name in missing)}",
            option=missing[0],
            given=game,
            remedy="add " + ("it" if len(missing) == 1 else "them") + " to the class",
        )
    return game


def says_what_is_public(game: Game[Any]) -> bool:
    """Whether the game has the method of a `PublicGame`."""
    return _has(game, "public_state")


def full_recall_of(game: Game[Any]) -> Game[Any]:
    """The game with perfect recall: the one that a `ForgetfulGame` names, else the game itself."""
    if not _has(game, "full_recall"):
        return game
    forgetful: ForgetfulGame[Any] = game  # type: ignore[assignment]
    return complete_rules(forgetful.full_recall())


def recalls(game: Game[Any]) -> bool:
    """Whether the game itself has perfect recall: it names no other game for that."""
    return full_recall_of(game) == game


def _has(value: object, method: str) -> bool:
    try:
        return callable(getattr(value, method, None))
    except Exception:  # a property of the user's: the walk says what it raises
        return True
