"""How an exception from a game's own methods becomes one readable error."""

from __future__ import annotations

from collections.abc import Sequence

from equilibrist.errors import EquilibristError, GameError
from equilibrist.user_code import failure_text


def user_error(
    game: object, method: str, history: Sequence[str], error: BaseException
) -> GameError:
    """The `GameError` for an exception that `game.<method>` raised at `history`.

    The message carries the exception and the user's own frame (file, line, code), none of ours.
    Raise it `from None`, so that the user does not see our traceback above their own.
    """
    where = f"{type(game).__name__}.{method}"
    if isinstance(error, EquilibristError):  # rules may refuse in our words: keep them
        return GameError(f"{where} refused: {error}", history)
    return GameError(f"{where} raised {failure_text(error)}\n ", history)
