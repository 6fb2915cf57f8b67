"""Strategies as pandas DataFrames and Parquet files (extra `pandas`)."""

from __future__ import annotations

import io
import json
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from equilibrist.errors import ConfigError, FileFormatError
from equilibrist.parsing.arguments import bad_argument
from equilibrist.storage.plain_file import cannot_read

if TYPE_CHECKING:
    import pandas


def import_pandas(parquet: bool = False) -> Any:
    """The module `pandas`; ConfigError that names the extra if it, or pyarrow, is missing."""
    try:
        import pandas

        if parquet:
            import pyarrow  # noqa: F401
    except ImportError as error:
        what = "Parquet files need" if parquet else "DataFrames need"
        raise ConfigError(
            f"{what} {error.name}, which is not installed",
            option="package",
            given=error.name,
            remedy='pip install "equilibrist[pandas]"',
        ) from None
    return pandas


def make_frame(
    game: str,
    keys: Sequence[str],
    players: Iterable[int] | None,
    action_labels: Sequence[Sequence[str]],
    probabilities: Sequence[float],
) -> pandas.DataFrame:
    """Columns player, infoset, action, probability; `attrs["game"]` names the game.

    Without the column player where `players` is None.
    """
    pandas = import_pandas()
    if players is None:
        frame = make_frame(game, keys, [0] * len(keys), action_labels, probabilities)
        return frame.drop(columns="player")
    rows = [
        (player, key, label)
        for player, key, labels in zip(players, keys, action_labels, strict=True)
        for label in labels
    ]
    table = pandas.DataFrame(rows, columns=["player", "infoset", "action"])
    table["probability"] = probabilities
    table.attrs["game"] = game
    return table


class FrameRows:
    """The rows of a DataFrame as a CSV reader gives them; `line_num` is the row, from 0."""

    def __init__(self, frame: pandas.DataFrame) -> None:
        pandas = import_pandas()
        if not isinstance(frame, pandas.DataFrame):
            raise bad_argument("frame", frame, "a pandas DataFrame")
        self.fieldnames = [str(name) for name in frame.columns]
        self.columns = [frame.iloc[:, i].tolist() for i in range(len(self.fieldnames))]
        self.line_num = -1

    def number(self, written: str) -> str:
        """A cell with a number, as it is."""
        return written

    def __iter__(self) -> Iterator[dict[str, Any]]:
        for row in zip(*self.columns, strict=True):
            self.line_num += 1
            yield dict(zip(self.fieldnames, map(_cell, row), strict=True))


def parquet_bytes(frame: pandas.DataFrame) -> bytes:
    """The content of a Parquet file, with the name of the game in it; ConfigError."""
    import_pandas(parquet=True)
    buffer = io.BytesIO()
    frame.to_parquet(buffer, index=False, engine="pyarrow")
    return buffer.getvalue()


def write_parquet(file: IO[bytes], frames: Iterable[pandas.DataFrame]) -> None:
    """Write pieces of a table, of which there is at least one, as one Parquet file."""
    import_pandas(parquet=True)
    import pyarrow
    import pyarrow.parquet

    writer = None
    for frame in frames:
        table = pyarrow.Table.from_pandas(frame, preserve_index=False)
        if writer is None:  # pandas reads its attributes back from there
            attributes = {"PANDAS_ATTRS": json.dumps(frame.attrs)}
            schema = table.schema.with_metadata({**table.schema.metadata, **attributes})
            writer = pyarrow.parquet.ParquetWriter(file, schema)
        writer.write_table(table.cast(writer.schema))
    assert writer is not None
    writer.close()


def read_parquet(path: Path, most_rows: int) -> pandas.DataFrame:
    """The table in a Parquet file; FileFormatError, or ConfigError without pandas and pyarrow.

    The footer says how many rows there are: a small file may hold millions of equal ones.
    """
    pandas = import_pandas(parquet=True)
    import pyarrow.parquet

    try:
        rows = pyarrow.parquet.read_metadata(path).num_rows
        if rows <= most_rows:
            return pandas.read_parquet(path, engine="pyarrow")
    except Exception as error:
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise cannot_read(path, reason) from None
    raise FileFormatError(
        f"{path} has {rows:,} rows; expected at most {most_rows:,}",
        path,
        option="rows",
        given=rows,
        expected=most_rows,
    )


def is_strategy_in_parquet(path: Path) -> bool:
    """Whether the file is Parquet with the columns of a strategy."""
    return is_parquet_with(path, {"infoset", "action", "probability"})


def is_parquet_with(path: Path, columns: set[str]) -> bool:
    """Whether the file is Parquet with these columns, among others."""
    import_pandas(parquet=True)
    import pyarrow.parquet

    try:
        names = pyarrow.parquet.read_schema(path).names
    except Exception:
        return False
    return columns <= set(names)


def _cell(value: Any) -> str:
    """The text of a cell in a CSV file: all digits of a float, nothing for what is missing."""
    if value is None or value != value:
        return ""
    return value if isinstance(value, str) else repr(value)
