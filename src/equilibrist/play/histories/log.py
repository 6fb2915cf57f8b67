"""Files of hand histories, and the histories of any hands that PHH has."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from equilibrist.errors import ConfigError, FileFormatError
from equilibrist.game import Game
from equilibrist.parsing.arguments import bad_argument, file_name
from equilibrist.play.appended_file import AppendedFile
from equilibrist.play.hands.game import HandGame
from equilibrist.play.histories.hands import holdem_history, what_phh_lacks
from equilibrist.play.histories.notation import import_notation, numbered
from equilibrist.play.histories.spots import spot_history
from equilibrist.play.session import HandRecord, Session
from equilibrist.play.spots.game import SpotGame
from equilibrist.storage.archive import check_writable
from equilibrist.storage.plain_file import cannot_read

SUFFIX = ".phhs"
"""The suffix of a file of several hands."""


def why_not(game: Game[Any]) -> str | None:
    """Why the hands of a game cannot be written as PHH; None if they can."""
    if isinstance(game, SpotGame):
        return None
    if not isinstance(game, HandGame):
        return f"PHH is for hold'em hands, and {game.name} is another game"
    lacking = what_phh_lacks(game)
    return None if lacking is None else f"PHH has no {lacking}"


def hand_history(game: SpotGame | HandGame, record: HandRecord, names: Sequence[str]) -> Any:
    """A hand as PokerKit's `HandHistory`.

    Args:
        game: The spot, or the game of whole hands.
        record: The hand.
        names: The names of the seats.

    Returns:
        A `pokerkit.HandHistory`.

    Raises:
        ConfigError: PokerKit is not installed, the hand is of another game, or PHH has no such
            hands.
    """
    reason = why_not(game)
    if reason is not None:
        raise bad_argument("game", game.name, f"hands that PHH has: {reason}")
    if isinstance(game, HandGame):
        return holdem_history(game, record, names)
    return spot_history(game, record, names)


class PhhLog(AppendedFile):
    """Appends the hands of sessions to a file of hand histories (PHHS); a context manager.

    Every hand is one write to the end of the file. An existing file is added to.

    Args:
        path: The file.

    Raises:
        ConfigError: PokerKit is not installed.
        FileFormatError: The file is none of hand histories.
        OutputError: The file cannot be written.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self._hands = check_phh_log(path)
        self._session: Session | None = None
        super().__init__(path)

    def begin(self, session: Session) -> None:
        """Take down whose hands follow.

        Args:
            session: The session.

        Raises:
            ConfigError: PHH has no such hands.
        """
        reason = why_not(session.game)
        if reason is not None:
            raise ConfigError(
                reason,
                option="log",
                given=str(self.path),
                remedy="name a file that ends in .jsonl",
            )
        self._session = session

    def add(self, record: HandRecord) -> None:
        """Write a hand.

        Args:
            record: A hand of the session.

        Raises:
            OutputError: The file cannot be written.
        """
        session = self._session
        assert session is not None
        assert isinstance(session.game, SpotGame | HandGame)
        names = [seat.name for seat in session.seats]
        self._hands += 1
        self.append(numbered(self._hands, hand_history(session.game, record, names)))


def check_phh_log(path: str | os.PathLike[str]) -> int:
    """Check that a `PhhLog` can extend or create a file.

    Args:
        path: The file.

    Returns:
        How many hands it has.

    Raises:
        ConfigError: PokerKit is not installed.
        FileFormatError: The file is none of hand histories.
        OutputError: The file cannot be written.
    """
    notation = import_notation()
    file = Path(file_name("log", path))
    check_writable(file)
    if not file.is_file() or not file.stat().st_size:
        return 0
    try:
        return len(list(notation.HandHistory.loads_all(file.read_text("utf-8"))))
    except OSError as error:
        raise cannot_read(file, error, "log") from None
    except Exception:  # whatever PokerKit and its parser of TOML raise
        raise FileFormatError(
            f"{file} is not a file of hand histories",
            file,
            option="log",
            given=str(file),
            expected="PHHS, one numbered table a hand",
            remedy="name a new file",
        ) from None
