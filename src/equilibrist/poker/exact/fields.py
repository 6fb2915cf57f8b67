"""The options of a hand and of its runs; the command line reads them without loading the solver."""

from __future__ import annotations

from typing import Final

from equilibrist.options.option import ALGORITHM, LIMITS, STOPPING, THREADS, Option

_GAME: Final = "Game"
_SIZES: Final = "Bet sizes"
_BOARDS: Final = "Boards"
HAND_OPTIONS: Final[dict[str, Option]] = {
    "stack": Option(
        "text",
        _GAME,
        "The stack of both players before anything is posted: big blinds, or chips with --blinds.",
        metavar="BB",
    ),
    "stacks": Option(
        "text", _GAME, "Both stacks, that of the small blind first: 15,20.", metavar="LIST"
    ),
    "blinds": Option(
        "text", _GAME, "The blinds in chips.", metavar="SMALL/BIG", default_text="0.5/1"
    ),
    "ante": Option("text", _GAME, "What both players post besides.", metavar="CHIPS"),
    "limit": Option(
        "choice",
        _GAME,
        "How much may be bet.",
        default_text="no-limit",
        choices=("no-limit", "pot-limit", "limit"),
    ),
    "limit_bets": Option(
        "text",
        _GAME,
        "With --limit limit, the size of a bet or raise by street: 1/1/2/2.",
        metavar="LIST",
        default_text="the big blind, twice as much from the turn on",
    ),
    "last_street": Option(
        "choice",
        _GAME,
        "The last street with betting; the rest of the board is then dealt.",
        default_text="flop",
        choices=("preflop", "flop", "turn", "river"),
    ),
    "board": Option(
        "text",
        _GAME,
        "Board cards before each street, the first number 0: 0/3 is flop hold'em, whose hands have "
        "five cards.",
        metavar="LIST",
        default_text="0/3/1/1",
    ),
    "lowest": Option(
        "text",
        _GAME,
        "The lowest rank in the deck: T leaves 20 cards.",
        metavar="RANK",
        default_text="2",
    ),
    "bets": Option(
        "text",
        _SIZES,
        "Sizes of the first bet, before the flop of the first raise: 50%,a or 2.5x|50%|a by "
        "street.",
        metavar="SIZES",
    ),
    "raises": Option("text", _SIZES, "Sizes of later raises, likewise.", metavar="SIZES"),
    "raise_cap": Option(
        "chips",
        _SIZES,
        "The most raises on a street, not counting the first bet; a blind is a first bet. By "
        "street: 1|0.",
        metavar="N",
        default_text="none; with --limit limit 3",
    ),
    "boards": Option(
        "chips",
        _BOARDS,
        "Draw this many flops, as likely as they come, and leave out the others.",
        metavar="N",
        default_text="all",
    ),
    "seed": Option("whole number", _BOARDS, "The seed of that draw.", default_text="0"),
}
"""How the command line takes each key of a hand."""
RUN_OPTIONS: Final[dict[str, Option]] = {
    "target": Option(
        "text",
        STOPPING,
        "Stop at this exploitability, in mbb (thousandths of a big blind) a hand: 1 or 1mbb.",
        metavar="X",
    ),
    "iterations": Option("count", STOPPING, "Stop after this many.", flags=("--iterations", "-n")),
    "seconds": Option(
        "time", STOPPING, "Stop after this many seconds (or 10m, 1.5h).", flags=("--time",)
    ),
    "algorithm": Option(
        "text",
        ALGORITHM,
        "A variant of CFR that updates in turn: dcfr(gamma=3), lcfr, cfr+.",
        default_text="dcfr",
        flags=("--algorithm", "-a"),
    ),
    "threads": Option(
        "count",
        THREADS,
        "Work with this many threads; results are bit-identical for any number.",
        default_text="one per processor",
    ),
    "memory": Option(
        "memory",
        LIMITS,
        "Refuse games that need more, for instance 8GB.",
        default_text="half of the machine's",
    ),
}
"""How the command line takes what `solve` takes of a run."""
