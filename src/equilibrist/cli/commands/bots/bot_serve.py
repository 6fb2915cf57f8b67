"""`equilibrist bot serve`."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

from equilibrist.cli.inputs import options
from equilibrist.cli.inputs.extras import needs_extra
from equilibrist.cli.inputs.parameters import with_options
from equilibrist.cli.inputs.searching import BotSearchOptions
from equilibrist.cli.text.output import flush, note, show, show_exactly
from equilibrist.errors import ConfigError
from equilibrist.options.option import declare, shared

if TYPE_CHECKING:
    from equilibrist.protocols.opening import OpenedStrategy
    from equilibrist.protocols.serving.questions import BotDesk
    from equilibrist.protocols.serving.slumbot import SlumbotTables

SERVE: Final = """Let other programs play against a bot: over HTTP, or with --stdio by JSON lines.

PLAYER is a solution, or fold, call, raise, all-in or random. A question is a JSON document with the
own cards and the line, and the answer says the action and how it came about; the page on protocols
has the fields. Over HTTP a question is a POST to /act. With --stdio each line of standard input is
one, and each answer a line.

Bots of no-limit hands with two seats deal hands, too, by calls like those of Slumbot: POST
/slumbot/api/new_hand and /slumbot/api/act with the token of the last answer and the action. --game
names the game definition of these hands, and the table of questions that name none; without it the
game is that of the solution.

The server listens on this machine alone, unless --host. Needs the extra web without --stdio:
pip install "equilibrist[web]".

\b
Examples:
  equilibrist bot serve b.safetensors --port 8138
  equilibrist bot serve b.safetensors --stdio
  equilibrist bot serve random --game holdem.game
"""
PORT: Final = 8138
_CONNECTION: Final = "Connection"


@dataclass(frozen=True)
class ServeOptions:
    """Where it listens, and what is dealt."""

    port: int | None = declare(
        "whole number",
        _CONNECTION,
        "The port; 0 is any that is free.",
        default_text=f"{PORT}",
        least=0,
    )
    host: str | None = declare(
        "text",
        _CONNECTION,
        "The address to listen on; 0.0.0.0 for all.",
        metavar="ADDRESS",
        default_text="this machine alone",
    )
    stdio: bool = declare(
        "switch", _CONNECTION, "Read questions from standard input, a JSON document a line."
    )
    game: Path | None = declare(
        "file",
        "Hands",
        "The game definition of the hands that are dealt.",
        default_text="that of the solution",
    )
    seed: int | None = declare(
        "whole number",
        "Hands",
        "Seed of what is drawn, and of the cards.",
        default_text="0; of the cards one that nobody knows",
        least=0,
    )
    cards: Path | None = shared(options.MOVED_CARDS)


@with_options
def serve(
    player: Annotated[
        str,
        options.player_argument("PLAYER", "A solution of any game, or a fixed opponent."),
    ],
    *,
    chosen: ServeOptions,
    thinks: BotSearchOptions,
) -> None:
    """Open the solution, answer."""
    from equilibrist.protocols.acpc.players import TableHand
    from equilibrist.protocols.opening import open_strategy
    from equilibrist.protocols.serving.questions import MOST_SECONDS, BotDesk, answer_lines

    if chosen.stdio:
        for flag, value in (("--port", chosen.port), ("--host", chosen.host)):
            if value is not None:
                raise ConfigError(
                    f"--stdio reads standard input, and {flag} is for HTTP",
                    option=flag,
                    given=value,
                    remedy="leave out one of them",
                )
    played = open_strategy(
        player, "bot serve", chosen.cards, search=thinks.maker(), seconds=thinks.time
    )
    table = None if chosen.game is None else TableHand.of(played.game(chosen.game))
    most = None if chosen.stdio else thinks.time or MOST_SECONDS
    desk = BotDesk(played.bot, chosen.seed or 0, table, lock=played.lock, most_seconds=most)
    if chosen.stdio:
        answer_lines(desk, sys.stdin, _send)
        return
    _serve(desk, _tables(played, chosen), chosen)


def _send(answer: str) -> None:
    show_exactly(answer)
    flush()


def _tables(played: OpenedStrategy, chosen: ServeOptions) -> SlumbotTables | None:
    """What deals hands; None, with a note, where the bot plays no such hands."""
    from equilibrist.protocols.serving.slumbot import SlumbotTables

    try:
        game = played.game(chosen.game)
        make = played.player(game)
        make(0)
        return SlumbotTables(game, make, chosen.seed, lock=played.lock)
    except ConfigError as error:
        if chosen.game is not None:
            raise
        note(f"no hands are dealt: {error}")
        return None


def _serve(desk: BotDesk, tables: SlumbotTables | None, chosen: ServeOptions) -> None:
    """Serve over HTTP until Ctrl-C."""
    with needs_extra("web", "serving over HTTP", "use --stdio"):
        from equilibrist.protocols.serving.application import (
            LOOPBACK,
            listen,
            local_hosts,
            make_application,
            serve,
        )

    def started(address: str) -> None:
        show(f"serving at {address} (Ctrl-C ends)")
        flush()

    port = PORT if chosen.port is None else chosen.port
    with listen(chosen.host or LOOPBACK, port) as listening:
        application = make_application(desk, tables, hosts=local_hosts(listening))
        serve(application, listening, started)
