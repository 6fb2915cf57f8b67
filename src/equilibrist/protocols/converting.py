"""Files of hands in other forms: hand histories of sites, PHH, JSON, match logs of the ACPC."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from equilibrist.errors import ConfigError, EquilibristError, OutputError, UnsupportedError
from equilibrist.parsing.arguments import file_name, same_file
from equilibrist.play.histories.documents import history_line
from equilibrist.play.histories.faults import HandError
from equilibrist.play.histories.ggpoker_text import ggpoker_text
from equilibrist.play.histories.notation import numbered
from equilibrist.play.histories.ohh import ohh_text
from equilibrist.play.histories.played import PlayedHand, with_hero
from equilibrist.play.histories.pokerstars_text import pokerstars_text
from equilibrist.protocols.acpc.game_definition import GameDefinition
from equilibrist.protocols.acpc.histories import logged_hands
from equilibrist.protocols.hand_files import GAME_SUFFIX, read_hands
from equilibrist.storage.archive import check_writable
from equilibrist.storage.atomic import failures, resolved, write_bytes

ONE: Final = "phh"
SEVERAL: Final = "phhs"
MATCH: Final = "acpc"
_WRITERS: Final[dict[str, Callable[[PlayedHand], str]]] = {
    "ohh": ohh_text,
    "jsonl": history_line,
    "pokerstars": pokerstars_text,
    "ggpoker": ggpoker_text,
}
"""Forms in which the texts of the hands follow each other, in an order of their own."""
SUFFIXES: Final = {
    ONE: ".phh",
    SEVERAL: ".phhs",
    "ohh": ".ohh",
    MATCH: ".log",
    "jsonl": ".jsonl",
    "pokerstars": ".txt",
    "ggpoker": ".txt",
}
"""The forms that are written, and the suffixes of their files."""
_FORMS: Final = {suffix: form for form, suffix in SUFFIXES.items()} | {
    ".txt": "pokerstars",
    ".json": "ohh",
    ".ndjson": "jsonl",
}
"""The forms that suffixes ask for."""
_MOST_REASONS: Final = 3


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


def write_hands(
    hands: Sequence[PlayedHand],
    target: str | os.PathLike[str],
    to: str | None = None,
    game: str | os.PathLike[str] | None = None,
) -> Converted:
    """Write hands to a file.

    Args:
        hands: Hands that `read_hands` gave.
        target: The file. It is replaced if all that it holds is the beginning of what is written.
        to: The form: `phh`, `phhs`, `ohh`, `acpc`, `jsonl`, `pokerstars` or `ggpoker`; None for
            the one that the suffix of `target` says.
        game: The game definition of a match log; None for the file beside it that ends in `.game`.

    Returns:
        What was written, and which hands the form does not have.

    Raises:
        ConfigError: The name asks for no form, or PokerKit is not installed.
        UnsupportedError: No hand can be written in the form.
        OutputError: The file cannot be written, or holds anything else.
    """
    file = file_name("target", target)
    form = _form(file, to)
    definition = None if game is None else file_name("game", game)
    check_writable(file)
    return _write(tuple(hands), (), file, form, definition)


def convert_hands(
    source: str | os.PathLike[str],
    target: str | os.PathLike[str] | None = None,
    game: str | os.PathLike[str] | None = None,
    to: str | None = None,
) -> Converted:
    """Write the hands of a file in another form.

    A target that exists is replaced if all that it holds is the beginning of what is written, as
    when hands were added to the source since.

    Args:
        source: A file of hands of any kind, see `read_hands`.
        target: The file to write; None for the name of the source with the suffix of the form. Its
            suffix says the form, where `to` is None.
        game: The game definition of the match log, which is read, or written if it is new; None
            for the file beside the log that ends in `.game`. One of another game is refused.
        to: The form, a key of `SUFFIXES`. With `phh` and no target several hands are written as
            `phhs`, as PHH has one hand a file.

    Returns:
        What was written.

    Raises:
        ConfigError: The names ask for no form, or PokerKit is not installed.
        FileFormatError: The source has no hands.
        UnsupportedError: No hand can be written in the other form.
        OutputError: A file cannot be written, or the target holds anything else.
    """
    file = file_name("source", source)
    definition = None if game is None else file_name("game", game)
    target = None if target is None else file_name("target", target)
    form = _form(target, to)
    for path in (target, file if form == MATCH else None):
        if definition is not None and path is not None and same_file(path, definition):
            raise _is_game(definition)
    read = read_hands(file, None if form == MATCH else definition)
    if target is None:
        if form == ONE and len(read.hands) != 1:
            form = SEVERAL
        target = file.with_suffix(SUFFIXES[form])
    if same_file(file, target):
        raise ConfigError(
            f"{target} is the source",
            option="target",
            given=str(target),
            remedy="give the name of another file behind it",
        )
    if form == MATCH and same_file(file, definition or target.with_suffix(GAME_SUFFIX)):
        raise _is_game(file)
    check_writable(target)
    left_out = [str(out) for out in read.left_out]
    return _write(read.hands, left_out, target, form, definition)


def _write(
    hands: Sequence[PlayedHand],
    left_out: Sequence[str],
    target: Path,
    form: str,
    game: Path | None,
) -> Converted:
    if form == MATCH:
        return _to_log(hands, left_out, target, game or target.with_suffix(GAME_SUFFIX))
    return _to_text(hands, left_out, target, form)


def _form(target: Path | None, to: str | None) -> str:
    if to is not None:
        if to.lower() not in SUFFIXES:
            raise ConfigError(option="to", given=to, expected=f"one of {', '.join(SUFFIXES)}")
        return to.lower()
    if target is None:
        raise ConfigError(
            "no form is asked for",
            option="to",
            given=None,
            expected=f"one of {', '.join(SUFFIXES)}",
            remedy="give --to, or the name of the file to write",
        )
    form = _FORMS.get(target.suffix.lower())
    if form is None:
        raise ConfigError(
            option="target",
            given=str(target),
            expected=f"a file that ends in {', '.join(_FORMS)}",
            remedy=f"give --to with one of {', '.join(SUFFIXES)}",
        )
    return form


def _to_text(
    hands: Sequence[PlayedHand], before: Sequence[str], target: Path, form: str
) -> Converted:
    left_out = [*before]
    if form in _WRITERS:
        texts: list[str] = []
        for hand in hands:
            try:
                texts.append(_WRITERS[form](hand))
            except (HandError, EquilibristError) as error:
                left_out.append(f"hand {hand.name}, line {hand.line}: {error}")
    else:
        histories = [with_hero(hand) for hand in hands]
        if form == ONE and len(histories) > 1:
            raise ConfigError(
                f"{target} would hold {len(histories)} hands",
                option="target",
                given=str(target),
                expected=SUFFIXES[SEVERAL],
                remedy=f"name it {target.with_suffix(SUFFIXES[SEVERAL])}",
            )
        texts = (
            [f"{history.dumps()}\n" for history in histories]
            if form == ONE
            else [numbered(number, history) for number, history in enumerate(histories, 1)]
        )
    if not texts:
        raise _none(left_out)
    content = "".join(texts).encode()
    _check_kept(target, content)
    write_bytes(target, content)
    return Converted(len(texts), (target,), tuple(left_out))


def _to_log(
    hands: Sequence[PlayedHand], left_out: Sequence[str], target: Path, game: Path
) -> Converted:
    if same_file(target, game):
        raise _is_game(game)
    if not hands:
        raise _none(left_out)
    names = [f"hand {hand.name}, line {hand.line}" for hand in hands]
    logged = logged_hands([hand.history for hand in hands], names)
    is_there = game.exists()
    if is_there and GameDefinition.from_file(game) != logged.definition:
        raise ConfigError(
            f"{game} is the definition of another game",
            option="game",
            given=str(game),
            expected="the game definition of these hands, or a new file",
            remedy="name another file with --game",
        )
    content = "".join(f"{hand}\n" for hand in logged.hands).encode()
    _check_kept(target, content)
    if not is_there:
        logged.definition.save(game)
    write_bytes(target, content)
    files = (target,) if is_there else (target, game)
    return Converted(len(logged.hands), files, (*left_out, *logged.left_out))


def _none(left_out: Sequence[str]) -> UnsupportedError:
    return UnsupportedError(
        "; ".join(left_out[:_MOST_REASONS]) or "there are no hands to write",
        option="hands",
        given=f"{len(left_out)} hands that cannot be written",
    )


def _is_game(game: Path) -> ConfigError:
    return ConfigError(
        f"{game} is the file of the hands, and the game definition is another file",
        option="game",
        given=str(game),
        expected=f"a file that ends in {GAME_SUFFIX}",
    )


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
