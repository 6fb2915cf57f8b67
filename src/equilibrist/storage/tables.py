"""Strategies as tables in CSV, JSON or Parquet files.

A table that says something twice is refused: nobody can know which of the two was meant.
"""

from __future__ import annotations

import csv
import io
import os
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import repeat
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Final, Literal, NamedTuple, Unpack

from equilibrist.errors import ConfigError, Fields, FileFormatError, MismatchError, OutputError
from equilibrist.formatting.escaping import guard_cell, json_text, repr_short, unguard_cell
from equilibrist.storage.archive import file_kind, folder_error, open_archive
from equilibrist.storage.atomic import write_bytes, write_file
from equilibrist.storage.frames import (
    FrameRows,
    import_pandas,
    parquet_bytes,
    read_parquet,
    write_parquet,
)
from equilibrist.storage.kinds.file_kinds import (
    EMPTY,
    PACKED,
    SOLUTION,
    TABLE,
    TABLES,
    another_kind,
    opening,
    words_of,
)
from equilibrist.storage.plain_file import read_text_file
from equilibrist.storage.replaceable import check_replaceable

if TYPE_CHECKING:
    import pandas

    from equilibrist.storage.table_forms.separated import TableText


Row = Mapping[str, float] | Sequence[float]
"""Probabilities of the actions of an infoset, by name, or in the game's own order."""
_PERCENT_TOLERANCE: Final = 0.5
_MOST_ROWS: Final = 3_000_000
"""Rows of a table whose game is not known; read as Python objects they take about a gigabyte."""
SUFFIXES = (".csv", ".json", ".parquet")
_COLUMNS = "infoset", "action", "probability"


class Owner(NamedTuple):
    """Whose infoset it is by the column `player`, and the line or row that says so."""

    player: int
    line: int
    word: str = "line"


@dataclass(frozen=True)
class TableFile:
    """What stands in a file: `rows` are {infoset: {action: probability}}, or lists in order.

    `game` is the game that a document of `solve` or `export` names, and `fingerprint` that of its
    tree; `owners` holds what a column `player` says about each infoset. `path` may be words for a
    table that is in no file. `is_wide` says whether the table has a column per action.
    """

    path: Path
    rows: Mapping[str, Row]
    game: str | None = None
    owners: Mapping[str, Owner] = field(default_factory=dict)
    is_wide: bool = False
    fingerprint: str | None = None

    def with_rest(
        self, rows: Mapping[str, Row], labels: Mapping[str, Sequence[str]]
    ) -> Mapping[str, Row]:
        """Rows in which the action without a column has the rest, where an infoset has two.

        A printed table often has one column, such as how often a player bets.

        Args:
            rows: Those of this table, in the names of the game.
            labels: The actions of the game by infoset.

        Returns:
            The rows; others than {action: probability} with one action of two stay as they are.
        """
        if not self.is_wide:
            return rows
        columns = {label for row in rows.values() if isinstance(row, Mapping) for label in row}
        completed = dict(rows)
        for key, row in rows.items():
            known = labels.get(key, ())
            if len(known) != 2 or not isinstance(row, Mapping) or len(row) != 1:
                continue
            ((label, probability),) = row.items()
            others = [other for other in known if other != label]
            if len(others) == 1 and others[0] not in columns and 0.0 <= probability <= 1.0:
                completed[key] = {label: probability, others[0]: 1.0 - probability}
        return completed

    def check_owners(self, game: str, owners: Mapping[str, int]) -> None:
        """Raise MismatchError if the file gives an infoset to another player than `game` does.

        `owners` is {infoset: player}; infosets it lacks are passed over.
        """
        for key, (player, line, word) in self.owners.items():
            right = owners.get(key, player)
            if right != player:
                raise MismatchError(
                    f"{self.path}, {word} {line}: the column player says {player} for infoset "
                    f"{key!r}, which is player {right}'s in {game}",
                    option="player",
                    given=player,
                    expected=right,
                    place=f"{self.path}, {word} {line}",
                    remedy="correct the column or leave it out",
                )


def read_table_file(path: str | os.PathLike[str], most_rows: int = _MOST_ROWS) -> TableFile:
    """Read a CSV, JSON or Parquet file.

    CSV and Parquet have the columns infoset, action, probability, or infoset and one per action;
    maybe player. JSON may be {infoset: {action: probability}}, or with a list of probabilities in
    the order of the game's actions, or a document with that under `strategy`. Raises
    FileFormatError that names the file, and the line or the key; for a Parquet file of more than
    `most_rows` rows before it is read. Whether it fits a game is not checked.
    """
    path = Path(path)
    kind = file_kind(path)
    if kind is None and os.path.isdir(path):  # noqa: PTH112 - no error
        raise folder_error(path, words_of(TABLE), (TABLE,))
    if kind is None and os.path.isfile(path):  # noqa: PTH113 - no error
        open_archive(path, SOLUTION)  # says what is wrong with it
    is_empty_table = kind == EMPTY and path.suffix.lower() in SUFFIXES  # its reader says so
    if kind is not None and kind not in TABLES and not is_empty_table:
        raise another_kind(path, kind, TABLE, remedy=_instead(kind))
    if path.suffix.lower() == ".parquet":
        return table_of_frame(read_parquet(path, most_rows), path)
    from equilibrist.storage.table_forms.documents import begins_literal
    from equilibrist.storage.table_forms.lined import lined_rows
    from equilibrist.storage.table_forms.separated import is_strategy_table

    text = read_text_file(path, None)
    if path.suffix.lower() in (".json", ".py") or begins_literal(text):
        return _in_shares(_from_document(text, path))
    if not is_strategy_table(text) and (lined := lined_rows(text)) is not None:
        return TableFile(path, lined)
    return _in_shares(_from_csv(text, path))


