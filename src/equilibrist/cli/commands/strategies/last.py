"""`equilibrist last`: the solutions that stay in the user's data folder."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import IO, TYPE_CHECKING, Annotated, Final

from equilibrist.cli.completion.values import stored
from equilibrist.cli.inputs import options
from equilibrist.cli.text.next_commands import new_file, next_command
from equilibrist.cli.text.output import show, show_json, show_table, suggest
from equilibrist.errors import ConfigError, FileFormatError
from equilibrist.formatting.amounts import bytes_text, measure_text
from equilibrist.library.names import is_name
from equilibrist.options.option import FILES
from equilibrist.storage.kinds.file_kinds import SPOT_SOLUTION

if TYPE_CHECKING:
    from equilibrist.library.listing import Entry

HELP = """List the solutions that were stored last, copy one to a file, or remove all.

`solve`, `postflop solve`, `play` and `match` store what they solve in your data folder, or in
EQUILIBRIST_DATA_DIR: the last one is `last`, the one before it `last-2`, and so on to `last-10`.
Every command takes these names for files; ./last is a file of that name. Ten are kept, fewer if
they take more than 5 GB together; spots larger than 500 MB are stored without their rivers, or with
the first street only.

\b
Examples:
  equilibrist last
  equilibrist last --out kuhn.safetensors
  equilibrist last last-2 --out leduc.safetensors
  equilibrist last --clear
"""

_UNSAID: Final = "-"


def last(
    name: Annotated[
        str | None,
        options.argument(
            "NAME", "One of them: last, last-2, ...  [default: all; with --out last]", stored
        ),
    ] = None,
    out: Annotated[
        Path | None, options.file("--out", "FILE", "Copy the solution to this file.", FILES)
    ] = None,
    clear: Annotated[
        bool, options.switch("--clear", "Remove all stored solutions.", FILES)
    ] = False,
    json: options.Json = False,
) -> None:
    """Do what is asked for; list them otherwise."""
    for flag, is_given in (("--out", out is not None), ("--json", json), ("NAME", name)):
        if clear and is_given:
            raise ConfigError(
                f"--clear removes all solutions, and does not go with {flag}",
                option="--clear",
                remedy=f"leave out one of them, {flag} or --clear",
            )
    if name is not None and not is_name(name):
        raise ConfigError(
            option="name",
            given=name,
            expected="last, last-2, ... last-10",
            remedy="`equilibrist last` lists them",
        )
    if clear:
        _clear()
    elif out is not None:
        _copy(name or "last", out)
    else:
        _list(name, json=json)


def _clear() -> None:
    from equilibrist.library.names import stored_solutions

    files = stored_solutions()
    count, size = files.clear()
    show(f"removed {count} solution{'s' * (count != 1)}, {bytes_text(size)}, from {files.folder}")


def _copy(name: str, out: Path) -> None:
    """Copy a file as it is; an earlier solution of that kind is replaced, nothing else."""
    from equilibrist.cli.inputs.parameters import file_called
    from equilibrist.storage.archive import check_writable, kind_of
    from equilibrist.storage.atomic import write_file
    from equilibrist.storage.mapped_archive import MappedArchive

    path = file_called(name)
    assert path is not None
    damaged = FileFormatError(
        f"{name} is damaged",
        path,
        option="name",
        given=name,
        remedy="copy another one; `equilibrist last` lists them",
    )
    kind = kind_of(path)
    if kind is None:  # nor is it known then what it may replace
        raise damaged
    check_writable(out, kind)
    try:
        MappedArchive(path, kind).check()
    except FileFormatError as error:
        if error.option == "version":  # whole perhaps, but nobody here can tell
            raise
        raise damaged from None
    with path.open("rb") as file:

        def write(target: IO[bytes]) -> None:
            shutil.copyfileobj(file, target)

        write_file(out, write)
    show(f"{name} copied to {out}")
    suggest(next_command(_viewer(kind_of(out)), out))


def _list(name: str | None, *, json: bool) -> None:
    from equilibrist.cli.inputs.parameters import file_called
    from equilibrist.library.listing import entries
    from equilibrist.library.names import name_of, stored_solutions

    listed, folder = entries(), stored_solutions().folder
    if name is not None:
        path = file_called(name)
        listed = [entry for entry in listed if entry.path == path]
    if json:
        show_json({"folder": str(folder), "solutions": [entry.to_dict() for entry in listed]})
        return
    if not listed:
        show(f"no solution is stored yet in {folder}")
        suggest(next_command("solve", "kuhn"))
        return
    columns = ("", "solution of", "algorithm", "iterations", "measured", "saved", "size")
    rows = [_row(entry) for entry in listed]
    show_table(columns, rows, ["left", "left", "left", "right", "left", "left", "right"], indent="")
    show()
    show(f"in {folder}")
    whole = next((entry for entry in listed if entry.kind is not None), None)
    if whole is not None:
        file = "kept.spot" if whole.kind == SPOT_SOLUTION else "kept.safetensors"
        named = [] if whole.name == name_of(0) else [whole.name]
        suggest(
            next_command(_viewer(whole.kind), whole.name),
            next_command("last", *named, out=new_file(file)),
        )


def _viewer(kind: str | None) -> str:
    """The command that shows a solution of that kind."""
    return "postflop browse" if kind == SPOT_SOLUTION else "inspect"


def _row(entry: Entry) -> list[str]:
    measured = _UNSAID
    if entry.measure is not None:
        measured = f"{entry.measure_name} {measure_text(entry.measure)}"
        if entry.pot:
            measured += f" chips ({100 * entry.measure / entry.pot:.3g}% of the pot)"
    game = "(damaged)" if entry.kind is None else entry.game or _UNSAID
    if entry.streets not in (None, "all"):
        game += f", {entry.streets}"
    return [
        entry.name,
        game,
        entry.algorithm or _UNSAID,
        _UNSAID if entry.iterations is None else f"{entry.iterations:,}",
        measured,
        f"{entry.saved:%Y-%m-%d %H:%M}",
        bytes_text(entry.num_bytes),
    ]
