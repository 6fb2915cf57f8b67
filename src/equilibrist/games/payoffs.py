"""Payoff tables of files as games: `table.csv`, or `payoffs:` and the name of the file.

Such a file is Gambit's .nfg, a table as text (`storage.table_forms.payoffs`), lists in JSON, TOML
or Python, or arrays of NumPy.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any, Final, NamedTuple

from equilibrist.errors import EquilibristError, FileFormatError, GameSpecError
from equilibrist.game import keep_source
from equilibrist.games.efg.normal_form import NfgFile, parse_nfg
from equilibrist.games.library.matrix import MatrixGame
from equilibrist.storage.archive import file_kind
from equilibrist.storage.kinds.file_kinds import (
    INCOMPLETE,
    NORMAL_FORM,
    PAYOFFS,
    looks_like_file,
    place_in,
    remedy_for,
    words_of,
)
from equilibrist.storage.plain_file import cannot_read, read_text_file
from equilibrist.storage.table_forms.documents import (
    begins_literal,
    cells_of,
    named_tables_of,
    parsed_document,
    payoffs_of,
)
from equilibrist.storage.table_forms.matrices import MatrixFaultError, printed_matrices
from equilibrist.storage.table_forms.payoffs import read_number, read_payoffs
from equilibrist.storage.table_forms.python_text import WrittenTuple

_MOST_BYTES: Final = 200_000_000
_MOST_CELLS: Final = 4_000_000
"""Numbers in the arrays of a file, which are read as Python objects."""
_LABELS: Final = ("labels", "actions", "strategies")
"""Keys that may hold all players' actions, where no two keys hold a list of one player's."""
_ARRAYS: Final = (".npy", ".npz")
_MARKS: Final = (b"\x93NUMPY", b"PK\x03\x04", b"PK\x05\x06")
"""How files of NumPy begin: an array, an archive, an archive with nothing in it."""
_MARK_BYTES: Final = max(map(len, _MARKS))


class _Content(NamedTuple):
    """What a file holds: a payoff table alone, or one per player, and what it calls things."""

    tables: Sequence[Any]
    labels: Sequence[Sequence[str]] = ()
    title: str = ""
    comment: str = ""
    players: tuple[str, ...] = ()


@dataclass(frozen=True)
class PayoffGame(MatrixGame):
    """A game in normal form from a file, which gives it a short name.

    Attributes:
        path: The path of the file.
        title: Its title, if it has one.
        comment: Its comment, possibly empty.
        players: The names of the players, if it has them.
    """

    path: str = ""
    title: str = ""
    comment: str = ""
    players: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """The file, as `load_game` takes it."""
        return _name(self.path)

    @property
    def player_names(self) -> tuple[str, ...]:
        """The names of the players."""
        return self.players or tuple(f"Player {p + 1}" for p in range(self.num_players))


def load_payoffs(path: str) -> PayoffGame:
    """Read a payoff table from a file.

    Args:
        path: The file.

    Returns:
        The game.

    Raises:
        GameSpecError: The file is missing, is not a payoff table, or has a fault; the error has the
            place.
    """
    file = Path(path).expanduser()
    if not os.path.isfile(file):  # noqa: PTH113 - no error
        what = "is not a file" if os.path.exists(file) else "does not exist"  # noqa: PTH110
        raise GameSpecError(
            f"the file {path!r} {what}",
            path,
            option="file",
            given=path,
            remedy=f"give the path from {Path.cwd()}",
        )
    try:
        game = _game(_content(file, path), path)
    except GameSpecError as error:
        if path not in str(error):
            error.add_place(path)
        raise
    except FileFormatError as error:
        raise _refused(file, path, error) from None
    keep_source(game, game.name)
    return game


def read_payoff_text(text: str, name: str = "the table") -> PayoffGame:
    """Read a payoff table from a text in any of the forms that files have.

    Args:
        text: The table.
        name: What errors call it, and its title where the text has none.

    Returns:
        The game, whose path is `name`.

    Raises:
        FileFormatError: The text is no payoff table; the error has the place.
        GameSpecError: The payoffs or labels do not fit together.
    """
    return _game(_text_content(text, Path(name), name), name)


def _game(content: _Content, path: str) -> PayoffGame:
    """The game of what was read; `path` is its title where it has none."""
    tables = content.tables
    return PayoffGame(
        tuple(tables) if len(tables) > 1 else tables[0],
        tuple(map(tuple, content.labels)),
        path=path,
        title=content.title or path,
        comment=content.comment,
        players=content.players,
    )


def _name(path: str) -> str:
    return path if looks_like_file(path) else f"payoffs:{path}"


def _refused(file: Path, path: str, error: FileFormatError) -> GameSpecError:
    """The error for a file that is no payoff table: what else it is, if that is known."""
    kind = file_kind(file)
    if kind is not None and kind not in (PAYOFFS, NORMAL_FORM) and error.option != "payoffs":
        return GameSpecError(
            f"{path} is not a payoff table, but {words_of(kind)}",
            path,
            option="file",
            given=kind,
            place=place_in(file, kind),
            remedy=remedy_for(file, kind, "give a payoff table"),
        )
    return GameSpecError(
        error.problem,
        path,
        option=error.option,
        given=error.given,
        place=error.place,
        remedy=error.remedy,
    )


def _content(file: Path, path: str) -> _Content:
    suffix = file.suffix.lower()
    with file.open("rb") as opened:
        head = opened.read(6)
    if suffix in _ARRAYS or head == b"\x93NUMPY":
        return _arrays(file)
    return _text_content(read_text_file(file, _MOST_BYTES), file, path)


def _text_content(text: str, file: Path, path: str) -> _Content:
    """What a text holds; the suffix of `file` tells its form where the text alone does not."""
    suffix = file.suffix.lower()
    if suffix == ".nfg" or text.lstrip().startswith("NFG"):
        return _normal_form(parse_nfg(text, path))
    if suffix == ".toml":
        return _of_toml(text, file)
    if (printed := _printed(text, file)) is not None:
        return printed
    if suffix == ".py" or begins_literal(text):
        return _of_document(text, file)
    table = read_payoffs(text, file)
    return _Content(table.tables, table.labels)


def _normal_form(file: NfgFile) -> _Content:
    sizes = [len(names) for names in file.strategies]
    if len(sizes) < 2:
        raise GameSpecError(
            "this game has one player; expected at least two",
            option="players",
            given=len(sizes),
            expected=2,
            remedy="give a game of two players or more",
        )
    tables = [
        _nested(sizes, [paid[player] for paid in file.payoffs]) for player in range(len(sizes))
    ]
    labels = [_distinct(names) for names in file.strategies]
    return _Content(tables, labels, file.title, file.comment, file.players)


def _nested(sizes: Sequence[int], values: Sequence[Any]) -> Any:
    """The values by the players' actions in order; in `values` those of player 0 change fastest."""
    if len(sizes) == 1:
        return tuple(map(float, values))
    return tuple(_nested(sizes[1:], values[k :: sizes[0]]) for k in range(sizes[0]))


