"""`equilibrist cache`: the compiled kernels on disk."""

from __future__ import annotations

from time import perf_counter
from typing import Annotated, Any, Final

import typer

from equilibrist.cli.inputs import options
from equilibrist.cli.text.help_text import GroupedCommand, GroupedCommands
from equilibrist.cli.text.output import show, show_facts, show_json
from equilibrist.cli.text.progress import LiveLine
from equilibrist.errors import OutputError
from equilibrist.formatting.amounts import bytes_text, counted, seconds_text

app = typer.Typer(
    help="The compiled kernels on disk: where they are, compile them now, remove them.",
    rich_markup_mode=None,
    cls=GroupedCommands,
)

FIRST_KERNEL: Final = "equilibrist.kernels.full_traversals.run"
"""A kernel that is on disk once anything was solved."""


@app.command(cls=GroupedCommand)
def info(json: options.Json = False) -> None:
    """Show the folder of compiled kernels, its size, and whether this version's are there.

    EQUILIBRIST_CACHE_DIR names another folder; EQUILIBRIST_NUMBA_CACHE=0 compiles in memory.
    """
    from equilibrist._jit import cache_is_warm
    from equilibrist._jit.inventory import files_in, inventory
    from equilibrist._jit.places import cache_root, kernels_dir

    present, old = inventory()
    ours, others = files_in(present), files_in(old)
    document: dict[str, Any] = {
        "folder": str(cache_root()),
        "current": str(kernels_dir()),
        "warm": cache_is_warm(FIRST_KERNEL),
        "files": len(ours) + len(others),
        "bytes": sum(ours.values()) + sum(others.values()),
        "current_bytes": sum(ours.values()),
        "old_versions": len(old),
    }
    if json:
        show_json(document)
        return
    state = "compiled" if document["warm"] else "not compiled yet (`equilibrist cache warm`)"
    in_all = f"{bytes_text(document['bytes'])} in {counted(document['files'], 'file')}"
    show_facts(
        [
            ("folder", document["folder"]),
            ("kernels", state),
            (
                "this version",
                f"{bytes_text(document['current_bytes'])} in {counted(len(ours), 'file')}",
            ),
            (
                "in all",
                f"{in_all}, {counted(document['old_versions'], 'folder')} of other versions",
            ),
        ],
        indent="",
    )


@app.command(cls=GroupedCommand)
def warm(quiet: options.Quiet = False) -> None:
    """Compile all kernels now, so that the first solve starts at once.

    This takes a few minutes; it uses two processors where there are two.
    """
    from equilibrist._jit.first_run import functions_text
    from equilibrist._jit.places import kernels_dir, writable_kernels_dir
    from equilibrist.solving.kernel_cache import warm_cache

    folder = kernels_dir()
    start = perf_counter()
    with LiveLine(quiet=quiet) as live:

        def tell(functions: int, of: int) -> None:
            live.tell([f"compiling kernels: {functions_text(functions, of)}"])

        live.stage("compiling kernels")
        compiled = warm_cache(tell)
    seconds = perf_counter() - start
    if writable_kernels_dir() is None:
        show(f"compiled in {seconds_text(seconds)}, in memory only: {folder} cannot be written")
    elif not compiled:
        show(f"all kernels were compiled already: {folder}")
    else:
        show(f"compiled in {seconds_text(seconds)} into {folder}")


@app.command(cls=GroupedCommand)
def clear(
    old: Annotated[
        bool, options.switch("--old", "Only those of other versions and of edited kernels.")
    ] = False,
) -> None:
    """Remove the compiled kernels of all versions; nothing else is touched."""
    from equilibrist._jit.inventory import files_in, inventory, remove
    from equilibrist._jit.places import cache_root

    kernels = inventory()
    folders = kernels.old if old else [*kernels.present, *kernels.old]
    freed = sum(files_in(folders).values())
    try:
        remove(folders)
    except OSError as error:
        place = error.filename or cache_root()
        raise OutputError(
            f"cannot remove {place}: {error.strerror}", place, option="cache", given=error.strerror
        ) from None
    show(f"removed {counted(len(folders), 'folder')}, {bytes_text(freed)}, from {cache_root()}")
