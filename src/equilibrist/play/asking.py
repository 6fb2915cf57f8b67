"""Asking the rules while a hand is played: a wrong answer is an error that names the history."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from equilibrist.errors import GameError
from equilibrist.game import Game
from equilibrist.tree.answers import WrongAnswerError
from equilibrist.tree.user_errors import user_error


def asked(
    game: Game[Any],
    history: Sequence[str],
    method: str,
    call: Callable[[], Any],
    read: Callable[[Any], Any] | None = None,
) -> Any:
    """What `call` answers, as `read` understands it; GameError with the history so far."""
    try:
        answer = call()
    except (Exception, SystemExit) as error:
        raise user_error(game, method, history, error) from None
    try:
        return answer if read is None else read(answer)
    except WrongAnswerError as wrong:
        raise GameError(f"{wrong.message}; {wrong.remedy}", history) from None
