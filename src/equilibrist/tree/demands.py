"""What the walk demands of a number of players, of action labels and of texts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from equilibrist.errors import GameError
from equilibrist.game import Game

PROBABILITY_TOLERANCE = 1e-9
"""How far from 1 the probabilities of one chance node may add up."""


def checked_num_players(game: Game[Any]) -> int:
    """`game.num_players`, refused with a GameError unless it is an int from 1 to 127."""
    count: Any = game.num_players
    if not isinstance(count, int) or not 1 <= count <= 127:
        raise GameError(f"num_players is {count!r}; expected an int from 1 to 127")
    return count


def check_labels(
    key: str,
    legal: Sequence[str],
    history: Callable[[int], tuple[str, ...]],
    node: int,
) -> None:
    """Refuse the actions of an infoset unless they are one or more different strings."""
    if len(legal) == 0:
        raise GameError(
            f"infoset {key!r} has no actions; give at least one, or end the game there",
            history(node),
        )
    if isinstance(legal, str) or not all(isinstance(label, str) for label in legal):
        raise GameError(
            f"actions() gave {legal!r} at infoset {key!r}; expected a tuple of str", history(node)
        )
    if len(set(legal)) != len(legal):
        raise GameError(
            f"infoset {key!r} has two actions of one name: {list(legal)}", history(node)
        )


def check_text(
    texts: Sequence[str],
    history: Callable[[int], tuple[str, ...]],
    node: int,
) -> None:
    """Refuse keys and labels that no file and no terminal can hold: those with lone surrogates."""
    for text in texts:
        try:
            str(text).encode()
        except UnicodeEncodeError:
            raise GameError(
                f"the infoset key or action label {text!a} holds half of a surrogate pair, which "
                f"is not text; use whole characters",
                history(node),
            ) from None
