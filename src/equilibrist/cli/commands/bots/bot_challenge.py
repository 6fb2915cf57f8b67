"""`equilibrist bot challenge`."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

from equilibrist.cli.commands.playing.acpc import show_match
from equilibrist.cli.inputs import options
from equilibrist.cli.inputs.parameters import with_options
from equilibrist.cli.inputs.searching import BotSearchOptions
from equilibrist.cli.text.output import note, show, show_json
from equilibrist.cli.text.progress import LiveLine
from equilibrist.options.defaults import CHALLENGE_PROTOCOLS
from equilibrist.options.option import FILES, declare, shared

if TYPE_CHECKING:
    from equilibrist.protocols.challenge.hands import ChallengeResult

CHALLENGE: Final = """Play against a server: no-limit hands of two seats.

URL is the address of the server, PLAYER a blueprint or another solution of whole hands, or fold,
call, raise, all-in or random. --game names the game definition of the server; by default blinds are
50/100 and stacks 20,000. --protocol says which calls the server has:

\b
  slumbot    those of Slumbot, and of `equilibrist bot serve`; below /slumbot/api without a path
  gtowizard  those of the GTO Wizard Benchmark, with the key in the file --key

The result has what was won, and the same without luck (AIVAT): of the cards and of what our bot
drew where the server shows both hands at the end of every hand, or by the server's own account.
Intervals are those of the hands.

With --log every hand is written as a line of a match log when it is over; the same command goes on
from there.

\b
Examples:
  equilibrist bot challenge https://slumbot.com b.safetensors --hands 10000 --log slumbot.log
  equilibrist bot challenge http://127.0.0.1:8138 call --hands 100
  equilibrist bot challenge https://researcher.gtowizard.com b.safetensors --protocol gtowizard --key key.txt
"""  # noqa: E501
_CORRECTED: Final = {"server": "by the server's account", "hands": "by both hands"}


@dataclass(frozen=True)
class ChallengeOptions:
    """What is played."""

    protocol: str = declare(
        "choice",
        "Server",
        "Which calls the server has.",
        choices=CHALLENGE_PROTOCOLS,
        default="slumbot",
    )
    key: Path | None = declare("file", "Server", "The file with the key that the server wants.")
    timeout: float | None = declare(
        "time", "Server", "How long to wait for an answer.", default_text="60"
    )
    hands: int | None = declare(
        "count", "Hands", "How many hands, those of the log included.", default_text="100", least=1
    )
    game: Path | None = declare(
        "file", "Hands", "The game definition of the server.", default_text="that of Slumbot"
    )
    seed: int | None = declare(
        "whole number", "Hands", "Seed of what is drawn.", default_text="0", least=0
    )
    log: Path | None = declare(
        "file", FILES, "Append every hand to this file, and go on from what it has."
    )
    cards: Path | None = shared(options.MOVED_CARDS)
    quiet: bool = shared(options.QUIET)
    json: bool = shared(options.JSON)


@with_options
def challenge(
    url: Annotated[str, options.argument("URL", "The address of the server.")],
    player: Annotated[
        str, options.player_argument("PLAYER", "A solution of whole hands, or a fixed opponent.")
    ],
    *,
    chosen: ChallengeOptions,
    thinks: BotSearchOptions,
) -> None:
    """Play, print."""
    from equilibrist.protocols.acpc.game_definition import GameDefinition
    from equilibrist.protocols.acpc.log import MatchLog
    from equilibrist.protocols.challenge import servers
    from equilibrist.protocols.challenge.hands import HEADS_UP, Challenge, heading
    from equilibrist.protocols.challenge.http_client import SECONDS
    from equilibrist.protocols.opening import open_strategy

    game = HEADS_UP if chosen.game is None else GameDefinition.from_file(chosen.game)
    server = servers.open_server(
        chosen.protocol,
        url,
        game,
        seconds=SECONDS if chosen.timeout is None else chosen.timeout,
        key=None if chosen.key is None else servers.read_key(chosen.key),
    )
    played = open_strategy(
        player, "bot challenge", chosen.cards, search=thinks.maker(), seconds=thinks.time
    )
    seated = played.player(game)(chosen.seed or 0)
    if not chosen.quiet:
        for text in getattr(seated, "notes", ()):
            note(text)
    hands = 100 if chosen.hands is None else chosen.hands
    with ExitStack() as stack:
        log = None
        if chosen.log is not None:
            match = heading(url, game, played.identity())
            log = stack.enter_context(MatchLog(chosen.log, appends=True, heading=match))
            if not log.heading:
                log.add(match)
        ours = Challenge(server, seated, Path(player).stem, game, log, note)
        try:
            with LiveLine(quiet=chosen.quiet) as live:
                ours.play(hands, lambda over: live.tell([f"hand {over:,} of {hands:,}"]))
        finally:
            if chosen.json:
                show_json(ours.result.to_dict())
            elif ours.won:
                _show(ours.result)


def _show(result: ChallengeResult) -> None:
    """Print the score, and what was won without luck."""
    show_match(result)
    aivat = result.aivat
    if aivat is not None:
        won = f"{aivat.mean:.1f} +-{aivat.half_width:.1f} mbb a hand"
        show(f"without luck (AIVAT, {_CORRECTED[result.corrected_by]}): {won}")
    elif result.hands > 1:
        note("not every hand was shown at its end, so that luck is not taken out")
