"""`read_hands` opens a file of played hands, of any kind, to hands of PokerKit (PHH)."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

from equilibrist.errors import FileFormatError
from equilibrist.parsing.arguments import file_name
from equilibrist.play.histories.notation import import_notation
from equilibrist.play.histories.own_logs import read_own_log
from equilibrist.play.histories.phh import read_phh
from equilibrist.play.histories.pokerstars import is_site_text, read_site_text
from equilibrist.play.histories.played import Collector, ReadHands, hero_of
from equilibrist.protocols.acpc.game_definition import GameDefinition
from equilibrist.protocols.acpc.histories import check_game, hand_history
from equilibrist.protocols.acpc.log import SCORE, LoggedHand
from equilibrist.protocols.acpc.rules import rules_of
from equilibrist.storage.archive import file_kind
from equilibrist.storage.kinds.file_kinds import (
    HANDS,
    HISTORY,
    MATCH_LOG,
    PHH,
    another_kind,
    missing_file,
)
from equilibrist.storage.plain_file import read_text_file

GAME_SUFFIX: Final = ".game"
"""Of the game definition beside a match log."""
ACPC: Final = "acpc"


def read_hands(
    path: str | os.PathLike[str], game: str | os.PathLike[str] | None = None
) -> ReadHands:
    """Read the hands of a file, whatever its kind: told by its content, not by its name.

    PHH and PHHS, logs of `play --log` (JSON lines) and match logs of the ACPC are read. PokerKit
    replays every hand; those that it does not allow are left out and named.

    Args:
        path: The file.
        game: The game definition of a match log; None for the file beside it that ends in `.game`.

    Returns:
        The hands, and those that were left out with the reason.

    Raises:
        ConfigError: PokerKit is not installed.
        FileFormatError: The file cannot be read, or holds no hands; it says what it holds.
    """
    import_notation()
    file = file_name("path", path)
    if not file.exists():
        raise missing_file(file)
    kind = file_kind(file)
    if kind == HANDS:
        return read_own_log(file)
    if kind == MATCH_LOG:
        definition = Path(game) if game is not None else file.with_suffix(GAME_SUFFIX)
        return _read_match_log(file, definition)
    if kind == HISTORY:
        text = read_text_file(file, most=None, option="hands")
        if is_site_text(text):
            return read_site_text(text, file)
    if kind == PHH:
        return read_phh(read_text_file(file, most=None, option="hands"), file)
    raise another_kind(
        file, kind or "file", "a file of played hands", option="hands", remedy=_KINDS_REMEDY
    )


_KINDS_REMEDY: Final = (
    "give hand histories in PHH, a log of `equilibrist play --log`, or a match log of the ACPC"
)


def _read_match_log(file: Path, definition_file: Path) -> ReadHands:
    if not definition_file.exists():
        raise FileFormatError(
            f"{file} is a match log, and there is no game definition {definition_file}",
            definition_file,
            option="game",
            given=str(definition_file),
            expected="the game definition of the match",
            remedy="name it with --game",
        )
    definition = GameDefinition.from_file(definition_file)
    check_game(definition)
    rules = rules_of(definition)
    collector = Collector(ACPC)
    text = read_text_file(file, most=None, option="hands")
    for number, line in enumerate(text.splitlines(), 1):
        row = line.strip()
        if not row or row.startswith(("#", f"{SCORE}:")):
            continue

        def read(row: str = row) -> tuple[object, int | None]:
            history = hand_history(definition, LoggedHand.parse(rules, row))
            return history, hero_of(history)

        name = row.split(":")[1] if row.count(":") else ""
        collector.add(number, name, read)
    return collector.result()
