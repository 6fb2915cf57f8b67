"""The fields of a spot and of its runs; the command line reads them without loading `Spot`."""

from __future__ import annotations

from dataclasses import replace
from typing import Final, Literal, get_args

from equilibrist.options.option import ALGORITHM, Option, choose
from equilibrist.options.solve_options import HOLDEM_RUN_OPTIONS as ANY_RUN

SEATS: Final = ("oop", "ip")
"""The names of player 0 and player 1."""
Storage = Literal["float32", "int16", "float64"]
"""How regrets and strategy sums are stored."""
STORAGES: Final[tuple[Storage, ...]] = get_args(Storage)
NARROW_ITERATIONS: Final[dict[Storage, int]] = {"int16": 100, "float32": 1_000}
"""The most iterations of a small spot in a storage; then it goes on in float64."""
SMALL_BYTES: Final = 8 << 20
"""Bytes of the regrets and strategy sums of a small spot in float32, at most."""
_SPOT: Final = "Spot"
_SIZES: Final = "Bet sizes"
_RAKE: Final = "Rake"
_LOCKS: Final = "Node locking"
SPOT_OPTIONS: Final[dict[str, Option]] = {
    "board": Option(
        "text",
        _SPOT,
        "3, 4 or 5 cards: the spot begins on the flop, the turn or the river.",
        metavar="CARDS",
    ),
    "oop": Option(
        "text",
        _SPOT,
        "Range of the player out of position, who acts first; or a file of ranges.",
        metavar="RANGE",
    ),
    "ip": Option("text", _SPOT, "Range of the player in position, or a file.", metavar="RANGE"),
    "pot": Option("chips", _SPOT, "Chips in the middle, with at most four decimals."),
    "stack": Option(
        "chips",
        _SPOT,
        "Effective stack, the smaller of both stacks, in chips with at most four decimals.",
    ),
    "deck": Option(
        "text",
        _SPOT,
        "The lowest rank in the deck, or short: 36 cards, a flush beats a full house, A6789 is a "
        "straight; in short-trips three of a kind beats a straight.",
        default_text="2",
        metavar="DECK",
    ),
    "folded": Option(
        "texts",
        _SPOT,
        "Range of a player who folded before the flop, whose cards are in nobody else's hand "
        "(bunching); of three and more hands are drawn. 'none' takes away those of the file.",
        metavar="RANGE",
    ),
    "bets": Option(
        "text",
        _SIZES,
        "Bets of both players: 60% or 60 (of the pot), or by street 52%|55%|70%.",
        metavar="SIZES",
    ),
    "raises": Option(
        "text", _SIZES, "Raises of both players: 2.5x, or by street.", metavar="SIZES"
    ),
    "oop_bets": Option(
        "text", _SIZES, "Bets of the player out of position, in place of --bets.", metavar="SIZES"
    ),
    "oop_raises": Option(
        "text",
        _SIZES,
        "Raises of the player out of position, in place of --raises.",
        metavar="SIZES",
    ),
    "ip_bets": Option(
        "text", _SIZES, "Bets of the player in position, in place of --bets.", metavar="SIZES"
    ),
    "ip_raises": Option(
        "text", _SIZES, "Raises of the player in position, in place of --raises.", metavar="SIZES"
    ),
    "donks": Option(
        "text",
        _SIZES,
        "Donk bets, out of position after calling on the previous street: ||50%.",
        metavar="SIZES",
        flags=("--donks", "--donk"),
    ),
    "add_all_in": Option(
        "text",
        _SIZES,
        "Add all-in where it is at most this share of the pot: 150%. Where a player has no sizes "
        "nothing is added, see --all-in-without-sizes.",
        metavar="SHARE",
    ),
    "all_in_without_sizes": Option(
        "switch",
        _SIZES,
        "Whether --add-all-in also adds where a player has no sizes, as WASM Postflop does.",
        default_text="no",
        flags=("--all-in-without-sizes/--no-all-in-without-sizes",),
    ),
    "force_all_in": Option(
        "text",
        _SIZES,
        "Turn a bet into all-in if a call leaves at most this share of the pot: 15%.",
        metavar="SHARE",
    ),
    "merge": Option(
        "text", _SIZES, "Drop sizes that are this close to a larger one: 10%.", metavar="SHARE"
    ),
    "raise_cap": Option("chips", _SIZES, "Maximum number of raises on a street.", metavar="N"),
    "min_bet": Option("chips", _SIZES, "Smallest bet in chips."),
    "unit": Option(
        "chips",
        _SIZES,
        "What bets are multiples of: 1, 0.1, 0.01 ... chips.",
        default_text="the largest that all amounts of chips fit",
    ),
    "rake": Option("text", _RAKE, "Share of the pot that the house takes: 5%.", metavar="SHARE"),
    "rake_cap": Option("amount", _RAKE, "Maximum rake in chips."),
    "added_lines": Option(
        "texts",
        _SIZES,
        "Lines without cards whose actions are added to the sizes: X-B150.",
        metavar="LINE",
        flags=("--add-line",),
    ),
    "removed_lines": Option(
        "texts",
        _SIZES,
        "Lines without cards whose last action is removed.",
        metavar="LINE",
        flags=("--remove-line",),
    ),
    "locks": Option(
        "texts",
        _LOCKS,
        "Node locks: B120: AA,KK = Call 100%; frequency = Fold 25%.",
        metavar="LOCK",
        flags=("--lock",),
    ),
}
"""How the command line takes each key of a spot."""
_PRIZES: Final = "Tournament"
PRIZE_OPTIONS: Final[dict[str, Option]] = {
    "payouts": Option(
        "text",
        _PRIZES,
        "Payouts of a tournament, the first place first: 50,30,20. Values are then prizes.",
        metavar="LIST",
    ),
    "others": Option(
        "text",
        _PRIZES,
        "With --payouts, the stacks of players who are not in the hand.",
        metavar="LIST",
    ),
    "stacks": Option(
        "text",
        _PRIZES,
        "With --payouts, the chips that each player has behind, OOP first, where they differ, in "
        "place of --stack.",
        metavar="LIST",
    ),
}
"""The keys of a spot that is played for prizes, beside those of all spots."""
SPOT_KEYS: Final = {key: option.help for key, option in (SPOT_OPTIONS | PRIZE_OPTIONS).items()}
"""A description of each key."""
NEEDED_KEYS: Final = {
    "board": "3 to 5 cards, such as QsJh2h",
    "oop": "the range of the player who acts first",
    "ip": "the range of the player who acts last",
    "pot": "the chips in the middle",
    "stack": "the chips that each player has behind",
}
"""The required keys, and what to give for them."""
_PERTURBED: Final = {
    "tremble": Option(
        "number",
        ALGORITHM,
        "Let every hand play every action with at least this probability, for answers at nodes "
        "that equilibrium play does not reach.",
        metavar="P",
    ),
    "quantal": Option(
        "number",
        ALGORITHM,
        "Let every hand play an action the more seldom the more it loses: logit responses with "
        "this temperature, a share of the pot such as 0.005.",
        metavar="SHARE",
    ),
}
RUN_OPTIONS: Final = {
    **choose(
        ANY_RUN,
        ("target", "iterations", "seconds", "algorithm", "storage", "threads", "memory"),
        target="Stop at this exploitability: 0.3% of the pot, or 0.5c in chips.",
        storage="How regrets and strategies are stored: int16 takes half the memory, float64 twice "
        "as much. Small spots go on in float64 after 1,000 iterations, in 16 bits after 100.",
        memory="Refuse spots that need more, for instance 8GB.",
    ),
    **_PERTURBED,
}
RUN_OPTIONS["storage"] = replace(RUN_OPTIONS["storage"], choices=STORAGES)
RUN_OPTIONS["algorithm"] = replace(
    RUN_OPTIONS["algorithm"],
    default_text="dcfr(alpha=1.4, beta=0.2, gamma=5); in 16 bits dcfr-restarts",
)
"""How the command line takes what `poker.solve` takes of a run."""
