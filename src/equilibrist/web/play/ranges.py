"""What the AI does with its whole range, as a document."""

from __future__ import annotations

from typing import TYPE_CHECKING

from equilibrist.poker.postflop.spot.fields import SEATS
from equilibrist.web.play.answers import RangeAction, RangeDecision, TableRanges
from equilibrist.web.play.scene import action_roles

if TYPE_CHECKING:
    from equilibrist.play.range_mixtures import RangeMixture
    from equilibrist.web.playing.table import PlayTable


def ranges_document(table: PlayTable) -> TableRanges:
    """The AI's mixture at each of its decisions in the hand in progress.

    Args:
        table: The table.

    Returns:
        `hand` and `move` of the turn, and `decisions`, None where the solution has no tree.

    Raises:
        ConflictError: No hand is in progress.
    """
    mixtures, turn, held = table.ranges(), table.session.turn, table.session.table
    assert turn is not None
    assert held is not None
    decisions = None if mixtures is None else [_decision(table, mixture) for mixture in mixtures]
    return {"hand": turn.hand, "move": len(held.moves), "decisions": decisions}


def _decision(table: PlayTable, mixture: RangeMixture) -> RangeDecision:
    from equilibrist.play import HandGame

    name = table.session.seats[table.session.seat_of(mixture.player)].name
    game, is_spot = table.opponent.game, table.opponent.is_spot
    if isinstance(game, HandGame):
        seat = game.seat_names[mixture.player]
    else:
        seat = SEATS[mixture.player].upper() if is_spot else f"player {mixture.player}"
    shares = mixture.probabilities
    roles = action_roles([(word,) for word in mixture.words])
    rows: list[RangeAction] = [
        {
            "word": word,
            "label": label,
            "role": role,
            "frequency": None if shares is None else shares[k],
            "taken": label == mixture.taken,
        }
        for k, (word, label, role) in enumerate(
            zip(mixture.words, mixture.actions, roles, strict=True)
        )
    ]
    return {
        "who": f"{name} ({seat})",
        "line": mixture.where if is_spot or table.opponent.is_hand else None,
        "holdings": mixture.holdings,
        "actions": rows,
    }