def _distinct(names: Sequence[str]) -> tuple[str, ...]:
    """The names, or with their numbers where one is empty or stands twice."""
    if "" not in names and len(set(names)) == len(names):
        return tuple(names)
    return tuple(f"{name} #{k}".lstrip() for k, name in enumerate(names, start=1))


def _of_toml(text: str, file: Path) -> _Content:
    try:
        return _of_mapping(tomllib.loads(text), file)
    except (ValueError, RecursionError) as error:
        raise FileFormatError(
            f"{file} is not TOML: {error}",
            file,
            option="payoffs",
            remedy="write payoffs = [[1, -1], [-1, 1]]",
        ) from None


def _of_document(text: str, file: Path) -> _Content:
    try:
        document = parsed_document(text)
    except (ValueError, RecursionError) as error:
        place = place_in(file, INCOMPLETE)
        raise FileFormatError(
            f"{place or file} is neither JSON nor a literal of Python: {error}",
            file,
            option="payoffs",
            place=place,
            remedy="write the payoffs as [[1, -1], [-1, 1]]",
        ) from None
    if isinstance(document, Mapping):
        return _of_mapping(document, file)
    return _Content(_by_player(document), ())


def _printed(text: str, file: Path) -> _Content | None:
    """Matrices as programs print them; None for all other texts."""
    try:
        with suppress(ValueError, RecursionError):
            parsed_document(text)
            return None
        matrices = printed_matrices(text)
    except MatrixFaultError as error:
        line = text.count("\n", 0, error.offset) + 1
        place = f"{file}, line {line}, column {error.offset - text.rfind(chr(10), 0, error.offset)}"
        raise FileFormatError(
            f"{place}: {error}", file, option="payoffs", place=place, remedy=error.remedy
        ) from None
    if matrices is None:
        return None
    if len(matrices) == 1:
        return _Content(_by_player(matrices[0]))
    return _Content(matrices)


