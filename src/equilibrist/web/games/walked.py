"""One history of a game, with or without a solution, as a document."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any, Final, cast

from equilibrist.tree.history_values import HistoryValues
from equilibrist.tree.history_view import HistoryView, Mixtures, view_history
from equilibrist.web.answers.games import WalkedHistory, WalkedSolution
from equilibrist.web.errors import WebError
from equilibrist.web.games.known import KnownGame
from equilibrist.web.games.solved import SolvedGame

MOST_STEPS: Final = 500
"""Ways on in one document; of more the first are told, and how many there are."""
MOST_MOVES: Final = 500
"""Moves from the beginning that a request may name."""


def walked(
    game: KnownGame,
    history: Sequence[str],
    mixtures: Mixtures | None = None,
    values: HistoryValues | None = None,
) -> WalkedHistory:
    """Who moves after `history`, how likely it is, what it is worth, and the ways on.

    Args:
        game: The game.
        history: Actions and outcomes of chance from the beginning.
        mixtures: What is played, by infoset and labels; None for an unsolved game.
        values: The values of histories; None where they are not known.

    Returns:
        The view of the history, with at most `MOST_STEPS` ways on, and how many there are.

    Raises:
        WebError: The history is too long.
        UnknownNameError: It is not possible.
    """
    if len(history) > MOST_MOVES:
        raise WebError(
            f"the history has {len(history):,} moves",
            option="history",
            given=len(history),
            expected=f"at most {MOST_MOVES}",
        )
    view = view_history(game.rules, history, mixtures or _nobody, values)
    about = {"game": game.text, "shown_names": game.shown_names, "history": list(history)}
    document = {**about, **_document(view)}
    return cast("WalkedHistory", document)


def walked_solution(solved: SolvedGame, history: Sequence[str]) -> WalkedSolution:
    """A history under a solution.

    Args:
        solved: The solution.
        history: Actions and outcomes of chance from the beginning.

    Returns:
        As `walked`, with the name of the solution, and why values are not known.

    Raises:
        ConflictError: The rules of the game are not at hand.
        WebError: As `walked`.
    """
    game = solved.walkable
    document = walked(game, history, solved.mixture, solved.history_values)
    return {"name": solved.name, **document, "why_no_values": solved.why}


def _document(view: HistoryView) -> dict[str, Any]:
    document = asdict(view)
    document["steps"] = list(document["steps"][:MOST_STEPS])
    document["num_steps"] = len(view.steps)
    return document


def _nobody(_key: str, _labels: Sequence[str]) -> None:
    """The mixtures of an unsolved game."""
    return
