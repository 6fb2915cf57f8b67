"""`equilibrist serve`: a server on this machine."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Final

import typer

from equilibrist.cli.completion import values
from equilibrist.cli.inputs import options
from equilibrist.cli.inputs.extras import needs_extra
from equilibrist.cli.inputs.parameters import word_called
from equilibrist.cli.text.output import note, show
from equilibrist.errors import ConfigError
from equilibrist.library.kinds import SHOWN
from equilibrist.library.names import data_folder
from equilibrist.web.settings import LOOPBACK, PORT, Limits, Settings, Subject, read_limits

HELP = """Solve, study and play games and hold'em spots in the browser.

This starts a server on this machine and opens its first page, or the page of SUBJECT: a spot file
(.toml), a solution, or a game: a name, an .efg file, or rules.py:MyGame. Python rules are loaded
only if they are named here.

The server listens on this machine alone. With --host others can reach it, with a token; without
--token it makes one, and prints it with a link that signs in one browser, once. With --guest-token
guests may browse, set up spots and play, but not solve, upload or delete.

Solves run in processes of their own with checkpoints: they go on when the page is closed, and can
be resumed after the server has ended. The library is in your data folder, or in
EQUILIBRIST_DATA_DIR; a folder has one server at a time. Ctrl-C ends the server; running solves are
saved first.

The same server has a JSON API, described at /api/docs. Needs the extra web:
pip install "equilibrist[web]".

\b
Examples:
  equilibrist serve
  equilibrist serve spot.toml
  equilibrist serve rules.py:MyGame --no-browser
  equilibrist serve --host 0.0.0.0 --guest-token new
"""

_NETWORK: Final = "Network"


def serve(
    subject: Annotated[
        str | None,
        options.argument("SUBJECT", "A spot file, a solution, or a game to open.", values.games),
    ] = None,
    port: Annotated[
        int | None,
        options.whole(
            "--port", "N", f"The port.  [default: {PORT}, or the next that is free]", _NETWORK
        ),
    ] = None,
    host: Annotated[
        str,
        options.valued("--host", "ADDRESS", "The address to listen on; 0.0.0.0 for all.", _NETWORK),
    ] = LOOPBACK,
    name: Annotated[
        list[str] | None,
        options.optional(
            "--name",
            "NAME",
            "Another host name of this server, such as a proxy's; repeatable.",
            _NETWORK,
        ),
    ] = None,
    token: Annotated[
        str | None,
        typer.Option(
            "--token",
            metavar="TEXT",
            envvar="EQUILIBRIST_TOKEN",
            show_default=False,
            show_envvar=False,
            help="The owner's token, also EQUILIBRIST_TOKEN; at least 16 characters.  "
            "[default: with --host a new one]",
            rich_help_panel=_NETWORK,
        ),
    ] = None,
    guest_token: Annotated[
        str | None,
        typer.Option(
            "--guest-token",
            metavar="TEXT",
            envvar="EQUILIBRIST_GUEST_TOKEN",
            show_default=False,
            show_envvar=False,
            help="The guests' token, also EQUILIBRIST_GUEST_TOKEN; `new` makes one.",
            rich_help_panel=_NETWORK,
        ),
    ] = None,
    no_browser: Annotated[
        bool, options.switch("--no-browser", "Do not open the browser.", _NETWORK)
    ] = False,
    memory: options.MemoryOfJobs = None,
    jobs: options.JobsAtOnce = f"{Limits.running}",
) -> None:
    """Start a server."""
    limits = read_limits(jobs, memory)
    with needs_extra("web", "`serve`"):
        from equilibrist.web.security.addresses import host_names
        from equilibrist.web.server import free_socket, run, with_tokens
        from equilibrist.web.store.folders import DataFolders
    opened = None if subject is None else subject_of(subject)
    folders = DataFolders(data_folder())
    with folders.held(), free_socket(host, port, PORT, note) as socket:
        settings = Settings(
            data=folders.root,
            host=host,
            port=socket.getsockname()[1],
            names=host_names(name or ()),
            token=token,
            guest_token=guest_token,
            subject=opened,
            limits=limits,
        )
        settings = with_tokens(settings)
        folders.announce(settings.url)
        run(settings, socket, opens_browser=not no_browser, show=show)


def subject_of(text: str) -> Subject:
    """Find what a text names for the server to open; raises the error of what it cannot be."""
    from equilibrist.storage.archive import file_kind, kind_of
    from equilibrist.storage.kinds.file_kinds import SETUPS, remedy_for, words_of

    path = Path(word_called(text))
    if path.suffix.lower() == ".toml" or file_kind(path) in SETUPS:
        from equilibrist.cli.postflop.spot_options import holds_three
        from equilibrist.poker.postflop.setups.files import read_setup
        from equilibrist.poker.three_players.spot import ThreeSpot

        spot = ThreeSpot.from_toml(path) if holds_three(path) else read_setup(path).spot
        return Subject("spot", text, spot=spot.to_toml())
    kind = kind_of(path) if path.is_file() and path.suffix.lower() not in (".py", ".efg") else None
    if kind is not None:
        if kind not in SHOWN:
            raise ConfigError(
                f"{text} is {words_of(kind)}, which the browser cannot show",
                option="subject",
                given=text,
                expected="a spot file, a solution, or a game",
                remedy=remedy_for(path, kind),
            )
        return Subject("solution", text, path=path.absolute())
    from equilibrist.games import load_game

    load_game(text)
    return Subject("game", text)
