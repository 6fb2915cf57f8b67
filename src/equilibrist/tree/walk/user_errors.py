"""Errors from a game's own methods (wrong results, exceptions) as readable messages."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from equilibrist.errors import EquilibristError, GameError
from equilibrist.parsing.user_code import failure_text, pass_interrupts
from equilibrist.tree.walk.answers import WrongAnswerError


def asked(
    game: object,
    history: Callable[[], Sequence[str]],
    method: str,
    call: Callable[[], Any],
    read: Callable[[Any], Any] | None = None,
) -> Any:
    """The result of `call` as parsed by `read`; else a GameError with `history()`."""
    try:
        answer = call()
    except BaseException as error:
        pass_interrupts(error)
        raise user_error(game, method, history(), error) from None
    try:
        return answer if read is None else read(answer)
    except WrongAnswerError as wrong:
        raise wrong.at(history()) from None


def user_error(
    game: object, method: str, history: Sequence[str], error: BaseException
) -> GameError:
    """The `GameError` for an exception that `game.<method>` raised at `history`.

    The message has the exception and the frame in the user's code (file, line, code).
    Raise it `from None`, so that the traceback of Equilibrist is not printed above the user's.
    """
    where = f"{type(game).__name__}.{method}"
    if isinstance(error, EquilibristError):  # its message is complete
        return GameError(
            f"{where} refused: {error}",
            history,
            kind="exception",
            option=method,
            given=type(error).__name__,
        )
    return GameError(
        f"{where} raised {failure_text(error)}\n ",
        history,
        kind="exception",
        option=method,
        given=type(error).__name__,
        expected="an answer at every history",
    )
