"""The hands of a table as files: JSON lines, and hand histories of hold'em."""

from __future__ import annotations

from equilibrist.play import HandGame, SpotGame, hand_history
from equilibrist.play.hand_log import log_text
from equilibrist.play.histories.log import why_not
from equilibrist.play.histories.notation import numbered
from equilibrist.web.errors import ConflictError
from equilibrist.web.playing.table import PlayTable


def table_lines(table: PlayTable) -> str:
    """All hands that are over, as JSON lines."""
    records = (hand.record for hand in table.hands)
    return log_text(table.session, records, names_seed=table.seed is not None)


def table_histories(table: PlayTable) -> str:
    """All hands that are over, as PHHS; ConflictError for games that PHH does not have."""
    game, session = table.opponent.game, table.session
    reason = why_not(game)
    if reason is not None:
        raise ConflictError(
            reason,
            option="name",
            given=table.opponent.name,
            remedy="take the JSON lines",
        )
    assert isinstance(game, SpotGame | HandGame)
    names = [seat.name for seat in session.seats]
    records = [hand.record for hand in table.hands]
    histories = (hand_history(game, record, names) for record in records)
    return "".join(numbered(number, one) for number, one in enumerate(histories, 1))