def _of_mapping(document: Mapping[str, Any], file: Path) -> _Content:
    payoffs = payoffs_of(document)
    if payoffs is None:
        by_cell = _by_cell(document)
        if by_cell is not None:
            return by_cell
        tables, names = named_tables_of(document)
        if len(tables) > 1:
            return _Content(tables, names if len(names) == len(tables) else ())
        raise FileFormatError(
            f"{file} has no payoffs",
            file,
            option="payoffs",
            given=[*document][:5],
            remedy="give them under the key payoffs, as [[1, -1], [-1, 1]]",
        )
    labels: Any = next((document[key] for key in _LABELS if key in document), None)
    if labels is None:
        named = named_tables_of(document)[1]
        labels = named if len(named) == max(2, len(_shape(payoffs)) - 1) else ()
    if not isinstance(labels, list | tuple) or not all(isinstance(n, list) for n in labels):
        raise FileFormatError(
            f"{file}: the labels are {labels!r:.60}",
            file,
            option="payoffs",
            given=labels,
            place=f"{file}, labels",
            remedy="give a list of labels per player",
        )
    title = document.get("game", document.get("title", document.get("name", "")))
    return _Content(
        _by_player(payoffs),
        [[str(label) for label in names] for names in labels],
        title if isinstance(title, str) else "",
    )


def _by_player(payoffs: Any) -> Sequence[Any]:
    """Lists of payoffs as tables: one alone, or one per player.

    Cells that list all players' payoffs are taken apart: tuples of Python, and lists where the
    tables of the players would not be as many.
    """
    payoffs = _with_numbers(payoffs)
    shape = _shape(payoffs)
    players = len(shape) - 1
    if players > 1 and shape[-1] == players and (shape[0] != players or _has_tuples(payoffs)):
        return [_component(payoffs, player, players) for player in range(players)]
    return payoffs if players > 1 else [payoffs]


def _with_numbers(payoffs: Any) -> Any:
    """The payoffs, with numbers in place of texts such as "1/3"."""
    if isinstance(payoffs, list | tuple):
        return type(payoffs)(map(_with_numbers, payoffs))
    number = read_number(payoffs) if isinstance(payoffs, str) else None
    return payoffs if number is None else number


def _shape(payoffs: Any) -> list[int]:
    """The lengths of nested lists, by the first of each."""
    shape = []
    while isinstance(payoffs, list | tuple) and payoffs:
        shape.append(len(payoffs))
        payoffs = payoffs[0]
    return shape


def _has_tuples(payoffs: Any) -> bool:
    """Whether the innermost lists are tuples of Python, in lists."""
    is_tuple = False
    while isinstance(payoffs, list | tuple) and payoffs:
        above, is_tuple = is_tuple, isinstance(payoffs, WrittenTuple)
        payoffs = payoffs[0]
    return is_tuple and not above


