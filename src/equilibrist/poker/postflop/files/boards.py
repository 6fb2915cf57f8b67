"""Boards of a batch with their weights: from a file, or all flops and subsets of them."""

from __future__ import annotations

import os
import re
from typing import Final, NamedTuple

from equilibrist.errors import ConfigError, EquilibristError, FileFormatError
from equilibrist.parsing.arguments import bad_argument, file_name, instance, real_number
from equilibrist.poker.cards.cards import card_names, parse_board
from equilibrist.poker.cards.decks import FULL_DECK, Deck
from equilibrist.poker.cards.flops import flop_subset, flops
from equilibrist.storage.archive import file_kind, folder_error
from equilibrist.storage.kinds.file_kinds import (
    BINARY,
    BOARDS,
    CSV,
    EMPTY,
    RANGES,
    TEXT,
    another_kind,
)
from equilibrist.storage.plain_file import read_text_file

_SEPARATOR: Final = re.compile(r"[,;:]")
_NUMBER: Final = re.compile(r"(\d+\.?\d*|\.\d+)(e[+-]?\d+)?", re.IGNORECASE | re.ASCII)
_CARD: Final = "(?:10|[2-9tjqka])[cdhs♣♦♥♠]"
_CARDS: Final = re.compile(rf"{_CARD}(?:\s*,\s*{_CARD})+", re.IGNORECASE)
"""Cards between commas, as TexasSolver writes them."""
_TYPED: Final = re.compile(rf"{_CARD}(?:\s*{_CARD}){{2,4}}(?:\s*:.*)?", re.IGNORECASE)
"""A board, perhaps with a weight, in a text that lists boards itself."""
_FEW: Final = re.compile(rf"{_CARD}(?:\s*{_CARD})*", re.IGNORECASE)
"""Cards alone, too few or too many for a board."""
_SUBSET: Final = re.compile(r"subset:(\d{1,9})", re.ASCII)
_LISTS: Final = (BOARDS, CSV, TEXT, RANGES, EMPTY, BINARY)
"""Kinds of files that may be a list of boards, or that cannot be read as text."""
_MOST_WEIGHT: Final = 1e9


class Board(NamedTuple):
    """A board and its weight in the report.

    Attributes:
        board: The cards.
        weight: Relative to the other boards.
    """

    board: str
    weight: float = 1.0


def read_boards(path: str | os.PathLike[str]) -> list[Board]:
    """The boards in a text file, one per line, with an optional weight after a comma; # comments.

    Args:
        path: The file, or the output of `equilibrist postflop flops --csv`; or the boards
            themselves between commas, with weights after colons: `AhKd2c, QsJs4h:0.5`.

    Returns:
        The boards in order.

    Raises:
        FileFormatError: The file cannot be read; the error has the line.
        ConfigError: `path` is neither the name of a file nor boards.
    """
    path = file_name("path", path)
    pieces = _typed(str(path))
    is_typed: object = _CARDS.fullmatch(str(path)) or _FEW.fullmatch(str(path))
    is_typed = is_typed or any(map(_TYPED.fullmatch, pieces))
    if is_typed and not os.path.exists(path):  # noqa: PTH110 - a list may be too long for a name
        return boards_of_text(str(path))
    kind = file_kind(path)
    if kind is not None and kind not in _LISTS:
        raise another_kind(path, kind, "a list of boards")
    if kind is None and os.path.isdir(path):  # noqa: PTH112 - no error
        raise folder_error(path, "a list of boards", (BOARDS,))
    lines = read_text_file(path).splitlines()
    boards: list[Board] = []
    for number, line in enumerate(lines, 1):
        name, *others = _cells(line.partition("#")[0].strip())
        if not (name or others) or (not boards and name.lower() in ("flop", "board")):
            continue
        try:
            boards.append(_board(name, *others))
        except EquilibristError as error:
            raise FileFormatError(
                f"{path}, line {number}: {error}",
                path,
                option=error.option,
                given=error.given,
                place=f"{path}, line {number}",
            ) from None
    return boards


def boards_of_text(text: str) -> list[Board]:
    """The boards of a text that lists them; no file is read.

    Args:
        text: Boards between commas, semicolons, lines or blanks, with weights after colons:
            `AhKd2c, QsJs4h:0.5`.

    Returns:
        The boards in order.

    Raises:
        EquilibristError: A part of it is no board.
    """
    return [_board(*_cells(piece)) for piece in _typed(text)]


def _board(name: str, *others: str) -> Board:
    """The board of the cells of a line."""
    cards = card_names(parse_board(name))
    return Board(cards, weight_of(cards, *others[:1]))


def _typed(text: str) -> list[str]:
    """The boards of a text that lists them: between commas, semicolons or, without these, blanks.

    Cards may have commas or blanks between them where there is a single board.
    """
    if _CARDS.fullmatch(text):
        return [text]
    pieces = [piece.strip() for piece in re.split(r"[,;\n]", text) if piece.strip()]
    by_blanks = text.split()
    if len(pieces) == 1 and all(map(_TYPED.fullmatch, by_blanks)):
        return by_blanks
    return pieces


def _cells(text: str) -> list[str]:
    """The cells of a line, split at its first kind of separator, else at a space before a number.

    Other spaces belong to the cards, `Qs Jh 2h, 12`, and so do commas between single cards:
    `Qs,Jh,2h`.
    """
    if _CARDS.fullmatch(text):
        return [text]
    separator = _SEPARATOR.search(text)
    if separator:
        return [cell.strip() for cell in text.split(separator[0])]
    before, _, last = text.rpartition(" ")
    return [before, last] if _NUMBER.fullmatch(last) else [text]


def weight_of(board: str, value: object = 1.0) -> float:
    """The weight of a board, also as text; raises ConfigError."""
    number = float(value) if isinstance(value, str) and _NUMBER.fullmatch(value) else value
    label = f"the weight of {board}"
    return real_number("weight", number, 0.0, _MOST_WEIGHT, label, is_above=True)


def flop_boards(which: str, deck: str | Deck = FULL_DECK) -> list[Board]:
    """All flops that differ strategically, or a subset of them.

    Args:
        which: `all` (1,755 flops with weights, with 36 cards 573) or `subset:N`.
        deck: The deck: its lowest rank, or `short` or `short-trips`.

    Returns:
        The flops with their weights.

    Raises:
        ConfigError: It is neither.
    """
    if instance("flops", which, str, "all, or subset:N") == "all":
        return [Board(flop.name, flop.weight) for flop in flops(deck)]
    match = _SUBSET.fullmatch(which)
    if match is None:
        raise bad_argument("flops", which, "all, or subset:N, such as subset:49")
    try:
        chosen = flop_subset(int(match[1]), deck)
    except ConfigError as error:
        raise bad_argument("flops", which, f"subset: and {error.expected}") from None
    return [Board(flop.name, flop.weight) for flop in chosen]
