"""Tables of plain records, such as the measurements of runs, as CSV, JSON or Parquet files."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from equilibrist.storage.atomic import write_bytes
from equilibrist.storage.frames import import_pandas, parquet_bytes
from equilibrist.storage.replaceable import check_replaceable, foreign_file
from equilibrist.storage.tables import document_text, table_kind

if TYPE_CHECKING:
    import pandas


def records_frame(
    columns: Sequence[str], rows: Iterable[Sequence[Any]], game: str
) -> pandas.DataFrame:
    """The records as a DataFrame whose `attrs["game"]` names the game; ConfigError without pandas.

    None is NaN in a column of numbers.
    """
    frame: pandas.DataFrame = import_pandas().DataFrame(list(rows), columns=list(columns))
    frame.attrs["game"] = game
    return frame


def check_records_file(path: Path, columns: Sequence[str]) -> None:
    """Refuse now what `write_records` would refuse; ConfigError, OutputError.

    What may be replaced are tables with the same columns, and JSON documents of Equilibrist.
    """
    kind = table_kind(path)
    if not path.is_file() or path.stat().st_size == 0:
        return
    if kind == ".json":
        check_replaceable(path, kind)
        return
    if kind == ".parquet":
        ours = _parquet_columns(path) == list(columns)
    else:
        with path.open("rb") as file:
            header = file.readline(4096).replace(b'"', b"").strip()
        ours = header == ",".join(columns).encode()
    if not ours:
        raise foreign_file(path, "a table of this kind")


def write_records(
    path: Path,
    columns: Sequence[str],
    rows: Sequence[Sequence[Any]],
    game: str,
    document: Callable[[], Mapping[str, Any]],
) -> Path:
    """Write the rows as CSV or Parquet, or `document` as JSON, atomically.

    Raises ConfigError for another suffix, or without pandas; OutputError.
    """
    kind = table_kind(path)
    if kind == ".parquet":
        content = parquet_bytes(records_frame(columns, rows, game))
    elif kind == ".json":
        content = document_text(document()).encode()
    else:
        buffer = io.StringIO()
        writer = csv.writer(buffer, lineterminator="\n")
        writer.writerow(columns)
        writer.writerows(rows)
        content = buffer.getvalue().encode()
    check_records_file(path, columns)
    write_bytes(path, content)
    return path


def _parquet_columns(path: Path) -> list[str]:
    import_pandas(parquet=True)
    import pyarrow.parquet

    try:
        columns: list[str] = pyarrow.parquet.read_schema(path).names
    except Exception:
        return []
    return columns
