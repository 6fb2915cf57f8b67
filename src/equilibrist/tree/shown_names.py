"""What people read for keys of infosets and outcomes of chance, where that is not they.

A game may define `shown_names()`, such as Kuhn poker with J, Q and K for 1, 2 and 3. Files and JSON
keep the keys; what people type may be either.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from equilibrist.errors import GameError
from equilibrist.game import Game
from equilibrist.tree.walk.user_errors import asked


def shown_names(game: Game[Any]) -> dict[str, str]:
    """What people read for the keys of infosets and the outcomes of chance, where that is not they.

    Args:
        game: The game.

    Returns:
        {text of the game: text that is shown}: what its method `shown_names` returns, such as J for
        the 1 of Kuhn poker; {} for games that have none.

    Raises:
        GameError: If the method does not return texts by texts.
    """
    named = getattr(game, "shown_names", None)
    if not callable(named):
        return {}
    answered = asked(game, list, "shown_names", named)
    if not isinstance(answered, Mapping) or not all(
        isinstance(text, str) for pair in answered.items() for text in pair
    ):
        raise GameError(
            f"shown_names() of {game.name} returned {answered!r:.60}",
            option="shown_names",
            given=answered,
            expected="texts by texts",
            remedy='return a dict such as {"1": "J"}',
        )
    return dict(answered)


def key_of_shown(names: Mapping[str, str], typed: str) -> str:
    """The key of an infoset, or of many a pattern, for what somebody has typed.

    Args:
        names: Those of `shown_names`.
        typed: The key itself, or what is shown for it.

    Returns:
        The key; what was typed where nothing is shown so.
    """
    if typed in names:
        return typed
    return next((key for key, shown in names.items() if shown == typed), typed)