def _in_shares(table: TableFile) -> TableFile:
    """The table in shares, if every row of it adds up to 100, within what rounding changes."""
    for row in table.rows.values():
        values = [*row.values()] if isinstance(row, Mapping) else [*row]
        if not values or min(values) < 0 or abs(sum(values) - 100.0) > _PERCENT_TOLERANCE:
            return table
    rows: dict[str, Row] = {
        key: {label: value / 100 for label, value in row.items()}
        if isinstance(row, Mapping)
        else [value / 100 for value in row]
        for key, row in table.rows.items()
    }
    return replace(table, rows=rows)


def _instead(kind: str) -> str | None:
    """Name what opens a file that is no table, where a strategy was expected; None for none."""
    if kind == SOLUTION:
        return f"the strategy in it is `{opening(kind)}.strategy.on(tree)`"
    if kind == PACKED:
        return f"the strategy in it is `Strategy.from_packed(tree, {opening(kind)}.strategy)`"
    code = opening(kind)
    return None if code is None else f"`{code}` opens it"


def table_of_frame(frame: pandas.DataFrame, path: Path) -> TableFile:
    """Read a DataFrame like a CSV file; its `attrs["game"]` names the game.

    Raises FileFormatError that names `path` and the row, ConfigError for what is no DataFrame.
    """
    rows = FrameRows(frame)
    table = _Rows(path, rows, "row").read()
    game = frame.attrs.get("game")
    return replace(table, game=game if isinstance(game, str) else None)


def _from_csv(text: str, path: Path) -> TableFile:
    from equilibrist.storage.table_forms.separated import TableText

    reader = TableText(text)
    try:
        return _Rows(path, reader, "line").read()
    except csv.Error as error:
        raise FileFormatError(
            f"{path}, after line {reader.line_num}: {error}",
            path,
            option="line",
            place=f"{path}, line {reader.line_num}",
        ) from None


class _Rows:
    """The rows of one table, each checked against those before it; `word` is line or row."""

    def __init__(self, path: Path, reader: TableText | FrameRows, word: str) -> None:
        self.path = path
        self.reader = reader
        self.word = word
        self.value = "probability"
        """The column of the probability, or of a count."""
        self.rows: dict[str, dict[str, float]] = {}
        self.lines: dict[tuple[str, str], int] = {}
        self.owners: dict[str, Owner] = {}

    def read(self) -> TableFile:
        from equilibrist.storage.table_forms.documents import value_column

        names = list(self.reader.fieldnames or ())
        actions = [name for name in names if name not in ("infoset", "player")]
        is_wide = "infoset" in names and not {"action", "probability"} & set(names) and actions
        self.value = value_column(names, "infoset") or "probability"
        wanted = ("infoset", *actions) if is_wide else ("infoset", "action", self.value)
        counts = Counter(names)
        if any(counts[name] != 1 for name in wanted) or counts["player"] > 1:
            from equilibrist.storage.kinds.recognition import kind_of_columns

            kind = kind_of_columns(names)
            if kind is not None:
                raise another_kind(self.path, kind, TABLE)
            raise FileFormatError(
                f"{self.path} has columns {repr_short(names)}; expected infoset, action, "
                f"probability, or "
                f"infoset and one column per action, each once",
                self.path,
                option="columns",
                given=names,
                expected="infoset, action, probability, or infoset and one column per action",
            )
        for row in self.reader:
            if None in row:
                raise self.fail(
                    "there are more cells than columns",
                    option="cells",
                    remedy="quote cells with commas",
                )
            key = row["infoset"]
            cells = [(name, row[name]) for name in actions] if is_wide else [self.pair(row)]
            if key is None or cells[0][0] is None:
                raise self.fail(
                    "there are fewer cells than columns", option="cells", remedy="fill them in"
                )
            key = unguard_cell(key)
            for label, written in cells:
                if not is_wide or (written or "").strip():
                    self.add(key, unguard_cell(label), written)
            self.note_owner(key, row.get("player"))
        return TableFile(self.path, self.rows, owners=self.owners, is_wide=bool(is_wide))

    def pair(self, row: Mapping[str, str]) -> tuple[str, str]:
        return row["action"], row[self.value]

    def add(self, key: str, label: str, written: str) -> None:
        probability = self.probability(written)
        before = self.lines.setdefault((key, label), self.reader.line_num)
        if label in self.rows.setdefault(key, {}):
            raise self.fail(
                f"infoset {key!r}, action {label!r} stands here and in {self.word} {before}",
                option="action",
                given=label,
                remedy="keep one of them",
            )
        self.rows[key][label] = probability

    def fail(self, problem: str, **fields: Unpack[Fields]) -> FileFormatError:
        fields["place"] = f"{self.path}, {self.word} {self.reader.line_num}"
        return FileFormatError(f"{fields['place']}: {problem}", self.path, **fields)

    def probability(self, written: str | None) -> float:
        try:
            return float(self.reader.number(written))  # type: ignore[arg-type]
        except (AttributeError, TypeError, ValueError):
            raise self.fail(
                f"{written!r} is not a probability",
                option="probability",
                given=written,
                remedy="give a number from 0 to 1",
            ) from None

    def note_owner(self, key: str, text: str | None) -> None:
        if text is None or not text.strip():
            return
        try:
            player = int(text.strip().removesuffix(".0"))  # pandas may write 1.0
        except ValueError:
            raise self.fail(
                f"the player is {text!r}",
                option="player",
                given=text,
                remedy="give a number from 0 on, or leave the column out",
            ) from None
        before = self.owners.setdefault(key, Owner(player, self.reader.line_num, self.word))
        if before.player != player:
            raise self.fail(
                f"infoset {key!r} is player {player}'s here and player {before.player}'s in "
                f"{self.word} {before.line}",
                option="player",
                given=player,
                expected=before.player,
                remedy="correct one of them",
            )


