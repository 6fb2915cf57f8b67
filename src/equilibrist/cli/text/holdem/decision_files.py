"""Files with decisions before the flop: CSV, JSON, or ranges, a line of text each."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple

from equilibrist.cli.text.output import note, show_exactly
from equilibrist.errors import ConfigError
from equilibrist.storage.tables import write_table_file

_FORMATS: Final = ("csv", "json", "txt")


class Decisions(NamedTuple):
    """What a file may hold; only what is written is made."""

    csv: Callable[[], str]
    document: Callable[[], dict[str, Any]]
    ranges: Callable[[], Mapping[str, str]]
    """By the line with the action, or by another title."""
    written: str
    """What is said to have been written: `12 decisions`."""


def file_format(out: Path, written_as: str | None) -> str:
    """The format of a file, asked for or by its name; raises ConfigError for an unknown one."""
    form = out.suffix.lower().removeprefix(".") if written_as is None else written_as
    if form not in _FORMATS:
        raise ConfigError(
            f"decisions before the flop are not written as {form}"
            if form
            else f"the format of {out} is not known",
            option="--format",
            given=form or out.name,
            expected=", ".join(_FORMATS),
            remedy="use a name that ends in .csv, .json or, for ranges, .txt, or give --format",
        )
    return form


def write_decisions(out: Path, form: str, found: Decisions) -> None:
    """Write a file in a format of `file_format`, or print it where it is named `-`."""
    if form == "csv":
        text = found.csv()
    elif form == "json":
        text = json.dumps(found.document(), indent=1) + "\n"
    else:
        text = "".join(f"{title}\t{hands}\n" for title, hands in found.ranges().items())
    if str(out) == "-":
        show_exactly(text.removesuffix("\n"))
        return
    write_table_file(out, f".{form}", text)
    note(f"{found.written} written to {out}")
