"""`read_hands` opens a file of played hands, of any kind, to hands of PokerKit (PHH)."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any, Final

from equilibrist.errors import ConfigError, FileFormatError, UnsupportedError
from equilibrist.parsing.arguments import file_name
from equilibrist.play.histories import documents, ohh, own_logs
from equilibrist.play.histories.course import untold
from equilibrist.play.histories.faults import LeftOut
from equilibrist.play.histories.notation import import_notation
from equilibrist.play.histories.phh import read_phh
from equilibrist.play.histories.played import Collector, PlayedHand, ReadHands, hero_of
from equilibrist.play.histories.pokerstars import is_site_text, read_site_text
from equilibrist.protocols.acpc.game_definition import GameDefinition
from equilibrist.protocols.acpc.histories import check_game, hand_history
from equilibrist.protocols.acpc.log import SCORE, LoggedHand, named_game
from equilibrist.protocols.acpc.rules import rules_of
from equilibrist.storage.archive import file_kind, folder_error
from equilibrist.storage.kinds.file_kinds import (
    HAND_LINES,
    HANDS,
    HISTORY,
    MATCH_LOG,
    PHH,
    PLAYED,
    TEXT,
    another_kind,
    missing_file,
)
from equilibrist.storage.plain_file import (
    lines_of,
    read_plain_file,
    read_text_file,
)

GAME_SUFFIX: Final = ".game"
"""Of the game definition beside a match log."""
ACPC: Final = "acpc"
_MOST_REASONS: Final = 3
_LOG_IN_PYTHON: Final = "read it in Python: equilibrist.play.read_log({!r})"
_TAKEN: Final = (
    "give hand histories of PokerStars or GGPoker, PHH, Open Hand History, a match log of the "
    "ACPC, or a log of `equilibrist play --log`"
)


def read_hands(
    path: str | os.PathLike[str],
    game: str | os.PathLike[str] | None = None,
    most: int | None = None,
) -> ReadHands:
    """Read the hands of a file, whatever its kind: told by its content, not by its name.

    Texts of PokerStars and GGPoker, PHH and PHHS, Open Hand History, match logs of the ACPC, logs
    of `play --log` and what `hands convert` writes are read. PokerKit replays every hand; those
    that it does not allow are left out and named.

    Args:
        path: The file.
        game: The game definition of a match log; None for the file beside it that ends in `.game`.
        most: Hands that the file may have; None for any number.

    Returns:
        The hands, and those that were left out with the reason.

    Raises:
        ConfigError: PokerKit is not installed.
        FileFormatError: The file cannot be read, or holds no hands; it says what it holds.
        UnsupportedError: It has more hands than `most`; those after them are not read.
    """
    import_notation()
    file = file_name("path", path)
    if not os.path.exists(file):  # noqa: PTH110 - no error
        raise missing_file(file)
    if file.is_dir():
        raise folder_error(file, "a file of hands", (HAND_LINES, *PLAYED), "hands")
    if not file.is_file():
        read_plain_file(file)  # refuses it
    kind = file_kind(file)
    if kind == HANDS:
        return own_logs.read_own_log(file, most)
    if kind == MATCH_LOG:
        return _read_match_log(file, _definition_of(file) if game is None else Path(game), most)
    if kind in (PHH, HISTORY, HAND_LINES, TEXT):
        text = read_text_file(file, most=None, option="hands")
        if kind == PHH:
            return read_phh(text, file, most)
        if kind == HAND_LINES:
            return documents.read_history_lines(text, most)
        if is_site_text(text):
            return read_site_text(text, file, most)
        if kind == HISTORY and text.lstrip("\ufeff\r\n\t [").startswith("{"):
            return ohh.read_ohh(text, file, most)
        if kind == HISTORY:
            raise FileFormatError(
                f"{file} has hands of a site whose texts are not read",
                file,
                option="hands",
                given=kind,
                expected="PokerStars, GGPoker or Open Hand History",
                remedy=_TAKEN,
            )
    raise another_kind(
        file, kind or "file", "a file of played hands", option="hands", remedy=_TAKEN
    )


def _definition_of(log: Path) -> Path:
    """The game definition of a match log: beside it by its name, or the one that its head names.

    That one is looked for in the folder of the log, and in the current one by its suffix.
    """
    beside = log.with_suffix(GAME_SUFFIX)
    if beside.exists():
        return beside
    named = named_game(log)
    if not named:
        return beside
    here = Path(named)
    is_here = not (log.parent / named).is_file() and here.suffix == GAME_SUFFIX and here.is_file()
    return here if is_here else log.parent / named


def _read_match_log(file: Path, definition_file: Path, most: int | None) -> ReadHands:
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
    collector = Collector(ACPC, most)
    text = read_text_file(file, most=None, option="hands")
    for number, line in enumerate(lines_of(text), 1):
        row = line.strip()
        if not row or row.startswith(("#", f"{SCORE}:")):
            continue

        def read(row: str = row) -> tuple[Any, int | None]:
            history = hand_history(definition, LoggedHand.parse(rules, row))
            return history, hero_of(history)

        name = row.split(":")[1] if row.count(":") else ""
        collector.add(number, name, read)
    return collector.result()


def told_hands(read: ReadHands) -> ReadHands:
    """Leave out hands whose course cannot be told, as those of draw games.

    Args:
        read: What was read.

    Returns:
        The others.
    """
    faults = {hand.number: untold(hand.history) for hand in read.hands}
    left_out = [
        LeftOut.of(hand.number, hand.line, hand.name, fault)
        for hand in read.hands
        if (fault := faults[hand.number]) is not None
    ]
    return read._replace(
        hands=tuple(hand for hand in read.hands if faults[hand.number] is None),
        left_out=tuple(sorted((*read.left_out, *left_out), key=lambda out: out.number)),
    )


def check_some(read: ReadHands, path: object) -> None:
    """Refuse a file without a single hand, such as the log of a session that has just begun.

    Args:
        read: What was read.
        path: The file, for errors.

    Raises:
        UnsupportedError: It has none, and none was left out either.
    """
    if not read.hands and not read.left_out:
        raise UnsupportedError(
            f"{path} has no hand",
            option="hands",
            given=str(path),
            expected="at least one hand",
            place=str(path),
            remedy="play one first, or give another file",
        )


def picked_hands(read: ReadHands, path: object, wanted: str | None) -> tuple[PlayedHand, ...]:
    """Pick hands of a file.

    Args:
        read: What was read.
        path: The file, for errors.
        wanted: The place of a hand in the file, from 1, or what the site calls it; None for all.

    Returns:
        The hands.

    Raises:
        UnsupportedError: The file has no hands that can be read, or this one was left out.
        ConfigError: There is no such hand.
    """
    check_some(read, path)
    if wanted is None:
        if not read.hands:
            reasons = "; ".join(str(out) for out in read.left_out[:_MOST_REASONS])
            raise UnsupportedError(
                f"no hand of {path} can be read: {reasons}",
                option="hands",
                given=str(path),
                expected="at least one whole hand of no-limit hold'em",
                place=f"{path}, line {read.left_out[0].line}",
                remedy=_LOG_IN_PYTHON.format(str(path)) if read.form == own_logs.FORM else None,
            )
        return read.hands
    name = wanted.strip().removeprefix("#")
    for is_it in (lambda hand: str(hand.number) == name, lambda hand: hand.name == name):
        picked = tuple(hand for hand in read.hands if is_it(hand))
        if picked:
            return picked
        left_out = [out for out in read.left_out if is_it(out)]
        if left_out:
            raise UnsupportedError(
                f"{left_out[0]}",
                option="hand",
                given=wanted,
                expected="a hand that is read",
                place=f"{path}, line {left_out[0].line}",
                remedy=f"`equilibrist hands show {path}` lists the hands that are read",
            )
    count = len(read.hands) + len(read.left_out)
    raise ConfigError(
        f"{path} has no hand {wanted}",
        option="hand",
        given=wanted,
        expected=f"{f'1 to {count}' if count > 1 else '1'}, or what the site calls it",
    )
