"""What the documents of tables and drills share: where one is, and what may be chosen."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from equilibrist.play.grades import PLAYED
from equilibrist.web.play.advice import thresholds_document
from equilibrist.web.play.answers import PlayAction, PlayPlace
from equilibrist.web.play.scene import action_roles

if TYPE_CHECKING:
    from equilibrist.library.opponents import Opponent
    from equilibrist.web.answers.solutions import SolutionTitle
    from equilibrist.web.playing.current_play import PlayDrill
    from equilibrist.web.playing.table import PlayTable


def place_document(
    name: str, place: PlayTable | PlayDrill, title: SolutionTitle | None
) -> PlayPlace:
    """A table or a drill: the solution, its error, and the thresholds of grades.

    Args:
        name: The name that it is open under.
        place: The table or the drill.
        title: What the library calls the solution, if it is there.

    Returns:
        The first part of the document.
    """
    opponent = place.opponent
    return {
        "id": name,
        "solution": opponent.name,
        "stamp": opponent.stamp,
        "gone": place.gone,
        "game": opponent.game.name,
        "title": title,
        "kind": "spot" if opponent.is_spot else "hand" if opponent.is_hand else "game",
        "unit": opponent_unit(opponent),
        "range": usual_amount(opponent, place.players),
        "stake_name": place.stake_name,
        "error": opponent.error,
        "measure_name": opponent.measure_name,
        "thresholds": thresholds_document(),
        "played": PLAYED,
    }


def usual_amount(opponent: Opponent, players: Sequence[int]) -> float | None:
    """What amounts are large or small by: payoffs in play, the pot of a spot, the big blind.

    Args:
        opponent: Whom the person plays against.
        players: Those whose part the person takes: players of a game may be paid in different
            units.
    """
    if opponent.stake is not None:
        spreads = [opponent.spreads[player] for player in players if opponent.spreads]
        return min(opponent.stake.amount, max(spreads, default=0.0) or opponent.stake.amount)
    game: Any = opponent.game
    if opponent.is_spot:
        return float(game.spot.pot)
    return float(game.big_blind) if opponent.is_hand else None


def opponent_unit(opponent: Opponent) -> str:
    """The unit of amounts: chips, units, or that of the hand.

    Args:
        opponent: Whom the person plays against.
    """
    if opponent.is_hand:
        return str(opponent.game.unit)  # type: ignore[attr-defined] # a HandGame
    return "chips" if opponent.is_spot else "units"


def choices_document(words: Sequence[Sequence[str]], labels: Sequence[str]) -> list[PlayAction]:
    """The actions that may be chosen.

    Args:
        words: What each action may be called, the preferred word first.
        labels: The label of each action.

    Returns:
        One document per action, with the role that palettes have a colour for.
    """
    return [
        {"word": names[0], "words": list(names), "label": label, "role": role}
        for names, label, role in zip(words, labels, action_roles(words), strict=True)
    ]
