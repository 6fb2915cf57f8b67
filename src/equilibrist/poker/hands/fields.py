"""The keys of a hand; the command line reads them without loading `Hand`."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from equilibrist.options.option import Option
from equilibrist.poker.hands.rules import LIMIT_KINDS, STREET_NAMES

ANTE_KINDS: Final = ("each", "big-blind", "button")
"""Who posts antes."""
_TABLE: Final = "Hand"
_SIZES: Final = "Bet sizes"
_DECK: Final = "Cards"
_PUSH_FOLD: Final = "Game"
HAND_OPTIONS: Final[dict[str, Option]] = {
    "seats": Option("count", _TABLE, "Seats at the table, 2 to 10.", default_text="2"),
    "stack": Option(
        "amount",
        _TABLE,
        "Every seat's stack before posting, in big blinds; with --blinds in chips.",
    ),
    "stacks": Option(
        "text",
        _TABLE,
        "Stacks by seat, small blind first, in place of --stack: 40/25/100.",
        metavar="STACKS",
    ),
    "blinds": Option(
        "text",
        _TABLE,
        "Blinds in chips, such as 50/100; all amounts are then in chips.",
        default_text="half a big blind and one",
        metavar="SMALL/BIG",
    ),
    "button_blind": Option(
        "amount",
        _TABLE,
        "The button's blind in chips, in place of blinds, as in short deck: with an ante of as "
        "much the button posts two antes.",
    ),
    "ante": Option("amount", _TABLE, "Ante, as dead money.", default_text="0"),
    "ante_kind": Option(
        "choice",
        _TABLE,
        "Who posts the ante: each seat, or the big blind or the button for the table.",
        default_text="each",
        choices=ANTE_KINDS,
    ),
    "straddle": Option(
        "text",
        _TABLE,
        "Straddles of the seats after the big blind: 200, or 200/400.",
        metavar="AMOUNTS",
    ),
    "limit": Option(
        "choice",
        _TABLE,
        "The kind of limit.",
        default_text="no-limit",
        choices=LIMIT_KINDS,
    ),
    "fixed_bets": Option(
        "text",
        _SIZES,
        "With --limit limit the small and the big bet: 100/200.",
        default_text="one big blind and two",
        metavar="SMALL/BIG",
    ),
    "bets": Option(
        "text",
        _SIZES,
        "First bets of a street, and first raises before the flop: 50%,a, or by street "
        "2.5x|50%|50%|a; `all` for every amount, then of --raises, too.",
        metavar="SIZES",
    ),
    "raises": Option("text", _SIZES, "Later raises: 100%,a, or by street.", metavar="SIZES"),
    "raise_cap": Option(
        "text",
        _SIZES,
        "Maximum number of raises on a street, or by street 4|3|3|3; all-in stays possible.",
        default_text="no cap, with --limit limit 3",
        metavar="N",
    ),
    "last_street": Option(
        "choice",
        _TABLE,
        "The last street with betting; the rest of the board is dealt after it.",
        default_text="river",
        choices=STREET_NAMES,
    ),
    "short_all_in_reopens": Option(
        "switch",
        _TABLE,
        "Whether an all-in smaller than the last raise lets others raise again.",
        default_text="no",
        flags=("--short-all-in-reopens/--no-short-all-in-reopens",),
    ),
    "first_short_all_in_reopens": Option(
        "switch",
        _TABLE,
        "Whether, before the first full bet or raise of a street, a smaller all-in lets seats that "
        "have acted raise again, as in PokerKit; no is tournament directors' rule 47.",
        default_text="yes",
        flags=("--first-short-all-in-reopens/--no-first-short-all-in-reopens",),
    ),
    "unit": Option(
        "amount",
        _SIZES,
        "What bets are multiples of: 1, 0.1, 0.01 ...",
        default_text="0.01 big blinds, or what finer amounts need; with --blinds the largest that "
        "all amounts fit",
    ),
    "deck": Option(
        "text",
        _DECK,
        "The lowest rank in the deck, such as T for 20 cards, with the ranking of 52 cards; or "
        "short: 36 cards, a flush beats a full house, A6789 is a straight; in short-trips three of "
        "a kind beats a straight.",
        default_text="2",
        metavar="DECK",
    ),
    "suits": Option("count", _DECK, "Suits in the deck, 1 to 4.", default_text="4"),
    "hole_cards": Option("count", _DECK, "Cards of each seat, 1 or 2.", default_text="2"),
    "board": Option(
        "text",
        _DECK,
        "Board cards of each street after the first: 3/1/1, or 3 for a flop alone.",
        default_text="3/1/1",
        metavar="CARDS",
    ),
}
"""How the command line takes each key of a hand."""
EXACT_HAND_OPTIONS: Final = {
    key: option
    for key, option in HAND_OPTIONS.items()
    if key not in {"seats", "straddle", "suits", "hole_cards"}
} | {
    "stacks": replace(
        HAND_OPTIONS["stacks"],
        help="Stacks of both seats, small blind first, in place of --stack: 40/25.",
    ),
    "ante_kind": replace(
        HAND_OPTIONS["ante_kind"],
        help="Who posts the ante: each seat; one of one seat alone is refused, with the "
        "equivalent hand.",
    ),
}
"""Those of hands of two seats that are solved exactly."""
MULTIWAY_OPTIONS: Final = {
    key: option for key, option in HAND_OPTIONS.items() if key not in {"suits", "hole_cards"}
} | {
    "seats": replace(HAND_OPTIONS["seats"], help="Seats at the table, 2 to 6."),
    "board": replace(
        HAND_OPTIONS["board"],
        help="Board cards that are dealt after the betting: 3/1/1, or an empty text for none.",
    ),
    "last_street": replace(
        HAND_OPTIONS["last_street"],
        help="The last street with betting, which is the first.",
        default_text="preflop",
        choices=STREET_NAMES[:1],
    ),
}
"""Those of hands of several seats with betting before the flop alone."""
BLUEPRINT_OPTIONS: Final = {
    key: option
    for key, option in HAND_OPTIONS.items()
    if key not in {"suits", "hole_cards", "board"}
}
"""Those of hands that blueprints are trained for."""
PUSH_FOLD_OPTIONS: Final[dict[str, Option]] = {
    "stack": Option("text", _PUSH_FOLD, "The stack of every seat, 10 or 10bb.", metavar="BB"),
    "stacks": Option(
        "text",
        _PUSH_FOLD,
        "A stack for each seat, in the order of posting: small blind, big blind, under the gun ... "
        "button.",
        metavar="LIST",
    ),
    "seats": Option(
        "whole number", _PUSH_FOLD, "The number of players, two to six.", default_text="2"
    ),
    "blinds": Option(
        "text", _PUSH_FOLD, "The blinds, in chips.", metavar="SMALL/BIG", default_text="0.5/1"
    ),
    "ante": Option("text", _PUSH_FOLD, "What every seat posts besides.", metavar="CHIPS"),
    "big_blind_ante": Option(
        "text", _PUSH_FOLD, "What the big blind posts as an ante for all.", metavar="CHIPS"
    ),
    "payouts": Option(
        "text",
        _PUSH_FOLD,
        "Payouts of a tournament, the first place first: 50,30,20.",
        metavar="LIST",
    ),
    "others": Option(
        "text",
        _PUSH_FOLD,
        "With --payouts, the stacks of players who are not in the hand.",
        metavar="LIST",
    ),
}
"""How the command line and the browser take each key of a push-or-fold game."""
HAND_KEYS: Final = {key: option.help for key, option in HAND_OPTIONS.items()}
"""A description of each key."""
