"""Tables that are written piece by piece, so that only one piece is in memory at a time."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import IO, TYPE_CHECKING

from equilibrist.storage.atomic import write_file
from equilibrist.storage.frames import import_pandas, write_parquet
from equilibrist.storage.replaceable import check_replaceable
from equilibrist.storage.tables import encoded_text

if TYPE_CHECKING:
    import pandas


def write_table_pieces(path: Path, kind: str, texts: Iterable[str]) -> None:
    """As `write_table_file`, from pieces of the text; OutputError."""
    check_replaceable(path, kind)

    def write(file: IO[bytes]) -> None:
        file.writelines(encoded_text(path, text) for text in texts)

    write_file(path, write)


def write_frame_pieces(path: Path, frames: Iterable[pandas.DataFrame]) -> None:
    """As `write_frame_file`, from pieces of the table, at least one; OutputError, ConfigError."""
    import_pandas(parquet=True)
    check_replaceable(path, ".parquet")
    write_file(path, lambda file: write_parquet(file, frames))
