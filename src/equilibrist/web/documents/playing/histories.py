"""The hands of a table as files: JSON lines, and hand histories of hold'em."""

from __future__ import annotations

from equilibrist.play import HandGame, SpotGame
from equilibrist.play.hand_log import log_text
from equilibrist.play.histories.log import history_text, why_no_histories
from equilibrist.web.errors import ConflictError
from equilibrist.web.playing.table import PlayTable


def table_lines(table: PlayTable) -> str:
    """All hands that are over, as JSON lines."""
    records = (hand.record for hand in table.hands)
    return log_text(table.session, records, names_seed=table.seed is not None)


def table_histories(table: PlayTable) -> str:
    """All hands that are over, as PHHS; ConflictError for games that PHH does not have."""
    game, session = table.opponent.game, table.session
    reason = why_no_histories(game)
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
    texts, number = [], 1
    for record in records:
        text, number = history_text(number, game, record, names)
        texts.append(text)
    return "".join(texts)
