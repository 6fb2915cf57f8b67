"""Files that commands write strategies to; unsuitable ones are refused before any computation."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from equilibrist.errors import ConfigError

if TYPE_CHECKING:
    from equilibrist.strategy import Strategy


def only_out(out: Path | None, option: Path | None) -> Path:
    """The file to write to, given as an argument or by --out; ConfigError for none, and for two."""
    if (out is None) == (option is None):
        raise ConfigError(
            "two files are named to write to" if out is not None else "no file to write to",
            option="out",
            given=option,
            remedy="name one, as OUT or by --out OUT",
        )
    return out or option  # type: ignore[return-value]


def check_target(path: Path, source: Path, kind: str) -> None:
    """Refuse to overwrite the file that is read, or another program's file with a table of `kind`.

    Raises ConfigError or OutputError.
    """
    from equilibrist.storage.replaceable import check_replaceable
    from equilibrist.storage.tables import SUFFIXES

    if path.exists() and source.exists() and path.samefile(source):
        raise ConfigError(
            f"{path} is the file that is read",
            option="out",
            given=path.name,
            remedy="give another name to write to",
        )
    if kind in (*SUFFIXES, ".efg", ".nfg"):
        check_replaceable(path, kind)


def check_strategy_file(path: Path) -> None:
    """Refuse now what `write_strategy` could not write; ConfigError or OutputError."""
    from equilibrist.storage.archive import check_writable
    from equilibrist.storage.kinds.file_kinds import SOLUTION
    from equilibrist.storage.tables import SUFFIXES

    suffix = path.suffix.lower()
    if suffix not in {*SUFFIXES, ".safetensors"}:
        raise ConfigError(
            f"{path}: unknown file format",
            option="out",
            given=path.name,
            remedy="use a name that ends in .csv, .json, .parquet or .safetensors",
        )
    check_writable(path, SOLUTION if suffix == ".safetensors" else None)


def check_device_file(path: Path) -> None:
    """Refuse now where no correlation device could be saved; ConfigError or OutputError."""
    from equilibrist.storage.archive import check_writable
    from equilibrist.storage.kinds.file_kinds import DEVICE

    if path.suffix.lower() != ".safetensors":
        raise ConfigError(
            f"{path}: unknown file format",
            option="--out",
            given=path.name,
            remedy="use a name that ends in .safetensors",
        )
    check_writable(path, DEVICE)


def write_strategy(strategy: Strategy, path: Path, made_by: str) -> None:
    """Evaluate a strategy and write it in the format that the suffix of `path` names.

    `made_by` replaces the name of the algorithm. Raises OutputError.
    """
    from equilibrist.results import Result

    result = Result.of(strategy, made_by)
    if path.suffix.lower() == ".safetensors":
        result.save(path)
    else:
        result.export(path)