def _component(payoffs: Any, player: int, depth: int) -> Any:
    """A player's table of cells, `depth` lists deep, that list all players' payoffs."""
    if depth:
        if not isinstance(payoffs, list | tuple):
            return payoffs  # whose reader says what is wrong
        return [_component(part, player, depth - 1) for part in payoffs]
    fits = isinstance(payoffs, list | tuple) and len(payoffs) > player
    return payoffs[player] if fits else payoffs


def _by_cell(document: Mapping[str, Any]) -> _Content | None:
    """Payoffs by joint actions, {('C', 'D'): (0, 5), ...}; None for anything else."""
    cells = cells_of(document, may_be_strategy=True)
    if cells is None:
        return None
    count = len(next(iter(cells)))
    labels: list[dict[str, None]] = [{} for _ in range(count)]
    for actions in cells:
        for player, action in enumerate(actions):
            labels[player].setdefault(action)
    names = [tuple(actions) for actions in labels]
    for actions in product(*names):
        if actions not in cells:
            raise GameSpecError(
                f"the payoffs of the actions {', '.join(actions)} are missing",
                option="payoffs",
                given=", ".join(actions),
                remedy="give those of every joint action",
            )

    def table(player: int, chosen: tuple[str, ...] = ()) -> Any:
        if len(chosen) == count:
            return cells[chosen][player]
        return tuple(table(player, (*chosen, name)) for name in names[len(chosen)])

    paid = len(next(iter(cells.values())))
    return _Content([table(player) for player in range(paid)], names)


def _arrays(file: Path) -> _Content:
    """The payoffs in a file of NumPy: one array, or one per player in the order of the file."""
    import numpy as np

    try:
        with file.open("rb") as opened:
            if not opened.read(_MARK_BYTES).startswith(_MARKS):  # NumPy would advise to unpickle it
                raise cannot_read(file, "it is no array of NumPy", "payoffs")
            opened.seek(0)
            loaded = np.load(opened, allow_pickle=False)
            if isinstance(loaded, np.ndarray):
                arrays = {"": loaded}
            else:
                _check_unpacked(loaded, file)
                arrays = {name: loaded[name] for name in loaded.files}
    except EquilibristError:
        raise
    except Exception as error:  # also those of zipfile and zlib
        raise cannot_read(file, error, "payoffs") from None
    names = {k: a for k, a in arrays.items() if a.dtype.kind in "US" and a.ndim == 1}
    payoffs = {name: array for name, array in arrays.items() if name not in names}
    for name, array in payoffs.items():
        if array.dtype.kind not in "iufb" or array.ndim < 2 or array.size > _MOST_CELLS:
            what = f"the array {name!r}" if name else "the array"
            raise FileFormatError(
                f"{file}: {what} is {array.dtype}{list(array.shape)}; expected numbers with an "
                "axis per player, or such an array per player",
                file,
                option="payoffs",
                given=f"{array.dtype}{list(array.shape)}",
                place=f"{file}, {name}" if name else str(file),
                remedy="save the table of the player who picks the row, float64[rows, columns]",
            )
    tables = [(array * 1).tolist() for array in payoffs.values()]
    labels = [[str(label) for label in array.tolist()] for array in names.values()]
    if len(tables) == 1:
        return _Content(_by_player(tables[0]), labels)
    if len(tables) < 1 or any(array.ndim != len(tables) for array in payoffs.values()):
        raise FileFormatError(
            f"{file} has {len(tables)} arrays of payoffs; expected one, or one per player, each "
            "with an axis per player",
            file,
            option="payoffs",
            given=[*payoffs],
            remedy="save one array, or the tables of all players and nothing else",
        )
    return _Content(tables, labels)


def _check_unpacked(loaded: Any, file: Path) -> None:
    """FileFormatError for arrays that are far larger than their file."""
    size = sum(member.file_size for member in loaded.zip.infolist())
    if size > _MOST_BYTES:
        raise FileFormatError(
            f"{file} has {size:,} bytes of arrays; expected at most {_MOST_BYTES:,}",
            file,
            option="size",
            given=size,
            expected=_MOST_BYTES,
            remedy="save the payoffs alone",
        )
