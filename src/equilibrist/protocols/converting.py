"""Files of hands in other forms: match logs of the ACPC, and hand histories (PHH)."""

from __future__ import annotations

from pathlib import Path
from typing import Final, NamedTuple

from equilibrist.errors import (
    ConfigError,
    EquilibristError,
    FileFormatError,
    OutputError,
    UnsupportedError,
)
from equilibrist.parsing.arguments import same_file
from equilibrist.play.histories.notation import numbered
from equilibrist.protocols.acpc.game_definition import GameDefinition
from equilibrist.protocols.acpc.histories import (
    check_game,
    hand_history,
    logged_hands,
    read_histories,
)
from equilibrist.protocols.acpc.log import read_log
from equilibrist.protocols.acpc.rules import rules_of
from equilibrist.storage.archive import check_writable
from equilibrist.storage.atomic import failures, resolved, write_bytes
from equilibrist.storage.kinds.file_kinds import MATCH_LOG, PHH
from equilibrist.storage.kinds.recognition import sniffed_kind
from equilibrist.storage.plain_file import read_text_file

LOG: Final = ".log"
ONE: Final = ".phh"
SEVERAL: Final = ".phhs"
GAME: Final = ".game"
_HISTORIES: Final = (ONE, SEVERAL)
_FORMS: Final = f"{LOG} for a match log, {ONE} or {SEVERAL} for hand histories"


class Converted(NamedTuple):
    """What was written.

    Attributes:
        hands: How many hands.
        files: The files.
        left_out: Which hands were left out, and why: a sentence each.
    """

    hands: int
    files: tuple[Path, ...]
    left_out: tuple[str, ...]


def convert_hands(source: Path, target: Path, game: Path | None = None) -> Converted:
    """Write the hands of a file in the form that the name of another one asks for.

    A target that exists is replaced if all that it holds is the beginning of what is written, as
    when hands were added to the source since.

    Args:
        source: A match log (`.log`), or hand histories (`.phh`, `.phhs`).
        target: The file to write, of the other form.
        game: The game definition of the match log, which is read, or written if it is new; None
            for the file beside the log that ends in `.game`. One of another game is refused.

    Returns:
        What was written.

    Raises:
        ConfigError: The names do not ask for a conversion, or PokerKit is not installed.
        FileFormatError: A file is none of its form.
        UnsupportedError: No hand can be written in the other form.
        OutputError: A file cannot be written, or the target holds anything else.
    """
    forms = [_form(path, name) for path, name in ((source, "source"), (target, "target"))]
    if (forms[0] == LOG) == (forms[1] == LOG):
        raise ConfigError(
            f"{source} and {target} have the same form",
            option="target",
            given=str(target),
            expected=f"{ONE} or {SEVERAL}" if forms[0] == LOG else LOG,
        )
    for path in (target, game):
        if path is not None and same_file(source, path):
            raise ConfigError(f"{path} is the source", option="target", given=str(path))
    log = source if forms[0] == LOG else target
    definition = game or log.with_suffix(GAME)
    if same_file(target, definition):
        raise ConfigError(
            f"{definition} is the target, and the game definition is another file",
            option="game",
            given=str(definition),
            expected=f"a file that ends in {GAME}",
        )
    _check_content(source, forms[0])
    check_writable(target)
    if forms[0] == LOG:
        return _from_log(source, target, definition)
    return _to_log(source, target, definition, is_one=forms[0] == ONE)


def _form(path: Path, name: str) -> str:
    suffix = path.suffix.lower()
    if suffix in (LOG, *_HISTORIES):
        return suffix
    raise ConfigError(option=name, given=str(path), expected=f"a file that ends in {_FORMS}")


def _check_content(source: Path, form: str) -> None:
    """FileFormatError for a match log under the name of hand histories, or the reverse."""
    found = sniffed_kind(source)
    if found in (MATCH_LOG, PHH) and (found == MATCH_LOG) != (form == LOG):
        right = LOG if found == MATCH_LOG else SEVERAL
        raise FileFormatError(
            f"{source} holds {'a match log' if found == MATCH_LOG else 'hand histories'}",
            source,
            option="source",
            given=str(source),
            expected="a match log" if form == LOG else "hand histories",
            remedy=f"rename it to {source.with_suffix(right).name}",
        )


def _from_log(source: Path, target: Path, game: Path) -> Converted:
    definition = GameDefinition.from_file(game)
    check_game(definition)
    record = read_log(source, rules_of(definition))
    written, left_out = [], []
    for hand in record.hands:
        try:
            written.append(hand_history(definition, hand))
        except UnsupportedError as error:
            left_out.append(f"hand {hand.hand}: {error}")
    if not written:
        raise UnsupportedError(
            "; ".join(left_out[:3]) or f"{source} has no hands", option="hands", given=str(source)
        )
    is_one = target.suffix.lower() == ONE
    if is_one and len(written) > 1:
        raise ConfigError(
            f"{target} would hold {len(written)} hands",
            option="target",
            given=str(target),
            expected=SEVERAL,
            remedy=f"name it {target.with_suffix(SEVERAL)}",
        )
    texts = (
        [written[0].dumps()]
        if is_one
        else [numbered(number, history) for number, history in enumerate(written, 1)]
    )
    content = "".join(texts).encode()
    _check_kept(target, content)
    write_bytes(target, content)
    return Converted(len(written), (target,), tuple(left_out))


def _to_log(source: Path, target: Path, game: Path, *, is_one: bool) -> Converted:
    text = read_text_file(source, most=None, option="source")
    try:
        histories = read_histories(text, is_one=is_one)
    except EquilibristError:
        raise
    except Exception as error:  # whatever PokerKit and its parser of TOML raise
        raise FileFormatError(
            f"{source} is no file of hand histories: {error}",
            source,
            option="source",
            given=str(source),
            expected="PHH" if is_one else "PHHS, one numbered table a hand",
        ) from None
    read = logged_hands(histories)
    is_there = game.exists()
    if is_there and GameDefinition.from_file(game) != read.definition:
        raise ConfigError(
            f"{game} is the definition of another game",
            option="game",
            given=str(game),
            expected="the game definition of these hands, or a new file",
            remedy="name another file with --game",
        )
    content = "".join(f"{hand}\n" for hand in read.hands).encode()
    _check_kept(target, content)
    if not is_there:
        read.definition.save(game)
    write_bytes(target, content)
    return Converted(len(read.hands), (target,) if is_there else (target, game), read.left_out)


def _check_kept(target: Path, content: bytes) -> None:
    """OutputError if the target holds anything that does not begin what is written to it."""
    file = resolved(target)
    with failures(file):
        if not file.is_file():
            return
        is_kept = file.stat().st_size <= len(content) and content.startswith(file.read_bytes())
    if not is_kept:
        raise OutputError(
            f"{target} exists and holds what would be lost; it is left as it was",
            target,
            option="target",
            given=target.name,
            remedy="give another name, or remove it",
        )
