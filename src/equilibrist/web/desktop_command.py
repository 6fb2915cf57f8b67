"""`equilibrist desktop`: the server in the menu of the desktop."""

from __future__ import annotations

import os
import sys
import webbrowser
from pathlib import Path
from typing import Annotated, Final

import typer

from equilibrist.cli.inputs import options
from equilibrist.cli.inputs.extras import needs_extra
from equilibrist.cli.text.help_text import GroupedCommand, GroupedCommands
from equilibrist.cli.text.output import show, show_json, suggest
from equilibrist.errors import ConfigError
from equilibrist.library.names import data_folder
from equilibrist.storage.installation import lasting_command, runner_of
from equilibrist.web.command import serve
from equilibrist.web.desktop import (
    Changes,
    has_display,
    install_launcher,
    make_launcher,
    remove_launcher,
)

app = typer.Typer(
    help="The server in the menu of the desktop: put it there, open it, remove it.",
    rich_markup_mode=None,
    cls=GroupedCommands,
)
INSTALL: Final = """Put Equilibrist into the menu of this user's desktop.

The entry opens a window of the terminal with `equilibrist desktop open`: its pages open in the
browser, and closing the window ends the server. It starts this installation, with the folders that
EQUILIBRIST_DATA_DIR and EQUILIBRIST_CACHE_DIR name now; install it again after moving either.

Linux gets an entry and an icon below ~/.local/share (XDG_DATA_HOME), macOS an app in
~/Applications, Windows a script in the Start menu. Files that are none of ours are left as they
are. Needs the extra web: pip install "equilibrist[web]".

\b
Examples:
  equilibrist desktop install --dry-run
  equilibrist desktop install
"""
REMOVE: Final = """Remove what `desktop install` has put into the menu; solutions stay.

\b
Examples:
  equilibrist desktop remove --dry-run
  equilibrist desktop remove
"""
OPEN: Final = """Open the pages of the server that runs on this machine, or start one.

Where a server has the data folder already, its first page is opened in the browser, and this ends.
Otherwise it is `equilibrist serve`: Ctrl-C, or closing the window, ends the server.

Needs the extra web: pip install "equilibrist[web]".

\b
Examples:
  equilibrist desktop open
"""


@app.callback()
def _group() -> None:
    """The server in the menu of the desktop: put it there, open it, remove it."""


DryRun = Annotated[
    bool, options.switch("--dry-run", "Show the files and their content; change nothing.")
]


@app.command("install", help=INSTALL, short_help="Put it into the menu.", cls=GroupedCommand)
def install(dry_run: DryRun = False, json: options.Json = False) -> None:
    """Write a menu entry."""
    with needs_extra("web", "`desktop install`"):
        import equilibrist.web.server  # noqa: F401 - what the entry starts
    _refuse_passing_installation()
    changes = install_launcher(make_launcher(), is_trial=dry_run)
    if json:
        show_json(changes.to_dict())
    elif dry_run:
        _show_files(changes, with_content=True)
    else:
        show(f"Equilibrist is in the menu: {changes.launcher.entry}")
        suggest("equilibrist desktop open")


@app.command("remove", help=REMOVE, short_help="Remove it from the menu.", cls=GroupedCommand)
def remove(dry_run: DryRun = False, json: options.Json = False) -> None:
    """Remove the menu entry."""
    changes = remove_launcher(make_launcher(), is_trial=dry_run)
    if json:
        show_json(changes.to_dict())
    elif not changes.states:
        show(f"no menu entry of Equilibrist is in {changes.launcher.folder}")
    else:
        _show_files(changes, with_content=False)


@app.command("open", help=OPEN, short_help="Open it, and start it if need be.", cls=GroupedCommand)
def open_() -> None:
    """Open the pages of a server."""
    with needs_extra("web", "`desktop open`"):
        from equilibrist.web.store.folders import DataFolders
    address = DataFolders(data_folder()).address_in_use()
    if address is None:
        token = os.environ.get("EQUILIBRIST_TOKEN") or None
        serve(token=token, guest_token=os.environ.get("EQUILIBRIST_GUEST_TOKEN") or None)
        return
    show(f"Equilibrist runs at {address} already")
    if has_display():
        webbrowser.open(address)


def _refuse_passing_installation() -> None:
    """ConfigError where `uvx` or `pipx run` may remove what the entry would start."""
    environment = Path(sys.prefix)
    runner = runner_of(environment)
    if runner is not None:
        raise ConfigError(
            f"{environment} was made for one run, and {runner} may remove it",
            option="environment",
            given=environment,
            expected="an installation that stays",
            remedy=f"install Equilibrist to stay: `{lasting_command('web', runner)}`",
        )


def _show_files(changes: Changes, *, with_content: bool) -> None:
    for file in changes.launcher.files:
        state = changes.states.get(file.path)
        if state is None:
            continue
        show(f"{state if changes.is_done else f'would be {state}'}: {file.path}")
        if with_content:
            for line in file.content.decode("utf-8", "replace").splitlines():
                show(f"  {line}".rstrip())