def _from_document(text: str, path: Path) -> TableFile:
    from equilibrist.storage.table_forms.documents import read_document

    rows, game, fingerprint = read_document(text, path)
    return TableFile(path, rows, game, fingerprint=fingerprint)


def csv_text(
    keys: Sequence[str],
    players: Iterable[int] | None,
    action_labels: Sequence[Sequence[str]],
    probabilities: Iterable[float],
    *,
    header: bool = True,
) -> str:
    """Columns player (unless None), infoset, action, probability, with all their digits."""
    buffer = io.StringIO()
    # Python 3.11 leaves a lone carriage return unquoted, and no reader takes that.
    texts = (*keys, *(label for labels in action_labels for label in labels))
    odd = any("\r" in text for text in texts)
    quoting: Literal[0, 2] = csv.QUOTE_NONNUMERIC if odd else csv.QUOTE_MINIMAL
    writer = csv.writer(buffer, lineterminator="\n", quoting=quoting)
    if header:
        writer.writerow(_COLUMNS if players is None else ["player", *_COLUMNS])
    values = iter(probabilities)
    owners = repeat((), len(keys)) if players is None else zip(players, strict=True)
    for key, owner, labels in zip(keys, owners, action_labels, strict=True):
        cell = guard_cell(key)
        writer.writerows([*owner, cell, guard_cell(label), next(values)] for label in labels)
    return buffer.getvalue()


def document_text(document: Mapping[str, Any]) -> str:
    """A JSON document with the table under `strategy`, indented."""
    return json_text(document, indent=1) + "\n"


def table_kind(path: Path) -> str:
    """`.csv`, `.json` or `.parquet`, whichever the name ends in; ConfigError if in none."""
    kind = path.suffix.lower()
    if kind not in SUFFIXES:
        raise ConfigError(
            f"{path}: unknown file format",
            option="file",
            given=path.name,
            remedy="use a name that ends in .csv, .json or .parquet",
        )
    return kind


def write_table_file(path: Path, kind: str, text: str) -> None:
    """Write a table of `kind`, whole or not at all; OutputError."""
    check_replaceable(path, kind)
    write_bytes(path, encoded_text(path, text))


def encoded_text(path: Path, text: str) -> bytes:
    """The bytes of a table in UTF-8; OutputError for what is no whole character."""
    try:
        return text.encode("utf-8")
    except UnicodeEncodeError as error:
        odd = text[error.start : error.end]
        raise OutputError(
            f"cannot write {path}: {odd!r} in a name is half a character",
            path,
            option="name",
            given=odd,
            remedy="JSON can hold it",
        ) from None


def write_frame_file(path: Path, frame: pandas.DataFrame) -> None:
    """Write a table as Parquet, whole or not at all; OutputError, ConfigError without pyarrow."""
    content = parquet_bytes(frame)
    check_replaceable(path, ".parquet")
    write_bytes(path, content)


def write_table_pieces(path: Path, kind: str, texts: Iterable[str]) -> None:
    """Write a table whole or not at all, from pieces of its text; OutputError."""
    check_replaceable(path, kind)

    def write(file: IO[bytes]) -> None:
        file.writelines(encoded_text(path, text) for text in texts)

    write_file(path, write)


def write_frame_pieces(path: Path, frames: Iterable[pandas.DataFrame]) -> None:
    """Write a table as Parquet, whole or not at all, from at least one piece of it.

    Raises OutputError, or ConfigError without pandas and pyarrow.
    """
    import_pandas(parquet=True)
    check_replaceable(path, ".parquet")
    write_file(path, lambda file: write_parquet(file, frames))
