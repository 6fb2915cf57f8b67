"""Files of hand histories, and the histories of any hands that PHH has."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from equilibrist.errors import ConfigError, FileFormatError, UnsupportedError
from equilibrist.game import Game
from equilibrist.parsing.arguments import bad_argument, file_name, instance, several
from equilibrist.play.appended_file import LINES, AppendedFile
from equilibrist.play.hands.game import HandGame
from equilibrist.play.hands.three import ThreeGame
from equilibrist.play.histories.faults import HandError
from equilibrist.play.histories.hands import what_phh_lacks, whole_hand_history
from equilibrist.play.histories.notation import import_notation, numbered, plain
from equilibrist.play.histories.spots import spot_history, spot_variant
from equilibrist.play.session import HandRecord, Session
from equilibrist.play.spots.game import SpotGame
from equilibrist.storage.archive import check_writable
from equilibrist.storage.plain_file import cannot_read

SUFFIX = ".phhs"
"""The suffix of a file of several hands."""
_AS_LINES: Final = "write them as JSON lines, to a file that ends in .jsonl"


def is_phh_log(path: Path) -> bool:
    """Whether the hands in a file are PHH by its suffix; else JSON lines.

    Args:
        path: The file.

    Returns:
        True for `.phhs`.

    Raises:
        ConfigError: The suffix is of neither.
    """
    suffix = path.suffix.lower()
    if suffix == SUFFIX:
        return True
    if suffix in LINES:
        return False
    of_one = suffix == ".phh"
    raise ConfigError(
        f"{path} would hold one hand, and a log holds several"
        if of_one
        else f"hands are not written as {suffix}",
        option="log",
        given=str(path),
        expected=f".jsonl for JSON lines, or {SUFFIX} for PHH",
        remedy=f"name it {path.with_suffix(SUFFIX)}"
        if of_one
        else f"name a file that ends in .jsonl for JSON lines, or in {SUFFIX} for PHH",
    )


def why_no_histories(game: Game[Any]) -> str | None:
    """Why the hands of a game cannot be written as PHH; None if they can."""
    fault = _fault_of(game)
    return None if fault is None else f"{fault}"


def _fault_of(game: Game[Any]) -> HandError | None:
    if isinstance(game, SpotGame):
        return None if spot_variant(game.spot.whole_deck) else HandError("phh-short-deck")
    if isinstance(game, ThreeGame):
        return HandError("phh-three")
    if not isinstance(game, HandGame):
        return HandError("no-hand-game", game=game.name)
    return what_phh_lacks(game)


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
        UnsupportedError: PokerKit does not allow an action of this hand.
    """
    named = isinstance(getattr(game, "name", None), str)
    if not named:
        raise bad_argument("game", game, "the game of the hand, a HandGame or SpotGame")
    reason = why_no_histories(game)
    if reason is not None:
        raise ConfigError(reason, option="game", given=game.name, remedy=_AS_LINES)
    instance("record", record, HandRecord, "a hand of a session, a HandRecord")
    several("names", names, "the names of the seats")
    for name, value in (("record", record.seats), ("names", names)):
        if len(value) != game.num_players:
            raise bad_argument(name, value, f"{game.num_players} seats")
    try:
        if isinstance(game, HandGame):
            return whole_hand_history(game, record, names)
        return spot_history(game, record, names)
    except IndexError:
        raise bad_argument("record", record.hand, f"a hand of {game.name}") from None


def history_text(
    number: int, game: SpotGame | HandGame, record: HandRecord, names: Sequence[str]
) -> tuple[str, int]:
    """A hand as text for a file of several.

    Args:
        number: Its number in the file.
        game: As for `hand_history`, and so are the others.
        record: The hand.
        names: The names of the seats.

    Returns:
        The text, and the number of the next hand. Of a hand that PokerKit does not allow, the text
        is a comment that says so.
    """
    try:
        return numbered(number, hand_history(game, record, names)), number + 1
    except UnsupportedError as error:
        return f"# Hand {record.hand} is left out. {plain(str(error))}\n\n", number


class PhhLog(AppendedFile):
    """Appends the hands of sessions to a file of hand histories (PHHS); a context manager.

    Every hand is one write to the end of the file. An existing file is added to. In place of a hand
    that PokerKit does not allow there is a comment that says so.

    Args:
        path: The file.

    Raises:
        ConfigError: PokerKit is not installed.
        FileFormatError: The file is none of hand histories.
        OutputError: The file cannot be written.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self._number = check_phh_log(path) + 1
        self._session: Session | None = None
        super().__init__(path)

    def begin(self, session: Session) -> None:
        """Take down whose hands follow.

        Args:
            session: The session.

        Raises:
            ConfigError: PHH has no such hands.
        """
        reason = why_no_histories(session.game)
        if reason is not None:
            raise ConfigError(
                reason,
                option="log",
                given=str(self.path),
                remedy=_AS_LINES,
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
        text, self._number = history_text(self._number, session.game, record, names)
        self.append(text)


def check_phh_log(path: str | os.PathLike[str]) -> int:
    """Check that a `PhhLog` can extend or create a file.

    Args:
        path: The file.

    Returns:
        The largest number of a hand in it; 0 if it has none.

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
        text = file.read_text("utf-8")
        list(notation.HandHistory.loads_all(text))
        return max((int(key) for key in tomllib.loads(text) if key.isdecimal()), default=0)
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
