"""Strategies as tables in CSV or JSON files, as `export` and other programs write them.

What is read is what the file says, and only once: a table that says something twice is refused,
since nobody can know which of the two was meant.
"""

from __future__ import annotations

import csv
import io
import json
import os
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from equilibrist.errors import FileFormatError, MismatchError

_COLUMNS = ("infoset", "action", "probability")


class Owner(NamedTuple):
    """Whose infoset it is by the column `player` of a CSV file, and the line that says so."""

    player: int
    line: int


@dataclass(frozen=True)
class TableFile:
    """What stands in a file: `rows` are {infoset: {action: probability}}.

    `game` is the game that a document of `solve` or `export` names; `owners` holds what a CSV
    file with a column `player` says about each infoset.
    """

    path: Path
    rows: Mapping[str, Mapping[str, float]]
    game: str | None = None
    owners: Mapping[str, Owner] = field(default_factory=dict)

    def check_owners(self, game: str, owners: Mapping[str, int]) -> None:
        """Raise MismatchError if the file gives an infoset to another player than `game` does.

        `owners` is {infoset: player}; infosets it lacks are passed over.
        """
        for key, (player, line) in self.owners.items():
            right = owners.get(key, player)
            if right != player:
                raise MismatchError(
                    f"{self.path}, line {line}: the column player says {player} for infoset "
                    f"{key!r}, which is player {right}'s in {game}; correct the column or leave "
                    f"it out"
                )


def read_table_file(path: str | os.PathLike[str]) -> TableFile:
    """Read a CSV (columns infoset, action, probability, maybe player) or JSON file.

    JSON may be {infoset: {action: probability}} or a document with that under `strategy`.
    Whether it fits a game is not checked. Raises FileFormatError that names the file, and the
    line or the key.
    """
    path = Path(path)
    try:
        # Decoded by hand: keys may hold line ends, which open() would change; Excel writes a BOM.
        text = path.read_bytes().decode("utf-8-sig")
    except (OSError, UnicodeDecodeError, ValueError) as error:
        raise FileFormatError(f"cannot read {path}: {error}", path) from None
    if path.suffix.lower() == ".csv":
        return _from_csv(text, path)
    return _from_json(text, path)


def _from_csv(text: str, path: Path) -> TableFile:
    reader = csv.DictReader(io.StringIO(text, newline=""))
    try:
        names = list(reader.fieldnames or ())
        if any(names.count(name) != 1 for name in _COLUMNS) or names.count("player") > 1:
            raise FileFormatError(
                f"{path} has columns {names}; expected infoset, action, probability, each once",
                path,
            )
        return _CsvRows(path, reader).read()
    except csv.Error as error:
        raise FileFormatError(f"{path}, after line {reader.line_num}: {error}", path) from None


class _CsvRows:
    """The rows of one CSV file, each checked against those before it."""

    def __init__(self, path: Path, reader: csv.DictReader[str]) -> None:
        self.path = path
        self.reader = reader
        self.rows: dict[str, dict[str, float]] = {}
        self.lines: dict[tuple[str, str], int] = {}
        self.owners: dict[str, Owner] = {}

    def read(self) -> TableFile:
        for row in self.reader:
            key, label = row["infoset"], row["action"]
            if None in row:
                raise self.fail("there are more cells than columns; quote cells with commas")
            probability = self.probability(row)
            before = self.lines.setdefault((key, label), self.reader.line_num)
            if label in self.rows.setdefault(key, {}):
                raise self.fail(
                    f"infoset {key!r}, action {label!r} stands here and in line {before}; "
                    f"keep one of them"
                )
            self.rows[key][label] = probability
            self.note_owner(key, row.get("player"))
        return TableFile(self.path, self.rows, owners=self.owners)

    def fail(self, problem: str) -> FileFormatError:
        return FileFormatError(f"{self.path}, line {self.reader.line_num}: {problem}", self.path)

    def probability(self, row: Mapping[str, str]) -> float:
        try:
            return float(row["probability"])
        except (TypeError, ValueError):
            raise self.fail(f"{row.get('probability')!r} is not a probability") from None

    def note_owner(self, key: str, said: str | None) -> None:
        if said is None or not said.strip():
            return
        try:
            player = int(said.strip().removesuffix(".0"))  # pandas may write 1.0
        except ValueError:
            raise self.fail(
                f"the player is {said!r}; give a number from 0 on, or leave the column out"
            ) from None
        before = self.owners.setdefault(key, Owner(player, self.reader.line_num))
        if before.player != player:
            raise self.fail(
                f"infoset {key!r} is player {player}'s here and player {before.player}'s in line "
                f"{before.line}; correct one of them"
            )


class _Object(dict[str, Any]):
    """A JSON object that remembers a key it was given twice, of which a dict keeps the last."""

    twice: str | None = None

    @classmethod
    def of(cls, pairs: list[tuple[str, Any]]) -> _Object:
        made = cls(pairs)
        if len(made) < len(pairs):
            counts = Counter(key for key, _ in pairs)
            made.twice = next(key for key, count in counts.items() if count > 1)
        return made


def _from_json(text: str, path: Path) -> TableFile:
    def fail(problem: str) -> FileFormatError:
        return FileFormatError(
            f"{path}: {problem}; expected {{infoset: {{action: probability}}}}", path
        )

    def check_once(found: _Object, what: str) -> None:
        if found.twice is not None:
            raise FileFormatError(
                f"{path}: {what} {found.twice!r} stands there twice; keep one of them", path
            )

    try:
        document: Any = json.loads(text, object_pairs_hook=_Object.of)
    except (ValueError, RecursionError) as error:
        raise fail(f"not JSON ({error})") from None
    game = None
    if isinstance(document, _Object) and isinstance(document.get("strategy"), _Object):
        check_once(document, "the key")
        game = document.get("game")
        document = document["strategy"]
    if not isinstance(document, _Object):
        raise fail("no object at the top")
    check_once(document, "infoset")
    for key, row in document.items():
        if not isinstance(row, _Object):
            raise fail(f"infoset {key!r} holds {row!r:.60}")
        check_once(row, f"infoset {key!r}, action")
        for label, value in row.items():
            if isinstance(value, bool) or not isinstance(value, int | float):
                raise fail(f"infoset {key!r}, action {label!r} holds {value!r:.60}")
    return TableFile(path, document, game if isinstance(game, str) else None)
