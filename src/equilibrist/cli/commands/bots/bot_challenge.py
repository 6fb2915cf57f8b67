"""`equilibrist bot challenge`."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Final

from equilibrist.cli.commands.playing.acpc import show_match
from equilibrist.cli.inputs import options
from equilibrist.cli.inputs.parameters import with_options
from equilibrist.cli.inputs.searching import SearchOptions
from equilibrist.cli.text.output import note, show_json
from equilibrist.cli.text.progress import LiveLine
from equilibrist.options.option import FILES, declare, shared

CHALLENGE: Final = """Play against a server by Slumbot's calls: no-limit hands of two seats.

URL is the address of the server, such as https://slumbot.com or one of `equilibrist bot serve`;
without a path the calls are below /slumbot/api. PLAYER is a blueprint or another solution of whole
hands, or fold, call, raise, all-in or random. --game names the game definition of the server; by
default blinds are 50/100 and stacks 20,000.

With --log every hand is written as a line of a match log when it is over; the same command goes on
from there. The interval is that of the hands.

\b
Examples:
  equilibrist bot challenge https://slumbot.com b.safetensors --hands 10000 --log slumbot.log
  equilibrist bot challenge http://127.0.0.1:8138 call --hands 100
"""


@dataclass(frozen=True)
class ChallengeOptions:
    """What is played."""

    hands: int | None = declare(
        "count", "Hands", "How many hands, those of the log included.", default_text="100", least=1
    )
    game: Path | None = declare(
        "file", "Hands", "The game definition of the server.", default_text="that of Slumbot"
    )
    seed: int | None = declare(
        "whole number", "Hands", "Seed of what is drawn.", default_text="0", least=0
    )
    timeout: float | None = declare(
        "time", "Hands", "How long to wait for an answer.", default_text="60"
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
    thinks: SearchOptions,
) -> None:
    """Play, print."""
    from equilibrist.protocols.acpc.game_definition import GameDefinition
    from equilibrist.protocols.acpc.log import MatchLog
    from equilibrist.protocols.challenge import SLUMBOT, Challenge, heading, poster
    from equilibrist.protocols.opening import open_strategy

    post = poster(url) if chosen.timeout is None else poster(url, chosen.timeout)
    game = SLUMBOT if chosen.game is None else GameDefinition.from_file(chosen.game)
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
        ours = Challenge(post, seated, Path(player).stem, game, log, note)
        try:
            with LiveLine(quiet=chosen.quiet) as live:
                ours.play(hands, lambda over: live.tell([f"hand {over:,} of {hands:,}"]))
        finally:
            if chosen.json:
                show_json(ours.result.to_dict())
            elif ours.won:
                show_match(ours.result)
