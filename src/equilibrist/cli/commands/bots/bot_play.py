"""`equilibrist bot play`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Final

from equilibrist.cli.commands.holdem.files import HOLDEM, handle
from equilibrist.cli.inputs import options
from equilibrist.cli.inputs.parameters import described, with_options
from equilibrist.cli.inputs.searching import BotSearchOptions
from equilibrist.cli.inputs.sessions import SessionOptions
from equilibrist.errors import ConfigError
from equilibrist.library.kinds import kind_for, refuse_cards

PLAY: Final = """Play hands of hold'em against a bot.

The table is that of `equilibrist play`, with its options: --seats names who plays, and may name
fixed opponents: fold, call, raise, random, all-in. Every other seat is a bot. It plays the
strategy of the file, and with --search thinks about its decisions for up to --time each.

\b
Examples:
  equilibrist bot play b.safetensors
  equilibrist bot play b.safetensors --seats human,ai --coach --show-ai
  equilibrist bot play b.safetensors --seats ai,random --hands 200 --quiet --seed 7
"""


@with_options
def play(
    file: Annotated[
        Path, options.solution_argument("FILE", "A solution of hold'em: a file, or last, ...")
    ],
    *,
    chosen: SessionOptions,
    thinks: BotSearchOptions,
    cards: Annotated[Path | None, described("cards", options.MOVED_CARDS)] = None,
) -> None:
    """Open the solution, play."""
    chosen.check_log()
    kind = kind_for("bot play", file, or_game=False)
    refuse_cards(file, kind, cards)
    if kind not in HOLDEM:
        raise ConfigError(
            f"{file} is no solution of hold'em, which bots at a table play",
            option="FILE",
            given=file,
            expected="a solution of a spot or of hands, or a blueprint",
        )
    thinks.open()
    handle("play", str(kind), file, chosen, cards=cards, thinks=thinks)
