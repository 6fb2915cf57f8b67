"""The keys of a push-or-fold game; the command line reads them without loading the game."""

from __future__ import annotations

from typing import Final

from equilibrist.options.option import Option

_GAME: Final = "Game"
PUSH_FOLD_OPTIONS: Final[dict[str, Option]] = {
    "stack": Option("text", _GAME, "The stack of every seat, 10 or 10bb.", metavar="BB"),
    "stacks": Option(
        "text",
        _GAME,
        "A stack for each seat, in the order of posting: small blind, big blind, under the gun ... "
        "button.",
        metavar="LIST",
    ),
    "seats": Option("whole number", _GAME, "The number of players, two to six.", default_text="2"),
    "blinds": Option(
        "text", _GAME, "The blinds, in chips.", metavar="SMALL/BIG", default_text="0.5/1"
    ),
    "ante": Option("text", _GAME, "What every seat posts besides.", metavar="CHIPS"),
    "big_blind_ante": Option(
        "text", _GAME, "What the big blind posts as an ante for all.", metavar="CHIPS"
    ),
    "payouts": Option(
        "text",
        _GAME,
        "Payouts of a tournament, the first place first: 50,30,20.",
        metavar="LIST",
    ),
    "others": Option(
        "text",
        _GAME,
        "With --payouts, the stacks of players who are not in the hand.",
        metavar="LIST",
    ),
}
"""How the command line and the browser take each key of one game."""
